"""Scoring rules from outside, from the file on the page to the gate."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import benchbar
from benchbar.ledger.check import check
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.runs.spec_reading import read_spec
from support.pages import ROOT, blocks

PAGE = ROOT / "docs" / "scoring-rules.md"
OFFLINE = {
    "suite": "model-jurisdiction-zh",
    "limit": 4,
    "reference": "floor",
    "assistants": {"extractive": {"kind": "extractive"}, "floor": {"kind": "closed-book"}},
}
RULE, ASKING = blocks(PAGE, "python")


def rows(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the page's two files, in which a user works."""
    (tmp_path / "my_scorer.py").write_text(RULE, "utf-8")
    (tmp_path / "client_tone.py").write_text(ASKING, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("my_scorer", "client_tone"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_the_example_is_the_one_of_the_page():
    """examples/my_scorer.py and the page show the same file."""
    assert (ROOT / "examples" / "my_scorer.py").read_text("utf-8").strip() == RULE.strip()


def test_the_file_of_the_page_passes_the_examination_it_inherits(folder):
    """Six tests, all passed, with pytest and nothing else."""
    examined = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "my_scorer.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "6 passed" in examined.stdout, examined.stdout + examined.stderr


def test_a_rule_is_scored_measured_and_decided_on(folder):
    """One file and a name: marks with evidence, a value for each dialogue, a condition of the gate, and no call."""
    chosen = OFFLINE | {
        "scorers": {"my_scorer:has_disclaimer": {"word": "法院"}},
        "gate": {"minimum_n": 1, "rubric": False, "at_least": {"has_disclaimer": 0.9}},
    }
    run = benchbar.run(chosen, out=folder / "r")
    marks = [one for one in rows(run.folder / "scores.jsonl") if one["dimension"] == "has_disclaimer"]
    assert len(marks) == 8
    assert {(one["layer"], one["status"]) for one in marks} == {("rule", "scored")}
    values = {
        (one["sample"], one["assistant"]): one["values"]["has_disclaimer"]
        for one in rows(run.folder / "measures.jsonl")
    }
    assert values == {(one["sample"], one["assistant"]): one["value"] for one in marks}
    assert set(values.values()) <= {0.0, 1.0}
    (condition,) = [one for one in run.results.gate.checks if "has_disclaimer" in one.name]
    own = [value for (_, name), value in values.items() if name == "extractive"]
    assert (condition.estimate.n, condition.estimate.value) == (4, sum(own) / 4)
    estimate = run.results.assistants["extractive"]["has_disclaimer"]
    assert (estimate.n, estimate.n_missing, estimate.value) == (4, 0, sum(own) / 4)
    assert run.results.declared["has_disclaimer"].better == "higher"
    assert "tells to ask a lawyer" in run.report.read_text("utf-8")
    assert check(run.folder / "ledger.sqlite").problems == ()


def test_without_rules_of_ones_own_nothing_of_a_run_changes(folder):
    """The files of a run with a rule differ only by the rule's own lines and values."""
    plain = benchbar.run(OFFLINE, out=folder / "plain").folder
    ruled = benchbar.run(OFFLINE | {"scorers": ["my_scorer:has_disclaimer"]}, out=folder / "ruled").folder
    for name in ("citations", "comparisons", "dimensions"):
        assert (plain / f"{name}.jsonl").read_bytes() == (ruled / f"{name}.jsonl").read_bytes()
    kept = [one for one in rows(ruled / "scores.jsonl") if one["dimension"] != "has_disclaimer"]
    assert kept == rows(plain / "scores.jsonl")
    before, after = rows(plain / "measures.jsonl"), rows(ruled / "measures.jsonl")
    assert {one["values"].pop("has_disclaimer") for one in after} <= {0.0, 1.0}
    assert after == before


def test_a_rule_that_asks_a_model_is_planned_paid_and_resumed(folder, chat_server):
    """Its calls are in the ledger under its items, each repetition one of its own; a second start sends none."""
    judge = {"model": "tone", "base_url": chat_server.base_url}
    chosen = OFFLINE | {"scorers": {"client_tone:client_tone": {"repeats": 2, "judge": judge}}}
    run = benchbar.run(chosen, out=folder / "r")
    assert chat_server.stats()["requests"] == {"tone": 16}
    marks = [one for one in rows(run.folder / "scores.jsonl") if one["dimension"] == "client_tone"]
    assert [one["repeat"] for one in marks] == [0, 1] * 8
    # The server's model answers neither yes nor no: nothing is decided, and nothing is 0.
    assert {(one["layer"], one["status"], one["value"]) for one in marks} == {("llm", "abstained", None)}
    assert all(one["values"]["client_tone"] is None for one in rows(run.folder / "measures.jsonl"))
    report = check(run.folder / "ledger.sqlite")
    assert (report.problems, report.planned, report.finished) == ((), 24, 24)
    before = (run.folder / "scores.jsonl").read_bytes()
    again = benchbar.run(chosen, out=folder / "r")
    assert (again.folder / "scores.jsonl").read_bytes() == before
    assert sum(chat_server.stats()["requests"].values()) == 16


@pytest.mark.parametrize(
    ("scorers", "message"),
    [
        (["no_such_rule"], "no_such_rule"),
        (["my_scorer:no_such_rule"], "cannot load 'my_scorer:no_such_rule'"),
        (["pairwise"], "is no scoring rule"),
        ({"my_scorer:has_disclaimer": {"words": 1}}, "its settings: word"),
        ({"my_scorer:has_disclaimer": {"repeats": 0}}, "a whole number from 1"),
        ({"my_scorer:has_disclaimer": {"repeats": 2}}, "needs a parameter `repeat`"),
        (["taken:overall"], "'overall' is already a measure of Benchbar"),
        (["taken:rag"], "'rag' is already a built-in scorer"),
        (["taken:legal_accuracy"], "is already a dimension of the rubric"),
        (["my_scorer:has_disclaimer", "taken:has_disclaimer"], "is already another scoring rule"),
    ],
)
def test_what_cannot_be_a_rule_is_refused_before_any_call(folder, scorers, message):
    """The message says which name, what is wrong with it, and what would be right."""
    names = ("overall", "rag", "has_disclaimer")
    rules = "".join(f"{name} = benchbar.scorer(name={name!r})(lambda sample, dialogue: 1)\n" for name in names)
    dimension = next(iter(benchbar.run(OFFLINE, out=folder / "plain").results.dimensions))
    rules += f"legal_accuracy = benchbar.scorer(name={dimension!r})(lambda sample, dialogue: 1)\n"
    (folder / "taken.py").write_text(f"import benchbar\n{rules}", "utf-8")
    sys.modules.pop("taken", None)
    with pytest.raises((UserError, UnknownNameError), match=message):
        benchbar.run(OFFLINE | {"scorers": scorers}, out=folder / "r")
    assert not (folder / "r" / "ledger.sqlite").exists()


def test_the_option_adds_to_the_rules_of_a_spec(tmp_path):
    """Named in the file with settings and again as an option, a rule keeps its settings."""
    file = tmp_path / "spec.toml"
    file.write_text('[assistants.floor]\nkind = "closed-book"\n[scorers.first]\nword = "x"\n', "utf-8")
    assert read_spec(file, {"scorers": ("first", "second")}, ()).scorers == {"first": {"word": "x"}, "second": {}}
    file.write_text('scorers = ["first"]\n[assistants.floor]\nkind = "closed-book"\n', "utf-8")
    assert read_spec(file, {"scorers": ("second",)}, ()).scorers == {"first": {}, "second": {}}
    assert read_spec(file, {"scorers": ()}, ()).scorers == ("first",)


def test_the_command_line_takes_a_rule(benchbar_command, folder):
    """`--scorer module:object` with the demonstration."""
    done = benchbar_command("run", "--limit", "4", "--scorer", "my_scorer:has_disclaimer", "--out", "r", "--json")
    assert done.code == 0, done.err
    assert all("has_disclaimer" in one["values"] for one in rows(folder / "r" / "measures.jsonl"))


@pytest.fixture
def benchbar_command(request):
    """The command line; the library has taken the name."""
    return request.getfixturevalue("benchbar")
