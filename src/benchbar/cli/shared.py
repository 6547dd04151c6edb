"""Runs whose ledger is in a database: where it is, how the run was made, and this process's part of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchbar.cli.frozen import Frozen, read_frozen, write_frozen
from benchbar.cli.spec import Spec
from benchbar.errors import UserError
from benchbar.ledger import Ledger
from benchbar.ledger.connecting import named, run_of, without_password
from benchbar.ledger.store import FILE, LedgerStore, is_address, open_store
from benchbar.records import decode, encode

if TYPE_CHECKING:
    from benchbar.llm import Door
    from benchbar.studies.consultation import Consultation
    from benchbar.studies.sharing import SharedRun

META = "run"
"""Under this name the ledger in a database keeps what run.json holds, for processes with another folder."""


def placed(spec: Spec, folder: Path) -> Spec:
    """The spec with the full address of its ledger: as given, else as the run in the folder was begun."""
    before = read_frozen(folder)
    address = spec.ledger or (before.spec.ledger if before else "")
    return msgspec.structs.replace(spec, ledger=named(address, folder.resolve().name) if address else "")


def where(spec: Spec, folder: Path) -> Path | str:
    """Where the ledger of a run is."""
    return spec.ledger or folder / FILE


def made_before(ledger: Ledger, folder: Path, spec: Spec) -> Frozen | None:
    """How the run was made by those who worked on it before, here or elsewhere; None where it is new.

    Raises:
        UserError: the folder has a ledger of its own, and that in the database is empty.
    """
    kept = ledger.store.meta(META) if spec.ledger else None
    if spec.ledger and kept is None and (folder / FILE).is_file():
        shown = without_password(spec.ledger)
        raise UserError(
            f"{folder} has a ledger of its own, and {shown} has none; move it with `benchbar ledger copy {folder} '{shown}'`,"
            " or use another --out"
        )
    return decode(kept, Frozen) if kept else read_frozen(folder)


def writable(frozen: Frozen) -> Frozen:
    """What may be written down: the address of the ledger without its password."""
    address = without_password(frozen.spec.ledger)
    return msgspec.structs.replace(frozen, spec=msgspec.structs.replace(frozen.spec, ledger=address))


def keep(store: LedgerStore, frozen: Frozen) -> None:
    """Write down in the database how the run is made."""
    store.set_meta(META, encode(frozen))


def target_of(target: str, source: str) -> Path | str:
    """Where a copy of a run's ledger is to be: a run in a database, named as the source if it has no name, or a file."""
    if is_address(target):
        return named(target, run_of(source) if is_address(source) else Path(source).resolve().name)
    path = Path(target)
    return path if path.suffix == ".sqlite" else path / FILE


def carry_over(source: str, target: Path | str) -> None:
    """Let the copy of a ledger know how its run was made: by run.json in a folder, by the ledger itself in a database."""
    store = open_store(target, writable=False) if isinstance(target, Path) else None
    if isinstance(target, Path) and store is not None:
        kept = store.meta(META)
        store.close()
        if kept and target.name == FILE:
            frozen = decode(kept, Frozen)
            spec = msgspec.structs.replace(frozen.spec, ledger="")
            write_frozen(target.parent, msgspec.structs.replace(frozen, spec=spec))
        return
    made = None if is_address(source) else read_frozen(Path(source))
    if made is not None and isinstance(target, str):
        ledger = Ledger(target)
        try:
            spec = msgspec.structs.replace(made.spec, ledger=target)
            keep(ledger.store, writable(msgspec.structs.replace(made, spec=spec)))
        finally:
            ledger.close()


def stamp(frozen: Frozen) -> bytes:
    """The same for those who may work on one run together."""
    spec = msgspec.structs.replace(frozen.spec, limits=type(frozen.spec.limits)(), gate=None)
    return encode(msgspec.structs.replace(frozen, spec=spec, folder=""))


@asynccontextmanager
async def joined(
    study: Consultation, door: Door, frozen: Frozen, *, at_once: int, lease: float
) -> AsyncIterator[SharedRun]:
    """This process's part of the run, given back at the end of the block."""
    from benchbar.ledger.claims import Claims
    from benchbar.ledger.postgresql import PostgreSQLStore
    from benchbar.studies.sharing import SharedRun

    store = study.ledger.store
    assert isinstance(store, PostgreSQLStore)  # noqa: S101 - a fault of ours, not of the user
    claims = Claims(store, lease=lease)
    try:
        run = SharedRun(study, claims, at_once=at_once, again=lambda: door.budget.share(claims.allot))
        door.budget.share(claims.allot)
        await run.join(stamp(frozen))
        try:
            yield run
        finally:
            await claims.leave()
    finally:
        claims.close()


async def on_cluster(
    run: SharedRun, spec: Spec, base: Path, engine: str, number: int | None, *, today: str, show: bool
) -> None:
    """Let a cluster work on the run; this process only looks on."""
    from benchbar.cli.progress import samples_done
    from benchbar.cli.ray_engine import Job, workers

    job = Job(spec=spec, folder=str(Path.cwd()), base=str(base), today=today)
    with workers(engine, job, number) as anybody, samples_done(show=show) as told:
        await run.watch(anybody, told)


@contextmanager
def deriving(folder: Path) -> Iterator[None]:
    """A block in which no other process writes the derived files of the folder."""
    import filelock

    folder.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(folder / ".derived.lock"):
        yield
