"""What a run will take before it is begun: calls, tokens, cost and time of each role, and what its numbers will be able to show.

Calls are counted on the study itself, as many as there can be: a user who is content sooner, or points that rules decide, need
fewer. Calls that have to be sent again are not foreseen. Tokens and seconds are guesses, and are said to be.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import Path
from typing import NamedTuple

from benchbar.assistants.person import KIND as PERSON
from benchbar.assistants.person import people_of
from benchbar.clients.prices import BATCHED, price_of
from benchbar.records import QUESTION_ANSWERING, Suite
from benchbar.runs.assembling import assembled, session_of
from benchbar.runs.consultation import Consultation, planned
from benchbar.runs.receivers import Receiver, batched_roles, endpoint_of, receivers, targets
from benchbar.runs.spec import Spec
from benchbar.runs.trial import judge_trials
from benchbar.suites.figures import reading_minutes

SECONDS = 5.0
"""Of one call where none was measured: hosted models take 1 to 10 for an answer of some hundred words."""
REPLY, VERDICT, INSTRUCTIONS = 400, 300, 700
"""Tokens of a reply, of a judge's reasons and verdict, and of the instructions around what a judge or simulated user is shown."""
CALLS = {"rag": 4}
"""Of one item of a scorer, where it is more than one: claims, their support, what was useful, questions."""
COMPARISONS = {"rag": 2}
"""Requests for vectors of one item: the question with those read back, the reference with the answer."""
_HAN, _OTHER = 0.8, 0.3
"""Tokens a character of Chinese, and of other texts; four characters a token of English, some three of Russian."""
POWER = 0.8
LEAD = 0.1
"""A difference that people ask about: ten points of a hundred."""


class RolePlan(NamedTuple):
    """What one role will take at most."""

    role: str
    model: str
    calls: int
    tokens: int
    """Read and written, guessed."""
    cost: float | None
    """At the prices that are known; None where none is."""
    seconds: float
    """Of all its calls, one after another."""


class PeoplePlan(NamedTuple):
    """What people will be asked who answer as an assistant."""

    assistant: str
    people: tuple[str, ...]
    answers: int
    """At most."""
    reading: float
    """Minutes that reading all questions once takes: a lower bound of the work, which nobody has timed yet."""
    pay: float | None
    """For that reading, at the rate by the hour; None where no rate is stated."""

    @property
    def line(self) -> str:
        """For people."""
        names = " or ".join(self.people)
        pay = "no rate, so its cost stays unknown" if self.pay is None else f"pay at least {self.pay:.3g}"
        answers = "1 answer" if self.answers == 1 else f"{self.answers} answers"
        return (
            f"assistant {self.assistant} ({names}): at most {answers} by people; reading alone takes"
            f" {max(1, ceil(self.reading))} min, {pay}; the run waits for them"
        )


class RunPlan(NamedTuple):
    """What a run will take."""

    samples: int
    roles: tuple[RolePlan, ...]
    trials: int
    """Calls at most by which endpoints are tried first, besides those of the roles."""
    minutes: float
    sees: str
    """What difference so many samples show, in one sentence; empty where nothing is compared."""
    detects: float | None = None
    """The least true win rate above a half that so many samples show with 80% power; None where nothing is compared, and 1 or
    more where they show none at all."""
    chance: float | None = None
    """The power with which they show a true win rate of 60%."""
    people: tuple[PeoplePlan, ...] = ()
    """Their answers are no calls: they take no tokens, and their pay is not what ``limits.max_cost`` bounds."""

    @property
    def calls(self) -> int:
        """Of all roles."""
        return sum(role.calls for role in self.roles)

    @property
    def cost(self) -> float | None:
        """Of all roles; None as soon as one of them is unknown."""
        known = [role.cost for role in self.roles if role.cost is not None]
        return sum(known) if len(known) == len(self.roles) else None

    def lines(self) -> Iterator[str]:
        """For people, a line for each role and one for all."""
        for one in self.roles:
            cost = "cost unknown: no price" if one.cost is None else f"cost about {one.cost:.3g}"
            yield f"{one.role} ({one.model}): at most {one.calls} calls, about {one.tokens} tokens, {cost}"
        yield from (one.line for one in self.people)
        total = "unknown" if self.cost is None else f"about {self.cost:.3g}"
        minutes = f"about {max(1, ceil(self.minutes))} min" if self.calls else "no time for calls"
        yield f"in all: {self.samples} samples, at most {self.calls} calls, cost {total}, {minutes}"
        if self.trials:
            yield f"before them at most {self.trials} calls try the endpoints and the judge"
        if self.sees:
            yield self.sees


def plan_of(spec: Spec, suite: Suite, base: Path, *, seconds: Mapping[str, float] | None = None) -> RunPlan:
    """The plan of a run that has answered nothing yet.

    Args:
        spec: Of the run.
        suite: Its samples.
        base: The folder that relative paths in the spec start from.
        seconds: Identity of an endpoint to what one of its answers took, where that was measured.

    Raises:
        UserError: a part of the run cannot be built.
    """
    return asyncio.run(_planned(spec, suite, base, seconds or {}))


async def _planned(spec: Spec, suite: Suite, base: Path, seconds: Mapping[str, float]) -> RunPlan:
    async with session_of(spec, None) as session:
        study = assembled(spec, suite, session, base)
        calls = _calls(study, asked_once=suite.card.protocol == QUESTION_ANSWERING, exchanges=spec.exchanges)
        comparisons = any(stage.scorer.compares for stage in study.stages)
    sizes = _Sizes.of(suite, 1 if suite.card.protocol == QUESTION_ANSWERING else spec.exchanges)
    roles, batched = [], batched_roles(spec, suite)
    for receiver in receivers(spec):
        # Of a panel each judge is asked all of it, and each stands among the receivers once.
        share = calls.get(receiver.role, 0)
        if receiver.role == "judge":
            # And once whether it holds answers to a schema.
            share = share // sum(one.role == "judge" for one in receivers(spec)) + 1
        if share:
            roles.append(_role(receiver, share, sizes, seconds, batched))
    # Not faster than one sample after the other has its calls answered, however many may be in flight.
    samples = len(suite.samples)
    together = sum(role.seconds for role in roles)
    wall = max(together / spec.limits.concurrency, together / max(samples, 1))
    trials = len(targets(spec)) + judge_trials(spec) if spec.limits.preflight else 0
    detects, chance = _power(samples, spec)
    sees = "" if detects is None or chance is None else _sees(samples, detects, chance, compared=comparisons)
    people = tuple(_people(spec, suite, calls))
    return RunPlan(samples, tuple(roles), trials, wall / 60, sees, detects, chance, people)


def _people(spec: Spec, suite: Suite, calls: Mapping[str, int]) -> Iterator[PeoplePlan]:
    reading = sum(map(reading_minutes, suite.samples))
    for name, settings in spec.assistants.items():
        if settings.get("kind") == PERSON:
            rate = settings.get("hourly_rate")
            pay = None if rate is None else reading / 60 * rate
            yield PeoplePlan(name, people_of(settings), calls.get(f"assistant {name}", 0), reading, pay)


def _calls(study: Consultation, *, asked_once: bool, exchanges: int) -> Counter[str]:
    """Role to the calls that it is asked for at most."""
    found = Counter[str]()
    turns = 1 if asked_once else exchanges
    samples = len(study.suite.samples)
    for item in planned(study, study.suite.samples[:1]):
        if item.kind != "dialogue":
            found["judge"] += CALLS.get(item.kind, 1) * samples
            found["similarity"] += COMPARISONS.get(item.kind, 0) * samples
        elif item.assistant in study.asked:
            found[f"assistant {item.assistant}"] += turns * samples
            found["simulator"] += 0 if asked_once else turns * samples
    return found


class _Sizes(NamedTuple):
    """Tokens of a suite's texts, on average over samples."""

    question: float
    guidance: float
    exchanges: int

    @classmethod
    def of(cls, suite: Suite, exchanges: int) -> _Sizes:
        count = max(len(suite.samples), 1)
        asked = sum(_tokens(sample.needs + sample.information) for sample in suite.samples)
        points = sum(_tokens(point.text) for sample in suite.samples for point in sample.guidance.points)
        return cls(asked / count, points / count, exchanges)

    def tokens(self, role: str) -> tuple[float, float]:
        """What one call of a role reads and writes."""
        dialogue = self.exchanges * (self.question + REPLY)
        if role == "similarity":
            # The answer with the reference, or the question with some that are like it; numbers are not paid by tokens.
            return REPLY + self.question, 0
        if role == "judge":
            # Two dialogues where they are compared, which most calls of a judge do.
            return INSTRUCTIONS + self.question + self.guidance + 2 * dialogue, VERDICT
        # Half of a dialogue stands before a turn of it, on average.
        read = self.question + dialogue * (self.exchanges - 1) / (2 * self.exchanges)
        return (read + INSTRUCTIONS, self.question) if role == "simulator" else (read, REPLY)


def _tokens(text: str) -> float:
    han = sum("\u3400" <= character <= "\u9fff" for character in text)
    return _HAN * han + _OTHER * (len(text) - han)


def _role(
    receiver: Receiver, calls: int, sizes: _Sizes, seconds: Mapping[str, float], batched: frozenset[str]
) -> RolePlan:
    read, written = sizes.tokens(receiver.role.partition(" ")[0])
    endpoint = endpoint_of(receiver) if "model" in receiver.settings else None
    price = price_of(endpoint) if endpoint else None
    share = BATCHED if receiver.role.partition(" ")[0] in batched else 1.0
    cost = None if price is None else share * calls * (read * price.input + written * price.output) / 1e6
    each = seconds.get(endpoint.identity, SECONDS) if endpoint else SECONDS
    name = str(receiver.settings.get("model") or receiver.address)
    return RolePlan(receiver.role, name, calls, round(calls * (read + written)), cost, calls * each)


def _power(samples: int, spec: Spec) -> tuple[float | None, float | None]:
    """What a comparison of so many samples can show; nothing is compared where there is one assistant."""
    if len(spec.assistants) < 2 or samples < 2:
        return None, None
    from benchbar.statistics.power import Study, detectable_effect, outcome_deviation, power_of

    study = Study(samples, outcome_deviation())
    return 0.5 + detectable_effect(study, power=POWER), power_of(study, LEAD)


def _sees(samples: int, detects: float, chance: float, *, compared: bool) -> str:
    by = "a judge" if compared else "rules"
    if detects >= 1:
        return (
            f"{samples} samples are too few: compared by {by} they show no win rate with {POWER:.0%} power, not even 100%,"
            f" and one of {50 + 100 * LEAD:.0f}% with {chance:.0%}"
        )
    return (
        f"{samples} samples compared by {by} show a true win rate of {100 * detects:.0f}% (or {100 * (1 - detects):.0f}%) with"
        f" {POWER:.0%} power, and one of {50 + 100 * LEAD:.0f}% with {chance:.0%}"
    )
