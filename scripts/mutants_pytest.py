"""The side of `make mutants` inside pytest: which test reaches which line, and running chosen tests in their order.

Loaded with `-p mutants_pytest`, in the workers of xdist too. The environment says which of the two is asked for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage

RECORD = "MUTANTS_RECORD"
"""Where the seconds of each passed test are written, while coverage keeps the tests of each line."""
CHOSEN = "MUTANTS_CHOSEN"
"""A list of tests, as JSON: these alone run, in this order."""
FAILED = "MUTANTS_FAILED"
"""Where the first test that fails is written."""

_seconds: dict[str, float] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Coverage books what this process runs on the test; processes that the test starts know it from the environment."""
    measured = Coverage.current() if RECORD in os.environ else None
    if measured:
        measured.switch_context(item.nodeid)
    try:
        return (yield)
    finally:
        if measured:
            measured.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.passed:
        _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration
    elif report.failed and FAILED in os.environ:
        Path(os.environ[FAILED]).write_text(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if RECORD not in os.environ:
        return
    if measured := Coverage.current():
        # Workers of xdist end without the exit handlers that would save.
        measured.save()
    if not hasattr(session.config, "workerinput"):
        Path(os.environ[RECORD]).write_text(json.dumps(_seconds))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHOSEN in os.environ:
        place = {test: number for number, test in enumerate(json.loads(Path(os.environ[CHOSEN]).read_text()))}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])
