"""Runs go to Inspect's logs and come back; transcripts of other programs are read."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from benchbar.assistants.recorded import RecordedAnswers
from benchbar.records import CONSULTATION, QUESTION_ANSWERING, Turn
from benchbar.records.errors import BadInputError, MissingDependencyError
from benchbar.suites.load import load
from benchbar.tables.transcripts import turns_of


def lines(path: Path, *rows: dict) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


SHAPES = {
    "turns": {"sample": "1", "turns": [{"role": "user", "content": "问"}, {"role": "assistant", "content": "答"}]},
    "turns in a cell": {"sample": "1", "turns": '[{"role":"user","content":"问"},{"role":"assistant","content":"答"}]'},
    "messages with parts and tools": {
        "id": 1,
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "问"}, {"type": "image_url", "image_url": "x"}]},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
            {"role": "tool", "content": "{}", "tool_call_id": "c"},
            {"role": "assistant", "content": "答"},
        ],
    },
    "conversations": {
        "conversation_id": "1",
        "conversations": [{"from": "human", "value": "问"}, {"from": "gpt", "value": "答"}],
    },
}


@pytest.mark.parametrize("row", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_of_a_transcript_gives_the_same_turns(row, tmp_path):
    """What a user saw is kept, in order; what tools were asked is not."""
    assert turns_of(row) == (Turn(role="user", content="问"), Turn(role="assistant", content="答"))
    file = lines(tmp_path / "t.jsonl", row)
    suite = load(f"transcripts:{file}")
    assert [(sample.id, sample.needs) for sample in suite.samples] == [("1", "问")]
    assert RecordedAnswers(file).dialogue(suite.samples[0]).turns == turns_of(row)


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([{"role": "wizard", "content": "x"}], "unknown role 'wizard'"),
        ([{"role": "user", "content": "x"}], "nothing in it was said by an assistant"),
        ([{"role": "assistant", "content": 7}], "text was expected, found int"),
        (["x"], "an object with role and content"),
        ("x", "not valid JSON"),
        ({"a": 1}, "a list of turns was expected, found dict"),
    ],
)
def test_what_is_no_transcript_is_said_with_its_place(messages, said, tmp_path):
    """File, line and field; a suite goes on without the row, recorded answers do not."""
    good = {"id": "0", "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}
    file = lines(tmp_path / "t.jsonl", good, {"id": "1", "messages": messages})
    suite = load(f"transcripts:{file}")
    assert [(problem.line, said in problem.message) for problem in suite.problems] == [(2, True)]
    with pytest.raises(BadInputError, match="t.jsonl:2: field `messages") as error:
        RecordedAnswers(file)
    assert said in str(error.value)


def test_transcripts_without_ids_are_found_by_what_was_asked_first(tmp_path):
    """Two assistants' transcripts of the same questions meet; more than one exchange makes it a suite of consultations."""
    talk = [("user", "押金不退怎么办？"), ("assistant", "依合同。"), ("user", "没有合同呢？"), ("assistant", "依法。")]
    row = {"messages": [{"role": role, "content": text} for role, text in talk]}
    one, two = lines(tmp_path / "1.jsonl", row), lines(tmp_path / "2.jsonl", row | {"messages": row["messages"][:2]})
    suite = load(f"transcripts:{one}")
    assert (suite.card.protocol, suite.card.language) == (CONSULTATION, "zh")
    assert load(f"transcripts:{two}").card.protocol == QUESTION_ANSWERING
    assert RecordedAnswers(one).dialogue(suite.samples[0]).exchanges == 2
    assert RecordedAnswers(two).dialogue(suite.samples[0]).exchanges == 1


def test_what_is_no_log_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    """A text, and an archive that would fill the memory."""
    pytest.importorskip("inspect_ai", reason="Inspect is not installed: pip install 'benchbar[inspect]'")
    (tmp_path / "text.eval").write_text("hello")
    with pytest.raises(BadInputError, match="no log of Inspect"):
        RecordedAnswers(tmp_path / "text.eval")
    with zipfile.ZipFile(tmp_path / "other.eval", "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(BadInputError, match="no log of Inspect that can be read"):
        RecordedAnswers(tmp_path / "other.eval")
    monkeypatch.setattr("benchbar.tables.transcripts.MAX_UNPACKED", 1 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", bytes(2 << 20))
    with pytest.raises(BadInputError, match="2097152 bytes when unpacked; at most 1048576 are read"):
        RecordedAnswers(tmp_path / "bomb.eval")


def test_without_inspect_the_way_to_it_is_said(tmp_path, monkeypatch):
    """Reading a log names the extra."""
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai.log", None)
    with pytest.raises(MissingDependencyError, match=r"benchbar\[inspect\]"):
        RecordedAnswers(lines(tmp_path / "x.eval"))


def test_a_run_goes_to_inspect_and_comes_back(benchbar, tmp_path):
    """Inspect reads its own metrics from the log; read as recorded answers, the same rules give the same marks."""
    api = pytest.importorskip("inspect_ai.log", reason="Inspect is not installed: pip install 'benchbar[inspect]'")
    run = ("run", "--limit", "6", "--quiet", "--reference", "closed-book")
    live = ("--assistant", "closed-book=closed-book", "--assistant", "extractive=extractive")
    assert benchbar(*run, *live, "--out", "r").code == 0
    done = benchbar("report", "r", "--format", "inspect")
    assert done.code == 0, done.err
    files = {name: tmp_path / "r/inspect" / f"{name}.eval" for name in ("closed-book", "extractive")}
    log = api.read_eval_log(str(files["extractive"]))
    results = json.loads((tmp_path / "r/results.json").read_text("utf-8"))
    measures = [json.loads(line) for line in (tmp_path / "r/measures.jsonl").read_text("utf-8").splitlines()]
    own = {one["sample"]: one["values"] for one in measures if one["assistant"] == "extractive"}
    assert (log.status, len(log.samples), log.eval.model) == ("success", 6, "benchbar/extractive")
    for sample in log.samples:
        assert {name: score.value for name, score in sample.scores.items()} == {
            name: value for name, value in own[sample.id].items() if value is not None
        }
        assert sample.metadata["undecided"] == sorted(name for name, value in own[sample.id].items() if value is None)
        # What accuses is not parted from how often it is right, nor the gravest verdict from its citation.
        assert all(
            one["verdict"] and one["on"] and isinstance(one["precision"], list) for one in sample.metadata["citations"]
        )
    # Of a measure that rules alone decide: without a judge there is no win rate.
    found = next(score for score in log.results.scores if score.name == "point_score")
    estimate = results["assistants"]["extractive"]["measures"]["point_score"]
    assert found.metrics["mean"].value == pytest.approx(estimate["value"])
    assert {name: found.metrics["mean"].metadata[name] for name in ("low", "high", "n")} == {
        name: estimate[name] for name in ("low", "high", "n")
    }
    back = [part for name, file in files.items() for part in ("--assistant", f"{name}=recorded:{file}")]
    again = benchbar(*run, *back, "--out", "again")
    assert again.code == 0, again.err
    assert (tmp_path / "again/measures.jsonl").read_bytes() == (tmp_path / "r/measures.jsonl").read_bytes()
    asked = benchbar("suite", "check", f"transcripts:{files['extractive']}", "--json")
    assert (asked.code, json.loads(asked.out)["samples"]) == (0, 6)
