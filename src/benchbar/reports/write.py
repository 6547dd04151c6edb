"""Draws the report of a finished run."""

from __future__ import annotations

from pathlib import Path

from benchbar.artefacts.derived import write_report
from benchbar.artefacts.folder import read_material, read_results
from benchbar.artefacts.shown import keep, most_apart, narrowed
from benchbar.records import RunResults, Suite
from benchbar.reports.html import html


def shown_part(folder: Path, suite: Suite, results: RunResults) -> Suite:
    """The samples that the report of a run will show, which a large run keeps; the whole suite need not be held any longer."""
    chosen = most_apart(folder)
    part = narrowed(suite, chosen)
    keep(folder, None if chosen is None else part, results.suite_fingerprint)
    return part


def draw(folder: Path, shown: Suite, results: RunResults) -> None:
    """Put report.html into the run folder, whose results.json is there."""
    chosen = frozenset(sample.id for sample in shown.samples) if len(shown.samples) < results.samples else None
    # Read back, so that `benchbar report` makes the same bytes later.
    write_report(folder, html(read_results(folder), read_material(folder, chosen), shown))
