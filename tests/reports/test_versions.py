"""Run folders of older versions open; those of later ones are refused with the cure.

``run_of_version_1`` was written by the last Benchbar of results.json's schema version 1: two offline assistants, two
temperaments, a gate with a baseline. Nothing in it may be changed.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchbar.artefacts.folder import read_material, read_results
from benchbar.artefacts.upgrades import CITATION_FIELDS, renamed
from benchbar.records import encode
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.results import RESULTS_VERSION

OLD = Path(__file__).parent / "run_of_version_1"
MOVED = {
    *("win_rate", "win_rate_these_tasks", "win_rate_tasks_like_these", "point_score", "turns", "satisfied"),
    *("rule_share", "decided_share", "order_inconsistency", "citation_validity", "quote_fidelity"),
}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def estimates(document, path=()):
    """Every estimate of results.json, under its path without the level that version 2 put above measures."""
    if isinstance(document, dict):
        if "n_missing" in document:
            yield tuple(part for part in path if part != "measures"), document
        for key, value in document.items():
            yield from estimates(value, (*path, key))


def test_every_figure_of_version_1_is_kept():
    """The same estimates under the same names, none lost and none made up."""
    before = json.loads((OLD / "results.json").read_text("utf-8"))
    assert before["schema_version"] == 1
    after = json.loads(encode(read_results(OLD)))
    assert after["schema_version"] == RESULTS_VERSION
    assert dict(estimates(after)) == dict(estimates(before))
    for name, one in before["assistants"].items():
        assert one.keys() >= MOVED
        for key in one.keys() - MOVED - {"by_task", "by_level", "by_scenario"}:
            assert after["assistants"][name][key] == one[key], key


def test_a_difference_between_runs_is_still_shown_as_one(benchbar, old):
    """Version 1 marked it by its sign alone; a margin of shares is printed in percent, as they are."""
    check = next(one for one in read_results(old).gate.checks if one.name == "not worse overall")
    assert (check.unit, check.threshold) == ("difference", -0.02)
    assert "needs ≥ -2" in benchbar("gate", str(old), "--baseline", str(old)).out


@pytest.mark.parametrize("form", ["html", "md", "csv", "latex"])
def test_reports_are_written_from_it(benchbar, old, form):
    """In every format, with the assistants' names in it."""
    done = benchbar("report", str(old), "--format", form, "--out", str(old / "written"))
    assert done.code == 0, done.err
    text = (old / "written").read_text("utf-8")
    assert "quoting" in text
    assert "closed" in text


def test_its_citations_are_read_under_the_names_of_today():
    """What was called support is the topic, with the same figures; texts that hold the word are left alone."""
    before = [json.loads(line)["citation"] for line in (OLD / "citations.jsonl").read_text("utf-8").splitlines()]
    after = [one.citation for of in read_material(OLD).citations.values() for cited in of.values() for one in cited]
    assert sorted(str(one.topic) for one in after) == sorted(str(one["support"]) for one in before)
    text = b'{"reason":"\\"support\\": 1","support":0.5}'
    assert json.loads(renamed(text, CITATION_FIELDS)) == {"reason": '"support": 1', "topic": 0.5}


def test_it_is_compared_with_itself(benchbar, old):
    """Nothing differs, and every measure of its dialogues has a line."""
    done = benchbar("compare", str(old), str(old), "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)["assistants"]["quoting"]
    assert set(found["measures"]) >= {"win_rate", "point_score", "overall", "failed"}
    assert {one["difference"]["value"] for one in found["measures"].values()} <= {0.0, None}


def test_a_later_version_is_refused_with_the_cure(old):
    """Found, expected, and what to do."""
    file = old / "results.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"schema_version": RESULTS_VERSION + 1}), "utf-8")
    with pytest.raises(UserError, match=rf"schema version {RESULTS_VERSION + 1}; .* 1 to {RESULTS_VERSION}.*upgrade"):
        read_results(old)


@pytest.mark.parametrize("damage", [{"assistants": {"a": {}}}, {"assistants": []}, {"gate": {"checks": [1]}}])
def test_a_damaged_file_of_an_older_version_is_named(old, damage):
    """It is the user's file that is wrong: no traceback."""
    file = old / "results.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | damage), "utf-8")
    with pytest.raises(BadInputError, match=r"results\.json"):
        read_results(old)
