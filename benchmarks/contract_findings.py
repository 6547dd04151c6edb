"""Are the findings of a review right? `python benchmarks/contract_findings.py` on the labelled contracts of `benchmarks/contracts`.

The offline reviewer, without rules or law of the user's. What counts as found and as wrongly marked is defined in the README of the
contracts. Only totals are printed: whoever reads the missed clauses and then mends the checks has no figures left.

    --write LABEL   also into docs/results-contract-findings.md, as the block of this label
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbar.contracts.offline import OfflineReviewer
from benchbar.contracts.report import ContractReport, shown
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.contracts.reviewing import review_contract
from benchbar.contracts.rule_index import pieces
from benchbar.records.contracts import Clause, ClauseKind, ClauseReview, RiskLevel
from benchbar.records.files import write_atomically
from benchbar.statistics.proportions import share

HERE = Path(__file__).parent
FOLDER = HERE / "contracts"
PAGE = HERE.parent / "docs" / "results-contract-findings.md"
GRAVE = {RiskLevel.MEDIUM, RiskLevel.HIGH}


@dataclass
class Outcome:
    """Yes (1) and no (0) for each question, and the contract or clause that each answer comes from."""

    values: list[float] = field(default_factory=list)
    clusters: list[str] = field(default_factory=list)

    def add(self, yes: bool, cluster: str) -> None:
        """One more answer."""
        self.values.append(float(yes))
        self.clusters.append(cluster)

    def __str__(self) -> str:
        """The share with its 95% interval, clustered by contract, and the counts."""
        if not self.values:
            return "-"
        found = share(self.values, clusters=self.clusters)
        interval = f" [{found.low:.2f}, {found.high:.2f}]" if isinstance(found.low, float) else ""
        return f"{found.value:.2f}{interval} ({sum(self.values):.0f}/{len(self.values)})"


@dataclass
class Measures:
    """What is reported for one group."""

    recall: Outcome = field(default_factory=Outcome)
    precision: Outcome = field(default_factory=Outcome)
    harmless: Outcome = field(default_factory=Outcome)
    always: Outcome = field(default_factory=Outcome)
    """Precision of a review that calls every clause high."""


Table = dict[str, Measures]


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def plain(number: str) -> str:
    """A clause's number without white space and final dot, as the labels print it."""
    return "".join(number.split()).rstrip(".、．:")


def by_number(report: ContractReport, known: set[str]) -> dict[str, list[RiskLevel]]:
    """Number of each reviewed clause to the levels of its findings; a clause inside a labelled one counts as that one."""
    clauses = {one.id: one for one in report.clauses}
    levels: dict[str, list[RiskLevel]] = {}
    for review in report.reviews:
        number = _number(clauses[review.clause], clauses, known)
        levels.setdefault(number, []).extend(_levels(review))
    return levels


def _number(clause: Clause, clauses: dict[str, Clause], known: set[str]) -> str:
    above: Clause | None = clause
    while above is not None:
        if plain(above.number) in known:
            return plain(above.number)
        above = clauses.get(above.parent or "")
    return plain(clause.number) or clause.id


def _levels(review: ClauseReview) -> list[RiskLevel]:
    return [one.level for one in shown(review)]


def matched(expected: Sequence[RiskLevel], found: Sequence[RiskLevel]) -> list[bool]:
    """For each expected level whether a finding of its own lies at most one level away; the gravest are matched first."""
    left = sorted(found, key=lambda one: -one.rank)
    hits = []
    for level in sorted(expected, key=lambda one: -one.rank):
        near = next((one for one in left if abs(one.rank - level.rank) <= 1), None)
        if near is not None:
            left.remove(near)
        hits.append(near is not None)
    return hits


def contracts(table: Table, folder: Path, title: str) -> None:
    """The contracts of one folder."""
    for path in sorted(folder.glob("*.findings.jsonl")):
        name = path.name.removesuffix(".findings.jsonl")
        labels = rows(path)
        report = review_contract(folder / f"{name}.txt").report
        for group in (title, *(f"{title} {part}" for part in name.split("-"))):
            _contract(table[group], name, labels, report)


def _contract(measures: Measures, name: str, labels: list[dict[str, Any]], report: ContractReport) -> None:
    known = {plain(row["clause"]) for row in labels if row["clause"]}
    found = by_number(report, known)
    expected: dict[str, list[RiskLevel]] = defaultdict(list)
    for row in labels:
        if row["clause"] is None:
            measures.recall.add(_names_missing(report, row["topic"]), name)
        elif row["level"] != "none":
            expected[plain(row["clause"])].append(RiskLevel(row["level"]))
    for number, levels in expected.items():
        for hit in matched(levels, found.get(number, [])):
            measures.recall.add(hit, name)
    for row in labels:
        if row.get("harmless"):
            measures.harmless.add(bool(GRAVE & set(found.get(plain(row["clause"]), ()))), name)
    for number, levels in found.items():
        measures.always.add(number in expected, name)
        if GRAVE & set(levels):
            measures.precision.add(number in expected, name)


def _names_missing(report: ContractReport, topic: str) -> bool:
    """Whether a finding on the whole contract shares half of the topic's words."""
    wanted = set(pieces(topic))
    named = [set(pieces(one.risk)) for one in getattr(report, "findings", ())]
    return any(2 * len(wanted & words) >= min(len(wanted), len(words)) > 0 for words in named)


def single_clauses(table: Table) -> None:
    """The clauses that stand by themselves."""
    for path in sorted(FOLDER.glob("clauses/*.jsonl")):
        reviewer = ContractReviewer(OfflineReviewer())
        for index, row in enumerate(rows(path)):
            text = row["text"]
            clause = Clause(id="c1", kind=ClauseKind.CLAUSE, text=text, start=0, end=len(text))
            found = _levels(asyncio.run(reviewer.review(clause, language=path.stem)))
            for group in ("clauses", f"clauses {path.stem}"):
                _clause(table[group], f"{path.stem}{index}", row["level"], found)


def _clause(measures: Measures, name: str, level: str, found: list[RiskLevel]) -> None:
    risky, marked = level != "none", bool(GRAVE & set(found))
    measures.always.add(risky, name)
    if risky:
        measures.recall.add(matched([RiskLevel(level)], found)[0], name)
    else:
        measures.harmless.add(marked, name)
    if marked:
        measures.precision.add(risky, name)


def lines(table: Table) -> Iterator[str]:
    """The table in Markdown."""
    yield "| | recall | precision of marked clauses | harmless look-alikes marked | precision of “always high” |"
    yield "| --- | --- | --- | --- | --- |"
    for group, one in table.items():
        yield f"| {group} | {one.recall} | {one.precision} | {one.harmless} | {sum(one.always.values) / len(one.always.values):.2f} |"


def main() -> None:
    """Measure, print, and with ``--write`` publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="LABEL")
    label = parser.parse_args().write
    table: Table = defaultdict(Measures)
    contracts(table, FOLDER, "contracts")
    contracts(table, FOLDER / "kinds", "other kinds")
    contracts(table, FOLDER / "further", "further")
    single_clauses(table)
    text = "\n".join(lines(table))
    print(text)
    if label:
        begin, end = f"<!-- {label} -->", f"<!-- end of {label} -->"
        before, _, rest = PAGE.read_text("utf-8").partition(begin)
        _, _, after = rest.partition(end)
        write_atomically(PAGE, f"{before}{begin}\n{text}\n{end}{after}".encode())


if __name__ == "__main__":
    main()
