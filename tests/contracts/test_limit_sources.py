"""Bounds of numbers name where they come from, and those that a corpus holds stand there in the same words."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchbar.contracts.limits import all_limits


def _corpus(checked: str, shared: Path) -> list[str]:
    """The texts of the article that a bound names, in the editions in force."""
    kind, named = checked.split(" ", 1)
    name, number = named.rsplit(" ", 1)
    if kind == "ru/codes":
        return [row["text"] for row in _rows(shared / f"ru/codes/{name}.jsonl") if row["article"] == number]
    laws = {row["law_id"]: row for row in _rows(shared / "zh/statutes/laws.jsonl") if row["law_name"] == name}
    now = {key for key, row in laws.items() if row["latest_version_in_repo"] and not row["expired_flag"]}
    articles = _rows(shared / "zh/statutes/articles.jsonl")
    return [row["text"] for row in articles if row["law_id"] in now and str(row["no"]) == number]


@cache
def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


IN_CORPUS = [one for one in all_limits() if one.checked and not one.checked.startswith("https://")]


@pytest.mark.parametrize("limit", IN_CORPUS, ids=lambda one: one.id)
def test_a_bound_stands_in_the_statute_that_it_names(limit, shared):
    """The article in force states the bound in these very words."""
    assert any(limit.stated in text for text in _corpus(limit.checked, shared))


def test_every_bound_says_where_it_comes_from():
    """It is custom, or was read somewhere, or is known to be unchecked; what is checked says in which words."""
    assert len(IN_CORPUS) >= 20
    for one in all_limits():
        assert one.source
        assert not (one.custom and one.checked)
        assert bool(one.checked) == bool(one.stated)
    unchecked = {one.id for one in all_limits() if not one.custom and not one.checked}
    assert unchecked == {"ru-loan-day", "ru-retail-bonus", "en-deposit-new-york", "en-payment-days"}
