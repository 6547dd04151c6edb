"""Brings files of older versions to the present one.

results.json has a version and goes step by step; each step is a function of one document. Fields of records in the derived
files that were renamed are read under their former names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from benchbar.records.results import RESULTS_VERSION

Document = dict[str, Any]


def upgraded(document: Document) -> Document:
    """The document as version ``RESULTS_VERSION`` writes it; figures are moved, never changed.

    Raises:
        KeyError: no step leads from its version.
    """
    while (version := document["schema_version"]) != RESULTS_VERSION:
        document = {**STEPS[version](document), "schema_version": version + 1}
    return document


def _measures_by_name(document: Document) -> Document:
    """Version 1 had a field for each measure, so that a new one made every older file unreadable."""
    assistants = {name: _assistant(one) for name, one in document["assistants"].items()}
    upgrade = {**document, "assistants": assistants}
    if temperaments := document.get("temperaments"):
        cells = {
            name: {kind: _gathered(cell, _CELL) for kind, cell in found.items()}
            for name, found in temperaments["assistants"].items()
        }
        upgrade["temperaments"] = {**temperaments, "assistants": cells}
    if gate := document.get("gate"):
        upgrade["gate"] = {**gate, "checks": [_check(one) for one in gate["checks"]]}
    return upgrade


def _assistant(one: Document) -> Document:
    groups = {
        kind: {group: _gathered(cell, _CELL) for group, cell in one[kind].items()}
        for kind in ("by_task", "by_level", "by_scenario")
    }
    return _gathered(one, _OVERALL) | groups


_CELL = ("win_rate", "point_score", "satisfied", "turns")
_OVERALL = (
    *("win_rate", "win_rate_these_tasks", "win_rate_tasks_like_these", "point_score", "turns", "satisfied"),
    *("rule_share", "decided_share", "order_inconsistency", "citation_validity", "quote_fidelity"),
)


def _gathered(one: Document, names: tuple[str, ...]) -> Document:
    """The document with its fields of these names gathered under ``measures``."""
    rest = {name: value for name, value in one.items() if name not in names}
    return {**rest, "measures": {name: one[name] for name in names if name in one}}


def _check(one: Document) -> Document:
    """Version 1 told a difference between two runs from a share by its threshold alone, which is minus the margin."""
    compared = one["name"].rpartition(": ")[2].startswith("not worse ")
    return {**one, "unit": "difference"} if compared else one


CITATION_FIELDS = ((b'"support":', b'"topic":'),)
"""Former fields of a citation, and their names of today."""
STUDY_FIELDS = ((b'"law_not_supporting":', b'"law_off_topic":'),)
"""Former fields of an ablation's results, and their names of today."""


def renamed(data: bytes, fields: Iterable[tuple[bytes, bytes]]) -> bytes:
    """JSON with its former field names replaced by those of today."""
    # Exact though it looks at bytes alone: within a text of JSON a quotation mark has a stroke before it, so that the
    # name between two marks with a colon behind is a key. Decoding a run's citations twice would cost seconds.
    for before, now in fields:
        data = data.replace(before, now)
    return data


STEPS: dict[int, Callable[[Document], Document]] = {1: _measures_by_name}
"""Version to the step that leads from it to the next one."""
FIRST_VERSION = min(STEPS)
