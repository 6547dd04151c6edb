"""What the ledger keeps: calls, their results, the plan of a run, and what became of each planned item."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from enum import StrEnum
from typing import Any

from msgspec import UNSET, UnsetType

from benchbar.records import Record, Reply, Turn, encode

KEY_BYTES = 20
LONGEST_CHAIN = 50
"""Calls of one block after which a request is written out whole again, so that none takes hundreds of others to read."""


class TornError(ValueError):
    """A packed record that is not whole."""


class Ancestor:
    """A call whose words a later one repeats."""

    __slots__ = ("_text", "key")

    def __init__(self, key: bytes, text: bytes | tuple[bytes, Reply]) -> None:
        """``text`` is its request and its answer, as they are written, or what that is made of."""
        self.key, self._text = key, text

    @classmethod
    def of(cls, key: bytes, request: bytes, reply: Reply) -> Ancestor:
        """The call with this request and this answer."""
        return cls(key, (request, reply))

    @property
    def text(self) -> bytes:
        """Its request and its answer, as they are written."""
        # Put together when a call is kept against it: what is only read again has none.
        if isinstance(self._text, tuple):
            request, reply = self._text
            self._text = request + encode(reply.content)
        return self._text


class Scope:
    """What the calls made inside a block belong to: a sample, a trial of it, and the list of keys that its item rests on."""

    def __init__(self, sample: str, *after: Scope, trial: int = 0) -> None:
        """Calls of this sample, none made yet, that come after those of other blocks and belong to their trial."""
        self.sample = sample
        # A dialogue that was recorded elsewhere has a first trial alone; what compares it belongs to the other's.
        self.trial: int = max((trial, *(scope.trial for scope in after)))
        self.keys: list[bytes] = []
        self.ancestors: list[Ancestor] = [scope.ancestors[-1] for scope in after if scope.ancestors]
        """The last calls that had an answer: what a further one is likely to repeat."""
        self.alike: Mapping[str, Ancestor] = {}
        """Role to a call of its own, from any block: what is wording of the prompt is the same in it."""

    def against(self, role: str) -> list[Ancestor]:
        """The calls that the next one of this role is best kept against."""
        alike = self.alike.get(role)
        return self.ancestors if alike is None or len(self.keys) % LONGEST_CHAIN == 0 else [alike, *self.ancestors]

    def answered(self, ancestor: Ancestor) -> None:
        """A call of this block had this answer."""
        self.ancestors = [*self.ancestors[-1:], ancestor] if len(self.keys) % LONGEST_CHAIN else []


# A context variable, so that assistants and simulators from outside need not pass through what their
# calls belong to; each task of the loop has its own.
SCOPE: ContextVar[Scope | None] = ContextVar("benchbar_scope", default=None)


class CallRequest(Record, frozen=True):
    """Everything that makes a call what it is; two equal requests are one call."""

    role: str
    """assistant, simulator, judge, ..."""
    sample: str
    model: str
    """Identity of whoever answers: model name and endpoint, or a fingerprint of an assistant's settings."""
    messages: tuple[Turn, ...]
    params: dict[str, Any] = {}
    repeat: int = 0
    """Index of a planned repetition: three judge runs are three calls."""
    attempt: int = 0
    """Index of the question put again because the answer could not be read."""
    trial: int | UnsetType = UNSET
    """Index of the repeated dialogue that the call belongs to. Of the first it is not written at all: the keys of calls in
    ledgers from before dialogues were repeated stay what they are, and a run of one trial can be repeated without paying
    for the first again."""
    anew: int | UnsetType = UNSET
    """How many times its sample was given up and asked anew; not written of a sample that never was, whose keys stay the same."""

    @classmethod
    def of(
        cls,
        model: str,
        messages: Sequence[Turn],
        *,
        role: str,
        params: Mapping[str, Any] | None = None,
        repeat: int = 0,
        attempt: int = 0,
    ) -> CallRequest:
        """A call that belongs to the sample of the present scope."""
        scope = SCOPE.get()
        return cls(
            role=role,
            sample=scope.sample if scope else "",
            model=model,
            params=dict(params or {}),
            messages=tuple(messages),
            repeat=repeat,
            attempt=attempt,
            trial=scope.trial or UNSET if scope else UNSET,
        )

    def key(self) -> bytes:
        """20 bytes made of the content."""
        return key_of(encode(self))


def key_of(request: bytes) -> bytes:
    """20 bytes made of a request as it is written."""
    # 20 bytes: among a billion calls the chance of two keys alike is below 1e-30, and each call costs 12
    # bytes less than with 32.
    return hashlib.blake2b(request, digest_size=KEY_BYTES).digest()


class CallStatus(StrEnum):
    """How a call ended."""

    OK = "ok"
    FAILED = "failed"
    """May succeed when asked again: a later run asks again."""
    REFUSED = "refused"
    """Will fail the same way again (too long, filtered, refused): kept as the outcome."""


class CallResult(Record, frozen=True):
    """The answer to a call, or the named error it ended in."""

    status: CallStatus
    reply: Reply | None = None
    error: str = ""
    """Slug of the error."""
    message: str = ""
    fatal: bool = False
    """Every further call would fail the same way."""
    tries: int = 1
    """Requests sent until this result."""


class PlannedItem(Record, frozen=True):
    """One thing a run has to bring about: a dialogue, a comparison, a checklist."""

    id: str
    kind: str
    sample: str
    assistant: str
    calls: bool = True
    """Whether it is brought about by calls; recorded dialogues and rules need none."""


class Outcome(Record, frozen=True):
    """What became of a planned item, and by which calls."""

    item: str
    status: str
    """``done`` or ``failed``."""
    calls: tuple[str, ...]
    """Keys of the calls it rests on, hexadecimal, in order."""
    digest: str
    """Fingerprint of the record that was derived."""


class LedgerReport(Record, frozen=True):
    """What an independent reading of a ledger proves."""

    ok: bool
    calls: int
    completed: int
    unknown: int
    failed: int
    planned: int
    finished: int
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What is worth knowing and no damage: unknown outcomes, failed calls, items not finished yet."""
