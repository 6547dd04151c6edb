"""What the calls of a run that take long are waiting for, in words."""

from __future__ import annotations

import math
import time

from benchbar.clients.waits import ANSWER, BATCH, OUTAGE, PACE, PLACE, Wait
from benchbar.web.words import Words

MINUTE = 60


def wait_text(say: Words, wait: Wait) -> str:
    """What is waited for; between two tries also why the last one failed, and when the next is."""
    if wait.reason == ANSWER and wait.tried:
        return say("live.wait_answer_again", n=say.count(wait.tried + 1), tries=say.count(wait.tries))
    if wait.reason in {ANSWER, PLACE, PACE, OUTAGE, BATCH}:
        return say(f"live.wait_{wait.reason}")
    left = 0 if wait.until is None else max(0, math.ceil(wait.until - time.time()))
    return say(
        "live.wait_again",
        reason=say.error_kind(wait.reason),
        tried=say.count(wait.tried),
        tries=say.count(wait.tries),
        n=say.count(left),
    )


def lasting(say: Words, since: float) -> str:
    """For how long, in seconds or, from two minutes on, in minutes."""
    seconds = max(0, int(time.time() - since))
    if seconds < 2 * MINUTE:
        return say("live.wait_seconds", n=say.count(seconds))
    return say("live.minutes", count=say.count(seconds // MINUTE))
