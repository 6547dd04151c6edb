"""The judge of UCL-Bench: two whole dialogues, the guidance as reference, reasons first, then a verdict."""

from __future__ import annotations

from benchbar.languages.prompts import Prompts
from benchbar.records import Comparison, Dialogue, DialogueEnd, Order, ScoreStatus, Turn, Winner
from benchbar.records.errors import ModelError
from benchbar.records.protocols import Asks, Model, ScoringInput
from benchbar.scoring.judges.guidance import listed
from benchbar.scoring.judges.shield import harmless, transcript, verdict_of

VERSION = "1"
MAX_RATIONALE = 20_000
_WINNERS = {
    "left_first": {"1": Winner.LEFT, "2": Winner.RIGHT, "3": Winner.TIE},
    "right_first": {"1": Winner.RIGHT, "2": Winner.LEFT, "3": Winner.TIE},
}


class Pairwise:
    """Compares a candidate's dialogue with the reference assistant's."""

    name, compares = "comparison", True
    asks: Asks = "always"

    def __init__(self, model: Model, prompts: Prompts, *, attempts: int = 3) -> None:
        """Asks ``model``, at most ``attempts`` times until its verdict can be read."""
        self._model, self._prompts, self._attempts = model, prompts, attempts
        self.identity = f"pairwise:{model.identity}"

    async def score(self, given: ScoringInput) -> tuple[Comparison]:
        """The verdict on two dialogues about one sample, shown in the input's order, without names."""
        return (await self._compare(given),)

    async def _compare(self, given: ScoringInput) -> Comparison:
        left, right, order = given.pair
        repeat = given.repeat
        if DialogueEnd.ERROR in {left.ended, right.ended}:
            who = left.assistant if left.ended is DialogueEnd.ERROR else right.assistant
            return self._comparison(left, right, order, repeat, reason=f"the dialogue of {who} failed")
        prompt = [Turn(role="user", content=self._prompt(given))]
        answer = ""
        for attempt in range(self._attempts):
            try:
                reply = await self._model.ask(prompt, role="judge", repeat=repeat, attempt=attempt)
            except ModelError as error:
                if error.fatal:
                    raise
                return self._comparison(left, right, order, repeat, reason=f"{error.slug}: {error}", asked=attempt + 1)
            answer = reply.content
            if verdict := verdict_of(answer):
                winner = _WINNERS[order][verdict]
                return self._comparison(left, right, order, repeat, winner, answer, asked=attempt + 1)
        reason = f"no verdict could be read from {self._attempts} answers"
        return self._comparison(left, right, order, repeat, None, answer, reason=reason, asked=self._attempts)

    def _prompt(self, given: ScoringInput) -> str:
        task, sample = given.task, given.sample
        left, right, order = given.pair
        shown = (left, right) if order == "left_first" else (right, left)
        first, second = (transcript(dialogue, sample.language) for dialogue in shown)
        return self._prompts.render(
            "pairwise",
            sample.language,
            background=task.background or task.name,
            information=harmless(sample.information),
            needs=harmless(sample.needs),
            guidance=listed(sample.guidance, sample.language),
            nonce=self._prompts.nonce("pairwise", sample.id, first, second),
            first=first,
            second=second,
        )

    def _comparison(
        self,
        left: Dialogue,
        right: Dialogue,
        order: Order,
        repeat: int,
        winner: Winner | None = None,
        rationale: str = "",
        *,
        reason: str = "",
        asked: int = 0,
    ) -> Comparison:
        return Comparison(
            sample=left.sample,
            left=left.assistant,
            right=right.assistant,
            order=order,
            status=ScoreStatus.SCORED if winner else ScoreStatus.FAILED,
            winner=winner,
            rationale=rationale[:MAX_RATIONALE],
            judge=self.identity,
            version=VERSION,
            repeat=repeat,
            attempts=asked,
            reason=reason,
        )
