"""Checks the bundled model jurisdictions: what `benchbar suite check` finds, sentences of real law, and size.

Run as ``python scripts/check_jurisdiction.py [FOLDER]``; problems end with exit code 1.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchbar.law.corpus import Corpus
from benchbar.records import PointKind, Sample
from benchbar.suites.check import findings
from benchbar.suites.folder import read
from benchbar.suites.own_law import rows

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "src" / "benchbar" / "suites" / "data"
SHARED = ROOT / ".." / "shared" / "data"
# Chinese says in 20 letters what Russian says in 45 to 60; of 40 letters there are set phrases of every code, such as
# "a transaction made under the influence of deceit may be". No English statutes are at hand.
REAL_LAW = {"zh": (SHARED / "zh" / "statutes", 20), "ru": (SHARED / "ru" / "codes", 45)}
"""By language: a folder of JSONL files with one article a line, and how many letters in common count as taken from it."""
LIMIT = 6_000_000
"""Bytes that the bundled data may have."""


def letters(text: str) -> str:
    """A text without spaces and punctuation."""
    return re.sub(r"[^\w]|_", "", text)


def common_runs(folder: Path, law: Path, length: int) -> Iterator[str]:
    """Runs of `length` letters that stand in a real statute of the folder `law`, where that is present."""
    ours: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".md", ".jsonl"}:
            for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
                text = letters(line)
                ours |= {text[at : at + length]: f"{path.name}:{number}" for at in range(len(text) - length + 1)}
    for row in (row for file in sorted(law.glob("*.jsonl")) for row in rows(file)):
        # Beside the articles lie the acts' titles and days, which have no text.
        text = letters(row.get("text", ""))
        for at in range(len(text) - length + 1):
            if place := ours.get(text[at : at + length]):
                yield f"{place}: “{text[at : at + length]}” stands in a real statute"


def rule_share(samples: tuple[Sample, ...]) -> float:
    """Share of the guidance weight that rules can decide."""
    points = [point for sample in samples for point in sample.guidance.points]
    semantic = sum(point.weight for point in points if point.kind is PointKind.SEMANTIC)
    return 1 - semantic / sum(point.weight for point in points)


def check(folder: Path) -> list[str]:
    """All problems of one jurisdiction; what was counted goes to the terminal."""
    suite, corpus = read(folder), Corpus.from_folder(folder / "law")
    problems = [f"{problem.field}: {problem.message}" for problem in findings(suite, corpus)]
    if suite.card.language in REAL_LAW:
        problems += common_runs(folder, *REAL_LAW[suite.card.language])
    levels = Counter(clause["level"] for clause in rows(folder / "contracts" / "clauses.jsonl"))
    traps = Counter(tag for sample in suite.samples for tag in sample.tags if tag.startswith("trap:"))
    print(f"{folder.name}: {len(corpus.versions)} acts, {len(corpus.articles)} articles, ", end="")
    print(f"{len(corpus.decisions)} decisions, {len(suite.samples)} samples, clauses {dict(levels)}")
    print(f"  {rule_share(suite.samples):.1%} of the guidance weight is in kinds that have a rule; traps {dict(traps)}")
    return problems


def main() -> int:
    """Check the folders named, or all that are bundled."""
    folders = [Path(name) for name in sys.argv[1:]] or sorted(path.parent for path in DATA.glob("*/card.toml"))
    problems = [f"{folder.name}: {problem}" for folder in folders for problem in check(folder)]
    size = sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file())
    print(f"{size / 1e6:.2f} MB of data in all")
    if size > LIMIT:
        problems.append(f"{size} bytes of data; at most {LIMIT}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
