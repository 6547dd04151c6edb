"""Several processes share a run through PostgreSQL: each sample is worked on once, whatever becomes of a process."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchbar.clients import Budget
from benchbar.ledger import Begin, CallRequest, CallResult, CallStatus, Ledger, database
from benchbar.ledger.check import check
from benchbar.ledger.claims import Claims
from benchbar.ledger.copy import copy
from benchbar.ledger.database import WRITER, Database, connect, named, without_password
from benchbar.ledger.election import found_by_another
from benchbar.ledger.postgresql import PostgreSQLStore
from benchbar.ledger.reviews import add_mark, add_plan, read_reviews
from benchbar.records import Mark, Reply, ReviewPlan, ReviewTask, Turn
from benchbar.records.errors import BudgetExhaustedError, ChangedRunError, LeaseLostError, LedgerError, UserError
from support import forked
from support.postgres import NoServerError, Server, served
from support.run_spec import model, spec_text

SAMPLES = [f"样本{n}" for n in range(30)]


def shared_spec(url: str, candidate: str = "strong-b") -> str:
    return spec_text(
        url,
        "limit = 44",
        {"base": model("weak-a", price=(0.5, 1.5)), "candidate": candidate},
        rest="[limits]\nconcurrency = 8\nlease = 2.0",
    )


@pytest.fixture
def address(postgres):
    return f"{postgres}?run=r"


@pytest.fixture
def member(address):
    """Makes members of the run, each as a process of its own would be one."""
    opened: list[tuple[Ledger, Claims]] = []

    def make(lease: float = 60.0) -> tuple[Ledger, Claims]:
        ledger = Ledger(address)
        opened.append((ledger, Claims(ledger.store, lease=lease)))
        return opened[-1]

    yield make
    for ledger, claims in opened:
        claims.close()
        ledger.close()


async def answer(begin: Begin) -> CallResult:
    await begin()
    return CallResult(status=CallStatus.OK, reply=Reply(content="答"))


def about(sample: str) -> CallRequest:
    return CallRequest(role="assistant", sample=sample, model="m", messages=(Turn(role="user", content="问"),))


async def works(ledger: Ledger, claims: Claims) -> list[str]:
    """Claims and answers until nothing is left."""
    taken = []
    while one := await claims.claim(1):
        taken += one
        await ledger.once(about(one[0]), answer)
        await claims.done(one[0], Turn(role="user", content=one[0]))
    return taken


async def test_each_sample_goes_to_one_member(member, address):
    """Four that claim at the same time have every sample among them, and none twice; results come in the suite's order."""
    members = [member() for _ in range(4)]
    for _, claims in members:
        await claims.join(SAMPLES, b"stamp")
    taken = await asyncio.gather(*(works(*one) for one in members))
    assert sorted(sample for samples in taken for sample in samples) == sorted(SAMPLES)
    assert [turn.content for turn in members[0][1].records(SAMPLES, Turn)] == SAMPLES
    for _, claims in members:
        await claims.leave()
    members[0][0].plan([])
    assert check(address).ok


async def test_who_stands_still_in_the_middle_of_a_write_does_not_hold_up_the_rest(member, address, monkeypatch):
    """Its transaction is ended from outside: the server's own timer is off once a pipelined exchange was flushed."""
    monkeypatch.setattr("benchbar.ledger.claims.IDLE", 3)
    (slow, asleep), (_, awake) = member(lease=0.2), member()
    for claims in (asleep, awake):
        await claims.join(SAMPLES[:1], b"stamp")
    assert await asleep.claim(1) == SAMPLES[:1]
    asleep._renewing.cancel()
    stopped = connect(Database.of(address), name=WRITER)
    stopped.pgconn.enter_pipeline_mode()
    for statement in ("BEGIN", f"SELECT held({slow.store.session})"):
        stopped.pgconn.send_query_params(statement.encode(), [])
    stopped.pgconn.pipeline_sync()
    stopped.pgconn.send_flush_request()
    stopped.pgconn.flush()
    await asyncio.sleep(0.3)
    assert await awake.claim(1) == []
    assert await _in_the_end(awake, 1) == SAMPLES[:1]
    stopped.close()
    for claims in (asleep, awake):
        await claims.leave()


async def _in_the_end(claims: Claims, count: int) -> list[str]:
    """What is to be had once somebody has lost it."""
    limit = time.monotonic() + 120
    while not (taken := await claims.claim(count)) and time.monotonic() < limit:  # noqa: ASYNC110 - the server decides
        await asyncio.sleep(0.05)
    return taken


async def test_who_falls_silent_loses_its_samples_and_every_later_write(member, address):
    """What it wrote before is used; what it writes after is refused; it can take part again."""
    (slow, asleep), (quick, awake) = member(lease=2.0), member()
    await asleep.join(SAMPLES[:2], b"stamp")
    await awake.join(SAMPLES[:2], b"stamp")
    mine = await asleep.claim(2)
    await slow.once(about(mine[0]), answer)
    assert await awake.claim(2) == []
    asleep._renewing.cancel()
    assert await _in_the_end(awake, 2) == mine
    known = quick.store.result(about(mine[0]).key(), mine[0])
    assert known.reply.content == "答"
    with pytest.raises(LeaseLostError):
        await slow.once(about(mine[1]), answer)
    with pytest.raises(LeaseLostError):
        await asleep.done(mine[0], Turn(role="user", content="x"))
    await quick.once(about(mine[1]), answer)
    await asleep.rejoin()
    assert (await slow.once(about(mine[1]), answer)).reply.content == "答"
    slow.plan([])
    for claims in (asleep, awake):
        await claims.leave()
    report = check(address)
    assert (report.ok, report.completed, report.unknown) == (True, 2, 0), report.problems


async def test_a_connection_that_is_lost_stops_the_writing_and_leaves_no_gap(member, address, postgres):
    """Nothing later is written without what came before; what was confirmed is there, and a new start goes on."""
    import psycopg

    first, _ = member()
    first.plan([])
    await first.once(about("1"), answer)
    with psycopg.connect(postgres, autocommit=True) as other:
        mine = first.store._writer.info.backend_pid
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (mine,))
    for sample in ("2", "3"):
        with pytest.raises(LedgerError, match="committed records are not lost"):
            await first.once(about(sample), answer)
    again, _ = member()
    for sample in ("1", "2", "3"):
        await again.once(about(sample), answer)
    report = check(address)
    assert (report.ok, report.completed, again.sent, again.replayed) == (True, 3, 2, 1), report.problems


async def test_who_stands_still_in_a_transaction_does_not_hold_up_the_rest(member, address, monkeypatch):
    """The server ends it after a while: a process that was stopped, or a machine that went to sleep, keeps no rows locked."""
    monkeypatch.setattr(database, "IDLE", 3)
    _, claims = member()
    await claims.join(SAMPLES[:1], b"stamp")
    still = database.connect(database.Database.of(address))
    still.execute("BEGIN")
    still.execute("SELECT * FROM claim FOR UPDATE")
    assert await claims.claim(1) == []
    assert await _in_the_end(claims, 1) == SAMPLES[:1]
    await claims.leave()
    still.close()


async def test_another_making_is_refused_while_somebody_is_at_work(member):
    """Who joins has the same suite and spec; when nobody is left, a new start begins with all samples open."""
    (_, first), (_, second) = member(), member()
    await first.join(SAMPLES, b"one")
    with pytest.raises(ChangedRunError, match="others are at work"):
        await second.join(SAMPLES, b"two")
    await first.leave()
    await second.join(SAMPLES[:3], b"two")
    assert await second.claim(99) == SAMPLES[:3]
    await second.leave()


async def test_a_budget_is_held_by_all_members_together(member):
    """However it is divided, no more than the limit is spent; what a member leaves over is there for the others."""
    members = [member() for _ in range(3)]
    budgets = [Budget(10.0) for _ in members]
    for (_, claims), budget in zip(members, budgets, strict=True):
        await claims.join(SAMPLES, b"stamp")
        budget.share(claims.allot)
    spent = 0
    for turn in range(300):
        try:
            budgets[turn % 3].settle(await budgets[turn % 3].reserve(0.1), 0.1)
            spent += 1
        except BudgetExhaustedError:
            continue
    assert 80 <= spent <= 100
    await members[0][1].leave()
    assert members[1][1].allot(10.0, 1.0) > 0
    for _, claims in members[1:]:
        await claims.leave()


def test_reviewers_at_the_same_time_keep_one_chain(address):
    """Sixteen that mark at once leave sixteen marks, numbered without gaps, each sealed with the one before."""
    ledger = Ledger(address)
    ledger.plan([])
    tasks = tuple(
        ReviewTask(id=f"t{n}", sample=str(n), assistant="a", reasons=("audit",), probability=1.0, annotators=1)
        for n in range(16)
    )
    add_plan(ledger.store, ReviewPlan(tasks=tasks, frame={"a": {}}, seed=1, fingerprint="f", agree=0.1))
    ledger.close()

    def reviewer(n: int) -> int:
        store = PostgreSQLStore(address)
        try:
            return add_mark(store, Mark(task=f"t{n}", rater=f"r{n}", value=n / 16))
        finally:
            store.close()

    with ThreadPoolExecutor(16) as pool:
        numbers = list(pool.map(reviewer, range(16)))
    assert sorted(numbers) == list(range(2, 18))
    store = PostgreSQLStore(address, writable=False)
    assert len(read_reviews(store).marks) == 16
    store.close()
    assert check(address).ok


@pytest.mark.slow
def test_three_processes_share_a_run_one_is_killed_and_one_sleeps(benchbar, slow_chat_server, tmp_path, address):
    """Who slept over its lease takes part again; the bytes are a single process's; only calls in flight were asked again."""
    (tmp_path / "spec.toml").write_text(shared_spec(slow_chat_server.base_url), "utf-8")
    command = ["run", "spec.toml", "--quiet", "--ledger", address, "--out"]
    pipes = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    killed, sleeper, other = (forked.started(*command, name, **pipes) for name in ("killed", "sleeper", "other"))
    _wait(lambda: _workers(address) == 3 and sum(slow_chat_server.stats()["completed"].values()) >= 40)
    killed.send_signal(signal.SIGKILL)
    sleeper.send_signal(signal.SIGSTOP)
    killed.communicate()
    # Where the two held nothing any more, nobody needed to call them lost: the third is just done.
    _wait(lambda: _workers(address) <= 1 or other.poll() is not None)
    sleeper.send_signal(signal.SIGCONT)
    for process in (sleeper, other):
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said
    stats = slow_chat_server.stats()
    report = json.loads(benchbar("ledger", "check", "other", "--json").out)
    assert report["ok"], report["problems"]
    assert report["completed"] == stats["distinct"], "the judge's trial too is made by one of them"
    assert stats["served_again"] <= report["unknown"] <= 2 * 8 * 2
    store = PostgreSQLStore(address, writable=False)
    # Whoever slept begins anew, unless the others were done by then.
    assert next(store.rows("SELECT count(*) FROM session"))[0] in {3, 4}
    store.close()
    assert benchbar("run", "spec.toml", "--quiet", "--out", "single").code == 0
    for name in ("results.json", "scores.jsonl"):
        single = (tmp_path / "single" / name).read_bytes()
        assert single == (tmp_path / "other" / name).read_bytes() == (tmp_path / "sleeper" / name).read_bytes()


async def test_samples_of_a_later_look_wait_until_they_are_opened(member):
    """Nobody is given them before, and who was slow to open them again takes none back."""
    (_, one), (_, other) = member(), member()
    for claims in (one, other):
        await claims.join(SAMPLES, b"stamp", later=SAMPLES[10:])
    first = await one.claim(64)
    assert first == SAMPLES[:10]
    for sample in first:
        await one.done(sample, Turn(role="user", content=sample))
    assert await other.claim(64) == []
    standing = await other.standing()
    assert (standing.samples, standing.done) == (10, 10)
    assert [turn.content for turn in one.records(set(SAMPLES[:10]), Turn)] == SAMPLES[:10]
    await one.open(SAMPLES[:20])
    assert await other.claim(64) == SAMPLES[10:20]
    await one.open(SAMPLES[:20])
    assert (await one.standing()).samples == 20
    assert await one.claim(64) == []
    for claims in (one, other):
        await claims.leave()


@pytest.mark.parametrize(
    ("candidate", "stops"), [("strong-b", True), pytest.param("weak-a", False, marks=pytest.mark.slow)]
)
def test_processes_that_share_a_run_stop_at_the_same_look(benchbar, chat_server, tmp_path, address, candidate, stops):
    """As a single process does: early where the difference is plain, at the end where there is none; nothing asked twice."""
    # On a busy machine a process may be silent for two seconds; whose samples others take is another test's matter.
    spec = shared_spec(chat_server.base_url, candidate).replace("lease = 2.0", "lease = 60.0")
    (tmp_path / "spec.toml").write_text(spec, "utf-8")
    early = ["run", "spec.toml", "--quiet", "--set", "stop_early=true"]
    command = [*early, "--ledger", address, "--out"]
    pipes = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    both = [forked.started(*command, name, **pipes) for name in ("one", "two")]
    for process in both:
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said
    assert chat_server.stats()["served_again"] == 0
    report = json.loads(benchbar("ledger", "check", "one", "--json").out)
    assert report["ok"], report["problems"]
    assert benchbar(*early, "--out", "single").code == 0
    single = (tmp_path / "single" / "results.json").read_bytes()
    assert (
        single == (tmp_path / "one" / "results.json").read_bytes() == (tmp_path / "two" / "results.json").read_bytes()
    )
    assert (json.loads(single)["samples"] < 44) == stops


async def test_what_one_finds_out_for_all_is_waited_for_and_taken_over_from_the_dead(member):
    """The first finds it, another waits for the value; where the first dies without one, the other finds it."""
    (first, claims), (other, others) = member(), member()
    for one in (claims, others):
        await one.join(SAMPLES, b"made")
    for name, kept in (("kept", b"schema"), ("dropped", None)):
        assert await found_by_another(first.store, name) is None
        waiting = asyncio.create_task(found_by_another(other.store, name))
        await asyncio.sleep(0.5)
        assert not waiting.done()
        if kept:
            first.store.offer_meta(name, kept)
        else:
            await claims.leave()
        assert await asyncio.wait_for(waiting, 60) == kept


@pytest.mark.slow
@pytest.mark.parametrize(("outage", "answered"), [(60, 60), (60, 0), (0, 60)])
def test_a_server_that_falls_over_costs_the_calls_in_flight(benchbar, slow_chat_server, tmp_path, outage, answered):
    """Both processes wait for it and go on, also as they have just begun; where they are not to wait they end with cause and
    cure, and the command resumes.
    """
    spec = shared_spec(slow_chat_server.base_url) + f"max_outage = {outage}\n"
    (tmp_path / "spec.toml").write_text(spec, "utf-8")
    pytest.importorskip("psycopg")
    with _own_server(tmp_path / "own") as server, server.database() as database:
        shared = ["run", "spec.toml", "--quiet", "--ledger", f"{database}?run=r", "--out"]
        pipes = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        # A Python of their own: what it says of connections as it ends is read, too.
        command = [sys.executable, "-m", "benchbar", *shared]
        both = [subprocess.Popen([*command, name], **pipes) for name in ("one", "two")]
        _wait(
            lambda: (
                _workers(f"{database}?run=r") == 2 and sum(slow_chat_server.stats()["completed"].values()) >= answered
            )
        )
        server.crash()
        said = [process.communicate(timeout=300)[1] for process in both]
        assert not any("Traceback" in one or "ignored" in one for one in said)
        if outage:
            assert [process.returncode for process in both] == [0, 0], said
        else:
            assert [process.returncode for process in both] == [1, 1], said
            assert all("rerun the command when the database is back" in one for one in said)
            # The leases of the two are still running when the third begins; it waits for them, and takes over.
            third = benchbar(*shared, "one")
            assert third.code == 0, third.err
        stats = slow_chat_server.stats()
        report = json.loads(benchbar("ledger", "check", "one", "--json").out)
        assert report["ok"], report["problems"]
        assert report["completed"] == stats["distinct"]
        assert stats["served_again"] <= report["unknown"] <= 2 * 8 * 2
    assert benchbar("run", "spec.toml", "--quiet", "--out", "single").code == 0
    assert (tmp_path / "single" / "results.json").read_bytes() == (tmp_path / "one" / "results.json").read_bytes()


@contextmanager
def _own_server(folder: Path) -> Iterator[Server]:
    """A server that no other test uses, and its password where a command looks for it."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PGPASSWORD", "")
        try:
            with served(folder) as server:
                yield server
        except NoServerError as error:
            pytest.skip(str(error))


@pytest.mark.slow
def test_a_database_that_loses_every_write_is_not_asked_for_ever(benchbar, slow_chat_server, tmp_path, address):
    """The process takes part again and again, waiting longer each time, and ends with cause and cure; then the command resumes."""
    (tmp_path / "spec.toml").write_text(shared_spec(slow_chat_server.base_url) + "max_outage = 3\n", "utf-8")
    run = ["run", "spec.toml", "--quiet", "--ledger", address, "--out", "one"]
    process = forked.started(*run, cwd=tmp_path, stderr=subprocess.PIPE)
    _wait(lambda: _workers(address) == 1)
    store = PostgreSQLStore(address, session=False)
    store.execute(
        "CREATE FUNCTION fall() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$",
        (),
    )
    store.execute("CREATE TRIGGER fall BEFORE INSERT ON result FOR EACH ROW EXECUTE FUNCTION fall()", ())
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "waited 3 of at most 3 s (limits.max_outage). Committed records are not lost: rerun the command" in said
    store.execute("DROP TRIGGER fall ON result", ())
    store.close()
    assert benchbar(*run).code == 0
    report = json.loads(benchbar("ledger", "check", "one", "--json").out)
    assert report["ok"], report["problems"]


def _wait(until: Callable[[], bool]) -> None:
    """Look again and again, but not for ever."""
    limit = time.monotonic() + 300
    while not until():
        assert time.monotonic() < limit
        time.sleep(0.03)


def _workers(address: str) -> int:
    """Processes that hold a lease."""
    try:
        store = PostgreSQLStore(address, writable=False)
    except LedgerError:
        return 0
    try:
        return next(store.rows("SELECT count(*) FROM worker WHERE NOT lost"))[0]
    finally:
        store.close()


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Runs commands in this process and a folder of their own; returns exit code and everything they said."""
    from click.testing import CliRunner

    from benchbar.cli.main import cli

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(cli, arguments)
        failure = done.exception if not isinstance(done.exception, SystemExit) else None
        return done.exit_code, f"{done.output}{failure or ''}"

    return run


def test_a_run_moves_between_folder_and_database_and_goes_on_there(here, postgres, postgres_server, monkeypatch):
    """Both ways every row is the same; every command finds the ledger; the password of an address is in no file."""
    password = postgres_server.password
    secret = f"{postgres}?run=moved".replace("benchbar@", f"benchbar:{password}@")
    run = ["run", "--limit", "2", "--quiet", "--assistant", "a=closed-book", "--assistant", "b=closed-book", "--out"]
    first = here(*run, "here")
    assert first[0] == 0, first[1]
    with monkeypatch.context() as unset:
        unset.delenv("PGPASSWORD")
        first = here("ledger", "copy", "here", secret, "--json")
        again = here(*run, "here", "--ledger", secret)
        assert (first[0], again[0]) == (0, 0), (first, again)
        assert "PGPASSWORD" in here("ledger", "check", "here")[1]
    for command in (
        ["review", "list", "here"],
        ["ledger", "check", "here"],
        ["report", "here"],
        ["compare", "here", "here"],
    ):
        assert here(*command)[0] == 0, command
    back = here("ledger", "copy", "here", "back")
    assert here(*run, "back")[0] == 0
    assert Path("back/results.json").read_bytes() == Path("here/results.json").read_bytes()
    assert here("ledger", "check", "back")[0] == 0
    assert json.loads(first[1])["rows"]["result"] > 0
    assert password not in first[1] + again[1] + back[1]
    assert not any(password.encode() in file.read_bytes() for file in Path().rglob("*") if file.is_file())
    over = here("ledger", "copy", "back", secret)
    assert (over[0], "there is a run of this name already" in over[1]) == (1, True)


def test_a_copy_is_there_whole_or_not_at_all(tmp_path, address):
    """A ledger that the database refuses, here one with an answer doubled, leaves no half run behind."""
    import sqlite3

    source = tmp_path / "ledger.sqlite"

    async def one() -> None:
        ledger = Ledger(source)
        await ledger.once(about("s"), answer)
        ledger.close()

    asyncio.run(one())
    db = sqlite3.connect(source)
    db.execute("INSERT INTO result SELECT 2, key, status, error, 1, 1, cost, at, payload, seal FROM result")
    db.commit()
    db.close()
    with pytest.raises(LedgerError, match="result_once"):
        copy(source, address)
    with pytest.raises(LedgerError, match="no such run"):
        PostgreSQLStore(address, writable=False)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://u:p%40s@h:5/d?run=x", "postgresql://u@h:5/d?run=x"),
        ("postgresql://u@h/d?password=p&run=x&sslmode=require", "postgresql://u@h/d?run=x&sslmode=require"),
        ("postgresql:///d?host=/var/run", "postgresql:///d?host=/var/run"),
        ("postgres://:p@/d", "postgres://@/d"),
    ],
)
def test_a_password_is_taken_out_of_an_address(address, shown):
    """Wherever it stands; the rest stays."""
    assert without_password(address) == shown


def test_an_address_names_a_run(monkeypatch):
    """The name is kept, or given; long ones stay apart; one without is refused."""
    assert named("postgresql://h/d?run=x", "y") == "postgresql://h/d?run=x"
    assert Database.of(named("postgresql://h/d", "运 行")).schema == "benchbar:运 行"
    long = [Database.of(named("postgresql://h/d", "长" * 40 + end)).schema for end in "ab"]
    assert long[0] != long[1]
    assert all(len(name.encode()) <= 63 for name in long)
    with pytest.raises(UserError, match="which run"):
        Database.of("postgresql://u:secret@h/d")
    with pytest.raises(LedgerError, match="127.0.0.1:9") as refused:
        Ledger("postgresql://u:secret@127.0.0.1:9/d?run=x&connect_timeout=2")
    assert "secret" not in str(refused.value)
