"""What pages show is tried as it stands there."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from support.pages import ROOT, blocks

ASSISTANTS = ROOT / "docs" / "assistants.md"


def own_assistant() -> str:
    """The one file of the section on an assistant of your own."""
    (code,) = blocks(ASSISTANTS, "python")
    return code


def test_an_assistant_of_ones_own_takes_one_file_of_25_lines(benchbar, tmp_path):
    """The page's file, at most 25 lines long, passes the examination it inherits and is put to the test by a run."""
    code = own_assistant()
    assert len(code.strip().splitlines()) <= 25
    (tmp_path / "my_assistant.py").write_text(code, "utf-8")
    examined = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "my_assistant.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "4 passed" in examined.stdout, examined.stdout + examined.stderr
    named = ("--assistant", "mine=python:my_assistant:Handbook", "--assistant", "floor=closed-book")
    done = benchbar("run", *named, "--reference", "floor", "--limit", "22", "--json")
    assert done.code == 0, done.err
    mine = json.loads(done.out)["assistants"]["mine"]
    compared = mine["measures"]["win_rate"]
    assert (compared["n"] + compared["n_missing"], mine["failed_dialogues"]) == (22, 0)


def test_the_example_is_the_one_of_the_page():
    """examples/my_assistant.py and the page show the same file."""
    assert (ROOT / "examples" / "my_assistant.py").read_text("utf-8").strip() == own_assistant().strip()


def test_every_kind_of_assistant_runs_as_shown(benchbar, chat_server, tmp_path):
    """The snippets of all kinds together are a spec, and every assistant in it answers; a run with a person waits for them."""
    shown = [block for block in blocks(ASSISTANTS, "toml") if "[assistants." in block]
    specs = [block for block in shown if 'kind = "person"' not in block]
    (tmp_path / "spec.toml").write_text("\n".join(specs).replace("http://127.0.0.1:8000", chat_server.url), "utf-8")
    (tmp_path / "my_assistant.py").write_text(own_assistant(), "utf-8")
    (tmp_path / "answers.jsonl").write_text(blocks(ASSISTANTS, "json")[0], "utf-8")
    done = benchbar("run", "spec.toml", "--limit", "2", "--reference", "floor", "--json", env={"SERVICE_KEY": "s3cret"})
    assert done.code == 0, done.err
    assistants = json.loads(done.out)["assistants"]
    assert {"chat", "service", "mine", "transcripts", "extractive", "floor"} <= set(assistants)
    assert {name: one["failed_dialogues"] for name, one in assistants.items()} == dict.fromkeys(assistants, 0)
    (person,) = (block for block in shown if block not in specs)
    (tmp_path / "person.toml").write_text(f'{person}[assistants.floor]\nkind = "closed-book"\n', "utf-8")
    waits = benchbar("run", "person.toml", "--limit", "2", "--reference", "floor", "--out", "person")
    assert waits.code == 5
    assert "waiting for" in waits.err


def test_a_suite_as_shown_has_no_problem(benchbar, tmp_path):
    """Card, task and sample of the page are a suite that can be checked and run."""
    page = ROOT / "docs" / "suite-format.md"
    task, sample, guidance = blocks(page, "json")
    points = {**json.loads(sample), "id": "s2", "needs": "会判多久？", "guidance": json.loads(guidance)}
    folder = tmp_path / "my-suite"
    folder.mkdir()
    (folder / "card.toml").write_text(blocks(page, "toml")[0], "utf-8")
    (folder / "tasks.jsonl").write_text(task, "utf-8")
    (folder / "samples.jsonl").write_text(sample + json.dumps(points), "utf-8")
    checked = benchbar("suite", "check", "my-suite", "--json")
    assert checked.code == 0, checked.out
    summary = json.loads(checked.out)
    assert (summary["samples"], summary["problems"]) == (2, [])
    assert {"number", "citation", "term", "range"} <= set(summary["kinds"])


def test_the_second_command_of_the_front_page_runs(benchbar, chat_server, tmp_path):
    """The example of two models runs against an endpoint, within its budget, and its ledger is whole."""
    spec = (ROOT / "examples" / "two-models.toml").read_text("utf-8")
    (tmp_path / "two-models.toml").write_text(spec.replace("http://127.0.0.1:8000", chat_server.url), "utf-8")
    done = benchbar("run", "two-models.toml", "--limit", "2", "--out", "runs/two", "--json")
    assert done.code == 0, done.err
    results = json.loads(done.out)
    assert results["decided_by"] == "pairwise, checklist"
    assert sum(one["cost"] or 0 for one in results["spending"].values()) < 5
    assert benchbar("ledger", "check", "runs/two").code == 0
