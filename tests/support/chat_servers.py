"""Chat servers, each in a process of its own, forked from one that has imported what they need: a new Python for each costs more
than most tests that ask it.

As a program it is that process: it forks for each line of options, and ends with its input.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

SCRIPT = Path(__file__).with_name("chat_server.py")


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The address of a new server, started with the options of ``chat_server.py`` and stopped at the end."""
    if not hasattr(os, "fork"):
        with subprocess.Popen([sys.executable, str(SCRIPT), *options], stdout=subprocess.PIPE, text=True) as process:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
            process.terminate()
        return
    with _LOCK:
        source = _source()
        source.stdin.write(json.dumps(options) + "\n")
        source.stdin.flush()
        number, port = (int(source.stdout.readline()) for _ in range(2))
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        # A test may have ended it.
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGTERM)


_LOCK = threading.Lock()


@functools.cache
def _source() -> subprocess.Popen[str]:
    """The process that forks, which ends with this one."""
    command = [sys.executable, __file__]
    source = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=SCRIPT.parent)

    def end() -> None:
        source.stdin.close()
        source.wait()
        source.stdout.close()

    atexit.register(end)
    return source


def fork_for_each_line() -> None:
    """Tell the number of each new process and, as the server does itself, its port."""
    from support import chat_server

    # Nobody waits for those that have ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        if os.fork() == 0:
            sys.stdout.write(f"{os.getpid()}\n")
            chat_server.start(json.loads(line))


if __name__ == "__main__":
    fork_for_each_line()
