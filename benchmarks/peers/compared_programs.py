"""The programs of the side-by-side job: pinned versions, what a user writes for each, and how it is started.

Each has an environment of its own in a cache folder, which ``install`` makes: ``BENCHBAR_PEERS`` names another folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TASKS = Path(__file__).parent / "tasks"
CACHE = Path(os.environ.get("BENCHBAR_PEERS") or Path.home() / ".cache" / "benchbar-peers")
QUIET = ("--no-table", "--no-progress-bar", "--no-share", "-j", "16")


@dataclass(frozen=True)
class Program:
    """One column of the tables."""

    name: str
    version: str
    packages: Sequence[str]
    """What is installed, pinned; of npm where ``npm`` says so."""
    files: Sequence[str]
    """What the user writes."""
    arguments: Sequence[str] = ()
    """After the environment's Python; of npm a line for a shell."""
    log: str = ""
    """Where its own log lies, as a pattern; what `benchbar judge` reads."""
    export: Sequence[str] = ()
    """By which it writes its log in a form that is read without it; after the environment's Python."""
    npm: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    uncertain: str = "none"
    """What it prints of uncertainty where the log does not state a standard error."""
    budget: str = "none"
    screen: str = ""
    """What a browser shows of its runs."""
    beside: str = ""
    """What it has that Benchbar has not."""
    counted: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)
    """What is counted in the installed package: pattern of its files, and names that are left out; of a TOML file its tables."""
    codes: Sequence[int] = (0,)
    """With which it ends well."""

    @property
    def folder(self) -> Path:
        return CACHE / f"{self.name.lower().replace(' ', '-')}-{self.version}"

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def package(self) -> Path:
        """Where its own files lie."""
        return next(self.folder.glob("lib/python*/site-packages"), self.folder)

    def missing(self) -> str:
        """Why it cannot be run; empty where it can."""
        if (self.folder / "made").is_file():
            return ""
        why = self.folder / "failed.txt"
        return (
            why.read_text("utf-8")
            if why.is_file()
            else "not installed: python benchmarks/peers/side_by_side.py --install"
        )

    def command(self) -> list[str]:
        if self.npm:
            return [
                "sh",
                "-c",
                " && ".join(self.arguments).replace("PROGRAM", str(self.folder / "node_modules/.bin/promptfoo")),
            ]
        return [str(self.python), *self.arguments]

    def lines(self) -> int:
        """Lines that a user writes, without empty ones, comments and the docstring of the file."""
        return sum(len(_written((TASKS / name).read_text("utf-8"))) for name in self.files)

    def count(self, what: str) -> int | None:
        """How many files of the package stand for one of these; None where they cannot be counted."""
        if what not in self.counted:
            return None
        pattern, but = self.counted[what]
        if pattern.endswith(".toml"):
            return len(tomllib.loads((self.package / pattern).read_text("utf-8")))
        names = {one.stem for one in self.package.glob(pattern)}
        return len([one for one in names if not one.startswith("_") and one not in but])

    def installed_mb(self) -> float:
        return (
            sum(one.lstat().st_size for one in self.folder.rglob("*") if one.is_file() and not one.is_symlink()) / 1e6
        )


def _written(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith(("#", "//", '"""'))]


PROGRAMS = (
    Program(
        name="Benchbar",
        version="this",
        packages=(str(ROOT),),
        files=("benchbar.toml",),
        arguments=("-m", "benchbar", "run", "benchbar.toml", "--out", "logs", "--quiet"),
        log="logs",
        budget="hard, judge included",
        screen="runs, people's queue, decision",
        beside="-",
        counted={
            "providers": ("benchbar/clients/codecs/*.py", ("conversion",)),
            "sets": ("benchbar/suites/public_sets.toml", ()),
        },
    ),
    Program(
        name="Inspect",
        version="0.3.285",
        packages=("inspect-ai==0.3.285", "openai==3.54.0"),
        files=("inspect_task.py",),
        arguments=("inspect_task.py",),
        log="json/*.json",
        export=("-m", "inspect_ai", "log", "convert", "logs", "--to", "json", "--output-dir", "json"),
        budget="by sample",
        screen="logs, live",
        beside="agents with tools and sandboxes of every kind; solvers; inspect_evals; a live view of each message",
        counted={"providers": ("inspect_ai/model/_providers/*.py", ("providers", "util", "none", "mockllm"))},
    ),
    Program(
        name="EvalScope",
        version="1.14.1",
        packages=("evalscope==1.14.1",),
        files=("evalscope_task.py",),
        arguments=("evalscope_task.py",),
        log="logs/r*/weak-b/*.json*",
        screen="reports",
        beside="benchmarks by name; images and sound; load tests of servers; local checkpoints",
        counted={
            "providers": ("evalscope/models/*.py", ("mockllm", "model_utils")),
            "sets": ("evalscope/benchmarks/*/*_adapter.py", ()),
        },
    ),
    Program(
        name="DeepEval",
        version="4.3.1",
        packages=("deepeval==4.3.1",),
        files=("deepeval_task.py",),
        arguments=("deepeval_task.py",),
        log="logs/test_run_*.json",
        settings={"DEEPEVAL_TELEMETRY_OPT_OUT": "1"},
        screen="cloud",
        beside="metrics by name; pytest as its home; goldens made by a model; tracing of an application",
        counted={
            "providers": ("deepeval/models/llms/*_model.py", ()),
            "sets": ("deepeval/benchmarks/*/", ("modes", "tasks")),
        },
    ),
    Program(
        name="promptfoo",
        version="0.121.20",
        packages=("promptfoo@0.121.20",),
        npm=True,
        files=("promptfoo_base.yaml", "promptfoo_compared.cjs"),
        arguments=(
            " ".join(("PROGRAM eval -c promptfoo_base.yaml -o base.json", *QUIET)),
            " ".join(("PROGRAM eval -c promptfoo_compared.cjs -o results.json", *QUIET)),
        ),
        log="results.json",
        settings={
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_CONFIG_DIR": ".promptfoo",
        },
        screen="table of answers, editing",
        beside="red-team plugins; a YAML file and nothing else for plain checks; shared links; many providers",
        # 100 says that a test did not pass: of a comparison some do not.
        codes=(0, 100),
    ),
    Program(
        name="Ragas",
        version="0.4.3",
        # As released it imports a module that langchain-community 0.4 no longer has.
        packages=("ragas==0.4.3", "langchain-community<0.4"),
        files=("ragas_task.py",),
        arguments=("ragas_task.py",),
        log="experiments/*.csv",
        settings={"RAGAS_DO_NOT_TRACK": "true"},
        screen="none",
        beside="measures of retrieval by name; questions made from documents by a knowledge graph",
    ),
)


def install(program: Program) -> str:
    """Make the environment where it is not there; returns why it could not be made, or nothing."""
    if not program.missing():
        return ""
    shutil.rmtree(program.folder, ignore_errors=True)
    program.folder.mkdir(parents=True)
    if program.npm:
        steps = [
            [
                "npm",
                "install",
                "--silent",
                "--no-audit",
                "--no-fund",
                "--prefix",
                str(program.folder),
                *program.packages,
            ]
        ]
    else:
        pip = ["uv", "pip", "install", "--quiet", "--python", str(program.python), *program.packages]
        steps = [["uv", "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(program.folder)], pip]
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, check=False)
            why = "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1][:300]
        except OSError as error:
            why = str(error)
        if why:
            (program.folder / "failed.txt").write_text(f"could not be installed: {why}", "utf-8")
            return why
    (program.folder / "made").write_text("\n".join(program.packages), "utf-8")
    return ""
