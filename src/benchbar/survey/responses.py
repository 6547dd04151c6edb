"""Responses from a table: what is in each column, and what cannot be what it should be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchbar.records import Problem
from benchbar.records.errors import BadInputError
from benchbar.survey.questionnaire import use_cases
from benchbar.survey.records import BackgroundQuestion, Excluded, Exclusion, Questionnaire, Response
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

FIELDS: dict[str, tuple[str, ...]] = {
    "id": ("id", "response", "序号", "答卷编号", "编号", "номер"),
    "respondent": ("respondent", "participant", "答卷人", "受访者", "респондент"),
    "scenario": ("scenario", "场景", "身份", "сценарий"),
    "selected": ("selected", "use_cases", "use cases", "用途", "选项", "выбрано"),
    "open": ("open", "other", "其他", "其他用途", "开放题", "другое"),
    "minutes": ("minutes", "duration", "time taken", "所用时间", "用时", "答题时长", "время"),
    "consent": ("consent", "同意", "согласие"),
    "none": ("none", "以上都不需要", "ничего"),
}
"""Field to the heads that its column may have; ``columns`` of a questionnaire adds others."""
_NAMES = {name: field for field, names in FIELDS.items() for name in names}
# What survey services and people in spreadsheets write for a tick.
_YES = frozenset({"1", "yes", "y", "true", "x", "√", "✓", "是", "有", "选中", "同意", "да"})
_NO = frozenset({"", "0", "no", "n", "false", "否", "无", "未选中", "不同意", "нет", "-"})
# ┋ parts the ticks of one cell in exports of Wenjuanxing; commas do not part, as use cases hold commas.
_BETWEEN = re.compile(r"[;；|┋\n]")
_NUMBER = re.compile(r"\d{1,6}(?:[.,]\d{1,6})?")
_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})")
_UNITS = re.compile(
    r"(?:(\d{1,4})\s?(?:小时|时|hours?|hrs?|h|ч\w{0,4}\.?)\s?)?"
    r"(?:(\d{1,5}(?:[.,]\d{1,4})?)\s?(?:分钟?|minutes?|mins?|min|m|мин\w{0,3}\.?)\s?)?"
    r"(?:(\d{1,6}(?:[.,]\d{1,4})?)\s?(?:秒钟?|seconds?|secs?|sec|s|сек\w{0,4}\.?|с))?",
    re.IGNORECASE,
)


MAX_ANSWER = 20_000
"""Characters of one answer."""


class Collected(NamedTuple):
    """Everything that a file of responses held."""

    responses: tuple[Response, ...]
    lines: dict[int, int]
    """Place of a response to the line that it came from."""
    unreadable: tuple[Excluded, ...]
    problems: tuple[Problem, ...]
    ignored: tuple[str, ...]
    """Heads of columns that are none of the questionnaire's."""


def read_responses(path: Path, questionnaire: Questionnaire) -> Collected:
    """The responses of a CSV, TSV or JSONL file; a row that cannot be understood is collected, and unreadable.

    Raises:
        BadInputError: the file cannot be read, has no rows, or does not say the scenario.
    """
    table = read_table(path, max_field=MAX_ANSWER)
    rows = table.rows
    if not rows and not table.problems:
        raise BadInputError("there are no rows in it", file=path)
    reader = _Reader(table, questionnaire)
    if rows and "scenario" not in reader.fields.values():
        known = ", ".join(FIELDS["scenario"][:1] + tuple(filter(None, [questionnaire.columns.get("scenario")])))
        raise BadInputError(
            f"no column says the scenario; expected one headed {known}, or name it under [columns] in the"
            f" questionnaire; there are {', '.join(table.columns) or 'none'}",
            file=path,
        )
    return reader.collected()


def duration(text: str) -> float | None:
    """Minutes: a bare number, ``312秒``, ``5分12秒``, ``5 min 12 s`` or ``00:05:12``; None where it is none of these."""
    said = text.strip()
    if _NUMBER.fullmatch(said):
        return _float(said)
    if clock := _CLOCK.fullmatch(said):
        hours, minutes, seconds = (float(part or 0) for part in clock.groups())
        return hours * 60 + minutes + seconds / 60
    if said and (units := _UNITS.fullmatch(said)) and any(units.groups()):
        hours, minutes, seconds = (_float(part) if part else 0.0 for part in units.groups())
        return hours * 60 + minutes + seconds / 60
    return None


def _float(text: str) -> float:
    return float(text.replace(",", "."))


class _Reader:
    """Turns rows into responses, and notes what stands in the way."""

    def __init__(self, table: Table, questionnaire: Questionnaire) -> None:
        self.table, self.questionnaire = table, questionnaire
        self.scenarios = {name: one.id for one in questionnaire.scenarios for name in (one.name, one.id)}
        self.cases = use_cases(questionnaire)
        self.by_text = {one.text: id_ for id_, (_, one) in self.cases.items()}
        self.questions = {one.id: one for one in questionnaire.background}
        self.fields = self._fields(table.columns)
        ticks = {head: self._case(head, "") for head in table.columns if head not in self.fields}
        self.ticks = {head: id_ for head, id_ in ticks.items() if id_ is not None}
        self.asked = self._asked(table.columns)

    def _fields(self, header: Iterable[str]) -> dict[str, str]:
        """Head to field; the questionnaire's own names come first."""
        own = {head: field for field, head in self.questionnaire.columns.items() if field in FIELDS}
        named = {head: own.get(head) or _NAMES.get(head.lower()) for head in header}
        taken = set(own.values()) & {field for head, field in own.items() if head in named}
        return {head: field for head, field in named.items() if field and (head in own or field not in taken)}

    def _asked(self, header: Iterable[str]) -> dict[str, BackgroundQuestion]:
        names = {one.text: one for one in self.questions.values()} | self.questions
        names |= {
            head: self.questions[field] for field, head in self.questionnaire.columns.items() if field in self.questions
        }
        return {head: names[head] for head in header if head in names and head not in self.fields}

    def collected(self) -> Collected:
        responses: list[Response] = []
        unreadable: list[Excluded] = []
        lines: dict[int, int] = {}
        seen: dict[tuple[str, str], int] = {}
        for line, row in self.table.rows:
            before = len(self.table.problems)
            found = self._response(line, row)
            if found is None:
                # The first fault is the reason: one row has one line in the report, and what follows is often its
                # consequence.
                said = self.table.problems[before]
                detail = f"{said.field}: {said.message}"
                unreadable.append(Excluded(self._id(line, row), Exclusion.UNREADABLE, detail, line))
            else:
                self._tell_repeated(line, found, seen)
                lines[len(responses)] = line
                responses.append(found)
        known = {*self.fields, *self.ticks, *self.asked, "background"}
        ignored = tuple(head for head in self.table.columns if head and head not in known)
        # Lines that the reader of tables could not even part into cells are respondents, too.
        unreadable += [Excluded(f"row-{line}", Exclusion.UNREADABLE, why, line) for line, why in self.table.lost]
        return Collected(tuple(responses), lines, tuple(unreadable), tuple(self.table.problems), ignored)

    def _tell_repeated(self, line: int, found: Response, seen: dict[tuple[str, str], int]) -> None:
        """Name a second row with the id or the respondent of an earlier one; which of them counts is decided later."""
        for field, said in (("id", found.id), ("respondent", found.respondent)):
            if said and (field, said) in seen:
                head, _ = self._cell(dict.fromkeys(self.fields, ""), field)
                message = f"the same {field} as in row {seen[field, said]}; one of them counts"
                self.table.problem(message, line=line, field=head)
            elif said:
                seen[field, said] = line

    def _id(self, line: int, row: Mapping[str, Any]) -> str:
        return self._text(row, "id") or f"row-{line}"

    def _cell(self, row: Mapping[str, Any], field: str) -> tuple[str, Any]:
        head = next((head for head, name in self.fields.items() if name == field and head in row), field)
        return head, row.get(head, "")

    def _text(self, row: Mapping[str, Any], field: str) -> str:
        _, cell = self._cell(row, field)
        return "" if cell is None else str(cell).strip()

    def _response(self, line: int, row: Mapping[str, Any]) -> Response | None:
        """What the row says; None where scenario, time or a tick cannot be understood."""
        before = len(self.table.problems)
        scenario = self._scenario(line, row)
        minutes = self._minutes(line, row)
        consent, none = (self._yes_no(line, row, field) for field in ("consent", "none"))
        selected = self._selected(line, row)
        # Before the background is read: a wrong answer there costs itself and not the row.
        broken = len(self.table.problems) > before
        background = self._background(line, row)
        if broken or scenario is None:
            return None
        return Response(
            id=self._id(line, row),
            scenario=scenario,
            selected=selected,
            none=bool(none) or "none" in [part.lower() for part in self._parts(row)],
            open=self._text(row, "open"),
            minutes=minutes,
            respondent=self._text(row, "respondent"),
            consent=consent,
            background=background,
        )

    def _scenario(self, line: int, row: Mapping[str, Any]) -> str | None:
        head, _ = self._cell(row, "scenario")
        said = self._text(row, "scenario")
        if said not in self.scenarios:
            known = ", ".join(one.id for one in self.questionnaire.scenarios)
            self.table.problem(f"unknown scenario {said[:60]!r}; expected one of {known}", line=line, field=head)
            return None
        return self.scenarios[said]

    def _minutes(self, line: int, row: Mapping[str, Any]) -> float | None:
        head, cell = self._cell(row, "minutes")
        said = "" if cell is None else str(cell).strip()
        if not said:
            return None
        found = duration(said)
        if found is None:
            self.table.problem(f"{said[:60]!r} is no time; expected minutes", line=line, field=head)
        return found

    def _yes_no(self, line: int, row: Mapping[str, Any], field: str) -> bool | None:
        head, cell = self._cell(row, field)
        if isinstance(cell, bool):
            return cell
        said = "" if cell is None else str(cell).strip().lower()
        if not said:
            return None
        if said in _YES or said in _NO:
            return said in _YES
        self.table.problem(f"{said[:60]!r}; expected yes or no", line=line, field=head)
        return None

    def _parts(self, row: Mapping[str, Any]) -> list[str]:
        _, cell = self._cell(row, "selected")
        parts = [str(part) for part in cell] if isinstance(cell, list) else _BETWEEN.split(str(cell or ""))
        return [part.strip() for part in parts if part.strip()]

    def _selected(self, line: int, row: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self._listed(line, row), *self._ticked(line, row)]))

    def _listed(self, line: int, row: Mapping[str, Any]) -> Iterator[str]:
        head, _ = self._cell(row, "selected")
        scenario = self._text(row, "scenario")
        for part in self._parts(row):
            found = self._case(part, self.scenarios.get(scenario, ""))
            if found is not None:
                yield found
            # "none" among the ticks is the answer that nothing is of interest, read above.
            elif part.lower() != "none":
                self.table.problem(f"unknown use case {part[:60]!r}", line=line, field=head)

    def _ticked(self, line: int, row: Mapping[str, Any]) -> Iterator[str]:
        for head, id_ in self.ticks.items():
            said = str(row.get(head, "") or "").strip().lower()
            if said in _YES:
                yield id_
            elif said not in _NO:
                self.table.problem(f"{said[:60]!r}; expected 1 or 0", line=line, field=head)

    def _case(self, text: str, scenario: str) -> str | None:
        """The use case of an id or a text; of one text in several scenarios the respondent's own."""
        if text in self.cases:
            return text
        own = [id_ for id_, (of, one) in self.cases.items() if of == scenario and one.text == text]
        return own[0] if own else self.by_text.get(text)

    def _background(self, line: int, row: Mapping[str, Any]) -> dict[str, str]:
        """Answers that fit their questions; one that does not is named and left out, and the row stays."""
        nested = row.get("background")
        given = [(head, question, row.get(head)) for head, question in self.asked.items()]
        if isinstance(nested, dict):
            given += [(name, self.questions[name], nested[name]) for name in nested if name in self.questions]
        found = {}
        for head, question, cell in given:
            said = "" if cell is None else str(cell).strip()
            if said and (wrong := _misfit(question, said)):
                self.table.problem(f"{said[:60]!r}; {wrong}; the answer is left out", line=line, field=head)
            elif said:
                found[question.id] = said
        return found


def _misfit(question: BackgroundQuestion, said: str) -> str:
    if question.kind == "choice":
        return "" if said in question.options else f"expected one of {', '.join(question.options)}"
    try:
        value = float(said.replace(",", "."))
    except ValueError:
        return "expected a number"
    low, high = question.low, question.high
    # float() reads "nan" and "inf", and one of them would make the mean of all respondents one.
    if not (value == value and abs(value) < float("inf")):  # noqa: PLR0124 - NaN is no number of anything
        return "expected a number"
    if (low is not None and value < low) or (high is not None and value > high):
        return f"expected {'' if low is None else f'{low:g} '}to {'' if high is None else f'{high:g}'}"
    return ""
