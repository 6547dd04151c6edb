"""The blind order has a secret of its own, which is in no ledger."""

from __future__ import annotations

import shutil
import stat

import pytest

from benchbar.ledger import Ledger
from benchbar.ledger.blinding import secret_file, task_names
from benchbar.ledger.check import check
from benchbar.ledger.copy import copy
from benchbar.ledger.opening import open_store
from benchbar.ledger.reviews import add_mark, add_plan, read_reviews
from benchbar.records import COMPARED, Mark, ReviewPlan, ReviewTask
from benchbar.records.errors import LedgerError
from benchbar.scoring.people import human_marks

COUNT = 40


def plan(name, fingerprint: str = "f") -> ReviewPlan:
    """Dialogues about forty samples, each held against the reference's."""
    tasks = tuple(
        ReviewTask(
            id=name("compare", "suite", str(n), "a")[:12],
            sample=str(n),
            assistant="a",
            reasons=("audit",),
            probability=1.0,
            against="base",
        )
        for n in range(COUNT)
    )
    frame = {"a": {str(n): 1.0 if fingerprint == "f" else 0.5 for n in range(COUNT)}}
    return ReviewPlan(tasks=tasks, frame=frame, seed=1, fingerprint=fingerprint, measure=COMPARED)


@pytest.fixture
def path(tmp_path):
    """A ledger with a plan and a mark."""
    ledger = Ledger(tmp_path / "run" / "ledger.sqlite")
    ledger.plan([])
    add_plan(ledger.store, plan(task_names(ledger.store)))
    first = read_reviews(ledger.store).plans[0].tasks[0]
    add_mark(ledger.store, Mark(task=first.id, rater="ann", value=1.0))
    ledger.close()
    return tmp_path / "run" / "ledger.sqlite"


def order(path) -> list[bool]:
    store = open_store(path, writable=False)
    reviews = read_reviews(store)
    store.close()
    return [reviews.sides(task)[0] == "a" for task in reviews.tasks.values()]


def test_only_its_owner_may_read_it(path):
    """From its first byte on."""
    assert stat.S_IMODE(secret_file(path).stat().st_mode) == 0o600
    assert len(secret_file(path).read_bytes()) == 32


def test_nothing_in_the_ledger_determines_the_order(path):
    """The same ledger with another secret shows other sides: each is as likely as the other, whatever the rows say."""
    shown = []
    for n in range(20):
        secret_file(path).write_bytes(bytes([n]) * 32)
        shown.append(order(path))
    for task in range(COUNT):
        assert {sides[task] for sides in shown} == {True, False}
    assert 0.4 < sum(map(sum, shown)) / (20 * COUNT) < 0.6


def test_two_runs_of_one_spec_have_other_tasks_and_another_order(path, tmp_path):
    """A rater who knows one run, or computes its tasks' names from suite and assistants, learns nothing of the other."""
    other = Ledger(tmp_path / "other" / "ledger.sqlite")
    add_plan(other.store, plan(task_names(other.store)))
    names = set(read_reviews(other.store).tasks)
    other.close()
    store = open_store(path, writable=False)
    assert names.isdisjoint(read_reviews(store).tasks)
    store.close()
    assert order(path) != order(tmp_path / "other" / "ledger.sqlite")


def test_a_published_ledger_is_whole_and_its_marks_count_without_the_secret(path, tmp_path):
    """What people said is derived again; only the order cannot be told, and no other one is put in its place."""
    public = tmp_path / "public"
    public.mkdir()
    shutil.copy(path, public)
    assert check(public / "ledger.sqlite").ok
    store = open_store(public / "ledger.sqlite", writable=False)
    reviews = read_reviews(store)
    assert human_marks(reviews)["a"].compared.values == {"0": 1.0}
    with pytest.raises(LedgerError, match=r"ledger\.secret: the secret of the blind order is missing.*Copy it"):
        reviews.sides(reviews.plans[0].tasks[0])
    store.close()


def test_a_run_that_is_derived_anew_without_the_secret_keeps_its_plan_and_draws_no_new_one(path):
    """The plan is known by its fingerprint; tasks of a new one would be named differently from those that stand."""
    secret_file(path).unlink()
    ledger = Ledger(path)
    assert not add_plan(ledger.store, plan(task_names(ledger.store)))
    with pytest.raises(LedgerError, match="blind order is missing"):
        add_plan(ledger.store, plan(task_names(ledger.store), "another"))
    assert not secret_file(path).exists()
    assert len(read_reviews(ledger.store).plans) == 1
    ledger.close()


def test_a_copy_takes_it_along_in_a_file_of_its_own(path, tmp_path):
    """The copy takes the run's place: reviewers see the same order there."""
    before = order(path)
    copy(path, tmp_path / "copy" / "ledger.sqlite")
    assert order(tmp_path / "copy" / "ledger.sqlite") == before
    assert stat.S_IMODE(secret_file(tmp_path / "copy" / "ledger.sqlite").stat().st_mode) == 0o600


def test_it_goes_to_a_database_and_back(path, tmp_path, postgres):
    """There it has a table that is no part of the ledger."""
    before = order(path)
    copy(path, f"{postgres}?run=blind")
    assert order(f"{postgres}?run=blind") == before
    copy(f"{postgres}?run=blind", tmp_path / "back" / "ledger.sqlite")
    assert order(tmp_path / "back" / "ledger.sqlite") == before


def test_a_damaged_secret_is_named(path):
    """A shorter one would shuffle the sides anew."""
    secret_file(path).write_bytes(b"short")
    with pytest.raises(LedgerError, match="expected 32 bytes"):
        order(path)


def test_a_ledger_of_schema_4_keeps_the_order_that_its_own_secret_gave(path):
    """Its tasks were handed out under it; nothing is written beside it."""
    before, secret = order(path), secret_file(path).read_bytes()
    secret_file(path).unlink()
    ledger = Ledger(path)
    ledger.store.set_meta("schema_version", b"4")
    ledger.store.set_meta("secret", secret)
    assert add_plan(ledger.store, plan(task_names(ledger.store), "another"))
    ledger.close()
    assert order(path) == before
    assert not secret_file(path).exists()
