"""The betting confidence sequence: valid for skewed values and at every look, monotone, independent of the order."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records.errors import BadInputError
from benchbar.statistics.betting import _BETS, betting_interval, limits, units_needed

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(SHARES, st.data())
def test_a_bound_never_falls_when_a_value_rises(values, data):
    """Nobody is released by a worse result, nor stopped by a better one."""
    place = data.draw(st.integers(0, len(values) - 1))
    better = [*values[:place], data.draw(st.floats(values[place], 1)), *values[place + 1 :]]
    before, after = betting_interval(values), betting_interval(better)
    assert after.low >= before.low - 1e-9
    assert after.high >= before.high - 1e-9


@given(SHARES, st.randoms(use_true_random=False))
def test_the_order_of_the_values_does_not_matter(values, chance):
    """The same values in another order give the same interval."""
    shuffled = list(values)
    chance.shuffle(shuffled)
    assert limits(np.array(values)) == pytest.approx(limits(np.array(shuffled)), abs=1e-9)


@given(SHARES)
def test_the_interval_holds_the_mean_and_mirrors_with_the_scale(values):
    """Failures instead of successes give the mirrored interval."""
    found, mirrored = betting_interval(values), betting_interval([1 - value for value in values])
    assert found.low <= found.value <= found.high
    # Each side is rounded away from the mean on its own.
    assert found.low == pytest.approx(1 - mirrored.high, abs=1 / 2000)


def capital(successes: int, n: int, mean: float) -> float:
    """What the bets are worth after so many successes, by the binomial formula alone."""
    return float(np.mean([(1 - b + b / mean) ** successes * (1 - b) ** (n - successes) for b in _BETS]))


@pytest.mark.parametrize(("successes", "n"), [(30, 30), (57, 60), (85, 100), (5, 100)])
def test_zeros_and_ones_agree_with_the_binomial_capital(successes, n):
    """At the lower bound the capital is exactly 2/alpha."""
    low, _ = limits(np.r_[np.ones(successes), np.zeros(n - successes)])
    assert capital(successes, n, low) == pytest.approx(40, rel=1e-6)


@pytest.mark.parametrize("n", [5, 20, 40])
@pytest.mark.parametrize("truth", [0.5, 0.8, 0.95])
def test_capital_is_no_more_than_one_in_the_mean(truth, n):
    """Summed over all outcomes, a bet against the truth gains nothing: the ground of the whole method."""
    mean = sum(comb(n, k) * truth**k * (1 - truth) ** (n - k) * capital(k, n, truth) for k in range(n + 1))
    assert mean == pytest.approx(1, abs=1e-9)


@pytest.mark.slow
def test_rare_catastrophes_do_not_pass():
    """Values of .97 to 1 with rare zeros, the true mean at the threshold: at most 2.5% pass, looked at after every unit."""
    generator = np.random.default_rng(20)
    threshold, runs, passed = 0.95, 400, 0
    for _ in range(runs):
        values = np.where(generator.random(60) < 1 - threshold / 0.985, 0, generator.uniform(0.97, 1, 60))
        passed += any(limits(values[:n])[0] >= threshold for n in range(30, 61, 5))
    assert passed / runs <= 0.025


def test_values_of_one_cluster_count_as_one_unit():
    """Copies of each value in a cluster add nothing; clusters of one are the values themselves."""
    values = [0.9, 0.4, 1.0, 0.7, 0.8, 0.95]
    alone = betting_interval(values)
    copied = betting_interval([value for value in values for _ in range(5)], clusters=[i // 5 for i in range(30)])
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high), abs=1 / 2000)
    assert betting_interval(values, clusters=list("abcdef")).low == pytest.approx(alone.low, abs=1 / 2000)


def test_what_is_missing_is_counted_and_nothing_measured_has_a_reason():
    """None is no zero."""
    found = betting_interval([1.0, None, 0.5])
    assert (found.n, found.n_missing) == (2, 1)
    assert betting_interval([None]).reason == "nothing was measured"


def test_units_needed_are_enough_and_not_many_too_many():
    """That many more units like these decide; a tenth fewer do not."""
    values = np.array([0.9] * 20 + [0.7] * 10)
    more, above = units_needed(values, 0.8)
    assert above
    assert limits(values, times=(30 + more) / 30)[0] >= 0.8
    assert limits(values, times=(30 + 0.9 * more) / 30)[0] < 0.8
    assert units_needed(np.ones(200), 0.5) == (0, True)
    assert units_needed(np.array([0.8, 0.8]), 0.8) is None


def test_values_off_the_scale_and_wrong_clusters_are_refused():
    """Bets are only fair on values from 0 to 1."""
    with pytest.raises(BadInputError, match="expected 0 to 1"):
        betting_interval([1.2])
    with pytest.raises(BadInputError, match="expected one for each"):
        betting_interval([1.0], clusters=["a", "b"])


def test_the_standard_error_is_that_of_the_mean():
    """SD/sqrt(n), or the clustered one; a single value has none."""
    values = [0.9, 0.4, 1.0, 0.7, 0.8, 0.95]
    assert betting_interval(values).standard_error == pytest.approx(np.std(values, ddof=1) / np.sqrt(6))
    pairs = np.array(values).reshape(3, 2).mean(axis=1)
    clustered = betting_interval(values, clusters=list("aabbcc"))
    assert clustered.standard_error == pytest.approx(np.std(pairs, ddof=1) / np.sqrt(3))
    assert betting_interval([0.5]).standard_error is None


def test_at_the_ends_of_the_scale_a_threshold_is_reached_by_any_value_beyond():
    """Any value above 0 lifts the mean above 0, and any below 1 keeps it below 1; no number of zeros decides at 0."""
    assert units_needed([0.5, 0.0], 0.0) == (0, True)
    assert units_needed([0.5, 1.0], 1.0) == (0, False)
    assert units_needed([0.0, 0.0], 0.0) is None
    assert units_needed([1.0, 1.0], 1.0) is None


def test_units_needed_are_found_to_a_thousandth():
    """Of few units exactly, of many to a thousandth: that many decide, and a thousandth fewer than the step before do not."""
    for values, threshold in (
        (np.array([1.0] * 8), 0.9),
        (np.array([0.6, 0.7, 0.8]), 0.69),
        (np.array([0.1, 0.0]), 0.2),
    ):
        n, more = len(values), units_needed(values, threshold).more
        slack = max(1, (n + more) // 990)

        def undecided(units, values=values, threshold=threshold, n=n):
            low, high = limits(values, times=units / n)
            return low < threshold < high

        assert not undecided(n + more)
        assert undecided(n + more - slack)


def test_more_confidence_needs_more_units():
    """At 99% the capital has to grow five times as far; in clusters the unit of the bet is the cluster."""
    values = np.array([0.9] * 20 + [0.7] * 10)
    assert units_needed(values, 0.8, confidence=0.99) > units_needed(values, 0.8)
    assert units_needed(values, 0.8, np.arange(30) // 3) > units_needed(values, 0.8)


@pytest.mark.parametrize("sizes", [(1, 2, 5), (4, 4), (3, 1, 1, 6)])
def test_clusters_are_bet_on_by_their_totals_against_their_sizes(sizes):
    """The mean over all bets of prod(1 + b (total/m - size)), sizes as shares of the largest, is 40 at the lower bound."""
    values = np.random.default_rng(3).integers(1, 5, size=sum(sizes)) / 4
    codes = np.repeat(np.arange(len(sizes)), sizes)
    low, _ = limits(values, codes)
    totals = np.floor(np.bincount(codes, weights=values) / max(sizes) * 4096) / 4096
    gains = totals / low - np.array(sizes) / max(sizes)
    assert np.mean([np.prod(1 + b * gains) for b in _BETS]) == pytest.approx(40, rel=1e-5)
