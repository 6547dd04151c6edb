"""Reads an expert's answer guidance, written as labelled text, into points that can be marked one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.languages.numerals import parse_number
from benchbar.records import Category, Guidance, GuidancePoint, Record
from benchbar.suites.guidance_labels import labels_in
from benchbar.suites.point_kinds import classify

# Not between digits: 3.5 and 2020.1.1 are no items, and section 4(1) is one citation.
_NUMBERED = re.compile(
    r"(?<!\d)(\d{1,2})[.．、](?!\d)|(?<![\da-z])[（(]([一二三四五六七八九十]{1,3}|\d{1,2})[）)]|([①-⑳])"
)
_BREAKS = re.compile(r"[；;\n]")
_EDGES = " \t\n\r；;，,、。"
_QUOTED = ("原文为", "原文：", "原文:")
# What a cell of a hostile table may cost; guidance of people has some hundred characters.
MAX_TEXT = 1 << 20


class GuidanceReading(Record, frozen=True):
    """Guidance as points, with the labels that no category answers to."""

    guidance: Guidance
    unknown_labels: tuple[str, ...] = ()
    """What stands after such a label is no point: whether it must or must not be said is not known."""

    def problems(self, id_: str) -> list[str]:
        """What to tell the author of sample ``id_``."""
        return [
            f"{id_}: unknown guidance label {label!r}; what follows it is left out. Write one such as 'Must mention:' or 'Must not mention:'"
            for label in self.unknown_labels
        ]


def read_guidance(text: str) -> GuidanceReading:
    """The points of a guidance text; text before the first label counts as ground truth.

    Labels are those of UCL-Bench (答案参考, 必须提及, 应该提及, 至少提及, 鼓励提及, 禁止提及) and what authors write in their
    place in any language, see :mod:`benchbar.suites.guidance_labels`; items may be numbered (1. 2. or （一）（二） or ①②) or
    divided by semicolons, or be one.
    """
    labels = labels_in(text[:MAX_TEXT])
    sections: list[tuple[Category, int | None, str]] = []
    head = text[: labels[0].start] if labels else text[:MAX_TEXT]
    # UCL-Bench's answers begin without a label.
    if head.strip(_EDGES):
        sections.append((Category.GROUND_TRUTH, None, head))
    ends = [*(label.start for label in labels[1:]), min(len(text), MAX_TEXT)]
    sections += [
        (label.category, label.enough, text[label.end : end])
        for label, end in zip(labels, ends, strict=False)
        if label.category is not None
    ]
    unknown = tuple(label.phrase for label in labels if label.category is None)
    return GuidanceReading(guidance=_guidance(sections, text), unknown_labels=unknown)


def _guidance(sections: list[tuple[Category, int | None, str]], text: str) -> Guidance:
    points: list[GuidancePoint] = []
    at_least: dict[str, int] = {}
    for category, enough, body in sections:
        items = list(split_items(body))
        group = f"g{len(at_least) + 1}" if enough is not None and items else ""
        if group:
            # "At least three" of two items could never be met.
            at_least[group] = min(enough or 1, len(items))
        points.extend(
            classify(f"p{number}", category, item, group=group)
            for number, item in enumerate(items, start=len(points) + 1)
        )
    return Guidance(points=tuple(points), at_least=at_least, text=text)


def split_items(body: str) -> Iterator[str]:
    """The items of one labelled part, without their numbers."""
    stripped = body.strip(_EDGES)
    if not stripped:
        return
    # A quotation keeps its own numbers and semicolons; cut at them, no part would be what was asked for.
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
