"""The queue without any page: who is given what, until when, and what becomes of it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchbar.ledger import Ledger
from benchbar.ledger.check import check
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import Reviews, add_mark, add_plan, read_reviews
from benchbar.records import COMPARED, JudgedPoint, Mark, ReviewPlan, ReviewTask
from benchbar.records.errors import UserError
from benchbar.web import audit, leases, practice_store
from benchbar.web.database import migrate, open_database
from benchbar.web.mark_stream import MarkStream
from benchbar.web.queue import HOLD, Judgement, Queue, TakenError, next_task


def plan(count: int, *, annotators: int = 1, against: str = "") -> ReviewPlan:
    return ReviewPlan(
        tasks=tuple(
            ReviewTask(
                id=f"t{number}",
                sample=f"s{number}",
                assistant="a",
                reasons=("audit",),
                probability=1.0,
                annotators=annotators,
                against=against,
            )
            for number in range(count)
        ),
        frame={"a": {f"s{number}": 1.0 for number in range(count)}},
        seed=0,
        fingerprint=f"{count} {annotators} {against}",
        measure=COMPARED if against else "overall",
    )


class Bench:
    """A queue with a clock that stands until it is moved, in either kind of database."""

    def __init__(self, folder, address: str, **planned) -> None:
        self.folder, self.now = folder, 1000.0
        if address:
            # Marks and leases in the same database: the ledger of the run lies there as well.
            (folder / "run.json").write_text(json.dumps({"spec": {"ledger": f"{address}?run=q"}}), "utf-8")
        ledger = Ledger(ledger_of(folder))
        ledger.plan([])
        add_plan(ledger.store, plan(**planned))
        ledger.close()
        self.database = open_database(address, folder / "web.sqlite")
        migrate(self.database, {"review": leases.SCHEMA, "practice": practice_store.SCHEMA, "audit": audit.SCHEMA})
        self.streams = [MarkStream(folder)]
        self.queue = self.worker()

    def worker(self) -> Queue:
        """A queue over the same run as another process would have it."""
        if hasattr(self, "queue"):
            self.streams.append(MarkStream(self.folder))
        return Queue("q", self.streams[-1], self.database, clock=lambda: self.now)

    def reviews(self) -> Reviews:
        store = open_store(ledger_of(self.folder), writable=False)
        try:
            return read_reviews(store)
        finally:
            store.close()

    def close(self) -> None:
        for stream in self.streams:
            stream.close()
        self.database.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def bench(request, tmp_path):
    """Makes benches in both kinds of database."""
    address = request.getfixturevalue("postgres") if request.param == "postgresql" else ""
    made: list[Bench] = []

    def make(**planned) -> Bench:
        made.append(Bench(tmp_path, address, **planned))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_each_task_goes_to_as_many_as_the_plan_asks_and_never_to_one_twice(bench):
    """Two of three people get the first task, the third gets the next; whoever asks again gets their own."""
    queue = bench(count=2, annotators=2).queue
    held = {rater: queue.take(rater)[1].id for rater in ("ann", "bo", "chen")}
    assert held == {"ann": "t0", "bo": "t0", "chen": "t1"}
    assert queue.take("ann")[1].id == "t0"
    queue.mark("ann", queue.take("ann")[0].nonce, Judgement(0.8, "good"))
    assert queue.take("ann")[1].id == "t1"
    assert queue.take("dora") is None
    assert queue.progress("ann").own.all == 1


def test_checks_of_judge_and_user_are_handed_out_by_kind(bench):
    """Who asks for points or turns gets those first, and goes on with anything else; what lies in their hands stays theirs."""
    made = bench(count=1)
    fields = {"sample": "s0", "assistant": "a", "reasons": ("validation",), "probability": 1.0}
    judged = JudgedPoint(point="p1", category="mandatory", form="checklist", judge="checklist:j")
    tasks = (ReviewTask(id="point", judged=judged, **fields), ReviewTask(id="turn", turn=0, **fields))
    store = open_store(ledger_of(made.folder), session=False)
    add_plan(store, ReviewPlan(tasks=tasks, frame={"a": {"s0": 1.0}}, seed=0, fingerprint="checked"))
    store.close()
    assert made.queue.progress("bo").kinds == {"dialogues": 1, "points": 1, "turns": 1}
    assert made.queue.take("bo")[1].id == "t0"
    lease, task = made.queue.take("bo", "turns")
    assert task.id == "turn"
    assert made.queue.take("bo", "dialogues")[1].id == "t0"
    made.queue.mark("bo", lease.nonce, Judgement(0.0, "it knows no date", error="invents_facts"))
    # No turn is left: the task in their hands comes back before a new one.
    assert made.queue.take("bo", "turns")[1].id == "t0"
    lease, task = made.queue.take("bo", "points")
    made.queue.mark("bo", lease.nonce, Judgement(1.0, referred=False))
    marks = {one.mark.task: one.mark for one in made.streams[0].ask(lambda reviews: list(reviews.marks))}
    assert (marks["turn"].value, marks["turn"].error, marks["turn"].referred) == (0.0, "invents_facts", None)
    assert (marks["point"].value, marks["point"].error, marks["point"].referred) == (1.0, "", False)
    progress = made.queue.progress("bo")
    assert (progress.own.all, progress.kinds) == (2, {"dialogues": 1})


def test_a_lease_runs_out_and_the_task_goes_to_somebody_else(bench):
    """Who left it alone is told, their mark is not kept; who goes on writing keeps it."""
    made = bench(count=1)
    queue = made.queue
    lease, _ = queue.take("ann")
    made.now += HOLD - 1
    queue.save("ann", lease.nonce, '{"score":"70"}')
    made.now += HOLD - 1
    assert queue.take("bo") is None
    made.now += 2
    other, task = queue.take("bo")
    assert task.id == "t0"
    for late in (lambda: queue.save("ann", lease.nonce, "{}"), lambda: queue.mark("ann", lease.nonce, Judgement(0.1))):
        with pytest.raises(TakenError):
            late()
    queue.mark("bo", other.nonce, Judgement(0.9))
    assert [one.mark.rater for one in made.reviews().marks] == ["bo"]


def test_a_lease_that_ran_out_is_taken_up_again_where_nobody_else_came(bench):
    """A long lunch costs nothing: the draft is there, and the mark counts."""
    made = bench(count=1)
    queue = made.queue
    lease, _ = queue.take("ann")
    queue.save("ann", lease.nonce, '{"score":"70"}')
    made.now += 10 * HOLD
    again, _ = queue.take("ann")
    assert (again.nonce, again.draft) == (lease.nonce, '{"score":"70"}')
    made.now += 10 * HOLD
    queue.mark("ann", lease.nonce, Judgement(0.7))
    assert made.reviews().status(made.reviews().tasks["t0"]) == ("settled", 0.7)


def test_the_same_mark_sent_twice_is_kept_once(bench):
    """A second click, a second try of the browser, and a crash between ledger and database."""
    made = bench(count=2)
    queue = made.queue
    lease, _ = queue.take("ann")
    with ThreadPoolExecutor(4) as threads:
        told = list(threads.map(lambda _: queue.mark("ann", lease.nonce, Judgement(0.6, "fine")), range(4)))
    assert told == ["t0"] * 4
    assert queue.take("ann")[1].id == "t1"
    # The ledger has a mark that the database knows nothing of: the process died in between.
    lease, _ = queue.take("ann")
    made.streams[0].mark(Mark(task="t1", rater="ann", value=0.5))
    queue.mark("ann", lease.nonce, Judgement(0.5))
    assert [(one.mark.task, one.mark.value) for one in made.reviews().marks] == [("t0", 0.6), ("t1", 0.5)]
    assert queue.take("ann") is None


def test_many_at_once_in_several_processes_lose_and_double_nothing(bench):
    """Eight people, two workers: every task is marked by exactly two, and the ledger is whole."""
    made = bench(count=24, annotators=2)
    workers = [made.queue, made.worker()]
    given: list[tuple[str, str]] = []
    lock = threading.Lock()

    def work(number: int) -> None:
        rater = f"rater-{number}"
        for step in range(100):
            found = workers[(number + step) % 2].take(rater)
            if found is None:
                return
            workers[(number + step + 1) % 2].mark(rater, found[0].nonce, Judgement(number / 10))
            with lock:
                given.append((found[1].id, rater))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    kept = [(one.mark.task, one.mark.rater) for one in made.reviews().marks]
    assert sorted(kept) == sorted(given)
    assert set(Counter(task for task, _ in kept).values()) == {2}
    assert len(set(kept)) == len(kept) == 48
    assert check(ledger_of(made.folder)).ok


def test_a_task_passed_over_goes_to_others_and_comes_back_on_request(bench):
    """With the reason for the owner; a skip without one is refused."""
    made = bench(count=1)
    queue = made.queue
    lease, _ = queue.take("ann")
    with pytest.raises(UserError, match="why"):
        queue.skip("ann", lease.nonce, "  ")
    queue.skip("ann", lease.nonce, "my own client")
    assert queue.take("ann") is None
    assert queue.progress("ann").skipped == 1
    assert queue.take("bo")[1].id == "t0"
    with made.database.transaction() as now:
        assert [tuple(row) for row in leases.skipped(now, "q")] == [("t0", "ann", "my own client")]
    assert queue.take_up("ann") == 1
    made.now += HOLD + 1
    assert queue.take("ann")[1].id == "t0"


def test_marks_made_elsewhere_count_at_once(bench):
    """A mark from the command line, or another process, takes the task out of the queue."""
    made = bench(count=2)
    ledger = Ledger(ledger_of(made.folder))
    add_mark(ledger.store, Mark(task="t0", rater="on the terminal", value=0.5))
    ledger.close()
    assert made.queue.take("ann")[1].id == "t1"


def test_what_is_said_of_the_sides_becomes_a_value_of_the_candidate(bench):
    """Sides are shuffled by the run's secret: whichever stands first, the better candidate gets 1."""
    made = bench(count=20, against="reference")
    sides = {task: made.reviews().sides(made.reviews().tasks[task]) for task in made.reviews().tasks}
    assert set(sides.values()) == {("a", "reference"), ("reference", "a")}
    for _ in range(20):
        lease, task = made.queue.take("ann")
        first = made.streams[0].ask(lambda reviews, task=task: reviews.sides(task)[0])
        made.queue.mark("ann", lease.nonce, Judgement(1.0 if first == "a" else 0.0, met=(("p",), ("q",))))
    marks = [one.mark for one in made.reviews().marks]
    assert {mark.value for mark in marks} == {1.0}
    met = {(mark.met, mark.met_against, sides[mark.task][0]) for mark in marks}
    assert met == {(("p",), ("q",), "a"), (("q",), ("p",), "reference")}
    with pytest.raises(UserError, match="tie"):
        made.streams[0].mark(Mark(task="t0", rater="bo", value=0.3))


def test_an_adjudication_settles_and_can_be_corrected(bench):
    """Whoever marked the task cannot settle it; nothing said leaves it disputed."""
    made = bench(count=1, annotators=2)
    for rater, value in (("ann", 0.2), ("bo", 0.9)):
        made.queue.mark(rater, made.queue.take(rater)[0].nonce, Judgement(value))
    task = made.reviews().tasks["t0"]
    assert made.reviews().status(task) == ("differ", None)
    with pytest.raises(UserError, match="somebody else"):
        made.queue.adjudicate("bo", "t0", Judgement(0.5))
    made.queue.adjudicate("owner", "t0", Judgement(None, "cannot be decided"))
    assert made.reviews().status(task) == ("disputed", None)
    made.queue.adjudicate("owner", "t0", Judgement(0.6))
    assert made.reviews().status(task) == ("settled", 0.6)
    made.queue.correct("bo", "t0", Judgement(0.7, "second thoughts"))
    assert [one.mark.value for one in made.reviews().standing("t0") if not one.mark.adjudication] == [0.2, 0.7]


def test_the_next_task_is_chosen_by_marks_and_leases_together():
    """Somebody who holds a task counts as one who has marked it; whoever did both counts once."""
    reviews = Reviews([plan(2, annotators=2)])
    assert next_task(reviews, {"t0": {"ann", "bo"}}, "chen").id == "t1"
    assert next_task(reviews, {"t0": {"ann", "bo"}}, "bo").id == "t0"
    assert next_task(reviews, {}, "chen", {"t0", "t1"}) is None
