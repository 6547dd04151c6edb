"""Copies a ledger from one store to another, row for row, and proves by reading both again that they are the same."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchbar.ledger import schema
from benchbar.ledger.blinding import secret_file, write_secret
from benchbar.ledger.database import Database, connect
from benchbar.ledger.ledger import alone
from benchbar.ledger.opening import open_store
from benchbar.ledger.store import LedgerStore
from benchbar.records import Record
from benchbar.records.errors import LedgerBusyError, LedgerError, UserError
from benchbar.records.files import sync_folder

Rows = Iterable[tuple[Any, ...]]


class Copied(Record, frozen=True):
    """What was copied, and the proof."""

    rows: dict[str, int]
    """Table to number of rows."""
    digest: str
    """Over every column of every row in the order of their keys (BLAKE2b, 128 bits), the same in both stores."""


def copy(source: Path | str, target: Path | str) -> Copied:
    """Make ``target``, which must not be there yet, hold what ``source`` holds.

    It is there whole or not at all.

    Raises:
        LedgerError: the source cannot be read, or the target not be written; or they differ, and then the target is
            damaged.
        LedgerBusyError: somebody is at work on the source.
        UserError: there is something at the target already.
    """
    lock = alone(source) if isinstance(source, Path) and source.is_file() else None
    try:
        store = open_store(source, writable=False)
        try:
            return _copied(store, source, target)
        finally:
            store.close()
    finally:
        if lock is not None:
            lock.release()


def _copied(store: LedgerStore, source: Path | str, target: Path | str) -> Copied:
    if (
        not isinstance(source, Path)
        and next(store.rows("SELECT count(*) FROM worker WHERE NOT lost AND until > now()"))[0]
    ):
        raise LedgerBusyError(f"{Database.of(source)}: others are at work on this run; copy it when they have finished")
    if isinstance(target, Path):
        _into_file(store, target)
    else:
        _into_database(store, Database.of(target))
    copied = open_store(target, writable=False)
    try:
        before, after = digest(store), digest(copied)
    finally:
        copied.close()
    # Read back through the stores and not compared in memory: what counts is what a reader of the copy
    # will see.
    if before != after:
        raise LedgerError(f"the copy differs from what was copied ({before} and {after}); do not use it")
    return before


def digest(store: LedgerStore) -> Copied:
    """The number of rows of each table, and one hash over all of them."""
    whole, counts = hashlib.blake2b(digest_size=16), {}
    for table in schema.TABLES:
        whole.update(table.encode())
        number = 0
        for row in _rows(store, table):
            whole.update(repr(row).encode())
            number += 1
        counts[table] = number
    return Copied(rows=counts, digest=whole.hexdigest())


def _columns(table: str) -> list[tuple[str, str]]:
    """Names and types of a table's columns, its key first."""
    with sqlite3.connect(":memory:") as model:
        model.executescript(schema.FILE)
        found = [(row[1], row[2]) for row in model.execute(f"PRAGMA table_info({table})")]
    model.close()
    return found


def _rows(store: LedgerStore, table: str) -> Iterator[tuple[Any, ...]]:
    columns = _columns(table)
    # Texts in the order of their bytes, which is SQLite's, and no language's.
    key, kind = columns[0]
    order = f'{key} COLLATE "C"' if kind == "TEXT" and not hasattr(store, "path") else key
    names = ", ".join(name for name, _ in columns)
    yield from store.rows(f"SELECT {names} FROM {table} ORDER BY {order}")  # noqa: S608 - constants


def _into_file(store: LedgerStore, path: Path) -> None:
    if path.exists():
        raise UserError(f"{path}: there is a ledger already; expected a new one")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Beside the target, so that the rename at the end stays within one file system and is atomic.
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    try:
        db = sqlite3.connect(new, isolation_level=None)
        try:
            db.executescript(f"PRAGMA synchronous=FULL; BEGIN; {schema.FILE}")
            for table in schema.TABLES:
                marks = ", ".join("?" * len(_columns(table)))
                db.executemany(f"INSERT INTO {table} VALUES ({marks})", _rows(store, table))  # noqa: S608
            db.execute("COMMIT")
        finally:
            db.close()
        # The copy takes the place of the run: whoever goes on with it needs the order that reviewers were shown.
        if (secret := store.blinding()) is not None:
            write_secret(secret_file(path), secret)
        new.replace(path)
        sync_folder(path.parent)
    except sqlite3.Error as error:
        raise LedgerError(f"{path}: cannot be written: {error}") from error
    finally:
        new.unlink(missing_ok=True)


def _into_database(store: LedgerStore, database: Database) -> None:
    from psycopg import sql

    connection = connect(database)
    try:
        with database.errors(), connection.transaction():
            found = connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (database.schema,)).fetchone()
            if found:
                raise UserError(f"{database}: there is a run of this name already; expected a new one (?run=NAME)")
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(database.schema)))
            connection.execute(schema.DATABASE)
            for table in schema.TABLES:
                with connection.cursor().copy(f"COPY {table} FROM STDIN") as target:
                    for row in _rows(store, table):
                        target.write_row(row)
            if (secret := store.blinding()) is not None:
                connection.execute("INSERT INTO blinding (secret) VALUES (%s)", (secret,))
    finally:
        connection.close()
