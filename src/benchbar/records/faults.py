"""Every fault of plain lists, dictionaries and texts against a type, where converting them stops at the first one."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from benchbar.records.errors import UserError, did_you_mean, names_near

Path = tuple[str | int, ...]
"""Names of fields and places in lists, from the outermost."""
_UNIONS = (Union, types.UnionType)


@dataclass(frozen=True)
class Fault:
    """One thing that does not fit."""

    path: Path
    message: str
    secret: bool = False
    """Whether the value may be a key, and so must not be shown."""
    missing: str = ""
    """The name of a field that is not there, where that is the fault of the table at ``path``."""
    unknown: bool = False
    """Whether nobody knows the name that ``path`` ends with."""

    @property
    def field(self) -> str:
        """The dotted name of the field."""
        return ".".join(str(part) for part in self.path)


def unknown_names(path: Path, given: Iterable[str], known: Sequence[str], what: str = "field") -> Iterator[Fault]:
    """A fault for each given name of the table at ``path`` that is none of the known ones; the first one lists these."""
    listed = f"; known: {', '.join(known) or 'none'}"
    for name in given:
        if name not in known:
            message = f"unknown {what} `{name}`{did_you_mean(name, known)}{listed}"
            yield Fault((*path, name), message, unknown=True)
            listed = ""


def causes(faults: Iterable[Fault]) -> list[Fault]:
    """The faults without those that follow from another: a field that is missing because its name is misspelt."""
    every = list(faults)
    unknown = [one.path for one in every if one.unknown]
    return [
        one
        for one in every
        if not one.missing or not names_near(one.missing, [str(path[-1]) for path in unknown if path[:-1] == one.path])
    ]


def faults_of(value: Any, kind: Any, path: Path = (), *, whole: bool = True) -> Iterator[Fault]:
    """What is wrong with ``value`` as one of ``kind``, field by field.

    Args:
        value: What TOML or JSON held.
        kind: A record, or any type that msgspec converts to.
        path: Where the value stands.
        whole: Whether a record's own check of its fields together is made, once each of them is right.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin in _UNIONS:
        yield from _of_union(value, kind, inner, path)
    elif _shape(kind) is Mapping and not isinstance(value, Mapping):
        yield Fault(path, _no_table(value, path, of_tables=origin is dict and _shape(inner[1]) is Mapping))
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
        yield from _of_record(value, kind, path, whole=whole)
    elif origin is dict and isinstance(value, Mapping):
        for name, one in value.items():
            yield from faults_of(one, inner[1], (*path, name))
    elif origin in (list, tuple) and _is_list(value) and (origin is list or inner[1:] == (...,)):
        for place, one in enumerate(value):
            yield from faults_of(one, inner[0], (*path, place))
    else:
        yield from _converted(value, kind, path)


def _of_union(value: Any, kind: Any, inner: Sequence[Any], path: Path) -> Iterator[Fault]:
    """Of several types the one whose shape the value has: its own faults say more than that none fits."""
    shape = Mapping if isinstance(value, Mapping) else list if _is_list(value) else None
    fitting = [one for one in inner if shape is not None and _shape(one) is shape]
    if len(fitting) == 1:
        yield from faults_of(value, fitting[0], path)
    else:
        yield from _converted(value, kind, path)


def _shape(kind: Any) -> type | None:
    origin = get_origin(kind)
    if origin in (list, tuple):
        return list
    return Mapping if origin is dict or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)) else None


def _of_record(value: Mapping[str, Any], kind: type[msgspec.Struct], path: Path, *, whole: bool) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    found = list(unknown_names(path, value, list(fields)))
    found += [
        Fault(path, f"the field `{name}` is missing", missing=name)
        for name, field in fields.items()
        if field.required and name not in value
    ]
    for name, field in fields.items():
        if name in value:
            found += faults_of(value[name], hints[field.name], (*path, name))
    yield from causes(found)
    if whole and not found:
        yield from _converted(value, kind, path)


def _converted(value: Any, kind: Any, path: Path) -> Iterator[Fault]:
    try:
        msgspec.convert(value, kind)
    # What a record's own check raises passes through the conversion as it is.
    except UserError as error:
        yield Fault(path, str(error))
    except msgspec.ValidationError as error:
        cause = error.__cause__
        # What a record's own check raises says what to do already.
        message = str(cause) if isinstance(cause, UserError) else _in_words(str(error).partition(" - at `")[0])
        yield Fault(path, message)


def _no_table(value: Any, path: Path, *, of_tables: bool) -> str:
    """Why something is no table, with the heading that would begin one."""
    heading = ".".join([*map(str, path), *(["NAME"] if of_tables else [])])
    return f"expected a table, such as [{heading}]; found {_WORDS.get(_KINDS.get(type(value), ''), 'a list')}"


_KINDS: dict[type, str] = {str: "str", int: "int", float: "float", bool: "bool", type(None): "null"}
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
"""What msgspec calls by the names of JSON and Python, for people who write TOML."""


def _in_words(message: str) -> str:
    """Msgspec's message about a type, without the names of Python's types; any other as it is."""
    found = re.match(r"Expected `([a-z |]+)`(.*), got `([a-z]+)`$", message)
    if found is None:
        return message
    expected, bound, given = found.groups()
    wanted = " or ".join(_WORDS.get(one, one) for one in expected.split(" | "))
    return f"expected {wanted}{bound}; found {_WORDS.get(given, given)}"


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
