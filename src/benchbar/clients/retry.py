"""Tries a request again while that may help: waits that grow, spread by chance, and keep Retry-After."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from benchbar.clients.protocol import LONGEST_WAIT
from benchbar.records.errors import ModelError, RateLimitError

T = TypeVar("T")

# Six tries wait about 15 s in all: longer than a hiccup. For an outage there is the breaker, which uses
# up no tries.
FIRST_PAUSE = 0.5
MAX_PAUSE = 60.0


async def with_retries(
    send: Callable[[], Awaitable[T]],
    *,
    tries: int,
    chance: random.Random,
    on_pause: Callable[[ModelError, int, float], None] | None = None,
) -> tuple[T, int]:
    """The answer, and how many requests it took.

    ``on_pause`` is told why the next try waits, how many failed, and for how many seconds.

    Raises:
        ModelError: the last failure, with ``tries`` set to the number of requests sent.
    """
    tried = 0
    while True:
        tried += 1
        try:
            return await send(), tried
        except ModelError as error:
            error.tries = tried
            if not error.again or tried >= tries:
                raise
            pause = _pause(error, tried, chance)
            if on_pause is not None:
                on_pause(error, tried, pause)
            await asyncio.sleep(pause)


def _pause(error: ModelError, tried: int, chance: random.Random) -> float:
    asked = error.retry_after if isinstance(error, RateLimitError) else None
    if asked is not None:
        # Jitter on top of what was asked: else all that were turned away come back at the same moment.
        return min(asked, LONGEST_WAIT) + chance.uniform(0.0, 0.25)
    # Spread widely: 64 calls that failed together must not come back together.
    return min(MAX_PAUSE, FIRST_PAUSE * 2.0 ** (tried - 1)) * chance.uniform(0.5, 1.5)
