"""A user played by a chat model: it sees information and needs, never the guidance."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.dialogue.temperaments import Temperament, mistake_of
from benchbar.languages.packs import Labels, labels
from benchbar.languages.prompts import Prompts
from benchbar.records import Reply, Sample, Task, Turn
from benchbar.records.protocols import Model

_SWAPPED = {"user": "assistant", "assistant": "user"}


class ModelUser:
    """Asks the simulator model for the user's next message; the model sees the dialogue with the roles exchanged."""

    def __init__(self, model: Model, prompts: Prompts, *, end_mark: str, temperament: str = "") -> None:
        """A user played by ``model``, who says ``end_mark`` when satisfied; without a temperament the prompt names none."""
        self._model, self._prompts, self._end_mark = model, prompts, end_mark
        self._temperament = Temperament(temperament) if temperament else None
        self.identity = f"llm:{model.identity}"

    async def speak(self, task: Task, sample: Sample, turns: Sequence[Turn]) -> Reply:
        """The user's next utterance.

        Raises:
            ModelError: the model gave none.
        """
        dialogue = [Turn(role=_SWAPPED[turn.role], content=turn.content) for turn in turns if turn.role != "system"]  # type: ignore[arg-type]
        return await self._model.ask([Turn(role="user", content=self._role(task, sample)), *dialogue], role="simulator")

    def _role(self, task: Task, sample: Sample) -> str:
        words = labels(sample.language, "words")
        information = words("simulator.knows", information=sample.information) if sample.information else ""
        return self._prompts.render(
            "simulator",
            sample.language,
            background=task.background or task.name,
            information=information,
            needs=sample.needs,
            telling=self._telling(sample, words),
            end_mark=self._end_mark,
        )

    def _telling(self, sample: Sample, words: Labels) -> str:
        """How the user tells what it knows; whoever has nothing to be mistaken about is calm."""
        usual = words("simulator.told" if sample.long_information else "simulator.tell")
        if self._temperament is None:
            return usual
        mistake = mistake_of(sample) if self._temperament is Temperament.MISTAKEN else None
        plain = Temperament.CALM if self._temperament is Temperament.MISTAKEN and mistake is None else self._temperament
        values = {"right": mistake.right, "wrong": mistake.wrong} if mistake else {}
        return f"{usual} {self._prompts.render(prompt_of(plain), sample.language, **values)}"


def prompt_of(temperament: Temperament) -> str:
    """The name of a temperament's prompt."""
    return f"temperament_{temperament}"
