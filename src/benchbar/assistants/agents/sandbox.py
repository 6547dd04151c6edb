"""The container in which an agent's commands run, and nowhere else: no rights, no network, bounds on all it may use."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import tarfile
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from benchbar.records import Record
from benchbar.records.errors import ContainerLostError, SandboxError, UserError

ENGINES = ("podman", "docker")
IMAGE = "docker.io/library/python:3.12-slim"
"""Named where an image is missing, with the registry: podman without a list of registries finds no short name."""
# No image has these: over a folder that it has, some runtimes keep that folder's rights, and nothing could be written.
INPUTS, OUTPUTS = "/task/in", "/task/out"
NOBODY = "65534:65534"
NEEDED = ("cat", "dirname", "kill", "mkdir", "rm", "sh", "sleep", "tar", "timeout", "touch")
"""Programs of the image: busybox has them all, and so has every usual distribution."""
STARTING = 60.0
"""Seconds that an engine may take to start or to end a container, before it counts as broken."""
LINGERING = 2 * STARTING
"""Seconds that a container outlives its work: its files are taken when the time is up, and the engine may be slow then."""
MOST_FILES = 500
PAGE = 4096
# The container lives as long as our end of its standard input is open. Whatever ends this process, kill -9 included, closes that
# end; then `cat` ends, and the container with it. The sleeper ends it where our process hangs.
_ALIVE = """for one in {needed}; do command -v "$one" >/dev/null || {{ echo "the image has no $one" >&2; exit 1; }}; done
touch {outputs}/.begun && rm {outputs}/.begun || {{ echo "{outputs} cannot be written to" >&2; exit 1; }}
echo ready; exec 3<&0; cat <&3 >/dev/null & watched=$!; (sleep "$1"; kill $watched) & wait $watched""".format(
    needed=" ".join(NEEDED), outputs=OUTPUTS
)


class Bounds(Record, frozen=True, kw_only=True):
    """What one piece of work may use."""

    steps: int = 40
    """Times that the model is asked."""
    seconds: float = 900.0
    """Of the whole work."""
    command_seconds: float = 120.0
    """Of one command."""
    cost: float | None = None
    """In the currency of the model's price: once so much is spent the model is not asked again."""
    output_bytes: int = 16 << 20
    """Of all files that it may leave."""
    memory: int = 1 << 30
    """Bytes, the files among them: they are kept in memory until the work is done."""
    processes: int = 256
    cpus: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what leaves no room for any work.

        Raises:
            UserError: a bound is 0 or below, or the files that may be left do not fit into the memory.
        """
        for name in self.__struct_fields__:
            if (value := getattr(self, name)) is not None and value <= 0:
                raise UserError(f"limits.{name} is {value}; a number above 0 was expected")
        if self.output_bytes > self.memory:
            raise UserError(f"limits.output_bytes ({self.output_bytes}) is more than limits.memory ({self.memory})")


class Sandbox(NamedTuple):
    """How a container is made."""

    image: str
    bounds: Bounds = Bounds()
    network: bool = False
    environment: tuple[str, ...] = ()
    """Names of variables whose values it is given."""
    engine: str = ""
    """``podman`` or ``docker``; empty for the first of them that is installed."""

    def arguments(self, engine: str, name: str, inputs: Path | None) -> list[str]:
        """The command that starts it; everything that is not given here it does not have."""
        bounds = self.bounds
        memory = str(bounds.memory)
        own = "mode=1777,nosuid,nodev"
        # Down to whole pages: the kernel rounds up, and a file of the last page would be more than may be left.
        room = max(bounds.output_bytes // PAGE * PAGE, PAGE)
        return [
            *(engine, "run", "--rm", "--interactive", "--name", name, "--label", "benchbar=agent"),
            *(() if self.network else ("--network", "none")),
            *(
                "--user",
                NOBODY,
                "--cap-drop",
                "ALL",
                "--security-opt",
                "no-new-privileges",
                "--read-only",
            ),
            # Without as much swap as memory the bound would be on one half alone.
            *("--memory", memory, "--memory-swap", memory, "--cpus", f"{bounds.cpus:g}"),
            *(
                "--pids-limit",
                str(bounds.processes),
                "--ulimit",
                _ulimit("nofile", 1024),
                "--ulimit",
                _ulimit("nproc", 4096),
            ),
            # In memory, which the kernel bounds: a folder of this machine could be filled, or hold links that we would follow.
            *("--tmpfs", f"{OUTPUTS}:rw,size={room},{own},noexec"),
            *("--tmpfs", f"/tmp:rw,size={bounds.memory // 2},{own}"),  # noqa: S108 - the container's own
            # Z: where SELinux is on, this copy alone is labelled for this container.
            *(("--volume", f"{inputs}:{INPUTS}:ro,Z") if inputs else ()),
            # The name alone: the engine reads the value from its own environment, and no list of processes shows it.
            *(word for name in self.environment for word in ("--env", name)),
            *("--env", "HOME=/tmp", "--workdir", OUTPUTS, "--entrypoint", "sh", self.image),
            *("-c", _ALIVE, "sh", f"{bounds.seconds + LINGERING:.0f}"),
        ]


def _ulimit(name: str, most: int) -> str:
    """A limit that may be set: without the right to raise one, an engine fails on what is above this process's own."""
    import resource

    hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[1]
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    return f"{name}={bound}:{bound}"


def engine_of(sandbox: Sandbox) -> str:
    """The path of the engine that can run this sandbox with all its bounds, found out by running it once.

    Raises:
        SandboxError: there is none, or it cannot; nothing is ever run on this machine itself.
    """
    for name in sandbox.environment:
        if name not in os.environ:
            raise SandboxError(
                _fault(sandbox, f"the environment variable {name} is not set; it should go into the container")
            )
    return _tried(sandbox)


@cache
def _tried(sandbox: Sandbox) -> str:
    wanted = (sandbox.engine,) if sandbox.engine else ENGINES
    found = next(filter(None, map(shutil.which, wanted)), None)
    if found is None:
        raise SandboxError(
            _fault(
                sandbox,
                f"no {' or '.join(wanted)} is installed; install one: its commands never run outside of a container",
            )
        )
    faults = []
    for path in filter(None, map(shutil.which, wanted)):
        fault = _trial(path, sandbox)
        if not fault:
            return path
        faults.append(f"{Path(path).name}: {fault}")
    raise SandboxError(_fault(sandbox, "; ".join(faults)))


def _trial(engine: str, sandbox: Sandbox) -> str:
    """What keeps an engine from running the sandbox, with its cure; empty where it ran."""
    code, _, said = _quick([engine, "image", "inspect", "--format", "{{.Id}}", sandbox.image])
    if code:
        if "daemon" in said.lower() or "connect" in said.lower():
            return f"the engine does not answer ({said}); start it"
        return f"there is no such image here ({said}); get it with `{Path(engine).name} pull {sandbox.image}`"
    code, out, said = _quick(sandbox.arguments(engine, f"benchbar-trial-{uuid.uuid4().hex[:12]}", None))
    if "ignored" in said.lower() and "limits" in said.lower():
        # Podman starts such a container all the same: an agent could take the machine's whole memory.
        return (
            f"it would start the container without bounds of memory, processes and CPU ({said}); on this machine let root run it, or use"
            " one whose control groups are of version 2 alone"
        )
    if code or not out.startswith("ready"):
        return f"a container with these bounds does not start ({said or f'exit code {code}'}){_cure(engine, said)}"
    return ""


def _cure(engine: str, said: str) -> str:
    """What mends a container that does not start, where its words show why."""
    # crun refuses machines that mount both kinds of control groups ("hybrid"), as containers and older distributions do.
    if Path(engine).name == "podman" and "cgroup" in said.lower() and shutil.which("runc"):
        return (
            "; this machine has control groups of both kinds, which crun refuses and runc does not: write a file with the lines"
            ' [engine] and runtime = "runc", and set CONTAINERS_CONF to its path'
        )
    if "setup user" in said.lower():
        return f"; this user has no range of other users to run it as: give it one in /etc/subuid and /etc/subgid, as user {NOBODY} is needed"
    return ""


def _quick(command: list[str]) -> tuple[int, str, str]:
    """Exit code, output, and the last line of the errors."""
    try:
        done = subprocess.run(  # noqa: S603 - an engine by its full path, arguments as a list
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=STARTING,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, "", f"{type(error).__name__}: {error}"[:200]
    lines = [line for line in done.stderr.splitlines() if line.strip()] or [""]
    # What podman does without is a warning, and may be followed by others.
    told = next((line for line in lines if "ignored" in line), lines[-1])
    return done.returncode, done.stdout, told.strip()[:300]


def _fault(sandbox: Sandbox, cause: str) -> str:
    return f"assistant: agent in the image {sandbox.image!r}: {cause}"


class Ran(NamedTuple):
    """A command that was run."""

    code: int
    output: bytes
    """What it wrote to both its outputs, up to the bound."""
    cut: bool
    """Whether it wrote more."""


class LeftFile(NamedTuple):
    """A file that stands in the folder of outputs."""

    name: str
    data: bytes


class Container:
    """A running container."""

    def __init__(self, engine: str, name: str, process: asyncio.subprocess.Process, bounds: Bounds) -> None:
        """Of this engine, under this name; ``process`` is the client whose standard input keeps it alive."""
        self._engine, self._name, self._process, self._bounds = engine, name, process, bounds

    async def shell(
        self, command: str, *, stdin: bytes = b"", seconds: float | None = None, most: int = 1 << 16
    ) -> Ran:
        """A command line; what takes longer is killed, with exit code 137.

        Raises:
            ContainerLostError: the container has ended.
        """
        limit = min(seconds or self._bounds.command_seconds, self._bounds.seconds)
        return await self._run(["timeout", "-s", "KILL", f"{limit:.0f}", "sh", "-c", command], stdin, limit, most)

    async def write(self, path: str, data: bytes) -> Ran:
        """A file, with the folders around it."""
        keep = 'mkdir -p "$(dirname "$1")" && cat > "$1"'
        return await self._run(["sh", "-c", keep, "sh", path], data, self._bounds.command_seconds, 1 << 12)

    async def outputs(self) -> tuple[list[LeftFile], list[str]]:
        """The files that were left, and why others do not count."""
        # The file system is bounded, so that only heads come on top; a folder of many empty files has many.
        most = self._bounds.output_bytes + MOST_FILES * 8192
        ran = await self._run(["tar", "-C", OUTPUTS, "-cf", "-", "."], b"", STARTING, most)
        return files_in(ran.output, self._bounds.output_bytes)

    async def _run(self, arguments: Sequence[str], stdin: bytes, seconds: float, most: int) -> Ran:
        client = await asyncio.create_subprocess_exec(
            *(self._engine, "exec", "--interactive", self._name, *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            # Beyond the limit within the container the engine itself hangs.
            async with asyncio.timeout(seconds + STARTING):
                output, cut = await _exchanged(client, stdin, most)
                code = await client.wait()
        except TimeoutError as error:
            raise ContainerLostError(f"the container engine does not answer any more: {arguments[0]}") from error
        finally:
            if client.returncode is None:
                with suppress(ProcessLookupError):
                    client.kill()
                await client.wait()
        if self._process.returncode is not None:
            raise ContainerLostError("the container has ended: it used its time or its memory up")
        return Ran(code, output, cut)


async def _exchanged(client: asyncio.subprocess.Process, stdin: bytes, most: int) -> tuple[bytes, bool]:
    """What a client writes while it is given its input; it is stopped where it writes more than ``most``."""
    assert client.stdin is not None  # noqa: S101 - both are pipes
    assert client.stdout is not None  # noqa: S101
    feeding = asyncio.ensure_future(_fed(client.stdin, stdin))
    output = bytearray()
    try:
        while chunk := await client.stdout.read(1 << 16):
            output += chunk
            if len(output) > most:
                client.kill()
                return bytes(output[:most]), True
    finally:
        feeding.cancel()
        with suppress(asyncio.CancelledError):
            await feeding
    return bytes(output), False


async def _fed(pipe: asyncio.StreamWriter, data: bytes) -> None:
    # A command need not read what it is given.
    with suppress(BrokenPipeError, ConnectionResetError):
        pipe.write(data)
        await pipe.drain()
        pipe.close()


def files_in(archive: bytes, room: int) -> tuple[list[LeftFile], list[str]]:
    """The plain files of a tar archive, ``room`` bytes at most, and why others do not count: links, devices, names that lead
    elsewhere, too much.

    The archive comes from within the container and is read as hostile: nothing of it is unpacked to a disk, and an archive
    among the files stays one file.
    """
    found: dict[str, bytes] = {}
    left_out: list[str] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
            for member in opened:
                name = str(PurePosixPath(member.name))
                if member.isdir():
                    continue
                if reason := _not_taken(member, name, room, len(found)):
                    left_out.append(f"{name[:200]}: {reason}")
                elif (file := opened.extractfile(member)) is not None:
                    room -= member.size
                    found[name] = file.read()
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        left_out.append(f"the rest of the folder: {type(error).__name__}: {error}"[:300])
    return [LeftFile(name, data) for name, data in sorted(found.items())], sorted(left_out)[:MOST_FILES]


def _not_taken(member: tarfile.TarInfo, name: str, room: int, taken: int) -> str:
    """Why a member of the archive is no file that was left; empty where it is one."""
    if not member.isreg() or member.issparse():
        return "no plain file; links are not followed"
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or any(ord(char) < 32 for char in name):
        return "a name that leads elsewhere"
    if member.size > room or taken >= MOST_FILES:
        return "more than may be left"
    return ""


@asynccontextmanager
async def running(sandbox: Sandbox, inputs: Path) -> AsyncIterator[Container]:
    """A container for the block; it is killed and removed at its end, whatever ends it.

    Raises:
        SandboxError: no engine can run it.
        ContainerLostError: it does not start.
    """
    # In a thread: the first time the engine is tried, which takes a second.
    engine = await asyncio.to_thread(engine_of, sandbox)
    name = f"benchbar-{uuid.uuid4().hex}"
    process = await asyncio.create_subprocess_exec(
        *sandbox.arguments(engine, name, inputs),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        # Ctrl-C goes to all processes of a terminal's group; this one is ended by us, after what is in flight.
        start_new_session=True,
    )
    try:
        await _ready(process, sandbox)
        yield Container(engine, name, process, sandbox.bounds)
    finally:
        await asyncio.shield(_ended(engine, name, process))


async def _ready(process: asyncio.subprocess.Process, sandbox: Sandbox) -> None:
    assert process.stdout is not None  # noqa: S101 - both are pipes
    assert process.stderr is not None  # noqa: S101
    with suppress(TimeoutError):
        async with asyncio.timeout(STARTING):
            if (await process.stdout.readline()).strip() == b"ready":
                return
            said = (await process.stderr.read(1 << 12)).decode("utf-8", "replace").strip()
            raise ContainerLostError(_fault(sandbox, f"the container did not start: {said[:300]}"))
    raise ContainerLostError(_fault(sandbox, f"the container did not start within {STARTING:.0f} s"))


async def _ended(engine: str, name: str, process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    # Not first by its own end: a container whose commands ignore everything would outlive its time.
    remove = await asyncio.create_subprocess_exec(
        *(engine, "rm", "--force", "--time", "0", name)
        if Path(engine).name == "podman"
        else (engine, "rm", "--force", name),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    for one in (remove, process):
        try:
            await asyncio.wait_for(one.communicate(), STARTING)
        except TimeoutError:
            one.kill()
