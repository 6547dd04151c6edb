"""The app's own small database: a SQLite file, or PostgreSQL where many people mark at once.

SQL is written once, for both: ``?`` stands for a parameter, and a schema names the types that differ as ``{serial}``,
``{float}`` and ``{bytes}``.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from benchbar.records.errors import BenchbarError, MissingDependencyError, UserError

Row = tuple[Any, ...]
TYPES = {
    "sqlite": {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "float": "REAL", "bytes": "BLOB"},
    "postgresql": {
        "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "float": "DOUBLE PRECISION",
        "bytes": "BYTEA",
    },
}
POOL = 16
"""Connections to PostgreSQL at most."""


class Transaction(Protocol):
    """What may be done between begin and commit."""

    def rows(self, query: str, *parameters: Any) -> list[Row]:
        """All rows that a statement gives."""
        ...

    def run(self, statement: str, *parameters: Any) -> int:
        """Do it; how many rows it touched."""
        ...


class Database(Protocol):
    """Either kind of database."""

    dialect: str

    def transaction(self) -> AbstractContextManager[Transaction]:
        """All or nothing; writers of SQLite wait for each other, those of PostgreSQL lock the rows they read ``FOR UPDATE``."""
        ...

    def wipe(self) -> None:
        """Leave nothing of deleted rows in the database's own files, as far as that is ours to do."""
        ...

    def close(self) -> None:
        """Give every connection back."""
        ...


def one(found: Sequence[Row]) -> Row | None:
    """The first of the rows, if there is any."""
    return found[0] if found else None


def open_database(address: str, file: Path) -> Database:
    """The database at a PostgreSQL address; without one the SQLite file.

    Raises:
        UserError: the address is none of PostgreSQL, or nothing answers there.
    """
    if not address:
        return SQLite(file)
    if not address.startswith(("postgresql://", "postgres://")):
        raise UserError(f"database {address.partition(':')[0]!r}: expected postgresql://USER@HOST/NAME")
    return PostgreSQL(address)


def migrate(database: Database, areas: Mapping[str, Sequence[str]]) -> None:
    """Bring every area's tables up to date: each statement once, in its order, and never again."""
    with database.transaction() as now:
        # Several workers start at once and would all create the tables; SQLite has its own lock for writers. The
        # number is ours alone.
        if database.dialect == "postgresql":
            now.rows("SELECT pg_advisory_xact_lock(7310589)")
        now.run("CREATE TABLE IF NOT EXISTS schema_step (area TEXT, step INTEGER, PRIMARY KEY (area, step))")
        done = {tuple(row) for row in now.rows("SELECT area, step FROM schema_step")}
        for area, steps in areas.items():
            for number, statement in enumerate(steps, start=1):
                if (area, number) not in done:
                    # The step is kept in the same transaction: after a crash it is either done and known, or neither.
                    now.run(statement.format(**TYPES[database.dialect]))
                    now.run("INSERT INTO schema_step VALUES (?, ?)", area, number)


class SQLite:
    """One file; each thread has a connection of its own."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        """Open the file, or make it."""
        # For nobody else on the machine: it holds what cookies are signed with.
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # The folder may be copied with other rights; SQLite gives its side files those of this one.
        path.touch(mode=0o600)
        path.chmod(0o600)
        self._path = path
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._connection()

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            # Autocommit, so that BEGIN IMMEDIATE is ours to write: the module's own BEGIN is deferred, and two
            # readers that turn to writing would fail with "locked". 30 s are far beyond any transaction here.
            found = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
            # Readers go on while somebody writes.
            found.execute("PRAGMA journal_mode=WAL")
            # FULL: a mark that a person was thanked for must survive a power cut.
            found.execute("PRAGMA synchronous=FULL")
            found.execute("PRAGMA foreign_keys=ON")
            # What is deleted is overwritten: drafts of a matter that is gone must not be found in the file's free pages.
            found.execute("PRAGMA secure_delete=ON")
            self._local.connection = found
            self._all.append(found)
        return found

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """One writer at a time."""
        connection = self._connection()
        # The lock of writers at once: what is read in the transaction is still true when it is written.
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield _SQLiteTransaction(connection)
            connection.execute("COMMIT")
        except BaseException:
            # Some errors end the transaction themselves; a second ROLLBACK would hide the first error.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def wipe(self) -> None:
        """Empty the write-ahead file, where pages stand as they were before they were overwritten."""
        self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connections of all threads."""
        for connection in self._all:
            connection.close()
        self._all.clear()
        self._local = threading.local()


class _SQLiteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, query: str, *parameters: Any) -> list[Row]:
        return self._connection.execute(query, parameters).fetchall()

    def run(self, statement: str, *parameters: Any) -> int:
        return self._connection.execute(statement, parameters).rowcount


class PostgreSQL:
    """A server; connections are shared."""

    dialect = "postgresql"

    def __init__(self, address: str) -> None:
        """Connect.

        Raises:
            UserError: nothing answers there.
            MissingDependencyError: psycopg is not installed.
        """
        try:
            from psycopg_pool import ConnectionPool, PoolTimeout
        except ImportError as error:
            raise MissingDependencyError("psycopg", "postgresql", "--database postgresql://…") from error
        # Opened below, where the error can be turned into a message; a pool that opens itself retries in the
        # background.
        self._pool = ConnectionPool(address, min_size=1, max_size=POOL, open=False)
        try:
            self._pool.open(wait=True, timeout=10)
        except PoolTimeout as error:
            self._pool.close()
            # The address holds a password: it is not repeated.
            raise UserError("the PostgreSQL database does not answer; look at host, port, user and name") from error

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Committed at the end, rolled back on an error."""
        with self._pool.connection() as connection, connection.cursor() as cursor:
            yield _PostgreSQLTransaction(cursor)

    def wipe(self) -> None:
        """Nothing: the server's own vacuum overwrites what was deleted."""

    def close(self) -> None:
        """Close the pool."""
        self._pool.close()


class _PostgreSQLTransaction:
    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def rows(self, query: str, *parameters: Any) -> list[Row]:
        self._cursor.execute(_marked(query), parameters)
        return list(self._cursor.fetchall()) if self._cursor.description else []

    def run(self, statement: str, *parameters: Any) -> int:
        self._cursor.execute(_marked(statement), parameters)
        return int(self._cursor.rowcount)


def _marked(statement: str) -> str:
    # `?` and `%` within a literal would be taken for parameters; the app's statements need none.
    if "'" in statement or "%" in statement:
        raise BenchbarError("an SQL statement of the app holds a literal; expected parameters alone")
    return statement.replace("?", "%s")
