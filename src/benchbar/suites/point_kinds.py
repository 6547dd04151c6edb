"""Decides from a guidance item's wording which matcher can mark it, and leaves to a judge what none can."""

from __future__ import annotations

import re

from benchbar.languages.ranges import HAN, quantity_ranges
from benchbar.languages.text import detect_language, variant
from benchbar.law.citations import extract
from benchbar.records import Category, GuidancePoint, PointKind

_CHOICE = re.compile(r"^(?:正确)?(?:答案|选项)?(?:是|为|：|:)*\s*([A-H](?:[、,，]?\s*[A-H])*)$")
_SIMILAR = re.compile(r"^类案是[:：]?\s*(.{1,12})$")
_PREFIX = re.compile(r"(?:罪名是|争议焦点是|原文为|原文|正确答案|合理分数区间为|类案是)[:：]?\s*")
# 犯罪, 认罪, 数罪, 有罪, 无罪, 悔罪 and 定罪 end like a charge and are none.
_CHARGE = re.compile(r"^[^\s，。；、：《》]{1,20}(?<![犯认数有无悔定])罪$")
_CORRECTION = re.compile(
    r"[“\"「]([^”\"」]{1,40})[”\"」]\s*(?:应?改为|应为|更正为)\s*[“\"「]?([^”\"」。]{1,40})[”\"」]?"
)
_OR = re.compile(r"[/／]|\bor\b|(?<=[\u3400-\u9fff])or(?=[\u3400-\u9fff])")
_ASIDE = re.compile(r"[（(][^（）()]*[）)]")
_PLAIN = re.compile(r"^[\u3400-\u9fffA-Za-z0-9]{2,8}$")
# The weights that docs/suite-format.md states for each label.
_WEIGHT = {
    Category.GROUND_TRUTH: 4.0,
    Category.MANDATORY: 3.0,
    Category.ADVISABLE: 2.0,
    Category.ENCOURAGED: 1.0,
    Category.FORBIDDEN: 3.0,
}
_HAN = re.compile(r"[\u3400-\u9fff]")
_DIGIT = re.compile(r"\d")
# Beside citations in English and Russian: connectives, and what lists of articles begin with.
_BESIDE = re.compile(
    r"\b(?:and|or|see|also|of|the|under|sections?|ss?|articles?|arts?|и|или|а|также|см|согласно|статьи|статья|статей|статьями|ст|ч|п)\b|[\s.,;:()–—-]",
    re.IGNORECASE,
)
_ORDINALS = {"1": "一", "2": "二", "3": "三"}


def classify(id_: str, category: Category, text: str, *, group: str = "") -> GuidancePoint:
    """The point that an item states, with the kind its wording shows and the usual weight of its category."""
    base = {"id": id_, "category": category, "text": text, "weight": _WEIGHT[category], "group": group}
    prefix = _PREFIX.match(text)
    bare = text[prefix.end() if prefix else 0 :].strip()
    # From the strictest form to the loosest: a bare option letter would pass as a term, and 盗窃罪 as well.
    found = _quote(text, bare) or _choice(text, bare) or _charge(bare) or _citation(bare) or _quantity(text, bare)
    found = found or _correction(text) or _term(bare) or {"kind": PointKind.SEMANTIC}
    return GuidancePoint(**(base | found))  # type: ignore[arg-type]


def _quote(text: str, bare: str) -> dict[str, object] | None:
    return {"kind": PointKind.QUOTE, "text": bare} if text.startswith("原文") else None


def _choice(text: str, bare: str) -> dict[str, object] | None:
    if letters := _CHOICE.match(bare):
        return {"kind": PointKind.CHOICE, "text": "".join(re.findall("[A-H]", letters[1]))}
    if similar := _SIMILAR.match(text):
        return {"kind": PointKind.CHOICE, "text": similar[1].strip("。"), "alternatives": _case_names(similar[1])}
    return None


def _case_names(name: str) -> tuple[str, ...]:
    """Ways to point at the n-th of the cases laid before the assistant."""
    number = re.search(r"\d|[一二三]", name)
    if not number:
        return ()
    digit = {"一": "1", "二": "2", "三": "3"}.get(number[0], number[0])
    word = _ORDINALS.get(digit, digit)
    names = [f"{noun}{n}" for noun in ("有关案件", "相关案件", "案件", "案例", "类案") for n in (digit, word)]
    names += [f"第{word}个{noun}" for noun in ("案件", "案例", "有关案件", "相关案件")]
    return tuple(sorted({*names} - {name}))


def _charge(bare: str) -> dict[str, object] | None:
    return {"kind": PointKind.CHARGE, "text": bare} if _CHARGE.match(bare) else None


def _citation(bare: str) -> dict[str, object] | None:
    """Nothing but citations: what is left beside them is only lists' punctuation and short connectives."""
    if not _HAN.search(bare):
        return _citation_in_letters(bare)
    mentions = extract(bare, variant(bare, "zh"))
    if not mentions:
        return None
    covered = sum(mention.span[1] - mention.span[0] for mention in mentions)
    left = len(re.sub(r"[\s、，,；;。及和与第]", "", bare)) - covered
    # An article with what it says beside it is a statement: that the citation stands in the reply would not show that
    # the statement does.
    if left <= max(2, len(bare) // 8):
        return {"kind": PointKind.CITATION, "text": bare}
    return None


def _citation_in_letters(bare: str) -> dict[str, object] | None:
    """The same in languages of letters, by words: beside citations stand only connectives, and the names of their laws."""
    mentions = extract(bare, detect_language(bare)) if _DIGIT.search(bare) else ()
    # A citation without its law is one that no matcher can look for.
    if not mentions or not all(one.names or one.case_number for one in mentions):
        return None
    rest = bare
    for one in sorted(mentions, key=lambda one: one.span, reverse=True):
        rest = f"{rest[: one.span[0]]} {rest[one.span[1] :]}"
    for name in {one.names for one in mentions if one.names}:
        rest = rest.replace(name, " ")
    return {"kind": PointKind.CITATION, "text": bare} if not _BESIDE.sub("", rest) else None


def _quantity(text: str, bare: str) -> dict[str, object] | None:
    """An item that is a quantity with a head word or two: a term of months, an amount, a number of points."""
    # Told by characters alone, most items need not be searched for quantities.
    found = () if _others(bare) > MAX_AROUND else quantity_ranges(bare)
    if not found:
        return None
    rest = bare
    # From the end, so that earlier places stay what they are.
    for one in reversed(found):
        rest = rest[: one.start] + rest[one.end :]
    if len(_HEADS.sub("", rest)) > MAX_AROUND:
        return None
    first = found[0]
    kind = PointKind.RANGE if first.low != first.high else PointKind.NUMBER
    return {"kind": kind, "text": text, "low": first.low, "high": first.high, "unit": first.unit}


def _others(text: str) -> int:
    """How many Chinese characters of a text are part of no quantity and no head word."""
    # Not by a pattern: one over all Chinese characters takes longer to compile than to read a suite's items in this way.
    return sum(text.count(one) for one in set(text) - _OF_QUANTITIES if "\u3400" <= one <= "\u9fff")


MAX_AROUND = 4
"""Characters beside quantity and head words; an item with more of them says more than its number."""
_HEADS = re.compile(
    r"有期徒刑|拘役|管制|缓刑|罚金|人民币|刑期|赔偿|金额|分数|区间|范围|应该|合理|应当|大约|左右|[的是为共计约，,、。：:\s]"
)
_OF_QUANTITIES = frozenset(HAN + _HEADS.pattern)


def _correction(text: str) -> dict[str, object] | None:
    if not (match := _CORRECTION.search(text)):
        return None
    wrong, right = match.groups()
    verbs = (
        "改为",
        "应改为",
        "应为",
        "应当改为",
        "应当为",
        "修改为",
        "更正为",
        "修正为",
        "应该是",
        "应是",
        "改成",
        "应改成",
        "→",
        "->",
    )
    ways = [f"{wrong}{verb}{right}" for verb in verbs]
    # Not exhaustive: who corrects in other words is right as well, so that its absence proves nothing.
    return {"kind": PointKind.TERM, "text": ways[0], "alternatives": tuple(ways[1:]), "exhaustive": False}


def _term(bare: str) -> dict[str, object] | None:
    """A short plain expression, or several divided by strokes: found, it is met; not found, a judge decides."""
    ways = _OR.split(bare) if "/" in bare or "／" in bare or "or" in bare else [bare]
    parts = [part.strip() for part in ways if part.strip()]
    plain = [_ASIDE.sub("", part) for part in parts]
    if parts and all(_PLAIN.match(part) for part in plain):
        return {"kind": PointKind.TERM, "text": plain[0], "alternatives": tuple(plain[1:]), "exhaustive": False}
    return None
