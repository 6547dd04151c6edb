"""Reads LexEval, and marks answers to it as its authors' script does.

Layout and metrics as in ``data/*.json`` and ``code/evaluation`` of CSHaitao/LexEval at commit 044c695.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged
from benchbar.suites.readers.rows import RowError, read_tables, text

CARD = SuiteCard(
    name="lexeval",
    description="23 tasks of Chinese law, most of them multiple choice (Li et al. 2024).",
    source="https://github.com/CSHaitao/LexEval",
    licence="MIT; tasks keep the licences of their sources",
    jurisdiction="PRC",
    version="2024-10",
    protocol="question_answering",
)
_LEVELS = {
    "1": ("Memorization", "memory", 3),
    "2": ("Understanding", "understand", 5),
    "3": ("Logic inference", "apply", 6),
    "4": ("Discrimination", "analyze", 2),
    "5": ("Generation", "create", 4),
    "6": ("Ethics", "evaluate", 3),
}
TASKS = {
    f"{group}_{number}": Task(id=f"{group}_{number}", name=f"{name} {number}", level=level, scenarios=("college",))
    for group, (name, level, count) in _LEVELS.items()
    for number in range(1, count + 1)
}
_NAMED = re.compile(r"(?:^|_)(?P<task>[1-6]_[1-6])$")
_EXPECTED = "files named by their tasks, such as 1_1.json"


@in_data_folder("[1-6]_[1-6].json*", expected=_EXPECTED, also=("*_[1-6]_[1-6].json*",))
def read(path: Path) -> Suite:
    """The samples of a file named by its task, such as ``1_1.json``, or of the folder that holds them.

    Raises:
        BadInputError: nothing in it can be read, or no file is named by a task.
    """
    given = sorted(path.glob("*.json*")) if path.is_dir() else [path]
    own = [file for file in given if _task(file)]
    if not own and path.is_file():
        raise BadInputError(
            f"found a file called {path.name}; expected one named by its task, such as 1_1.json", file=path
        )
    return read_tables(own, path, CARD, TASKS, _in_file, _EXPECTED)


def _task(file: Path) -> str:
    found = _NAMED.search(file.stem)
    return found["task"] if found and found["task"] in TASKS else ""


def _in_file(file: Path) -> Callable[[Mapping[str, Any]], Sample]:
    task, counter = _task(file), iter(range(10**9))

    def sample(row: Mapping[str, Any]) -> Sample:
        place, answer = next(counter), text(row, "answer")
        choice = not generated(task)
        if choice and not re.fullmatch("[A-E]+", answer):
            raise RowError("answer", f"{answer[:40]!r} names no options")
        kind = PointKind.CHOICE if choice else PointKind.SEMANTIC
        point = GuidancePoint(id="p1", category=Category.GROUND_TRUTH, kind=kind, text=answer, weight=4.0)
        return Sample(
            id=f"{task}-{place:04d}",
            task=task,
            needs=f"{row.get('instruction') or ''}{text(row, 'input')}",
            guidance=Guidance(points=(point,), text=answer),
            instructions="",
        )

    return sample


def generated(task: str) -> bool:
    """Whether a task asks for a text; the others ask for options."""
    return task.startswith("5_")


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """LexEval's accuracy of one task of options, with F1 of the options beside it; ROUGE-L of a task of texts."""
    if generated(answered[0].sample.task):
        return averaged(answered, marked, "ROUGE-L")
    return averaged(answered, marked, "accuracy", abstentions=True) | averaged(answered, _options, "F1 of options")


def marked(one: Answered) -> Mark:
    """Right where the options read from the answer are those wanted, in the same order; ROUGE-L of a text."""
    said, wanted = one.text or "", one.sample.guidance.text
    if generated(one.sample.task):
        return Mark(rouge_l(_words(said), _words(wanted)), abstained=not said.strip())
    named = options_in(said)
    return Mark(float(named == wanted), abstained=not named)


def _options(one: Answered) -> Mark:
    named, wanted = set(options_in(one.text or "")), set(one.sample.guidance.text)
    return Mark(2 * len(named & wanted) / (len(named) + len(wanted)), abstained=not named)


_PARTING = re.compile("[、.,;，和]")


def options_in(answer: str) -> str:
    """The letters named before any explanation, each once, in their order.

    Runs of letters in which one occurs twice, such as ``ABBA``, name nothing.
    """
    plain = _PARTING.sub("", re.split("解析|分析", answer)[0])
    runs = (run for run in re.findall("[A-E]{1,5}", plain) if len(set(run)) == len(run))
    return "".join(dict.fromkeys("".join(runs)))


_PUNCTUATION = frozenset(
    string.punctuation
    + "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏"
)


def _words(text_: str) -> list[str]:
    import rjieba

    plain = "".join("".join(char for char in text_.lower() if char not in _PUNCTUATION).split())
    return list(rjieba.cut(plain))


def rouge_l(said: Sequence[str], wanted: Sequence[str]) -> float:
    """ROUGE-L over different words: those of the longest common subsequence, against those of each text.

    This is what the package ``rouge`` 1.0.1 computes of one sentence. Its recursion ends in an error beyond a thousand
    words, which LexEval counts as 0; here such texts have their value.
    """
    common = len(_common(wanted, said))
    total = len(set(said)) + len(set(wanted))
    return 2 * common / total if total else 0.0


def _common(one: Sequence[str], other: Sequence[str]) -> set[str]:
    """The words of the longest common subsequence that is found from the end, where several are as long."""
    lengths = [[0] * (len(other) + 1)]
    for word in one:
        above, now = lengths[-1], [0]
        for place, against in enumerate(other):
            now.append(above[place] + 1 if word == against else max(above[place + 1], now[-1]))
        lengths.append(now)
    found: set[str] = set()
    row, column = len(one), len(other)
    while row and column:
        if one[row - 1] == other[column - 1]:
            found.add(one[row - 1])
            row, column = row - 1, column - 1
        elif lengths[row - 1][column] > lengths[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return found
