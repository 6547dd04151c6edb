"""Which open claims a model of natural language inference leaves to judges; kept apart, since every run asks it before its first call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from benchbar.records import CitedIn, OpenClaim


def left_open(claims: Sequence[OpenClaim], told: Iterable[CitedIn]) -> tuple[OpenClaim, ...]:
    """The claims on which the model has no verdict: they are for judges."""
    decided = {
        replace(one, citation=replace(one.citation, judged=()))
        for one in told
        if any(not check.abstained and not check.failed for check in one.citation.judged)
    }
    return tuple(one for one in claims if one.cited not in decided)
