"""``benchbar ablate``: what each part of a system contributes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click
import msgspec

from benchbar.cli.command import Command
from benchbar.records.errors import UserError
from benchbar.records.files import write_atomically
from benchbar.runs.ablation_spec import CONSULTATION, CONTRACT, QUESTIONS, AblationSpec, bundled, read_ablation

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
    chosen, base = read_ablation(spec, _overrides(flags))
    folder = out or Path("runs") / chosen.name
    if chosen.kind == QUESTIONS:
        from benchbar.cli.ablate_questions import report, run_questions

        report(asyncio.run(run_questions(chosen, base, folder, show=not quiet)), folder, as_json=as_json)
        return
    results, timing = asyncio.run(_chosen_run(chosen, base, folder, show=not quiet))
    written = _write(folder, results, timing)
    if as_json:
        from benchbar.records import encode

        click.echo(encode({**msgspec.to_builtins(results), "timing": timing}))
        return
    from benchbar.reports.ablation import show

    show(results, timing, written)


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


async def _chosen_run(spec: AblationSpec, base: Path, folder: Path, *, show: bool) -> tuple[Any, Any]:
    if spec.kind == CONTRACT:
        return await _run(spec, base, folder, show=show)
    if spec.kind == CONSULTATION:
        from benchbar.cli.ablate_consultation import run_consultations

        return await run_consultations(spec, base, folder, show=show)
    raise UserError(
        f"kind = {spec.kind!r}; known: {CONTRACT}, {CONSULTATION}, {QUESTIONS}. Bundled specs: {', '.join(bundled())}"
    )


async def _run(spec: AblationSpec, base: Path, folder: Path, *, show: bool) -> tuple[Any, Any]:
    from benchbar.cli.progress import progress
    from benchbar.clients import Budget, Client
    from benchbar.ledger import Ledger
    from benchbar.measures.ablation import read_variants
    from benchbar.measures.contract_ablation import ablation_results, ablation_timing, review_variants

    variants = read_variants(spec.varied())
    clauses, notes = _clauses(spec, base)
    parts = _Parts(spec, base)
    ledger = Ledger(folder / "ledger.sqlite")
    budget = Budget(spec.limits.max_cost, spent=ledger.store.committed_cost())
    client = Client(ledger, budget=budget, concurrency=spec.limits.concurrency, seed=spec.seed)
    try:
        generator = parts.generator(client, ledger)
        reviewers = {one.name: parts.review_one(one.switches, generator) for one in variants}
        with progress(len(variants) * len(clauses), ledger, budget, show=show, label="reviewing") as done:
            reviews = await review_variants(
                reviewers, clauses, at_once=spec.limits.concurrency, done=lambda: done("review")
            )
        await ledger.drain()
    finally:
        await client.close()
        ledger.close()
    results = ablation_results(
        spec.name,
        variants,
        clauses,
        reviews,
        reviewer=generator.identity,
        seed=spec.seed,
        reference=spec.reference,
        notes=[*notes, *parts.notes],
        identity=parts.identity,
    )
    return results, ablation_timing(clauses, reviews)


def _clauses(spec: AblationSpec, base: Path) -> tuple[list[Any], list[str]]:
    import numpy as np

    from benchbar.measures.ablation import balanced_sample
    from benchbar.suites.contract_risk import bundled_clauses, read_labelled

    path = base / spec.clauses if spec.clauses else bundled_clauses()
    clauses, problems = read_labelled(path)
    notes = [f"{len(problems)} rows of {path.name} were left out, the first: {problems[0].message}"] if problems else []
    return balanced_sample(clauses, spec.sample, lambda one: one.level, np.random.default_rng(spec.seed)), notes


class _Parts:
    """Rules, law and reviewers, each made once for all variants."""

    def __init__(self, spec: AblationSpec, base: Path) -> None:
        from benchbar.contracts.bundled import bundled_rules
        from benchbar.contracts.rule_index import RuleIndex
        from benchbar.contracts.rules import read_rules

        self._spec, self._base = spec, base
        rules = read_rules(base / spec.rules) if spec.rules else bundled_rules("zh")
        self._index = RuleIndex(rules) if rules else None
        self._law = self._open_law()
        self.identity = [
            rules.fingerprint if rules else None,
            self._law.identity if self._law else None,
            spec.by_contract_type,
        ]
        self.notes = [] if self._law else ["no corpus was named: citations were not checked, law context is empty"]

    def _open_law(self) -> Any:
        if not self._spec.corpus:
            return None
        from benchbar.contracts.lawbook import CorpusLawBook

        return CorpusLawBook.open(self._base / self._spec.corpus)

    def generator(self, client: Any, ledger: Any) -> Any:
        """The offline reviewer, or the spec's chat model."""
        from benchbar.clients import ChatModel, Endpoint
        from benchbar.contracts.generation import ChatGenerator
        from benchbar.contracts.offline import OfflineReviewer
        from benchbar.languages.prompts import Prompts

        if self._spec.generator is None:
            self.notes.append("reviewed offline: the prompt and self-consistency switches change nothing")
            return OfflineReviewer()
        settings = dict(self._spec.generator)
        kind = settings.pop("kind", "openai")
        if kind != "openai":
            raise UserError(f'generator: unknown kind {kind!r}; known: "openai", or no table for the offline reviewer')
        try:
            endpoint = msgspec.convert(settings, Endpoint)
        except msgspec.ValidationError as error:
            raise UserError(f"generator: {error}") from error
        prompts = Prompts(self._base / self._spec.prompts if self._spec.prompts else None)
        return ChatGenerator(ChatModel(endpoint, client), prompts, nonce=ledger.nonce)

    def review_one(self, switches: dict[str, Any], generator: Any) -> Any:
        """The coroutine function that reviews one labelled clause under these switches."""
        from benchbar.contracts.reviewer import ContractReviewer
        from benchbar.contracts.switches import Switches
        from benchbar.records.contracts import Clause, ClauseKind, ClauseReview, LabelledClause

        try:
            chosen = msgspec.convert(switches, Switches)
        except msgspec.ValidationError as error:
            raise UserError(f"switches {switches}: {error}; known: {', '.join(Switches.__struct_fields__)}") from error
        reviewer = ContractReviewer(generator, rules=self._index, law=self._law, switches=chosen)
        by_type = self._spec.by_contract_type

        async def review(one: LabelledClause) -> ClauseReview:
            clause = Clause(id=one.id, kind=ClauseKind.CLAUSE, text=one.text, start=0, end=len(one.text))
            return await reviewer.review(clause, one.contract_type if by_type else None)

        return review


def _write(folder: Path, results: Any, timing: Any) -> list[Path]:
    from benchbar.records import encode
    from benchbar.reports.ablation import write_report

    written = {
        folder / "results.json": encode(results) + b"\n",
        folder / "timing.json": encode(timing) + b"\n",
        folder / "report.html": write_report(results, timing).encode(),
    }
    for path, data in written.items():
        write_atomically(path, data)
    return list(written)
