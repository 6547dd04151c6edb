"""Case to case: from the facts of a decision to others on the same question. `python benchmarks/practice_search.py`.

The set is made of the decisions of the bundled invented jurisdictions. A query is the first paragraph of a decision, its facts, without
title, cause, number and reasoning; right are the other decisions of its family (another dispute or instance on the same question of law, as
the author of the jurisdiction grouped them); the decision itself is left out. Intervals are 95%, with queries of one family as a cluster, and so are
those of the differences from BM25 of the search engine tantivy (the retriever `engine`).
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from benchbar.law.bundled import law_path
from benchbar.law.index import build_index
from benchbar.records import Estimate
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.passages import PRACTICE
from benchbar.statistics import mean

LANGUAGES = ("zh", "ru", "en")
BASE = "engine"
RETRIEVERS = (BASE, "lexical", "tfidf", "learned")
AT = 5


class Query(NamedTuple):
    """The facts of one decision, and what should be found."""

    own: str
    family: str
    facts: str
    right: frozenset[str]


def queries(folder: Path) -> list[Query]:
    """One query for each decision whose family has another one."""
    lines = (folder / "decisions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    sizes = Counter(row["family"] for row in rows)
    return [
        Query(
            own=row["case_number"],
            family=row["family"],
            facts=row["text"].split("\n")[0],
            right=frozenset(
                other["case_number"]
                for other in rows
                if other["family"] == row["family"] and other["case_number"] != row["case_number"]
            ),
        )
        for row in rows
        if sizes[row["family"]] > 1
    ]


def measured(index: CorpusIndex, asked: list[Query], kind: str) -> tuple[list[float], list[float]]:
    """Recall among the first five and the reciprocal rank of each query."""
    recalls, ranks = [], []
    ranking = index.ranking(kind, day="any", stores=[PRACTICE])
    for one in asked:
        found = [hit.piece.case_number for hit in ranking.documents(one.facts, 20)]
        others = [number for number in found if number != one.own]
        recalls.append(len(one.right & set(others[:AT])) / len(one.right))
        ranks.append(next((1 / rank for rank, number in enumerate(others, 1) if number in one.right), 0.0))
    return recalls, ranks


def shown(one: Estimate) -> str:
    """The value with its interval; the reason where there is none."""
    if one.value is None or one.low is None:
        return f"{one.value or 0:.3f} (no query differs)"
    return f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def main() -> None:
    """Print one row for each language and retriever."""
    print(f"| language | retriever | n | R@{AT} | MRR | R@{AT} less that of tantivy BM25 | MRR less that |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for language in LANGUAGES:
        folder = law_path(f"model-jurisdiction-{language}")
        asked = queries(folder)
        clusters = [one.family for one in asked]
        with tempfile.TemporaryDirectory() as place:
            build_index([folder], Path(place) / "index")
            index = CorpusIndex.open(Path(place) / "index")
            found = {kind: measured(index, asked, kind) for kind in RETRIEVERS}
        for kind in RETRIEVERS:
            own = [shown(mean(values, low=0, high=1, clusters=clusters)) for values in found[kind]]
            paired = zip(found[kind], found[BASE], strict=True)
            less = [
                shown(mean([a - b for a, b in zip(mine, base, strict=True)], clusters=clusters))
                if kind != BASE
                else "–"
                for mine, base in paired
            ]
            print(f"| {language} | {kind} | {len(asked)} | {' | '.join((*own, *less))} |")


if __name__ == "__main__":
    main()
