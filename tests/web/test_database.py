"""The app's own data in both kinds of database: all or nothing, once, and by many at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchbar.records.errors import BenchbarError, UserError
from benchbar.web.database import migrate, open_database

SCHEMA = {"test": ("CREATE TABLE thing (id {serial}, name TEXT NOT NULL UNIQUE, weight {float}, data {bytes})",)}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """Each kind, with one table."""
    address = request.getfixturevalue("postgres") if request.param == "postgresql" else ""
    found = open_database(address, tmp_path / "own" / "web.sqlite")
    migrate(found, SCHEMA)
    yield found
    found.close()


def test_values_come_back_as_they_were(database):
    """Text of any script, numbers in full precision, bytes, and nothing."""
    row = ("名字 О'Нил %s ?", 0.1 + 0.2, bytes(range(256)))
    with database.transaction() as now:
        assert now.run("INSERT INTO thing (name, weight, data) VALUES (?, ?, ?)", *row) == 1
        now.run("INSERT INTO thing (name) VALUES (?)", "bare")
    with database.transaction() as now:
        found = now.rows("SELECT name, weight, data FROM thing ORDER BY id")
    assert (found[0][0], found[0][1], bytes(found[0][2])) == row
    assert found[1][1:] == (None, None)


def test_a_failure_leaves_nothing_behind(database):
    """What was written before the error is taken back."""

    def half() -> None:
        with database.transaction() as now:
            now.run("INSERT INTO thing (name) VALUES (?)", "half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    with database.transaction() as now:
        assert now.rows("SELECT name FROM thing") == []


def test_tables_are_made_once_and_changed_by_further_steps(database):
    """The same steps again do nothing; a new one is done once."""
    more = {"test": (*SCHEMA["test"], "ALTER TABLE thing ADD COLUMN colour TEXT")}
    for _ in range(2):
        migrate(database, more)
    with database.transaction() as now:
        now.run("INSERT INTO thing (name, colour) VALUES (?, ?)", "door", "red")
        assert now.rows("SELECT name, colour FROM thing") == [("door", "red")]


def test_many_write_at_once_and_nothing_is_lost(database):
    """Eight threads, each adding to one number: every addition counts."""
    with database.transaction() as now:
        now.run("INSERT INTO thing (name, weight) VALUES (?, ?)", "sum", 0.0)

    def add(_: int) -> None:
        with database.transaction() as now:
            now.run("UPDATE thing SET weight = weight + 1 WHERE name = ?", "sum")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(80)))
    with database.transaction() as now:
        assert now.rows("SELECT weight FROM thing") == [(80.0,)]


def test_other_addresses_are_refused(tmp_path):
    """Another scheme is named without what else stands in it; a server that is not there is told without the password."""
    with pytest.raises(UserError, match="expected postgresql"):
        open_database("mysql://root:secret@host/name", tmp_path / "x")


def test_literals_never_reach_postgresql(postgres, tmp_path):
    """A statement that was put together from values is refused before it is sent."""
    found = open_database(postgres, tmp_path / "x")
    try:
        with pytest.raises(BenchbarError, match="literal"), found.transaction() as now:
            now.rows("SELECT 1 WHERE 'a' = 'a'")
    finally:
        found.close()
