"""Agents at tasks in the form of Harvey's LAB: each does each task, leaves its files, and is marked by the task's criteria."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchbar.assistants.agents.traces import as_messages, as_spans
from benchbar.assistants.agents.work import Work, Worker, documents_of, keep
from benchbar.evaluations.formats.lab import (
    CONFIG,
    CRITERION,
    NAMES_TASKS,
    OUTPUT,
    PROGRAM,
    TASK,
    Criterion,
    criteria_of,
)
from benchbar.evaluations.lab_runs import DOCUMENTS
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer
from benchbar.evaluations.rejudging import unanswered, verdict_on
from benchbar.ledger import SCOPE
from benchbar.ledger.calls import Scope
from benchbar.records import Suite, SuiteCard, Turn, encode
from benchbar.records.errors import BadInputError, ModelError, UserError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.tables.json_rows import read_json

if TYPE_CHECKING:
    from benchbar.clients import Endpoint
    from benchbar.clients.session import OnProgress, Session
    from benchbar.scoring.judges.criterion import CriterionJudge

RESULTS, TRACES = "results", "traces"
MOST_TASKS = 5000
_WITHOUT_FILES = (
    "closed-book",
    "contract-reviewer",
    "extractive",
    "http",
    "law-practice",
    "openai",
    "person",
    "recorded",
)
"""Kinds that answer in words alone: they take no folder, and would be refused for that instead of for what they lack."""
MANY = 100
"""Calls of judges that wait at once: each shows a whole work product."""


class AgentTask(NamedTuple):
    """A task with its documents."""

    name: str
    folder: Path
    title: str
    instructions: str
    deliverables: tuple[str, ...]
    criteria: tuple[Criterion, ...]

    @property
    def asked(self) -> str:
        """What the agent is told."""
        wanted = ", ".join(self.deliverables)
        return f"{self.title}\n\n{self.instructions}" + (f"\n\nFiles to hand in: {wanted}" if wanted else "")


class Attempt(NamedTuple):
    """One go of an assistant at a task."""

    assistant: str
    task: AgentTask
    repeat: int
    work: Work | None
    error: str = ""
    """Why there is no work."""

    def folder(self, out: Path) -> Path:
        """Where its files are kept."""
        return out / RESULTS / self._place

    def trace(self, out: Path, ending: str) -> Path:
        """Where it is told what it did: apart from the results, which `benchbar judge` reads."""
        return out / TRACES / self._place.with_suffix(ending)

    @property
    def _place(self) -> Path:
        return Path(self.assistant, self.task.name, f"run{self.repeat + 1}")


def bundled_tasks() -> Path:
    """The folder of the tasks that come with the package."""
    return Path(str(files("benchbar.evaluations") / NAMES_TASKS))


def tasks_of(places: Sequence[str]) -> list[AgentTask]:
    """The tasks in folders with a ``task.json``, or below them; or of the package, by name.

    Raises:
        BadInputError: a folder holds none, or a task cannot be read.
    """
    found: dict[str, AgentTask] = {}
    for place in places:
        path = Path(place)
        bundled = bundled_tasks() / place
        root = bundled if not path.exists() and len(path.parts) == 1 and bundled.is_dir() else path
        folders = sorted(Path(here) for here, _, names in os.walk(root) if TASK in names)[:MOST_TASKS]
        if not folders:
            known = ", ".join(sorted(one.name for one in bundled_tasks().iterdir() if one.is_dir()))
            raise BadInputError(f"no {TASK} in it or below it; tasks that come along: {known}", file=root)
        for folder in folders:
            name = folder.name if folder == root else folder.relative_to(root).as_posix()
            found[name] = _task(name, folder)
    return list(found.values())


def _task(name: str, folder: Path) -> AgentTask:
    given = read_json(folder / TASK)
    log = EvaluationLog(folder / TASK, PROGRAM, "task")
    criteria = criteria_of(folder, log)
    if log.problems:
        first = log.problems[0]
        raise BadInputError(first.message, file=folder / TASK, field=first.field)
    instructions = given.get("instructions")
    if not isinstance(instructions, str) or not instructions.strip():
        raise BadInputError("expected a text that says what is to be done", file=folder / TASK, field="instructions")
    if not (folder / DOCUMENTS).is_dir():
        raise BadInputError(f"expected the folder {DOCUMENTS} beside it", file=folder / TASK)
    wanted = dict.fromkeys(name for one in criteria for name in one.deliverables)
    stated = given.get("deliverables")
    named = [str(one) for one in stated if isinstance(one, str)] if isinstance(stated, list) else list(wanted)
    return AgentTask(name, folder, str(given.get("title") or name), instructions, tuple(named), tuple(criteria))


def workers(session: Session, settings: Mapping[str, Mapping[str, Any]], base: Path, out: Path) -> dict[str, Worker]:
    """The assistants, each given the documents of the task it is at.

    Raises:
        SandboxError: an agent's container cannot be had.
        UserError: a setting does not fit, or an assistant leaves no files.
    """
    from benchbar.assistants.build import build
    from benchbar.runs.context import RunContext

    context = RunContext(session.client, Suite(SuiteCard(name="agent tasks"), {}, ()), base)
    folder = str(out.resolve() / NAMES_TASKS / "{sample}" / DOCUMENTS)
    found = {}
    for name, one in settings.items():
        if Path(name).name != name or name in {"", ".", ".."}:
            raise UserError(f"assistant {name!r}: the name becomes that of a folder; leave out slashes")
        if (kind := one.get("kind")) in _WITHOUT_FILES:
            raise UserError(f"assistant {name!r} of kind {kind!r} leaves no files; expected `agent` or `a2a`")
        if "folder" in one:
            raise UserError(f"assistant {name!r}: leave out `folder`: each task brings its own documents")
        try:
            built = build(name, {**one, "folder": folder}, context)
        except UserError as error:
            # Errors of containers and endpoints name the assistant and have a page of their own.
            if type(error) is not UserError or repr(name) in str(error):
                raise
            raise UserError(f"assistant {name!r}: {error}") from error
        if not isinstance(built, Worker):
            raise UserError(f"assistant {name!r} of kind {kind!r} leaves no files; expected `agent` or `a2a`")
        found[name] = built
    return found


async def attempted(
    session: Session,
    assistants: Mapping[str, Worker],
    tasks: Sequence[AgentTask],
    out: Path,
    *,
    repeats: int = 1,
    at_once: int = 2,
    on_progress: OnProgress | None = None,
) -> list[Attempt]:
    """Every go of every assistant, with its files, its trace and what it was asked written below ``out``.

    Raises:
        ModelError: a model can never answer.
        BudgetExhaustedError: the next call might cost more than is left.
    """
    _copy(tasks, out)
    gate = asyncio.Semaphore(at_once)
    goes = [(name, task, repeat) for task in tasks for name in assistants for repeat in range(repeats)]
    with session.counted("working", len(goes), on_progress) as done:

        async def one(name: str, task: AgentTask, repeat: int) -> Attempt:
            async with gate:
                found = await _attempt(assistants[name], name, task, repeat)
            _write(found, out)
            done(found)
            return found

        return list(await asyncio.gather(*(one(*go) for go in goes)))


async def _attempt(worker: Worker, name: str, task: AgentTask, repeat: int) -> Attempt:
    token = SCOPE.set(Scope(task.name, trial=repeat))
    try:
        return Attempt(name, task, repeat, await worker.work([Turn(role="user", content=task.asked)]))
    except ModelError as error:
        if error.fatal:
            raise
        return Attempt(name, task, repeat, None, f"{error.slug}: {error}")
    finally:
        SCOPE.reset(token)


def _copy(tasks: Sequence[AgentTask], out: Path) -> None:
    """Tasks and documents beside the results, where `benchbar judge` finds them, whatever becomes of the originals."""
    for task in tasks:
        place = out / NAMES_TASKS / task.name
        if place.resolve() == task.folder.resolve():
            continue
        write_atomically(place / TASK, read_bounded(task.folder / TASK))
        for name, data in documents_of(task.folder / DOCUMENTS).items():
            write_atomically(place / DOCUMENTS / name, data)


def _write(found: Attempt, out: Path) -> None:
    folder, work = found.folder(out), found.work
    config: dict[str, Any] = {"model": found.assistant, "task": found.task.name, "run_id": f"run{found.repeat + 1}"}
    if work is None:
        write_atomically(folder / CONFIG, encode(config | {"error": found.error}))
        return
    kept = {file.name: file.sha256 for file in work.files}
    config |= {"error": f"the program ended with {work.ended}"} if work.errored else {}
    limits = {"ended": work.ended, "files": kept, "left_out": list(work.left_out), "cost": work.cost}
    write_atomically(folder / CONFIG, encode(config | limits | {"seconds": work.seconds}))
    (folder / OUTPUT).mkdir(parents=True, exist_ok=True)
    keep(work, folder / OUTPUT)
    trace = as_messages(work, sample=found.task.name, assistant=found.assistant)
    write_atomically(found.trace(out, ".messages.jsonl"), encode(trace) + b"\n")
    spans = as_spans(work, sample=found.task.name, assistant=found.assistant)
    write_atomically(found.trace(out, ".spans.jsonl"), encode(spans) + b"\n")


async def marked(
    session: Session,
    judges: Mapping[str, Endpoint],
    attempts: Sequence[Attempt],
    out: Path,
    *,
    on_progress: OnProgress | None = None,
) -> list[str]:
    """Have each judge say of each criterion whether it is met; one file of scores for each go and judge.

    Returns what has to be known of judges that gave no readable answer.

    Raises:
        ModelError: a judge can never answer.
    """
    from benchbar.languages.prompts import Prompts
    from benchbar.scoring.judges.criterion import CriterionJudge

    prompts = Prompts(nonce=session.ledger.nonce)
    gate = asyncio.Semaphore(MANY)
    finished = [one for one in attempts if one.work is not None and not one.work.errored]
    total = sum(len(one.task.criteria) for one in finished) * len(judges)
    lost: list[str] = []
    with session.counted("marking", total, on_progress) as done:

        async def mark(
            judge: CriterionJudge, found: Attempt, criterion: Criterion
        ) -> tuple[dict[str, Any], str | None]:
            async with gate:
                result = await _verdict(judge, found, criterion, out)
            done(result)
            return result

        for name, endpoint in judges.items():
            judge = CriterionJudge(session.chat(endpoint), prompts)
            reasons: list[str] = []
            for found in finished:
                results = await asyncio.gather(*(mark(judge, found, one) for one in found.task.criteria))
                reasons += [reason for _, reason in results if reason is not None]
                marks = [result for result, _ in results]
                write_atomically(found.folder(out) / f"scores_{_plain(name)}.json", encode(_scores(name, found, marks)))
            lost += unanswered(name, reasons)
    return lost


async def _verdict(
    judge: CriterionJudge, found: Attempt, criterion: Criterion, out: Path
) -> tuple[dict[str, Any], str | None]:
    """The mark, and why the judge gave none: empty where it did, None where it was not asked."""
    stated = {"id": criterion.id, "title": criterion.title}
    assert found.work is not None  # noqa: S101 - only finished ones are marked
    if not found.work.files:
        # No gap in the measurement: a file was wanted and none was delivered.
        return stated | {"verdict": "fail", "reasoning": "no file was delivered"}, None
    row = LoggedAnswer(
        sample=f"{found.task.name}#{criterion.id}",
        model=found.assistant,
        question=criterion.task_title,
        output=str(found.folder(out) / OUTPUT),
        deliverables=criterion.deliverables,
        criteria={CRITERION: criterion.wording},
    )
    token = SCOPE.set(Scope(found.task.name, trial=found.repeat))
    try:
        value, reason, said = await verdict_on(judge, row, criterion.wording)
    finally:
        SCOPE.reset(token)
    verdict = "unmarked" if value is None else "pass" if value else "fail"
    return stated | {"verdict": verdict, "reasoning": said or reason}, reason if value is None else ""


def _scores(judge: str, found: Attempt, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    passed = sum(one["verdict"] == "pass" for one in results)
    return {
        "task": found.task.name,
        "run_id": f"run{found.repeat + 1}",
        "judge_model": judge,
        "n_criteria": len(results),
        "n_passed": passed,
        # With a criterion that nobody could mark it is not known; the reader says so.
        "all_pass": passed == len(results) if all(one["verdict"] != "unmarked" for one in results) else None,
        "criteria_results": list(results),
    }


def _plain(name: str) -> str:
    return "".join(char if char.isalnum() or char in "-." else "-" for char in name)
