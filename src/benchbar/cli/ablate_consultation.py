"""Ablation of an assistant in consultations: its settings are varied, the samples stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.measures.ablation import interactions, main_effects, paired_differences, read_variants
from benchbar.measures.contract_ablation import MOST_PAIRS
from benchbar.records import fingerprint
from benchbar.records.ablation import ConsultationAblation, ContrastTable, ReviewTiming, Variant
from benchbar.runs.ablation_spec import AblationSpec, run_spec
from benchbar.runs.spec import Spec

DEFAULT_SUITE = "model-jurisdiction-zh"


async def run_consultations(
    spec: AblationSpec, base: Path, folder: Path, *, show: bool
) -> tuple[ConsultationAblation, dict[str, ReviewTiming]]:
    """Results and timing of every variant of the spec's assistant."""
    from benchbar.cli.progress import progress
    from benchbar.ledger import Ledger
    from benchbar.measures.tally import Tally
    from benchbar.runs.assembling import assembled, chosen_suite
    from benchbar.runs.consultation import planned
    from benchbar.runs.engine import Run

    variants = read_variants(spec.varied())
    names = {f"v{index}": variant for index, variant in enumerate(variants, start=1)}
    run_spec = _run_spec(spec, names)
    suite = chosen_suite(run_spec, base)
    ledger = Ledger(folder / "ledger.sqlite")
    try:
        study, client = assembled(run_spec, suite, ledger, base)
        tally = Tally(reference=study.reference, tasks=suite.tasks)
        try:
            with progress(sum(1 for _ in planned(study)), ledger, client.budget, show=show) as done:
                await Run(study, tally.add, done, at_once=spec.limits.concurrency).go()
        finally:
            await client.close()
    finally:
        ledger.close()
    facts = {variant.name: tally.dialogues[key] for key, variant in names.items()}
    timing = {name: _timing(rows) for name, rows in facts.items()}
    return _results(spec, variants, suite, facts), timing


def _run_spec(spec: AblationSpec, names: Mapping[str, Variant]) -> Spec:
    given = {
        "suite": spec.suite or DEFAULT_SUITE,
        "reference": next((key for key, one in names.items() if one.name == spec.reference), "v1"),
        "exchanges": spec.exchanges,
        "simulator": spec.simulator,
    }
    return run_spec(spec, {key: variant.switches for key, variant in names.items()}, given)


def _timing(rows: list[Any]) -> ReviewTiming:
    from benchbar.measures.review_metrics import quantile
    from benchbar.statistics import mean

    seconds = [one.latency for one in rows if not one.failed]
    return ReviewTiming(
        mean=mean(seconds, low=0, unit="dialogue"), p50=quantile(seconds, 0.5), p95=quantile(seconds, 0.95)
    )


def _notes(spec: AblationSpec) -> Iterator[str]:
    """What a reader has to know: who decided, and that users differed."""
    if spec.judge is None:
        yield "no judge was named: rules alone decided the guidance points"
    if names := (spec.simulator or {}).get("temperaments"):
        yield f"simulated users of the temperaments {', '.join(names)}, the same for every variant"


def _results(
    spec: AblationSpec, variants: tuple[Variant, ...], suite: Any, facts: Mapping[str, list[Any]]
) -> ConsultationAblation:
    from benchbar.statistics import mean, share

    outcomes = {name: {one.sample: one.worth.value for one in rows} for name, rows in facts.items()}
    rng = np.random.default_rng(spec.seed)
    compare = spec.reference is not None or len(variants) <= MOST_PAIRS
    table = ContrastTable(
        outcome="point_score",
        pairs=paired_differences(outcomes, rng, reference=spec.reference) if compare else (),
        main_effects=main_effects(variants, outcomes, rng),
        interactions=interactions(variants, outcomes, rng),
    )
    return ConsultationAblation(
        name=spec.name,
        suite=suite.card.name,
        samples=len(suite.samples),
        seed=spec.seed,
        reference=spec.reference,
        variants=variants,
        results={
            name: {
                "point_score": mean([one.worth.value for one in rows], low=0, high=1),
                "satisfied": share([None if one.failed else one.satisfied for one in rows]),
                "turns": mean([None if one.failed else float(one.exchanges) for one in rows], low=0),
                "cost": mean([one.cost for one in rows], low=0),
            }
            for name, rows in facts.items()
        },
        contrasts=(table,),
        fingerprint=fingerprint([suite.fingerprint, variants, spec.assistant]),
        notes=tuple(_notes(spec)),
    )
