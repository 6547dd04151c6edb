"""A process that is killed while people mark: what the command line and the page decide on is the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import benchbar
from benchbar.artefacts.folder import read_marks
from benchbar.ledger import Ledger
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import add_mark, add_plan, read_reviews
from benchbar.records import Mark, ReviewPlan, ReviewTask
from benchbar.scoring.people import current_marks, human_marks

# A second and a half each; more for whoever looks for a rare moment.
KILLS = int(os.environ.get("BENCHBAR_KILLS", "4"))
MARKER = """
import sys
import time
from pathlib import Path
from benchbar.records import Mark
from benchbar.web.mark_stream import MarkStream

stream = MarkStream(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), 10_000):
    stream.mark(Mark(task=f"t{number}", rater="li", value=0.5))
    print(number, flush=True)
    time.sleep(0.005)
"""


def plan(count: int) -> ReviewPlan:
    """Every dialogue of one assistant, each for one person."""
    return ReviewPlan(
        tasks=tuple(
            ReviewTask(id=f"t{n}", sample=f"s{n}", assistant="a", reasons=("audit",), probability=1.0)
            for n in range(count)
        ),
        frame={"a": {f"s{n}": 1.0 for n in range(count)}},
        seed=0,
        fingerprint=str(count),
    )


@pytest.fixture
def marked(tmp_path):
    """A ledger in which people are asked about ten thousand dialogues."""
    ledger = Ledger(ledger_of(tmp_path))
    ledger.plan([])
    add_plan(ledger.store, plan(10_000))
    ledger.close()
    return tmp_path


def settled(folder) -> dict[str, float]:
    """What the page takes, which reads the ledger."""
    store = open_store(ledger_of(folder), writable=False)
    try:
        return human_marks(read_reviews(store))["a"].values
    finally:
        store.close()


def test_a_mark_that_was_acknowledged_counts_after_a_kill(marked):
    """SIGKILL at random moments of marking: no acknowledged mark is lost, and the command line reads what the page reads."""
    random = np.random.default_rng(21)
    said = 0
    for _ in range(KILLS):
        command = [sys.executable, "-c", MARKER, str(marked), str(len(settled(marked)))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
            said = int(process.stdout.readline())
            # Around a second: before, while and after marks.json is derived.
            time.sleep(random.uniform(0, 1.5))
            process.send_signal(signal.SIGKILL)
            said = max(said, *(int(line) for line in process.stdout if line.endswith("\n")), 0)
        kept = settled(marked)
        assert len(kept) > said
        assert current_marks(marked)["a"].values == kept
        # For scripts that read the file, and for whoever gets the folder without its ledger.
        assert read_marks(marked)["a"].values == kept


def test_a_gate_counts_marks_that_no_file_holds_yet(copied):
    """The command's gate says the same whether marks.json is there, old or gone."""
    run = copied / "plain"
    told = benchbar.open(run).gate("release")
    (run / "marks.json").unlink()
    assert benchbar.open(run).gate("release") == told
    store = open_store(ledger_of(run), session=False)
    reviews = read_reviews(store)
    task = next(task for task in reviews.waiting.values())
    add_mark(store, Mark(task=task.id, rater="anna", value=0.2))
    store.close()
    benchbar.open(run).gate("release")
    assert read_marks(run)[task.assistant].values[task.sample] == 0.2


def test_a_folder_without_its_ledger_is_decided_by_its_file(copied):
    """Whoever publishes a run may leave the ledger out; the marks are those of the file."""
    run = copied / "plain"
    expected = json.loads((run / "marks.json").read_bytes())
    ledger_of(run).unlink()
    assert current_marks(run).keys() == expected.keys()
