"""The limiter keeps its limit, its order, and its temper."""

from __future__ import annotations

import asyncio
import time
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from benchbar.clients import AdaptiveLimiter
from benchbar.clients.protocol import seconds


async def test_no_more_are_in_flight_than_the_limit_and_all_get_their_turn():
    """Fifty requests through four places."""
    limiter, most, order = AdaptiveLimiter(4), 0, []

    async def one(number: int) -> None:
        nonlocal most
        async with limiter.slot():
            most = max(most, limiter.in_flight)
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(one(number) for number in range(50)))
    assert most == 4
    assert order == list(range(50))
    assert limiter.in_flight == 0


async def test_a_waiter_that_gives_up_takes_no_place_with_it():
    """Cancelled waiters leave the limiter as it was."""
    limiter = AdaptiveLimiter(1)
    async with limiter.slot():
        waiting = asyncio.create_task(_hold(limiter))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with asyncio.timeout(1), limiter.slot():
        assert limiter.in_flight == 1


async def _hold(limiter: AdaptiveLimiter) -> None:
    async with limiter.slot():
        pass


async def test_complaints_halve_the_limit_once_a_burst_and_answers_raise_it_again():
    """Ten that are turned away together are one overload."""
    limiter = AdaptiveLimiter(16)
    for _ in range(10):
        limiter.complained()
    assert limiter.limit == 8
    for _ in range(200):
        limiter.succeeded()
    assert limiter.limit == 16


async def test_a_pause_that_is_asked_for_is_kept():
    """Nobody is let in before Retry-After has passed."""
    limiter = AdaptiveLimiter(2)
    limiter.complained(pause=0.2)
    began = time.monotonic()
    async with limiter.slot():
        assert time.monotonic() - began >= 0.19


@given(st.floats(min_value=0, max_value=1e6))
def test_retry_after_in_seconds_is_read(asked):
    """As the server says it: whether it is waited for so long is for the client to say."""
    assert seconds(str(asked)) == asked


@given(st.text(max_size=30))
def test_a_retry_after_that_cannot_be_read_is_none(text):
    """Nonsense in a header is no reason to wait, nor to fail."""
    found = seconds(text)
    assert found is None or 0 <= found < inf
