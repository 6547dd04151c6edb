"""From a tally to results by temperament of the simulated users."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from benchbar.dialogue.temperaments import Assignment, Temperament, mistake_of
from benchbar.measures.tally import DialogueFacts, Tally
from benchbar.records import Estimate, Suite
from benchbar.records.temperaments import Robustness, TemperamentCell, TemperamentResults
from benchbar.statistics import mean, paired_difference, share, win_rate

CONFIDENCE = 0.95


def by_temperament(
    suite: Suite, tally: Tally, assignment: Assignment, outcomes: dict[str, list[float | None]]
) -> TemperamentResults | None:
    """Cells by temperament and the spread between the worst and the best; None where temperaments are off.

    ``outcomes`` holds each assistant's outcome against the reference, in the order of its dialogues.
    """
    if not assignment.temperaments:
        return None
    counts = Counter(temperament for sample in suite.samples if (temperament := assignment(sample)))
    ids = {sample.id for sample in suite.samples}
    mistaken = [sample for sample in suite.samples if assignment(sample) is Temperament.MISTAKEN]
    return TemperamentResults(
        names=tuple(str(one) for one in assignment.temperaments),
        seed=assignment.seed,
        assigned={str(one): counts[one] for one in assignment.temperaments},
        blocks=sum(any(id_ in ids for id_ in block) for block in assignment.blocks),
        without_mistake=sum(mistake_of(sample) is None for sample in mistaken),
        assistants={name: _cells(tally, name, assignment, outcomes[name]) for name in tally.dialogues},
        robustness={name: _robustness(facts, assignment) for name, facts in tally.dialogues.items()},
    )


def _cells(
    tally: Tally, name: str, assignment: Assignment, outcomes: Sequence[float | None]
) -> dict[str, TemperamentCell]:
    pairs = list(zip(tally.dialogues[name], outcomes, strict=True))
    found = {}
    for temperament in assignment.temperaments:
        own = [(fact, outcome) for fact, outcome in pairs if fact.temperament == temperament]
        if own:
            facts = [fact for fact, _ in own]
            found[str(temperament)] = TemperamentCell(
                samples=len(own),
                win_rate=Estimate(value=None, reason="it is the reference itself")
                if name == tally.reference
                else win_rate([outcome for _, outcome in own]),
                point_score=mean([fact.worth.value for fact in facts], low=0, high=1),
                satisfied=share([None if fact.failed else fact.satisfied for fact in facts]),
                turns=mean([None if fact.failed else fact.exchanges for fact in facts]),
            )
    return found


def _robustness(facts: Sequence[DialogueFacts], assignment: Assignment) -> Robustness | None:
    """The temperaments with the lowest and the highest mean, and their difference within blocks.

    Worst and best are chosen by the same data that their difference is measured on. The interval is therefore made to
    hold for all pairs of temperaments at once (Bonferroni).
    """
    worths = {fact.sample: fact.worth.value for fact in facts if fact.temperament}
    scores: dict[str, list[float]] = {str(one): [] for one in assignment.temperaments}
    for fact in facts:
        if fact.temperament and fact.worth.value is not None:
            scores[fact.temperament].append(fact.worth.value)
    means = {name: sum(values) / len(values) for name, values in scores.items() if values}
    if len(means) < 2:  # noqa: PLR2004 - nothing to compare
        return None
    worst, best = min(means, key=lambda name: means[name]), max(means, key=lambda name: means[name])
    low, high = (_in_blocks(worths, assignment, name) for name in (worst, best))
    pairs = len(list(combinations(means, 2)))
    found = paired_difference(low, high, confidence=1 - (1 - CONFIDENCE) / pairs)
    method = f"paired difference within blocks, {found.method}, Bonferroni over {pairs} pairs"
    return Robustness(worst, best, replace(found, method=method, confidence=CONFIDENCE, unit="block"))


def _in_blocks(worths: dict[str, float | None], assignment: Assignment, temperament: str) -> list[float | None]:
    """The worth of the block's sample with this temperament; None where the block has none, or it has no worth."""
    of = assignment.of or {}
    return [next((worths.get(id_) for id_ in block if of[id_] == temperament), None) for block in assignment.blocks]
