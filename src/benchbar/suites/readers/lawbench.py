"""Reads the twenty tasks of LawBench, and marks answers to them as LawBench does.

Layout and metrics as in ``data/zero_shot``, ``evaluation/main.py`` and ``evaluation/evaluation_functions`` of
open-compass/LawBench at commit e30981b.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.languages.numerals import ZH_DIGITS, ZH_MYRIADS, ZH_TENS, parse_chinese
from benchbar.languages.packs import pack
from benchbar.law.citations import extract
from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, Suite, SuiteCard, Task
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged, f_of_sets
from benchbar.suites.readers.rows import RowError, identity, read_suite, read_tables, text

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
CORRECTION, ENTITIES = "2-1", "2-6"
TASKS = {
    id_: Task(id=id_, name=name, level=level, scenarios=(scenario,))
    for id_, name, level, scenario in (
        ("1-1", "Article Recitation", "memory", "law_office"),
        ("1-2", "Knowledge Question Answering", "memory", "college"),
        ("2-1", "Document Proofreading", "understand", "law_office"),
        ("2-2", "Dispute Focus Identification", "understand", "court"),
        ("2-3", "Marital Disputes Identification", "understand", "court"),
        ("2-4", "Issue Topic Identification", "understand", "law_office"),
        ("2-5", "Reading Comprehension", "understand", "law_office"),
        ("2-6", "Named Entity Recognition", "understand", "court"),
        ("2-7", "Opinion Summarization", "understand", "law_office"),
        ("2-8", "Argument Mining", "understand", "court"),
        ("2-9", "Event Detection", "understand", "court"),
        ("2-10", "Trigger Word Extraction", "understand", "court"),
        ("3-1", "Fact-based Article Prediction", "apply", "court"),
        ("3-2", "Scene-based Article Prediction", "apply", "law_office"),
        ("3-3", "Charge Prediction", "apply", "court"),
        ("3-4", "Prison Term Prediction without Article", "apply", "court"),
        ("3-5", "Prison Term Prediction with Article", "apply", "court"),
        ("3-6", "Case Analysis", "apply", "college"),
        ("3-7", "Criminal Damages Calculation", "apply", "court"),
        ("3-8", "Consultation", "apply", "general_public"),
    )
}
_LEAD = re.compile(r"^(?:正确)?(?:答案|回答)[:：]\s*")
_LETTER = re.compile("[A-D]")
_NAMED_BY_TASK = re.compile(r"\d-\d{1,2}")
_EXPECTED = "files named by their tasks, such as 1-2.json"


@in_data_folder("[1-3]-[0-9]*.json", expected=_EXPECTED)
def read(path: Path) -> Suite:
    """The samples of a LawBench file, or of a folder of files named by their tasks such as ``1-2.json``.

    Raises:
        BadInputError: nothing in it can be read, or holds no sample.
    """
    counter = iter(range(10**9))
    if path.is_dir():
        own = [file for file in sorted(path.glob("*.json")) if _NAMED_BY_TASK.fullmatch(file.stem)]
        return read_tables(own, path, CARD, TASKS, _in_file, _EXPECTED)
    return read_suite(path, CARD, TASKS, lambda row: _sample(row, path.stem, next(counter)))


def _in_file(file: Path) -> Callable[[Mapping[str, Any]], Sample]:
    counter = iter(range(10**9))
    return lambda row: _sample(row, file.stem, next(counter))


def _sample(row: Mapping[str, Any], stem: str, place: int) -> Sample:
    task = str(row.get("task") or stem)
    if task not in TASKS:
        raise RowError("task", f"{task!r} is none of {', '.join(TASKS)}")
    # A sentence without any entity has an empty answer, and who names none is right.
    answer = str(row.get("answer") or "") if task == ENTITIES else text(row, "answer")
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
    if not answer:
        return []
    if task in CHOICE_TASKS:
        # Sets of letters: 正确答案：DB is BD.
        letters = "".join(sorted(set(_LETTER.findall(answer))))
        if not letters:
            raise RowError("answer", f"{answer[:40]!r} names no option")
        return [GuidancePoint(id="p1", category=truth, kind=PointKind.CHOICE, text=letters, weight=4.0)]
    if task == "1-1":
        return [GuidancePoint(id="p1", category=truth, kind=PointKind.QUOTE, text=answer, weight=4.0)]
    if task not in {"3-2", "3-8"}:
        return [GuidancePoint(id="p1", category=truth, text=answer, weight=4.0)]
    cited = [
        GuidancePoint(
            id=f"p{place}", category=Category.MANDATORY, kind=PointKind.CITATION, text=mention.text, weight=3.0
        )
        for place, mention in enumerate(extract(answer), start=2)
        if mention.article
    ]
    # The first article is the legal basis that the task asks for; those after it are often mentioned in passing.
    return [GuidancePoint(id="p1", category=truth, text=answer, weight=4.0), *cited[:1]]


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """LawBench's figure of one task, and the share of answers that said nothing it could mark."""
    task = answered[0].sample.task
    return averaged(answered, marked, METRICS[task], abstentions=task in _ABSTAINING)


def marked(one: Answered) -> Mark:
    return mark(one.sample.task, one.text or "", one.sample.guidance.text, one.sample.information)


METRICS = {
    **dict.fromkeys(("1-1", "2-7", "3-2", "3-8"), "ROUGE-L"),
    **dict.fromkeys(("1-2", "2-2", "2-4", "2-8", "3-6", "3-7"), "accuracy"),
    **dict.fromkeys(("2-3", "2-9", "3-1", "3-3"), "F1 of labels"),
    **dict.fromkeys(("2-5", "2-6", "2-10"), "F1 of characters"),
    **dict.fromkeys(("3-4", "3-5"), "normalised log distance"),
    CORRECTION: "F0.5 of edits",
}
_ABSTAINING = frozenset(METRICS) - {"1-1", "2-1", "2-5", "2-7", "2-10", "3-2", "3-8"}
"""Tasks of which LawBench reports abstentions."""


def mark(task: str, prediction: str, reference: str, instruction: str = "") -> Mark:
    """LawBench's score of one answer, from 0 to 1.

    A choice is right where the only option named is the right one, wherever it is named. Labels are looked for anywhere in
    the answer and held against the right ones by F1; ``instruction`` lists them, as the data do. ROUGE-L is the F1 of the
    longest common subsequence of words, as jieba cuts them in both. None where the answer to the task is a known fault of
    the data, which LawBench leaves out, and in 2-1, whose metric needs the edits that ChERRANT extracts.
    """
    return _MARKERS[task](prediction, reference, instruction)


def _recited(prediction: str, reference: str, _: str) -> Mark:
    return _rouge(prediction, reference.replace("答案:", ""), _)


def _rouge(prediction: str, reference: str, _: str) -> Mark:
    # An empty answer is replaced by a placeholder upstream, which shares no word with any reference.
    said, wanted = _words(prediction), _words(reference)
    from rapidfuzz.distance import LCSseq

    length = len(said) + len(wanted)
    return Mark(2 * LCSseq.similarity(said, wanted) / length if length else 0.0, abstained=not said)


def _words(text_: str) -> list[str]:
    import rjieba

    return [word for word in rjieba.cut(text_) if word.strip()]


def _letters(prediction: str, reference: str, _: str, options: str) -> Mark:
    named = {letter for letter in options if letter in prediction}
    wanted = {letter for letter in options if letter in reference}
    return Mark(float(named == wanted), abstained=not named)


_LISTED = re.compile(r"(?:类别|标签|事件|实体类型)包括[:：](.*?)。")


def _option(prediction: str, reference: str, instruction: str) -> Mark:
    """One of the options that the instruction lists, which alone has to be named."""
    options, right = _listed(instruction), re.sub(r"^争议焦点类别：|。$", "", reference)
    if right not in options:
        # Known faults of the data, which LawBench leaves out.
        return Mark(None)
    named = {one for one in options if one in prediction}
    return Mark(float(named == {right}), abstained=not named)


def _labels(prediction: str, reference: str, instruction: str) -> Mark:
    """Several of the labels that the instruction lists."""
    options = _listed(instruction)
    if not options:
        return Mark(None)
    wanted = re.split("[、;]", re.sub(r"^类别:|。$", "", reference))
    named = {one for one in options if one in prediction}
    return Mark(f_of_sets(named, wanted), abstained=not named)


def _listed(instruction: str) -> list[str]:
    found = _LISTED.search(instruction)
    return re.split("[、，]", found[1]) if found else []


def _charges(prediction: str, reference: str, _: str) -> Mark:
    """Charges anywhere in the answer; a name that holds another one, such as 合同诈骗, counts as both, as upstream."""
    wanted = set(reference.replace("罪名:", "").split(";"))
    named = {one for one in _names_of_charges() | wanted if one in prediction}
    return Mark(f_of_sets(named, wanted), abstained=not named)


@cache
def _names_of_charges() -> frozenset[str]:
    lines = pack("zh").text("charges.txt").splitlines()
    return frozenset(line.split("|")[0].strip() for line in lines if line and not line.startswith("#"))


def _articles(prediction: str, reference: str, _: str) -> Mark:
    """Numbers of articles, the first of each part between 、, as the answer is asked for."""
    wanted = set(re.sub("法条:刑法第|条", "", reference).split("、"))
    parts = (re.sub("第(.*?)条", r"\1", re.sub("第.*?款", "", part)) for part in prediction.split("、"))
    numbers = [re.findall(r"\d+", _in_digits(part)) for part in parts]
    said = {str(int(found[0])) for found in numbers if found}
    return Mark(f_of_sets(said, wanted), abstained=not said)


_NUMERAL = re.compile(f"[{''.join((*ZH_DIGITS, *ZH_TENS, *ZH_MYRIADS))}]+")


def _in_digits(text_: str) -> str:
    """With Chinese numerals as digits; a character that is a numeral and begins no number stays."""
    return _NUMERAL.sub(
        lambda found: str(number if (number := parse_chinese(found[0])) is not None else found[0]), text_
    )


_LONGEST_TERM = 216
"""Months against which LawBench normalises; who names no term is as far off as can be."""


def _months(prediction: str, reference: str, _: str) -> Mark:
    if "死刑" in reference or "无期" in reference:
        return Mark(None)
    wanted = int(re.sub("刑期:|个月", "", reference))
    plain = _in_digits(prediction)
    months = re.findall(r"(\d+)个月", plain) + re.findall(r"(\d+)月", plain)
    years = re.findall(r"(\d+)年", plain)
    said = int(months[0]) if months else int(years[0]) * 12 if years else None
    distance = log(_LONGEST_TERM) if said is None else abs(log(wanted + 1) - log(said + 1))
    return Mark(1 - distance / log(_LONGEST_TERM), abstained=said is None)


def _amount(prediction: str, reference: str, _: str) -> Mark:
    wanted = float(reference.replace("上文涉及到的犯罪金额:", "").replace("元。", ""))
    said = [float(number) for number in re.findall(r"\d+\.?\d*", prediction)]
    return Mark(float(wanted in said), abstained=not said)


def _characters(prediction: str, reference: str) -> float:
    """F1 of the characters of two texts, each counted as often as it occurs in both; CAIL's reading comprehension."""
    said, wanted = (Counter(char for char in one.lower() if char.isalnum()) for one in (prediction, reference))
    if not said or not wanted:
        return float(said == wanted)
    return 2 * (said & wanted).total() / (said.total() + wanted.total())


def _reading(prediction: str, reference: str, _: str) -> Mark:
    return Mark(_characters(prediction, reference.replace("回答:", "")), abstained=not prediction.strip())


def _entities(prediction: str, reference: str, instruction: str) -> Mark:
    """Entities by type: those named, each with the F1 of its characters, against those that stand in the text."""
    wanted = dict(part.split(":")[:2] for part in reference.split(";") if ":" in part)
    said = dict(_named_entities(prediction, _listed(instruction)))
    if not wanted:
        return Mark(float(not said), abstained=not said)
    right = sum(_characters(value, wanted[kind]) for kind, value in said.items() if kind in wanted)
    return Mark(2 * right / (len(said) + len(wanted)), abstained=not said)


def _named_entities(prediction: str, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    for kind in kinds:
        for found in re.finditer(re.escape(kind), prediction):
            # What stands at the very end has no room for an entity after its colon.
            if found.end() >= len(prediction) - 2 or prediction[found.end()] not in ":：":
                continue
            value = re.split("[\n ]", prediction[found.end() + 1 :].strip())[0].strip()
            if value not in {"无", "未提及"}:
                yield kind, value


def _triggers(prediction: str, reference: str, _: str) -> Mark:
    """Words in the order of the answer, each held against the one at the same place."""
    wanted, said = reference.split(";"), prediction.split(";")
    right = sum(_characters(one, other) for one, other in zip(said, wanted, strict=False))
    return Mark(2 * right / (len(said) + len(wanted)), abstained=not prediction.strip())


def _edits(*_: str) -> Mark:
    # F0.5 of the edits that ChERRANT extracts; its rules and dictionaries are no part of this project.
    return Mark(None)


_MARKERS: Mapping[str, Callable[[str, str, str], Mark]] = {
    "1-1": _recited,
    **dict.fromkeys(("2-7", "3-2", "3-8"), _rouge),
    **dict.fromkeys(("1-2", "3-6"), partial(_letters, options="ABCD")),
    "2-8": partial(_letters, options="ABCDE"),
    "2-1": _edits,
    "2-2": _option,
    "2-3": _labels,
    "2-4": _option,
    "2-5": _reading,
    "2-6": _entities,
    "2-9": _labels,
    "2-10": _triggers,
    "3-1": _articles,
    "3-3": _charges,
    **dict.fromkeys(("3-4", "3-5"), _months),
    "3-7": _amount,
}
