"""Reads CUAD as one sample a contract, and scores the clauses found in it as its ``evaluate.py`` does.

Layout as in ``CUAD_v1.json`` and metric as in ``evaluate.py`` of TheAtticusProject/cuad at commit 67faa0e.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchbar.records import Category, Guidance, GuidancePoint, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import Floats
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, of_sums
from benchbar.tables.json_rows import json_value, read_json

CARD = SuiteCard(
    name="cuad",
    description="Clauses of 41 categories in 510 commercial contracts (Hendrycks et al. 2021).",
    source="https://github.com/TheAtticusProject/cuad",
    licence="CC BY 4.0",
    language="en",
    jurisdiction="USA",
    version="1",
    protocol="question_answering",
)
TASK = Task(id="clauses", name="Clauses of a contract by category", level="analyze", scenarios=("law_office",))
_FILES = ("test.json", "CUAD_v1.json", "CUADv1.json")
"""The test split of data.zip first: the other two hold all contracts, as the archives of the project name them."""
_CATEGORY = re.compile(r"related to [\"“](?P<name>[^\"”]{1,80})[\"”]")
_ASK = """Find the clauses of each category in the contract. Reply with one JSON object and nothing else: category to a list of
objects with "text", the words of the contract as they stand there, and "confidence" from 0 to 1. Give an empty list where there are none.

CONTRACT:
{contract}

CATEGORIES:
{categories}"""


@in_data_folder(*_FILES, expected=" or ".join(_FILES))
def read(path: Path) -> Suite:
    """One sample for each contract of ``CUAD_v1.json`` or ``test.json``.

    Raises:
        BadInputError: the file is not of SQuAD's form, which CUAD has.
    """
    there = [path] if path.is_file() else [one for name in _FILES if (one := path / name).is_file()]
    file = there[0]
    samples = tuple(map(_sample, contracts(file), count()))
    spans = sum(len(clauses) for sample in samples for clauses in _wanted(sample).values())
    asked = len(_wanted(samples[0]))
    return Suite(
        card=CARD,
        tasks={TASK.id: TASK},
        samples=samples,
        understood=(
            f"{file.name}: {len(samples)} contracts, {asked} categories asked of each, {spans} clauses marked",
            *(f"left out: {one.name}; name the file to read it" for one in there[1:]),
        ),
    )


class Asked(NamedTuple):
    """One category asked of a stretch of a contract."""

    id: str
    context: str
    question: str
    category: str
    """In quotation marks in the question; empty where it names none."""
    details: str
    spans: tuple[tuple[int, str], ...]
    """Where in the context each clause of the category begins, and its words."""


class Contract(NamedTuple):
    """What the set holds of one contract."""

    title: str
    asked: tuple[Asked, ...]


def contracts(file: Path) -> list[Contract]:
    """The contracts of a file of CUAD, with what is asked of each.

    Raises:
        BadInputError: the file is not of SQuAD's form, which CUAD has.
    """
    document = read_json(file)
    rows = document.get("data") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not rows:
        found = ", ".join(map(str, document))[:120] if isinstance(document, dict) else type(document).__name__
        raise BadInputError(f"found {found}; expected a list `data` of contracts, as CUAD_v1.json has it", file=file)
    made = []
    for place, row in enumerate(rows):
        try:
            made.append(Contract(str(row["title"]), tuple(_asked(row))))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            cause = f"lacks the field {error}" if isinstance(error, KeyError) else "is of another form"
            raise BadInputError(f"contract {place + 1} of `data` {cause}; see CUAD_v1.json", file=file) from error
    return made


def _asked(row: Mapping[str, Any]) -> Iterator[Asked]:
    for part in row["paragraphs"]:
        context = str(part["context"])
        for one in part["qas"]:
            question = str(one["question"])
            match = _CATEGORY.search(question)
            details = question.partition("Details:")[2].strip()
            # `answer_start` is left out by tables that were made from the set; only who looks for passages needs it.
            spans = tuple((int(answer.get("answer_start", -1)), str(answer["text"])) for answer in one["answers"])
            yield Asked(str(one["id"]), context, question, match["name"] if match else "", details, spans)


def _sample(contract: Contract, place: int) -> Sample:
    contexts = dict.fromkeys(one.context for one in contract.asked)
    wanted: dict[str, list[str]] = {}
    told: list[str] = []
    for one in contract.asked:
        name = one.category or one.id.rpartition("__")[2]
        wanted.setdefault(name, []).extend(text for _, text in one.spans)
        told.append(f"- {name}: {one.details}" if one.details else f"- {name}:")
    asked_for = _ASK.format(contract="\n".join(contexts), categories="\n".join(dict.fromkeys(told)))
    clauses = json.dumps(wanted, ensure_ascii=False)
    points = tuple(
        GuidancePoint(id=f"p{number}", category=Category.MANDATORY, text=f"{name}: {text}")
        for number, (name, text) in enumerate(
            ((name, text) for name, texts in wanted.items() for text in texts), start=1
        )
    )
    return Sample(
        id=f"c{place:03d}",
        task=TASK.id,
        needs=asked_for,
        guidance=Guidance(points=points, text=clauses),
        reference=clauses,
        language="en",
        tags=(f"title:{contract.title}",),
        instructions="",
    )


def _wanted(sample: Sample) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json_value(sample.guidance.text.encode())
    return found


class _Clause(NamedTuple):
    text: str
    confidence: float


THRESHOLDS = np.array([*np.arange(0.99, 0, -0.01), 0.001, 0.0])
"""Confidences that a clause has to exceed, from the strictest: those of ``evaluate.py``."""
SAME = 0.5
"""Jaccard similarity of the words from which a clause is found."""


def official(answered: Sequence[Answered], generator: np.random.Generator) -> Estimates:
    """AUPR and the precision at 80% and 90% recall over all contracts and categories; a contract is one cluster.

    Beside them precision, recall and F1 of all clauses named, whatever their confidence.
    """
    known = [one for one in answered if one.text is not None]
    counts = np.array([_counts(one) for one in known]).reshape(len(known), -1)
    statistics = {
        "AUPR": _area,
        "precision at 80% recall": lambda sums: _precision_at(sums, 0.8),
        "precision at 90% recall": lambda sums: _precision_at(sums, 0.9),
        "precision": lambda sums: _quotient(sums[:, -3], sums[:, -3] + sums[:, -2]),
        "recall": lambda sums: _quotient(sums[:, -3], sums[:, -3] + sums[:, -1]),
        "F1": lambda sums: _quotient(2 * sums[:, -3], 2 * sums[:, -3] + sums[:, -2] + sums[:, -1]),
    }
    return of_sums(known, counts, statistics, generator, n_missing=len(answered) - len(known))


def marked(one: Answered) -> Mark:
    """F1 of the clauses named in one contract, whatever their confidence."""
    right, wrong, missed = _counts(one)[-1]
    total = 2 * right + wrong + missed
    return Mark(2 * right / total if total else 1.0, abstained=not clauses_in(one.text or ""))


def _counts(one: Answered) -> Floats:
    """Found, falsely named and missed at each threshold (thresholds x 3)."""
    said, found = clauses_in(one.text or ""), np.zeros((len(THRESHOLDS), 3))
    for name, clauses in _wanted(one.sample).items():
        found += _of_category(said.get(name.lower(), []), clauses, holds="Parties" in name)
    return found


def _of_category(said: Sequence[_Clause], clauses: Sequence[str], *, holds: bool) -> Floats:
    # Of names of parties, upstream also takes an answer that holds the right one.
    pairs = [[similarity(text, one.text) >= SAME or (holds and text in one.text) for one in said] for text in clauses]
    above = np.asarray(np.array([one.confidence for one in said])[None, :] > THRESHOLDS[:, None])
    same = np.array(pairs, dtype=bool).reshape(len(clauses), len(said))
    right = (above[:, None, :] & same[None]).any(axis=2).sum(axis=1)
    wrong = (above & ~np.asarray(same.any(axis=0))[None]).sum(axis=1)
    return np.stack([right, wrong, len(clauses) - right], axis=1).astype(float)


_MARKS = str.maketrans({".": "", ",": "", ";": "", ":": "", "/": " "})


def similarity(one: str, other: str) -> float:
    """Jaccard similarity of two texts' words, without punctuation, as ``evaluate.py`` takes them."""
    first, second = (set(text.lower().translate(_MARKS).split(" ")) for text in (one, other))
    return len(first & second) / len(first | second)


def clauses_in(answer: str) -> dict[str, list[_Clause]]:
    """What an answer names, by category in small letters; a clause without confidence is taken for certain.

    The answer holds a JSON object of lists of texts, or of objects with ``text`` and ``confidence`` (or ``probability``).
    """
    start, end = answer.find("{"), answer.rfind("}")
    try:
        document = json_value(answer[start : end + 1].encode()) if 0 <= start < end else {}
    except ValueError:
        return {}
    if not isinstance(document, dict):
        return {}
    return {
        str(name).lower(): _best_of_each(_listed(given)) for name, given in document.items() if isinstance(given, list)
    }


def _listed(given: Sequence[Any]) -> Iterator[_Clause]:
    for one in given:
        text = one.get("text") if isinstance(one, dict) else one
        sure = one.get("confidence", one.get("probability", 1.0)) if isinstance(one, dict) else 1.0
        if isinstance(text, str) and text and isinstance(sure, int | float):
            yield _Clause(text, float(sure))


def _best_of_each(clauses: Iterator[_Clause]) -> list[_Clause]:
    """A text that is named twice counts once, with the confidence named last, as in upstream's mapping."""
    return list({one.text: one for one in clauses}.values())


def _curve(sums: Floats) -> tuple[Floats, Floats]:
    """Precision and recall at each threshold (rows x thresholds + 1), from recall 0 with precision 1.

    Precision is the best at this recall or a greater one. Where nothing is named, upstream's precision is undefined and is
    passed over in that maximum; here it is 0.
    """
    right, wrong, missed = np.moveaxis(sums.reshape(len(sums), -1, 3), 2, 0)
    start = np.ones((len(sums), 1))
    precision = np.hstack([start, _quotient(right, right + wrong, none=0.0)])
    recall = np.hstack([0 * start, _quotient(right, right + missed)])
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(best, dtype=np.float64), recall


def _area(sums: Floats) -> Floats:
    """Under precision by recall, by trapezia."""
    best, recall = _curve(sums)
    return np.asarray((np.diff(recall, axis=1) * (best[:, 1:] + best[:, :-1]) / 2).sum(axis=1), dtype=np.float64)


def _precision_at(sums: Floats, least: float) -> Floats:
    """Of the first threshold that reaches so much recall; 0 where none does."""
    best, recall = (found[:, :-1] for found in _curve(sums))
    # Upstream pairs the points with one threshold less than there are, and never comes to the last point.
    reached = recall >= least
    place = reached.argmax(axis=1)
    return np.where(reached.any(axis=1), np.take_along_axis(best, place[:, None], axis=1)[:, 0], 0.0)


def _quotient(above: Floats, below: Floats, none: float = np.nan) -> Floats:
    return np.asarray(np.where(below > 0, above / np.where(below > 0, below, 1), none), dtype=np.float64)
