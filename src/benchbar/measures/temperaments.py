"""From accumulated facts to results by temperament of the simulated users."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from benchbar.dialogue.temperaments import Assignment, Temperament, mistake_of
from benchbar.measures.facts import DialogueFacts
from benchbar.measures.registry import CONSULTATION, Known
from benchbar.records import Suite
from benchbar.records.temperaments import Robustness, TemperamentCell, TemperamentResults
from benchbar.statistics import paired_difference

CONFIDENCE = 0.95


def by_temperament(suite: Suite, assignment: Assignment, of: Mapping[str, Known]) -> TemperamentResults | None:
    """Cells by temperament and the spread between the worst and the best; None where temperaments are off.

    ``of`` is what is known of each assistant's dialogues.
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
        assistants={name: _cells(whole, assignment) for name, whole in of.items()},
        robustness={name: _robustness(whole.facts, assignment) for name, whole in of.items()},
    )


def _cells(whole: Known, assignment: Assignment) -> dict[str, TemperamentCell]:
    found = {}
    for temperament in assignment.temperaments:
        part = whole.narrowed(partial(_has, str(temperament)))
        if part.facts:
            measures = {
                one.definition.name: one.estimate(part) for one in CONSULTATION if one.temperaments and one.estimate
            }
            found[str(temperament)] = TemperamentCell(samples=len(part.facts), measures=measures)
    return found


def _has(temperament: str, fact: DialogueFacts) -> bool:
    return fact.temperament == temperament


def _robustness(facts: Sequence[DialogueFacts], assignment: Assignment) -> Robustness | None:
    """The temperaments with the lowest and the highest mean, and their difference within blocks.

    Worst and best are chosen by the same data that their difference is measured on. The interval is therefore made to
    hold for all pairs of temperaments at once (Bonferroni).
    """
    point_scores = {fact.sample: fact.weighing.value for fact in facts if fact.temperament}
    scores: dict[str, list[float]] = {str(one): [] for one in assignment.temperaments}
    for fact in facts:
        if fact.temperament and fact.weighing.value is not None:
            scores[fact.temperament].append(fact.weighing.value)
    means = {name: sum(values) / len(values) for name, values in scores.items() if values}
    # Nothing to compare.
    if len(means) < 2:
        return None
    worst, best = min(means, key=lambda name: means[name]), max(means, key=lambda name: means[name])
    low, high = (_in_blocks(point_scores, assignment, name) for name in (worst, best))
    pairs = len(list(combinations(means, 2)))
    found = paired_difference(low, high, confidence=1 - (1 - CONFIDENCE) / pairs)
    method = f"paired difference within blocks, {found.method}, Bonferroni over {pairs} pairs"
    return Robustness(worst, best, replace(found, method=method, confidence=CONFIDENCE, unit="block"))


def _in_blocks(point_scores: dict[str, float | None], assignment: Assignment, temperament: str) -> list[float | None]:
    """The point score of each block's sample with this temperament; None where there is no such sample or no score."""
    of = assignment.of or {}
    return [
        next((point_scores.get(id_) for id_ in block if of[id_] == temperament), None) for block in assignment.blocks
    ]
