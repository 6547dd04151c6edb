"""A file's rows are found again, however they lie."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing

import pytest

from benchbar.ledger import CallRequest, CallResult, CallStatus
from benchbar.ledger.calls import Outcome, PlannedItem
from benchbar.ledger.ledger import Ledger
from benchbar.ledger.sqlite import SQLiteStore
from benchbar.records import Reply, Turn, Usage
from benchbar.records.errors import LedgerError


def request(number: int) -> CallRequest:
    return CallRequest.of("m", [Turn(role="user", content=f"question {number}")], role="judge")


def answered(number: int) -> CallResult:
    reply = Reply(content=f"answer {number}", usage=Usage(input_tokens=1, output_tokens=1))
    return CallResult(status=CallStatus.OK, reply=reply)


def test_all_results_are_found_in_any_order(tmp_path):
    """With failures before and after answers, asked for once and again."""
    count = 2000

    async def fill() -> None:
        store = SQLiteStore(tmp_path / "l.sqlite")
        for number in range(count):
            key = request(number).key()
            if number % 7 == 0:
                failed = CallResult(status=CallStatus.FAILED, error="timeout")
                await store.finish(await store.intend(key, request(number), None), key, failed)
            if number % 14:
                await store.finish(await store.intend(key, request(number), None), key, answered(number))
        store.close()

    asyncio.run(fill())
    store = SQLiteStore(tmp_path / "l.sqlite")
    order = list(range(count))
    random.Random(0).shuffle(order)
    for number in [*range(count), *order[:500]]:
        found = store.result(request(number).key())
        assert found is not None
        assert (found == answered(number)) == bool(number % 14)
    assert store.result(request(count).key()) is None
    store.close()


def test_what_is_settled_the_same_way_is_not_written_again(tmp_path):
    """And what is settled another way is."""
    items = [PlannedItem(id=f"dialogue/{n:05}/a", kind="dialogue", sample=str(n), assistant="a") for n in range(1500)]

    def outcome(item: PlannedItem, digest: str) -> Outcome:
        return Outcome(item=item.id, status="done", calls=(), digest=digest)

    async def settle(digest: str) -> int:
        store = SQLiteStore(tmp_path / "l.sqlite")
        store.plan(items)
        before = next(store.rows("SELECT total_changes()"))[0]
        for item in items:
            await store.settle(outcome(item, digest if item.id.endswith("7/a") else "same"))
        changed = next(store.rows("SELECT total_changes()"))[0] - before
        store.close()
        return changed

    assert [asyncio.run(settle("one")), asyncio.run(settle("one")), asyncio.run(settle("other"))] == [1500, 0, 150]
    store = SQLiteStore(tmp_path / "l.sqlite", writable=False)
    assert {found.digest for found in store.outcomes().values()} == {"same", "other"}
    store.close()


def test_a_start_that_was_killed_before_it_wrote_anything_is_told_from_damage(tmp_path):
    """The file is there, its tables are not: whoever reads it is told to start again, not that it is broken."""
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
    with pytest.raises(LedgerError, match="nothing was written to this ledger before its start ended; run it again"):
        SQLiteStore(path, writable=False)


def test_a_file_that_a_power_cut_left_empty_becomes_a_ledger(tmp_path):
    """Nothing was asked yet, so nothing is lost; without this the folder was refused for good."""
    sqlite3.connect(tmp_path / "l.sqlite").close()
    (tmp_path / "l.sqlite").touch()
    store = SQLiteStore(tmp_path / "l.sqlite")
    assert store.session == 1
    store.close()


def test_a_full_disk_is_told_in_words_wherever_it_shows(tmp_path):
    """What is kept under a name is written outside of the usual commits, and once ended in a traceback."""
    store = SQLiteStore(tmp_path / "l.sqlite")
    store._db.execute("PRAGMA max_page_count = 1")
    with pytest.raises(LedgerError, match="Free disk space"):
        store.set_meta("large", bytes(1_000_000))
    store.close()


def test_what_lost_answers_may_have_cost_counts_at_the_next_start(tmp_path):
    """A budget is a limit on the run, however often it is started."""
    for cost in (0.5, 0.25):
        ledger = Ledger(tmp_path / "l.sqlite")
        ledger.lose(cost)
        ledger.lose(cost)
        ledger.close()
    ledger = Ledger(tmp_path / "l.sqlite")
    assert ledger.store.committed_cost() == 1.5
    ledger.close()
