"""A chat completion that is sent piece by piece: told as it comes, kept as a whole."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

import msgspec

from benchbar.clients.protocol import Choice, Completion, Message, UsageStated, reply_from
from benchbar.records import Reply
from benchbar.records.errors import ServerError, TruncatedJsonError
from benchbar.records.thoughts import AnswerStream

OnText = Callable[[str], None]
# A context variable: an assistant of a plugin calls the model itself, and nothing between page and model
# can hand a callback through.
ON_TEXT: ContextVar[OnText | None] = ContextVar("benchbar_on_text", default=None)
"""Who is told an assistant's text as it comes; an empty text means that it begins anew."""
ROLE = "assistant"
"""Whose answers are told."""
ASKED = {"stream": True, "stream_options": {"include_usage": True}}
_DATA, _DONE = b"data:", b"[DONE]"


class _Delta(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Piece(msgspec.Struct):
    delta: _Delta = msgspec.field(default_factory=_Delta)
    finish_reason: str | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Piece] = []
    usage: UsageStated | None = None
    model: str | None = None
    error: object = None


_DECODER = msgspec.json.Decoder(_Chunk, strict=False)


class Stream:
    """The pieces of one answer."""

    def __init__(self, on_text: OnText, tags: tuple[str, ...] = ()) -> None:
        """Tells ``on_text`` each piece of the answer, and first that it begins; thoughts, in further ``tags`` too, it is not told."""
        self._tags, self._answer = tags, AnswerStream(tags)
        self._thoughts: list[str] = []
        self._on_text, self._rest = on_text, b""
        self._text: list[str] = []
        self._refused: list[str] = []
        self._finish, self._model = "", ""
        self._usage: UsageStated | None = None
        self._done = False
        on_text("")

    def feed(self, part: bytes) -> None:
        """Some more bytes of the body.

        Raises:
            ModelError: a piece is none, or carries an error.
        """
        # A piece of the network may end within a line, even within a character: only whole lines are
        # decoded.
        *lines, self._rest = (self._rest + part).split(b"\n")
        for line in lines:
            if line.startswith(_DATA):
                self._read(line[len(_DATA) :].strip())

    def _read(self, data: bytes) -> None:
        if data == _DONE:
            self._done = True
            return
        try:
            chunk = _DECODER.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise TruncatedJsonError(f"not a complete chunk of a chat completion: {error}") from error
        if chunk.error:
            raise ServerError("the endpoint broke the answer off with an error")
        self._model, self._usage = chunk.model or self._model, chunk.usage or self._usage
        for piece in chunk.choices[:1]:
            self._finish = piece.finish_reason or self._finish
            self._refused.append(piece.delta.refusal or "")
            self._thoughts.append(piece.delta.reasoning_content or piece.delta.reasoning or "")
            if piece.delta.content:
                self._text.append(piece.delta.content)
                for shown in self._answer.feed(piece.delta.content):
                    self._on_text(shown)

    def reply(self) -> Reply:
        """The answer as a whole.

        Raises:
            ModelError: it broke off, or there is no text.
        """
        # Some servers leave the last line without its end.
        self.feed(b"\n")
        # A connection that is closed early looks like the end of a body. Without this half an answer
        # would be scored as a whole one.
        if not self._done and not self._finish:
            raise TruncatedJsonError("the answer broke off before its end was stated")
        for shown in self._answer.end():
            self._on_text(shown)
        message = Message(
            content="".join(self._text),
            refusal="".join(self._refused) or None,
            reasoning_content="".join(self._thoughts) or None,
        )
        choice = Choice(message=message, finish_reason=self._finish or None)
        return reply_from(Completion(choices=[choice], usage=self._usage, model=self._model or None), self._tags)


def is_stream(body: bytes) -> bool:
    """Whether a body holds pieces; an endpoint that knows no streaming answers with a whole completion."""
    return body.lstrip()[: len(_DATA)] == _DATA or body.lstrip().startswith(b":")
