"""Checks the bundled model jurisdictions: citations, quotes, amounts, reachability, balance, and sentences of real law.

Run as ``python scripts/check_jurisdiction.py [FOLDER]``; problems end with exit code 1.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from math import floor
from pathlib import Path
from typing import Any

from benchbar.law.corpus import Corpus
from benchbar.law.resolve import check_citations
from benchbar.records import Category, CitationStatus, PointKind, Sample, Suite
from benchbar.suites.check import findings
from benchbar.suites.folder import read

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "src" / "benchbar" / "suites" / "data"
REAL_LAW = ROOT / ".." / "shared" / "data" / "zh" / "statutes" / "articles.jsonl"
RUN = 20
"""Letters in common with a real statute that count as taken from it."""
LIMIT = 6_000_000
"""Bytes that the bundled data may have."""
RIGHT = frozenset({CitationStatus.VERIFIED, CitationStatus.AMBIGUOUS})
"""An article of this very act (本法) is ambiguous only because the act is not named in it."""


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file; none where there is no file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()] if path.exists() else []


# ------------------------------------------------------------------ amounts and terms, computed from the acts


def property_crime(
    crime: str, amount: float, percent: list[int], *, lowered: float = 1, below_minimum: bool = False
) -> float:
    """Months of imprisonment by articles 1, 2, 7 to 12 of the interpretation on property crime."""
    large, huge, step = (3000 * lowered, 60_000, 3000) if crime == "theft" else (4000 * lowered, 80_000, 4000)
    grave = amount >= huge
    base = 26 + 2 * floor((amount - huge) / 15_000) if grave else 4 + floor((amount - large) / step)
    months = floor(round(base * (100 + max(sum(percent), -60)) / 100, 6))
    return max(months, 24) if grave and not below_minimum else months


def drunk_driving(alcohol: float, circumstances: int) -> float:
    """Months by articles 5 and 6 of the interpretation on traffic crime; alcohol in mg per 100 ml."""
    return min(2 + max(0, floor((alcohol - 110) / 30)) + circumstances, 8)


def severance(years: int, months: int, wage: float, multiple: float) -> float:
    """Compensation by articles 30 and 31 of the act on labour contracts."""
    return min(years + (1 if months >= 6 else 0.5 if months else 0), 15) * wage * multiple  # noqa: PLR2004 - article 30


def product(factors: list[float]) -> float:
    """Amount times rate."""
    result = 1.0
    for factor in factors:
        result *= factor
    return result


FORMULAS: dict[str, Callable[..., float]] = {
    "property_crime": property_crime,
    "drunk_driving": drunk_driving,
    "severance": severance,
    "product": product,
    "traffic_death": lambda start, percent: floor(round(start * (100 + sum(percent)) / 100, 6)),
    "shared_after_limit": lambda loss, limit, share: (loss - limit) * share,
    "overtime": lambda wage, multiple, hours: wage / 174 * multiple * hours,
    "unwritten_contract": lambda months_worked, wage: min(months_worked - 1, 9) * wage * 0.5,
    "late_fine": lambda fine, days_late: min(fine * 0.02 * days_late, fine),
    "late_deposit": lambda deposit, days_after_end: min(deposit * 0.001 * (days_after_end - 14), deposit),
    "difference": lambda **of: of["from"] - of["less"],
}


def amounts(folder: Path, suite: Suite) -> Iterator[str]:
    """Results of the table of computations that differ from the formula or stand in no guidance point."""
    by_id = {sample.id: sample for sample in suite.samples}
    for row in rows(folder / "computations.jsonl"):
        where = f"{row['sample']} {row['formula']}"
        computed = FORMULAS[row["formula"]](**row["inputs"])
        if abs(computed - row["result"]) > 1e-6:  # noqa: PLR2004 - rounding of floats
            yield f"{where}: computed {computed}, written {row['result']}"
        held = [point for point in by_id[row["sample"]].guidance.points if point.unit == row["unit"]]
        if not any(point.low is not None and point.low <= row["result"] <= (point.high or 0) for point in held):
            yield f"{where}: no guidance point holds {row['result']} {row['unit']}"


# ------------------------------------------------------------------ citations and quotes


def citations(folder: Path, suite: Suite, corpus: Corpus, used: set[str]) -> Iterator[str]:
    """Citations that do not resolve on their date; those of older law are right in decisions and marked traps."""
    for where, text, day, older in _texts(folder, suite, corpus):
        for found in check_citations(text, corpus, on=day, language=suite.card.language):
            if found.law_id and found.article:
                used.add(f"{found.law_id}#{found.article}" + (f"-{found.sub}" if found.sub else ""))
            wrong = found.status not in RIGHT
            if wrong and not (older and found.status is CitationStatus.NOT_IN_FORCE):
                yield f"{where}: {found.text} on {day or 'no date'}: {found.status} {found.reason}"


def _texts(folder: Path, suite: Suite, corpus: Corpus) -> Iterator[tuple[str, str, str, bool]]:
    """Where it stands, the text, its date, and whether law that is out of force may be named there."""
    for version in corpus.versions:
        for row in corpus.rows_of(version.law_id):
            article = corpus.articles[row]
            yield article.id, article.text, str(version.in_force), "废止" in article.text or "施行" in article.text
    for decision in corpus.decisions:
        yield decision.case_number, decision.text, str(decision.date), True
    for sample in suite.samples:
        for point in sample.guidance.points:
            if point.kind is PointKind.CITATION and point.category is not Category.FORBIDDEN:
                for wording in (point.text, *point.alternatives):
                    yield f"{sample.id} {point.id}", wording, sample.on or "", "trap:repealed" in sample.tags
    for rule in rows(folder / "contracts" / "rules.jsonl"):
        for law in rule["law"]:
            yield f"rule {rule['id']}", law, "", False


def quotes(suite: Suite, corpus: Corpus) -> Iterator[str]:
    """Quotes in the guidance that are no article, nor paragraphs of one."""
    texts = {article.text for article in corpus.articles}
    for sample in suite.samples:
        for point in sample.guidance.points:
            if point.kind is PointKind.QUOTE and not any(point.text in text for text in texts):
                yield f"{sample.id} {point.id}: the quote stands in no article"


def unreached(folder: Path, corpus: Corpus, used: set[str]) -> Iterator[str]:
    """Articles that nothing refers to and that ``background.txt`` does not list."""
    path = folder / "background.txt"
    background = set(path.read_text("utf-8").split()) if path.exists() else set()
    judged = (
        {line.split("\t")[2] for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()}
        if (folder / "qrels.tsv").exists()
        else set()
    )
    for article in corpus.articles:
        if article.id not in used | judged | background:
            yield f"{article.id}: nothing refers to it and background.txt does not list it"


# ------------------------------------------------------------------ contracts and sentences of real law


def clauses(folder: Path) -> Iterator[str]:
    """Labelled clauses that are not in their contract, that repeat, or whose labels are out of balance."""
    labelled = rows(folder / "contracts" / "clauses.jsonl")
    for clause in labelled:
        contract = (folder / "contracts" / f"{clause['contract']}.md").read_text("utf-8")
        if clause["text"] not in contract:
            yield f"{clause['id']}: not in {clause['contract']}.md"
    levels = Counter(clause["level"] for clause in labelled)
    if levels and max(levels.values()) - min(levels.values()) > len(labelled) // 10:
        yield f"levels out of balance: {dict(levels)}"


def letters(text: str) -> str:
    """A text without spaces and punctuation."""
    return re.sub(r"[^\w]|_", "", text)


def common_runs(folder: Path) -> Iterator[str]:
    """Runs of 20 letters that stand in a real statute of the shared data folder, where that is present."""
    if not REAL_LAW.exists():
        return
    ours: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".md", ".jsonl"}:
            for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
                text = letters(line)
                ours |= {text[at : at + RUN]: f"{path.name}:{number}" for at in range(len(text) - RUN + 1)}
    for row in rows(REAL_LAW):
        text = letters(row["text"])
        for at in range(len(text) - RUN + 1):
            if place := ours.get(text[at : at + RUN]):
                yield f"{place}: “{text[at : at + RUN]}” stands in a real statute"


def rule_share(samples: tuple[Sample, ...]) -> float:
    """Share of the guidance weight that rules can decide."""
    points = [point for sample in samples for point in sample.guidance.points]
    semantic = sum(point.weight for point in points if point.kind is PointKind.SEMANTIC)
    return 1 - semantic / sum(point.weight for point in points)


def check(folder: Path) -> list[str]:
    """All problems of one jurisdiction; what was counted goes to the terminal."""
    suite, corpus = read(folder), Corpus.from_folder(folder / "law")
    used: set[str] = set()
    problems = [f"{problem.field}: {problem.message}" for problem in findings(suite)]
    problems += citations(folder, suite, corpus, used)
    problems += [*quotes(suite, corpus), *amounts(folder, suite), *unreached(folder, corpus, used), *clauses(folder)]
    if suite.card.language == "zh":
        problems += common_runs(folder)
    levels = Counter(clause["level"] for clause in rows(folder / "contracts" / "clauses.jsonl"))
    traps = Counter(tag for sample in suite.samples for tag in sample.tags if tag.startswith("trap:"))
    print(f"{folder.name}: {len(corpus.versions)} acts, {len(corpus.articles)} articles, ", end="")
    print(f"{len(corpus.decisions)} decisions, {len(suite.samples)} samples, clauses {dict(levels)}")
    print(f"  rules decide {rule_share(suite.samples):.1%} of the guidance weight; traps {dict(traps)}")
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
