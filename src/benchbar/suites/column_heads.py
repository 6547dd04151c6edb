"""What the columns of a table from outside are called: the usual names of each field in Chinese, Russian and English."""

from __future__ import annotations

import re
from collections.abc import Collection

FIELDS = {
    "id": ("编号", "序号", "номер", "number", "no", "no.", "#", "№", "nr", "sample", "sample id", "question id", "题号"),
    "task": ("任务", "задача", "задание"),
    "information": (
        "信息", "案情", "事实", "案件事实", "背景", "сведения", "информация", "обстоятельства", "факты", "фабула", "facts",
        "background", "case facts", "facts of the case", "situation", "案件背景", "事实情况",
    ),
    "needs": (
        "需求", "问题", "诉求", "提问", "题目", "咨询问题", "用户问题", "法律问题", "вопрос", "вопросы", "запрос", "потребность",
        "вопрос пользователя", "question", "questions", "问", "問", "need", "query", "prompt", "user question", "user_input", "legal question",
        "the question", "question text", "q",
    ),
    "guidance": (
        "答案要点", "评分要点", "参考要点", "得分要点", "得分点", "采分点", "要点", "评分标准", "答案要點", "評分要點", "參考要點", "得分點", "評分標準", "答案", "答", "указания", "критерии", "критерии оценки", "ответ", "answer guidance", "answer",
        "rubric", "criteria", "marking scheme", "marking criteria", "key points", "evaluation_hints", "points",
    ),
    "language": ("语言", "язык", "lang"),
    "on": ("日期", "дата", "date", "as of", "day"),
    "tags": ("标签", "метки"),
    "source": ("来源", "источник"),
    "reference": (
        "预期答案", "期望答案", "理想答案", "预期回答", "預期答案", "參考答案", "標準答案", "正確答案", "參考回答", "標準回答",
        "参考答案", "标准答案", "正确答案", "参考回答", "标准回答", "示范答案", "金标准", "标答", "эталон", "эталонный ответ", "правильный ответ", "верный ответ", "золотой стандарт", "образцовый ответ",
        "ожидаемый ответ", "expected answer", "expected", "expected response", "expected output", "reference answer",
        "correct answer", "right answer", "gold standard", "golden standard", "model solution", "reference solution", "ideal answer", "ideal", "gold answer", "gold", "golden answer", "ground truth",
        "ground_truth", "model answer", "answer key", "target", "solution",
    ),
    "evidence": ("依据", "основание", "legal basis"),
    "long_information": (),
}  # fmt: skip
"""Field of a sample to the heads under which it is known besides its own name."""


KNOWN_HEADS = {head: name for name, heads in FIELDS.items() for head in (name, *heads)}


OWN = frozenset({"id", "task", "needs"})
"""A table with all of these heads is in Benchbar's own form, which is read to the letter."""


EXPECTED = frozenset({"guidance", "reference"})


# A table with the right answers and one with a vendor's are both headed "Answer"; read the wrong way round, the
# vendor's answers would become the guidance that marks everybody else.
EITHER = frozenset({"answer", "answers", "答案", "答", "ответ", "ответы", "a"})
"""The right answer, or that of an assistant: the head does not say which."""


NOT_IN_SLUG = re.compile(r"[^\w.-]+")


def own_form(heads: Collection[str]) -> bool:
    """Whether these are the heads of Benchbar's own form, which is read to the letter."""
    return set(heads) >= OWN


def bare_head(head: str) -> str:
    return " ".join(head.replace("_", " ").split()).lower() if head.lower() not in KNOWN_HEADS else head.lower()


def slug(head: str) -> str:
    return NOT_IN_SLUG.sub("-", head.strip()).strip("-")[:64] or "answer"


def quoted(head: str) -> str:
    return f"'{head}'" if " " in head else head
