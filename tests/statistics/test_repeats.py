"""Repeated trials: chances of passing, parts of a variance, and what further samples, trials and runs are worth."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    Design,
    Noise,
    Observation,
    Prices,
    Trials,
    best_design,
    cost_of,
    error_of,
    pass_at,
    pass_power,
    pass_rate,
    variance_components,
    variance_parts,
    worth_repeating_above,
)

LEVELS = ("sample", "answer", "judge")


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.integers(1, 8))
def test_both_chances_are_shares_of_all_choices_of_k_trials(passed, k):
    """The oracle: every choice of k of the trials, of which one holds a pass, or all do."""
    trials = Trials(sum(passed), len(passed))
    choices = list(combinations(passed, k))
    if not choices:
        assert pass_at(trials, k) is None
        assert pass_power(trials, k) is None
        return
    assert pass_at(trials, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    assert pass_power(trials, k) == pytest.approx(sum(map(all, choices)) / len(choices))


@given(st.floats(0, 1), st.integers(1, 7), st.integers(1, 7))
def test_both_chances_are_unbiased(chance, k, more):
    """Over all outcomes of n trials their mean is 1 - (1 - p)^k and p^k."""
    n = k + more
    weights = {c: comb(n, c) * chance**c * (1 - chance) ** (n - c) for c in range(n + 1)}
    at = sum(weight * (pass_at(Trials(c, n), k) or 0.0) for c, weight in weights.items())
    power = sum(weight * (pass_power(Trials(c, n), k) or 0.0) for c, weight in weights.items())
    assert at == pytest.approx(1 - (1 - chance) ** k, abs=1e-12)
    assert power == pytest.approx(chance**k, abs=1e-12)


@pytest.mark.parametrize(("trials", "k"), [(Trials(2, 1), 1), (Trials(-1, 3), 1), (Trials(1, 3), 0)])
def test_counts_that_cannot_be_are_refused(trials, k):
    """More passes than trials, fewer than none, or a choice of none."""
    for chance in (pass_at, pass_power):
        with pytest.raises(BadInputError, match="expected a count between 0 and n, and k of 1 or more"):
            chance(trials, k)


def test_a_rate_of_which_every_sample_passes_still_has_an_interval():
    """A t interval would have no width there."""
    found = pass_rate([1.0] * 20 + [None])
    assert (found.value, found.high, found.n, found.n_missing) == (1.0, 1.0, 20, 1)
    assert 0.8 < (found.low or 0) < 0.9


def balanced(table) -> list[Observation]:
    return [Observation((s, t), float(value)) for (s, t, _), value in np.ndenumerate(table)]


@given(st.integers(0, 10_000), st.integers(2, 7), st.integers(2, 4), st.integers(2, 4))
def test_the_parts_of_a_balanced_study_are_those_of_its_mean_squares(seed, samples, trials, runs):
    """The oracle: mean squares of the nested analysis of variance, written out for a full table."""
    table = np.random.default_rng(seed).normal(size=(samples, trials, runs)).round(2)
    judge = table.var(axis=2, ddof=1).mean()
    answers = runs * table.mean(axis=2).var(axis=1, ddof=1).mean()
    between = trials * runs * table.mean(axis=(1, 2)).var(ddof=1)
    expected = {
        "sample": (between - answers) / (trials * runs),
        "answer": (answers - judge) / runs,
        "judge": judge,
    }
    found = variance_parts(balanced(table), LEVELS)
    for level, value in expected.items():
        assert found[level].variance.value == pytest.approx(max(value, 0.0), abs=1e-9)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5), min_size=2, max_size=8))
def test_two_levels_of_unequal_size_agree_with_the_one_way_layout(rows):
    """The one-way layout is another formula of another book."""
    if all(len(row) == 1 for row in rows):
        rows = [*rows, [1, 2]]
    marks = [Observation((sample,), float(value)) for sample, row in enumerate(rows) for value in row]
    found, expected = variance_parts(marks, ("sample", "judge")), variance_components(rows)
    assert found["sample"].variance.value == pytest.approx(expected.between, abs=1e-9)
    assert found["judge"].variance.value == pytest.approx(expected.within, abs=1e-9)


def drawn(generator, deviations) -> list[Observation]:
    """20 samples with one to three trials of one to three runs each."""
    observations = []
    for sample in range(20):
        own = generator.normal(0, deviations[0])
        for trial in range(generator.integers(1, 4)):
            answer = own + generator.normal(0, deviations[1])
            runs = answer + generator.normal(0, deviations[2], generator.integers(1, 4))
            observations += [Observation((sample, trial), float(value)) for value in runs]
    return observations


def test_parts_of_an_uneven_study_are_right_on_average_and_their_intervals_mostly_hold_them():
    """Over 300 studies the mean is the true part, and the intervals hold it in about the stated share of them."""
    generator = np.random.default_rng(5)
    deviations = (0.6, 0.4, 0.3)
    studies = [variance_parts(drawn(generator, deviations), LEVELS) for _ in range(300)]
    for level, deviation in zip(LEVELS, deviations, strict=True):
        found = [study[level].variance for study in studies]
        values = np.array([one.value for one in found])
        assert abs(values.mean() - deviation**2) < 4 * values.std() / sqrt(300)
        held = np.mean([one.low <= deviation**2 <= one.high for one in found])
        assert 0.87 < held < 0.99


@given(st.integers(0, 1000), st.floats(-3, 3), st.floats(0.1, 4))
def test_parts_do_not_move_with_the_mean_and_grow_with_the_square_of_the_scale(seed, shift, scale):
    """As variances do."""
    observations = drawn(np.random.default_rng(seed), (0.6, 0.4, 0.3))
    moved = [Observation(path, shift + scale * value) for path, value in observations]
    for level, part in variance_parts(observations, LEVELS).items():
        expected = part.variance.value * scale**2
        assert variance_parts(moved, LEVELS)[level].variance.value == pytest.approx(expected, abs=1e-9)


def test_a_level_that_nothing_has_twice_is_said_to_be_within_the_one_around_it():
    """One run of the judge on each answer: what it adds is there, in the part of the answer."""
    generator = np.random.default_rng(1)
    once = [Observation((s, t), float(generator.normal())) for s in range(8) for t in range(3)]
    found = variance_parts(once, LEVELS)
    assert found["judge"].variance.value is None
    assert found["judge"].within == "answer"
    assert "no answer has two of it" in found["judge"].variance.reason
    assert found["answer"].variance.value == pytest.approx(
        np.mean([np.var([o.value for o in once if o.path[0] == s], ddof=1) for s in range(8)])
    )
    flat = variance_parts([one for one in once if one.path[1] == 0], LEVELS)
    assert (flat["answer"].within, flat["judge"].within) == ("sample", "sample")


def test_too_few_samples_have_parts_without_intervals_and_one_sample_has_none():
    """Missing is never zero: the reason says what is lacking."""
    generator = np.random.default_rng(2)
    few = variance_parts(balanced(generator.normal(size=(3, 3, 2))), LEVELS)
    assert all(part.variance.value is not None and part.variance.low is None for part in few.values())
    assert all("needs 5" in part.variance.reason for part in few.values())
    one = variance_parts(balanced(generator.normal(size=(1, 3, 2))), LEVELS)
    assert {part.variance.reason for part in one.values()} == {"there are no two samples with a value"}
    assert all(part.variance.value is None for part in variance_parts([], LEVELS).values())


PARTS = st.builds(Noise, st.floats(0.001, 1), st.floats(0.001, 1), st.floats(0.001, 1))
COSTS = st.builds(Prices, st.floats(0, 10), st.floats(0.01, 10), st.floats(0.01, 10))


@given(PARTS, COSTS)
def test_the_best_design_is_the_best_of_all(noise, prices):
    """No other numbers that the same money buys have a smaller error; samples of a very large budget hardly round."""
    budget = 1e7
    found = best_design(noise, prices, budget)
    assert cost_of(prices, found) <= budget
    for trials, runs in product(range(1, 21), repeat=2):
        other = Design(int(budget / cost_of(prices, Design(1, trials, runs))), trials, runs)
        assert error_of(noise, found) <= error_of(noise, other) * (1 + 1e-3)


def test_the_best_design_is_that_of_the_book():
    """sqrt(a/s * c_s/c_a) = 4 trials and sqrt(m/a * c_a/c_m) = 3 runs (Cochran 1977, chapter 10)."""
    found = best_design(Noise(sample=1, answer=4, mark=9), Prices(sample=8, answer=2, mark=0.5), 1e6)
    assert (found.trials, found.runs) == (4, 3)
    assert best_design(Noise(1, 4, 9), Prices(0, 2, 0.5), 1e6).trials == 1, "where questions cost nothing, more of them"
    assert best_design(Noise(1, 4, 9), Prices(8, 2, 0.5), 3) is None, "no sample for that"


@given(PARTS, COSTS, st.integers(1, 5), st.integers(1, 5))
def test_at_the_price_where_repeating_becomes_worth_it_both_are_worth_the_same(noise, prices, trials, runs):
    """The same money in one more trial of each sample, or in more samples of as many trials, leaves the same error."""
    design = Design(1_000_000, trials, runs)
    price = worth_repeating_above(noise, prices, design)
    at = prices._replace(sample=price)
    more = design.samples * (prices.answer + runs * prices.mark)
    samples = design.samples + more / (price + trials * (prices.answer + runs * prices.mark))
    wider = error_of(noise, design) * sqrt(design.samples / samples)
    assert wider == pytest.approx(error_of(noise, design._replace(trials=trials + 1)), rel=1e-6)
    assert cost_of(at, design) > 0


def test_repeating_is_worth_nothing_where_answers_do_not_vary():
    """Nor has it a price then; impossible numbers are refused."""
    assert worth_repeating_above(Noise(1, 0, 0), Prices(1, 1, 1), Design(10)) is None
    with pytest.raises(BadInputError, match="expected variances of 0 or more"):
        error_of(Noise(-1, 0, 0), Design(10))
