"""The tasks of UCL-Bench as facts: ids, Bloom levels and scenarios of the paper's Tables 1 and 8.

Compensation Calculation is in the published data but not in the paper; its id here continues the level it belongs to.
``in_prompt`` tells for which tasks the published data hands the information to the assistant.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from benchbar.languages.packs import FALLBACK, known, labels
from benchbar.records import Task

_ROWS: tuple[tuple[str, str, str, bool], ...] = (
    ("1-1", "memory", "law_office", False),
    ("2-1", "understand", "general_public", False),
    ("2-2", "understand", "court procuratorate", True),
    ("2-3", "understand", "college", True),
    ("2-4", "understand", "procuratorate", True),
    ("2-5", "understand", "court", True),
    ("3-1", "apply", "court", True),
    ("3-2", "apply", "court", True),
    ("3-3", "apply", "procuratorate", True),
    ("3-4", "apply", "court", True),
    ("4-1", "analyze", "law_office", True),
    ("4-2", "analyze", "court", True),
    ("4-3", "analyze", "general_public", False),
    ("4-4", "analyze", "law_office", True),
    ("4-5", "analyze", "college", True),
    ("5-1", "evaluate", "college", True),
    ("5-2", "evaluate", "law_office", True),
    ("6-1", "create", "college", True),
    ("6-2", "create", "law_office", True),
    ("6-3", "create", "college", True),
    ("6-4", "create", "court", True),
    ("6-5", "create", "procuratorate", True),
    ("6-6", "create", "law_office", False),
)  # fmt: skip

IN_PROMPT = frozenset(id_ for id_, _, _, in_prompt in _ROWS if in_prompt)
QUESTION = "question"
"""The task of a question that names none."""
PUBLISHED = "zh"
"""The language of the published data."""


@cache
def tasks_in(language: str) -> Mapping[str, Task]:
    """The tasks by id, 22 of the paper and one more that the published data holds, with names and backgrounds in a language."""
    return {id_: _task(id_, level, scenarios, language) for id_, level, scenarios, _ in _ROWS}


def question_in(language: str) -> Task:
    """The task of questions that name none, with a background that adds nothing to the question."""
    # The level and the users of a question from anyone are not known; these are what the readers of public questions say.
    return _task(QUESTION, "apply", "general_public", language)


def _task(id_: str, level: str, scenarios: str, language: str) -> Task:
    # The published data is Chinese and calls its tasks in English: those names are in the fingerprints of suites.
    named = FALLBACK if language == PUBLISHED and id_ != QUESTION else language
    background = labels(language, "words")(f"task_background.{id_}")
    name = _name_in(id_, named)
    return Task(id=id_, name=name, level=level, scenarios=tuple(scenarios.split()), background=background)


def names_in(names: Mapping[str, str], language: str) -> dict[str, str]:
    """Task id to its name, those of the paper and kinds of attacks in a language; a suite's own name for a task stays as it is."""
    return {id_: _name_in(id_, language) if name.lower() in _called(id_) else name for id_, name in names.items()}


def task_label(id_: str, name: str) -> str:
    """How a task is listed: its number and its name; by its name alone where its id is a word of this program."""
    return name if id_ in {name, QUESTION, *_attacks()} else f"{id_} {name}"


def _name_in(id_: str, language: str) -> str:
    # Kinds of attacks are tasks too; what they are called is no part of the words that go to models.
    if id_ in _attacks():
        return labels(language)(f"attack_kind.{id_}")
    return labels(language, "words")(f"task_name.{id_}")


@cache
def _attacks() -> frozenset[str]:
    return frozenset(labels(FALLBACK).section("attack_kind"))


@cache
def _called(id_: str) -> frozenset[str]:
    """What the task is called in any language; nothing for one that is not of the paper."""
    if id_ not in {*TASKS, QUESTION, *_attacks()}:
        return frozenset()
    return frozenset(_name_in(id_, tag).lower() for tag in known())


TASKS = tasks_in(PUBLISHED)

_ALIASES = {"real case consulting": "4-3", "legal document proofreading": "5-2"}


def task_id(name: str) -> str | None:
    """The id of a task called by its id, or by its name in the published data or any language; None where it is unknown."""
    cleaned = " ".join(name.split())
    return cleaned if cleaned in TASKS else _by_name().get(cleaned.lower())


@cache
def _by_name() -> dict[str, str]:
    return {_name_in(id_, tag).lower(): id_ for tag in known() for id_ in TASKS} | _ALIASES
