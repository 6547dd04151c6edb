"""Whatever the terminal or the redirect can show, a finished run says its results."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_signs_that_a_stream_cannot_show_are_replaced(tmp_path, encoding):
    """A redirect on Windows is in cp1252: neither ≈ nor Chinese ends the command."""
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for command in (("run", "--limit", "1", "--quiet"), ("suite", "show", "model-jurisdiction-zh")):
        done = subprocess.run(
            [sys.executable, "-m", "benchbar", *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr.decode(encoding)
        assert done.stdout
