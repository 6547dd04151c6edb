"""Faults of a spec as a person reads them: file, line, the line itself with a caret under the name, cause and cure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchbar.records.errors import BadInputError
from benchbar.records.faults import Fault
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
    """The field to be named before the message; none where the message and the quoted line name it already."""
    return "" if place and fault.path and f"`{fault.path[-1]}`" in fault.message else fault.field


def _quoted(place: Place | None, fault: Fault) -> str:
    """The line with a caret under the name; its value is left out where it may be a key."""
    if place is None:
        return ""
    line = place.text[:_WIDTH].replace("\t", " ")
    if fault.secret or _SECRET.search(place.text):
        line = line[: place.column + place.length] + " = …"
    number = f"{place.line:>5} | "
    return f"\n{number}{line}\n{' ' * (len(number) - 2)}| {' ' * place.column}{'^' * place.length}"
