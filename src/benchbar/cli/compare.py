"""`benchbar compare`: what changed from one run to the next."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import NumberRange, json_option, pass_mark_option, seed_option
from benchbar.records.errors import UserError


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("run_a", type=click.Path(path_type=Path))
@click.argument("run_b", type=click.Path(path_type=Path))
@click.option("--measure", default="overall", help="The measure of tasks, of fixed and of broken samples.")
@pass_mark_option
@click.option("--tolerance", type=NumberRange(0, 1), default=0.05, help="A score that moves by more has changed.")
@click.option(
    "--pair", "pairs", multiple=True, metavar="NEW=OLD", help="An assistant of RUN_B and its counterpart in RUN_A."
)
@seed_option
@json_option
def command(
    run_a: Path,
    run_b: Path,
    measure: str,
    pass_mark: float,
    tolerance: float,
    pairs: tuple[str, ...],
    seed: int,
    *,
    as_json: bool,
) -> None:
    """Compare RUN_B with RUN_A: paired differences, changed scores, fixed and broken samples.

    Samples are paired by id. Differences are RUN_B minus RUN_A with 95% intervals; p-values come from sign flips over
    samples, with Holm's correction for tasks. The share of changed scores is reported for each layer: those of rules
    should not change, and those of a judge show its noise. Either side may be a file of `benchbar baseline save`.

    benchbar compare runs/monday runs/tuesday
    benchbar compare runs/old runs/new --pair candidate=base --json
    """
    from benchbar.decisions.regression import Settings, compare, read_side
    from benchbar.records import encode

    settings = Settings(measure=measure, pass_mark=pass_mark, tolerance=tolerance, seed=seed)
    first, second = read_side(run_a), read_side(run_b)
    # Only the new run: a measure that came since is compared with nothing, and shown all the same.
    if not any(measure in one.values for one in second.measures):
        known = sorted({name for one in second.measures for name in one.values})
        raise UserError(f"{run_b} has no measure {measure!r}; it has {', '.join(known)}")
    found = compare(first, second, settings, dict(_pair(pair) for pair in pairs))
    if as_json:
        click.echo(encode(found).decode())
        return
    from benchbar.decisions.regression import identical_replies
    from benchbar.reports.comparison import show_comparison
    from benchbar.reports.printing import console
    from benchbar.runs.parts import parts_of_one_suite

    # A stored baseline has no replies to compare.
    identical = identical_replies(run_a, run_b) if run_a.is_dir() and run_b.is_dir() else {}
    show_comparison(found, console(), identical, None if found.same_suite else parts_of_one_suite(run_a, run_b))


def _pair(text: str) -> tuple[str, str]:
    new, equals, old = text.partition("=")
    if not (new and equals and old):
        raise UserError(f"--pair {text!r}: expected NEW=OLD")
    return new, old
