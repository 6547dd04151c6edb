"""Does a review find the risks of a lawyer's checklist? `python benchmarks/contract_fresh.py tune` on `benchmarks/contracts/fresh`, or `silent`.

The offline reviewer with the kind of contract known, and with the rules that a review in that language has by itself. `held` prints totals
only: whoever reads its wrong clauses has no figures left.

    --set silent    the clauses on what the checks were silent on
    --wrong         also print the wrong clauses of `tune`
    --write         put the totals into docs/results-contract-findings.md
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from contract_findings import FOLDER, GRAVE, PAGE, Outcome, matched, rows

from benchbar.contracts.bundled import bundled_rules, invented_rules
from benchbar.contracts.offline import OfflineReviewer
from benchbar.contracts.parties import parties
from benchbar.contracts.report import shown
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.contracts.rule_index import RuleIndex
from benchbar.records.contracts import Clause, ClauseKind, Finding, RiskLevel
from benchbar.records.files import write_atomically

KINDS = {
    "lease": "lease", "employment": "labour", "services": "services", "sale": "sales", "licence": "services",
    "nda": "general", "loan": "loan", "租赁": "lease", "劳动": "labour", "服务": "services", "买卖": "sales", "保密": "general",
    "许可": "services", "借款": "loan", "аренда": "lease", "трудовой": "labour", "услуги": "services", "поставка": "sales",
    "конфиденциальность": "general", "заём": "loan",
}  # fmt: skip
"""Kind of contract as the clauses name it, and as a review does."""


def main() -> None:
    """Measure one half, print, and with ``--write`` publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("half", choices=("tune", "held"))
    parser.add_argument("--set", choices=("fresh", "silent"), default="fresh")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    table: dict[str, dict[str, Outcome]] = defaultdict(lambda: defaultdict(Outcome))
    for language in ("zh", "ru", "en"):
        for index, row in enumerate(rows(FOLDER / given.set / f"{language}.{given.half}.jsonl")):
            levels = {who: _levels(row, language, side) for who, side in _sides(row, language).items()}
            for group in ("all", language):
                _add(table[group], row, levels, f"{language}{index}")
            if given.wrong and given.half == "tune" and _wrong(row, levels["any"]):
                print(
                    language, row["level"], row["topic"], [one.value for one in levels["any"]], row["text"], sep=" | "
                )
    text = "\n".join(_lines(table))
    print(text)
    if given.write:
        _write(f"{given.set} {given.half}", text)


def _sides(row: dict[str, Any], language: str) -> dict[str, str]:
    """No side, the side of the party whose risk it is, and that of the party across the table, as far as the words name one."""
    party = next((one for one in parties().values() if re.fullmatch(one.form(language) or "$^", row["party"])), None)
    return {"any": "", **({"own": party.id, "other": party.counterpart} if party else {})}


def _levels(row: dict[str, Any], language: str, side: str) -> list[RiskLevel]:
    return [one.level for one in alone(row["text"], language, KINDS[row["kind"]], side)]


def alone(text: str, language: str, kind: str, side: str = "") -> Sequence[Finding]:
    """The findings of one clause by itself, with the rules that a review in its language has."""
    rules = None if invented_rules(language) else bundled_rules(language)
    reviewer = ContractReviewer(OfflineReviewer(), rules=RuleIndex(rules) if rules else None, side=side)
    clause = Clause(id="c1", kind=ClauseKind.CLAUSE, text=text, start=0, end=len(text))
    return shown(asyncio.run(reviewer.review(clause, kind, language)))


def _wrong(row: dict[str, Any], found: list[RiskLevel]) -> bool:
    return bool(GRAVE & set(found)) == (row["level"] == "none")


def _add(measures: dict[str, Outcome], row: dict[str, Any], levels: dict[str, list[RiskLevel]], name: str) -> None:
    risky, marked = row["level"] != "none", bool(GRAVE & set(levels["any"]))
    if marked:
        measures["precision"].add(risky, name)
    if not risky:
        measures["harmless"].add(marked, name)
        return
    measures["recall"].add(matched([RiskLevel(row["level"])], levels["any"])[0], name)
    for who in ("own", "other"):
        if who in levels:
            measures[who].add(bool(GRAVE & set(levels[who])), name)


def _lines(table: dict[str, dict[str, Outcome]]) -> list[str]:
    names = {
        "recall": "recall",
        "precision": "precision",
        "harmless": "harmless marked",
        "own": "risky, marked for whom it harms",
        "other": "risky, marked for the other party",
    }
    head = [f"| | {' | '.join(names.values())} |", f"| --- |{' --- |' * len(names)}"]
    return head + [f"| {group} | {' | '.join(str(one[name]) for name in names)} |" for group, one in table.items()]


def _write(label: str, text: str) -> None:
    begin, end = f"<!-- {label} -->", f"<!-- end of {label} -->"
    before, _, rest = PAGE.read_text("utf-8").partition(begin)
    after = rest.partition(end)[2]
    write_atomically(PAGE, f"{before}{begin}\n{text}\n{end}{after}".encode())


if __name__ == "__main__":
    main()
