"""Stops sending to an endpoint that is down, tries it now and then with one request, and goes on when it answers again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from benchbar.records.errors import ConnectionFailedError

FAILURES = 8
"""Requests in a row that brought no answer, after which the endpoint counts as down."""
FIRST_PROBE, LAST_PROBE = 0.5, 15.0
"""Seconds between two attempts while it is down: they double."""
LOOK = 1.0
"""Seconds between two looks at whether the run is to end."""


class Breaker:
    """Whether one endpoint is worth a request just now."""

    def __init__(
        self,
        address: str,
        patience: float,
        *,
        on_change: Callable[[str], None] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Waits for an endpoint that is down for at most ``patience`` seconds; then the run had better stop.

        ``on_change`` is told in a sentence that it went down, and that it is back; ``stopped`` tells whether the run was asked to end.
        """
        self._stopped = stopped
        self._address, self._patience, self._on_change = address, patience, on_change
        self._in_a_row = 0
        self._last = ""
        self._down_since: float | None = None
        self._probing = False
        self._pause, self._next = FIRST_PROBE, 0.0
        self._changed = asyncio.Event()

    @property
    def closed(self) -> bool:
        """Whether requests pass."""
        return self._down_since is None

    async def ready(self) -> None:
        """Return when a request may be sent: at once, or when the endpoint is back, or to see whether it is.

        Raises:
            ConnectionFailedError: it has been down for too long, or the run was asked to end.
        """
        while self._down_since is not None:
            # Nothing is in flight that would be paid for in vain, so that whoever stops a run need not wait with it.
            if self._stopped():
                raise _given_up(self._address)
            now = time.monotonic()
            # Counted from the first failure, not from the last probe: the user set how long an outage may
            # last.
            if now - self._down_since > self._patience:
                raise _down(self._address, now - self._down_since, self._last)
            # One caller probes for all. If each waiting call tried for itself, an endpoint that is coming
            # up would be knocked down again.
            if not self._probing and now >= self._next:
                self._probing = True
                return
            # While a probe is out, its end wakes everybody; the timeout is only there in case that it is
            # never told.
            left = self._next - now if not self._probing else LAST_PROBE
            try:
                await asyncio.wait_for(self._changed.wait(), min(max(left, 0.01), LOOK))
            except TimeoutError:
                continue

    def answered(self) -> None:
        """It answered, be it with an error of its own: it is up."""
        self._in_a_row = 0
        if self._down_since is not None or self._probing:
            if self._down_since is not None:
                self._say(f"{self._address} answers again, after {time.monotonic() - self._down_since:.0f} s")
            self._down_since, self._probing, self._pause = None, False, FIRST_PROBE
            self._tell()

    def failed(self, said: str = "") -> None:
        """A request brought no answer, or an error of the server: then ``said`` is what that said."""
        self._in_a_row += 1
        self._last = said
        if self._down_since is not None and not self._probing:
            return  # sent before it was known to be down
        if self._probing or self._in_a_row >= FAILURES:
            now = time.monotonic()
            if self._down_since is None:
                self._say(
                    f"{self._address} does not answer: {self._in_a_row} requests failed in a row; waiting for it at most"
                    f" {self._patience:.0f} s (limits.max_outage)"
                )
            # A failed probe does not begin the outage anew.
            self._down_since = self._down_since or now
            self._next, self._pause = now + self._pause, min(LAST_PROBE, 2 * self._pause)
            self._probing = False
            self._tell()

    def _say(self, message: str) -> None:
        if self._on_change is not None:
            self._on_change(message)

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def _given_up(address: str) -> ConnectionFailedError:
    # Fatal, as any error that ends a run: the call is no lasting outcome, and what rests on it stays open.
    error = ConnectionFailedError(
        f"{address} did not answer, and the run was stopped; when it is resumed, it is asked again", fatal=True
    )
    error.again = False
    return error


def _down(address: str, seconds: float, last: str) -> ConnectionFailedError:
    # A server that says what is wrong with it is up for whoever looks: without its words nobody would know what to mend.
    said = f" but {last!r}" if last else ""
    error = ConnectionFailedError(
        f"{address} is down: no answer for {seconds:.0f} s{said}. Recorded answers are not lost;"
        " when it is up, rerun the command to resume",
        fatal=True,
    )
    error.again = False  # it was tried all the while
    return error
