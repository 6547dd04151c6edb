"""The page that shows one job beside other programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchbar.suites.public_sets import public_sets

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks" / "peers"))
from side_by_side import MEASURED, STATED, page

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "benchmarks" / "peers"
DOCUMENT = json.loads((PEERS / "measured.json").read_text("utf-8"))
PAGE = (ROOT / "docs" / "beside-peers.md").read_text("utf-8")


def test_the_page_is_what_the_script_prints_of_the_kept_figures():
    """Every cell and every explanation; nothing is written by hand."""
    assert page(DOCUMENT) in PAGE


def test_every_line_is_explained_and_the_winner_of_a_line_is_bold_whoever_it_is():
    """Figures alone say little: each says what was counted; times of a busy machine are never bold."""
    rows = {line.split("|")[1].strip(): line for line in PAGE.splitlines() if line.startswith("| ")}
    for head, *_, better, _explained in MEASURED:
        assert f"- *{head}*: " in PAGE
        assert ("**" in rows[head]) is (better is not None)
    for head, *_ in STATED:
        assert f"- *{head}*: " in PAGE
    assert "Another program is better than Benchbar in: " in PAGE


def test_the_sets_of_the_table_are_those_that_are_listed():
    """As many as `benchbar suite get` names."""
    (own,) = [row for row in DOCUMENT["rows"] if row["name"] == "Benchbar"]
    assert own["sets"] == len(public_sets())
