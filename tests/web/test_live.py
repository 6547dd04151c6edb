"""The page of a run under way says what its ledger holds, and nothing else."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest

from benchbar.ledger import CallRequest, CallResult, CallStatus, Ledger, PlannedItem, Scope
from benchbar.ledger.calls import SCOPE
from benchbar.ledger.opening import FILE
from benchbar.records import Reply, Turn, encode
from benchbar.runs import background
from benchbar.runs.intake import SPEC
from benchbar.web.live import details_of, progress_of

ANSWERED = CallResult(status=CallStatus.OK, reply=Reply(content="答"))
NIGHT = 10 * 3600
"""Seconds."""


def failed(slug: str) -> CallResult:
    return CallResult(status=CallStatus.FAILED, error=slug, message=f"told of {slug}")


async def called(ledger: Ledger, model: str, sample: str, result: CallResult, role: str = "assistant") -> None:
    """One call that ends so."""

    async def produce(begin) -> CallResult:
        await begin()
        return result

    asked = CallRequest.of(model, [Turn(role="user", content=f"{sample}？")], role=role)
    await ledger.once(asked, produce)


async def settled(ledger: Ledger, kind: str, number: int, *results: CallResult) -> None:
    """An item of this kind that rests on calls of a judge which end so."""
    item = PlannedItem(id=f"{kind}/s{number}/weak/0", kind=kind, sample=f"s{number}", assistant="weak")
    scope = Scope(f"s{number}")
    SCOPE.set(scope)
    for result in results:
        await called(ledger, "judge@here", f"{kind} {number}", result, "judge")
    await ledger.settle(item, scope, Reply(content=""), failed=any(one.status != CallStatus.OK for one in results))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run that has no ledger yet."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


def written(run: Path, *calls) -> None:
    """A ledger with these calls, one after the other."""

    async def write() -> None:
        ledger = Ledger(run / FILE)
        for call, *arguments in calls:
            await call(ledger, *arguments)
        await ledger.drain()
        ledger.close()

    asyncio.run(write())


def test_the_judges_health_is_of_verdicts_that_were_asked_for(run):
    """Comparisons count as well as checklists; what rules decided, and what fell with a dialogue, was asked of nobody."""
    written(
        run,
        *((settled, "checklist", number) for number in range(5)),
        (settled, "dialogue", 9, failed("timeout")),
        (settled, "comparison", 1, ANSWERED),
        (settled, "comparison", 2, failed("timeout")),
        (settled, "checklist", 7, ANSWERED),
    )
    found = details_of(run, progress_of(run))
    assert (found.judged, found.unjudged) == (3, 1)


def test_failing_calls_say_whose_they_are_until_they_are_answered(run):
    """By name and address of who was called; what a later try answered fails no longer, and what was refused stays told."""
    refused = CallResult(status=CallStatus.REFUSED, error="content-filter", message="no")
    written(
        run,
        (called, "locked@here", "a", failed("authentication")),
        (called, "locked@here", "b", failed("authentication")),
        (called, "other@there", "a", failed("authentication")),
        (called, "weak@here", "a", failed("timeout")),
        (called, "weak@here", "b", refused),
    )
    written(run, (called, "weak@here", "a", ANSWERED))
    progress = progress_of(run)
    assert (progress.calls, progress.failed) == (6, 3)
    told = [(one.whose, one.slug, one.count, one.message) for one in details_of(run, progress).failures]
    assert told == [
        (("locked@here", "other@there"), "authentication", 3, "told of authentication"),
        (("weak@here",), "content-filter", 1, "no"),
    ]


def test_a_night_between_stop_and_going_on_is_no_part_of_the_rate(run):
    """Nor of the time left: both are unknown until a call of the new start has ended."""
    written(run, (called, "weak@here", "a", ANSWERED), (called, "weak@here", "b", ANSWERED))

    def later() -> None:
        with sqlite3.connect(run / FILE) as ledger:
            ledger.execute("UPDATE result SET at = at - ?", (NIGHT,))
        ledger.close()

    later()
    assert progress_of(run).rate is None
    written(run, (called, "weak@here", "c", ANSWERED))
    assert progress_of(run).rate > 3 / NIGHT * 100


def test_a_finished_run_offers_to_ask_again_what_has_no_answer(apps, copied):
    """To owners, of runs that can be gone on with here; a viewer and a run that was made elsewhere have no such button."""
    visit = apps(copied)
    owner, viewer = visit(), visit()
    owner.sign_in()
    viewer.sign_in("Vera", owner.add("Vera", "viewer"))
    number = progress_of(copied / "plain").failed
    assert number > 0
    assert "/go-on" not in owner.get("/runs/plain").text
    (copied / "plain" / SPEC).write_text("", "utf-8")
    assert f"Calls without an answer: {number}." in owner.get("/runs/plain").text
    assert 'action="/runs/plain/go-on"' in owner.get("/runs/plain").text
    assert "/go-on" not in viewer.get("/runs/plain").text


def test_a_run_that_asks_one_sample_anew_says_which(apps, copied):
    """All its items are finished: without this nobody would know what it does."""
    owner = apps(copied)()
    owner.sign_in()
    control = copied / ".benchbar" / "started" / "plain"
    control.mkdir(parents=True)
    # Of a start that is to come: it counts as under way however long the page takes.
    started = background.Started(time.time() + 3600, ("1-1-001",))
    (control / background.STARTED).write_bytes(encode(started))
    assert "Asked anew: 1-1-001" in owner.get("/runs/plain/live").text
