"""The frame of one ledger: made of its first answers, kept in it twice, and used for the answers that follow."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol

from benchbar.ledger.packing import Frame, pack_text, seal, unpack
from benchbar.records import encode
from benchbar.records.errors import LedgerError

OWN_BYTES = 1 << 16
"""Bytes of answers that make a frame."""
SHARE = 1 << 13
"""Bytes of one answer that go into it."""
COPY, FRAME = NAMES = ("frame_copy", "frame")
"""In ``meta``, in the order in which they are written: all later answers hang on it, so that damage to one place must not take
it away."""


class Meta(Protocol):
    """Where a ledger keeps what it says of itself."""

    def offer_meta(self, name: str, value: bytes) -> bytes:
        """The value kept under a name: this one, unless there was one before."""
        ...

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a query."""
        ...


class OwnFrame:
    """Packs and unpacks the answers of one ledger."""

    def __init__(self, store: Meta) -> None:
        """Of the ledger in ``store``."""
        self._store = store
        self._frame: Frame | None = None
        self._learned: list[bytes] = []
        self._size = 0
        self._looked = False

    def pack(self, value: Any) -> bytes:
        """A record as compressed JSON; while there is no frame yet, it becomes part of it."""
        if not self._looked:
            self._looked = True
            # Kept again, in case whoever had it first was ended between the two places.
            if kept := next(self._whole(), None):
                self._keep(kept)
        text = encode(value)
        packed = pack_text(text, self._frame)
        if self._frame is None:
            self._learn(text)
        return packed

    def unpack(self, data: bytes) -> bytes:
        """The JSON of such a record.

        Raises:
            TornError: it is torn, or the frame is missing or damaged.
        """
        return unpack(data, self.frame)

    def frame(self) -> Frame | None:
        """The frame that the ledger has; None where it has none, or none that is whole."""
        if self._frame is None and (kept := next(self._whole(), None)):
            self._frame = Frame(unpack(kept))
        return self._frame

    def _whole(self) -> Iterator[bytes]:
        rows = self._store.rows("SELECT name, value, seal FROM meta WHERE name = ? OR name = ?", NAMES)
        for name, value, stored in list(rows):
            if seal(name, bytes(value)) == bytes(stored):
                yield bytes(value)

    def _learn(self, text: bytes) -> None:
        if self._size < OWN_BYTES:
            self._learned.append(text[:SHARE])
            self._size += len(self._learned[-1])
            if self._size >= OWN_BYTES:
                self._keep(pack_text(b"".join(self._learned)))
                self._learned.clear()

    def _keep(self, packed: bytes) -> None:
        # Where it cannot be written, nothing can: whoever writes the answers says so.
        with suppress(LedgerError, sqlite3.Error):
            for name in NAMES:
                packed = self._store.offer_meta(name, packed)
            self._frame = Frame(unpack(packed))
