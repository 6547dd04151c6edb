"""A table of questions from outside, in any format; in a document without tables its labelled paragraphs.

What stands below a question and is no part of it must not stay in it: an expected answer would be sent to the assistant that is
to give it.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from benchbar.records import Category
from benchbar.suites.column_heads import EITHER, EXPECTED, KNOWN_HEADS, bare_head
from benchbar.suites.columns_of_answers import assistant_named
from benchbar.suites.guidance_labels import category_of
from benchbar.tables.labels import Begins
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table


def question_table(
    path: Path, *, encoding: str | None = None, sheet: str | None = None, labels: Collection[str] = ()
) -> Table:
    """The table in a file; ``labels`` are further ones that begin a field in paragraphs.

    Raises:
        BadInputError, MissingDependencyError: as :func:`read_table`.
    """
    return read_table(path, encoding=encoding, sheet=sheet, begins=begins(labels))


def begins(labels: Collection[str] = ()) -> Begins:
    """Heads of fields and of answers, besides these; "Must mention:" does below a question, and goes on with what is expected."""
    further = {label.lower() for label in labels}

    def begins_field(name: str, current: str) -> bool | None:
        if name.lower() in further or (bare := bare_head(name)) in KNOWN_HEADS or bare in EITHER:
            return True
        if _points(name):
            return not (
                KNOWN_HEADS.get(bare_head(current)) in EXPECTED or bare_head(current) in EITHER or _points(current)
            )
        # "The landlord's reply:" may belong to the facts; what stands under every question is an assistant's.
        return None if assistant_named(name) is not None else False

    return begins_field


def _points(name: str) -> bool:
    return category_of(name) not in {None, Category.GROUND_TRUTH}
