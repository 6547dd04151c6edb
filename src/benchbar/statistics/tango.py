"""Tango's score interval for a mean of wins minus losses, also where a verdict is soft or samples are
clustered.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from benchbar.statistics.numbers import Floats


def tango_interval(wins: float, losses: float, n: float, z: float) -> tuple[float, float]:
    """Low and high for p_win - p_loss, within [-1, 1], from counts that may be fractions.

    Source: Tango, Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design, Statistics in Medicine 17 (1998).
    """
    low = _root(wins, losses, n, z)
    high = -_root(losses, wins, n, z)
    return low, high


def _root(wins: float, losses: float, n: float, z: float) -> float:
    """The smallest difference that the score test does not reject (the statistic falls as the difference
    grows).
    """
    # The observed difference is never rejected, so the limit lies between -1 and it.
    low, high = -1.0, (wins - losses) / n
    # 60 halvings of an interval of 2 are below the precision of a float; it ends earlier where that is
    # reached.
    for _ in range(60):
        middle = (low + high) / 2
        if _score(wins, losses, n, middle) > z:
            low = middle
        else:
            high = middle
        # Far below any printed digit.
        if high - low < 1e-12:
            break
    return (low + high) / 2


def _score(wins: float, losses: float, n: float, delta: float) -> float:
    a = 2 * n
    b = -wins - losses + (2 * n - wins + losses) * delta
    c = -losses * delta * (1 - delta)
    loss_rate = (sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a)
    variance = n * (2 * loss_rate + delta * (1 - delta))
    # At the ends of the scale the hypothesis allows no variance: any deviation rejects it.
    if variance <= 0:
        return float("inf")
    return (wins - losses - n * delta) / sqrt(variance)


def soft_interval(differences: Floats, z: float, design_effect: float = 1.0) -> tuple[float, float]:
    """Low and high for the mean of differences in [-1, 1]; Tango's own where each is -1, 0 or 1.

    A soft difference d counts as |d| of a win or loss and 1 - |d| of a tie. That keeps the mean and
    overstates the variance, so all counts are multiplied by the ratio of the two variances; the measured
    variance is first drawn towards the overstated one with the weight of z^2 samples, since a few equal
    soft values prove no certainty. ``design_effect`` (clustered over independent variance) divides the
    counts.
    """
    n = len(differences)
    mean = float(differences.mean())
    overstated = float(np.abs(differences).mean()) - mean * mean
    measured = float(np.square(differences).mean()) - mean * mean
    ratio = 1.0
    # All ties, all wins or all losses.
    if overstated > 1e-12:
        # d^2 is at most |d|, so the ratio is at most 1; min() takes off what rounding adds.
        ratio = min((n * measured / overstated + z * z) / (n + z * z), 1.0)
    scale = 1 / (ratio * design_effect)
    wins = float(np.maximum(differences, 0).sum()) * scale
    losses = float(np.maximum(-differences, 0).sum()) * scale
    return tango_interval(wins, losses, n * scale, z)
