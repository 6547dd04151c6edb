"""Harvey's Legal Agent Benchmark: the scores of a run by one judge, or by two, with its task and what it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchbar.evaluations.formats.fields import Fields
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer, Miscount
from benchbar.records.errors import BadInputError
from benchbar.tables.json_rows import read_json

PROGRAM = "Harvey LAB"
CRITERION, ALL_PASS = "criterion", "all_pass"
TASK, CONFIG, OUTPUT = "task.json", "config.json", "output"
NAMES_TASKS = "tasks"
ROUNDED = 5e-4
"""A figure of the file may be rounded to three places."""
HIGHEST = 8
"""Folders above a run in which the benchmark's ``tasks/`` is looked for: areas nest two or three deep."""


def is_scores(given: Any) -> bool:
    """Whether a JSON document holds the scores of one judge."""
    return (
        isinstance(given, dict) and "criteria_results" in given and {"n_criteria", "all_pass"} & given.keys() != set()
    )


def is_dual(given: Any) -> bool:
    """Whether it joins several judges' scores."""
    return isinstance(given, dict) and isinstance(given.get("per_judge"), dict)


def read_scores(given: dict[str, Any], path: Path) -> EvaluationLog:
    """One row for each criterion and one for the run: samples are clustered by task."""
    found = EvaluationLog(path, PROGRAM, "scores of one judge")
    _add(Fields(given, found), found)
    return found


def read_dual(given: dict[str, Any], path: Path) -> EvaluationLog:
    """Every judge's rows, and the aggregate beside what its own rows give."""
    found = EvaluationLog(path, PROGRAM, "scores of several judges")
    whole = Fields(given, found)
    parts = [whole.inner("per_judge").inner(name) for name in whole.inner("per_judge").given]
    for part in parts:
        _add(part, found, whole)
    passed = [part.flag("all_pass") for part in parts]
    stated = whole.flag("all_pass")
    if stated is not None and None not in passed and stated != all(passed):
        found.miscounts.append(Miscount(ALL_PASS, "all judges pass all criteria", str(stated), str(all(passed))))
    _check_means(whole, parts, found)
    return found


def _check_means(whole: Fields, parts: Sequence[Fields], log: EvaluationLog) -> None:
    """The two figures that the file averages over its judges, against what each judge's part states."""
    shares = [(one.count("n_passed"), one.count("n_criteria")) for one in parts]
    flags = [one.flag(ALL_PASS) for one in parts]
    counted: dict[str, float | None] = {
        "dual_criterion_pass": _mean([None if passed is None or not of else passed / of for passed, of in shares]),
        "dual_all_pass_rate": _mean([None if flag is None else float(flag) for flag in flags]),
    }
    for name, value in counted.items():
        stated = whole.number(name)
        if stated is not None and value is not None and abs(stated - value) > ROUNDED:
            log.miscounts.append(Miscount(name, "mean over the judges", f"{stated:g}", f"{value:g}"))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _add(scores: Fields, log: EvaluationLog, whole: Fields | None = None) -> None:
    """One judge's verdicts."""
    run, judge = log.path.parent, scores.text("judge_model")
    config = _config(run, log)
    task = scores.text("task") or (whole.text("task") if whole else "") or config.text("task") or run.name
    model = config.text("model") or scores.text("model") or run.parent.name
    run_id = scores.text("run_id") or config.text("run_id") or run.name
    words = {one.id: one for one in _criteria(run, task, log)}
    output = str(run / OUTPUT) if (run / OUTPUT).is_dir() else ""
    answer = partial(LoggedAnswer, model=model, judge=judge, cluster=task, output=output)
    verdicts = []
    for one in scores.each("criteria_results"):
        verdict = one.text("verdict").lower()
        value = {"pass": 1.0, "fail": 0.0}.get(verdict)
        verdicts.append(value)
        id_ = one.text("id")
        criterion = words.get(id_)
        wording = f"{one.text('title')}\n{criterion.match_criteria if criterion else ''}".strip()
        log.answers.append(
            answer(
                sample=f"{task}#{id_}",
                identity=f"{run} {judge} {id_}",
                question=criterion.task_title if criterion else task,
                scores={CRITERION: value},
                missing={} if value is not None else {CRITERION: f"the verdict is {verdict[:40]!r}"},
                criteria={CRITERION: wording} if criterion else {},
                deliverables=criterion.deliverables if criterion else (),
            )
        )
    known = [one for one in verdicts if one is not None]
    passed = float(all(known)) if known and len(known) == len(verdicts) else None
    log.answers.append(answer(sample=task, identity=f"{run} {judge}", scores={ALL_PASS: passed}))
    log.judges = (*log.judges, judge) if judge and judge not in log.judges else log.judges
    _check(scores, verdicts, passed, log, run_id)


def _check(scores: Fields, verdicts: list[float | None], passed: float | None, log: EvaluationLog, run: str) -> None:
    """What the file says of its own verdicts."""
    known = [one for one in verdicts if one is not None]
    counted = {"n_criteria": len(verdicts), "n_passed": int(sum(known))}
    for name, number in counted.items():
        stated = scores.count(name)
        if stated is not None and stated != number:
            log.miscounts.append(Miscount(f"{run}: {name}", name, str(stated), str(number)))
    flag = scores.flag(ALL_PASS)
    if flag is not None and passed is not None and flag != bool(passed):
        log.miscounts.append(Miscount(f"{run}: {ALL_PASS}", ALL_PASS, str(flag), str(bool(passed))))


def _config(run: Path, log: EvaluationLog) -> Fields:
    given = read_json(run / CONFIG) if (run / CONFIG).is_file() else {}
    return Fields(given if isinstance(given, dict) else {}, log)


def task_folder(run: Path, task: str) -> Path | None:
    """The folder with the run's ``task.json``: its own, or that below ``tasks/`` of the benchmark around it."""
    if (run / TASK).is_file():
        return run
    parts = Path(task).parts
    if Path(task).is_absolute() or ".." in parts:
        return None
    for above in list(run.resolve().parents)[:HIGHEST]:
        if (above / NAMES_TASKS / task / TASK).is_file():
            return above / NAMES_TASKS / task
    return None


class Criterion(NamedTuple):
    """One criterion of a task."""

    id: str
    title: str
    match_criteria: str
    task_title: str
    deliverables: tuple[str, ...]

    @property
    def wording(self) -> str:
        """What a judge is shown of it."""
        return f"{self.title}\n{self.match_criteria}".strip()


def _criteria(run: Path, task: str, log: EvaluationLog) -> list[Criterion]:
    folder = task_folder(run, task)
    if folder is None:
        log.ignore("runs whose task.json was not found: their criteria cannot be judged again")
        return []
    return criteria_of(folder, log)


def criteria_of(folder: Path, log: EvaluationLog) -> list[Criterion]:
    """The criteria of the task in a folder; what is wrong with its file is noted in the log."""
    try:
        given = read_json(folder / TASK)
    except BadInputError as error:
        log.problem(str(error), field=TASK)
        return []
    if not isinstance(given, dict):
        log.problem("expected an object with title, instructions and criteria", field=TASK)
        return []
    whole = Fields(given, log)
    return [
        Criterion(
            one.text("id"),
            one.text("title"),
            one.text("match_criteria"),
            whole.text("title"),
            one.texts("deliverables"),
        )
        for one in whole.each("criteria")
    ]
