"""UCL-Bench as published: the clone, what its scripts wrote, and its protocol replayed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli
from benchbar.records import Turn
from benchbar.records.errors import BadInputError
from benchbar.suites.load import load
from benchbar.suites.ucl_files import filled, outcome, turns_of
from support import forked
from support.ucl_clone import LABELS, clone


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone."""
    return clone(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def server(shared_chat_server) -> str:
    """Its address."""
    return shared_chat_server.base_url


def called(*words: str) -> object:
    """What the command line does."""
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def test_a_clone_is_read_whole_and_what_was_found_is_said(folder):
    """Data, results and verdicts are told by what they hold; the rest of the folder is passed over."""
    suite = load(f"ucl-bench:{folder}")
    assert len(suite.samples) == 8
    small = next(line for line in suite.understood if "mini_sample" in line)
    assert small.endswith("2 of them are in a larger file as well")
    assert "verdicts on 8 samples, 2 of them missing ([-1, -1])" in "\n".join(suite.understood)
    assert list(suite.answers) == ["gpt-3.5"]


def test_the_closed_list_of_labels_reaches_the_assistant(folder, server, tmp_path):
    """The instructions of task 4-2 are the first message that the assistant is sent, word for word."""
    spec = tmp_path / "spec.toml"
    spec.write_text(
        f"""suite = "ucl-bench:{folder}"
tasks = ["4-2"]
exchanges = 1
reference = "a"
[assistants.a]
kind = "openai"
model = "m"
base_url = "{server}"
[assistants.b]
kind = "closed-book"
""",
        "utf-8",
    )
    out = tmp_path / "run"
    done = forked.command("run", str(spec), "--out", str(out), "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    dialogues = [json.loads(line) for line in (out / "dialogues.jsonl").read_text("utf-8").splitlines()]
    first = [one["turns"][0] for one in dialogues if one["assistant"] == "a"]
    assert len(first) == 4
    assert all(turn["role"] == "system" and LABELS in turn["content"] for turn in first)


def test_instructions_outlive_the_way_through_a_suite_folder(folder, tmp_path):
    """What `suite import --out` writes is read back with them, and dialogues become recorded assistants."""
    done = called("suite", "import", "ucl-bench", folder, "--out", tmp_path / "ucl")
    assert done.exit_code == 0
    assert load(str(tmp_path / "ucl")).samples[0].instructions == load(f"ucl-bench:{folder}").samples[0].instructions
    assert f"--assistant gpt-3.5=recorded:{tmp_path / 'ucl' / 'answers' / 'gpt-3.5.jsonl'}" in done.output
    rows = [json.loads(line) for line in (tmp_path / "ucl/answers/gpt-3.5.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 8
    assert [turn["role"] for turn in rows[0]["turns"]] == ["user", "assistant", "user", "assistant"]


def test_samples_without_instructions_keep_their_fingerprints():
    """The field is left out where it is not set: suites of before it are the same suites."""
    from benchbar.records import Sample, encode

    assert b"instructions" not in encode(Sample(id="a", task="1-1", needs="x"))


def test_a_translation_has_ids_and_a_language_of_its_own(folder, tmp_path):
    """Both languages of a clone are read; a sample and its translation are two samples."""
    both = clone(tmp_path / "both", 2)
    rows = json.loads((both / "dataset/legal_data_sample.json").read_text("utf-8"))
    english = {
        name: [
            row | {"needs": "What is the dispute focus of this case, please?", "information": "A lent B money."}
            for row in of
        ]
        for name, of in rows.items()
    }
    (both / "dataset/legal_data_sample_en.json").write_text(json.dumps(english), "utf-8")
    languages = {sample.id: sample.language for sample in load(f"ucl-bench:{both}").samples}
    assert (languages["4-2-001"], languages["4-2-001-en"]) == ("zh", "en")


def test_a_folder_without_samples_is_refused_with_what_was_expected(tmp_path):
    """The message names the folder, the shape and the cure."""
    with pytest.raises(BadInputError, match="name the folder of the clone, or the file itself"):
        load(f"ucl-bench:{tmp_path}")


@pytest.mark.parametrize(
    ("score", "value"), [([10, 0], 0.0), ([0, 10], 1.0), ([5, 5], 0.5), ([-1, -1], None), ("10", None), ([10], None)]
)
def test_scores_of_the_scripts_are_outcomes_of_the_model(score, value):
    """The first number is ChatGPT's; what could not be read is missing, never a loss."""
    assert outcome(score) == value


def test_an_answer_that_quotes_a_speaker_is_not_cut():
    """Only a mark of whoever speaks next divides a dialogue."""
    text = "用户：甲\nAI助手：乙\nAI助手：丙\n用户：丁\n"
    assert turns_of(text) == (
        Turn(role="user", content="甲"),
        Turn(role="assistant", content="乙\nAI助手：丙"),
        Turn(role="user", content="丁"),
    )


def test_a_template_of_strangers_is_filled_and_never_evaluated():
    """Plain fields only, in one pass: an answer that holds a field is shown as it is."""
    assert filled("{a} {{x}} {b.__class__} {c}", {"a": "{c}", "c": "!"}) == "{c} {x} {b.__class__} !"


def test_one_command_from_a_clone_to_a_table_of_its_verdicts(folder):
    """The researcher's path without any endpoint: rates with intervals, missing verdicts missing, and the audit beside it."""
    done = called("reproduce", "ucl-bench", folder)
    assert done.exit_code == 0
    assert "50.0 [" in done.output
    assert re.search(r"won/tied/lost +2/2/2", done.output)
    assert re.search(r"missing +2 ", done.output)
    assert "146 of 439 cells fit n = 50 with ties as half" in " ".join(done.output.split())
    assert "cannot be replayed" in " ".join(done.output.split())
    lines = [line for line in done.output.splitlines() if not line.startswith("  benchbar audit")]
    assert max(map(len, lines[8:])) <= 80


def test_one_command_from_a_clone_to_a_table_of_a_replay(folder, server, tmp_path):
    """Users of the role prompts, three answers at most, one drawn order, and a ledger that is whole; resuming asks nothing."""
    words = [
        *("reproduce", "ucl-bench", folder, "--assistant", f"mine=m1@{server}", "--reference", f"m0@{server}"),
        *("--simulator", f"plays-user@{server}", "--judge", f"weighs@{server}", "--out", tmp_path / "replay", "--json"),
    ]
    done = called(*words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["replay"]
    assert (found["samples"], found["judge"], found["reference"]) == (8, "weighs", "m0")
    mine = found["assistants"]["mine"]
    assert mine["wins"] + mine["ties"] + mine["losses"] + mine["win_rate"]["n_missing"] == 8
    assert mine["answers"] == 1.0
    verdicts = [json.loads(line) for line in (tmp_path / "replay/comparisons.jsonl").read_text("utf-8").splitlines()]
    assert {one["order"] for one in verdicts} == {"left_first", "right_first"}
    assert called("ledger", "check", tmp_path / "replay").exit_code == 0
    before = (tmp_path / "replay/results.json").read_bytes()
    assert called(*words).exit_code == 0
    assert (tmp_path / "replay/results.json").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--judge", "m@http://127.0.0.1:1/v1"), "without --assistant"),
        (
            ("--assistant", "a=m@http://127.0.0.1:1/v1"),
            "--reference MODEL@URL, --simulator MODEL@URL, --judge MODEL@URL",
        ),
        (("--assistant", "a"), "--reference"),
    ],
)
def test_a_replay_without_one_of_its_parties_is_refused(folder, words, told):
    """Before any call, with what is missing."""
    done = CliRunner().invoke(cli, ["reproduce", "ucl-bench", str(folder), *words])
    assert told in str(done.exception)
