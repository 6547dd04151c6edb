"""Agreement measures against scikit-learn, statsmodels and, where installed, pingouin and krippendorff."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from benchbar.records.errors import BadInputError
from benchbar.statistics import Agreement, intraclass, judge_agreement, majority, ratings

LABELS = ("1", "2", "3", "4")


def generator():
    """The same draws in every test."""
    return np.random.default_rng(5)


def table_of(codes, labels=LABELS):
    """A table of ratings from codes, -1 missing."""
    codes = np.asarray(codes)
    columns = {
        f"r{place}": [None if code < 0 else labels[code] for code in column] for place, column in enumerate(codes.T)
    }
    return ratings(columns, labels)


def correlated(items, raters, seed, missing=0.0):
    """Ratings that agree more than by chance, some of them missing."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 4, size=items)
    noise = draw.integers(0, 4, size=(items, raters))
    codes = np.where(draw.random((items, raters)) < 0.6, truth[:, None], noise)
    return np.where(draw.random((items, raters)) < missing, -1, codes)


@settings(max_examples=20)
@given(st.integers(0, 10_000))
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_kappa_is_scikit_learns(weights, seed):
    """Plain and weighted kappa agree to 1e-9."""
    codes = correlated(30, 2, seed)
    measured = Agreement(table_of(codes), generator(), resamples=20)
    expected = cohen_kappa_score(
        codes[:, 0], codes[:, 1], labels=range(4), weights=None if weights == "none" else weights
    )
    assert measured.cohen_kappa(0, 1, weights).value == pytest.approx(expected, abs=1e-9)


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_fleiss_kappa_is_statsmodels(seed):
    """Three raters, complete table."""
    codes = correlated(30, 3, seed)
    expected = fleiss_kappa(aggregate_raters(codes)[0])
    assert Agreement(table_of(codes), generator(), resamples=20).fleiss_kappa().value == pytest.approx(expected)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(8))
def test_alpha_is_krippendorffs(scale, seed):
    """With a fifth of the ratings missing, alpha agrees with the krippendorff package."""
    oracle = pytest.importorskip("krippendorff", reason="the oracles group is not installed")
    codes = correlated(40, 4, seed, missing=0.2)
    found = Agreement(table_of(codes), generator(), resamples=20).krippendorff_alpha(scale)
    values = np.where(codes < 0, np.nan, codes + 1.0)
    expected = oracle.alpha(values.T, level_of_measurement=scale)
    assert found.value == pytest.approx(expected, abs=1e-9)


def test_alpha_of_krippendorffs_own_example():
    """The four observers of Krippendorff (2011), section C: nominal .743, ordinal .815, interval .849."""
    observers = {
        "A": ["1", "2", "3", "3", "2", "1", "4", "1", "2", ".", ".", "."],
        "B": ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", ".", "3"],
        "C": [".", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", "."],
        "D": ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", "."],
    }
    columns = {name: [None if x == "." else x for x in row] for name, row in observers.items()}
    measured = Agreement(ratings(columns), generator(), resamples=50)
    found = [measured.krippendorff_alpha(scale).value for scale in ("nominal", "ordinal", "interval")]
    assert found == pytest.approx([0.743, 0.815, 0.849], abs=1e-3)


def test_the_kappa_paradox():
    """[[90, 5], [5, 0]] agrees in 90%, kappa is -.05 and AC1 .89."""
    codes = [[0, 0]] * 90 + [[0, 1]] * 5 + [[1, 0]] * 5
    measured = Agreement(table_of(codes, ("yes", "no")), generator())
    assert measured.raw([(0, 1)]).value == 0.9
    assert measured.cohen_kappa(0, 1).value == pytest.approx(-0.0526, abs=1e-4)
    assert measured.gwet().value == pytest.approx(0.8895, abs=1e-4)


def test_gwet_is_the_formula_worked_by_hand():
    """AC2 with linear weights, computed pair by pair over three raters with a gap."""
    codes = np.array([[0, 1, 1], [2, 2, -1], [0, 0, 0], [3, 2, 3], [1, 3, 1]])
    weight = 1 - np.abs(np.subtract.outer(np.arange(4), np.arange(4))) / 3
    agreed, shares = [], np.zeros(4)
    for whole in codes:
        row = whole[whole >= 0]
        agreed.append(np.mean([weight[a, b] for a, b in combinations(row, 2)]))
        shares += np.bincount(row, minlength=4) / len(row) / len(codes)
    chance = weight.sum() / (4 * 3) * (shares * (1 - shares)).sum()
    expected = (np.mean(agreed) - chance) / (1 - chance)
    assert Agreement(table_of(codes), generator()).gwet("linear").value == pytest.approx(expected)


def test_agreement_without_ties_drops_a_pair_if_either_side_is_a_tie():
    """The rule of MT-bench, counted by hand."""
    columns = {"judge": ["A", "tie", "B", "A"], "person": ["A", "A", "B", "B"]}
    measured = Agreement(ratings(columns), generator(), tie="tie")
    assert measured.raw([(0, 1)]).value == 0.5
    without = measured.raw([(0, 1)], without_ties=True)
    assert (without.value, without.n, without.n_missing) == (pytest.approx(2 / 3), 3, 1)


def test_one_label_only_is_undefined_and_not_one():
    """Raters who always say the same have no kappa and no alpha, but their raw agreement stands."""
    measured = Agreement(ratings({"a": ["x"] * 5, "b": ["x"] * 5}), generator())
    assert measured.cohen_kappa(0, 1).value is None
    assert measured.krippendorff_alpha().value is None
    assert measured.fleiss_kappa().value is None
    assert "chance agreement is 1" in measured.cohen_kappa(0, 1).reason
    assert measured.raw([(0, 1)]).value == 1.0


def test_unknown_rater_and_unknown_label_are_named():
    """Both errors say what was found and what there is."""
    with pytest.raises(BadInputError, match="no rater 'z'; there are a, b"):
        ratings({"a": ["x"], "b": ["y"]}).position("z")
    with pytest.raises(BadInputError, match="`b`: 'y' in row 1; expected one of x"):
        ratings({"a": ["x"], "b": ["y"]}, ["x"])
    with pytest.raises(BadInputError, match="no rating is 'tie'"):
        Agreement(ratings({"a": ["x"], "b": ["y"]}), generator(), tie="tie")


def test_majority_needs_more_votes_than_any_other():
    """Two of three win; one each, or no vote at all, is no majority."""
    table = ratings({"a": ["x", "x", None], "b": ["x", "y", None], "c": ["y", "z", None]})
    assert majority(table).tolist() == [0, -1, -1]


def test_judge_beside_the_human_ceiling():
    """Agreement with each person, with their majority, and among them."""
    columns = {"judge": ["x", "y", "x"], "p1": ["x", "y", "y"], "p2": ["x", "x", "y"], "p3": ["x", "y", "x"]}
    found = judge_agreement(ratings(columns), "judge", generator())
    assert found.judge_human.value == pytest.approx((3 + 2 + 1) / 9)
    assert found.judge_majority.value == pytest.approx(2 / 3)
    assert found.human_human.value == pytest.approx((3 + 1 + 1) / 9)


@pytest.mark.parametrize("seed", range(6))
def test_intraclass_correlations_are_pingouins(seed):
    """All six forms with their limits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        oracle = pytest.importorskip("pingouin", reason="the oracles group is not installed")
        pandas = pytest.importorskip("pandas")
        draw = np.random.default_rng(seed)
        table = draw.normal(size=(12, 1)) + 0.7 * draw.normal(size=(12, 4)) + np.array([0, 0.5, 1, 0])
        rows = [(i, j, table[i, j]) for i in range(12) for j in range(4)]
        frame = pandas.DataFrame(rows, columns=["item", "rater", "value"])
        expected = oracle.intraclass_corr(frame, targets="item", raters="rater", ratings="value")
    interval = next(name for name in expected.columns if name.startswith("CI95"))
    for found, (_, row) in zip(intraclass(table), expected.iterrows(), strict=True):
        assert found.value == pytest.approx(row["ICC"], abs=1e-9)
        assert (found.low, found.high) == pytest.approx(tuple(row[interval]), abs=6e-3)


def test_intraclass_correlations_of_the_published_example():
    """Six targets and four judges of Shrout and Fleiss (1979): .17, .29, .71, and .44, .62, .91 for the mean rating."""
    table = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)
    found = intraclass(table)
    assert [one.value for one in found] == pytest.approx([0.1657, 0.2898, 0.7148, 0.4428, 0.6201, 0.9093], abs=1e-4)
    assert (found.consistency.low, found.consistency.high) == pytest.approx((0.34, 0.95), abs=0.005)
    assert (found.agreement.low, found.agreement.high) == pytest.approx((0.02, 0.76), abs=0.005)
    assert (found.one_way.low, found.one_way.high) == pytest.approx((-0.13, 0.72), abs=0.005)


def test_intraclass_bad_input():
    """Equal ratings, one rater and incomplete items have reasons."""
    assert "no variance" in intraclass(np.ones((5, 3))).one_way.reason
    assert "at least 2" in intraclass(np.ones((5, 1))).agreement.reason
    gaps = np.array([[1.0, 2.0], [2.0, np.nan], [3.0, 4.0], [5.0, 5.5]])
    assert intraclass(gaps).consistency.n_missing == 1


def test_intraclass_of_items_that_do_not_differ():
    """Where no item differs from another, raters agree less than by chance or nothing is left to divide by: a reason, not a crash."""
    steps = intraclass(np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]))
    assert steps.one_way.value == -1
    assert (steps.consistency.value, steps.consistency_mean.value) == (None, None)
    opposite = intraclass(np.array([[-1.0, 1.0], [1.0, -1.0]]))
    assert (opposite.one_way.value, opposite.consistency.value) == (-1, -1)
    assert opposite.agreement.value is None
    assert "less than by chance" in opposite.agreement.reason
    assert opposite.agreement_mean.reason == opposite.agreement.reason


def test_intervals_of_clusters_are_wider():
    """Items copied tenfold within a cluster do not narrow the interval."""
    codes = np.repeat(correlated(12, 2, 3), 10, axis=0)
    plain = Agreement(table_of(codes), generator()).raw([(0, 1)])
    clustered = Agreement(table_of(codes), generator(), clusters=np.repeat(np.arange(12), 10).tolist()).raw([(0, 1)])
    assert clustered.value == plain.value
    assert clustered.high - clustered.low > 2 * (plain.high - plain.low)


def test_pairs_of_votes_count_item_by_item():
    """Of three raters the share is over pairs of votes, not items: 1 + 3 of 1 + 3 + 3."""
    table = ratings({"a": ["x", "x", "x"], "b": ["x", "x", "y"], "c": [None, "x", "z"]})
    found = Agreement(table, generator()).raw([(0, 1), (0, 2), (1, 2)])
    assert found.value == pytest.approx(4 / 7)
    two = Agreement(table, generator()).raw([(0, 1), (0, 2)])
    assert two.value == pytest.approx((2 + 1) / 5)


def test_unanimous_items_are_bounded_by_wilson():
    """Where all agree the bootstrap shows nothing: each item is one trial, however many voted."""
    table = ratings({rater: ["x", "y", "x", "x", "y"] for rater in "abc"})
    found = Agreement(table, generator()).raw([(0, 1), (0, 2), (1, 2)])
    assert (found.low, found.high) == pytest.approx(proportion_confint(5, 5, method="wilson"))
    assert (found.value, found.reason) == (1.0, "")


def test_limits_of_a_coefficient_hold_it_and_shrink_with_items():
    """With 16 times as many items the percentile interval of kappa is about a quarter as wide, and it holds the value."""
    few, many = (Agreement(table_of(correlated(n, 2, 1)), generator()).cohen_kappa(0, 1) for n in (100, 1600))
    for found in (few, many):
        assert found.low < found.value < found.high
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(4, rel=0.3)


def test_clusters_of_items_nobody_rated_twice_are_left_out():
    """A cluster without a measured item is not drawn."""
    codes = correlated(20, 2, 2)
    clusters = [place // 2 for place in range(20)]
    torn = np.vstack([codes, [[0, -1], [-1, 1]]])
    whole = Agreement(table_of(torn), generator(), clusters=[*clusters, 10, 10]).cohen_kappa(0, 1)
    rest = Agreement(table_of(codes), generator(), clusters=clusters).cohen_kappa(0, 1)
    assert (whole.low, whole.high) == (rest.low, rest.high)


def test_labels_are_ordered_by_size_before_words():
    """Ten comes after two, numbers before words, and given labels keep their order."""
    table = ratings({"a": ["10", "x", "2"], "b": ["2", None, "1.5"]})
    assert table.labels == ("1.5", "2", "10", "x")
    assert ratings({"a": ["x", "y"]}, ["y", "x"]).codes[:, 0].tolist() == [1, 0]
    assert table.of("b").codes[:, 0].tolist() == [1, -1, 0]
    assert table.of("b").raters == ("b",)
    assert table.counts().tolist() == [[0, 1, 1, 0], [0, 0, 0, 1], [1, 1, 0, 0]]


def test_an_interval_scale_needs_numbers():
    """Words and infinities are refused."""
    for labels, message in ((["low", "high"], "needs numbers"), (["1", "inf"], "finite numbers")):
        with pytest.raises(BadInputError, match=message):
            Agreement(ratings({"a": labels, "b": labels}), generator()).krippendorff_alpha("interval")


def test_agreement_with_people_drops_ties_where_asked():
    """Pairs in which either vote is a tie are dropped; the majority may be a tie, too."""
    columns = {"judge": ["x", "tie", "y", "x"], "p1": ["x", "x", "tie", "y"], "p2": ["x", "tie", "tie", "y"]}
    table = ratings(columns)
    found = judge_agreement(table, "judge", generator(), tie="tie", without_ties=True)
    assert found.judge_human.value == pytest.approx(2 / 4)
    assert found.judge_majority.value == pytest.approx(1 / 2)
    assert found.human_human.value == 1.0
    assert judge_agreement(table, "judge", generator(), tie="tie").judge_human.value == pytest.approx(3 / 8)


def test_one_way_limits_are_those_of_the_f_distribution():
    """ICC(1) and ICC(C,1) by their formulas, with scipy's quantiles of F, and Spearman-Brown for the mean of three."""
    table = correlated(20, 3, 4).astype(float)
    n, k = table.shape
    rows = k * table.mean(axis=1).var(ddof=1)
    within = table.var(axis=1, ddof=1).mean()
    ratio = rows / within
    low = ratio / f_distribution.ppf(0.95, n - 1, n * (k - 1))
    high = ratio * f_distribution.ppf(0.95, n * (k - 1), n - 1)
    found = intraclass(table, confidence=0.9)
    assert found.one_way.value == pytest.approx((ratio - 1) / (ratio + k - 1))
    assert (found.one_way.low, found.one_way.high) == pytest.approx(
        ((low - 1) / (low + k - 1), (high - 1) / (high + k - 1))
    )
    assert (found.one_way_mean.low, found.one_way_mean.high) == pytest.approx((1 - 1 / low, 1 - 1 / high))


def test_perfect_raters_have_no_interval_and_two_of_each_are_enough():
    """Without error there is no F; two items and two raters are the least."""
    perfect = intraclass(np.array([[1.0, 1.0], [3.0, 3.0], [2.0, 2.0]]))
    assert [one.value for one in perfect] == [1.0] * 6
    assert perfect.agreement.interval is None
    assert "no error variance" in perfect.agreement.reason
    assert intraclass(np.array([[1.0, 2.0], [3.0, 3.5]])).one_way.value is not None
    assert "1 items" in intraclass(np.array([[1.0, 2.0]])).one_way.reason
