"""Finds what a ledger file holds without asking it for every single row: what is read next lies next to what was read last."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from typing import Any

PIECE = 512
"""Rows that are read at once."""
PIECES = 16
"""Pieces that are held: calls of many samples are read at the same time."""

Row = tuple[Any, ...]


class Filter:
    """Tells of most keys that were never added that they were not; a Bloom filter of two bits a key."""

    def __init__(self, bits: int = 1 << 25) -> None:
        """Of so many bits: two million keys leave one unknown key in seventy in doubt."""
        self._bits, self._mask = bytearray(bits >> 3), bits - 1

    def add(self, key: bytes) -> None:
        """Remember a key, whose bytes are those of a hash."""
        for place in self._places(key):
            self._bits[place >> 3] |= 1 << (place & 7)

    def __contains__(self, key: bytes) -> bool:
        """Whether the key may have been added."""
        first, second = self._places(key)
        return bool(self._bits[first >> 3] >> (first & 7) & 1 and self._bits[second >> 3] >> (second & 7) & 1)

    def _places(self, key: bytes) -> tuple[int, int]:
        return int.from_bytes(key[:4], "big") & self._mask, int.from_bytes(key[4:8], "big") & self._mask


class Ahead:
    """Rows of one table by a column, read in pieces."""

    def __init__(self, db: sqlite3.Connection, piece: str) -> None:
        """``piece`` is a query for the rows of a piece, whose first column is what they are asked for by."""
        self._db, self._piece = db, piece
        self._pieces: OrderedDict[Any, list[Any]] = OrderedDict()
        self._rows: dict[Any, Row] = {}

    def take(self, name: Any) -> Row | None:
        """The row of this name where it was read already; it is given once."""
        return self._rows.pop(name, None)

    def read(self, *place: Any) -> None:
        """Read the piece at a place, unless it is held; of the oldest one, what nobody asked for is let go."""
        if place in self._pieces:
            return
        rows = self._db.execute(self._piece, place).fetchall()
        self._rows.update((row[0], row) for row in rows)
        self._pieces[place] = [row[0] for row in rows]
        if len(self._pieces) > PIECES:
            for name in self._pieces.popitem(last=False)[1]:
                self._rows.pop(name, None)
