"""Charts of estimates: a row for each, a point with its interval, all on one axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchbar.records import Estimate
from benchbar.reports.numbers import rate

WIDTH = 520.0
"""Pixels of the axis."""
Show = Callable[[Estimate], str]


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its interval, in pixels of its row."""

    label: str
    x: float
    low: float | None
    high: float | None
    shown: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows of marks on one axis."""

    title: str
    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]
    zero: float | None = None


def shares_chart(title: str, estimates: Mapping[str, Estimate], show: Show = rate, zero: float | None = None) -> Chart:
    """Shares on an axis from 0 to 100%; estimates without a value are left out. ``zero`` is a share to compare with."""
    marks = [marked(name, one, 0.0, 1.0, show) for name, one in estimates.items()]
    ticks = tuple((WIDTH * tick / 100, f"{tick}%") for tick in range(0, 101, 20))
    return Chart(title, tuple(mark for mark in marks if mark), ticks, None if zero is None else WIDTH * zero)


def marked(label: str, one: Estimate, least: float, most: float, show: Show) -> Mark | None:
    """An estimate on an axis from ``least`` to ``most``; None where it has no value."""
    if one.value is None:
        return None

    def place(value: float | None) -> float | None:
        return None if value is None else WIDTH * (value - least) / (most - least)

    return Mark(label, place(one.value) or 0.0, place(one.low), place(one.high), show(one))
