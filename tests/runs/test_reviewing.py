"""What people are asked to mark, and what their marks amount to."""

from __future__ import annotations

import csv
import json
import sqlite3
from math import erf, exp, pi, sqrt

import numpy as np
import pytest

from benchbar.decisions.estimating import Evidence, Marks, estimated
from benchbar.decisions.policy import policy_of
from benchbar.ledger import Ledger
from benchbar.ledger.check import check
from benchbar.ledger.reviews import Reviews, add_mark, add_plan, read_reviews
from benchbar.records import KeptMark, Mark, ReviewPlan, ReviewTask, fingerprint
from benchbar.records.errors import UserError
from benchbar.runs.reviewing import Doubt, draw
from benchbar.scoring.people import human_marks
from benchbar.scoring.routing import Routing, Runs


def name(*content: str) -> str:
    return fingerprint(content)


def doubt(number: int, **fields) -> Doubt:
    return Doubt(
        sample=f"s{number}", assistant="a", stratum=f"t{number % 3}", **{"groups": (f"t{number % 3}",), **fields}
    )


def test_what_has_to_be_seen_is_chosen_with_certainty_and_says_why():
    """Spread, a conflict of layers, high risk, what is new, and what was disputed before."""
    routing = Routing(audit=0.0, high_risk=("finance",), new=("t1",), disputed=("s6",))
    doubts = [
        doubt(0, runs=Runs(grades=(50, 71, 60))),
        doubt(3, conflict=0.5),
        doubt(9, groups=("t0", "finance")),
        doubt(1),
        doubt(6),
        doubt(12, runs=Runs(grades=(50, 70, 60)), conflict=0.4),
    ]
    plan = draw(doubts, routing, seed=1, name=name)
    assert {task.sample: task.reasons for task in plan.tasks} == {
        "s0": ("spread",),
        "s3": ("conflict",),
        "s9": ("high_risk",),
        "s1": ("new",),
        "s6": ("disputed_before",),
    }
    assert {task.probability for task in plan.tasks} == {1.0}
    assert plan.frame["a"]["s12"] == 0.0


def test_the_audit_is_stratified_and_its_chances_are_recorded():
    """Every task has its share; the doubtful have a higher chance, and nobody has none."""
    doubts = [doubt(n, undecided=0.8 if n % 2 else 0.1) for n in range(300)]
    plan = draw(doubts, Routing(audit=0.2), seed=1, name=name)
    chances = plan.frame["a"]
    for stratum in range(3):
        own = [chances[f"s{n}"] for n in range(300) if n % 3 == stratum]
        assert sum(own) == pytest.approx(0.2 * 100)
    assert chances["s1"] > chances["s0"] > 0
    assert {task.sample: task.probability for task in plan.tasks} == {
        task.sample: chances[task.sample] for task in plan.tasks
    }
    assert draw(doubts, Routing(audit=0.2), seed=1, name=name) == plan
    assert draw(doubts, Routing(audit=0.2), seed=2, name=name) != plan


def mediocre(count: int) -> list[Doubt]:
    """Dialogues of a judge that is in conflict with the rules in nine of ten, with gaps of all widths; some of high risk."""
    generator = np.random.default_rng(5)
    gaps = np.where(
        generator.random(count) < 0.9, generator.uniform(0.41, 0.9, count), generator.uniform(0, 0.3, count)
    )
    return [
        doubt(n, conflict=float(gap), groups=("t0", "finance") if n % 40 == 0 else ("t0",))
        for n, gap in enumerate(gaps)
    ]


def test_conflicts_beyond_their_share_are_drawn_and_not_all_sent():
    """With a mediocre judge 5% and the audit go to people, not 90%; every dialogue in conflict has a recorded chance."""
    doubts = mediocre(2000)
    plan = draw(doubts, Routing(audit=0.05), seed=1, name=name)
    chances = plan.frame["a"]
    conflicts = [one for one in doubts if one.conflict > 0.4]
    assert len(conflicts) > 0.85 * 2000
    assert sum(chances[one.sample] for one in conflicts) == pytest.approx(0.05 * 2000)
    assert min(chances[one.sample] for one in conflicts) > 0
    wide, narrow = (pick(conflicts, key=lambda one: one.conflict) for pick in (max, min))
    assert chances[wide.sample] > chances[narrow.sample]
    assert len(plan.tasks) < 0.08 * 2000


def test_a_budget_of_marks_is_kept_and_spent_on_what_is_named_and_doubtful():
    """Forty marks for two thousand dialogues: the fifty of high risk do not fit, so all are drawn; of thirty the rest."""
    doubts = mediocre(2000)
    routing = Routing(high_risk=("finance",), budget=90, double=0.2)
    plan = draw(doubts, routing, seed=1, name=name)
    assert sum(plan.frame["a"].values()) == pytest.approx(90 / 1.2)
    assert all(plan.frame["a"][f"s{n}"] == 1 for n in range(0, 2000, 40))
    few = draw(doubts, Routing(high_risk=("finance",), budget=40), seed=1, name=name)
    assert sum(few.frame["a"].values()) == pytest.approx(40 / 1.2)
    assert min(few.frame["a"].values()) > 0
    assert (
        draw(doubts, Routing(budget=10**6), seed=1, name=name).frame == draw(doubts, Routing(), seed=1, name=name).frame
    )
    with pytest.raises(ValueError, match="budget 0; expected at least 1 mark"):
        Routing(budget=0)


@pytest.mark.parametrize("routing", [Routing(), Routing(budget=60), Routing(budget=60, floor=0.0)])
def test_however_marks_are_rationed_the_mean_stays_unbiased(routing):
    """Over 400 draws the weighted mean lies within four standard errors of the truth, which the judge misses by far."""
    doubts = mediocre(400)
    judge = np.full(400, 0.9)
    truth = np.array([0.9 - one.conflict for one in doubts])
    found = []
    for seed in range(400):
        plan = draw(doubts, routing, seed=seed, name=name)
        mean = judge.mean()
        for task in plan.tasks:
            place = int(task.sample[1:])
            mean += (truth[place] - judge[place]) / task.probability / 400
        found.append(mean)
    error = np.std(found, ddof=1) / sqrt(len(found))
    assert abs(np.mean(found) - truth.mean()) < 4 * error
    assert abs(judge.mean() - truth.mean()) > 20 * error


def test_a_share_of_tasks_is_marked_by_one_person_more():
    """Double marking, drawn by chance."""
    plan = draw([doubt(n) for n in range(1000)], Routing(audit=1.0, double=0.3), seed=3, name=name)
    assert len(plan.tasks) == 1000
    assert sum(task.annotators == 2 for task in plan.tasks) == pytest.approx(300, abs=50)
    assert all(task.sample not in task.id for task in plan.tasks)


@pytest.mark.slow
def test_planted_marks_with_recorded_chances_recover_the_mean():
    """A judge that is too kind and noisy; in at least 93% of 500 repetitions the interval holds the true mean."""
    held, judge_held, repetitions, n, policy = 0, 0, 200, 200, policy_of({})
    for seed in range(repetitions):
        generator = np.random.default_rng(seed)
        truth = generator.beta(4, 2, n)
        judged = np.clip(truth + 0.1 + generator.normal(0, 0.1, n), 0, 1)
        grades = np.clip(100 * judged[:, None] + generator.normal(0, 7, (n, 3)), 0, 100).tolist()
        undecided = generator.random(n).tolist()
        doubts = [doubt(k, runs=Runs(grades=tuple(grades[k])), undecided=undecided[k]) for k in range(n)]
        plan = draw(doubts, Routing(audit=0.3), seed=seed, name=name)
        said = {task.sample: float(truth[int(task.sample[1:])]) for task in plan.tasks}
        values = {f"s{place}": float(judged[place]) for place in range(n)}
        evidence = Evidence({"overall": values}, {"overall": Marks(said, plan.frame["a"])})
        estimate = estimated(policy, evidence, "overall").estimate
        held += estimate.low <= truth.mean() <= estimate.high
        alone = estimated(policy, Evidence({"overall": values}), "overall").estimate
        judge_held += alone.low <= truth.mean() <= alone.high
    assert held / repetitions >= 0.93
    assert judge_held / repetitions < 0.05


def reviews(task: ReviewTask, *marks: Mark) -> Reviews:
    plan = ReviewPlan(tasks=(task,), frame={"a": {"s": 1.0}}, seed=0, fingerprint="f", agree=0.15)
    return Reviews([plan], [KeptMark(number=place, at=0.0, mark=mark) for place, mark in enumerate(marks, start=1)])


PREFLIGHT = 1
"""Each judge is asked once whether it holds its answers to a schema."""
TASK = ReviewTask(id="k", sample="s", assistant="a", reasons=("spread",), probability=1.0, annotators=2)


def marked(rater: str, value: float | None, **fields) -> Mark:
    return Mark(task="k", rater=rater, value=value, **fields)


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ((), ("open", None)),
        ((marked("a", 0.8),), ("open", None)),
        ((marked("a", 0.8), marked("b", 0.9)), ("settled", pytest.approx(0.85))),
        ((marked("a", 0.8), marked("b", 0.5)), ("differ", None)),
        ((marked("a", 0.8), marked("b", None)), ("differ", None)),
        ((marked("a", 0.8), marked("b", 0.5), marked("b", 0.7, corrects=2)), ("settled", pytest.approx(0.75))),
        ((marked("a", 0.8), marked("b", 0.5), marked("c", 0.6, adjudication=True)), ("settled", 0.6)),
        ((marked("a", 0.8), marked("b", 0.5), marked("c", None, adjudication=True)), ("disputed", None)),
    ],
)
def test_a_task_is_settled_when_its_marks_agree_or_somebody_decides(marks, expected):
    """What stays disputed has no value."""
    assert reviews(TASK, *marks).status(TASK) == expected


def test_what_is_disputed_is_kept_out_and_counted():
    """Neither in the values nor among those that wait."""
    found = human_marks(reviews(TASK, marked("a", 0.8), marked("b", 0.5), marked("c", None, adjudication=True)))["a"]
    assert (found.values, found.disputed, found.waiting) == ({}, ("s",), 0)


@pytest.fixture
def ledger(tmp_path):
    opened = Ledger(tmp_path / "ledger.sqlite")
    add_plan(opened.store, ReviewPlan(tasks=(TASK,), frame={"a": {"s": 1.0}}, seed=0, fingerprint="f"))
    opened.plan([])
    yield opened
    opened.close()


def test_marks_are_appended_and_a_correction_overwrites_nothing(ledger):
    """Both are kept; the later one stands."""
    add_mark(ledger.store, marked("a", 0.2, reason="no article"))
    add_mark(ledger.store, marked("a", 0.4), correct=True)
    found = read_reviews(ledger.store)
    assert [(one.number, one.mark.value, one.mark.corrects) for one in found.marks] == [(2, 0.2, None), (3, 0.4, 2)]
    assert [one.mark.value for one in found.standing("k")] == [0.4]
    assert found.marks[0].mark.reason == "no article"


def test_marks_that_cannot_be_are_refused(ledger):
    """An unknown task, a second mark, nothing to correct, and a judge in one's own case."""
    add_mark(ledger.store, marked("a", 0.2))
    for given, correct, message in (
        (Mark(task="other", rater="a", value=0.5), False, "unknown task 'other'"),
        (marked("a", 0.3), False, "a has marked task k before; correct it with --correct"),
        (marked("b", 0.3), True, "b has no mark of task k to correct"),
        (marked("a", 0.3, adjudication=True), False, "somebody else has to"),
    ):
        with pytest.raises(UserError, match=message):
            add_mark(ledger.store, given, correct=correct)
    assert len(read_reviews(ledger.store).marks) == 1


def test_the_same_plan_is_not_kept_twice(ledger):
    """A run that is replayed asks nothing new."""
    assert not add_plan(ledger.store, read_reviews(ledger.store).plans[0])
    assert len(read_reviews(ledger.store).plans) == 1


DAMAGE = {
    "a mark altered": ("UPDATE review SET at = at + 1 WHERE id = 2", "review 2: altered"),
    "a mark taken out": ("DELETE FROM review WHERE id = 2", "reviews 2 to 2 are missing"),
    "the last mark taken out": ("DELETE FROM review WHERE id = 3", "2 reviews; 3 were stated"),
    "marks exchanged": (
        "UPDATE review SET id = 9 WHERE id = 2; UPDATE review SET id = 2 WHERE id = 3;"
        "UPDATE review SET id = 3 WHERE id = 9",
        "review 2: altered",
    ),
    "all reviews taken out": ("DELETE FROM review", "0 reviews; 3 were stated"),
}


@pytest.mark.parametrize(("statements", "problem"), DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_to_marks_is_found(ledger, statements, problem):
    """The seal of each row holds that of the row before."""
    add_mark(ledger.store, marked("a", 0.2))
    add_mark(ledger.store, marked("b", 0.3))
    ledger.close()
    path = ledger.store.path
    assert check(path).ok
    db = sqlite3.connect(path)
    db.executescript(statements)
    db.close()
    assert any(problem in found for found in check(path).problems)


def test_a_rater_who_marked_twice_behind_our_back_is_found(ledger):
    """Written past the door that refuses it."""
    ledger.store.append_reviews("mark", [marked("a", 0.2)])
    ledger.store.append_reviews("mark", [marked("a", 0.3)])
    ledger.store.append_reviews("mark", [Mark(task="other", rater="a", value=0.3)])
    ledger.close()
    problems = check(ledger.store.path).problems
    assert any("marked task k before" in problem for problem in problems)
    assert any("nobody was asked about task other" in problem for problem in problems)


SPEC = """
suite = "model-jurisdiction-zh"
reference = "y"
limit = {limit}
seed = 3
[review]
audit = {audit}
double = 0.0
conflict = 1.0
[assistants.x]
kind = "extractive"
[assistants.y]
kind = "closed-book"
[judge]
kind = "grade"
model = "{model}"
base_url = "{url}"
"""


def run(benchbar, folder, server, *, model: str, limit: int = 88, audit: float = 0.0):
    (folder / "spec.toml").write_text(SPEC.format(url=server.base_url, model=model, limit=limit, audit=audit), "utf-8")
    done = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def beyond(width: float) -> float:
    """The chance that three normal values lie further apart than ``width`` standard deviations."""
    grid = np.linspace(-9, 9, 6001)
    density = [exp(-x * x / 2) / sqrt(2 * pi) for x in grid]
    inside = [0.5 * (erf((x + width) / sqrt(2)) - erf(x / sqrt(2))) for x in grid]
    return 1 - 3 * float(np.trapezoid([d * i * i for d, i in zip(density, inside, strict=True)], grid))


@pytest.mark.slow
def test_a_noisy_judge_sends_people_the_share_that_theory_predicts(benchbar, chat_server, tmp_path):
    """Three runs each its own call; noise of 8 points: the range of three normal values beyond 2.5 deviations."""
    results = run(benchbar, tmp_path, chat_server, model="judge-noisy-8")
    dialogues = 2 * 88
    assert chat_server.stats()["completed"]["judge-noisy-8"] == 3 * dialogues + PREFLIGHT
    expected = beyond(20 / 8)
    spread = results["review"]["spread"]
    assert abs(spread / dialogues - expected) < 3 * sqrt(expected * (1 - expected) / dialogues)
    report = json.loads(benchbar("ledger", "check", "r", "--json").out)
    assert report["ok"], report["problems"]
    kept = [json.loads(line) for line in (tmp_path / "r/dimensions.jsonl").read_text("utf-8").splitlines()]
    quality = [one["value"] for one in kept if one["dimension"] == "answer_quality"]
    assert np.mean(quality) == pytest.approx(0.60, abs=3 * 0.08 / sqrt(3 * dialogues))


def test_the_published_grades_stay_19_apart(benchbar, chat_server, tmp_path):
    """85, 72 and 91: nobody is called by the rule of 20; mean and median differ and both are kept."""
    results = run(benchbar, tmp_path, chat_server, model="judge-fixed-85-72-91", limit=2)
    assert "spread" not in results["review"]
    kept = [json.loads(line) for line in (tmp_path / "r/dimensions.jsonl").read_text("utf-8").splitlines()]
    quality = next(one for one in kept if one["dimension"] == "answer_quality")
    assert (quality["value"], quality["shown"]) == (pytest.approx((0.85 + 0.72 + 0.91) / 3), pytest.approx(0.85))


def test_a_run_without_points_is_asked_again(benchbar, chat_server, tmp_path):
    """The first answer of each dialogue holds no points; none is lost."""
    run(benchbar, tmp_path, chat_server, model="judge-late", limit=4)
    scores = [json.loads(line) for line in (tmp_path / "r/scores.jsonl").read_text("utf-8").splitlines()]
    grades = [one for one in scores if one["dimension"].startswith("grade:")]
    assert len(grades) == 4 * 2 * 3 * 3
    assert {one["status"] for one in grades} == {"scored"}


def test_a_queue_is_marked_on_the_terminal_and_by_file(benchbar, chat_server, tmp_path):
    """Blind; all or none of an import; marks reach the gate with their chances; the ledger stays whole."""
    run(benchbar, tmp_path, chat_server, model="judge", limit=22, audit=1.0)
    shown = benchbar("review", "next", "r", "--rater", "ann")
    assert "extractive" not in shown.out
    assert "closed-book" not in shown.out
    task = json.loads(benchbar("review", "next", "r", "--rater", "ann", "--json").out)["task"]["task"]
    assert benchbar("review", "mark", "r", task, "--rater", "ann", "--score", "80", "--reason", "clear").code == 0
    refused = benchbar("review", "mark", "r", task, "--rater", "ann", "--score", "70")
    assert (refused.code, "--correct" in refused.err) == (2, True)
    assert benchbar("review", "mark", "r", task, "--rater", "ann", "--score", "70", "--correct").code == 0
    for wrong in ("170", "nan"):
        refused = benchbar("review", "mark", "r", task, "--rater", "ann", "--score", wrong)
        assert (refused.code, "Traceback" in refused.err, wrong in refused.err) == (2, False, True)
    assert json.loads(benchbar("review", "next", "r", "--rater", "ann", "--json").out)["task"]["task"] != task

    assert benchbar("review", "export", "r", "q.csv").code == 0
    with (tmp_path / "q.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 43
    for row in rows:
        row |= {"rater": "bob", "score": "90", "reason": "good"}
    bad = [*rows[:-1], rows[-1] | {"task": "another-run"}]
    for name_, content, code in (("bad.csv", bad, 2), ("twice.csv", [*rows, rows[0]], 2), ("good.csv", rows, 0)):
        with (tmp_path / name_).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(content)
        done = benchbar("review", "import", "r", name_)
        assert done.code == code, done.err
    listed = json.loads(benchbar("review", "list", "r", "--json").out)
    assert {one["status"] for one in listed["tasks"]} == {"settled"}
    assert max(listed["assistants"]["x"]["values"].values()) == 0.9
    automatic = json.loads(benchbar("gate", "r", "--assistant", "x", "--json").out)
    assert "probability" in next(one for one in automatic["checks"] if one["name"] == "overall")["estimate"]["method"]
    (tmp_path / "p.toml").write_text("minimum_n = 10\nminimum_marks = 10\n[at_least]\noverall = 0.8\n")
    gate = json.loads(benchbar("gate", "r", "--policy", "p.toml", "--assistant", "x", "--json").out)
    overall = next(one for one in gate["checks"] if one["name"] == "overall")
    assert "inclusion probability" in overall["estimate"]["method"]
    assert overall["estimate"]["value"] == pytest.approx(0.9, abs=0.01)
    assert json.loads(benchbar("ledger", "check", "r", "--json").out)["ok"]
    before = (tmp_path / "r/marks.json").read_bytes()
    assert benchbar("run", "spec.toml", "--out", "r", "--json").code == 0
    assert (tmp_path / "r/marks.json").read_bytes() == before


def test_label_studio_gets_tasks_and_gives_marks(benchbar, tmp_path):
    """Its export of annotations comes back as marks; a cancelled one does not."""
    assert benchbar("run", "--quiet", "--limit", "44", "--out", "r").code == 0
    assert benchbar("review", "export", "r", "tasks.json", "--format", "label-studio").code == 0
    tasks = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert tasks
    assert {"task", "needs", "guidance", "dialogue"} <= tasks[0]["data"].keys()
    result = [
        {"from_name": "score", "value": {"number": 55}},
        {"from_name": "reason", "value": {"text": ["no article"]}},
    ]
    annotated = [
        {**one, "annotations": [{"completed_by": {"email": "ann@x"}, "result": result, "was_cancelled": place > 0}]}
        for place, one in enumerate(tasks)
    ]
    (tmp_path / "done.json").write_text(json.dumps(annotated), "utf-8")
    assert benchbar("review", "import", "r", "done.json", "--format", "label-studio").code == 0
    marks = json.loads(benchbar("review", "list", "r", "--json").out)["marks"]
    assert [(one["mark"]["rater"], one["mark"]["value"], one["mark"]["reason"]) for one in marks] == [
        ("ann@x", 0.55, "no article")
    ]
    assert benchbar("review", "import", "r", "tasks.json", "--format", "label-studio").code == 2


@pytest.mark.slow
def test_the_known_noise_of_a_judge_is_found_again(benchbar, chat_server, tmp_path):
    """Noise of 8 points of 100: its deviation on each criterion lies in the interval; nothing is reliable about noise."""
    run(benchbar, tmp_path, chat_server, model="judge-noisy-8")
    found = json.loads(benchbar("stability", "r", "--json").out)
    clarity = found["layers"]["llm grade:clarity"]
    assert clarity["deviation"]["low"] < 0.08 < clarity["deviation"]["high"]
    assert clarity["reliability"]["low"] < 0.1
    assert clarity["deviation"]["n"] == 176
    assert "rule points" in found["once"]
    assert "best repeats" in benchbar("stability", "r").out


def test_a_judge_of_the_assistants_family_is_warned_of(benchbar, chat_server, tmp_path):
    """On stderr, before anything is paid."""
    url = chat_server.base_url
    (tmp_path / "spec.toml").write_text(
        f'limit = 1\nreference = "a"\n[assistants.a]\nkind = "openai"\nmodel = "qwen-weak"\nbase_url = "{url}"\n'
        f'[judge]\nkind = "grade"\nmodel = "qwen-max"\nbase_url = "{url}"\n'
        f'panel = [{{ model = "judge-b", base_url = "{url}" }}]\n'
    )
    done = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert "family qwen" in done.err
    served = chat_server.stats()["completed"]
    assert (served["judge-b"], served["qwen-max"]) == (3 + PREFLIGHT, 3 * 3 + PREFLIGHT)


def test_recorded_answers_go_through_all_three_layers(benchbar, chat_server, tmp_path):
    """Nothing is asked of an assistant: rules mark, the judge grades, people get their queue, and the gate decides."""
    source = json.loads(benchbar("suite", "show", "model-jurisdiction-zh", "1-1-001", "--json").out)
    (tmp_path / "answers.jsonl").write_text(
        json.dumps({"sample": source["id"], "answer": source["guidance"]["points"][0]["text"]}), "utf-8"
    )
    (tmp_path / "spec.toml").write_text(
        'reference = "y"\ntasks = ["1-1"]\ngate = "release"\n[review]\naudit = 1.0\n'
        '[assistants.x]\nkind = "recorded"\nfile = "answers.jsonl"\n[assistants.y]\nkind = "closed-book"\n'
        f'[judge]\nkind = "grade"\nmodel = "judge"\nbase_url = "{chat_server.base_url}"\n',
        "utf-8",
    )
    done = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert done.code == 0, done.err
    results = json.loads(done.out)
    kept = [json.loads(line) for line in (tmp_path / "r/dimensions.jsonl").read_text("utf-8").splitlines()]
    own = {one["dimension"]: one for one in kept if one["assistant"] == "x"}
    assert own["accuracy"]["rule_share"] == pytest.approx(0.8)
    assert own["answer_quality"]["judge_value"] == pytest.approx(0.7)
    assert results["gate"]["decision"] == "insufficient_evidence"
    # Eight of nine answers are not there: as large a share of further ones would be missing.
    assert "overall" not in results["gate"]["missing"]
    assert benchbar("gate", "r").code == 4
    tasks = json.loads(benchbar("review", "list", "r", "--json").out)["tasks"]
    assert sum((one["sample"], one["assistant"]) == ("1-1-001", "x") for one in tasks) == 1
