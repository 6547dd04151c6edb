"""How each judge of a run leans: towards a position, a candidate and a model family, beside the others of its panel."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from benchbar.measures.health import finding
from benchbar.records import Comparison, Estimate, Order, Winner
from benchbar.records.results import FamilyLean, HealthFinding, JudgeLean
from benchbar.statistics import mean, paired_difference, share
from benchbar.statistics.orders import OUTCOME

_FIRST: dict[Order, Winner] = {"left_first": Winner.LEFT, "right_first": Winner.RIGHT}
ALONE = "no other judge judged these pairs: name one under judge.panel"


@dataclass(frozen=True)
class Families:
    """Model families, as far as they are known."""

    assistants: Mapping[str, str] = field(default_factory=dict)
    """Assistant to the family of the model behind it."""
    judges: Mapping[str, str] = field(default_factory=dict)
    """A judge's identity to its family."""

    def side(self, family: str, candidate: str, reference: str) -> int:
        """1 where the candidate alone is of the family, -1 where the reference alone is, else 0."""
        return (self.assistants.get(candidate) == family) - (self.assistants.get(reference) == family)


NO_FAMILIES = Families()


def turned(outcome: float | None, side: int) -> float | None:
    """The candidate's outcome as that of the side that is looked at."""
    return None if outcome is None else outcome if side > 0 else 1 - outcome


@dataclass
class _Verdicts:
    """One judge's verdicts on one candidate."""

    samples: list[str] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    winners: list[Winner] = field(default_factory=list)

    def outcomes(self) -> dict[str, float]:
        """Sample to the candidate's outcome, the mean of both orders; samples that lack an order are left out."""
        found: dict[str, dict[Order, list[float]]] = defaultdict(lambda: defaultdict(list))
        for sample, order, winner in zip(self.samples, self.orders, self.winners, strict=True):
            found[sample][order].append(OUTCOME[winner])
        return {sample: fmean(map(fmean, by.values())) for sample, by in found.items() if len(by) == len(_FIRST)}


@dataclass
class LeanAccumulator:
    """Verdicts by judge and candidate, in the order of the suite."""

    verdicts: dict[str, dict[str, _Verdicts]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(_Verdicts))
    )

    def add(self, comparisons: tuple[Comparison, ...]) -> None:
        """Take in the verdicts on one sample."""
        for one in comparisons:
            if one.winner is not None:
                own = self.verdicts[one.judge][one.left]
                own.samples.append(one.sample)
                own.orders.append(one.order)
                own.winners.append(one.winner)


def leans(
    accumulator: LeanAccumulator, families: Families, reference: str, clusters: Mapping[str, str]
) -> dict[str, JudgeLean]:
    """Judge to its lean. The verdicts on one sample, or on samples that belong together by ``clusters``, are one cluster."""

    def together(samples: Sequence[str]) -> list[str]:
        return [clusters.get(sample, f"\n{sample}") for sample in samples]

    outcomes = {
        judge: {name: own.outcomes() for name, own in by_candidate.items()}
        for judge, by_candidate in accumulator.verdicts.items()
    }
    known = sorted(set(families.assistants.values()))
    found = {}
    for judge, by_candidate in accumulator.verdicts.items():
        first = [
            (winner is _FIRST[order], sample)
            for own in by_candidate.values()
            for sample, order, winner in zip(own.samples, own.orders, own.winners, strict=True)
            if winner is not Winner.TIE
        ]
        found[judge] = JudgeLean(
            first=share([flag for flag, _ in first], clusters=together([sample for _, sample in first])),
            won={name: _won(own, together(own.samples)) for name, own in by_candidate.items()},
            family=families.judges.get(judge, ""),
            families={
                family: _family_lean(judge, pairs, outcomes, together)
                for family in known
                if (pairs := list(_pairs(outcomes[judge], families, family, reference)))
            },
        )
    return found


def _won(own: _Verdicts, clusters: Sequence[str]) -> Estimate:
    return mean([OUTCOME[winner] for winner in own.winners], clusters=clusters, low=0, high=1, unit="verdict")


_Outcomes = Mapping[str, Mapping[str, float]]
"""Candidate to sample to its outcome by one judge."""
_Pair = tuple[str, str, int]
"""Candidate, sample, and the side on which the family is."""


def _pairs(own: _Outcomes, families: Families, family: str, reference: str) -> Iterator[_Pair]:
    """The pairs of an answer of the family with one that is not of it."""
    for candidate, by_sample in own.items():
        if side := families.side(family, candidate, reference):
            yield from ((candidate, sample, side) for sample in by_sample)


def _family_lean(
    judge: str,
    pairs: Sequence[_Pair],
    outcomes: Mapping[str, _Outcomes],
    together: Callable[[Sequence[str]], list[str]],
) -> FamilyLean:
    clusters = together([sample for _, sample, _ in pairs])
    own = [turned(outcomes[judge][candidate][sample], side) for candidate, sample, side in pairs]
    others = [
        turned(fmean(said), side) if (said := _others(judge, outcomes, candidate, sample)) else None
        for candidate, sample, side in pairs
    ]
    beyond = paired_difference(own, others, clusters=clusters)
    if not any(one is not None for one in others):
        beyond = Estimate(value=None, n_missing=len(pairs), reason=ALONE)
    return FamilyLean(preferred=mean(own, clusters=clusters, low=0, high=1, unit="pair"), beyond=beyond)


def favouring(found: Mapping[str, JudgeLean]) -> Iterator[HealthFinding]:
    """A finding on each judge that surely prefers its own family more than the rest of its panel does."""
    for judge, lean in found.items():
        of = lean.families.get(lean.family)
        if of is not None and of.beyond.low is not None and of.beyond.low > 0:
            values = {"family": lean.family, "gap": f"{100 * (of.beyond.value or 0):.1f}"}
            yield finding("own_family", judge, values, share=of.beyond)


def _others(judge: str, outcomes: Mapping[str, _Outcomes], candidate: str, sample: str) -> list[float]:
    """What the panel's other judges said of the same pair."""
    return [
        by_candidate[candidate][sample]
        for other, by_candidate in outcomes.items()
        if other != judge and sample in by_candidate.get(candidate, {})
    ]
