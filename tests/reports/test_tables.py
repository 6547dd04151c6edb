"""Markdown, CSV and LaTeX tables hold the numbers of results.json and stay tables whatever the names are."""

from __future__ import annotations

import csv
import io
import re

import msgspec
import pytest

from benchbar.records import Estimate
from benchbar.reports.tables import as_csv, as_latex, as_markdown


@pytest.fixture(scope="module")
def rows(rules_run):
    return list(csv.DictReader(io.StringIO(as_csv(rules_run.results))))


def test_csv_has_a_row_for_each_assistant_group_and_measure(rows, rules_run):
    """No pair is missing and none comes twice."""
    results = rules_run.results
    keys = [(row["assistant"], row["group_kind"], row["group"], row["measure"]) for row in rows]
    assert len(keys) == len(set(keys))
    for name, one in results.assistants.items():
        for kind, cells in (("task", one.by_task), ("level", one.by_level), ("scenario", one.by_scenario)):
            assert {key[2] for key in keys if key[:2] == (name, kind)} == set(cells)
        assert {key[2] for key in keys if key[:2] == (name, "category")} == set(one.coverage)


def test_csv_holds_every_field_of_an_estimate(rows, rules_run):
    """Numbers read back are the numbers of results.json; a missing one is an empty cell with its reason."""
    one = rules_run.results.assistants["plain"].by_task["1-1"]["win_rate"]
    row = next(
        row
        for row in rows
        if (row["assistant"], row["group_kind"], row["group"], row["measure"]) == ("plain", "task", "1-1", "win_rate")
    )
    assert set(Estimate.__struct_fields__) <= set(row)
    for field in Estimate.__struct_fields__:
        value = getattr(one, field)
        assert row[field] == ("" if value is None or value is msgspec.UNSET else str(value)), field
    reference = next(row for row in rows if row["assistant"] == "base" and row["measure"] == "win_rate")
    assert (reference["value"], reference["reason"]) == ("", "it is the reference itself")


def test_csv_gives_a_spreadsheet_no_formula(rules_run):
    """A name that begins like a formula is kept as text."""
    results = msgspec.structs.replace(rules_run.results, tasks={"1-1": "=HYPERLINK(0)"})
    assert "'=HYPERLINK(0)" in as_csv(results)
    assert ",=HYPERLINK" not in as_csv(results)


def test_markdown_rows_have_as_many_cells_as_the_head(rules_run):
    """Also where a name holds the border of a cell, markup or a line end."""
    results = msgspec.structs.replace(rules_run.results, tasks={"1-1": "a|b\n<b>*x*</b>", "2-1": "`c`"})
    text = as_markdown(results)
    tables = [[line for line in part.splitlines() if line.startswith("|")] for part in text.split("## ")[1:]]
    assert len(tables) == 5
    for table in tables:
        widths = {line.replace(r"\|", "").count("|") for line in table}
        assert len(widths) == 1
    assert "<b>" not in text
    assert r"a\|b" in text


def test_markdown_marks_ties(rules_run):
    """Cells that are not told apart from 50 bear the sign that the note explains."""
    text = as_markdown(rules_run.results)
    assert "≈ " in text
    assert "not told apart from 50" in text


def test_latex_is_escaped_booktabs(rules_run):
    """What LaTeX would obey is set as it is written, and every row of a table has equally many cells."""
    evil = r"\input{/etc/passwd} & 5% $x$ #1 _a^b~"
    text = as_latex(msgspec.structs.replace(rules_run.results, tasks={"1-1": evil}))
    assert r"\input" not in text
    assert r"\textbackslash{}input\{/etc/passwd\} \& 5\% \$x\$ \#1 \_a\textasciicircum{}b\textasciitilde{}" in text
    for table in text.split(r"\begin{tabular}")[1:]:
        body = table.split(r"\end{tabular}")[0]
        lines = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert len({line.replace(r"\&", "").count("&") for line in lines}) == 1
        assert [rule in body for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [True] * 3


@pytest.mark.parametrize("made", [as_markdown, as_latex])
def test_a_run_of_one_assistant_has_its_figures_in_a_table(made, rules_run):
    """Nobody is compared; what it said and what it cost are there all the same."""
    results = msgspec.structs.replace(rules_run.results, assistants={"base": rules_run.results.assistants["base"]})
    text = made(results)
    assert "Measures, " in text
    assert re.search(r"guidance met.*\d", text)
    assert "Win rate against" not in text
