"""The judge's own test: five probes, by a judge behind a real server that is sound, or has one fault."""

from __future__ import annotations

import json
import sqlite3
from functools import cache

import pytest

import benchbar
from benchbar.ledger.check import check
from benchbar.measures.probes import MEANING
from benchbar.reports.tables import as_markdown
from benchbar.reports.terminal import notes
from benchbar.scoring.judges.probes import PROBES

FAULTS = {"null": "null_model", "verbose": "verbosity", "first": "position", "bold": "format", "titles": "authority"}


def spec(server: str, judge: str, **more: object) -> dict[str, object]:
    """One candidate against another, and a judge that is tested."""
    price = {"input": 0.5, "output": 1.5}
    asked = {"kind": "openai", "base_url": server, "price": price}
    return {
        "suite": "model-jurisdiction-zh",
        "limit": 22,
        "reference": "base",
        "assistants": {"base": {**asked, "model": "weak-a"}, "candidate": {**asked, "model": "strong-b"}},
        "judge": {
            "model": judge, "base_url": server, "kind": "pairwise", "probes": True, "price": price, **more,
        },
    }  # fmt: skip


@pytest.fixture(scope="module")
def server(shared_chat_server) -> str:
    """Its address."""
    return shared_chat_server.base_url


@pytest.fixture(scope="module")
def tested(server, tmp_path_factory):
    """A run with a judge, once for each judge."""

    @cache
    def run(judge: str, **more: object):
        return benchbar.run(spec(server, judge, **more), out=tmp_path_factory.mktemp("probes") / "run")

    return run


def rates(run) -> dict[str, float]:
    """Probe to its rate, of the only judge."""
    (found,) = run.results.probes.values()
    return {probe: one.value for probe, one in found.items()}


def test_a_sound_judge_is_fooled_by_nothing(tested):
    """All five rates are 0 of 20, with Wilson's upper end at 16%; no finding stands before the figures."""
    run = tested("judge-sound")
    assert rates(run) == dict.fromkeys(PROBES, 0.0)
    (found,) = run.results.probes.values()
    assert all(one.n == 20 and one.n_missing == 0 and 0.15 < one.high < 0.17 for one in found.values())
    assert not [one for one in run.results.health if one.slug == "probe"]


@pytest.mark.parametrize(("fault", "probe"), FAULTS.items())
def test_a_judge_with_one_fault_is_found_by_its_own_probe(tested, fault, probe):
    """Its rate is high and all others stay at 0; the finding says what the judge does, before any figure."""
    run = tested(f"judge-sound-{fault}")
    found = rates(run)
    assert found.pop(probe) > 0.9
    assert set(found.values()) == {0.0}
    (finding,) = [one for one in run.results.health if one.slug == "probe"]
    assert MEANING[probe] in finding.message
    assert finding.share.low > 0.1


def test_probes_are_planned_paid_and_settled_like_every_other_call(tested):
    """180 items of 20 samples, each with its outcome; the ledger is complete, and a second start asks nothing."""
    run = tested("judge-sound")
    with sqlite3.connect(run.folder / "ledger.sqlite") as database:
        (items,) = database.execute("SELECT count(*) FROM plan WHERE item LIKE 'probe/%'").fetchone()
    assert items == 20 * 9
    # One more: the endpoint is tried before the run.
    assert run.results.spending["judge"].calls == 20 * 9 + 22 * 2 + 1
    assert run.results.spending["judge"].cost > 0
    report = check(run.folder / "ledger.sqlite")
    assert not report.problems
    assert benchbar.run(run.spec, out=run.folder).unchanged


def test_reports_show_the_rates_beside_the_judges_health(tested):
    """Terminal, Markdown and page have them, with intervals."""
    run = tested("judge-sound-bold")
    assert any(
        "fooled by null_model 0.0% [0.0, 16.1]" in line and "format 100.0%" in line for line in notes(run.results)
    )
    assert "Probes of the judge" in as_markdown(run.results)
    page = run.report.read_text("utf-8")
    assert "偏好以粗体列表呈现的相同文字" in page
    assert json.loads(run.document)["probes"]


def test_a_grading_judge_is_tested_too(tested):
    """70 points for everything: an empty answer is not beaten by the expert's; it prefers no form, and sees no position."""
    found = rates(tested("judge-70", kind="grade", grade_repeats=1))
    assert found == {"null_model": 1.0, "verbosity": 0.0, "format": 0.0, "authority": 0.0}


def test_a_judge_by_checklist_is_tested_too(tested):
    """One that finds each point's own words is fooled by nothing; one that marks half of all points always is by the empty answer."""
    assert rates(tested("judge-sound", kind="checklist")) == dict.fromkeys(set(PROBES) - {"position"}, 0.0)
    assert rates(tested("judge", kind="checklist"))["null_model"] > 0.9
    run = tested("judge-sound-bold", kind="checklist")
    found = rates(run)
    assert found.pop("format") > 0.9
    assert set(found.values()) == {0.0}
    (finding,) = [one for one in run.results.health if one.slug == "probe"]
    assert finding.who.startswith("checklist:")


def test_without_probes_nothing_is_asked_and_nothing_written(server, tmp_path):
    """The spec has to ask for them."""
    without = spec(server, "judge-sound", probes=False)
    run = benchbar.run(without, out=tmp_path / "run")
    assert run.results.probes == {}
    assert run.results.spending["judge"].calls == 22 * 2 + 1
