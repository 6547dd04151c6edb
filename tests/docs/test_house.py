"""How the house stands: files import each other in one direction."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "src"
CIRCLES: set[frozenset[str]] = set()
"""Circles that are known and on their way out. Take an entry away with its circle; add none."""
LAZY = sorted(
    ".".join(path.parent.relative_to(ROOT).parts)
    for path in (ROOT / "benchbar").rglob("__init__.py")
    if "_HOMES" in path.read_text("utf-8")
)
"""Packages whose names are imported when they are first used."""


def test_no_files_import_each_other_in_a_circle():
    """Imports inside functions count: they hide a circle from the interpreter, not from a reader.

    Imports for types alone do not count, nor does a package's own ``__init__``, which only gathers names.
    """
    modules = {_name(path): path for path in (ROOT / "benchbar").rglob("*.py")}
    arrows = {name: set(_imports(name, path, modules)) for name, path in modules.items() if path.name != "__init__.py"}
    found = {frozenset(part) for part in components(arrows) if len(part) > 1}
    assert found == CIRCLES, "\n".join(" <-> ".join(sorted(circle)) for circle in found ^ CIRCLES)


@pytest.mark.parametrize("package", LAZY)
def test_no_module_bears_a_name_that_its_package_imports_lazily(package):
    """Once anybody imports the module, it would stand in the place of the function of that name."""
    room = import_module(package)
    assert not {name for name in room.__all__ if find_spec(f"{package}.{name}")}
    assert not [name for name in room.__all__ if not hasattr(room, name)]


def test_no_option_of_the_command_line_is_written_twice():
    """What two commands share stands in ``cli/options.py``: words that are written again are changed in one place and not in the other."""
    written: dict[str, list[str]] = {}
    for path in sorted((ROOT / "benchbar").rglob("*.py")):
        for node in ast.walk(_tree(path)):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "option"
            if named and any(one.arg == "help" for one in node.keywords):
                written.setdefault(ast.dump(node), []).append(f"{path.name}:{node.lineno}")
    assert len(written) > 200
    assert [places for places in written.values() if len(places) > 1] == []


def test_circles_are_found():
    """Also long ones and two that touch, while a diamond is none."""
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e", "f"}, "e": {"g"}, "f": {"g"}, "g": {"h"}, "h": {"g"}}
    assert sorted(sorted(part) for part in components(arrows)) == [["a", "b", "c"], ["d"], ["e"], ["f"], ["g", "h"]]


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(own: str, path: Path, modules: dict[str, Path]) -> Iterator[str]:
    """The files that a file imports: ``from package import module`` is the module, not the package."""
    for node in _statements(_tree(path)):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*own.split(".")[: -node.level], *filter(None, [base])])
            named = [full if (full := f"{base}.{alias.name}") in modules else base for alias in node.names]
        else:
            continue
        yield from (name for name in named if name in modules and modules[name].name != "__init__.py")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements but those under ``if TYPE_CHECKING``; there is no import in an expression."""
    skipped = isinstance(tree, ast.If) and "TYPE_CHECKING" in ast.unparse(tree.test)
    for field in ("body", "orelse", "finalbody", "handlers", "cases")[skipped:]:
        for child in getattr(tree, field, ()):
            yield child
            yield from _statements(child)


def components(arrows: dict[str, set[str]]) -> Iterator[set[str]]:
    """The strongly connected components of a graph (Tarjan 1972)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(node: str) -> Iterator[set[str]]:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(arrows.get(node, ())):
            if other not in number:
                yield from visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            part: set[str] = set()
            while node not in part:
                part.add(stack.pop())
            yield part

    for node in sorted(arrows):
        if node not in number:
            yield from visit(node)
