"""Writes the files of a finished run that people and machines read."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchbar.files import write_atomically
from benchbar.records import RunResults, Suite, encode


def write_reports(folder: Path, suite: Suite, results: RunResults) -> list[Path]:
    """Put results.json into the run folder; returns what a person may open."""
    text = msgspec.json.format(encode(results), indent=2)
    write_atomically(folder / "results.json", text + b"\n")
    return [folder / "results.json"]
