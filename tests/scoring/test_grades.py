"""The judge that grades, what its runs amount to, and when people have to look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.clients.scripted import ScriptedModel
from benchbar.languages.prompts import Prompts
from benchbar.ledger import SCOPE, Ledger, Scope
from benchbar.records import Dialogue, DialogueEnd, Guidance, Sample, ScoreStatus, Task, Turn
from benchbar.records.protocols import ScoringInput
from benchbar.scoring.judges import Grade
from benchbar.scoring.judges.families import families, family_of, same_family
from benchbar.scoring.routing import Routing, Runs, disagrees, runs_of, typical_deviation
from benchbar.scoring.rubrics import read_rubric

TASK = Task(id="1-1", name="t", level="memory", scenarios=())
SAMPLE = Sample(id="s", task="1-1", needs="?", language="en", guidance=Guidance())
TALK = Dialogue(
    sample="s",
    assistant="a",
    turns=(Turn(role="user", content="?"), Turn(role="assistant", content="x" * 5000 + "THE END")),
    ended=DialogueEnd.TURN_LIMIT,
)
GOOD = 'Because.\n{"completeness": 30, "accuracy": 40, "clarity": 10}'


async def graded(tmp_path, *answers: str, attempts: int = 3):
    """The scores, and the prompts that the model was shown."""
    shown: list[str] = []

    def answer(messages) -> str:
        shown.append(messages[-1].content)
        return answers[min(len(shown), len(answers)) - 1]

    ledger = Ledger(tmp_path / "ledger.sqlite")
    SCOPE.set(Scope("s"))
    judge = Grade(ScriptedModel(answer, ledger), Prompts(nonce=ledger.nonce), attempts=attempts)
    scores = await judge.score(ScoringInput(TASK, SAMPLE, TALK))
    ledger.close()
    SCOPE.set(None)
    return scores, shown


async def test_each_criterion_has_its_own_score(tmp_path):
    """Points as shares of 40, 40 and 20; the whole answer is shown, not its first thousand characters."""
    scores, shown = await graded(tmp_path, GOOD)
    assert {score.dimension: score.value for score in scores} == {
        "grade:completeness": 0.75,
        "grade:accuracy": 1.0,
        "grade:clarity": 0.5,
    }
    assert "THE END" in shown[0]
    assert "completeness (40)" in shown[0]


@pytest.mark.parametrize(
    "bad",
    [
        "85",
        "",
        '{"completeness": 30, "accuracy": 40}',
        '{"completeness": 41, "accuracy": 40, "clarity": 10}',
        '{"completeness": -1, "accuracy": 40, "clarity": 10}',
        '{"completeness": "30", "accuracy": 40, "clarity": 10}',
        '{"completeness": null, "accuracy": 40, "clarity": 10}',
        '{"completeness": 30, "accuracy": 40, "clarity": 10, "style": 5}',
        '{"completeness": 30, "accuracy": 40, "clarity": 10} {"completeness": 40, "accuracy": 40, "clarity": 20}',
    ],
)
async def test_what_cannot_be_read_is_asked_again(tmp_path, bad):
    """Then it fails with a reason: never a zero, never a made-up number."""
    scores, shown = await graded(tmp_path, bad, GOOD)
    assert (len(shown), scores[0].status) == (2, ScoreStatus.SCORED)
    (tmp_path / "never").mkdir()
    scores, shown = await graded(tmp_path / "never", bad)
    assert len(shown) == 3
    assert {(score.status, score.value) for score in scores} == {(ScoreStatus.FAILED, None)}
    assert "3 answers" in scores[0].reason


TABLE = [
    ((85.0, 72.0, 91.0), 0, False, 85.0, 19.0),
    ((80.0, 70.0, 90.0), 0, False, 80.0, 20.0),
    ((80.0, 69.0, 90.0), 0, True, 80.0, 21.0),
    ((80.0, 80.0), 1, True, 80.0, 0.0),
    ((), 3, True, None, None),
]


@pytest.mark.parametrize(("grades", "unread", "people", "median", "spread"), TABLE)
def test_the_published_table_of_decisions(grades, unread, people, median, spread):
    """Up to 20 points apart the median stands; beyond, or with a run that was never read, people look."""
    runs = Runs(grades=grades, unread=unread)
    assert (disagrees(runs, Routing()), runs.median, runs.spread) == (people, median, spread)


def test_the_published_example_does_not_reach_people_by_its_own_rule():
    """85, 72 and 91 lie 19 apart; a rule by deviations sends them, with a judge that is usually steadier than that."""
    runs = Runs(grades=(85.0, 72.0, 91.0))
    assert not disagrees(runs, Routing())
    assert disagrees(runs, Routing(spread=15))
    assert runs.deviation == pytest.approx(9.71, abs=0.01)
    assert disagrees(runs, Routing(deviations=2), typical=4.0)
    assert not disagrees(runs, Routing(deviations=2), typical=6.0)


@given(st.lists(st.floats(0, 100), min_size=2, max_size=7))
def test_mean_for_aggregates_median_for_display(grades):
    """Both lie between the lowest and the highest run; the spread is never below the deviation."""
    runs = Runs(grades=tuple(grades))
    low, high = min(grades) - 1e-9, max(grades) + 1e-9
    assert low <= runs.mean <= high
    assert low <= runs.median <= high
    assert runs.spread >= runs.deviation - 1e-9 or len(grades) == 2


async def test_runs_are_gathered_by_judge_and_repeat(tmp_path):
    """A run of which one criterion is missing is an unread one."""
    scores, _ = await graded(tmp_path, GOOD)
    criteria = read_rubric("consultation").criteria
    assert runs_of(scores, criteria)["s", "a"] == Runs(grades=(80.0,))
    assert runs_of(scores[:2], criteria)["s", "a"] == Runs(grades=(), unread=1)


def test_the_judges_own_noise_is_pooled_over_dialogues():
    """The root of the mean variance; dialogues with one run say nothing."""
    assert typical_deviation([Runs(grades=(60, 80)), Runs(grades=(70, 70)), Runs(grades=(5,))]) == pytest.approx(10.0)
    assert typical_deviation([Runs(grades=(5,))]) is None


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("Qwen/Qwen2.5-72B-Instruct@http://x/v1", "qwen"),
        ("gpt-4o-mini", "openai"),
        ("deepseek-ai/DeepSeek-V3", "deepseek"),
        ("my-own-model", None),
        ("", None),
    ],
)
def test_families_of_models(model, family):
    """By the beginning of the name, whatever stands before the last slash."""
    assert family_of(model, families()) == family


def test_a_judge_of_the_same_family_is_told(tmp_path):
    """And a table of one's own takes the place of the built-in one."""
    models = {"a": "qwen-plus", "b": "glm-4", "c": "unknown"}
    assert same_family(["qwen-max"], models, families()) == {"a": "qwen"}
    (tmp_path / "families.toml").write_text('"glm" = "house"\n"qwen" = "house"\n')
    assert same_family(["qwen-max"], models, families(tmp_path / "families.toml")) == {"a": "house", "b": "house"}
