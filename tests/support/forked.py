"""The command line in a process of its own, forked from one that has imported the program: starting Python anew costs a second a call.

As a program (``python forked.py FD``) it is that process: it serves requests on a socket until the other end is closed.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NoReturn, Self

LIBRARIES = (
    "numpy",
    "scipy.stats",
    "sklearn.linear_model",
    "aiohttp",
    "jinja2",
    "starlette.applications",
    "uvicorn",
    "docx",
)

CONTRACTS = (
    "租赁合同\n第一条 租期三年。\n第二条 乙方放弃提出任何异议的权利，甲方不承担任何责任。\n",
    "ДОГОВОР АРЕНДЫ\n1. Плата 18 000 рублей в месяц.\n2. Арендодатель не несёт никакой ответственности.\n",
    "LEASE\n1. Rent is £900 per month.\n2. The landlord is not liable for anything.\n",
)
"""A contract in each language that the bundled rules are in."""

ANSWERS = {
    "zh": "依照《民事基本法》第五十八条，定金不得超过百分之十五，应当判处有期徒刑一年，选D。",
    "ru": "По статье 70 ТК РФ испытательный срок не может превышать трёх месяцев.",
    "en": "Under section 21 of the Housing Act 1988 the landlord must give two months' notice.",
}
"""An answer that cites law in each language."""

_HEEDED = {"PYTHONPATH", "PYTHONUNBUFFERED"}
"""Variables of Python that a forked process heeds too."""


def can_fork(environment: dict[str, str]) -> bool:
    """Whether a forked process is like a new one: not where Python itself is told to start in another way, or is measured."""
    if not hasattr(os, "fork"):
        return False
    given = {name for name in environment if os.environ.get(name) != environment[name]} - _HEEDED
    return not any(name.startswith(("PYTHON", "LC_", "LANG", "HF_")) for name in given) and not any(
        name.startswith("COV") for name in environment
    )


def command(
    *arguments: str, cwd: Path, env: dict[str, str] | None = None, stdin: str | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """What ``benchbar ARGUMENTS`` answers in a folder, with further variables; a new Python is started where a forked one is not like it."""
    environment = {**os.environ, **(env or {})}
    if can_fork(environment):
        return run(arguments, cwd=cwd, environment=environment, stdin=stdin, timeout=timeout)
    return subprocess.run(
        [sys.executable, "-m", "benchbar", *arguments],
        cwd=cwd,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def run(
    arguments: tuple[str, ...], *, cwd: Path, environment: dict[str, str], stdin: str | None, timeout: float
) -> subprocess.CompletedProcess[str]:
    """What ``python -m benchbar ARGUMENTS`` answers in a folder; raises ``TimeoutExpired`` as ``subprocess.run`` does."""
    pipe = subprocess.PIPE
    process = Forked(arguments, cwd=cwd, environment=environment, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        out, err = process.communicate(stdin or "", timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return subprocess.CompletedProcess(list(arguments), process.returncode, out, err)


def started(
    *arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None, **streams: object
) -> Forked | subprocess.Popen[str]:
    """``benchbar ARGUMENTS`` under way, with exactly these variables; ``streams`` are those of ``subprocess.Popen``."""
    environment = dict(os.environ) if env is None else env
    if can_fork(environment):
        return Forked(arguments, cwd=cwd or Path.cwd(), environment=environment, **streams)
    command = [sys.executable, "-m", "benchbar", *arguments]
    return subprocess.Popen(command, cwd=cwd, env=environment, text=True, **streams)


class Forked:
    """A forked command under way, used as a ``subprocess.Popen`` whose streams are text."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path,
        environment: dict[str, str],
        stdin: object = None,
        stdout: object = None,
        stderr: object = None,
        module: str = "benchbar",
        text: bool = True,
    ) -> None:
        """Start it: a stream is ``PIPE``, ``DEVNULL``, a file, or None, which leaves it where ours goes; with ``text`` off, pipes are
        of bytes.
        """
        self.args = list(arguments)
        self.returncode: int | None = None
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._answers = ours
        with contextlib.ExitStack() as given:
            given.enter_context(its)
            fed, self.stdin = _stream(stdin, 0, given, text=text)
            said, self.stdout = _stream(stdout, 1, given, text=text)
            complained, self.stderr = _stream(stderr, 2, given, text=text)
            asked = {"module": module, "arguments": self.args, "cwd": str(cwd), "environment": environment}
            request = json.dumps(asked).encode()
            with _LOCK:
                head = len(request).to_bytes(4, "big")
                socket.send_fds(_server(), [head], [fed, said, complained, its.fileno()])
                _server().sendall(request)
        self.pid = int.from_bytes(_exactly(ours, 4), "big")

    def __enter__(self) -> Self:
        """Itself, until its end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for its end and close its streams."""
        try:
            self.wait()
        finally:
            for one in (self.stdin, self.stdout, self.stderr):
                if one is not None:
                    one.close()

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0.001)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, or ``TimeoutExpired`` after as many seconds."""
        if self.returncode is None:
            self._answers.settimeout(timeout)
            try:
                self.returncode = int.from_bytes(_exactly(self._answers, 4), "big", signed=True)
            except TimeoutError:
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._answers.close()
        return self.returncode

    def communicate(self, input: str = "", timeout: float | None = None) -> tuple[str, str]:  # noqa: A002 - as Popen's
        """What it wrote to pipes until its end, or ``TimeoutExpired`` after as many seconds."""
        written = {"stdout": "", "stderr": ""}

        def read(name: str, stream: IO[str]) -> None:
            with stream:
                written[name] = stream.read().replace("\r\n", "\n")

        piped = [(name, stream) for name in written if (stream := getattr(self, name))]
        readers = [threading.Thread(target=read, args=one, daemon=True) for one in piped]
        for reader in readers:
            reader.start()
        if self.stdin:
            with contextlib.suppress(BrokenPipeError), self.stdin as stream:
                stream.write(input)
        self.wait(timeout)
        for reader in readers:
            reader.join()
        return written["stdout"], written["stderr"]

    def send_signal(self, number: int) -> None:
        """Send it a signal if it still runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


def _stream(wanted: object, ours: int, given: contextlib.ExitStack, *, text: bool) -> tuple[int, IO | None]:
    """What the process gets, closed here with ``given``, and our end of a pipe."""
    if wanted is None:
        return ours, None
    if wanted == subprocess.DEVNULL:
        return given.enter_context(open(os.devnull, "r+b")).fileno(), None  # noqa: PTH123 - no file of a folder
    if wanted != subprocess.PIPE:
        return wanted if isinstance(wanted, int) else wanted.fileno(), None
    read, written = os.pipe()
    its, kept, mode = (read, written, "w") if ours == 0 else (written, read, "r")
    given.callback(os.close, its)
    if not text:
        return its, os.fdopen(kept, f"{mode}b")
    return its, os.fdopen(kept, mode, encoding="utf-8", newline="\n")


_LOCK = threading.Lock()


@functools.cache
def _server() -> socket.socket:
    """The connection to the process that is forked, which ends with this one."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    process = subprocess.Popen([sys.executable, __file__, str(its.fileno())], pass_fds=[its.fileno()])
    its.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _exactly(connection: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = connection.recv(size - len(found))
        if not part:
            raise EOFError
        found += part
    return found


def serve(connection: socket.socket) -> None:
    """Fork for each request; returns in the forked processes, and where the other end is closed."""
    _import_all()
    _read_answers()
    # What stands now is left alone by the collector in forked processes: a page that it touches is a page that is copied.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        try:
            head, streams, _, _ = socket.recv_fds(connection, 4, 4)
            if not head:
                return
            request = json.loads(_exactly(connection, int.from_bytes(head, "big")))
            if request["module"] != "benchbar":
                _read_contracts()
        except (EOFError, ConnectionError):
            return
        if os.fork() == 0:
            connection.close()
            _answer(request, streams)
        for one in streams:
            os.close(one)


def _import_all() -> None:
    """Imports only: whatever a command computes or keeps, it does in its own process, but for what is read of the bundled data."""
    import benchbar

    names = [
        one.name for one in pkgutil.walk_packages(benchbar.__path__, "benchbar.") if not one.name.endswith("__main__")
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in (*LIBRARIES, *names):
            # Parts whose libraries are not installed say so when they are used.
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def _read_answers() -> None:
    """The patterns of the languages and the bundled law: reading them takes longer than a small run, and they are the same for all."""
    import benchbar
    from benchbar.law.bundled import bundled_laws

    for law in bundled_laws():
        for language, text in ANSWERS.items():
            benchbar.check_citations(text, law=law, language=language)


@functools.cache
def _read_contracts() -> None:
    """The words and patterns of the bundled rules: reading them takes longer than most reviews, and they are the same for all."""
    import benchbar

    with tempfile.TemporaryDirectory() as folder:
        for place, text in enumerate(CONTRACTS):
            file = Path(folder) / f"{place}.txt"
            file.write_text(text, "utf-8")
            benchbar.review_contract(file, bounds=None)


def _answer(request: dict, streams: list[int]) -> NoReturn:
    """Fork once more, tell the number of that process and, when it has ended, its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *standard, reply = streams
    process = os.fork()
    if process == 0:
        os.close(reply)
        _become(request, standard)
    for one in standard:
        os.close(one)
    with socket.socket(fileno=reply) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(process.to_bytes(4, "big"))
        _, status = os.waitpid(process, 0)
        connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
    os._exit(0)


def _become(request: dict, standard: list[int]) -> NoReturn:
    for place, one in enumerate(standard):
        os.dup2(one, place)
        os.close(one)
    # Streams of this process' own: the old ones took what stands behind them for a file of pytest's.
    for place, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        by_line = place == 2 or (place == 1 and "PYTHONUNBUFFERED" in request["environment"])
        mode, lines = ("w" if place else "r"), (1 if by_line else -1)
        new = os.fdopen(place, mode, lines, encoding=old.encoding, errors=old.errors, closefd=False)
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    # `python -m` puts the folder it is started in first.
    sys.path[0] = request["cwd"]
    given = request["environment"].get("PYTHONPATH", "").split(os.pathsep)
    sys.path[1:1] = [one for one in given if one and one not in sys.path]
    sys.argv = ["-m", *request["arguments"]]
    code: object = None
    if request["module"] != "benchbar":
        # Imported with all others, it would not be run.
        sys.modules.pop(request["module"], None)
    try:
        runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
    except SystemExit as stop:
        code = stop.code
    _end(code)


def _end(code: object) -> NoReturn:
    """What Python does at the end of a program, without taking down what was imported: that costs more than most commands.

    What it would say of objects that were left open is for tests that start a Python of their own.
    """
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
    threading._shutdown()  # It waits for threads, as Python does.
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit((code or 0) & 0xFF if isinstance(code, int | None) else 1)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
