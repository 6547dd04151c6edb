"""Reads COLIEE's four tasks of cases and statutes, and measures answers as its organisers do.

Layout as the organisers' README.txt gives it for statutes (found in huyhoang0311/COLIEE2024statute_data-English at commit efac171)
and as participants' loaders read it for cases (CSHaitao/THUIR-COLIEE2023 at commit 7c33ed5); metrics as on coliee.org/evaluation.
The data are given to registered participants only: no real file of cases was met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchbar.records import Category, Guidance, GuidancePoint, Problem, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged, f_of_sets
from benchbar.suites.readers.retrieved import counted, marked_ranking, ranked
from benchbar.tables.encodings import read_text
from benchbar.tables.json_rows import read_json
from benchbar.tables.markup import xml_root

CARD = SuiteCard(
    name="coliee",
    description="Retrieval and entailment of Canadian cases and of the Japanese Civil Code (yearly since 2014).",
    source="https://coliee.org",
    licence="for registered participants, after a signed agreement; not to be passed on",
    language="en",
    jurisdiction="Canada, Japan",
    version="of the year of the copy",
    protocol="question_answering",
)
CASES, PARAGRAPHS, ARTICLES, ENTAILMENT = "task1", "task2", "task3", "task4"
TASKS = {
    CASES: Task(id=CASES, name="Cases noticed by a case", level="analyze", scenarios=("court",)),
    PARAGRAPHS: Task(id=PARAGRAPHS, name="Paragraph that entails a decision", level="analyze", scenarios=("court",)),
    ARTICLES: Task(id=ARTICLES, name="Articles for a statement", level="apply", scenarios=("college",)),
    ENTAILMENT: Task(id=ENTAILMENT, name="Whether articles entail a statement", level="apply", scenarios=("college",)),
}
_ARTICLE = re.compile(r"^Article\s*(\d+(?:-\d+)*)", re.MULTILINE)
_NAME = r"\d+(?:-\d+)*"
_EXPECTED = "riteval_*.xml (tasks 3 and 4), or labels as *.json beside folders of texts (tasks 1 and 2)"


@in_data_folder("**/riteval_*.xml", "*labels*.json", expected=_EXPECTED)
def read(path: Path) -> Suite:
    """The samples of files of statements (``riteval_*.xml``), of labels (``*.json`` with the texts beside it), or of a folder of both.

    Raises:
        BadInputError: there is neither, or a file is made otherwise.
    """
    files = [path] if path.is_file() else [*sorted(path.rglob("riteval_*.xml")), *sorted(path.glob("*labels*.json"))]
    problems: list[Problem] = []
    parts = {file: list(_samples(file, problems)) for file in files}
    samples = tuple(sample for own in parts.values() for sample in own)
    if not samples:
        raise BadInputError(f"no usable sample in it; expected {_EXPECTED}", file=path)
    used = {sample.task for sample in samples}
    return Suite(
        card=CARD,
        tasks={id_: task for id_, task in TASKS.items() if id_ in used},
        samples=samples,
        problems=tuple(problems),
        understood=tuple(
            f"{file.name}: {sum(one.task == task for one in own)} samples of {task}"
            for file, own in parts.items()
            for task in dict.fromkeys(one.task for one in own)
        ),
    )


def _samples(file: Path, problems: list[Problem]) -> Iterator[Sample]:
    return _statements(file) if file.suffix.lower() == ".xml" else _labelled(file, problems)


def _statements(file: Path) -> Iterator[Sample]:
    """A pair is a sample of task 3 and one of task 4: articles (t1), statement (t2), and whether they entail it."""
    for pair in xml_root(read_bounded(file), file).iter("pair"):
        name, label = pair.get("id") or "", (pair.get("label") or "").strip().upper()
        articles, statement = (" ".join((pair.findtext(part) or "").split("\r")).strip() for part in ("t1", "t2"))
        if not name or not statement:
            raise BadInputError(f"pair {name!r} lacks id or t2; expected pairs as riteval_*.xml has them", file=file)
        numbers = tuple(dict.fromkeys(_ARTICLE.findall(articles)))
        if numbers:
            yield Sample(
                id=f"{ARTICLES}-{name}",
                task=ARTICLES,
                needs=statement,
                evidence=numbers,
                language="en",
                instructions="",
            )
        if label in {"Y", "N"}:
            asked = f"{articles}\n\nStatement: {statement}\n\nDo these articles entail the statement? Answer Y or N."
            point = GuidancePoint(id="p1", category=Category.GROUND_TRUTH, text=label, weight=4.0)
            guidance = Guidance(points=(point,), text=label)
            yield Sample(
                id=f"{ENTAILMENT}-{name}",
                task=ENTAILMENT,
                needs=asked,
                guidance=guidance,
                language="en",
                instructions="",
            )


def _labelled(file: Path, problems: list[Problem]) -> Iterator[Sample]:
    """Case, or folder of a fragment, to what is relevant; the texts lie in a folder beside the labels."""
    labels = read_json(file)
    if not isinstance(labels, dict) or not all(isinstance(one, list) for one in labels.values()):
        raise BadInputError("expected an object of lists, as task1_train_labels_2023.json is", file=file)
    for name, relevant in labels.items():
        own = next((one for one in _beside(file, str(name)) if one.exists()), None)
        if own is None:
            problems.append(
                Problem(file=str(file), field=str(name), message="no text of it beside the labels; left out")
            )
            continue
        evidence = tuple(dict.fromkeys(str(one).removesuffix(".txt") for one in relevant))
        task, needs = (PARAGRAPHS, _fragment(own)) if own.is_dir() else (CASES, read_text(own))
        stem = str(name).removesuffix(".txt")
        yield Sample(id=f"{task}-{stem}", task=task, needs=needs, evidence=evidence, language="en", instructions="")


def _beside(file: Path, name: str) -> Iterator[Path]:
    # A name in labels of strangers leads nowhere but into the folders beside them.
    safe = Path(name.replace("\\", "/")).name
    folders = [file.parent, *sorted(one for one in file.parent.iterdir() if one.is_dir())]
    for folder in folders:
        yield folder / (safe if safe.endswith(".txt") else f"{safe}.txt")
        if (folder / safe / "entailed_fragment.txt").is_file():
            yield folder / safe


def _fragment(folder: Path) -> str:
    paragraphs = sorted((folder / "paragraphs").glob("*.txt"))
    listed = "\n".join(f"[{one.stem}] {read_text(one).strip()}" for one in paragraphs)
    decision = read_text(folder / "entailed_fragment.txt").strip()
    return f"Paragraphs:\n{listed}\n\nDecision: {decision}\n\nWhich paragraphs entail the decision? Reply with their numbers only."


def official(answered: Sequence[Answered], generator: np.random.Generator) -> Estimates:
    """Tasks 1 and 2: precision, recall and F1 over all queries together. 3: averages over queries with F2. 4: accuracy."""
    task = answered[0].sample.task
    if task == ENTAILMENT:
        return averaged(answered, marked, "accuracy", abstentions=True)
    if task == ARTICLES:
        return ranked(answered, {"precision": _precision, "recall": _recall, "F2": _f2}, _NAME)
    return counted(answered, generator, _NAME)


def marked(one: Answered) -> Mark:
    """Whether Y or N is right; F2 of the articles of one statement, F1 of the cases or paragraphs of one query."""
    if one.sample.task == ENTAILMENT:
        said = re.findall(r"\b(?:Y|N|YES|NO)\b", (one.text or "").upper())
        return Mark(float(bool(said) and said[-1][0] == one.sample.guidance.text), abstained=not said)
    beta = 2.0 if one.sample.task == ARTICLES else 1.0
    return marked_ranking(one, lambda ranking, sample: f_of_sets(ranking, sample.evidence, beta), _NAME)


def _precision(ranking: Sequence[str], sample: Sample) -> float:
    return len(set(ranking) & set(sample.evidence)) / len(ranking) if ranking else 0.0


def _recall(ranking: Sequence[str], sample: Sample) -> float | None:
    wanted = set(sample.evidence)
    return len(set(ranking) & wanted) / len(wanted) if wanted else None


def _f2(ranking: Sequence[str], sample: Sample) -> float:
    return f_of_sets(ranking, sample.evidence, 2.0)
