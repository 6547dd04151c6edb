"""How long the report of a run takes to write, and its parts: `python benchmarks/report_writing.py RUN`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchbar.artefacts.folder import read_material, read_results
from benchbar.cli.report import suite_of
from benchbar.reports.html import html

T = TypeVar("T")


def timed(what: str, work: Callable[[], T]) -> T:
    """The result of the work; its time is printed."""
    began = time.perf_counter()
    result = work()
    print(f"{what}: {time.perf_counter() - began:.2f} s")
    return result


def main() -> None:
    """Print seconds for reading and for the page, and the size of that."""
    if len(sys.argv) == 1:
        print("no run given: `benchbar run` makes one")
        return
    run = Path(sys.argv[1])
    results = timed("results.json", lambda: read_results(run))
    material = timed("dialogues, scores, comparisons", lambda: read_material(run))
    suite, _ = timed("suite", lambda: suite_of(run, results))
    page = timed("page", lambda: html(results, material, suite))
    print(f"{len(page) / 1e6:.1f} MB, {len(material.dialogues)} samples x {len(results.assistants)} assistants")


if __name__ == "__main__":
    main()
