"""Columns whose head is a label of the guidance, such as "Must not mention" or 必须提及: below it stand points of that category.

Left unread, what an expert forbids would bar nobody; taken for an assistant's answers, it would be marked by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchbar.languages.text import folded
from benchbar.records import Category
from benchbar.suites.guidance_labels import category_of, labels_in, looks_like_label
from benchbar.tables.table import Table

# An expected answer alone is a field of its own, with more names than labels have.
CATEGORIES = {str(one): one for one in Category if one is not Category.GROUND_TRUTH}
"""Fields that are categories of the guidance; several columns may hold one."""
_USUAL = {
    Category.MANDATORY: "Must mention",
    Category.ADVISABLE: "Should mention",
    Category.ENCOURAGED: "May mention",
    Category.FORBIDDEN: "Must not mention",
}
"""The label of a column whose head is none, and that ``--map`` names."""
_NOTHING = frozenset(
    {"none", "n/a", "na", "nil", "nothing", "null", "нет", "н/д", "не применимо", "无", "無", "没有", "沒有", "不适用"}
)
"""Cells that say that there is no such point."""
_MARKS = frozenset(
    {
        "yes",
        "no",
        "y",
        "n",
        "true",
        "false",
        "ok",
        "да",
        "нет",
        "верно",
        "неверно",
        "是",
        "否",
        "对",
        "错",
        "✓",
        "✗",
        "x",
    }
)
"""Cells that say whether a point was made, and not which."""


def point_columns(table: Table, heads: Iterable[str]) -> dict[str, str]:
    """Those of the heads that are labels of a category and stand over texts, each with the category."""
    found = {head: category_of(_phrase(head)) for head in heads}
    return {head: str(one) for head, one in found.items() if one and str(one) in CATEGORIES and _texts(table, head)}


def doubtful_points(table: Table, heads: Iterable[str]) -> tuple[str, ...]:
    """Those of the heads that have a label's words, stand over texts, and are no label that is known."""
    return tuple(
        head
        for head in heads
        if category_of(_phrase(head)) is None and looks_like_label(_phrase(head)) and _texts(table, head)
    )


def labelled_cells(table: Table, heads: Iterable[str]) -> list[str]:
    """Those of the heads under which most cells begin with a label of the guidance, whatever the head says."""
    return [head for head in heads if _labelled(table, head)]


def points_text(row: Mapping[str, Any], heads: Mapping[str, str]) -> str:
    """The points of a row as labelled text; ``heads`` are those of :func:`point_columns`, or mapped by hand."""
    parts = []
    for head, name in heads.items():
        category, phrase = CATEGORIES[name], _phrase(head)
        label = phrase if category_of(phrase) is category else _USUAL[category]
        if cell := _said(row.get(head)):
            parts.append(f"{label}: {cell}")
    return "\n".join(parts)


def joined(texts: Sequence[str]) -> str:
    """Parts of a guidance, each on lines of its own."""
    return "\n".join(text for text in texts if text)


def _phrase(head: str) -> str:
    return " ".join(head.replace("_", " ").split()).rstrip(":： ")


def _said(cell: Any) -> str:
    """What a cell asks for; empty where it says that there is nothing."""
    if isinstance(cell, list):
        cell = "; ".join(str(one) for one in cell)
    text = str(cell if cell is not None else "").strip()
    plain = folded(text).lower().strip(" .。—–-")
    return "" if plain in _NOTHING or not any(char.isalnum() for char in plain) else text


def _labelled(table: Table, head: str) -> bool:
    cells = [said for _, row in table.rows if (said := _said(row.get(head)))]
    begun = sum(any(not cell[: one.start].strip() and one.category for one in labels_in(cell)[:1]) for cell in cells)
    return begun > len(cells) / 2


def _texts(table: Table, head: str) -> bool:
    """Whether most cells say something, and not a number, a yes or a no."""
    cells = [said for _, row in table.rows if (said := _said(row.get(head)))]
    marks = sum(folded(cell).lower() in _MARKS or not any(char.isalpha() for char in cell) for cell in cells)
    return marks < len(cells) / 2
