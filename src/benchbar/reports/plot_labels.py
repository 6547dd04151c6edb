"""Where the names of a plot's points stand: beside them, within the plot, and none over another."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

_EDGE, _TOP, _BOTTOM = 700, 0.0, 256.0
"""Pixels that the whole plot is wide, and between which base lines of names stand: below are the numbers of the axis."""
_GAP, _LINE = 9, 15
"""Pixels between a point and its name, and between the base lines of two names."""
_NARROW, _WIDE = 7.2, 13.0
"""Pixels of a letter and of a Chinese character, rather too many than too few."""
_LONGEST = 260
"""Pixels of a name; what is longer is cut, and stands whole in the point's title."""


class Placed(NamedTuple):
    """A point's name as it is written."""

    text: str
    x: float
    y: float
    ends: bool
    """Whether it ends at ``x`` instead of beginning there."""


def placed(names: Sequence[str], points: Sequence[tuple[float, float]]) -> list[Placed]:
    """The name of each point, given in pixels: on its right where there is room, moved down or up where another name stands.

    Of more names than there are lines the last are empty: over each other none could be read, and each point has a title.
    """
    found: dict[int, Placed] = {}
    for place in sorted(range(len(names)), key=lambda one: points[one][1]):
        x, y = points[place]
        text = _cut(names[place])
        ends = x + _GAP + _width(text) > _EDGE and x - _GAP - _width(text) >= 0
        label = Placed(text, x - _GAP if ends else x + _GAP, y - 4, ends)
        line = _free(label, list(found.values()))
        found[place] = label._replace(text="") if line is None else label._replace(y=line)
    return [found[place] for place in range(len(names))]


def _free(label: Placed, others: Sequence[Placed]) -> float | None:
    """The line nearest to the wanted one that no name in its way takes; None where all are taken."""
    taken = [one.y for one in others if one.text and _beside(one, label)]
    lines = [label.y, *(one + step for one in taken for step in (_LINE, -_LINE))]
    free = [y for y in lines if _TOP <= y <= _BOTTOM and all(abs(y - other) >= _LINE for other in taken)]
    return min(free, key=lambda y: abs(y - label.y), default=None)


def _beside(one: Placed, other: Placed) -> bool:
    """Whether two names share pixels of a line."""
    return _begin(one) < _begin(other) + _width(other.text) and _begin(other) < _begin(one) + _width(one.text)


def _begin(one: Placed) -> float:
    return one.x - _width(one.text) if one.ends else one.x


def _width(text: str) -> float:
    return sum(_WIDE if unicodedata.east_asian_width(one) in "WF" else _NARROW for one in text)


def _cut(name: str) -> str:
    if _width(name) <= _LONGEST:
        return name
    while _width(name) > _LONGEST - _WIDE:
        name = name[:-1]
    return f"{name}…"
