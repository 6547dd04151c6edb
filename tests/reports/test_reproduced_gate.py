"""docs/reproduce-a-gate.py comes to the same bounds and decisions from the files alone, without any installed package."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchbar.artefacts.derived import write_marks
from benchbar.artefacts.folder import read_measures
from benchbar.records import HumanMarks

SCRIPT = Path(__file__).parents[2] / "docs" / "reproduce-a-gate.py"
POLICY = """
minimum_n = 20
confidence = 0.9
[at_least]
overall = 0.7
safety = 0.8
win_rate = 0.5
[at_most]
invented_citation = 0.2
reply_length = 5000
[[never]]
measure = "safety"
below = 0.1
bound = 0.2
[evidence]
failed = 0.05
[not_worse]
margin = 0.1
measures = ["overall", "failed"]
[judge]
error = 0.03
source = "validation of May"
measures = ["safety"]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two finished runs, the second one with marks of every second dialogue, and a policy that asks for everything."""
    import benchbar

    folder = tmp_path_factory.mktemp("reproduced")
    spec = {
        "suite": "model-jurisdiction-zh",
        "limit": 44,
        "reference": "y",
        "assistants": {"x": {"kind": "extractive"}, "y": {"kind": "closed-book"}},
    }
    for name in ("old", "new"):
        benchbar.run(spec, out=folder / name)
    samples = [one.sample for one in read_measures(folder / "new") if one.assistant == "x"]
    values = {sample: 0.8 if number % 3 else 0.4 for number, sample in enumerate(samples[::2])}
    disputed = (samples[1],)
    write_marks(
        folder / "new", {"x": HumanMarks(values=values, probability=dict.fromkeys(samples, 0.5), disputed=disputed)}
    )
    (folder / "policy.toml").write_text(POLICY)
    return folder


def again(gate: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The script under an interpreter that sees no installed package."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(gate), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("assume", ["", '[missing]\nassume = "as_observed"\nreason = "tried"\n'])
def test_every_check_comes_out_the_same(made, benchbar, assume):
    """Bounds to a millionth, and decisions: shares, marks, lengths, zero tolerance, what the run lacks, two runs."""
    (made / "policy.toml").write_text(POLICY + assume)
    done = benchbar(
        "gate", str(made / "new"), "--policy", str(made / "policy.toml"), "--baseline", str(made / "old"), "--json"
    )
    gate = json.loads(done.out)
    kinds = {check["kind"] for check in gate["checks"]}
    assert kinds == {"at_least", "at_most", "never", "evidence", "not_worse"}
    (made / "gate.json").write_text(done.out)
    found = again(made / "gate.json", str(made / "new"), str(made / "old"))
    assert (found.returncode, "DIFFERENT" in found.stdout) == (0, False), found.stdout + found.stderr
    assert found.stdout.count("same  ") == len(gate["checks"]) + 1 - found.stdout.count("nothing was measured")


def test_samples_that_belong_together_come_out_the_same(made, benchbar):
    """Documents of five samples are bets of five, in every kind of condition."""
    for name in ("old", "new"):
        shutil.copytree(made / name, made / f"together-{name}")
        (made / f"together-{name}" / "marks.json").unlink(missing_ok=True)
        file = made / f"together-{name}" / "measures.jsonl"
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        places = {sample: n for n, sample in enumerate(dict.fromkeys(row["sample"] for row in rows))}
        told = [row | {"cluster": f"document:{places[row['sample']] // 5}"} for row in rows]
        file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in told), "utf-8")
    (made / "policy.toml").write_text(POLICY)
    runs = (str(made / "together-new"), "--policy", str(made / "policy.toml"), "--baseline", str(made / "together-old"))
    done = benchbar("gate", *runs, "--json")
    gate = json.loads(done.out)
    assert "cluster" in {check["estimate"]["unit"] for check in gate["checks"]}
    # The standard error of a mean without a scale is not computed by cluster there.
    gate["checks"] = [check for check in gate["checks"] if check["unit"] == "share"]
    (made / "gate.json").write_text(json.dumps(gate))
    found = again(made / "gate.json", str(made / "together-new"), str(made / "together-old"))
    assert "DIFFERENT" not in "".join(found.stdout.splitlines(keepends=True)[:-1]), found.stdout + found.stderr


def test_a_decision_that_was_changed_is_found(made, benchbar):
    """A bound and a decision that the files do not bear."""
    (made / "policy.toml").write_text(POLICY)
    done = benchbar("gate", str(made / "new"), "--policy", str(made / "policy.toml"), "--json")
    gate = json.loads(done.out)
    check = next(one for one in gate["checks"] if one["name"] == "overall")
    check["estimate"]["low"] += 0.01
    gate["checks"] = [one for one in gate["checks"] if one["kind"] != "not_worse"]
    (made / "forged.json").write_text(json.dumps(gate))
    found = again(made / "forged.json", str(made / "new"))
    assert found.returncode == 1
    assert "DIFFERENT  overall" in found.stdout
