"""`benchbar align`: ways of judging held against people, chosen on one half and reported on the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.options import FILE, json_option, max_cost_option, quiet_option, seed_option

if TYPE_CHECKING:
    from benchbar.runs.aligning import Aligned


@click.command(cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--candidates", type=FILE, help="Candidates that have to be asked (TOML): docs/align.md.")
@click.option("--folds", type=click.IntRange(2, 20), default=5, show_default=True, help="Of the cross-validation.")
@seed_option
@max_cost_option
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for prompts that show examples.")
@json_option
@quiet_option
def command(
    run: Path,
    candidates: Path | None,
    folds: int,
    seed: int,
    max_cost: float | None,
    out: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find the way of judging that agrees best with people's preferences in a RUN, and what it is worth.

    Candidates are compared by cross-validation on one half of the pairs that people decided. The best of them is held against
    the judge as it is on the other half, which nothing was chosen or fitted by. Nothing is changed: the lines to add to the
    spec are printed. Rerun the command to resume: answers are never paid for twice.

    benchbar align runs/r
    benchbar align runs/r --candidates candidates.toml --max-cost 5
    """
    from benchbar.cli.printing import print_json
    from benchbar.cli.progress import watched
    from benchbar.runs.aligning import align

    with watched(show=not quiet and candidates is not None) as (on_progress, cancel):
        found = align(
            run,
            candidates=candidates,
            folds=folds,
            seed=seed,
            max_cost=max_cost,
            out=out,
            on_progress=on_progress,
            cancel=cancel,
        )
    if as_json:
        print_json(found)
    else:
        _show(found)


def _show(found: Aligned) -> None:
    from benchbar.cli.printing import print_table, probability, shown

    one = found.alignment
    click.echo(
        f"{one.items} pairs that people decided: {one.development} to choose by ({one.folds} folds), {one.reported} to report on"
    )
    rows = [
        (
            f"{'* ' if score.name == one.chosen else ''}{score.name}",
            shown(score.agreement, percent=True),
            str(score.unread or ""),
            score.fitted,
        )
        for score in one.candidates
    ]
    print_table(("candidate", "agrees with people", "no verdict", "fitted"), rows, "To choose by, cross-validated")
    rows = [
        (one.baseline, shown(one.before, percent=True), shown(one.kappa_before), str(one.unread_before or "")),
        (one.chosen, shown(one.after, percent=True), shown(one.kappa_after), str(one.unread_after or "")),
    ]
    title = "On the other half"
    print_table(
        ("", "agrees with people", "Cohen kappa", "no verdict"), rows[: 1 + (one.chosen != one.baseline)], title
    )
    if one.chosen != one.baseline:
        click.echo(f"difference: {shown(one.difference, percent=True)}, p = {probability(one.p_value)}")
    for note in one.notes:
        click.echo(f"note: {note}")
    if found.adopt:
        click.echo("\nto adopt it, write into the spec:\n")
        click.echo("\n".join(f"    {line}" for line in found.adopt))
