"""How many more samples decide, and which way: what is said of them comes true as often as it is said to."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.records import Estimate
from benchbar.statistics import (
    asymptotic_interval,
    betting_interval,
    marked_interval,
    marks_needed,
    more_needed,
    units_needed,
)

DRAWS = 250
"""Enough to tell a power of .8 from .7 and .9: the error of a share of .8 is .025."""
YES_AND_NO = [1.0] * 48 + [0.0] * 12
GRADES = [0.7] * 12 + [0.8] * 20 + [0.9] * 20 + [1.0] * 8
RARE_ZEROS = [0.98] * 54 + [0.0] * 6


def share_above(found: Estimate, threshold: float) -> tuple[bool, bool]:
    return found.low >= threshold, found.high <= threshold


def decided(draw, threshold: float) -> tuple[float, float]:
    """The shares of draws after which the whole interval lies above the threshold, and below it."""
    found = [share_above(draw(np.random.default_rng(n)), threshold) for n in range(DRAWS)]
    above, below = np.mean(found, axis=0)
    return float(above), float(below)


@pytest.mark.parametrize("values", [YES_AND_NO, GRADES, RARE_ZEROS], ids=["yes and no", "grades", "rare zeros"])
@pytest.mark.parametrize("beside", [-0.03, 0.03], ids=["it lies above", "it lies below"])
def test_so_many_more_samples_decide_in_the_said_direction_with_the_stated_power(values, beside):
    """Drawn anew from the values at hand they decide in four of five cases, and next to never the other way."""
    threshold = float(np.mean(values)) + beside
    further = units_needed(values, threshold, power=0.8)
    assert further.above == (beside < 0)

    def after(generator):
        return betting_interval([*values, *generator.choice(values, further.more)])

    shares = decided(after, threshold)
    assert 0.7 <= shares[0 if further.above else 1] <= 0.9
    assert shares[1 if further.above else 0] <= 0.02


@pytest.mark.parametrize("beside", [-0.05, 0.05], ids=["it lies above", "it lies below"])
def test_samples_of_a_measure_without_bounds_decide_as_often(beside):
    """Characters, and not shares: the interval is another one, the promise the same."""
    values = [380.0 + 7 * (n % 40) for n in range(60)]
    threshold = float(np.mean(values)) * (1 + beside)
    found = asymptotic_interval(values)
    further = more_needed(found, threshold, power=0.8)
    assert further.above == (beside < 0)

    def after(generator):
        return asymptotic_interval([*values, *generator.choice(values, further.more)])

    assert 0.72 <= decided(after, threshold)[0 if further.above else 1] <= 0.9


@pytest.mark.parametrize("threshold", [0.7, 0.95], ids=["it lies above", "it lies below"])
def test_so_many_more_marks_decide_in_the_said_direction_with_the_stated_power(threshold):
    """People's further marks are like those that they have made."""
    n, marked = 400, 60
    automatic = [1.0 if i % 10 else 0.0 for i in range(n)]
    marks = [1.0 if i % 6 else 0.0 for i in range(marked)]
    human = [*marks, *[None] * (n - marked)]
    further = marks_needed(automatic, human, [0.5] * n, threshold, power=0.8)
    assert further.above == (threshold < 0.84)

    def after(generator):
        given = [*marks, *generator.choice(marks, further.more), *[None] * (n - marked - further.more)]
        return marked_interval(automatic, given, [0.5] * n)

    assert 0.7 <= decided(after, threshold)[0 if further.above else 1] <= 0.95


def test_an_even_chance_takes_fewer_samples_than_a_good_one():
    """The number after which the interval lies on one side if the mean stays is reached by half of the draws alone."""
    even, good = units_needed(GRADES, 0.78), units_needed(GRADES, 0.78, power=0.8)
    assert even.more < good.more

    def after(generator):
        return betting_interval([*GRADES, *generator.choice(GRADES, even.more)])

    assert 0.35 <= decided(after, 0.78)[0] <= 0.65


def test_where_nothing_varies_there_is_no_chance_to_allow_for():
    """All perfect: the number is that of the bound itself, at any power."""
    assert units_needed(np.ones(10), 0.9, power=0.8) == units_needed(np.ones(10), 0.9)
