"""A run that is spread over a Ray cluster of this machine's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger.test_sharing import shared_spec
from support.ray_cluster import started_cluster

pytest.importorskip("ray", reason="Ray is not installed: pip install 'benchbar[ray]'")


def workers_of(mark: str) -> list[int]:
    """Process ids of the workers at work in the cluster that was started with this in its environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, environment = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
        except OSError:
            continue
        if name.startswith(b"ray::take_part") and mark.encode() in environment:
            found.append(int(folder.name))
    return found


def test_a_run_on_a_cluster_is_that_of_one_process_and_a_killed_worker_costs_its_calls_in_flight(
    benchbar, slow_chat_server, tmp_path, postgres
):
    """Two workers, one killed at about half: the same bytes, each call answered once, no password in Ray's files."""
    (tmp_path / "spec.toml").write_text(shared_spec(slow_chat_server.base_url), "utf-8")
    run = ["run", "spec.toml", "--quiet", "--out"]
    spread = [*run, "spread", "--ledger", f"{postgres}?run=r", "--engine", "ray", "--workers", "2"]
    environment = os.environ | {"BENCHBAR_TEST": str(tmp_path), "RAY_TMPDIR": "/tmp"}  # noqa: S108 - sockets' paths are short
    process = subprocess.Popen(
        [sys.executable, "-m", "benchbar", *spread], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )
    while sum(slow_chat_server.stats()["completed"].values()) < 100 and process.poll() is None:
        time.sleep(0.02)
    at_work = workers_of(str(tmp_path))
    assert len(at_work) == 2
    os.kill(at_work[0], signal.SIGKILL)
    _, said = process.communicate(timeout=180)
    assert process.returncode == 0, said
    stats = slow_chat_server.stats()
    report = json.loads(benchbar("ledger", "check", "spread", "--json").out)
    assert report["ok"], report["problems"]
    assert report["completed"] == stats["distinct"]
    assert stats["served_again"] <= report["unknown"] <= 8 * 2
    assert benchbar(*run, "single").code == 0
    for name in ("results.json", "scores.jsonl", "comparisons.jsonl"):
        assert (tmp_path / "spread" / name).read_bytes() == (tmp_path / "single" / name).read_bytes(), name
    assert not workers_of(str(tmp_path))


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """The address of a cluster that somebody else started and that asks for a token, for Ray's client."""
    with started_cluster(tmp_path / "ray.log") as (address, token):
        for name, value in token.items():
            monkeypatch.setenv(name, value)
        yield address


def test_a_cluster_that_runs_elsewhere_is_reached_by_its_address(benchbar, chat_server, tmp_path, postgres, cluster):
    """Through Ray's client the run is the same; the cluster stays when it is over."""
    (tmp_path / "spec.toml").write_text(shared_spec(chat_server.base_url), "utf-8")
    run = ["run", "spec.toml", "--quiet", "--out"]
    spread = [*run, "spread", "--ledger", postgres, "--engine", cluster, "--workers", "2"]
    done = benchbar(*spread)
    assert done.code == 0, done.err
    assert benchbar(*run, "single").code == 0
    for name in ("results.json", "scores.jsonl", "comparisons.jsonl"):
        assert (tmp_path / "spread" / name).read_bytes() == (tmp_path / "single" / name).read_bytes(), name
    assert benchbar(*spread).code == 0


def test_what_workers_cannot_do_is_said(benchbar, postgres, tmp_path):
    """Without a shared ledger nothing is spread; what stops all workers stops the run, with their reason."""
    alone = benchbar("run", "--engine", "ray")
    assert (alone.code, "expected --ledger postgresql://" in alone.err) == (2, True)
    nowhere = benchbar("run", "--engine", "spark", "--ledger", postgres)
    assert (nowhere.code, "expected ray" in nowhere.err) == (2, True)
    (tmp_path / "spec.toml").write_text(shared_spec("http://127.0.0.1:9"), "utf-8")
    done = benchbar("run", "spec.toml", "--quiet", "--ledger", postgres, "--engine", "ray", "--workers", "1")
    assert (done.code, "http://127.0.0.1:9: connection refused" in done.err) == (2, True), done.err
