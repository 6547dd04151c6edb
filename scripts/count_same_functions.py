"""Lines of code of the functions that two versions share, by the room they stood in: `python scripts/count_same_functions.py BEFORE AFTER`.

Each is a folder ``benchbar``. A function is shared that bears one name, with its class, once in each version, wherever it stands:
those that were renamed, merged or came since are in neither sum. Blank lines, comments and docstrings are not counted.
A second table tells why functions became longer; with ``--names`` each of them is printed with its reason.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
ANOTHER = 0.3
REASONS = (
    "takes further arguments",
    "tells or survives further failures",
    "takes further steps",
    "hands on further arguments or fields",
)
"""For each number of ``Content``: what it is if that has grown."""


class Counted(NamedTuple):
    """One function."""

    room: str
    lines: int
    form: str
    """What it does, whatever its comments and the width of its lines."""
    content: Content


class Content(NamedTuple):
    """What of a function tells why it became longer."""

    words: list[str]
    parameters: int
    failures: int
    """Errors that it raises or catches."""
    statements: int
    handed_on: int
    """Named arguments of its calls, and keys of its dictionaries."""


def without_docstrings(node: ast.AST) -> ast.AST:
    """The same function or class; a string that stands by itself says something to readers alone."""
    for one in ast.walk(node):
        for body in (getattr(one, "body", None), getattr(one, "orelse", None)):
            if isinstance(body, list):
                body[:] = [part for part in body if not _is_text(part)] or [ast.Pass()]
    return node


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def code_lines(text: list[str], node: Function) -> int:
    """Lines of a function, as it is written."""
    documented = {
        line
        for one in ast.walk(node)
        if _is_text(one) and isinstance(one, ast.Expr)
        for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)
    }
    own = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return sum(1 for line in own if line not in documented and text[line - 1].strip()[:1] not in {"", "#"})


def functions(source: Path) -> dict[str, list[Counted]]:
    """Name, with its class, to every function that bears it; functions inside of others are part of them."""
    found: dict[str, list[Counted]] = defaultdict(list)
    for file in sorted(source.rglob("*.py")):
        text = file.read_text("utf-8")
        inside = file.relative_to(source).parts
        room = inside[0] if len(inside) > 1 else "(beside)"
        for name, node in named(ast.parse(text)):
            lines = code_lines(text.splitlines(), node)
            form = ast.dump(without_docstrings(node))
            found[name].append(Counted(room, lines, form, content_of(node)))
    return found


def content_of(node: Function) -> Content:
    """Of a function without its docstring."""
    parts = list(ast.walk(node))
    return Content(
        words=re.findall(r"\w+", ast.unparse(node)),
        parameters=len(node.args.posonlyargs) + len(node.args.args) + len(node.args.kwonlyargs),
        failures=sum(isinstance(one, ast.Raise | ast.ExceptHandler) for one in parts),
        statements=sum(isinstance(one, ast.stmt) for one in parts),
        handed_on=sum(len(one.keywords) for one in parts if isinstance(one, ast.Call))
        + sum(len(one.keys) for one in parts if isinstance(one, ast.Dict)),
    )


def reason(before: Content, after: Content) -> str:
    """The first that holds of what makes a function longer."""
    alike = SequenceMatcher(None, before.words, after.words, autojunk=False).ratio()
    if alike < ANOTHER:
        return f"another function: less than {ANOTHER:.0%} of its words are the same"
    return next(
        (
            told
            for told, more in zip(REASONS, zip(before[1:], after[1:], strict=True), strict=True)
            if more[0] < more[1]
        ),
        "the same, written longer",
    )


def named(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """The functions and methods of a module or class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from named(node, f"{prefix}{node.name}.")
        elif isinstance(node, Function):
            yield f"{prefix}{node.name}", node


def shared(before: Path, after: Path) -> Iterator[tuple[str, Counted, Counted]]:
    """Name, and the function of both versions."""
    then, now = functions(before), functions(after)
    for name, (one, *others) in then.items():
        if not others and len(now.get(name, ())) == 1:
            yield name, one, now[name][0]


def main() -> None:
    """Print two tables as Markdown."""
    names, (before, after) = "--names" in sys.argv, (Path(one) for one in sys.argv[1:] if one != "--names")
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for name, one, now in shared(before, after):
        kept, more = one.form == now.form, now.lines - one.lines
        change = "same" if kept else "shorter" if more < 0 else "longer" if more else "as long"
        rooms[one.room].update({"functions": 1, "before": one.lines, "after": now.lines, change: 1})
        if change == "longer":
            told = reason(one.content, now.content)
            reasons[told].update({"functions": 1, "lines": more})
            if names:
                print(f"+{more} {name} ({one.room}): {told}")
        if change == "shorter":
            reasons["(those that became shorter)"].update({"functions": 1, "lines": more})
    table("room at the first", ("functions", "before", "after", "same", "shorter", "as long", "longer"), rooms)
    table("why longer", ("functions", "lines"), reasons)


def table(first: str, heads: tuple[str, ...], rows: dict[str, Counter[str]]) -> None:
    """With its sums in the last row."""
    print(f"| {first} | {' | '.join(heads)} |\n| --- |{' --- |' * len(heads)}")
    for name, counts in [*sorted(rows.items()), ("all", sum_of(rows.values()))]:
        print(f"| {name} | {' | '.join(str(counts[head]) for head in heads)} |")


def sum_of(counts: Iterable[Counter[str]]) -> Counter[str]:
    """Also where a number is below 0, which ``+`` would drop."""
    found: Counter[str] = Counter()
    for one in counts:
        found.update(one)
    return found


if __name__ == "__main__":
    main()
