"""Tells which column of a table from outside holds which field of a sample, and which hold answers that assistants gave.

People who bring their own questions call the columns what they like. A head is known by its usual names in Chinese, Russian and
English; what it may mean two things is refused with the way to say it, and what is not read is named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchbar.languages.text import folded
from benchbar.law.dates import day_of
from benchbar.records import Record, fingerprint
from benchbar.records.errors import BadInputError, UnknownNameError, UserError, did_you_mean
from benchbar.suites.footers import footer_from
from benchbar.suites.point_columns import CATEGORIES, doubtful_points, joined, point_columns, points_text
from benchbar.suites.speaking_heads import NEEDS, REFERENCE, spoken_of
from benchbar.tables.table import Table

FIELDS = {
    "id": ("编号", "序号", "номер", "number", "no", "no.", "#", "№", "nr", "sample", "sample id", "question id", "题号"),
    "task": ("任务", "задача", "задание"),
    "information": (
        "信息", "案情", "事实", "案件事实", "背景", "сведения", "информация", "обстоятельства", "факты", "фабула", "facts",
        "background", "case facts", "facts of the case", "situation", "案件背景", "事实情况",
    ),
    "needs": (
        "需求", "问题", "诉求", "提问", "题目", "咨询问题", "用户问题", "法律问题", "вопрос", "вопросы", "запрос", "потребность",
        "вопрос пользователя", "question", "questions", "need", "query", "prompt", "user question", "user_input", "legal question",
        "the question", "question text", "q",
    ),
    "guidance": (
        "答案要点", "评分要点", "要点", "评分标准", "答案", "указания", "критерии", "критерии оценки", "ответ", "answer guidance", "answer",
        "rubric", "criteria", "marking scheme", "marking criteria", "key points", "evaluation_hints", "points",
    ),
    "language": ("语言", "язык", "lang"),
    "on": ("日期", "дата", "date", "as of", "day"),
    "tags": ("标签", "метки"),
    "source": ("来源", "источник"),
    "reference": (
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
# A table with the right answers and one with a vendor's are both headed "Answer"; read the wrong way round, the
# vendor's answers would become the guidance that marks everybody else.
_EITHER = frozenset({"answer", "answers", "答案", "ответ", "ответы", "a"})
"""The right answer, or that of an assistant: the head does not say which."""
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
_WORD = r"answers?|responses?|repl(?:y|ies)|outputs?|回答|答复|答案|ответы?"
_NAMED = re.compile(
    rf"(?:{_WORD})\s*[:：]\s*(?P<a>.+)|(?:{_WORD})\s*(?:of|by|from|от)?\s*[\s(（](?P<b>[^()（）]+?)[)）]?|(?P<c>.+?)(?:'s|’s|的)?[\s_-]*(?:{_WORD})",
    re.IGNORECASE,
)
"""``answer:NAME``, ``Answer (NAME)``, ``Answer of NAME``, ``NAME's answer``, ``NAME的回答``."""
# "Answer source" and "note on the reply" hold a word for answers, and long texts besides.
_NOT_ANSWERS = re.compile(
    r"note|comment|remark|source|url|link|topic|categor|title|explan|rational|reason|analysis|context|passage|document|keyword"
    r"|law|statute|article|author|reviewer|备注|注释|说明|解析|分析|理由|来源|类别|分类|主题|标题|法条|依据|上下文|关键词"
    r"|примечан|коммент|поясн|обоснов|источник|категор|тема|контекст|заметк|норма|стать|автор",
    re.IGNORECASE,
)
_FILLED, _LONG, _LONG_HAN = 0.8, 40, 20
"""Share of rows with a cell, and median characters of it, from which a column of unknown name holds somebody's answers: a
category, a person's name or a number is shorter."""
_TRUE, _FALSE = ("true", "yes", "1", "是", "да"), ("false", "no", "0", "", "否", "нет")
_SLUG = re.compile(r"[^\w.-]+")


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
    known = {head: KNOWN_HEADS[_bare(head)] for head in table.columns if _bare(head) in KNOWN_HEADS}
    fields = {head: name for head, name in known.items() if name not in mapping} | named
    fields = {head: name for head, name in fields.items() if head not in given.values()}
    rest = [head for head in table.columns if head not in fields and head not in given.values()]
    fields |= point_columns(table, rest)
    answers = {_slug(name): head for name, head in given.items()}
    read = {*fields, *answers.values()}
    return Columns(fields=fields, answers=answers, unread=tuple(head for head in table.columns if head not in read))


def told_columns(table: Table, mapping: Mapping[str, str]) -> Columns:
    """The columns of a table whose author knows nothing of our names; the table has been read.

    Raises:
        BadInputError: none holds the question, two hold one field, or one may hold either of two things; names the column.
        UserError: a field or column of the mapping is unknown.
    """
    found = known_columns(table, mapping)
    fields, answers = _with_spoken_of(table, found), dict(found.answers)
    mapped = set(mapping.values())
    for head in [head for head in fields if _bare(head) in _EITHER and head not in mapped]:
        others = [name for one, name in fields.items() if one != head]
        # Where another column holds the expected answer, this one can only be an assistant's.
        if not _EXPECTED & set(others):
            raise _expected_or_given(table, head)
        del fields[head]
        answers[_slug(head)] = head
    _single(table, fields)
    if "needs" not in fields.values():
        raise BadInputError(_no_question_column(table), file=table.path, line=1)
    # What is expected is nobody's answer, also where another column was named as such.
    expectations = spoken_of(table, found.unread, REFERENCE)
    rest = [head for head in found.unread if head not in fields and head not in expectations]
    # Only what names no assistant: `answers:gpt` is no misspelt `answer`.
    refuse_misspelt(table, [head for head in rest if _assistant(head) is None])
    expected = [head for head, name in fields.items() if name in _EXPECTED]
    either_way = (head for head in rest if KNOWN_HEADS.get(_bare(_IN_BRACKETS.sub("", head))) in _EXPECTED)
    if not expected and (either := next(either_way, None)):
        raise _expected_or_given(table, either)
    answers |= {name: head for head in rest if (name := _answerer(table, head, expected)) is not None}
    read = {*fields, *answers.values()}
    unread = tuple(head for head in table.columns if head not in read)
    other = re.compile(f"{_NOT_ANSWERS.pattern}|{_WORD}", re.IGNORECASE)
    labelled = doubtful_points(table, (head for head in rest if head not in read and not other.search(head)))
    # Without anything to hold them against, short texts may be anything.
    told = [head for head in rest if (answers or expected) and head not in read and head not in labelled]
    doubtful = tuple(head for head in told if _may_answer(table, head))
    return Columns(fields=fields, answers=answers, unread=unread, doubtful=doubtful, labelled=labelled)


GIVEN = "answer:"
"""How ``--map`` names a column of answers, before the assistant's name."""
_EXPECTED = frozenset({"guidance", "reference"})
_IN_BRACKETS = re.compile(r"[(（].*")
"""``Model answer (senior associate)`` and ``Model answer (gpt)`` differ in what stands in brackets alone."""


def _expected_or_given(table: Table, head: str) -> BadInputError:
    return BadInputError(
        "is this the expected answer, or an assistant's? Call the column `Expected answer` or `answer:NAME`, or say"
        f" --map reference={_quoted(head)}",
        file=table.path,
        line=1,
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


def _no_question_column(table: Table) -> str:
    if len(spoken := spoken_of(table, table.columns, NEEDS)) > 1:
        maps = " or ".join(f"--map needs={_quoted(head)}" for head in spoken[:3])
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
        if near := did_you_mean(_bare(head), [one for one in known if _slip(_bare(head), one)]):
            raise BadInputError(f"unknown column{near}; rename it, or delete it", file=table.path, line=1, field=head)


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
                f" --map {name}={_quoted(heads[0])}, or rename one",
                file=table.path,
                line=1,
                field=heads[1],
            )


def _assistant(head: str) -> str | None:
    """The assistant whose answers a head names; None where it names none."""
    if _bare(head) in _GIVEN:
        return _slug(head)
    match = _NAMED.fullmatch(" ".join(folded(head).split()))
    return _slug(next(part for part in match.groups() if part)) if match else None


def _answerer(table: Table, head: str, expected: Sequence[str]) -> str | None:
    name = _assistant(head)
    if name is not None or _NOT_ANSWERS.search(head):
        return name
    cells = [str(row.get(head) or "").strip() for _, row in table.rows]
    filled = [cell for cell in cells if cell]
    if len(filled) >= _FILLED * len(cells) and _in_form_of(filled, table, expected):
        return _slug(head)
    # Repeated cells are a category; answers to different questions differ.
    if not filled or len(filled) < _FILLED * len(cells) or len(set(filled)) < _FILLED * len(filled):
        return None
    # Chinese says the same in fewer characters, and has a bound of its own.
    han = sum("\u3400" <= char <= "\u9fff" for char in "".join(filled)) > sum(map(len, filled)) / 3
    return _slug(head) if median(map(len, filled)) >= (_LONG_HAN if han else _LONG) else None


def _may_answer(table: Table, head: str) -> bool:
    """Whether the cells are short texts that differ, as no category, number or mark of a reference does."""
    if _NOT_ANSWERS.search(head):
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


def _bare(head: str) -> str:
    return " ".join(head.replace("_", " ").split()).lower() if head.lower() not in KNOWN_HEADS else head.lower()


def _slug(head: str) -> str:
    return _SLUG.sub("-", head.strip()).strip("-")[:64] or "answer"


def _quoted(head: str) -> str:
    return f"'{head}'" if " " in head else head


@dataclass(frozen=True)
class PlainRows:
    """The rows of such a table as fields of samples."""

    columns: Columns
    rows: list[tuple[int, dict[str, Any]]]
    """Line and fields; ``id`` is always there."""
    answered: dict[str, int]
    """Name of an assistant to the number of rows that it answers."""


def plain_rows(table: Table, mapping: Mapping[str, str]) -> PlainRows:
    """The rows of a table of questions, each with an id: the table's, else one made of the question.

    Raises:
        BadInputError, UserError: as :func:`told_columns`.
    """
    table.rows  # noqa: B018 - the columns of JSON are known when all rows are read
    columns = told_columns(table, mapping)
    rows: list[tuple[int, dict[str, Any]]] = []
    footer = footer_from(table, columns.fields)
    for line, row in table.rows:
        # Totals and sources are no questions, and would count as samples that nobody can fail.
        if line >= footer:
            table.problem(
                "below an empty row and without an expected answer: a note under the table, left out", line=line
            )
            continue
        # Sheets end in rows that hold nothing but a format.
        filled = any(_stripped(cell) not in ("", None) for cell in row.values())
        if not filled or (fields := fields_of(row, columns.fields, {}, table, line)) is None:
            continue
        if fault := _no_question(str(fields.get("needs") or "")):
            head = next(head for head, name in columns.fields.items() if name == "needs")
            table.problem(f"{fault}; the row is skipped", line=line, field=head)
            continue
        _identify(fields)
        # The expected answer is all the guidance that there is; without it nothing could be marked.
        if "guidance" not in columns.fields.values() and fields.get("reference"):
            fields["guidance"] = joined([str(fields["reference"]), str(fields.get("guidance", ""))])
        rows.append((line, fields))
    answered = {name: sum(bool(_cell(row, head)) for _, row in table.rows) for name, head in columns.answers.items()}
    return PlainRows(columns, rows, answered)


def _no_question(text: str) -> str:
    """Why a cell cannot be a question; empty where it may be one."""
    if not text:
        return "the question is empty"
    if text in _EXCEL_ERRORS:
        return f"Excel's error {text} stands in place of the question: mend the cell, and save"
    if _FORMULA.match(text):
        return f"a formula ({text[:30]}) stands in place of the question: save the table with its values"
    if not any(char.isalpha() for char in text):
        return f"{text[:30]!r} is no question: is another column meant? Say --map needs=COLUMN"
    return ""


_EXCEL_ERRORS = frozenset({"#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"})
_FORMULA = re.compile(r"=[A-Z][A-Z0-9.]{0,30}\(")
_SHOWN = 300
"""Characters of a list of heads; a row of questions that is taken for the head would fill the screen."""


def answers_in(table: Table, column: str, mapping: Mapping[str, str]) -> dict[str, str]:
    """The answers under a head of a table of questions, by the id of the sample.

    Raises:
        UserError: there is no such column.
        BadInputError: the table holds no questions.
    """
    table.rows  # noqa: B018
    if column not in table.columns:
        raise UserError(f"{table.path} has no column {column!r}; it has: {', '.join(table.columns) or 'none'}")
    heads = (known_columns if own_form(table.columns) else told_columns)(table, mapping).fields
    heads = {head: name for head, name in heads.items() if name in {"id", "needs", "information"}}
    found: dict[str, str] = {}
    for _, row in table.rows:
        fields: dict[str, Any] = {name: _stripped(row.get(head)) for head, name in heads.items()}
        _identify(fields)
        if answer := _cell(row, column):
            # The first row of an id is the one that became the sample.
            found.setdefault(str(fields.get("id")), answer)
    return found


def answer_columns(table: Table, mapping: Mapping[str, str]) -> Columns:
    """The columns of a table of questions, among them those that hold answers; none are known in our own form.

    Raises:
        BadInputError, UserError: as :func:`told_columns`.
    """
    return Columns(fields={}) if not table.rows or own_form(table.columns) else told_columns(table, mapping)


def _identify(fields: dict[str, Any]) -> None:
    if not fields.get("id") and fields.get("needs"):
        # Of the question, not of its place: rows that are put in or sorted later keep their marks and comparisons.
        fields["id"] = f"q-{fingerprint([fields['needs'], fields.get('information') or ''])[:12]}"


def _cell(row: Mapping[str, Any], head: str) -> str:
    return str(row.get(head) or "").strip()


def fields_of(
    row: Mapping[str, Any], heads: Mapping[str, str], defaults: Mapping[str, str], table: Table, line: int
) -> dict[str, Any] | None:
    """The fields of a sample that a row holds; None where one of them cannot be what it should be."""
    fields: dict[str, Any] = {
        **defaults,
        **{name: cell for head, name in heads.items() if (cell := _stripped(row.get(head))) not in ("", None)},
    }
    with_points(fields, row, {head: name for head, name in heads.items() if name in CATEGORIES})
    source = str(fields.pop("source", "") or "").strip()
    if source:
        tags = fields.get("tags", "")
        # As a tag, where shares of sources are counted from; a sample has no field for it.
        fields["tags"] = [*(tags.split() if isinstance(tags, str) else tags), f"source:{_SLUG.sub('-', source)}"]
    # A yes in a cell is a text, and any text would count as true.
    if isinstance(long := fields.get("long_information"), str):
        if long.strip().lower() not in (*_TRUE, *_FALSE):
            table.problem(
                f"yes or no was expected, found {long[:40]!r}; the row is skipped", line=line, field="long_information"
            )
            return None
        fields["long_information"] = long.strip().lower() in _TRUE
    return fields if dated(fields, table, line) else None


def with_points(fields: dict[str, Any], row: Mapping[str, Any], heads: Mapping[str, str]) -> None:
    """Put the points of columns of their own, head to category, behind the guidance that there is."""
    for name in heads.values():
        fields.pop(name, None)
    if points := points_text(row, heads):
        fields["guidance"] = joined([str(fields.get("guidance", "")), points])


def dated(fields: dict[str, Any], table: Table, line: int) -> bool:
    """Whether the day of the matter is one, which is then written as YYYY-MM-DD; if not, that is a problem of the table.

    Read here, and not where the law is asked: there a date that is none would end a run whose dialogues are paid for.
    """
    if fields.get("on") in (None, ""):
        return True
    try:
        fields["on"] = day_of(str(fields["on"]))
    except ValueError as error:
        table.problem(f"{error}; the row is skipped", line=line, field="on")
        return False
    return True


def _stripped(cell: Any) -> Any:
    # A mark of byte order within a file comes from files that were put together.
    return cell.strip().strip("\ufeff").strip() if isinstance(cell, str) else cell


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
            f" or `Must not mention`, or say --map forbidden={_quoted(columns.labelled[0])}"
        )
    if columns.unread:
        yield (
            f"not read: {', '.join(columns.unread)} (call a column of answers `answer:NAME`, or name a field with"
            " --map FIELD=COLUMN)"
        )


def own_form(heads: Collection[str]) -> bool:
    """Whether these are the heads of Benchbar's own form, which is read to the letter."""
    return set(heads) >= OWN
