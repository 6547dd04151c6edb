"""Graded risk: labels in order, where missing a grave one is worse than a false alarm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.classification import (
    UNPARSED,
    Classification,
    ClassMeasures,
    accuracy,
    f_score,
    macro,
)
from benchbar.statistics.kappas import kappa_of_tables, similarity
from benchbar.statistics.numbers import Floats, Integers, cluster_codes, undefined
from benchbar.statistics.proportions import share
from benchbar.statistics.resampling import RESAMPLES

# From the contract-review study that docs/statistics.md recomputes.
ASYMMETRIC = ((1.0, 0.8, 0.5), (0.4, 1.0, 0.8), (0.0, 0.4, 1.0))
"""Score of truth (rows, mildest first) and prediction: a downgraded risk costs more than a false alarm."""


def grave_first(labels: Sequence[str]) -> bool:
    """Whether labels run from the gravest to the mildest."""
    return bool(re.search(r"high|severe|grave|critical|major|高|重|высок", labels[0].lower()))


class OrdinalReport(NamedTuple):
    """What `stats ordinal` prints; every measure an estimate."""

    accuracy: Estimate
    weighted_accuracy: Estimate
    linear_kappa: Estimate
    quadratic_kappa: Estimate
    high_f2: Estimate
    macro_precision: Estimate
    macro_recall: Estimate
    macro_f1: Estimate
    per_class: dict[str, ClassMeasures]
    confusion: list[list[int]]
    """Truth in rows, from the mildest; the last column counts predictions that could not be read."""
    baselines: dict[str, dict[str, Estimate]]
    """What always saying one label would reach."""
    leakage: dict[str, Estimate]
    """Of items of the gravest label, the share that got each milder one, and the share that could not be read."""


def ordinal_report(
    truth: Sequence[str | None],
    predicted: Sequence[str | None],
    labels: Sequence[str],
    generator: np.random.Generator,
    *,
    scores: Sequence[Sequence[float]] | None = None,
    clusters: Sequence[object] | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> OrdinalReport:
    """The measures of predicted against true labels, listed from the mildest to the gravest.

    A prediction that is None or no label is charged as the worst: wrong for accuracy, score 0, for kappa
    the label farthest from the truth. Items without truth are missing. ``scores`` (truth x prediction, 0 to
    1) replaces :data:`ASYMMETRIC`, which is for three labels.

    Raises:
        BadInputError: fewer than two labels, a true label that is not among them, or lists of different
        lengths.
    """
    true_codes, said = _codes(truth, predicted, labels)
    known = true_codes != UNPARSED
    groups = None if clusters is None else cluster_codes(clusters)[known]
    measured = Classification(
        true_codes[known],
        said[known],
        tuple(labels),
        generator,
        clusters=groups,
        n_missing=int((~known).sum()),
        confidence=confidence,
        resamples=resamples,
    )
    table = _scores(scores, len(labels))
    return OrdinalReport(
        accuracy=measured.accuracy(),
        weighted_accuracy=_weighted(measured, table),
        linear_kappa=_kappa(measured, "linear"),
        quadratic_kappa=_kappa(measured, "quadratic"),
        high_f2=measured.f_beta(labels[-1], 2.0),
        macro_precision=measured.macro_precision(),
        macro_recall=measured.macro_recall(),
        macro_f1=measured.macro_f1(),
        per_class=measured.by_label(),
        confusion=measured.confusion(),
        baselines={f"always {label}": _baseline(measured, place, table) for place, label in enumerate(labels)},
        leakage=_leakage(true_codes[known], said[known], labels, groups, confidence),
    )


def _leakage(
    true_codes: Integers, said: Integers, labels: Sequence[str], groups: Integers | None, confidence: float
) -> dict[str, Estimate]:
    """Studies call any of these leakage, so that each has its own name: high called low, called medium, unreadable."""
    gravest = len(labels) - 1
    grave = true_codes == gravest
    clusters = None if groups is None else groups[grave].tolist()
    codes = {f"{labels[gravest]} called {label}": code for code, label in enumerate(labels[:-1])}
    return {
        name: share((said[grave] == code).tolist(), clusters=clusters, confidence=confidence, unit="item")
        for name, code in (codes | {f"{labels[gravest]} unreadable": UNPARSED}).items()
    }


def _codes(
    truth: Sequence[str | None], predicted: Sequence[str | None], labels: Sequence[str]
) -> tuple[Integers, Integers]:
    # One label needs no measure.
    if len(labels) < 2 or len(set(labels)) != len(labels):
        raise BadInputError(f"{', '.join(labels) or 'none'}; expected at least two different labels", field="labels")
    if len(truth) != len(predicted):
        raise BadInputError(f"{len(truth)} true and {len(predicted)} predicted labels; expected one of each")
    code: dict[str | None, int] = {label: place for place, label in enumerate(labels)}
    for row, label in enumerate(truth, start=1):
        if label is not None and label not in code:
            raise BadInputError(f"{label!r} in row {row}; expected one of {', '.join(labels)}", field="truth")
    coded = (np.array([code.get(label, UNPARSED) for label in side]) for side in (truth, predicted))
    true_codes, said = (side.astype(np.int64) for side in coded)
    return true_codes, said


def _scores(scores: Sequence[Sequence[float]] | None, size: int) -> Floats | None:
    if scores is None:
        return np.array(ASYMMETRIC) if size == len(ASYMMETRIC) else None
    table = np.array(scores, dtype=np.float64)
    if table.shape != (size, size) or not ((table >= 0) & (table <= 1)).all():
        raise BadInputError(f"expected {size} rows of {size} scores between 0 and 1", field="scores")
    return table


def _weighted(measured: Classification, table: Floats | None) -> Estimate:
    method = "weighted accuracy, sum(W C)/n"
    if table is None:
        return undefined(
            f"no scores were given for {len(measured.labels)} labels",
            method=method,
            n=len(measured.contributions),
            n_missing=measured.n_missing,
            confidence=measured.confidence,
            unit="item",
        )
    charged = np.column_stack([table, np.zeros(len(table))])

    def statistic(tables: Floats) -> Floats:
        total = tables.sum(axis=(1, 2))
        earned = (tables * charged).sum(axis=(1, 2))
        return np.asarray(earned / np.where(total > 0, total, np.nan), dtype=np.float64)

    return measured.measure(statistic, method)


def _kappa(measured: Classification, weights: str) -> Estimate:
    distance = 1 - similarity(len(measured.labels), "linear" if weights == "linear" else "quadratic")
    return measured.measure(
        lambda tables: kappa_of_tables(charged_as_worst(tables), distance),
        f"Cohen kappa, {weights} weights",
        "truth and prediction are one and the same label: chance agreement is 1; see accuracy",
    )


def charged_as_worst(tables: Floats) -> Floats:
    """The matrices without the unparsed column, whose counts went to the label farthest from the truth."""
    size = tables.shape[1]
    found = tables[:, :, :size].copy()
    for row in range(size):
        # Kappa has no room for a column of its own, and a reply that cannot be read must not pay.
        farthest = 0 if row >= size / 2 else size - 1
        found[:, row, farthest] += tables[:, row, size]
    return found


def _baseline(measured: Classification, place: int, table: Floats | None) -> dict[str, Estimate]:
    """Measures of a constant prediction, computed from the same truth."""
    size = len(measured.labels)

    def constant(tables: Floats) -> Floats:
        found = np.zeros_like(tables)
        found[:, :, place] = tables.sum(axis=2)
        return found

    found = {
        "accuracy": measured.measure(lambda t: accuracy(constant(t)), "accuracy"),
        "high_f2": measured.measure(
            lambda t: f_score(constant(t), 2.0)[:, size - 1],
            f"F2 of {measured.labels[-1]}",
            f"{measured.labels[-1]} neither occurs nor is predicted",
        ),
        "macro_f1": measured.measure(lambda t: macro(f_score(constant(t)), constant(t)), "macro F1"),
    }
    if table is not None:
        found["weighted_accuracy"] = measured.measure(
            lambda t: (t.sum(axis=2) * table[:, place]).sum(axis=1) / t.sum(axis=(1, 2)),
            "weighted accuracy, sum(W C)/n",
        )
    return found
