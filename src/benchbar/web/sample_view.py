"""What the page of one sample shows: dialogues with their marks and citations, verdicts, every mark and its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from benchbar.ledger.reviews import Reviews
from benchbar.records import Citation, CitedIn, Dialogue, KeptMark, Sample, Score, Thought
from benchbar.reports.pages import MAX_TEXT, state, thought_of
from benchbar.reports.standing import WRONG, sign, standing
from benchbar.web.config import Lawbook
from benchbar.web.law_texts import LawText, law_text
from benchbar.web.markdown import Marked, as_html, as_text


@dataclass(frozen=True, slots=True)
class CitationView:
    """A citation with the text it leads to."""

    id: str
    """Of the element that holds the text."""
    citation: Citation
    title: str
    text: str
    """Of the article or decision; empty where the law is not at hand."""
    on: str = ""
    """The day whose law counted."""
    source: str = ""
    """Where the text is from; empty where that is not known."""
    later: str = ""
    """What took the place of a law not in force."""
    hidden: int = 0
    """Characters of the text that are not shown."""
    invented: bool = False
    """Whether the law it leads to is invented, so that being in force there says nothing."""

    @property
    def state(self) -> str:
        """The style of the citation."""
        return standing(self.citation, invented=self.invented)


@dataclass(frozen=True, slots=True)
class TurnView:
    """One utterance."""

    number: int
    role: str
    body: Markup
    hidden: int
    guards: tuple[str, ...]
    citations: tuple[CitationView, ...]
    thought: Thought | None = None
    """What the assistant thought before it; its text is shown as it is, and nothing in it is a link or markup."""

    @property
    def against(self) -> bool:
        """Whether a citation is wrong, or its article says otherwise: nobody has to open anything to see it."""
        return any(sign(one.state) == WRONG for one in self.citations)


@dataclass(frozen=True, slots=True)
class PersonsMark:
    """A mark of a person, and whether a later one took its place."""

    kept: KeptMark
    standing: bool
    assistant: str
    picked: bool = False
    """Whether the answer was picked by hand: such a mark counts in no estimate."""


@dataclass(frozen=True, slots=True)
class DialogueView:
    """One column of the page: a dialogue with all that was said of it."""

    dialogue: Dialogue
    scores: Sequence[Score]
    cited: Sequence[CitedIn]
    sample: Sample | None
    column: int
    law: Lawbook | None
    raw: bool
    """Whether Markdown is shown as it was written."""

    def turns(self) -> tuple[TurnView, ...]:
        """The utterances, ready to be laid out."""
        return tuple(self._turn(number) for number in range(len(self.dialogue.turns)))

    def _turn(self, number: int) -> TurnView:
        turn = self.dialogue.turns[number]
        # The rest is counted and said (`hidden`): a reply of a megabyte must not make the page unusable.
        shown = turn.content[:MAX_TEXT]
        own = [one for one in self.cited if one.turn == number]
        views = [
            replace(_cited(one.citation, f"law-{self.column}-{number}-{place}", self.law), on=one.on)
            for place, one in enumerate(own)
        ]
        marks = [*_evidence(self.scores, number, self.sample), *(_mark_of(view) for view in views)]
        # What users write is no Markdown: a `*` of theirs is a star.
        written = as_text if self.raw or turn.role != "assistant" else as_html
        return TurnView(
            number=number,
            role=turn.role,
            body=written(shown, marks),
            hidden=len(turn.content) - len(shown),
            guards=tuple(finding.guard for finding in self.dialogue.guards if finding.turn == number),
            citations=tuple(views),
            thought=thought_of(self.dialogue, number),
        )


def _evidence(scores: Sequence[Score], turn: int, sample: Sample | None) -> list[Marked]:
    points = {point.id: point for point in sample.guidance.points} if sample else {}
    # A set: two judges that quote the same words for the same point make one mark.
    found = {
        Marked(one.start, one.end, state(score, points.get(score.dimension)), score.dimension)
        for score in scores
        for one in score.evidence
        if one.turn == turn
    }
    return sorted(found, key=lambda one: (one.start, one.end, one.label))


def _mark_of(view: CitationView) -> Marked:
    start, end = view.citation.span
    return Marked(start, end, view.state, view.title or view.citation.text, view.id)


def _cited(citation: Citation, id_: str, law: Lawbook | None) -> CitationView:
    names = filter(None, (citation.article_id, citation.case_number)) if law else ()
    # Either id: a statute's article or a decision's case number.
    found = next((text for name in names if law and (text := law.text_of(name))), None)
    shown = law_text(citation, found) if found is not None else LawText("", "")
    source = law.source_of(found) if law and found is not None else ""
    invented = bool(law and law.invented)
    later = law.later_of(citation) if law else citation.superseded_by or ""
    return CitationView(
        id_, citation, shown.title, shown.text, source=source, later=later, hidden=shown.hidden, invented=invented
    )


def persons_marks(reviews: Reviews, sample: str) -> list[PersonsMark]:
    """All that people said of a sample, in order; corrected marks stay."""
    tasks = {id_: task for id_, task in reviews.tasks.items() if task.sample == sample}
    corrected = {one.mark.corrects for one in reviews.marks}
    return [
        PersonsMark(
            one, one.number not in corrected, tasks[one.mark.task].assistant, picked=tasks[one.mark.task].picked
        )
        for one in reviews.marks
        if one.mark.task in tasks
    ]
