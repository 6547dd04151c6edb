"""Early stopping: the suite in quarters, and whether what was seen so far tells every candidate from the reference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import ceil, sqrt

from msgspec.structs import replace

from benchbar.records import Measures, RunResults, Suite
from benchbar.statistics import InterimAnalysis, obrien_fleming

LOOKS = 4


def looks(suite: Suite) -> Iterator[tuple[InterimAnalysis, Suite]]:
    """Each look with the part of the suite seen by then: a quarter more, taken from all tasks in turn."""
    for look in obrien_fleming(LOOKS):
        # From all tasks in turn: a quarter made of the first tasks would test something else than the
        # whole.
        yield look, suite.narrowed(limit=max(1, ceil(len(suite.samples) * look.fraction)))


def parts(suite: Suite) -> tuple[Suite, ...]:
    """What is seen at the looks, from the smallest to the whole; a suite of fewer samples than looks has fewer parts."""
    seen = {len(part.samples): part for _, part in looks(suite)}
    return tuple(seen.values())


def stopped(results: RunResults, measures: Iterable[Measures], part: Suite, whole: Suite) -> RunResults | None:
    """The results of a part, which say after which look the run ends; None where it goes on.

    In a suite of fewer samples than looks, several looks see the same part.
    """
    measures = list(measures)
    for look, seen in looks(whole):
        if len(seen.samples) == len(part.samples) and (look.look == LOOKS or decided(results, measures, look)):
            said = f"after look {look.look} of {LOOKS}, {len(part.samples)} of {len(whole.samples)} samples (O'Brien-Fleming)"
            return replace(results, stopped=said)
    return None


def decided(results: RunResults, measures: Iterable[Measures], look: InterimAnalysis) -> bool:
    """Whether every candidate lies beyond the look's boundary, in either direction.

    The statistic is McNemar's, (wins - losses) / sqrt(wins + losses), which holds where all samples were won. Where samples
    belong together it is the sum of the clusters' differences over the root of the sum of their squares: under the
    hypothesis the sign of each cluster is a coin, however its samples depend on each other.
    """
    candidates = {name: one for name, one in results.assistants.items() if name != results.reference}
    clustered = _differences(measures, candidates)
    return bool(candidates) and all(
        abs(_of_clusters(clustered[name]) if name in clustered else _mcnemar(one.wins, one.losses)) >= look.boundary
        for name, one in candidates.items()
    )


def _mcnemar(wins: float, losses: float) -> float:
    return (wins - losses) / sqrt(wins + losses) if wins + losses else 0.0


def _of_clusters(sums: Iterable[float]) -> float:
    sums = list(sums)
    square = sum(one * one for one in sums)
    return sum(sums) / sqrt(square) if square else 0.0


def _differences(measures: Iterable[Measures], names: Iterable[str]) -> dict[str, list[float]]:
    """Candidate to the sum of 2y - 1 over each cluster of its samples; empty where all samples are independent."""
    sums: dict[str, dict[str, float]] = {name: defaultdict(float) for name in names}
    together = False
    for one in measures:
        outcome = one.values.get("win_rate")
        together = together or bool(one.cluster)
        if one.assistant in sums and outcome is not None:
            sums[one.assistant][one.cluster or f"\n{one.sample}"] += 2 * outcome - 1
    return {name: list(own.values()) for name, own in sums.items()} if together else {}
