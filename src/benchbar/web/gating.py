"""The release gate of a run as it stands with the marks of this moment; nothing is asked or paid anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchbar.artefacts.folder import read_measures
from benchbar.artefacts.layout import RunFolder
from benchbar.decisions.explaining import caveat_texts, check_label, decision_text, reason_text
from benchbar.ledger.reviews import Reviews
from benchbar.records import GateDecision, HumanMarks, RunResults
from benchbar.records.errors import BenchbarError
from benchbar.reports.gate import MARKS, estimate_text, lead, loudest, needed, rests_on_invented_law, threshold_text
from benchbar.reports.html import GATE_CLASSES
from benchbar.runs.gating import with_marks
from benchbar.scoring.people import human_marks
from benchbar.web.folders import REMEMBERED, results_of, reviews_of

GATE_TEXTS: dict[str, Any] = {
    "estimate_text": estimate_text,
    "threshold_text": threshold_text,
    "check_label": check_label,
    "reason_text": reason_text,
    "lead": lead,
    "decision_text": decision_text,
    "loudest": loudest,
    "caveat_texts": caveat_texts,
    "needed": needed,
    "gate_marks": MARKS,
    "rests_on_invented_law": rests_on_invented_law,
    "gate_classes": GATE_CLASSES,
}
"""What templates that show a gate call: the same texts as on the terminal and in the report."""


def gate_now(run: Path, reviews: Reviews) -> GateDecision:
    """The decision under the run's own policy, or the built-in one, with people's marks of now.

    Raises:
        UserError: the run has not finished, or its baseline is not there.
        BadInputError: one of its files, or the policy, is damaged or missing.
    """
    return gate_with(run, human_marks(reviews))


def gate_with(run: Path, marks: Mapping[str, HumanMarks]) -> GateDecision:
    """The same with what people's marks amount to.

    Raises:
        UserError, BadInputError: as :func:`gate_now`.
    """
    measures = REMEMBERED.get(("measures", run), RunFolder(run).states("measures"), lambda: list(read_measures(run)))
    return with_marks(run, results_of(run), measures, marks)


def results_now(run: Path) -> RunResults:
    """The results of a run; where people have marked since, with the gate as it stands with their marks."""
    results = results_of(run)
    # A run without a gate asked for none; without marks the gate of the results still stands.
    if results.gate is None or not (reviews := reviews_of(run)).marks:
        return results
    files = RunFolder(run).states()
    try:
        gate = REMEMBERED.get(("gate", run, len(reviews.marks)), files, lambda: gate_now(run, reviews))
    # The page shows the gate that was decided at the end of the run; the owner's page says why it cannot be
    # decided anew.
    except BenchbarError:
        return results
    return msgspec.structs.replace(results, gate=gate)
