"""Calls in batches: gathered, handed in once whatever happens, answered at half the price; against the test server's own interfaces."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from benchbar.clients import Budget, ChatModel, Client, Endpoint, Price, batching, retry, waits
from benchbar.clients.providers import PROVIDERS
from benchbar.ledger import CallResult, CallStatus, Ledger
from benchbar.ledger.check import check
from benchbar.records import Turn
from benchbar.records.errors import BadRequestError, InterruptedRunError, UserError
from support.provider_answers import KEY
from support.run_spec import model, spec, spec_text

PROTOCOLS = ["chat", "responses", "anthropic", "gemini"]
EACH = pytest.mark.parametrize("protocol", PROTOCOLS)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Looks come sooner than a provider of a whole day needs."""
    monkeypatch.setenv("MY_KEY", KEY)
    for name, seconds in {"QUIET": 0.4, "FIRST_LOOK": 0.05, "TICK": 0.02}.items():
        monkeypatch.setattr(batching, name, seconds)
    monkeypatch.setattr(retry, "FIRST_PAUSE", 0.05)
    # Who is turned away many times in a row by chance would wait for half a minute.
    monkeypatch.setattr(retry, "MAX_PAUSE", 0.4)


def faults(server, **wanted) -> dict:
    """Set what goes wrong; returns how many batches there were and how many requests came more than once."""
    request = urllib.request.Request(f"{server.url}/batches-fault", json.dumps(wanted).encode(), method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


NEVER = 1e6
"""Seconds of a batch that is done when the test says so."""


async def handed_in(server) -> None:
    """Once the provider has the batch."""
    while not faults(server)["batches"]:  # noqa: ASYNC110 - the server is another process
        await asyncio.sleep(0.02)


def endpoint(server, protocol: str, name: str = "judge", **settings) -> Endpoint:
    path = f"/{PROVIDERS[protocol].version}"
    usual = {"api_key_env": "MY_KEY", "base_url": f"{server.url}{path}", "price": Price(input=1e6, output=1e6)}
    return Endpoint(model=name, protocol=protocol, **{**usual, **settings})


class Opened:
    """A client over a ledger, as one start of a run has it."""

    def __init__(self, folder: Path, **settings) -> None:
        self.ledger = Ledger(folder / "ledger.sqlite")
        self.client = Client(self.ledger, **settings)
        self.client.batched = frozenset({"judge"})

    async def __aenter__(self) -> Client:
        return self.client

    async def __aexit__(self, *_: object) -> None:
        self.client.end_batches()
        await self.ledger.drain()
        await self.client.close()
        self.ledger.close()


def asked(model: ChatModel, number: int):
    return model.ask([Turn(role="user", content=f"第{number}个问题，怎么处理？")], role="judge")


@EACH
async def test_calls_that_come_together_make_one_batch_at_half_the_price(chat_server, tmp_path, protocol):
    """Each caller gets its own answer; the same call sent alone costs twice as much."""
    async with Opened(tmp_path) as client:
        model = ChatModel(endpoint(chat_server, protocol), client)
        replies = await asyncio.gather(*(asked(model, number) for number in range(20)))
        alone = await ChatModel(endpoint(chat_server, protocol), client).ask(
            [Turn(role="user", content="第3个问题，怎么处理？")], role="assistant"
        )
    assert faults(chat_server) == {"batches": 1, "again": 0, "paid_again": 0}
    assert alone.content == replies[3].content
    assert alone.cost == pytest.approx(2 * replies[3].cost)


async def test_a_call_of_a_batch_tells_that_it_waits_for_the_batch(chat_server, tmp_path, monkeypatch):
    """And for no place: a batch may take a day."""
    monkeypatch.setattr(waits, "LONG", 0.0)
    async with Opened(tmp_path) as client:
        asked = ChatModel(endpoint(chat_server, "chat"), client).ask([Turn(role="user", content="问题")], role="judge")
        call, reasons = asyncio.create_task(asked), set()
        while not call.done():
            reasons |= {one.reason for one in client.waits.now()}
            await asyncio.sleep(0.01)
        await call
    assert reasons == {waits.BATCH}


@EACH
async def test_a_request_that_fails_joins_another_batch(chat_server, tmp_path, protocol):
    """Many of them are turned away at first; in the end each has its answer, and none that had one was handed in again."""
    faults(chat_server, failing=0.4)
    async with Opened(tmp_path) as client:
        model = ChatModel(endpoint(chat_server, protocol, tries=20), client)
        replies = await asyncio.gather(*(asked(model, number) for number in range(16)))
        answered = chat_server.stats()["completed"]["judge"]
    assert all(reply.content for reply in replies)
    assert answered == 16
    found = faults(chat_server)
    assert found["again"] > 0
    assert found["paid_again"] == 0


@EACH
async def test_a_submission_whose_answer_is_lost_is_found_and_not_handed_in_again(chat_server, tmp_path, protocol):
    """The connection breaks after the batch arrived: the provider is asked for it."""
    faults(chat_server, lost=1)
    async with Opened(tmp_path) as client:
        model = ChatModel(endpoint(chat_server, protocol), client)
        replies = await asyncio.gather(*(asked(model, number) for number in range(5)))
    assert all(reply.content for reply in replies)
    assert faults(chat_server) == {"batches": 1, "again": 0, "paid_again": 0}


@EACH
async def test_who_stops_while_a_batch_is_under_way_finds_its_answers_later(chat_server, tmp_path, protocol):
    """Ctrl-C ends the wait at once; the next start takes the answers, books them once and hands nothing in."""
    faults(chat_server, seconds=NEVER)
    async with Opened(tmp_path, budget=Budget(1e6)) as client:
        model = ChatModel(endpoint(chat_server, protocol), client)
        calls = [asyncio.ensure_future(asked(model, number)) for number in range(5)]
        await handed_in(chat_server)
        client.ledger.closing = True
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(one, InterruptedRunError) for one in outcomes)
    faults(chat_server, seconds=0.0)
    again = Opened(tmp_path)
    again.client.budget.limit = 1e6
    again.client.budget.spent = again.ledger.store.committed_cost()
    async with again as client:
        model = ChatModel(endpoint(chat_server, protocol), client)
        replies = await asyncio.gather(*(asked(model, number) for number in range(5)))
        assert client.budget.spent == pytest.approx(sum(reply.cost for reply in replies))
        assert next(client.ledger.store.rows("SELECT count(*) FROM intent"))[0] == 5
    assert faults(chat_server) == {"batches": 1, "again": 0, "paid_again": 0}


async def test_a_call_of_a_batch_that_was_given_up_is_taken_up_under_an_intent_of_its_own(chat_server, tmp_path):
    """An intent has one outcome: a second one for the same broke the ledger, and the run could never be resumed."""
    faults(chat_server, seconds=NEVER)
    async with Opened(tmp_path) as client:
        asking = asyncio.ensure_future(asked(ChatModel(endpoint(chat_server, "chat"), client), 1))
        await handed_in(chat_server)
        client.ledger.closing = True
        with pytest.raises(InterruptedRunError):
            await asking
        store = client.ledger.store
        ((intent, key),) = store.rows("SELECT id, key FROM intent")
        await store.finish(intent, bytes(key), CallResult(status=CallStatus.FAILED, error="connection"))
    faults(chat_server, seconds=0.0)
    async with Opened(tmp_path) as client:
        assert (await asked(ChatModel(endpoint(chat_server, "chat"), client), 1)).content
    assert faults(chat_server) == {"batches": 1, "again": 0, "paid_again": 0}
    report = check(tmp_path / "ledger.sqlite")
    assert (report.completed, report.unknown) == (1, 0)


async def test_a_server_without_batches_is_named_with_the_cure(chat_server, tmp_path):
    """Most local servers have none: no retry will find it."""
    async with Opened(tmp_path) as client:
        model = ChatModel(endpoint(chat_server, "chat", base_url=f"{chat_server.url}/elsewhere/v1"), client)
        with pytest.raises(BadRequestError, match="has no batch interface; leave out limits.batch"):
            await asked(model, 1)


async def test_a_protocol_without_batches_is_refused(chat_server, tmp_path):
    """Bedrock's are made of files in a store of its own, which nobody here has."""
    async with Opened(tmp_path) as client:
        with pytest.raises(UserError, match="which has no batches here"):
            client.batches(endpoint(chat_server, "bedrock", base_url=chat_server.url))


@pytest.mark.slow
def test_a_run_in_batches_ends_as_one_without(benchbar, chat_server, tmp_path):
    """The judge's calls come in few batches; the marks are those of a run that asks for each alone."""
    file = spec(tmp_path, chat_server, extra="limit = 11")
    assert benchbar("run", file, "--out", "alone").code == 0
    done = benchbar("run", file, "--out", "batched", "--set", "limits.batch=true")
    assert done.code == 0, done.err
    found = faults(chat_server)
    assert 0 < found["batches"] <= 6
    alone, batched = ((tmp_path / name / "scores.jsonl").read_bytes() for name in ("alone", "batched"))
    assert alone == batched


JUDGED = 1000
"""Calls of the judge: 100 samples, both orders, five times each."""


def answers_of_judge(ledger: Path) -> list[tuple[float, float]]:
    """What each answered call of the judge cost, and what its tokens cost at the full price."""
    with sqlite3.connect(ledger) as opened:
        rows = opened.execute(
            "SELECT cost, input_tokens, output_tokens FROM result JOIN call USING (key) WHERE role = 'judge' AND status = 'ok'"
        )
        return [(cost, (read * 0.5 + written * 1.5) / 1e6) for cost, read, written in rows]


@pytest.mark.slow
def test_a_thousand_calls_of_the_judge_in_batches_survive_three_kills(benchbar, chat_server, tmp_path):
    """SIGKILL three times and five of a hundred requests failing: each is answered once, at half the price, and the ledger is whole."""
    faults(chat_server, failing=0.05, seconds=1.5)
    priced = "price = { input = 0.5, output = 1.5 }"
    text = spec_text(
        chat_server.base_url,
        "seed = 7\nlimit = 100",
        {"base": model("weak-a"), "candidate": model("weak-b")},
        judge=f'kind = "pairwise"\nmodel = "judge"\nrepeats = 5\n{priced}',
        rest="[limits]\nconcurrency = 16\nbatch = true",
    )
    (tmp_path / "spec.toml").write_text(text, "utf-8")
    command = [sys.executable, "-m", "benchbar", "run", "spec.toml", "--out", "r", "--quiet"]
    kills = 0
    for wanted in (1, JUDGED // 3, 2 * JUDGED // 3):
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Not after so many seconds: a busy machine would be killed before its first batch, or after its last.
        while process.poll() is None and chat_server.stats()["completed"].get("judge", 0) < wanted:
            time.sleep(0.05)
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert kills == 3
    assert benchbar(*command[3:]).code == 0
    report = json.loads(benchbar("ledger", "check", "r", "--json").out)
    assert report["ok"], report["problems"]
    stats = chat_server.stats()
    # Calls that are sent alone may have been in flight when the process was killed; those of batches were handed in once.
    assert report["unknown"] <= 3 * 16
    assert 0 <= sum(stats["completed"].values()) - report["completed"] <= report["unknown"]
    found = answers_of_judge(tmp_path / "r" / "ledger.sqlite")
    half = [cost for cost, full in found if cost == pytest.approx(full / 2)]
    assert len(half) == JUDGED
    # The judge is tried before the run, by a call that is sent alone.
    assert len(found) - len(half) == 1
    assert faults(chat_server)["paid_again"] == 0
