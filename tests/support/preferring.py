"""A run whose judge looks at positions alone, and people who prefer the dialogue that concludes."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from support.run_spec import PRICED, spec_text


def preferring_spec(url: str) -> str:
    """44 samples, compared by a judge that takes whatever stands first."""
    judge = f'kind = "pairwise"\nmodel = "judge-first"\n{PRICED.format(1.0, 2.0)}'
    return spec_text(url, "limit = 44\nseed = 3", {"weak": "weak-1", "strong": "slow-strong-2"}, judge=judge)


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
