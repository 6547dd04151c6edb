"""A run whose judge looks at positions alone, and people who prefer the dialogue that concludes."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

SPEC = """
suite = "model-jurisdiction-zh"
reference = "weak"
limit = 44
seed = 3
[simulator]
kind = "llm"
model = "sim"
base_url = "{url}"
[assistants.weak]
kind = "openai"
model = "weak-1"
base_url = "{url}"
[assistants.strong]
kind = "openai"
model = "slow-strong-2"
base_url = "{url}"
[judge]
kind = "pairwise"
model = "judge-first"
base_url = "{url}"
price = {{ input = 1.0, output = 2.0 }}
"""


def prefer(folder: Path, made: Path, run: Callable) -> None:
    """People prefer the dialogue that concludes; by table, since 132 commands would take longer than the test is worth."""
    file = folder / "pairs.csv"
    assert run("review", "export", str(made), str(file)).code == 0
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    for rater in ("anna", "bo", "chen"):
        with file.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.DictWriter(opened, rows[0].keys())
            writer.writeheader()
            for row in rows:
                first, second = (row[name].count("结论") for name in ("dialogue", "other"))
                score = 100 if first > second else 0 if second > first else 50
                writer.writerow({**row, "rater": rater, "score": score})
        done = run("review", "import", str(made), str(file))
        assert done.code == 0, done.err
