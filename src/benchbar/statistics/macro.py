"""The unweighted mean of tasks' win rates: of these very tasks, and of tasks drawn like them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from benchbar.records import Estimate
from benchbar.statistics.means import mean
from benchbar.statistics.numbers import (
    Floats,
    Values,
    cluster_codes,
    gapped,
    t_quantile,
    undefined,
)
from benchbar.statistics.tango import soft_interval
from benchbar.statistics.winrate import win_rate


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
    confidence: float = 0.95,
) -> MacroWinRate:
    """The unweighted mean of the tasks' win rates with both standard errors.

    "These tasks" joins the tasks' Tango limits by the square-and-add rule (Zou and Donner 2008): distances
    from rate to limit are squared, summed and divided by T. A task without any outcome is left out and
    named in ``reason``. ``clusters`` names what each outcome of a task was drawn with. One cluster may reach over several
    tasks: the tasks' rates then vary together, which both intervals allow for.
    """
    rates = {
        task: win_rate(values, clusters=clusters.get(task) if clusters else None, confidence=confidence)
        for task, values in by_task.items()
    }
    empty = [task for task, rate in rates.items() if rate.value is None]
    reason = f"{len(rates) - len(empty)} of {len(rates)} tasks; nothing measured in {', '.join(empty)}" if empty else ""
    measured = {task: rate for task, rate in rates.items() if rate.value is not None}
    joint = None if clusters is None else _joint_error({task: by_task[task] for task in measured}, clusters)
    if joint:
        measured = {task: _at_joint_degrees(by_task[task], rate, joint) for task, rate in measured.items()}
    n_missing = sum(rate.n_missing for rate in rates.values())
    return MacroWinRate(
        _these_tasks(list(measured.values()), joint, n_missing, reason, confidence),
        _tasks_like_these(list(measured.values()), joint, len(empty), reason, confidence),
    )


class _JointError(NamedTuple):
    """The standard error of the mean of tasks' means, from the same clusters in all of them."""

    standard_error: float
    degrees: float
    ratio: float
    """To that of tasks taken as independent of each other, at least 1."""
    covariance: float
    """Of two tasks' means, averaged over all pairs of tasks; at least 0."""


def _joint_error(by_task: Mapping[str, Values], clusters: Mapping[str, Sequence[object]]) -> _JointError | None:
    """CR2 of a regression on task dummies, for the mean of their coefficients; None where a task has one cluster alone.

    A cluster's residuals of a task are drawn towards 0 by its share p of the task, so their sum is divided by
    sqrt(1 - p); the sums of one cluster over its tasks are added before they are squared. The degrees of freedom are
    Satterthwaite's for the same matrix. Source: Pustejovsky and Tipton, JBES 36 (2018), formulas 9 and 11, for dummies.
    """
    sums, shares, sizes = _by_cluster(by_task, clusters)
    tasks = len(sizes)
    if not tasks or (shares >= 1).any():
        return None
    adjusted = 1 / (tasks * sizes * np.sqrt(1 - shares))
    scores = np.where(shares > 0, sums * adjusted, 0.0)
    joint, apart = float((scores.sum(axis=0) ** 2).sum()), float((scores**2).sum())
    if not apart:
        return None
    # The matrix of the clusters' weights is a diagonal less one outer product for each task. Its squared norm needs no
    # matrix of clusters by clusters, which a suite of 100,000 samples could not hold.
    diagonal = (sizes * adjusted**2 * shares).sum(axis=0)
    outer = np.sqrt(sizes) * adjusted * shares
    trace = float(diagonal.sum() - (outer**2).sum())
    norm = float((diagonal**2).sum() - 2 * (outer**2 @ diagonal).sum() + ((outer @ outer.T) ** 2).sum())
    # Tasks that vary against each other are noise far more often than knowledge: see the design effect.
    ratio = max(sqrt(joint / apart), 1.0)
    covariance = max(joint - apart, 0.0) * tasks / (tasks - 1) if tasks > 1 else 0.0
    return _JointError(ratio * sqrt(apart), max(trace**2 / norm, 1.0), ratio, covariance)


def _at_joint_degrees(values: Values, rate: Estimate, joint: _JointError) -> Estimate:
    """A task's interval with the degrees of freedom of all tasks together.

    With its own, ten tasks of three documents each would each be widened by t with two degrees, and their mean twice too
    wide.
    """
    known = gapped(values)
    known = known[~np.isnan(known)]
    effect = 1.0 if rate.design_effect is UNSET else rate.design_effect
    low, high = soft_interval(2 * known - 1, t_quantile(rate.confidence, joint.degrees), effect)
    return replace(rate, low=(1 + low) / 2, high=(1 + high) / 2)


def _by_cluster(
    by_task: Mapping[str, Values], clusters: Mapping[str, Sequence[object]]
) -> tuple[Floats, Floats, Floats]:
    """Residuals summed by task and cluster, each cluster's share of a task's outcomes, and the tasks' sizes as a column."""
    arrays = [gapped(values) for values in by_task.values()]
    joined = [name for task, values in by_task.items() for name in _named(clusters, task, len(values))]
    codes = cluster_codes(joined)
    count, start = (int(codes.max()) + 1 if len(codes) else 0), 0
    sums, shares, sizes = [], [], []
    for array in arrays:
        there = ~np.isnan(array)
        own = codes[start : start + len(array)][there]
        start += len(array)
        known = array[there]
        sums.append(np.bincount(own, weights=known - known.mean(), minlength=count))
        shares.append(np.bincount(own, minlength=count) / len(known))
        sizes.append([float(len(known))])
    return np.array(sums), np.array(shares), np.array(sizes)


def _named(clusters: Mapping[str, Sequence[object]], task: str, n: int) -> Sequence[object]:
    return clusters[task] if task in clusters else [(task, place) for place in range(n)]


def _these_tasks(
    rates: list[Estimate], joint: _JointError | None, n_missing: int, reason: str, confidence: float
) -> Estimate:
    method = "macro average, these tasks (square-and-add of the tasks' intervals)"
    if not rates:
        return undefined(reason or "no task was measured", method=method, n_missing=n_missing, confidence=confidence)
    values, lows, highs = (
        np.array([getattr(rate, name) for rate in rates], dtype=np.float64) for name in ("value", "low", "high")
    )
    value = float(values.mean())
    count = len(rates)
    bounded = not (np.isnan(lows).any() or np.isnan(highs).any())
    wider = 1.0 if joint is None else joint.ratio
    return Estimate(
        value=value,
        low=max(value - wider * float(np.sqrt(np.square(values - lows).sum())) / count, 0.0) if bounded else None,
        high=min(value + wider * float(np.sqrt(np.square(highs - values).sum())) / count, 1.0) if bounded else None,
        standard_error=_macro_standard_error(rates) if joint is None else joint.standard_error,
        n=sum(rate.n for rate in rates),
        n_missing=n_missing,
        method=method if joint is None or joint.ratio == 1 else f"{method}, clusters over several tasks",
        confidence=confidence,
        reason=reason if bounded else "; ".join(filter(None, [reason, "a task's interval is undefined"])),
        unit="sample" if joint is None else "cluster",
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


def _tasks_like_these(
    rates: list[Estimate], joint: _JointError | None, n_missing: int, reason: str, confidence: float
) -> Estimate:
    found = mean([rate.value for rate in rates], n_missing=n_missing, confidence=confidence, unit="task", low=0, high=1)
    method = "macro average, tasks like these (t interval over tasks)"
    if joint and joint.covariance and found.value is not None and found.standard_error is not None:
        # What moves all tasks alike does not show in how they differ, and is added.
        error = sqrt(found.standard_error**2 + joint.covariance)
        half = t_quantile(confidence, len(rates) - 1) * error
        low, high = max(found.value - half, 0.0), min(found.value + half, 1.0)
        found = replace(found, low=low, high=high, standard_error=error, reason="")
        method += ", clusters over several tasks"
    return replace(found, method=method, reason=reason or found.reason)
