"""What a run and its readers need of the place where a ledger is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from benchbar.ledger.calls import CallRequest, CallResult, Outcome, PlannedItem
from benchbar.ledger.packing import AnswerPacking
from benchbar.records import Record, Spending


class LedgerStore(Protocol):
    """Rows of one ledger; what is appended is on disk when the awaited call returns."""

    packing: AnswerPacking
    """Packs and unpacks its answers."""
    shared: bool
    """Whether several processes may fill it at once."""
    session: int
    """Number of this start of a run; 0 for one who only reads."""

    def meta(self, name: str) -> bytes | None:
        """The value kept under a name."""
        ...

    def set_meta(self, name: str, value: bytes) -> None:
        """Keep a value under a name, at once."""
        ...

    def offer_meta(self, name: str, value: bytes) -> bytes:
        """The value kept under a name: this one, unless there was one before."""
        ...

    def blinding(self) -> bytes | None:
        """The secret of the blind order, which is kept beside the ledger and not in it; None where there is none."""
        ...

    def offer_blinding(self, secret: bytes) -> bytes:
        """The secret of the blind order: this one, unless there was one before."""
        ...

    def result(self, key: bytes, sample: str = "") -> CallResult | None:
        """The best known result of a call: an answer or refusal if there is one, else the last failure, else None."""
        ...

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a query over the tables, with ``?`` for each parameter."""
        ...

    def damage(self) -> Iterator[str]:
        """What the store itself finds damaged beneath its rows."""
        ...

    def outcomes(self) -> dict[str, Outcome]:
        """What is known of each planned item."""
        ...

    def spending(self) -> dict[str, Spending]:
        """Role to what its answered calls consumed, each call once."""
        ...

    def committed_cost(self) -> float:
        """What was paid, with calls of unknown outcome or unstated usage at the sum reserved for them."""
        ...

    def plan(self, items: Iterable[PlannedItem]) -> None:
        """Replace the plan by these items; what was said before of those that stay is kept."""
        ...

    async def intend(self, key: bytes, request: CallRequest, reserved: float | None, text: bytes = b"") -> int:
        """Write down that a call is about to be sent; returns the intent's number once it is on disk.

        ``text`` is the request as it is written, where that is known already.
        """
        ...

    async def finish(self, intent: int, key: bytes, result: CallResult, sample: str = "") -> None:
        """Write down how a call ended; returns once it is on disk."""
        ...

    def settle(self, outcome: Outcome) -> asyncio.Future[None]:
        """Write down what became of a planned item."""
        ...

    def reviews(self, after: int = 0) -> Iterator[tuple[int, str, float, bytes, bytes]]:
        """Number, kind, time, record and seal of what people were asked and said after a number, in order."""
        ...

    def reviewing(self) -> AbstractContextManager[None]:
        """A block in which nobody else appends reviews: what was read in it still holds when one appends in it."""
        ...

    def append_reviews(self, kind: str, records: Iterable[Record]) -> list[int]:
        """Write down plans or marks, all or none; returns their numbers."""
        ...

    def discard(self) -> None:
        """Close the ledger and take it away, where no call was made."""
        ...

    def close(self) -> None:
        """Write what is pending and let go; a second time nothing happens."""
        ...
