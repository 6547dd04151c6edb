"""Looks through a suite for what makes its results doubtful: leaks, doubles, references that go nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from benchbar.language.overlap import covered, shingles
from benchbar.language.text import comparable
from benchbar.records import PointKind, Problem, Sample, Suite

NEAR = 0.9
LEAK = 12
"""Letters of a guidance point that stand in information or needs word for word count as a leak."""
SMALL = 12


def findings(suite: Suite) -> tuple[Problem, ...]:
    """Problems met while reading, and those of the samples taken together."""
    file = str(suite.folder or suite.card.name)
    found = [*_leaks(suite), *_near_duplicates(suite)]
    return suite.problems + tuple(Problem(file=file, field=sample, message=message) for sample, message in found)


def _leaks(suite: Suite) -> Iterator[tuple[str, str]]:
    """Guidance that the user could read out; quantities, options and names of statutes may stand in a question."""
    for sample in suite.samples:
        told = comparable(sample.information + "\n" + sample.needs).text
        for point in sample.guidance.points:
            wording = comparable(point.text).text
            if point.kind in {PointKind.QUOTE, PointKind.SEMANTIC} and len(wording) >= LEAK and wording in told:
                yield sample.id, f"guidance point {point.id} stands word for word in information or needs"


def _near_duplicates(suite: Suite) -> Iterator[tuple[str, str]]:
    """Samples of one task whose texts are nearly the same, found among those that share a rare shingle."""
    by_task: dict[str, list[tuple[Sample, frozenset[str]]]] = {}
    for sample in suite.samples:
        own = shingles(sample.information + sample.needs)
        others = by_task.setdefault(sample.task, [])
        for other, theirs in others:
            if min(len(own), len(theirs)) >= SMALL and covered(own, theirs) >= NEAR and covered(theirs, own) >= NEAR:
                yield sample.id, f"nearly the same as {other.id}"
        others.append((sample, own))
