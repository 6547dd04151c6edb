"""A judge that gives 0 to 100 points by written criteria, once for each run it is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from benchbar.languages.prompts import Prompts
from benchbar.records import Dialogue, DialogueEnd, Layer, Score, ScoreStatus
from benchbar.records.answers import closing_line, spoken
from benchbar.records.protocols import Asks, Model, ScoringInput
from benchbar.scoring.judges.asking import Form, Questioner
from benchbar.scoring.judges.guidance import case
from benchbar.scoring.judges.shield import transcript
from benchbar.scoring.rubrics.dimension_scores import GRADE
from benchbar.scoring.rubrics.rubric import Criterion, read_rubric

VERSION = "1"
MAX_REASON = 4000
# Without nesting and bounded: linear on a hostile answer of any length.
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
        follows_up: bool = True,
        criteria: Mapping[str, Criterion] | None = None,
    ) -> None:
        """Asks ``model``, at most ``attempts`` times a run until all its points can be read.

        Without ``criteria`` those of the bundled consultation rubric hold: completeness 40, accuracy 40, clarity 20.
        """
        self._asks, self._prompts = Questioner(model, attempts, follows_up), prompts
        self._criteria = dict(criteria or read_rubric("consultation").criteria)
        self._form = self._asked_for()
        self.identity = f"grade:{model.identity}"

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One score for each criterion, from 0 to 1 of its points; all failed where no answer of this run could be read."""
        dialogue, repeat = given.dialogue, given.repeat
        if dialogue.ended is DialogueEnd.ERROR:
            return self._scores(dialogue, repeat, reason="the dialogue failed")
        found = await self._asks.put(
            lambda: self._prompt(given), self._form, language=given.sample.language, repeat=repeat
        )
        if found.value is None:
            return self._scores(dialogue, repeat, reason=found.reason)
        return self._scores(dialogue, repeat, found.value, reason=found.text[:MAX_REASON])

    def _prompt(self, given: ScoringInput) -> str:
        """The whole dialogue is shown, not its beginning."""
        sample = given.sample
        shown = transcript(given.dialogue, sample.language)
        return self._prompts.render(
            "grade",
            sample.language,
            **case(given),
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

    def _asked_for(self) -> Form[dict[str, float]]:
        whole = {name: _whole(one.points) for name, one in self._criteria.items()}
        return Form(
            what="grade",
            fields={name: {"type": "integer", "minimum": 0, "maximum": int(most)} for name, most in whole.items()},
            example=whole,
            read=self._read,
            decode=self._decoded,
        )

    def _read(self, answer: str) -> dict[str, float] | None:
        """Points of every criterion from the closing line's object; None where one is missing, or out of its range."""
        text = spoken(answer)
        # Some judges put the object over several lines; then the last one of the answer's end counts. Two on the
        # closing line count as none.
        found = _OBJECT.findall(closing_line(text)) or _OBJECT.findall(text[-2000:])[-1:]
        return self._fitting(msgspec.json.decode(found[0], type=dict[str, float])) if len(found) == 1 else None

    def _decoded(self, text: bytes) -> dict[str, float] | None:
        fields = msgspec.json.decode(text, type=dict[str, float | str])
        # The reasons stand beside the points.
        return self._fitting({name: value for name, value in fields.items() if isinstance(value, float)})

    def _fitting(self, points: dict[str, float]) -> dict[str, float] | None:
        # A criterion left out would be read as none of its points.
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
