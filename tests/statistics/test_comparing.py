"""Paired tests, corrections, non-inferiority, biases and the validation of a judge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from benchbar.records import Estimate
from benchbar.statistics import (
    MarkedPoint,
    agreement_per_cost,
    benjamini_hochberg,
    family_interaction,
    holm,
    judges_side_by_side,
    mcnemar,
    non_inferior,
    point_treatment,
    proportion,
    same_family_bias,
    sign_flip_test,
    sign_test,
)


def generator():
    """The same draws in every test."""
    return np.random.default_rng(5)


@settings(max_examples=15)
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=3, max_size=10))
def test_small_samples_try_all_patterns_as_scipy_does(differences):
    """The p-value is that of scipy's exact paired permutation test."""
    found = sign_flip_test(differences, generator())
    if not any(differences):
        assert found.p_value is None
        assert found.reason == "no pair differs"
        return
    expected = permutation_test(
        (differences,),
        lambda d, axis: np.sum(d, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-9)


def test_large_samples_draw_permutations():
    """A clear effect is found, none is not, and clusters are flipped whole."""
    draw = np.random.default_rng(3)
    assert sign_flip_test(draw.normal(0.5, 1, size=200), generator()).p_value < 0.001
    assert sign_flip_test(draw.normal(0, 1, size=200), generator()).p_value > 0.01
    copies = np.repeat(draw.normal(0.4, 1, size=12), 20)
    assert sign_flip_test(copies, generator()).p_value < 0.001
    clustered = sign_flip_test(copies, generator(), clusters=np.repeat(np.arange(12), 20).tolist())
    assert clustered.p_value == sign_flip_test(copies[::20], generator()).p_value


@given(st.integers(0, 700), st.integers(0, 700))
def test_the_sign_test_is_scipys_binomial_test(positive, negative):
    """Ten digits agree, also where the chances are tiny; of no signs there is no p-value."""
    if positive + negative:
        expected = stats.binomtest(positive, positive + negative).pvalue
        assert sign_test(positive, negative) == pytest.approx(expected, rel=1e-10, abs=1e-300)
    else:
        assert sign_test(positive, negative) is None


def test_mcnemar_is_exact():
    """Eight gained against two lost is the binomial p-value of statsmodels."""
    first = [1.0] * 8 + [0.0] * 2 + [1.0] * 5
    second = [0.0] * 8 + [1.0] * 2 + [1.0] * 5
    expected = statsmodels_mcnemar([[5, 8], [2, 0]], exact=True).pvalue
    assert mcnemar(first, second).p_value == pytest.approx(expected)
    assert mcnemar([1.0], [1.0]).p_value is None


@settings(max_examples=25)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_are_statsmodels(p_values):
    """Holm and Benjamini-Hochberg adjust as the library does."""
    named = {str(i): p for i, p in enumerate(p_values)}
    assert list(holm(named).values()) == pytest.approx(multipletests(p_values, method="holm")[1])
    assert list(benjamini_hochberg(named).values()) == pytest.approx(multipletests(p_values, method="fdr_bh")[1])


def test_non_inferiority_reads_the_interval():
    """Pass above the margin, fail below it, and otherwise no verdict, also without an interval."""
    assert non_inferior(Estimate(value=0.0, low=-0.02, high=0.02), 0.03) == "pass"
    assert non_inferior(Estimate(value=-0.1, low=-0.15, high=-0.05), 0.03) == "fail"
    assert non_inferior(Estimate(value=0.1, low=-0.1, high=0.3), 0.03) == "insufficient_evidence"
    assert non_inferior(Estimate(value=0.1), 0.03) == "insufficient_evidence"


def test_same_family_bias_by_hand():
    """Own is picked in 3 of 4 where people agree, the other in 1 of 2: a bias of .25."""
    judge = [1, 1, 1, 0, 0, 1, 1, None]
    people = [1, 1, 1, 1, 0, 0, 0.5, 1]
    found = same_family_bias(judge, people, generator())
    assert found.value == pytest.approx(0.75 - 0.5)
    assert (found.n, found.n_missing) == (6, 2)
    assert same_family_bias([1], [1], generator()).value is None


def test_family_interaction_says_what_it_is_not():
    """Two judges that each favour their own differ clearly, and the note limits what follows."""
    draw = np.random.default_rng(9)
    first = (draw.random(300) < 0.7).astype(float)
    second = (draw.random(300) < 0.4).astype(float)
    found = family_interaction(first, second, generator())
    assert found.difference.low > 0
    assert found.test.p_value < 0.001
    assert "differential only" in found.note


def test_point_treatment_by_category_and_error():
    """Shares per category, all points together, and error types among the wrong ones."""
    points = [
        MarkedPoint("mandatory", referred=True, right=True, dialogue="d1"),
        MarkedPoint("mandatory", referred=True, right=False, error="missed point", dialogue="d1"),
        MarkedPoint("advisable", referred=False, right=False, error="partly met", dialogue="d2"),
        MarkedPoint("advisable", referred=None, right=None, dialogue="d3"),
    ]
    found = point_treatment(points)
    assert found["mandatory"].right.value == 0.5
    assert found["overall"].referred.value == pytest.approx(2 / 3)
    assert found["overall"].referred.n_missing == 1
    assert found["overall"].errors["missed point"].value == 0.5


def test_judges_side_by_side():
    """Two judges who rank alike correlate at 1, with their differences by task."""
    rates = {
        "one": {"t1": {"a": 0.9, "b": 0.6, "c": 0.5, "d": 0.1}},
        "two": {"t1": {"a": 0.8, "b": 0.7, "c": 0.4, "d": 0.2}, "t2": {"a": 0.1}},
    }
    found = judges_side_by_side(rates)["one", "two"]
    assert found.rank_correlation.value == pytest.approx(1)
    assert found.by_task == {"t1": pytest.approx({"a": 0.1, "b": -0.1, "c": 0.1, "d": -0.1})}


def test_agreement_for_its_price():
    """A cheaper form may buy more agreement above chance for a unit of cost."""
    found = agreement_per_cost({"panel": (proportion(90, 100), 4.0), "pair": (proportion(80, 100), 1.0)}, chance=0.5)
    assert found["panel"].per_cost == pytest.approx(0.1)
    assert found["pair"].per_cost == pytest.approx(0.3)


def test_drawn_permutations_are_near_the_exact_test():
    """Above 14 clusters 10,000 patterns are drawn; the p-value is that of the normal approximation to the exact one, and never 0."""
    draw = np.random.default_rng(7)
    for shift in (0.0, 0.15, 0.3):
        differences = draw.normal(shift, 1, size=120)
        found = sign_flip_test(differences, generator())
        z = abs(differences.sum()) / np.sqrt((differences**2).sum())
        assert found.p_value == pytest.approx(2 * stats.norm.sf(z), abs=0.015)
        assert (found.n, found.method) == (120, "sign-flip, 10000 drawn permutations")
    least = sign_flip_test([1.0] * 40, generator(), permutations=99)
    assert least.p_value == 1 / 100


def test_the_bound_of_exact_tests():
    """Fourteen clusters are tried exactly: all equal gives 2/2^14; fifteen are drawn. Those without a difference do not count."""
    exact = sign_flip_test([1.0] * 14 + [0.0, None], generator())
    assert (exact.p_value, exact.n, exact.method) == (2 / 2**14, 14, "sign-flip, all patterns")
    assert sign_flip_test([1.0] * 15, generator()).method == "sign-flip, 10000 drawn permutations"
    assert sign_flip_test([0.0, None], generator()) == (None, 0, "sign-flip permutation", "no pair differs")


def test_missing_differences_take_their_cluster_with_them():
    """A cluster is known by the pairs that are there."""
    with_gaps = sign_flip_test([0.5, None, 0.2, -0.1, None], generator(), clusters=list("aabbc"))
    assert with_gaps == sign_flip_test([0.5, 0.2, -0.1], generator(), clusters=list("abb"))


def test_many_units_are_flipped_piece_by_piece():
    """So many that their signs fill more than one piece of memory: the p-value stays that of all permutations together."""
    differences = np.random.default_rng(2).normal(0.004, 1, size=300_000)
    found = sign_flip_test(differences, generator(), permutations=200)
    z = abs(differences.sum()) / np.sqrt((differences**2).sum())
    assert found.p_value == pytest.approx(2 * stats.norm.sf(z), abs=0.12)


def test_mcnemar_says_what_was_counted():
    """Pairs that differ, and the reason where none does; a pair with a gap is left out."""
    found = mcnemar([1, 1, 0, None, 1], [0, 1, 1, 1, 0])
    assert (found.n, found.method, found.reason) == (3, "exact McNemar", "")
    assert found.p_value == pytest.approx(stats.binomtest(2, 3).pvalue)
    assert mcnemar([1.0, None], [1.0, 0.0]) == (None, 0, "exact McNemar", "no pair differs")


def test_the_margin_itself_is_not_passed_and_not_failed():
    """A lower limit of exactly -margin is not above it, an upper one of exactly -margin not below."""
    assert non_inferior(Estimate(value=0.0, low=-0.03, high=0.02), 0.03) == "insufficient_evidence"
    assert non_inferior(Estimate(value=-0.05, low=-0.1, high=-0.03), 0.03) == "insufficient_evidence"
    assert non_inferior(Estimate(value=0.1, low=0.001, high=0.2), 0.0) == "pass"
    assert non_inferior(Estimate(value=0.1, low=0.05, high=None), 0.0) == "insufficient_evidence"


def test_corrected_p_values_keep_the_order_of_their_names():
    """Whatever the order of the p-values."""
    given_in = {"c": 0.04, "a": 0.01, "b": 0.03}
    assert list(holm(given_in).items()) == [("c", 0.06), ("a", 0.03), ("b", 0.06)]
    assert list(benjamini_hochberg(given_in)) == ["c", "a", "b"]


def test_the_families_of_two_judges_differ_by_the_mean_gap():
    """The test is of the same gaps, and a pair that one judge left out is missing in both."""
    first, second = [1.0, 1.0, 0.5, None, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0, 0.5, 0.0]
    found = family_interaction(first, second, generator(), clusters=list("aabbcd"))
    assert found.difference.value == pytest.approx((1 + 0 + 0.5 + 0.5 + 0) / 5)
    assert (found.difference.n, found.difference.n_missing, found.difference.unit) == (5, 1, "cluster")
    assert found.test == sign_flip_test([1.0, 0.0, 0.5, None, 0.5, 0.0], generator(), clusters=list("aabbcd"))


def test_a_bias_needs_people_who_prefer_either_side():
    """A tie of people, or of the judge, is no pick: the judge's ties count against neither family."""
    found = same_family_bias([1, 0.5, 0, 0.5], [1, 1, 0, 0], generator())
    assert found.value == pytest.approx(1 / 2 - 1 / 2)
    same = same_family_bias(
        [1, 0, 0, 0] * 9, [1, 1, 0, 0] * 9, generator(), clusters=[place // 4 for place in range(36)]
    )
    assert (same.value, same.low) == (-0.5, None)


def test_treatment_is_clustered_only_where_every_dialogue_is_named():
    """One point without a dialogue, and points count one by one; errors without a type are named so."""
    points = [
        MarkedPoint("mandatory", referred=True, right=False, dialogue="d1"),
        MarkedPoint("mandatory", referred=True, right=False, error="missed point"),
    ]
    found = point_treatment(points)["overall"]
    assert found.referred.unit == "point"
    assert {name: error.value for name, error in found.errors.items()} == {"not said": 0.5, "missed point": 0.5}
    assert point_treatment([])["overall"].right.unit == "point"


def test_judges_are_compared_on_what_both_marked():
    """A task or a candidate that one judge did not mark is left out of differences and averages."""
    rates = {
        "one": {"t1": {"a": 0.9, "b": 0.6, "c": 0.5, "d": 0.1, "e": 1.0}, "t2": {"a": 0.1, "b": 0.9}, "t3": {"a": 0.0}},
        "two": {"t1": {"a": 0.8, "b": 0.3, "c": 0.4, "d": 0.2}, "t2": {"a": 0.3, "b": 0.7}},
    }
    found = judges_side_by_side(rates)["one", "two"]
    assert found.by_task["t2"] == pytest.approx({"a": -0.2, "b": 0.2})
    assert set(found.by_task) == {"t1", "t2"}
    one, two = [0.5, 0.75, 0.5, 0.1], [0.55, 0.5, 0.4, 0.2]
    assert found.rank_correlation.value == pytest.approx(stats.spearmanr(one, two).statistic)


def test_agreement_that_costs_nothing_or_is_undefined_has_no_price():
    """None, and neither infinity nor 0."""
    found = agreement_per_cost({"free": (proportion(9, 10), 0.0), "none": (proportion(0, 0), 2.0)}, chance=0.5)
    assert [found[name].per_cost for name in ("free", "none")] == [None, None]
    assert found["free"].cost == 0.0
