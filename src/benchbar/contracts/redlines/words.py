"""What was taken out of a text and what was put in, in whole words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from benchbar.languages.numerals import ZH_CHARACTERS

Operation = Literal["same", "removed", "added"]
Piece = tuple[Operation, str]
"""A stretch of text that both versions have, or only the earlier, or only the later."""

# A Chinese character is compared by itself: no segmenter tells words of contracts reliably, and islands are closed below.
# Numbers are whole: 千分之一 to 百分之五 is one change.
_TOKEN = re.compile(
    rf"[{ZH_CHARACTERS}]+(?:分之[{ZH_CHARACTERS}]+)?"
    r"|\d+(?:[.,]\d+)*[%％‰]?|[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+(?:[-'’][^\W\d_\u3400-\u9fff]+)*|\n|[^\S\n]+|."
)
_LEAST_SHARED = 0.4
"""Share of common tokens below which a text was rewritten: a word for word comparison would be confetti."""
_ISLAND = 2
"""Chinese characters that two changes must leave between them: 全部 to 部分 shares 部, and no word."""


def pieces(before: str, after: str) -> tuple[Piece, ...]:
    """Both texts as one: joined, all but the added pieces are ``before``, all but the removed ones are ``after``.

    Where the texts share less than four tenths of their words, one removed and one added piece.
    """
    from rapidfuzz.distance import Indel

    left, right = _TOKEN.findall(before), _TOKEN.findall(after)
    if before == after:
        return (("same", before),) if before else ()
    if Indel.normalized_similarity(left, right) < _LEAST_SHARED:
        return tuple(_merged([("removed", before), ("added", after)]))
    found: list[Piece] = []
    for one in Indel.opcodes(left, right):
        if one.tag == "equal":
            found.append(("same", "".join(left[one.src_start : one.src_end])))
        else:
            found.append(("removed", "".join(left[one.src_start : one.src_end])))
            found.append(("added", "".join(right[one.dest_start : one.dest_end])))
    return tuple(_merged(_without_islands(list(_merged(found)))))


def _without_islands(found: Sequence[Piece]) -> Iterator[Piece]:
    """Common stretches between two changes that are too short to be read count as removed and added again."""
    for index, (operation, text) in enumerate(found):
        if operation == "same" and 0 < index < len(found) - 1 and _is_island(text):
            yield "removed", text
            yield "added", text
        else:
            yield operation, text


def _is_island(text: str) -> bool:
    bare = text.strip()
    if "\n" in text:
        return False
    return not bare or (len(bare) < _ISLAND and "\u3400" <= bare <= "\u9fff")


def _merged(found: Iterable[Piece]) -> Iterator[Piece]:
    """Neighbours of one kind as one; of a change, what was removed comes first."""
    for same, group in groupby((one for one in found if one[1]), key=lambda one: one[0] == "same"):
        listed = list(group)
        kinds: tuple[Operation, ...] = ("same",) if same else ("removed", "added")
        for kind in kinds:
            text = "".join(words for operation, words in listed if operation == kind)
            if text:
                yield kind, text


def kept_of(before: str, after: str) -> float:
    """Share of the earlier text's words that stand in the later one, 0 to 1."""
    words = _count(before)
    return (
        sum(_count(text) for operation, text in pieces(before, after) if operation == "same") / words if words else 0.0
    )


def added_to(before: str, after: str) -> float:
    """Words that the later text adds, as a share of the earlier text's."""
    words = _count(before)
    return sum(_count(text) for operation, text in pieces(before, after) if operation == "added") / max(words, 1)


def _count(text: str) -> int:
    return sum(1 for one in _TOKEN.findall(text) if one[0].isalnum())
