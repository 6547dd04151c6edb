"""The labelled contracts of ``benchmarks/contracts`` are what their README says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks/contracts"
NUMBER = re.compile(r"^(第[一二三四五六七八九十]+条|Section \d+\.\d+|\d+(?:\.\d+)*)(?=[.、\s]|$)", re.MULTILINE)
RISKY = {"high", "medium", "low"}
CONTRACTS, FURTHER = (
    [
        str(path.relative_to(FOLDER)).removesuffix(".findings.jsonl")
        for folder in folders
        for path in sorted(folder.glob("*.findings.jsonl"))
    ]
    for folders in ((FOLDER, FOLDER / "kinds"), (FOLDER / "further",))
)


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def clauses_of(text: str) -> dict[str, str]:
    """The text of each numbered clause; a number that is printed twice fails."""
    starts = list(NUMBER.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    parts = {start.group(): text[start.end() : end].strip(" .、\n") for start, end in zip(starts, ends, strict=True)}
    assert len(parts) == len(starts), "a number is printed twice"
    return parts


@pytest.mark.parametrize("name", CONTRACTS + FURTHER)
def test_each_finding_quotes_the_clause_that_it_names(name: str):
    """Clause numbers are printed in the contract, and quotes stand in that clause word for word."""
    clauses = clauses_of((FOLDER / f"{name}.txt").read_text("utf-8"))
    for row in rows(FOLDER / f"{name}.findings.jsonl"):
        assert all(row[field] for field in ("party", "topic", "reason"))
        if row["clause"] is None:
            assert row["quotes"] == []
            continue
        assert row["quotes"]
        assert all(quote in clauses[row["clause"]] for quote in row["quotes"]), row


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_contract_is_mostly_harmless(name: str):
    """25 to 45 clauses, 8 to 14 of them risky; what is marked harmless is not also marked risky."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    headings = {number.split(".")[0] for number in clauses_of(text) if "." in number}
    written = [number for number, clause in clauses_of(text).items() if len(clause) > 12 and number not in headings]
    findings = rows(FOLDER / f"{name}.findings.jsonl")
    risky = {row["clause"] for row in findings if row["level"] in RISKY and row["clause"]}
    harmless = {row["clause"] for row in findings if row.get("harmless")}
    assert 25 <= len(written) <= 45
    assert 8 <= len(risky) <= 14
    assert len(harmless) >= 3
    assert not risky & harmless
    assert all(row["level"] == "none" if row.get("harmless") else row["level"] in RISKY for row in findings)


@pytest.mark.parametrize("language", sorted(path.stem for path in FOLDER.glob("clauses/*.jsonl")))
def test_single_clauses_are_half_risky(language: str):
    """40 different clauses, 20 of them harmless."""
    clauses = rows(FOLDER / f"clauses/{language}.jsonl")
    assert len({row["text"] for row in clauses}) == len(clauses) == 40
    assert sum(row["level"] == "none" for row in clauses) == 20
    assert {row["level"] for row in clauses} <= {*RISKY, "none"}
    assert all(row[field] for row in clauses for field in ("party", "topic", "reason"))


def test_the_word_documents_have_the_text_and_its_headings():
    """They are made from the texts and hold the same paragraphs."""
    made = subprocess.run(
        [sys.executable, FOLDER / "make_documents.py", "--check"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr


@pytest.mark.parametrize("folder", ["fresh", "silent"])
@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_fresh_clauses_stand_in_pairs_of_one_topic(language: str, folder: str):
    """Each risky clause of a half before a harmless one on its topic; no clause stands in both halves."""
    halves = [rows(FOLDER / f"{folder}/{language}.{half}.jsonl") for half in ("tune", "held")]
    texts = [row["text"] for half in halves for row in half]
    assert len(texts) == len(set(texts)) >= 60
    for half in halves:
        for risky, harmless in zip(half[::2], half[1::2], strict=True):
            assert risky["topic"] == harmless["topic"]
            assert risky["level"] in RISKY
            assert harmless["level"] == "none"
