"""`benchbar check`: all faults of a spec, of its fields and of its parts, before anything is asked or paid for."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import FILE, json_option
from benchbar.records.errors import UserError


@click.command(cls=Command)
@click.argument("spec", required=False, type=FILE)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a spec instead, for editors.")
@json_option
def command(spec: Path | None, *, schema: bool, as_json: bool) -> None:
    """Find the faults of a SPEC, all in one go: of its fields and of its parts (files, suite, judge, rules, gate).

    Each fault is shown with its line, what is known instead, and what to do. No call is made and nothing is written.

      Exit codes: 0 nothing is wrong, 2 something is.

    benchbar check spec.toml
    benchbar check --schema > spec.schema.json
    """
    from benchbar.cli.printing import print_json

    if schema:
        from benchbar.runs.spec_schema import spec_schema

        print_json(spec_schema())
        return
    if spec is None:
        raise UserError("name the SPEC to check, or say --schema")
    from benchbar.runs.checking import check_spec
    from benchbar.runs.receivers import sent_to, targets

    found, suite = check_spec(spec)
    endpoints = [target.name for target in targets(found)]
    if as_json:
        print_json({"spec": str(spec), "suite": suite.card.name, "samples": len(suite.samples), "endpoints": endpoints})
        return
    click.echo(
        f"{spec}: no faults. {suite.card.name}: {len(suite.samples)} samples, {suite.language or suite.card.language}"
    )
    click.echo(f"assistants: {', '.join(found.assistants)}; reference: {found.reference}")
    for line in (*endpoints, *sent_to(found)):
        click.echo(line)
    click.echo(f"what it would cost: benchbar run {spec} --dry-run")
