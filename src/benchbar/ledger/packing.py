"""How records are kept small: compressed against the form that all of them have, and requests against the talk before them.

A request repeats all that was said before it, and a judge's prompt repeats whole dialogues. So a request is compressed with
the calls that it grew from as its dictionary, and names them: what is kept of it is what is new. Answers of one run are
alike as well: once enough of them have come, the first ones become the dictionary of the others.

The first byte says how the rest is to be read: below 0xB0 it is of an older ledger.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchbar.ledger import packing_before as before
from benchbar.ledger.packing_before import FRAME
from benchbar.ledger.records import KEY_BYTES, Near, TornError
from benchbar.records import encode

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX_NEAR = 3
REACH = 1 << 18
"""Bytes of each of these calls, counted from its end, that a request may repeat."""
_BUILT_IN, _OWN, _REQUEST = b"\xb0", b"\xb1", 0xC0
_LEVEL, _LEVEL_REQUEST = 3, 1


class Frame:
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
    return before.whole(zstd.ZstdDecompressor(zstd_dict=dictionary), data, zstd.ZstdError)


BUILT_IN = Frame(FRAME)


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


def pack_text(text: bytes, own: Frame | None = None) -> bytes:
    """JSON compressed, against the frame of its ledger where that is given."""
    return _OWN + own.compressed(text) if own else _BUILT_IN + BUILT_IN.compressed(text)


def unpack(data: bytes, own: Callable[[], Frame | None] | None = None) -> bytes:
    """The JSON of a record, of this schema or an older one; ``own`` gives the frame of its ledger.

    Raises:
        TornError: it is torn, or larger than any record, or the frame that it was kept against is gone.
    """
    head = data[:1]
    if head == _BUILT_IN:
        return BUILT_IN.whole(data[1:])
    if head != _OWN:
        return before.unpack(data)
    frame = own() if own else None
    if frame is None:
        raise TornError("the frame of the ledger, against which this was kept, is missing or damaged")
    return frame.whole(data[1:])


def pack_request(request: bytes, near: Sequence[Near]) -> bytes:
    """The JSON of a request, with the calls that it grew from as its dictionary."""
    chosen = near[-MAX_NEAR:]
    head = bytes((_REQUEST + len(chosen),)) + b"".join(one.key for one in chosen)
    return head + zstd.compress(request, _LEVEL_REQUEST, zstd_dict=_prefix([one.text for one in chosen]))


def unpack_request(data: bytes, text_of: Callable[[bytes], bytes]) -> bytes:
    """The JSON of a request; ``text_of`` gives the request and answer of an earlier call by its key.

    Raises:
        TornError: it is torn.
    """
    if not _is_request(data):
        return before.unpack_request(data, text_of)
    keys = grew_from(data)
    return _whole(data[1 + len(keys) * KEY_BYTES :], _prefix([text_of(key) for key in keys]))


def grew_from(data: bytes) -> tuple[bytes, ...]:
    """Keys of the calls that a packed request is kept against."""
    if not _is_request(data):
        return before.grew_from(data)
    return before.keys_of(data, data[0] - _REQUEST)


def _is_request(data: bytes) -> bool:
    return data[:1] >= bytes((_REQUEST,))


def _prefix(texts: Sequence[bytes]) -> Any:
    return zstd.ZstdDict(b"".join((FRAME, *(text[-REACH:] for text in texts))), is_raw=True).as_prefix
