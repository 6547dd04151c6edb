"""A review runs in a process of its own: bounded in memory, time and clauses, stopped with what it has, its errors told here."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time

import msgspec
import pytest

import benchbar
from benchbar.contracts import bounds
from benchbar.contracts.bounds import Bounds
from benchbar.contracts.reviewing import InterruptedReviewError
from benchbar.records.errors import BadInputError
from support.contract_maker import as_docx, contract_lines


@pytest.fixture
def lease(tmp_path):
    path = tmp_path / "lease.docx"
    path.write_bytes(as_docx(contract_lines(12)))
    return path


def _without_clock(report):
    """The report without what a clock measured."""
    reviews = tuple(msgspec.structs.replace(one, latency=0.0) for one in report.reviews)
    return msgspec.json.encode(msgspec.structs.replace(report, reviews=reviews))


@pytest.fixture(autouse=True)
def in_a_new_python(own_process_of_a_review, monkeypatch):
    """As a user's: what it may take is counted from what Python itself takes."""
    monkeypatch.setattr(bounds, "started", own_process_of_a_review)


def test_the_review_is_the_same_in_a_process_of_its_own(lease):
    """Report, source and changes are what the same function makes here, but for the seconds that it took."""
    apart, here = benchbar.review_contract(lease), benchbar.review_contract(lease, bounds=None)
    assert apart.source == here.source
    texts = [json.dumps(json.loads(_without_clock(one.report)), sort_keys=True) for one in (apart, here)]
    assert texts[0] == texts[1]


def test_clauses_beyond_the_bound_are_not_examined_and_that_is_said(lease):
    """The first are reviewed; the rest says why nobody came to it, and the first warning says how many they are."""
    report = benchbar.review_contract(lease, bounds=Bounds(clauses=5)).report
    assert report.warnings[0].startswith("NOT COMPLETE")
    rest = report.reviews[5:]
    assert rest
    assert {one.status for one in rest} == {"not_examined"}
    assert all("bound of 5 clauses" in one.reason for one in rest)


def test_a_file_that_takes_too_long_to_read_is_refused(lease):
    """Nothing was reviewed, and the message says which bound it was."""
    with pytest.raises(BadInputError, match=r"took more than 0\.05 s to read the contract: nothing was reviewed"):
        benchbar.review_contract(lease, bounds=Bounds(seconds=0.05))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the bound of memory is held on Unix; its figure here is Linux's")
def test_a_file_that_fills_the_memory_ends_its_own_process_only(tmp_path):
    """A contract whose text does not fit the bound is refused with the bound; this process goes on."""
    large = tmp_path / "large.txt"
    large.write_text("第一条 租金每月五千元。\n" * 300_000, "utf-8")
    with pytest.raises(BadInputError, match="memory.* to read the contract: nothing was reviewed"):
        benchbar.review_contract(large, bounds=Bounds(memory=300, seconds=60))


def test_errors_come_through_as_they_are(tmp_path):
    """A scan, a wrong rule file or a wrong setting has the same class and words as without a process between."""
    empty = tmp_path / "a.txt"
    empty.write_text("", "utf-8")
    for options in ({}, {"bounds": None}):
        with pytest.raises(BadInputError, match="the file is empty"):
            benchbar.review_contract(empty, **options)
        with pytest.raises(benchbar.UserError, match="demo uses the invented rules"):
            benchbar.review_contract("README.md", demo=True, rules="x.jsonl", **options)


def test_what_was_reviewed_before_a_stop_is_kept(lease, review_server, tmp_path):
    """Once cancel is set, the review so far is in the error; the other clauses say that they were interrupted."""
    cancel = threading.Event()
    review_server.pause = 0.2

    def told(progress):
        if progress.done >= 3:
            cancel.set()

    model = benchbar.Endpoint(model="m", base_url=review_server.base_url)
    with pytest.raises(InterruptedReviewError) as caught:
        benchbar.review_contract(
            lease, model=model, ledger=tmp_path / "calls.sqlite", concurrency=1, on_progress=told, cancel=cancel
        )
    report = caught.value.review.report
    reached = [one for one in report.reviews if one.reason != "interrupted"]
    assert 3 <= len(reached) < len(report.reviews)
    assert "interrupted" in report.warnings[0]
    sent, review_server.pause = review_server.requests, 0.0
    whole = benchbar.review_contract(lease, model=model, ledger=tmp_path / "calls.sqlite").report
    assert len(whole.reviews) == len(report.reviews)
    assert review_server.requests > sent
    # What was answered before the stop was not asked again.
    assert review_server.requests - sent <= 2 * (len(report.reviews) - len(reached)) + 2


def test_ctrl_c_writes_what_there_is(lease, review_server, tmp_path):
    """The command ends with 130; its page and its output hold what was reviewed, and say what was not."""
    page = tmp_path / "lease.html"
    review_server.pause = 0.2
    model = ["--model", "m", "--base-url", review_server.base_url, "--concurrency", "1"]
    command = [sys.executable, "-m", "benchbar", "review-contract", str(lease), "--html", str(page), *model]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while running.poll() is None and review_server.requests < 4:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=300)
    assert running.returncode == 130, err
    assert "未完成：interrupted" in page.read_text("utf-8")
    assert "未完成：interrupted" in out.decode()
    assert "未审查" in out.decode()
