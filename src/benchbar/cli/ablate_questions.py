"""Ablation of an assistant on questions that are asked once: its settings are varied, the questions stay."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.records.errors import UserError
from benchbar.records.files import write_atomically
from benchbar.runs.ablation_spec import AblationSpec, run_spec
from benchbar.runs.spec import Spec

if TYPE_CHECKING:
    from benchbar.records.ablation import QuestionAblation

DEFAULT_SUITE = "model-jurisdiction-zh-questions"


async def run_questions(spec: AblationSpec, base: Path, folder: Path, *, show: bool) -> QuestionAblation:
    """Every variant of the spec's assistant, measured on the same questions."""
    from benchbar.cli.progress import progress
    from benchbar.ledger import Ledger
    from benchbar.measures.ablation import read_variants
    from benchbar.measures.question_ablation import question_ablation
    from benchbar.measures.question_answering import RagTally
    from benchbar.records import QUESTION_ANSWERING
    from benchbar.runs.assembling import assembled, chosen_suite
    from benchbar.runs.consultation import planned
    from benchbar.runs.engine import Run

    variants = read_variants(spec.varied())
    names = {f"v{index}": variant for index, variant in enumerate(variants, start=1)}
    run_spec = _run_spec(spec, {key: variant.switches for key, variant in names.items()})
    suite = chosen_suite(run_spec, base)
    if suite.card.protocol != QUESTION_ANSWERING:
        raise UserError(f'suite {suite.card.name!r}: expected one whose card says protocol = "{QUESTION_ANSWERING}"')
    ledger = Ledger(folder / "ledger.sqlite")
    try:
        today = date.today().isoformat()  # noqa: DTZ011 - where the user is
        study, client = assembled(run_spec, suite, ledger, base, today=today)
        tally = RagTally(suite, study.documents)
        try:
            total = sum(1 for _ in planned(study))
            with progress(total, ledger, client.budget, show=show, label="asking") as done:
                await Run(study, tally.add, done, at_once=spec.limits.concurrency).go()
        finally:
            await client.close()
    finally:
        ledger.close()
    facts = {variant.name: tally.facts[key] for key, variant in names.items()}
    return question_ablation(spec.name, suite, variants, facts, seed=spec.seed, reference=spec.reference)


def _run_spec(spec: AblationSpec, variants: Mapping[str, Mapping[str, Any]]) -> Spec:
    given = {"suite": spec.suite or DEFAULT_SUITE, "reference": next(iter(variants)), "law": spec.corpus}
    return run_spec(spec, variants, given)


def report(results: QuestionAblation, folder: Path, *, as_json: bool) -> None:
    """Write results.json and report.md, and print the one or show the other's table."""
    from benchbar.records import encode
    from benchbar.reports.ablation import as_markdown, show_questions

    document = encode(results)
    written = {folder / "results.json": document + b"\n", folder / "report.md": as_markdown(results).encode()}
    for path, data in written.items():
        write_atomically(path, data)
    if as_json:
        click.echo(document)
        return
    show_questions(results, list(written))
