"""What counts of one dialogue and of one sample: small enough to be kept for every dialogue of a large run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from benchbar.scoring.weighing import Weighing


@dataclass(frozen=True, slots=True)
class DialogueFacts:
    """What counts of one dialogue."""

    sample: str
    task: str
    failed: bool
    exchanges: float
    """A whole number, but in the mean of several trials."""
    satisfied: float
    """1 or 0; in the mean of several trials the share that was."""
    guards: frozenset[str]
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    latency: float
    weighing: Weighing
    coverage: dict[str, tuple[float | None, ...]]
    """Category to the value of each of its points, None where nobody decided it."""
    abstained: int
    failed_marks: int
    citations: tuple[tuple[str, float | None], ...]
    """Status and quote score of each citation."""
    values: dict[str, float | None] = field(default_factory=dict)
    """Measure to value: those of the registry that the dialogue alone gives, and those that scoring rules declare."""
    temperament: str = ""
    """Of the simulated user; empty where temperaments are off, and for dialogues recorded elsewhere."""


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """What counts of one sample."""

    dialogues: dict[str, DialogueFacts]
    """By assistant."""
    outcomes: dict[str, float | None]
    """Candidate to its outcome by all verdicts, None where they do not give one; empty where no judge compared."""


def known_mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are there; None where none is. Of a single one it is that very number."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def averaged_trials(trials: Sequence[DialogueFacts]) -> DialogueFacts:
    """The facts of a sample whose dialogue was repeated: each the mean of the trials that have it.

    A sample is what was drawn from the suite, so it counts once, however often its dialogue was held. Citations of all trials
    are kept: their estimates take those of one sample for a cluster anyway.
    """
    if len(trials) == 1:
        return trials[0]
    first, held = trials[0], [one for one in trials if not one.failed] or trials
    weighings = [one.weighing for one in trials]
    return replace(
        first,
        failed=all(one.failed for one in trials),
        exchanges=fmean(one.exchanges for one in held),
        satisfied=fmean(one.satisfied for one in held),
        guards=frozenset[str]().union(*(one.guards for one in trials)),
        weighing=Weighing(
            value=known_mean(one.value for one in weighings),
            weight=first.weighing.weight,
            decided=fmean(one.decided for one in weighings),
            by_rule=fmean(one.by_rule for one in weighings),
        ),
        coverage={
            category: tuple(map(known_mean, zip(*(one.coverage[category] for one in trials), strict=True)))
            for category in first.coverage
        },
        citations=tuple(cited for one in trials for cited in one.citations),
        values={name: known_mean(one.values.get(name) for one in trials) for name in first.values},
    )
