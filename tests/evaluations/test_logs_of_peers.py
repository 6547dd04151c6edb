"""Logs that other programs write in the side-by-side job of benchmarks/peers, each in its own environment, judged again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks" / "peers"))
from compared_programs import PROGRAMS
from side_by_side import job, judged, own_result, started

pytestmark = pytest.mark.slow
OTHERS = [one for one in PROGRAMS if one.name != "Benchbar"]
STATES = {"Inspect", "EvalScope", "promptfoo"}
"""Those whose log states the mean of the comparison; DeepEval and Ragas leave it to the rows."""


@pytest.mark.parametrize("program", OTHERS, ids=lambda one: one.name)
def test_a_log_of_the_job_is_judged_again(program):
    """Published where it states one, recomputed to the same figure, nothing impossible, corrected by a second judge in both orders."""
    if program.missing():
        pytest.skip(f"{program.name} {program.version}: {program.missing()}")
    with job(program, 6, 0.0) as (folder, server):
        assert started(program, folder, server).code in program.codes
        assert sum(server.stats()["requests"].values()) == 6 * 8
        found = judged(program, folder, server)
        stated, _ = own_result(program, folder)
    assert found["findings"] == []
    (figure,) = [one for one in found["figures"] if one["measure"] == "win_rate"]
    assert figure["recomputed"]["n"] == figure["opinions"] == 6
    means = [one["value"] for one in figure["published"] if one["statistic"] == "mean"]
    assert means == ([pytest.approx(figure["recomputed"]["value"], abs=1e-4)] if program.name in STATES else [])
    assert 0 <= figure["corrected"]["value"] <= 1
    assert float(stated.split()[0]) == pytest.approx(figure["recomputed"]["value"], abs=1e-4)
