"""What the page of one sample shows, ready to be laid out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchbar.artefacts.folder import Material
from benchbar.records import Citation, CitedIn, Comparison, Dialogue, RunResults, Sample, Score, Suite, Task, Winner
from benchbar.reports.highlight import Segment, Span, segments
from benchbar.reports.marks import PointRow, point_rows, state
from benchbar.reports.outcomes import Worths, called, outcomes, worths
from benchbar.reports.verdicts import candidates, everyone

MAX_TEXT = 20_000
"""Characters of one text that a page shows; what is longer is in the run folder."""


@dataclass(frozen=True, slots=True)
class TurnView:
    """One utterance, cut at its evidence."""

    role: str
    pieces: tuple[Segment, ...]
    hidden: int
    """Characters that are not shown."""
    guards: tuple[str, ...]
    citations: tuple[Citation, ...]
    """Each distinct one once."""


@dataclass(frozen=True, slots=True)
class Column:
    """One assistant's dialogue."""

    name: str
    dialogue: Dialogue | None
    turns: tuple[TurnView, ...]
    worth: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one candidate fared against the reference."""

    name: str
    called: str
    worth: float | None
    comparisons: tuple[Comparison, ...]
    """Both orders and all repeats; empty where no judge compared."""


@dataclass(frozen=True, slots=True)
class Page:
    """One sample with everything that was said and found about it."""

    number: int
    sample: str
    task: Task | None
    content: Sample | None
    outcomes: tuple[Outcome, ...]
    reference_worth: float | None
    columns: tuple[Column, ...]
    points: tuple[PointRow, ...]
    spread: float
    """From 0 to 2: how far apart the assistants are."""

    @property
    def characters(self) -> int:
        """Characters of its dialogues: the page has at least as many bytes."""
        return sum(len(piece.text) for column in self.columns for turn in column.turns for piece in turn.pieces)


def pages(results: RunResults, material: Material, suite: Suite | None) -> tuple[Page, ...]:
    """A page for each sample that has a dialogue, in the order of the run."""
    shown = material.dialogues
    samples = {sample.id: sample for sample in suite.samples if sample.id in shown} if suite else {}
    worth = worths(material, {id_: sample.guidance for id_, sample in samples.items()})
    found = outcomes(results, material, worth)
    return tuple(
        _page(number, id_, samples.get(id_), suite, results, material, worth, found[id_])
        for number, id_ in enumerate(material.dialogues, start=1)
    )


def _page(
    number: int,
    id_: str,
    sample: Sample | None,
    suite: Suite | None,
    results: RunResults,
    material: Material,
    worth: Worths,
    outcome: dict[str, float | None],
) -> Page:
    names, scores, own = everyone(results), material.scores.get(id_, {}), worth.get(id_, {})
    comparisons = material.comparisons.get(id_, {})
    return Page(
        number=number,
        sample=id_,
        task=suite.tasks.get(sample.task) if suite and sample else None,
        content=sample,
        outcomes=tuple(
            Outcome(name, called(outcome[name]), own.get(name), tuple(comparisons.get(name, ())))
            for name in candidates(results)
        ),
        reference_worth=own.get(results.reference),
        columns=tuple(_column(name, id_, material, sample, own.get(name)) for name in names),
        points=point_rows(sample, [scores.get(name, []) for name in names]),
        spread=_spread(outcome, own),
    )


def _spread(outcome: dict[str, float | None], own: dict[str, float | None]) -> float:
    values = [value for value in own.values() if value is not None]
    apart = [abs(value - 0.5) * 2 for value in outcome.values() if value is not None]
    return (max(values) - min(values) if values else 0.0) + max(apart, default=0.0)


def _column(name: str, id_: str, material: Material, sample: Sample | None, worth: float | None) -> Column:
    dialogue = material.dialogues[id_].get(name)
    scores = material.scores.get(id_, {}).get(name, [])
    cited = material.citations.get(id_, {}).get(name, [])
    turns = tuple(_turns(dialogue, scores, cited, sample)) if dialogue else ()
    return Column(name=name, dialogue=dialogue, turns=turns, worth=worth)


def _turns(
    dialogue: Dialogue, scores: Sequence[Score], cited: Sequence[CitedIn], sample: Sample | None
) -> Iterator[TurnView]:
    spans = _spans(scores, sample)
    for index, turn in enumerate(dialogue.turns):
        shown = turn.content[:MAX_TEXT]
        yield TurnView(
            role=turn.role,
            pieces=segments(shown, spans.get(index, ())),
            hidden=len(turn.content) - len(shown),
            guards=tuple([finding.guard for finding in dialogue.guards if finding.turn == index]),
            citations=_distinct([one.citation for one in cited if one.turn == index]) if cited else (),
        )


def _spans(scores: Sequence[Score], sample: Sample | None) -> dict[int, list[Span]]:
    """Turn to the pieces of it that marks rest on."""
    spans: dict[int, list[Span]] = {}
    if not any(score.evidence for score in scores):
        return spans
    points = {point.id: point for point in sample.guidance.points} if sample else {}
    for score in scores:
        what = state(score, points.get(score.dimension))
        for one in score.evidence:
            spans.setdefault(one.turn, []).append(Span(one.start, one.end, score.dimension, what))
    return spans


def _distinct(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    return tuple({(one.text, one.status): one for one in citations}.values())


def winner_of(comparison: Comparison) -> str | None:
    """The name of the assistant that a verdict names; None for a tie or no verdict."""
    if comparison.winner is Winner.LEFT:
        return comparison.left
    return comparison.right if comparison.winner is Winner.RIGHT else None
