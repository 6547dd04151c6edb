"""Graded risk against scikit-learn and the recomputed values of a published evaluation."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, fbeta_score, precision_recall_fscore_support

from benchbar.records.errors import BadInputError
from benchbar.statistics import ordinal_report
from benchbar.statistics.ordinal import charged_as_worst, grave_first

LABELS = ("low", "medium", "high")


def generator():
    """The same draws in every test."""
    return np.random.default_rng(5)


def expanded(matrix, labels):
    """Truth and prediction of every item of a confusion matrix whose rows are the truth."""
    pairs = [
        (t, p)
        for t, row in zip(labels, matrix, strict=True)
        for p, n in zip(labels, row, strict=True)
        for _ in range(n)
    ]
    return zip(*pairs, strict=True)


def report(matrix, labels=("high", "medium", "low")):
    """The report of a matrix."""
    truth, predicted = expanded(matrix, labels)
    return ordinal_report(list(truth), list(predicted), LABELS, generator(), resamples=200)


@pytest.mark.parametrize(
    ("matrix", "weighted", "linear", "quadratic", "f2"),
    [
        ([[120, 13, 0], [102, 31, 0], [31, 102, 0]], 0.8393, 0.2036, 0.3430, 0.7643),
        ([[62, 71, 0], [40, 93, 0], [31, 102, 0]], 0.7832, 0.1139, 0.1554, 0.4662),
        ([[84, 49, 0], [44, 80, 9], [13, 80, 40]], 0.8343, 0.3684, 0.4868, 0.6241),
        ([[89, 35, 9], [40, 75, 18], [13, 53, 67]], 0.8348, 0.4487, 0.5339, 0.6602),
    ],
)
def test_measures_of_the_published_matrices(matrix, weighted, linear, quadratic, f2):
    """Recomputed with scikit-learn elsewhere, to four decimals."""
    found = report(matrix)
    values = [
        found.weighted_accuracy.value,
        found.linear_kappa.value,
        found.quadratic_kappa.value,
        found.high_f2.value,
    ]
    assert values == pytest.approx([weighted, linear, quadratic, f2], abs=5e-5)


@pytest.mark.parametrize("seed", range(10))
def test_measures_are_scikit_learns(seed):
    """Kappas, F2, precision, recall and F1 of random labels agree to 1e-9."""
    draw = np.random.default_rng(seed)
    truth, said = ([LABELS[i] for i in draw.integers(0, 3, size=40)] for _ in range(2))
    found = ordinal_report(truth, said, LABELS, generator(), resamples=50)
    assert found.linear_kappa.value == pytest.approx(cohen_kappa_score(truth, said, labels=LABELS, weights="linear"))
    assert found.quadratic_kappa.value == pytest.approx(
        cohen_kappa_score(truth, said, labels=LABELS, weights="quadratic")
    )
    assert found.high_f2.value == pytest.approx(fbeta_score(truth, said, beta=2, labels=["high"], average="macro"))
    p, r, f, _ = precision_recall_fscore_support(truth, said, labels=LABELS, average="macro", zero_division=0)
    assert [found.macro_precision.value, found.macro_recall.value, found.macro_f1.value] == pytest.approx([p, r, f])


def test_always_high_baseline():
    """On balanced data the constant answer reaches F2 .714 and weighted accuracy .767."""
    found = report([[30, 0, 0], [0, 30, 0], [0, 0, 30]])
    assert found.baselines["always high"]["high_f2"].value == pytest.approx(0.714, abs=5e-4)
    assert found.baselines["always high"]["weighted_accuracy"].value == pytest.approx(0.767, abs=5e-4)


def test_unparsed_predictions_are_charged_as_the_worst():
    """An unreadable answer is neither low nor left out: it is wrong, scores 0, and has its own column."""
    truth = ["high", "low", "medium", "high"]
    clean = ordinal_report(truth, ["high", "low", "medium", "low"], LABELS, generator())
    found = ordinal_report(truth, ["high", "low", "medium", None], LABELS, generator())
    assert found.accuracy.value == 0.75
    assert found.weighted_accuracy.value == 0.75
    assert found.linear_kappa.value == clean.linear_kappa.value
    assert [row[-1] for row in found.confusion] == [0, 0, 1]
    assert found.per_class["low"].precision.value == 1.0


def test_leakage_has_a_name_for_each_reading():
    """Of the gravest items: called low, called medium, unreadable, each a share of its own; none is undefined, not 0."""
    truth = ["high"] * 10 + ["low"] * 5
    found = ordinal_report(truth, ["low"] * 2 + ["medium"] * 3 + [None] + ["high"] * 9, LABELS, generator()).leakage
    assert {name: one.value for name, one in found.items()} == {
        "high called low": 0.2, "high called medium": 0.3, "high unreadable": 0.1,
    }  # fmt: skip
    assert all(one.n == 10 for one in found.values())
    none = ordinal_report(["low"] * 4, ["low"] * 4, LABELS, generator()).leakage
    assert {one.value for one in none.values()} == {None}


def test_one_class_only_has_no_kappa():
    """Undefined stays undefined, and the accuracy stands."""
    found = ordinal_report(["high"] * 4, ["high"] * 4, LABELS, generator())
    assert found.quadratic_kappa.value is None
    assert "chance agreement is 1" in found.quadratic_kappa.reason
    assert found.accuracy.value == 1.0
    assert found.per_class["low"].recall.reason == "low does not occur"


def test_unknown_truth_is_named():
    """A true label outside the list is an error with its row; one label is too few; scores must fit."""
    with pytest.raises(BadInputError, match="'severe' in row 2"):
        ordinal_report(["low", "severe"], ["low", "low"], LABELS, generator())
    with pytest.raises(BadInputError, match="at least two"):
        ordinal_report(["low"], ["low"], ["low"], generator())
    with pytest.raises(BadInputError, match="3 rows of 3"):
        ordinal_report(["low"], ["low"], LABELS, generator(), scores=[[1.0]])


def test_four_labels_need_scores_of_their_own():
    """The three-label scores are not stretched to four."""
    found = ordinal_report(["a", "b"], ["a", "c"], ["a", "b", "c", "d"], generator())
    assert "no scores" in found.weighted_accuracy.reason


def test_a_label_that_is_not_used_does_not_count():
    """Macro averages are over the labels that occur or are predicted, as scikit-learn's over the labels in use."""
    truth, said = ["low", "low", "medium", "low"], ["low", "medium", "medium", "low"]
    found = ordinal_report(truth, said, LABELS, generator(), resamples=50)
    p, r, f, _ = precision_recall_fscore_support(truth, said, average="macro", zero_division=0)
    assert [found.macro_precision.value, found.macro_recall.value, found.macro_f1.value] == pytest.approx([p, r, f])


def test_measures_of_each_label_are_scikit_learns():
    """Precision, recall and F1 label by label, and the matrix with a column of its own for the unreadable."""
    truth = ["low", "low", "medium", "high", "high", "medium", "low"]
    said = ["low", "medium", "medium", "high", "low", None, "low"]
    found = ordinal_report(truth, said, LABELS, generator(), resamples=50)
    p, r, f, _ = precision_recall_fscore_support(truth, [x or "?" for x in said], labels=LABELS, zero_division=0)
    measured = [found.per_class[label] for label in LABELS]
    assert [one.precision.value for one in measured] == pytest.approx(list(p))
    assert [one.recall.value for one in measured] == pytest.approx(list(r))
    assert [one.f1.value for one in measured] == pytest.approx(list(f))
    assert found.confusion == [[2, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0]]


def test_baselines_are_what_the_constant_answer_reaches():
    """Each label said always: accuracy, F2 and macro F1 of scikit-learn, and the scores of its column."""
    truth = ["low"] * 5 + ["medium"] * 3 + ["high"] * 2
    found = ordinal_report(truth, truth, LABELS, generator(), resamples=50)
    scores = {
        "low": (5 + 0.4 * 3 + 0.0) / 10,
        "medium": (0.8 * 5 + 3 + 0.4 * 2) / 10,
        "high": (0.5 * 5 + 0.8 * 3 + 2) / 10,
    }
    for label in LABELS:
        constant, baseline = [label] * 10, found.baselines[f"always {label}"]
        f2 = fbeta_score(truth, constant, beta=2, labels=["high"], average="macro", zero_division=0)
        f1 = precision_recall_fscore_support(truth, constant, average="macro", zero_division=0)[2]
        assert baseline["accuracy"].value == truth.count(label) / 10
        assert baseline["high_f2"].value == pytest.approx(f2)
        assert baseline["macro_f1"].value == pytest.approx(f1)
        assert baseline["weighted_accuracy"].value == pytest.approx(scores[label])


def test_scores_of_ones_own_replace_the_built_in_ones():
    """A table for two labels, truth in rows: 2 of 4 right, one downgraded for a quarter, one unreadable for nothing."""
    found = ordinal_report(
        ["no", "yes", "yes", "no"], ["no", "yes", "no", None], ["no", "yes"], generator(), scores=[[1, 0.5], [0.25, 1]]
    )
    assert found.weighted_accuracy.value == pytest.approx((1 + 1 + 0.25 + 0) / 4)


def test_the_unreadable_is_charged_to_the_farthest_label():
    """Of four labels the lower two go to the top and the upper two to the bottom."""
    tables = np.zeros((1, 4, 5))
    tables[0, :, 4] = [1, 2, 3, 4]
    assert charged_as_worst(tables)[0].tolist() == [[0, 0, 0, 1], [0, 0, 0, 2], [3, 0, 0, 0], [4, 0, 0, 0]]


@pytest.mark.parametrize(
    ("labels", "grave"), [(("High", "low"), True), (("low", "high"), False), (("重大", "一般"), True)]
)
def test_which_end_of_the_labels_is_grave(labels, grave):
    """The first label names it, in English, Chinese and Russian."""
    assert grave_first(labels) == grave


def test_clusters_of_items_without_truth_are_left_out():
    """The clustered interval is that of the items that have a truth."""
    truth, said = ["low", "high", "low", None, "high", "medium"], ["low", "high", "high", "low", "high", "medium"]
    whole = ordinal_report(truth, said, LABELS, generator(), clusters=list("aabbcc"))
    without = [place for place in range(6) if truth[place] is not None]
    rest = ordinal_report(
        [truth[i] for i in without],
        [said[i] for i in without],
        LABELS,
        generator(),
        clusters=["aabbcc"[i] for i in without],
    )
    assert (whole.accuracy.low, whole.accuracy.high) == (rest.accuracy.low, rest.accuracy.high)
    assert (whole.accuracy.n_missing, rest.accuracy.n_missing) == (1, 0)
