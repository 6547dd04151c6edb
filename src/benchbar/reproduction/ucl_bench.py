"""The protocol of UCL-Bench's scripts, replayed through the ledger: their prompts, their turn rule, their one random order.

Prompts, hints and samples are read from the clone. What follows the scripts (local_inference.py, evaluate.py, user_simulator.py):
the role prompt is the simulator's system message, the model prompt the assistant's; an assistant answers at most three times, and
the dialogue ends when the user says the end mark; the judge sees information, needs, hints and both dialogues once, in an order
drawn for each pair; its last ``[[1]]``, ``[[2]]`` or ``[[3]]`` counts, and what has none is missing. What differs, because the
scripts cannot be repeated otherwise: the order is drawn with a seed, and an answer is never asked for again because it was bad.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchbar.ledger import SCOPE, PlannedItem, Scope
from benchbar.records import Comparison, Dialogue, DialogueEnd, Order, Sample, ScoreStatus, Turn, Winner
from benchbar.records.errors import ModelError
from benchbar.suites.taxonomy import PUBLISHED
from benchbar.suites.ucl_bench import CARD
from benchbar.suites.ucl_files import filled

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchbar.clients.model import ChatModel
    from benchbar.clients.session import Session

ANSWERS = 3
"""Times that an assistant answers at most."""
TEMPERATURE = 0.2
"""Of simulator and judge, as evaluate.py sends it."""
SPEAKERS = {"zh": ("用户：", "AI助手："), "en": ("User: ", "AI assistant: ")}
"""How the judge is shown who speaks, for each language; English for others."""
_QUOTED = re.compile(r"[“\"「]([^”\"」]{2,30})[”\"」]")
_VERDICT = re.compile(r"\[\[(\d)\]\]")
_WINNERS: dict[Order, dict[str, Winner]] = {
    "left_first": {"1": Winner.LEFT, "2": Winner.RIGHT, "3": Winner.TIE},
    "right_first": {"1": Winner.RIGHT, "2": Winner.LEFT, "3": Winner.TIE},
}


@dataclass(frozen=True)
class Case:
    """A sample with upstream's item, which holds the prompts."""

    sample: Sample
    item: Mapping[str, Any]

    def text(self, name: str) -> str:
        """A field of the item; empty where there is none."""
        return str(self.item.get(name) or "")

    @property
    def end_mark(self) -> str:
        """What the user says when satisfied: the mark of the scripts, or what a translated role prompt has in quotation marks last."""
        role = self.text("role_prompt")
        quoted = [] if CARD.end_mark in role or self.sample.language == PUBLISHED else _QUOTED.findall(role)
        return quoted[-1] if quoted else CARD.end_mark


@dataclass
class Replay:
    """Who plays which part, and what came of it."""

    session: Session
    assistants: Mapping[str, ChatModel]
    reference: str
    simulator: ChatModel
    judge: ChatModel
    seed: int
    dialogues: list[Dialogue] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)

    @property
    def candidates(self) -> list[str]:
        """Everyone but the reference."""
        return [name for name in self.assistants if name != self.reference]

    async def run(self, cases: Sequence[Case], done: Callable[[object], None]) -> None:
        """Hold and judge all dialogues; ``done`` is told of each.

        Raises:
            ModelError: a model refuses every call.
            BudgetError: the budget is spent.
        """
        self.session.ledger.plan(self._planned(cases))
        results = await asyncio.gather(*(self._case(case, done) for case in cases), return_exceptions=True)
        # Calls in flight are finished first: they are paid for.
        for failure in results:
            if isinstance(failure, BaseException):
                raise failure
        self.dialogues.sort(key=lambda one: (one.sample, one.assistant))
        self.comparisons.sort(key=lambda one: (one.sample, one.left))

    def _planned(self, cases: Sequence[Case]) -> Iterator[PlannedItem]:
        for case in cases:
            for name in self.assistants:
                yield _item("dialogue", case, name)
            for name in self.candidates:
                yield _item("verdict", case, name)

    async def _case(self, case: Case, done: Callable[[object], None]) -> None:
        held = await asyncio.gather(*(self._dialogue(case, name, done) for name in self.assistants))
        by_name = dict(zip(self.assistants, held, strict=True))
        await asyncio.gather(*(self._verdict(case, name, by_name, done) for name in self.candidates))

    async def _dialogue(self, case: Case, name: str, done: Callable[[object], None]) -> Dialogue:
        scope = Scope(case.sample.id)
        SCOPE.set(scope)
        turns: list[Turn] = []
        ended, error = DialogueEnd.TURN_LIMIT, ""
        try:
            ended = await self._held(case, name, turns)
        except ModelError as failure:
            if failure.fatal:
                raise
            ended, error = DialogueEnd.ERROR, f"{failure.slug}: {failure}"
        found = Dialogue(sample=case.sample.id, assistant=name, turns=tuple(turns), ended=ended, error=error)
        self.dialogues.append(found)
        item = _item("dialogue", case, name)
        await self.session.ledger.settle(item, scope, found, failed=ended is DialogueEnd.ERROR)
        done(found)
        return found

    async def _held(self, case: Case, name: str, turns: list[Turn]) -> DialogueEnd:
        # Every assistant has a user of its own, as upstream: the same first question would else be one call.
        place = list(self.assistants).index(name)
        user = [Turn(role="system", content=case.text("role_prompt"))]
        prompt = str(case.sample.instructions or "")
        asked = [Turn(role="system", content=prompt)] if prompt else []
        for count in range(ANSWERS):
            said = (await self.simulator.ask(user, role="simulator", repeat=place)).content.strip()
            if count and case.end_mark in said:
                return DialogueEnd.SATISFIED
            turns.append(Turn(role="user", content=said))
            reply = (await self.assistants[name].ask([*asked, *turns], role="assistant")).content.strip()
            turns.append(Turn(role="assistant", content=reply))
            user += [Turn(role="assistant", content=said), Turn(role="user", content=reply)]
        return DialogueEnd.TURN_LIMIT

    async def _verdict(
        self, case: Case, name: str, held: Mapping[str, Dialogue], done: Callable[[object], None]
    ) -> None:
        scope = Scope(case.sample.id)
        SCOPE.set(scope)
        order = self._order(case, name)
        found = await self._compared(case, held[name], held[self.reference], order)
        self.comparisons.append(found)
        item = _item("verdict", case, name)
        await self.session.ledger.settle(item, scope, found, failed=found.status is not ScoreStatus.SCORED)
        done(found)

    def _order(self, case: Case, name: str) -> Order:
        # For each pair by itself, so that a sample more or an assistant less changes no other order. No secret is drawn.
        drawn = random.Random(f"{self.seed}/{case.sample.id}/{name}")  # noqa: S311
        return "left_first" if drawn.random() < 0.5 else "right_first"

    async def _compared(self, case: Case, own: Dialogue, other: Dialogue, order: Order) -> Comparison:
        status, reason, winner, said = ScoreStatus.FAILED, "", None, ""
        if DialogueEnd.ERROR in {own.ended, other.ended}:
            reason = "a dialogue failed"
        else:
            try:
                reply = await self.judge.ask([Turn(role="user", content=_shown(case, own, other, order))], role="judge")
                said = reply.content
                winner = _winner(said, order)
                status = ScoreStatus.FAILED if winner is None else ScoreStatus.SCORED
                reason = "" if winner else "no [[1]], [[2]] or [[3]] in the answer"
            except ModelError as failure:
                if failure.fatal:
                    raise
                reason = f"{failure.slug}: {failure}"
        return Comparison(
            sample=case.sample.id,
            left=own.assistant,
            right=other.assistant,
            order=order,
            status=status,
            winner=winner,
            rationale=said,
            judge=self.judge.identity,
            reason=reason,
        )


def _item(kind: str, case: Case, name: str) -> PlannedItem:
    return PlannedItem(
        id=f"{kind}/{case.sample.id}/{name}", kind=kind, sample=case.sample.id, assistant=name, calls=kind == "dialogue"
    )


def _shown(case: Case, own: Dialogue, other: Dialogue, order: Order) -> str:
    first, second = (own, other) if order == "left_first" else (other, own)
    language = case.sample.language
    fields = {name: case.text(name) for name in ("information", "needs", "evaluation_hints")}
    shown = {"dialogue1": _transcript(first, language), "dialogue2": _transcript(second, language)}
    return filled(case.text("evaluation_prompt"), fields | shown).strip()


def _transcript(dialogue: Dialogue, language: str) -> str:
    user, assistant = SPEAKERS.get(language, SPEAKERS["en"])
    return "\n".join(f"{user if turn.role == 'user' else assistant}{turn.content}" for turn in dialogue.turns)


def _winner(said: str, order: Order) -> Winner | None:
    verdicts = _VERDICT.findall(said)
    return _WINNERS[order].get(verdicts[-1]) if verdicts else None
