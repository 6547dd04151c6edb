"""How long a 40-page contract takes offline, from the file to the findings, as DOCX and as PDF."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.contract_maker import as_docx, as_pdf, contract_lines, paged  # noqa: E402

from benchbar.contracts.offline import OfflineReviewer  # noqa: E402
from benchbar.contracts.report import review_contract  # noqa: E402
from benchbar.contracts.reviewer import ContractReviewer  # noqa: E402
from benchbar.contracts.rule_index import RuleIndex  # noqa: E402
from benchbar.contracts.rules import RuleSet, read_rules  # noqa: E402
from benchbar.contracts.source import read_contract  # noqa: E402

RULES = ROOT / ".." / "shared" / "data" / "zh" / "contract_agent" / "risk_rules.jsonl"


def rules() -> RuleSet | None:
    """The 133 rules of the contract agent where they are, else the bundled ones."""
    from benchbar.contracts.bundled import bundled_rules

    return read_rules(RULES) if RULES.exists() else bundled_rules("zh")


def main() -> None:
    """Print pages, clauses and seconds for each format and length."""
    began = time.perf_counter()
    found = rules()
    index = RuleIndex(found) if found else None
    print(f"rules read and fitted: {time.perf_counter() - began:.2f} s ({len(found.rules) if found else 0} rules)")
    reviewer = ContractReviewer(OfflineReviewer(), rules=index)
    for pages in (40, 400):
        lines = contract_lines(pages * 9)
        sheets = paged(lines)
        with tempfile.TemporaryDirectory() as folder:
            for name, data in (("contract.docx", as_docx(lines)), ("contract.pdf", as_pdf(sheets))):
                file = Path(folder) / name
                file.write_bytes(data)
                began = time.perf_counter()
                source = read_contract(file)
                read = time.perf_counter() - began
                report = asyncio.run(review_contract(source, reviewer))
                total = time.perf_counter() - began
                print(f"{name}: {len(sheets)} pages, {len(report.reviews)} clauses: read {read:.2f} s, in all {total:.2f} s")


if __name__ == "__main__":
    main()
