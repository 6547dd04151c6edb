"""What several people said of the same tasks: their majority, with what chance it was drawn, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchbar.ledger.reviews import Reviews
from benchbar.records import Estimate, Mark, ReviewTask
from benchbar.records.validation import Figure
from benchbar.statistics import Agreement, majority, ratings

LEAST_PAIR = 5
"""Tasks that two people have both marked, below which a kappa of the pair says nothing."""
MOST_PAIRS = 6
"""Pairs of people whose kappa is shown: those of four people."""
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Voted:
    """One task with what people said of it; who settled a difference has seen the other marks, and is left out."""

    task: ReviewTask
    marks: tuple[Mark, ...]
    chance: float
    """With which it was drawn, in any of the drawings of its kind."""

    def column(self, said: Callable[[Mark], str | None]) -> dict[str, str | None]:
        """Person to label."""
        return {mark.rater: said(mark) for mark in self.marks}


def voted(reviews: Reviews, measure: str, judge: str = "") -> list[Voted]:
    """The drawn tasks of one measure, and of one judge where it is named, that at least one person marked."""
    found = []
    for task in reviews.drawn():
        own = task.judged.judge if task.judged else ""
        if task.measure != measure or own != judge:
            continue
        marks = [one.mark for one in reviews.standing(task.id) if not one.mark.adjudication]
        if marks:
            found.append(Voted(task, tuple(marks), _chance(reviews, task, judge)))
    return found


def _chance(reviews: Reviews, task: ReviewTask, judge: str) -> float:
    """Of being drawn in at least one of the drawings."""
    left = 1.0
    for plan in reviews.plans:
        if plan.measure == task.measure and plan.judge == judge:
            left *= 1 - plan.frame.get(task.assistant, {}).get(task.sample, 0.0)
    return 1 - left if left < 1 else task.probability


def winning(tasks: Sequence[Voted], said: Callable[[Mark], str | None], labels: Sequence[str]) -> list[str | None]:
    """Each task's label with the most votes; None where several have the most, or nobody could say."""
    if not tasks:
        return []
    table = ratings(_columns(tasks, said), labels)
    return [None if code < 0 else labels[code] for code in majority(table).tolist()]


def _columns(tasks: Sequence[Voted], said: Callable[[Mark], str | None]) -> Mapping[str, list[str | None]]:
    rows = [one.column(said) for one in tasks]
    raters = list(dict.fromkeys(rater for row in rows for rater in row))
    return {rater: [row.get(rater) for row in rows] for rater in raters}


def among_people(
    tasks: Sequence[Voted], said: Callable[[Mark], str | None], labels: Sequence[str], name: str
) -> Iterator[Figure]:
    """How far people agree in one answer: raw, Fleiss, Krippendorff, AC1, and Cohen's kappa of the pairs with most in common.

    Intervals are by bootstrap over samples, since the points of one judgement are read together. Nothing where no two people
    marked the same task.
    """
    columns = _columns(tasks, said)
    if len(columns) < 2:
        return
    table = ratings(columns, labels)
    clusters = [one.task.sample for one in tasks]
    measures = Agreement(table, np.random.default_rng(0), clusters=clusters, resamples=RESAMPLES)
    pairs = list(combinations(range(len(table.raters)), 2))
    raw = measures.raw(pairs)
    if raw.value is None:
        return
    yield Figure(group=name, measure="people agree", estimate=raw)
    named: Iterable[tuple[str, Estimate]] = (
        ("Fleiss kappa", measures.fleiss_kappa()),
        ("Krippendorff alpha", measures.krippendorff_alpha()),
        ("Gwet AC1", measures.gwet()),
    )
    for measure, estimate in named:
        yield Figure(group=name, measure=measure, estimate=estimate, share=False)
    there = table.codes >= 0
    common = sorted(((int((there[:, a] & there[:, b]).sum()), a, b) for a, b in pairs), reverse=True)
    for tasks_both, a, b in common[:MOST_PAIRS]:
        if tasks_both >= LEAST_PAIR:
            kappa = measures.cohen_kappa(a, b)
            group = f"{name}: {table.raters[a]}, {table.raters[b]}"
            yield Figure(group=group, measure="Cohen kappa", estimate=kappa, share=False)


def yes_or_no(mark: Mark) -> str | None:
    """A vote of right or wrong as a label; None where it could not be decided."""
    return None if mark.value is None else YES if mark.value else NO


YES, NO = "yes", "no"


def flag(label: str | None) -> bool | None:
    """The same as a flag."""
    return None if label is None else label == YES
