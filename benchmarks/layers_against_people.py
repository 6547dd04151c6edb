"""How far the rule layer and the judge layer go with people, on public data (the shared data folder); intervals by bootstrap.

Run as ``python benchmarks/layers_against_people.py [INDEX]``, INDEX being an index of statutes made by ``benchbar law index``
for the rule layer; without it only the judge layer is looked at.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from benchbar.law.index import load_corpus
from benchbar.records import Dialogue, DialogueEnd, Estimate, Sample, Turn
from benchbar.scoring.citations import citation_check
from benchbar.scoring.rubrics import Subject, apply, read_rubric
from benchbar.statistics import Agreement, ratings, spearman

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"


def said(estimate: Estimate) -> str:
    """An estimate on one line."""
    if estimate.value is None or estimate.low is None:
        return f"undefined: {estimate.reason}"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}] n={estimate.n}"


def judges() -> None:
    """Published verdicts of judge models on LLMBar, in both orders, against people's majority."""
    rows = defaultdict(list)
    with (DATA / "prefs/llmbar/judge_verdicts_even.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["strategy"] == "CoT":
                rows[row["evaluator"]].append(row)
    print("judge layer against people (LLMBar, CoT): Cohen's kappa; and between the judge's two orders")
    for evaluator, own in rows.items():
        names = ("winner_noswap", "winner_swap", "label")
        columns = {name: [row[name] if row[name] in {"1", "2"} else None for row in own] for name in names}
        agreement = Agreement(ratings(columns, ("1", "2")), np.random.default_rng(0), resamples=1000)
        print(f"  {evaluator:<16} {said(agreement.cohen_kappa(0, 2))}   {said(agreement.cohen_kappa(0, 1))}")


def rules(index: Path) -> None:
    """The rule layer's dimensions of single answers against lawyers' scores from 0 to 10 (HanFei)."""
    check, rubric = citation_check(load_corpus(index)), read_rubric("rag-answer")
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for line in (DATA / "zh/human_scores_hanfei/rows_even.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        sample = Sample(id=str(row["id"]), task="qa", needs=row["question"])
        for model, answer in row["answers"].items():
            score = row["scores"].get(model)
            if score is None or not answer:
                continue
            turns = (Turn(role="user", content=row["question"]), Turn(role="assistant", content=answer))
            dialogue = Dialogue(sample=sample.id, assistant=model, turns=turns, ended=DialogueEnd.TURN_LIMIT)
            citations = check(sample, dialogue)
            subject = Subject(sample=sample, dialogue=dialogue, citations=citations)
            found["cites law that exists"].append((float(any(one.article_id for one in citations)), float(score)))
            for one in apply(rubric, subject, sample=sample.id, assistant=model):
                if one.value is not None:
                    found[one.dimension].append((one.value, float(score)))
    print("rule layer against lawyers (HanFei): Spearman's correlation")
    for name, pairs in found.items():
        print(f"  {name:<22} {said(spearman([a for a, _ in pairs], [b for _, b in pairs]))}")


def main() -> None:
    """Print both layers' agreement, or why there is nothing to look at."""
    if not DATA.is_dir():
        print("skipped: the shared data folder ../shared/data is not here")
        return
    judges()
    if len(sys.argv) > 1:
        rules(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
