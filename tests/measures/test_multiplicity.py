"""Many comparisons in one report: rank sets of assistants, and arrows over tasks."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import UNSET, structs

from benchbar.measures.facts import DialogueFacts
from benchbar.measures.multiplicity import adjusted, with_ranks
from benchbar.measures.registry import ITSELF, Known
from benchbar.records import AssistantResults, Cell, Spending
from benchbar.reports.verdicts import rank_set
from benchbar.scoring.weighing import Weighing
from benchbar.statistics import benjamini_hochberg, win_rate


def cell(*outcomes: float, clusters: list[int] | None = None) -> Cell:
    """What a run keeps of a group of samples with these outcomes."""
    wins, losses = (sum(one == side for one in outcomes) for side in (1.0, 0.0))
    rate = win_rate(list(outcomes), clusters=clusters)
    ties = len(outcomes) - wins - losses
    return Cell(measures={"win_rate": rate}, wins=wins, ties=ties, losses=losses, abstained=0, failed=0)


def test_an_arrow_has_to_stand_among_all_cells():
    """Nine wins of ten are sure alone (p .011); among twenty cells that show nothing they are one of the twenty chances."""
    strong, nothing = cell(*[1.0] * 9, 0.0), cell(*[1.0, 0.0] * 5)
    assert adjusted({("a", "1"): strong})["a", "1"] < 0.05
    many = {("a", "1"): strong} | {("a", str(task)): nothing for task in range(2, 22)}
    assert adjusted(many)["a", "1"] > 0.05


def test_p_values_of_cells_are_those_of_the_score_test():
    """(wins - losses)/sqrt(wins + losses), adjusted by Benjamini and Hochberg: 8:2 and 7:3 with a cell that is even."""
    found = adjusted(
        {
            ("a", "1"): cell(*[1.0] * 8, 0.0, 0.0),
            ("a", "2"): cell(*[1.0] * 7, *[0.0] * 3),
            ("a", "3"): cell(0.5, 1.0, 0.0),
        }
    )
    by_hand = benjamini_hochberg({"1": 0.057780, "2": 0.205903, "3": 1.0})
    assert list(found.values()) == pytest.approx(list(by_hand.values()), abs=1e-5)


def test_a_cell_of_few_documents_says_no_more_than_its_interval():
    """Twelve wins on three documents: t of two degrees counts, and not the twelve."""
    alone, together = cell(*[1.0] * 12), cell(*[1.0] * 12, clusters=[place // 4 for place in range(12)])
    assert adjusted({("a", "1"): alone})["a", "1"] < 0.001
    assert adjusted({("a", "1"): together})["a", "1"] > 0.05
    assert adjusted({("a", "1"): cell(1.0, clusters=[1])}) == {}


def assistants(outcomes: dict[str, list[float]], clusters: dict[str, str] | None = None):
    """Assistants with these outcomes against the reference ``base``, ranked."""
    facts = [
        DialogueFacts(
            sample=f"s{i}", task="t", failed=False, exchanges=1, satisfied=True, guards=frozenset(), input_tokens=None,
            output_tokens=None, cost=None, latency=0.0, weighing=Weighing(None, 0.0, 0.0, 0.0), coverage={}, abstained=0,
            failed_marks=0, citations=(),
        )
        for i in range(len(next(iter(outcomes.values()))))
    ]  # fmt: skip
    every = {
        name: Known(name, facts, outcomes.get(name, [None] * len(facts)), name == "base", clusters=clusters or {})
        for name in (*outcomes, "base")
    }
    plain = {
        name: AssistantResults(
            measures={"win_rate": ITSELF if of.is_reference else win_rate(of.outcomes)}, wins=0, ties=0, losses=0, by_task={},
            by_level={}, by_scenario={}, coverage={}, position_test=None, tied_with=(), citations={}, failed_dialogues=0,
            guards={}, spending=Spending(),
        )
        for name, of in every.items()
    }  # fmt: skip
    return plain, every


def test_assistants_are_compared_in_pairs_on_the_same_samples():
    """One that is a little better on every sample is surely better, though the two intervals overlap far."""
    generator = np.random.default_rng(5)
    first = generator.choice([0.0, 0.25, 0.5, 0.75], size=80)
    found = with_ranks(*assistants({"new": (first + 0.25 * (np.arange(80) % 3 == 0)).tolist(), "old": first.tolist()}))
    new, old = found["new"]["win_rate"], found["old"]["win_rate"]
    assert new.low < old.high
    assert "old" not in found["new"].tied_with
    assert found["new"].ranks[1] < found["old"].ranks[1]
    assert rank_set(found["new"]) in {"1", "1-2"}


def test_equal_assistants_share_all_ranks_and_the_reference_among_them():
    """Three equal ones: no rank is excluded, and each is tied with every other."""
    generator = np.random.default_rng(6)
    found = with_ranks(*assistants({name: generator.choice([0.0, 1.0], size=60).tolist() for name in "ab"}))
    assert all(one.ranks == (1, 3) for one in found.values())
    assert found["a"].tied_with == ("b", "base")
    assert rank_set(structs.replace(found["a"], ranks=UNSET)) == "–"


def test_what_is_not_to_be_believed_is_told_apart_from_nobody():
    """A win rate with a reason keeps its value, and gives no order."""
    plain, every = assistants({"a": [1.0] * 40})
    assert with_ranks(plain, every)["a"].ranks == (1, 1)
    rate = structs.replace(plain["a"]["win_rate"], reason="the judge's two orders agree no more often than by chance")
    plain["a"] = structs.replace(plain["a"], measures={"win_rate": rate})
    found = with_ranks(plain, every)
    assert found["a"].ranks == (1, 2)
    assert found["a"].tied_with == ("base",)


def test_documents_are_exchanged_as_wholes():
    """Forty wins on four documents tell nothing apart: four signs give p = 1/8."""
    plain, every = assistants({"a": [1.0] * 40}, {f"s{i}": f"document:{i % 4}" for i in range(40)})
    assert with_ranks(plain, every)["a"].tied_with == ("base",)
