"""A judge of the simulated user: is each of its turns aligned with what the person it plays knows and needs?

It marks no assistant: its marks are of turns of the user, and enter no measure of who answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from benchbar.languages.packs import labels
from benchbar.languages.prompts import Prompts
from benchbar.records import ERRORS, TURN, Dialogue, DialogueEnd, Layer, Score, ScoreStatus
from benchbar.records.answers import closing_object
from benchbar.records.protocols import Asks, Model, ScoringInput, object_schema
from benchbar.scoring.judges.asking import Form, Questioner
from benchbar.scoring.judges.shield import cut, harmless

VERSION = "1"
NAME = "fidelity"
"""Of the prompt, and of the planned items."""
PREFIX = f"{TURN}/"
"""Before the number of the turn, in the dimension of a mark."""
NONE = "none"


class _Held(msgspec.Struct):
    aligned: Literal["yes", "no"]
    error: str = NONE


class _Verdict(_Held, kw_only=True):
    turn: int


class _Answer(msgspec.Struct):
    verdicts: list[_Verdict]


_Verdicts = dict[int, _Held]


class Fidelity:
    """Marks every turn of the simulated user of one dialogue."""

    name, compares = NAME, False
    asks: Asks = "sometimes"

    def __init__(self, model: Model, prompts: Prompts, *, attempts: int = 3, follows_up: bool = True) -> None:
        """Asks ``model``, at most ``attempts`` times until there is a verdict on every turn."""
        self._asks, self._prompts = Questioner(model, attempts, follows_up), prompts
        self.identity = f"{NAME}:{model.identity}"

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One score for each turn of the user: 1 aligned, 0 not; failed where no answer could be read.

        None of a dialogue that failed: it may have been cut off before the user could say what it knows.
        """
        turns = user_turns(given.dialogue)
        if not turns or given.dialogue.ended is DialogueEnd.ERROR:
            return ()
        form = _form(len(turns))
        found = await self._asks.put(
            lambda: self._prompt(given), form, language=given.sample.language, repeat=given.repeat
        )
        verdicts = found.value or {}
        return tuple(
            self._score(given, place, verdicts.get(number), found.reason) for number, place in enumerate(turns, start=1)
        )

    def _prompt(self, given: ScoringInput) -> str:
        task, sample = given.task, given.sample
        shown = numbered(given.dialogue, sample.language)
        return self._prompts.render(
            NAME,
            sample.language,
            background=task.background or task.name,
            information=harmless(sample.information),
            needs=harmless(sample.needs),
            nonce=self._prompts.nonce(NAME, sample.id, shown),
            dialogue=shown,
        )

    def _score(self, given: ScoringInput, place: int, verdict: _Held | None, reason: str) -> Score:
        aligned = None if verdict is None else float(verdict.aligned == "yes")
        return Score(
            sample=given.dialogue.sample,
            assistant=given.dialogue.assistant,
            dimension=f"{PREFIX}{place}",
            layer=Layer.LLM,
            status=ScoreStatus.FAILED if aligned is None else ScoreStatus.SCORED,
            value=aligned,
            reason=reason if verdict is None else "" if aligned else _known(verdict.error),
            scorer=self.identity,
            version=VERSION,
            repeat=given.repeat,
        )


def user_turns(dialogue: Dialogue) -> list[int]:
    """The places of the user's turns."""
    return [place for place, turn in enumerate(dialogue.turns) if turn.role == "user"]


def numbered(dialogue: Dialogue, language: str) -> str:
    """The dialogue with the user's turns numbered from 1; what was said is made harmless, and names are hidden."""
    say = labels(language, "words")
    names = {role: say(f"judge.{role}") for role in ("user", "assistant")}
    lines, number = [], 0
    for turn in dialogue.turns:
        if turn.role in names:
            number += turn.role == "user"
            who = f"{names[turn.role]} {number}" if turn.role == "user" else names[turn.role]
            lines.append(f"{who}: {harmless(turn.content)}")
    return cut("\n".join(lines), language)


def _known(error: str) -> str:
    """The type that a judge named; what is none of the known ones is another."""
    return error if error in ERRORS[TURN] else "other"


def _form(count: int) -> Form[_Verdicts]:
    wanted = range(1, count + 1)
    one = object_schema(
        {
            "error": {"type": "string", "enum": [NONE, *ERRORS[TURN]]},
            "aligned": {"type": "string", "enum": ["yes", "no"]},
        }
    )
    example: Mapping[str, Any] = {
        f"turn_{number}": {"error": " | ".join((NONE, *ERRORS[TURN])), "aligned": "yes | no"} for number in wanted
    }
    return Form(
        what="verdict",
        fields=dict.fromkeys(example, one),
        example=example,
        read=lambda answer: _complete(_listed(answer), wanted),
        decode=lambda text: _complete(_decoded(text), wanted),
        decides="aligned",
    )


def _listed(answer: str) -> _Verdicts:
    return {one.turn: one for one in msgspec.json.decode(closing_object(answer, "verdicts"), type=_Answer).verdicts}


def _decoded(text: bytes) -> _Verdicts:
    fields = msgspec.json.decode(text, type=dict[str, _Held | str])
    return {int(name.removeprefix("turn_")): one for name, one in fields.items() if isinstance(one, _Held)}


def _complete(found: _Verdicts, wanted: Sequence[int]) -> _Verdicts | None:
    """The verdicts on all turns; a judge that passes one over is asked again."""
    return found if found.keys() == set(wanted) else None
