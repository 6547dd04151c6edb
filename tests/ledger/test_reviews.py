"""Plans and marks in the ledger: what stands, what is settled, and what the check finds in them."""

from __future__ import annotations

import sqlite3

import pytest

from benchbar.ledger import Ledger
from benchbar.ledger.check import check, summary
from benchbar.ledger.opening import open_store
from benchbar.ledger.packing import pack, seal
from benchbar.ledger.reviews import Reviews, add_mark, add_marks, add_plan, read_reviews
from benchbar.records import KeptMark, Mark, ReviewPlan, ReviewTask
from benchbar.records.errors import LedgerError, UserError


def task(name: str, *, annotators: int = 1, against: str = "") -> ReviewTask:
    return ReviewTask(
        id=name, sample=name, assistant="a", reasons=("audit",), probability=0.5, annotators=annotators, against=against
    )


def plan(*tasks: ReviewTask, agree: float = 0.15, fingerprint: str = "f") -> ReviewPlan:
    return ReviewPlan(
        tasks=tasks, frame={"a": {one.id: 0.5 for one in tasks}}, seed=1, fingerprint=fingerprint, agree=agree
    )


def of(*marks: Mark, plans: tuple[ReviewPlan, ...]) -> Reviews:
    return Reviews(plans, [KeptMark(number=number, at=0.0, mark=mark) for number, mark in enumerate(marks, start=2)])


def given(value: float | None, rater: str = "ann", **more) -> Mark:
    return Mark(task="t", rater=rater, value=value, **more)


TWO = plan(task("t", annotators=2))
STATUS = {
    "one of two marks": ((given(0.5),), ("open", None)),
    "within what may lie between": ((given(0.5), given(0.65, "bob")), ("settled", 0.575)),
    "further apart": ((given(0.5), given(0.66, "bob")), ("differ", None)),
    "one cannot say": ((given(0.5), given(None, "bob")), ("differ", None)),
    "a third settles it": ((given(0.1), given(0.9, "bob"), given(0.6, "eve", adjudication=True)), ("settled", 0.6)),
    "a third cannot": ((given(0.1), given(0.9, "bob"), given(None, "eve", adjudication=True)), ("disputed", None)),
    "settled before it was marked twice": ((given(0.3), given(0.4, "eve", adjudication=True)), ("settled", 0.4)),
    "corrected": ((given(0.1), given(0.9, "bob"), given(0.8, corrects=2)), ("settled", 0.85)),
}


@pytest.mark.parametrize(("marks", "status"), STATUS.values(), ids=STATUS)
def test_marks_settle_a_task_where_they_agree(marks, status):
    """As many as were asked for, none without a value, and no further apart than the plan allows; else somebody settles it."""
    found, value = of(*marks, plans=(TWO,)).status(TWO.tasks[0])
    assert (found, value) == (status[0], pytest.approx(status[1]) if status[1] is not None else None)


def test_a_task_waits_until_enough_people_have_marked_it():
    """A correction is nobody's second mark; an adjudication ends the waiting; who marked what is known by person."""
    first = given(0.1)
    assert "t" in of(first, given(0.2, corrects=2), plans=(TWO,)).waiting
    assert "t" not in of(first, given(0.2, "bob"), plans=(TWO,)).waiting
    settled = of(first, given(0.2, "eve", adjudication=True), plans=(TWO,))
    assert "t" not in settled.waiting
    assert set(settled.of_rater) == {"ann"}
    assert settled.of_rater["ann"]["t"].number == 2


def test_a_task_that_is_planned_again_keeps_its_first_bounds():
    """How far apart marks may be is not moved once people were asked."""
    reviews = Reviews([plan(task("t"), agree=0.1), plan(task("t"), task("u"), agree=0.5)])
    assert (reviews.agree("t"), reviews.agree("u")) == (0.1, 0.5)
    assert list(reviews.tasks) == ["t", "u"]


def test_a_single_dialogue_has_one_side_and_a_comparison_needs_its_ledger():
    """Without the secret of the order no side is guessed."""
    assert Reviews().sides(task("t")) == ("a",)
    assert Reviews().outcome(task("t"), 0.25) == 0.25
    with pytest.raises(LedgerError, match="follow one first"):
        Reviews().sides(task("t", against="base"))


@pytest.fixture
def store(tmp_path):
    """A ledger in a file, open."""
    ledger = Ledger(tmp_path / "ledger.sqlite")
    ledger.plan([])
    yield ledger.store
    ledger.close()


def test_the_same_plan_is_kept_once(store):
    """By its fingerprint, or by its tasks and frame under another one."""
    assert add_plan(store, plan(task("t")))
    assert not add_plan(store, plan(task("u"), fingerprint="f"))
    assert not add_plan(store, plan(task("t"), fingerprint="g"))
    assert add_plan(store, plan(task("u"), fingerprint="g"))
    assert [one.fingerprint for one in read_reviews(store).plans] == ["f", "g"]


def test_what_nobody_may_mark_is_refused(store):
    """Unknown tasks, a second mark, a correction of nothing, values between in a comparison, and judges in their own cause."""
    add_plan(store, plan(task("t"), task("pair", against="base"), task("u")))
    number = add_mark(store, given(0.5))
    refused = [
        (Mark(task="x", rater="ann", value=0.5), False, "unknown task 'x'"),
        (given(0.6), False, "marked task t before"),
        (given(0.6, "bob"), True, "no mark of task t to correct"),
        (
            Mark(task="pair", rater="ann", value=0.7),
            False,
            "a score of 70; expected 100 .the first is better., 50",
        ),
        (given(0.6, adjudication=True), False, "cannot settle it"),
    ]
    for mark, correct, message in refused:
        with pytest.raises(UserError, match=message):
            add_mark(store, mark, correct=correct)
    add_mark(store, Mark(task="pair", rater="ann", value=0.5))
    assert add_mark(store, given(0.7), correct=True) > number
    assert [one.mark.value for one in read_reviews(store).standing("t")] == [0.7]
    add_mark(store, given(0.4, "eve", adjudication=True))
    with pytest.raises(UserError, match="before"):
        add_mark(store, given(0.4, "eve", adjudication=True))


def test_a_file_of_marks_is_kept_whole_or_not_at_all(store):
    """A person who marks a task twice in it, or did before, leaves nothing behind."""
    add_plan(store, plan(task("t"), task("u")))
    with pytest.raises(UserError, match="ann marks task t twice"):
        add_marks(store, [given(0.5), given(0.6)])
    assert read_reviews(store).marks == []
    add_marks(store, [given(0.5), given(0.6, "bob"), Mark(task="u", rater="ann", value=0.1)])
    with pytest.raises(UserError, match="before"):
        add_marks(store, [Mark(task="u", rater="bob", value=0.1), given(0.6)])
    assert len(read_reviews(store).marks) == 3


@pytest.fixture
def marked(tmp_path):
    """A closed ledger with a plan as review 1 and four marks after it."""
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger(path)
    ledger.plan([])
    add_plan(ledger.store, plan(task("t"), task("u")))
    add_marks(ledger.store, [given(0.5), given(0.6, "bob"), Mark(task="u", rater="ann", value=0.1)])
    add_mark(ledger.store, given(0.7), correct=True)
    ledger.close()
    return path


def test_whole_reviews_are_found_whole(marked):
    """Five reviews under one chain of seals."""
    assert check(marked).problems == ()


DAMAGE = {
    "one taken out": ("DELETE FROM review WHERE id = 3", ["reviews 3 to 3 are missing", "review 4: altered"]),
    "two taken out": ("DELETE FROM review WHERE id IN (2, 3)", ["reviews 2 to 3 are missing", "review 4: altered"]),
    "the last taken out": ("DELETE FROM review WHERE id = 5", ["4 reviews; 5 were stated"]),
    "a time altered": ("UPDATE review SET at = at + 1 WHERE id = 2", ["review 2: altered"]),
}


@pytest.mark.parametrize(("statement", "expected"), DAMAGE.values(), ids=DAMAGE)
def test_damage_to_reviews_is_named_by_number(marked, statement, expected):
    """What is missing and what was altered, and nothing else."""
    with sqlite3.connect(marked) as db:
        table = next(name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'review%'"))
        db.execute(statement.replace("review", table, 1))
    db.close()
    problems = [one for one in check(marked).problems if "review" in one]
    assert len(problems) == len(expected)
    assert all(found.startswith(start) for found, start in zip(problems, expected, strict=True))


FORGED = {
    "an unknown kind": ("note", given(0.1), "review 6: of unknown kind 'note'"),
    "a task nobody asked about": (
        "mark",
        Mark(task="x", rater="eve", value=0.1),
        "mark 6: nobody was asked about task x",
    ),
    "a second mark": ("mark", given(0.1, "bob"), "mark 6: bob marked task t before (mark 3) and does not correct it"),
    "a correction of what is corrected": ("mark", given(0.1, corrects=2), "mark 6: ann marked task t before (mark 5)"),
}


@pytest.mark.parametrize(("kind", "mark", "problem"), FORGED.values(), ids=FORGED)
def test_what_our_commands_would_not_have_written_is_found(marked, kind, mark, problem):
    """Rightly sealed and counted, and still not what people may say."""
    store = open_store(marked, session=False)
    before = list(store.reviews())[-1][-1]
    store.close()
    row = (6, kind, 0.0, pack(mark))
    with sqlite3.connect(marked) as db:
        table = next(name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'review%'"))
        db.execute(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", (*row, seal(*row, before)))
        db.execute("UPDATE meta SET value = ?, seal = ? WHERE name = 'reviews'", (b"6", seal("reviews", b"6")))
    db.close()
    problems = [one for one in check(marked).problems if "6" in one]
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_the_summary_counts_and_lists(marked):
    """Whole or the number of problems first, then what was planned, then each problem and note."""
    assert summary(check(marked)).splitlines() == [
        "ledger is complete: 0 calls, 0 completed, 0 failed, 0 unknown",
        "0 of 0 planned items finished",
    ]
    with sqlite3.connect(marked) as db:
        db.execute("DELETE FROM meta WHERE name = 'reviews'")
    db.close()
    lines = summary(check(marked)).splitlines()
    assert lines[0].startswith("ledger has 1 problem(s)")
    assert lines[2:] == ["  problem: 5 reviews; 0 were stated"]
