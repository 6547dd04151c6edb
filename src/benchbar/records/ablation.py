"""What an ablation study found: variants, their results on labelled clauses, and the differences between them."""

from __future__ import annotations

from typing import Any

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate


class Variant(Record, frozen=True):
    """One arm of an ablation: a name and what its switches are set to."""

    name: str
    switches: dict[str, Any] = {}


class Contrast(Record, frozen=True):
    """A paired difference: how much higher the first is than the second on the same items."""

    name: str
    difference: Estimate
    p_value: float | None
    """Two-sided sign-flip permutation; None where nothing differs."""
    p_holm: float | None
    """Adjusted for all contrasts of the same table."""
    detectable: float | None
    """The smallest true difference that this many items would show with 80% power."""
    reason: str = ""


class WrongClause(Record, frozen=True):
    """A labelled clause whose level was missed."""

    clause: str
    text: str
    level: str
    said: str
    """A level, or the status of a review without one."""
    findings: tuple[str, ...] = ()


_NOT_MEASURED = Estimate(value=None, n=0, method="share", reason="not measured when this study was made")


class ReviewResults(Record, frozen=True):
    """One variant's results on labelled clauses."""

    clauses: int
    parse_rate: Estimate
    accuracy: Estimate
    weighted_accuracy: Estimate
    linear_kappa: Estimate
    quadratic_kappa: Estimate
    high_f2: Estimate
    macro_precision: Estimate
    macro_recall: Estimate
    macro_f1: Estimate
    per_class: dict[str, dict[str, Estimate]]
    high_risk_leakage: Estimate
    """Share of high-risk clauses called low, or not readable at all."""
    clause_hallucination: Estimate
    """Excerpts that are not in their clause, of all excerpts given."""
    law_hallucination: Estimate
    """Citations of articles that do not exist, of all that could be checked."""
    hallucination: Estimate
    """Both together: excerpts and citations that do not exist, of all excerpts and checked citations."""
    law_not_in_force: Estimate
    law_off_topic: Estimate
    """Existing articles in force that are not about the point, of all of those."""
    rule_recall: Estimate
    rule_precision: Estimate
    risk_id_accuracy: Estimate
    """Share of clauses with an expected rule whose first retrieved rule is one of them."""
    risk_id_precision: Estimate
    risk_id_recall: Estimate
    risk_id_f1: Estimate
    task_success: Estimate
    """Parsed, level right, evidence given and all of it in the clause, and a suggestion."""
    doubtful: Estimate
    """Share handed on to a person."""
    calls: int
    cost: Estimate
    """For each clause."""
    confusion: list[list[int]]
    """Truth in rows, low first; the last column counts reviews that could not be read."""
    labels: tuple[str, ...]
    reflections: dict[str, int]
    """``keep``, ``adjust`` and so on, and ``high->low``-like transitions, to their numbers."""
    reflection_gain: Estimate
    """Mean change in weighted score through the second look, over the clauses that had one."""
    baselines: dict[str, dict[str, Estimate]]
    absent_excerpts: int
    """Findings without evidence: none was given, or the guard withheld it."""
    unchecked_citations: int
    high_to_low: Estimate = _NOT_MEASURED
    high_to_medium: Estimate = _NOT_MEASURED
    high_unreadable: Estimate = _NOT_MEASURED
    """Of high-risk clauses, those called low, called medium, and without a readable level: three readings of leakage."""
    raw_clause_hallucination: Estimate = _NOT_MEASURED
    """As ``clause_hallucination``, over the excerpts as first given: what the guard withheld or replaced counts."""
    tokens: Estimate = _NOT_MEASURED
    """For each clause, in and out together."""
    wrong: tuple[WrongClause, ...] = ()


class ReviewTiming(Record, frozen=True):
    """Seconds for each clause; kept apart from the results, for clocks differ between runs that found the same."""

    mean: Estimate
    p50: Estimate
    p95: Estimate


class ContrastTable(Record, frozen=True):
    """All contrasts of one outcome; Holm's adjustment holds within each of the three parts."""

    outcome: str
    """``weighted_score``, ``correct`` or ``task_success`` for each clause."""
    pairs: tuple[Contrast, ...] = ()
    main_effects: tuple[Contrast, ...] = ()
    interactions: tuple[Contrast, ...] = ()


class AblationResults(Record, frozen=True):
    """Every variant on the same clauses."""

    name: str
    reviewer: str
    clauses: int
    by_level: dict[str, int]
    seed: int
    reference: str | None
    variants: tuple[Variant, ...]
    results: dict[str, ReviewResults]
    contrasts: tuple[ContrastTable, ...]
    fingerprint: str
    """Of clauses, rules, law and switches: the same study has the same one."""
    notes: tuple[str, ...] = ()
    schema_version: int = 1


class ConsultationAblation(Record, frozen=True):
    """Every variant of one assistant in the same consultations."""

    name: str
    suite: str
    samples: int
    seed: int
    reference: str | None
    variants: tuple[Variant, ...]
    results: dict[str, dict[str, Estimate]]
    """Variant to ``point_score``, ``satisfied``, ``turns``, ``cost`` (for each dialogue)."""
    contrasts: tuple[ContrastTable, ...]
    fingerprint: str
    notes: tuple[str, ...] = ()
    schema_version: int = 1


class QuestionAblation(Record, frozen=True):
    """Every variant of one assistant on the same questions."""

    name: str
    suite: str
    questions: int
    seed: int
    reference: str | None
    variants: tuple[Variant, ...]
    results: dict[str, dict[str, Estimate]]
    """Variant to measure to estimate over questions."""
    contrasts: tuple[ContrastTable, ...]
    """Paired differences, one table for each measure that decides."""
    fingerprint: str
    """Of questions and switches: the same study has the same one."""
    schema_version: int = 1
