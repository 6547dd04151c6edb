"""Brings the replies of assistants that make no recorded calls of their own into the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from benchbar.ledger import Begin, CallRequest, CallResult, CallStatus, Ledger
from benchbar.records import Reply, Turn, fingerprint
from benchbar.records.errors import BenchbarError, EmptyContentError, ModelError
from benchbar.records.protocols import Assistant
from benchbar.records.thoughts import parted


class LedgeredAssistant:
    """Asks an assistant each thing once: a reply that a run before brought is not asked for again."""

    def __init__(self, assistant: Assistant, ledger: Ledger) -> None:
        """Records the replies of ``assistant`` in ``ledger``."""
        self._assistant, self._ledger = assistant, ledger
        self.identity = identity(assistant)

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """The assistant's reply.

        Raises:
            ModelError: it gave none, now or in the run that asked.
        """
        request = CallRequest.of(self.identity, turns, role="assistant")
        result = await self._ledger.once(request, lambda begin: self._produce(turns, begin))
        if result.reply is None:
            raise AssistantError(result.message)
        return result.reply

    async def _produce(self, turns: Sequence[Turn], begin: Begin) -> CallResult:
        # Before the assistant is asked, since only it knows when it sends (docs/decisions/0009).
        await begin()
        try:
            reply = await self._assistant.reply(turns)
            # A service or code of the user's own may hand on a model's thoughts as they came.
            answer, thoughts = parted(reply.content)
            if thoughts:
                reply = replace(reply, content=answer, thoughts=thoughts)
            if thoughts and not answer:
                raise EmptyContentError("the answer holds thoughts alone; it was cut off before it began")  # noqa: TRY301
            return CallResult(status=CallStatus.OK, reply=reply)
        except ModelError as error:
            return CallResult(
                status=CallStatus.FAILED, error=error.slug, message=f"{error.slug}: {error}", tries=error.tries
            )
        # The budget, or Ctrl-C: no fault of the assistant's, and nothing to keep as its answer.
        except BenchbarError:
            raise
        except Exception as error:  # noqa: BLE001 - an assistant under test may raise anything
            message = f"exception: {type(error).__name__}: {error}"
            return CallResult(status=CallStatus.FAILED, error="exception", message=message)


class AssistantError(ModelError):
    """An assistant of the user's own gave no reply."""

    slug = "assistant"


def identity(assistant: object) -> str:
    """What makes an assistant the same one in two runs: its own word for it, else its type and settings."""
    own = getattr(assistant, "identity", None)
    if isinstance(own, str):
        return own
    kind = type(assistant)
    settings = (
        {name: repr(value) for name, value in sorted(vars(assistant).items())} if hasattr(assistant, "__dict__") else {}
    )
    return f"{kind.__module__}:{kind.__qualname__}:{fingerprint(settings)}"


def ledgered(assistant: Assistant, ledger: Ledger) -> Assistant:
    """The assistant itself if its calls are in the ledger anyway, else with its replies recorded."""
    return assistant if getattr(assistant, "ledgered", False) else LedgeredAssistant(assistant, ledger)
