"""The command line within the test's own process, where starting one for each call would cost seconds."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from benchbar.cli.main import main


class Finished(NamedTuple):
    """A finished command."""

    code: int
    out: str
    err: str


def runner(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Finished]:
    """Runs `benchbar` with arguments in a folder."""

    def run(*arguments: str) -> Finished:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["benchbar", *arguments])
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        code = 0
        with redirect_stdout(out), redirect_stderr(err):
            try:
                main()
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else 0
        return Finished(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))

    return run
