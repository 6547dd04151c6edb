"""Early stopping: the suite in quarters, and whether what was seen so far tells every candidate from the reference."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, sqrt

from benchbar.records import RunResults, Suite
from benchbar.statistics import InterimAnalysis, obrien_fleming

LOOKS = 4


def looks(suite: Suite) -> Iterator[tuple[InterimAnalysis, Suite]]:
    """Each look with the part of the suite seen by then: a quarter more, taken from all tasks in turn."""
    for look in obrien_fleming(LOOKS):
        # From all tasks in turn: a quarter made of the first tasks would test something else than the
        # whole.
        yield look, suite.narrowed(limit=max(1, ceil(len(suite.samples) * look.fraction)))


def decided(results: RunResults, look: InterimAnalysis) -> bool:
    """Whether every candidate lies beyond the look's boundary, in either direction.

    The statistic is McNemar's, (wins - losses) / sqrt(wins + losses), which holds where all samples were won.
    """
    found = [one for name, one in results.assistants.items() if name != results.reference]
    return bool(found) and all(
        one.wins + one.losses > 0 and abs(one.wins - one.losses) / sqrt(one.wins + one.losses) >= look.boundary
        for one in found
    )
