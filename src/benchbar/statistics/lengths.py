"""Win rates freed from the judge's liking for long answers, as AlpacaEval 2 defines them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import Floats, Integers, Values, gapped, sigmoid, undefined

METHOD = "length-controlled win rate"
RIDGE = 1e-3
"""Keeps weights finite where all answers of one kind won; far below what an outcome weighs."""
DIFFICULTY_RIDGE = 1.0
ITERATIONS = 30


class LengthWeights(NamedTuple):
    """Weights of one candidate: of length, of the instruction's difficulty, and its level."""

    length: float
    difficulty: float
    level: float


def controlled_by_weights(difficulty: Values, weights: LengthWeights, *, confidence: float = 0.95) -> Estimate:
    """Mean sigmoid(b gamma_i + c) for weights that were fitted elsewhere: the rate at equal lengths.

    There is no interval: how the weights vary is not known from their values.
    """
    gamma = gapped(difficulty, "difficulty")
    known = gamma[~np.isnan(gamma)]
    if not len(known):
        return undefined("no difficulty is known", method=METHOD, n_missing=len(gamma), confidence=confidence)
    return Estimate(
        value=float(sigmoid(weights.difficulty * known + weights.level).mean()),
        n=len(known),
        n_missing=len(gamma) - len(known),
        method=f"{METHOD}, given weights",
        confidence=confidence,
        reason="the weights were given, not fitted: no interval can be given",
    )


def length_controlled(
    outcomes: Values,
    reference_lengths: Values,
    candidate_lengths: Values,
    generator: np.random.Generator,
    *,
    difficulty: Values | None = None,
    clusters: Integers | None = None,
    confidence: float = 0.95,
    resamples: int = 500,
) -> Estimate:
    """The win rate at equal lengths: logit P = a tanh(d/sd(d)) + b gamma + c, and LC = mean sigmoid(b gamma
    + c).

    d is the candidate's length less the reference's; without ``difficulty`` gamma is left out. The interval
    refits the weights in every resample of the cluster bootstrap. Source: Dubois et al., Length-controlled
    AlpacaEval (2024).
    """
    columns = [
        gapped(x, name)
        for x, name in (
            (outcomes, "outcomes"),
            (reference_lengths, "reference length"),
            (candidate_lengths, "candidate length"),
        )
    ]
    gamma = np.zeros(len(columns[0])) if difficulty is None else gapped(difficulty, "difficulty")
    if len({len(column) for column in [*columns, gamma]}) != 1:
        raise BadInputError("outcomes, lengths and difficulty have different lengths")
    there = ~np.isnan(np.column_stack([*columns, gamma])).any(axis=1)
    n_missing = int((~there).sum())
    y, base, own = (column[there] for column in columns)
    # Three weights are fitted.
    if len(y) < 10:
        reason = f"{len(y)} samples with outcome, lengths and difficulty; at least 10 are needed"
        return undefined(reason, method=METHOD, n=len(y), n_missing=n_missing, confidence=confidence)
    # The length term is scaled by the spread of this sample, as AlpacaEval does, and tanh keeps a few
    # very long answers from deciding its weight.
    spread = float((own - base).std())
    if spread == 0:
        reason = "all length differences are equal: length cannot be told from quality"
        return undefined(reason, method=METHOD, n=len(y), n_missing=n_missing, confidence=confidence)
    design = np.column_stack([np.tanh((own - base) / spread), gamma[there], np.ones(len(y))])
    if difficulty is None:
        design = design[:, [0, 2]]
    return _fitted(
        y, design, generator, None if clusters is None else clusters[there], n_missing, confidence, resamples
    )


def _fitted(
    y: Floats,
    design: Floats,
    generator: np.random.Generator,
    codes: Integers | None,
    n_missing: int,
    confidence: float,
    resamples: int,
) -> Estimate:
    value = float(_controlled(np.ones((1, len(y))), y, design)[0])
    if codes is not None and len(np.unique(codes)) == 1:
        reason = "one cluster: no interval can be given"
        return Estimate(
            value=value,
            n=len(y),
            n_missing=n_missing,
            method=METHOD,
            confidence=confidence,
            reason=reason,
            unit="cluster",
        )
    weights = _resampled_weights(len(y), codes, generator, resamples)
    drawn = _controlled(weights, y, design)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(
        value=value,
        low=float(low),
        high=float(high),
        standard_error=float(drawn.std(ddof=1)),
        n=len(y),
        n_missing=n_missing,
        method=f"{METHOD}, bootstrap of the refit",
        confidence=confidence,
        unit="sample" if codes is None else "cluster",
    )


def _resampled_weights(n: int, codes: Integers | None, generator: np.random.Generator, resamples: int) -> Floats:
    """Resamples x samples: how often each sample was drawn, with its cluster."""
    groups = np.arange(n) if codes is None else np.unique(codes, return_inverse=True)[1]
    count = int(groups.max()) + 1
    # Whole clusters are drawn: answers about one document are alike in length and outcome.
    drawn = generator.multinomial(count, np.full(count, 1 / count), size=resamples)
    return np.asarray(drawn[:, groups], dtype=np.float64)


def _controlled(weights: Floats, y: Floats, design: Floats) -> Floats:
    """For each row of sample weights the rate at equal lengths, from weights fitted to it."""
    fitted = logistic(weights, y, design)
    equal = design.copy()
    # Equal lengths: the first column is the length term, and at 0 it says nothing.
    equal[:, 0] = 0.0
    rates = sigmoid(fitted @ equal.T)
    return np.asarray((weights * rates).sum(axis=1) / weights.sum(axis=1), dtype=np.float64)


def logistic(weights: Floats, y: Floats, design: Floats) -> Floats:
    """Logistic regression for outcomes in 0 to 1, one fit a row of sample weights, by Newton's method."""
    width = design.shape[1]
    found = np.zeros((len(weights), width))
    products = (design[:, :, None] * design[:, None, :]).reshape(len(y), width * width)
    for _ in range(ITERATIONS):
        rates = sigmoid(found @ design.T)
        gradient = (weights * (y - rates)) @ design - RIDGE * found
        curvature = ((weights * rates * (1 - rates)) @ products).reshape(-1, width, width) + RIDGE * np.eye(width)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        # A full step from 0 may overshoot where a resample holds only wins; on the logit scale 2 is
        # already far.
        found += np.clip(step, -2, 2)
        # Far below the bootstrap's noise.
        if np.abs(step).max() < 1e-8:
            break
    return found


def length_term(reference_lengths: Floats, candidate_lengths: Floats) -> Floats:
    """tanh(d/sd(d)) of one candidate's length differences; 0 where they are all equal or unknown."""
    gap = candidate_lengths - reference_lengths
    known = gap[~np.isnan(gap)]
    spread = float(known.std()) if len(known) else 0.0
    return np.nan_to_num(np.tanh(gap / spread)) if spread else np.zeros(len(gap))


def pool_difficulty(outcomes: Floats, length_terms: Floats) -> Floats:
    """One number a sample, mean 0 and higher where candidates win more, from candidates x samples (NaN: not
    judged).

    The joint model logit P = a_m t_mi + gamma_i + c_m is fitted by turns; gamma is drawn to 0 by a ridge,
    so that a sample on which few were judged stays near the middle.

    Raises:
        BadInputError: fewer than two candidates: a hard sample could not be told from a bad answer.
    """
    if len(outcomes) < 2:
        raise BadInputError(f"{len(outcomes)} candidates; the difficulty of samples needs at least 2")
    judged = ~np.isnan(outcomes)
    y = np.nan_to_num(outcomes)
    gamma, weights = np.zeros(outcomes.shape[1]), np.zeros((len(outcomes), 2))
    for _ in range(ITERATIONS):
        # By turns and not at once: a joint Newton step would need a matrix of samples plus candidates.
        for place, row in enumerate(judged):
            design = np.column_stack([length_terms[place, row], np.ones(int(row.sum()))])
            weights[place] += _newton_step(y[place, row], design, weights[place], gamma[row])
        rates = sigmoid(weights[:, :1] * length_terms + weights[:, 1:] + gamma)
        gradient = np.where(judged, y - rates, 0).sum(axis=0) - DIFFICULTY_RIDGE * gamma
        step = gradient / (np.where(judged, rates * (1 - rates), 0).sum(axis=0) + DIFFICULTY_RIDGE)
        gamma += np.clip(step, -1, 1)
        # Level is the candidates' own weight: without this the two could drift apart for ever.
        gamma -= gamma.mean()
        # Far below what the ridge decides.
        if np.abs(step).max() < 1e-6:
            break
    return gamma


def _newton_step(y: Floats, design: Floats, weights: Floats, offset: Floats) -> Floats:
    rates = sigmoid(design @ weights + offset)
    curvature = design.T @ (design * (rates * (1 - rates))[:, None]) + RIDGE * np.eye(2)
    gradient = design.T @ (y - rates) - RIDGE * weights
    return np.asarray(np.clip(np.linalg.solve(curvature, gradient), -2, 2), dtype=np.float64)
