"""Judges aligned with people by recorded verdicts, on public sets with human labels (the shared data folder).

Run as ``python benchmarks/judge_alignment.py``. For each judge of LLMBar and PandaLM: its plainest form as the baseline; other
orders, prompting strategies, margins and panels as candidates; chosen by cross-validation on one half of the items and
reported on the other half alone (`benchbar.align` does the same for a run).
"""

from __future__ import annotations

import asyncio
import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchbar.measures.validation.aligning import Labelled, align
from benchbar.measures.validation.preferences import BETTER, TIE, WORSE
from benchbar.measures.validation.verdict_rule import VerdictRule, Verdicts
from benchbar.records import Estimate
from benchbar.records.alignment import Alignment
from benchbar.statistics import OrderedOutcome

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "prefs"
ALL = ("Vanilla_NoRules", "Metrics_Reference")
"""The strategies that the files have on all seven subsets; the others lack the two with multi-turn and older answers."""
PLAIN = "Vanilla_NoRules"
SEED = 0


def said(one: Estimate) -> str:
    """An estimate in percent."""
    if one.value is None or one.low is None or one.high is None:
        return f"– ({one.reason})"
    return f"{100 * one.value:.1f} [{100 * one.low:.1f}, {100 * one.high:.1f}]"


def llmbar() -> tuple[list[Labelled], Verdicts, list[str]]:
    """Items, verdicts by ``evaluator strategy``, and the evaluators that judged all subsets."""
    outcomes: dict[str, dict[str, OrderedOutcome]] = {}
    items: dict[str, Labelled] = {}
    with (DATA / "llmbar/judge_verdicts_even.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["strategy"] in ALL:
                key = f"{row['subset']} {row['idx']}"
                pair = OrderedOutcome(_outcome(row["winner_noswap"]), _outcome(row["winner_swap"]))
                outcomes.setdefault(key, {})[f"{row['evaluator']} {row['strategy']}"] = pair
                items[key] = Labelled(key, key, row["subset"], BETTER if row["label"] == "1" else WORSE)
    counts = Counter(judge for by in outcomes.values() for judge in by)
    whole = [judge.rpartition(" ")[0] for judge, count in counts.items() if count == len(items)]
    return list(items.values()), outcomes, list(dict.fromkeys(whole))


def _outcome(winner: str) -> float | None:
    return {"1": 1.0, "2": 0.0}.get(winner)


def pandalm() -> tuple[list[Labelled], Verdicts]:
    """Items with a majority of three annotators, and the two judges' verdicts in the one order that was asked."""
    labels = {"1": BETTER, "2": WORSE, "0": TIE}
    outcomes: dict[str, dict[str, OrderedOutcome]] = {}
    items = []
    for line in (DATA / "pandalm/rows_even.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        votes = Counter(str(row[f"annotator{n}"]) for n in (1, 2, 3)).most_common(2)
        # One each: there is no majority.
        if votes[0][1] == 1:
            continue
        key = str(row["idx"])
        items.append(Labelled(key, key, str(row["cmp_key"]), labels[votes[0][0]]))
        said_by = {"gpt-3.5": str(row["gpt35_result"]), "pandalm-7b": str(row["pandalm7b_result"])}
        values = {"1": 1.0, "2": 0.0, "0": 0.5, "Tie": 0.5}
        outcomes[key] = {judge: OrderedOutcome(values.get(word), None) for judge, word in said_by.items()}
    return items, outcomes


def of_llmbar(verdicts: Verdicts, judges: Sequence[str], own: str) -> tuple[VerdictRule, list[VerdictRule]]:
    """The plain strategy with the pair as given; other orders and strategies of the same judge, and panels."""
    names = [f"{own} {strategy}" for strategy in ALL]
    baseline = VerdictRule(f"{own}, plain, one order", verdicts, (f"{own} {PLAIN}",), orders="candidate_first")
    found = [
        VerdictRule(f"{judge}, {orders}", verdicts, (judge,), orders=orders)  # type: ignore[arg-type]
        for judge in names
        for orders in ("candidate_first", "reference_first", "both")
    ]
    found.append(VerdictRule(f"{own}, both strategies and orders", verdicts, tuple(names)))
    every = tuple(f"{judge} {strategy}" for judge in judges for strategy in ALL)
    found.append(VerdictRule("all judges, mean", verdicts, every))
    found.append(VerdictRule("all judges, majority", verdicts, every, joined="majority"))
    return baseline, found


def of_pandalm(verdicts: Verdicts, own: str, other: str) -> tuple[VerdictRule, list[VerdictRule]]:
    """The judge as it is; the other one; both, with a fitted margin and without."""
    baseline = VerdictRule(own, verdicts, (own,), orders="candidate_first")
    both = (own, other)
    return baseline, [
        VerdictRule(other, verdicts, (other,), orders="candidate_first"),
        VerdictRule("both, mean", verdicts, both, orders="candidate_first"),
        VerdictRule("both, mean, fitted margin", verdicts, both, orders="candidate_first", margin=None),
        VerdictRule("both, majority", verdicts, both, orders="candidate_first", joined="majority"),
    ]


def lines() -> Iterator[str]:
    """A row of the table for each judge."""
    items, verdicts, judges = llmbar()
    for own in judges:
        baseline, candidates = of_llmbar(verdicts, judges, own)
        yield _row("LLMBar", own, asyncio.run(align(items, baseline, candidates, seed=SEED)))
        alone = [one for one in candidates if not one.name.startswith("all judges")]
        yield _row("LLMBar", f"{own}, its own verdicts alone", asyncio.run(align(items, baseline, alone, seed=SEED)))
    items, verdicts = pandalm()
    for own, other in (("gpt-3.5", "pandalm-7b"), ("pandalm-7b", "gpt-3.5")):
        baseline, candidates = of_pandalm(verdicts, own, other)
        yield _row("PandaLM", own, asyncio.run(align(items, baseline, candidates, seed=SEED)))


def _row(data: str, own: str, found: Alignment) -> str:
    score = next(one for one in found.candidates if one.name == found.chosen)
    looked = "–" if score.agreement.value is None else f"{100 * score.agreement.value:.1f}"
    p_value = "–" if found.p_value is None else f"{found.p_value:.4f}"
    cells = (data, own, found.chosen, looked, said(found.before), said(found.after), said(found.difference), p_value)
    return f"| {' | '.join(cells)} | {found.reported} |"


def main() -> None:
    """Print the table, or why there is nothing to look at."""
    if not DATA.is_dir():
        print("skipped: the shared data folder ../shared/data is not here")
        return
    print("| data | judge | chosen | by cross-validation | before | after | difference | p | n |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for line in lines():
        print(line)


if __name__ == "__main__":
    main()
