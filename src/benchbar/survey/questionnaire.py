"""Questionnaires as files: read, checked, and written anew from a template."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchbar.languages.packs import pack_of
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_toml, toml_of
from benchbar.survey.records import BackgroundQuestion, Questionnaire, UseCase

MAX_NAME = 64
_NAME = re.compile(r"[\w-]{1,64}")
_NONE = "none"
"""The answer that no use case is of interest; no use case may have it for an id."""


def template(language: str) -> str:
    """The questionnaire of UCL-Bench's structure in words of our own and a language's pack, as TOML."""
    return pack_of(language).text("survey.toml")


def read_questionnaire(file: Path) -> Questionnaire:
    """The questionnaire that a TOML file holds.

    Raises:
        BadInputError: it is no TOML, a field is missing, unknown or of another type, or ids are not distinct.
    """
    return _checked(read_toml(file, Questionnaire), file)


def questionnaire_of(text: str, file: str | Path) -> Questionnaire:
    """The same of a text that came from somewhere; ``file`` is what messages call it."""
    return _checked(toml_of(text, Questionnaire, file=file), file)


def _checked(found: Questionnaire, file: str | Path) -> Questionnaire:
    for field, message in _faults(found):
        raise BadInputError(message, file=file, field=field)
    return found


def _faults(found: Questionnaire) -> Iterator[tuple[str, str]]:
    if found.schema_version != 1:
        yield "schema_version", f"{found.schema_version}; this Benchbar reads version 1"
    if not _NAME.fullmatch(found.name):
        yield "name", f"{found.name!r}; expected letters, digits, - and _ only, at most {MAX_NAME}"
    if not found.scenarios:
        yield "scenarios", "there is none; expected at least one"
    if found.min_minutes < 0:
        yield "min_minutes", f"{found.min_minutes:g}; expected 0 or more"
    yield from _doubled("scenarios", (one.id for one in found.scenarios))
    # Over all scenarios: a table may have a column for each use case, headed by its id alone.
    yield from _doubled("use_cases", (one.id for scenario in found.scenarios for one in scenario.use_cases))
    yield from _doubled("background", (one.id for one in found.background))
    for scenario in found.scenarios:
        # Texts within one scenario only: in two of them the same wish is common, and the respondent's scenario tells
        # which is meant.
        yield from _doubled(f"scenarios.{scenario.id}", (one.text for one in scenario.use_cases), "texts")
    for question in found.background:
        yield from _question_faults(question)


def _doubled(field: str, names: Iterable[str], what: str = "ids") -> Iterator[tuple[str, str]]:
    counts = Counter(names)
    for name, count in counts.items():
        if count > 1:
            yield field, f"{count} have the {what[:-1]} {name!r}; expected distinct {what}"
        if what == "ids" and (not _NAME.fullmatch(name) or name == _NONE):
            yield field, f"id {name!r}; expected letters, digits, - and _ only, and not {_NONE!r}"


def _question_faults(question: BackgroundQuestion) -> Iterator[tuple[str, str]]:
    if question.kind == "choice" and not question.options:
        yield f"background.{question.id}", 'no options; expected some, or kind = "number"'
    if question.kind == "number" and question.options:
        yield f"background.{question.id}", 'options for a number; expected kind = "choice"'


def use_cases(questionnaire: Questionnaire) -> dict[str, tuple[str, UseCase]]:
    """Id of each use case to its scenario and itself."""
    return {one.id: (scenario.id, one) for scenario in questionnaire.scenarios for one in scenario.use_cases}
