"""`stats family` and `stats efficiency`: favour for one's own, and what a unit of cost buys."""

from __future__ import annotations

import json

import pytest


def rows(path, header: str, lines: list[str]) -> None:
    path.write_text("\n".join([header, *lines]), "utf-8")


def test_a_judge_that_favours_its_own_is_found_out_by_people(benchbar, tmp_path):
    """Right on all pairs that people give its own, wrong on half of the others: a bias of one half."""
    biased = ["1,1,q1"] * 20 + ["1,0,q2"] * 10 + ["0,0,q3"] * 10
    rows(tmp_path / "p.csv", "judge,people,question", biased)
    found = json.loads(benchbar("stats", "family", "p.csv", "--judge", "judge", "--human", "people", "--json").out)
    # P(picks own | people pick own) = 1; P(picks other | people pick other) = 1/2.
    assert found["same_family_bias"]["value"] == pytest.approx(0.5)
    assert found["same_family_bias"]["low"] > 0


def test_without_people_two_judges_differ_or_do_not(benchbar, tmp_path):
    """The interaction is differential, and says so."""
    rows(tmp_path / "p.csv", "a,b", ["1,0"] * 15 + ["1,1"] * 5 + ["0,0"] * 5)
    done = benchbar("stats", "family", "p.csv", "--judge", "a", "--second", "b", "--json")
    found = json.loads(done.out)["family_interaction"]
    assert found["difference"]["value"] == pytest.approx(0.6)
    assert found["test"]["p_value"] < 0.001
    assert "differential" in found["note"]
    assert benchbar("stats", "family", "p.csv", "--judge", "a").code == 2


def test_forms_of_judging_are_compared_by_agreement_per_cost(benchbar, tmp_path):
    """A cheap form that agrees nearly as often is worth more."""
    lines = [f"pairwise,{int(n % 10 > 0)},2,s{n}" for n in range(40)] + [
        f"checklist,{int(n % 5 > 0)},1,s{n}" for n in range(40)
    ]
    rows(tmp_path / "j.csv", "form,agreed,cost,sample", lines)
    arguments = ("stats", "efficiency", "j.csv", "--form", "form", "--agreed", "agreed", "--cost", "cost", "--json")
    forms = json.loads(benchbar(*arguments).out)["forms"]
    assert forms["pairwise"]["per_cost"] == pytest.approx((0.9 - 0.5) / 2)
    assert forms["checklist"]["per_cost"] == pytest.approx((0.8 - 0.5) / 1)
    assert forms["pairwise"]["agreement"]["low"] < 0.9 < forms["pairwise"]["agreement"]["high"]


def test_a_preference_that_is_none_is_named_by_line(benchbar, tmp_path):
    """1, 0 and a half are preferences."""
    rows(tmp_path / "p.csv", "judge,people", ["1,1", "7,1"])
    done = benchbar("stats", "family", "p.csv", "--judge", "judge", "--human", "people")
    assert done.code == 2
    assert "p.csv:3" in done.err
