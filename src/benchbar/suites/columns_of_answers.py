"""Tells which columns of a table hold answers that assistants gave: by their heads, else by what stands in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from statistics import median

from benchbar.languages.text import folded
from benchbar.suites.column_heads import bare_head, slug
from benchbar.tables.table import Table

_GIVEN = frozenset(
    {
        *(
            "回答",
            "模型回答",
            "ai回答",
            "机器人回答",
            "助手回答",
            "response",
            "reply",
            "output",
            "model output",
            "model response",
        ),
        *(
            "assistant answer",
            "bot answer",
            "vendor answer",
            "ai answer",
            "ответ модели",
            "ответ ассистента",
            "ответ бота",
        ),
    }
)


ANSWER_WORD = r"answers?|responses?|repl(?:y|ies)|outputs?|回答|答复|答案|ответы?"


_NAMED = re.compile(
    rf"(?:{ANSWER_WORD})\s*[:：]\s*(?P<a>.+)|(?:{ANSWER_WORD})\s*(?:of|by|from|от)?\s*[\s(（](?P<b>[^()（）]+?)[)）]?|(?P<c>.+?)(?:'s|’s|的)?[\s_-]*(?:{ANSWER_WORD})",
    re.IGNORECASE,
)
"""``answer:NAME``, ``Answer (NAME)``, ``Answer of NAME``, ``NAME's answer``, ``NAME的回答``."""


# "Answer source" and "note on the reply" hold a word for answers, and long texts besides.
NOT_ANSWERS = re.compile(
    r"note|comment|remark|source|url|link|topic|categor|title|explan|rational|reason|analysis|context|passage|document|keyword"
    r"|law|statute|article|author|reviewer|备注|注释|说明|解析|分析|理由|来源|类别|分类|主题|标题|法条|依据|上下文|关键词"
    r"|примечан|коммент|поясн|обоснов|источник|категор|тема|контекст|заметк|норма|стать|автор",
    re.IGNORECASE,
)


_FILLED, _LONG, _LONG_HAN = 0.8, 40, 20
"""Share of rows with a cell, and median characters of it, from which a column of unknown name holds somebody's answers: a
category, a person's name or a number is shorter."""


def assistant_named(head: str) -> str | None:
    """The assistant whose answers a head names; None where it names none."""
    if bare_head(head) in _GIVEN:
        return slug(head)
    match = _NAMED.fullmatch(" ".join(folded(head).split()))
    return slug(next(part for part in match.groups() if part)) if match else None


def free_name(name: str, head: str, taken: Collection[str]) -> str:
    """The name of the assistant over whose answers a head stands; all of the head where another column has that name."""
    return name if name not in taken else slug(head)


def answerer(table: Table, head: str, expected: Sequence[str]) -> str | None:
    name = assistant_named(head)
    if name is not None or NOT_ANSWERS.search(head):
        return name
    cells = [str(row.get(head) or "").strip() for _, row in table.rows]
    filled = [cell for cell in cells if cell]
    if len(filled) >= _FILLED * len(cells) and _in_form_of(filled, table, expected):
        return slug(head)
    # Repeated cells are a category; answers to different questions differ.
    if not filled or len(filled) < _FILLED * len(cells) or len(set(filled)) < _FILLED * len(filled):
        return None
    # Chinese says the same in fewer characters, and has a bound of its own.
    han = sum("\u3400" <= char <= "\u9fff" for char in "".join(filled)) > sum(map(len, filled)) / 3
    return slug(head) if median(map(len, filled)) >= (_LONG_HAN if han else _LONG) else None


def may_answer(table: Table, head: str) -> bool:
    """Whether the cells are short texts that differ, as no category, number or mark of a reference does."""
    if NOT_ANSWERS.search(head):
        return False
    cells = [cell for _, row in table.rows if (cell := str(row.get(head) or "").strip())]
    texts = [cell for cell in cells if _TWO_WORDS.search(cell)]
    # An assistant may say the same of several questions ("ask a lawyer"), more often than a column of categories differs.
    varied = len(set(texts)) >= _VARIED * len(table.rows)
    return bool(texts) and varied and min(len(cells), len(texts)) >= _FILLED * len(table.rows)


_VARIED = 0.5
"""Share of rows from which short texts are too many different ones for a category."""


_TWO_WORDS = re.compile(r"[^\W\d_]\S*\s+\S|\S\s+[^\W\d_]|[\u3400-\u9fff]{2}")


def _in_form_of(cells: Sequence[str], table: Table, expected: Sequence[str]) -> bool:
    """Whether cells such as 是, Yes or B are answers: nearly all are among those that are expected in one row or another.

    Length tells nothing of them. A category has words of its own; one with the words of the expected answers is taken for
    answers, and shown as such before anything is used.
    """
    right = {_plain_answer(str(row.get(head) or "")) for head in expected for _, row in table.rows}
    right |= {_plain_answer(_FIRST.split(one, maxsplit=1)[0]) for one in list(right)}
    right.discard("")
    return bool(right) and sum(_plain_answer(cell) in right for cell in cells) >= _FILLED * len(cells)


_FIRST = re.compile(r"[\s,.;:，。；：、]")
"""Ends the first word: "Yes, within 30 days" is expected where "Yes" was answered."""


def _plain_answer(text: str) -> str:
    return " ".join(folded(text).split()).strip(" .。!！;；()（）[]").lower()
