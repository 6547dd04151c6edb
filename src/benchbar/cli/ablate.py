"""``benchbar ablate``: what each part of a system contributes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from benchbar.cli.command import Command, section
from benchbar.cli.options import (
    FILE,
    concurrency_option,
    endpoint_of,
    endpoint_options,
    json_option,
    law_option,
    max_cost_option,
    quiet_option,
    rules_option,
    set_option,
    spec_seed_option,
)

if TYPE_CHECKING:
    from benchbar.runs.ablating import Ablation


@click.command(cls=Command)
@click.argument("spec")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the study.  [default: runs/NAME]"
)
@section(
    "What is measured",
    click.option("--clauses", type=FILE, help="Labelled clauses.  [default: the spec's]"),
    rules_option,
    law_option("  [default: the spec's]"),
    spec_seed_option,
    set_option("Any field of the spec, such as sample=90 or reference=guided; may be given several times."),
)
@endpoint_options(
    "A chat model as the reviewer, in place of the spec's.",
    concurrency_option(None, "  [default: the spec's, else 16]"),
    max_cost_option,
)
@json_option
@quiet_option
def command(spec: str, out: Path | None, *, as_json: bool, quiet: bool, settings: dict[str, Any], **flags: Any) -> None:
    r"""Measure what each part of a system contributes: SPEC is a TOML file or the name of a bundled spec.

    Every variant reviews the same clauses; a call that two variants share is paid for once. Rerun the command to
    resume. The study's folder gets results.json, timing.json and report.html.

    benchbar ablate offline-contract
    benchbar ablate four-modes --clauses clauses.jsonl --rules risk_rules.jsonl \
                    --model m --base-url http://127.0.0.1:8000/v1
    """
    from benchbar.cli.progress import watched
    from benchbar.runs.ablating import ablate
    from benchbar.runs.ablation_spec import read_ablation

    chosen, base = read_ablation(spec, _overrides(flags), settings)
    with watched(show=not quiet) as (on_progress, cancel):
        done = ablate(chosen, base=base, out=out, on_progress=on_progress, cancel=cancel)
    if as_json:
        click.echo(_document(done))
    else:
        _show(done)


def _overrides(flags: dict[str, Any]) -> dict[str, Any]:
    # None is what the option is where it was not given, and leaves the spec's own.
    given = {name: flags[name] for name in ("clauses", "rules", "corpus", "seed")}
    if endpoint_of(flags["model"], flags["base_url"], flags["api_key_env"]):
        given["generator"] = {"kind": "openai", "model": flags["model"], "base_url": flags["base_url"]}
        if flags["api_key_env"]:
            given["generator"]["api_key_env"] = flags["api_key_env"]
    limits = {name: flags[name] for name in ("concurrency", "max_cost") if flags[name] is not None}
    return given | ({"limits": limits} if limits else {})


def _document(done: Ablation) -> bytes:
    """The results, with the timing where there is one."""
    from benchbar.records import encode

    # Timing stays beside the results: two runs of one study differ in it and in nothing else.
    if done.timing is None:
        return encode(done.results)
    return encode({**msgspec.to_builtins(done.results), "timing": done.timing})


def _show(done: Ablation) -> None:
    from benchbar.records.ablation import QuestionAblation

    if isinstance(done.results, QuestionAblation):
        from benchbar.reports.ablation import show_questions

        show_questions(done.results, list(done.files))
        return
    from benchbar.reports.ablation import show

    show(done.results, done.timing or {}, list(done.files))
