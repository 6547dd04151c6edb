"""Production week by week: shares over all traffic, with intervals, and whether a week differs from those before it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from benchbar.production.records import KeptTrace
from benchbar.production.store import week_of
from benchbar.records import Estimate
from benchbar.records.numbers import percent
from benchbar.statistics import holm
from benchbar.statistics.designed import designed_change, designed_share

P_VALUE = "p: the chance of a difference this large where nothing has changed, adjusted for all weeks and measures here (Holm)"
LEVEL = 0.05
"""Chance of calling any week of any measure changed where nothing changes."""


class Week(NamedTuple):
    """One measure in one week."""

    week: str
    measure: str
    title: str
    """The measure in words."""
    share: Estimate
    p_value: float | None
    """Against all weeks before it, adjusted for all weeks and measures that are looked at; None where nothing can be compared."""
    reason: str
    """Why there is no p-value."""

    @property
    def changed(self) -> bool:
        """Whether the week is told apart from those before it."""
        return self.p_value is not None and self.p_value <= LEVEL

    def in_words(self) -> str:
        """``96.7% [88.6, 99.1], n = 60``, or why there is no figure; n is of kept traces."""
        one = self.share
        if one.value is None:
            return f"no figure ({one.reason}), n = 0"
        interval = "" if one.low is None or one.high is None else f" [{percent(one.low, 1)}, {percent(one.high, 1)}]"
        missing = f" ({one.n_missing} more without a value)" if one.n_missing else ""
        return f"{percent(one.value, 1)}%{interval}, n = {one.n}{missing}"

    def tested(self) -> str:
        """The p-value, or why there is none."""
        return self.reason if self.p_value is None else f"p = {self.p_value:.3g}"


class Drift(NamedTuple):
    """What the weeks say."""

    weeks: tuple[Week, ...]
    kept: int
    undated: int
    """Traces without a time, which belong to no week."""
    weighed: float
    """What the kept traces stand for by their weights."""


def drift(traces: Sequence[KeptTrace], pass_mark: float = 0.5, *, seed: int = 0) -> Drift:
    """Each measure by week: ``answered``, ``no_error``, and the share of traces whose score is at least the pass mark.

    Shares are weighed by the inverse of each trace's chance, so that they are of all traffic and not of what was kept;
    conversations are the clusters. Changes are tested by permutation against all earlier weeks, adjusted by Holm's method over
    every week and measure looked at; the same ``seed`` gives the same p-values.
    """
    generator = np.random.default_rng(seed)
    dated = [one for one in traces if one.at is not None]
    weeks = {week: list(found) for week, found in groupby(dated, key=lambda one: week_of(one.at or 0.0))}
    scores = dict.fromkeys(name for one in dated for name in one.scores)
    found: list[Week] = []
    for measure in ("answered", "no_error", *sorted(scores)):
        before: list[tuple[KeptTrace, bool]] = []
        for week, own in weeks.items():
            flags = [(one, flag) for one in own if (flag := _flag(one, measure, pass_mark)) is not None]
            one = _week(week, measure, flags, len(own), before, generator)
            found.append(one._replace(title=_title(measure, pass_mark)))
            before += flags
    tested = {str(place): one.p_value for place, one in enumerate(found) if one.p_value is not None}
    adjusted = holm(tested)
    return Drift(
        tuple(one._replace(p_value=adjusted.get(str(place))) for place, one in enumerate(found)),
        len(traces),
        len(traces) - len(dated),
        sum(1 / one.chance for one in traces),
    )


def _week(
    week: str,
    measure: str,
    flags: Sequence[tuple[KeptTrace, bool]],
    of: int,
    before: Sequence[tuple[KeptTrace, bool]],
    generator: np.random.Generator,
) -> Week:
    missing: list[bool | None] = [None] * (of - len(flags))
    share = designed_share(
        [*(flag for _, flag in flags), *missing],
        [*(one.chance for one, _ in flags), *(1.0 for _ in missing)],
        clusters=[*(one.conversation for one, _ in flags), *(f"missing {place}" for place in range(len(missing)))],
        unit="conversation",
    )
    both = [*before, *flags]
    test = designed_change(
        [flag for _, flag in both],
        [one.chance for one, _ in both],
        clusters=[one.conversation for one, _ in both],
        later=[False] * len(before) + [True] * len(flags),
        generator=generator,
    )
    return Week(week, measure, measure, share, test.p_value, test.reason)


def _title(measure: str, pass_mark: float) -> str:
    if measure == "answered":
        return "Traces that were answered"
    if measure == "no_error":
        return "Traces that ended without an error"
    return f"Traces with a score {measure} of at least {pass_mark:g}"


def _flag(one: KeptTrace, measure: str, pass_mark: float) -> bool | None:
    if measure == "answered":
        return one.answered
    if measure == "no_error":
        return not one.error
    value = one.scores.get(measure)
    return None if value is None else value >= pass_mark
