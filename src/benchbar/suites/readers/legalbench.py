"""Reads LegalBench's tasks, and marks answers to them as its ``evaluation.py`` does.

Layout and metrics as in ``tasks/*/{train.tsv,base_prompt.txt,README.md}``, ``utils.py`` and ``evaluation.py`` of
HazyResearch/legalbench at commit ce48244; the test splits, published apart, have the same columns.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.records import Category, Guidance, GuidancePoint, Problem, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.statistics.classification import UNPARSED, as_matrices, cells, recall
from benchbar.statistics.numbers import Floats
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged, f_measure, of_sums
from benchbar.suites.readers.rows import joined, read_suite, text
from benchbar.tables.encodings import read_text

CARD = SuiteCard(
    name="legalbench",
    description="162 tasks of legal reasoning in English (Guha et al. 2023).",
    source="https://github.com/HazyResearch/legalbench",
    licence="each task has its own, named in its README.md",
    language="en",
    jurisdiction="USA",
    version="2023-08",
    protocol="question_answering",
)
SPLITS = ("test.tsv", "train.tsv")
_EXPECTED = f"folders of tasks, each with {' or '.join(SPLITS)}"
PROMPT = "base_prompt.txt"
_FIELD = re.compile(r"\{\{([^{}]{1,80})\}\}")
_LICENCE = re.compile(r"\*\*Licen[sc]e\*\*:\s*\[?([^\]\n(]{1,80})")


@in_data_folder(*SPLITS, *(f"*/{split}" for split in SPLITS), expected=_EXPECTED)
def read(path: Path) -> Suite:
    """The samples of a task's folder or table, or of a folder of such folders; of both splits the test split.

    Raises:
        BadInputError: there is no task in it, or a table cannot be read.
    """
    files = _tables(path) if path.is_dir() else []
    if path.is_file():
        return _task(path)
    parts, problems = [], []
    for file in files:
        try:
            parts.append(_task(file))
        except BadInputError as error:
            # One table without rows, as rule_qa's train.tsv of the clone, is no reason to refuse 161 others.
            problems.append(Problem(file=str(file), field="", message=f"{error.message}; the task is left out"))
    if problems and not parts:
        raise BadInputError(f"no task can be read; the first: {problems[0].message}", file=problems[0].file)
    suite = joined(path, CARD, parts, _EXPECTED)
    return replace(suite, problems=(*suite.problems, *problems))


def _tables(folder: Path) -> list[Path]:
    folders = [folder, *sorted(one for one in folder.iterdir() if one.is_dir())]
    found = ([one / split for split in SPLITS if (one / split).is_file()] for one in folders)
    return [splits[0] for splits in found if splits]


def _task(file: Path) -> Suite:
    name = file.resolve().parent.name
    task = Task(id=name, name=name.replace("_", " "), level="apply", scenarios=("law_office",))
    prompt = file.with_name(PROMPT)
    form = read_text(prompt) if prompt.is_file() else ""
    read_me = next((one for one in file.parent.iterdir() if one.name.lower() == "readme.md"), None)
    found = _LICENCE.search(read_text(read_me)) if read_me else None
    suite = read_suite(file, CARD, {name: task}, lambda row: _sample(row, name, form))
    said = f"{name}: licence {found[1].strip() if found else 'not stated beside it'}; "
    said += f"asked with {PROMPT}" if form else f"no {PROMPT} beside it: asked with the columns as they stand"
    return Suite(suite.card, suite.tasks, suite.samples, problems=suite.problems, understood=(*suite.understood, said))


_NOT_ASKED = frozenset({"index", "answer", "slice"})


def _sample(row: Mapping[str, Any], task: str, form: str) -> Sample:
    answer = text(row, "answer")
    asked = {name: str(value) for name, value in row.items() if name not in _NOT_ASKED}
    plain = "\n".join(f"{name}: {value}" for name, value in asked.items())
    needs = _FIELD.sub(lambda found: asked.get(found[1], found[0]), form) if form else plain
    point = GuidancePoint(id="p1", category=Category.GROUND_TRUTH, text=answer, weight=4.0)
    return Sample(
        id=f"{task}-{text(row, 'index')}",
        task=task,
        needs=needs,
        guidance=Guidance(points=(point,), text=answer),
        reference=answer,
        language="en",
        instructions="",
    )


def official(answered: Sequence[Answered], generator: np.random.Generator) -> Estimates:
    """LegalBench's figure of one task: balanced accuracy, or what its script takes for this task in its place."""
    task = answered[0].sample.task
    known = [one for one in answered if one.text is not None]
    missing = len(answered) - len(known)
    if task in _MARKERS or task == BY_HAND:
        name = "within 10%" if task == "sara_numeric" else "accuracy" if task in _MARKERS else "correct, by hand"
        return averaged(answered, marked, name)
    found: Estimates = {}
    if counted := _counter(task):
        sums = np.array([counted(one.text or "", one.sample.guidance.text) for one in known], dtype=float).reshape(
            -1, 3
        )
        found = of_sums(known, sums, {"F1": f_measure}, generator, n_missing=missing)
    # Of successor_liability the script's F1 is never reached: its list of exact matches names the task first.
    return found if task.startswith(_SSLA) else _balanced(known, generator, missing) | found


def _balanced(known: Sequence[Answered], generator: np.random.Generator, n_missing: int) -> Estimates:
    wanted = [_normalised(one.sample.guidance.text) for one in known]
    codes = {label: place for place, label in enumerate(sorted(set(wanted)))}
    said = [codes.get(_normalised(one.text or ""), UNPARSED) for one in known]
    size = len(codes)

    def balanced(sums: Floats) -> Floats:
        found = recall(as_matrices(sums, size))
        # A label that a resample does not hold is left out of its mean, as in scikit-learn's function.
        there = np.isfinite(found)
        return np.asarray(np.where(there, found, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1), dtype=np.float64)

    truth = np.array([codes[label] for label in wanted], dtype=int)
    contributions = cells(truth, np.array(said, dtype=int), size)
    return of_sums(known, contributions, {"balanced accuracy": balanced}, generator, n_missing=n_missing)


def marked(one: Answered) -> Mark:
    """Whether one answer is right as the task's own comparison has it; F1 of what it names where tasks ask for lists."""
    task, said, wanted = one.sample.task, one.text or "", one.sample.guidance.text
    if task == BY_HAND:
        return Mark(None)
    if task in _MARKERS:
        return Mark(_MARKERS[task](said, wanted), abstained=not said.strip())
    if task.startswith(_SSLA) and (counted := _counter(task)):
        right, given, needed = counted(said, wanted)
        return Mark(2 * right / (given + needed) if given + needed else 1.0, abstained=not said.strip())
    return Mark(float(_normalised(said) == _normalised(wanted)), abstained=not said.strip())


BY_HAND = "rule_qa"
_SSLA = "ssla"
_PLAIN = str.maketrans("", "", string.punctuation)


def _normalised(text_: str) -> str:
    return text_.translate(_PLAIN).strip().lower()


def _open_citation(said: str, wanted: str) -> float:
    """Whether the name of the case occurs; its reporter is not looked at."""
    return float(_normalised(wanted) in _normalised(said))


def _defined(said: str, wanted: str) -> float:
    """Whether a term named is one of the right ones, both brought to their stems."""
    import snowballstemmer

    stem = snowballstemmer.stemmer("porter").stemWord
    right = {stem(_normalised(one)) for one in wanted.split(",")}
    return float(any(stem(_normalised(one)) in right for one in said.split(",")))


def _amount(said: str, wanted: str) -> float:
    """Whether the first number of the answer is within a tenth of the right one."""
    found = re.search(r"\d+", said.replace(",", "").replace(".", ""))
    number = int(found[0]) if found else 0
    return float(abs(number / (int(wanted.replace("$", "")) + 0.1) - 1) < 0.1)


_MARKERS: Mapping[str, Callable[[str, str], float]] = {
    "citation_prediction_open": _open_citation,
    "definition_extraction": _defined,
    "sara_numeric": _amount,
}
_EXCEPTIONS = ("express agreement", "fraudulent conveyance", "de facto merger", "mere continuation")


def _counter(task: str) -> Callable[[str, str], tuple[int, int, int]] | None:
    if task.startswith(_SSLA):
        return _parties
    return _exceptions if task == "successor_liability" else None


def _exceptions(said: str, wanted: str) -> tuple[int, int, int]:
    """How many exceptions to successor liability are right, named and wanted."""
    named, right = [one for one in _EXCEPTIONS if one in said], wanted.split(",")
    common = sum(one in right for one in named)
    return common, len(named), len(right)


def _parties(said: str, wanted: str) -> tuple[int, int, int]:
    """The same of parties, each found once; what is left over after each wanted one counts as wrong, each time anew."""
    left = [_normalised(one) for one in said.split(",")]
    right = wrong = 0
    needed = [_normalised(one) for one in wanted.split(",")]
    for one in needed:
        place = next((place for place, name in enumerate(left) if one in name), None)
        if place is not None:
            right += 1
            del left[place]
        # Upstream adds the rest within this loop; a list of three wanted parties counts a wrong name three times.
        wrong += len(left)
    return right, right + wrong, len(needed)
