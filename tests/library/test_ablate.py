"""`benchbar.ablate`: what each part contributes, from Python."""

from __future__ import annotations

import threading

import pytest

import benchbar
from benchbar.records.ablation import AblationResults, ConsultationAblation

CONSULTATION = {
    "name": "two",
    "kind": "consultation",
    "limit": 3,
    "assistant": {"kind": "extractive"},
    "variants": {"now": {}, "before": {"on": "2020-12-31"}},
}


@pytest.mark.slow
def test_a_bundled_study_of_the_contract_reviewer_is_run_and_resumed(tmp_path):
    """Every variant reviews the same clauses; the same call again gives the same results."""
    told: list[benchbar.Progress] = []
    done = benchbar.ablate("offline-contract", out=tmp_path / "a", on_progress=told.append)
    assert isinstance(done.results, AblationResults)
    assert told[-1].done == told[-1].total > 0
    assert all(file.is_file() for file in done.files)
    assert benchbar.ablate("offline-contract", out=tmp_path / "a").results == done.results


def test_a_study_given_as_a_mapping_varies_an_assistant(tmp_path):
    """Each variant meets the same samples."""
    done = benchbar.ablate(CONSULTATION, out=tmp_path / "a")
    assert isinstance(done.results, ConsultationAblation)
    assert set(done.results.results) == set(done.timing) == {"now", "before"}
    assert done.results.results["now"]["point_score"].n + done.results.results["now"]["point_score"].n_missing == 3


async def test_a_study_is_run_from_a_running_loop_and_can_be_cancelled(tmp_path):
    """Asked to stop before it begins, it makes no call."""
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(benchbar.InterruptedRunError):
        await benchbar.ablate_async(CONSULTATION, out=tmp_path / "a", cancel=cancel)
    assert (await benchbar.ablate_async(CONSULTATION, out=tmp_path / "a")).results.samples == 3


def test_an_unknown_kind_or_field_is_answered_with_the_known_ones(tmp_path):
    """Before anything is written."""
    with pytest.raises(benchbar.UserError, match="known: contract-risk, consultation, question-answering"):
        benchbar.ablate(CONSULTATION | {"kind": "poem"}, out=tmp_path / "a")
    with pytest.raises(benchbar.UserError, match="limti"):
        benchbar.ablate(CONSULTATION | {"limti": 3}, out=tmp_path / "a")
    assert not (tmp_path / "a").exists()
