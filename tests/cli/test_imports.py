"""What a run loads: each library that it does not need would be paid for at every start."""

from __future__ import annotations

import json
import subprocess
import sys

from support.run_spec import spec

HEAVY = {"scipy", "sklearn", "pandas", "matplotlib", "openpyxl", "lxml", "unittest", "pytest"}
LATER = {"jinja2", "markupsafe", "benchbar.reports.html"}
"""What draws the report, and is loaded when the results are there."""
OTHERS = {f"benchbar.{name}" for name in ("dialogue.agenda", "scoring.rag.judge", "statistics.power")}
"""What other simulators, suites, judges and commands need."""
CODE = """
import json, sys, benchbar
there = []
benchbar.run("spec.toml", out="run", on_results=lambda run: there.extend(sys.modules))
print(json.dumps([there, list(sys.modules)]))
"""


def test_a_run_against_endpoints_loads_no_library_that_it_does_not_need(chat_server, tmp_path):
    """With a judge in both orders, a simulated user and intervals over clusters; and no page is laid out before the results."""
    spec(tmp_path, chat_server)
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    at_results, at_end = (set(names) for names in json.loads(found.stdout))
    assert "aiohttp" in at_results
    assert not (HEAVY | LATER) & at_results
    needless = (HEAVY | OTHERS) & at_end
    assert not needless


AT_RESULTS = {"numpy", "rapidfuzz", "benchbar.law.claims", "benchbar.measures"}
"""What the first request of a run without law need not wait for."""
FIRST = """
import json, sys, benchbar
there = []
benchbar.run("spec.toml", out="run", on_progress=lambda progress: there or there.extend(sys.modules))
print(json.dumps(there))
"""


def test_the_first_request_waits_for_no_numerical_library(chat_server, tmp_path):
    """They are loaded when the first answers are there, and what judges claims only where claims are judged."""
    row = {
        "id": "s1",
        "task": "1-1",
        "information": "他借了一万元。",
        "needs": "该怎么办？",
        "guidance": "必须提及：起诉",
    }
    (tmp_path / "samples.jsonl").write_text(json.dumps(row, ensure_ascii=False), "utf-8")
    spec(tmp_path, chat_server, suite="ucl-bench:samples.jsonl", extra="")
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FIRST], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    there = set(json.loads(found.stdout))
    assert "benchbar.runs.engine" in there
    needless = (HEAVY | LATER | AT_RESULTS) & there
    assert not needless
