"""How far what rules say of answers, and what judges said, goes with people, on public data (the shared data folder).

    python benchmarks/marks_against_people.py INDEX [--out NOW.json] [--against BEFORE.json]

INDEX is an index of statutes made by ``benchbar law index ../shared/data/zh/statutes``. ``--out`` keeps every figure of every answer, and
``--against`` compares them with what another version kept: the difference of its accuracy and ours, answers of one question together.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.law.checker import CorpusChecker
from benchbar.law.index import load_corpus
from benchbar.scoring.citations import invented, validity
from benchbar.scoring.silence import SILENT, Stance, stance

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
DAY = "2025-04-05"
"""The last day that the statutes at hand know."""
RESAMPLES = 2000

Answers = dict[str, dict[str, dict[str, float | None]]]
"""Figures of an answer by question and model; ``people`` is the lawyers' score."""


def hanfei(index: Path) -> Answers:
    """What rules say of each answer that lawyers scored from 0 to 10."""
    checker = CorpusChecker(load_corpus(index), today=DAY)
    found: Answers = {}
    for line in (DATA / "zh/human_scores_hanfei/rows_even.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        scored = {
            model: answer for model, answer in row["answers"].items() if answer and row["scores"].get(model) is not None
        }
        found[str(row["id"])] = {
            model: {**_figures(checker, answer), "people": float(row["scores"][model])}
            for model, answer in scored.items()
        }
    return found


def _figures(checker: CorpusChecker, answer: str) -> dict[str, float | None]:
    cited, called = checker.check(answer, on=DAY, language="zh"), stance(answer, "zh")
    return {
        "cites law that exists": float(any(one.article_id for one in cited)),
        "valid citations": validity(cited),
        "nothing invented": float(not invented(cited)) if cited else None,
        "answers the question": None if called is Stance.OPEN else float(called not in SILENT),
    }


def llmbar() -> Answers:
    """Recorded verdicts of judge models in both orders: 1 where people's choice won, a half where the orders disagree."""
    found: Answers = defaultdict(dict)
    with (DATA / "prefs/llmbar/judge_verdicts_even.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            orders = [row["winner_noswap"], row["winner_swap"]]
            if row["strategy"] == "CoT" and all(one in {"1", "2"} for one in orders):
                right = sum(one == row["label"] for one in orders) / 2
                found[f"{row['subset']} {row['idx']}"][row["evaluator"]] = {"right": right}
    return dict(found)


def pairs(found: Answers, figure: str) -> dict[str, list[float]]:
    """By question, for each two answers that lawyers scored apart: 1 where the figure puts them as people do, a half where it ties."""
    right: dict[str, list[float]] = defaultdict(list)
    for question, models in found.items():
        for one, other in combinations(models.values(), 2):
            a, b, ours, theirs = one.get(figure), other.get(figure), one["people"], other["people"]
            if None not in {a, b} and ours != theirs:
                right[question].append(0.5 if a == b else float((a > b) == (ours > theirs)))  # type: ignore[operator]
    return right


def verdicts(found: Answers, judge: str) -> dict[str, list[float]]:
    """By pair, the share of a judge's verdicts that are people's."""
    return {pair: [judges[judge]["right"] or 0.0] for pair, judges in found.items() if judge in judges}


def accuracy(right: dict[str, list[float]]) -> str:
    """The mean with an interval by bootstrap over questions."""
    return _line(list(right.values()))


def difference(before: dict[str, list[float]], now: dict[str, list[float]]) -> str:
    """How much higher the accuracy of the later version is, on what both decided."""
    both = sorted(before.keys() & now.keys())
    return _line([now[one] for one in both], [before[one] for one in both])


def _line(now: list[list[float]], before: list[list[float]] | None = None) -> str:
    if not now:
        return "–"
    sizes, sums = np.array([[len(one), sum(one)] for one in now]).T
    past = np.array([[len(one), sum(one)] for one in before]).T if before is not None else None
    drawn = np.random.default_rng(0).integers(len(now), size=(RESAMPLES, len(now)))

    def rate(rows: Any) -> Any:
        own = sums[rows].sum(-1) / sizes[rows].sum(-1)
        return own if past is None else own - past[1][rows].sum(-1) / past[0][rows].sum(-1)

    low, high = np.percentile(100 * rate(drawn), [2.5, 97.5])
    return f"{100 * rate(np.arange(len(now))):.1f} [{low:.1f}, {high:.1f}], {int(sizes.sum())} pairs of {len(now)}"


def main() -> None:
    """Print the accuracy of each figure, or why there is nothing to look at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path, nargs="?")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    if not DATA.is_dir() or options.index is None:
        print("skipped: needs the shared data folder ../shared/data and an index of its statutes")
        return
    now = {"hanfei": hanfei(options.index), "llmbar": llmbar()}
    if options.out:
        options.out.write_text(json.dumps(now), "utf-8")
    before = json.loads(options.against.read_text("utf-8")) if options.against else None
    print("HanFei: of two answers that lawyers scored apart, the share that the figure puts as they do, % [95%]")
    for figure in next(iter(next(iter(now["hanfei"].values())).values())):
        if figure != "people":
            _print(figure, pairs(now["hanfei"], figure), pairs(before["hanfei"], figure) if before else None)
    print("LLMBar: recorded verdicts, both orders, that are people's, % [95%]")
    for judge in sorted({judge for judges in now["llmbar"].values() for judge in judges}):
        _print(judge, verdicts(now["llmbar"], judge), verdicts(before["llmbar"], judge) if before else None)


def _print(name: str, now: dict[str, list[float]], before: dict[str, list[float]] | None) -> None:
    print(f"  {name:<24} {accuracy(now)}")
    if before is not None:
        print(f"  {'':<24} before {accuracy(before)}; difference {difference(before, now)}")


if __name__ == "__main__":
    main()
