"""Lines of code of the functions that two versions share, by the room they stood in: `python scripts/count_same_functions.py BEFORE AFTER`.

Each is a folder ``benchbar``. A function is shared that bears one name, with its class, once in each version, wherever it stands:
those that were renamed, merged or came since are in neither sum. Blank lines, comments and docstrings are not counted.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Counted(NamedTuple):
    """One function."""

    room: str
    lines: int
    form: str
    """What it does, whatever its comments and the width of its lines."""


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
            found[name].append(Counted(room, lines, ast.dump(without_docstrings(node))))
    return found


def named(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """The functions and methods of a module or class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from named(node, f"{prefix}{node.name}.")
        elif isinstance(node, Function):
            yield f"{prefix}{node.name}", node


def main() -> None:
    """Print one table as Markdown."""
    before, after = (functions(Path(name)) for name in sys.argv[1:3])
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for name, (one, *others) in before.items():
        if not others and len(after.get(name, ())) == 1:
            now = after[name][0]
            kept, shorter = one.form == now.form, now.lines < one.lines
            change = "same" if kept else "shorter" if shorter else "longer" if now.lines > one.lines else "as long"
            rooms[one.room].update({"functions": 1, "before": one.lines, "after": now.lines, change: 1})
    heads = ("functions", "before", "after", "same", "shorter", "as long", "longer")
    print(f"| room at the first | {' | '.join(heads)} |\n| --- |{' --- |' * len(heads)}")
    for room, counts in [*sorted(rooms.items()), ("all", sum(rooms.values(), Counter()))]:
        print(f"| {room} | {' | '.join(str(counts[head]) for head in heads)} |")


if __name__ == "__main__":
    main()
