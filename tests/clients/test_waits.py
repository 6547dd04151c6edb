"""What calls that take long wait for stands in a file while it lasts, and nobody is asked for it."""

from __future__ import annotations

import asyncio
import time

import pytest

from benchbar.clients import ChatModel, Endpoint, waits
from benchbar.clients.session import open_session
from benchbar.records import Turn
from benchbar.records.errors import RateLimitError, ServerError
from support.chat_servers import served


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Nobody waits for seconds in a test."""
    monkeypatch.setattr(waits, "LONG", 0.0)
    monkeypatch.setattr(waits, "LOOK", 0.02)


@pytest.fixture
def waiting_address():
    """Its answers take so long that a busy machine sees them waited for."""
    with served("--delay", "1") as url:
        yield f"{url}/v1"


async def told_while(folder, session, model: str, url: str, failed=()) -> list[waits.Wait]:
    """Everything that was told while one call was under way."""
    endpoint = Endpoint(model=model, base_url=url, tries=2)
    call = asyncio.create_task(
        ChatModel(endpoint, session.client).ask([Turn(role="user", content="问题")], role="assistant")
    )
    found = []
    while not call.done():
        found += waits.waits_in(folder)
        await asyncio.sleep(0.01)
    if failed:
        with pytest.raises(failed):
            await call
    await asyncio.sleep(0.1)
    return found


async def test_a_call_tells_that_it_waits_for_its_answer(waiting_address, tmp_path):
    """With its address, and since when; after the answer the file is gone."""
    began = time.time()
    async with open_session(tmp_path / "ledger.sqlite", waits_in=tmp_path) as session:
        found = await told_while(tmp_path, session, "strong", waiting_address)
        assert waits.waits_in(tmp_path) == ()
    one = next(wait for wait in found if wait.reason == waits.ANSWER)
    assert one.address == f"{waiting_address}/chat/completions"
    assert began <= one.since <= time.time()
    assert (one.calls, one.tried, one.until) == (1, 0, None)
    assert not list(tmp_path.glob(".waiting*"))


@pytest.mark.parametrize(("model", "error"), [("always-429", RateLimitError), ("always-503", ServerError)])
async def test_between_two_tries_it_tells_why_and_until_when(chat_server, tmp_path, model, error):
    """Which error, how many tries failed of how many, and when the next one is sent: without a request of its own."""
    async with open_session(tmp_path / "ledger.sqlite", waits_in=tmp_path) as session:
        found = await told_while(tmp_path, session, model, chat_server.base_url, error)
    one = next(wait for wait in found if wait.tried)
    assert (one.reason, one.tried, one.tries) == (error.slug, 1, 2)
    assert one.until is not None
    assert one.until > one.since
    assert sum(chat_server.stats()["requests"].values()) == 2


async def test_calls_that_wait_for_the_same_are_told_together(waiting_address, tmp_path):
    """Three of which one may be under way: one waits for its answer, two for a place."""
    async with open_session(tmp_path / "ledger.sqlite", concurrency=1, waits_in=tmp_path) as session:
        model = ChatModel(Endpoint(model="strong", base_url=waiting_address), session.client)
        asked = [
            asyncio.create_task(model.ask([Turn(role="user", content=f"问题{n}")], role="assistant")) for n in range(3)
        ]
        counts = set()
        while not all(one.done() for one in asked):
            counts |= {tuple(sorted((wait.reason, wait.calls) for wait in waits.waits_in(tmp_path)))}
            await asyncio.sleep(0.01)
    assert ((waits.ANSWER, 1), (waits.PLACE, 2)) in counts


def test_a_silent_process_tells_nothing(tmp_path, monkeypatch):
    """Killed, it leaves its file behind, which says nothing any more; a file of somebody else says nothing either."""
    told = waits.Waits()
    told._file = tmp_path / waits.NAME.format(1)
    with told.call("http://name:secret@127.0.0.1:9/v1?key=secret", 3):
        told._write(told.now())
    (one,) = waits.waits_in(tmp_path)
    assert one.address == "http://127.0.0.1:9/v1"
    monkeypatch.setattr(waits, "STALE", -1.0)
    assert waits.waits_in(tmp_path) == ()
    (tmp_path / waits.NAME.format(2)).write_text("[]", "utf-8")
    assert waits.waits_in(tmp_path) == ()
