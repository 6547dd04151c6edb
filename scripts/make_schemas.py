"""Writes the JSON schemas of a run folder's files into docs/schemas, generated from the records.

Run as ``python scripts/make_schemas.py``; with ``--check`` nothing is written and differences end with exit code 1.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import (
    CitedIn,
    Comparison,
    Dialogue,
    DimensionScore,
    Measures,
    RunResults,
    Score,
    Timing,
    dialogue,
    law,
    layers,
    numbers,
    results,
    scoring,
)
from benchbar.runs import manifest, spec
from benchbar.runs.manifest import Manifest

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "schemas"
KINDS: dict[str, tuple[Any, str]] = {
    "results": (RunResults, "results.json"),
    "dialogue": (Dialogue, "one line of dialogues.jsonl"),
    "score": (Score, "one line of scores.jsonl"),
    "comparison": (Comparison, "one line of comparisons.jsonl"),
    "citation": (CitedIn, "one line of citations.jsonl"),
    "measures": (Measures, "one line of measures.jsonl"),
    "dimensions": (DimensionScore, "one line of dimensions.jsonl"),
    "run": (Manifest, "run.json"),
    "timing": (dict[str, Timing], "timing.json"),
}
"""Name of a schema to the type it is made from and what it describes."""


MODULES = (dialogue, law, layers, numbers, results, scoring, manifest, spec)
"""Where the records of these files are defined."""


def explained() -> dict[str, dict[str, str]]:
    """Record to field to the text that stands under the field in the source."""
    classes = (node for module in MODULES for node in ast.parse(inspect.getsource(module)).body)
    return {node.name: dict(_fields(node.body)) for node in classes if isinstance(node, ast.ClassDef)}


def _fields(body: list[ast.stmt]) -> Iterable[tuple[str, str]]:
    for field, text in pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str):
            yield field.target.id, " ".join(text.value.value.split())


def schemas() -> dict[str, str]:
    """File name to the text of its schema."""
    made, texts = {}, explained()
    for name, (kind, what) in KINDS.items():
        (root,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
        for record, component in components.items():
            for field, text in texts.get(record, {}).items():
                component["properties"][field]["description"] = text
        document = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": what, **root}
        made[f"{name}.schema.json"] = (
            json.dumps(document | {"$defs": components}, indent=2, ensure_ascii=False, sort_keys=False) + "\n"
        )
    return made


def main() -> int:
    """Write, or with ``--check`` compare; returns the exit code."""
    made = schemas()
    stale = [
        name
        for name, text in made.items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text("utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        print(f"out of date: {', '.join(stale)}" if stale else "up to date")
        return bool(stale)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in stale:
        (FOLDER / name).write_text(made[name], "utf-8")
        print(f"written: {FOLDER / name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
