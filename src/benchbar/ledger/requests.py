"""Reads the requests of a ledger, each of which is kept as what it adds to the one that it grew from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchbar.ledger.calls import Ancestor, CallRequest
from benchbar.ledger.packing import MAX_DEPTH, unpack_request
from benchbar.ledger.schema import UNANSWERED
from benchbar.ledger.store import LedgerStore
from benchbar.records import decode


def requests(store: LedgerStore) -> Iterator[tuple[bytes, str, str, bytes]]:
    """Key, role, sample and JSON of every request, in the order they were sent; no JSON where it cannot be read."""
    recent = _Recent(store)
    for key, role, sample, data in store.rows(
        "SELECT call.key, role, sample, request FROM call LEFT JOIN intent ON intent.key = call.key"
        " GROUP BY call.key, role, sample, request ORDER BY min(intent.id)"
    ):
        yield bytes(key), role, sample, recent.request(bytes(key), bytes(data))


def called(store: LedgerStore, keys: Iterable[bytes]) -> Iterator[str]:
    """Who was to answer, of each of these calls whose request can be read."""
    recent = _Recent(store)
    for key in keys:
        for (data,) in store.rows("SELECT request FROM call WHERE key = ?", (key,)):
            if request := recent.request(key, bytes(data)):
                yield decode(request, CallRequest).model


def unanswered(store: LedgerStore) -> int:
    """How many calls ended in an error and have no answer from a later try: the next start asks them again."""
    query = f"SELECT count(DISTINCT result.key) FROM result WHERE {UNANSWERED}"  # noqa: S608 - a constant
    return int(next(store.rows(query))[0])


class _Recent:
    """Requests and answers that were read a moment ago: those that come next grew from them."""

    def __init__(self, store: LedgerStore, size: int = 256) -> None:
        self._store, self._size = store, size
        self._texts: dict[bytes, bytes] = {}
        self._depth = 0

    def request(self, key: bytes, data: bytes) -> bytes:
        try:
            found = unpack_request(data, self._text)
        except ValueError:
            return b""
        if (result := self._store.result(key)) and result.reply:
            self._texts[key] = Ancestor.of(key, found, result.reply).text
            if len(self._texts) > self._size:
                del self._texts[next(iter(self._texts))]
        return found

    def _text(self, key: bytes) -> bytes:
        """Request and answer of an earlier call.

        Raises:
            ValueError: it is not there, or cannot be read.
        """
        if key not in self._texts:
            rows = list(self._store.rows("SELECT request FROM call WHERE key = ?", (key,)))
            self._depth += 1
            try:
                if not rows or self._depth > MAX_DEPTH or not self.request(key, rows[0][0]):
                    raise ValueError("a request that this one grew from cannot be read")
            finally:
                self._depth -= 1
        return self._texts[key]
