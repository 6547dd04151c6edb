"""A run too large to be shown whole: its files are compressed, and its report takes the samples that tell most."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from benchbar.artefacts.derived import MANY, DerivedFiles
from benchbar.artefacts.folder import read_material, read_records
from benchbar.artefacts.layout import RunFolder
from benchbar.artefacts.shown import keep, kept, most_apart, narrowed
from benchbar.records import Measures, SampleResult, encode
from benchbar.records.errors import BadInputError
from benchbar.reports.html import html
from benchbar.reports.write import shown_part


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


@pytest.fixture
def kept_run(judged_run, tmp_path):
    """A copy of a run that is held to be large from its third sample on: its folder, its results, what it shows."""
    run = tmp_path / "run"
    shutil.copytree(judged_run.folder, run)
    chosen = most_apart(run, 2)
    keep(run, narrowed(judged_run.suite, chosen), judged_run.results.suite_fingerprint)
    return run, judged_run.results, chosen


def test_a_large_run_keeps_the_samples_that_its_report_shows(kept_run, judged_run):
    """The page is the same, whether they come from the run or from the suite, which need not be read."""
    run, results, chosen = kept_run
    material = read_material(run, chosen)
    from_suite = html(results, material, narrowed(judged_run.suite, chosen))
    assert html(results, material, kept(run, results, chosen)) == from_suite


def test_what_is_kept_of_another_suite_or_of_other_samples_is_not_taken(kept_run):
    """Then the suite itself is read."""
    run, results, chosen = kept_run
    assert kept(run, msgspec.structs.replace(results, suite_fingerprint="0" * 32), chosen) is None
    assert kept(run, results, frozenset({"another"})) is None
    assert kept(run, results, None) is None


def test_what_is_kept_and_damaged_is_named_with_its_cure(kept_run):
    """A torn file is no empty one."""
    run, results, chosen = kept_run
    file = RunFolder(run).shown
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(BadInputError, match=r"shown\.jsonl\.gz.*run the same"):
        kept(run, results, chosen)


def test_a_run_that_is_shown_whole_keeps_nothing_of_its_suite(judged_run, tmp_path):
    """What a larger run in the same folder had kept is taken away."""
    run = tmp_path / "run"
    shutil.copytree(judged_run.folder, run)
    (RunFolder(run).shown).write_bytes(b"of before")
    assert shown_part(run, judged_run.suite, judged_run.results) == judged_run.suite
    assert not (RunFolder(run).shown).exists()
