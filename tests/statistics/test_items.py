"""Single samples: share met, discrimination, the item response fit against simulated truth, and which could go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

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
