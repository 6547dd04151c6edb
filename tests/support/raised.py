"""Every message that the source raises, or notes of a row, read out of the code: with a word of ours where a value would stand.

A test that provokes errors one by one forgets those that nobody thought of. Messages are followed through names, constants of
other modules, conditions and functions of the same file, so that each of their forms is seen.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import benchbar

SOURCE = Path(benchbar.__file__).parent
VALUE = "X1"
"""What stands for a value that only a run knows."""
MOST_FORMS = 64
_NOTES = {"problem": 0, "lose": 0, "note": 0, "Fault": 1}
"""Calls that keep a message for people, and which of their arguments it is."""
_KEYS = frozenset({"OidcError", "IncompleteFormError", "UnknownNameError", "MissingDependencyError", "RowError"})
"""Errors whose first argument is no message: a key of a text, a name, a field."""
_TELLS = re.compile(r"fault|why_none|unreachable|unauthorised|no_question|no_table|doubt")
"""Functions whose result is a message, or its cause."""


def messages(*files: str) -> Iterator[tuple[str, str]]:
    """Place and text of each message of these files, below the package."""
    for name in files:
        module = Module(SOURCE / name)
        for line, text in module.messages():
            # What is glued to the first word is a place, or nothing: ``{where}unknown field``.
            yield f"{name}:{line}", re.sub(rf"^{VALUE}(?=[a-z])", "", text)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _texts() -> str:
    return "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))


@cache
def _constants() -> dict[str, ast.expr]:
    """Names in capitals that stand for one text in the whole package."""
    found: dict[str, set[str]] = {}
    for name, value in re.findall(r'^(_?[A-Z][A-Z_]+) = ("[^"\n]*")$', _texts(), re.MULTILINE):
        found.setdefault(name, set()).add(value)
    return {name: ast.parse(values.pop(), mode="eval").body for name, values in found.items() if len(values) == 1}


@cache
def _errors() -> frozenset[str]:
    return frozenset([*re.findall(r"^class (\w+Error)\b", _texts(), re.MULTILINE), "HTTPException"]) - _KEYS


@cache
def _within(scope: ast.AST) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(scope))


class Module:
    """One file of the source."""

    def __init__(self, path: Path) -> None:
        """Read it."""
        self.tree = _tree(path)
        self.functions = {
            node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }

    def messages(self) -> set[tuple[int, str]]:
        """Line and text of each."""
        found: dict[int, list[str]] = {}
        for scope in self.functions.values():
            nodes = _within(scope)
            told = [one for node in nodes for one in self._told(node, scope)]
            names = self._names(scope) if told else {}
            found |= {one.lineno: self._forms(one, names) for one in told}
        return {(line, text) for line, texts in found.items() for text in texts if _own_words(text)}

    def _told(self, node: ast.AST, scope: ast.AST) -> Iterator[ast.expr]:
        """The expressions of a node that become a message."""
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            place = 1 if called == "HTTPException" else 0 if called in _errors() else _NOTES.get(called)
            if place is not None and len(node.args) > place:
                yield node.args[place]
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None and _tells(scope):
            yield node.value.elts[-1] if isinstance(node.value, ast.Tuple) else node.value

    def _names(self, scope: ast.AST) -> dict[str, list[ast.expr]]:
        names: dict[str, list[ast.expr]] = {}
        for node in _within(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                names.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                names.setdefault(node.target.id, []).append(node.value)
            # `for fault in faults`: what the list is made of.
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                names.setdefault(node.target.id, []).append(node.iter)
        return names

    def _forms(self, node: ast.expr, names: dict[str, list[ast.expr]], depth: int = 4) -> list[str]:
        """The texts that an expression may be; a value where it is none that the source holds."""
        if isinstance(node, ast.Constant):
            return [node.value if isinstance(node.value, str) else VALUE]
        if isinstance(node, ast.JoinedStr):
            parts = [self._formatted(one, names, depth) for one in node.values]
            return list(dict.fromkeys(map("".join, itertools.islice(itertools.product(*parts), MOST_FORMS))))
        if isinstance(node, ast.IfExp):
            return [*self._forms(node.body, names, depth), *self._forms(node.orelse, names, depth)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            both = itertools.product(self._forms(node.left, names, depth), self._forms(node.right, names, depth))
            return ["".join(one) for one in itertools.islice(both, MOST_FORMS)]
        return self._followed(node, names, depth - 1) if depth else [VALUE]

    def _formatted(self, node: ast.expr, names: dict[str, list[ast.expr]], depth: int) -> list[str]:
        if not isinstance(node, ast.FormattedValue):
            return self._forms(node, names, depth)
        forms = self._forms(node.value, names, depth)
        return [f"'{one}'" for one in forms] if node.conversion == ord("r") else forms

    def _followed(self, node: ast.expr, names: dict[str, list[ast.expr]], depth: int) -> list[str]:
        if isinstance(node, ast.Name):
            given = names.get(node.id) or ([_constants()[node.id]] if node.id in _constants() else [])
            return list(dict.fromkeys(text for one in given for text in self._forms(one, names, depth))) or [VALUE]
        if isinstance(node, ast.List):
            return [text for one in node.elts for text in self._forms(one, names, depth)] or [VALUE]
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._forms(node.elt, names, depth)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.functions:
            own = self.functions[node.func.id]
            inner = self._names(own)
            returned = [one.value for one in _within(own) if isinstance(one, ast.Return) and one.value is not None]
            return list(dict.fromkeys(text for one in returned for text in self._forms(one, inner, depth))) or [VALUE]
        return [VALUE]


def _tells(scope: ast.AST) -> bool:
    return isinstance(scope, ast.FunctionDef) and _TELLS.search(scope.name) is not None


def _own_words(text: str) -> bool:
    """Whether it says more than values: what passes on another message is found where that one is made."""
    return len(re.findall(r"[A-Za-z]{2,}", text.replace(VALUE, " "))) > 1
