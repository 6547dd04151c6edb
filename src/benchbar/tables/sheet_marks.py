"""What a sheet of Excel holds besides its values: rows that nobody sees, and formulas whose value was never stored."""

from __future__ import annotations

import re
import zipfile
from pathlib import PurePosixPath

from benchbar.records import Record

_SHEET = re.compile(rb"<(?:\w{1,20}:)?sheet\s[^<>]{0,2000}>")
_RELATION = re.compile(rb"<(?:\w{1,20}:)?Relationship\s[^<>]{0,4000}>")
_HIDDEN_ROW = re.compile(rb"""<(?:\w{1,20}:)?row\s(?=[^<>]{0,2000}\shidden\s?=\s?["'](?:1|true)["'])[^<>]{0,2000}>""")
_NUMBER = re.compile(rb"""\sr\s?=\s?["'](\d{1,9})["']""")
# A text that a formula gives may be empty, and is then marked as a text (t="str").
_UNVALUED = re.compile(
    rb"""<(?:\w{1,20}:)?c\s(?![^<>]{0,2000}\st\s?=\s?["']str["'])[^<>]{0,2000}(?<!/)>\s{0,99}<(?:\w{1,20}:)?f(?:\s[^<>]{0,2000})?"""
    rb"""(?:(?<=/)>|>[^<]{0,9000}</(?:\w{1,20}:)?f>)\s{0,99}(?:<(?:\w{1,20}:)?v\s?/>|<(?:\w{1,20}:)?v></(?:\w{1,20}:)?v>)?\s{0,99}</(?:\w{1,20}:)?c>"""
)
_PLACE = re.compile(rb"""\sr\s?=\s?["']([A-Z]{1,3}\d{1,9})["']""")


class SheetMarks(Record, frozen=True):
    """Of one sheet."""

    hidden: frozenset[int] = frozenset()
    """Numbers of the rows that are hidden, by hand or by a filter."""
    unvalued: tuple[str, ...] = ()
    """Cells such as B6 whose formula has no stored value: a program wrote it that does not compute."""


def sheet_marks(opened: zipfile.ZipFile, place: int) -> SheetMarks:
    """Of the sheet at ``place`` of the workbook, counted from 0; nothing where the workbook does not tell its part."""
    if (part := _part(opened, place)) is None:
        return SheetMarks()
    data = opened.read(part)
    rows = (_NUMBER.search(one[0]) for one in _HIDDEN_ROW.finditer(data))
    cells = (_PLACE.search(one[0]) for one in _UNVALUED.finditer(data))
    return SheetMarks(
        hidden=frozenset(int(one[1]) for one in rows if one), unvalued=tuple(one[1].decode() for one in cells if one)
    )


def _part(opened: zipfile.ZipFile, place: int) -> str | None:
    names = set(opened.namelist())
    book, relations = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
    if not {book, relations} <= names:
        return None
    sheets = [one[0] for one in _SHEET.finditer(opened.read(book))]
    wanted = _attribute(sheets[place], rb"\w{1,20}:id") if place < len(sheets) else None
    found = (one[0] for one in _RELATION.finditer(opened.read(relations)))
    target = next((_attribute(one, b"Target") for one in found if wanted and _attribute(one, b"Id") == wanted), None)
    if target is None:
        return None
    part = target.lstrip("/") if target.startswith("/") else str(PurePosixPath("xl") / target)
    return part if part in names else None


def _attribute(element: bytes, name: bytes) -> str | None:
    match = re.search(rb"\s" + name + rb"""\s?=\s?["']([^"'<>]{0,400})["']""", element)
    return match[1].decode("utf-8", "replace") if match else None
