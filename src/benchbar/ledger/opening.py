"""The way to open a ledger by its address: a file, or a run in a database."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchbar.artefacts.layout import LEDGER, RunFolder
from benchbar.ledger.database import without_password
from benchbar.ledger.store import LedgerStore
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import read_bounded

FILE = LEDGER
"""The ledger in the folder of a run that names no other."""
SCHEMES = ("postgresql", "postgres")


def is_address(text: str) -> bool:
    """Whether a text is the address of a database, and not the name of a file."""
    return text.partition("://")[0] in SCHEMES


class _Spec(msgspec.Struct):
    ledger: str = ""


class _Run(msgspec.Struct):
    spec: _Spec = msgspec.field(default_factory=_Spec)


def ledger_of(run: Path) -> Path | str:
    """Where the ledger of a run is: what its run.json names, else the file in its folder; a file is taken as it is.

    Raises:
        BadInputError: run.json is damaged.
    """
    if run.is_file():
        return run
    file = RunFolder(run).manifest
    if not file.is_file():
        return run / FILE
    try:
        stated = msgspec.json.decode(read_bounded(file), type=_Run).spec.ledger
    except msgspec.MsgspecError as error:
        raise BadInputError(str(error), file=file) from error
    return stated or run / FILE


def open_store(where: Path | str, *, version: str = "", writable: bool = True, session: bool = True) -> LedgerStore:
    """The ledger at a path or address, made with the present schema where there is none and it is to be written.

    Marks are written outside of any ``session`` of a run.

    Raises:
        LedgerError: there is no ledger to read, it is none, or one of another schema version.
        UserError: the address is of no kind that is known.
    """
    if isinstance(where, str) and is_address(where):
        from benchbar.ledger.postgresql import PostgreSQLStore

        return PostgreSQLStore(where, version=version, writable=writable, session=session)
    if isinstance(where, str) and "://" in where:
        raise UserError(f"{without_password(where)}: expected a path, or postgresql://USER@HOST/DATABASE?run=NAME")
    from benchbar.ledger.sqlite import SQLiteStore

    return SQLiteStore(Path(where), version=version, writable=writable, session=session)
