"""The walk of one sample names files and functions that are there."""

from __future__ import annotations

import ast
import re

from support.pages import ROOT

PAGE = (ROOT / "docs" / "one-sample.md").read_text("utf-8")
SOURCE = ROOT / "src" / "benchbar"


def defined(file: str) -> set[str]:
    """Functions and classes of a file, methods under the names of their classes."""
    found: set[str] = set()
    for node in ast.parse((SOURCE / file).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            members = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            found.update(f"{node.name}.{one.name}" for one in members)
    return found


def test_the_walk_has_ten_stops_each_a_file_and_a_function():
    """A reader who opens the file of a stop finds the function there."""
    stops = re.findall(r"^\| (\d+)\. [^|]+ \| `([^`]+)` \| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert [int(number) for number, _, _ in stops] == list(range(1, 11))
    assert [(file, name) for _, file, name in stops if name not in defined(file)] == []


def test_what_is_named_between_the_stops_is_there():
    """Every file, and every function that stands behind one."""
    named = re.findall(r"`([a-z_/]+\.py)`(?:,\s+`([\w.]+)`)?", PAGE)
    assert len(named) > 20
    assert [file for file, _ in named if not (SOURCE / file).is_file()] == []
    assert [(file, name) for file, name in named if name and name not in defined(file)] == []
