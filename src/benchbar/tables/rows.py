"""Rows of JSON, JSONL and CSV files, each with its place, and what is wrong with them said by line and field."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from benchbar.records import Problem
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded

MAX_FILE = 256 * 1024 * 1024
MAX_FIELD = 1 << 20
"""Characters of one field; a longer one is a mistake of export and would only be paid for."""


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        BadInputError: it is none; the message names the first wrong byte, and the encoding it may be in.
    """
    data = read_bounded(path, MAX_FILE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(
            f"not UTF-8 at byte {error.start}{_guess(data)}; convert it, e.g. with iconv -t UTF-8", file=path
        ) from error


def _guess(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ", it looks like UTF-16"
    try:
        data[: 1 << 16].decode("gb18030")
    except UnicodeDecodeError:
        return ""
    return ", it may be GB18030"


def _lines(text: str) -> Iterator[str]:
    """The lines, cut off one by one: a file of many is not held twice."""
    begin = 0
    while (end := text.find("\n", begin)) >= 0:
        yield text[begin:end]
        begin = end + 1
    yield text[begin:]


class Identified(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Unique among its kind."""
        ...


T = TypeVar("T", bound=Identified)


class Rows:
    """Reads one file row by row and gathers the problems of single rows, so that the good ones can go on."""

    def __init__(self, path: Path) -> None:
        """Of the file at ``path``; nothing is read yet."""
        self.path = path
        self.problems: list[Problem] = []

    def problem(self, message: str, *, line: int | None = None, field: str | None = None) -> None:
        """Note that something in a row is wrong."""
        self.problems.append(Problem(file=str(self.path), line=line, field=field, message=message))

    def gather(self, found: Iterable[tuple[int | None, T | None]], what: str) -> tuple[T, ...]:
        """The things that were made of rows, each with an id of its own; None where a row gave nothing.

        Raises:
            BadInputError: there is none at all; the message holds the first problem.
        """
        kept: dict[str, T] = {}
        for line, made in found:
            if made is None:
                continue
            if made.id in kept:
                self.problem(f"a second {what} with the id {made.id}; the first one is kept", line=line, field="id")
            else:
                kept[made.id] = made
        if not kept:
            place = f", line {self.problems[0].line}" if self.problems and self.problems[0].line else ""
            first = f"; first problem{place}: {self.problems[0].message}" if self.problems else ""
            raise BadInputError(f"no usable {what} found in it{first}", file=self.path)
        return tuple(kept.values())

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Line number and fields of each row of a JSONL or CSV file; broken rows become problems."""
        text = read_text(self.path)
        rows = self._csv(text) if self.path.suffix.lower() in {".csv", ".tsv"} else self._jsonl(text)
        for line, row in rows:
            if long := [name for name, value in row.items() if isinstance(value, str) and len(value) > MAX_FIELD]:
                self.problem(f"longer than {MAX_FIELD} characters; the row is skipped", line=line, field=long[0])
                continue
            yield line, row

    def _jsonl(self, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(_lines(text), start=1):
            if not line or line.isspace():
                continue
            try:
                row = msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                self.problem(f"not valid JSON: {error}", line=number)
                continue
            if isinstance(row, dict):
                yield number, row
            else:
                self.problem(f"a JSON object was expected, found {type(row).__name__}", line=number)

    def _csv(self, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
        delimiter = "\t" if self.path.suffix.lower() == ".tsv" else ","
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            for row in reader:
                if None in row:
                    self.problem("more cells than columns", line=reader.line_num)
                    continue
                yield reader.line_num, {key: value or "" for key, value in row.items()}
        except csv.Error as error:
            self.problem(f"not valid CSV: {error}", line=reader.line_num)
