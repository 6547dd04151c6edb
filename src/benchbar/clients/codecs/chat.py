"""OpenAI's chat completions, which most servers speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.clients.protocol import read_completion
from benchbar.clients.streaming import ASKED

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint
    from benchbar.records import Reply, Turn
    from benchbar.records.protocols import AnswerSchema


class ChatCodec:
    """Chat completions."""

    streams = True

    def url(self, endpoint: Endpoint) -> str:
        """One address for all models."""
        return f"{endpoint.base_url.rstrip('/')}/chat/completions"

    def body(self, endpoint: Endpoint, messages: Sequence[Turn], extra: Mapping[str, Any], *, streamed: bool) -> bytes:
        """Turns and parameters as they are."""
        body: dict[str, Any] = {"model": endpoint.model, "messages": messages, **endpoint.params, **extra}
        if streamed:
            body |= ASKED
        return msgspec.json.encode(body)

    def schema_fields(
        self, _endpoint: Endpoint, name: str, document: Mapping[str, Any], alternatives: int
    ) -> dict[str, Any]:
        """``response_format``, and ``logprobs`` where alternatives are wanted."""
        wanted = {"name": name, "strict": True, "schema": document}
        fields: dict[str, Any] = {"response_format": {"type": "json_schema", "json_schema": wanted}}
        return fields | ({"logprobs": True, "top_logprobs": alternatives} if alternatives else {})

    def reply(self, body: bytes, schema: AnswerSchema | None, tags: tuple[str, ...]) -> Reply:
        """The first choice."""
        return read_completion(body, schema, tags)
