"""The check proves a whole ledger whole, and finds what was done to a damaged one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from benchbar.ledger import SCOPE, Begin, CallRequest, CallResult, CallStatus, Ledger, PlannedItem, Scope
from benchbar.ledger.check import check
from benchbar.records import Reply, Turn
from benchbar.records.errors import LedgerError


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A finished ledger: five items, each resting on two calls."""
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger(path)
    items = [PlannedItem(id=f"dialogue/{n}/a", kind="dialogue", sample=str(n), assistant="a") for n in range(5)]
    ledger.plan(items)
    for item in items:
        SCOPE.set(scope := Scope(item.sample))
        for text in ("一", "二"):
            await ledger.once(_request(text), _answer)
        await ledger.settle(item, scope, Turn(role="user", content="x"), failed=False)
    ledger.close()
    SCOPE.set(None)
    return path


def _request(text: str) -> CallRequest:
    return CallRequest.of("m", [Turn(role="user", content=text)], role="assistant")


async def _answer(begin: Begin) -> CallResult:
    await begin()
    return CallResult(status=CallStatus.OK, reply=Reply(content="答"))


def test_a_finished_ledger_is_whole(path):
    """Nothing is found where nothing is wrong."""
    report = check(path)
    assert (report.ok, report.problems, report.calls, report.completed) == (True, (), 10, 10)
    assert (report.planned, report.finished, report.unknown, report.failed) == (5, 5, 0, 0)


async def test_a_run_that_was_killed_as_it_began_has_a_sound_ledger_without_a_plan(tmp_path):
    """Nothing was sent: the check says that, and what to do, and calls nothing missing."""
    path = tmp_path / "ledger.sqlite"
    Ledger(path).close()
    report = check(path)
    assert report.problems == (
        "no plan: the run was stopped as it began, and nothing was sent; rerun the command to finish it",
    )


DAMAGE = {
    "a result taken out": ("DELETE FROM result WHERE intent = 4", "was never answered"),
    "an intent and its result taken out": (
        "DELETE FROM intent WHERE id = 4; DELETE FROM result WHERE intent = 4",
        "intents 4 to 4 are missing",
    ),
    "the last call taken out without trace": (
        "DELETE FROM call WHERE key = (SELECT key FROM intent WHERE id = 10);"
        "DELETE FROM intent WHERE id = 10; DELETE FROM result WHERE intent = 10",
        "was never answered",
    ),
    "a request taken out": (
        "DELETE FROM call WHERE key = (SELECT key FROM intent WHERE id = 1)",
        "request it announces is missing",
    ),
    "an answer doubled": (
        "INSERT INTO intent SELECT 11, key, session, at, reserved, seal FROM intent WHERE id = 3;"
        "INSERT INTO result SELECT 11, key, status, error, input_tokens, output_tokens, cost, at, payload, seal"
        " FROM result WHERE intent = 3",
        "answered 2 times",
    ),
    "an answer altered": (
        "UPDATE result SET payload = (SELECT payload FROM result WHERE intent = 2) || x'00' WHERE intent = 1",
        "result 1: altered or torn",
    ),
    "an answer torn": (
        "UPDATE result SET payload = substr(payload, 1, 12) WHERE intent = 5",
        "result 5: altered or torn",
    ),
    "a cost altered": ("UPDATE result SET cost = 0.001 WHERE intent = 2", "result 2: altered or torn"),
    "a time altered": ("UPDATE intent SET at = at - 100 WHERE id = 2", "intent 2: altered"),
    "a request altered": (
        "UPDATE call SET sample = 'x' WHERE role = 'assistant' AND sample = '3'",
        "role or sample was altered",
    ),
    "a planned item taken out": ("DELETE FROM plan WHERE item = 'dialogue/2/a'", "nobody planned it"),
    "a planned item and its outcome taken out": (
        "DELETE FROM plan WHERE item = 'dialogue/2/a'; DELETE FROM outcome WHERE item = 'dialogue/2/a'",
        "other ones were stated",
    ),
    "an outcome taken out": ("DELETE FROM outcome WHERE item = 'dialogue/2/a'", "no outcome"),
    "an outcome exchanged": (
        "UPDATE outcome SET record = (SELECT record FROM outcome WHERE item = 'dialogue/1/a') WHERE item = 'dialogue/2/a'",
        "altered or torn",
    ),
    "a session taken out": ("DELETE FROM session", "session is missing"),
    "a session altered": ("UPDATE session SET version = '9'", "session 1: altered"),
    "a session doubled": ("INSERT INTO session SELECT 2, started, version, seal FROM session", "session 2: altered"),
    "the plan's size altered": ("UPDATE meta SET value = '4' WHERE name = 'planned'", "meta 'planned': altered"),
}


@pytest.mark.parametrize(("statements", "problem"), DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_is_found_and_named(path, statements, problem):
    """Missing, doubled, altered and torn rows each give a problem that says which row."""
    db = sqlite3.connect(path)
    db.executescript(statements)
    db.close()
    report = check(path)
    assert not report.ok
    assert any(problem in found for found in report.problems), report.problems


def test_a_torn_file_is_no_whole_ledger(path):
    """A file cut in the middle is reported, not believed."""
    data = path.read_bytes()
    for share in (0.9, 0.5, 0.01):
        path.write_bytes(data[: int(len(data) * share)])
        report = check(path)
        assert not report.ok
        assert report.problems


def tables_and_columns() -> list[tuple[str, str]]:
    return [
        (table, column)
        for table, columns in {
            "meta": ("name", "value", "seal"),
            "session": ("id", "started", "version", "seal"),
            "plan": ("item", "record", "seal"),
            "call": ("key", "role", "sample", "request"),
            "intent": ("id", "key", "session", "at", "reserved", "seal"),
            "result": ("intent", "key", "status", "error", "cost", "at", "payload", "seal"),
            "outcome": ("item", "record", "seal"),
        }.items()
        for column in columns
    ]


@pytest.mark.parametrize(("table", "column"), tables_and_columns())
def test_no_column_of_any_table_can_be_altered_unseen(path, table, column):
    """Whatever is changed in the last row of a table, the check says that something is wrong."""
    db = sqlite3.connect(path)
    key = {"meta": "name", "call": "key", "plan": "item", "outcome": "item", "result": "intent"}.get(table, "id")
    db.execute(f"UPDATE {table} SET {column} = 77 WHERE {key} = (SELECT max({key}) FROM {table})")
    db.commit()
    db.close()
    assert not check(path).ok


@pytest.mark.parametrize("table", ["meta", "session", "plan", "call", "intent", "result", "outcome"])
def test_no_row_of_any_table_can_be_taken_out_unseen(path, table):
    """First, last, or one in the middle."""
    whole = path.read_bytes()
    db = sqlite3.connect(path)
    keys = [row[0] for row in db.execute(f"SELECT * FROM {table}")]
    db.close()
    name = {"meta": "name", "call": "key", "plan": "item", "outcome": "item", "result": "intent"}.get(table, "id")
    for chosen in {keys[0], keys[len(keys) // 2], keys[-1]}:
        path.write_bytes(whole)
        db = sqlite3.connect(path)
        db.execute(f"DELETE FROM {table} WHERE {name} = ?", (chosen,))
        db.commit()
        db.close()
        assert not check(path).ok, f"{table} {chosen}"


async def test_a_call_of_unknown_outcome_is_counted_and_sent_again(path):
    """A crash between sending and answering leaves an intent alone; the next run asks again, and both are shown."""
    ledger = Ledger(path)
    request = _request("三")
    await ledger.store.intend(request.key(), request, 0.5)
    ledger.close()
    assert check(path).unknown == 1
    again = Ledger(path)
    assert again.store.committed_cost() == 0.5
    await again.once(request, _answer)
    again.close()
    report = check(path)
    assert (report.ok, report.unknown, report.completed) == (True, 1, 11)
    assert "unknown outcome" in report.notes[0]


def test_no_ledger_is_an_error_that_says_what_was_expected(tmp_path):
    """A folder without a ledger is not an empty ledger."""
    with pytest.raises(LedgerError, match="no ledger here"):
        check(tmp_path / "ledger.sqlite")
    assert not (tmp_path / "ledger.sqlite").exists()
