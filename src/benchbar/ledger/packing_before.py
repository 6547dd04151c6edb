"""Reads what ledgers of schema 3 and older kept: zlib streams, requests with the calls that they grew from as dictionary."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

from benchbar.ledger.records import KEY_BYTES, TornError

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
SHARE = 6_000
"""Bytes of that for the first of several."""
MAX_RECORD = 1 << 28
"""Bytes of the longest record that is read."""
_PLAIN = 0x78
"""First byte of a zlib stream; a smaller one is a number of keys."""


def unpack(data: bytes, frame: bytes = FRAME) -> bytes:
    """The JSON of a record.

    Raises:
        TornError: it is torn, or larger than any record.
    """
    return whole(zlib.decompressobj(zdict=frame), data, zlib.error)


def whole(stream: Any, data: bytes, broken: type[Exception]) -> bytes:
    """All that compressed data holds, by a stream of zlib or Zstandard, whose error is ``broken``.

    Raises:
        TornError: it is torn, or larger than any record.
    """
    try:
        found: bytes = stream.decompress(data, MAX_RECORD)
    except broken as error:
        raise TornError(str(error)) from error
    if not stream.eof:
        raise TornError("incomplete or too large")
    return found


def unpack_request(data: bytes, text_of: Callable[[bytes], bytes]) -> bytes:
    """The JSON of a request; ``text_of`` gives the request and answer of an earlier call by its key.

    Raises:
        TornError: it is torn.
    """
    if data[:1] == bytes((_PLAIN,)):
        return unpack(data)
    keys = grew_from(data)
    if not keys:
        raise TornError("no packed request")
    return unpack(data[1 + len(keys) * KEY_BYTES :], _frame([text_of(key) for key in keys]))


def grew_from(data: bytes) -> tuple[bytes, ...]:
    """Keys of the calls that a packed request is kept against."""
    if not data or data[0] >= _PLAIN:
        return ()
    return keys_of(data, data[0])


def keys_of(data: bytes, count: int) -> tuple[bytes, ...]:
    """So many keys after the first byte."""
    return tuple(data[1 + place * KEY_BYTES : 1 + (place + 1) * KEY_BYTES] for place in range(count))


def _frame(texts: Sequence[bytes]) -> bytes:
    """Each text has its part of the window."""
    if len(texts) == 1:
        return texts[0][-WINDOW:]
    first, *others = texts
    share = (WINDOW - SHARE) // len(others)
    return first[:SHARE] + b"".join(text[-share:] for text in others)
