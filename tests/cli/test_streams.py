"""What is printed arrives whole, however slowly it is read."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

CODE = """
import signal, sys
from benchbar.cli.main import whole

sys.stdout = whole(sys.stdout)
# A signal while a pipe is full is what makes the system take a part of a text on any kernel.
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
sys.stdout.write("≈" * 100_000)
sys.stdout.flush()
sys.stdout.buffer.write(b"x" * 100_000)
sys.stdout.flush()
signal.setitimer(signal.ITIMER_REAL, 0)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_a_pipe_whose_reader_is_busy_loses_nothing(unbuffered):
    """With and without PYTHONUNBUFFERED: 400,000 bytes, of which a pipe holds the first 65,536 until somebody reads."""
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, env=environment) as process:
        time.sleep(0.5)
        printed = process.stdout.read()
    assert process.returncode == 0
    assert (printed.count("≈".encode()), printed.count(b"x")) == (100_000, 100_000)
