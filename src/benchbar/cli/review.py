"""`benchbar review`: what people should look at, and what they say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Group
from benchbar.cli.options import NumberRange, json_option, rater_option, seed_option
from benchbar.records import COMPARED, ERRORS, GRADED, KINDS, POINT, TURN
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.numbers import counted

if TYPE_CHECKING:
    from benchbar.ledger.reviews import Reviews
    from benchbar.ledger.store import LedgerStore
    from benchbar.records import Mark, ReviewPlan, ReviewTask, Suite
    from benchbar.reports.review_form import Form
    from benchbar.runs.validation_sample import SampleDesign

RUN = click.argument("run", type=click.Path(path_type=Path))
FORMATS = ("csv", "label-studio")
BETTER = {"first": 1.0, "tie": 0.5, "second": 0.0}
"""What is said of two dialogues, as a value of the one shown first."""


kind_option = click.option(
    "--kind",
    type=click.Choice([*KINDS]),
    default="dialogues",
    show_default=True,
    help="What the tasks are about: dialogues, a judge's decisions on points, turns of the simulated user.",
)


@click.group(cls=Group)
def command() -> None:
    """Have people mark the dialogues where rules and judge are least reliable, and check the judge itself."""


@command.command()
@RUN
@click.option(
    "--ask",
    type=click.Choice(["points", "preferences", "turns"]),
    required=True,
    help="points: did the judge refer to each guidance point, and rightly? preferences: which dialogue is better?"
    " turns: is each turn of the simulated user aligned?",
)
@click.option("--size", type=click.IntRange(1), default=60, show_default=True, help="Judgements, pairs or dialogues.")
@click.option("--raters", type=click.IntRange(1), default=3, show_default=True, help="People who mark each of them.")
@click.option("--judge", default="", help="The judge to check, by a part of its name.  [default: the first]")
@seed_option
def draw(run: Path, **design: Any) -> None:
    """Draw a sample by which people check the judge or the simulated user of a RUN.

    It is stratified by task, and the chance of everything that might have been drawn is kept. People then mark it as any other
    task: `review next` and `mark`, `export` and `import`, or in the browser. `benchbar validate` reports what they found.

    benchbar review draw runs/r --ask points --size 60 --raters 3
    """
    from benchbar.artefacts.folder import read_results, read_samples
    from benchbar.ledger.blinding import task_names
    from benchbar.ledger.reviews import add_plan
    from benchbar.runs.validation_sample import SampleDesign, draw_sample

    chosen, suite = SampleDesign(**design), _suite(run)
    if suite is None:
        raise UserError("a sample is drawn by the tasks of the suite, which is not at hand")
    reference = read_results(run).reference
    with _writing(run) as store:
        plan = draw_sample(read_samples(run), suite, chosen, reference=reference, name=task_names(store))
        added = add_plan(store, plan)
    click.echo(_drawn(plan, chosen) + ("" if added else "; they were drawn before"))


DRAWN = {
    "points": ("judgement", "each point of a judgement is a task of its own"),
    "preferences": ("pair", ""),
    "turns": ("dialogue", "each turn of the user is a task of its own"),
}
"""What --size counts, and why there may be more tasks than that."""


def _drawn(plan: ReviewPlan, chosen: SampleDesign) -> str:
    """How many were drawn, and how many tasks and marks that makes: 20 judgements may well be 32 tasks."""
    unit, why = DRAWN[chosen.ask]
    units = len({(task.sample, task.assistant) for task in plan.tasks})
    about = f" of {plan.judge}" if plan.judge else ""
    tasks = counted(len(plan.tasks), "task") + (f" ({why})" if len(plan.tasks) != units else "")
    people = f"for {counted(chosen.raters, 'person', 'people')}: {counted(len(plan.tasks) * chosen.raters, 'mark')}"
    return f"drawn: {counted(units, unit)}{about}\n{tasks} {people} in all"


@command.command("list")
@RUN
@json_option
def listed(run: Path, *, as_json: bool) -> None:
    """List the tasks of a RUN with their state, and the marks with their reasons (--json).

    benchbar review list runs/model-jurisdiction-zh
    """
    from benchbar.cli.printing import print_json, print_table
    from benchbar.measures.raters import odd_raters
    from benchbar.scoring.people import human_marks

    reviews = read_run_reviews(run)
    rows = [(task, *reviews.status(task)) for task in reviews.tasks.values()]
    if as_json:
        tasks = [
            {
                "task": task.id,
                "sample": task.sample,
                "assistant": task.assistant,
                "reasons": task.reasons,
                "probability": task.probability,
                "annotators": task.annotators,
                "given": reviews.assigned.people(task.id),
                "status": status,
                "value": value,
                "marks": reviews.standing(task.id),
            }
            for task, status, value in rows
        ]
        print_json({"tasks": tasks, "assistants": human_marks(reviews), "marks": reviews.marks})
        return
    table = [
        (task.id, status, f"{len(reviews.standing(task.id))}/{task.annotators}", ", ".join(task.reasons))
        for task, status, _ in rows
    ]
    print_table(("task", "state", "marks", "why"), table)
    states = [status for _, status, _ in rows]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    click.echo(f"{counted(len(rows), 'task')}: {counts or 'nothing to mark'}")
    for measure, one in odd_raters(reviews):
        click.echo(
            f"{one.rater} marks differently from the others ({measure}): {one.how} by {100 * one.by:.0f} of 100 points on"
            f" {one.tasks} tasks, p {one.p_value:.2g} (permutation, Holm over all raters). Ask why before the marks decide"
        )


@command.command("next")
@RUN
@rater_option
@click.option("--adjudicate", is_flag=True, help="A task on which others differ.")
@kind_option
@json_option
def following(run: Path, rater: str, kind: str, *, adjudicate: bool, as_json: bool) -> None:
    """Show the next task that this person has not marked, without the assistant's name or any grade.

    benchbar review next runs/model-jurisdiction-zh --rater lawyer-1
    """
    from benchbar.cli.printing import print_json

    reviews = read_run_reviews(run)
    task = next(_open(reviews, rater, kind, adjudicate=adjudicate), None)
    found = _forms(run, reviews, [task])[0] if task else None
    if as_json:
        print_json({"task": found})
    elif found is None:
        click.echo("nothing is left to mark")
    else:
        _show(found, run, rater, adjudicate=adjudicate)


def _open(reviews: Reviews, rater: str, kind: str, *, adjudicate: bool) -> Iterator[ReviewTask]:
    wanted = "differ" if adjudicate else "open"
    # What somebody was asked for by name comes first.
    mine = reviews.assigned.to(rater)
    for task in sorted(_of_kind(reviews, kind), key=lambda task: task.id not in mine):
        raters = {one.mark.rater for one in reviews.standing(task.id)}
        kept = {*raters, *reviews.assigned.people(task.id)} - {rater}
        # Nobody adjudicates a task that they marked themselves, nor takes a place that is kept for somebody.
        if rater not in raters and reviews.status(task)[0] == wanted and (adjudicate or len(kept) < task.annotators):
            yield task


def _of_kind(reviews: Reviews, kind: str) -> Iterator[ReviewTask]:
    return (task for task in reviews.tasks.values() if task.kind == kind)


def _show(form: Form, run: Path, rater: str, *, adjudicate: bool) -> None:
    from benchbar.reports.printing import printable_lines

    for title, text in (("needs", form.needs), ("knows", form.information), ("guidance", "\n".join(form.guidance))):
        if text:
            click.secho(title, bold=True)
            click.echo(printable_lines(text))
    for name, turns in (("first", form.turns), ("second", form.other)):
        if form.other:
            click.secho(f"\n== {name} ==", bold=True)
        for role, text in turns:
            click.secho(f"\n{role}", bold=True)
            click.echo(printable_lines(text))
    for title, text in (("what the judge said", form.judge), ("asked about", form.question)):
        if text:
            click.secho(f"\n{title}", bold=True)
            click.echo(printable_lines(text))
    more = " --adjudicate" if adjudicate else ""
    say = _ANSWERS.get(form.measure, "--score 0-100")
    click.echo(f'\nbenchbar review mark {run} {form.task} --rater {rater}{more} {say} --reason "..."')


_ANSWERS = {
    COMPARED: f"--better {'|'.join(BETTER)}",
    POINT: f"--referred|--not-referred --right|--wrong [--error {'|'.join(ERRORS[POINT])}]",
    TURN: f"--right|--wrong [--error {'|'.join(ERRORS[TURN])}]",
}


@command.command()
@RUN
@click.argument("task")
@rater_option
@click.option("--score", type=NumberRange(0, 100), help="0 to 100; left out with --cannot-say.")
@click.option("--better", type=click.Choice([*BETTER]), help="Where two dialogues are compared: which one is better.")
@click.option(
    "--right/--wrong", default=None, help="Whether the judge's decision is right, or the user's turn aligned."
)
@click.option("--referred/--not-referred", default=None, help="Whether the judge speaks of the guidance point.")
@click.option("--error", default="", metavar="TYPE", help="What kind of error it is, where it is wrong.")
@click.option("--cannot-say", is_flag=True, help="It cannot be decided.")
@click.option("--reason", default="", help="Why; it is kept and listed, to improve rules and prompts.")
@click.option("--correct", is_flag=True, help="In the place of one's own mark before; both are kept.")
@click.option("--adjudicate", is_flag=True, help="Settle what others differ on.")
def mark(
    run: Path,
    task: str,
    rater: str,
    score: float | None,
    better: str | None,
    reason: str,
    error: str,
    *,
    right: bool | None,
    referred: bool | None,
    cannot_say: bool,
    correct: bool,
    adjudicate: bool,
) -> None:
    """Mark a TASK of a RUN from 0 to 100, say which of two dialogues is better, or whether a judge or a user is right.

    benchbar review mark runs/r 3f2a9c81d0b4 --rater lawyer-1 --score 80 --reason "the term is right, no article"
    benchbar review mark runs/r 81d0b43f2a9c --rater lawyer-1 --better first
    benchbar review mark runs/r b4381d0f2a9c --rater lawyer-1 --referred --wrong --error partly_met
    """
    from benchbar.ledger.reviews import add_mark
    from benchbar.records import Mark

    # A score of 0 is a score.
    if sum([score is not None, better is not None, right is not None, cannot_say]) != 1:
        raise UserError("expected one of --score, --better, --right, --wrong and --cannot-say")
    value = _value(read_run_reviews(run), task, score, better, right=right)
    with _writing(run) as store:
        given = Mark(
            task=task,
            rater=rater,
            value=value,
            reason=reason,
            adjudication=adjudicate,
            referred=referred,
            error=error,
        )
        number = add_mark(store, given, correct=correct)
    click.echo(f"mark {number} kept")


def _value(reviews: Reviews, task: str, score: float | None, better: str | None, *, right: bool | None) -> float | None:
    asked = reviews.tasks.get(task)
    if asked is not None:
        wanted = _ANSWERS.get(asked.measure, "--score")
        given = {"--score": score, "--better": better, "--right": right}
        if odd := [option for option, value in given.items() if value is not None and option not in wanted]:
            raise UserError(f"task {task} {_ASKED[asked.measure]}: mark it with {wanted}, not with {odd[0]}")
    if right is not None:
        return float(right)
    if better is None or asked is None:
        return None if score is None else score / 100
    # Which dialogue was shown first is the task's secret; the mark is kept as a value of its assistant.
    return reviews.outcome(asked, BETTER[better])


_ASKED = {
    GRADED: "is one dialogue",
    COMPARED: "compares two dialogues",
    POINT: "asks about a judge's decision",
    TURN: "asks about a user's turn",
}


@command.command()
@RUN
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--format", "form", type=click.Choice(FORMATS), default="csv", show_default=True, help="What to write.")
@kind_option
def export(run: Path, file: Path, form: str, kind: str) -> None:
    """Write the tasks of a RUN that are not settled to FILE, for a spreadsheet or Label Studio.

    benchbar review export runs/model-jurisdiction-zh tasks.csv
    benchbar review export runs/r points.csv --kind points
    """
    from benchbar.records.files import write_atomically
    from benchbar.reports import review_form

    reviews = read_run_reviews(run)
    # Settled tasks are left out: a sheet that is marked again would double their marks.
    tasks = [task for task in reviews.tasks.values() if reviews.status(task)[0] in {"open", "differ"}]
    if form != "csv" and kind != "dialogues":
        raise UserError(f"--kind {kind} is written as CSV; leave --format {form} out")
    tasks = [task for task in _of_kind(reviews, kind) if reviews.status(task)[0] in {"open", "differ"}]
    write_atomically(file, review_form.FORMATS[form](_forms(run, reviews, tasks)))
    click.echo(f"{counted(len(tasks), 'task')} written: {file}")


@command.command("import")
@RUN
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--format", "form", type=click.Choice(FORMATS), default="csv", show_default=True, help="What it holds.")
def import_(run: Path, file: Path, form: str) -> None:
    """Read marks from FILE into a RUN: all of them, or none where one does not fit.

    benchbar review import runs/model-jurisdiction-zh tasks.csv
    """
    from benchbar.ledger.reviews import add_marks

    # All are read before any is written: half an imported sheet could not be imported again.
    marks = _unshuffled(_marks(file, form), read_run_reviews(run))
    with _writing(run) as store:
        add_marks(store, marks)
    if not marks:
        raise BadInputError(
            "no mark is in it; fill the column of marks of what `benchbar review export` wrote", file=file
        )
    click.echo(f"{counted(len(marks), 'mark')} kept")


def _unshuffled(marks: list[Mark], reviews: Reviews) -> list[Mark]:
    """The marks with what was said of the dialogue shown first as values of the task's assistant."""
    from msgspec.structs import replace

    def unshuffled(mark: Mark) -> Mark:
        task = reviews.tasks.get(mark.task)
        # An unknown task is refused when marks are written, with all the others.
        if task is None or not task.compared or mark.value is None:
            return mark
        return replace(mark, value=reviews.outcome(task, mark.value))

    return [unshuffled(mark) for mark in marks]


def _marks(file: Path, form: str) -> list[Mark]:
    from benchbar.reports.review_form import marks_of_label_studio, marks_of_rows
    from benchbar.tables.json_rows import read_json
    from benchbar.tables.reading import read_table

    if form == "csv":
        table = read_table(file)
        found = marks_of_rows(table, str(file))
        if table.problems:
            first = table.problems[0]
            raise BadInputError(first.message, file=file, line=first.line)
        return found
    return marks_of_label_studio(read_json(file), str(file))


def read_run_reviews(run: Path) -> Reviews:
    """What people were asked and said in a run, read without touching it."""
    from benchbar.ledger.opening import open_store
    from benchbar.ledger.reviews import read_reviews

    # Not writable, so that a run under way can be looked at.
    store = open_store(_ledger_of(run), writable=False)
    try:
        return read_reviews(store)
    finally:
        store.close()


def _ledger_of(run: Path) -> Path | str:
    from benchbar.ledger.opening import ledger_of

    where = ledger_of(run)
    if isinstance(where, Path) and not where.is_file():
        raise UserError(f"{run}: no ledger.sqlite in it; expected the folder of a run")
    return where


@contextmanager
def _writing(run: Path) -> Iterator[LedgerStore]:
    """The ledger, for this process alone; what people's marks amount to is derived anew at the end."""
    from benchbar.ledger import Ledger
    from benchbar.ledger.reviews import Reviews
    from benchbar.scoring.people import renew_marks

    ledger = Ledger(_ledger_of(run))
    try:
        yield ledger.store
        renew_marks(run, ledger.store, Reviews())
    finally:
        ledger.close()


def _forms(run: Path, reviews: Reviews, tasks: list[ReviewTask]) -> list[Form]:
    from benchbar.artefacts.folder import read_material
    from benchbar.reports.review_form import form_of

    material, suite = read_material(run), _suite(run)
    samples: dict[str, Any] = {sample.id: sample for sample in suite.samples} if suite else {}
    found = []
    for task in tasks:
        own = material.dialogues.get(task.sample, {})
        # A dialogue may be gone where files were derived from a changed suite.
        if all(name in own for name in reviews.sides(task)):
            shown = [own[name] for name in reviews.sides(task)]
            scores = material.scores.get(task.sample, {}).get(task.assistant, ())
            comparisons = material.comparisons.get(task.sample, {}).get(task.assistant, ())
            found.append(
                form_of(task, shown[0], samples.get(task.sample), *shown[1:], scores=scores, comparisons=comparisons)
            )
    return found


def _suite(run: Path) -> Suite | None:
    from benchbar.artefacts.folder import read_results
    from benchbar.cli.report import suite_of

    suite, missing = suite_of(run, read_results(run))
    if missing:
        click.echo(f"without needs and guidance: {missing}", err=True)
    return suite
