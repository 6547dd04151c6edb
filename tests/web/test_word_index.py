"""The words of a run are searched whatever its size: in a file of their own, made beside the pages and renewed when the run changes."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from benchbar.artefacts.folder import read_results
from benchbar.records.errors import BeingIndexedError
from benchbar.web import word_index
from benchbar.web.sample_index import SampleIndex, Wanted, index_file, index_of
from benchbar.web.word_index import words_file


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


def opened(run: Path, own: Path) -> SampleIndex:
    return index_of(run, own, read_results(run))


def found(index: SampleIndex, text: str, seconds: float = 300) -> int:
    """How many samples hold a text, once their words are indexed."""
    for _ in range(int(10 * seconds)):
        try:
            return index.count(Wanted(said=text))
        except BeingIndexedError:
            time.sleep(0.1)
    raise AssertionError("the words are never there")


def holding(run: Path, text: str) -> int:
    """The same by reading every dialogue."""
    rows = [json.loads(line) for line in (run / "dialogues.jsonl").read_text("utf-8").splitlines()]
    return len({row["sample"] for row in rows if any(text.lower() in turn["content"].lower() for turn in row["turns"])})


@pytest.mark.parametrize("text", ["承租人", "押金", "金", "。", "Art", "a", '"', "%", "《", "量子计算机", "第一条 "])
def test_every_text_is_found_that_stands_in_a_dialogue(graded, own, text):
    """Of one character or many, the last two of a dialogue too; signs of a search language are characters like any other."""
    assert found(opened(graded, own), text) == holding(graded, text)


def test_the_end_of_a_dialogue_is_found(graded, own):
    """Trigrams alone would not begin with its last two characters."""
    row = json.loads((graded / "dialogues.jsonl").read_text("utf-8").splitlines()[0])
    end = row["turns"][-1]["content"][-2:]
    assert found(opened(graded, own), end) == holding(graded, end) > 0


def test_no_page_waits_for_the_words_of_a_large_run(graded, own, monkeypatch):
    """The first search begins to index them and says so; lists without a search are there at once."""
    monkeypatch.setattr(word_index, "AT_ONCE", 0)
    index = opened(graded, own)
    with pytest.raises(BeingIndexedError, match="words of this run"):
        index.count(Wanted(said="押金"))
    assert index.count(Wanted()) == 14
    assert found(index, "押金") == holding(graded, "押金")


def test_words_are_renewed_when_the_run_changes(graded, own):
    """They carry the state of the samples, whose positions they name: older ones are never read."""
    assert found(opened(graded, own), "量子计算机") == 0
    file = graded / "dialogues.jsonl"
    file.write_text(file.read_text("utf-8").replace("押金", "量子计算机"), "utf-8")
    assert found(opened(graded, own), "量子计算机") == holding(graded, "量子计算机") > 0
    words_file(index_file(graded, own)).write_bytes(b"torn")
    assert found(opened(graded, own), "量子计算机") > 0


def test_they_hold_no_texts_and_go_with_the_matter(owner, graded, runs):
    """A file beside the app's own data, about as large as what was said, without a sentence in it."""
    assert owner.get(f"/runs/{graded.name}/samples?said=押金").status_code == 200
    file = words_file(index_file(graded, runs / ".benchbar"))
    row = json.loads((graded / "dialogues.jsonl").read_text("utf-8").splitlines()[0])
    assert row["turns"][0]["content"][:12].encode() not in file.read_bytes()
    owner.post(f"/runs/{graded.name}/delete", {"confirmed": graded.name}, form=f"/runs/{graded.name}/delete")
    assert not file.exists()
