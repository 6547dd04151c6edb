"""The client keeps to what endpoints ask of it, waits for one that is down, and never sends more than it may."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.clients import ChatModel, Client, Endpoint
from benchbar.clients.rates import MAX_RESET, Meter, duration, left
from benchbar.ledger import Ledger
from benchbar.records import Turn
from benchbar.records.errors import ConnectionFailedError, InterruptedRunError, UserError

SERVER = Path(__file__).resolve().parents[1] / "support" / "chat_server.py"


async def asked(model: ChatModel, count: int) -> list[str]:
    async def one(number: int) -> str:
        return (await model.ask([Turn(role="user", content=f"问题{number}")], role="assistant")).content

    return await asyncio.gather(*(one(number) for number in range(count)))


def limited(server, **limits) -> None:
    body = json.dumps({"seconds": 0.4, "told": True, **limits}).encode()
    with urllib.request.urlopen(f"{server.url}/limits", body, timeout=120) as answer:
        answer.read()


@pytest.fixture
async def client(tmp_path):
    async with opened(tmp_path, patience=1.0) as client:
        yield client


@asynccontextmanager
async def opened(tmp_path, patience: float):
    """A client that waits so many seconds for an endpoint that is down."""
    client = Client(Ledger(tmp_path / "ledger.sqlite"), concurrency=8, patience=patience)
    yield client
    await client.close()
    client.ledger.close()


async def test_an_endpoint_that_says_what_is_left_is_never_overrun(chat_server, client):
    """30 requests in each 0.4 s, said in the headers: 100 calls, and hardly one is turned away."""
    limited(chat_server, requests=30)
    assert len(await asked(ChatModel(Endpoint(model="strong", base_url=chat_server.base_url), client), 100)) == 100
    assert chat_server.stats()["turned_away"] <= 2


async def test_a_call_that_waits_for_its_turn_is_not_in_flight(slow_chat_server, tmp_path):
    """Nothing is written of it before it is sent: a crash leaves it no call of unknown outcome, and Ctrl-C does not send it."""
    client = Client(Ledger(tmp_path / "ledger.sqlite"), concurrency=2)
    model = ChatModel(Endpoint(model="strong", base_url=slow_chat_server.base_url), client)
    asking = [asyncio.create_task(asked(model, 6)) for _ in range(2)]  # the same six, twice: one call each

    def sent() -> int:
        return sum(slow_chat_server.stats()["requests"].values())

    while sent() < 2:  # noqa: ASYNC110 - the server is another process
        await asyncio.sleep(0.001)

    def intents() -> int:
        return next(client.ledger.store.rows("SELECT count(*) FROM intent"))[0]

    assert intents() == 2
    client.ledger.closing = True
    ended = await asyncio.gather(*asking, return_exceptions=True)
    await client.ledger.drain()
    assert [type(one) for one in ended] == [InterruptedRunError, InterruptedRunError]
    assert intents() == sent() == 2
    await client.close()
    client.ledger.close()


async def test_an_endpoint_that_only_turns_away_is_asked_less_and_every_call_is_answered(chat_server, client):
    """Without headers the limit is found by 429s: fewer in flight, waits that grow, no call lost."""
    limited(chat_server, requests=10, told=False)
    model = ChatModel(Endpoint(model="strong", base_url=chat_server.base_url, tries=12), client)
    assert all(await asked(model, 30))
    stats = chat_server.stats()
    assert stats["completed"]["strong"] == 30
    assert stats["turned_away"] > 0
    assert sum(client.failures.values()) == stats["turned_away"]


@pytest.mark.parametrize("settings", [{"requests_per_minute": 600.0}, {"tokens_per_minute": 17_000.0}])
async def test_a_rate_that_the_user_states_is_kept(chat_server, client, settings):
    """Ten a second, ahead by at most the first second's: 20 calls take about a second more, and are all answered."""
    began = time.monotonic()
    await asked(ChatModel(Endpoint(model="strong", base_url=chat_server.base_url, **settings), client), 20)
    assert time.monotonic() - began >= 0.8
    assert chat_server.stats()["turned_away"] == 0


def test_a_rate_that_is_none_is_refused():
    """The message names the setting."""
    with pytest.raises(UserError, match="requests_per_minute is 0"):
        Endpoint(model="m", base_url="http://x", requests_per_minute=0)


async def test_a_server_that_comes_back_is_waited_for(tmp_path):
    """It is killed in the middle and started again on its port: every call is answered, with few tries to spare."""
    # A server's start takes seconds on busy cores.
    with _started() as (server, port):
        async with opened(tmp_path, patience=60) as client:
            model = ChatModel(Endpoint(model="strong", base_url=f"http://127.0.0.1:{port}/v1", tries=3), client)
            assert len(await asked(model, 5)) == 5
            server.kill()
            server.wait()
            waiting = asyncio.ensure_future(asked(model, 40))
            await asyncio.sleep(0.3)
            with _started(port):
                assert len(await waiting) == 40


async def test_a_server_that_stays_down_ends_the_run_with_what_to_do(client):
    """After the patience that was set, not after every call has used up its tries."""
    with _started() as (server, port):
        model = ChatModel(Endpoint(model="strong", base_url=f"http://127.0.0.1:{port}/v1", tries=50), client)
        await asked(model, 1)
        server.kill()
        server.wait()
        with pytest.raises(ConnectionFailedError, match="is down.*rerun the command") as caught:
            await asked(model, 20)
        assert caught.value.fatal


class _started:  # noqa: N801 - used as a block, like a function
    """A chat server on a port, or on a free one."""

    def __init__(self, port: int = 0) -> None:
        self.port = port

    def __enter__(self) -> tuple[subprocess.Popen, int]:
        command = [sys.executable, str(SERVER), "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        return self.process, int(self.process.stdout.readline())

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1s", 1.0), ("6m0s", 300.0), ("20ms", 0.02), ("1h2m3.5s", 300.0), ("2.5", 2.5), ("0", 0.0), ("later", None)],
)
def test_resets_are_read_in_the_forms_that_providers_use(text, seconds):
    """Durations, seconds; whatever is asked, nobody waits longer than five minutes."""
    assert duration(text) == (None if seconds is None else pytest.approx(min(seconds, MAX_RESET)))


def test_the_tightest_of_several_limits_counts():
    """Tokens count once nothing is left of them."""
    headers = {
        "x-ratelimit-remaining-requests": "12",
        "x-ratelimit-reset-requests": "2s",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "3s",
    }
    assert left(headers) == (0, 3.0)
    assert left(headers | {"x-ratelimit-remaining-tokens": "900"}) == (12, 2.0)
    assert left({}) is None


@given(st.text(max_size=50), st.text(max_size=50))
def test_headers_that_cannot_be_read_say_nothing(remaining, reset):
    """Nonsense is no reason to wait, nor to fail."""
    found = left({"x-ratelimit-remaining-requests": remaining, "x-ratelimit-reset-requests": reset})
    assert found is None or (found.requests >= 0 and 0 <= found.seconds <= MAX_RESET)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.integers(60, 6000))
def test_a_meter_lets_no_more_pass_than_its_rate_and_a_second_ahead(amounts, per_minute):
    """The waits it asks for add up to what the rate demands."""
    meter = Meter(per_minute)
    waits = [meter.take(amount) for amount in amounts]
    assert waits == sorted(waits)
    before = sum(amounts[:-1]) * 60 / per_minute
    assert waits[-1] == pytest.approx(max(0.0, before - 1.0), abs=0.2)
