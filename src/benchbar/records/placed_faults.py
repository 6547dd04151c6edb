"""Faults of a TOML file as a person reads them: file, line, the line itself with a caret under the name, cause and cure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchbar.records.errors import BadInputError
from benchbar.records.faults import Fault
from benchbar.records.faults import Path as FieldPath
from benchbar.records.toml_places import Place, places_of

_WIDTH = 76
"""Characters of a quoted line, so that it fits 80 columns with its number."""
_SECRET = re.compile(r"(?i)\b\w*(?:key|token|secret|password|authorization)\w*\s{0,9}=|://[^/\s\"']*@|\bsk-")


def told(faults: Sequence[Fault], file: Path | None, text: str) -> BadInputError:
    """The error that names all of them; ``text`` is that of the file."""
    (first, line), *others = located(faults, text)
    further = [f"{_prefix(one, where, file)}{one.message}{_quoted(where, one)}" for one, where in others]
    message = "\n  ".join([f"{first.message}{_quoted(line, first)}", *further])
    return BadInputError(message, file=file, line=line.line if line else None, field=_field(first, line) or None)


def narrowed(fault: Fault, given: Mapping[str, Any], *, beside: bool = False) -> Fault:
    """The fault at the very field that its message names, where it is told of a whole table; ``beside`` where of another field.

    What a part refuses it says in words, which quote the name or the value of the field at fault. Only where the line is shown
    depends on this reading: the message stays as it is.
    """
    if fault.unknown:
        return fault
    inside = {path: one for path, one in _leaves(given) if path[: len(fault.path)] == fault.path}
    # A table that concerns other parts may quote the same words: outside of its own, a fault is looked for in plain fields.
    plain = {path: one for path, one in _leaves(given) if len(path) == 1 or path[0] in _PLAIN} if beside else {}
    for leaves in (plain | inside,) if fault.path in inside else (inside, plain):
        marks = {path: _named(path, one, fault.message) for path, one in leaves.items()}
        best = max(marks, key=lambda path: marks[path], default=())
        if best and marks[best][0] > 1:
            return replace(fault, path=best)
    return fault


_PLAIN = ("columns", "tasks")
_QUOTED, _WRITTEN = 4, 2
"""How much it says that a message quotes a value or name, and that it holds it as a word."""


def _leaves(value: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _leaves(one, (*path, name))
    elif isinstance(value, list | tuple) and value:
        for place, one in enumerate(value):
            yield from _leaves(one, (*path, place))
    elif path:
        yield path, value


def _named(path: FieldPath, value: Any, message: str) -> tuple[int, int]:
    """How surely the message speaks of this field, and how early it names the value: what is at fault stands first."""
    found = re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", message)
    return _sureness(path, value, message), -found.start() if found else -len(message)


def _sureness(path: FieldPath, value: Any, message: str) -> int:
    names = [str(part) for part in path if isinstance(part, str)]
    name, dotted = names[-1], ".".join(names[-2:])
    quoted = repr(name) in message or f"`{name}`" in message or (len(names) > 1 and _has(message, dotted))
    # A name alone may be a word like any other: `model`, `suite`.
    plain = message.startswith(f"{name}:")
    said = _QUOTED if quoted else _WRITTEN if plain else int(_has(message, name))
    if isinstance(value, str) and value:
        return said + (_QUOTED if repr(value) in message else _WRITTEN * _has(message, value))
    # A number may stand in a message for many things; beside the name of its field it is the field's.
    counts = isinstance(value, int | float) and not isinstance(value, bool)
    return said + _WRITTEN * bool(said and counts and _has(message, str(value)))


def _has(message: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message) is not None


def located(faults: Iterable[Fault], text: str) -> list[tuple[Fault, Place | None]]:
    """Each fault with the place of its field, in the order of the file; of a missing field that of its table."""
    places = places_of(text)
    found = [(one, next((places[path] for path in _outwards(one) if path in places), None)) for one in faults]
    # What came from flags stands in no line, and comes last.
    return sorted(found, key=lambda one: one[1].line if one[1] else len(text))


def _outwards(fault: Fault) -> Iterator[tuple[str | int, ...]]:
    return (fault.path[:end] for end in range(len(fault.path), 0, -1))


def _prefix(fault: Fault, place: Place | None, file: Path | None) -> str:
    where = ":".join(str(part) for part in (file, place.line if place else None) if part is not None)
    field = _field(fault, place)
    return f"{where}: " * bool(where) + (f"field `{field}`: " if field else "")


def _field(fault: Fault, place: Place | None) -> str:
    """The field to be named before the message; none where the message and the quoted line name it already.

    A field within a table is named with it: whose `model` is at fault the message does not say.
    """
    named = place and len(fault.path) == 1 and f"`{fault.path[0]}`" in fault.message
    return "" if named else fault.field


def _quoted(place: Place | None, fault: Fault) -> str:
    """The line with a caret under the name; its value is left out where it may be a key."""
    if place is None:
        return ""
    line = place.text[:_WIDTH].replace("\t", " ")
    if fault.secret or _SECRET.search(place.text):
        line = line[: place.column + place.length] + " = …"
    number = f"{place.line:>5} | "
    return f"\n{number}{line}\n{' ' * (len(number) - 2)}| {' ' * place.column}{'^' * place.length}"
