"""Fields of foreign JSON, taken by type: one that is of another type is told with its place, and taken as missing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from benchbar.evaluations.records import EvaluationLog

LONGEST = 200_000
"""Characters of a text that are kept: no judge is shown more."""
_NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}


class Fields:
    """One object of a log, and where it stands."""

    def __init__(self, given: Mapping[str, Any], log: EvaluationLog, *, line: int | None = None, at: str = "") -> None:
        """``at`` is the path of the object within its row, for messages."""
        self.given, self.line = given, line
        self._log, self._at = log, at

    def __contains__(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.given.get(name) is not None

    def first(self, *names: str) -> str:
        """The first of these fields that is there; the last where none is."""
        return next((name for name in names if name in self), names[-1])

    def text(self, name: str) -> str:
        """A text; numbers as they are written; empty where there is none."""
        value = self.given.get(name)
        if value is None:
            return ""
        if isinstance(value, str):
            return value[:LONGEST]
        if isinstance(value, int | float):
            return str(value)
        self._wrong(name, "a text", value)
        return ""

    def said(self, name: str) -> str:
        """The text of a field that may also hold messages, parts of one, or any other JSON."""
        return said(self.given.get(name))[:LONGEST]

    def number(self, name: str) -> float | None:
        """A finite number, or true and false as 1 and 0; None where there is none."""
        value = self.given.get(name)
        if value is None:
            return None
        if isinstance(value, int | float) and math.isfinite(value):
            return float(value)
        self._wrong(name, "a finite number", value)
        return None

    def count(self, name: str) -> int | None:
        """A whole number of 0 or more."""
        value = self.given.get(name)
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and value == int(value):
            return int(value)
        self._wrong(name, "a whole number of 0 or more", value)
        return None

    def flag(self, name: str) -> bool | None:
        """True or false."""
        value = self.given.get(name)
        if value is None or isinstance(value, bool):
            return value
        self._wrong(name, "true or false", value)
        return None

    def inner(self, name: str) -> Fields:
        """The object in a field; an empty one where there is none."""
        value = self.given.get(name)
        if value is not None and not isinstance(value, dict):
            self._wrong(name, "an object", value)
        return Fields(value if isinstance(value, dict) else {}, self._log, line=self.line, at=self._path(name))

    def each(self, name: str) -> Iterator[Fields]:
        """The objects in a list."""
        value = self.given.get(name)
        if value is None:
            return
        if not isinstance(value, list):
            self._wrong(name, "a list", value)
            return
        for place, one in enumerate(value):
            if isinstance(one, dict):
                yield Fields(one, self._log, line=self.line, at=f"{self._path(name)}[{place}]")
            else:
                self._wrong(f"{name}[{place}]", "an object", one)

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts in a list; none where there is no list."""
        value = self.given.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self._wrong(name, "a list of texts", value)
            return ()
        return tuple(one[:LONGEST] for one in value)

    def own(self) -> dict[str, str]:
        """The texts among the fields, whatever they are called; what is no text is passed over."""
        return {name: value[:LONGEST] for name, value in self.given.items() if isinstance(value, str)}

    def _path(self, name: str) -> str:
        return f"{self._at}.{name}" if self._at else name

    def _wrong(self, name: str, expected: str, found: Any) -> None:
        called = "NaN or infinity" if isinstance(found, float) and not math.isfinite(found) else _called(found)
        self._log.problem(f"expected {expected}, found {called}", line=self.line, field=self._path(name))


def _called(found: Any) -> str:
    shown = f" ({str(found)[:40]!r})" if isinstance(found, str | int | float) else ""
    return _NAMES.get(type(found), "null") + shown


def said(value: Any, depth: int = 0) -> str:
    """The text in messages, parts of messages or choices, in order; empty where there is none.

    Of a dialogue of several messages each begins with its role, as a judge has to tell who said what.
    """
    # What nests deeper than chat messages do is no text anybody wrote.
    if depth > 6 or value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [said(one, depth + 1) for one in value]
        roles = [one.get("role") if isinstance(one, dict) else None for one in value]
        several = len([role for role in roles if role]) > 1
        return "\n".join(
            f"{role}: {part}" if several and role else part for role, part in zip(roles, parts, strict=True) if part
        )
    if isinstance(value, dict):
        name = next((name for name in ("content", "text", "parts", "output", "answer", "value") if name in value), None)
        return said(value[name], depth + 1) if name else ""
    return str(value)
