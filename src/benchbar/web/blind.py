"""What a rater is shown of a task: needs, information, guidance, dialogues; no name, no grade, nothing to tell them by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from benchbar.artefacts.layout import RunFolder
from benchbar.records import Dialogue, GuidancePoint, ReviewTask, Sample
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.web.config import Config
from benchbar.web.folders import REMEMBERED, Remembered, law_of, results_of, suite_of
from benchbar.web.law_texts import LawText, law_beside
from benchbar.web.markdown import as_html, as_text
from benchbar.web.masking import masked
from benchbar.web.sample_index import index_of
from benchbar.web.state import AppState

HIDDEN = "█████"
LEAST = 4
"""Characters of a name below which it is a word like any other."""
CRITERIA = {"completeness": 40.0, "accuracy": 40.0, "clarity": 20.0}
"""Points by criterion, where the run's rubric names none."""

SHOWN = Remembered(500)
"""Tasks are shown to several people, and to each of them several times."""


@dataclass(frozen=True)
class BlindTask:
    """One task as a person sees it."""

    sample: Sample | None
    """None where the suite is not at hand."""
    points: tuple[GuidancePoint, ...]
    dialogues: tuple[tuple[tuple[str, Markup], ...], ...]
    """One, or two to be compared in the order to show: role and text of each turn."""
    criteria: dict[str, float]
    """Points by criterion; empty where two are compared."""
    law: tuple[LawText, ...] = ()
    """Articles and decisions that guidance or either dialogue cites; who cites what, and whether rightly, is not said."""
    missing: str = ""
    """Why needs and guidance are not at hand."""


def blind(web: AppState, run: Path, task: ReviewTask, sides: tuple[str, ...]) -> BlindTask | None:
    """The task with its dialogues in the order of ``sides``; None where a dialogue is not there any more."""
    files = RunFolder(run).states("dialogues")
    return SHOWN.get((run, task.id, sides, web.masker is None), files, lambda: _blind(web, run, task, sides))


def _blind(web: AppState, run: Path, task: ReviewTask, sides: tuple[str, ...]) -> BlindTask | None:
    material = index_of(run, web.config.own, results_of(run)).material(task.sample)
    kept, cited = material.dialogues.get(task.sample, {}), material.citations.get(task.sample, {})
    if any(name not in kept for name in sides):
        return None
    there = [kept[name] for name in sides]
    known = suite_of(web.config, run)
    sample = known.samples.get(task.sample)
    if web.masker is not None:
        there, sample = masked((there, sample), web.masker)
    hidden = names_to_hide(run)
    return BlindTask(
        sample=sample,
        points=tuple(sample.guidance.points) if sample else (),
        dialogues=tuple(tuple(_turns(one, hidden)) for one in there),
        criteria={} if task.against else criteria_of(web.config, run),
        law=law_beside(
            law_of(web.config, run), sample, [one.citation for name in sides for one in cited.get(name, ())]
        ),
        missing=known.missing,
    )


def criteria_of(config: Config, run: Path) -> dict[str, float]:
    """Points by criterion of the run's rubric, which add up to 100."""
    read = config.criteria_of
    found = REMEMBERED.get(("criteria", run), (RunFolder(run).manifest,), lambda: read(run)) if read else {}
    return dict(found) or dict(CRITERIA)


def _turns(dialogue: Dialogue, hidden: re.Pattern[str] | None) -> Iterable[tuple[str, Markup]]:
    for turn in dialogue.turns:
        text = hidden.sub(HIDDEN, turn.content) if hidden else turn.content
        # The system message is the configuration of the assistant, which tells who it is.
        if turn.role != "system":
            yield turn.role, as_html(text, []) if turn.role == "assistant" else as_text(text, [])


def names_to_hide(run: Path) -> re.Pattern[str] | None:
    """Matches what assistants and models of the run are called, where it is no ordinary word: an assistant may name itself."""
    return REMEMBERED.get(("names", run), RunFolder(run).states(), lambda: _pattern(_names(run)))


def _names(run: Path) -> set[str]:
    found = set(results_of(run).assistants)
    file = RunFolder(run).manifest
    if file.is_file():
        try:
            stated = msgspec.json.decode(read_bounded(file))
        except msgspec.MsgspecError as error:
            raise BadInputError(str(error), file=file) from error
        found |= set(_models(stated.get("spec", {}).get("assistants", {}) if isinstance(stated, dict) else {}))
    return found


def _models(value: Any) -> Iterable[str]:
    """The values of ``model``, however deep."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "model" and isinstance(inner, str):
            yield inner
            # Providers prefix the model's name with their own (`openai/gpt-4o`); a reply uses the last part.
            yield inner.rpartition("/")[2]
        yield from _models(inner)


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    # Only names with a digit or a sign: "Claude" alone may be a person in the case. Longest first, or `gpt-4`
    # would leave `-turbo` behind.
    marked = sorted((name for name in names if len(name) >= LEAST and re.search(r"[\d\-_.:/]", name)), key=len)
    if not marked:
        return None
    # Not within a longer word: `gpt-4` in `my-gpt-4-notes` is another name.
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, reversed(marked)))})(?![\w-])", re.IGNORECASE)
