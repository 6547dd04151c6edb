"""Means, shares and correlations, checked against scipy and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    bounded_mean,
    clean_needed,
    decide_threshold,
    family_interaction,
    mean,
    more_needed,
    paired_difference,
    pearson,
    proportion,
    share,
    spearman,
    upper_bound_of_failures,
    win_rate,
)
from benchbar.statistics.numbers import t_quantile


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
    """Ten digits of the half width agree, where a finite sum is taken and where a series is."""
    values = [0.0, 1.0] + [0.5] * (n - 2)
    found = mean(values, confidence=confidence)
    half = stats.t.ppf((1 + confidence) / 2, n - 1) * stats.sem(values)
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=1e-10)


@given(st.one_of(st.floats(1.0, 400.0), st.floats(300.0, 1e9)), st.floats(0.5, 0.999))
def test_the_quantile_of_t_between_whole_degrees_is_scipys(degrees, confidence):
    """Eleven digits agree, for the degrees of freedom that clusters of unequal size leave."""
    assert t_quantile(confidence, degrees) == pytest.approx(stats.t.ppf((1 + confidence) / 2, degrees), rel=1e-11)


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


def test_a_clustered_share_is_wilsons_of_the_effective_number():
    """The design effect divides n, never below 1, and t of C - 1 degrees of freedom stands for z."""
    flags, clusters = [1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, None], list("aaabbccddd")
    known = np.array(flags[:9], dtype=float)
    codes = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3])
    totals = np.bincount(codes, weights=known - known.mean())
    error = np.sqrt(4 / 3 * (totals**2).sum()) / 9
    plain = np.sqrt(known.mean() * (1 - known.mean()) / 9)
    effective, t = 9 / (error / plain) ** 2, stats.t.ppf(0.975, 3)
    found = share(flags, clusters=clusters, correction="CR1")
    assert error > plain
    assert found.standard_error == pytest.approx(error)
    assert (found.low, found.high) == pytest.approx(score_limits(known.mean(), effective, t))
    opposed = share([1.0, 0.0] * 6, clusters=[place // 2 for place in range(12)])
    assert (opposed.low, opposed.high) == pytest.approx(score_limits(0.5, 12, stats.t.ppf(0.975, 5)))
    equal = share([1.0] * 12, clusters=[place // 3 for place in range(12)])
    assert equal.low == pytest.approx(score_limits(1.0, 4, stats.t.ppf(0.975, 3))[0])


def score_limits(p: float, n: float, z: float) -> tuple[float, float]:
    """The roots of (p - x)^2 = z^2 x (1 - x)/n, by the quadratic formula."""
    roots = np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p])
    return float(roots.min()), float(roots.max())


def test_limits_of_shares_end_at_the_ends_of_the_scale():
    """None of n has a lower limit of exactly 0, all of n an upper one of exactly 1, and no other has either."""
    assert (proportion(0, 7).low, proportion(7, 7).high) == (0.0, 1.0)
    assert proportion(1, 10_000).low > 0
    assert proportion(9_999, 10_000).high < 1
    assert proportion(3, 12).standard_error == pytest.approx(np.sqrt(0.25 * 0.75 / 12))


@given(st.integers(0, 40), st.integers(1, 40), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_upper_bound_of_failures_is_the_beta_quantile(failures, n, confidence):
    """Clopper and Pearson's one-sided bound, and 1 where everything failed."""
    failures = min(failures, n)
    found = upper_bound_of_failures(failures, n, confidence=confidence)
    assert found.low == 0
    assert found.value == failures / n
    assert found.high == pytest.approx(1.0 if failures == n else stats.beta.ppf(confidence, failures + 1, n - failures))


def test_equal_values_leave_room_for_the_share_that_may_differ():
    """Of 8 values of .5 a share of 1 - .05^(1/8) may differ; with all 0 or 1 it is Wilson's interval."""
    other = 1 - 0.05 ** (1 / 8)
    found = bounded_mean([0.5] * 8)
    assert (found.low, found.high, found.standard_error) == (
        pytest.approx(0.5 * (1 - other)),
        pytest.approx(0.5 * (1 - other) + other),
        0,
    )
    assert bounded_mean([1.0] * 5) == share([1.0] * 5)
    assert bounded_mean([0.0, 0.5, 1.0]) == mean([0.0, 0.5, 1.0], low=0, high=1)


def test_so_many_clean_units_bound_the_rate():
    """59 without a failure bound the rate at 5%, 299 at 1%, 90 at 5% with 99% confidence; 2 at 75% when half may be wrong."""
    assert [clean_needed(0.05), clean_needed(0.01), clean_needed(0.05, confidence=0.99)] == [59, 299, 90]
    # (1 - .5)^2 is exactly 1 - .75: no unit is added by rounding.
    assert clean_needed(0.5, confidence=0.75) == 2


OVERLAPPING = Estimate(value=0.6, low=0.5, high=0.7, standard_error=0.05, n=30, method="mean, t interval")


@pytest.mark.parametrize(
    ("low", "high", "at_least", "verdict"),
    [
        (0.5, 0.7, True, "pass"),
        (0.49, 0.7, True, "insufficient_evidence"),
        (0.3, 0.5, True, "insufficient_evidence"),
        (0.3, 0.49, True, "fail"),
        (0.3, 0.5, False, "pass"),
        (0.3, 0.51, False, "insufficient_evidence"),
        (0.5, 0.7, False, "insufficient_evidence"),
        (0.51, 0.7, False, "fail"),
    ],
)
def test_a_threshold_is_decided_by_the_whole_interval(low, high, at_least, verdict):
    """An interval that touches .5 has reached it, from either side; failing needs all of it to lie beyond."""
    found = replace(OVERLAPPING, value=(low + high) / 2, low=low, high=high)
    assert decide_threshold(found, 0.5, at_least=at_least).verdict == verdict


def test_too_few_units_cannot_pass_and_can_fail():
    """Below the minimum the number still missing is told, an evident failure is one, and so is no value at all."""
    good = replace(OVERLAPPING, low=0.55)
    assert decide_threshold(good, 0.5, minimum_n=30) == ("pass", None)
    assert decide_threshold(good, 0.5, minimum_n=31) == ("insufficient_evidence", 1)
    assert decide_threshold(good, 0.8, minimum_n=40) == ("fail", None)
    assert decide_threshold(mean([None]), 0.5) == ("insufficient_evidence", 1)
    assert decide_threshold(mean([1.0]), 0.5, minimum_n=9) == ("insufficient_evidence", 8)


@pytest.mark.parametrize("at_least", [True, False])
@pytest.mark.parametrize(
    ("estimate", "threshold"),
    [
        (mean([0.2, 0.9, 0.7, 0.8, 0.6, 0.9]), 0.6),
        (bounded_mean([0.5] * 6), 0.55),
        (bounded_mean([1.0] * 8 + [0.0] * 2), 0.75),
        (paired_difference([1.0] * 10, [1.0] * 10), 0.05),
    ],
    ids=["t", "equal values", "Wilson", "Tango without a difference"],
)
def test_more_units_like_these_are_the_least_that_decide(estimate, threshold, at_least):
    """The interval of that many more units of the same mean and spread lies on one side; with one fewer it does not."""
    more, above = more_needed(estimate, threshold, at_least=at_least)

    def limits(n):
        if estimate.method.startswith("Wilson"):
            return score_limits(estimate.value, n, stats.norm.ppf(0.975))
        if estimate.method.startswith("equal"):
            other = 1 - 0.05 ** (1 / n)
            return 0.5 * (1 - other), 0.5 * (1 - other) + other
        if estimate.standard_error == 0:
            return paired_difference([1.0] * n, [1.0] * n).interval
        half = stats.t.ppf(0.975, n - 1) * estimate.standard_error * np.sqrt(estimate.n) / np.sqrt(n)
        return estimate.value - half, estimate.value + half

    def undecided(n):
        low, high = limits(n)
        return low < threshold <= high if at_least else low <= threshold < high

    assert above == (estimate.value > threshold)
    assert more >= 1
    assert undecided(estimate.n + more - 1)
    assert not undecided(estimate.n + more)


def test_where_no_number_of_units_would_decide_none_is_named():
    """A value on the threshold, or one without spread or units, has no such number."""
    assert more_needed(mean([0.4, 0.6]), 0.5) is None
    assert more_needed(replace(OVERLAPPING, standard_error=None), 0.5) is None
    assert more_needed(mean([None]), 0.5) is None


@given(st.integers(4, 30))
def test_bonett_and_wrights_interval_is_wider_than_fishers(n):
    """The standard error of Fisher's z is sqrt((1 + r^2/2)/(n - 3)) for ranks."""
    draw = np.random.default_rng(n)
    one = draw.normal(size=n)
    two = one + draw.normal(size=n)
    found = spearman(one, two, confidence=0.9)
    assume(abs(found.value) < 0.999)
    error = np.sqrt((1 + found.value**2 / 2) / (n - 3))
    half = stats.norm.ppf(0.95) * error
    z = np.arctanh(found.value)
    assert (found.low, found.high) == pytest.approx((np.tanh(z - half), np.tanh(z + half)))
    assert found.standard_error == pytest.approx((1 - found.value**2) * error)


def test_the_lists_that_do_not_vary_are_named():
    """First, second, or both."""
    flat, varied = [1.0] * 5, [1.0, 2.0, 3.0, 4.0, 5.0]
    assert pearson(flat, varied).reason == "the first values are all equal"
    assert pearson(varied, flat).reason == "the second values are all equal"
    assert pearson(flat, flat).reason == "the first and the second values are all equal"
    assert pearson(varied[:4], [2.0, 1.0, 4.0, 3.0]).value is not None
