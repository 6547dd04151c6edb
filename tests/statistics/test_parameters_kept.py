"""What is handed on: names in refusals, units, corrections and confidence reach the estimate and the message."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    asymptotic_interval,
    betting_difference,
    betting_interval,
    marked_interval,
)
from benchbar.statistics.power import Study, detectable_effect, power_of

FINE, OFF = [0.5, 0.5], [0.5, 2.0]


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("first", lambda: betting_difference(OFF, FINE)),
        ("second", lambda: betting_difference(FINE, OFF)),
        ("first", lambda: betting_difference([0.5, float("nan")], FINE)),
        ("second", lambda: betting_difference(FINE, [0.5, float("nan")])),
        ("automatic", lambda: marked_interval(OFF, FINE, FINE)),
        ("human", lambda: marked_interval(FINE, OFF, FINE)),
        ("probability", lambda: marked_interval(FINE, FINE, OFF)),
    ],
)
def test_a_refusal_names_the_list_that_is_wrong(name, measure):
    """Of two or three lists of numbers, the message says which."""
    with pytest.raises(BadInputError) as refused:
        measure()
    assert refused.value.field == name


def test_a_difference_of_equal_pairs_is_the_betting_interval_of_their_middle():
    """(1 + d)/2 of the pairs that are whole, scaled back."""
    first, second = [0.9, 0.4, 0.7, None, 0.8] * 8, [0.5, 0.6, 0.1, 0.3, None] * 8
    found = betting_difference(first, second)
    halves = [(1 + a - b) / 2 for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    middle = betting_interval(halves)
    assert (found.low, found.high) == pytest.approx((2 * middle.low - 1, 2 * middle.high - 1))


def test_clusters_are_the_unit_of_an_interval_in_clusters():
    """N counts items, the unit says what was drawn."""
    values = [0.0, 1.0] * 20
    whole = marked_interval(values, [None] * 40, [0.0] * 40, clusters=[n // 4 for n in range(40)])
    assert (whole.unit, marked_interval(values, [None] * 40, [0.0] * 40).unit) == ("cluster", "sample")


def test_an_asymptotic_interval_states_its_standard_error():
    """The usual one of a mean: SD / sqrt(n)."""
    values = [1.0, 2.0, 4.0, 8.0]
    assert asymptotic_interval(values).standard_error == pytest.approx(np.std(values, ddof=1) / 2)


@pytest.mark.parametrize("power", [0.06, 0.1, 0.5, 0.8, 0.95])
def test_the_detectable_effect_is_the_one_that_is_detected_with_that_power(power):
    """For small powers too, which an effect of one standard error exceeds."""
    study = Study(100, 0.4)
    assert power_of(study, detectable_effect(study, power=power)) == pytest.approx(power, abs=1e-6)
