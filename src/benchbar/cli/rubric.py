"""`benchbar rubric`: what quality means, as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Group
from benchbar.cli.options import json_option
from benchbar.records.errors import BadInputError, UserError

if TYPE_CHECKING:
    from benchbar.records import DimensionScore
    from benchbar.records.contracts import ClauseReview
    from benchbar.scoring.rubrics import Rubric, Subject


@click.group(cls=Group)
def command() -> None:
    """List, check and apply rubrics."""


@command.command("list")
@json_option
def listed(*, as_json: bool) -> None:
    """List the rubrics that come with Benchbar.

    benchbar rubric list
    """
    from benchbar.cli.printing import print_json, print_table
    from benchbar.scoring.rubrics import bundled, read_rubric

    rubrics = [read_rubric(name) for name in bundled()]
    if as_json:
        print_json({"rubrics": rubrics})
        return
    rows = [(one.name, one.subject, ", ".join(one.dimensions), one.description) for one in rubrics]
    print_table(("rubric", "of", "dimensions", ""), rows)


@command.command()
@click.argument("rubric")
@json_option
def check(rubric: str, *, as_json: bool) -> None:
    """Check a RUBRIC (a bundled name or a TOML file) and print it whole, with what it builds on.

    benchbar rubric check my-rubric.toml
    """
    from benchbar.cli.printing import print_json, print_table
    from benchbar.scoring.rubrics import read_rubric

    found = read_rubric(rubric)
    if as_json:
        print_json(found)
        return
    rows = [
        (name, one.mode, f"{one.weight:g}", "core" if one.core else "", _bar(one.at_least), item.id, f"{item.weight:g}")
        for name, one in found.dimensions.items()
        for item in one.items or ()
    ]
    rows += [
        (name, one.mode, f"{one.weight:g}", "core" if one.core else "", _bar(one.at_least), "judge", f"{share:g}")
        for name, one in found.dimensions.items()
        if (share := 1.0 if one.mode == "llm_only" else one.judge_weight)
    ]
    print_table(("dimension", "mode", "weight", "", "at least", "item", "weight"), sorted(rows), title=found.name)


def _bar(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


@command.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--rubric", required=True, metavar="NAME", help="A bundled rubric or a TOML file.")
@json_option
def score(file: Path, rubric: str, *, as_json: bool) -> None:
    """Score recorded work in FILE by rules alone: agent traces, or a contract review.

    FILE is JSON, or JSONL with one trace a line: our own form, chat messages with tool calls, OpenTelemetry spans, or a log
    of Inspect (.eval); for a
    contract rubric, what `benchbar review-contract --json` printed. Dialogues are scored by `benchbar run`.

    benchbar rubric score traces.jsonl --rubric agent-trace
    """
    from benchbar.cli.printing import print_json, print_table
    from benchbar.scoring.rubrics import read_rubric

    found = read_rubric(rubric)
    scored = [(name, _scores(found, name, subject)) for name, subject in _subjects(file, found)]
    if not scored:
        raise BadInputError("nothing to score in it", file=file)
    if as_json:
        print_json({"rubric": found.name, **_document(found, scored)})
        return
    rows = [
        (name, one.dimension, "–" if one.value is None else f"{one.value:.3f}", f"{one.rule_share:.0%}", _why(one))
        for name, scores in scored
        for one in scores
    ]
    print_table(("sample", "dimension", "value", "by rules", "items"), rows, title=found.name)


def _why(one: DimensionScore) -> str:
    parts = [f"{mark.item} {'–' if mark.value is None else f'{mark.value:.2f}'} ({mark.reason})" for mark in one.items]
    return one.reason or "; ".join(parts)


def _scores(rubric: Rubric, name: str, subject: Subject) -> tuple[DimensionScore, ...]:
    from benchbar.scoring.rubrics import apply

    assistant = subject.trace.assistant if subject.trace else "reviewer"
    return apply(rubric, subject, sample=name, assistant=assistant)


def _document(rubric: Rubric, scored: list[tuple[str, tuple[DimensionScore, ...]]]) -> dict[str, Any]:
    from benchbar.scoring.rubrics import overall
    from benchbar.statistics import bounded_mean

    return {
        "samples": [
            {"sample": name, "overall": overall(rubric, scores), "dimensions": scores} for name, scores in scored
        ],
        "overall": bounded_mean([overall(rubric, scores) for _, scores in scored]),
        "dimensions": {
            name: bounded_mean([scores[place].value for _, scores in scored])
            for place, name in enumerate(rubric.dimensions)
        },
    }


def _subjects(file: Path, rubric: Rubric) -> list[tuple[str, Subject]]:
    from benchbar.scoring.rubrics import Subject, read_trace

    # Dialogues need their suite and judge, which a run has.
    if rubric.subject == "dialogue":
        raise UserError(
            f"the rubric {rubric.name} is for dialogues: give it to `benchbar run` in the spec, rubric = ..."
        )
    objects = _objects(file)
    if rubric.subject == "trace":
        traces = [read_trace(one, number) for number, one in enumerate(objects, start=1)]
        return [(trace.sample, Subject(trace=trace)) for trace in traces]
    return [(str(number), Subject(reviews=_reviews(one, file))) for number, one in enumerate(objects, start=1)]


def _objects(file: Path) -> list[dict[str, Any]]:
    """One object, a list of them, or one on each line."""
    from benchbar.tables.json_rows import read_json
    from benchbar.tables.reading import read_table
    from benchbar.tables.transcripts import is_log, traces_in

    if is_log(file):
        return list(traces_in(file))
    if file.suffix.lower() in {".jsonl", ".ndjson"}:
        table = read_table(file)
        found = [row for _, row in table]
        # Of many traces the good ones are scored; a single object that is wrong ends the command.
        for problem in table.problems:
            click.echo(f"skipped: {problem.file}:{problem.line}: {problem.message}", err=True)
        return found
    whole = read_json(file)
    found = whole if isinstance(whole, list) else [whole]
    if not all(isinstance(one, dict) for one in found):
        raise BadInputError("a JSON object, or a list of objects, was expected", file=file)
    return found


def _reviews(given: dict[str, Any], file: Path) -> tuple[ClauseReview, ...]:
    """The reviews of what `benchbar review-contract --json` printed."""
    import msgspec

    from benchbar.records.contracts import ClauseReview

    try:
        found = [one["review"] for one in given["clauses"] if one["review"] is not None]
        return msgspec.convert(found, tuple[ClauseReview, ...])
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise BadInputError(f"no contract review: {error}", file=file, field="clauses") from error
