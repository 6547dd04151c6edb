"""What all records share: they are frozen, know no unknown fields, and have a fingerprint from their content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import msgspec.inspect

from benchbar.records.errors import BadInputError, UserError, did_you_mean

T = TypeVar("T")
_ENCODER = msgspec.json.Encoder(order="deterministic")


# Unknown fields are refused: a misspelt option that is silently ignored would change what a run measures.
class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A value that may be written to disk and read back as the same value.

    It cannot hold itself, so that the garbage collector need not look into it: runs hold hundreds of thousands.
    """


def encode(value: Any) -> bytes:
    """JSON in a fixed form: keys in the order of the record, dictionaries sorted, UTF-8, no spaces."""
    # The keys of calls, fingerprints and "equal ledgers give equal bytes" all rest on this one form.
    return _ENCODER.encode(value)


def decode(data: bytes | str, kind: type[T], *, file: str | Path | None = None, line: int | None = None) -> T:
    """The value of type ``kind`` that JSON ``data`` holds.

    Raises:
        BadInputError: the text is no JSON, or a field is missing, unknown or of another type.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except _WRONG as error:
        raise _bad(error, kind, file, line) from error


_WRONG = (msgspec.DecodeError, UnicodeDecodeError)


def converted(value: Any, kind: type[T], *, file: str | Path | None = None, line: int | None = None) -> T:
    """The value of type ``kind`` that plain lists, dictionaries and texts hold.

    Raises:
        BadInputError: a field is missing, unknown or of another type.
        UserError: what the record itself raises on values that do not fit together.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        # msgspec wraps what a record's own check raises; its message already says what to do.
        if isinstance(error.__cause__, UserError):
            raise error.__cause__ from None
        raise _bad(error, kind, file, line) from error


def _bad(error: Exception, kind: Any, file: str | Path | None, line: int | None) -> BadInputError:
    if not isinstance(error, msgspec.ValidationError):
        return BadInputError(f"not valid JSON: {error}", file=file, line=line)
    # msgspec has no attribute for the place; it stands at the end of the message.
    message, _, path = str(error).partition(" - at `")
    message += _suggestion(message, kind)
    return BadInputError(message, file=file, line=line, field=path.rstrip("`").lstrip("$.") or None)


_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>.*)`|Invalid enum value '(?P<value>.*)'")


def _suggestion(message: str, kind: Any) -> str:
    """The field, or the value, that a misspelt one may stand for; nothing where none is near."""
    # Nor for the name: with it the message can say which one was probably meant.
    found = _UNKNOWN.fullmatch(message)
    if found is None:
        return ""
    fields, values = set[str](), set[str]()
    _collect(msgspec.inspect.type_info(kind), fields, values, set())
    known = fields if found["field"] is not None else values
    return did_you_mean(found["field"] or found["value"] or "", known)


def _collect(kind: Any, fields: set[str], values: set[str], seen: set[Any]) -> None:
    """All names of fields, and all texts that stand for themselves, within a type."""
    if isinstance(kind, msgspec.inspect.LiteralType):
        values.update(str(value) for value in kind.values)
    elif isinstance(kind, msgspec.inspect.EnumType):
        values.update(str(member.value) for member in kind.cls)
    # A record may hold records of its own kind: without `seen` this would not end.
    elif isinstance(kind, msgspec.inspect.StructType) and kind.cls not in seen:
        seen.add(kind.cls)
        fields.update(field.encode_name for field in kind.fields)
        for field in kind.fields:
            _collect(field.type, fields, values, seen)
    for name in ("types", "item_types"):
        for part in getattr(kind, name, ()):
            _collect(part, fields, values, seen)
    for name in ("item_type", "value_type"):
        if hasattr(kind, name):
            _collect(getattr(kind, name), fields, values, seen)


def decode_lines(lines: Iterable[bytes], kind: type[T], *, file: str | Path | None = None) -> Iterator[T]:
    """The values that the lines of a JSONL file hold; empty lines are passed over."""
    decoder = msgspec.json.Decoder(kind)  # one for all lines: a short line is read in half the time
    for number, line in enumerate(lines, start=1):
        # Lines keep their numbers, so that the error of a later one names the line an editor shows.
        if line and not line.isspace():
            try:
                value = decoder.decode(line)
            except _WRONG as error:
                raise _bad(error, kind, file, number) from error
            yield value


def fingerprint(value: Any) -> str:
    """32 hexadecimal digits that change when, and only when, the content changes (BLAKE2b, 128 bits)."""
    return hashlib.blake2b(encode(value), digest_size=16).hexdigest()


def nonce(form: str, *shown: str) -> str:
    """32 hexadecimal digits that mark the bars around texts of others; they stand in none of these texts.

    They are the hash of all that is shown. A text that held them would hold its own hash, so nobody can write one, however
    much they know of the prompt, and no secret is needed. The same texts always get the same nonce: a run that is resumed,
    or made anew, sends the same requests. ``docs/decisions/0010-nonces-without-a-secret.md`` weighs the attacks.
    """
    # All 128 bits are kept. A reply may try twelve thousand guesses at once, and whoever writes it may search offline:
    # of the 64 bits that nonces once had this leaves 50, which a few graphics cards search in a day; of 128 it leaves 114.
    # The list is hashed as JSON, so that no word can be moved from one text into its neighbour unseen.
    return fingerprint([form, *shown])


def fingerprint_of(head: Iterable[Any], values: Sequence[Any]) -> str:
    """The fingerprint of the list of ``head`` and the list of ``values``, which need not be encoded together."""
    # By hand, brackets and commas included: it has to give what fingerprint() gives of the same lists,
    # and a suite of 100,000 samples should not be encoded as one text for that.
    digest = hashlib.blake2b(b"[", digest_size=16)
    for value in head:
        digest.update(encode(value) + b",")
    for place, value in enumerate(values):
        digest.update((b"," if place else b"[") + encode(value))
    digest.update(b"]]" if values else b"[]]")
    return digest.hexdigest()
