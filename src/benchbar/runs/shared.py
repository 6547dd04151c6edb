"""Runs whose ledger is in a database: where it is, how the run was made, and this process's part of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchbar.runs.manifest import Manifest, read_manifest, write_manifest
from benchbar.runs.spec import Spec
from benchbar.records.errors import UserError
from benchbar.ledger import Ledger
from benchbar.ledger.connecting import named, run_of, without_password
from benchbar.ledger.store import FILE, LedgerStore, is_address, open_store
from benchbar.records import decode, encode

if TYPE_CHECKING:
    from benchbar.clients import Client
    from benchbar.ledger.claims import Standing
    from benchbar.runs.consultation import Consultation
    from benchbar.runs.sharing import SharedRun

META = "run"
"""Under this name the ledger in a database keeps what run.json holds, for processes with another folder."""


def placed(spec: Spec, folder: Path) -> Spec:
    """The spec with the full address of its ledger: as given, else as the run in the folder was begun."""
    before = read_manifest(folder)
    address = spec.ledger or (before.spec.ledger if before else "")
    return msgspec.structs.replace(spec, ledger=named(address, folder.resolve().name) if address else "")


def where(spec: Spec, folder: Path) -> Path | str:
    """Where the ledger of a run is."""
    return spec.ledger or folder / FILE


def made_before(ledger: Ledger, folder: Path, spec: Spec) -> Manifest | None:
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
    return decode(kept, Manifest) if kept else read_manifest(folder)


def writable(manifest: Manifest) -> Manifest:
    """What may be written down: the address of the ledger without its password."""
    address = without_password(manifest.spec.ledger)
    return msgspec.structs.replace(manifest, spec=msgspec.structs.replace(manifest.spec, ledger=address))


def keep(store: LedgerStore, manifest: Manifest) -> None:
    """Write down in the database how the run is made."""
    store.set_meta(META, encode(manifest))


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
            manifest = decode(kept, Manifest)
            spec = msgspec.structs.replace(manifest.spec, ledger="")
            write_manifest(target.parent, msgspec.structs.replace(manifest, spec=spec))
        return
    made = None if is_address(source) else read_manifest(Path(source))
    if made is not None and isinstance(target, str):
        ledger = Ledger(target)
        try:
            spec = msgspec.structs.replace(made.spec, ledger=target)
            keep(ledger.store, writable(msgspec.structs.replace(made, spec=spec)))
        finally:
            ledger.close()


def stamp(manifest: Manifest) -> bytes:
    """The same for those who may work on one run together."""
    spec = msgspec.structs.replace(manifest.spec, limits=type(manifest.spec.limits)(), gate=None)
    return encode(msgspec.structs.replace(manifest, spec=spec, folder=""))


@asynccontextmanager
async def joined(
    study: Consultation, client: Client, manifest: Manifest, *, at_once: int, lease: float
) -> AsyncIterator[SharedRun]:
    """This process's part of the run, given back at the end of the block."""
    from benchbar.ledger.claims import Claims
    from benchbar.ledger.postgresql import PostgreSQLStore
    from benchbar.runs.sharing import SharedRun

    store = study.ledger.store
    assert isinstance(store, PostgreSQLStore)  # noqa: S101 - a fault of ours, not of the user
    claims = Claims(store, lease=lease)
    try:
        run = SharedRun(study, claims, at_once=at_once, again=lambda: client.budget.share(claims.allot))
        client.budget.share(claims.allot)
        await run.join(stamp(manifest))
        try:
            yield run
        finally:
            await claims.leave()
    finally:
        claims.close()


async def on_cluster(
    run: SharedRun, spec: Spec, base: Path, engine: str, number: int | None, *, today: str, told: Callable[[Standing], None]
) -> None:
    """Let a cluster work on the run; this process only looks on."""
    from benchbar.runs.ray_engine import Job, workers

    job = Job(spec=spec, folder=str(Path.cwd()), base=str(base), today=today)
    with workers(engine, job, number) as anybody:
        await run.watch(anybody, told)


@contextmanager
def deriving(folder: Path) -> Iterator[None]:
    """A block in which no other process writes the derived files of the folder."""
    import filelock

    folder.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(folder / ".derived.lock"):
        yield
