"""Puts a question to a judge until its answer can be read: held to a schema where the endpoint can, as text elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from benchbar.languages.packs import Labels, labels
from benchbar.records import Reply, Turn
from benchbar.records.answers import spoken
from benchbar.records.errors import ModelError
from benchbar.records.protocols import AnswerSchema, Model, StructuredModel
from benchbar.scoring.judges.reading import beginning

T = TypeVar("T")
REASONS = "reasons"
MOST_REASONS = 600
"""Characters of the reasons that a judge held to a schema may give. Reasons come first, since a judge that reasons before it
decides decides better; bounded, because a model that repeats itself would use up its tokens before the verdict."""
TOKENS_A_CHARACTER = 4
"""At most: of rare Chinese characters each byte is a token."""
REST = 100
"""Tokens that the rest of the object takes."""
KEPT = 4000
"""Characters of an unreadable answer that the judge is reminded of; its end is what it concluded from."""


@dataclass(frozen=True)
class Form(Generic[T]):
    """What is asked for, and how the answer is read."""

    what: str
    """Such as ``verdict``, for messages."""
    fields: Mapping[str, Any]
    """JSON Schema of each field of the object, in the order in which they are written."""
    example: Mapping[str, Any]
    """The object as the prompt shows it."""
    read: Callable[[str], T | None]
    """From an answer in text; None, or an error of msgspec's, where nothing can be read."""
    decode: Callable[[bytes], T | None]
    """From the object that an endpoint was held to."""
    choices: tuple[str, ...] = ()
    """What the field that decides may be, where the probability of each is wanted."""
    decides: str = "verdict"
    """Its name."""
    reasons: bool = True
    """Whether reasons come before the fields, where an endpoint is held to them."""
    again: Callable[[Labels], str] = lambda say: say("judge.again")
    """What is said where an answer cannot be read."""


@dataclass(frozen=True)
class Answered(Generic[T]):
    """What came of a question."""

    value: T | None
    """None where no answer could be read."""
    text: str = ""
    """What the judge said."""
    asked: int = 0
    reason: str = ""
    """Why there is no value."""
    probabilities: tuple[dict[str, float], ...] = ()
    """Of each choice at each place where the answer decides, where the endpoint states them."""


@dataclass(frozen=True)
class Questioner:
    """Asks one judge."""

    model: Model
    attempts: int
    follows_up: bool = True
    """Whether an answer that cannot be read is followed by a request for its last line alone. Runs that were begun before
    there was such a request put the same question again, so that their answers are found in the ledger."""

    @cached_property
    def _structured(self) -> StructuredModel | None:
        # Once for a judge: to look for every method of a protocol takes longer than to read an answer.
        return self.model if isinstance(self.model, StructuredModel) else None

    async def put(self, prompt: Callable[[], str], form: Form[T], *, language: str, repeat: int) -> Answered[T]:
        """The answer to a prompt; where nothing follows up, the prompt is made anew for each attempt.

        Raises:
            ModelError: the judge can never answer.
        """
        say = labels(language, "words")
        held = self._structured is not None and await self._structured.holds_to_schemas()
        messages = [_question(prompt(), form, say, held=held)]
        said: list[str] = []
        for attempt in range(self.attempts):
            schema = self._schema(form, reasons=form.reasons and not said) if held else None
            try:
                reply = await self._reply(messages, schema, repeat=repeat, attempt=attempt)
            # No further attempt: the client has tried again already.
            except ModelError as error:
                if error.fatal:
                    raise
                return Answered(None, "\n".join(said), attempt + 1, f"{error.slug}: {error}")
            said.append(reply.content)
            if (value := _read(form, reply.content, held=held)) is not None:
                return Answered(value, "\n".join(said), attempt + 1, probabilities=reply.probabilities)
            if self.follows_up:
                # Endpoints refuse an empty message.
                answer = Turn(role="assistant", content=spoken(reply.content)[-KEPT:].strip() or "…")
                messages = [*messages, answer, Turn(role="user", content=form.again(say))]
            else:
                messages = [_question(prompt(), form, say, held=held)]
        return Answered(None, "\n".join(said), self.attempts, unreadable(form.what, self.attempts, said[0]))

    async def _reply(
        self, messages: Sequence[Turn], schema: AnswerSchema | None, *, repeat: int, attempt: int
    ) -> Reply:
        if schema is not None and self._structured is not None:
            return await self._structured.ask(messages, role="judge", repeat=repeat, attempt=attempt, schema=schema)
        return await self.model.ask(messages, role="judge", repeat=repeat, attempt=attempt)

    def _schema(self, form: Form[T], *, reasons: bool) -> AnswerSchema:
        """The fields with reasons before them; asked again, without: nothing is left that could be padded."""
        room = self._structured.room if self._structured is not None else None
        # A model with few tokens of output would be cut off in its reasons, and never give a verdict.
        most = MOST_REASONS if room is None else min(MOST_REASONS, max((room - REST) // TOKENS_A_CHARACTER, 0))
        first = {REASONS: {"type": "string", "maxLength": most}} if reasons and most else {}
        return AnswerSchema(form.what, {**first, **form.fields}, form.decides, form.choices)


def _question(prompt: str, form: Form[Any], say: Labels, *, held: bool) -> Turn:
    if held:
        example = {REASONS: say("judge.reasons"), **form.example} if form.reasons else dict(form.example)
        prompt = f"{prompt}\n\n{say('judge.as_object', form=msgspec.json.encode(example).decode())}"
    return Turn(role="user", content=prompt)


def _read(form: Form[T], answer: str, *, held: bool) -> T | None:
    try:
        # Of an endpoint that is held to the schema the whole answer is the object: nothing that is quoted in its reasons
        # can stand for it.
        return form.decode(answer.strip().encode()) if held else form.read(answer)
    # A hostile answer nests deeper than the decoder goes.
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def unreadable(what: str, attempts: int, first: str) -> str:
    """Why there is no value, with the beginning of the answer: what the model does instead shows the cure."""
    return f"no {what} could be read from {attempts} answers; the first begins: “{beginning(first)}”"
