"""A judge that marks guidance points one by one, each mark proven by a quotation from the assistant."""

from __future__ import annotations

from collections.abc import Sequence

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
    Turn,
)
from benchbar.records.errors import ModelError
from benchbar.records.protocols import Asks, Model, ScoringInput
from benchbar.scoring.judges.guidance import listed
from benchbar.scoring.judges.shield import closing_object, harmless, transcript

VERSION = "1"
VALUES = {"met": 1.0, "partly": 0.5, "not_met": 0.0}


class _Mark(msgspec.Struct):
    point: str
    mark: str
    quote: str = ""


class _Answer(msgspec.Struct):
    marks: list[_Mark]


class Checklist:
    """Marks the points that rules left open."""

    name, compares = "checklist", False
    asks: Asks = "sometimes"

    def __init__(self, model: Model, prompts: Prompts, *, attempts: int = 3) -> None:
        """Asks ``model``, at most ``attempts`` times until every point has a mark that can be read and proven."""
        self._model, self._prompts, self._attempts = model, prompts, attempts
        self.identity = f"checklist:{model.identity}"

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One score for each open point; failed where no answer held a mark for it, or its quotation is made up."""
        dialogue, points, repeat = given.dialogue, given.open_points, given.repeat
        done: dict[str, Score] = {}
        failure = "the judge gave no mark for it"
        for attempt in range(self._attempts):
            left = [point for point in points if point.id not in done]
            if not left:
                break
            prompt = Turn(role="user", content=self._prompt(given, left))
            try:
                reply = await self._model.ask([prompt], role="judge", repeat=repeat, attempt=attempt)
            except ModelError as error:
                if error.fatal:
                    raise
                failure = f"{error.slug}: {error}"
                break
            done |= self._read(reply.content, dialogue, left, repeat)
        return tuple(done.get(point.id) or self._score(dialogue, point, repeat, reason=failure) for point in points)

    def _prompt(self, given: ScoringInput, points: Sequence[GuidancePoint]) -> str:
        task, sample = given.task, given.sample
        shown = transcript(given.dialogue, sample.language)
        return self._prompts.render(
            "checklist",
            sample.language,
            background=task.background or task.name,
            information=harmless(sample.information),
            needs=harmless(sample.needs),
            guidance=listed(sample.guidance, sample.language, only=points),
            nonce=self._prompts.nonce("checklist", sample.id, shown),
            dialogue=shown,
        )

    def _read(self, answer: str, dialogue: Dialogue, points: Sequence[GuidancePoint], repeat: int) -> dict[str, Score]:
        try:
            marks = msgspec.json.decode(closing_object(answer, "marks"), type=_Answer).marks
        except (msgspec.MsgspecError, RecursionError):
            return {}
        by_id = {mark.point: mark for mark in marks}
        read: dict[str, Score] = {}
        for point in points:
            mark = by_id.get(point.id)
            value = VALUES.get(mark.mark) if mark else None
            if mark is None or value is None:
                continue
            evidence = find_quote(mark.quote, dialogue)
            # A mark without proof from the assistant's own words is no mark.
            if value == 0.0 or evidence:
                read[point.id] = self._score(dialogue, point, repeat, value=value, evidence=evidence)
        return read

    def _score(
        self,
        dialogue: Dialogue,
        point: GuidancePoint,
        repeat: int,
        *,
        value: float | None = None,
        evidence: Evidence | None = None,
        reason: str = "",
    ) -> Score:
        return Score(
            sample=dialogue.sample,
            assistant=dialogue.assistant,
            dimension=point.id,
            layer=Layer.LLM,
            status=ScoreStatus.FAILED if value is None else ScoreStatus.SCORED,
            value=value,
            evidence=(evidence,) if evidence else (),
            reason=reason,
            scorer=self.identity,
            version=VERSION,
            repeat=repeat,
        )


def find_quote(quote: str, dialogue: Dialogue) -> Evidence | None:
    """Where the assistant said this, ignoring width, case, spaces and punctuation; None where it never did."""
    wanted = comparable(quote).text
    if not wanted:
        return None
    for index, turn in enumerate(dialogue.turns):
        if turn.role != "assistant":
            continue
        plain = comparable(turn.content)
        at = plain.text.find(wanted)
        if at >= 0 and plain.starts is not None:
            start, end = plain.starts[at], plain.starts[at + len(wanted) - 1] + 1
            return Evidence(turn=index, start=start, end=end, text=turn.content[start:end])
    return None
