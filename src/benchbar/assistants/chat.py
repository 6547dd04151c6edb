"""``openai``: any model behind the chat-completions protocol, as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchbar.records import Reply, Turn
from benchbar.records.protocols import Context, Model


class ChatAssistant:
    """Hands the turns to a chat model, with a system prompt of the user's own before them if there is one."""

    ledgered = True
    """Its one call a reply is in the ledger already."""

    def __init__(self, model: Model, *, system: str = "") -> None:
        """Asks ``model``."""
        self._model, self._system = model, system
        self.identity = f"openai:{model.identity}"

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """The model's answer.

        Raises:
            ModelError: there is none.
        """
        own = [Turn(role="system", content=self._system)] if self._system else []
        return await self._model.ask(_one_system(own + list(turns)), role="assistant")


def _one_system(turns: list[Turn]) -> list[Turn]:
    """Many chat templates take a single system message, and only at the start."""
    system = [turn.content for turn in turns if turn.role == "system"]
    rest = [turn for turn in turns if turn.role != "system"]
    return [Turn(role="system", content="\n\n".join(system)), *rest] if system else rest


def build(context: Context, *, model: str, base_url: str = "", system: str = "", **settings: Any) -> ChatAssistant:
    """An assistant from ``model``, ``base_url`` and an endpoint's other settings (api_key_env, params, price, ...)."""
    return ChatAssistant(context.model({"model": model, "base_url": base_url} | settings), system=system)
