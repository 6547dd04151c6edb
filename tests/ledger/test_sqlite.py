"""A file's rows are found again, however they lie."""

from __future__ import annotations

import asyncio
import random

from benchbar.ledger import CallRequest, CallResult, CallStatus
from benchbar.ledger.calls import Outcome, PlannedItem
from benchbar.ledger.sqlite import SQLiteStore
from benchbar.records import Reply, Turn, Usage


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
