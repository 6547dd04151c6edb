"""A condition of a release policy, what came of it, and the words in which it is told: shared by the kinds of conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchbar.decisions.estimating import Evidence, Gaps
from benchbar.decisions.planning import NO_PRICES, UnitPrices
from benchbar.decisions.policy import Policy
from benchbar.records import Estimate, GateReason
from benchbar.records.scoring import Decision

OPEN: Decision = "insufficient_evidence"


@dataclass(frozen=True)
class Found:
    """What came of a condition: the decision, what it rests on, and how much more would decide."""

    decision: Decision
    estimate: Estimate
    reasons: tuple[GateReason, ...]
    more: int | None = None
    holds: str = "complete"
    observed: Estimate | None = None
    missing: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Condition:
    """A condition of the policy, and what is known for it."""

    policy: Policy
    own: Evidence
    kind: str
    measure: str
    threshold: float
    prices: UnitPrices = NO_PRICES

    @property
    def at_least(self) -> bool:
        return self.kind != "at_most"


def reason_for(key: str, **values: str | float | dict[str, int]) -> GateReason:
    return GateReason(key=key, values=values)


def counted(kinds: Mapping[str, int]) -> dict[str, int | dict[str, int]]:
    return {"missing": sum(kinds.values()), "kinds": dict(kinds)}


def on_trials(gaps: Gaps) -> Iterator[GateReason]:
    """That a mean over the trials that have a value is not taken for the value of a sample."""
    if gaps.trials:
        yield reason_for("missing_trials", count=gaps.trials)
