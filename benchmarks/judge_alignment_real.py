"""Prompt candidates for a small real judge, on public pairs with human labels (LLMBar, the shared data folder).

Run as ``python benchmarks/judge_alignment_real.py [PAIRS]`` after ``make .venv/.real-model``. The judge is gemma3-270m behind
llama.cpp's server, on one core at low priority; the wording as it is, a shorter one, and that with two examples are compared by
`benchbar.align` on one half of the pairs and reported on the other.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import benchbar
from benchbar.artefacts.folder import read_results, read_samples
from benchbar.ledger import Ledger
from benchbar.ledger.blinding import task_names
from benchbar.ledger.reviews import add_marks, add_plan
from benchbar.records import Mark
from benchbar.runs.validation_sample import SampleDesign, draw_sample
from benchbar.suites.load import load

ROOT = Path(__file__).resolve().parents[1]
PAIRS = ROOT / ".." / "shared" / "data" / "prefs" / "llmbar" / "pairs_even.jsonl"
MOST = 500
"""Characters of an instruction with both answers: longer ones take one busy core half a minute each."""
SHORT = """Which answer follows the instruction better?

Instruction: $needs
$information

<<<1 $nonce>>>
$first
<<<end of 1 $nonce>>>
<<<2 $nonce>>>
$second
<<<end of 2 $nonce>>>

Write [[1]] if the first is better, [[2]] if the second is better.
"""
CANDIDATES = """
[candidates.short-wording]
prompts = "short"
orders = "candidate_first"
[candidates.short-with-examples]
prompts = "short"
examples = 2
orders = "candidate_first"
"""


def spec(url: str) -> dict[str, object]:
    """Two recorded answers to each instruction, and the judge."""
    recorded = {name: {"kind": "recorded", "file": f"{name}.jsonl"} for name in ("first", "second")}
    return {
        "suite": "llmbar:pairs.jsonl",
        "reference": "second",
        "assistants": recorded,
        "rubric": "",
        "judge": {
            "kind": "pairwise",
            "model": "gemma",
            "base_url": url,
            "timeout": 600,
            # So little room leaves none for reasons, which this model cannot give and one core pays for.
            "params": {"max_tokens": 105, "temperature": 0, "seed": 1},
        },
        "limits": {"concurrency": 1, "keep_going": True},
    }


def prepared(folder: Path, count: int) -> dict[str, str]:
    """The first short pairs as a suite with recorded answers; returns sample to label."""
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    natural = [one for one in rows if one["subset"] == "Natural"]
    short = [one for one in natural if len(one["input"]) + len(one["output_1"]) + len(one["output_2"]) < MOST][:count]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in short), "utf-8")
    samples = [sample.id for sample in load(f"llmbar:{folder / 'pairs.jsonl'}").samples]
    for name, field in (("first", "output_1"), ("second", "output_2")):
        answers = [{"sample": id_, "answer": one[field]} for id_, one in zip(samples, short, strict=True)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers), "utf-8")
    (folder / "short" / "en").mkdir(parents=True)
    (folder / "short" / "en" / "pairwise.md").write_text(SHORT, "utf-8")
    (folder / "candidates.toml").write_text(CANDIDATES, "utf-8")
    return {id_: str(one["label"]) for id_, one in zip(samples, short, strict=True)}


def labelled(run: Path, folder: Path, labels: dict[str, str]) -> None:
    """Put the published labels into the run as the preferences of one person."""
    suite = load(f"llmbar:{folder / 'pairs.jsonl'}")
    ledger = Ledger(run / "ledger.sqlite")
    try:
        design = SampleDesign(ask="preferences", size=len(labels), raters=1)
        name, reference = task_names(ledger.store), read_results(run).reference
        plan = draw_sample(read_samples(run), suite, design, reference=reference, name=name)
        add_plan(ledger.store, plan)
        marks = [Mark(task=one.id, rater="llmbar", value=float(labels[one.sample] == "1")) for one in plan.tasks]
        add_marks(ledger.store, marks)
    finally:
        ledger.close()


def main() -> None:
    """Print the comparison of candidates and what the chosen one is worth, or why there is nothing to run."""
    if not PAIRS.is_file():
        print("skipped: the shared data folder ../shared/data is not here")
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        command = [
            "nice",
            "-n",
            "15",
            sys.executable,
            str(ROOT / "tests/support/real_server.py"),
            str(folder / "m.gguf"),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            labels = prepared(folder, count)
            address = server.stdout.readline().strip() if server.stdout else ""
            benchbar.run(spec(f"{address}/v1"), out=folder / "r", base=folder, on_note=print)
            labelled(folder / "r", folder, labels)
            align = [sys.executable, "-m", "benchbar", "align", "r", "--candidates", "candidates.toml", "--quiet"]
            subprocess.run(align, cwd=folder, check=False)
            server.kill()


if __name__ == "__main__":
    main()
