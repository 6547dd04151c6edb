"""Every error that Benchbar raises on purpose.

Three rules hold here. An error's message says what was found, what was expected and what to do.
Each class has a ``slug`` that leads to its cure in ``docs/errors.md`` and that machines can match on.
``UserError`` is for what a user can mend (exit code 2); every other ``BenchbarError`` ends with exit code 1.
"""

from __future__ import annotations

from pathlib import Path


class BenchbarError(Exception):
    """Something went wrong, and Benchbar knows what."""

    slug = "error"


class UserError(BenchbarError):
    """The command, the spec or an input file has to be changed by the user."""

    slug = "usage"


class BadInputError(UserError):
    """A file that was given cannot be read as what it should be; names file, line and field."""

    slug = "bad-input"

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        """Keep where the fault is, and say it before the message."""
        self.file, self.line, self.field, self.message = file, line, field, message
        place = ":".join(str(part) for part in (file, line) if part is not None)
        where = f"{place}: " if place else ""
        named = f"field `{field}`: " if field else ""
        super().__init__(f"{where}{named}{message}")


class UnknownNameError(UserError):
    """A name was asked for that nobody registered; the known ones are listed."""

    slug = "unknown-name"

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        """Say what was asked for, and what there is."""
        listed = ", ".join(sorted(known)) or "none"
        super().__init__(f"unknown {what} {name!r}; known: {listed}")


class MissingDependencyError(UserError):
    """An optional part was asked for whose library is not installed."""

    slug = "missing-dependency"

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        """Say what is missing, what for, and how to install it."""
        super().__init__(f"{purpose} needs {package}: install it with `pip install 'benchbar[{extra}]'`")
