"""Heads of a table that hold a known name among other words: "Client question", "Эталонный ответ юриста", 参考答案（律师）.

Only texts of their own are taken for a field, and only where a single column may be meant: "Question type" holds a word for
questions, and categories. What is taken is shown before it is used; what may be meant is named where nothing is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from benchbar.tables.table import Table

NEEDS, REFERENCE = "needs", "reference"
_WORDS = {
    NEEDS: re.compile(r"\bquestions?\b|\bquery\b|\bqueries\b|вопрос|запрос|问题|提问|問題|提問", re.IGNORECASE),
    REFERENCE: re.compile(
        r"\b(?:expected|reference|correct|right|gold|golden) (?:answer|response|output|repl)|\bground truth\b|\bgold(?:en)? standard\b|эталон|правильн\w* ответ|верн\w* ответ"
        r"|ожидаем\w* ответ|预期答案|期望答案|预期回答|預期答案|预期要点|參考要點|参考答案|标准答案|正确答案|参考回答|參考答案|標準答案|正確答案",
        re.IGNORECASE,
    ),
}
"""Field to the words that speak of it wherever they stand in a head."""
_OF_SOMETHING_ELSE = {
    NEEDS: re.compile(
        r"\b(?:ids?|types?|no|numbers?|dates?|by|count|asked|tags?)\b|categor|topic|source|note|comment|answer|respon|repl|output"
        r"|тип|тема|категор|номер|дата|коммент|примеч|ответ|источник|类型|类别|分类|编号|序号|主题|数量|日期|标签|来源|备注|答|類型|類別|編號|備註",
        re.IGNORECASE,
    ),
    REFERENCE: re.compile(
        r"\b(?:ids?|types?|by|scores?|marks?)\b|source|note|comment|match|источник|коммент|примеч|балл|оценк|совпад|来源|备注|得分|评分|一致",
        re.IGNORECASE,
    ),
}
"""Field to the words that say that a head is about the field and does not stand over it."""
_FILLED, _DISTINCT = 0.8, 0.8
_LONG = {NEEDS: (12, 6), REFERENCE: (1, 1)}
"""Median characters of the cells, in letters and in Chinese characters; an expected answer may be "Yes"."""


def spoken_of(table: Table, heads: Sequence[str], name: str) -> list[str]:
    """Those of the heads that speak of the field ``name`` and stand over texts that may be it, in their order."""
    return [head for head in heads if speaks_of(head, name) and _texts(table, head, name)]


def speaks_of(head: str, name: str) -> bool:
    """Whether a head has words for the field ``name``, and none for what is only about it."""
    return _WORDS[name].search(head) is not None and not _OF_SOMETHING_ELSE[name].search(head)


def _texts(table: Table, head: str, name: str) -> bool:
    cells = [str(row.get(head) or "").strip() for _, row in table.rows]
    filled = [cell for cell in cells if cell]
    if not filled or len(filled) < _FILLED * len(cells):
        return False
    letters, han = _LONG[name]
    least = (
        han if sum("\u3400" <= char <= "\u9fff" for char in "".join(filled)) > sum(map(len, filled)) / 3 else letters
    )
    # Cells that repeat are a category; the same may be expected of many questions.
    varied = name != NEEDS or len(set(filled)) >= _DISTINCT * len(filled)
    return varied and median(map(len, filled)) >= least
