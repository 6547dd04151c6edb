"""``benchbar ablate``: what each part of a system contributes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from benchbar.cli.command import Command
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.runs.ablating import Ablation

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(cls=Command)
@click.argument("spec")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the study. Default: runs/NAME")
@click.option("--clauses", type=_FILE, help="Labelled clauses, in place of the spec's.")
@click.option("--rules", type=_FILE, help="Risk rules, in place of the spec's.")
@click.option(
    "--corpus",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Law that citations are checked against.",
)
@click.option("--sample", type=click.IntRange(1), help="So many clauses, in equal shares of the levels.")
@click.option("--seed", type=int, help="Of the sample and of every interval and test.")
@click.option("--reference", help="The variant that all others are compared with; left out, every pair is.")
@click.option("--model", help="A chat model as the reviewer, in place of the spec's.")
@click.option("--base-url", help="Its chat-completions address, such as http://127.0.0.1:8000/v1.")
@click.option("--api-key-env", help="Name of the environment variable that holds its key.")
@click.option("--concurrency", type=click.IntRange(1, 4096), help="Requests in flight at most.")
@click.option("--max-cost", type=float, help="Stop before this is spent; needs prices in the spec.")
@click.option("--json", "as_json", is_flag=True, help="Print results and timing as one JSON document.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(spec: str, out: Path | None, *, as_json: bool, quiet: bool, **flags: Any) -> None:
    r"""Measure what each part of a system contributes: SPEC is a TOML file or the name of a bundled spec.

    Every variant reviews the same clauses; calls that two variants share are paid once, and the same command again
    goes on where it was stopped. The study's folder gets results.json, timing.json and report.html.

    benchbar ablate offline-contract
    benchbar ablate four-modes --clauses clauses.jsonl --rules risk_rules.jsonl \
                    --model m --base-url http://127.0.0.1:8000/v1
    """
    from benchbar.cli.progress import watched
    from benchbar.runs.ablating import ablate
    from benchbar.runs.ablation_spec import read_ablation

    chosen, base = read_ablation(spec, _overrides(flags))
    with watched(show=not quiet) as (on_progress, cancel):
        done = ablate(chosen, base=base, out=out, on_progress=on_progress, cancel=cancel)
    if as_json:
        click.echo(_document(done))
    else:
        _show(done)


def _overrides(flags: dict[str, Any]) -> dict[str, Any]:
    given = {name: flags[name] for name in ("clauses", "rules", "corpus", "sample", "seed", "reference")}
    if flags["model"]:
        if not flags["base_url"]:
            raise UserError("--model needs --base-url, such as http://127.0.0.1:8000/v1")
        given["generator"] = {"kind": "openai", "model": flags["model"], "base_url": flags["base_url"]}
        if flags["api_key_env"]:
            given["generator"]["api_key_env"] = flags["api_key_env"]
    limits = {name: flags[name] for name in ("concurrency", "max_cost") if flags[name] is not None}
    return given | ({"limits": limits} if limits else {})


def _document(done: Ablation) -> bytes:
    """The results, with the timing where there is one."""
    from benchbar.records import encode

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
