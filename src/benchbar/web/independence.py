"""Who answers a sample as an assistant marks nobody's answers to it, and the other way round, in any run that they belong to."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request

from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.reviews import Reviews
from benchbar.records.errors import BenchbarError
from benchbar.runs.manifest import read_manifest
from benchbar.web.folders import REMEMBERED, reviews_of
from benchbar.web.matters import visible_names
from benchbar.web.state import app_state


def marked_elsewhere(request: Request, person: str, run: str) -> set[str]:
    """The samples of a run's suite of which this person marked answers in another run: they saw the guidance."""
    return _elsewhere(request, run, lambda reviews: reviews.marked_by(person))


def answered_elsewhere(request: Request, person: str, run: str) -> set[str]:
    """The samples of a run's suite that this person answers as an assistant in another run."""
    return _elsewhere(request, run, lambda reviews: reviews.asked.concerns(person))


def _elsewhere(request: Request, run: str, samples: Callable[[Reviews], set[str]]) -> set[str]:
    web, found = app_state(request), set[str]()
    suite = _suite_of(request, run)
    for name in visible_names(request):
        # By the suite as the spec names it: two suites under one name close a task too many, and never one too few.
        if name != run and suite and _suite_of(request, name) == suite:
            try:
                found |= samples(reviews_of(web.config.runs / name))
            # A damaged run must not close the queues of all others.
            except BenchbarError:
                continue
    return found


def _suite_of(request: Request, name: str) -> str:
    run = app_state(request).config.runs / name

    def read() -> str:
        try:
            manifest = read_manifest(run)
        except BenchbarError:
            return ""
        return manifest.spec.suite if manifest else ""

    return REMEMBERED.get(("suite name", run), (RunFolder(run).manifest,), read)
