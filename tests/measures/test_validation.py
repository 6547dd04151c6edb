"""From a run to its validations: people check the judge and the simulated user, and the run's own records say the rest."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa

import benchbar
from benchbar.artefacts.folder import read_material, read_results
from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import Reviews, read_reviews
from benchbar.records import Estimate
from benchbar.records.validation import Figure, Validation
from benchbar.reports.validation import show_validations
from support.chat_servers import served
from support.in_process import runner
from support.run_spec import PRICED, WEAK_AND_STRONG, spec_text

RATERS = ("anna", "bo", "chen")


def _spec(url: str) -> str:
    price = PRICED.format(1.0, 2.0)
    judge = f"""kind = ["pairwise", "checklist", "fidelity"]
model = "judge"
{price}
panel = [{{ model = "judge-first", base_url = "{url}", {price} }}]"""
    return spec_text(url, 'limit = 12\nseed = 3\nprompts = "prompts"', WEAK_AND_STRONG, judge=judge)


@dataclass(frozen=True)
class Made:
    """A finished run, and the command line in its folder."""

    folder: Path
    run: Callable

    @property
    def reviews(self) -> Reviews:
        store = open_store(ledger_of(self.folder / "r"), writable=False)
        try:
            return read_reviews(store)
        finally:
            store.close()

    def validation(self, name: str) -> dict:
        done = self.run("validate", "r", "--json")
        assert done.code == 0, done.err
        return next(one for one in json.loads(done.out)["validations"] if one["name"] == name)

    def figures(self, name: str) -> dict[tuple[str, str], dict]:
        return {(one["group"], one["measure"]): one["estimate"] for one in self.validation(name)["figures"]}

    def filled(self, kind: str, answer: Callable[[dict, str], dict]) -> list[dict]:
        """Every rater gets the table, fills it in and sends it back; returns its rows."""
        file = self.folder / "table.csv"
        assert self.run("review", "export", "r", str(file), "--kind", kind).code == 0
        with file.open(encoding="utf-8-sig", newline="") as opened:
            rows = list(csv.DictReader(opened))
        for rater in RATERS:
            with file.open("w", encoding="utf-8", newline="") as opened:
                writer = csv.DictWriter(opened, rows[0].keys())
                writer.writeheader()
                writer.writerows({**row, "rater": rater, **answer(row, rater)} for row in rows)
            done = self.run("review", "import", "r", str(file))
            assert done.code == 0, done.err
        return rows


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Iterator[Made]:
    """A run with a panel of two judges, of which one belongs to the candidate's family and one looks at positions alone."""
    folder = tmp_path_factory.mktemp("validated")
    (folder / "prompts").mkdir()
    names = 'judge = "house"\nstrong = "house"\nweak = "other"\njudge-first = "other"\n'
    (folder / "prompts" / "families.toml").write_text(names, "utf-8")
    with served() as address, pytest.MonkeyPatch.context() as patch:
        (folder / "spec.toml").write_text(_spec(f"{address}/v1"), "utf-8")
        run = runner(folder, patch)
        done = run("run", "spec.toml", "--out", "r", "--quiet")
        assert done.code == 0, done.err
        shutil.copytree(folder / "r", folder / "fresh")
        found = Made(folder, run)
        _ask_people(found)
        yield found


def preferences(reviews: Reviews) -> dict[str, str]:
    """Sample to what all people say of the candidate: a tie on every fourth, better on the others."""
    samples = sorted(task.sample for task in reviews.tasks.values() if task.compared)
    return {sample: "better" if number % 4 else "tie" for number, sample in enumerate(samples)}


def _ask_people(made: Made) -> None:
    """Three people check the judge and the user by table, and compare by commands."""
    for ask, size in (("points", "6"), ("preferences", "12"), ("turns", "8")):
        drawn = made.run("review", "draw", "r", "--ask", ask, "--size", size, "--seed", "2")
        assert drawn.code == 0, drawn.err
    assert "of pairwise:judge@" in made.run("review", "draw", "r", "--ask", "points", "--size", "6", "--seed", "2").out
    rows = made.filled("points", of_point)
    assert all("逐条看来" in row["judge"] and row["dialogue"] and row["other"] for row in rows)
    made.filled("turns", of_turn)
    reviews = made.reviews
    preferred = preferences(reviews)
    for task in (task for task in reviews.tasks.values() if task.compared):
        strong = reviews.sides(task).index("strong")
        for rater in RATERS:
            better = ("first", "second")[strong] if preferred[task.sample] == "better" else "tie"
            done = made.run("review", "mark", "r", task.id, "--rater", rater, "--better", better)
            assert done.code == 0, done.err


def of_point(row: dict, rater: str) -> dict:
    """What a person says of a point; it follows from the task's id, which is drawn anew for each run."""
    number = int(row["task"].removeprefix("'"), 16)
    right = number % 3 or (rater != "anna" and number % 2)
    return {
        "referred": "yes" if number % 5 else "no",
        "right": "yes" if right else "no",
        "error": "" if right else "partly_met" if number % 4 else "missed_point",
    }


def of_turn(row: dict, rater: str) -> dict:
    """Two of three find every fifth turn off the needs."""
    off = int(row["task"].removeprefix("'"), 16) % 5 == 0 and rater != "chen"
    return {"right": "no", "error": "leaves_needs"} if off else {"right": "yes"}


def test_before_anybody_marked_each_validation_says_what_is_missing(made):
    """Eight of them; those that need people name the command that asks them."""
    done = made.run("validate", "fresh", "--out", "page.html")
    assert done.code == 0
    names = [one.name for one in benchbar.validate(made.folder / "fresh").validations]
    assert names == [
        *("points", "agreement", "family_bias", "alternative_judges"),
        *("worth", "weights", "correlation", "fidelity"),
    ]
    assert "missing: people's marks of the judge's decisions: `benchbar review draw RUN --ask points`" in done.out
    assert "missing: people's preferences" in done.out
    page = (made.folder / "page.html").read_text("utf-8")
    assert "Content-Security-Policy" in page
    assert "Would another judge have found the same?" in page


def test_people_check_points_and_the_table_is_that_of_what_they_said(made):
    """Three people, by spreadsheet: majorities by category, error types and kappas, recomputed by hand and by statsmodels."""
    tasks = [task for task in made.reviews.tasks.values() if task.judged]
    assert len({(task.sample, task.assistant) for task in tasks}) == 6
    assert {task.probability for task in tasks} == {6 / 12 / 2}
    rows = [{"task": task.id} for task in tasks]
    verdicts = {row["task"]: [of_point(row, rater)["right"] for rater in RATERS] for row in rows}
    majority = {task: Counter(votes).most_common(1)[0][0] == "yes" for task, votes in verdicts.items()}
    found = made.figures("points")
    assert found["overall", "judged right"]["value"] == pytest.approx(np.mean(list(majority.values())))
    assert found["overall", "referred to"]["n"] == len(tasks)
    for category in {task.judged.category for task in tasks}:
        own = [majority[task.id] for task in tasks if task.judged.category == category]
        assert found[category, "judged right"]["value"] == pytest.approx(np.mean(own))
    counts = np.array([[votes.count("yes"), votes.count("no")] for votes in verdicts.values()])
    assert found["judged right", "Fleiss kappa"]["value"] == pytest.approx(fleiss_kappa(counts))
    wrong = [of_point(row, "anna")["error"] for row in rows if not majority[row["task"]]]
    for error, count in Counter(wrong).items():
        assert found[f"error: {error}", "of the wrong points"]["value"] == pytest.approx(count / len(wrong))


def test_preferences_are_held_against_each_judge(made):
    """Agreement with the majority as counted by hand, in both judges; a pair stands once though the judge saw it twice."""
    pairs = [task for task in made.reviews.tasks.values() if task.compared]
    assert len(pairs) == 12
    found = made.figures("agreement")
    people = preferences(made.reviews)
    outcomes: dict[str, list[float]] = {}
    for sample, by in read_material(made.folder / "r").comparisons.items():
        worth = {"left": 1.0, "tie": 0.5, "right": 0.0}
        said = [worth[one.winner] for one in by["strong"] if one.judge.startswith("pairwise:judge@")]
        outcomes[sample] = np.mean(said)
    labels = {sample: "better" if one > 0.5 else "tie" if one == 0.5 else "worse" for sample, one in outcomes.items()}
    judge = next(group for group, _ in found if group.startswith("pairwise:judge@"))
    agreed = np.mean([labels[sample] == people[sample] for sample in people])
    assert found[judge, "the majority"]["value"] == pytest.approx(agreed)
    assert found[judge, "the majority, weighted by the draw"]["value"] == pytest.approx(agreed)
    assert found[judge, "people, one another"]["value"] == 1
    assert found["people", "Fleiss kappa"]["value"] == 1


def test_family_alternatives_and_worth_need_no_table_made_by_hand(made):
    """After people compared: the bias of the judge of the candidate's family, both judges side by side, and their price."""
    bias = made.validation("family_bias")
    assert any("strong" not in line and "(house)" in line for line in bias["had"])
    assert bias["figures"] or bias["missing"]
    alternative = made.figures("alternative_judges")
    (pair,) = {group for group, _ in alternative}
    assert alternative[pair, "same winner"]["n"] == 12
    assert alternative[pair, "rank correlation over candidates"]["value"] is None
    worth = made.figures("worth")
    judge = next(group for group, _ in worth if group.startswith("pairwise:judge@"))
    assert worth[judge, "agrees with people"]["n"] > 0
    assert worth[judge, "cost of an item"]["value"] > 0
    assert "cost in the currency of the prices" in made.validation("worth")["notes"]


def test_fidelity_is_seen_by_rules_judges_and_people(made):
    """Table 9: each user's turns as the guards, two judges and three people see them, first and later turns apart."""
    material = read_material(made.folder / "r")
    dialogues = [one for by in material.dialogues.values() for one in by.values()]
    users = [sum(turn.role == "user" for turn in one.turns) for one in dialogues]
    found = made.figures("fidelity")
    assert found["rules", "first turns aligned"]["n"] == len(dialogues)
    assert found["rules", "later turns aligned"]["n"] == sum(users) - len(dialogues)
    judge = next(group for group, _ in found if group.startswith("fidelity:judge@"))
    assert found[judge, "first turns aligned"]["value"] == 1
    thirds = sum(count == 3 for count in users)
    assert found[judge, "later turns aligned"]["value"] == pytest.approx(1 - thirds / (sum(users) - len(dialogues)))
    assert found[f"{judge} error: withholds_information", "of the turns not aligned"]["value"] == 1
    asked = [task for task in made.reviews.tasks.values() if task.turn is not None]
    # Long information stands before the user's first turn, so that its place is not always 0.
    later = [task for task in asked if task.turn > 1]
    bad = sum(int(task.id, 16) % 5 == 0 for task in later)
    assert found["people", "later turns aligned"]["n"] == len(later)
    assert found["people", "later turns aligned"]["value"] == pytest.approx(1 - bad / len(later))
    results = read_results(made.folder / "r")
    assert [one.by.partition(":")[0] for one in results.fidelity] == ["rules", "fidelity", "fidelity"]


def test_marks_of_the_user_change_no_figure_of_the_assistants(made):
    """The same run without the judge of the user has the same measures, health and reasons for review."""
    text = (made.folder / "spec.toml").read_text("utf-8").replace(', "fidelity"', "")
    (made.folder / "plain.toml").write_text(text, "utf-8")
    assert made.run("run", "plain.toml", "--out", "plain", "--quiet").code == 0
    one, other = (read_results(made.folder / name) for name in ("r", "plain"))
    assert one.assistants == other.assistants
    assert one.review == other.review
    assert one.decided_by == other.decided_by == "pairwise, checklist"


def test_the_ledger_is_whole_and_what_does_not_fit_is_refused(made):
    """Marks of every kind pass the ledger's check; an answer to another question, or an unknown error, does not get in."""
    check = made.run("ledger", "check", "r")
    assert check.code == 0, check.out
    task = next(one for one in made.reviews.tasks.values() if one.judged)
    mark = ("review", "mark", "r", task.id, "--rater", "dora")
    assert "asks about a judge's decision" in made.run(*mark, "--score", "50").err
    assert "expected one of missed_point" in made.run(*mark, "--wrong", "--error", "odd").err
    assert "not marked wrong" in made.run(*mark, "--right", "--error", "other").err
    assert made.run(*mark, "--cannot-say").code == 0
    assert RunFolder(made.folder / "r").marks.is_file()
    assert "no judge 'nobody' spoke" in made.run("review", "draw", "r", "--ask", "points", "--judge", "nobody").err


def test_a_table_with_odd_answers_names_its_line(made):
    """Yes and no alone; a mark needs its rater."""
    file = made.folder / "odd.csv"
    file.write_text("task,rater,right,referred\nx,anna,maybe,\n", "utf-8")
    assert "odd.csv:2: field `right`: 'maybe'; expected yes or no" in made.run("review", "import", "r", str(file)).err
    file.write_text("task,rater,right\nx,,yes\n", "utf-8")
    assert "expected a name" in made.run("review", "import", "r", str(file)).err


def test_the_next_task_is_shown_with_what_the_judge_said(made):
    """On the terminal, by kind: the point that is asked about, the judge's words, and the line to type."""
    shutil.copytree(made.folder / "fresh", made.folder / "next", dirs_exist_ok=True)
    assert (
        json.loads(made.run("review", "next", "next", "--rater", "a", "--kind", "points", "--json").out)["task"] is None
    )
    drawn = made.run("review", "draw", "next", "--ask", "points", "--size", "12", "--judge", "checklist")
    assert "judgements of checklist:judge" in drawn.out
    shown = made.run("review", "next", "next", "--rater", "dora", "--kind", "points").out
    assert "what the judge said" in shown
    assert "--referred|--not-referred --right|--wrong" in shown


def test_a_wide_table_is_read_on_a_narrow_terminal(capsys, monkeypatch):
    """Each figure on a line of its own where nine columns would be cut to pieces; side by side where they fit."""
    one = Estimate(value=0.5, low=0.25, high=0.75, n=10)
    measures = ("referred to", "judged right", "people agree", "Fleiss kappa", "Krippendorff alpha")
    found = Validation(name="points", question="?", figures=tuple(Figure("mandatory", name, one) for name in measures))
    monkeypatch.setenv("COLUMNS", "80")
    show_validations((found,))
    assert "    Krippendorff alpha  50.0 [25.0, 75.0] n=10\n" in capsys.readouterr().out
    show_validations((msgspec.structs.replace(found, figures=found.figures[:2]),))
    assert any(line.count("50.0 [25.0, 75.0] n=10") == 2 for line in capsys.readouterr().out.splitlines())
