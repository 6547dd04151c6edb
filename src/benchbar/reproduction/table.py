"""The table of a replay: win rates by task and over all, with the intervals that a published table leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from benchbar.records import Comparison, Dialogue, Estimate, Record, Winner
from benchbar.reports.numbers import rate
from benchbar.reports.printing import cell, console, printable, sections
from benchbar.statistics.macro import macro_win_rate
from benchbar.statistics.winrate import win_rate

if TYPE_CHECKING:
    from benchbar.suites.ucl_files import Clone

WORTH = {Winner.LEFT: 1.0, Winner.TIE: 0.5, Winner.RIGHT: 0.0}


class Replayed(Record, frozen=True):
    """What came of one assistant against the reference."""

    win_rate: Estimate
    """Over all samples: ties count half; a verdict that is missing is missing."""
    mean_of_tasks: Estimate
    """The unweighted mean of the tasks' rates, which the published table averages by."""
    by_task: dict[str, Estimate]
    wins: int
    ties: int
    losses: int
    answers: float | None = None
    """Mean number of answers in a dialogue; None where only verdicts are known."""


class ReplayResults(Record, frozen=True):
    """The table, and what it was made from."""

    reference: str
    judge: str
    simulator: str
    samples: int
    tasks: dict[str, str]
    seed: int
    assistants: dict[str, Replayed]


def replayed(outcomes: Mapping[str, float | None], task_of: Mapping[str, str]) -> Replayed:
    """The rates of one assistant from the outcome of each sample, None where it is missing."""
    by_task: dict[str, list[float | None]] = {}
    for sample, value in outcomes.items():
        by_task.setdefault(task_of[sample], []).append(value)
    counted = Counter(value for value in outcomes.values() if value is not None)
    return Replayed(
        win_rate=win_rate(list(outcomes.values())),
        mean_of_tasks=macro_win_rate(by_task).these_tasks,
        by_task={task: win_rate(values) for task, values in sorted(by_task.items())},
        wins=counted[1.0],
        ties=counted[0.5],
        losses=counted[0.0],
    )


def outcomes_of(comparisons: Iterable[Comparison], name: str) -> dict[str, float | None]:
    """Sample to what the verdict on a candidate is worth."""
    return {one.sample: WORTH[one.winner] if one.winner else None for one in comparisons if one.left == name}


def mean_answers(dialogues: Iterable[Dialogue], name: str) -> float | None:
    """Answers in a dialogue of an assistant, on the average."""
    counts = [sum(turn.role == "assistant" for turn in one.turns) for one in dialogues if one.assistant == name]
    return sum(counts) / len(counts) if counts else None


def of_files(clone: Clone, task_of: Mapping[str, str]) -> Iterator[tuple[str, Replayed]]:
    """The table of each file of verdicts that lies in a clone; samples that it does not know are left out."""
    from benchbar.suites.ucl_files import identified, outcome

    for file, items in clone.verdicts.items():
        found = {id_: outcome(item.get("evaluation_score")) for id_, item in identified(items) if id_ in task_of}
        if found:
            yield clone.name(file), replayed(found, task_of)


def show(title: str, assistants: Mapping[str, Replayed], tasks: Mapping[str, str]) -> None:
    """Print the rates over all, then by task, in 80 columns."""
    out = console()
    out.print(printable(title), markup=False, highlight=False)
    rows: list[Sequence[str]] = [
        ["all samples", *(rate(one.win_rate) for one in assistants.values())],
        ["mean of tasks", *(rate(one.mean_of_tasks) for one in assistants.values())],
        ["won/tied/lost", *(f"{one.wins}/{one.ties}/{one.losses}" for one in assistants.values())],
        ["missing", *(str(one.win_rate.n_missing) for one in assistants.values())],
    ]
    if any(one.answers is not None for one in assistants.values()):
        rows.append(["answers a dialogue", *(_mean(one.answers) for one in assistants.values())])
    for id_, label in tasks.items():
        found = [one.by_task.get(id_) for one in assistants.values()]
        if any(found):
            rows.append([f"{id_} {label}", *(rate(one, 0) if one else "–" for one in found)])
    for table in sections(["", *assistants], [list(map(cell, row)) for row in rows], out.width):
        out.print(table)


def _mean(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
