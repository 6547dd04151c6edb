"""What a rater is shown of a task: needs, information, guidance, dialogues; no name, no grade, nothing to tell them by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from msgspec import structs

from benchbar.artefacts.layout import RunFolder
from benchbar.records import Category, Dialogue, GuidancePoint, ReviewTask, Sample
from benchbar.reports.review_form import JudgeSaid, judge_said
from benchbar.web.config import Config
from benchbar.web.covering import HIDDEN, Names, names_of
from benchbar.web.folders import REMEMBERED, Remembered, law_of, results_of, suite_of
from benchbar.web.law_texts import LawText, law_beside
from benchbar.web.markdown import as_html, as_text
from benchbar.web.masking import masked
from benchbar.web.sample_index import index_of
from benchbar.web.state import AppState

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
    asked: GuidancePoint | None = None
    """The guidance point on which a judge's decision is to be checked."""
    judge: JudgeSaid | None = None
    """What the judge said of it."""
    turn: int | None = None
    """The turn of the simulated user that is to be checked, counted among those that are shown."""
    law: tuple[LawText, ...] = ()
    """Articles and decisions that guidance or either dialogue cites; who cites what, and whether rightly, is not said."""
    invented: str = ""
    """The jurisdiction of that law, where it is an invented one."""
    missing: str = ""
    """Why needs and guidance are not at hand."""
    covered: bool = False
    """Whether a name of an assistant or a model was covered."""

    @property
    def plain(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The dialogues without their markup: what a person can select."""
        return tuple(tuple((role, text.striptags()) for role, text in turns) for turns in self.dialogues)


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
    known, law = suite_of(web.config, run), law_of(web.config, run)
    sample = known.samples.get(task.sample)
    said = judge_said(
        task,
        material.scores.get(task.sample, {}).get(task.assistant, ()),
        material.comparisons.get(task.sample, {}).get(task.assistant, ()),
    )
    if web.masker is not None:
        there, sample, said = masked((there, sample, said), web.masker)
    names = names_of(run)
    if said is not None:
        said = structs.replace(said, text=names.covered([said.text])[0])
    dialogues = tuple(tuple(_turns(one, names)) for one in there)
    return BlindTask(
        sample=sample,
        points=tuple(sample.guidance.points) if sample else (),
        dialogues=dialogues,
        criteria={} if task.against or task.voted else criteria_of(web.config, run),
        asked=_asked(task, sample),
        judge=said,
        turn=_place(there[0], task.turn),
        law=law_beside(law, sample, [one.citation for name in sides for one in cited.get(name, ())]),
        invented=law.invented if law else "",
        missing=known.missing,
        covered=any(HIDDEN in text for turns in dialogues for _, text in turns) or bool(said and HIDDEN in said.text),
    )


def _asked(task: ReviewTask, sample: Sample | None) -> GuidancePoint | None:
    """The point that a judge decided; known by its id alone where the suite is not at hand."""
    if task.judged is None:
        return None
    wanted = task.judged.point
    known = (point for point in (sample.guidance.points if sample else ()) if point.id == wanted)
    return next(known, GuidancePoint(id=wanted, text=wanted, category=Category(task.judged.category)))


def _place(dialogue: Dialogue, turn: int | None) -> int | None:
    """Where a turn stands among those that are shown."""
    return None if turn is None else sum(one.role != "system" for one in dialogue.turns[:turn])


def criteria_of(config: Config, run: Path) -> dict[str, float]:
    """Points by criterion of the run's rubric, which add up to 100."""
    read = config.criteria_of
    found = REMEMBERED.get(("criteria", run), (RunFolder(run).manifest,), lambda: read(run)) if read else {}
    return dict(found) or dict(CRITERIA)


def _turns(dialogue: Dialogue, names: Names) -> Iterable[tuple[str, Markup]]:
    # The system message is the configuration of the assistant, which tells who it is.
    shown = [turn for turn in dialogue.turns if turn.role != "system"]
    for turn, text in zip(shown, names.covered([turn.content for turn in shown]), strict=True):
        yield turn.role, as_html(text, []) if turn.role == "assistant" else as_text(text, [])
