"""The tests' own PostgreSQL server."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.postgres import NoServerError, _binaries

HOLD = """
import sys, time
from pathlib import Path
from support.postgres import served
with served(Path(sys.argv[1])) as server:
    print(server.folder, flush=True)
    time.sleep(600)
"""


def test_a_session_that_is_killed_leaves_no_server_behind(tmp_path):
    """Two processes share one server; when both were killed, process and folder are gone."""
    pytest.importorskip("psycopg")
    try:
        _binaries()
    except NoServerError as error:
        pytest.skip(str(error))
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    where = str(Path(__file__).resolve().parents[1])
    holders = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": where, "PATH": "/usr/bin:/bin"})
        for _ in range(2)
    ]
    folders = [Path(holder.stdout.readline().strip()) for holder in holders]
    assert folders[0] == folders[1]
    assert (folders[0] / "server" / "data" / "postmaster.pid").exists()
    for left, holder in enumerate(holders):
        assert folders[0].exists(), left
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    limit = time.monotonic() + 120
    while folders[0].exists() and time.monotonic() < limit:
        time.sleep(0.05)
    assert not folders[0].exists()
