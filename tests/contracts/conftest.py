"""What the tests of contract review share."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from benchbar.contracts.bundled import bundled_rules
from benchbar.contracts.rules import RuleSet, read_rules
from benchbar.records.contracts import LabelledClause
from benchbar.suites.contract_risk import bundled_clauses, read_labelled
from support.review_server import ReviewServer


@pytest.fixture
def review_server():
    """A chat server that reviews clauses."""
    server = ReviewServer()
    yield server
    server.close()


class Labelled(NamedTuple):
    """Clauses with the level and the rules that an expert gave them, and the rules."""

    clauses: tuple[LabelledClause, ...]
    rules: RuleSet
    first: float
    """The share of risky clauses of which the search finds the rule first, at least."""
    among_three: float


@pytest.fixture(scope="session", params=["bundled", "public"])
def labelled(request):
    """The bundled clauses, which everybody has, and the public ones where they are."""
    if request.param == "bundled":
        return Labelled(read_labelled(bundled_clauses())[0], bundled_rules("zh"), 0.7, 0.8)
    folder = request.getfixturevalue("shared") / "zh/contract_agent"
    return Labelled(
        read_labelled(folder / "clauses_even_risk.jsonl")[0], read_rules(folder / "risk_rules.jsonl"), 0.76, 0.95
    )
