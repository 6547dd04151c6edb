"""The ledger asks each thing once and remembers what came of it."""

from __future__ import annotations

import asyncio
import sys

import pytest

from benchbar.ledger import Begin, CallRequest, CallResult, CallStatus, Ledger, PlannedItem, Scope
from benchbar.records import Reply, Turn
from benchbar.records.errors import InterruptedRunError, LedgerBusyError, LedgerError, MissingDependencyError


def request(text: str = "问", **fields) -> CallRequest:
    return CallRequest.of("model@url", [Turn(role="user", content=text)], role="assistant", **fields)


class Producer:
    """Answers with a number that grows, so that a second answer would show."""

    def __init__(self, *statuses: CallStatus) -> None:
        self.asked = 0
        self.statuses = list(statuses)

    async def __call__(self, begin: Begin) -> CallResult:
        await begin()
        self.asked += 1
        await asyncio.sleep(0.01)
        status = self.statuses.pop(0) if self.statuses else CallStatus.OK
        reply = Reply(content=f"答{self.asked}") if status is CallStatus.OK else None
        return CallResult(status=status, reply=reply, error="" if reply else "timeout")


async def test_a_call_is_sent_once_and_answered_from_the_record_afterwards(ledger):
    """The second time the same thing is asked, nobody is asked."""
    producer = Producer()
    first = await ledger.once(request(), producer)
    second = await ledger.once(request(), producer)
    assert (producer.asked, first, ledger.replayed) == (1, second, 1)


async def test_equal_calls_in_flight_share_one_request(ledger):
    """Ten that ask the same at the same time send one request and get one answer."""
    producer = Producer()
    results = await asyncio.gather(*(ledger.once(request(), producer) for _ in range(10)))
    assert producer.asked == 1
    assert len({result.reply.content for result in results}) == 1


async def test_one_that_gives_up_does_not_take_the_call_from_the_others(ledger):
    """The request goes on, its answer is written down, and whoever still waits gets it."""
    producer = Producer()
    waiting = [asyncio.create_task(ledger.once(request(), producer)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(ended[0], asyncio.CancelledError)
    assert [result.reply.content for result in ended[1:]] == ["答1", "答1"]
    assert (await ledger.once(request(), producer)).reply.content == "答1"


async def test_a_call_that_everybody_gave_up_is_finished_all_the_same(ledger):
    """It is paid for: its answer is on disk once the ledger is drained."""
    producer = Producer()
    alone = asyncio.create_task(ledger.once(request(), producer))
    await asyncio.sleep(0)
    alone.cancel()
    await ledger.drain()
    assert (await ledger.once(request(), producer)).reply.content == "答1"
    assert producer.asked == 1


async def test_an_error_reaches_all_who_wait_and_the_call_can_be_made_again(ledger):
    """What a call raises is raised for each waiter; nothing of it stays behind."""

    async def broken(_: Begin) -> CallResult:
        await asyncio.sleep(0)
        raise ValueError("broken")

    ended = await asyncio.gather(*(ledger.once(request(), broken) for _ in range(2)), return_exceptions=True)
    assert [str(error) for error in ended] == ["broken", "broken"]
    assert (await ledger.once(request(), Producer())).reply.content == "答1"


@pytest.mark.parametrize("change", [{"repeat": 1}, {"attempt": 1}, {"params": {"temperature": 1}}])
async def test_a_repetition_is_a_call_of_its_own(ledger, change):
    """Three judge runs are three calls, never one call read three times."""
    producer = Producer()
    await ledger.once(request(), producer)
    await ledger.once(request(**change), producer)
    assert producer.asked == 2


async def test_a_failed_call_is_sent_again_and_a_refused_one_is_not(tmp_path):
    """What may succeed is asked again by the next run; what will fail the same way is kept as the outcome."""
    for status, asked in ((CallStatus.FAILED, 2), (CallStatus.REFUSED, 1)):
        path, producer = tmp_path / status / "ledger.sqlite", Producer(status)
        for _ in range(2):
            ledger = Ledger(path)
            await ledger.once(request(), producer)
            ledger.close()
        assert producer.asked == asked


async def test_answers_survive_the_process(tmp_path):
    """A ledger that is opened again knows every answer, to the letter."""
    ledger, producer = Ledger(tmp_path / "l.sqlite"), Producer()
    first = await ledger.once(request("长问题" * 1000), producer)
    ledger.close()
    again = Ledger(tmp_path / "l.sqlite")
    assert await again.once(request("长问题" * 1000), producer) == first
    again.close()


async def test_a_second_process_is_refused(ledger, tmp_path):
    """Two runs on one folder would pay for the same calls; the second is told so."""
    with pytest.raises(LedgerBusyError, match="another benchbar is running here"):
        Ledger(tmp_path / "ledger.sqlite")


async def test_while_closing_no_new_call_is_begun_but_known_answers_are_given(ledger):
    """Ctrl-C stops new calls only."""
    producer = Producer()
    await ledger.once(request(), producer)
    ledger.closing = True
    assert (await ledger.once(request(), producer)).reply.content == "答1"
    with pytest.raises(InterruptedRunError):
        await ledger.once(request("别的"), producer)


async def test_a_file_that_is_no_ledger_is_named(tmp_path):
    """Neither a text nor a ledger of another schema version is written over."""
    (tmp_path / "l.sqlite").write_text("hello" * 100)
    with pytest.raises(LedgerError, match="not a readable ledger"):
        Ledger(tmp_path / "l.sqlite")
    other = Ledger(tmp_path / "other.sqlite")
    other.store.set_meta("schema_version", b"99")
    other.close()
    with pytest.raises(LedgerError, match="schema 99"):
        Ledger(tmp_path / "other.sqlite")


async def test_what_was_settled_is_done_unless_it_failed(tmp_path):
    """Both stand in the ledger, in folders that are made where there are none."""
    ledger = Ledger(tmp_path / "runs" / "first" / "l.sqlite")
    items = [PlannedItem(id=f"dialogue/{n}/a", kind="dialogue", sample=str(n), assistant="a") for n in range(2)]
    ledger.plan(items)
    for number, item in enumerate(items):
        await ledger.settle(item, Scope(item.sample), Turn(role="user", content="x"), failed=bool(number))
    found = ledger.store.outcomes()
    ledger.close()
    assert [found[item.id].status for item in items] == ["done", "failed"]


def test_a_database_without_its_driver_says_what_to_install(monkeypatch):
    """The extra by name, before anything is connected to."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingDependencyError, match=r"benchbar\[postgresql\]"):
        Ledger("postgresql://nobody@localhost/nowhere?run=r")
