"""What would decide an open condition, and for the least money: more samples, documents, failed dialogues again, a better judge.

Each way is a function from what is known to a reason; another way (repeats of the judge, say) is another function in ``ways``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchbar.decisions.estimating import Estimated, Evidence
from benchbar.records import GateReason, MissingKind, RunResults
from benchbar.statistics import decide_threshold

AGAIN = frozenset({MissingKind.FAILED, MissingKind.UNREADABLE})
"""Missing values that a second start of the run may bring."""
CURES: Mapping[str, str] = {
    MissingKind.FAILED: "cure_again",
    MissingKind.REFUSED: "cure_again",
    MissingKind.UNREADABLE: "cure_again",
    MissingKind.UNDECIDED: "cure_decide",
    MissingKind.DISPUTED: "cure_settle",
}
"""Why a value is missing to what would bring it."""


@dataclass(frozen=True)
class UnitPrices:
    """What more evidence costs, in the currency of the run's prices; None where nothing tells."""

    sample: float | None = None
    """One more sample, at what those of the run cost."""
    mark: float | None = None
    """One more mark of a person, as whoever asks for the decision states it."""


NO_PRICES = UnitPrices()


@dataclass(frozen=True)
class OpenCondition:
    """A threshold that the interval contains."""

    own: Evidence
    measure: str
    found: Estimated
    threshold: float
    at_least: bool
    more: int | None
    """Further samples, or marks where there are any, that would decide it."""
    prices: UnitPrices


def sample_cost(results: RunResults) -> float | None:
    """What a sample of the run cost on average, in the currency of its prices; None where no endpoint has one."""
    costs = [one.cost for one in results.spending.values() if one.cost is not None]
    return sum(costs) / results.samples if costs and sum(costs) > 0 and results.samples else None


def ways(of: OpenCondition) -> Iterator[GateReason]:
    """What else than the bare number of samples or marks a reader should know who wants a decision."""
    yield from _documents(of)
    yield from _judge(of)
    yield from _cheapest(of)


def cures(missing: Mapping[str, int]) -> Iterator[GateReason]:
    """What would bring values that are missing, from why they are to how many: no sample that is added does."""
    counts: Counter[str] = Counter()
    for kind, count in missing.items():
        if kind in CURES:
            counts[CURES[kind]] += count
    for key, count in counts.items():
        yield GateReason(key=key, values={"count": count})


def _documents(of: OpenCondition) -> Iterator[GateReason]:
    """More samples of the same documents would not decide."""
    clusters = of.own.clustered(of.found.gaps.samples)
    if clusters and of.more and not of.found.marks:
        size = len(clusters) / len(set(clusters))
        yield GateReason(key="more_documents", values={"documents": -int(-of.more // size), "size": round(size, 1)})


def _judge(of: OpenCondition) -> Iterator[GateReason]:
    """The largest error of the judge at which the samples at hand would pass."""
    estimate, error = of.found.estimate, of.found.error
    if not error or estimate.low is None or estimate.high is None:
        return
    room = estimate.low + error - of.threshold if of.at_least else of.threshold - (estimate.high - error)
    if 0 < room < error:
        yield GateReason(key="better_judge", values={"error": round(room, 4)})


def _cheapest(of: OpenCondition) -> Iterator[GateReason]:
    """The cheapest of more samples, failed dialogues again and, where people marked, more marks; where a price is known."""
    sample, mark = of.prices.sample, of.prices.mark
    found: list[tuple[float, str, dict[str, str | int | float | dict[str, int]]]] = []
    if of.more and of.found.marks and mark is not None:
        found.append((of.more * mark, "cheapest_marks", {"more": of.more}))
    if of.more and not of.found.marks and sample is not None:
        found.append((of.more * sample, "cheapest_samples", {"more": of.more}))
    failed = sum(count for kind, count in of.found.gaps.open.items() if kind in AGAIN)
    alone = decide_threshold(of.found.observed, of.threshold, at_least=of.at_least)
    only_failed = failed and failed == sum(of.found.gaps.open.values())
    if only_failed and alone.verdict != "insufficient_evidence" and sample is not None:
        found.append((failed * sample, f"cheapest_again_{alone.verdict}", {"count": failed}))
    if found:
        cost, key, values = min(found, key=lambda one: one[0])
        yield GateReason(key=key, values={**values, "cost": f"{cost:.3g}"})
