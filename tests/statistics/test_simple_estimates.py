"""Means, shares and correlations, checked against scipy and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    bounded_mean,
    family_interaction,
    mean,
    paired_difference,
    pearson,
    proportion,
    share,
    spearman,
    upper_bound_of_failures,
    win_rate,
)


def test_mean_has_the_t_interval():
    """The limits are scipy's t interval; a missing value is counted."""
    values = [3.0, 4.5, 2.0, None, 5.5]
    known = [v for v in values if v is not None]
    found = mean(values)
    low, high = stats.t.interval(0.95, 3, np.mean(known), stats.sem(known))
    assert (found.value, found.low, found.high) == pytest.approx((np.mean(known), low, high))
    assert (found.n, found.n_missing) == (4, 1)


@given(st.integers(2, 1200), st.floats(0.01, 0.999))
def test_the_quantile_of_t_is_scipys_whatever_the_number_of_values(n, confidence):
    """Ten digits of the half width agree, where a finite sum is taken and where scipy is asked."""
    values = [0.0, 1.0] + [0.5] * (n - 2)
    found = mean(values, confidence=confidence)
    half = stats.t.ppf((1 + confidence) / 2, n - 1) * stats.sem(values)
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=1e-10)


def test_mean_of_one_has_a_value_and_no_interval():
    """A single value is reported with the reason why it has no interval, and so are equal values."""
    one = mean([2.0])
    assert (one.value, one.low, one.standard_error) == (2.0, None, None)
    assert "single" in one.reason
    assert "equal" in mean([2.0, 2.0]).reason
    assert mean([]).value is None


def test_mean_interval_is_cut_at_the_ends_of_the_scale():
    """A grade of 0 to 100 has no interval beyond 100."""
    assert mean([100.0, 100.0, 60.0], low=0, high=100).high == 100


def test_clustered_mean():
    """Copies of a value add no information: SE over clusters, t with C - 1 degrees of freedom."""
    found = mean([1.0, 1.0, 3.0, 3.0, 8.0, 8.0], clusters=["a", "a", "b", "b", "c", "c"])
    plain = mean([1.0, 3.0, 8.0])
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))
    assert found.unit == "cluster"


@given(st.integers(0, 80), st.integers(1, 80))
def test_proportion_is_wilson(successes, n):
    """The limits are those of statsmodels."""
    successes = min(successes, n)
    found = proportion(successes, n)
    expected = proportion_confint(successes, n, method="wilson")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


def test_share_of_flags():
    """True, False and None: a share with what is missing; other numbers are refused."""
    found = share([True, False, None, True])
    assert (found.value, found.n, found.n_missing) == (pytest.approx(2 / 3), 3, 1)
    assert share([]).reason == "nothing was measured"
    with pytest.raises(BadInputError, match="0 or 1"):
        share([0.5])
    assert share([1, 1, 0, 0], clusters=["a", "a", "b", "b"]).low < share([1, 1, 0, 0]).low


def test_zero_failures_still_bound_the_rate():
    """0 failures of 60 leave room for 4.9%, 0 of 300 for 1.0%."""
    assert upper_bound_of_failures(0, 60).high == pytest.approx(0.0487, abs=5e-4)
    assert upper_bound_of_failures(0, 300).high == pytest.approx(0.00994, abs=5e-5)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=4, max_size=40))
def test_correlations_are_scipys(pairs):
    """Values agree with scipy wherever they are defined, and a constant list has a reason."""
    one, two = (list(map(float, side)) for side in zip(*pairs, strict=True))
    if len(set(one)) == 1 or len(set(two)) == 1:
        assert "all equal" in pearson(one, two).reason
        return
    assert pearson(one, two).value == pytest.approx(stats.pearsonr(one, two).statistic, abs=1e-9)
    assert spearman(one, two).value == pytest.approx(stats.spearmanr(one, two).statistic, abs=1e-9)


def test_pearson_interval_is_fishers():
    """R = 0.502 over nine pairs spans -0.24 to 0.87, as scipy says too."""
    generator = np.random.default_rng(3)
    one, two = generator.normal(size=(2, 9))
    found = pearson(one, two)
    expected = stats.pearsonr(one, two).confidence_interval()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_three_pairs_have_no_correlation():
    """Below four pairs the answer is a reason with n."""
    found = pearson([1.0, 2.0, 3.0, None], [1.0, 3.0, 2.0, 4.0])
    assert (found.value, found.n, found.n_missing) == (None, 3, 1)
    assert "at least 4" in found.reason


def test_perfect_correlation_has_no_interval():
    """At r = 1 Fisher's z is infinite, and the reason says so."""
    found = spearman([1.0, 2.0, 3.0, 4.0], [1.0, 4.0, 9.0, 16.0])
    assert found.value == pytest.approx(1)
    assert (found.low, found.high) == (None, None)


ONE = [0.0, 1.0, 1.0, 0.5, 1.0, 0.0, 1.0, 1.0, None]
TWO = [0.0, 0.0, 1.0, 0.5, 0.5, 0.0, 1.0, 0.5, 1.0]
YES = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, None]
ESTIMATES = {
    "mean": lambda confidence: mean(ONE, confidence=confidence),
    "share": lambda confidence: share(YES, confidence=confidence),
    "bounded mean": lambda confidence: bounded_mean(ONE, confidence=confidence),
    "bounded mean of yes and no": lambda confidence: bounded_mean(YES, confidence=confidence),
    "bounded mean of equal values": lambda confidence: bounded_mean([0.5] * 8 + [None], confidence=confidence),
    "win rate": lambda confidence: win_rate(ONE, confidence=confidence),
    "paired difference": lambda confidence: paired_difference(ONE, TWO, confidence=confidence),
    "family interaction": lambda confidence: (
        family_interaction(ONE, TWO, np.random.default_rng(1), confidence=confidence).difference
    ),
    "Pearson": lambda confidence: pearson(ONE, TWO, confidence=confidence),
    "Spearman": lambda confidence: spearman(ONE, TWO, confidence=confidence),
}


@pytest.mark.parametrize("estimate", ESTIMATES.values(), ids=ESTIMATES)
def test_an_estimate_keeps_the_confidence_that_was_asked_for(estimate):
    """It says its confidence, counts what is given and what is missing, and less confidence gives a narrower interval."""
    sure, unsure = estimate(0.99), estimate(0.8)
    assert (sure.confidence, unsure.confidence) == (0.99, 0.8)
    assert (sure.n, sure.n_missing) == (unsure.n, unsure.n_missing) == (8, 1)
    assert sure.value == unsure.value
    assert sure.low < unsure.low <= unsure.value <= unsure.high < sure.high


UNITS = {
    "mean": lambda unit: mean(ONE, unit=unit),
    "share": lambda unit: share(YES, unit=unit),
    "bounded mean": lambda unit: bounded_mean(ONE, unit=unit),
    "bounded mean of yes and no": lambda unit: bounded_mean(YES, unit=unit),
    "Pearson": lambda unit: pearson(ONE, TWO, unit=unit),
    "undefined Pearson": lambda unit: pearson([1.0], [1.0], unit=unit),
}


@pytest.mark.parametrize("estimate", UNITS.values(), ids=UNITS)
def test_an_estimate_keeps_the_unit_that_was_asked_for(estimate):
    """What was counted is named by the caller."""
    assert estimate("dialogue").unit == "dialogue"
