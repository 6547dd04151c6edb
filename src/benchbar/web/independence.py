"""Who answers a sample as an assistant marks nobody's answers to it, and the other way round, in any run that they belong to."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request

from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.reviews import Reviews
from benchbar.records.errors import BenchbarError
from benchbar.runs.manifest import read_manifest
from benchbar.web import practice_store
from benchbar.web.folders import REMEMBERED, reviews_of
from benchbar.web.matters import visible_names
from benchbar.web.run_queues import queue_id
from benchbar.web.state import app_state


def marked_elsewhere(request: Request, person: str, run: str) -> set[str]:
    """The samples of a run's suite whose guidance this person saw: they marked answers in another run, or practised in any."""
    return _elsewhere(request, run, lambda reviews: reviews.marked_by(person)) | _practised(request, person, run)


def answered_elsewhere(request: Request, person: str, run: str) -> set[str]:
    """The samples of a run's suite that this person answers as an assistant in another run."""
    return _elsewhere(request, run, lambda reviews: reviews.asked.concerns(person))


def _practised(request: Request, person: str, run: str) -> set[str]:
    """The samples on which this person practised, in this run or in another of its suite."""
    web, found = app_state(request), set[str]()
    for name in (run, *_same_suite(request, run)):
        with web.database.transaction() as now:
            seen = practice_store.seen(now, queue_id(web, name), person)
        if seen:
            tasks = _read(request, name).tasks
            found |= {tasks[task].sample for task in seen if task in tasks}
    return found


def _elsewhere(request: Request, run: str, samples: Callable[[Reviews], set[str]]) -> set[str]:
    return {one for name in _same_suite(request, run) for one in samples(_read(request, name))}


def _read(request: Request, name: str) -> Reviews:
    try:
        return reviews_of(app_state(request).config.runs / name)
    # A damaged run must not close the queues of all others.
    except BenchbarError:
        return Reviews()


def _same_suite(request: Request, run: str) -> list[str]:
    """The other runs of its suite that the person who asks belongs to."""
    suite = _suite_of(request, run)
    # By the suite as the spec names it: two suites under one name close a task too many, and never one too few.
    return [name for name in visible_names(request) if name != run and suite and _suite_of(request, name) == suite]


def _suite_of(request: Request, name: str) -> str:
    run = app_state(request).config.runs / name

    def read() -> str:
        try:
            manifest = read_manifest(run)
        except BenchbarError:
            return ""
        return manifest.spec.suite if manifest else ""

    return REMEMBERED.get(("suite name", run), (RunFolder(run).manifest,), read)
