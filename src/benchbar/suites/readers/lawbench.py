"""Reads five tasks of LawBench, and marks answers to them as LawBench does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchbar.law.citations import extract
from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, Suite, SuiteCard, Task
from benchbar.suites.readers.rows import RowError, identity, read_suite, text

CARD = SuiteCard(
    name="lawbench",
    description="Recitation of articles, multiple choice, and consultation with its legal basis (Fei et al. 2023).",
    source="https://github.com/open-compass/LawBench",
    licence="Apache-2.0; tasks keep the licences of their sources",
    jurisdiction="PRC",
    version="law as of 2023",
    protocol="question_answering",
)
CHOICE_TASKS = frozenset({"1-2", "3-6"})
TASKS = {
    id_: Task(id=id_, name=name, level=level, scenarios=(scenario,))
    for id_, name, level, scenario in (
        ("1-1", "Article Recitation", "memory", "law_office"),
        ("1-2", "Knowledge Question Answering", "memory", "college"),
        ("3-2", "Scene-based Article Prediction", "apply", "law_office"),
        ("3-6", "Case Analysis", "apply", "college"),
        ("3-8", "Consultation", "apply", "general_public"),
    )
}
_LEAD = re.compile(r"^(?:正确)?(?:答案|回答)[:：]\s*")
_LETTER = re.compile("[A-D]")


def read(path: Path) -> Suite:
    """The samples of a LawBench file: rows with ``task``, or a file named by its task such as ``1-2.json``.

    Raises:
        BadInputError: the file cannot be read, or holds no sample.
    """
    counter = iter(range(10**9))
    return read_suite(path, CARD, TASKS, lambda row: _sample(row, path.stem, next(counter)))


def _sample(row: Mapping[str, Any], stem: str, place: int) -> Sample:
    task = str(row.get("task") or stem)
    if task not in TASKS:
        raise RowError("task", f"{task!r} is none of {', '.join(TASKS)}; the sample is skipped")
    answer = text(row, "answer")
    return Sample(
        # Published rows have no id: the place stands in, which a file that is shuffled would change.
        id=f"{task}-{identity({'idx': place, **row}, 'idx', 'id')}",
        task=task,
        information=str(row.get("instruction") or ""),
        needs=text(row, "question"),
        guidance=Guidance(points=tuple(_points(task, _LEAD.sub("", answer))), text=answer),
        long_information=bool(row.get("instruction")),
    )


def _points(task: str, answer: str) -> list[GuidancePoint]:
    truth = Category.GROUND_TRUTH
    if task in CHOICE_TASKS:
        # Sets of letters: 正确答案：DB is BD.
        letters = "".join(sorted(set(_LETTER.findall(answer))))
        if not letters:
            raise RowError("answer", f"{answer[:40]!r} names no option; the sample is skipped")
        return [GuidancePoint(id="p1", category=truth, kind=PointKind.CHOICE, text=letters, weight=4.0)]
    if task == "1-1":
        return [GuidancePoint(id="p1", category=truth, kind=PointKind.QUOTE, text=answer, weight=4.0)]
    cited = [
        GuidancePoint(
            id=f"p{place}", category=Category.MANDATORY, kind=PointKind.CITATION, text=mention.text, weight=3.0
        )
        for place, mention in enumerate(extract(answer), start=2)
        if mention.article
    ]
    # The first article is the legal basis that the task asks for; those after it are often mentioned in passing.
    return [GuidancePoint(id="p1", category=truth, text=answer, weight=4.0), *cited[:1]]


class Mark(NamedTuple):
    """LawBench's mark of one answer."""

    score: float
    abstained: bool
    """No option was named; LawBench counts it as wrong and reports its share."""


def mark(task: str, prediction: str, reference: str) -> Mark:
    """The score of an answer: for multiple choice 1 where the only option named is the right one, else ROUGE-L.

    Multiple choice follows LawBench, which looks for the letters A to D anywhere in the answer. ROUGE-L is the F1 of
    the longest common subsequence of words, as jieba cuts them in both.
    """
    if task in CHOICE_TASKS:
        named = set(_LETTER.findall(prediction))
        return Mark(float(named == set(_LETTER.findall(reference))), abstained=not named)
    said, wanted = _words(prediction), _words(reference)
    from rapidfuzz.distance import LCSseq

    length = len(said) + len(wanted)
    return Mark(2 * LCSseq.similarity(said, wanted) / length if length else 0.0, abstained=not said)


def _words(text_: str) -> list[str]:
    import rjieba

    return [word for word in rjieba.cut(text_) if word.strip()]
