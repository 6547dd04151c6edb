"""What single samples tell about assistants: share met, discrimination, item response, and which of them could go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.correlation import pearson, spearman
from benchbar.statistics.means import mean
from benchbar.statistics.numbers import Floats, normal_quantile, undefined

FEWEST_FITTED = 20
"""Assistants below which two parameters of an item say more of their priors than of the item."""
FEWEST_DROPPED = 5
"""Assistants below which the reliability of their order cannot be estimated."""
# Abilities are N(0, 1): beyond 5 lies less than a millionth, and 41 points are a quarter of a standard
# deviation apart.
POINTS = np.linspace(-5.0, 5.0, 41)
_DENSITY = np.exp(-0.5 * POINTS**2)
_LOG_WEIGHT = np.log(_DENSITY / _DENSITY.sum())
SLOPE_SD, INTERCEPT_SD = 0.5, 3.0
"""Priors: log discrimination ~ N(0, 0.5), intercept ~ N(0, 3); they keep an item that all or none meet finite."""
# EM creeps at its end; a fit that stopped at the bound says so.
MOST_ROUNDS, TOLERANCE, NEWTON = 500, 1e-4, 3
_METHOD = "two-parameter logistic, marginal maximum a posteriori by EM, cross-product information"
Table = NDArray[np.float64]
"""Assistants x samples; NaN where a sample has no value, for use in here alone."""


def table_of(rows: Sequence[Sequence[float | None]]) -> Table:
    """The values as an array.

    Raises:
        BadInputError: rows differ in length, or a value is outside 0 to 1.
    """
    if len({len(row) for row in rows}) > 1:
        raise BadInputError("assistants have different numbers of samples; expected None where one is missing")
    table = np.asarray(rows, dtype=np.float64).reshape(len(rows), -1)
    known = table[np.isfinite(table)]
    if len(known) and (known.min() < 0 or known.max() > 1):
        raise BadInputError(f"values from {known.min():g} to {known.max():g}; expected 0 to 1")
    return table


def share_met(table: Table, confidence: float = 0.95) -> list[Estimate]:
    """For each sample the mean of what assistants met of it, with Student's interval over assistants."""
    return [mean(_gaps(column), confidence=confidence, unit="assistant", low=0.0, high=1.0) for column in table.T]


def item_rest(table: Table, confidence: float = 0.95) -> list[Estimate]:
    """For each sample the correlation over assistants of its value with the mean of their other samples.

    Near 0 it does not tell assistants apart, below 0 the better ones do worse on it. Source: Guilford, Psychometric Methods
    (1954), for the correction that leaves the item out.
    """
    known = np.isfinite(table)
    totals, counts = np.where(known, table, 0.0).sum(axis=1), known.sum(axis=1)
    found = []
    for index in range(table.shape[1]):
        own = known[:, index]
        # The item is left out of its own criterion: else it would correlate with itself.
        others = counts - own
        rest = (totals - np.where(own, table[:, index], 0.0)) / np.maximum(others, 1)
        usable = own & (others > 0)
        found.append(
            pearson(
                _gaps(np.where(usable, table[:, index], np.nan)),
                _gaps(np.where(usable, rest, np.nan)),
                confidence=confidence,
                unit="assistant",
            )
        )
    return found


def _gaps(values: Floats) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]


@dataclass(frozen=True)
class ItemResponse:
    """A two-parameter fit: for each sample how sharply it tells assistants apart, and how able one must be to meet it."""

    discrimination: list[Estimate]
    difficulty: list[Estimate]
    """In standard deviations of ability, 0 the average assistant."""
    ability: list[Estimate]
    """Of each assistant: posterior mean with its standard deviation."""
    converged: bool
    rounds: int


def item_response(
    table: Table, *, pass_mark: float = 0.5, fewest: int = FEWEST_FITTED, confidence: float = 0.95
) -> ItemResponse | str:
    """P(met) = 1/(1 + exp(-a(ability - b))) with ability ~ N(0, 1), where met means a value of ``pass_mark`` or more.

    Returns the fit, or the reason why there is none: too few assistants. Intervals are normal on log a and on b (delta
    method), from the cross products of the assistants' score contributions, each sample by itself. Sources: Birnbaum, in Lord and
    Novick (1968), chapter 17; Bock and Aitkin, Marginal maximum likelihood estimation of item parameters (1981); Mislevy, Bayes
    modal estimation in item response models (1986).
    """
    if len(table) < fewest:
        return f"{len(table)} assistants; a two-parameter fit needs at least {fewest}, and its intervals are wide below 100"
    known = np.isfinite(table)
    met = np.where(known, (table >= pass_mark).astype(np.float64), 0.0)
    slope, intercept, converged, rounds = _fitted(met, known.astype(np.float64))
    posterior = _posterior(met, known, slope, intercept)
    variances = _variances(met, known, slope, intercept, posterior)
    found = [
        _parameters(float(slope[at]), float(intercept[at]), variances[at], known[:, at], confidence)
        for at in range(table.shape[1])
    ]
    abilities = _abilities(posterior, known, normal_quantile(confidence), confidence)
    return ItemResponse([a for a, _ in found], [b for _, b in found], abilities, converged, rounds)


def _parameters(
    slope: float, intercept: float, variance: Floats, known: NDArray[np.bool_], confidence: float
) -> tuple[Estimate, Estimate]:
    """Discrimination and difficulty of one sample, from its log discrimination and intercept and their covariance."""
    n, missing = int(known.sum()), int((~known).sum())
    if n == 0:
        reason = "no assistant has a value"
        empty = undefined(reason, method=_METHOD, n_missing=missing, confidence=confidence, unit="assistant")
        return empty, empty
    a = float(np.exp(slope))
    b, z = -intercept / a, normal_quantile(confidence)
    error = float(np.sqrt(variance[1, 1]))
    spread = float(np.sqrt(max(variance[0, 0] / a**2 + b**2 * variance[1, 1] + 2 * (b / a) * variance[0, 1], 0.0)))

    def estimate(value: float, low: float, high: float, standard_error: float) -> Estimate:
        return Estimate(
            value=value, low=low, high=high, standard_error=standard_error, n=n, n_missing=missing, method=_METHOD,
            confidence=confidence, unit="assistant",
        )  # fmt: skip

    sharpness = estimate(a, a * float(np.exp(-z * error)), a * float(np.exp(z * error)), a * error)
    return sharpness, estimate(b, b - z * spread, b + z * spread, spread)


def _fitted(met: Floats, known: Floats) -> tuple[Floats, Floats, bool, int]:
    """Log discriminations and intercepts at the posterior mode, by EM over the quadrature points."""
    items = met.shape[1]
    seen = np.maximum(known.sum(axis=0), 1)
    # An item that all or none meet would begin at an infinite intercept.
    share = np.clip(met.sum(axis=0) / seen, 0.02, 0.98)
    slope, intercept = np.zeros(items), np.log(share / (1 - share))
    for done in range(1, MOST_ROUNDS + 1):
        posterior = _posterior(met, known, slope, intercept)
        trials, hits = known.T @ posterior, met.T @ posterior
        before = slope.copy(), intercept.copy()
        for _ in range(NEWTON):
            slope, intercept = _step(slope, intercept, trials, hits)
        moved = max(
            float(np.abs(slope - before[0]).max(initial=0)), float(np.abs(intercept - before[1]).max(initial=0))
        )
        if moved < TOLERANCE:
            return slope, intercept, True, done
    return slope, intercept, False, MOST_ROUNDS


def _chance(slope: Floats, intercept: Floats) -> Floats:
    """P(met) at each quadrature point (samples x points)."""
    logits = np.exp(slope)[:, None] * POINTS[None, :] + intercept[:, None]
    # Its logarithm and that of its complement are taken: neither may be of 0.
    return np.clip(1 / (1 + np.exp(-np.clip(logits, -35, 35))), 1e-12, 1 - 1e-12)


def _posterior(met: Floats, known: Floats | NDArray[np.bool_], slope: Floats, intercept: Floats) -> Floats:
    """Each assistant's posterior over the quadrature points (assistants x points)."""
    chance = _chance(slope, intercept)
    likelihood = met @ np.log(chance) + (known - met) @ np.log1p(-chance) + _LOG_WEIGHT
    # A product of thousands of chances is below the smallest float: only differences from the largest are
    # exponentiated.
    weights = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def _step(slope: Floats, intercept: Floats, trials: Floats, hits: Floats) -> tuple[Floats, Floats]:
    """One Fisher-scoring step of every sample's penalised logistic regression on ability, at most 1 in each parameter."""
    chance, a = _chance(slope, intercept), np.exp(slope)
    surplus, weight = hits - trials * chance, trials * chance * (1 - chance)
    gradient = np.stack(
        [surplus.sum(axis=1) - intercept / INTERCEPT_SD**2, a * (surplus @ POINTS) - slope / SLOPE_SD**2], axis=1
    )
    cross = a * (weight @ POINTS)
    first, last = weight.sum(axis=1) + 1 / INTERCEPT_SD**2, a**2 * (weight @ POINTS**2) + 1 / SLOPE_SD**2
    determinant = first * last - cross**2
    move_c = (last * gradient[:, 0] - cross * gradient[:, 1]) / determinant
    move_a = (first * gradient[:, 1] - cross * gradient[:, 0]) / determinant
    # The slope is a logarithm: a step of 1 already is a factor of 2.7.
    return slope + np.clip(move_a, -1, 1), intercept + np.clip(move_c, -1, 1)


def _variances(
    met: Floats, known: NDArray[np.bool_], slope: Floats, intercept: Floats, posterior: Floats
) -> NDArray[np.float64]:
    """Covariance of (intercept, log discrimination) of each sample (samples x 2 x 2)."""
    chance, a = _chance(slope, intercept), np.exp(slope)
    expected, tilted = posterior @ chance.T, (posterior * POINTS) @ chance.T
    ability = (posterior @ POINTS)[:, None]
    score_c = known * (met - expected)
    score_a = known * a * (met * ability - tilted)
    information = np.empty((met.shape[1], 2, 2))
    information[:, 0, 0] = (score_c**2).sum(axis=0) + 1 / INTERCEPT_SD**2
    information[:, 1, 1] = (score_a**2).sum(axis=0) + 1 / SLOPE_SD**2
    information[:, 0, 1] = information[:, 1, 0] = (score_c * score_a).sum(axis=0)
    return np.asarray(np.linalg.inv(information), dtype=np.float64)


def _abilities(posterior: Floats, known: NDArray[np.bool_], z: float, confidence: float) -> list[Estimate]:
    means = posterior @ POINTS
    spreads = np.sqrt(np.maximum(posterior @ POINTS**2 - means**2, 0.0))
    return [
        Estimate(
            value=float(value),
            low=float(value - z * spread),
            high=float(value + z * spread),
            standard_error=float(spread),
            n=int(own.sum()),
            n_missing=int((~own).sum()),
            method="posterior mean and standard deviation of ability",
            confidence=confidence,
        )
        for value, spread, own in zip(means, spreads, known, strict=True)
    ]


@dataclass(frozen=True)
class Proposal:
    """Samples that could go without making the order of the assistants less reliable."""

    dropped: list[int]
    """Columns, in the order in which they go."""
    kept: list[int]
    reliability: float
    """Cronbach's alpha over all samples."""
    reliability_kept: float
    rank_correlation: Estimate
    """Of the assistants' means with all samples and with those kept."""
    left_out: list[int]
    """Columns with missing values: not judged, and kept."""


def droppable(table: Table, groups: Sequence[object] | None = None) -> Proposal | str:
    """Which samples could go while the reliability (Cronbach's alpha) of the assistants' means stays what it is with all.

    The sample that hurts reliability most goes first, one by one; of each group one sample stays. Returns the reason where
    nothing can be said: fewer than five assistants, or means that do not differ. Source: Cronbach, Coefficient alpha and the internal
    structure of tests (1951). What goes is chosen on the data at hand: try the shorter suite on assistants that it has not seen.
    """
    if len(table) < FEWEST_DROPPED:
        return f"{len(table)} assistants; at least {FEWEST_DROPPED} are needed to say which samples could go"
    whole = [index for index in range(table.shape[1]) if np.isfinite(table[:, index]).all()]
    left_out = [index for index in range(table.shape[1]) if index not in set(whole)]
    values = table[:, whole]
    start = _alpha(values)
    if start is None:
        return "fewer than three samples have a value of every assistant, or their means do not differ"
    names = list(groups) if groups is not None else [0] * table.shape[1]
    kept, dropped = list(range(len(whole))), list[int]()
    while (found := _weakest(values, kept, [names[whole[index]] for index in kept], start)) is not None:
        kept.remove(found)
        dropped.append(found)
    all_kept = sorted([whole[index] for index in kept] + left_out)
    final = _alpha(values[:, kept])
    return Proposal(
        dropped=[whole[index] for index in dropped],
        kept=all_kept,
        reliability=start,
        reliability_kept=start if final is None else final,
        rank_correlation=spearman(values.mean(axis=1), values[:, kept].mean(axis=1), unit="assistant"),
        left_out=left_out,
    )


def _alpha(values: Floats) -> float | None:
    items = values.shape[1]
    # Of two, either could go at will.
    if items < 3:
        return None
    total = float(values.sum(axis=1).var(ddof=1))
    return items / (items - 1) * (1 - float(values.var(axis=0, ddof=1).sum()) / total) if total > 0 else None


def _weakest(values: Floats, kept: list[int], names: list[object], bar: float) -> int | None:
    """The sample without which reliability is highest, if that is not below the bar."""
    own = values[:, kept]
    items = len(kept) - 1
    # As for the coefficient itself.
    if items < 3:
        return None
    centred = own - own.mean(axis=0)
    sums = centred.sum(axis=1)
    divisor = len(own) - 1
    variances = (centred**2).sum(axis=0) / divisor
    totals = sums @ sums / divisor + variances - 2 * (centred.T @ sums) / divisor
    with np.errstate(divide="ignore", invalid="ignore"):
        alphas = items / (items - 1) * (1 - (variances.sum() - variances) / totals)
    # The last sample of a group stays, or a topic of the suite would vanish because assistants agree on
    # it.
    alone = np.asarray([names.count(name) == 1 and len(set(names)) > 1 for name in names])
    alphas = np.where(alone | (totals <= 0), -np.inf, alphas)
    best = int(np.argmax(alphas))
    # The bar is the reliability of the whole suite, not that of the step before: small losses would add
    # up.
    return kept[best] if alphas[best] >= bar - 1e-12 else None
