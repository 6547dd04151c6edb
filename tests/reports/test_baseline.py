"""A run held against the stored baseline of its branch."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchbar.artefacts.baseline import read_baseline
from benchbar.records.errors import BadInputError

ANSWERS = """
import re
WORDS = {words!r}

def assistant(turns):
    number = int(re.search(r"案件(\\d+)", turns[-1].content)[1])
    return "选B" if number in WORDS else "选A"
"""
SPEC = """
suite = "questions.csv"
[assistants.base]
kind = "python"
object = "{module}:assistant"
[limits]
concurrency = 1
"""


def questions(folder: Path, rows: int = 60, wording: str = "定金是多少元，案件") -> None:
    """Each question is of its own number, and each answer is marked by a number that rules find."""
    lines = ["id,question,ground_truth"]
    lines += [
        f"q{n},{wording if n == 1 else '定金是多少元，案件'}{n}？A. 30元 B. 40元 C. 50元,B" for n in range(1, rows + 1)
    ]
    (folder / "questions.csv").write_text("\n".join(lines) + "\n", "utf-8")


@pytest.fixture
def made(tmp_path, benchbar, monkeypatch):
    """Makes a run in which the assistant knows the answers to some numbers."""
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("GITHUB_BASE_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    def make(name: str, known: range | list[int], module: str | None = None) -> None:
        (tmp_path / f"{module or name}.py").write_text(ANSWERS.format(words=sorted(known)), "utf-8")
        (tmp_path / "spec.toml").write_text(SPEC.format(module=module or name), "utf-8")
        done = benchbar("run", "spec.toml", "--quiet", "--out", name)
        assert done.code == 0, done.err

    return make


def test_a_run_that_is_the_baseline_again_is_no_worse(made, benchbar, tmp_path):
    """Same suite, settings, answers and marks: nothing is estimated, however few samples there are."""
    questions(tmp_path, 12)
    made("one", range(9))
    assert json.loads(benchbar("baseline", "save", "one", "--json").out)["samples"] == 12
    done = benchbar("baseline", "compare", "one")
    assert done.code == 0
    assert done.out.startswith("no worse than main: suite, settings, answers and marks are the same (12 samples)")
    assert "定金" not in (tmp_path / ".benchbar" / "baselines" / "main.jsonl").read_text("utf-8")


def test_a_worse_run_ends_with_3_and_says_which_samples_moved_and_why(made, benchbar, tmp_path):
    """Thirty answers were lost with the assistant's new code; the first line says by how much."""
    questions(tmp_path)
    made("one", range(61))
    benchbar("baseline", "save", "one")
    made("two", range(31))
    done = benchbar("baseline", "compare", "two", "--summary", "comment.md")
    assert done.code == 3, done.out + done.err
    first, *lines = done.out.splitlines()
    assert first.startswith("worse than main: base point_score -50.0 [")
    assert "  assistants.base.object was 'one:assistant', now 'two:assistant'" in lines
    assert "    may explain 30 samples that moved" in lines
    assert "  the assistant answered otherwise: 30" in lines
    found = json.loads(benchbar("baseline", "compare", "two", "--json").out)
    assert {one["sample"] for one in found["moves"]} == {f"q{n}" for n in range(31, 61)}
    assert {(one["before"], one["now"], one["cause"]) for one in found["moves"]} == {(1.0, 0.0, "answer")}
    comment = (tmp_path / "comment.md").read_text("utf-8")
    assert comment.startswith("## ❌ worse than main: base point")
    assert "q31, q32" in comment


def test_too_few_samples_say_how_many_more_would_tell(made, benchbar, tmp_path):
    """One of sixty answers was lost: the interval holds the margin, and the exit code is 4."""
    questions(tmp_path)
    made("one", range(61))
    benchbar("baseline", "save", "one")
    made("two", range(60))
    done = benchbar("baseline", "compare", "two", "--margin", "0.05")
    assert done.code == 4
    assert done.out.startswith("cannot tell whether worse than main: base point_score -1.7 [")
    assert "more samples like these would confirm that it is no worse" in done.out.splitlines()[0]


def test_a_sample_whose_own_text_changed_is_told_apart(made, benchbar, tmp_path):
    """The suite's change is named by field and sample; another answer to another question is no change of the assistant's."""
    questions(tmp_path)
    made("one", range(2, 61))
    benchbar("baseline", "save", "one")
    questions(tmp_path, wording="合同解除后定金是多少元，案件")
    made("two", range(61), module="one")
    found = json.loads(benchbar("baseline", "compare", "two", "--json").out)
    (change,) = [one for one in found["changes"] if one["what"] == "suite"]
    assert change["lines"] == ["q1"]
    assert change["text"] == "needs of 1 of 60 common samples changed"
    assert {one["cause"] for one in found["moves"] if one["sample"] == "q1"} <= {"sample"}


def test_a_run_that_is_not_to_be_relied_on_is_neither_worse_nor_better(made, benchbar, tmp_path):
    """Its assistant was down: the first line says so in the place of a decision."""
    questions(tmp_path)
    made("one", range(61))
    benchbar("baseline", "save", "one")
    (tmp_path / "two.py").write_text("def assistant(turns):\n    raise RuntimeError('down')\n", "utf-8")
    (tmp_path / "spec.toml").write_text(SPEC.format(module="two"), "utf-8")
    benchbar("run", "spec.toml", "--quiet", "--out", "two")
    done = benchbar("baseline", "compare", "two")
    assert done.code == 4, done.out + done.err
    assert done.out.startswith("cannot tell whether worse than main: figures are not to be relied on; the run: ")


def test_a_run_of_another_suite_is_told_by_its_samples(made, benchbar, tmp_path):
    """The cause is that no sample is common, not that an assistant is missing."""
    questions(tmp_path, 12)
    made("one", range(9))
    benchbar("baseline", "save", "one")
    table = tmp_path / "questions.csv"
    table.write_text(table.read_text("utf-8").replace("\nq", "\nother"), "utf-8")
    made("two", range(9))
    done = benchbar("baseline", "compare", "two")
    assert done.code == 2
    assert "have no sample in common" in done.err.splitlines()[0]


def test_what_was_not_measured_is_not_compared(made, benchbar, tmp_path):
    """A measure without a value in either run has no difference of 0 and no number of samples that would tell."""
    (tmp_path / "questions.csv").write_text("id,question\n" + "".join(f"q{n},案件{n}？\n" for n in range(40)), "utf-8")
    made("one", range(20))
    benchbar("baseline", "save", "one")
    made("two", range(30))
    done = benchbar("baseline", "compare", "two")
    assert done.code == 4, done.out + done.err
    assert "nothing was measured" in done.out.splitlines()[0]
    assert "would tell" not in done.out


def test_the_branch_decides_which_baseline_counts(made, benchbar, tmp_path, monkeypatch):
    """Stored under the branch that is checked out; compared with the branch that a change is for, else with main."""
    questions(tmp_path, 12)
    made("one", range(9))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "start"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    none = benchbar("baseline", "compare", "one")
    assert (none.code, "no baseline of main" in none.err) == (2, True)
    benchbar("baseline", "save", "one")
    subprocess.run([*git, "checkout", "-q", "-b", "feature/shorter"], cwd=tmp_path, check=True)
    assert benchbar("baseline", "compare", "one").out.startswith("no worse than main:")
    benchbar("baseline", "save", "one")
    assert benchbar("baseline", "compare", "one").out.startswith("no worse than feature/shorter:")
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    assert benchbar("baseline", "compare", "one").out.startswith("no worse than main:")
    stored = json.loads(benchbar("baseline", "list", "--json").out)["baselines"]
    assert [one["baseline"] for one in stored] == ["feature/shorter", "main"]
    assert all(len(one["commit"]) == 40 for one in stored)


def test_compare_and_gate_take_the_stored_file(made, benchbar, tmp_path):
    """The file stands for the folder of the run that it was stored of: same differences, same condition."""
    questions(tmp_path)
    made("one", range(61))
    benchbar("baseline", "save", "one")
    made("two", range(31))
    file = ".benchbar/baselines/main.jsonl"
    kept, folder = (json.loads(benchbar("compare", side, "two", "--json").out) for side in (file, "one"))
    assert kept["assistants"] == folder["assistants"]
    kept, folder = (json.loads(benchbar("gate", "two", "--baseline", side, "--json").out) for side in (file, "one"))
    assert kept == folder


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "main.jsonl"),
        (b"{}\n", "missing required field"),
        (b"not json\n", "not valid JSON"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(tmp_path, text, message):
    """Whatever stands in it is refused as input, with file and line."""
    file = tmp_path / "main.jsonl"
    file.write_bytes(text)
    with pytest.raises(BadInputError, match=message):
        read_baseline(file)
