"""Other wordings of a question: by rule, or by a model.

The question itself is always searched too: a rewriting can only add.
"""

from __future__ import annotations

import re

from benchbar.languages.packs import pack
from benchbar.languages.text import detect_language
from benchbar.retrieval.expansion import concepts

MAX_VARIANT = 500
"""Characters of a variant; a longer line is no question but something a model explained."""


# Courtesies are frequent in questions and absent in law: they only dilute the score.
_POLITE = re.compile(
    r"(?:您好|你好|律师好|请问一下|请问|请教一下|请教|咨询一下|想咨询|我想问一下|我想问|想问一下|想问|麻烦问一下|问一下|谢谢您?|求助)[，,。！!：:、\s]*"
    r"|\b(?:здравствуйте|добрый день|подскажите,? пожалуйста|подскажите|скажите,? пожалуйста|пожалуйста|спасибо|помогите)\b[,.!:\s]*"
    r"|\b(?:hello|hi|good (?:morning|afternoon|evening)|please tell me|could you (?:please )?tell me|please|thanks|thank you|i would like to know|i want to ask)\b[,.!:\s]*",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"怎么办|怎么样|怎么|如何|是否|能否|可否|可不可以|可以吗|能不能|是不是|有没有|什么|哪些|哪条|为什么|多少|吗|呢|了吧"
    r"|\b(?:что делать|как быть|как|можно ли|является ли|нужно ли|должен ли|имеет ли|какие|какой|какая|ли)\b"
    r"|\b(?:what|how|can i|can|may|does|do|is it|is there|are there|should|which|when|whether)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^。！？!?；;\n]+[。！？!?；;]?")
_QUESTION = re.compile(r"[？?]|吗|呢|怎么|如何|是否|能否|什么|多少|哪")
_NUMBERING = re.compile(
    r"^\s*(?:[-*•·–—]|\(?\d{1,2}[.)、）:：]|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,2}、|[a-zA-Zа-яА-Я][.)])\s*"
)
_PREFACE = re.compile(
    r"(?:[:：]\s*$)|^(?:sure|here (?:are|is)|certainly|of course|конечно|вот\b|好的|当然|以下)", re.IGNORECASE
)
_LABEL = re.compile(
    r"^(?:variant|question|query|вариант|вопрос|запрос|改写|变体|问题|问法)\s*\d*\s*[:：.]\s*", re.IGNORECASE
)


def rule_variants(question: str, n: int = 2) -> list[str]:
    """Up to n other wordings made without a model: without courtesies and asking words, and the asking sentence alone.

    Of a question whose earlier lines are what is known or was asked before, its last line alone where that names a matter: put together
    with the lines before it in two wordings of three, it would be outvoted by them.
    """
    before, _, own = question.strip().rpartition("\n")
    if before.strip() and concepts(own, pack(detect_language(own)).root):
        return distinct([question, own])[1 : n + 1]
    plain = _tidy(_POLITE.sub("", question))
    statement = _tidy(_ASKING.sub(" ", plain))
    sentences = [match[0].strip() for match in _SENTENCE.finditer(plain)]
    asking = [sentence for sentence in sentences if _QUESTION.search(sentence)]
    last = asking[-1] if asking and len(sentences) > 1 else ""
    # The first is the question itself, which is searched anyway.
    return distinct([question, statement, last, plain])[1 : n + 1]


def read_variants(answer: str, question: str, n: int = 2) -> list[str]:
    """The wordings in a model's answer: one a line; prefaces, numbering, labels, quotes and repetitions are dropped."""
    lines = []
    for line in answer.splitlines():
        bare = _LABEL.sub("", _NUMBERING.sub("", line)).strip().strip("\"'“”«»「」").strip()
        if bare and len(bare) <= MAX_VARIANT and not _PREFACE.search(bare):
            lines.append(bare)
    return distinct([question, *lines])[1 : n + 1]


def distinct(questions: list[str]) -> list[str]:
    """The questions that are not empty, each wording once, in order."""
    found: dict[str, str] = {}
    for question in questions:
        # Wordings that differ by signs or case alone would be searched twice and weigh double.
        key = re.sub(r"[\W_]+", "", question).casefold()
        if key:
            found.setdefault(key, question)
    return list(found.values())


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"^[\s，,。.!！:：]+", "", text)).strip()
