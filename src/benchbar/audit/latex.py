"""Tables of a LaTeX source as grids of cells: commands give way to what they show, marks and notes to nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.audit.pages import WIDEST_SPAN, squared

_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_TABLE = re.compile(
    r"\\begin\{(?P<kind>tabular[xy*]?|longtable|tabulary|array|xltabular|supertabular)\}(?P<body>.*?)\\end\{(?P=kind)\}",
    re.DOTALL,
)
_HIDDEN = frozenset({"footnote", "footnotemark", "textsuperscript", "textsubscript", "cite", "citep", "citet", "ref", "label",
                     "tnote", "vspace", "hspace", "rowcolor", "cellcolor", "columncolor", "color", "cmidrule", "cline", "addlinespace",
                     "caption", "arrayrulecolor", "noalign", "specialrule"})  # fmt: skip
"""Commands whose argument is no part of a number or name."""
_LAST = frozenset(
    {"textcolor", "colorbox", "multirow", "multicolumn", "resizebox", "scalebox", "makebox", "parbox", "href"}
)
"""Commands of several arguments that show the last one."""
_ROWS = re.compile(r"\\multirow\s*\{(\d{1,3})\}\{[^{}]*\}\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_SPACE = re.compile(r"[\s~]+")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")


def latex_grids(text: str) -> Iterator[list[list[str]]]:
    """Each table as rows of cells under its header, of a source without comments."""
    for found in _TABLE.finditer(text):
        # Page breaks of a long table repeat its head.
        body = re.sub(r"\\end(?:first)?(?:head|foot)|\\endlastfoot", r"\\\\", _after_columns(found["body"]))
        rows = [[cell for part in _cut(row, "&") for cell in _cells(part)] for row in _cut(body, "\\\\")]
        if grid := squared(_carried([row for row in rows if any(row)], _spans(body))):
            yield grid


def without_comments(text: str) -> str:
    """The source without what no reader sees."""
    return _COMMENT.sub("", text)


def _spans(body: str) -> dict[str, int]:
    """What a cell over several rows shows, to how many."""
    return {_shown(found[2]): int(found[1]) for found in _ROWS.finditer(body)}


def _carried(rows: list[list[str]], spans: dict[str, int]) -> list[list[str]]:
    """The rows, each named by the cell that spans it."""
    name, left = "", 0
    for row in rows:
        if row[0] in spans:
            name, left = row[0], spans[row[0]]
        elif left > 1 and not row[0]:
            row[0] = name
            left -= 1
        else:
            left = 0
    return rows


def _after_columns(body: str) -> str:
    """Without what stands in brackets and braces before the first row: width, position, columns."""
    place = 0
    while place < len(body) and body[place] in "[{ \n":
        if body[place] in "[{":
            place = _closed(body, place)
        else:
            place += 1
    return body[place:]


def _cut(text: str, mark: str) -> Iterator[str]:
    """The parts between marks that stand outside of braces and are not escaped."""
    start = place = depth = 0
    while place < len(text):
        if depth == 0 and text.startswith(mark, place):
            yield text[start:place]
            place = start = place + len(mark)
            # \\[2pt] and \\* end a row as well.
            if mark == "\\\\" and (space := re.compile(r"\*?\[[^\]\n]{0,20}\]").match(text, place)):
                place = start = space.end()
            continue
        depth += (text[place] == "{") - (text[place] == "}")
        place += 2 if text[place] == "\\" else 1
    yield text[start:]


def _cells(part: str) -> list[str]:
    """The cell; one that spans several columns as often as it does, so that headers stand above their numbers."""
    span = re.match(r"\s*\\multicolumn\s*\{\s*(\d{1,3})\s*\}", part)
    return [_shown(part)] * (min(int(span[1]), WIDEST_SPAN) if span else 1)


def _shown(part: str) -> str:
    """What is printed of a cell."""
    kept: list[str] = []
    place = 0
    while place < len(part):
        one = part[place]
        if one == "\\":
            place = _command(part, place, kept)
        elif one in "_^":
            # A sub- or superscript is a mark or a deviation, never a digit of the number.
            place = _closed(part, place + 1) if part[place + 1 : place + 2] == "{" else place + 2
        else:
            kept.append("" if one in "{}$" else " " if one == "~" else one)
            place += 1
    return _SPACE.sub(" ", "".join(kept)).strip()


def _command(part: str, place: int, kept: list[str]) -> int:
    """Where reading goes on after a command, with what it shows kept."""
    found = _COMMAND.match(part, place)
    if found is None:
        # An escaped sign, or a thin space.
        kept.append(part[place + 1 : place + 2] if part[place + 1 : place + 2] in "%&_#$" else " ")
        return place + 2
    place, name = found.end(), found[1]
    if name == "pm":
        kept.append("±")
    if name not in _HIDDEN | _LAST:
        return place
    arguments: list[tuple[int, int]] = []
    while part[place : place + 1] in ("{", "[", "(") or (part[place : place + 1] == " " and not arguments):
        end = place + 1 if part[place] == " " else _closed(part, place)
        if part[place] == "{":
            arguments.append((place + 1, end - 1))
        place = end
        if name in _HIDDEN and arguments:
            break
    if name in _LAST and arguments:
        kept.append(_shown(part[slice(*arguments[-1])]))
    return place


def _closed(text: str, place: int) -> int:
    """The place after the bracket that closes the one there."""
    opened, closed = text[place], {"{": "}", "[": "]", "(": ")"}[text[place]]
    depth = 0
    for end in range(place, len(text)):
        depth += (text[end] == opened) - (text[end] == closed)
        if depth == 0:
            return end + 1
    return len(text)
