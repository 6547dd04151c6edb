"""A month of whole runs in minutes: the product's own command, with a clock and an endpoint that are scripted.

``Month`` lives through it on one ledger after the other, and after every start reads what was left. Three things end a start: the
cancellation that Ctrl-C asks for (in this process, whose memory and open files are counted), ``kill -9`` (in a process of its own,
at any moment, also while it writes), and what the month brings: a key that was renewed, an endpoint that is away for longer than is
waited for, a disk that is full. ``endurance`` is one start that lasts the whole month.

The endpoint writes down each answer that it hands over, in a file beside the run: a process that is killed takes nothing of it with it.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import hashlib
import json
import os
import random
import select
import signal
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import benchbar
from benchbar.clients.transport import Response
from benchbar.ledger.calls import CallResult
from benchbar.ledger.check import check
from benchbar.ledger.requests import requests
from benchbar.ledger.sqlite import SQLiteStore
from benchbar.records import decode
from benchbar.records.errors import BenchbarError, ConnectionFailedError, ModelTimeoutError, TruncatedJsonError
from faults.simulation import SimulatedLoop
from faults.world import damage
from support.chat_server import answer, padding

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
MIDNIGHT = 1_800_000_000 // DAY * DAY
KEY = "BENCHBAR_MONTH_KEY"
KEY_LIFE = 7 * HOUR
"""After so long a key is refused, and another one is valid."""
PATIENCE = 3 * HOUR
LATENCY = (2.0, 40 * MINUTE)
"""Seconds until an answer: what a few calls take is to fill a month."""
SPEC = """
suite = "ucl-bench:samples.jsonl"
reference = "one"
seed = {seed}
[simulator]
kind = "llm"
model = "sim"
{endpoint}
[assistants.one]
kind = "openai"
model = "weak-1"
{endpoint}
[assistants.two]
kind = "openai"
model = "strong-2"
{endpoint}
[judge]
model = "judge"
answers = "text"
{endpoint}
[limits]
concurrency = 8
max_outage = {patience}
preflight = false
"""
ENDPOINT = f'base_url = "http://models.example/v1"\napi_key_env = "{KEY}"\ntimeout = {HOUR:.0f}'


def key_at(now: float) -> str:
    """The one key that is valid at a moment."""
    return f"key-{int(now // KEY_LIFE)}"


def digest(body: bytes) -> str:
    """A request by what is asked."""
    asked = json.loads(body)
    return _digest(asked["model"], asked["messages"])


def _digest(model: str, messages: object) -> str:
    return hashlib.sha256(json.dumps([model, messages], sort_keys=True).encode()).hexdigest()[:20]


@dataclass
class Service:
    """The endpoint: what it answers follows from the request, when and whether from the moment."""

    rng: random.Random
    journal: Path
    quiet: bool = False
    """Without faults, at once."""
    known: frozenset[str] = frozenset()
    """Requests whose answers the ledger has."""
    on_request: Callable[[], None] = lambda: None
    now: Callable[[], float] = time.time

    async def sent(
        self, _: object, url: str, body: bytes | None, headers: dict[str, str], *__: object, **named: Any
    ) -> Response:
        """What the product's own transport does, over no network."""
        assert body is not None, url
        self.on_request()
        asked = digest(body)
        if asked in self.known:
            self._note(f"again {asked}")
        if not self.quiet:
            await self._misbehave(answered=bool(named.get("answered")))
            if headers.get("Authorization") != f"Bearer {key_at(self.now())}":
                return Response(401, b'{"error": {"message": "this key has expired"}}', {})
            if (fault := self.rng.random()) < 0.04:
                return _fault(fault)
        self._note(f"{self.now()!r} {asked}")
        return Response(200, _completion(body), {})

    def _note(self, line: str) -> None:
        # At once, and in one piece: the process may be killed at any moment.
        with self.journal.open("ab", buffering=0) as file:
            file.write(f"{line}\n".encode())

    async def _misbehave(self, *, answered: bool) -> None:
        await asyncio.sleep(self.rng.uniform(*LATENCY))
        if away(self.now()):
            # As the product's transport: fatal where this process never had an answer from there.
            raise ConnectionFailedError("connection refused", fatal=not answered, unreachable=True)


def away(now: float) -> bool:
    """Whether the endpoint has vanished: every second night for one to five hours."""
    day, hour = divmod(now / HOUR, 24)
    return int(day) % 2 == 1 and 1 <= hour < 2 + int(day) // 2 % 5


def _fault(kind: float) -> Response:
    if kind < 0.01:
        return Response(500, b'{"error": {"message": "sorry"}}', {})
    if kind < 0.02:
        return Response(429, b"{}", {"Retry-After": "30"})
    if kind < 0.03:
        raise TruncatedJsonError("the answer broke off")
    raise ModelTimeoutError("no complete answer")


def _completion(body: bytes) -> bytes:
    asked = json.loads(body)
    said = answer(asked["model"], asked["messages"])
    usage = {"prompt_tokens": len(body) // 4, "completion_tokens": len(said)}
    choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


class _Session:
    """Nothing is connected."""

    async def close(self) -> None:
        """Nothing to close."""


@contextmanager
def scripted(service: Service, began: float) -> Iterator[Callable[[], float]]:
    """A block in which everything that ``benchbar`` does sees the service and a clock that starts at ``began``."""
    loops: list[SimulatedLoop] = []

    def loop() -> SimulatedLoop:
        made = SimulatedLoop(interruptible=True)
        made.now = loops[-1].now if loops else began
        loops.append(made)
        return made

    def now() -> float:
        return loops[-1].now if loops else began

    def run(work: Any) -> Any:
        with asyncio.Runner(loop_factory=loop) as runner:
            return runner.run(work)

    service.now = now
    with ExitStack() as stack:
        for name, replaced in {
            "asyncio.run": run,
            "time.time": lambda: MIDNIGHT + now(),
            "time.monotonic": now,
            "time.perf_counter": now,
            "benchbar.clients.transport.sent": service.sent,
            "benchbar.clients.transport.opened": _Session,
            # By the clock of the script twenty looks in a second would be all that a month is made of.
            "benchbar.clients.session.LISTEN": 20.0,
            "benchbar.cli.progress.EVERY": 600.0,
        }.items():
            stack.enter_context(patch(name, replaced))
        # uvloop has a clock of its own. Not by patch.dict: what is imported in the block has to stay.
        if (there := sys.modules.pop("uvloop", None)) is not None:
            stack.callback(sys.modules.__setitem__, "uvloop", there)
        else:
            stack.callback(sys.modules.pop, "uvloop")
        sys.modules["uvloop"] = None  # type: ignore[assignment]
        yield now


@dataclass
class Month:
    """Ledgers that are lived through one after the other; the same consultations in each."""

    folder: Path
    """Where the runs are: the disk that may be full."""
    notes: Path
    """A folder on another disk: what the endpoint and the processes wrote down."""
    seed: int = 0
    samples: int = 30
    disk: bool = False
    """Whether the folder is a disk of its own, which may be filled."""
    now: float = 9 * HOUR
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.journal, self.log = self.notes / "journal.txt", self.notes / "run.log"
        self.known: frozenset[str] = frozenset()
        write_run(self.folder, self.samples)
        with self._service(quiet=True):
            benchbar.run(self.folder / "spec.toml", out=self.folder / "expected", on_note=_unheard)
        self.journal.unlink()
        self._begin_run()

    def _begin_run(self) -> None:
        self.run = self.folder / f"run-{self.counts['runs']}"
        self.counts["runs"] += 1
        self.known = frozenset()

    @contextmanager
    def _service(self, **given: Any) -> Iterator[Service]:
        service = Service(self.rng, self.journal, known=self.known, **given)
        os.environ[KEY] = key_at(self.now)
        with scripted(service, self.now) as now:
            try:
                yield service
            finally:
                self.now = now()

    def cancelled_start(self) -> None:
        """A start that somebody asks to stop after a while; in every other one the key is renewed while it runs."""
        cancel, at, renewed = threading.Event(), self.rng.uniform(0, 80 * MINUTE), self.rng.random() < 0.5
        begun = False

        def progress(_: object) -> None:
            nonlocal begun
            if not begun:
                begun = True
                loop = asyncio.get_running_loop()
                loop.call_later(at, cancel.set)
                if renewed:
                    _renew(loop)

        how = "finished"
        with self._service():
            try:
                benchbar.run(
                    self.folder / "spec.toml", out=self.run, on_note=_unheard, on_progress=progress, cancel=cancel
                )
            except BenchbarError as error:
                how = error.slug
        self._ended(how, killed=False)

    def killed_start(self) -> None:
        """A start in a process of its own that is killed: so soon after it began, or so soon after a request of its."""
        filler = self._fill() if self.disk and self.rng.random() < 0.15 else None
        after = self.rng.choice((0, self.rng.randint(1, 30), self.rng.randint(1, 30)))
        pause = self.rng.uniform(0, 0.08 if not after else 0.004)
        reader, writer = os.pipe()
        self._rotate()
        child = os.fork()
        if not child:
            self._child(writer, after, seed=self.rng.getrandbits(32))
        os.close(writer)
        # Readable too when the process has ended of itself.
        select.select([reader], [], [], 300 if after else 0)
        time.sleep(pause)
        if self.rng.random() < 0.3:
            self._truncate()
        os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        os.close(reader)
        if filler is not None:
            filler.unlink()
        code = os.waitstatus_to_exitcode(status)
        how = "killed" if code == -signal.SIGKILL else f"exit code {code}"
        self._ended(how, killed=True, finished=code == 0, full=filler is not None)

    def _child(self, writer: int, after: int, *, seed: int) -> None:
        """What the process does: the product's command, from its arguments to its exit code."""
        from benchbar.cli.main import main

        code = 70
        try:
            self.rng = random.Random(seed)
            requests_left = after
            log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(log, 1)
            os.dup2(log, 2)

            def count() -> None:
                nonlocal requests_left
                requests_left -= 1
                if not requests_left:
                    os.write(writer, b"!")

            sys.argv = ["benchbar", "run", str(self.folder / "spec.toml"), "--out", str(self.run)]
            with self._service(on_request=count):
                main()
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 71
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _fill(self) -> Path:
        """Leave little room on the disk, or none."""
        filler = self.folder / "filler"
        room = os.statvfs(self.folder)
        size = room.f_bavail * room.f_frsize - self.rng.choice((0, self.rng.randint(0, 400_000)))
        self.counts["full disks"] += 1
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(size, 1))
        return filler

    def _rotate(self) -> None:
        """As logrotate does: the log gets another name, and old ones go."""
        if self.log.exists() and self.counts["starts"] % 7 == 0:
            self.log.replace(self.log.with_suffix(".log.1"))
            self.counts["logs rotated"] += 1

    def _truncate(self) -> None:
        """As logrotate does with copytruncate, under the process that writes."""
        self._no_traceback()
        if self.log.exists():
            os.truncate(self.log, 0)
            self.counts["logs rotated"] += 1

    def _no_traceback(self) -> None:
        text = self.log.read_text("utf-8", "replace") if self.log.exists() else ""
        assert "Traceback" not in text, text[-3000:]

    def _ended(self, how: str, *, killed: bool, finished: bool | None = None, full: bool = False) -> None:
        """Read what a start left, and see that nothing that had arrived is lost or was paid again."""
        self.counts["starts"] += 1
        self.counts[f"start ended: {how}"] += 1
        if killed:
            self._no_traceback()
        lines = [line.split() for line in self.journal.read_text("ascii").splitlines()] if self.journal.exists() else []
        self.journal.unlink(missing_ok=True)
        again = [line for line in lines if line[0] == "again"]
        self.counts["completed calls paid again"] += len(again)
        arrived = [(float(at), asked) for at, asked in (line for line in lines if line[0] != "again")]
        self.now = max([self.now, *(at for at, _ in arrived)])
        self.counts["answers"] += len(arrived)
        ledger = self.run / "ledger.sqlite"
        kept = answered_in(ledger)
        assert self.known <= kept, f"{how}: {len(self.known - kept)} answers of earlier starts are gone"
        # What came at the very moment of the kill was in flight: all that came before was written before time went on.
        last = self.now if killed else float("inf")
        lost = {asked for at, asked in arrived if at < last} - kept
        # With the disk full, what was in flight has no place when it comes.
        assert full or not lost, f"{how}: {len(lost)} answers arrived and are lost"
        self.counts["answers for which a full disk had no place"] += len(lost)
        assert not again, f"{how}: {len(again)} completed calls were paid again"
        self.known = kept
        if finished or how == "finished":
            self._as_expected()
            self._begin_run()
        elif not arrived and how != "killed":
            # Away, or the key is not known yet: somebody looks again later.
            self.now += 20 * MINUTE

    def _as_expected(self) -> None:
        """A finished run is that of one start without faults, to the byte."""
        for name in ("results.json", "scores.jsonl", "comparisons.jsonl", "measures.jsonl"):
            assert (self.run / name).read_bytes() == (self.folder / "expected" / name).read_bytes(), self.run / name
        report = check(self.run / "ledger.sqlite")
        assert report.finished == report.planned > 0
        self.counts["runs finished"] += 1


def _unheard(_: str) -> None:
    """Nobody reads the notes of a month."""


def _renew(loop: asyncio.AbstractEventLoop) -> None:
    """What a sidecar does for tokens that expire: the environment has the next one a minute before."""
    os.environ[KEY] = key_at(loop.time())
    loop.call_later((loop.time() // KEY_LIFE + 1) * KEY_LIFE - loop.time(), _renew, loop)


def write_run(folder: Path, samples: int, patience: float = PATIENCE) -> None:
    """A suite of so many samples and the spec of its run, which waits so long for an endpoint that is away."""
    rows = (
        {
            "id": f"s{number:05}",
            "task": f"{number % 5 + 1}-1",
            "information": padding(f"information {number}", 60),
            "needs": f"第{number}件事：{padding(f'needs {number}', 30)}该怎么办？",
            "guidance": f"必须提及：{padding(f'point {number}', 25)}",
        }
        for number in range(samples)
    )
    with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    spec = SPEC.format(seed=1, patience=patience, endpoint=ENDPOINT)
    (folder / "spec.toml").write_text(spec, "utf-8")


def answered_in(ledger: Path) -> frozenset[str]:
    """The requests whose answers a whole ledger has."""
    if not ledger.exists() or _is_blank(ledger):
        return frozenset()
    assert not (problems := damage(ledger)), problems
    store = SQLiteStore(ledger, writable=False)
    try:
        done = {
            bytes(key)
            for key, data in store.rows("SELECT key, payload FROM result WHERE status = 'ok'")
            if decode(store.packing.unpack(data), CallResult).reply is not None
        }
        asked = {key: json.loads(written) for key, _, _, written in requests(store) if key in done}
    finally:
        store.close()
    return frozenset(_digest(one["model"].partition("@")[0], one["messages"]) for one in asked.values())


def _is_blank(ledger: Path) -> bool:
    """Whether a start was killed after it had made the file, and before it had made the tables."""
    with closing(sqlite3.connect(f"{ledger.as_uri()}?mode=ro", uri=True)) as db:
        return not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


@dataclass(frozen=True)
class Resources:
    """What a process held on a day of its month."""

    day: int
    memory_mb: float
    files: int
    log_mb: float
    """Of the ledger's write-ahead log."""

    @classmethod
    def now(cls, day: int = 0, ledger: Path | None = None) -> Resources:
        """Of this process, at this moment."""
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        log = ledger.with_name(f"{ledger.name}-wal") if ledger else None
        return cls(
            day=day,
            memory_mb=pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
            files=sum(1 for _ in Path("/proc/self/fd").iterdir()),
            log_mb=log.stat().st_size / 1e6 if log and log.exists() else 0.0,
        )


def endurance(folder: Path, samples: int) -> list[Resources]:
    """One start that goes through all samples while keys are renewed and the endpoint vanishes; what it held each day."""
    write_run(folder, samples, patience=8 * HOUR)
    found: list[Resources] = []
    out = folder / "run"

    def progress(_: object) -> None:
        loop = asyncio.get_running_loop()
        if not found:
            _renew(loop)
        if not found or loop.time() // DAY > found[-1].day:
            found.append(Resources.now(int(loop.time() // DAY), out / "ledger.sqlite"))

    os.environ[KEY] = key_at(0.0)
    service = Service(random.Random(7), folder / "journal.txt")
    with scripted(service, 0.0):
        benchbar.run(folder / "spec.toml", out=out, on_note=_unheard, on_progress=progress)
    assert check(out / "ledger.sqlite").ok
    assert "again" not in service.journal.read_text("ascii")
    return found


@contextmanager
def small_disk(folder: Path, megabytes: int = 64) -> Iterator[bool]:
    """A block in which the folder is a disk of its own, which can be full; False where the system does not let us.

    It is this process's, and goes with it.
    """
    system = ctypes.CDLL(None, use_errno=True)
    new_users, new_mounts, private = 0x10000000, 0x00020000, 1 << 18 | 1 << 14
    user, group = os.getuid(), os.getgid()
    if system.unshare(new_mounts | (new_users if user else 0)):
        yield False
        return
    if user:
        for name, line in {"setgroups": "deny", "uid_map": f"0 {user} 1", "gid_map": f"0 {group} 1"}.items():
            Path(f"/proc/self/{name}").write_text(line, "ascii")
    # Private: else the mount would be seen by every process of the machine.
    system.mount(b"none", b"/", None, private, None)
    mounted = not system.mount(b"none", str(folder).encode(), b"tmpfs", 0, f"size={megabytes}m".encode())
    try:
        yield mounted
    finally:
        if mounted:
            system.umount2(str(folder).encode(), 2)
