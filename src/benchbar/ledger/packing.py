"""How records are kept small: compressed against the form that all of them have, and requests against the talk before them.

A request repeats all that was said before it, and a judge's prompt repeats whole dialogues. So a request is compressed with
the calls that it grew from as its dictionary, and names them: what is kept of it is what is new.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchbar.ledger.records import KEY_BYTES, Near
from benchbar.records import encode

FRAME = (
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
"""What records look like. Part of the schema: a ledger is read with the frame that it was written with."""
WINDOW = 32_000
"""Bytes of a dictionary that zlib looks back over."""
MAX_NEAR = 3
SHARE = 6_000
"""Bytes of that for the first of several, of which only the prompt's wording is wanted."""
MAX_RECORD = 1 << 28
_LEVEL = 6
_LEVEL_REQUEST = 3
_PLAIN = 0x78
"""First byte of a zlib stream; a smaller one is a number of keys."""


def seal(*parts: Any) -> bytes:
    """12 bytes over the columns of a row, by which an alteration shows."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=12).digest()


def seal_of_all(names: Iterable[str]) -> bytes:
    """The seal of all these names, which need not be in memory together."""
    digest = hashlib.blake2b(b"(", digest_size=12)
    count = 0
    for count, name in enumerate(names, start=1):
        digest.update((", " if count > 1 else "").encode() + repr(name).encode())
    digest.update(b",)" if count == 1 else b")")
    return digest.digest()


def pack(value: Any) -> bytes:
    """A record as compressed JSON."""
    return _compressed(encode(value), FRAME, _LEVEL)


def unpack(data: bytes, frame: bytes = FRAME) -> bytes:
    """The JSON of a record, of this schema or an older one.

    Raises:
        zlib.error: it is torn, or larger than any record.
    """
    stream = zlib.decompressobj(zdict=frame)
    whole = stream.decompress(data, MAX_RECORD)
    if not stream.eof:
        raise zlib.error("incomplete or too large")
    return whole


def pack_request(request: bytes, near: Sequence[Near]) -> bytes:
    """The JSON of a request, with the calls that it grew from as its dictionary."""
    if not near:
        return _compressed(request, FRAME, _LEVEL)
    chosen = near[-MAX_NEAR:]
    keys = b"".join(one.key for one in chosen)
    return bytes((len(chosen),)) + keys + _compressed(request, _frame([one.text for one in chosen]), _LEVEL_REQUEST)


def unpack_request(data: bytes, text_of: Callable[[bytes], bytes]) -> bytes:
    """The JSON of a request; ``text_of`` gives the request and answer of an earlier call by its key.

    Raises:
        zlib.error: it is torn.
    """
    if data[:1] == bytes((_PLAIN,)):
        return unpack(data)
    keys = grew_from(data)
    if not keys:
        raise zlib.error("no packed request")
    return unpack(data[1 + len(keys) * KEY_BYTES :], _frame([text_of(key) for key in keys]))


def grew_from(data: bytes) -> tuple[bytes, ...]:
    """Keys of the calls that a packed request is kept against."""
    if not data or data[0] >= _PLAIN:
        return ()
    return tuple(data[1 + place * KEY_BYTES : 1 + (place + 1) * KEY_BYTES] for place in range(data[0]))


def _frame(texts: Sequence[bytes]) -> bytes:
    """Each text gets its part of the window: a long one must not push the others out of it."""
    if len(texts) == 1:
        return texts[0][-WINDOW:]
    first, *others = texts
    share = (WINDOW - SHARE) // len(others)
    return first[:SHARE] + b"".join(text[-share:] for text in others)


def _compressed(data: bytes, frame: bytes, level: int) -> bytes:
    stream = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zlib.Z_DEFAULT_STRATEGY, frame)
    return stream.compress(data) + stream.flush()
