"""How often somebody may try."""

from __future__ import annotations

import threading
import time
from collections import deque

# Ten guesses in five minutes are nothing against 24 random bytes, and leave room for a person who
# mistypes.
WINDOW = 300.0
"""Seconds."""
# Bounded, or a stream of invented addresses would fill the memory.
ADDRESSES = 10_000
"""At most this many are remembered; beyond it the oldest are forgotten."""


class Attempts:
    """Failed attempts by address within the last minutes."""

    def __init__(self, limit: int = 10) -> None:
        """At most ``limit`` of them."""
        self._limit = limit
        self._failed: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait(self, address: str) -> int:
        """Seconds until the address may try again; 0 where it may."""
        now = time.monotonic()
        with self._lock:
            failed = self._failed.get(address, deque())
            # Forgotten one by one as they grow old, so that the wait shrinks instead of starting anew.
            while failed and failed[0] < now - WINDOW:
                failed.popleft()
            return 0 if len(failed) < self._limit else int(failed[0] + WINDOW - now) + 1

    def failed(self, address: str) -> None:
        """One more failed."""
        with self._lock:
            if address not in self._failed and len(self._failed) >= ADDRESSES:
                # The first one in is the oldest: dicts keep their order.
                self._failed.pop(next(iter(self._failed)))
            self._failed.setdefault(address, deque(maxlen=self._limit)).append(time.monotonic())

    def succeeded(self, address: str) -> None:
        """The address begins anew."""
        with self._lock:
            self._failed.pop(address, None)
