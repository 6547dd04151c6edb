"""Writes the files of a finished run that people and machines read."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchbar.files import write_atomically
from benchbar.records import RunResults, Suite, encode
from benchbar.reporting.folder import read_results, read_shown
from benchbar.reporting.html import html


def write_reports(folder: Path, suite: Suite, results: RunResults) -> list[Path]:
    """Put results.json and report.html into the run folder; returns what a person may open, the report first."""
    report, numbers = folder / "report.html", folder / "results.json"
    write_atomically(numbers, msgspec.json.format(encode(results), indent=2) + b"\n")
    # Read back, so that `benchbar report` makes the same bytes later.
    write_atomically(report, html(read_results(folder), read_shown(folder), suite))
    return [report, numbers]
