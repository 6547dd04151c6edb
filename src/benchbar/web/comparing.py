"""The pages that hold two runs against each other: as a whole, and one sample beside itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from benchbar.artefacts.folder import read_measures, read_scores
from benchbar.artefacts.layout import RunFolder
from benchbar.contracts.redlines.words import Piece, pieces
from benchbar.decisions.regression import (
    AssistantComparison,
    Difference,
    RunComparison,
    Settings,
    Side,
    compare,
    identical_replies,
)
from benchbar.measures.health import finding_text
from benchbar.measures.registry import ordered
from benchbar.records import Dialogue, Estimate
from benchbar.records.measures import MeasureDefinition
from benchbar.reports.html import ICONS, in_language
from benchbar.reports.numbers import shown
from benchbar.reports.pages import Mark, PointRow
from benchbar.reports.pages import pages as report_pages
from benchbar.reports.rows import heading
from benchbar.runs.parts import parts_of_one_suite
from benchbar.suites.taxonomy import names_in
from benchbar.web.area import Area, Entry
from benchbar.web.folders import REMEMBERED, results_of
from benchbar.web.index_building import FIGURES
from benchbar.web.matters import visible_names, visible_run
from benchbar.web.pages import page, words_of
from benchbar.web.people import Role
from benchbar.web.sample_index import Listed, Wanted, index_of
from benchbar.web.samples import figure_text, left_of
from benchbar.web.sessions import Reader
from benchbar.web.state import app_state
from benchbar.web.words import Words

router = APIRouter(tags=["compare"], default_response_class=HTMLResponse)
Name = Annotated[str, Query(max_length=200)]
# A page of both lists stays readable; the whole lists are in `benchbar compare --json`.
SHOWN = 50
"""Fixed and broken samples that are listed of each assistant."""
# Aligning two texts takes time and room by the product of their lengths; twice as long would be four times as much.
COMPARED_TEXT = 10_000
"""Characters of an utterance that are compared word by word; what is longer is on the page of either run."""


@router.get("/compare", responses={400: {}, 404: {}})
def comparison(request: Request, reader: Reader, first: Name = "", second: Name = "") -> Response:
    """What changed from the first run to the second."""
    runs = app_state(request).config.runs
    names = [name for name in visible_names(request) if RunFolder(runs / name).has("measures")]
    folders = (visible_run(request, first), visible_run(request, second)) if first and second else None
    problem = _nothing_shared(words_of(request), *folders) if folders else ""
    found = _compared(*folders) if folders and not problem else None
    return page(
        request,
        "compare.html.j2",
        status=400 if problem else 200,
        problem=problem,
        names=names,
        first=first,
        second=second,
        found=found,
        invented=dict.fromkeys(filter(None, (results_of(one).invented_law for one in folders or () if found))),
        most=SHOWN,
        heading=partial(_heading, results_of(folders[1]).dimensions if found and folders else {}),
        finding_text=finding_text,
        tasks=_tasks(*folders, language=words_of(request).language) if found and folders else {},
        shown=shown,
        identical=_identical(*folders) if found and folders else {},
        rows_of=_rows_of,
        limited=parts_of_one_suite(*folders) if found and folders and not found.same_suite else None,
        reference=_references(*folders) if found and folders else "",
    )


def _tasks(first: Path, second: Path, *, language: str) -> dict[str, str]:
    """Task id to its name in a language."""
    return names_in({**results_of(first).tasks, **results_of(second).tasks}, language)


def _references(first: Path, second: Path) -> str:
    """Whom assistants won against: one assistant, or the one of each run."""
    return " / ".join(dict.fromkeys(results_of(run).reference for run in (first, second)))


def _nothing_shared(say: Words, first: Path, second: Path) -> str:
    """Why two runs cannot be compared, with the cure of this page: the command's own message names a flag that it has not."""
    names, others = ({one.assistant: None for one in read_measures(run)} for run in (first, second))
    if not names.keys().isdisjoint(others):
        return ""
    return say(
        "compare.no_shared", first=first.name, second=second.name, names=say.listed(names), others=say.listed(others)
    )


def _heading(dimensions: Mapping[str, object], say: Words, measure: MeasureDefinition) -> str:
    """As in every report, but of a rubric's dimension its own name: reviews of contracts have an ``accuracy`` too, a rate."""
    if averaged := say.texts.get(f"averaged.{measure.name}"):
        return averaged
    named = say.name("dimension", measure.name) if measure.name in dimensions else measure.name
    return heading(say, measure) if named == measure.name else say("word.in_percent", name=named)


def _rows_of(found: RunComparison, one: AssistantComparison) -> list[str]:
    """Measures in the order of their rows: what was asked for first, and none twice."""
    names = sorted(ordered(one.measures), key=lambda name: name != found.measure)
    # A rubric may have a dimension that is nothing but the measure: two rows of the same figures say it twice.
    valid, dimension = (one.measures.get(name) for name in ("citation_validity", "citations"))
    if valid and dimension and _figures(valid) == _figures(dimension):
        names.remove("citations")
    return names


def _figures(one: Difference) -> tuple[Estimate, Estimate, Estimate]:
    return one.first, one.second, one.difference


def _identical(first: Path, second: Path) -> dict[str, int]:
    files = (*RunFolder(first).states("dialogues"), *RunFolder(second).states("dialogues"))
    return REMEMBERED.get(("identical", first, second), files, lambda: identical_replies(first, second))


def _compared(first: Path, second: Path) -> RunComparison:
    files = (*RunFolder(first).states("measures", "scores"), *RunFolder(second).states("measures", "scores"))
    return REMEMBERED.get(("compare", first, second), files, lambda: compare(_side(first), _side(second), Settings()))


def _side(run: Path) -> Side:
    scores = list(read_scores(run))
    results = results_of(run)
    return Side(run.name, list(read_measures(run)), scores, results.suite_fingerprint, results.declared, results.health)


@dataclass(frozen=True, slots=True)
class SampleSide:
    """What one run has of a sample and an assistant."""

    run: str
    listed: Listed | None
    """None where the run has no such sample."""
    dialogue: Dialogue | None
    points: Mapping[str, tuple[PointRow, Mark]]
    """Point to its row of the run's page, and the mark of this assistant."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was said at one place of the dialogue in both runs; None where one of them had ended."""

    roles: tuple[str | None, str | None]
    pieces: tuple[Piece, ...]
    hidden: int
    """Characters that are not shown."""

    @property
    def same(self) -> bool:
        """Whether both runs said the same to the letter, as far as it is shown."""
        return all(operation == "same" for operation, _ in self.pieces)


@router.get("/compare/sample", responses={404: {}})
def beside(request: Request, reader: Reader, first: Name, second: Name, sample: Name, assistant: Name) -> Response:
    """One assistant on one sample in both runs: figures, guidance, and the replies word by word."""
    sides = [_sample_side(request, visible_run(request, run), sample, assistant) for run in (first, second)]
    if not any(side.dialogue for side in sides):
        raise HTTPException(404, "neither run has a dialogue of this assistant about this sample")
    results = results_of(visible_run(request, second))
    index = index_of(visible_run(request, second), app_state(request).config.own, results)
    before, after = index.beside(sides[1].listed, Wanted()) if sides[1].listed else (None, None)
    return page(
        request,
        "beside.html.j2",
        sides=sides,
        sample=sample,
        assistant=assistant,
        before=before,
        after=after,
        utterances=list(_utterances(sides[0].dialogue, sides[1].dialogue)),
        points={id_: None for side in sides for id_ in side.points},
        figures=FIGURES,
        figure=lambda column, value: figure_text(words_of(request), column, value),
        icons=ICONS,
    )


def _sample_side(request: Request, run: Path, sample: str, assistant: str) -> SampleSide:
    results, own = results_of(run), app_state(request).config.own
    index = index_of(run, own, results)
    if index.find(sample) is None or assistant not in results.assistants:
        return SampleSide(run.name, None, None, {})
    (listed,) = index.page(Wanted(ids=(sample,), assistant=assistant, of=assistant), 0, 1) or (None,)
    material, suite, _ = left_of(request, run, index, sample)
    _, suite = in_language(results, suite, words_of(request).language)
    dialogue = material.dialogues.setdefault(sample, {}).get(assistant)
    only = report_pages(results, material, suite)[0]
    place = [column.name for column in only.columns].index(assistant)
    return SampleSide(run.name, listed, dialogue, {row.id: (row, row.marks[place]) for row in only.points})


def _utterances(first: Dialogue | None, second: Dialogue | None) -> Iterator[Utterance]:
    turns = [one.turns if one else () for one in (first, second)]
    for pair in zip_longest(*turns):
        texts = [one.content if one else "" for one in pair]
        cut = [text[:COMPARED_TEXT] for text in texts]
        hidden = sum(map(len, texts)) - sum(map(len, cut))
        roles = tuple(one.role if one else None for one in pair)
        yield Utterance((roles[0], roles[1]), pieces(*cut), hidden)


AREA = Area("comparing", router, (Entry("/compare", "nav.compare", frozenset({Role.OWNER, Role.VIEWER})),))
