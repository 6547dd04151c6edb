"""Single samples: share met, discrimination, the item response fit against simulated truth, and which could go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import spearmanr

from benchbar.records.errors import BadInputError
from benchbar.statistics.items import droppable, item_response, item_rest, share_met, table_of


def simulated(assistants: int, samples: int, seed: int):
    """Responses drawn from the model, with the parameters they were drawn by."""
    chance = np.random.default_rng(seed)
    ability = chance.normal(size=assistants)
    slope, difficulty = np.exp(chance.normal(0, 0.4, samples)), chance.normal(size=samples)
    odds = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    return (chance.random((assistants, samples)) < odds).astype(float), ability, slope, difficulty


def covered(estimates, truth) -> float:
    return float(np.mean([one.low <= value <= one.high for one, value in zip(estimates, truth, strict=True)]))


def values(estimates) -> list[float]:
    return [one.value for one in estimates]


def test_the_fit_finds_the_parameters_that_made_the_data():
    """Of 400 simulated assistants: true values lie in nine or more of ten 95% intervals, and the order is recovered."""
    table, ability, slope, difficulty = simulated(400, 60, 7)
    fit = item_response(table)
    assert fit.converged
    assert np.corrcoef(values(fit.difficulty), difficulty)[0, 1] > 0.97
    assert np.corrcoef(values(fit.discrimination), slope)[0, 1] > 0.85
    assert np.corrcoef(values(fit.ability), ability)[0, 1] > 0.9
    for estimates, truth in ((fit.difficulty, difficulty), (fit.discrimination, slope), (fit.ability, ability)):
        assert covered(estimates, truth) >= 0.88


def test_missing_values_widen_and_do_not_bend():
    """With a third of the responses missing at random the fit stays, on fewer units and with wider intervals."""
    table, _, _, difficulty = simulated(300, 40, 3)
    whole = item_response(table)
    gaps = np.random.default_rng(1).random(table.shape) < 1 / 3
    torn = item_response(np.where(gaps, np.nan, table))
    assert np.corrcoef(values(torn.difficulty), difficulty)[0, 1] > 0.95
    assert {one.n + one.n_missing for one in torn.difficulty} == {300}
    width = [np.median([one.high - one.low for one in fit.difficulty]) for fit in (whole, torn)]
    assert width[1] > width[0]


def test_samples_that_all_or_none_meet_stay_finite():
    """Priors hold what the data leave open, and the interval says how little is known."""
    table, *_ = simulated(60, 10, 5)
    table[:, 0], table[:, 1] = 1.0, 0.0
    fit = item_response(table)
    assert fit.difficulty[0].value < -1
    assert fit.difficulty[1].value > 1
    assert all(np.isfinite([one.value, one.low, one.high]).all() for one in fit.difficulty)


def test_too_few_assistants_are_refused_with_a_reason():
    """Below twenty there is no fit, below five no proposal; both say how many there are and are needed."""
    table, *_ = simulated(4, 30, 1)
    assert "4 assistants" in item_response(table)
    assert "at least 20" in item_response(table)
    assert "at least 5" in droppable(table)


def test_discrimination_is_the_correlation_with_the_other_samples():
    """Leaving the sample out of its own total; below zero where better assistants do worse; undefined where nobody differs."""
    table = table_of([[1, 1, 0, 1], [0.8, 1, 0.2, 1], [0.4, 0.5, 0.6, 1], [0.2, 0, 0.9, 1], [0, 0.1, 1, 1]])
    found = item_rest(table)
    rest = (table.sum(axis=1) - table[:, 0]) / 3
    assert found[0].value == pytest.approx(np.corrcoef(table[:, 0], rest)[0, 1])
    assert found[2].value < 0
    assert found[3].value is None
    assert "equal" in found[3].reason


def test_the_share_met_counts_what_is_missing():
    """A mean over the assistants that have a value, cut at the ends of the scale."""
    first, second = share_met(table_of([[1, None], [0.5, 0.25], [1, None], [0.9, None]]))
    assert (first.value, first.n, first.high <= 1) == (pytest.approx(0.85), 4, True)
    assert (second.value, second.n, second.n_missing) == (0.25, 1, 3)


@given(st.integers(5, 12), st.integers(4, 25), st.integers(0, 10_000))
@settings(max_examples=40)
def test_what_could_go_leaves_reliability_where_it_was(assistants, samples, seed):
    """Reliability without the dropped samples is no lower; nothing is dropped and kept, nothing is lost."""
    table, *_ = simulated(assistants, samples, seed)
    plan = droppable(table)
    assume(not isinstance(plan, str))
    assert plan.reliability_kept >= plan.reliability - 1e-9
    assert sorted(plan.dropped + plan.kept) == list(range(samples))
    assert len(plan.kept) >= 3


def test_samples_that_tell_nothing_go_first_and_every_task_keeps_one():
    """A constant sample and one against the grain go; the last sample of a task stays whatever it tells."""
    table, *_ = simulated(12, 12, 2)
    table[:, 0] = 1.0
    table[:, 1] = 1 - table[:, 2]
    assert {0, 1} <= set(droppable(table).dropped)
    alone = droppable(table, ["alone", *["rest"] * 11])
    assert 0 in alone.kept


def test_samples_with_gaps_are_not_judged():
    """A sample that some assistant has no value for stays, and is named."""
    table, *_ = simulated(8, 10, 4)
    table[3, 6] = np.nan
    assert droppable(table).left_out == [6]
    assert 6 in droppable(table).kept


def test_values_outside_the_scale_are_refused():
    """A table is from 0 to 1, with as many samples for each assistant."""
    with pytest.raises(BadInputError, match="0 to 1"):
        table_of([[0.5, 2.0]])
    with pytest.raises(BadInputError, match="different"):
        table_of([[0.5], [0.5, 0.1]])


def cronbach(table) -> float:
    """Alpha from the covariances of the samples."""
    covariance = np.cov(table.T)
    size = len(covariance)
    return size / (size - 1) * (1 - np.trace(covariance) / covariance.sum())


def test_reliability_is_cronbachs_alpha():
    """With all samples and with those kept; of more than three of the latter every one is needed."""
    chance = np.random.default_rng(5)
    noise = np.array([0.7, 0.7, 0.8, 0.8, 0.8, 0.9, 0.9, 1.6])
    table = np.clip(0.5 + 0.1 * (chance.normal(size=(12, 1)) + noise * chance.normal(size=(12, 8))), 0, 1)
    plan = droppable(table)
    assert plan.reliability == pytest.approx(cronbach(table))
    assert plan.reliability_kept == pytest.approx(cronbach(table[:, plan.kept]))
    assert len(plan.kept) > 3
    for place in plan.kept:
        rest = [one for one in plan.kept if one != place]
        assert cronbach(table[:, rest]) < plan.reliability
    order = spearmanr(table.mean(axis=1), table[:, plan.kept].mean(axis=1)).statistic
    assert plan.rank_correlation.value == pytest.approx(order)


def test_the_sample_that_hurts_most_goes_first():
    """At each step the one without which alpha is highest."""
    table, *_ = simulated(30, 8, 11)
    table[:, 3] = 1 - table[:, 2]
    plan = droppable(table)
    assert len(plan.dropped) >= 2
    left = list(range(8))
    for gone in plan.dropped:
        alphas = {place: cronbach(table[:, [one for one in left if one != place]]) for place in left}
        assert alphas[gone] == pytest.approx(max(alphas.values()))
        left.remove(gone)


def test_three_samples_are_always_kept():
    """Of four the one against the grain goes; of three none does, and of two nothing can be said."""
    chance = np.random.default_rng(4)
    ability = chance.normal(size=10)
    table = np.clip(0.5 + 0.2 * (ability[:, None] + 0.3 * chance.normal(size=(10, 4))), 0, 1)
    table[:, 1] = chance.random(10)
    assert droppable(table).dropped == [1]
    assert droppable(table[:, :3]).dropped == []
    assert "fewer than three" in droppable(table[:, :2])
    assert "do not differ" in droppable(np.ones((6, 4)))


def test_a_pair_of_samples_is_each_others_rest():
    """With a single other sample the correlation is the one between the two."""
    table, *_ = simulated(10, 2, 6)
    one, two = item_rest(table)
    expected = np.corrcoef(table[:, 0], table[:, 1])[0, 1]
    assert (one.value, two.value) == pytest.approx((expected, expected))


def test_the_rest_leaves_out_what_is_missing():
    """An assistant counts with the mean of the other samples that it has, and not where it has none."""
    table = np.array([[1, 0.5, np.nan], [0.2, np.nan, 0.3], [0.4, 0.6, 0.8], [0.9, 0.7, 0.8], [0.1, np.nan, np.nan]])
    found = item_rest(table)[0]
    rest = [0.5, 0.3, 0.7, 0.75]
    assert found.value == pytest.approx(np.corrcoef(table[:4, 0], rest)[0, 1])
    assert (found.n, found.n_missing) == (4, 1)


def negative_log_posterior(parameters, met, known):
    """The marginal posterior of the two-parameter model, integrated on a finer grid, written out."""
    slope, intercept = parameters[: met.shape[1]], parameters[met.shape[1] :]
    points = np.linspace(-6, 6, 121)
    weight = np.exp(-0.5 * points**2)
    logits = np.exp(slope)[:, None] * points + intercept[:, None]
    likelihood = met @ -np.logaddexp(0, -logits) + (known - met) @ -np.logaddexp(0, logits)
    marginal = np.log(np.exp(likelihood) @ (weight / weight.sum())).sum()
    return -marginal + (slope**2).sum() / (2 * 0.5**2) + (intercept**2).sum() / (2 * 3.0**2)


def test_the_fit_is_the_mode_of_the_written_out_posterior():
    """A general optimiser ends at the same discriminations and difficulties, with gaps in the table."""
    table, *_ = simulated(80, 5, 9)
    table[::7, 2] = np.nan
    known = np.isfinite(table).astype(float)
    met = np.nan_to_num(table)
    best = minimize(negative_log_posterior, np.zeros(10), args=(met, known), method="BFGS").x
    fit = item_response(table)
    assert fit.converged
    assert 1 < fit.rounds < 500
    a = np.exp(best[:5])
    assert values(fit.discrimination) == pytest.approx(a, abs=5e-3)
    assert values(fit.difficulty) == pytest.approx(-best[5:] / a, abs=5e-3)


def test_the_limits_of_a_fitted_sample_are_normal_on_log_a_and_on_b():
    """Discrimination is multiplied and divided by the same factor, difficulty moved by the same step."""
    table, *_ = simulated(60, 6, 3)
    fit = item_response(table, confidence=0.9)
    for sharp, hard in zip(fit.discrimination, fit.difficulty, strict=True):
        assert sharp.high / sharp.value == pytest.approx(sharp.value / sharp.low)
        assert np.log(sharp.high / sharp.value) == pytest.approx(1.6449 * sharp.standard_error / sharp.value, abs=1e-4)
        assert hard.high - hard.value == pytest.approx(hard.value - hard.low)
        assert hard.high - hard.value == pytest.approx(1.6449 * hard.standard_error, abs=1e-4)
    for one in fit.ability:
        assert one.high - one.value == pytest.approx(1.6449 * one.standard_error, abs=1e-4)


def test_errors_of_fitted_samples_are_those_that_repeated_studies_show():
    """Over 60 simulated studies of the same samples the estimates scatter as their standard errors say, within a quarter."""
    chance = np.random.default_rng(12)
    slope, difficulty = np.array([0.8, 1.2, 1.0, 1.5, 0.9, 1.1]), np.array([-1.0, 0.0, 0.5, 1.0, -0.5, 0.3])
    fits = []
    for _ in range(60):
        ability = chance.normal(size=250)
        odds = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
        fits.append(item_response((chance.random((250, 6)) < odds).astype(float)))
    for field in ("discrimination", "difficulty"):
        found = np.array([values(getattr(fit, field)) for fit in fits])
        errors = np.array([[one.standard_error for one in getattr(fit, field)] for fit in fits])
        ratio = errors.mean(axis=0) / found.std(axis=0, ddof=1)
        assert np.exp(np.log(ratio).mean()) == pytest.approx(1, abs=0.25)


def test_the_pass_mark_is_met_by_what_reaches_it():
    """A value of exactly the mark is met; one just below is not."""
    table, *_ = simulated(30, 4, 8)
    soft = np.where(table == 1, 0.7, 0.69)
    assert values(item_response(soft, pass_mark=0.7).difficulty) == values(item_response(table).difficulty)
    assert (
        item_response(table, fewest=31)
        == "30 assistants; a two-parameter fit needs at least 31, and its intervals are wide below 100"
    )
    assert not isinstance(item_response(table, fewest=30), str)
