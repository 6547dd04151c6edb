"""The pages of samples: the list of a run, and one sample with everything that was said and found about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, quote, urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import StringConstraints

from benchbar.artefacts.folder import Material
from benchbar.languages.reasons import reason_in
from benchbar.records import RunResults, Suite
from benchbar.reports.html import ICONS, in_language
from benchbar.reports.pages import MAX_TEXT, winner_of
from benchbar.reports.pages import pages as report_pages
from benchbar.reports.verdicts import candidates, everyone
from benchbar.web.area import Area
from benchbar.web.folders import law_of, results_of, reviews_of, suite_of
from benchbar.web.given_tasks import given_tasks
from benchbar.web.index_building import FACTS, FIGURES
from benchbar.web.masking import masked
from benchbar.web.matters import visible_run
from benchbar.web.pages import page, words_of
from benchbar.web.people import Role
from benchbar.web.run_control import may_go_on
from benchbar.web.run_view import Narrowing, tasks_of
from benchbar.web.sample_index import Listed, SampleIndex, Wanted, index_of
from benchbar.web.sample_view import DialogueView, PersonsMark, persons_marks
from benchbar.web.sessions import Reader
from benchbar.web.state import app_state
from benchbar.web.word_index import searchable
from benchbar.web.words import Words

router = APIRouter(tags=["samples"], default_response_class=HTMLResponse)
PER_PAGE = 50
LAST_PAGE = 1_000_000
LONGEST = 200
Text = Annotated[str, Query(max_length=LONGEST)]
COLUMNS = ("task", "judge", *FIGURES, "found")
"""What a list may show of a sample beside its id."""
Column = Annotated[str, StringConstraints(pattern=f"^({'|'.join(COLUMNS)})$")]
FIRST_COLUMNS = ("task", "judge", "guidance", "found")
UPWARDS = ("sample", "task")
"""Columns whose first click sorts upwards; of figures the highest are looked for."""


class Filters:
    """Which samples somebody leafs through, how they are sorted and what is shown of them.

    It stands in the address, so that a link leads to the same place.
    """

    def __init__(
        self,
        task: Text = "",
        level: Text = "",
        scenario: Text = "",
        assistant: Text = "",
        outcome: Literal["", "won", "tied", "lost", "missing"] = "",
        text: Text = "",
        said: Text = "",
        fact: Annotated[str, Query(pattern=f"^({'|'.join(FACTS)})?$")] = "",
        sort: Annotated[str, Query(pattern=f"^(-?(sample|{'|'.join(COLUMNS)}))?$")] = "",
        column: Annotated[list[Column] | None, Query(max_length=len(COLUMNS))] = None,
    ) -> None:
        """As the query says."""
        self.task, self.level, self.scenario = task, level, scenario
        self.assistant, self.outcome, self.text = assistant, outcome, text
        self.said, self.fact = said, fact
        self.sort = "" if sort == "sample" else sort
        self.column = () if not column or set(column) == set(FIRST_COLUMNS) else tuple(dict.fromkeys(column))

    @property
    def columns(self) -> tuple[str, ...]:
        """What is shown, in one order however it was chosen."""
        return tuple(one for one in COLUMNS if one in (self.column or FIRST_COLUMNS))

    @property
    def query(self) -> str:
        """The same as a query, with its question mark; empty where nothing is chosen."""
        return self._query()

    def fields(self) -> list[tuple[str, str]]:
        """The same as names and values, for hidden fields of a form that chooses others."""
        return parse_qsl(self.query[1:])

    def sorted_by(self, column: str) -> str:
        """The query with the list sorted by a column; by the same once more, the other way round."""
        upwards = self.sort == f"-{column}" or (column in UPWARDS and self.direction(column) != "ascending")
        return self._query(sort=column if upwards else f"-{column}")

    def _query(self, **changed: str) -> str:
        chosen = {name: value for name, value in (vars(self) | changed).items() if value}
        return f"?{urlencode(chosen, doseq=True)}" if chosen else ""

    def direction(self, column: str) -> str:
        """How the list is sorted by this column, in words of ARIA; empty where it is not."""
        return {column: "ascending", f"-{column}": "descending"}.get(self.sort or "sample", "")

    def wanted(self, results: RunResults, tasks: tuple[str, ...] | None) -> Wanted:
        """The same for the index."""
        names = candidates(results)
        return Wanted(
            tasks=tasks,
            candidate=names.index(self.assistant) if self.assistant in names else None,
            outcome=self.outcome,
            text=self.text,
            said=self.said.strip(),
            fact=self.fact,
            assistant=self.assistant if self.assistant in everyone(results) else "",
            of=self.of(results),
            sort=self.sort.removeprefix("-") or "sample",
            down=self.sort.startswith("-"),
        )

    def of(self, results: RunResults) -> str:
        """The assistant whose figures are shown: the one that is looked at, else the first."""
        names = everyone(results)
        return self.assistant if self.assistant in names else names[0]


Chosen = Annotated[Filters, Depends()]


@dataclass(frozen=True, slots=True)
class Added:
    """What became of answers that were picked."""

    added: int
    known: int
    """Those that people are asked about already."""
    unreadable: int
    """Those that failed, or whose counterpart did."""


Number = Annotated[int | None, Query(ge=0, le=LAST_PAGE)]


def added_of(added: Number = None, known: Number = None, unreadable: Number = None) -> Added | None:
    """What picking said when it led back to the list; None where nobody picked just now."""
    return None if added is None else Added(added, known or 0, unreadable or 0)


@router.get("/runs/{name}/samples", responses={404: {}})
def samples(
    request: Request,
    reader: Reader,
    name: str,
    filters: Chosen,
    number: Annotated[int, Query(alias="page", ge=1, le=LAST_PAGE)] = 1,
    added: Annotated[Added | None, Depends(added_of)] = None,
) -> Response:
    """The samples of a run that fit, 50 on a page."""
    return samples_page(request, name, filters, number, added=added)


def samples_page(
    request: Request, name: str, filters: Filters, number: int = 1, *, added: Added | None = None, problem: str = ""
) -> Response:
    """The list, with what became of answers that were picked in it, or why none were."""
    folder = visible_run(request, name)
    results, index, wanted = asked_for(request, folder, filters)
    total = index.count(wanted)
    of = filters.of(results)
    return page(
        request,
        "samples.html.j2",
        name=name,
        results=results,
        names=candidates(results),
        everyone=everyone(results),
        of=of,
        columns=COLUMNS,
        figures=FIGURES,
        figure=partial(figure_text, words_of(request)),
        filters=filters,
        listed=index.page(wanted, PER_PAGE * (number - 1), PER_PAGE),
        total=total,
        all=index.count(Wanted()),
        number=number,
        pages=max(1, -(-total // PER_PAGE)),
        link=_link,
        facts=FACTS,
        may_search=app_state(request).masker is None and searchable(folder),
        added=added,
        # Whoever picked sees it in the list, and need not remember which rows they ticked.
        picked={task.sample for task in reviews_of(folder).tasks.values() if task.picked and task.assistant == of},
        problem=problem,
    )


def asked_for(request: Request, folder: Path, filters: Filters) -> tuple[RunResults, SampleIndex, Wanted]:
    """The results of a run, the index of its samples, and what somebody wants to see of it."""
    config = app_state(request).config
    if app_state(request).masker or not searchable(folder):
        # Who may not read a name must not be able to find out by searching whether it is there.
        filters.said = ""
    results, _ = in_language(results_of(folder), None, words_of(request).language)
    narrowing = Narrowing(filters.task, filters.level, filters.scenario)
    # The suite is read only where levels or scenarios are asked for, which the results do not hold.
    suite = suite_of(config, folder).suite if filters.level or filters.scenario else None
    return results, index_of(folder, config.own, results), filters.wanted(results, tasks_of(results, suite, narrowing))


def figure_text(say: Words, column: str, value: float | None) -> str:
    """A figure of an answer as it stands in the list; a dash where it has none."""
    if value is None:
        return "–"
    if column == "guidance":
        return say.percent(value)
    # "0" would stand beside "among the slowest tenth".
    if column == "seconds" and 0 < value < _SHORTEST:
        return f"< {say.count(_SHORTEST)}"
    return say.cost(value) if column == "cost" else say.count(round(value, 1))


_SHORTEST = 0.1
"""Seconds below which an answer's time is not told."""


def _link(name: str, sample: str, query: str = "") -> str:
    return f"/runs/{quote(name, safe='')}/samples/{quote(sample, safe='')}{query}"


@router.get("/runs/{name}/samples/{sample:path}", responses={404: {}})
def sample(
    request: Request,
    reader: Reader,
    name: str,
    sample: str,
    filters: Chosen,
    view: Literal["", "written"] = "",
) -> Response:
    """One sample: dialogues side by side, guidance, verdicts, marks and their history."""
    folder = visible_run(request, name)
    results, index, wanted = asked_for(request, folder, filters)
    listed = index.find(sample)
    if listed is None:
        raise HTTPException(404, "this run has no such sample")
    before, after = index.beside(listed, wanted)
    shown = _shown(request, folder, results, index, listed, raw=view == "written")
    return page(
        request,
        "sample.html.j2",
        name=name,
        results=results,
        listed=listed,
        filters=filters,
        view=view,
        before=_link(name, before, filters.query) if before else None,
        after=_link(name, after, filters.query) if after else None,
        link=_link,
        may_ask_anew=reader.role is Role.OWNER and may_go_on(folder),
        given=given_tasks(request, folder.name, sample) if reader.role is Role.OWNER else None,
        **shown,
    )


def left_of(
    request: Request, folder: Path, index: SampleIndex, sample: str
) -> tuple[Material, Suite | None, list[PersonsMark]]:
    """What the run left of the sample, the suite with this one sample, and people's marks; masked where that is asked for."""
    web = app_state(request)
    known = suite_of(web.config, folder).only(sample)
    parts = (index.material(sample), known, persons_marks(reviews_of(folder), sample))
    if web.masker is None:
        return parts
    material, suite, people = parts
    held = (material.dialogues, material.scores, material.comparisons, material.citations)
    samples, tasks = (suite.samples, suite.tasks) if suite else ((), {})
    # Only this sample's task: masking every task of a suite would take seconds for one page.
    of_task = {id_: task for id_, task in tasks.items() if any(one.task == id_ for one in samples)}
    told = (samples, of_task, [one.kept for one in people])
    # Masked in one call, so that a name has one pseudonym in dialogue, guidance and people's marks.
    left, (samples, of_task, marks) = masked((held, told), web.masker)
    return (
        Material(*left, timing=material.timing),
        replace(suite, samples=samples, tasks=of_task) if suite else None,
        [replace(one, kept=kept) for one, kept in zip(people, marks, strict=True)],
    )


def _shown(
    request: Request, folder: Path, results: RunResults, index: SampleIndex, listed: Listed, *, raw: bool
) -> dict[str, Any]:
    config = app_state(request).config
    known, law = suite_of(config, folder), law_of(config, folder)
    material, suite, people = left_of(request, folder, index, listed.id)
    _, suite = in_language(results, suite, words_of(request).language)
    if "pairwise" in results.decided_by:
        # A judge decided in this run: where it did not on this sample, nothing else does.
        material.comparisons.setdefault(listed.id, {})
    material.dialogues.setdefault(listed.id, {})
    only = report_pages(results, material, suite)[0]
    scores, cited = material.scores.get(listed.id, {}), material.citations.get(listed.id, {})
    columns = [
        (
            column,
            DialogueView(
                column.dialogue,
                scores.get(column.name, []),
                cited.get(column.name, []),
                only.content,
                column=number,
                law=law,
                raw=raw,
            ).turns()
            if column.dialogue
            else (),
        )
        for number, column in enumerate(only.columns)
    ]
    return {
        "page": only,
        "columns": columns,
        "scores": scores,
        "people": people,
        "missing_suite": known.missing,
        "invented": law.invented if law else "",
        "icons": ICONS,
        "winner_of": winner_of,
        "reason_in": reason_in,
        "limit": MAX_TEXT,
    }


AREA = Area("samples", router)
