"""How many requests may be in flight at one endpoint: more while it answers, half when it complains."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

from benchbar.clients.rates import Left

# Additive increase and multiplicative decrease, as in TCP: the one simple rule by which several programs
# at one endpoint come to share it fairly.
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
        self._left, self._left_until = inf, 0.0
        self._alarm: asyncio.TimerHandle | None = None

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
        # Only then: this is on the path of every call.
        if self._waiting:
            self._admit()

    async def enter(self) -> None:
        """Wait for a place, to be given back by ``leave``."""
        # Nobody overtakes those who wait, even where a place is free: it was just given back and is
        # theirs.
        if not self._waiting and self._free():
            self._begin()
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            # The place was given at the same moment as this call was cancelled: it has to be passed on,
            # or it is lost for the run.
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def _free(self) -> bool:
        return self.in_flight < int(self.limit) and self._pause() <= 0

    def _pause(self) -> float:
        """Seconds for which nothing may begin."""
        now = time.monotonic()
        # After the reset nobody knows what is left, until the next answer says so.
        if self._left < 1 and now >= self._left_until:
            self._left = inf
        return max(self._resume_at, self._left_until if self._left < 1 else 0.0) - now

    def _begin(self) -> None:
        self.in_flight += 1
        self._left -= 1

    def _admit(self) -> None:
        while self._waiting and self._free():
            turn = self._waiting.popleft()
            if not turn.done():
                self._begin()
                turn.set_result(None)
        pause = self._pause()
        if self._waiting and pause > 0 and self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(pause, self._wake)

    def _wake(self) -> None:
        self._alarm = None
        self._admit()

    def succeeded(self) -> None:
        """An answer came: one more may be in flight for every round of answers."""
        if self.limit < self.ceiling:
            # 1/limit for each answer makes one more for each round.
            self.limit = min(float(self.ceiling), self.limit + 1.0 / max(1.0, self.limit))

    def complained(self, pause: float = 0.0) -> None:
        """The endpoint asked for less; no request is begun for ``pause`` seconds."""
        now = time.monotonic()
        self._resume_at = max(self._resume_at, now + pause)
        if now - self._last_decrease >= QUIET_SECONDS:
            self._last_decrease = now
            # Never below one: with none in flight no answer could ever raise it again.
            self.limit = max(1.0, self.limit * DECREASE)

    def update_remaining(self, left: Left) -> None:
        """The endpoint said how many more requests it takes: of those in flight it may not have counted any yet."""
        # All but the request that brought this header. Counted twice, they only make us wait a little;
        # not counted, they would go over the limit.
        self._left = left.requests - max(0, self.in_flight - 1)
        self._left_until = time.monotonic() + left.seconds
