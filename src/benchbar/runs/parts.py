"""Whether two runs took different samples of one suite: their fingerprints differ, and the suites do not."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from benchbar.artefacts.folder import read_results
from benchbar.runs.manifest import read_manifest


class Parts(NamedTuple):
    """How much two runs took of one suite."""

    suite: str
    first: int
    """Samples of the first run."""
    second: int


def parts_of_one_suite(first: Path, second: Path) -> Parts | None:
    """The one suite that both runs took different samples of, and how many; None where the suites differ, or may."""
    if not (first.is_dir() and second.is_dir()):
        return None
    made = [read_manifest(run) for run in (first, second)]
    if None in made:
        return None
    source, other = ((one.folder, one.spec.suite, one.spec.language) for one in made if one)
    drawn, drawn_other = ((one.spec.limit, one.spec.tasks) for one in made if one)
    # Drawn alike and yet of another fingerprint: the suite itself was changed between the runs.
    if source != other or drawn == drawn_other:
        return None
    results = [read_results(run) for run in (first, second)]
    return Parts(results[0].suite, results[0].samples, results[1].samples)
