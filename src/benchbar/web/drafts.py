"""Runs that are being prepared in the browser: the files that were brought, and what was decided about them so far.

A draft is a folder of the app's own. Nothing of it is in memory alone: after a restart of the server people go on where they were.
"""

from __future__ import annotations

import dataclasses
import re
import secrets
import shutil
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from fastapi import HTTPException

from benchbar.languages.personal_data import Masker
from benchbar.records import Record, Sample, Suite, decode, encode
from benchbar.records.errors import BenchbarError, SeveralSheetsError, UserError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.runs.allowed import AllowedModel
from benchbar.runs.intake import Intake, intake, mask, read_questions
from benchbar.runs.spec_reading import ROLES
from benchbar.suites.column_heads import FIELDS, own_form, slug
from benchbar.suites.columns import GIVEN, Columns, known_columns, told_columns
from benchbar.suites.columns_of_answers import assistant_named, free_name
from benchbar.suites.guidance_text import read_guidance
from benchbar.suites.question_table import question_table
from benchbar.tables.reading import ENDINGS, sheets_of
from benchbar.tables.transcripts import exported
from benchbar.web.folders import REMEMBERED

if TYPE_CHECKING:
    from benchbar.tables.table import Table

FILE = "draft.json"
KEPT = 30 * 24 * 3600.0
"""Seconds after which a draft that nobody touched is deleted: it holds clients' questions."""
MENDED = ("needs", "information", "reference", "guidance", "mandatory", "forbidden", "task", "id", "on")
"""Fields whose column may be chosen by hand; the others matter to few tables, and their heads are known."""
SHOWN_ROWS = 3
_SHOWN_CELL = 160
"""Characters of a cell that are shown beside its head."""
_STEM = re.compile(r"[^\w-]+")


class Draft(Record, frozen=True, kw_only=True):
    """A run that is being prepared."""

    id: str
    created: float
    title: str
    """Name of the file of questions, as its owner calls it."""
    files: tuple[str, ...]
    """Names in the draft's folder: the questions first, then answers of others."""
    sheet: str = ""
    """Of a workbook of questions, where a person said which."""
    columns: dict[str, str] = {}
    """Field of a sample to the head of its column, where a person said so."""
    answer_columns: tuple[str, ...] = ()
    """Heads of columns that a person says hold an assistant's answers."""
    language: str = ""
    guidance: dict[str, str] = {}
    """Sample to the guidance that a person typed or accepted."""
    suggested: dict[str, tuple[str, ...]] = {}
    """Sample to points drafted from the law that nobody has accepted yet; no run sees them."""
    without: tuple[str, ...] = ()
    """Assistants whose answers are in the files and who are left out."""
    models: tuple[str, ...] = ()
    """Names of allowed models that are asked."""
    judge: str = ""
    simulator: str = ""
    good_enough: float | None = None
    """Share of what was expected that decides; None where the best is looked for."""
    limit: int | None = None
    max_cost: float | None = None
    mask: bool = False
    audit: float | None = None
    """Share of the dialogues that people look at by chance; None for the usual one."""
    annotators: int = 1
    """People for each of them."""


@dataclasses.dataclass(frozen=True)
class Understood:
    """What a draft's table of questions is taken for."""

    heads: tuple[str, ...]
    columns: Columns
    first: Mapping[str, str]
    """Head to the first cell that holds something."""
    suite: Suite | None
    problem: str = ""
    """Why there is no suite."""
    notes: tuple[str, ...] = ()
    """What was left out of the file, or read although nobody sees it."""
    sheet: str = ""
    """The one that is read of a workbook."""
    sheets: tuple[str, ...] = ()
    """All of a workbook that may be read."""
    open: bool = False
    """Whether a person has to say which of them holds the questions."""

    def field_of(self, head: str) -> str:
        """The field that a column fills; empty where it fills none."""
        return self.columns.fields.get(head, "")

    def head_of(self, field: str) -> str:
        """The column that fills a field; empty where none does."""
        return next((head for head, name in self.columns.fields.items() if name == field), "")


def begun(own: Path, questions: tuple[str, bytes], answers: Sequence[tuple[str, bytes]]) -> Draft:
    """A new draft of files, each with the name that its owner gave it.

    Raises:
        UserError: the ending of one is none that is read, or two have one name.
    """
    _sweep(own)
    given = [questions, *answers]
    names = [_stored_name(name) for name, _ in given]
    if len(set(names)) < len(names):
        raise UserError("two files have one name; rename one")
    draft = Draft(id=secrets.token_hex(16), created=time.time(), title=_shown(questions[0]), files=tuple(names))
    folder = folder_of(own, draft.id)
    folder.mkdir(parents=True, mode=0o700)
    for name, (_, data) in zip(names, given, strict=True):
        write_atomically(folder / name, data)
    save(own, draft)
    return draft


def _stored_name(name: str) -> str:
    """A name of ours for a file that came in: its stem names the suite or the assistant, and leads nowhere."""
    last = re.split(r"[/\\]", name)[-1]
    stem, _, ending = last.rpartition(".")
    if f".{ending.lower()}" not in ENDINGS:
        raise UserError(f"{_shown(last)}: the ending is none of {', '.join(ENDINGS)}")
    return f"{_STEM.sub('-', stem).strip('-')[:60] or 'questions'}.{ending.lower()}"


def _shown(name: str) -> str:
    return "".join(one for one in re.split(r"[/\\]", name)[-1] if one.isprintable())[-100:]


def folder_of(own: Path, id_: str) -> Path:
    """The folder of a draft.

    Raises:
        HTTPException: this is no draft's name.
    """
    # Checked before it becomes part of a path.
    if not re.fullmatch(r"[0-9a-f]{32}", id_):
        raise HTTPException(404, "there is no such draft")
    return own / "drafts" / id_


def read(own: Path, id_: str) -> Draft:
    """The draft of this name.

    Raises:
        HTTPException: there is none.
    """
    file = folder_of(own, id_) / FILE
    if not file.is_file():
        raise HTTPException(404, "there is no such draft; it may have been started or deleted")
    return decode(read_bounded(file), Draft, file=file)


def save(own: Path, draft: Draft) -> None:
    """Keep a draft as it is now."""
    write_atomically(folder_of(own, draft.id) / FILE, encode(draft))


def delete(own: Path, id_: str) -> None:
    """Take a draft away with its files."""
    shutil.rmtree(folder_of(own, id_), ignore_errors=True)


def all_drafts(own: Path) -> list[Draft]:
    """Every draft, the latest first."""
    files = sorted((own / "drafts").glob(f"*/{FILE}"), key=lambda one: one.stat().st_mtime, reverse=True)
    return [decode(read_bounded(file), Draft, file=file) for file in files]


def _sweep(own: Path) -> None:
    # On the way in and not by a timer: see contract_pages.
    for file in (own / "drafts").glob(f"*/{FILE}"):
        if file.stat().st_mtime < time.time() - KEPT:
            shutil.rmtree(file.parent, ignore_errors=True)


def understood(own: Path, draft: Draft) -> Understood:
    """What the draft's questions are taken for; read anew only when the file or what was said of it changes."""
    folder = folder_of(own, draft.id)
    key = ("draft", folder, draft.sheet, draft.language, tuple(sorted(mapping_of(draft).items())))
    return REMEMBERED.get(key, (folder / draft.files[0],), lambda: _understood(folder, draft))


def _understood(folder: Path, draft: Draft) -> Understood:
    path = folder / draft.files[0]
    suite, problem, mapping = None, "", mapping_of(draft)
    try:
        suite = read_questions(paths_of(folder, draft), language=draft.language, columns=mapping, sheet=draft.sheet)
    except BenchbarError as error:
        problem = without_folder(str(error), folder)
    if (chats := exported(path)) is not None:
        # Its fields are those of a program: no person has to say what they are.
        return Understood((), Columns(fields={}), {}, suite, problem, chats.notes)
    try:
        table = question_table(path, sheet=draft.sheet, labels=mapping.values())
        rows = [row for _, row in table.rows]
        first = {head: _first(head, rows) for head in table.columns}
        columns = _columns(table, mapping)
        return Understood(table.columns, columns, first, suite, problem, table.notes, table.sheet, table.sheets)
    except BenchbarError as error:
        told = problem or without_folder(str(error), folder)
        unsaid, sheets = isinstance(error, SeveralSheetsError), sheets_of(path)
        return Understood((), Columns(fields={}), {}, suite, told, sheet=draft.sheet, sheets=sheets, open=unsaid)


def with_sheet(draft: Draft, sheet: str) -> Draft:
    """The draft of another sheet of its workbook; what was said of the columns and questions of one does not hold of another."""
    return msgspec.structs.replace(
        draft, sheet=sheet, columns={}, answer_columns=(), guidance={}, suggested={}, without=()
    )


def mapping_of(draft: Draft) -> dict[str, str]:
    """What a person said of the columns, as ``--map`` says it; answers get the name that their head would give them by itself."""
    found: dict[str, str] = {}
    for head in draft.answer_columns:
        found[free_name(assistant_named(head) or slug(head), head, found)] = head
    return dict(draft.columns) | {f"{GIVEN}{name}": head for name, head in found.items()}


def _columns(table: Table, mapping: Mapping[str, str]) -> Columns:
    if own_form(table.columns) and not mapping:
        return Columns(fields={head: head for head in table.columns if head in FIELDS})
    try:
        return told_columns(table, mapping)
    except BenchbarError:
        # What keeps it from being read is said elsewhere; what is known of the heads helps to mend it.
        return known_columns(table, {name: head for name, head in mapping.items() if head in table.columns})


def _first(head: str, rows: Sequence[Mapping[str, Any]]) -> str:
    text = next(
        (" ".join(str(row[head]).split()) for row in rows[:50] if row.get(head) is not None and str(row[head]).strip()),
        "",
    )
    return text if len(text) <= _SHOWN_CELL else f"{text[:_SHOWN_CELL]}…"


def paths_of(folder: Path, draft: Draft) -> list[Path]:
    """The files of a draft, the questions first."""
    return [folder / name for name in draft.files]


def without_folder(message: str, folder: Path) -> str:
    """A message without the server's paths: people know the file by its name."""
    return message.replace(f"{folder.resolve()}/", "").replace(f"{folder}/", "")


def with_guidance(suite: Suite, texts: Mapping[str, str]) -> Suite:
    """The suite with the guidance that people wrote in the place of what the file says."""

    def written(sample: Sample) -> Sample:
        text = texts.get(sample.id)
        return sample if text is None else msgspec.structs.replace(sample, guidance=read_guidance(text).guidance)

    return dataclasses.replace(suite, samples=tuple(map(written, suite.samples)))


def intake_of(own: Path, draft: Draft, allowed: Mapping[str, AllowedModel], *, secret: str, law: str = "") -> Intake:
    """The suite, spec and answers that a run is made of: what `benchbar start` makes of the same choices, and the server's law.

    Raises:
        UserError, BadInputError: something is wanting, or does not fit together.
    """
    folder = folder_of(own, draft.id)
    found = intake(
        paths_of(folder, draft),
        _assistants(draft.models, allowed),
        _fields(draft, allowed) | ({"law": law} if law else {}),
        {},
        good_enough=draft.good_enough,
        without=draft.without,
    )
    found = dataclasses.replace(found, suite=with_guidance(found.suite, draft.guidance))
    return mask(found, Masker(secret)) if draft.mask else found


def _assistants(names: Collection[str], allowed: Mapping[str, AllowedModel]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        model = _allowed(name, allowed)
        called = _STEM.sub("-", model.settings["model"]).strip("-")[:50] or "model"
        # One model at two endpoints: the endpoint's name tells them apart.
        called = called if called not in found else _STEM.sub("-", name)[:60]
        found[called] = {"kind": "openai", **model.settings}
    return found


def _fields(draft: Draft, allowed: Mapping[str, AllowedModel]) -> dict[str, Any]:
    roles = {"judge": draft.judge, "simulator": draft.simulator}
    given = {"language": draft.language, "columns": mapping_of(draft), "sheet": draft.sheet, "limit": draft.limit}
    # People's marks have to be of what decides: who is better, or how good one is.
    protocol = "compare" if draft.good_enough is None else "grade"
    asked: dict[str, Any] = {"annotators": draft.annotators, "protocol": protocol}
    if draft.annotators > 1:
        # Every answer is read by so many people as was chosen: one more of some would wait for somebody whom nobody invited.
        asked["double"] = 0.0
    if draft.audit is not None:
        asked["audit"] = draft.audit
    return {
        **{name: value for name, value in given.items() if value},
        "review": asked,
        **{role: {**ROLES[role], **_allowed(name, allowed).settings} for role, name in roles.items() if name},
        **({"limits": {"max_cost": draft.max_cost}} if draft.max_cost is not None else {}),
    }


def _allowed(name: str, allowed: Mapping[str, AllowedModel]) -> AllowedModel:
    if name not in allowed:
        raise UserError(f"{name} is not among the models that this server allows; choose another")
    return allowed[name]
