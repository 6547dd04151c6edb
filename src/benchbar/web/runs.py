"""The pages of runs: the list, one run, how far it is, and what may be taken along."""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from benchbar.artefacts.folder import read_measures
from benchbar.artefacts.layout import RunFolder
from benchbar.clients.waits import waits_in
from benchbar.measures.health import finding_text
from benchbar.records.errors import BenchbarError, BudgetExhaustedError
from benchbar.records.files import read_bounded
from benchbar.reports.charts import exchanges, grouped, matrices, win_rate_bars
from benchbar.reports.decision import Signature
from benchbar.reports.html import GATE_CLASSES, MOST_OPEN, in_language
from benchbar.reports.judges import judge_tables, panel_sentences
from benchbar.reports.numbers import shown
from benchbar.reports.repeats import repeat_tables
from benchbar.reports.rows import heading, question_lines, reliability, spending
from benchbar.reports.verdicts import (
    believed,
    candidates,
    controlled,
    everyone,
    held_back,
    how_decided,
    nothing_compared,
    overall,
    rank_set,
    standing,
    turns_note,
)
from benchbar.runs import background
from benchbar.runs.intake import SUITE
from benchbar.scoring.people import human_marks
from benchbar.web import audit, matters, notes, studies
from benchbar.web.area import Area, Entry
from benchbar.web.folders import control_of, results_of, reviews_of, suite_of, timing_of
from benchbar.web.gating import GATE_TEXTS, results_now
from benchbar.web.live import Progress, State, details_of, made_from, progress_of, state_of, unanswered_in
from benchbar.web.live_waits import lasting, wait_text
from benchbar.web.masking import masked
from benchbar.web.matters import visible_names, visible_run
from benchbar.web.pages import page, words_of
from benchbar.web.people import Person, Role
from benchbar.web.run_control import may_go_on
from benchbar.web.run_view import Narrowing, names_of, tasks_of, win_rates
from benchbar.web.sample_index import index_of
from benchbar.web.sessions import Reader
from benchbar.web.signatures import signatures_of
from benchbar.web.state import AppState, app_state
from benchbar.web.suite_folders import suite_at
from benchbar.web.words import Words

router = APIRouter(tags=["runs"], default_response_class=HTMLResponse)
PER_PAGE = 50
LONGEST = 200
# On a large ledger a count takes seconds: one viewer must not take more than a twentieth of the disk from
# the run.
PATIENCE = 20.0
"""A ledger is asked so seldom that asking takes at most one part in this many of the time."""
Name = Annotated[str, Query(max_length=LONGEST)]
EXPORTS = {"csv": "text/csv", "md": "text/markdown", "latex": "text/x-tex", "json": "application/json"}


@dataclass(frozen=True, slots=True)
class Line:
    """One run in the list."""

    name: str
    state: State
    suite: str
    assistants: tuple[str, ...]
    gate: str
    cost: float | None
    progress: Progress | None
    problem: str = ""
    signatures: tuple[Signature, ...] = ()
    """The latest one alone."""
    waiting: int = 0
    """Answers of people that a stopped run waits for."""
    samples: int | None = None
    ended: float | None = None
    """When it finished, in seconds since 1970."""


@router.get("/runs")
def runs(
    request: Request,
    reader: Reader,
    page_number: Annotated[int, Query(alias="page", ge=1, le=10_000)] = 1,
    tag: Annotated[str, Query(max_length=notes.LONGEST_TAG)] = "",
    text: Name = "",
) -> Response:
    """Every run in the folder, or those with a tag or a text, the latest first."""
    folder = app_state(request).config.runs
    every = visible_names(request)
    noted = _noted(request, reader, every)
    # Notes are the owner's alone: whoever may not read them must not find out by searching what stands in them.
    names = [name for name in every if noted.get(name, notes.Notes()).fits(name, tag=tag, text=text)]
    first = PER_PAGE * (page_number - 1)
    lines = [_line(app_state(request), folder / name, words_of(request)) for name in names[first : first + PER_PAGE]]
    with app_state(request).database.transaction() as now:
        due = [name for name in matters.overdue(now) if name in every] if reader.role is Role.OWNER else []
    return page(
        request,
        "runs.html.j2",
        lines=lines,
        total=len(names),
        page_number=page_number,
        more=len(names) > first + PER_PAGE,
        gate_classes=GATE_CLASSES,
        folder=folder,
        # Without a folder the command would write to `runs/SUITE`, which need not be what is served.
        first=shlex.quote(str(folder / "first")),
        due=due,
        noted=noted,
        tags=sorted({one for found in noted.values() for one in found.tags}),
        tag=tag,
        text=text,
        any_run=bool(every),
        query=urlencode({name: value for name, value in (("tag", tag), ("text", text)) if value}),
    )


def _noted(request: Request, reader: Person, names: list[str]) -> dict[str, notes.Notes]:
    """What an owner reads beside these runs; nothing for anybody else."""
    if reader.role is not Role.OWNER:
        return {}
    with app_state(request).database.transaction() as now:
        found = notes.all_notes(now)
    return {name: found[name] for name in names if name in found}


def _line(web: AppState, run: Path, say: Words) -> Line:
    state = state_of(run)
    spec = made_from(run)
    # Results of a running one are those of an earlier attempt; only a finished run's are shown.
    if state == "finished":
        try:
            if studies.is_study(run):
                return Line(run.name, "study", studies.title(run), (), "", None, None)
            found, signatures = results_now(run), tuple(signatures_of(web, run, say, 1))
        except BenchbarError as error:
            return Line(run.name, "broken", _suite_of(spec), (), "", None, None, str(error))
        # Some assistants have no price: the sum is of those that have, and no sum at all where none has.
        costs = [one.cost for one in found.spending.values() if one.cost is not None]
        gate = found.gate.decision if found.gate else ""
        cost = sum(costs) if costs else None
        return Line(
            run.name,
            state,
            found.suite,
            tuple(everyone(found)),
            gate,
            cost,
            None,
            signatures=signatures,
            samples=found.samples,
            ended=RunFolder(run).results.stat().st_mtime,
        )
    progress = progress_of(run)
    assistants = spec.get("assistants")
    names = tuple(map(str, assistants)) if isinstance(assistants, dict) else ()
    waiting = _waiting(run) if state == "stopped" else 0
    return Line(run.name, state, _suite_of(spec), names, "", progress.cost, progress, waiting=waiting)


def _suite_of(spec: Mapping[str, Any]) -> str:
    """The suite's name before there are results; empty where it lies in the run's folder, whose name tells nothing."""
    name = Path(str(spec.get("suite", ""))).name
    return "" if name == SUITE else name


@router.get("/runs/{name}", responses={404: {}})
def run(
    request: Request,
    reader: Reader,
    name: str,
    task: Name = "",
    level: Name = "",
    scenario: Name = "",
    assistant: Annotated[list[str] | None, Query(max_length=LONGEST)] = None,
) -> Response:
    """One run: gate, matrix, bars, reliability; while it goes on, how far it is."""
    folder = visible_run(request, name)
    state = state_of(folder)
    if state in {"running", "stopped"}:
        return page(request, "live.html.j2", spec=made_from(folder), **_live(request, folder, state))
    if studies.is_study(folder):
        return studies.study_page(request, folder)
    chosen = Narrowing(task, level, scenario, tuple(assistant or ()))
    with app_state(request).database.transaction() as now:
        noted = notes.notes_of(now, name) if reader.role is Role.OWNER else None
    return page(request, "run.html.j2", name=name, chosen=chosen, noted=noted, **_shown(request, folder, chosen))


def _shown(request: Request, folder: Path, chosen: Narrowing) -> dict[str, Any]:
    config, say = app_state(request).config, words_of(request)
    known = suite_of(config, folder)
    results, _ = in_language(results_now(folder), None, say.language)
    tasks, names = tasks_of(results, known.suite, chosen), names_of(results, chosen)
    index = index_of(folder, config.own, results) if tasks is not None else None
    shown_names = [one for one in everyone(results) if not chosen.assistants or one in chosen.assistants]
    rates = win_rates(results, names, tasks, index)
    standing_of = {
        one: overall(results, one) if tasks is None else believed(results, standing(rates[one])) for one in names
    }
    return {
        "results": results,
        "signatures": signatures_of(app_state(request), folder, say, 1),
        "missing_suite": known.missing,
        "unanswered": unanswered_in(folder) if may_go_on(folder) else 0,
        "names": names,
        "all_names": candidates(results),
        "numbers": {one: number for number, one in enumerate(candidates(results))},
        "everyone": everyone(results),
        "rates": rates,
        "bars": win_rate_bars(results, rates, say, standing_of),
        "matrices": matrices(results, say, names, tasks),
        "grouped": grouped(results, say, shown_names) if tasks is None else [],
        "plot": exchanges(results, names) if tasks is None else None,
        "standing": standing_of,
        "most_open": MOST_OPEN,
        "rank_set": rank_set,
        "held_back": held_back,
        "controlled": controlled(results, say),
        "how": how_decided(msgspec.structs.replace(results, on=say.day(results.on)), say),
        "nothing": nothing_compared(results, say),
        "turns_note": turns_note(results, say),
        "reliability": reliability(results, timing_of(folder), say),
        "finding_text": finding_text,
        "repeat_tables": repeat_tables(results, say),
        "judge_tables": judge_tables(results, say),
        "panel_sentences": list(panel_sentences(results, say)),
        "spending": spending(results, say),
        "questions": question_lines(results),
        "heading": heading,
        "shown": shown,
        "gate_classes": GATE_CLASSES,
        **GATE_TEXTS,
        "exports": list(EXPORTS),
    }


@router.get("/runs/{name}/live", responses={404: {}})
def live(request: Request, reader: Reader, name: str) -> Response:
    """The samples and failures of a run of this moment, which its page asks for again and again."""
    folder = visible_run(request, name)
    return page(request, "live_panel.html.j2", **_live(request, folder, state_of(folder)))


def _live(request: Request, folder: Path, state: State) -> dict[str, Any]:
    web, words = app_state(request), words_of(request)
    control, progress = control_of(folder), progress_of(folder)
    details, budget, ended = details_of(folder, progress), _budget(folder), background.ended(control)
    return {
        "name": folder.name,
        "state": state,
        "progress": progress,
        "details": details,
        "questions": _questions(web, folder, [one.sample for one in details.samples]),
        "budget": budget,
        "cost": _cost(progress, budget, words),
        "spent": bool(ended and ended.slug == BudgetExhaustedError.slug and budget is not None and may_go_on(folder)),
        "ended": ended,
        "waits": waits_in(folder) if state == "running" else (),
        "wait_text": wait_text,
        "lasting": lasting,
        "waiting": _waiting(folder) if state == "stopped" else 0,
        "ours": background.under_way(control),
        "anew": background.asked_anew(control),
        "stopping": background.stopping(control),
        "may_go_on": may_go_on(folder),
        "finding_text": finding_text,
    }


def _budget(folder: Path) -> float | None:
    limits = made_from(folder).get("limits")
    return limits.get("max_cost") if isinstance(limits, dict) else None


def _cost(found: Progress, budget: float | None, say: Words) -> str:
    """What was spent; of a budget, where there is one."""
    return say.cost(found.cost) if budget is None else f"{say.cost(found.cost)} / {say.cost(budget)}"


def _questions(web: AppState, folder: Path, wanted: Sequence[str]) -> dict[str, str]:
    """What is asked in these samples, of a run that was made here; its ids are numbers that tell nobody anything."""
    if not may_go_on(folder):
        return {}
    try:
        suite = suite_at(folder / SUITE)
    # Somebody moved it: the run tells so itself when it is gone on with.
    except BenchbarError:
        return {}
    found = {one.id: one for one in suite.samples if one.id in wanted}
    return {id_: one.needs for id_, one in (masked(found, web.masker) if web.masker else found).items()}


def _waiting(folder: Path) -> int:
    """How many answers of people a run waits for."""
    try:
        return len(reviews_of(folder).asked.open)
    # What cannot be read is told of elsewhere on the page.
    except BenchbarError:
        return 0


@router.get("/runs/{name}/progress", response_class=StreamingResponse, responses={404: {}})
async def progress(request: Request, reader: Reader, name: str) -> StreamingResponse:
    """Server-sent events: ``progress`` while the run goes on, ``end`` when it does no more."""
    folder = await asyncio.to_thread(visible_run, request, name)
    return StreamingResponse(_events(request, folder, words_of(request)), media_type="text/event-stream")


async def _events(request: Request, folder: Path, say: Words) -> AsyncIterator[bytes]:
    budget = await asyncio.to_thread(_budget, folder)
    while not await request.is_disconnected():
        began = time.monotonic()
        state = await asyncio.to_thread(state_of, folder)
        found = await asyncio.to_thread(progress_of, folder)
        event = "progress" if state == "running" else "end"
        data = msgspec.json.encode({"share": found.share, "shown": _told(found, budget, say)})
        yield b"event: " + event.encode() + b"\ndata: " + data + b"\n\n"
        if event == "end":
            return
        await asyncio.sleep(max(1.0, PATIENCE * (time.monotonic() - began)))


def _told(found: Progress, budget: float | None, say: Words) -> dict[str, str]:
    rate = "–" if found.rate is None else say.local(f"{found.rate:.1f}")
    return {
        "finished": f"{say.count(found.finished)} / {say.count(found.planned)}",
        "calls": say.count(found.calls),
        "failed": say.count(found.failed),
        "in_flight": say.count(found.in_flight),
        "rate": rate,
        "cost": _cost(found, budget, say),
    }


@router.get("/runs/{name}/export/{form}", responses={404: {}})
def export(request: Request, reader: Reader, name: str, form: Literal["csv", "md", "latex", "json"]) -> Response:
    """The results as a file; that somebody took it is written down."""
    web = app_state(request)
    data = _exported(visible_run(request, name), form)
    with web.database.transaction() as now:
        audit.note(now, reader.name, "export", name, format=form)
    ending = "tex" if form == "latex" else form
    disposition = f'attachment; filename="results.{ending}"'
    return Response(data, media_type=EXPORTS[form], headers={"content-disposition": disposition})


def _exported(folder: Path, form: str) -> bytes:
    from benchbar.measures.beside_people import beside_people
    from benchbar.reports.tables import FORMATS, as_markdown

    if form == "json":
        # As it is on disk: what a program reads does not change with each mark.
        return read_bounded(RunFolder(folder).results)
    if form != "md":
        return FORMATS[form](results_of(folder)).encode()
    reviews = reviews_of(folder)
    marks = human_marks(reviews)
    # Without marks there is nothing to hold the measures against.
    beside = beside_people(marks, read_measures(folder), reviews) if reviews.marks else ()
    return as_markdown(results_now(folder), beside).encode()


AREA = Area("runs", router, (Entry("/runs", "nav.runs", frozenset({Role.OWNER, Role.VIEWER})),))
