"""What every store of a ledger has to do, held against a file and against a real PostgreSQL server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchbar.ledger import SCOPE, Begin, CallRequest, CallResult, CallStatus, Ledger, PlannedItem, Scope
from benchbar.ledger.check import check
from benchbar.ledger.opening import open_store
from benchbar.ledger.reviews import add_mark, add_plan, read_reviews
from benchbar.ledger.schema import TABLES
from benchbar.records import Mark, Reply, ReviewPlan, ReviewTask, Turn, Usage
from benchbar.records.errors import LedgerError, UserError


def request(text: str = "问", **fields) -> CallRequest:
    return CallRequest.of("model@url", [Turn(role="user", content=text)], role="assistant", **fields)


class Answers:
    """Answers with a number that grows, after failing as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.asked, self.failures = 0, failures

    async def __call__(self, begin: Begin) -> CallResult:
        await begin()
        self.asked += 1
        await asyncio.sleep(0)
        if self.asked <= self.failures:
            return CallResult(status=CallStatus.FAILED, error="timeout", message="时间到")
        reply = Reply(
            content=f"答{self.asked}\0", usage=Usage(input_tokens=3, output_tokens=2), cost=0.1, latency=1 / 3
        )
        return CallResult(status=CallStatus.OK, reply=reply)


async def half() -> float:
    """What each call may cost."""
    return 0.5


async def worked(where: Path | str, samples: int = 5) -> None:
    """A finished run of so many items, each resting on two calls."""
    ledger, answers = Ledger(where), Answers()
    items = [PlannedItem(id=f"dialogue/{n}/甲", kind="dialogue", sample=str(n), assistant="甲") for n in range(samples)]
    ledger.plan(items)

    async def one(item: PlannedItem) -> None:
        SCOPE.set(scope := Scope(item.sample))
        for text in ("一", "二"):
            await ledger.once(request(text), answers, reserve=half)
        await ledger.settle(item, scope, Turn(role="user", content="x"), failed=False)

    await asyncio.gather(*(one(item) for item in items))
    ledger.close()


def plan() -> ReviewPlan:
    task = ReviewTask(id="t", sample="0", assistant="甲", reasons=("audit",), probability=0.5, annotators=2)
    return ReviewPlan(tasks=(task,), frame={"甲": {"0": 0.5}}, seed=1, fingerprint="f", agree=0.1)


class StoreConformance:
    """What every store has to do."""

    @pytest.fixture
    def where(self) -> Path | str:
        raise NotImplementedError

    async def test_a_call_is_sent_once_and_answered_to_the_letter_by_whoever_opens_it_next(self, where):
        """The second time, and in the second process, nobody is asked; the answer is the same one."""
        ledger, answers = Ledger(where), Answers()
        first = await ledger.once(request("长问题" * 1000), answers)
        assert await ledger.once(request("长问题" * 1000), answers) == first
        ledger.close()
        again = Ledger(where)
        SCOPE.set(Scope("s"))
        assert (await again.once(request("长问题" * 1000), answers)).reply.content == "答2\0"
        assert (await again.once(request("长问题" * 1000), answers)).reply.content == "答2\0"
        SCOPE.set(None)
        assert await again.once(request("长问题" * 1000), answers) == first
        assert answers.asked == 2
        again.close()

    async def test_equal_calls_in_flight_share_one_request(self, where):
        """Fifty that ask the same at the same time send one request."""
        ledger, answers = Ledger(where), Answers()
        results = await asyncio.gather(*(ledger.once(request(), answers) for _ in range(50)))
        ledger.close()
        assert (answers.asked, len({result.reply.content for result in results})) == (1, 1)

    async def test_a_failed_call_is_asked_again_and_both_results_are_kept(self, where):
        """A failure may succeed later; it is counted, and the check says that all is whole, and until then what is asked again."""
        answers, notes = Answers(failures=1), []
        for status in (CallStatus.FAILED, CallStatus.OK, CallStatus.OK):
            ledger = Ledger(where)
            ledger.plan([])
            assert (await ledger.once(request(), answers)).status is status
            ledger.close()
            notes.append(check(where).notes)
        report = check(where)
        assert (report.ok, report.failed, report.completed, answers.asked) == (True, 1, 1, 2)
        assert notes == [("1 call(s) ended in an error and have no answer; the next run asks them again",), (), ()]

    async def test_a_finished_run_is_whole_and_its_sums_are_right(self, where):
        """Plan, outcomes, tokens and money are those of the calls, each counted once."""
        await worked(where)
        report = check(where)
        assert (report.ok, report.problems, report.calls, report.completed) == (True, (), 10, 10)
        assert (report.planned, report.finished, report.unknown) == (5, 5, 0)
        store = open_store(where, writable=False)
        spent = store.spending()["assistant"]
        assert (spent.calls, spent.input_tokens, spent.output_tokens, spent.cost) == (10, 30, 20, 1.0)
        assert store.committed_cost() == pytest.approx(1.0)
        assert sorted(store.outcomes()) == [f"dialogue/{n}/甲" for n in range(5)]
        assert all(len(outcome.calls) == 2 for outcome in store.outcomes().values())
        store.close()

    async def test_an_intent_without_result_is_a_call_of_unknown_outcome(self, where):
        """It is counted at the sum reserved for it, and asked again."""
        ledger = Ledger(where)
        one = request()
        await ledger.store.intend(one.key(), one, 0.5)
        assert ledger.store.committed_cost() == 0.5
        ledger.close()
        again = Ledger(where)
        again.plan([])
        await again.once(one, Answers())
        again.close()
        report = check(where)
        assert (report.ok, report.unknown, report.completed) == (True, 1, 1)

    async def test_a_new_plan_keeps_the_outcomes_of_what_stays_in_it(self, where):
        """Items that are planned no longer lose their outcome; the others do not."""
        await worked(where)
        ledger = Ledger(where)
        ledger.plan(
            [PlannedItem(id=f"dialogue/{n}/甲", kind="dialogue", sample=str(n), assistant="甲") for n in range(3)]
        )
        ledger.close()
        report = check(where)
        assert (report.ok, report.planned, report.finished) == (True, 3, 3)

    async def test_marks_are_a_chain_that_shows_every_change(self, where):
        """A mark is kept once, corrected only on purpose, and the check follows the chain of seals."""
        ledger = Ledger(where)
        assert add_plan(ledger.store, plan())
        assert not add_plan(ledger.store, plan())
        ledger.plan([])
        mark = Mark(task="t", rater="律师甲", value=0.8, reason="有依据")
        assert add_mark(ledger.store, mark) == 2
        with pytest.raises(UserError, match="has marked task t before"):
            add_mark(ledger.store, mark)
        assert add_mark(ledger.store, mark, correct=True) == 3
        found = read_reviews(ledger.store)
        ledger.close()
        assert [one.mark.corrects for one in found.marks] == [None, 2]
        assert check(where).ok

    async def test_a_failed_write_of_marks_leaves_nothing(self, where):
        """All or none."""
        ledger = Ledger(where)
        with pytest.raises(TypeError):
            ledger.store.append_reviews("plan", [plan(), object()])

        def plan_and_unknown_mark() -> None:
            with ledger.store.reviewing():
                add_plan(ledger.store, plan())
                add_mark(ledger.store, Mark(task="unknown", rater="x", value=1.0))

        with pytest.raises(UserError, match="unknown task"):
            plan_and_unknown_mark()
        assert list(ledger.store.reviews()) == []
        ledger.store.append_reviews("plan", [plan()])
        ledger.plan([])
        ledger.close()
        assert check(where).ok

    async def test_what_is_no_ledger_is_an_error_that_says_so(self, where):
        """Reading what is not there makes nothing."""
        for _ in range(2):
            with pytest.raises(LedgerError, match="no ledger here|no such run"):
                open_store(where, writable=False)

    async def test_a_ledger_of_another_schema_is_refused(self, where):
        """Its version is named."""
        ledger = Ledger(where)
        ledger.store.set_meta("schema_version", b"99")
        ledger.close()
        with pytest.raises(LedgerError, match="schema 99"):
            Ledger(where)

    async def test_a_command_that_could_not_be_run_leaves_nothing_behind(self, where):
        """A ledger without a call can be taken away; then there is none."""
        Ledger(where).discard()
        with pytest.raises(LedgerError, match="no ledger here|no such run"):
            open_store(where, writable=False)

    async def test_an_older_schema_is_refused_with_the_cure(self, where):
        """Nothing of it is read or changed."""
        ledger = Ledger(where)
        ledger.store.set_meta("schema_version", b"3")
        ledger.close()
        with pytest.raises(LedgerError, match=r"schema 3.*the version of benchbar that wrote it.*another --out"):
            open_store(where, writable=False)

    async def test_the_blind_order_is_made_once_with_the_first_plan(self, where):
        """It is there before the first task is shown, and the same for whoever opens the ledger later."""
        ledger = Ledger(where)
        assert ledger.store.blinding() is None
        add_plan(ledger.store, plan())
        secret = ledger.store.blinding()
        ledger.close()
        again = open_store(where, session=False)
        assert again.blinding() == secret
        assert again.offer_blinding(bytes(32)) == secret
        again.close()

    async def test_nothing_in_the_tables_holds_the_blind_order(self, where):
        """A ledger may be published: no value of any table has the secret in it, packed or not."""
        ledger = Ledger(where)
        add_plan(ledger.store, plan())
        secret = ledger.store.blinding()
        for table in TABLES:
            for row in ledger.store.rows(f"SELECT * FROM {table}"):
                for value in row:
                    data = value if isinstance(value, bytes) else str(value).encode()
                    assert secret not in data
                    assert secret.hex().encode() not in data
        ledger.close()


class TestSQLite(StoreConformance):
    """The file in the run's folder."""

    @pytest.fixture
    def where(self, tmp_path):
        return tmp_path / "run" / "ledger.sqlite"


class TestPostgreSQL(StoreConformance):
    """A run in a database."""

    @pytest.fixture
    def where(self, postgres):
        return f"{postgres}?run=甲 run"
