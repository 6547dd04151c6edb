"""How records are kept small: compressed against the form that all of them have, and requests against the dialogue before them.

A request repeats all that was said before it, and a judge's prompt repeats whole dialogues. So a request is compressed with
the calls that it grew from as its dictionary, and names them: what is kept of it is what is new. Answers of one run are
alike as well: once enough of them have come, the first ones become the dictionary of the others.

The first byte says how the rest is to be read: below 0xB0 it is of a ledger before schema 4, which is not read any more.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from benchbar.ledger.calls import KEY_BYTES, Ancestor, TornError
from benchbar.records import encode
from benchbar.records.errors import LedgerError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMMON = (
    b'{"item":"dialogue//","status":"done","calls":["0123456789abcdef","],"digest":"'
    b'{"id":"comparison///right_first/0","kind":"comparison","sample":"","assistant":"","calls":true}'
    b'{"id":"checklist///0","kind":"checklist","sample":"","assistant":"","calls":false}'
    b'{"id":"dialogue//","kind":"dialogue","sample":"","assistant":"","calls":true}'
    b'{"role":"simulator","sample":"","model":"@http://127.0.0.1:8000/v1","messages":[{"role":"system","content":"'
    b'{"role":"judge","sample":"","model":"@https://api.","messages":[{"role":"user","content":"'
    b'{"role":"assistant","sample":"","model":"@http://","messages":[{"role":"user","content":"'
    b'"},{"role":"assistant","content":"'
    b'"},{"role":"user","content":"'
    b'"}],"params":{"temperature":0},"repeat":0,"attempt":0}'
    b'{"status":"failed","reply":null,"error":"timeout","message":"timeout: ","fatal":false,"tries":6}'
    b'{"status":"ok","reply":{"content":"","usage":{"input_tokens":1000,"output_tokens":100},"latency":0.,"cost":0.0,'
    b'"model":"","finish":"stop","contexts":[{"id":"","text":""}]},"error":"","message":"","fatal":false,"tries":1}'
    b'"usage":{"input_tokens":null,"output_tokens":null},"latency":0.0,"cost":null,"model":"","finish":"","contexts":null}'
)
"""What records look like. Part of the schema: a ledger is read with the dictionary that it was written with."""
MAX_RECORD = 1 << 28
"""Bytes of the longest record that is read: what a few damaged or hostile bytes may unpack to is bounded by it."""
MAX_ANCESTORS = 3
"""Calls that a request is kept against: one of its role, for the wording of the prompt, and the last two of its sample, for
the two dialogues that a comparison repeats. More of them save nothing and each has to be read back."""
REACH = 1 << 18
"""Bytes of each of these calls, counted from its end, that a request may repeat."""
OWN_BYTES = 1 << 16
"""Bytes of answers that make a dictionary: what comes after the first 64 KB makes it hardly better, and it is held in memory."""
SHARE = 1 << 13
"""Bytes of one answer that go into it: one long answer must not be the whole dictionary."""
COPY, ORIGINAL = NAMES = ("frame_copy", "frame")
"""In ``meta``, in the order in which they are written: all later answers hang on it, so that damage to one place must not take
it away."""
MAX_DEPTH = 200
"""Calls that one request may be kept against, and they against others: more than any that was written has."""
_BUILT_IN, _OWN, _REQUEST = b"\xb0", b"\xb1", 0xC0
_LEVEL, _LEVEL_REQUEST = 3, 1
# Of a request nearly all is found in its dictionary: a higher level takes longer and finds no more.


class Dictionary:
    """A dictionary that records are compressed against."""

    def __init__(self, text: bytes) -> None:
        """From what such records look like, the most common last."""
        dictionary = zstd.ZstdDict(text, is_raw=True)
        self._compressor = zstd.ZstdCompressor(level=_LEVEL, zstd_dict=dictionary.as_digested_dict)
        self._dictionary = dictionary.as_digested_dict

    def compressed(self, data: bytes) -> bytes:
        """The data in less room."""
        return self._compressor.compress(data, zstd.ZstdCompressor.FLUSH_FRAME)

    def whole(self, data: bytes) -> bytes:
        """The data again.

        Raises:
            TornError: it is torn, or larger than any record.
        """
        return _whole(data, self._dictionary)


def _whole(data: bytes, dictionary: Any) -> bytes:
    stream = zstd.ZstdDecompressor(zstd_dict=dictionary)
    try:
        found: bytes = stream.decompress(data, MAX_RECORD)
    except zstd.ZstdError as error:
        raise TornError(str(error)) from error
    if not stream.eof:
        raise TornError("incomplete or too large")
    return found


BUILT_IN = Dictionary(COMMON)


def seal(*parts: Any) -> bytes:
    """12 bytes over the columns of a row, by which an alteration shows."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=12).digest()


class Unordered:
    """A digest of many texts, whatever their order, which need not be in memory together."""

    def __init__(self, texts: Iterable[bytes] = ()) -> None:
        """Of these, to begin with."""
        self._sum = 0
        for text in texts:
            self.added(text)

    def added(self, text: bytes) -> bytes:
        """The text itself, which is counted in."""
        self._sum += int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")
        return text

    def digest(self) -> bytes:
        """16 bytes: the sum of the texts' own digests."""
        return (self._sum % (1 << 128)).to_bytes(16, "big")


def pack(value: Any) -> bytes:
    """A record as compressed JSON."""
    return pack_text(encode(value))


def pack_text(text: bytes, own: Dictionary | None = None) -> bytes:
    """JSON compressed, against the dictionary of its ledger where that is given."""
    return _OWN + own.compressed(text) if own else _BUILT_IN + BUILT_IN.compressed(text)


def unpack(data: bytes, own: Callable[[], Dictionary | None] | None = None) -> bytes:
    """The JSON of a record; ``own`` gives the dictionary of its ledger.

    Raises:
        TornError: it is torn, or larger than any record, or the dictionary that it was kept against is gone.
    """
    head = data[:1]
    if head == _BUILT_IN:
        return BUILT_IN.whole(data[1:])
    if head != _OWN:
        raise TornError("torn, or written before schema 4")
    dictionary = own() if own else None
    if dictionary is None:
        raise TornError("the dictionary of the ledger, against which this was kept, is missing or damaged")
    return dictionary.whole(data[1:])


def pack_request(request: bytes, ancestors: Sequence[Ancestor]) -> bytes:
    """The JSON of a request, with the calls that it grew from as its dictionary."""
    chosen = ancestors[-MAX_ANCESTORS:]
    head = bytes((_REQUEST + len(chosen),)) + b"".join(one.key for one in chosen)
    return head + zstd.compress(request, _LEVEL_REQUEST, zstd_dict=_prefix([one.text for one in chosen]))


def unpack_request(data: bytes, text_of: Callable[[bytes], bytes]) -> bytes:
    """The JSON of a request; ``text_of`` gives the request and answer of an earlier call by its key.

    Raises:
        TornError: it is torn.
    """
    if data[:1] < bytes((_REQUEST,)):
        raise TornError("no packed request, or one written before schema 4")
    keys = grew_from(data)
    return _whole(data[1 + len(keys) * KEY_BYTES :], _prefix([text_of(key) for key in keys]))


def grew_from(data: bytes) -> tuple[bytes, ...]:
    """Keys of the calls that a packed request is kept against."""
    count = max(0, data[0] - _REQUEST) if data else 0
    return tuple(data[1 + place * KEY_BYTES : 1 + (place + 1) * KEY_BYTES] for place in range(count))


def _prefix(texts: Sequence[bytes]) -> Any:
    return zstd.ZstdDict(b"".join((COMMON, *(text[-REACH:] for text in texts))), is_raw=True).as_prefix


class Meta(Protocol):
    """Where a ledger keeps what it says of itself."""

    def meta(self, name: str) -> bytes | None:
        """The value kept under a name."""
        ...

    def set_meta(self, name: str, value: bytes) -> None:
        """Keep a value under a name, at once."""
        ...

    def offer_meta(self, name: str, value: bytes) -> bytes:
        """The value kept under a name: this one, unless there was one before."""
        ...

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a query."""
        ...


class AnswerPacking:
    """Packs and unpacks the answers of one ledger, against a dictionary that it makes of the first ones.

    Why a dictionary of the ledger's own: ``docs/decisions/0006-the-ledgers-own-frame.md``.
    """

    def __init__(self, store: Meta) -> None:
        """Of the ledger in ``store``."""
        self._store = store
        self._own: Dictionary | None = None
        self._learned: list[bytes] = []
        self._size = 0
        self._looked = False
        self._noted: set[str] = set()

    def note(self, name: str, value: bytes) -> None:
        """Keep in the ledger that an answer had a certain thing: before the answer is there, once, and where others are noted."""
        if name not in self._noted:
            self._noted.add(name)
            if self._store.meta(name) not in {None, value}:
                self._store.set_meta(name, value)

    def pack(self, value: Any) -> bytes:
        """A record as compressed JSON; while there is no dictionary yet, it becomes part of it."""
        if not self._looked:
            self._looked = True
            # Kept again, in case whoever had it first was ended between the two places.
            if kept := next(self._whole(), None):
                self._keep(kept)
        text = encode(value)
        packed = pack_text(text, self._own)
        if self._own is None:
            self._learn(text)
        return packed

    def unpack(self, data: bytes) -> bytes:
        """The JSON of such a record.

        Raises:
            TornError: it is torn, or the dictionary is missing or damaged.
        """
        return unpack(data, self.dictionary)

    def dictionary(self) -> Dictionary | None:
        """The dictionary that the ledger has; None where it has none, or none that is whole."""
        if self._own is None and (kept := next(self._whole(), None)):
            self._own = Dictionary(unpack(kept))
        return self._own

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
            self._own = Dictionary(unpack(packed))
