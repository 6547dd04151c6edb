"""A finished run of which nothing has changed is not derived again, and whatever changes is seen."""

from __future__ import annotations

import pytest

from benchbar.ledger.opening import open_store
from benchbar.ledger.reviews import read_reviews
from benchbar.records import Mark
from benchbar.records.compiled import _place, keep
from support.run_spec import spec

SAID = "nothing has changed"
ASSISTANTS = "[assistants.a]\nkind = 'closed-book'\n[assistants.b]\nkind = 'extractive'\n"
OFFLINE = (
    "run",
    "--limit",
    "3",
    "--quiet",
    "--out",
    "r",
    "--assistant",
    "a=closed-book",
    "--assistant",
    "b=extractive",
)


def states(folder) -> dict[str, int]:
    """When each file of a run was written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if not path.name.startswith("ledger")}


@pytest.fixture
def finished(benchbar, tmp_path):
    """A finished run, and the same command again."""
    first = benchbar(*OFFLINE)
    assert (first.code, SAID in first.err) == (0, False), first.err
    return tmp_path / "r"


def test_the_same_command_shows_the_results_and_writes_nothing(benchbar, finished):
    """What it prints is what it printed; run.json alone is written, as it is at each start."""
    before = states(finished)
    again = benchbar(*OFFLINE)
    assert (again.code, SAID in again.err) == (0, True)
    assert again.out == benchbar(*OFFLINE).out
    after = states(finished)
    assert {name for name in before if before[name] != after[name]} <= {"run.json"}
    assert benchbar(*OFFLINE, "--json").out == (finished / "results.json").read_text("utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "results.json",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("report.html", "dialogues.jsonl", "finished.json")),
    ],
)
def test_a_file_that_was_altered_or_is_gone_is_made_anew(benchbar, finished, name):
    """Byte for byte as it was."""
    whole = (finished / name).read_bytes()
    (finished / name).write_bytes(whole[:-20])
    assert SAID not in benchbar(*OFFLINE).err
    assert (finished / name).read_bytes() == whole
    (finished / name).unlink()
    assert SAID not in benchbar(*OFFLINE).err
    assert (finished / name).read_bytes() == whole
    assert SAID in benchbar(*OFFLINE).err


def test_what_the_program_keeps_of_its_own_files_changes_nothing(benchbar, finished):
    """Texts and templates that are compiled when they are first used lie beside its modules, and are no part of it."""
    keep("test", "a finished run", [1])
    try:
        assert SAID in benchbar(*OFFLINE).err
    finally:
        _place("test", "a finished run").unlink(missing_ok=True)


def test_a_change_of_the_gate_or_of_what_people_see_is_derived(benchbar, tmp_path):
    """The gate and the queue may change between two starts of one run."""
    (tmp_path / "a.toml").write_text(
        "[assistants.a]\nkind = 'closed-book'\n[assistants.b]\nkind = 'extractive'\n", "utf-8"
    )
    command = ("run", "a.toml", "--limit", "3", "--quiet", "--out", "r")
    assert benchbar(*command).code == 0
    assert SAID in benchbar(*command).err
    for more in ("gate = 'release'\n", "review = { audit = 0.5 }\n"):
        file = tmp_path / "a.toml"
        file.write_text(more + file.read_text("utf-8"), "utf-8")
        assert SAID not in benchbar(*command).err
        assert SAID in benchbar(*command).err


def test_a_mark_of_a_person_is_taken_in(benchbar, tmp_path):
    """Whatever was appended to the ledger since."""
    (tmp_path / "a.toml").write_text(f"review = {{ audit = 1.0 }}\n{ASSISTANTS}", "utf-8")
    command = ("run", "a.toml", "--limit", "3", "--quiet", "--out", "r")
    assert benchbar(*command).code == 0
    store = open_store(tmp_path / "r" / "ledger.sqlite", session=False)
    task = read_reviews(store).plans[0].tasks[0]
    store.append_reviews("mark", [Mark(task=task.id, rater="ann", value=0.8)])
    store.close()
    assert SAID not in benchbar(*command).err
    assert SAID in benchbar(*command).err


@pytest.mark.slow
def test_calls_that_failed_are_asked_again(benchbar, chat_server, tmp_path):
    """A run with failures is never as it was; where all of an assistant fails, it ends with an error each time."""
    given = spec(tmp_path, chat_server, extra="limit = 2")
    text = (tmp_path / given).read_text("utf-8").replace('"weak-a"', '"always-truncated"')
    (tmp_path / given).write_text(text.replace("[judge]", "tries = 1\n[judge]", 1), "utf-8")
    first = benchbar("run", given, "--quiet", "--out", "r")
    again = benchbar("run", given, "--quiet", "--out", "r")
    assert (first.code, again.code) == (1, 1), first.err
    assert SAID not in first.err + again.err
