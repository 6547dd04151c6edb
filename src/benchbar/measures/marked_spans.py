"""Passages of answers that people marked: which, as what, and how many of each assistant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchbar.ledger.reviews import Reviews
from benchbar.records import KeptMark, MarkedSpan


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with the answer that it stands in, and who marked it."""

    sample: str
    assistant: str
    picked: bool
    """Whether the answer was picked by hand: then nothing of it counts."""
    kept: KeptMark
    span: MarkedSpan


def passages(reviews: Reviews) -> Iterator[Passage]:
    """Those of all marks that no later one corrects, in the order of the tasks; also of tasks that wait for further marks."""
    for task in reviews.tasks.values():
        for kept in reviews.standing(task.id):
            for span in kept.mark.spans:
                name = task.against if span.against else task.assistant
                yield Passage(task.sample, name, task.picked, kept, span)


def counted_passages(reviews: Reviews) -> dict[str, Counter[str]]:
    """Assistant to kind to the number of passages in answers that chance chose; two people who mark the same are two."""
    found: dict[str, Counter[str]] = {}
    for one in passages(reviews):
        if not one.picked:
            found.setdefault(one.assistant, Counter())[one.span.kind] += 1
    return dict(sorted(found.items()))
