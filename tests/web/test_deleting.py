"""A matter that is deleted is gone, and what remains of it was told; who marks is seen with their pace."""

from __future__ import annotations

import shutil
import sqlite3
import time

import pytest

from benchbar.ledger.reviews import Reviews
from benchbar.measures.raters import with_others
from benchbar.records import KeptMark, Mark, ReviewPlan, ReviewTask, encode
from benchbar.runs import background
from benchbar.web.practice_store import TABLES
from benchbar.web.run_queues import queue_id
from support.marking import action_of, mark, queue_path


@pytest.fixture
def anna(owner, visit, graded):
    """A reviewer who has marked one dialogue."""
    person = visit()
    person.sign_in("Anna", owner.add("Anna", "reviewer"))
    assert mark(person, "70", "a client's secret").status_code == 303
    return person


def test_a_deleted_matter_is_gone_from_disk_and_database(owner, anna, graded, runs):
    """Folder, index, marks, drafts, members and title go; the log's lines stay, and say nothing of what was written."""
    shutil.copytree(graded, runs / "other")
    owner.post(f"/queues/{graded.name}/matter", {"title": "Secret AG"}, form="/people")
    owner.get(f"/runs/{graded.name}/samples")
    anna.get("/review")
    shown = owner.get(f"/runs/{graded.name}/delete").text
    assert "Marks: 1, by 1 person," in shown
    answer = owner.post(
        f"/runs/{graded.name}/delete", {"confirmed": graded.name}, form="/people", follow_redirects=False
    )
    assert answer.status_code == 303, answer.text
    assert not graded.exists()
    assert owner.get(f"/runs/{graded.name}").status_code == 404
    assert owner.get("/runs/other").status_code == 200
    own = runs / ".benchbar"
    assert not list((own / "deleted").iterdir())
    rows = sqlite3.connect(own / "web.sqlite")
    queue = queue_id(owner.client.app.state.web, graded.name)
    for table, column, value in (
        ("matter", "run", graded.name), ("member", "run", graded.name), ("lease", "queue", queue), ("done", "queue", queue),
        ("skipped", "queue", queue), *((table, "queue", queue) for table in TABLES),
    ):  # fmt: skip
        assert rows.execute(f"SELECT count(*) FROM {table} WHERE {column} = ?", (value,)).fetchone() == (0,), table
    log = owner.get("/log").text
    assert "deleted a run" in log
    assert "client&#39;s secret" not in log


def test_nothing_that_was_written_in_a_deleted_matter_is_left_on_disk(owner, visit, graded, runs):
    """Not in the database's free pages, not in its write-ahead file, not in an index: what anybody wrote is searched for byte by byte."""
    written = {
        name: f"{name}-of-the-client-{number}"
        for number, name in enumerate(("reason", "draft", "skip", "note", "tag", "title"), start=7_000)
    }
    answered = (graded / "dialogues.jsonl").read_text("utf-8").partition('"content":"')[2][:40].partition("\\")[0]
    anna, bo = visit(), visit()
    for one, name in ((anna, "Anna"), (bo, "Bo")):
        one.sign_in(name, owner.add(name, "reviewer"))
    assert mark(anna, "70", written["reason"]).status_code == 303
    # Long enough to fill pages of their own, which are given back whole.
    long = 200 * f"{written['draft']} "
    for person, rest, fields in ((anna, "/draft", {"reason": long}), (bo, "/skip", {"reason": written["skip"]})):
        path = queue_path(person)
        action = action_of(person.get(path).text)
        assert person.post(f"{action}{rest}", fields, form=path, follow_redirects=False).status_code in {204, 303}
    owner.post(f"/runs/{graded.name}/notes", {"note": written["note"], "tags": written["tag"]}, form="/people")
    owner.post(f"/queues/{graded.name}/matter", {"title": written["title"]}, form="/people")
    owner.get(f"/runs/{graded.name}/samples", params={"said": answered[:8]})
    # The ledger packs what it holds; all else stands there as it was written.
    assert {name for name, text in written.items() if found_in(runs, text)} == set(written) - {"reason"}
    assert len(answered) > 20
    assert found_in(runs, answered)
    owner.post(f"/runs/{graded.name}/delete", {"confirmed": graded.name}, form="/people")
    assert not graded.exists()
    for text in (*written.values(), answered):
        assert found_in(runs, text) == []


def found_in(folder, text: str) -> list[str]:
    """The files in which a text stands."""
    return [str(one) for one in folder.rglob("*") if one.is_file() and text.encode() in one.read_bytes()]


def test_nothing_is_deleted_by_mistake(owner, graded, runs):
    """Not without the name as it stands, not while a run is under way, not by a link that leads elsewhere."""
    for typed in ("", graded.name.upper(), f"{graded.name}/", "../x"):
        answer = owner.post(f"/runs/{graded.name}/delete", {"confirmed": typed}, form="/people")
        assert answer.status_code == 400
    (runs / "linked").symlink_to(graded)
    answer = owner.post("/runs/linked/delete", {"confirmed": "linked"}, form="/people", follow_redirects=False)
    assert answer.status_code == 303
    assert not (runs / "linked").is_symlink()
    assert (graded / "results.json").is_file()
    control = runs / ".benchbar" / "started" / graded.name
    control.mkdir(parents=True)
    (control / background.STARTED).write_bytes(encode(background.Started(time.time())))
    answer = owner.post(f"/runs/{graded.name}/delete", {"confirmed": graded.name}, form="/people")
    assert answer.status_code == 409
    assert graded.is_dir()


def test_only_owners_delete(owner, graded, visit):
    """Nobody else sees the page or may send its form."""
    for role in ("viewer", "reviewer"):
        guest = visit()
        guest.sign_in(role, owner.add(role, role))
        path = f"/runs/{graded.name}/delete"
        assert guest.get(path).status_code == 403
        assert guest.post(path, {"confirmed": graded.name}).status_code == 403
    assert owner.client.post(path, data={"confirmed": graded.name}).status_code == 403
    assert graded.is_dir()


def test_a_matter_that_is_kept_too_long_is_told_of(owner, graded, visit):
    """On the list of runs, for owners alone, under a new title as well; a day that is none is refused, and nothing goes by itself."""
    path = f"/queues/{graded.name}/matter"
    assert owner.post(path, {"keep_until": "soon"}, form="/people").status_code == 400
    owner.post(path, {"keep_until": "2999-01-31", "title": "New"}, form="/people")
    with owner.client.app.state.web.database.transaction() as now:
        now.run("UPDATE matter SET keep_until = ?", "2020-01-31")
    assert owner.post(path, {"keep_until": "2020-01-31", "title": "Old"}, form="/people").status_code == 200
    assert "Old" in owner.get(f"/queues/{graded.name}").text
    assert "was to be kept no longer" in owner.get("/runs").text
    viewer = visit()
    viewer.sign_in("Vera", owner.add("Vera", "viewer"))
    assert "was to be kept no longer" not in viewer.get("/runs").text
    owner.post(path, {"keep_until": "2999-01-31", "title": "Old"}, form="/people")
    assert "was to be kept no longer" not in owner.get("/runs").text
    assert graded.is_dir()


@pytest.mark.parametrize(
    ("language", "cause", "cure"),
    [
        ("en", "is past", "or delete the matter now"),
        ("zh", "已经过去", "现在就删除"),
        ("zh-Hant", "已經過去", "現在就刪除"),
        ("ru", "уже прошёл", "удалите дело"),
    ],
)
def test_a_matter_is_not_kept_until_a_day_that_is_past(owner, graded, language, cause, cure):
    """Refused with cause and cure, and the day of before stays."""
    path = f"/queues/{graded.name}/matter"
    owner.post(path, {"keep_until": "2999-01-31"}, form="/people")
    owner.client.cookies.set("benchbar_language", language, domain="localhost.local")
    answer = owner.post(path, {"keep_until": "2020-01-31", "title": "Old"}, form="/people")
    assert answer.status_code == 400
    assert cause in answer.text
    assert cure in answer.text
    assert "2020-01-31" in answer.text
    assert 'value="2999-01-31"' in owner.get(f"/queues/{graded.name}").text


def test_the_owner_sees_how_each_reviewer_gets_on(owner, anna, graded):
    """Marks, time of one, the last one."""
    shown = owner.get(f"/queues/{graded.name}").text
    row = shown[shown.index('<th scope="row">Anna</th>') :].split("</tr>")[0]
    assert row.count("<td") == 5
    assert " s</td>" in row


def test_agreement_with_the_others_is_a_share_of_tasks():
    """Three people on two tasks: who says the same band as half of the others has half a point."""
    tasks = tuple(
        ReviewTask(id=f"t{n}", sample=f"s{n}", assistant="a", annotators=3, reasons=("audit",), probability=1.0)
        for n in range(2)
    )
    given = {"Ann": (0.9, 0.1), "Bo": (0.95, 0.6), "Cy": (0.2, 0.05)}
    marks = [
        KeptMark(number=number, at=0.0, mark=Mark(task=f"t{task}", rater=rater, value=value))
        for number, (rater, task, value) in enumerate(
            ((rater, task, value) for rater, values in given.items() for task, value in enumerate(values)), start=1
        )
    ]
    found = with_others(Reviews([ReviewPlan(tasks=tasks, frame={}, seed=0, fingerprint="f")], marks))
    assert {name: one.value for name, one in found.items()} == {"Ann": 0.5, "Bo": 0.25, "Cy": 0.25}
    assert found["Ann"].n == 2
