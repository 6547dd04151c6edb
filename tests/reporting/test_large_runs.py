"""A run too large to be shown whole: its files are compressed, and its report takes the samples that tell most."""

from __future__ import annotations

import pytest

from benchbar.errors import BadInputError
from benchbar.records import Measures, encode
from benchbar.reporting.folder import most_apart, read_records
from benchbar.studies.consultation import SampleResult
from benchbar.studies.derived import MANY, DerivedFiles


def result(number: int) -> SampleResult:
    values = {"point_score": 1.0 if number % 10 == 0 else 0.5, "win_rate": None}
    measures = (
        Measures(sample=f"s{number}", assistant="a", task="1-1", values=values),
        Measures(sample=f"s{number}", assistant="b", task="1-1", values={"point_score": 0.5, "win_rate": None}),
    )
    return SampleResult(sample=f"s{number}", dialogues=(), scores=(), comparisons=(), measures=measures)


def written(folder, dialogues: int) -> bytes:
    with DerivedFiles(folder, dialogues=dialogues) as files:
        for number in range(40):
            files.add(result(number))
    return b"".join(file.read_bytes() for file in sorted(folder.glob("measures.jsonl*")))


def test_compressed_files_are_read_like_plain_ones_and_take_their_place(tmp_path):
    """The same records, the same bytes each time, and never both forms side by side."""
    plain = written(tmp_path, 2)
    records = list(read_records(tmp_path / "measures.jsonl", Measures))
    assert plain == b"".join(encode(one) + b"\n" for one in records)
    packed = written(tmp_path, MANY + 1)
    assert [file.name for file in tmp_path.glob("measures*")] == ["measures.jsonl.gz"]
    assert list(read_records(tmp_path / "measures.jsonl", Measures)) == records
    assert written(tmp_path, MANY + 1) == packed
    assert len(packed) < len(plain) / 3


def test_a_damaged_line_is_named_though_its_sample_is_not_shown(tmp_path):
    """Lines of other samples are passed over, and yet counted and looked at."""
    written(tmp_path, 2)
    with (tmp_path / "measures.jsonl").open("ab") as file:
        file.write(b'\n{"sample":"s40"')
    with pytest.raises(BadInputError, match=r"measures\.jsonl.*82"):
        list(read_records(tmp_path / "measures.jsonl", Measures, frozenset({"s3"})))


def test_the_samples_on_which_assistants_differ_most_are_chosen(tmp_path):
    """Only where there are more samples than a report shows."""
    written(tmp_path, 2)
    assert most_apart(tmp_path, 40) is None
    assert most_apart(tmp_path, 4) == {"s0", "s10", "s20", "s30"}
    chosen = list(read_records(tmp_path / "measures.jsonl", Measures, frozenset({"s3"})))
    assert {one.sample for one in chosen} == {"s3"}
