"""Two runs side by side."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
import pytest

from benchbar.decisions.regression import Settings, Side, changed, compare
from benchbar.measures.health import finding
from benchbar.records import Layer, Measures, Score, ScoreStatus
from benchbar.records.errors import UserError


def side(name: str, values: dict[str, float | None], assistant: str = "a") -> Side:
    measures = [
        Measures(sample=key, assistant=assistant, task=key[0], values={"overall": value})
        for key, value in values.items()
    ]
    return Side(name, measures, [], "f")


def test_differences_are_paired_and_missing_values_are_no_zeros():
    """Second less first over samples that have a value in both."""
    before = side("old", {"a1": 0.2, "a2": 0.4, "b1": 0.9, "b2": None})
    after = side("new", {"a1": 0.6, "a2": 0.8, "b1": 0.4, "b2": 1.0, "b3": 1.0})
    one = compare(before, after, Settings()).assistants["a"]
    overall = one.measures["overall"]
    assert overall.difference.value == pytest.approx(0.1)
    assert (overall.difference.n, one.only_first, one.only_second) == (3, 0, 1)
    assert one.by_task["a"].difference.value == pytest.approx(0.4)
    assert one.by_task["b"].difference.value == pytest.approx(-0.5)


def test_fixed_and_broken_samples_crossed_the_pass_mark():
    """With both values, so that they can be looked at."""
    before = side("old", {"a1": 0.2, "a2": 0.6, "a3": 0.5, "a4": 0.1})
    after = side("new", {"a1": 0.5, "a2": 0.4, "a3": 0.9, "a4": 0.2})
    one = compare(before, after, Settings()).assistants["a"]
    assert [(flip.sample, flip.first, flip.second) for flip in one.fixed] == [("a1", 0.2, 0.5)]
    assert [flip.sample for flip in one.broken] == ["a2"]


def test_which_way_is_better_decides_what_is_fixed_and_what_became_worse():
    """Fewer failures are better: the sample that failed before and not now is fixed, and the change is a gain."""
    before = [Measures(sample=f"a{n}", assistant="a", task="a", values={"failed": 1.0}) for n in range(30)]
    after = [Measures(sample=f"a{n}", assistant="a", task="a", values={"failed": 0.0}) for n in range(30)]
    one = compare(Side("old", before, [], "f"), Side("new", after, [], "f"), Settings(measure="failed"))
    found = one.assistants["a"]
    assert (len(found.fixed), len(found.broken)) == (30, 0)
    assert found.measures["failed"].difference.value == -1
    assert found.measures["failed"].change == "better"


def test_a_measure_in_a_unit_of_its_own_is_compared_in_it():
    """Characters are no shares: their difference is a mean of differences, and neither way is better."""
    sides = [
        Side(name, [Measures(sample=f"a{n}", assistant="a", task="a", values={"reply_length": size + n}) for n in range(9)], [], "f")
        for name, size in (("old", 300.0), ("new", 420.0))
    ]  # fmt: skip
    found = compare(*sides, Settings()).assistants["a"].measures["reply_length"]
    assert (found.first.value, found.second.value, found.difference.value) == (304.0, 424.0, 120.0)
    assert found.change == "tied"


def test_a_real_change_is_seen_and_noise_is_not():
    """Thirty samples that all gained, against thirty that moved to and fro; Holm over the tasks."""
    names = [f"{'xy'[n % 2]}{n}" for n in range(60)]
    before = side("old", dict.fromkeys(names, 0.5))
    after = side(
        "new", {name: 0.7 if name[0] == "x" else 0.5 + (0.1 if int(name[1:]) % 4 == 1 else -0.1) for name in names}
    )
    by_task = compare(before, after, Settings()).assistants["a"].by_task
    assert by_task["x"].p_adjusted < 0.01
    assert by_task["y"].p_adjusted > 0.2
    assert by_task["x"].p_adjusted == pytest.approx(2 * by_task["x"].p_value)


def score(sample: str, value: float | None, layer: Layer = Layer.LLM, repeat: int = 0) -> Score:
    status = ScoreStatus.FAILED if value is None else ScoreStatus.SCORED
    return Score(sample=sample, assistant="a", dimension="p1", layer=layer, status=status, value=value, repeat=repeat)


def test_changed_scores_are_counted_by_layer():
    """Moved by more than the tolerance, or came or went; samples of one run only are left out."""
    first = [score("s1", 0.5), score("s2", 0.5), score("s3", None), score("s1", 1.0, Layer.RULE), score("s9", 0.1)]
    second = [score("s1", 0.54), score("s2", 0.6), score("s3", 1.0), score("s1", 1.0, Layer.RULE)]
    found = changed(first, second, 0.05)
    assert (found["llm"].value, found["llm"].n) == (pytest.approx(2 / 3), 3)
    assert (found["rule"].value, found["rule"].n) == (0.0, 1)


def test_runs_without_a_common_assistant_need_a_pair():
    """The message lists both sides and the way out."""
    old, new = side("old", {"s": 1.0}, "a"), side("new", {"s": 0.0}, "b")
    with pytest.raises(UserError, match="--pair NEW=OLD"):
        compare(old, new, Settings())
    with pytest.raises(UserError, match="no pair b=c"):
        compare(old, new, Settings(), {"b": "c"})
    assert compare(old, new, Settings(), {"b": "a"}).assistants["b"].measures["overall"].difference.value == -1


def test_the_command_compares_two_run_folders(benchbar):
    """A run with itself does not differ; three quoted articles beat one."""
    for name in ("monday", "tuesday"):
        assert benchbar("run", "--quiet", "--limit", "44", "--out", name).code == 0
    same = json.loads(benchbar("compare", "monday", "tuesday", "--json").out)
    assert same["same_suite"] is True
    own = same["assistants"]["extractive"]
    assert own["measures"]["overall"]["difference"]["value"] == 0
    assert (own["fixed"], own["broken"], own["changed"]["rule"]["value"]) == ([], [], 0.0)
    other = json.loads(benchbar("compare", "monday", "tuesday", "--json", "--pair", "extractive=extractive-2020").out)
    gained = other["assistants"]["extractive"]
    assert gained["measures"]["overall"]["difference"]["low"] > 0
    assert len(gained["fixed"]) > len(gained["broken"])
    told = benchbar("compare", "monday", "tuesday", "--pair", "extractive=extractive-2020")
    assert "fixed: " in told.out
    # Before, now and the difference stand in one row, and in one unit.
    found = gained["measures"]["overall"]
    row = next(line.split() for line in told.out.splitlines() if line.split()[:1] == ["overall"])
    assert row[1:4] == [f"{100 * found[of]['value']:.1f}" for of in ("first", "second", "difference")]
    assert benchbar("compare", "monday", "tuesday", "--measure", "kindness").code == 2
    assert benchbar("compare", "monday", "nowhere").code == 2


def test_changed_scores_belong_together_where_their_samples_do():
    """A sample without a cluster stands alone: naming it so changes nothing."""
    before = [score(f"s{n}", 0.2) for n in range(8)]
    after = [score(f"s{n}", 0.9 if n % 3 else 0.2) for n in range(8)]
    some = {"s0": "x", "s1": "x"}
    found = changed(before, after, 0.1, some)["llm"]
    alone = changed(before, after, 0.1, some | {f"s{n}": f"own {n}" for n in range(2, 8)})["llm"]
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))


def test_a_comparison_names_both_assistants():
    """What it was called before, and what it is called now."""
    one = compare(side("old", {"s": 1.0}, "a"), side("new", {"s": 0.0}, "b"), Settings(), {"b": "a"}).assistants["b"]
    assert (one.first, one.second) == ("a", "b")


def test_no_difference_is_called_better_where_a_run_is_not_to_be_relied_on():
    """The numbers stay; the colour and the word do not, and the finding is handed on under the run's name."""
    before = side("old", {f"a{n}": 0.1 for n in range(30)})
    after = side("new", {f"a{n}": 0.9 for n in range(30)})
    believed = compare(before, after, Settings())
    astray = finding("chance", "a", {"changed": "9", "both": "10"})
    doubted = compare(before, replace(after, health=(astray,)), Settings())
    found = doubted.assistants["a"].measures["overall"]
    assert believed.change(believed.assistants["a"].measures["overall"]) == "better"
    assert doubted.change(found) == "undefined"
    assert found.difference.value == pytest.approx(0.8)
    assert doubted.doubts == {"new": (astray,)}
    assert doubted.change(msgspec.structs.replace(found, p_adjusted=0.9)) == "tied"
