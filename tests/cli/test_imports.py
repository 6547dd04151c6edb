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
