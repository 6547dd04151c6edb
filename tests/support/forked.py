"""The command line in a process of its own, forked from one that has imported the program: starting Python anew costs a second a call.

As a program (``python forked.py FD``) it is that process: it serves requests on a socket until the other end is closed.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import NoReturn

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

_HEEDED = {"PYTHONPATH"}
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
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    pipes = [os.pipe() for _ in range(3)]
    (given, fed), (heard, said), (warned, complained) = pipes
    request = json.dumps({"arguments": arguments, "cwd": str(cwd), "environment": environment}).encode()
    with _LOCK:
        socket.send_fds(_server(), [len(request).to_bytes(4, "big")], [given, said, complained, its.fileno()])
        _server().sendall(request)
    for one in (given, said, complained):
        os.close(one)
    its.close()
    outputs: dict[int, bytes] = {}
    readers = [threading.Thread(target=_read, args=(one, outputs), daemon=True) for one in (heard, warned)]
    for reader in readers:
        reader.start()
    with contextlib.suppress(BrokenPipeError), os.fdopen(fed, "w", encoding="utf-8") as stream:
        stream.write(stdin or "")
    with ours:
        ours.settimeout(timeout)
        process = int.from_bytes(_exactly(ours, 4), "big")
        try:
            code = int.from_bytes(_exactly(ours, 4), "big", signed=True)
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(arguments), timeout) from None
    for reader in readers:
        reader.join()
    out, err = (outputs[one].decode().replace("\r\n", "\n") for one in (heard, warned))
    return subprocess.CompletedProcess(list(arguments), code, out, err)


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


def _read(stream: int, outputs: dict[int, bytes]) -> None:
    with os.fdopen(stream, "rb") as file:
        outputs[stream] = file.read()


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
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        try:
            head, streams, _, _ = socket.recv_fds(connection, 4, 4)
            if not head:
                return
            request = json.loads(_exactly(connection, int.from_bytes(head, "big")))
        except (EOFError, ConnectionError):
            return
        if os.fork() == 0:
            connection.close()
            _answer(request, streams)
        for one in streams:
            os.close(one)


def _import_all() -> None:
    """Imports only: whatever a command computes or keeps, it does in its own process."""
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
        mode, lines = ("w", 1 if place == 2 else -1) if place else ("r", -1)
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
    runpy.run_module("benchbar", run_name="__main__", alter_sys=True)
    raise SystemExit


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
