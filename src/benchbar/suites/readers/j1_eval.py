"""Reads the civil cases of J1-Eval as one question each, and measures the law of the judgment as its script does.

Fields and metric as ``src/agents/plaintiff_CI.py``, ``src/scenario/CI.py`` and ``src/Eval/bench/CI/CI.py`` of FudanDISC/J1Bench at
commit c6e87eb read and compute them; the data lie elsewhere, so that no real file was met.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.languages.numerals import parse_chinese
from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, Suite, SuiteCard, Task
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged
from benchbar.suites.readers.rows import RowError, read_tables, text

CARD = SuiteCard(
    name="j1-eval",
    description="Civil cases of J1-Eval, asked at once and not as a hearing (Jia et al. 2025).",
    source="https://github.com/FudanDISC/J1Bench",
    licence="not stated where it was read",
    jurisdiction="PRC",
    version="2025-07",
    protocol="question_answering",
)
_EXPECTED = "J1-Eval_CI.jsonl, the civil cases"
TASK = Task(id="CI", name="Civil judgment", level="evaluate", scenarios=("court",))
_ASK = "请你作为审判长，根据原告的诉讼请求、双方陈述的事实和证据作出判决：先写“本院认为”的说理，再写判决结果，并列明判决所依据的法律条文。"


@in_data_folder("*CI.json*", expected=_EXPECTED)
def read(path: Path) -> Suite:
    """The cases of ``J1-Eval_CI.jsonl``, or of the folder that holds it.

    Raises:
        BadInputError: there is no such file, or it cannot be read.
    """
    files = [path] if path.is_file() else sorted(path.glob("*CI.json*"))
    return read_tables(files, path, CARD, {TASK.id: TASK}, lambda _: _sample, _EXPECTED)


def _sample(row: Mapping[str, Any]) -> Sample:
    truth = _inner(_inner(row, "court_information"), "ground_truth")
    laws = tuple(str(one) for one in truth.get("court_law") or ())
    if not laws:
        raise RowError("court_information.ground_truth.court_law", "found none")
    claims = "\n".join(str(one) for one in row.get("plaintiff_claim") or ())
    told = [f"诉讼请求：\n{claims}", f"原告陈述：{text(row, 'plaintiff_case_details')}"]
    if row.get("defendant_case_details"):
        told.append(f"被告陈述：{row['defendant_case_details']}")
    truths = [str(one) for one in truth.get("court_judgment") or () if "如不服本判决" not in str(one)]
    points = [
        *(
            GuidancePoint(id=f"j{n}", category=Category.GROUND_TRUTH, text=one, weight=4.0)
            for n, one in enumerate(truths, 1)
        ),
        *(
            GuidancePoint(id=f"l{n}", category=Category.MANDATORY, kind=PointKind.CITATION, text=one, weight=3.0)
            for n, one in enumerate(laws, 1)
        ),
    ]
    return Sample(
        id=f"CI-{text(row, 'id')}",
        task=TASK.id,
        needs="\n\n".join([_ASK, *told]),
        guidance=Guidance(points=tuple(points), text="\n".join(laws)),
        instructions="",
    )


def _inner(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = row.get(name)
    if not isinstance(found, dict):
        raise RowError(name, "found no object")
    return found


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """LAW: the share of the court's articles that the judgment names. Judgment and reasoning are graded by a judge model."""
    return averaged(answered, marked, "LAW")


def marked(one: Answered) -> Mark:
    """How many of the court's articles are named, with their law, in Chinese or Arabic numerals; paragraphs are passed over."""
    said = _without_paragraphs(one.text or "")
    wanted = articles_by_law(one.sample.guidance.text.splitlines())
    named = sum(_names(said, article) for law, articles in wanted.items() if law in said for article in articles)
    # A law without articles counts as one that cannot be reached, as upstream has it.
    most = sum(max(len(articles), 1) for articles in wanted.values())
    return Mark(named / most if most else None, abstained=not said.strip())


def _without_paragraphs(words: str) -> str:
    return re.sub(r"第[一二三四五六七八九十百千万\d]+款", "", words)


def articles_by_law(cited: Iterable[str]) -> dict[str, list[str]]:
    """Law with its brackets to its articles: 《民法典》第五百条、第五百零九条 are two of one law."""
    found: dict[str, list[str]] = {}
    for one in cited:
        law = re.match(r"《[^》]+》", one)
        if law is None:
            continue
        articles = found.setdefault(law[0], [])
        for part in one.split("、"):
            article = _without_paragraphs(part.replace(law[0], "")).strip("《》")
            if article:
                articles.append(article)
    return found


def _names(said: str, article: str) -> bool:
    number = parse_chinese(article.replace("第", "").replace("条", ""))
    return article in said or (number is not None and f"第{number}条" in said)
