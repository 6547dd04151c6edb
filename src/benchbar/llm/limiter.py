"""How many requests may be in flight at one endpoint: more while it answers, half when it complains."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

DECREASE = 0.5
QUIET_SECONDS = 1.0
"""One burst of complaints counts once: they all answer the same overload."""


class AdaptiveLimiter:
    """First come, first served; additive increase, multiplicative decrease; a pause where the endpoint asks for one."""

    def __init__(self, limit: int) -> None:
        """At most ``limit`` at once, and that many to begin with."""
        self.ceiling = limit
        self.limit = float(limit)
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._resume_at = 0.0
        self._last_decrease = float("-inf")

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """A place among the requests in flight, held for the block."""
        await self.enter()
        try:
            yield
        finally:
            self.leave()

    def leave(self) -> None:
        """Give the place to whoever waits longest."""
        self.in_flight -= 1
        if self._waiting:
            self._admit()

    async def enter(self) -> None:
        """Wait for a place, to be given back by ``leave``."""
        if not self._waiting and self.in_flight < int(self.limit) and time.monotonic() >= self._resume_at:
            self.in_flight += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        pause = self._resume_at - time.monotonic()
        if pause > 0:
            if self._waiting:
                asyncio.get_running_loop().call_later(pause, self._admit)
            return
        while self._waiting and self.in_flight < int(self.limit):
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)

    def succeeded(self) -> None:
        """An answer came: one more may be in flight for every round of answers."""
        self.limit = min(float(self.ceiling), self.limit + 1.0 / max(1.0, self.limit))

    def complained(self, pause: float = 0.0) -> None:
        """The endpoint asked for less; no request is begun for ``pause`` seconds."""
        now = time.monotonic()
        self._resume_at = max(self._resume_at, now + pause)
        if now - self._last_decrease >= QUIET_SECONDS:
            self._last_decrease = now
            self.limit = max(1.0, self.limit * DECREASE)
