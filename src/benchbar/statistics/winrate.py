"""How often a candidate is preferred to the reference assistant, with intervals that are right with ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.clusters import Correction, clustered_error, codes_of
from benchbar.statistics.means import mean
from benchbar.statistics.numbers import (
    Floats,
    Integers,
    Values,
    gapped,
    normal_quantile,
    rescaled,
    standard_error,
    t_quantile,
    undefined,
    within,
)
from benchbar.statistics.tango import soft_interval

TANGO = "Tango score interval"


def win_rate(
    outcomes: Values,
    *,
    clusters: Sequence[object] | None = None,
    correction: Correction = "CR1",
    n_missing: int = 0,
    confidence: float = 0.95,
) -> Estimate:
    """The mean outcome: one value a sample, 1 a win of the candidate, 0.5 a tie, 0 a loss, None missing.

    Soft values between (orders averaged to 0.25 or 0.75, a judge's probability) are used as they are, see
    :func:`benchbar.statistics.tango.soft_interval`. ``clusters`` names what each sample was drawn with (a
    source document): the interval then uses the clustered variance and t with the degrees of freedom of the
    ``correction`` (:mod:`benchbar.statistics.clusters`).
    ``n_missing`` adds samples that are not in ``outcomes``. ``standard_error`` is the plug-in SD/sqrt(n),
    or the clustered one.

    Raises:
        BadInputError: an outcome outside 0 to 1, or clusters of another length.
    """
    array = gapped(outcomes, "outcomes")
    within(array, 0, 1, "outcomes")
    # Tango's interval is for wins minus losses; the rate is that difference moved to 0 to 1.
    return rescaled(_signed_mean(2 * array - 1, clusters, n_missing, confidence, correction), 0.5, 0.5)


def paired_difference(
    first: Values,
    second: Values,
    *,
    clusters: Sequence[object] | None = None,
    correction: Correction = "CR1",
    confidence: float = 0.95,
) -> Estimate:
    """The mean of ``first - second`` over samples on which both have a value in 0 to 1.

    Each position is one sample on which two candidates were measured (win, tie or loss against the
    reference, or a point met or not). The interval is Tango's for paired proportions; samples that lack
    either value are missing.
    """
    one, two = gapped(first, "first"), gapped(second, "second")
    if len(one) != len(two):
        raise BadInputError(f"{len(one)} and {len(two)} values; expected one of each per sample")
    within(one, 0, 1, "first")
    within(two, 0, 1, "second")
    return _signed_mean(one - two, clusters, 0, confidence, correction)


class MacroWinRate(NamedTuple):
    """A macro average over tasks, with what it says about these tasks and about tasks like these."""

    these_tasks: Estimate
    """Other samples of the same tasks: SE sqrt(sum s_t^2/n_t)/T."""
    tasks_like_these: Estimate
    """Other tasks of the same kind: SE SD(task means)/sqrt(T)."""


def macro_win_rate(
    by_task: Mapping[str, Values],
    *,
    clusters: Mapping[str, Sequence[object]] | None = None,
    correction: Correction = "CR1",
    confidence: float = 0.95,
) -> MacroWinRate:
    """The unweighted mean of the tasks' win rates with both standard errors.

    "These tasks" joins the tasks' Tango limits by the square-and-add rule (Zou and Donner 2008): distances
    from rate to limit are squared, summed and divided by T. A task without any outcome is left out and
    named in ``reason``.
    """
    rates = {
        task: win_rate(
            values, clusters=clusters.get(task) if clusters else None, correction=correction, confidence=confidence
        )
        for task, values in by_task.items()
    }
    return macro_of_rates(rates, confidence=confidence)


def macro_of_rates(rates: Mapping[str, Estimate], *, confidence: float = 0.95) -> MacroWinRate:
    """The macro average of rates that were estimated task by task."""
    empty = [task for task, rate in rates.items() if rate.value is None]
    reason = f"{len(rates) - len(empty)} of {len(rates)} tasks; nothing measured in {', '.join(empty)}" if empty else ""
    measured = [rate for rate in rates.values() if rate.value is not None]
    n_missing = sum(rate.n_missing for rate in rates.values())
    return MacroWinRate(
        _these_tasks(measured, n_missing, reason, confidence),
        _tasks_like_these([rate.value for rate in measured], len(empty), reason, confidence),
    )


def _these_tasks(rates: list[Estimate], n_missing: int, reason: str, confidence: float) -> Estimate:
    method = "macro average, these tasks (square-and-add of the tasks' intervals)"
    if not rates:
        return undefined(reason or "no task was measured", method=method, n_missing=n_missing, confidence=confidence)
    values, lows, highs = (
        np.array([getattr(rate, name) for rate in rates], dtype=np.float64) for name in ("value", "low", "high")
    )
    value = float(values.mean())
    count = len(rates)
    bounded = not (np.isnan(lows).any() or np.isnan(highs).any())
    return Estimate(
        value=value,
        low=value - float(np.sqrt(np.square(values - lows).sum())) / count if bounded else None,
        high=value + float(np.sqrt(np.square(highs - values).sum())) / count if bounded else None,
        standard_error=_macro_standard_error(rates),
        n=sum(rate.n for rate in rates),
        n_missing=n_missing,
        method=method,
        confidence=confidence,
        reason=reason if bounded else "; ".join(filter(None, [reason, "a task's interval is undefined"])),
    )


def _macro_standard_error(rates: list[Estimate]) -> float | None:
    """sqrt(sum s_t^2/n_t)/T, where a task of one sample takes the pooled s^2 of the others."""
    known = [rate for rate in rates if rate.standard_error is not None]
    degrees = sum(rate.n - 1 for rate in known)
    if degrees <= 0:
        return None
    # By identity: two tasks may have equal estimates.
    squares = {id(rate): (rate.standard_error or 0.0) ** 2 for rate in known}
    # A task of one sample has no variance of its own; without one it would count as measured without
    # error.
    pooled = sum(squares[id(rate)] * rate.n * (rate.n - 1) for rate in known) / degrees
    return sqrt(sum(squares.get(id(rate), pooled / rate.n) for rate in rates)) / len(rates)


def _tasks_like_these(values: Sequence[float | None], n_missing: int, reason: str, confidence: float) -> Estimate:
    found = mean(values, n_missing=n_missing, confidence=confidence, unit="task", low=0, high=1)
    return replace(
        found, method="macro average, tasks like these (t interval over tasks)", reason=reason or found.reason
    )


def _signed_mean(
    differences: Floats,
    clusters: Sequence[object] | None,
    n_missing: int,
    confidence: float,
    correction: Correction,
) -> Estimate:
    """The mean of values in -1 to 1, NaN where one is missing, with Tango's interval."""
    there = ~np.isnan(differences)
    array = differences[there]
    n_missing += int((~there).sum())
    codes = codes_of(clusters, len(differences))
    if not len(array):
        return undefined(
            "nothing was measured",
            method=TANGO,
            n_missing=n_missing,
            confidence=confidence,
            unit="sample" if codes is None else "cluster",
        )
    if codes is None:
        low, high = soft_interval(array, normal_quantile(confidence))
        return Estimate(
            value=float(array.mean()),
            low=low,
            high=high,
            standard_error=standard_error(array),
            n=len(array),
            n_missing=n_missing,
            method=TANGO,
            confidence=confidence,
        )
    return _clustered(array, codes[there], n_missing, confidence, correction)


def _clustered(array: Floats, codes: Integers, n_missing: int, confidence: float, correction: Correction) -> Estimate:
    found = clustered_error(array, codes, correction)
    if found is None:
        return Estimate(
            value=float(array.mean()),
            n=len(array),
            n_missing=n_missing,
            method=f"{TANGO}, clustered (1 clusters)",
            confidence=confidence,
            reason="one cluster: no interval can be given",
            unit="cluster",
        )
    low, high = soft_interval(array, t_quantile(confidence, found.degrees), found.design_effect)
    return Estimate(
        value=float(array.mean()),
        low=low,
        high=high,
        standard_error=found.standard_error,
        n=len(array),
        n_missing=n_missing,
        method=f"{TANGO}, clustered ({found.clusters} clusters)",
        confidence=confidence,
        unit="cluster",
        design_effect=found.design_effect if correction == "CR2" else UNSET,
    )
