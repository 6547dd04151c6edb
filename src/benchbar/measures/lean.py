"""How each judge of a run leans: towards a position, and towards each candidate, beside the others of its panel."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from benchbar.records import Comparison, Estimate, Order, Winner
from benchbar.records.results import JudgeLean
from benchbar.statistics import mean, proportion

WORTH = {Winner.LEFT: 1.0, Winner.TIE: 0.5, Winner.RIGHT: 0.0}
_FIRST: dict[Order, Winner] = {"left_first": Winner.LEFT, "right_first": Winner.RIGHT}


@dataclass
class LeanTally:
    """Verdicts by judge and candidate, and by whether they name the dialogue that was shown first."""

    winners: dict[str, dict[str, Counter[Winner]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    first: Counter[str] = field(default_factory=Counter)

    def add(self, comparisons: tuple[Comparison, ...]) -> None:
        """Take in the verdicts on one sample."""
        for one in comparisons:
            if one.winner is not None:
                self.winners[one.judge][one.left][one.winner] += 1
                self.first[one.judge] += one.winner is _FIRST[one.order]


def leans(tally: LeanTally) -> dict[str, JudgeLean]:
    """Judge to its lean; intervals are of verdicts, and so a little narrow where one sample has several."""
    found = {}
    for judge, by_candidate in tally.winners.items():
        decided = sum(count for of in by_candidate.values() for winner, count in of.items() if winner is not Winner.TIE)
        found[judge] = JudgeLean(
            first=proportion(tally.first[judge], decided),
            won={name: _won(of) for name, of in by_candidate.items()},
        )
    return found


def _won(of: Counter[Winner]) -> Estimate:
    values = [WORTH[winner] for winner, count in of.items() for _ in range(count)]
    return mean(values, low=0, high=1, unit="verdict")
