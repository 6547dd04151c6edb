"""What every test of this house has: a sentence that says the rule, and something that fails when the rule is broken."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Calls that fail a test by themselves, as an assert does.
_ASSERTING = {"raises", "warns", "fail"}
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def fault_of(file: Path, name: str) -> str:
    """What the test of this name in a file lacks; empty where it lacks nothing, or where it is inherited from another file."""
    functions = _functions(file)
    test = functions.get(name)
    if test is None:
        return ""
    if not (ast.get_docstring(test) or "").rstrip().endswith((".", "?", "!")):
        return "has no docstring that says its rule in a sentence"
    if not _asserts(test, functions, frozenset()):
        return "asserts nothing, or only under an `if`: neither it nor a function of its file that it calls"
    return ""


@cache
def _functions(file: Path) -> dict[str, ast.AST]:
    return {node.name: node for node in _statements(ast.parse(file.read_text("utf-8"))) if isinstance(node, _FUNCTION)}


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements below, without their expressions: no function is defined in one, and they are nine nodes of ten."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, name, ()):
            yield child
            yield from _statements(child)


def _asserts(function: ast.AST, functions: dict[str, ast.AST], seen: frozenset[str]) -> bool:
    for node in _always(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Attribute) and node.attr in _ASSERTING:
            return True
        # Tests share what they check in a function of their file: that counts where it asserts.
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = node.func.id
            if called in functions and called not in seen and _asserts(functions[called], functions, seen | {called}):
                return True
    return False


def _always(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below, without what stands under an `if` that has no `else`: such a test may pass without a question asked."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and not child.orelse:
            continue
        yield child
        yield from _always(child)
