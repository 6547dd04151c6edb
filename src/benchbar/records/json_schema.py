"""JSON Schemas of records, with the text that stands under each field in the source as its description."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

import msgspec

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(kind: Any, title: str, modules: Sequence[ModuleType]) -> dict[str, Any]:
    """The schema of a type; ``modules`` are where the records within it are defined."""
    texts = explained(modules)
    (root,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    for record, component in components.items():
        for field, text in texts.get(record, {}).items():
            component["properties"][field]["description"] = text
    return {"$schema": DIALECT, "title": title, **root, "$defs": components}


def explained(modules: Sequence[ModuleType]) -> dict[str, dict[str, str]]:
    """Record to field to the text that stands under the field in the source."""
    classes = (node for module in modules for node in ast.parse(inspect.getsource(module)).body)
    return {node.name: dict(_fields(node.body)) for node in classes if isinstance(node, ast.ClassDef)}


def _fields(body: list[ast.stmt]) -> Iterable[tuple[str, str]]:
    for field, text in pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str):
            yield field.target.id, " ".join(text.value.value.split())
