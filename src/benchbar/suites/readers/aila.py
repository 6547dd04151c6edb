"""Reads AILA's situations with their precedents and statutes, and measures rankings as its track does.

Layout as the set's read-me gives it (FIRE 2019, Zenodo record 4063986) and as public loaders of it read it; no real file was met.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchbar.records import Problem, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.statistics.retrieval import average_precision, precision_at, reciprocal_rank
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark
from benchbar.suites.readers.retrieved import marked_ranking, ranked
from benchbar.tables.encodings import read_text

CARD = SuiteCard(
    name="aila",
    description="50 situations, with prior cases of the Supreme Court of India and statutes that fit them (FIRE 2019).",
    source="https://zenodo.org/records/4063986",
    licence="CC BY 4.0",
    language="en",
    jurisdiction="India",
    version="2019",
    protocol="question_answering",
)
TASKS = {
    "precedents": Task(id="precedents", name="Prior cases for a situation", level="analyze", scenarios=("court",)),
    "statutes": Task(id="statutes", name="Statutes for a situation", level="analyze", scenarios=("court",)),
}
_JUDGED = {
    "precedents": ("relevance_judgments_priorcases.txt", "Object_casedocs"),
    "statutes": ("relevance_judgments_statutes.txt", "Object_statutes"),
}
_QUERIES = "Query_doc.txt"
_NAME = r"\b[CS]\d{1,4}\b"


@in_data_folder(_QUERIES, expected=f"a folder with {_QUERIES}, as unpacked from the archive")
def read(path: Path) -> Suite:
    """The situations of ``Query_doc.txt``, a sample for each of the two tasks whose judgements lie beside it.

    Raises:
        BadInputError: a file is missing or made otherwise.
    """
    if path.is_file():
        raise BadInputError(f"found a file; expected the folder with {_QUERIES}", file=path)
    queries = dict(_queries(path / _QUERIES))
    problems: list[Problem] = []
    samples = tuple(one for task in TASKS for one in _task(path, task, queries, problems))
    if not samples:
        raise BadInputError(f"no judgements; expected {' or '.join(name for name, _ in _JUDGED.values())}", file=path)
    counts = {task: sum(one.task == task for one in samples) for task in TASKS}
    return Suite(
        card=CARD,
        tasks={id_: task for id_, task in TASKS.items() if counts[id_]},
        samples=samples,
        problems=tuple(problems),
        understood=tuple(f"{_JUDGED[task][0]}: {n} queries with something relevant" for task, n in counts.items() if n),
    )


def _queries(file: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        if not line.strip():
            continue
        name, divider, text = line.partition("||")
        if not divider:
            raise BadInputError(f"found {line[:40]!r}; expected QueryId||text", file=file, line=number)
        yield name.strip(), text.strip()


def _task(folder: Path, task: str, queries: dict[str, str], problems: list[Problem]) -> Iterator[Sample]:
    file, documents = folder / _JUDGED[task][0], folder / _JUDGED[task][1]
    if not file.is_file():
        return
    relevant: defaultdict[str, list[str]] = defaultdict(list)
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        columns = line.split()
        if columns and len(columns) != 4:
            raise BadInputError(
                f"found {len(columns)} columns; expected query, Q0, document and 0 or 1", file=file, line=number
            )
        if columns and columns[3] == "1":
            relevant[columns[0]].append(columns[2])
    for name, text in queries.items():
        there = [one for one in relevant[name] if not documents.is_dir() or (documents / f"{one}.txt").is_file()]
        # A document that nobody can find would lower every system's figure.
        problems.extend(
            Problem(
                file=str(file), field=name, message=f"{one} is judged relevant and not in {documents.name}; left out"
            )
            for one in relevant[name]
            if one not in there
        )
        if there:
            yield Sample(
                id=f"{task}-{name}",
                task=task,
                needs=text,
                evidence=tuple(there),
                language="en",
                tags=(f"document:{name}",),
                instructions="",
            )


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """MAP, precision of the first ten, and the reciprocal rank, as trec_eval has them."""
    return ranked(
        answered,
        {
            "MAP": lambda ranking, sample: average_precision(ranking, sample.evidence),
            "P@10": lambda ranking, sample: precision_at(ranking, sample.evidence, 10),
            "reciprocal rank": lambda ranking, sample: reciprocal_rank(ranking, sample.evidence),
        },
        _NAME,
    )


def marked(one: Answered) -> Mark:
    """Average precision of one ranking."""
    return marked_ranking(one, lambda ranking, sample: average_precision(ranking, sample.evidence), _NAME)
