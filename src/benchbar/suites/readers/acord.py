"""Reads ACORD's queries with their graded clauses, and measures rankings of clauses as its paper does.

Layout as its README.md describes it (form of BEIR), in TheAtticusProject/acord at commit 942b33a; the data file there is a
pointer, so that no real file was met.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchbar.records import Sample, Suite, SuiteCard, Task
from benchbar.statistics.retrieval import normalised_discounted_gain, precision_at
from benchbar.suites.clause_search import read_clause_queries
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark
from benchbar.suites.readers.retrieved import marked_ranking, ranked

CARD = SuiteCard(
    name="acord",
    description="114 drafting queries with clauses graded by lawyers from one to five stars (Wang et al. 2025).",
    source="https://github.com/TheAtticusProject/acord",
    licence="CC BY 4.0",
    language="en",
    jurisdiction="USA",
    version="2025-01",
    protocol="question_answering",
)
TASK = Task(id="clause-retrieval", name="Clauses for a drafting query", level="analyze", scenarios=("law_office",))


@in_data_folder("qrels/test.tsv", expected="corpus.jsonl, queries.jsonl and qrels/test.tsv")
def read(path: Path) -> Suite:
    """The queries of ``qrels/test.tsv``, each with the clauses that have more than one star.

    Raises:
        BadInputError: a file of the folder is missing or damaged.
    """
    queries = read_clause_queries(path)
    samples = tuple(
        Sample(
            id=query.id,
            task=TASK.id,
            needs=query.text,
            evidence=tuple(name for name, gain in query.gains.items() if gain > 0),
            gains={name: gain for name, gain in query.gains.items() if gain > 0},
            language="en",
            instructions="",
        )
        for query in queries
    )
    judged = sum(len(query.gains) for query in queries)
    told = f"{path.name}: {len(samples)} queries of the test split, {judged} graded pairs, {len(queries[0].passages)} clauses"
    return Suite(card=CARD, tasks={TASK.id: TASK}, samples=samples, understood=(told,))


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """nDCG@5 and @10 with the stars as gains, and the precision of the first five at three, four and five stars."""
    return ranked(
        answered,
        {
            "nDCG@5": partial(_gain, k=5),
            "nDCG@10": partial(_gain, k=10),
            **{f"{stars}-star precision@5": partial(_precise, stars=stars) for stars in (3, 4, 5)},
        },
    )


def marked(one: Answered) -> Mark:
    """nDCG@5 of one query."""
    return marked_ranking(one, partial(_gain, k=5))


def _gain(ranking: Sequence[str], sample: Sample, k: int) -> float | None:
    return normalised_discounted_gain(ranking, sample.gains, k)


def _precise(ranking: Sequence[str], sample: Sample, stars: int) -> float | None:
    # Grades of the files run from 0 to 4, a star less than what lawyers gave.
    return precision_at(ranking, [name for name, gain in sample.gains.items() if gain >= stars - 1], 5)
