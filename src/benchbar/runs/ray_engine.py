"""Spreads a run over a Ray cluster: each worker takes its part through the ledger in PostgreSQL, and nothing else is shared."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.records import Record, decode, encode
from benchbar.records.errors import BenchbarError, MissingDependencyError, UserError, WorkerFailedError
from benchbar.runs.spec import Spec

if TYPE_CHECKING:
    from benchbar.ledger.claims import Standing
    from benchbar.runs.manifest import Manifest
    from benchbar.runs.sharing import SharedRun

NAME = "ray"
RETRIES = 3
"""How often Ray starts a worker again that died."""
STARTS, SLOW = 4, "Starting Ray client server failed"
"""How often a cluster is asked that answers so: it gives each client a server of its own, and 30 s to start it, which a busy head exceeds."""
_DATABASE = ("PGPASSWORD", "PGUSER", "PGSERVICE")


class Job(Record, frozen=True):
    """What a worker has to know; everything else it finds in the ledger."""

    spec: Spec
    folder: str
    """In which the command was given: there on every machine of the cluster, with the files that the spec names."""
    base: str
    """Folder of the spec, from there."""
    today: str
    paths_in_law_identity: bool


def checked(engine: str | None, spec: Spec) -> str | None:
    """The engine's name, if the run can be spread.

    Raises:
        UserError: the name is unknown, or the run has no ledger that workers could share.
    """
    if engine is None:
        return None
    if engine != NAME and not engine.startswith("ray://"):
        raise UserError(f"--engine {engine!r}: expected ray, or ray://HOST:PORT of a cluster's head")
    if not spec.ledger:
        raise UserError("--engine ray: workers share their record; expected --ledger postgresql://USER@HOST/DATABASE")
    return engine


async def on_cluster(
    run: SharedRun,
    manifest: Manifest,
    spec: Spec,
    base: Path,
    engine: str,
    number: int | None,
    *,
    told: Callable[[Standing], None],
) -> None:
    """Let a cluster work on the run; this process only looks on."""
    job = Job(
        spec=spec,
        folder=str(Path.cwd()),
        base=str(base),
        today=manifest.on,
        paths_in_law_identity=manifest.paths_in_law_identity,
    )
    with workers(engine, job, number) as anybody:
        await run.watch(anybody, told)


@contextmanager
def workers(engine: str, job: Job, number: int | None) -> Iterator[Callable[[], bool]]:
    """Workers on a cluster while the block lasts; one may ask whether any of them still works.

    Raises:
        MissingDependencyError: Ray is not installed.
        UserError: the cluster cannot be reached.
    """
    ray = _ray()
    _connect(ray, engine, number)
    try:
        count = number or max(1, int(ray.cluster_resources().get("CPU", 1)))
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(take_part)
        # As arguments: an environment that Ray makes for its workers is written into its logs.
        pending = [task.remote(encode(job), _secrets(job.spec)) for _ in range(count)]
        yield lambda: _any_left(ray, pending)
        _ended(ray, pending)
    finally:
        ray.shutdown()


def _ray() -> Any:
    # Nobody is told who runs what, unless the user wants it.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError as error:
        raise MissingDependencyError("ray", "ray", "the engine ray") from error
    return ray


def _connect(ray: Any, engine: str, number: int | None) -> None:
    address = os.environ.get("RAY_ADDRESS", "local") if engine == NAME else engine
    own: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    if address == "local" and number:
        own["num_cpus"] = number
    for left in reversed(range(STARTS)):
        try:
            ray.init(address=address, log_to_driver=False, logging_level="error", **own)
        except (ConnectionError, ValueError, RuntimeError) as error:
            if left and SLOW in str(error):
                continue
            token = (
                ""
                if os.environ.get("RAY_AUTH_MODE")
                else "; a cluster that asks for a token needs RAY_AUTH_MODE=token here"
            )
            # A traceback of the cluster's ends with what happened.
            cause = str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__
            raise UserError(f"--engine {engine}: no Ray cluster at {address}: {cause}{token}") from error
        else:
            return


def _any_left(ray: Any, pending: list[Any]) -> bool:
    """Whether a worker still works.

    Raises:
        WorkerFailedError: none does, and one of them says why.
    """
    ready, left = ray.wait(pending, num_returns=len(pending), timeout=0)
    said = [text for text in (_result(ray, one) for one in ready) if text]
    if said and not left:
        raise WorkerFailedError(said[0])
    return bool(left)


def _ended(ray: Any, pending: list[Any]) -> None:
    """Wait for the workers, who find nothing more to do."""
    ray.wait(pending, num_returns=len(pending), timeout=60)


def _result(ray: Any, one: Any) -> str:
    try:
        return str(ray.get(one))
    except ray.exceptions.RayError as error:
        return f"a worker died, and was started again {RETRIES} times: {type(error).__name__}"


def _secrets(spec: Spec) -> dict[str, str]:
    """The variables that hold keys and the database's password, for workers whose environment lacks them."""
    names = {*_DATABASE, *_named_in(msgspec.to_builtins(spec))}
    return {name: os.environ[name] for name in sorted(names) if name in os.environ}


def _named_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "api_key_env" and isinstance(inner, str):
                yield inner
            elif name == "headers_env" and isinstance(inner, dict):
                yield from (str(one) for one in inner.values())
            else:
                yield from _named_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _named_in(inner)


def take_part(job: bytes, secrets: dict[str, str]) -> str:
    """Work on the run until nothing is left; returns what went wrong, as errors with many fields do not travel."""
    for name, value in secrets.items():
        os.environ.setdefault(name, value)
    try:
        given = decode(job, Job)
        if not Path(given.folder).is_dir():
            return f"usage: {given.folder} is not on this machine; a cluster's machines share the run's files"
        os.chdir(given.folder)
        asyncio.run(_take_part(given))
    except BenchbarError as error:
        return f"{error.slug}: {error}"
    return ""


async def _take_part(job: Job) -> None:
    from benchbar.runs.assembling import assembled, chosen_suite, manifest_of, session_of
    from benchbar.runs.interim import parts
    from benchbar.runs.manifest import writable
    from benchbar.runs.sharing import joined

    base = Path(job.base)
    suite = chosen_suite(job.spec, base)
    async with session_of(job.spec, job.spec.ledger) as session:
        old = job.paths_in_law_identity
        study = assembled(job.spec, suite, session, base, today=job.today, paths_in_law_identity=old)
        limits = job.spec.limits
        manifest = writable(manifest_of(job.spec, study, base, paths_in_law_identity=old))
        async with joined(
            study,
            session.client,
            manifest,
            parts=parts(suite) if job.spec.stop_early else (),
            at_once=limits.concurrency,
            lease=limits.lease,
            outage=limits.max_outage,
        ) as run:
            await run.work(lambda _: None)
