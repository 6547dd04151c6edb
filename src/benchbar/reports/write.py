"""Writes the files of a finished run that people and machines read."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchbar.artefacts.folder import read_material, read_results
from benchbar.artefacts.shown import keep, most_apart, narrowed
from benchbar.records import RunResults, Suite, encode
from benchbar.records.files import write_atomically
from benchbar.reports.html import html


def shown_part(folder: Path, suite: Suite, results: RunResults) -> Suite:
    """The samples that the report of a run will show, which a large run keeps; the whole suite need not be held any longer."""
    chosen = most_apart(folder)
    part = narrowed(suite, chosen)
    keep(folder, None if chosen is None else part, results.suite_fingerprint)
    return part


def write_reports(folder: Path, shown: Suite, results: RunResults) -> list[Path]:
    """Put results.json and report.html into the run folder; returns what a person may open, the report first."""
    report, numbers = folder / "report.html", folder / "results.json"
    write_atomically(numbers, msgspec.json.format(encode(results), indent=2) + b"\n")
    chosen = frozenset(sample.id for sample in shown.samples) if len(shown.samples) < results.samples else None
    # Read back, so that `benchbar report` makes the same bytes later.
    write_atomically(report, html(read_results(folder), read_material(folder, chosen), shown))
    return [report, numbers]
