"""What automatic values go along with: people's grades, people's preferences, the length of the talk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from benchbar.ledger.reviews import Reviews
from benchbar.measures.layers import with_people
from benchbar.measures.validation.preferences import JudgedPair
from benchbar.measures.validation.votes import voted
from benchbar.records import COMPARED, HumanMarks, RunResults
from benchbar.records.validation import Figure, Validation
from benchbar.statistics import pearson, spearman

LEAST = 4
"""Assistants below which a correlation over assistants has no interval."""


def correlations(
    results: RunResults,
    reviews: Reviews,
    pairs: Mapping[tuple[str, str], JudgedPair],
    marks: Mapping[str, HumanMarks],
    overall: Mapping[str, Mapping[str, float | None]],
) -> Validation:
    """Automatic overall values with people's grades, judges' outcomes with people's, and win rates with exchanges.

    ``overall`` is assistant to sample to the automatic overall value.
    """
    figures: list[Figure] = []
    had, missing = [], []
    graded = sum(len(one.values) for one in marks.values())
    if graded:
        had.append(f"{graded} grades of people")
        figures.append(
            Figure(
                group="automatic overall value and people's grade",
                measure="Pearson",
                estimate=with_people(overall, {name: one.values for name, one in marks.items()}),
                share=False,
            )
        )
    else:
        missing.append("people's grades of dialogues: [review] in the spec, then mark")
    rows = _outcomes(reviews, pairs)
    if rows:
        had.append(f"{len(rows)} pairs that people and the judge compared")
        judged, people = [one for one, _ in rows], [two for _, two in rows]
        group = "judge's outcome and people's, over pairs"
        figures += [
            Figure(group=group, measure="Pearson", estimate=pearson(judged, people, unit="pair"), share=False),
            Figure(group=group, measure="Spearman", estimate=spearman(judged, people, unit="pair"), share=False),
        ]
    else:
        missing.append("people's preferences: `benchbar review draw RUN --ask preferences`")
    if len(results.assistants) < LEAST:
        missing.append(
            f"at least {LEAST} assistants for correlations over assistants; the run has {len(results.assistants)}"
        )
    else:
        had.append(f"{len(results.assistants)} assistants")
        figures += [
            Figure(
                group="exchanges and win rate, over assistants", measure=name.capitalize(), estimate=one, share=False
            )
            for name, one in results.turns_and_win_rate.items()
        ]
    return Validation(
        name="correlation",
        question="What do automatic values go along with?",
        figures=tuple(figures),
        had=tuple(had),
        missing=tuple(missing),
    )


def _outcomes(reviews: Reviews, pairs: Mapping[tuple[str, str], JudgedPair]) -> Sequence[tuple[float, float]]:
    """The mean outcome over judges, and over people, of each pair that both compared."""
    found = []
    for one in voted(reviews, COMPARED):
        pair = pairs.get((one.task.sample, one.task.assistant))
        judged = [value for judge in pair.outcomes if (value := pair.outcome(judge)) is not None] if pair else []
        people = [mark.value for mark in one.marks if mark.value is not None]
        if judged and people:
            found.append((fmean(judged), fmean(people)))
    return found
