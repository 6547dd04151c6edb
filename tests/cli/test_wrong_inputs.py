"""Whatever is wrong with an input, one sentence says what, where, and what to do; nothing is silent, and nothing a traceback."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.wrong_inputs import WRONG, Wrong
from support import forked
from support.in_process import runner

LONGEST = 2_000
"""Characters of a message: a user reads a sentence or a short list, no dump."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    folder = tmp_path_factory.mktemp("finished")
    forked.command("run", "--limit", "22", "--out", "run", "--quiet", cwd=folder).check_returncode()
    return folder / "run"


def laid_out(case: Wrong, folder: Path, finished: Path) -> list[str]:
    """The words of the command; its files, and where it asks for one a copy of the run, are in the folder."""
    for name, content in case.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    if "{run}" in case.command:
        shutil.copytree(finished, folder / "run")
    if case.damage:
        case.damage(folder / "run")
    return shlex.split(case.command.replace("{run}", "run"))


def accused(case: Wrong, code: int, said: str) -> list[str]:
    """What is wrong with the answer to a wrong input."""
    # Lines are wrapped at 80 columns.
    whole = " ".join(said.split())
    faults = [f"not told: {part}" for part in case.told if part not in said and " ".join(part.split()) not in whole]
    faults += ["a traceback"] if "Traceback" in said else []
    faults += ["silent"] if not said.strip() else []
    told = any(word in said for word in ("problem", "skipped"))
    faults += ["exit code 0 without a problem told"] if code == 0 and not told else []
    faults += ["a dump"] if len(said) > LONGEST else []
    return faults


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.name)
def test_a_wrong_input_is_answered_with_place_cause_and_cure(case, tmp_path, monkeypatch, finished):
    """Through the command line's own entry, in this process."""
    words = laid_out(case, tmp_path, finished)
    done = runner(tmp_path, monkeypatch)(*words)
    said = done.err + done.out
    assert not accused(case, done.code, said), said


@pytest.mark.parametrize("case", WRONG[::40], ids=lambda case: case.name)
def test_it_is_the_same_in_a_process_of_its_own(case, tmp_path, finished):
    """Under a stream that knows ASCII alone."""
    words = laid_out(case, tmp_path, finished)
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "benchbar", *words], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    ascii_told = tuple(part for part in case.told if part.isascii())
    # Click takes ASCII for a setting gone wrong, and writes UTF-8 to standard error.
    said = (done.stderr + done.stdout).decode("ascii", "replace")
    assert not accused(case._replace(told=ascii_told), done.returncode, said)


def test_there_are_at_least_150():
    """As many as were asked for, each once."""
    assert len({case.name for case in WRONG}) == len(WRONG) >= 150
