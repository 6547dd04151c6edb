"""Reads an expert's answer guidance, written as labelled text, into points that can be marked one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from benchbar.languages.numerals import parse_number
from benchbar.languages.packs import every
from benchbar.languages.text import folded
from benchbar.records import Category, Guidance, GuidancePoint, Record
from benchbar.suites.point_kinds import classify

_LOOKS_LIKE_LABEL = re.compile(r"(?m)^\s*([^\s:：，。；《》]{0,6}提及)[^:：\n]{0,12}[:：]")
_COUNT = re.compile(r"\d+|[一二两三四五六七八九十]+")
_NUMBERED = re.compile(r"(?<!\d)(\d{1,2})[.．、](?!\d)|[（(]([一二三四五六七八九十]{1,3}|\d{1,2})[）)]|([①-⑳])")
_BREAKS = re.compile(r"[；;\n]")
_EDGES = " \t\n\r；;，,、。"
_QUOTED = ("原文为", "原文：", "原文:")
MAX_TEXT = 1 << 20


class GuidanceReading(Record, frozen=True):
    """Guidance as points, with the labels that no category answers to."""

    guidance: Guidance
    unknown_labels: tuple[str, ...] = ()


def read_guidance(text: str) -> GuidanceReading:
    """The points of a guidance text; text before the first label counts as ground truth.

    Labels are those of UCL-Bench (答案参考, 必须提及, 应该提及, 至少提及, 鼓励提及, 禁止提及) and their equivalents in every
    language's pack; items may be numbered (1. 2. or （一）（二） or ①②) or divided by semicolons, or be one.
    """
    points: list[GuidancePoint] = []
    at_least: dict[str, int] = {}
    for category, group_size, body in _sections(text[:MAX_TEXT]):
        items = list(split_items(body))
        group = f"g{len(at_least) + 1}" if group_size is not None and items else ""
        if group:
            at_least[group] = min(group_size or 1, len(items))
        points.extend(
            classify(f"p{number}", category, item, group=group)
            for number, item in enumerate(items, start=len(points) + 1)
        )
    unknown = tuple(found for found in _LOOKS_LIKE_LABEL.findall(text) if folded(found) not in _labels())
    return GuidanceReading(
        guidance=Guidance(points=tuple(points), at_least=at_least, text=text), unknown_labels=unknown
    )


def _sections(text: str) -> Iterator[tuple[Category, int | None, str]]:
    """Category, how many of the items suffice (None for all), and text of each labelled part."""
    labels = list(_label().finditer(folded(text)))
    head = text[: labels[0].start()] if labels else text
    if head.strip(_EDGES):
        yield Category.GROUND_TRUTH, None, head
    ends = [*(label.start() for label in labels[1:]), len(text)]
    for label, end in zip(labels, ends, strict=False):
        name = label["label"].lower()
        body = text[label.end() : end]
        some = any(words in label[0].lower() for words in every("words", "guidance.at_least"))
        yield _labels()[name], _count(label["count"]) if some else None, body


@cache
def _labels() -> dict[str, Category]:
    """What authors of guidance call the categories, in any language."""
    return {
        folded(label): category
        for category in Category
        for labels in every("words", f"guidance.{category}")
        for label in labels.splitlines()
    }


@cache
def _label() -> re.Pattern[str]:
    known = "|".join(sorted(map(re.escape, _labels()), key=len, reverse=True))
    return re.compile(rf"(?P<label>{known})(?P<count>[^:：\n]{{0,12}})[:：]", re.IGNORECASE)


def _count(text: str) -> int:
    found = _COUNT.search(text)
    number = parse_number(found[0]) if found else None
    return int(number) if number else 1


def split_items(body: str) -> Iterator[str]:
    """The items of one labelled part, without their numbers."""
    stripped = body.strip(_EDGES)
    if not stripped:
        return
    if stripped.startswith(_QUOTED):
        yield stripped
        return
    starts = list(_item_starts(stripped))
    if not starts:
        yield from (part.strip(_EDGES) for part in _BREAKS.split(stripped) if part.strip(_EDGES))
        return
    if head := stripped[: starts[0][0]].strip(_EDGES):
        yield head
    for (_, begin), (end, _) in zip(starts, [*starts[1:], (len(stripped), 0)], strict=True):
        if item := stripped[begin:end].strip(_EDGES):
            yield item


def _item_starts(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each item number that continues the count; other numbers belong to the items' text.

    A number may repeat the one before it: annotators do miscount.
    """
    count, style = 0, 0
    for match in _NUMBERED.finditer(text):
        kind = next(index for index, group in enumerate(match.groups()) if group)
        number = _ordinal(match[kind + 1])
        if count and kind != style:
            continue
        repeats = number == count and text[match.start() - 1] in _EDGES
        if number == count + 1 or repeats:
            count, style = number, kind
            yield match.start(), match.end()


def _ordinal(mark: str) -> int:
    if "①" <= mark <= "⑳":
        return ord(mark) - ord("①") + 1
    return int(parse_number(mark) or 0)
