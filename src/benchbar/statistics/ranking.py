"""Strengths of several competitors from pairwise verdicts: Bradley-Terry, with Davidson's model for ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.comparing import RankSet, rank_sets
from benchbar.statistics.numbers import (
    Floats,
    Integers,
    Values,
    cluster_codes,
    gapped,
    normal_quantile,
    sigmoid,
    undefined,
    within,
)

# On a concave likelihood Newton's method takes a few steps; what has not converged by then will not.
LIMIT = 100
TOLERANCE = 1e-9

Ties = Literal["half", "davidson"]


class Ranked(NamedTuple):
    """One competitor's place."""

    name: str
    strength: Estimate
    """On the logit scale, the mean of all strengths being 0."""
    rank_low: int | None
    """The best rank that the data leave open, and the worst: all sets hold the true ranks at once."""
    rank_high: int | None


class Ranking(NamedTuple):
    """What a fit found, and whether it converged."""

    ranking: list[Ranked]
    converged: bool
    iterations: int
    win_probability: dict[str, dict[str, Estimate]]
    """Row against column: P(win) + P(tie)/2, the covariates being equal."""
    covariates: dict[str, Estimate]
    tie: Estimate | None
    """Davidson's log nu."""
    reason: str = ""


class _Games(NamedTuple):
    left: Integers
    right: Integers
    outcome: Floats
    extra: Floats
    """Rows x covariates; for Davidson the last column is the tie parameter's indicator."""
    size: int
    davidson: bool


class _Fit(NamedTuple):
    parameters: Floats
    covariance: Floats
    iterations: int
    converged: bool


def rank(
    left: Sequence[str],
    right: Sequence[str],
    outcomes: Values,
    *,
    ties: Ties = "half",
    clusters: Sequence[object] | None = None,
    covariates: Mapping[str, Values] | None = None,
    confidence: float = 0.95,
) -> Ranking:
    """Strengths by maximum likelihood; outcome 1 where left won, 0 where right did, 0.5 for a tie, None
    missing.

    ``ties="half"`` counts a tie as half a win (a quasi-likelihood for outcomes in 0 to 1); ``"davidson"``
    models it with a parameter of its own and takes only 0, 0.5 and 1. The covariance is the sandwich with
    scores summed by cluster. ``covariates`` are differences left minus right (of length, of the number of
    lists) that the strengths are freed from. Rank sets count the competitors that are surely better or
    worse by Holm's method over all pairs, see :func:`~benchbar.statistics.comparing.rank_sets`.

    Sources: Bradley and Terry 1952; Davidson 1970; Liang and Zeger 1986 for the sandwich.

    Raises:
        BadInputError: lists of different lengths, a competitor against itself, or outcomes off the scale.
    """
    names, games, groups, n_missing = _prepared(left, right, outcomes, ties, clusters, covariates)
    named = list(covariates or {})
    if not len(games.outcome):
        return _unfit(names, games, "no comparison was measured", n_missing, confidence)
    reason = _not_connected(names, games) or _one_sided_ties(games)
    if reason:
        return _unfit(names, games, reason, n_missing, confidence)
    fit = _maximise(games, groups)
    if not fit.converged:
        reason = f"no convergence within {fit.iterations} iterations"
        return _unfit(names, games, reason, n_missing, confidence, fit.iterations)
    return _ranking(names, named, games, fit, n_missing, confidence)


def _prepared(
    left: Sequence[str],
    right: Sequence[str],
    outcomes: Values,
    ties: Ties,
    clusters: Sequence[object] | None,
    covariates: Mapping[str, Values] | None,
) -> tuple[list[str], _Games, Integers | None, int]:
    array = gapped(outcomes, "outcomes")
    columns = [gapped(values, name) for name, values in (covariates or {}).items()]
    if not len(left) == len(right) == len(array) or any(len(column) != len(array) for column in columns):
        raise BadInputError("left, right, outcomes and covariates have different lengths")
    within(array, 0, 1, "outcomes")
    # Sorted, so that the order of the games changes no digit of the fit.
    names = sorted({*left, *right})
    place = {name: code for code, name in enumerate(names)}
    first, second = (np.fromiter(map(place.__getitem__, side), np.int64, len(array)) for side in (left, right))
    same = np.flatnonzero(first == second)
    if len(same):
        raise BadInputError(f"{left[same[0]]!r} is compared with itself in row {same[0] + 1}")
    extra = np.column_stack(columns) if columns else np.empty((len(array), 0))
    if ties == "davidson":
        odd = np.flatnonzero(~np.isnan(array) & ~np.isin(array, (0, 0.5, 1)))
        if len(odd):
            raise BadInputError(f"{array[odd[0]]:g} in row {odd[0] + 1}; Davidson's model takes 0, 0.5 and 1")
        # A tie.
        extra = np.column_stack([extra, array == 0.5])
    there = ~(np.isnan(array) | np.isnan(extra).any(axis=1))
    groups = None if clusters is None else cluster_codes(clusters)[there]
    games = _Games(first[there], second[there], array[there], extra[there], len(names), ties == "davidson")
    return names, games, groups, int((~there).sum())


def _not_connected(names: list[str], games: _Games) -> str:
    """Why strengths are unbounded: somebody was never beaten (or tied) by the rest, directly or through
    others.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    scored, lost = games.outcome > 0, games.outcome < 1
    winners = np.r_[games.left[scored], games.right[lost]]
    losers = np.r_[games.right[scored], games.left[lost]]
    # Ford (1957): strengths are finite exactly where everybody can be reached from everybody along wins
    # and ties.
    graph = coo_array((np.ones(len(winners)), (winners, losers)), shape=(games.size, games.size))
    parts, membership = connected_components(graph, directed=True, connection="strong")
    if parts == 1:
        return ""
    smallest = int(np.bincount(membership).argmin())
    group = [name for name, part in zip(names, membership, strict=True) if part == smallest]
    return f"{', '.join(group[:5])} won all, lost all, or never met the others: strengths are unbounded"


def _one_sided_ties(games: _Games) -> str:
    """Why Davidson's parameter is unbounded."""
    if not games.davidson or 0 < games.extra[:, -1].sum() < len(games.extra):
        return ""
    what = "nothing" if not games.extra[:, -1].any() else "everything"
    return f"{what} tied: Davidson's model has no finite parameter; count ties as half"


def _maximise(games: _Games, groups: Integers | None) -> _Fit:
    """Newton's method on a concave likelihood, strengths held to sum 0 by a constraint of their Hessian."""
    count = games.size + games.extra.shape[1]
    parameters = np.zeros(count)
    constraint = np.zeros((count, count))
    # Strengths are known up to a constant, so the information matrix is singular; this adds the direction
    # that is missing and changes none of the others.
    constraint[: games.size, : games.size] = 1.0
    for iteration in range(1, LIMIT + 1):
        residual, information = _derivatives(games, parameters)
        # Least squares and not solve(): covariates may be linearly dependent.
        step = np.linalg.lstsq(information + constraint, _gradient(games, residual), rcond=None)[0]
        # At most 5 on the logit scale: with nearly one-sided results a full step overflows the
        # exponential.
        parameters = parameters + step * min(1.0, 5 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < TOLERANCE:
            residual, information = _derivatives(games, parameters)
            # The sandwich, not the inverse alone: half wins for ties and verdicts on one sample are not
            # independent trials.
            inverse = np.linalg.pinv(information + constraint)
            meat = _meat(games, residual, groups)
            return _Fit(parameters, inverse @ meat @ inverse, iteration, converged=True)
    return _Fit(parameters, np.full((count, count), np.nan), LIMIT, converged=False)


def _derivatives(games: _Games, parameters: Floats) -> tuple[Floats, Floats]:
    """Per row the derivatives of the likelihood by strength difference and extras; and the information
    matrix.
    """
    strength, weight = parameters[: games.size], parameters[games.size :]
    extra = games.extra[:, :-1] if games.davidson else games.extra
    theta = strength[games.left] - strength[games.right] + extra @ weight[: extra.shape[1]]
    mean, variance, tie_residual, cross, tie_variance = _moments(games, theta, weight)
    residual = np.column_stack([games.outcome - mean, (games.outcome - mean)[:, None] * extra])
    design = [variance]
    if games.davidson:
        residual = np.column_stack([residual, tie_residual])
    return residual, _information(games, extra, design[0], cross, tie_variance)


def _moments(games: _Games, theta: Floats, weight: Floats) -> tuple[Floats, ...]:
    none = np.zeros(0)
    if not games.davidson:
        mean = sigmoid(theta)
        return mean, mean * (1 - mean), none, none, none
    # The largest exponent is taken off, so that none overflows.
    peak = np.maximum(np.abs(theta) / 2, weight[-1])
    win, loss, tie = (np.exp(x - peak) for x in (theta / 2, -theta / 2, np.full_like(theta, weight[-1])))
    total = win + loss + tie
    win, loss, tie = win / total, loss / total, tie / total
    half = (win - loss) / 2
    return half + 0.5, (win + loss) / 4 - half**2, games.extra[:, -1] - tie, -half * tie, tie * (1 - tie)


def _information(games: _Games, extra: Floats, variance: Floats, cross: Floats, tie_variance: Floats) -> Floats:
    size, wide = games.size, games.extra.shape[1]
    found = np.zeros((size + wide, size + wide))
    cells = np.bincount(games.left * size + games.right, weights=variance, minlength=size * size).reshape(size, size)
    cells = cells + cells.T
    found[:size, :size] = np.diag(cells.sum(axis=1)) - cells
    columns = [variance * extra[:, place] for place in range(extra.shape[1])]
    if games.davidson:
        columns.append(cross)
    for place, column in enumerate(columns):
        found[:size, size + place] = _by_competitor(games, column)
        found[size + place, :size] = found[:size, size + place]
    plain = extra.shape[1]
    found[size : size + plain, size : size + plain] = extra.T @ (extra * variance[:, None])
    if games.davidson:
        found[size : size + plain, -1] = found[-1, size : size + plain] = cross @ extra
        found[-1, -1] = tie_variance.sum()
    return found


def _by_competitor(games: _Games, values: Floats) -> Floats:
    plus = np.bincount(games.left, weights=values, minlength=games.size)
    return np.asarray(plus - np.bincount(games.right, weights=values, minlength=games.size), dtype=np.float64)


def _gradient(games: _Games, residual: Floats) -> Floats:
    return np.concatenate([_by_competitor(games, residual[:, 0]), residual[:, 1:].sum(axis=0)])


def _meat(games: _Games, residual: Floats, groups: Integers | None) -> Floats:
    """Sum over clusters of the outer product of their scores, times C/(C - 1)."""
    size, wide = games.size, games.extra.shape[1]
    rows = np.arange(len(residual)) if groups is None else groups
    count = int(rows.max()) + 1 if len(rows) else 0
    from scipy.sparse import coo_array

    values = np.concatenate([residual[:, 0], -residual[:, 0], residual[:, 1:].T.reshape(-1)])
    columns = np.concatenate([games.left, games.right, np.repeat(np.arange(size, size + wide), len(rows))])
    index = np.tile(rows, 2 + wide)
    scores = coo_array((values, (index, columns)), shape=(count, size + wide)).tocsr()
    clusters = len(np.unique(rows))
    return np.asarray((scores.T @ scores).toarray() * (clusters / max(clusters - 1, 1)), dtype=np.float64)


def _ranking(
    names: list[str], covariates: list[str], games: _Games, fit: _Fit, n_missing: int, confidence: float
) -> Ranking:
    size = games.size
    strength = fit.parameters[:size]
    played = np.bincount(np.r_[games.left, games.right], minlength=size)
    open_ranks = _rank_sets(names, strength, fit.covariance[:size, :size], confidence)

    def estimate(place: int, n: int, method: str) -> Estimate:
        return _normal(
            float(fit.parameters[place]),
            float(fit.covariance[place, place]),
            n,
            n_missing,
            method,
            confidence,
        )

    method = "Davidson" if games.davidson else "Bradley-Terry, ties as half wins"
    return Ranking(
        ranking=[
            Ranked(names[i], estimate(i, int(played[i]), method), *open_ranks[names[i]])
            for i in np.argsort(-strength, kind="stable").tolist()
        ],
        converged=True,
        iterations=fit.iterations,
        win_probability=_probabilities(names, games, fit, n_missing, confidence),
        covariates={
            name: estimate(size + i, len(games.outcome), f"{method}, covariate") for i, name in enumerate(covariates)
        },
        tie=estimate(len(fit.parameters) - 1, len(games.outcome), "Davidson, log nu") if games.davidson else None,
    )


def _normal(value: float, variance: float, n: int, n_missing: int, method: str, confidence: float) -> Estimate:
    error = sqrt(max(variance, 0.0))
    half = normal_quantile(confidence) * error
    return Estimate(
        value=value,
        low=value - half,
        high=value + half,
        standard_error=error,
        n=n,
        n_missing=n_missing,
        method=f"{method}, sandwich interval",
        confidence=confidence,
        unit="comparison",
    )


def _pair_errors(covariance: Floats) -> Floats:
    variance = np.diag(covariance)
    return np.sqrt(np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 0.0))


def _rank_sets(names: list[str], strength: Floats, covariance: Floats, confidence: float) -> dict[str, RankSet]:
    """The ranks left open by all differences of two strengths at once."""
    errors = _pair_errors(covariance)
    pairs = {}
    for one, two in combinations(range(len(names)), 2):
        gap, error = float(strength[one] - strength[two]), float(errors[one, two])
        pairs[names[one], names[two]] = gap, 2 * NormalDist().cdf(-abs(gap) / error) if error else None
    return rank_sets(names, pairs, level=1 - confidence)


def _probabilities(
    names: list[str], games: _Games, fit: _Fit, n_missing: int, confidence: float
) -> dict[str, dict[str, Estimate]]:
    """The score that the limits of each difference in strength stand for; Davidson's ties count half."""
    size = games.size
    strength, errors = fit.parameters[:size], _pair_errors(fit.covariance[:size, :size])
    gap = strength[:, None] - strength[None, :]
    half = normal_quantile(confidence) * errors
    nu = np.exp(fit.parameters[-1]) if games.davidson else None
    value, low, high = (_expected(x, nu) for x in (gap, gap - half, gap + half))
    return {
        one: {
            other: Estimate(
                value=float(value[i, j]),
                low=float(low[i, j]),
                high=float(high[i, j]),
                n=len(games.outcome),
                n_missing=n_missing,
                method="win probability of the fitted strengths",
                confidence=confidence,
                unit="comparison",
            )
            for j, other in enumerate(names)
            if i != j
        }
        for i, one in enumerate(names)
    }


def _expected(gap: Floats, nu: float | None) -> Floats:
    if nu is None:
        return sigmoid(gap)
    win, loss = np.exp(gap / 2), np.exp(-gap / 2)
    return np.asarray((win + nu / 2) / (win + loss + nu), dtype=np.float64)


def _unfit(
    names: list[str], games: _Games, reason: str, n_missing: int, confidence: float, iterations: int = 0
) -> Ranking:
    """Every competitor without a strength, in order of its share of points."""
    played = np.bincount(np.r_[games.left, games.right], minlength=games.size)
    points = np.bincount(
        np.r_[games.left, games.right], weights=np.r_[games.outcome, 1 - games.outcome], minlength=games.size
    )
    # Where strengths are unbounded the share of points still gives readers an order to look at; it is no
    # ranking, so ranks are None.
    order = np.argsort(-points / np.maximum(played, 1), kind="stable").tolist()
    method = "Davidson" if games.davidson else "Bradley-Terry"
    return Ranking(
        ranking=[
            Ranked(
                names[i],
                undefined(
                    reason,
                    method=method,
                    n=int(played[i]),
                    n_missing=n_missing,
                    confidence=confidence,
                    unit="comparison",
                ),
                None,
                None,
            )
            for i in order
        ],
        converged=False,
        iterations=iterations,
        win_probability={},
        covariates={},
        tie=None,
        reason=reason,
    )
