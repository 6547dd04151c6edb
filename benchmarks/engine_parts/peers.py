"""Other programs that do the same workload: which of them are installed, and how each is started.

A library is looked for in the interpreter that its variable names, and without one in that of the benchmark.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from programs import Program
from workload import Server

PARTS = Path(__file__).parent


@dataclass(frozen=True)
class Library:
    """A peer that is a Python package, its script beside this file."""

    name: str
    variable: str
    module: str
    script: str
    settings: Sequence[str] = ()

    def found(self) -> str:
        return os.environ.get(self.variable) or (sys.executable if find_spec(self.module) else "")

    def program(self) -> Program:
        def command(server: Server, in_flight: int, again: bool) -> list[str]:
            script, goes_on = str(PARTS / self.script), ["again"] if again else []
            own = [self.found(), script, "samples.jsonl", f"{server.url}/v1", str(in_flight)]
            return ["env", *self.settings, *own, *goes_on]

        return Program(self.name, command, peer=True)

    def wanted(self) -> str:
        return f"{self.variable}=(a Python with {self.module})"


class Promptfoo:
    """The one that is no Python package. It keeps what it wrote in the folder, so that it is measured and gone afterwards."""

    name, variable = "promptfoo", "PROMPTFOO_BIN"

    def found(self) -> str:
        return os.environ.get(self.variable) or shutil.which("promptfoo") or ""

    def program(self) -> Program:
        def command(server: Server, in_flight: int, again: bool) -> list[str]:
            settings = [f"BASE_URL={server.url}/v1", f"IN_FLIGHT={in_flight}", "PROMPTFOO_CONFIG_DIR=.promptfoo"]
            settings += ["PROMPTFOO_DISABLE_TELEMETRY=1", "PROMPTFOO_DISABLE_UPDATE=1"]
            task = ["--resume"] if again else ["-c", str(PARTS / "promptfoo_config.cjs"), "-j", str(in_flight)]
            quiet = ["--no-table", "--no-progress-bar", "--no-share"]
            return ["env", *settings, self.found(), "eval", *task, *quiet]

        return Program(self.name, command, peer=True)

    def wanted(self) -> str:
        return f"{self.variable}=(its command)"


PEERS = (
    Library("openai SDK", "OPENAI_PYTHON", "openai", "openai_run.py"),
    Library("LangChain", "LANGCHAIN_PYTHON", "langchain_openai", "langchain_run.py"),
    Library("Inspect AI", "INSPECT_PYTHON", "inspect_ai", "inspect_run.py", ("LOCAL_API_KEY=none",)),
    Library("DeepEval", "DEEPEVAL_PYTHON", "deepeval", "deepeval_run.py", ("DEEPEVAL_TELEMETRY_OPT_OUT=1",)),
    Promptfoo(),
)


def peers() -> list[Program]:
    """Those that are installed; how the others are named is printed."""
    for peer in PEERS:
        if not peer.found():
            print(f"{peer.name} is not found; it is measured once {peer.wanted()} is set")
    return [peer.program() for peer in PEERS if peer.found()]
