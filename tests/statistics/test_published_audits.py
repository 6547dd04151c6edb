"""Published tables whose figures are kept in docs/audits: the program finds what the page says, and nothing else."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "audits"
ROW = re.compile(r"\| \[[^\]]*\]\(([a-z0-9-]+\.csv)\) \|[^|]*\|[^|]*\| (?:`([^`]*)` )?\| (\d+) \| (\d+) \|")


def audited(name: str, options: str = "") -> dict:
    """The document that the command prints."""
    return json.loads(
        CliRunner()
        .invoke(cli, ["audit", str(FOLDER / name), *shlex.split(options), "--json"], catch_exceptions=False)
        .output
    )


@pytest.mark.parametrize("listed", ROW.findall((FOLDER / "README.md").read_text("utf-8")), ids=lambda row: row[0])
def test_each_table_has_the_findings_that_the_page_states(listed):
    """Numbers checked and findings, with the options that stand there."""
    name, options, checked, findings = listed
    found = audited(name, options)
    assert (found["checked"], len(found["findings"])) == (int(checked), int(findings))


def test_every_table_of_the_folder_is_listed():
    """None lies there without its source."""
    listed = {row[0] for row in ROW.findall((FOLDER / "README.md").read_text("utf-8"))}
    assert listed == {path.name for path in FOLDER.glob("*.csv")}


def test_one_statement_stands_for_three_hundred_cells():
    """How many fit the stated size, which other size stands out, and what to ask first."""
    (group,) = [
        one for one in audited("ucl-bench-table-3.csv", "--n 50 --ties half")["groups"] if one["check"] == "attainable"
    ]
    assert group["summary"] == "146 of 439 cells fit n = 50 with ties as half; n = 20 fits 250"
    assert "left out" in group["innocent"]


def test_a_row_of_counts_gives_the_columns_their_sizes_and_the_average_its_weights():
    """One cell of 90 is no share of its questions; eight of nine averages are means over questions."""
    found = audited("disc-law-eval-objective.csv")["findings"]
    (cell,) = [one for one in found if one["check"] == "attainable"]
    assert (cell["row"], cell["column"], cell["printed"]) == ("Baichuan-Chat", "PFE (S)", "53.12")
    assert [one["row"] for one in found if one["certainty"] == "certain" and one["check"] == "average"] == [
        "Baichuan-Chat"
    ]
