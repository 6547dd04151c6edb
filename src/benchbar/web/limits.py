"""How often somebody may try to sign in."""

from __future__ import annotations

import threading
import time
from collections import deque

from benchbar.web.people import skeleton

WINDOW = 300.0
"""Seconds."""
# Ten guesses in five minutes are nothing against 24 random bytes, and leave room for a person who mistypes.
OF_NAME = 10
"""Failed attempts from one address for one name."""
# Behind a proxy that is not named everybody has one address: ten wrong tries for one name must not lock out the
# others. A hundred keep whoever goes through names from using up the processor, for each try costs a scrypt.
OF_ADDRESS = 100
"""Failed attempts from one address for all names together."""
# Bounded, or a stream of invented addresses would fill the memory.
REMEMBERED = 10_000
"""At most this many are remembered; beyond it the oldest are forgotten."""


class SignInLimits:
    """Failed attempts of the last minutes, by address and name, and by address alone."""

    def __init__(self) -> None:
        """None yet."""
        self._of_name, self.of_address = Attempts(OF_NAME), Attempts(OF_ADDRESS)

    def wait(self, address: str, name: str) -> int:
        """Seconds until somebody at the address may try this name again; 0 where they may."""
        return max(self._of_name.wait(_pair(address, name)), self.of_address.wait(address))

    def failed(self, address: str, name: str) -> None:
        """One more failed."""
        self._of_name.failed(_pair(address, name))
        self.of_address.failed(address)

    def succeeded(self, address: str, name: str) -> None:
        """The name begins anew; the address does not, or who has one account could guess at the others for ever."""
        self._of_name.succeeded(_pair(address, name))


def _pair(address: str, name: str) -> str:
    # No address holds a NUL, so no name can imitate another pair.
    return f"{address}\0{skeleton(name)}"


class Attempts:
    """Failed attempts by key within the last minutes."""

    def __init__(self, limit: int) -> None:
        """At most ``limit`` of them."""
        self._limit = limit
        self._failed: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait(self, key: str) -> int:
        """Seconds until another attempt is due; 0 where it may be made."""
        now = time.monotonic()
        with self._lock:
            failed = self._failed.get(key, deque())
            # Forgotten one by one as they grow old, so that the wait shrinks instead of starting anew.
            while failed and failed[0] < now - WINDOW:
                failed.popleft()
            return 0 if len(failed) < self._limit else int(failed[0] + WINDOW - now) + 1

    def failed(self, key: str) -> None:
        """One more failed."""
        with self._lock:
            if key not in self._failed and len(self._failed) >= REMEMBERED:
                # The first one in is the oldest: dicts keep their order.
                self._failed.pop(next(iter(self._failed)))
            self._failed.setdefault(key, deque(maxlen=self._limit)).append(time.monotonic())

    def succeeded(self, key: str) -> None:
        """The key begins anew."""
        with self._lock:
            self._failed.pop(key, None)
