"""A table of questions from outside, in any format; in a document without tables its labelled paragraphs.

What stands below a question and is no part of it must not stay in it: an expected answer would be sent to the assistant that is
to give it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from benchbar.records import Category
from benchbar.suites.column_heads import EITHER, EXPECTED, KNOWN_HEADS, bare_head
from benchbar.suites.columns_of_answers import assistant_named
from benchbar.suites.footers import without_repeated_heads, without_totals
from benchbar.suites.guidance_labels import category_of
from benchbar.suites.speaking_heads import NEEDS, REFERENCE, speaks_of
from benchbar.tables.labels import Begins
from benchbar.tables.reading import CELLS, read_table
from benchbar.tables.table import Table
from benchbar.tables.title_rows import Wanted


def question_table(
    path: Path,
    *,
    encoding: str | None = None,
    sheet: str | None = None,
    labels: Collection[str] = (),
    answers: str = "",
) -> Table:
    """The table in a file; ``labels`` are the heads that somebody said hold a field.

    Args:
        path: The file.
        encoding: Of its text, where it is not to be found out.
        sheet: Of a workbook that has several; empty or None for the one that holds questions.
        labels: They begin a field in paragraphs, and tell where the names of the columns stand.
        answers: A label over an assistant's answers, which begins a field in paragraphs and tells nothing more.

    Raises:
        BadInputError, SeveralSheetsError, MissingDependencyError: as :func:`read_table`.
    """
    beginning = begins((*labels, *filter(None, [answers])))
    table = read_table(path, encoding=encoding, sheet=sheet or None, begins=beginning, wanted=wanted(labels))
    # Before anybody looks at the columns: empty cells of totals make answers look like remarks.
    if path.suffix.lower() in CELLS:
        table.goes_through(lambda rows: without_totals(table, without_repeated_heads(table, rows)))
    return table


def wanted(labels: Collection[str] = ()) -> Wanted:
    """Heads among which one is known as that of the question, or is one of these ``labels``; how many of them are known.

    A head that only speaks of the question, or is one letter, could stand in a text: it counts beside another one. Letters count
    where nothing else stands beside them.
    """
    further = {label.strip().lower() for label in labels}

    def known(names: Sequence[str]) -> int:
        heads = [name for name in names if name.lower() in further or _is_head(name)]
        told = len(heads) if len(heads) == len(names) else sum(len(name) > 1 for name in heads)
        asking = [name for name in names if KNOWN_HEADS.get(bare_head(name)) == NEEDS]
        sure = any(name.lower() in further for name in names) or any(len(name) > 1 for name in asking)
        may = asking or any(speaks_of(name, NEEDS) for name in names)
        return told if sure or (may and told > 1) else 0

    return known


def _is_head(name: str) -> bool:
    bare = bare_head(name)
    spoken = speaks_of(name, NEEDS) or speaks_of(name, REFERENCE)
    return bare in KNOWN_HEADS or bare in EITHER or spoken or _points(name)


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
