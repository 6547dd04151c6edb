"""A month in the life of whole runs: kills, cancellations, keys that expire, an endpoint and a disk that come and go."""

from __future__ import annotations

import json
import os

import pytest

from faults.month import Month, endurance, small_disk

FEW, MANY = 12, 60


@pytest.fixture
def month(tmp_path):
    """One of a few samples; where the system lets nobody have a disk of his own, none is ever full."""
    disk, notes = tmp_path / "disk", tmp_path / "notes"
    disk.mkdir()
    notes.mkdir()
    return disk, notes


def lived(folders, starts: int) -> dict[str, int]:
    """What a month of so many starts was made of; in a process of its own, since its disk is."""
    disk, notes = folders
    if child := os.fork():
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, (notes / "failed.txt").read_text("utf-8")
        return json.loads((notes / "counts.json").read_text("utf-8"))
    try:
        with small_disk(disk) as full:
            month = Month(disk, notes, samples=4, disk=full)
            for _ in range(starts):
                month.cancelled_start()
                month.killed_start()
            (notes / "counts.json").write_text(json.dumps(month.counts), "utf-8")
        os._exit(0)
    except BaseException as error:  # noqa: BLE001 - told by the process that waits
        (notes / "failed.txt").write_text(f"{type(error).__name__}: {error}", "utf-8")
        os._exit(1)


@pytest.mark.parametrize("starts", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_whatever_ends_a_start_the_ledger_is_whole_and_no_completed_call_is_paid_again(month, starts):
    """``make month`` goes through a thousand of each; finished runs equal one that nothing disturbed."""
    counts = lived(month, starts)
    assert counts["starts"] == 2 * starts
    assert counts["runs finished"] >= 1
    assert counts["completed calls paid again"] == 0
    assert counts["start ended: killed"] >= starts / 2


@pytest.mark.slow
def test_a_start_that_goes_on_for_days_holds_no_more_files_for_it(tmp_path):
    """Keys are renewed and the endpoint vanishes for hours meanwhile; memory over a month is what ``make month`` prints."""
    _, *later = endurance(tmp_path, samples=60)
    assert later[-1].day >= 1
    assert {one.files for one in later} == {later[0].files}
