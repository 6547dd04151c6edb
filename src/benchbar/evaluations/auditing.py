"""From logs to the three figures: published, recomputed, corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from benchbar.artefacts.layout import RunFolder
from benchbar.audit.printed import Finding
from benchbar.evaluations.checking import check
from benchbar.evaluations.lab_runs import Grounding, grounding_of, parts_of_variance
from benchbar.evaluations.reading import read_logs
from benchbar.evaluations.recomputing import Figure, figures_of
from benchbar.evaluations.records import EvaluationLog
from benchbar.evaluations.rejudging import Drawn, Opinion, answers_of, draw, judge_again
from benchbar.records import encode
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.statistics.components import Part

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping

    import numpy as np

    from benchbar.clients import Endpoint
    from benchbar.clients.session import OnProgress

DRAWN, OPINIONS = "drawn.json", "opinions.jsonl"


class Reading(NamedTuple):
    """What stands in the logs, and what was found wrong with it."""

    logs: list[EvaluationLog]
    unknown: Counter[str]
    """Files in folders that no known program wrote, by ending."""
    figures: list[Figure]
    findings: list[Finding]
    grounding: Grounding
    """Of work products whose documents are at hand."""
    variance: dict[str, Part]
    """Of LAB's marks: criteria, answers, judges."""


def read(paths: Sequence[Path], *, opponent: str = "") -> Reading:
    """The figures of files and folders, recomputed and checked.

    ``opponent`` names the field in which a log keeps the answer that each one was compared with.

    Raises:
        UserError: no row has such a field.
        BadInputError: one cannot be read, or no known program wrote it.
    """
    logs, unknown = read_logs(paths)
    if opponent:
        _take_opponents(logs, opponent)
    figures = figures_of(logs)
    return Reading(logs, unknown, figures, check(logs, figures), grounding_of(logs), parts_of_variance(logs))


def _take_opponents(logs: Sequence[EvaluationLog], field: str) -> None:
    rows = [one for log in logs for one in log.answers]
    if not any(one.fields.get(field) for one in rows):
        known = ", ".join(sorted({name for one in rows for name in one.fields})) or "none"
        raise UserError(f"--opponent {field}: no row keeps a text under this name; texts that rows keep: {known}")
    for log in logs:
        log.answers = [replace(one, opponent=one.fields.get(field, one.opponent)) for one in log.answers]


def sample_of(reading: Reading, measure: str, size: int, generator: np.random.Generator, folder: Path) -> list[Drawn]:
    """The drawn sample, kept in the folder: a second command over the same logs goes on with the first one's sample.

    Raises:
        UserError: the folder holds a sample of other logs.
    """
    path = folder / DRAWN
    drawn = draw(reading.figures, measure, size, generator)
    if path.is_file():
        kept = _kept(path)
        places = {one.place for one in kept}
        if places - answers_of(reading.figures, kept).keys() or {one.measure for one in kept} != {measure}:
            raise UserError(
                f"{path} holds a sample of other logs or of another measure; name another folder with --out"
            )
        return kept
    write_atomically(path, encode(drawn))
    return drawn


def _kept(path: Path) -> list[Drawn]:
    try:
        return msgspec.json.decode(read_bounded(path), type=list[Drawn])
    except msgspec.MsgspecError as error:
        raise BadInputError(f"no drawn sample: {error}", file=path) from error


async def second_opinions(
    reading: Reading,
    drawn: Sequence[Drawn],
    judges: Mapping[str, Endpoint],
    *,
    folder: Path,
    criterion: str,
    repeats: int,
    max_cost: float | None,
    concurrency: int,
    seed: int,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> list[Opinion]:
    """What the judges say of the sample, through a ledger in the folder: asked again, nothing is paid twice.

    Raises:
        ModelError: a judge can never answer.
        BudgetExhaustedError: the next call might cost more than is left.
    """
    from benchbar.clients.session import open_session

    async with open_session(
        RunFolder(folder).ledger, max_cost=max_cost, concurrency=concurrency, seed=seed, cancel=cancel
    ) as session:
        found = await judge_again(
            session,
            judges,
            drawn,
            answers_of(reading.figures, drawn),
            criterion=criterion,
            repeats=repeats,
            on_progress=on_progress,
        )
    write_atomically(folder / OPINIONS, b"".join(encode(one) + b"\n" for one in found))
    return found
