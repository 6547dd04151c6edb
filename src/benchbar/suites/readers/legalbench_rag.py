"""Reads LegalBench-RAG, and measures the characters found as its benchmark does.

Layout and metric as in ``README.md``, ``legalbenchrag/benchmark_types.py`` and ``run_benchmark.py`` of
ZeroEntropy-cc/legalbenchrag at commit 35fb4b6; the data lie elsewhere, so that no real file was met.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.records import ContextPassage, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged_values
from benchbar.suites.readers.retrieved import id_of, unmeasured, why_foreign
from benchbar.tables.json_rows import read_json

CARD = SuiteCard(
    name="legalbench-rag",
    description="Queries to contracts and privacy policies, with the characters that answer them (Pipitone et al. 2024).",
    source="https://github.com/zeroentropy-ai/legalbenchrag",
    licence="those of ContractNLI, CUAD, MAUD and PrivacyQA, which it is made from",
    language="en",
    jurisdiction="USA",
    version="2024-08",
    protocol="question_answering",
)
PARTS = ("contractnli", "cuad", "maud", "privacy_qa")
CUTS = (1, 2, 4, 8, 16, 32, 64)
_SPAN = re.compile(r"^(?P<name>.+)@(?P<start>\d{1,9})-(?P<end>\d{1,9})$")
Spans = list[tuple[str, int, int]]


@in_data_folder(
    "benchmarks/*.json",
    *(f"{part}.json" for part in PARTS),
    expected="benchmarks/*.json, each with a list `tests`",
    also=("*.json",),
)
def read(path: Path) -> Suite:
    """The queries of a file of ``benchmarks/``, or of the folder that holds them; each file is a task.

    Raises:
        BadInputError: there is no such file, or it is made otherwise.
    """
    folder = path / "benchmarks" if (path / "benchmarks").is_dir() else path
    files = [path] if path.is_file() else sorted(folder.glob("*.json"))
    parts = {file: _tests(file) for file in files}
    tasks = (Task(id=file.stem, name=file.stem, level="analyze", scenarios=("law_office",)) for file in files)
    told = tuple(
        f"{file.name}: {len(samples)} queries on {len({one.tags for one in samples})} documents"
        for file, samples in parts.items()
    )
    return Suite(
        card=CARD,
        tasks={task.id: task for task in tasks},
        samples=tuple(sample for samples in parts.values() for sample in samples),
        understood=told,
    )


def _tests(file: Path) -> list[Sample]:
    document = read_json(file)
    tests = document.get("tests") if isinstance(document, dict) else None
    if not isinstance(tests, list) or not tests:
        found = ", ".join(map(str, document))[:120] if isinstance(document, dict) else type(document).__name__
        raise BadInputError(f"found {found or 'no field'}; expected a list `tests`", file=file, field="tests")
    return [_read_test(file, place, test) for place, test in enumerate(tests)]


def _read_test(file: Path, place: int, test: Mapping[str, Any]) -> Sample:
    try:
        return _test(file.stem, place, test)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        cause = f"lacks the field {error}" if isinstance(error, KeyError) else "is of another form"
        wanted = "a text `query` and `snippets` with `file_path` and `span` of two numbers"
        raise BadInputError(f"test {place + 1} {cause}; expected {wanted}", file=file, field="tests") from error


def _test(task: str, place: int, test: Mapping[str, Any]) -> Sample:
    spans = [(str(one["file_path"]), int(one["span"][0]), int(one["span"][1])) for one in test["snippets"]]
    return Sample(
        id=f"{task}-{place:04d}",
        task=task,
        needs=str(test["query"]),
        evidence=tuple(f"{name}@{start}-{end}" for name, start, end in spans),
        language="en",
        # Queries on one document share its words and its faults.
        tags=(f"document:{spans[0][0]}",) if spans else (),
        instructions="",
    )


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """Precision and recall of characters among the first k passages, averaged over queries; passages are ``FILE@START-END``.

    Passages whose ids name no characters are missing: where they stand is not known. Where no file is known, nothing has a value.
    """
    if reason := _why_foreign(answered):
        return unmeasured([f"{part}@{k}" for k in CUTS for part in ("precision", "recall")], reason, answered)
    found: Estimates = {}
    for k in CUTS:
        values = [None if one.text is None else _precision_recall(one, k) for one in answered]
        found[f"precision@{k}"] = averaged_values([value and value[0] for value in values], answered)
        found[f"recall@{k}"] = averaged_values([value and value[1] for value in values], answered)
    return found


def marked(one: Answered) -> Mark:
    """Recall of characters among the first sixteen passages."""
    value = _precision_recall(one, 16)
    return Mark(None if value is None else value[1], abstained=not one.passages)


def _precision_recall(one: Answered, k: int) -> tuple[float, float] | None:
    """Characters common to what was found and what answers, in both; found twice they count twice, as upstream."""
    if one.passages is None:
        return None
    said, wanted = _spans(_ids(one.passages[:k])), _spans(one.sample.evidence)
    if said is None or wanted is None:
        return None
    common = sum(
        max(0, min(end, other_end) - max(start, other_start))
        for name, start, end in said
        for other, other_start, other_end in wanted
        if name == other
    )
    given, needed = (sum(end - start for _, start, end in spans) for spans in (said, wanted))
    # Upstream's recall exceeds 1 where passages overlap; a share cannot.
    return (min(common / given, 1.0) if given else 0.0), (min(common / needed, 1.0) if needed else 0.0)


def _ids(passages: Sequence[ContextPassage]) -> list[str]:
    # Names of files may hold blanks: the whole form tells such an id from a text.
    return [id_of(passage, _SPAN.pattern) for passage in passages]


def _why_foreign(answered: Sequence[Answered]) -> str:
    """Why nothing can be measured: ids that name no characters, or files that no query wants."""
    said = [None if one.passages is None else _spans(_ids(one.passages)) for one in answered]
    if any(one.passages for one in answered) and not any(said):
        return "the passages found are not named FILE@START-END, so that their characters are not known"
    files = [None if spans is None else [name for name, _, _ in spans] for spans in said]
    wanted = [name for one in answered for name, _, _ in _spans(one.sample.evidence) or ()]
    return why_foreign(files, answered, wanted)


def _spans(names: Sequence[str]) -> Spans | None:
    matches = [_SPAN.match(name) for name in names]
    if not all(matches):
        return None
    return [(match["name"], int(match["start"]), int(match["end"])) for match in matches if match]
