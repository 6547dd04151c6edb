"""Reads a finished ledger, without the code that wrote it, and proves that it is whole.

Proven from the file alone: the pages are sound; every planned item has one outcome; every outcome rests on calls that
were asked and answered; no call was answered twice; no row was altered, torn, doubled or taken out.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from benchbar.ledger.calls import CallResult, LedgerReport, Outcome, PlannedItem
from benchbar.ledger.opening import open_store
from benchbar.ledger.packing import COPY, ORIGINAL, Unordered, seal, unpack
from benchbar.ledger.requests import requests, unanswered
from benchbar.ledger.schema import (
    ANSWER,
    ASSIGNED,
    CACHED,
    LOOK,
    QUESTION,
    SESSION_BITS,
    WATCHED,
    WITHDRAWN,
)
from benchbar.ledger.store import LedgerStore
from benchbar.records import Assignment, Mark, ReviewPlan, encode
from benchbar.records.errors import LedgerError
from benchbar.records.people import PersonAnswer, PersonQuestion

# One torn page can damage thousands of rows: nobody reads them all, and the report has to fit a terminal.
MAX_SHOWN = 50
Found = Iterator[str]


def check(where: Path | str) -> LedgerReport:
    """What the ledger in a file, or at the address of a database, proves.

    Raises:
        LedgerError: there is no file, or the database cannot be reached.
    """
    if isinstance(where, Path) and not where.is_file():
        raise LedgerError(f"{where}: there is no ledger here; expected the ledger.sqlite of a run folder")
    try:
        store = open_store(where, writable=False)
    # A damaged file is what the check is for, so it is a report with a problem. An unreachable database
    # says nothing about the ledger and stays an error.
    except LedgerError as error:
        if not isinstance(where, Path):
            raise
        return _unreadable(str(error))
    problems: list[str] = []
    # Each check by itself: where one cannot get through the damage, the others still say what else is
    # wrong.
    for examine in CHECKS:
        try:
            problems.extend(examine(store))
        except (
            # Damaged bytes may surface at any layer: the page, the JSON, a column of another type, a
            # missing field. All of it is damage to report, none may end the check.
            sqlite3.Error,
            msgspec.MsgspecError,
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
            LedgerError,
        ) as error:
            problems.append(f"{(examine.__doc__ or '').strip()} - could not be examined: {error}")
    try:
        counts = _counts(store)
        notes = tuple(_notes(store, counts["unknown"]))
    except (sqlite3.Error, LedgerError) as error:
        return _unreadable(f"{where}: unreadable: {error}")
    finally:
        store.close()
    hidden = len(problems) - MAX_SHOWN
    shown = (*problems[:MAX_SHOWN], f"... and {hidden} more") if hidden > 0 else tuple(problems)
    return LedgerReport(ok=not problems, problems=shown, notes=notes, **counts)


def _unreadable(problem: str) -> LedgerReport:
    return LedgerReport(ok=False, calls=0, completed=0, unknown=0, failed=0, planned=0, finished=0, problems=(problem,))


def _number(store: LedgerStore, query: str) -> int:
    return int(next(store.rows(query))[0])


def _counts(store: LedgerStore) -> dict[str, int]:
    queries = {
        "calls": "SELECT count(*) FROM call",
        "completed": "SELECT count(DISTINCT key) FROM result WHERE status IN ('ok', 'refused')",
        "unknown": "SELECT count(*) FROM intent LEFT JOIN result ON result.intent = intent.id WHERE result.intent IS NULL",
        "failed": "SELECT count(*) FROM result WHERE status = 'failed'",
        "planned": "SELECT count(*) FROM plan",
        "finished": "SELECT count(*) FROM outcome",
    }
    return {name: _number(store, query) for name, query in queries.items()}


def _notes(store: LedgerStore, unknown: int) -> Found:
    if unknown:
        yield f"{unknown} call(s) of unknown outcome: sent, and a crash came before the answer"
    # What a later try made good is no matter of the next run.
    if failed := unanswered(store):
        yield f"{failed} call(s) ended in an error and have no answer; the next run asks them again"


def _pages(store: LedgerStore) -> Found:
    """The file's pages are sound."""
    yield from store.damage()


_TOGETHER = ((ORIGINAL, COPY), (WATCHED, CACHED), (CACHED, WATCHED))
"""Of which the second has to be there in ``meta`` where the first is."""


def _meta(store: LedgerStore) -> Found:
    """What the ledger says of itself is there and unaltered, and it has the sessions that it counts."""
    names = set()
    for name, value, stored in store.rows("SELECT name, value, seal FROM meta"):
        names.add(name)
        # Seals are compared with columns as they were read, so the check needs nothing that the writer
        # had in memory.
        if seal(name, value) != stored:
            yield f"meta {name!r}: altered"
    wanted = {"schema_version"}
    if not _only_opened(store):
        wanted |= {"sessions", "planned", "plan_seal"}
    for one, other in _TOGETHER:
        wanted |= {other} if one in names else set()
    if store.meta("schema_version") == b"4":
        wanted.add("secret")  # without it a run that goes on would ask everything again
    for name in sorted(wanted - names):
        yield f"meta {name!r}: missing"
    number = 0
    for number, started, version, stored in store.rows("SELECT id, started, version, seal FROM session ORDER BY id"):
        if seal(number, started, version) != stored:
            yield f"session {number}: altered"
    count = next(store.rows("SELECT count(*) FROM session"))[0]
    stated = (store.meta("sessions") or b"0").decode()
    # Rows cut off at the end leave no gap in the numbers. The count that meta holds under a seal of its
    # own tells them.
    if not str(count) == str(number) == stated:
        yield f"{count} sessions, the last one numbered {number}; {stated} were stated"


def _only_opened(store: LedgerStore) -> bool:
    """Whether the run was stopped between opening its ledger and writing down its plan: nothing was sent before that."""
    told = store.meta("planned") or store.meta("plan_seal")
    return not told and not any(
        next(store.rows(f"SELECT count(*) FROM {table}"))[0]  # noqa: S608 - constants
        for table in ("plan", "outcome", "call", "intent", "result")
    )


def _calls(store: LedgerStore) -> Found:
    """Every request gives the key it is kept under."""
    for key, role, sample, request in requests(store):
        if hashlib.blake2b(request, digest_size=len(key)).digest() != key:
            yield f"call {key.hex()}: its request was altered"
            continue
        # Role and sample stand in columns of their own for queries; they are outside of what the key
        # covers.
        fields = msgspec.json.decode(request)
        if (fields["role"], fields["sample"]) != (role, sample):
            yield f"call {key.hex()}: its role or sample was altered"


def _intents(store: LedgerStore) -> Found:
    """Intents are numbered without gaps, unaltered, and each belongs to a call and a session."""
    expected, own = 1, 0
    query = (
        "SELECT intent.id, intent.key, session, at, reserved, intent.seal, call.key IS NULL, session.id IS NULL FROM intent"
        " LEFT JOIN call ON call.key = intent.key LEFT JOIN session ON session.id = intent.session ORDER BY intent.id"
    )
    for number, key, session, at, reserved, stored, orphan, homeless in store.rows(query):
        # The first intent of another session is no gap.
        if number >> SESSION_BITS > own:
            # In a database the intents of each session are numbered on their own, after the number of the session.
            own = number >> SESSION_BITS
            expected = (own << SESSION_BITS) + 1
        # A row that was taken out whole leaves every seal right: only its number tells.
        if number != expected:
            yield f"intents {expected} to {number - 1} are missing"
        expected = number + 1
        if seal(number, key, session, at, reserved) != stored:
            yield f"intent {number}: altered"
        if orphan:
            yield f"intent {number}: the request it announces is missing"
        if homeless:
            yield f"intent {number}: its session is missing"


def _results(store: LedgerStore) -> Found:
    """Results are unaltered and whole, and each answers the intent it names."""
    columns = "intent, key, status, error, input_tokens, output_tokens, cost, at, payload, seal"
    for row in store.rows(f"SELECT {columns} FROM result"):  # noqa: S608 - a constant
        if seal(*row[:-1]) != row[-1]:
            yield f"result {row[0]}: altered or torn"
            continue
        result = msgspec.json.decode(store.packing.unpack(row[8]), type=CallResult)
        # Queries about what is answered read the column, the run reads the payload. If they differ, one
        # of them was written by hand.
        if str(result.status) != row[2]:
            yield f"result {row[0]}: status and payload differ"
    query = (
        "SELECT result.intent, intent.id IS NULL FROM result LEFT JOIN intent ON intent.id = result.intent"
        " WHERE intent.id IS NULL OR intent.key <> result.key"
    )
    for number, missing in store.rows(query):
        yield f"result {number}: " + (
            "its intent is missing" if missing else "it answers another call than its intent announced"
        )


def _once(store: LedgerStore) -> Found:
    """No call was answered twice, and none was sent again after its answer."""
    for key, times in store.rows(
        "SELECT key, count(*) FROM result WHERE status IN ('ok', 'refused') GROUP BY key HAVING count(*) > 1"
    ):
        yield f"call {key.hex()}: answered {times} times"
    # Sessions that ran at the same time have no common numbers, but the clock of one server.
    later = (
        f"CASE WHEN intent.id >= {1 << SESSION_BITS} AND result.intent >= {1 << SESSION_BITS}"
        f" AND intent.id >> {SESSION_BITS} <> result.intent >> {SESSION_BITS}"
        " THEN intent.at > result.at ELSE intent.id > result.intent END"
    )
    for key, number in store.rows(
        "SELECT intent.key, intent.id FROM intent JOIN result ON result.key = intent.key AND result.status <> 'failed'"  # noqa: S608
        f" WHERE {later}"
    ):
        yield f"call {key.hex()}: sent again (intent {number}) after it had been answered"
    for (key,) in store.rows("SELECT key FROM call WHERE key NOT IN (SELECT key FROM intent)"):
        yield f"call {key.hex()}: no intent announces it"


def _plan(store: LedgerStore) -> Found:
    """The plan is the one that was stated, and every item has one outcome that fits it."""
    if _only_opened(store):
        yield "no plan: the run was stopped as it began, and nothing was sent; rerun the command to finish it"
        return
    items: dict[str, PlannedItem] = {}
    for item, data, stored in store.rows("SELECT item, record, seal FROM plan"):
        if seal(item, data) != stored:
            yield f"planned item {item}: altered"
            continue
        # Decoded by msgspec alone, without the records' own reader, which is part of what is being
        # checked.
        items[item] = msgspec.json.decode(unpack(data), type=PlannedItem)
    stated = (store.meta("planned") or b"0").decode()
    if store.meta("plan_seal") != Unordered(map(encode, items.values())).digest() or str(len(items)) != stated:
        yield f"the plan names {len(items)} items; {stated} other ones were stated"
    seen: set[str] = set()
    for item, data, stored in store.rows("SELECT item, record, seal FROM outcome"):
        seen.add(item)
        if seal(item, data) != stored:
            yield f"outcome of {item}: altered or torn"
        elif item not in items:
            yield f"outcome of {item}: nobody planned it"
        else:
            yield from _rests_on(store, items[item], msgspec.json.decode(unpack(data), type=Outcome))
    for item in sorted(items.keys() - seen):
        yield f"planned item {item}: no outcome; rerun the command to finish it"


def _rests_on(store: LedgerStore, item: PlannedItem, outcome: Outcome) -> Found:
    if outcome.item != item.id:
        yield f"outcome of {item.id}: it speaks of {outcome.item}"
    # Rules and recorded dialogues need no call. For all else an outcome without calls means that they
    # were lost or that it was made up.
    if item.calls and not outcome.calls and outcome.status == "done":
        yield f"outcome of {item.id}: it rests on no call"
    for key in outcome.calls:
        found = [status for (status,) in store.rows("SELECT status FROM result WHERE key = ?", (bytes.fromhex(key),))]
        if not found:
            yield f"outcome of {item.id}: call {key} was never answered"
        # A failed call may stand under a done item as long as a later try of the same key was answered.
        elif outcome.status == "done" and set(found) == {"failed"}:
            yield f"outcome of {item.id}: done, but call {key} failed"


def _chain(store: LedgerStore) -> Found:
    """What people were asked and said is unaltered and unbroken."""
    number, before = 0, b""
    for number_found, kind, at, record, stored in store.reviews():
        if number_found != number + 1:
            yield f"reviews {number + 1} to {number_found - 1} are missing"
        number = number_found
        if seal(number, kind, at, record, before) != stored:
            yield f"review {number}: altered, or the one before it was"
        before = stored
    stated = (store.meta("reviews") or b"0").decode()
    if stated != str(number):
        yield f"{number} reviews; {stated} were stated"


def _reviews(store: LedgerStore) -> Found:
    """Nobody marked, answered or was given by name what nobody was asked about, nor marked twice without saying so."""
    tasks: set[str] = set()
    standing: dict[tuple[str, str, bool], int] = {}
    questions: set[str] = set()
    answers: dict[str, str] = {}
    given: set[tuple[str, str]] = set()
    for number, kind, _, record, _ in store.reviews():
        data = unpack(record)
        if kind == "plan":
            tasks |= {task.id for task in msgspec.json.decode(data, type=ReviewPlan).tasks}
        elif kind == "mark":
            yield from _mark(number, msgspec.json.decode(data, type=Mark), tasks, standing)
        elif kind == QUESTION:
            questions.add(msgspec.json.decode(data, type=PersonQuestion).id)
        elif kind == ANSWER:
            yield from _answer(number, msgspec.json.decode(data, type=PersonAnswer), questions, answers)
        elif kind == ASSIGNED:
            yield from _assignment(number, msgspec.json.decode(data, type=Assignment), tasks, given)
        elif kind not in {LOOK, WITHDRAWN}:
            yield f"review {number}: of unknown kind {kind!r}"


def _mark(number: int, mark: Mark, tasks: set[str], standing: dict[tuple[str, str, bool], int]) -> Found:
    if mark.task not in tasks:
        yield f"mark {number}: nobody was asked about task {mark.task}"
    # A mark and an adjudication are two roles: one does not correct the other.
    whose = (mark.task, mark.rater, mark.adjudication)
    before = standing.get(whose)
    if before is not None and mark.corrects != before:
        yield f"mark {number}: {mark.rater} marked task {mark.task} before (mark {before}) and does not correct it"
    standing[whose] = number


def _assignment(number: int, one: Assignment, tasks: set[str], given: set[tuple[str, str]]) -> Found:
    if one.task not in tasks:
        yield f"assignment {number}: nobody was asked about task {one.task}"
    whose = (one.task, one.person)
    if one.back and whose not in given:
        yield f"assignment {number}: task {one.task} is taken back from {one.person}, to whom nobody gave it"
    given.discard(whose) if one.back else given.add(whose)


def _answer(number: int, answer: PersonAnswer, questions: set[str], answers: dict[str, str]) -> Found:
    if answer.question not in questions:
        yield f"answer {number}: nobody asked question {answer.question}"
    if answer.question in answers:
        yield f"answer {number}: {answers[answer.question]} answered question {answer.question} before"
    answers[answer.question] = answer.person


CHECKS: tuple[Callable[[LedgerStore], Found], ...] = (
    _pages,
    _meta,
    _calls,
    _intents,
    _results,
    _once,
    _plan,
    _chain,
    _reviews,
)


def summary(report: LedgerReport) -> str:
    """The report in a few lines for a terminal."""
    head = "ledger is complete" if report.ok else f"ledger has {len(report.problems)} problem(s)"
    lines = [
        f"{head}: {report.calls} calls, {report.completed} completed, {report.failed} failed, {report.unknown} unknown",
        f"{report.finished} of {report.planned} planned items finished",
    ]
    lines += [f"  problem: {problem}" for problem in report.problems]
    lines += [f"  note: {note}" for note in report.notes]
    return "\n".join(lines)
