"""The calls to a generator about one clause: what was read of each reply, and what all of them took."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import msgspec

from benchbar.contracts.generation import Generator, ReviewRequest
from benchbar.contracts.parse import Reading, read_reflection, read_review
from benchbar.records import Reply, Usage
from benchbar.records.contracts import Reflection, RiskLevel
from benchbar.records.errors import ModelError


class Answer(NamedTuple):
    """One review: what was read of it, and its text, which a second look is shown."""

    reading: Reading
    text: str = ""


class GeneratorCalls:
    """Asks a generator about one clause and keeps account."""

    def __init__(self, generator: Generator) -> None:
        """Nothing was asked yet."""
        self._generator = generator
        self.replies: list[Reply] = []
        self.failures: list[str] = []
        self._at_once = 0

    async def reviews(self, request: ReviewRequest, count: int) -> list[Answer]:
        """So many reviews of the clause, asked for at once."""
        self._at_once = count
        asked = [self._ask(dataclasses.replace(request, repeat=index)) for index in range(count)]
        # In the order of the repeats, whichever came first: a review is the same when it comes from the ledger again.
        return [self._read(one) for one in await asyncio.gather(*asked)]

    async def review_again(self, request: ReviewRequest) -> Reading:
        """A review by a generator that is told that its evidence was not in the clause."""
        return self._read(await self._ask(dataclasses.replace(request, retry=True))).reading

    async def reflection(
        self, request: ReviewRequest, draft: str, level: RiskLevel, confidence: float | None
    ) -> Reflection:
        """A second look at a draft; a call that fails leaves the level as it was, and says so."""
        try:
            reply = await self._generator.reflect(request, draft)
        except ModelError as error:
            return Reflection(outcome="unparsed", before=level, after=level, confidence=confidence, reason=str(error))
        self.replies.append(reply)
        return read_reflection(reply.content, level, confidence)

    async def _ask(self, request: ReviewRequest) -> Reply | ModelError:
        try:
            return await self._generator.review(request)
        except ModelError as error:
            return error

    def _read(self, reply: Reply | ModelError) -> Answer:
        if isinstance(reply, ModelError):
            self.failures.append(f"{reply.slug}: {reply}")
            return Answer(Reading(level=None, reason=f"no reply: {reply}", complete=False))
        self.replies.append(reply)
        reading = read_review(reply.content)
        if reading.level is None and reply.finish == "length":
            reading = msgspec.structs.replace(
                reading, reason=f"{reading.reason}; the reply broke off at its length limit"
            )
        return Answer(reading, reply.content)

    @property
    def seconds(self) -> float:
        """The repeated replies are asked for at once, what follows one after the other."""
        latencies = [reply.latency for reply in self.replies]
        return max(latencies[: self._at_once], default=0.0) + sum(latencies[self._at_once :])

    @property
    def usage(self) -> Usage:
        """Tokens of all replies."""
        return Usage(
            input_tokens=_sum([reply.usage.input_tokens for reply in self.replies]),
            output_tokens=_sum([reply.usage.output_tokens for reply in self.replies]),
        )

    @property
    def cost(self) -> float | None:
        """Of all replies."""
        return _sum([reply.cost for reply in self.replies])


N = TypeVar("N", int, float)


def _sum(values: Sequence[N | None]) -> N | None:
    """The sum, or None where a part is unknown or there is none."""
    known = [value for value in values if value is not None]
    return sum(known) if values and len(known) == len(values) else None
