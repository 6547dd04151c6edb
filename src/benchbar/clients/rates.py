"""Rates that the user states, and what an endpoint says in its headers is left of its own."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

# As LONGEST_WAIT of the protocol: a header must not put a run to sleep for a day.
MAX_RESET = 300.0
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h|d)")
# Bounded repetitions keep these linear on whatever a header holds.
_DURATION = re.compile(r"(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d)){1,5}")
BURST_SECONDS = 1.0
"""A stated rate may be used up ahead by so much; the rest is spread evenly over the minute."""

# OpenAI and who imitates it, Anthropic, the IETF draft, and plain names of gateways.
_NAMES = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
)


class Left(NamedTuple):
    """What an endpoint says is left."""

    requests: int
    seconds: float
    """Until there is more."""


class Meter:
    """So much in a minute, evenly."""

    def __init__(self, per_minute: float) -> None:
        """At most ``per_minute`` requests or tokens."""
        self._each = 60.0 / per_minute
        self._free_at = 0.0

    def take(self, amount: float) -> float:
        """Use so much; returns the seconds to wait before it is used. A negative amount gives back."""
        now = time.monotonic()
        # A quiet time earns one second's worth and no more: credit of an hour would go out as one burst.
        self._free_at = max(self._free_at, now - BURST_SECONDS) + amount * self._each
        return max(0.0, self._free_at - amount * self._each - now)


def left(headers: Mapping[str, str]) -> Left | None:
    """What headers say of the tightest limit; None where they say nothing that can be read.

    Limits on tokens count only once nothing is left of them: how many requests they are worth nobody knows.
    """
    found: Left | None = None
    for remaining_name, reset_name in _NAMES:
        stated, reset = headers.get(remaining_name), headers.get(reset_name)
        if stated is None or reset is None or not stated.strip().isascii() or not stated.strip().isdigit():
            continue
        # Python refuses to convert integers of thousands of digits, with an error that is none of ours.
        remaining, seconds = int(stated[:12]), duration(reset)
        if seconds is None or ("tokens" in remaining_name and remaining > 0):
            continue
        # Several limits may be stated; the tightest is the one that is hit.
        if found is None or remaining < found.requests:
            found = Left(remaining, seconds)
    return found


def duration(text: str) -> float | None:
    """Seconds from now of a reset such as ``6m0s``, ``20ms``, ``1.5``, a Unix time, or a date; None where it is none of them."""
    text = text.strip()[:40]
    if _DURATION.fullmatch(text):
        return min(MAX_RESET, sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text)))
    try:
        number = float(text)
    except ValueError:
        return _until(text)
    # Beyond any Unix time, and nan.
    if not 0 <= number < 1e11:
        return None
    # No wait is thirty years.
    since = number - time.time() if number > 1e9 else number
    return min(MAX_RESET, max(0.0, since))


def _until(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return min(MAX_RESET, max(0.0, (moment.astimezone(UTC) - datetime.now(UTC)).total_seconds()))
