"""An answer that is sent piece by piece as server-sent events: told as it comes, kept as a whole."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import NamedTuple

import msgspec

from benchbar.clients.protocol import UsageStated, completion_of, reply_from
from benchbar.records import Reply
from benchbar.records.errors import TruncatedJsonError
from benchbar.records.thoughts import AnswerStream

OnText = Callable[[str], None]
# A context variable: an assistant of a plugin calls the model itself, and nothing between page and model
# can hand a callback through.
ON_TEXT: ContextVar[OnText | None] = ContextVar("benchbar_on_text", default=None)
"""Who is told an assistant's text as it comes; an empty text means that it begins anew."""
ROLE = "assistant"
"""Whose answers are told."""
_DATA = b"data:"


class Piece(NamedTuple):
    """What one event adds to an answer; what it says nothing of is left as it is."""

    text: str = ""
    thought: str = ""
    refusal: str = ""
    finish: str = ""
    """In the words of chat completions."""
    usage: UsageStated | None = None
    """Of the answer so far: numbers that are not stated keep what an earlier event said."""
    model: str = ""
    ended: bool = False
    """Whether nothing follows."""


class Stream:
    """The pieces of one answer."""

    def __init__(self, on_text: OnText, read: Callable[[bytes], Piece], tags: tuple[str, ...] = ()) -> None:
        """Tells ``on_text`` each piece of the answer, and first that it begins; thoughts, in further ``tags`` too, it is not told.

        ``read`` is the protocol's: it makes a piece of an event's data.
        """
        self._tags, self._answer, self._piece = tags, AnswerStream(tags), read
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
                self._add(self._piece(line[len(_DATA) :].strip()))

    def _add(self, piece: Piece) -> None:
        self._done = self._done or piece.ended
        self._model, self._finish = piece.model or self._model, piece.finish or self._finish
        self._usage = _later(self._usage, piece.usage)
        self._refused.append(piece.refusal)
        self._thoughts.append(piece.thought)
        if piece.text:
            self._text.append(piece.text)
            for shown in self._answer.feed(piece.text):
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
        thoughts = "".join(self._thoughts)
        whole = completion_of(
            "".join(self._text),
            [thoughts] if thoughts else [],
            refusal="".join(self._refused),
            finish=self._finish,
            usage=self._usage,
            model=self._model or None,
        )
        return reply_from(whole, self._tags)


def _later(known: UsageStated | None, stated: UsageStated | None) -> UsageStated | None:
    """What is known after an event: Messages states what was read at the beginning and what was written at the end."""
    if known is None or stated is None:
        return stated or known
    fields = {name: getattr(stated, name) for name in stated.__struct_fields__}
    return msgspec.structs.replace(known, **{name: value for name, value in fields.items() if value is not None})


def is_stream(body: bytes) -> bool:
    """Whether a body holds pieces; an endpoint that knows no streaming answers with a whole completion."""
    # Before the data of an event some protocols name its kind.
    return body.lstrip()[:6].startswith((_DATA, b"event:", b":"))
