"""Writes the JSON schemas of a run folder's files and of a spec into docs/schemas, generated from the records.

Run as ``python scripts/make_schemas.py``; with ``--check`` nothing is written and differences end with exit code 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

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
from benchbar.records.json_schema import schema_of
from benchbar.runs import manifest, spec
from benchbar.runs.manifest import Manifest
from benchbar.runs.spec_schema import FILE, spec_schema

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "schemas"
PACKAGED = ROOT / "src" / "benchbar" / "runs" / FILE
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


def schemas() -> dict[str, str]:
    """File name to the text of its schema."""
    made = {name: schema_of(kind, what, MODULES) for name, (kind, what) in KINDS.items()}
    made["spec"] = spec_schema()
    return {
        f"{name}.schema.json": json.dumps(one, indent=2, ensure_ascii=False, sort_keys=False) + "\n"
        for name, one in made.items()
    }


def files() -> dict[Path, str]:
    """Path to text: every schema in docs, and that of a spec in the package as well, where an installed editor finds it."""
    made = schemas()
    return {FOLDER / name: text for name, text in made.items()} | {PACKAGED: made[PACKAGED.name]}


def main() -> int:
    """Write, or with ``--check`` compare; returns the exit code."""
    made = files()
    stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        print(f"out of date: {', '.join(map(str, stale))}" if stale else "up to date")
        return bool(stale)
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], "utf-8")
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
