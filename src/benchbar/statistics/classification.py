"""Labels given against labels that are true: accuracy, precision, recall, F and their intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from benchbar.records import Estimate
from benchbar.statistics.numbers import Floats, Integers
from benchbar.statistics.proportions import proportion
from benchbar.statistics.resampling import RESAMPLES, Statistic, bootstrapped

UNPARSED = -1
"""Code of a prediction that could not be read: an outcome of its own, wrong for every label."""


class ClassMeasures(NamedTuple):
    """Precision, recall and F1 of one label."""

    precision: Estimate
    recall: Estimate
    f1: Estimate


def cells(truth: Integers, predicted: Integers, size: int) -> Floats:
    """Per item one cell of labels x (labels + unparsed), flattened; the sum is the confusion matrix."""
    # One row an item, so that the bootstrap can draw items and every measure is a function of the sum.
    found = np.zeros((len(truth), size * (size + 1)))
    column = np.where(predicted == UNPARSED, size, predicted)
    found[np.arange(len(truth)), truth * (size + 1) + column] = 1
    return found


def as_matrices(sums: Floats, size: int) -> Floats:
    """Rows of sums as confusion matrices (rows x labels x labels + 1), rows of a matrix being the truth."""
    return sums.reshape(-1, size, size + 1)


def precision(tables: Floats) -> Floats:
    """Of each predicted label the share that is right; NaN for a label nobody predicted."""
    size = tables.shape[1]
    diagonal = tables[:, np.arange(size), np.arange(size)]
    predicted = tables[:, :, :size].sum(axis=1)
    return np.where(predicted > 0, diagonal / np.maximum(predicted, 1e-300), np.nan)


def recall(tables: Floats) -> Floats:
    """Of each true label the share that was found; NaN for a label that does not occur."""
    size = tables.shape[1]
    diagonal = tables[:, np.arange(size), np.arange(size)]
    true = tables.sum(axis=2)
    return np.where(true > 0, diagonal / np.maximum(true, 1e-300), np.nan)


def f_score(tables: Floats, beta: float = 1.0) -> Floats:
    """(1 + beta^2) TP/((1 + beta^2) TP + beta^2 FN + FP) of each label; NaN where it neither occurs nor is
    said.
    """
    size = tables.shape[1]
    diagonal = tables[:, np.arange(size), np.arange(size)]
    true, predicted = tables.sum(axis=2), tables[:, :, :size].sum(axis=1)
    below = beta**2 * true + predicted
    return np.where(below > 0, (1 + beta**2) * diagonal / np.maximum(below, 1e-300), np.nan)


def accuracy(tables: Floats) -> Floats:
    """The share on the diagonal; unparsed predictions are wrong."""
    total = tables.sum(axis=(1, 2))
    right = np.einsum("rii->r", tables[:, :, : tables.shape[1]])
    return np.asarray(right / np.where(total > 0, total, np.nan), dtype=np.float64)


def macro(values: Floats, tables: Floats) -> Floats:
    """The mean over labels that occur or are predicted; an undefined value of such a label counts as 0.

    A label that occurs and is never predicted has no precision, and none of it was found: leaving it out
    would reward silence. This is scikit-learn's ``zero_division=0`` over the labels in use.
    """
    size = tables.shape[1]
    used = tables.sum(axis=2) + tables[:, :, :size].sum(axis=1) > 0
    count = used.sum(axis=1)
    total = np.where(used & ~np.isnan(values), values, 0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


class Classification:
    """Measures of predictions against the truth, which share generator, clusters and confidence."""

    def __init__(
        self,
        truth: Integers,
        predicted: Integers,
        labels: tuple[str, ...],
        generator: np.random.Generator,
        *,
        clusters: Integers | None = None,
        n_missing: int = 0,
        confidence: float = 0.95,
        resamples: int = RESAMPLES,
    ) -> None:
        """Codes are positions in ``labels``; ``UNPARSED`` stands for a prediction that could not be read."""
        self.labels, self.generator, self.clusters = labels, generator, clusters
        self.n_missing, self.confidence, self.resamples = n_missing, confidence, resamples
        self.contributions = cells(truth, predicted, len(labels))

    def measure(self, statistic: Statistic, method: str, why_undefined: str = "no item was labelled") -> Estimate:
        """The estimate of a statistic of confusion matrices (resamples x labels x labels + 1)."""
        size = len(self.labels)
        return bootstrapped(
            self.contributions,
            lambda sums: statistic(as_matrices(sums, size)),
            self.generator,
            method=method,
            codes=self.clusters,
            resamples=self.resamples,
            confidence=self.confidence,
            n_missing=self.n_missing,
            unit="item",
            why_undefined=why_undefined,
        )

    def confusion(self) -> list[list[int]]:
        """Rows are the truth, columns the prediction, the last column what could not be read."""
        sums = self.contributions.sum(axis=0, keepdims=True)
        return [[round(cell) for cell in row] for row in as_matrices(sums, len(self.labels))[0].tolist()]

    def accuracy(self) -> Estimate:
        """Share of right labels with Wilson's interval, or the clustered bootstrap where there are
        clusters.
        """
        if self.clusters is not None:
            return self.measure(accuracy, "accuracy")
        matrix = np.array(self.confusion())
        found = proportion(
            int(np.trace(matrix)),
            int(matrix.sum()),
            n_missing=self.n_missing,
            confidence=self.confidence,
            unit="item",
        )
        return replace(found, method=f"accuracy, {found.method}")

    def macro_f1(self) -> Estimate:
        """The mean F1 over labels."""
        return self.measure(lambda tables: macro(f_score(tables), tables), "macro F1")

    def macro_precision(self) -> Estimate:
        """The mean precision over labels."""
        return self.measure(lambda tables: macro(precision(tables), tables), "macro precision")

    def macro_recall(self) -> Estimate:
        """The mean recall over labels."""
        return self.measure(lambda tables: macro(recall(tables), tables), "macro recall")

    def f_beta(self, label: str, beta: float) -> Estimate:
        """F of one label."""
        place = self.labels.index(label)
        why = f"{label} neither occurs nor is predicted"
        return self.measure(lambda tables: f_score(tables, beta)[:, place], f"F{beta:g} of {label}", why)

    def by_label(self) -> dict[str, ClassMeasures]:
        """Precision, recall and F1 of each label."""
        return {label: self._of(place, label) for place, label in enumerate(self.labels)}

    def _of(self, place: int, label: str) -> ClassMeasures:
        return ClassMeasures(
            self.measure(lambda t: precision(t)[:, place], f"precision of {label}", f"{label} is never predicted"),
            self.measure(lambda t: recall(t)[:, place], f"recall of {label}", f"{label} does not occur"),
            self.f_beta(label, 1.0),
        )
