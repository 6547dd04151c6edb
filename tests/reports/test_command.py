"""`benchbar report` writes what a finished run found, and says what is wrong with a folder that is none."""

from __future__ import annotations

import json
import shutil

import pytest


@pytest.fixture
def copied(rules_run, tmp_path):
    """A copy of the run's folder that a test may damage."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in rules_run.folder.iterdir():
        if file.suffix in {".json", ".jsonl"}:
            shutil.copy(file, folder)
    return folder


def test_html_is_the_same_file_that_the_run_wrote(benchbar, copied, rules_run):
    """The report is derived from the folder alone: made again it is equal to the byte."""
    done = benchbar("report", str(copied))
    assert (done.code, done.out) == (0, f"written: {copied / 'report.html'}\n")
    assert (copied / "report.html").read_bytes() == (rules_run.folder / "report.html").read_bytes()


def test_json_prints_the_results_and_nothing_else(benchbar, copied):
    """One document on stdout."""
    done = benchbar("report", str(copied), "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == json.loads((copied / "results.json").read_text())


@pytest.mark.parametrize("form", ["md", "csv", "latex"])
def test_other_formats_go_to_stdout_or_to_a_file(benchbar, copied, tmp_path, form):
    """The same text either way."""
    printed = benchbar("report", str(copied), "--format", form)
    written = benchbar("report", str(copied), "--format", form, "--out", str(tmp_path / "out" / "table"))
    assert (printed.code, written.code) == (0, 0)
    assert (tmp_path / "out" / "table").read_text("utf-8") == printed.out


def test_a_suite_that_is_gone_is_said_to_be_missing(benchbar, copied):
    """The report is made all the same, and the command says what it lacks."""
    manifest = json.loads((copied / "run.json").read_text())
    manifest["spec"]["suite"] = "gone-suite"
    (copied / "run.json").write_text(json.dumps(manifest))
    done = benchbar("report", str(copied))
    assert done.code == 0
    assert "without the suite" in done.err
    assert "gone-suite" in (copied / "report.html").read_text("utf-8")


def test_a_folder_that_is_no_run_is_refused(benchbar, tmp_path):
    """With what was expected."""
    (tmp_path / "empty").mkdir()
    for name in ("empty", "nowhere"):
        done = benchbar("report", name)
        assert (done.code, done.out) == (2, "")
        assert "expected the folder of a run" in done.err


def test_an_unfinished_run_is_to_be_finished_first(benchbar, copied):
    """There are no results yet, and the way to them is named."""
    (copied / "results.json").unlink()
    done = benchbar("report", str(copied), "--format", "md")
    assert done.code == 2
    assert "has not finished" in done.err


def test_results_of_a_later_version_are_not_guessed_at(benchbar, copied):
    """The versions found and expected, and what to do."""
    results = json.loads((copied / "results.json").read_text())
    (copied / "results.json").write_text(json.dumps(results | {"schema_version": 3, "new_field": 1}))
    done = benchbar("report", str(copied))
    assert done.code == 2
    assert "pip install --upgrade benchbar" in done.err
    assert "schema version 3; this Benchbar reads versions 1 to 2" in done.err


def test_a_damaged_line_is_named(benchbar, copied):
    """File and line of what cannot be read."""
    lines = (copied / "scores.jsonl").read_text("utf-8").splitlines()
    lines[4] = lines[4][:40]
    (copied / "scores.jsonl").write_text("\n".join(lines), "utf-8")
    done = benchbar("report", str(copied))
    assert done.code == 2
    assert "scores.jsonl:5: not valid JSON" in done.err


def test_a_missing_file_is_named_with_its_cure(benchbar, copied):
    """Derived files come back from the ledger."""
    (copied / "dialogues.jsonl").unlink()
    done = benchbar("report", str(copied))
    assert done.code == 2
    assert "dialogues.jsonl" in done.err
    assert "benchbar run" in done.err
