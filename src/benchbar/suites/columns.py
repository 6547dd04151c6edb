"""Tells which column of a table from outside holds which field of a sample, and which hold answers that assistants gave.

People who bring their own questions call the columns what they like. A head is known by its usual names in Chinese, Russian and
English; what it may mean two things is refused with the way to say it, and what is not read is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from benchbar.records import Record
from benchbar.records.errors import BadInputError, UnknownNameError, UserError, did_you_mean
from benchbar.suites.column_heads import EITHER, EXPECTED, FIELDS, KNOWN_HEADS, bare_head, own_form, quoted, slug
from benchbar.suites.columns_of_answers import (
    ANSWER_WORD,
    NOT_ANSWERS,
    answerer,
    assistant_named,
    free_name,
    may_answer,
)
from benchbar.suites.point_columns import CATEGORIES, doubtful_points, labelled_cells, point_columns
from benchbar.suites.speaking_heads import NEEDS, REFERENCE, spoken_of
from benchbar.tables.table import Table


class Columns(Record, frozen=True):
    """What was understood of a table's heads."""

    fields: dict[str, str]
    """Head to field of a sample."""
    answers: dict[str, str] = {}
    """Name of an assistant to the head over its answers."""
    unread: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    """Those of the unread that may be an assistant's answers, too short to tell."""
    labelled: tuple[str, ...] = ()
    """Those of the unread whose heads have the words of a label of the guidance, and are none that is known."""


def known_columns(table: Table, mapping: Mapping[str, str]) -> Columns:
    """The columns whose heads are names of fields; ``mapping`` (field to head) goes first.

    Raises:
        UserError: a field or column of the mapping is unknown.
    """
    given = {name.removeprefix(GIVEN): head for name, head in mapping.items() if name.startswith(GIVEN)}
    mapping = {name: head for name, head in mapping.items() if not name.startswith(GIVEN)}
    for name, head in [*mapping.items(), *given.items()]:
        if name in mapping and name not in FIELDS and name not in CATEGORIES:
            raise UnknownNameError("field", name, [*FIELDS, *CATEGORIES, f"{GIVEN}NAME"])
        if head not in table.columns:
            raise UserError(f"{table.path} has no column {head!r}; it has: {', '.join(table.columns) or 'none'}")
    # What is mapped goes first, also where its head is known under another name.
    named = {head: name for name, head in mapping.items()}
    known = {head: KNOWN_HEADS[bare_head(head)] for head in table.columns if bare_head(head) in KNOWN_HEADS}
    fields = {head: name for head, name in known.items() if name not in mapping} | named
    fields = {head: name for head, name in fields.items() if head not in given.values()}
    rest = [head for head in table.columns if head not in fields and head not in given.values()]
    fields |= point_columns(table, rest)
    answers = {slug(name): head for name, head in given.items()}
    read = {*fields, *answers.values()}
    return Columns(fields=fields, answers=answers, unread=tuple(head for head in table.columns if head not in read))


def told_columns(table: Table, mapping: Mapping[str, str]) -> Columns:
    """The columns of a table whose author knows nothing of our names; the table has been read.

    Raises:
        BadInputError: none holds the question, two hold one field, or one may hold either of two things; names the column.
        UserError: a field or column of the mapping is unknown.
    """
    if table.names_in:
        raise BadInputError(_names_elsewhere(table, table.names_in), file=table.path, line=table.head_line)
    found = known_columns(table, mapping)
    fields, answers = _with_spoken_of(table, found), dict(found.answers)
    for head in _either(table, mapping):
        others = [name for one, name in fields.items() if one != head]
        # Where another column holds the expected answer, this one can only be an assistant's.
        if not EXPECTED & set(others):
            raise _expected_or_given(table, head)
        fields.pop(head, None)
        answers[slug(head)] = head
    _single(table, fields)
    if "needs" not in fields.values():
        raise BadInputError(_no_question_column(table), file=table.path, line=table.head_line)
    # What is expected is nobody's answer, also where another column was named as such.
    expectations = spoken_of(table, found.unread, REFERENCE)
    read = {*fields, *answers.values(), *expectations}
    rest = [head for head in found.unread if head not in read]
    # Only what names no assistant: `answers:gpt` is no misspelt `answer`.
    refuse_misspelt(table, [head for head in rest if assistant_named(head) is None])
    expected = [head for head, name in fields.items() if name in EXPECTED]
    either_way = (head for head in rest if KNOWN_HEADS.get(bare_head(_IN_BRACKETS.sub("", head))) in EXPECTED)
    if not expected and (either := next(either_way, None)):
        raise _expected_or_given(table, either)
    if not expected:
        # What begins with "Must mention:" is what an expert expects, whatever stands above it: no assistant says so of itself.
        expected = labelled_cells(table, rest)[:1]
        fields |= dict.fromkeys(expected, "guidance")
        rest = [head for head in rest if head not in expected]
    for head in rest:
        if (name := answerer(table, head, expected)) is not None:
            answers[free_name(name, head, answers)] = head
    read = {*fields, *answers.values()}
    unread = tuple(head for head in table.columns if head not in read)
    other = re.compile(f"{NOT_ANSWERS.pattern}|{ANSWER_WORD}", re.IGNORECASE)
    labelled = doubtful_points(table, (head for head in rest if head not in read and not other.search(head)))
    # Without anything to hold them against, short texts may be anything.
    told = [head for head in rest if (answers or expected) and head not in read and head not in labelled]
    doubtful = tuple(head for head in told if may_answer(table, head))
    return Columns(fields=fields, answers=answers, unread=unread, doubtful=doubtful, labelled=labelled)


def _either(table: Table, mapping: Mapping[str, str]) -> list[str]:
    """Heads that may mean the right answer or an assistant's, and of which nobody said which; A beside B is an option."""
    options = {bare_head(head) for head in table.columns} >= {"a", "b"}
    heads = (head for head in table.columns if head not in mapping.values() and bare_head(head) in EITHER)
    return [head for head in heads if not options or bare_head(head) != "a"]


GIVEN = "answer:"
"""How ``--map`` names a column of answers, before the assistant's name."""


_IN_BRACKETS = re.compile(r"[(（].*")
"""``Model answer (senior associate)`` and ``Model answer (gpt)`` differ in what stands in brackets alone."""


def _expected_or_given(table: Table, head: str) -> BadInputError:
    return BadInputError(
        "is this the expected answer, or an assistant's? Call the column `Expected answer` or `answer:NAME`, or say"
        f" --map reference={quoted(head)}",
        file=table.path,
        line=table.head_line,
        field=head,
    )


def _with_spoken_of(table: Table, found: Columns) -> dict[str, str]:
    """The fields, with a question and an expected answer that a head only speaks of, where it is one column alone."""
    fields = dict(found.fields)
    for name, others in ((NEEDS, {NEEDS}), (REFERENCE, {REFERENCE, "guidance"})):
        spoken = spoken_of(table, found.unread, name)
        if len(spoken) == 1 and not others & set(fields.values()):
            fields[spoken[0]] = name
    return fields


def _names_elsewhere(table: Table, line: int) -> str:
    shown = ", ".join(table.columns)[:_SHOWN]
    return (
        f"row {table.head_line} does not hold the names of the columns ({shown}), and row {line} seems to: delete what is"
        f" above row {line}"
    )


def _no_question_column(table: Table) -> str:
    if len(spoken := spoken_of(table, table.columns, NEEDS)) > 1:
        maps = " or ".join(f"--map needs={quoted(head)}" for head in spoken[:3])
        return f"several columns may hold the question; say which: {maps}"
    said = (
        f"no column holds the question; its columns are {', '.join(table.columns)[:_SHOWN] or 'none'}. Call one `Question`, or"
        " say which it is with --map needs=COLUMN"
    )
    # The names of JSON stand in every row; there is no first row to be mistaken for them.
    return (
        said
        if table.format.startswith("JSON")
        else f"{said}; if the first row holds a question already, put a row of names above it"
    )


def refuse_misspelt(table: Table, heads: Iterable[str]) -> None:
    """Refuse a column whose head is nearly that of a field: left unread, it would be missing from every sample.

    Raises:
        BadInputError: names the column and what it may stand for.
    """
    # Only Latin heads: one Chinese character more or less makes another word.
    known = [head for head in KNOWN_HEADS if len(head) > _SHORT and head.isascii()]
    for head in heads:
        if near := did_you_mean(bare_head(head), [one for one in known if _slip(bare_head(head), one)]):
            raise BadInputError(
                f"unknown column{near}; rename it, or delete it", file=table.path, line=table.head_line, field=head
            )


def _slip(head: str, known: str) -> bool:
    """Whether the one is the other with a letter or two wrong: "guidence", and not "score" for "source"."""
    # Costs some milliseconds, which only a head that nobody knows should have to pay.
    from rapidfuzz.distance import OSA

    return OSA.distance(head, known) <= min(2, len(known) // _SHORT)


_SHORT = 5
"""Letters of a head up to which another of nearly the same letters means something else ("note" is no misspelt "no"), and from
which each so many allow for one that is wrong."""


def _single(table: Table, fields: Mapping[str, str]) -> None:
    for name in dict.fromkeys(one for one in fields.values() if one not in CATEGORIES):
        heads = [head for head, one in fields.items() if one == name]
        # Either may be the right one, and the last would win silently.
        if len(heads) > 1:
            raise BadInputError(
                f"columns {' and '.join(map(repr, heads))} both mean the field {name}; say which with"
                f" --map {name}={quoted(heads[0])}, or rename one",
                file=table.path,
                line=table.head_line,
                field=heads[1],
            )


_SHOWN = 300
"""Characters of a list of heads; a row of questions that is taken for the head would fill the screen."""


def answer_columns(table: Table, mapping: Mapping[str, str]) -> Columns:
    """The columns of a table of questions, among them those that hold answers; none are known in our own form.

    Raises:
        BadInputError, UserError: as :func:`told_columns`.
    """
    return Columns(fields={}) if not table.rows or own_form(table.columns) else told_columns(table, mapping)


def shown_columns(columns: Columns, counts: Mapping[str, int], rows: int) -> Iterator[str]:
    """Lines that say what was understood of the heads; ``counts`` are the answers of each assistant."""
    both = {} if "guidance" in columns.fields.values() else {"reference": "reference and guidance"}
    # Heads of sheets are broken over lines.
    yield "columns: " + ", ".join(
        f"{' '.join(head.split())} = {both.get(name, name)}" for head, name in columns.fields.items()
    )
    for name, head in columns.answers.items():
        yield f"answers: column {head} = the assistant {name} ({counts.get(name, 0)} of {rows} rows)"
    if columns.doubtful:
        named = ", ".join(f"`answer:{head}`" for head in columns.doubtful)
        too = " too" if columns.answers else ""
        yield f"may be answers{too}, and are not read: {', '.join(columns.doubtful)}; if they are, call them {named}"
    if columns.labelled:
        yield (
            f"MAY BE POINTS of the guidance, and are not read: {', '.join(columns.labelled)}; if they are, call them `Must mention`"
            f" or `Must not mention`, or say --map forbidden={quoted(columns.labelled[0])}"
        )
    if columns.unread:
        yield (
            f"not read: {', '.join(columns.unread)} (call a column of answers `answer:NAME`, or name a field with"
            " --map FIELD=COLUMN)"
        )
