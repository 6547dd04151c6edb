"""JSON and JSON lines: rows that are objects, and whole documents; nesting bounded, faults by their lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.tables.encodings import Encoding, decode, encoding_of, is_utf8, odd, sure
from benchbar.tables.table import MAX_DEPTH, MAX_FILE, Table

_NO_NUMBER = re.compile(rb"\b(?:NaN|Infinity)\b")
_UTF8 = Encoding("utf-8")


class _NotJsonError(ValueError):
    """What a text is instead of JSON."""


def json_value(data: bytes) -> Any:
    """The value in UTF-8 bytes; NaN and infinity, which pandas writes and JSON does not know, are None.

    Raises:
        ValueError: it is no JSON, or nested too deep.
    """
    try:
        value = msgspec.json.decode(data)
    except RecursionError as error:
        raise _NotJsonError(f"nested too deep; expected {MAX_DEPTH} levels at most") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if not _NO_NUMBER.search(data):
            raise _NotJsonError(f"not valid JSON: {error}") from error
        value = _with_gaps(data)
    # Few brackets cannot be nested deep, and counting them costs a hundredth of reading them.
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise _NotJsonError(f"nested too deep; expected {MAX_DEPTH} levels at most")
    return value


def _with_gaps(data: bytes) -> Any:
    try:
        return json.loads(data, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise _NotJsonError(f"not valid JSON: {error}") from error


def _depth(value: Any) -> int:
    """Levels of nesting, counted without recursion."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        if depth > MAX_DEPTH:
            break
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


def read_json(path: Path) -> Any:
    """The document in a JSON file, of any shape.

    Raises:
        BadInputError: it cannot be read, or is no JSON.
    """
    return _document(_utf8(read_bounded(path, MAX_FILE), path), path)


def _utf8(data: bytes, path: Path, encoding: str | None = None) -> bytes:
    """The bytes in UTF-8 without a mark; those of a plain file are not copied."""
    found = sure(encoding_of(data, path, given=encoding), path)
    return data if found == _UTF8 and data[:1] != b"\xef" else decode(data, path, given=encoding).encode()


def _document(data: bytes, path: Path) -> Any:
    try:
        return json_value(data)
    except _NotJsonError as error:
        raise BadInputError(str(error), file=path) from error


def read_list(table: Table, data: bytes, encoding: str | None) -> None:
    """Make the table read a JSON file that holds a list of objects.

    Raises:
        BadInputError: it holds something else.
    """
    table.encoding = sure(encoding_of(data, table.path, given=encoding), table.path).name
    data = _utf8(data, table.path, encoding)
    try:
        # Items stay raw, so that each has its line and is made when it is asked for.
        items = msgspec.json.decode(data, type=list[msgspec.Raw])
    except msgspec.ValidationError as error:
        message = f"expected a list of objects, one a row: {error}"
        raise BadInputError(message, file=table.path) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        items = None
    table.reads(_items(table, data, items) if items is not None else _listed(table, _document(data, table.path)))


def _items(table: Table, data: bytes, items: list[msgspec.Raw]) -> Iterator[tuple[int, dict[str, Any]]]:
    line, at = 1, 0
    for item in items:
        begins = data.index(bytes(item), at)
        line += data.count(b"\n", at, begins)
        yield from _row(table, line, bytes(item))
        at = begins + len(item)
        line += data.count(b"\n", begins, at)


def _listed(table: Table, document: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """The items of a list that only the forgiving reader reads; their lines are not known, their numbers are."""
    if not isinstance(document, list):
        message = f"expected a list of objects, one a row; found {_called(document)}"
        raise BadInputError(message, file=table.path)
    for number, item in enumerate(document, start=1):
        yield from _object(table, number, item)


def read_lines(table: Table, data: bytes, encoding: str | None) -> None:
    """Make the table read the objects of a file with one on each line.

    Raises:
        BadInputError: there is no telling its encoding.
    """
    found = sure(encoding_of(data, table.path, given=encoding, mixed=True), table.path)
    table.encoding = found.name
    if found.name.startswith(("utf-16", "utf-32")):
        data, found = decode(data, table.path, given=encoding).encode(), _UTF8
    table.reads(_lines(table, data.removeprefix(b"\xef\xbb\xbf"), found))


def _lines(table: Table, data: bytes, encoding: Encoding) -> Iterator[tuple[int, dict[str, Any]]]:
    begin, number = 0, 0
    clean = encoding == _UTF8 and is_utf8(data)
    while begin < len(data):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        raw, begin, number = data[begin:end], end + 1, number + 1
        if not raw or raw.isspace():
            continue
        if not clean and not raw.isascii():
            text = raw.decode(encoding.name, errors="surrogateescape")
            other = odd(text, encoding)
            if other is not None:
                message = f"in {other}, while the file is in {encoding.shown}; the row is left out: "
                table.lose(message + "save the file in one encoding", line=number)
                continue
            raw = raw if encoding.name == "utf-8" else text.encode()
        yield from _row(table, number, raw)


def _row(table: Table, line: int, raw: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        value = json_value(raw)
    except _NotJsonError as error:
        table.lose(str(error), line=line)
        return
    yield from _object(table, line, value)


def _object(table: Table, line: int, value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    if not isinstance(value, dict):
        table.lose(f"a JSON object was expected, found {_called(value)}", line=line)
        return
    table.meets(value)
    yield line, value


def _called(value: Any) -> str:
    names = {
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        dict: "an object",
    }
    return names.get(type(value), "null")
