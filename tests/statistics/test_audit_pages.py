"""Running totals by whole numbers, tables on pages, and numbers that are printed twice."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from benchbar.audit.published import read_published
from benchbar.audit.totals import FEWEST_IMPOSSIBLE, running_totals
from benchbar.cli.main import cli
from benchbar.records.errors import BadInputError
from support.contract_maker import as_pdf


def audit(path, *options):
    """What the command finds, as JSON."""
    return json.loads(CliRunner().invoke(cli, ["audit", str(path), *options, "--json"], catch_exceptions=False).output)


@given(st.lists(st.integers(0, 100), min_size=10, max_size=22), st.sampled_from([3, 4]))
def test_every_row_of_running_totals_is_possible_as_one(points, decimals):
    """Whatever the tasks' points: the exact test never rules out what is true."""
    totals = np.cumsum(points) / (100 * np.arange(1, len(points) + 1))
    printed = np.round(totals[None, :], decimals)
    plain = np.abs(printed * 100 - np.round(printed * 100)) > 100 * (0.5 * 10.0**-decimals) + 1e-6
    assert running_totals(printed, 0.5 * 10.0**-decimals + 1e-12, 100)[0] in (0, plain.sum())


def test_rows_of_ten_cells_are_found_and_honest_ones_are_not():
    """At least 97 of 100 rows of totals of 50 samples; none of 4,000 rows of rates of 37 samples."""
    generator = np.random.default_rng(2)
    rates = generator.binomial(50, generator.uniform(0.2, 0.9, size=(100, 10))) / 50
    totals = np.round(np.cumsum(rates, axis=1) / np.arange(1, 11), 3)
    assert (running_totals(totals, 0.0005 + 1e-12, 50) >= FEWEST_IMPOSSIBLE).sum() >= 97
    honest = np.round(generator.binomial(37, generator.uniform(0.2, 0.9, size=(4000, 10))) / 37, 3)
    assert (running_totals(honest, 0.0005 + 1e-12, 50) >= FEWEST_IMPOSSIBLE).sum() == 0


def test_cells_of_a_total_are_not_held_against_n_a_second_time(tmp_path):
    """One finding for the row, and none that says that its cells fit other sizes."""
    generator = np.random.default_rng(4)
    rates = generator.binomial(50, generator.uniform(0.2, 0.9, size=14)) / 50
    totals = 100 * np.cumsum(rates) / np.arange(1, 15)
    path = tmp_path / "table.csv"
    lines = ["model," + ",".join(f"task {i}" for i in range(14)), "never reset," + ",".join(f"{x:.1f}" for x in totals)]
    path.write_text("\n".join([*lines, "honest," + ",".join(f"{100 * x:.1f}" for x in rates)]))
    (found,) = audit(path, "--n", "50")["findings"]
    assert (found["check"], found["row"]) == ("running_total", "never reset")
    assert "whole counts of running totals of 50 samples" in found["evidence"]


def test_a_table_in_html_is_read_with_its_spans_and_without_its_footnotes(tmp_path):
    """A header over two columns is repeated; a raised mark is no digit; the wrong average and a wrong ratio are found."""
    path = tmp_path / "page.html"
    path.write_text(
        "<script>var x = '9/10 = 50%';</script><p>We kept 329/349 (94.3%) and 50/100 (53%).</p><table>"
        "<tr><th></th><th colspan=2>tasks</th><th></th></tr><tr><th>model<th>a<th>b<th>AVG</tr>"
        "<tr><td>one<td>10.0<sup>2</sup><td>20.0<td>15.0</tr><tr><td>two<td>20.0<td>40.0<td>30.0</tr>"
        "<tr><td>three<td>20.0<td>40.0<td>35.0</tr></table>"
    )
    found = audit(path)["findings"]
    assert [(one["check"], one["row"]) for one in found] == [("average", "three"), ("ratio", "50 of 100")]


def test_a_table_in_a_pdf_is_read_by_its_columns(tmp_path):
    """Lines of a name and numbers under a header; running text is no table."""
    lines = ["Results of three models on two tasks", "Model     Alpha     Beta     AVG"]
    lines += [
        "one       10.0      20.0     15.0",
        "two       20.0      40.0     30.0",
        "three     20.0      40.0     35.0",
    ]
    path = tmp_path / "paper.pdf"
    path.write_bytes(as_pdf([[*lines, "", "Of the rest we kept 50/100 (53%)."]]))
    found = audit(path)["findings"]
    assert ("average", "three", "35.0") in [(one["check"], one["row"], one["printed"]) for one in found]
    assert "ratio" in {one["check"] for one in found}


def test_two_tables_that_agree_but_for_a_cell_contradict_each_other(tmp_path):
    """Of another judge's table, which differs everywhere, nothing is said."""
    head = "| model | a | b | c | d |\n|---|---|---|---|---|\n"
    same = "| one | 10.0 | 20.0 | 30.0 | 41.0 |\n"
    path = tmp_path / "tables.md"
    path.write_text(f"{head}{same}\ntext\n\n{head}{same.replace('41.0', '14.0')}")
    (found,) = audit(path)["findings"]
    assert (found["check"], found["printed"], found["recomputed"]) == ("contradiction", "14.0", "41.0")
    path.write_text(f"{head}{same}\ntext\n\n{head}| one | 11.0 | 22.0 | 33.0 | 44.0 |\n")
    assert audit(path)["findings"] == []


def test_averages_that_some_weights_explain_are_not_accused(tmp_path):
    """Means over questions of unlike tasks: no row is the plain mean, and no weights are printed."""
    cells = np.array([[10.0, 50.0, 80.0], [20.0, 40.0, 60.0], [70.0, 30.0, 90.0], [15.0, 25.0, 65.0]])
    means = cells @ np.array([0.2, 0.5, 0.3])
    rows = [
        f"m{i}," + ",".join(f"{x:.1f}" for x in [*row, mean])
        for i, (row, mean) in enumerate(zip(cells, means, strict=True))
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["model,a,b,c,Average", *rows]))
    assert audit(path)["findings"] == []


def test_what_was_read_is_shown_before_what_was_found(tmp_path):
    """Rows and columns as understood; findings of a kind are folded, and --each unfolds them."""
    path = tmp_path / "t.csv"
    path.write_text("model,a rate\n" + "\n".join(f"m{i},{i + 0.3}" for i in range(9)))
    runner = CliRunner()
    short = runner.invoke(cli, ["audit", str(path), "--n", "10"]).output
    assert short.startswith("read     t: m0, m1, m2 … (9 rows) by a rate (1 columns)")
    assert "and 8 more (--each lists all)" in short
    assert "ask first:" in short
    assert runner.invoke(cli, ["audit", str(path), "--n", "10", "--each"]).output.count("samples give only") == 9


@pytest.mark.parametrize("text", ["<table>" * 2000, "<table><tr>" + "<td colspan=100>1" * 2500, "<td>1</td></table>"])
def test_hostile_pages_end_in_a_sentence(tmp_path, text):
    """Tables in tables, cells without end, ends without a beginning: refused or empty, never a traceback."""
    path = tmp_path / "page.html"
    path.write_text(text)
    result = CliRunner().invoke(cli, ["audit", str(path)])
    assert result.exit_code != 0
    assert "Traceback" not in result.output


LATEX = r"""
As in 12/50 (24\%) of cases. % an old count: 1/2 (99\%)
\begin{table*}[t]\caption{Results (n=50).}
\begin{tabular}{l|cc|c} \toprule
\multirow{2}{*}{\textbf{Model}} & \multicolumn{2}{c|}{Tasks} & Average \\ \cmidrule(lr){2-3}
 & A & B & \\ \midrule
\rowcolor{gray!20} GPT-4\textsuperscript{1} & \textbf{68.0}$_{\pm 1.2}$ & 70.0 & 69.0 \\[2pt]
\multirow{2}{*}{Llama} & \underline{62.0} & 54.0 & 58.0\footnote{see 12.5} \\
 & 41.0 & 51.0 & $46.0^{*}$ \\ % withdrawn & 1 & 2 & 3 \\
Qwen\_7B & 60.0\% & 52.0\,\% & \textcolor{red}{99.0} \\ \bottomrule
\end{tabular}
\end{table*}
\begin{longtable}{lrr}
Model & acc & f1 \\ \hline \endhead
a & .52 & .60 \\
b & 0.50 & 0.70
\end{longtable}
"""


def test_latex_tables_are_read_as_they_are_printed(tmp_path):
    """Two header rows, names over several rows, emphasis, colours, notes, deviations, comments and page heads."""
    path = tmp_path / "paper.tex"
    path.write_text(LATEX, "utf-8")
    published = read_published(path)
    first, second = published.tables
    assert first.columns == ("A", "B", "Average")
    assert first.rows == ("GPT-4", "Llama", "Llama", "Qwen_7B")
    assert [[cell.value for cell in row] for row in first.cells] == [
        [68.0, 70.0, 69.0],
        [62.0, 54.0, 58.0],
        [41.0, 51.0, 46.0],
        [60.0, 52.0, 99.0],
    ]
    assert (second.columns, second.rows) == (("acc", "f1"), ("a", "b"))
    assert second.cells[1][0].value == 0.5
    assert "99" not in published.text.split("toprule")[0]


def test_a_broken_latex_source_ends_in_time(tmp_path):
    """Braces that never close, and thousands of cells in one row."""
    path = tmp_path / "hostile.tex"
    path.write_text(
        r"\begin{tabular}{ll" + "{" * 5000 + "&" * 20_000 + r"\multirow{2}{*}{" * 2000 + r"\end{tabular}", "utf-8"
    )
    with pytest.raises(BadInputError, match="no table of numbers"):
        read_published(path)
