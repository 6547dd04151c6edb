"""Graded risk against scikit-learn and the recomputed values of a published evaluation."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, fbeta_score, precision_recall_fscore_support

from benchbar.records.errors import BadInputError
from benchbar.statistics import ordinal_report

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
