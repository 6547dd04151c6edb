"""The queues of all runs, under names that say nothing of the run."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request

from benchbar.records.errors import BenchbarError
from benchbar.web.folders import results_of
from benchbar.web.mark_stream import MarkStreams
from benchbar.web.marks_wanted import MarksWanted
from benchbar.web.matters import Matter, matter_of, visible_names, visible_run
from benchbar.web.people import raters
from benchbar.web.queue import Queue
from benchbar.web.state import AppState, app_state


@dataclass(frozen=True)
class RunQueue:
    """A run about which people are asked."""

    run: Path
    queue: Queue
    suite: str
    """Name of its suite, which a rater may know."""
    matter: Matter


def queue_id(web: AppState, run: str) -> str:
    """What the queue of a run is called: its address must not tell a rater which run it is."""
    # Keyed with the app's secret: a plain hash of the run's name could be guessed from a list of names.
    return hmac.digest(web.secret, f"queue\x00{run}".encode(), "sha256").hex()[:16]


def questions_id(web: AppState, run: str) -> str:
    """What a run's questions to people who answer as an assistant are called."""
    return hmac.digest(web.secret, f"questions\x00{run}".encode(), "sha256").hex()[:16]


def queue_in(request: Request, run: str) -> RunQueue:
    """The queue of a run that the person who asks belongs to.

    Raises:
        HTTPException: there is no such run, or it is another's.
    """
    return _asked(request, visible_run(request, run).name)


def all_queues(request: Request) -> list[RunQueue]:
    """The finished runs about which the person who asks is asked, the latest first; a run that cannot be read is left out."""
    found = []
    for name in visible_names(request):
        try:
            asked = _asked(request, name)
            if asked.queue.marks.ask(lambda reviews: bool(reviews.tasks)):
                found.append(asked)
        # One damaged run must not close the queues of all others.
        except BenchbarError:
            continue
    return found


def queue_of(request: Request, id_: str) -> RunQueue:
    """The queue of this name.

    Raises:
        HTTPException: there is none.
    """
    web = app_state(request)
    for name in visible_names(request):
        # Compared in constant time: the address is the only thing that keeps the run's name from a rater.
        if hmac.compare_digest(queue_id(web, name).encode(), id_.encode()):
            return _asked(request, name)
    raise HTTPException(404, "there is no such queue")


def _asked(request: Request, name: str) -> RunQueue:
    web = app_state(request)
    run = web.config.runs / name
    with web.database.transaction() as now:
        matter = matter_of(now, name)
    stream, wanted = streams_of(request.app).of(run), wanted_in(request.app)
    queue = Queue(
        *(queue_id(web, name), stream, web.database),
        wanted=lambda: wanted.of(run, stream),
        ends=matter.ends,
        present=lambda now: {one.name for one in raters(now, name)},
    )
    return RunQueue(run, queue, results_of(run).suite, matter)


def streams_of(app: FastAPI) -> MarkStreams:
    """The app's streams of marks."""
    found: MarkStreams = app.state.mark_streams
    return found


def wanted_in(app: FastAPI) -> MarksWanted:
    """What the gates of the app's runs say of marks."""
    found: MarksWanted = app.state.marks_wanted
    return found


def open_streams(app: FastAPI) -> None:
    """Give the app its streams of marks, and what is wanted of them."""
    app.state.mark_streams = MarkStreams()
    app.state.marks_wanted = MarksWanted()


def close_streams(app: FastAPI) -> None:
    """Write what is due and close the ledgers."""
    streams_of(app).close()
