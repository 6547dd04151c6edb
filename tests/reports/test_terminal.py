"""The tables on a terminal fit, and tell better from tied."""

from __future__ import annotations

import io
import re

import msgspec
import pytest

from benchbar.cli.progress import _bar
from benchbar.decisions.explaining import short_sentence
from benchbar.measures.health import finding
from benchbar.records import Estimate
from benchbar.reports.html import html
from benchbar.reports.terminal import STRIP, printable, show, show_end, strip
from benchbar.reports.verdicts import overall, standings
from benchbar.runs.run import Run
from support.page import Page


def test_nothing_is_wider_than_80_columns_where_there_is_no_terminal(rules_run):
    """A log shows the tables as they are; only paths may be longer."""
    lines = [line for line in rules_run.printed.splitlines() if not line.startswith(("written: ", "  benchbar review"))]
    assert max(map(len, lines)) <= 80


def test_a_run_with_a_gate_ends_with_the_decision(rules_run, capsys):
    """The first lines have scrolled away by then; a log is read from its end."""
    decided = msgspec.structs.replace(rules_run.results, gate=Run(rules_run.folder).gate().record)
    show(decided)
    show_end(decided)
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.endswith(" (why: see the top)")
    assert printed.count(short_sentence(decided.gate, "en")) == 2


def test_tasks_of_few_samples_have_rows_only_on_demand(rules_run, capsys):
    """One sample for each task says nothing of the task: a line says how many there are and where they are."""
    assert "all 22 tasks have fewer than 12 compared samples: --full" in rules_run.printed
    show(rules_run.results, [], full=True)
    shown = capsys.readouterr().out
    assert all(f" {task} " in shown for task in rules_run.results.tasks)
    assert max(map(len, shown.splitlines())) <= 80


def test_a_judged_run_without_a_gate_begins_with_how_each_stands(judged_run):
    """The decision is the first line: better, worse, or not told apart, with its interval."""
    results = judged_run.results
    first = next(line for line in judged_run.printed.splitlines() if not line.startswith("NOT TO BE"))
    assert results.gate is None
    assert re.match(r"strong (is better than|is worse than|cannot be told from|is not compared with) weak: ", first)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_progress_keeps_what_people_look_for(width):
    """However many items and however narrow the terminal: done of all, time gone, time left and cost are whole."""
    from rich.console import Console

    bar = _bar("consulting")
    task = bar.add_task("work", total=1_147_863, completed=1_017_863, rate=513.0, cost="12.3456")
    # Set from outside: a test does not wait for an hour and a half.
    setattr(bar.tasks[0], "start_time", bar.get_time() - 5000)  # noqa: B010
    console = Console(width=width, file=io.StringIO())
    console.print(bar.make_tasks_table([bar.tasks[task]]))
    line = console.file.getvalue().splitlines()[0]
    assert len(line) <= width
    for part in ("1017863/1147863", "1:23:", "gone", "left"):
        assert part in line
    assert "cost 12.3456" in line or width == 60


def test_every_candidate_has_one_line_and_the_reference_no_win_rate(rules_run):
    """The first table holds the candidates only; nothing in it wraps."""
    table = rules_run.printed.split("By task")[0]
    for name in ("plain", "hostile", "failing"):
        assert len([line for line in table.splitlines() if line.startswith(f" {name} ")]) == 1
    assert "it is the reference itself" not in rules_run.printed


def test_failed_dialogues_are_said_to_be_missing(rules_run):
    """A reader must not take them for lost."""
    count = rules_run.results.assistants["failing"].failed_dialogues
    assert f"failing: {count} of 22 dialogues failed and are missing, not lost" in rules_run.printed


def test_every_value_has_its_interval_or_says_how_little_it_rests_on(rules_run):
    """Of all measures of dialogues, and not of the deciding one alone: a bare 100.0 may be that of one sample."""
    tables = rules_run.printed.split("Dialogues\n")[1].split("\n\n\n")[0]
    rows = [
        line
        for line in tables.splitlines()
        if line.startswith((" guidance met", " valid citations", " exchanges", " satisfied"))
    ]
    assert {row.split(",")[0].split("  ")[0].strip() for row in rows} >= {"valid citations", "exchanges", "satisfied"}
    for row in rows:
        values = re.findall(r"(?<![\d.\[=-])\b\d+\.\d+(?![\d.]*[\],])", row)
        assert len(values) == len(re.findall(r"\d \[-?\d[\d.]*, -?\d[\d.]*\]|\d n=\d+", row)), row


def test_many_assistants_still_fit(rules_run, capsys):
    """What does not fit beside each other stands below each other; no interval is cut."""
    results = rules_run.results
    many = {f"assistant-{index}": results.assistants["plain"] for index in range(9)}
    show(msgspec.structs.replace(results, assistants=many | {"base": results.assistants["base"]}))
    shown = capsys.readouterr().out
    assert all(f"assistant-{index}" in shown for index in range(9))
    assert max(map(len, shown.splitlines())) <= 80


def test_names_cannot_speak_to_the_terminal(rules_run, capsys):
    """Control characters and markup in a suite's texts are shown, not obeyed."""
    results = msgspec.structs.replace(rules_run.results, suite="x\x1b[2J[bold]y", tasks={"1-1": "\x1b]0;t\x07[red]z"})
    show(results, [], full=True)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[bold]y" in shown
    assert "[red]z" in shown
    assert printable("法律 Закон") == "法律 Закон"


@pytest.mark.parametrize(
    ("low", "value", "high", "drawn"),
    [
        (0.0, 0.5, 1.0, "├───────────●───────────┤"),
        (0.75, 0.875, 1.0, "············│·····├──●──┤"),
        (0.5, 0.5, 0.5, "············●············"),
        (0.0, 0.0, 0.25, "●─────┤·····│············"),
    ],
)
def test_an_interval_is_drawn_to_scale(low, value, high, drawn):
    """From 0 at the left to 100 at the right, with a mark at 50."""
    assert strip(Estimate(value=value, low=low, high=high)) == drawn
    assert len(drawn) == STRIP


def test_no_interval_is_drawn_where_there_is_none():
    """A missing value is not a point at zero."""
    assert "●" not in strip(Estimate(value=None, reason="none"))


def test_an_interval_that_many_comparisons_take_back_says_so(judged_run, capsys):
    """Beside an interval on one side of a half "not distinguished" has its reason; a cell that holds all samples says the same."""
    results = judged_run.results
    strong = results.assistants["strong"]
    rate = msgspec.structs.replace(strong["win_rate"], value=0.8, low=0.7, high=0.9, reason="")
    cells = {"all": msgspec.structs.replace(next(iter(strong.by_task.values())), measures={"win_rate": rate})}
    measures = strong.measures | {"win_rate": rate}
    strong = msgspec.structs.replace(strong, measures=measures, tied_with=("weak",), by_task=cells)
    results = msgspec.structs.replace(results, health=(), gate=None, assistants=results.assistants | {"strong": strong})
    show(results, full=True)
    printed = " ".join(capsys.readouterr().out.split())
    assert (
        "strong cannot be told from weak: win rate 80.0% [70.0, 90.0]; The interval is of this pair alone." in printed
    )
    assert standings(results, "task", ["strong"]) == {("strong", "all"): "tied"}
    page = Page(html(results, judged_run.material, judged_run.suite).decode())
    assert "该区间只针对这一对" in page.by_id("overview").text


def test_below_a_doubt_nothing_wins(judged_run, capsys):
    """Terminal, report and tables name neither a better nor a worse one where the run says not to rely on it."""
    results = judged_run.results
    strong = results.assistants["strong"]
    rate = msgspec.structs.replace(strong["win_rate"], value=0.8, low=0.7, high=0.9, reason="")
    strong = msgspec.structs.replace(strong, measures=strong.measures | {"win_rate": rate}, tied_with=())
    results = msgspec.structs.replace(results, health=(), gate=None, assistants=results.assistants | {"strong": strong})
    assert overall(results, "strong") == "better"
    astray = finding("fidelity", "rules", {"role": "first", "share": "50.0", "least": "90"})
    doubted = msgspec.structs.replace(results, health=(astray,))
    show(doubted, full=True)
    printed = capsys.readouterr().out
    assert not re.search(r"[▲▼] +\d", printed)
    assert "strong is called neither better nor worse than weak: win rate" in printed
    assert {overall(doubted, "strong"), *standings(doubted, "task").values()} <= {"undefined", "tied"}
    page = Page(html(doubted, judged_run.material, judged_run.suite).decode())
    assert "不判定 strong 与 weak 孰优孰劣" in page.by_id("overview").text
    assert "优于" not in page.by_id("overview").text
