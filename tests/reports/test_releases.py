"""The release record: one budget of wrong passes for all runs under a policy, kept in a file that only grows."""

from __future__ import annotations

import json

import pytest

from benchbar.decisions.estimating import Evidence
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import policy_of
from benchbar.decisions.releases import Recorder, recorded, within_budget
from benchbar.ledger.looks import read_looks
from benchbar.ledger.opening import open_store
from benchbar.records.errors import BadInputError

POLICY = {"at_least": {"overall": 0.85}, "minimum_n": 20, "releases": {"budget": 0.05}}
GOOD, BAD, FEW = [1.0] * 400, [0.0] * 100, [0.9] * 25


def gate(folder, run, values, policy=POLICY, *, keep=True):
    """The decision on a run, and the entry that it left."""
    given = policy_of(policy)
    own = {"a": Evidence({"overall": {f"s{n}": value for n, value in enumerate(values)}})}

    def decided(level, because):
        return decide(given, own, level=level, because=because)

    return within_budget(given, folder, run, ("a",), decided, keep=keep)


def entries(folder):
    """What the record holds."""
    return Recorder(folder / "releases.jsonl").entries


def test_each_run_gets_its_level_and_passes_earn_budget_back(tmp_path):
    """Budget (passes + 1)/(t (t + 1)): .025 at first, as without a record; less after failures, more after passes."""
    for run, values in (("r1", GOOD), ("r2", BAD), ("r3", BAD), ("r4", GOOD)):
        gate(tmp_path, run, values)
    levels = [entry.level for entry in entries(tmp_path)]
    assert levels == pytest.approx([0.05 / 2, 0.05 * 2 / 6, 0.05 * 2 / 12, 0.05 * 2 / 20])
    assert [entry.decision for entry in entries(tmp_path)] == ["pass", "fail", "fail", "pass"]
    assert gate(tmp_path, "r5", GOOD).checks[0].estimate.confidence == pytest.approx(1 - 2 * 0.05 * 3 / 30)


def test_looking_again_at_a_run_is_the_same_test_and_a_changed_policy_another(tmp_path):
    """More samples cost nothing; the same look is kept once; a lower threshold is a new question."""
    gate(tmp_path, "r1", FEW)
    gate(tmp_path, "r1", FEW)
    gate(tmp_path, "r1", GOOD)
    assert [(entry.test, entry.n) for entry in entries(tmp_path)] == [(1, 25), (1, 400)]
    gate(tmp_path, "r1", FEW, {**POLICY, "at_least": {"overall": 0.5}})
    assert [entry.test for entry in entries(tmp_path)] == [1, 1, 2]
    assert gate(tmp_path, "r9", GOOD, keep=False).reasons[0].values["number"] == 3
    assert len(entries(tmp_path)) == 3


def test_a_line_that_a_crash_tore_is_no_entry_and_damage_is_named(tmp_path):
    """The torn tail gives way to the next entry; a changed or missing line is refused with its number."""
    for run in ("r1", "r2", "r3"):
        gate(tmp_path, run, GOOD)
    file = tmp_path / "releases.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"test": 4, "ru')
    gate(tmp_path, "r4", GOOD)
    assert file.read_bytes().startswith(whole)
    assert [entry.test for entry in entries(tmp_path)] == [1, 2, 3, 4]
    lines = whole.splitlines(keepends=True)
    file.write_bytes(lines[0] + lines[2])
    with pytest.raises(BadInputError, match=r"releases.jsonl:2: .*changed or taken out"), recorded(file):
        pass
    file.write_bytes(lines[0].replace(b'"pass"', b'"fail"') + lines[1])
    with pytest.raises(BadInputError, match="changed or taken out"):
        gate(tmp_path, "r5", GOOD)


@pytest.mark.parametrize("name", ["../elsewhere.jsonl", "/elsewhere/x.jsonl", "x.txt"])
def test_the_record_lies_beside_the_policy(name):
    """A policy from outside has no file written elsewhere."""
    with pytest.raises(BadInputError, match="without a folder"):
        policy_of({"releases": {"record": name}})


def test_the_command_keeps_looks_in_the_ledger_and_releases_beside_the_policy(benchbar, tmp_path):
    """A copy of the run is the same test; the run made anew is another one; the ledger stays whole."""
    import shutil

    run = ("run", "--quiet", "--limit", "22", "--assistant", "x=extractive", "--assistant", "y=closed-book")
    assert benchbar(*run, "--reference", "y", "--out", "r").code == 0
    assert benchbar(*run, "--reference", "y", "--out", "again").code == 0
    shutil.copytree(tmp_path / "r", tmp_path / "copy")
    folder = tmp_path / "policies"
    folder.mkdir()
    policy = 'rubric = false\nminimum_n = 20\n[at_most]\nfailed = 0.3\n[releases]\nrecord = "shop.jsonl"\n'
    (folder / "shop.toml").write_text(policy)
    for name in ("r", "r", "copy", "again"):
        done = benchbar("gate", name, "--policy", "policies/shop.toml", "--json")
        assert done.code == 0, done.err
    kept = [json.loads(line) for line in (folder / "shop.jsonl").read_text("utf-8").splitlines()]
    assert [one["test"] for one in kept] == [1, 2]
    store = open_store(tmp_path / "r/ledger.sqlite", writable=False)
    looks = read_looks(store)
    store.close()
    assert [(look.decision, look.n) for look in looks] == [("pass", {"failed": 22})]
    assert json.loads(benchbar("ledger", "check", "r", "--json").out)["ok"]
    assert "release record: test 2, after 1 passes" in benchbar("gate", "again", "--policy", "policies/shop.toml").out
