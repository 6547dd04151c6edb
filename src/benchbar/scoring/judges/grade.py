"""A judge that gives 0 to 100 points by written criteria, once for each run it is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from benchbar.languages.prompts import Prompts
from benchbar.records import Dialogue, DialogueEnd, Layer, Score, ScoreStatus, Turn
from benchbar.records.errors import ModelError
from benchbar.records.protocols import Asks, Model, ScoringInput
from benchbar.scoring.judges.guidance import listed
from benchbar.scoring.judges.shield import closing_line, harmless, transcript
from benchbar.scoring.rubrics.apply import GRADE
from benchbar.scoring.rubrics.rubric import Criterion, read_rubric

VERSION = "1"
MAX_REASON = 4000
_OBJECT = re.compile(r"\{[^{}]{0,2000}\}")


class Grade:
    """Grades one whole dialogue on every criterion of a rubric."""

    name, compares = "grade", False
    asks: Asks = "sometimes"

    def __init__(
        self,
        model: Model,
        prompts: Prompts,
        *,
        attempts: int = 3,
        criteria: Mapping[str, Criterion] | None = None,
    ) -> None:
        """Asks ``model``, at most ``attempts`` times a run until all its points can be read.

        Without ``criteria`` those of the bundled consultation rubric hold: completeness 40, accuracy 40, clarity 20.
        """
        self._model, self._prompts, self._attempts = model, prompts, attempts
        self._criteria = dict(criteria or read_rubric("consultation").criteria)
        self.identity = f"grade:{model.identity}"

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One score for each criterion, from 0 to 1 of its points; all failed where no answer of this run could be read."""
        dialogue, repeat = given.dialogue, given.repeat
        if dialogue.ended is DialogueEnd.ERROR:
            return self._scores(dialogue, repeat, reason="the dialogue failed")
        prompt = Turn(role="user", content=self._prompt(given))
        reason = f"no grade could be read from {self._attempts} answers"
        for attempt in range(self._attempts):
            try:
                reply = await self._model.ask([prompt], role="judge", repeat=repeat, attempt=attempt)
            except ModelError as error:
                if error.fatal:
                    raise
                reason = f"{error.slug}: {error}"
                break
            if points := self._read(reply.content):
                return self._scores(dialogue, repeat, points, reason=reply.content[:MAX_REASON])
        return self._scores(dialogue, repeat, reason=reason)

    def _prompt(self, given: ScoringInput) -> str:
        """The whole dialogue is shown, not its beginning."""
        task, sample = given.task, given.sample
        shown = transcript(given.dialogue, sample.language)
        return self._prompts.render(
            "grade",
            sample.language,
            background=task.background or task.name,
            information=harmless(sample.information),
            needs=harmless(sample.needs),
            guidance=listed(sample.guidance, sample.language),
            criteria="\n".join(self._listed(sample.language)),
            form=msgspec.json.encode({name: _whole(one.points) for name, one in self._criteria.items()}).decode(),
            nonce=self._prompts.nonce("grade", sample.id, shown),
            dialogue=shown,
        )

    def _listed(self, language: str) -> list[str]:
        return [
            f"- {name} ({one.points:g}): {one.text.get(language) or one.text.get('en', name)}"
            for name, one in self._criteria.items()
        ]

    def _read(self, answer: str) -> dict[str, float] | None:
        """Points of every criterion from the closing line's object; None where one is missing, or out of its range."""
        found = _OBJECT.findall(closing_line(answer)) or _OBJECT.findall(answer[-2000:])[-1:]
        if len(found) != 1:
            return None
        try:
            points = msgspec.json.decode(found[0], type=dict[str, float])
        except msgspec.MsgspecError:
            return None
        if points.keys() != self._criteria.keys():
            return None
        fits = all(0 <= points[name] <= one.points for name, one in self._criteria.items())
        return points if fits else None

    def _scores(
        self, dialogue: Dialogue, repeat: int, points: Mapping[str, float] | None = None, *, reason: str
    ) -> tuple[Score, ...]:
        return tuple(
            Score(
                sample=dialogue.sample,
                assistant=dialogue.assistant,
                dimension=f"{GRADE}{name}",
                layer=Layer.LLM,
                status=ScoreStatus.SCORED if points else ScoreStatus.FAILED,
                value=points[name] / one.points if points else None,
                reason=reason,
                scorer=self.identity,
                version=VERSION,
                repeat=repeat,
            )
            for name, one in self._criteria.items()
        )


def _whole(points: float) -> float | int:
    return int(points) if points == int(points) else points
