"""`benchbar suite items`: what single samples tell about the assistants of finished runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, pass_mark_option
from benchbar.records.errors import UserError

# The samples that tell least, which is what one looks for; a suite has hundreds.
SHOWN = 15


@dataclass
class _Table:
    """What every assistant met of every sample; None where it has no value."""

    assistants: list[str]
    samples: list[str]
    tasks: list[str]
    rows: list[list[float | None]]


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@pass_mark_option
@click.option(
    "--fewest",
    type=click.IntRange(10),
    default=20,
    show_default=True,
    help="Assistants below which no item response is fitted.",
)
@json_option
def items(runs: tuple[Path, ...], *, pass_mark: float, fewest: int, as_json: bool) -> None:
    """Show difficulty and discrimination of single samples over the assistants of RUNS.

    For each sample: the share met (worth of the dialogue by its guidance, 0 to 1, mean over assistants), and its discrimination
    (correlation with the assistants' other samples). With enough assistants, a two-parameter item response fit. Last, which
    samples could go while the order of the assistants stays as reliable.

    benchbar suite items runs/one runs/two
    """
    from benchbar.cli.printing import print_json
    from benchbar.statistics.items import droppable, item_response, item_rest, share_met, table_of

    found = _gather(runs)
    table = table_of(found.rows)
    fit = item_response(table, pass_mark=pass_mark, fewest=fewest)
    plan = droppable(table, found.tasks)
    shares, correlations = share_met(table), item_rest(table)
    document = {
        "assistants": found.assistants,
        "samples": [
            {"sample": sample, "task": task, "share_met": share, "discrimination": correlation}
            | ({} if isinstance(fit, str) else {"slope": fit.discrimination[at], "difficulty": fit.difficulty[at]})
            for at, (sample, task, share, correlation) in enumerate(
                zip(found.samples, found.tasks, shares, correlations, strict=True)
            )
        ],
        "item_response": {"fitted": False, "reason": fit}
        if isinstance(fit, str)
        else {
            "fitted": True,
            "converged": fit.converged,
            "rounds": fit.rounds,
            "ability": dict(zip(found.assistants, fit.ability, strict=True)),
        },
        "proposal": _proposal(plan, found.samples),
    }
    if as_json:
        print_json(document)
        return
    _print(document)


def _proposal(plan: Any, samples: list[str]) -> dict[str, Any]:
    if isinstance(plan, str):
        return {"made": False, "reason": plan}
    return {
        "made": True,
        "drop": [samples[at] for at in plan.dropped],
        "keep": [samples[at] for at in plan.kept],
        "not_judged": [samples[at] for at in plan.left_out],
        "reliability": plan.reliability,
        "reliability_kept": plan.reliability_kept,
        "rank_correlation": plan.rank_correlation,
    }


def _gather(runs: tuple[Path, ...]) -> _Table:
    """The worth of every dialogue of the runs, all of which are over the same suite."""
    from benchbar.artefacts.folder import read_measures, read_results
    from benchbar.cli.report import suite_of

    values: dict[str, dict[str, float | None]] = {}
    suite = None
    for run in runs:
        results = read_results(run)
        own, missing = suite_of(run, results)
        if own is None:
            raise UserError(f"{run}: the suite of the run is not at hand: {missing}")
        # Under one id may stand another question now.
        if suite is not None and own.fingerprint != suite.fingerprint:
            raise UserError(f"{run} is a run over another suite, or another version of it, than {runs[0]}")
        suite = own
        # Runs of one suite share names of assistants, and mean different ones.
        labels = {name: name if len(runs) == 1 else f"{run.name}/{name}" for name in results.assistants}
        values |= {label: dict.fromkeys((sample.id for sample in own.samples), None) for label in labels.values()}
        # As the run itself weighed them: weighed anew they could only come out the same, or wrong.
        for one in read_measures(run):
            values[labels[one.assistant]][one.sample] = one.values.get("point_score")
    assert suite is not None  # noqa: S101 - click asks for one run at least
    # A run with --limit asked only some of the samples.
    ran = [sample for sample in suite.samples if any(own[sample.id] is not None for own in values.values())]
    if not ran:
        raise UserError("no dialogue of these runs has a mark: the suite has no guidance that was decided")
    return _Table(
        assistants=list(values),
        samples=[sample.id for sample in ran],
        tasks=[sample.task for sample in ran],
        rows=[[own[sample.id] for sample in ran] for own in values.values()],
    )


def _print(document: dict[str, Any]) -> None:
    from benchbar.cli.printing import print_table, shown

    rows = document["samples"]
    fitted = document["item_response"]["fitted"]
    header = ("sample", "task", "share met", "discrimination", *(("slope", "difficulty") if fitted else ()))
    names = ("share_met", "discrimination", *(("slope", "difficulty") if fitted else ()))
    ordered = sorted(
        # Undefined first: a sample that all meet, or none, tells nothing at all.
        rows,
        key=lambda row: (row["discrimination"].value is not None, row["discrimination"].value or 0.0),
    )
    print_table(
        header,
        [(row["sample"], row["task"], *(shown(row[name]) for name in names)) for row in ordered[:SHOWN]],
        f"{len(rows)} samples, {len(document['assistants'])} assistants; those that tell least first",
    )
    if len(rows) > SHOWN:
        click.echo(f"and {len(rows) - SHOWN} more; --json lists all")
    if not fitted:
        click.echo(f"no item response fit: {document['item_response']['reason']}")
    elif not document["item_response"]["converged"]:
        click.echo("the item response fit did not converge: read it with caution")
    _print_proposal(document["proposal"])


def _print_proposal(plan: dict[str, Any]) -> None:
    from benchbar.cli.printing import shown

    if not plan["made"]:
        click.echo(f"no proposal: {plan['reason']}")
        return
    click.echo(
        f"{len(plan['drop'])} samples could go: reliability {plan['reliability']:.3f} with all, "
        f"{plan['reliability_kept']:.3f} without them; rank correlation {shown(plan['rank_correlation'])}"
    )
    if plan["drop"]:
        click.echo(f"  {', '.join(plan['drop'])}")
        click.echo("  chosen on these assistants: try the shorter suite on others before you rely on it")
