"""How a call is written and its answer read, in each protocol; all else (ledger, budget, retries) is the client's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchbar.clients.endpoint import Endpoint
    from benchbar.clients.streaming import Piece
    from benchbar.records import Reply, Turn
    from benchbar.records.protocols import AnswerSchema, Tool


class Codec(Protocol):
    """One protocol."""

    streams: bool
    """Whether ``ask`` can show an answer as it comes; else it shows it as a whole."""

    def url(self, endpoint: Endpoint, *, streamed: bool = False) -> str:
        """Where a call is sent."""
        ...

    def body(self, endpoint: Endpoint, messages: Sequence[Turn], extra: Mapping[str, Any], *, streamed: bool) -> bytes:
        """The body of a request; ``extra`` is what ``schema_fields`` gave."""
        ...

    def schema_fields(
        self, endpoint: Endpoint, name: str, document: Mapping[str, Any], alternatives: int
    ) -> dict[str, Any]:
        """What holds an answer to a JSON Schema; ``alternatives``: so many tokens are wanted with their probability."""
        ...

    def tool_fields(self, tools: Sequence[Tool]) -> dict[str, Any]:
        """What offers a model tools."""
        ...

    def reply(self, body: bytes, schema: AnswerSchema | None, tags: tuple[str, ...]) -> Reply:
        """The reply that a 200 answer carries, with the tool calls in it; ``tags`` are names of tags around thoughts besides the usual ones.

        Raises:
            ModelError: the subclass that names why there is no usable text.
        """
        ...

    def piece(self, data: bytes) -> Piece:
        """What one event of a stream holds.

        Raises:
            ModelError: it is none, or carries an error.
        """
        ...


def codec_of(endpoint: Endpoint) -> Codec:
    """The codec of an endpoint's protocol."""
    if endpoint.protocol == "anthropic":
        from benchbar.clients.codecs.messages import MessagesCodec

        return MessagesCodec()
    if endpoint.protocol == "gemini":
        from benchbar.clients.codecs.gemini import GeminiCodec

        return GeminiCodec()
    if endpoint.protocol == "responses":
        from benchbar.clients.codecs.responses import ResponsesCodec

        return ResponsesCodec()
    if endpoint.protocol == "bedrock":
        from benchbar.clients.codecs.converse import ConverseCodec

        return ConverseCodec()
    from benchbar.clients.codecs.chat import ChatCodec

    return ChatCodec()
