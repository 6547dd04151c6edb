"""A judge that marks guidance points one by one, each mark proven by a quotation from the assistant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import msgspec

from benchbar.languages.prompts import Prompts
from benchbar.languages.text import comparable
from benchbar.records import (
    Dialogue,
    Evidence,
    GuidancePoint,
    Layer,
    Score,
    ScoreStatus,
)
from benchbar.records.answers import closing_object
from benchbar.records.protocols import Asks, Model, ScoringInput, object_schema
from benchbar.scoring.judges.asking import Form, Questioner
from benchbar.scoring.judges.guidance import case
from benchbar.scoring.judges.shield import transcript

VERSION = "1"
VALUES = {"met": 1.0, "partly": 0.5, "not_met": 0.0}
MOST_QUOTED = 120
"""Characters of a quotation, where an endpoint is held to a schema; the prompt asks for no more than 80."""


# No Record, which refuses unknown fields: judges add some of their own.
class _Held(msgspec.Struct):
    mark: str
    quote: str = ""


class _Mark(_Held, kw_only=True):
    point: str


class _Answer(msgspec.Struct):
    marks: list[_Mark]


class Checklist:
    """Marks the points that rules left open."""

    name, compares = "checklist", False
    asks: Asks = "sometimes"

    def __init__(
        self, model: Model, prompts: Prompts, *, attempts: int = 3, follows_up: bool = True, soft: bool = False
    ) -> None:
        """Asks ``model``, at most ``attempts`` times until every point has a mark that can be read and proven.

        ``soft``: a mark counts by the probabilities of what it may be, where the endpoint states them.
        """
        self._asks, self._prompts, self._soft = Questioner(model, attempts, follows_up), prompts, soft
        self.identity = f"checklist:{model.identity}"

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One score for each open point; failed where no answer held a mark for it, or its quotation is made up."""
        points = given.open_points
        if not points:
            return ()
        sheet = _Sheet(points, given.dialogue)
        found = await self._asks.put(
            lambda: self._prompt(given, sheet.left), sheet.form(), language=given.sample.language, repeat=given.repeat
        )
        # The object's fields are in the order of the points, and so are the places where it decides; after a second
        # answer there may be fewer.
        stated = dict(zip((point.id for point in points), found.probabilities, strict=False))
        missing = found.reason or "the judge gave no mark for it"
        return tuple(
            self._score(given, point, sheet.marks.get(point.id), stated.get(point.id, {}), reason=missing)
            for point in points
        )

    def _prompt(self, given: ScoringInput, points: Sequence[GuidancePoint]) -> str:
        sample = given.sample
        shown = transcript(given.dialogue, sample.language)
        return self._prompts.render(
            "checklist",
            sample.language,
            **case(given, only=points),
            nonce=self._prompts.nonce("checklist", sample.id, shown),
            dialogue=shown,
        )

    def _score(
        self,
        given: ScoringInput,
        point: GuidancePoint,
        proven: _Proven | None,
        probabilities: dict[str, float],
        *,
        reason: str,
    ) -> Score:
        value = proven.value if proven else None
        if proven and self._soft and probabilities:
            value = sum(VALUES[mark] * share for mark, share in probabilities.items())
        return Score(
            sample=given.dialogue.sample,
            assistant=given.dialogue.assistant,
            dimension=point.id,
            layer=Layer.LLM,
            status=ScoreStatus.FAILED if value is None else ScoreStatus.SCORED,
            value=value,
            evidence=(proven.evidence,) if proven and proven.evidence else (),
            reason="" if proven else reason,
            scorer=self.identity,
            version=VERSION,
            repeat=given.repeat,
            probabilities=probabilities if proven else {},
        )


class _Proven(NamedTuple):
    """A mark, and where the assistant said what proves it."""

    value: float
    evidence: Evidence | None


class _Sheet:
    """The marks of one dialogue, as far as they are known after some answers of the judge."""

    def __init__(self, points: Sequence[GuidancePoint], dialogue: Dialogue) -> None:
        """Of these points, none marked yet."""
        self._points, self._dialogue = points, dialogue
        self.marks: dict[str, _Proven] = {}

    @property
    def left(self) -> list[GuidancePoint]:
        """The points that have no mark yet."""
        return [point for point in self._points if point.id not in self.marks]

    def form(self) -> Form[Self]:
        """What the judge is asked for. The quotation stands before its mark: first the proof, then what it proves."""
        one = object_schema(
            {"quote": {"type": "string", "maxLength": MOST_QUOTED}, "mark": {"type": "string", "enum": list(VALUES)}}
        )
        return Form(
            what="mark",
            fields={point.id: one for point in self._points},
            example={point.id: {"quote": "…", "mark": " | ".join(VALUES)} for point in self._points},
            read=lambda answer: self._read(closing_object(answer, "marks")),
            decode=self._decode,
            choices=tuple(VALUES),
            decides="mark",
            reasons=False,
            again=lambda say: say("judge.again_points", points=", ".join(point.id for point in self.left)),
        )

    def _read(self, text: str) -> Self | None:
        return self._add({mark.point: mark for mark in msgspec.json.decode(text, type=_Answer).marks})

    def _decode(self, text: bytes) -> Self | None:
        return self._add(msgspec.json.decode(text, type=dict[str, _Held]))

    def _add(self, marks: Mapping[str, _Held]) -> Self | None:
        """Itself once every point has its mark."""
        for point in self.left:
            mark = marks.get(point.id)
            value = VALUES.get(mark.mark) if mark else None
            if mark is None or value is None:
                continue
            evidence = find_quote(mark.quote, self._dialogue)
            # A mark without proof from the assistant's own words is no mark.
            if value == 0.0 or evidence:
                self.marks[point.id] = _Proven(value, evidence)
        return None if self.left else self


def find_quote(quote: str, dialogue: Dialogue) -> Evidence | None:
    """Where the assistant said this, ignoring width, case, spaces and punctuation; None where it never did."""
    wanted = comparable(quote).text
    # An empty quotation stands in every text.
    if not wanted:
        return None
    for index, turn in enumerate(dialogue.turns):
        # What the user said first proves nothing of the assistant.
        if turn.role != "assistant":
            continue
        plain = comparable(turn.content)
        at = plain.text.find(wanted)
        if at >= 0 and plain.starts is not None:
            start, end = plain.starts[at], plain.starts[at + len(wanted) - 1] + 1
            return Evidence(turn=index, start=start, end=end, text=turn.content[start:end])
    return None
