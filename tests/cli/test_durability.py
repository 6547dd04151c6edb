"""What happens to a run when the machine does its worst; every test is a real process, and the ledger is checked after it."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import forked
from support.run_spec import spec

IN_FLIGHT = 16


def started(folder: Path, **options) -> subprocess.Popen | forked.Forked:
    command, pipes = ("run", "spec.toml", "--out", "r"), {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if not options:
        return forked.started(*command, cwd=folder, **pipes)
    words = [sys.executable, "-m", "benchbar", *command]
    return subprocess.Popen(words, cwd=folder, text=True, **pipes, **options)


def killed_at(server, calls: int, folder: Path) -> None:
    """Start the run, and end it by SIGKILL once so many calls were answered."""
    server.answer_after(0.2)
    process = started(folder)
    while sum(server.stats()["completed"].values()) < calls and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    server.answer_after(0.03)


def finished(benchbar, server, again: int) -> dict:
    """The same command goes on; the ledger is whole, and no more than so many calls were sent again."""
    done = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert done.code == 0, done.err
    report = json.loads(benchbar("ledger", "check", "r", "--json").out)
    assert report["ok"], report["problems"]
    stats = server.stats()
    assert report["completed"] == stats["distinct"]
    assert stats["served_again"] <= again
    return json.loads(done.out)


def test_a_power_cut_that_tears_the_last_page_loses_the_last_calls_at_most(benchbar, slow_chat_server, tmp_path):
    """The end of the log is cut off and garbled, as a disk without power leaves it; all before it is there."""
    spec(tmp_path, slow_chat_server, extra="limit = 22")
    killed_at(slow_chat_server, 60, tmp_path)
    log = tmp_path / "r" / "ledger.sqlite-wal"
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) - 6000] + os.urandom(3000))
    # Two pages torn are a few commits: each holds what arrived in one tick, and that is no more than what is in flight.
    finished(benchbar, slow_chat_server, 4 * IN_FLIGHT)


def test_a_full_disk_stops_the_run_with_a_word_and_loses_nothing(benchbar, chat_server, tmp_path):
    """Nothing more can be written; with room again, the same command goes on and pays for what was in flight alone."""
    spec(tmp_path, chat_server, extra="limit = 44")

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, 250_000))

    process = started(tmp_path, preexec_fn=full)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1, said
    assert "cannot be written" in said
    assert "Traceback" not in said
    before = sum(chat_server.stats()["completed"].values())
    assert before > IN_FLIGHT
    finished(benchbar, chat_server, 2 * IN_FLIGHT)


def test_a_folder_that_cannot_be_written_is_named(benchbar, chat_server, tmp_path):
    """Before anything is sent."""
    spec(tmp_path, chat_server)
    closed = Path("/sys/kernel") if os.getuid() == 0 else tmp_path / "closed"
    if os.getuid() != 0:
        closed.mkdir(mode=0o500)
    done = benchbar("run", "spec.toml", "--out", str(closed / "run"))
    assert done.code == 1
    assert "cannot be written" in done.err
    assert "--out" in done.err
    assert "Traceback" not in done.err
    assert chat_server.stats()["requests"] == {}


@pytest.mark.slow
def test_a_clock_that_jumps_back_changes_nothing(benchbar, slow_chat_server, tmp_path):
    """The machine comes up a year earlier than it went down: what was paid is known, the rest is asked, the check agrees."""
    spec(tmp_path, slow_chat_server, extra="limit = 22")
    killed_at(slow_chat_server, 40, tmp_path)
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(
        "import time\nreal = time.time\ntime.time = lambda: real() - 365 * 86400\n"
    )
    changed = started(tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path / "clock")})
    _, said = changed.communicate(timeout=300)
    assert changed.returncode == 0, said
    asked = slow_chat_server.stats()["requests"]
    finished(benchbar, slow_chat_server, IN_FLIGHT)
    assert slow_chat_server.stats()["requests"] == asked


def test_a_second_process_on_the_folder_is_refused_and_the_first_goes_on(benchbar, slow_chat_server, tmp_path):
    """Two runs would pay for the same calls; the second says who is in the way, with exit code 2."""
    spec(tmp_path, slow_chat_server, extra="limit = 110")
    slow_chat_server.answer_after(0.5)
    first = started(tmp_path)
    while not slow_chat_server.stats()["requests"]:
        time.sleep(0.01)
    second = benchbar("run", "spec.toml", "--out", "r")
    assert second.code == 2
    assert "another benchbar is running here" in second.err
    slow_chat_server.answer_after(0.0)
    assert first.communicate(timeout=300)
    assert first.returncode == 0
    assert slow_chat_server.stats()["served_again"] == 0


@pytest.mark.slow
def test_the_only_call_in_flight_waits_for_a_server_that_is_away(benchbar, tmp_path):
    """For as long as an outage may last, whatever the number of its tries: it fails no dialogue, and takes no answer twice."""
    server = Path(__file__).resolve().parents[1] / "support" / "chat_server.py"
    command = [sys.executable, str(server), "--delay", "0.05"]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    port = first.stdout.readline().strip()

    class Address:
        base_url = f"http://127.0.0.1:{port}/v1"

    spec(tmp_path, Address, extra="limit = 4", concurrency=1, limits="max_outage = 60\npreflight = false")
    text = (tmp_path / "spec.toml").read_text("utf-8")
    (tmp_path / "spec.toml").write_text(text.replace("base_url", "tries = 2\nbase_url"), "utf-8")
    process = started(tmp_path)
    while not _answers(tmp_path / "r" / "ledger.sqlite"):
        time.sleep(0.01)
    first.kill()
    first.communicate()
    time.sleep(5)
    with subprocess.Popen([*command, "--port", port], stdout=subprocess.PIPE, text=True) as again:
        again.stdout.readline()
        try:
            _, said = process.communicate(timeout=300)
            assert process.returncode == 0, said
            done = benchbar("run", "spec.toml", "--out", "r", "--json")
            assert json.loads(done.out)["assistants"]["candidate"]["failed_dialogues"] == 0
            assert json.loads(benchbar("ledger", "check", "r", "--json").out)["ok"]
        finally:
            again.terminate()


@pytest.mark.slow
def test_a_server_that_goes_away_ends_the_run_and_a_later_one_goes_on(benchbar, tmp_path):
    """It is said what is down and since when; once it is up again the same command finishes, and pays nothing twice."""
    server = Path(__file__).resolve().parents[1] / "support" / "chat_server.py"
    command = [sys.executable, str(server), "--delay", "0.1"]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    port = first.stdout.readline().strip()

    class Address:
        base_url = f"http://127.0.0.1:{port}/v1"

    spec(tmp_path, Address, extra="limit = 22", limits="max_outage = 1")
    process = started(tmp_path)
    while not _answers(tmp_path / "r" / "ledger.sqlite"):
        time.sleep(0.01)
    first.kill()
    first.communicate()
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "is down: no answer for" in said
    with subprocess.Popen([*command, "--port", port], stdout=subprocess.PIPE, text=True) as again:
        again.stdout.readline()
        try:
            done = benchbar("run", "spec.toml", "--out", "r", "--json")
            assert done.code == 0, done.err
            assert json.loads(done.out)["assistants"]["candidate"]["failed_dialogues"] == 0
            assert json.loads(benchbar("ledger", "check", "r", "--json").out)["ok"]
        finally:
            again.kill()


def _answers(ledger: Path) -> int:
    """How many calls have been answered so far; 0 before there is a ledger."""
    try:
        with contextlib.closing(sqlite3.connect(f"{ledger.as_uri()}?mode=ro", uri=True)) as database:
            return database.execute("SELECT count(*) FROM result").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
