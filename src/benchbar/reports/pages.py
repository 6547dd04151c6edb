"""What the page of one sample shows, ready to be laid out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from benchbar.artefacts.folder import Material
from benchbar.records import (
    Category,
    CitedIn,
    Comparison,
    Dialogue,
    Guidance,
    GuidancePoint,
    Reduction,
    RunResults,
    Sample,
    Score,
    ScoreStatus,
    Suite,
    Task,
    Thought,
    Winner,
)
from benchbar.reports.verdicts import candidates, everyone
from benchbar.scoring.panels import sample_outcome
from benchbar.scoring.weighing import compared, merged, weigh


class Span(NamedTuple):
    """Characters ``start`` to ``end`` of a text, and what rests on them."""

    start: int
    end: int
    label: str
    state: str


class Segment(NamedTuple):
    """A piece of a text that the same spans cover; no labels where none does."""

    text: str
    labels: tuple[str, ...] = ()
    state: str = ""


def segments(text: str, spans: Collection[Span]) -> tuple[Segment, ...]:
    """The text in pieces which, put together, are the text again; spans outside of it are cut to fit.

    Where spans overlap, a piece bears the labels of all, and the state of the one that begins last.
    """
    if not spans:
        return (Segment(text),) if text else ()
    # By start, since the last of those over a piece gives it its colour.
    inside = sorted(
        (Span(max(0, span.start), min(len(text), span.end), span.label, span.state) for span in spans),
        key=lambda span: (span.start, span.end),
    )
    inside = [span for span in inside if span.start < span.end]
    # Cut at every edge, so that spans which overlap need no nested markup.
    borders = sorted({0, len(text), *(edge for span in inside for edge in (span.start, span.end))})
    return tuple(_piece(text, a, b, inside) for a, b in pairwise(borders))


def _piece(text: str, start: int, end: int, spans: list[Span]) -> Segment:
    over = [span for span in spans if span.start <= start and end <= span.end]
    labels = tuple(dict.fromkeys(span.label for span in over))
    return Segment(text[start:end], labels, over[-1].state if over else "")


@dataclass(frozen=True, slots=True)
class Mark:
    """What became of one point in one dialogue."""

    state: str
    """met, partly, not_met, said, avoided, abstained, failed or none."""
    layer: str = ""
    value: float | None = None
    quotes: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PointRow:
    """One guidance point, and its mark for each assistant in the order of the report."""

    id: str
    point: GuidancePoint | None
    """None where the suite is not at hand."""
    needed: int | None
    """How many points of its group suffice."""
    marks: tuple[Mark, ...]


def point_rows(
    sample: Sample | None, by_assistant: Sequence[Sequence[Score]], reduction: Reduction = "mean"
) -> tuple[PointRow, ...]:
    """A row for each point of the sample; for each dimension that was marked where the sample is not at hand."""
    points = {point.id: point for point in sample.guidance.points} if sample else {}
    # Points that nobody marked are shown as well: what is missing is part of the picture.
    ids = list(points) or list(dict.fromkeys(score.dimension for scores in by_assistant for score in scores))
    groups = sample.guidance.at_least if sample else {}
    return tuple(
        PointRow(
            id=id_,
            point=points.get(id_),
            needed=groups.get(points[id_].group) if id_ in points else None,
            marks=tuple(
                mark([s for s in scores if s.dimension == id_], points.get(id_), reduction) for scores in by_assistant
            ),
        )
        for id_ in ids
    )


def mark(scores: Sequence[Score], point: GuidancePoint | None, reduction: Reduction = "mean") -> Mark:
    """The final mark of one point, with the reasons and quotes of those who decided it."""
    if not scores:
        return Mark("none")
    final = merged(scores, reduction, {point.id} if point and point.category is Category.FORBIDDEN else ())[0]
    # A rule that a person overruled gives no reason for the mark that stands.
    deciding = [score for score in scores if score.layer is final.layer and score.status is final.status]
    # Only a panel that does not agree comes to an open point out of marks: what it says is in no single mark.
    deciding = deciding or [final]
    reasons = tuple(dict.fromkeys(score.reason for score in deciding if score.reason))
    quotes = tuple(dict.fromkeys(one.text for score in deciding for one in score.evidence if one.text))
    return Mark(state(final, point), final.layer, final.value, quotes, reasons)


def state(score: Score, point: GuidancePoint | None) -> str:
    """How a score is shown; a forbidden point that was met is ``said``, one that was not is ``avoided``."""
    if score.status is not ScoreStatus.SCORED or score.value is None:
        return "abstained" if score.status is ScoreStatus.ABSTAINED else "failed"
    if point is not None and point.category is Category.FORBIDDEN:
        return "said" if score.value > 0 else "avoided"
    return "met" if score.value >= 1 else "partly" if score.value > 0 else "not_met"


EVEN = 0.5
PointScores = dict[str, dict[str, float | None]]
"""Sample id to assistant to the share of the decided guidance that its dialogue met."""


def reduction_of(results: RunResults) -> Reduction:
    """How the run made one value of what several judges said; runs of before took the mean."""
    return results.panel.reduction if results.panel else "mean"


def point_scores(material: Material, guidance: Mapping[str, Guidance], reduction: Reduction = "mean") -> PointScores:
    """Sample to assistant to point score, from the decided points; samples whose guidance is not at hand are left out."""
    return {
        sample: {name: weigh(guidance[sample], scores, reduction).value for name, scores in by_assistant.items()}
        for sample, by_assistant in material.scores.items()
        if sample in guidance
    }


def outcomes(results: RunResults, material: Material, by_sample: PointScores) -> dict[str, dict[str, float | None]]:
    """Sample id to candidate to 1 (won), 0 (lost), what lies between, or None where nothing was decided.

    A judge's verdicts over both orders where one compared, else the comparison of decided points.
    """
    candidates = [name for name in results.assistants if name != results.reference]
    return {
        sample: {name: _outcome(results, material, by_sample, sample, name) for name in candidates}
        for sample in material.dialogues
    }


def _outcome(results: RunResults, material: Material, by_sample: PointScores, sample: str, name: str) -> float | None:
    # A judge's verdict, where one compared, decides the sample; points are for runs without one.
    if material.comparisons:
        own = material.comparisons.get(sample, {}).get(name, [])
        return sample_outcome(own, reduction_of(results), tie_margin=results.tie_margin) if own else None
    by_assistant = by_sample.get(sample, {})
    return compared(by_assistant.get(name), by_assistant.get(results.reference))


def called(outcome: float | None) -> str:
    """``won``, ``tied``, ``lost`` or ``missing``."""
    if outcome is None:
        return "missing"
    return "tied" if outcome == EVEN else "won" if outcome > EVEN else "lost"


OPENING = 60
"""Characters of a question that stand beside its id."""
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
    citations: tuple[CitedIn, ...]
    """Each distinct one once."""
    thought: Thought | None = None
    """What the assistant thought before it."""


def thought_of(dialogue: Dialogue, turn: int) -> Thought | None:
    """What the assistant thought before a turn, as much of it as a page shows."""
    thoughts = dialogue.thoughts or ()
    found = next((one for one in thoughts if one.turn == turn), None)
    return None if found is None else replace(found, text=found.text[:MAX_TEXT])


@dataclass(frozen=True, slots=True)
class Column:
    """One assistant's dialogue."""

    name: str
    dialogue: Dialogue | None
    turns: tuple[TurnView, ...]
    point_score: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one candidate fared against the reference."""

    name: str
    called: str
    point_score: float | None
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
    reference_score: float | None
    columns: tuple[Column, ...]
    points: tuple[PointRow, ...]
    spread: float
    """From 0 to 2: how far apart the assistants are."""

    @property
    def opening(self) -> str:
        """The first words of the question: an id alone, which may be a hash, tells a reader nothing."""
        text = " ".join(self.content.needs.split()) if self.content else ""
        if len(text) <= OPENING:
            return text
        # At a word's end where there is one: Chinese has no spaces.
        kept = text[:OPENING].rpartition(" ")[0]
        return f"{kept if len(kept) > OPENING // 2 else text[:OPENING]}…"

    @property
    def characters(self) -> int:
        """Characters of its dialogues: the page has at least as many bytes."""
        return sum(len(piece.text) for column in self.columns for turn in column.turns for piece in turn.pieces)


def pages(results: RunResults, material: Material, suite: Suite | None) -> tuple[Page, ...]:
    """A page for each sample that has a dialogue, in the order of the run."""
    shown = material.dialogues
    samples = {sample.id: sample for sample in suite.samples if sample.id in shown} if suite else {}
    guidance = {id_: sample.guidance for id_, sample in samples.items()}
    by_sample = point_scores(material, guidance, reduction_of(results))
    found = outcomes(results, material, by_sample)
    return tuple(
        _page(number, id_, samples.get(id_), suite, results, material, by_sample, found[id_])
        for number, id_ in enumerate(material.dialogues, start=1)
    )


def _page(
    number: int,
    id_: str,
    sample: Sample | None,
    suite: Suite | None,
    results: RunResults,
    material: Material,
    by_sample: PointScores,
    outcome: dict[str, float | None],
) -> Page:
    names, scores, own = everyone(results), material.scores.get(id_, {}), by_sample.get(id_, {})
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
        reference_score=own.get(results.reference),
        columns=tuple(_column(name, id_, material, sample, own.get(name)) for name in names),
        points=point_rows(sample, [scores.get(name, []) for name in names], reduction_of(results)),
        spread=_spread(outcome, own),
    )


def _spread(outcome: dict[str, float | None], own: dict[str, float | None]) -> float:
    values = [value for value in own.values() if value is not None]
    apart = [abs(value - 0.5) * 2 for value in outcome.values() if value is not None]
    # Points and verdicts both count: a judge may part two dialogues that meet the same guidance.
    return (max(values) - min(values) if values else 0.0) + max(apart, default=0.0)


def _column(name: str, id_: str, material: Material, sample: Sample | None, point_score: float | None) -> Column:
    dialogue = material.dialogues[id_].get(name)
    scores = material.scores.get(id_, {}).get(name, [])
    cited = material.citations.get(id_, {}).get(name, [])
    turns = tuple(_turns(dialogue, scores, cited, sample)) if dialogue else ()
    return Column(name=name, dialogue=dialogue, turns=turns, point_score=point_score)


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
            thought=thought_of(dialogue, index),
            citations=_distinct(one for one in cited if one.turn == index) if cited else (),
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


def _distinct(cited: Iterable[CitedIn]) -> tuple[CitedIn, ...]:
    # A statute named ten times in one answer is one finding, unless it is cited for different things.
    return tuple(
        {
            (
                one.citation.text,
                one.citation.status,
                one.citation.claim_check,
                one.citation.judged,
                one.citation.authority,
            ): one
            for one in cited
        }.values()
    )


def winner_of(comparison: Comparison) -> str | None:
    """The name of the assistant that a verdict names; None for a tie or no verdict."""
    if comparison.winner is Winner.LEFT:
        return comparison.left
    return comparison.right if comparison.winner is Winner.RIGHT else None
