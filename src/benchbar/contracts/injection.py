"""Words inside a clause that speak to whoever reviews it: shown as a finding, set apart, and never obeyed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from benchbar.contracts.patterns import pattern
from benchbar.languages.packs import labels
from benchbar.languages.text import folded

_FORMS = (
    r"(?:忽略|无视|忘记|不要理会|不必理会|跳过).{0,14}(?:以上|上述|前面|之前|先前|此前|所有|全部|系统).{0,10}(?:指令|指示|内容|规则|要求|提示|设定|文字|条款)?",
    r"(?:风险等级|风险级别|风险评级|审查结论|审查结果|审核结果|风险)\s?(?:应|须|必须|请|直接|一律|只能)?.{0,4}(?:为|是|：|:|设为|标为|标记为|判定为|判为|评为|定为|输出)\s?[“\"「]?(?:低|无|零|安全|合规)",
    r"(?:请|必须|务必|直接|一律|应当?|只)(?:将|把|对)?.{0,16}(?:判定|判断|判|标记|标注|评定|评|认定|视|输出|回复|回答|返回)(?:为|成|[:：])?.{0,6}(?:低风险|无风险|零风险|没有风险|不存在风险)|(?:判定|标记|标注|评定|视)为.{0,4}(?:合规|安全)",
    r"(?:作为|你是|你现在是|致|本条款?供|请)(?:一个|一名|所有|本次)?.{0,6}(?:人工智能|大模型|语言模型|审查模型|AI|审查系统|审核系统|审查助手|审查程序|审查机器人)",
    r"(?:不要|不得|无需|禁止|请勿)(?:将|把)?.{0,10}(?:标记|标注|提示|报告|指出|列为).{0,8}(?:风险|问题)",
    r"<\|?(?:im_start|im_end|system|endoftext|assistant|user)\|?>|\[/?INST\]|(?:^|\n)\s{0,4}#{2,4}\s?(?:system|instruction)|(?:^|\n)\s{0,4}(?:system|assistant)\s?[:：]",
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:above|previous|prior|preceding|earlier|all|system|your)\b.{0,40}",
    r"\b(?:risk|risk level|rating|verdict|assessment)\b.{0,30}(?:\bis\b|\bas\b|\bto\b|:|=|\bbe\b).{0,12}\b(?:low|none|zero|safe|compliant)\b",
    r"\b(?:mark|rate|classify|label|report|treat|consider|output|answer|respond)\b.{0,40}\b(?:low[\s-]risk|no risk|risk[\s-]free|low|safe)\b",
    r"\b(?:you are|as) an? (?:AI|artificial|language model|assistant|automated|LLM)|\b(?:AI|LLM|automated) (?:reviewer|assistant|system|model)s?\b.{0,40}\b(?:must|should|shall|please)\b",
    r"\b(?:do not|don't|never) (?:flag|report|mention|mark|highlight)\b",
    r"(?:игнорируй|проигнорируй|не учитывай|забудь|пропусти)\w{0,4}.{0,40}(?:выше|предыдущ|вс[её]|инструкц|указани|правил)",
    r"(?:уровень риска|риск|оценка)\w{0,2}.{0,24}(?:низк|отсутств|нулев|безопас)\w{0,6}",
    r"(?:отметь|оцени|укажи|считай|пометь|ответь)\w{0,3}.{0,40}(?:низк|без риска|безопас|отсутств)",
    r"не (?:отмечай|указывай|сообщай|помечай)\w{0,3}.{0,24}(?:риск|проблем)",
)
_SEGMENT = re.compile(r"[^，,。；;！!？?\n]+[，,。；;！!？?\n]?")


@dataclass(frozen=True, slots=True)
class Injection:
    """A stretch of a clause that gives the reviewer orders."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(pattern(form) for form in _FORMS)


def find_injections(text: str) -> tuple[Injection, ...]:
    """The phrases of a clause that hold an order to its reviewer, whole between punctuation marks, neighbours joined."""
    plain = folded(text)
    hits = sorted(match.span() for form in _forms() for match in form.finditer(plain))
    if not hits:
        return ()
    spans: list[tuple[int, int]] = []
    for segment in _SEGMENT.finditer(text):
        if any(start < segment.end() and segment.start() < end for start, end in hits):
            if spans and spans[-1][1] == segment.start():
                spans[-1] = spans[-1][0], segment.end()
            else:
                spans.append(segment.span())
    return tuple(Injection(start, end, text[start:end].strip()) for start, end in spans)


def set_apart(text: str, found: tuple[Injection, ...], language: str) -> str:
    """The clause with a placeholder for each injection; with nothing in its place where no language is given."""
    placeholder = labels(language, "contract")("review.set_apart_here") if language else ""
    pieces: list[str] = []
    at = 0
    for one in found:
        pieces += [text[at : one.start], placeholder]
        at = one.end
    return "".join(pieces) + text[at:]
