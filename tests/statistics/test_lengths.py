"""Length-controlled win rates, against AlpacaEval's published ones and data with a known answer."""

from __future__ import annotations

import csv

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression

from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    LengthWeights,
    controlled_by_weights,
    length_controlled,
    length_term,
    pool_difficulty,
)
from benchbar.statistics.lengths import logistic


def test_published_weights_give_the_published_rates(published):
    """With the recovered difficulty, models that were not used to recover it are met within 0.2 points."""
    folder = published / "prefs" / "alpaca_eval"
    with (folder / "instruction_difficulty_recovered.csv").open() as file:
        difficulty = [float(row["difficulty"]) for row in csv.DictReader(file)]
    with (folder / "published_leaderboard_v2_even.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["lc_calibration_role"] == "test"]
    assert rows
    for row in rows:
        weights = LengthWeights(
            float(row["w_tanh_std_delta_len"]),
            float(row["w_instruction_difficulty"]),
            float(row["w_not_gamed_baseline"]),
        )
        found = controlled_by_weights(difficulty, weights)
        assert 100 * found.value == pytest.approx(float(row["length_controlled_winrate"]), abs=0.2)
        assert "no interval" in found.reason


def drawn(seed=2, n=3000, effect=1.5):
    """Two equal assistants whose judge likes length, one of them long-winded."""
    draw = np.random.default_rng(seed)
    base = draw.integers(200, 2000, size=n).astype(float)
    own = base + draw.normal(400, 500, size=n)
    term = np.tanh((own - base) / (own - base).std())
    outcome = (draw.random(n) < 1 / (1 + np.exp(-effect * term))).astype(float)
    return outcome, base, own


def test_length_is_taken_out():
    """The raw rate of equal assistants is far above a half, the controlled one holds it."""
    outcome, base, own = drawn()
    found = length_controlled(outcome, base, own, np.random.default_rng(1))
    assert outcome.mean() > 0.6
    assert found.low < 0.5 < found.high


def test_lengths_without_spread_or_samples_have_reasons():
    """Nothing is fitted where length cannot be told from quality."""
    generator = np.random.default_rng(1)
    assert "equal" in length_controlled([0.5] * 12, [1.0] * 12, [2.0] * 12, generator).reason
    assert "at least 10" in length_controlled([0.5], [1.0], [2.0], generator).reason
    assert controlled_by_weights([None], LengthWeights(1, 1, 1)).value is None


def test_pool_tells_hard_samples_from_easy_ones():
    """Difficulty drawn for each sample is found again from twenty candidates' verdicts."""
    draw = np.random.default_rng(4)
    truth = draw.normal(size=300)
    level = draw.normal(size=(20, 1))
    outcomes = (draw.random((20, 300)) < 1 / (1 + np.exp(-(level + truth)))).astype(float)
    outcomes[draw.random((20, 300)) < 0.1] = np.nan
    found = pool_difficulty(outcomes, np.zeros((20, 300)))
    assert np.corrcoef(found, truth)[0, 1] > 0.8
    with pytest.raises(BadInputError, match="at least 2"):
        pool_difficulty(outcomes[:1], np.zeros((1, 300)))


def test_length_term_of_equal_lengths_is_nothing():
    """No spread, no term; unknown lengths count as the middle."""
    assert length_term(np.ones(3), np.ones(3)).tolist() == [0, 0, 0]
    assert length_term(np.array([1.0, 1.0, 1.0]), np.array([2.0, np.nan, 4.0]))[1] == 0


def test_the_controlled_rate_is_that_of_a_logistic_regression():
    """The mean probability at equal lengths of scikit-learn's fit with the same ridge."""
    outcome, base, own = drawn(n=400)
    hardness = np.random.default_rng(3).normal(size=400)
    term = np.tanh((own - base) / (own - base).std())
    found = length_controlled(outcome, base, own, np.random.default_rng(1), difficulty=hardness, resamples=20)
    # The ridge of .001 is on all weights, the level included, so that it is a column of its own.
    design = np.column_stack([term, hardness, np.ones(400)])
    fit = LogisticRegression(C=1000, fit_intercept=False, tol=1e-12, max_iter=10_000).fit(design, outcome)
    equal = np.column_stack([np.zeros(400), hardness, np.ones(400)])
    assert found.value == pytest.approx(fit.predict_proba(equal)[:, 1].mean(), abs=1e-8)


def test_every_resample_is_a_fit_of_its_own():
    """Row by row the regression is that of scikit-learn with the same sample weights, also where one side nearly always won."""
    draw = np.random.default_rng(6)
    design = np.column_stack([draw.normal(size=60), np.ones(60)])
    y = (draw.random(60) < 0.93).astype(float)
    weights = draw.multinomial(60, np.full(60, 1 / 60), size=5).astype(float)
    for outcome in (y, 1 - y):
        found = logistic(weights, outcome, design)
        for row, own in zip(weights, found, strict=True):
            fit = LogisticRegression(C=1000, fit_intercept=False, tol=1e-12, max_iter=10_000)
            fit.fit(design, outcome, sample_weight=row)
            assert own == pytest.approx(fit.coef_[0], abs=1e-6)


def test_copies_in_clusters_widen_the_interval_of_the_refit():
    """Six copies of each sample say no more than the samples do, if the copies are one cluster."""
    outcome, base, own = (np.repeat(column, 6) for column in drawn(n=50))
    plain = length_controlled(outcome, base, own, np.random.default_rng(1))
    codes = np.repeat(np.arange(50), 6)
    clustered = length_controlled(outcome, base, own, np.random.default_rng(1), clusters=codes)
    assert clustered.value == plain.value
    assert clustered.high - clustered.low > 1.8 * (plain.high - plain.low)
    assert clustered.standard_error == pytest.approx(plain.standard_error * np.sqrt(6), rel=0.2)


def test_the_limits_are_percentiles_of_the_refits():
    """On each side the limit is as far from the rate as the errors of the refits say."""
    outcome, base, own = drawn(n=600)
    found = length_controlled(outcome, base, own, np.random.default_rng(1), confidence=0.8, resamples=800)
    assert (found.value - found.low) / found.standard_error == pytest.approx(1.2816, abs=0.15)
    assert (found.high - found.value) / found.standard_error == pytest.approx(1.2816, abs=0.15)


def test_ten_samples_are_enough_and_nine_are_not():
    """Three weights are fitted; samples that lack a length count as missing."""
    outcome, base, own = (column[:11].tolist() for column in drawn(n=11))
    assert length_controlled([*outcome[:10], None], base, own, np.random.default_rng(1)).n == 10
    assert "9 samples" in length_controlled(outcome, [None, None, *base[2:]], own, np.random.default_rng(1)).reason


def test_given_weights_give_the_mean_probability():
    """sigmoid(b gamma + c) by hand, for two known difficulties; the weight of length plays no part."""
    found = controlled_by_weights([1.0, None, -2.0], LengthWeights(9.0, 0.5, 0.25))
    assert found.value == pytest.approx((1 / (1 + np.exp(-0.75)) + 1 / (1 + np.exp(0.75))) / 2)


def test_the_length_term_is_the_tanh_of_standardised_gaps():
    """Gaps of 1, 3 and -4 have a deviation of sqrt(26/3)."""
    found = length_term(np.array([10.0, 10.0, 10.0, 10.0]), np.array([11.0, 13.0, 6.0, np.nan]))
    assert found == pytest.approx([*np.tanh(np.array([1, 3, -4]) / np.sqrt(26 / 3)), 0])
    assert length_term(np.ones(2), np.array([np.nan, np.nan])).tolist() == [0, 0]


def test_difficulty_is_where_the_ridge_and_the_verdicts_balance():
    """Each sample's surplus of wins equals the ridge's pull, each candidate's its own, and difficulties have mean 0."""
    draw = np.random.default_rng(4)
    terms = np.tanh(draw.normal(size=(6, 80)))
    truth = draw.normal(size=80)
    outcomes = (draw.random((6, 80)) < 1 / (1 + np.exp(-(truth + terms)))).astype(float)
    outcomes[draw.random((6, 80)) < 0.1] = np.nan
    gamma = pool_difficulty(outcomes, terms)
    assert gamma.mean() == pytest.approx(0, abs=1e-9)
    judged = ~np.isnan(outcomes)
    surplus = np.zeros(80)
    for place in range(6):
        row = judged[place]
        design = np.column_stack([terms[place, row], np.ones(row.sum())])
        fit = sm.GLM(outcomes[place, row], design, family=sm.families.Binomial(), offset=gamma[row]).fit()
        surplus[row] += outcomes[place, row] - fit.fittedvalues
    # Up to a common shift, which the candidates' levels take up.
    pull = surplus - gamma
    assert pull - pull.mean() == pytest.approx(np.zeros(80), abs=0.02)
