"""Reads what a reviewer wrote: the Markdown form as models really write it, or JSON; and says when it could not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from benchbar.languages.text import folded
from benchbar.records import Record
from benchbar.records.contracts import Finding, Reflection, RiskLevel
from benchbar.records.thoughts import parted

MAX_REPLY = 200_000
_NAMES: dict[str, str] = {
    "overall": r"(?:总体|整体|综合|最终|overall|final|общий|итоговый)\s?(?:风险)?(?:等级|级别|评级|评定|risk(?:\s+level)?|level|rating|уровень(?:\s+риска)?)",
    "level": r"(?:风险)?(?:等级|级别|评级|程度)|风险判定|(?:risk\s+)?(?:level|rating|severity)|уровень(?:\s+риска)?|степень(?:\s+риска)?",
    "confidence": r"置信度|把握|可信度|confidence|уверенность",
    "evidence": r"(?:条款)?(?:证据|原文|原句)(?:摘录|引用|内容|原文)?|摘录|(?:evidence|quote|excerpt|clause text)(?:\s+(?:quote|excerpt))?|доказательств[оа]|цитата|выдержка",
    "analysis": r"(?:风险)?(?:分析|理由|说明|原因)|分析说明|(?:risk\s+)?(?:analysis|reasoning|reason|explanation|rationale)|анализ|обоснование|причина",
    "law": r"(?:相关)?(?:法律|法规|法条)(?:依据|条文|引用|规定)?|依据|(?:legal\s+basis|law|statute|legal\s+reference)s?|норма(?:\s+права)?|закон|правовое\s+основание",
    "suggestion": r"(?:修改|修订|完善|改进|优化)?(?:建议|意见)(?:文本)?|建议(?:修改|条款)|修改(?:后)?(?:条款|文本)|(?:suggestion|suggested\s+(?:wording|revision|change)|recommendation|revision|proposed\s+wording)s?|предложение|рекомендаци[яи]|предлагаемая\s+редакция",
    "risk": r"风险(?:名称|点|描述|类型|概述|内容|提示|项|说明)?(?!等级|级别)|(?:identified\s+)?risks?(?:\s+(?:name|description|type|point))?|риски?(?:\s*№?\s*\d+)?|название\s+риска",
    "outcome": r"(?:复核|审查)(?:结论|结果|意见)|结论|outcome|conclusion|итог|вывод",
}
_LABEL = re.compile(
    r"^[\s>#*_\-•·|（(【\[\d.、)）]{0,12}(?:"
    + "|".join(f"(?P<{name}>{form})" for name, form in _NAMES.items())
    + r")\s?\d{0,2}(?:\s?[（(][^）)\n]{0,20}[)）])?[\s*_】\]]{0,6}(?P<colon>[:：|]|$|(?<=[】\]]))[\s*_]{0,6}",
    re.IGNORECASE,
)
_LEVELS: tuple[tuple[RiskLevel, str], ...] = (
    (RiskLevel.HIGH, r"高|严重|重大|\bhigh\b|\bsevere\b|\bcritical\b|высок\w{0,4}|критич\w{0,6}"),
    (
        RiskLevel.MEDIUM,
        r"中(?!国|华|止|断|介|心|的|包)|一般|\bmedium\b|\bmoderate\b|\bmid\b|средн\w{0,4}|умеренн\w{0,3}",
    ),
    (RiskLevel.LOW, r"低|无风险|没有风险|\blow\b|\bnone\b|no risk|низк\w{0,4}|отсутств\w{0,6}"),
)
_LEVEL_FORMS = tuple((level, re.compile(form, re.IGNORECASE)) for level, form in _LEVELS)
_NOT_EXAMINED = re.compile(r"[\s*_]*(?:未审查|无法判断|not examined|не проверено)", re.IGNORECASE)
_NO = re.compile(r"[\s*_]*(?:无|none|нет|n/a)[\s*_。.]*", re.IGNORECASE)
_SPOKEN = re.compile(
    r"(?:属于|构成|判定为|评为|存在|是|为)\s?(?P<zh>高|中等?|低)(?:度)?风险|(?P<zh2>高|中|低)风险(?:条款|等级)?|\b(?P<en>high|medium|moderate|low)[\s-]risk\b|\b(?P<ru>высок|средн|низк)\w{2,4}\s(?:уров\w{2,4}\s)?риск",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)
_NUMBER = re.compile(r"(\d{1,3}(?:[.,]\d{1,4})?)\s?(%|％)?")
Outcome = Literal["keep", "adjust", "doubtful"]
_OUTCOMES: tuple[tuple[Outcome, str], ...] = (
    ("doubtful", r"存疑|doubtful|uncertain|сомнительн"),
    ("keep", r"维持|保持|不变|keep|maintain|оставить"),
    ("adjust", r"调整|更改|修改|adjust|change|изменить"),
)


class Reading(Record, frozen=True):
    """What a reply says; ``level`` is None exactly where ``reason`` says why it could not be read."""

    level: RiskLevel | None
    findings: tuple[Finding, ...] = ()
    confidence: float | None = None
    reason: str = ""
    complete: bool = True
    """Whether every finding has all six parts; a reply that broke off has not."""
    examined: bool = True
    """False where the reviewer says that it could not tell anything about the clause."""


def read_review(reply: str) -> Reading:
    """The findings of a reply and its level: the one named for the whole, else the gravest.

    A reply without a level, or one whose level line names two, gives no level: nothing is guessed.
    """
    text = _FENCE.sub("", parted(reply[:MAX_REPLY]).answer).strip()
    if not text:
        return Reading(level=None, reason="the reply is empty", complete=False)
    rows = _json_rows(text)
    overall: str | None = None
    if rows is None:
        sections = list(_sections(text))
        overall = next((section["overall"] for section in sections if "overall" in section), None)
        rows = [section for section in sections if "level" in section or "risk" in section or "evidence" in section]
    return _reading(text, rows, overall)


def _reading(text: str, rows: list[dict[str, str]], overall: str | None) -> Reading:
    findings: list[Finding] = []
    problems: list[str] = []
    for row in rows:
        if _NOT_EXAMINED.match(folded(row.get("level", ""))):
            return Reading(level=None, reason=row.get("analysis", ""), complete=False, examined=False)
        level, problem = read_level(row.get("level", ""))
        if level is None:
            problems.append(problem)
            continue
        if (
            findings
            and level != findings[-1].level
            and not any(row.get(part) for part in ("risk", "evidence", "analysis"))
        ):
            return Reading(level=None, reason="two levels of risk for one finding", complete=False)
        findings.append(_finding(row, level))
    named, problem = read_level(overall) if overall is not None else (None, "")
    if named is None and overall is not None:
        problems.append(problem)
    level = named or max((one.level for one in findings), key=lambda one: one.rank, default=None)
    if level is None and not problems:
        level, problem = _spoken_level(text)
        problems += [problem] if problem else []
    if level is None:
        return Reading(level=None, reason=problems[0] or "no level of risk", complete=False)
    complete = bool(findings) and all(one.risk and one.analysis and one.suggestion for one in findings)
    confidences = [one.confidence for one in findings if one.confidence is not None]
    return Reading(
        level=level,
        findings=tuple(findings),
        confidence=min(confidences) if confidences else None,
        reason="" if not problems else f"a part could not be read: {problems[0]}",
        complete=complete,
    )


def read_level(text: str) -> tuple[RiskLevel | None, str]:
    """The one level that a text names, or None and why: none is named, or several are."""
    shown = text.strip()
    if not shown:
        return None, "no level of risk"
    head = folded(re.split(r"[，,。；;\n]", shown, maxsplit=1)[0])
    named = {level for level, form in _LEVEL_FORMS if form.search(head)}
    if not named and _NO.fullmatch(head):
        named = {RiskLevel.LOW}
    if len(named) == 1:
        return named.pop(), ""
    if not named:
        return None, f"no level of risk in {shown[:40]!r}"
    return None, f"several levels of risk in {shown[:40]!r}"


def _spoken_level(text: str) -> tuple[RiskLevel | None, str]:
    """The level that running text without the form names, if all its mentions agree."""
    named = {read_level(next(filter(None, match.groupdict().values())))[0] for match in _SPOKEN.finditer(folded(text))}
    if len(named) == 1:
        return named.pop(), ""
    return None, "no level of risk" if not named else "several levels of risk and no line that decides"


def _sections(text: str) -> Iterator[dict[str, str]]:
    """Runs of labelled parts; a part named a second time begins the next run."""
    current: dict[str, list[str]] = {}
    key = ""
    for line in text.splitlines():
        for name, value in _labelled(line):
            if name and (name in current or (name == "risk" and "level" in current and "evidence" in current)):
                yield _joined(current)
                current = {}
            key = name or key
            if key:
                current.setdefault(key, []).append(value)
    if current:
        yield _joined(current)


def _labelled(line: str) -> Iterator[tuple[str, str]]:
    """The parts of one line: a table row may hold a label and its value; other lines hold one or none."""
    match = _LABEL.match(folded(line))
    if match is None or not match.lastgroup:
        yield "", line
        return
    name = next(key for key in _NAMES if match[key])
    value = line[match.end() :].strip().strip("|").strip()
    if name == "risk" and not value and line.lstrip().startswith("#"):
        return  # the heading of a section, not a part of it
    yield name, value


def _joined(parts: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: "\n".join(lines).strip().strip("*_").strip() for name, lines in parts.items()}


def _finding(row: Mapping[str, str], level: RiskLevel) -> Finding:
    return Finding(
        risk=row.get("risk", ""),
        level=level,
        evidence=_without_none(row.get("evidence", "")).removeprefix("> "),
        analysis=_without_none(row.get("analysis", "")),
        law=_without_none(row.get("law", "")),
        suggestion=_without_none(row.get("suggestion", "")),
        confidence=read_confidence(row.get("confidence", "")),
    )


def _without_none(text: str) -> str:
    return "" if _NO.fullmatch(folded(text)) else text


def read_confidence(text: str) -> float | None:
    """A share from 0 to 1 given as 0.8, 0,8, 80% or 80; None where there is none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    value = value / 100 if match[2] or value > 1 else value
    return value if value <= 1 else None


def read_reflection(reply: str, before: RiskLevel, confidence: float | None) -> Reflection:
    """The outcome of a second look; what cannot be read leaves the level as it was and says so."""
    text = _FENCE.sub("", parted(reply[:MAX_REPLY]).answer)
    rows = [row for row in _sections(text) if "outcome" in row] or [{}]
    row = rows[-1]
    outcome: Outcome | None = next(
        (name for name, form in _OUTCOMES if re.search(form, folded(row.get("outcome", "")), re.IGNORECASE)), None
    )
    level, problem = read_level(row.get("level", ""))
    reason = row.get("analysis", "")[:500]
    if outcome is None:
        return Reflection(
            outcome="unparsed", before=before, after=before, confidence=confidence, reason="no outcome in the reply"
        )
    if outcome == "keep" and level not in (None, before):
        return Reflection(
            outcome="unparsed",
            before=before,
            after=before,
            confidence=confidence,
            reason=f"keeps {before} but names {level}",
        )
    if outcome == "adjust" and level is None:
        return Reflection(outcome="unparsed", before=before, after=before, confidence=confidence, reason=problem)
    if outcome == "adjust" and level == before:
        outcome = "keep"
    after = level if outcome == "adjust" and level else before
    return Reflection(outcome=outcome, before=before, after=after, confidence=confidence, reason=reason)


_JSON_KEYS = {
    "risk": ("risk", "risk_name", "name", "风险", "风险名称", "风险点", "риск"),
    "level": ("level", "risk_level", "severity", "风险等级", "等级", "уровень", "уровень_риска"),
    "evidence": ("evidence", "quote", "证据", "证据摘录", "原文", "доказательство"),
    "analysis": ("analysis", "reasoning", "reason", "分析", "风险分析", "анализ"),
    "law": ("law", "laws", "legal_basis", "法律依据", "法条", "норма"),
    "suggestion": ("suggestion", "recommendation", "修改建议", "建议", "предложение"),
    "confidence": ("confidence", "置信度", "уверенность"),
}


def _json_rows(text: str) -> list[dict[str, str]] | None:
    """The objects of a JSON reply, or None where it is none."""
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    end = max(text.rfind("}"), text.rfind("]"))
    if start < 0 or end <= start or not re.search(r"[\"']\s*:", text):
        return None
    try:
        value = msgspec.json.decode(text[start : end + 1])
    except msgspec.DecodeError:
        return None
    if isinstance(value, dict):
        nested = next(
            (value[key] for key in ("findings", "risks", "风险列表", "риски") if isinstance(value.get(key), list)), None
        )
        value = [value] if nested is None else nested
    if not isinstance(value, list):
        return None
    return [_json_row(one) for one in value if isinstance(one, dict)] or None


def _json_row(given: dict[str, Any]) -> dict[str, str]:
    lowered = {folded(str(key)).strip().lower(): value for key, value in given.items()}
    row = {}
    for name, keys in _JSON_KEYS.items():
        value = next((lowered[key] for key in keys if key in lowered), None)
        if value is not None:
            row[name] = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
    return row
