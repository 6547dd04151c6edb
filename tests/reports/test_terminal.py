"""The tables on a terminal fit, and tell better from tied."""

from __future__ import annotations

import msgspec
import pytest

from benchbar.records import Estimate
from benchbar.reports.terminal import STRIP, printable, show, strip


def test_nothing_is_wider_than_100_columns_where_there_is_no_terminal(rules_run):
    """A log shows the tables as they are; only paths may be longer."""
    lines = [line for line in rules_run.printed.splitlines() if not line.startswith(("written: ", "  benchbar review"))]
    assert max(map(len, lines)) <= 100


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


def test_many_assistants_still_fit(rules_run, capsys):
    """Where intervals have no room they are left out, and the table says so."""
    results = rules_run.results
    many = {f"assistant-{index}": results.assistants["plain"] for index in range(9)}
    show(msgspec.structs.replace(results, assistants=many | {"base": results.assistants["base"]}), [])
    shown = capsys.readouterr().out
    assert "intervals are in the report" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_names_cannot_speak_to_the_terminal(rules_run, capsys):
    """Control characters and markup in a suite's texts are shown, not obeyed."""
    results = msgspec.structs.replace(rules_run.results, suite="x\x1b[2J[bold]y", tasks={"1-1": "\x1b]0;t\x07[red]z"})
    show(results, [])
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
