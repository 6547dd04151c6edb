"""What is kept of production: traces without personal data, how many were seen, and what people decided."""

from __future__ import annotations

from typing import Literal

from benchbar.records import Record


class KeptTrace(Record, frozen=True, kw_only=True, tag="trace"):
    """One answer of the live assistant."""

    id: str
    """Keyed hash of the sender's own name for it: the same trace sent twice is kept once."""
    conversation: str
    """Keyed hash of the conversation; its answers are sampled together and counted as one cluster."""
    at: float | None
    """When it was given, in seconds since 1970; None where its sender did not say it."""
    chance: float
    """With which a trace like this was kept; the weight of estimates is its inverse."""
    service: str = ""
    model: str = ""
    question: str = ""
    """Masked; empty where texts are not kept."""
    answer: str = ""
    scores: dict[str, float] = {}
    error: str = ""
    """Type of the error that it ended in."""
    answered: bool = True
    """Whether there were words in it; known also where texts are not kept."""


class SeenTraces(Record, frozen=True, kw_only=True, tag="seen"):
    """How many traces came in one delivery for the first time, kept or not: what the weights of those kept should add up to."""

    at: float
    seen: int
    passed: tuple[str, ...] = ()
    """Ids of those that were not kept: a trace that comes again has had its draw, and is neither counted nor drawn once more."""


class Verdict(Record, frozen=True, kw_only=True):
    """What a person decided of a trace that was proposed as a sample."""

    trace: str
    decided: Literal["accepted", "rejected"]
    by: str
    at: float
    sample: str = ""
    """Its id in the suite."""
    suite: str = ""
    reason: str = ""
