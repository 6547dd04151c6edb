"""Where each field of a TOML text stands, which the parser of the standard library does not tell."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from benchbar.records.faults import Path

MOST_LINES = 5000
"""Of a longer file no places are told: nobody writes one by hand, and its lines would be parsed twice."""
_HEADER = re.compile(r"\s*\[{1,2}[^\[\]=]+\]{1,2}\s*(?:#.*)?")


class Place(NamedTuple):
    """Where the name of a field stands."""

    line: int
    """From 1."""
    column: int
    """From 0."""
    length: int
    text: str
    """The whole line."""


def places_of(text: str) -> dict[Path, Place]:
    """Path of each field and table to the place of its name; nothing of a text that is no TOML, or is very long.

    The text is cut into statements: the fewest lines that are TOML by themselves. Each is parsed under the header of its
    table, so no second grammar is needed.
    """
    lines = text.splitlines()
    found: dict[Path, Place] = {}
    if len(lines) > MOST_LINES:
        return found
    header, counted = "", Counter[str]()
    for number, statement in _statements(lines):
        if _HEADER.fullmatch(statement):
            header = statement
            counted[statement.strip()] += 1
        # A second [[table]] of one name is the next item of its list, though alone it reads as the first.
        offset = max(counted[header.strip()] - 1, 0)
        parsed = _parsed(statement if statement is header else f"{header}\n{statement}")
        for path in _paths(parsed or {}, offset if header.lstrip().startswith("[[") else 0):
            if path not in found:
                found[path] = _place(str(path[-1]), number, statement)
    return found


def _statements(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Number of the first line, and text, of each statement."""
    begun, held = 0, ""
    for number, line in enumerate(lines, start=1):
        if not held:
            begun = number
        held = f"{held}\n{line}" if held else line
        if not held.strip():
            held = ""
        elif _parsed(held) is not None:
            yield begun, held
            held = ""


def _parsed(text: str) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _paths(value: Any, offset: int, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield (*path, name)
            yield from _paths(one, offset, (*path, name))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _paths(one, offset, (*path, place + (offset if len(value) == 1 else 0)))


def _place(name: str, number: int, statement: str) -> Place:
    """Of a name within its statement; the statement's beginning where it is written in another way, as with escapes."""
    match = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", statement)
    at = match.start() if match else len(statement) - len(statement.lstrip())
    line = statement.count("\n", 0, at)
    text = statement.split("\n")[line]
    column = at - (statement.rfind("\n", 0, at) + 1)
    return Place(number + line, column, len(name) if match else max(len(text.strip()), 1), text)
