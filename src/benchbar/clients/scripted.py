"""A chat model that answers by a function of the messages: for trying out prompts and for tests of other parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchbar.clients.results import reply_of
from benchbar.ledger import Begin, CallRequest, CallResult, CallStatus, Ledger
from benchbar.records import Reply, Turn


class ScriptedModel:
    """Has the ``ask`` of a chat model, and its calls are in the ledger like any other's."""

    def __init__(self, answer: Callable[[Sequence[Turn]], str], ledger: Ledger, *, name: str = "scripted") -> None:
        """``answer`` maps messages to a text; equal messages should get equal texts."""
        self._answer, self._ledger, self.identity = answer, ledger, name

    async def ask(self, messages: Sequence[Turn], *, role: str, repeat: int = 0, attempt: int = 0) -> Reply:
        """What the function says to these messages."""
        request = CallRequest.of(self.identity, messages, role=role, repeat=repeat, attempt=attempt)

        async def produce(begin: Begin) -> CallResult:
            await begin()
            return CallResult(status=CallStatus.OK, reply=Reply(content=self._answer(messages)))

        return reply_of(await self._ledger.once(request, produce))
