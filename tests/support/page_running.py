"""How a command of the pages is run where a call within the test's process will not do: it serves, spreads, or asks its questions."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
import zlib
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from shlex import join

from support import forked
from support.browsing import serving
from support.in_process import Finished
from support.ray_cluster import started_cluster
from support.terminal import conversed

EXTRAS = {"--format inspect": "inspect_ai", ".eval": "inspect_ai", "--engine ray": "ray"}
DATABASE, CLUSTER = "postgresql://me@db.example/evaluations", "ray://head.example:10001"
SHORTER = {
    ("run",): ("--limit", "2"),
    ("ablate", "rag-retrieval"): ("--set", "limit=2"),
    ("law", "train-encoder"): ("--steps", "2"),
}
"""What keeps a command of minutes to seconds; what a page promises is that the command works."""


def absent(arguments: list[str]) -> str | None:
    """The extra that a command needs and this Python lacks."""
    line = f"{join(arguments)} "
    return next((name for part, name in EXTRAS.items() if part in line and find_spec(name) is None), None)


def further(arguments: list[str]) -> list[str]:
    """What keeps a command short, and runs apart from each other."""
    kept = next((words for begin, words in SHORTER.items() if tuple(arguments[: len(begin)]) == begin), ())
    short = [] if {*kept[:1]} & {*arguments} else [*kept]
    apart = ["--out", f"runs/{zlib.crc32(join(arguments).encode())}"]
    return short + (apart if arguments[0] == "run" and "--out" not in arguments else [])


def run_apart(arguments: list[str], folder: Path) -> Finished | None:
    """A command that does not end by itself, asks questions, or needs processes of its own; None of any other."""
    if arguments[0] == "serve":
        return _served(arguments, folder)
    if arguments[:2] == ["production", "receive"]:
        return _received(arguments, folder)
    if arguments == ["start"]:
        return _on_a_terminal(folder)
    if "--engine" in arguments:
        return _spread(arguments, folder)
    return None


def _served(arguments: list[str], folder: Path) -> Finished:
    """Start it, look at the page that it names, under the names that it is to answer to, and stop it."""
    names = [after for word, after in pairwise(arguments) if word == "--allow-host"]
    token = "a-token-that-nobody-guesses" if "--host" in arguments else ""
    with serving(Path(arguments[1]), *arguments[2:], folder=folder, token=token) as link:
        address = link.partition("#")[0].replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - the page is asked for here
        for name in [None, *names]:
            asked = urllib.request.Request(address, headers={"Host": name} if name else {})
            with urllib.request.urlopen(asked, timeout=120) as page:
                if b"<form" not in page.read():
                    return Finished(1, "", f"{address} has no form to sign in")
    return Finished(0, link, "")


def _received(arguments: list[str], folder: Path) -> Finished:
    """Start it at any free port, send it a request without spans, and stop it."""
    token = "a-token-that-nobody-guesses"
    environment = os.environ | {"BENCHBAR_OTLP_TOKEN": token, "PYTHONUNBUFFERED": "1"}
    words = (*arguments, "--port", "0")
    with forked.started(*words, stdout=subprocess.PIPE, env=environment, cwd=folder) as server:
        try:
            address = server.stdout.readline().split()[-1]
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            asked = urllib.request.Request(address, b'{"resourceSpans": []}', headers)
            with urllib.request.urlopen(asked, timeout=120) as answer:
                return Finished(0 if answer.status == 200 else 1, address, "")
        finally:
            server.terminate()


def _on_a_terminal(folder: Path) -> Finished:
    url = f"{os.environ['BENCHBAR_TEST_CHAT']}/v1"
    answers = {
        "File or folder of questions": "vendor.xlsx",
        "Is this what the file means?": "y",
        "Models to test": "",
        "Judge model": "judge",
        "address": url,
        "variable with the key": "",
        "Run it?": "y",
    }
    code, seen = conversed(folder, answers)
    return Finished(code, seen, "")


def _spread(arguments: list[str], folder: Path) -> Finished:
    with ExitStack() as stack:
        if CLUSTER in arguments:
            address, variables = stack.enter_context(started_cluster(folder / "ray.log"))
            arguments = [address if word == CLUSTER else word for word in arguments]
        else:
            variables = {"RAY_TMPDIR": "/tmp"}  # noqa: S108 - sockets' paths are short
        done = subprocess.run(
            [sys.executable, "-m", "benchbar", *arguments],
            cwd=folder,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=False,
        )
    return Finished(done.returncode, done.stdout, done.stderr)
