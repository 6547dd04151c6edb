"""One question to each endpoint of a run, and one verdict of its judge, before all others are paid for.

The calls are the run's own: they stand in its ledger under the role ``trial``, count against its budget, and are answered from
the ledger when it is begun again.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

from benchbar.assistants.closed_book import ClosedBook
from benchbar.clients.schemas import QUESTION
from benchbar.clients.session import Session
from benchbar.clients.targets import TRIAL, Target
from benchbar.languages.prompts import Prompts
from benchbar.ledger import SCOPE
from benchbar.records import Dialogue, DialogueEnd, Reply, Suite, Turn, Winner
from benchbar.records.errors import EndpointError, ModelError
from benchbar.records.protocols import ScoringInput
from benchbar.runs.assembling import session_of
from benchbar.runs.receivers import targets
from benchbar.runs.spec import Spec
from benchbar.scoring.judges import Pairwise


class Trial(NamedTuple):
    """What came of trying the endpoints."""

    lines: tuple[str, ...]
    """For people."""
    seconds: dict[str, float]
    """Identity of an endpoint to what its answer took."""
    doubts: tuple[str, ...] = ()
    """What speaks against believing the judge: to be said beside the decision once more."""


def try_endpoints(spec: Spec, suite: Suite, base: Path, where: Path | str) -> Trial:
    """What each endpoint answered, and the judge.

    Args:
        spec: Of the run.
        suite: Its samples; the judge is shown the first one.
        base: The folder that relative paths in the spec start from.
        where: The ledger of the run.

    Raises:
        EndpointError: one cannot be asked; names role, model, address and cause of each.
    """
    return asyncio.run(_tried(spec, suite, base, where))


def prepare(session: Session, spec: Spec) -> None:
    """Have the session try each endpoint of the spec before its first call, unless the spec says not to."""

    async def confirm(aim: Target) -> str:
        token = SCOPE.set(None)
        try:
            await session.chat(aim.endpoint).ask(QUESTION, role=TRIAL)
        except ModelError as error:
            # What may succeed when it is sent again is no fault of the spec: the run waits and tries.
            return str(error) if error.fatal else ""
        finally:
            SCOPE.reset(token)
        return ""

    session.client.targets = targets(spec) if spec.limits.preflight else ()
    session.client.confirm = confirm


async def _tried(spec: Spec, suite: Suite, base: Path, where: Path | str) -> Trial:
    aims = targets(spec)
    async with session_of(spec, where) as session:
        prepare(session, spec)
        token = SCOPE.set(None)
        try:
            question = suite.samples[0].needs
            answers = await asyncio.gather(*(_answered(session, aim, question) for aim in aims))
            if faults := [f"{aim.name}: {one}" for aim, one in zip(aims, answers, strict=True) if isinstance(one, str)]:
                raise EndpointError("\n  ".join(faults))
            replies = [(aim, one) for aim, one in zip(aims, answers, strict=True) if isinstance(one, Reply)]
            lines = [_line(aim, reply) for aim, reply in replies]
            judged = [await _verdict(session, spec, aim, suite, base) for aim in aims if "judge" in aim.roles]
        finally:
            SCOPE.reset(token)
    doubts = tuple(doubt for _, doubt in judged if doubt)
    lines += [line for line, _ in judged] + [f"warning: {doubt}" for doubt in doubts]
    return Trial(tuple(lines), {aim.endpoint.identity: reply.latency for aim, reply in replies}, doubts)


async def _answered(session: Session, aim: Target, question: str) -> Reply | str:
    """The answer to one question, or why there is none."""
    try:
        return await session.chat(aim.endpoint).ask([Turn(role="user", content=question)], role=TRIAL)
    except ModelError as error:
        return str(error)


def _line(aim: Target, reply: Reply) -> str:
    usage = reply.usage
    counted = (
        "no usage is stated, so its cost will be booked at the most it can be"
        if usage.input_tokens is None or usage.output_tokens is None
        else f"{usage.input_tokens} tokens read, {usage.output_tokens} written"
    )
    return f"tried {aim.name}: answers in {reply.latency:.1f} s, {counted}"


async def _verdict(session: Session, spec: Spec, aim: Target, suite: Suite, base: Path) -> tuple[str, str]:
    """What the judge says of the expected answer beside one that knows nothing, and why to doubt it; empty where nothing is.

    Raises:
        EndpointError: it does not answer, or its verdict cannot be read.
    """
    sample = next((one for one in suite.samples if one.guidance.points), suite.samples[0])
    expected = sample.reference or "\n".join(
        point.text for point in sample.guidance.points if point.category != "forbidden"
    )
    model = session.chat(aim.endpoint)
    prompts = Prompts(base / spec.prompts if spec.prompts else None, nonce=session.ledger.nonce)
    judge = Pairwise(model, prompts, attempts=spec.judge.attempts if spec.judge else 1)
    asked = Turn(role="user", content=sample.needs)
    # No judge should prefer general words about how such matters are handled.
    evasion = (await ClosedBook().reply([asked])).content
    shown = [
        Dialogue(
            sample=sample.id,
            assistant=name,
            turns=(asked, Turn(role="assistant", content=said)),
            ended=DialogueEnd.TURN_LIMIT,
        )
        for name, said in (("expected", expected or sample.needs), ("evasive", evasion))
    ]
    given = ScoringInput(suite.tasks[sample.task], sample, shown[0], reference=shown[1], order="left_first")
    try:
        (found,) = await judge.score(given)
    except ModelError as error:
        raise EndpointError(f"{aim.name}: {error}") from error
    form = "held to a JSON Schema" if await model.holds_to_schemas() else "as text"
    if found.winner is None:
        raise EndpointError(
            f"{aim.name}: its verdict cannot be read: {found.reason}. Use a model that keeps to the form"
        )
    told = f"tried the judge: one verdict was read ({form})"
    if not expected or found.winner is Winner.LEFT:
        return told, ""
    return told, f"the judge {aim.endpoint.model} did not prefer the expected answer of {sample.id} to general words"
