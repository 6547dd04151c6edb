"""Chance-corrected agreement as functions of sums over items, one result a row of sums, NaN where
undefined.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from benchbar.statistics.numbers import Floats
from benchbar.statistics.resampling import Statistic

Weights = Literal["none", "linear", "quadratic"]


def similarity(size: int, weights: Weights) -> Floats:
    """Labels x labels: 1 for the same label, less the further apart two ordered labels are."""
    # A single label is only like itself.
    if weights == "none" or size < 2:
        return np.eye(size)
    places = np.arange(size)
    distance = np.abs(places[:, None] - places[None, :]) / (size - 1)
    return np.asarray(1 - (distance if weights == "linear" else distance**2), dtype=np.float64)


def kappa_of_tables(tables: Floats, distance: Floats) -> Floats:
    """Cohen's kappa of tables (rows x labels x labels): 1 - sum(W O)/sum(W E) with W the distances."""
    total = tables.sum(axis=(1, 2))
    observed = (tables * distance).sum(axis=(1, 2))
    expected = np.einsum("ri,rj,ij->r", tables.sum(axis=2), tables.sum(axis=1), distance)
    # Counts and not shares: sums over items stay sums, as the bootstrap needs them. Dividing by the total
    # cancels.
    return _divided(expected - total * observed, expected)


def ratio(sums: Floats) -> Floats:
    """First column by second."""
    return _divided(sums[:, 0], sums[:, 1])


def fleiss(sums: Floats) -> Floats:
    """(p_a - p_e)/(1 - p_e) with p_e = sum pi_k^2, from agreement, pairable items, rated items, label
    shares.
    """
    observed, shares = _observed_and_shares(sums)
    chance = (shares**2).sum(axis=1)
    return _divided(observed - chance, 1 - chance)


def gwet(table: Floats) -> Statistic:
    """AC1 or AC2: p_e = sum(W)/(q(q - 1)) * sum pi_k(1 - pi_k) for the similarities W of q labels."""
    size = len(table)
    # With a single label nothing can differ by chance.
    scale = float(table.sum()) / (size * (size - 1)) if size > 1 else 0.0

    def statistic(sums: Floats) -> Floats:
        observed, shares = _observed_and_shares(sums)
        chance = scale * (shares * (1 - shares)).sum(axis=1)
        return _divided(observed - chance, 1 - chance)

    return statistic


def _observed_and_shares(sums: Floats) -> tuple[Floats, Floats]:
    return _divided(sums[:, 0], sums[:, 1]), sums[:, 3:] / np.maximum(sums[:, 2:3], 1.0)


def chance_contributions(counts: Floats, table: Floats) -> Floats:
    """What :func:`fleiss` and :func:`gwet` sum: per item its agreement, pairable, rated, and shares of
    labels.
    """
    total = counts.sum(axis=1)
    agreed = (counts * (counts @ table)).sum(axis=1) - total
    pairable = total > 1
    return np.column_stack(
        [
            np.where(pairable, agreed / np.maximum(total * (total - 1), 1.0), 0.0),
            pairable,
            total > 0,
            counts / np.maximum(total, 1.0)[:, None],
        ]
    )


def coincidences(counts: Floats) -> Floats:
    """Per item the coincidence matrix of Krippendorff, flattened: pairs of labels divided by m - 1."""
    items, size = counts.shape
    pairs = counts[:, :, None] * counts[:, None, :]
    places = np.arange(size)
    # A rating is not paired with itself.
    pairs[:, places, places] -= counts
    # An item with one rating has no pairs: all its cells are 0 already, and the 1 only avoids a division
    # by 0.
    divisor = np.maximum(counts.sum(axis=1) - 1, 1.0)
    return np.asarray((pairs / divisor[:, None, None]).reshape(items, size * size), dtype=np.float64)


def alpha(size: int, *, ordinal: bool) -> Statistic:
    """Krippendorff's alpha of coincidence matrices, nominal or ordinal distance."""

    def statistic(sums: Floats) -> Floats:
        tables = sums.reshape(-1, size, size)
        marginals = tables.sum(axis=2)
        total = marginals.sum(axis=1)
        distance = _ordinal(marginals) if ordinal else np.broadcast_to(1 - np.eye(size), tables.shape)
        observed = (tables * distance).sum(axis=(1, 2))
        expected = np.einsum("ri,rj,rij->r", marginals, marginals, distance)
        return _divided(expected - (total - 1) * observed, expected)

    return statistic


def _ordinal(marginals: Floats) -> Floats:
    """(sum of n_g from c to k, less half of n_c and n_k)^2."""
    # Krippendorff's ordinal distance depends on how often the labels between two were used, so it differs
    # in each resample.
    below = np.cumsum(marginals, axis=1) - marginals / 2
    return np.asarray((below[:, :, None] - below[:, None, :]) ** 2, dtype=np.float64)


def moments(counts: Floats, values: Floats) -> Floats:
    """What :func:`alpha_interval` sums: per item its squared differences, ratings, and sums of values and
    squares.
    """
    total, first, second = counts.sum(axis=1), counts @ values, counts @ values**2
    within = 2 * (total * second - first**2) / np.maximum(total - 1, 1.0)
    return np.column_stack([within, total, first, second])


def alpha_interval(sums: Floats) -> Floats:
    """Krippendorff's alpha for squared differences of numbers."""
    within, total, first, second = sums.T
    expected = 2 * (total * second - first**2)
    return _divided(expected - (total - 1) * within, expected)


def _divided(above: Floats, below: Floats) -> Floats:
    """The quotient, NaN where the divisor is nothing but rounding."""
    # Sums of counts and shares.
    safe = np.abs(below) > 1e-12
    return np.where(safe, above / np.where(safe, below, 1.0), np.nan)
