"""What further samples, trials and runs of the judge are worth after a run with repeated dialogues, at its own prices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchbar.artefacts.folder import read_results
from benchbar.records import RunResults
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.records.repeats import VariancePart
from benchbar.runs.manifest import read_manifest
from benchbar.statistics import Design, Noise, Prices, best_design, cost_of, error_of, worth_repeating_above

POSITIONS = 2
"""Orders in which two dialogues are always shown: what varies with the order is averaged over both."""


def repeating(run: Path, measure: str, assistant: str, question_cost: float) -> dict[str, Any]:
    """The run's parts of the variance and prices, and the standard errors that the same further money buys.

    Raises:
        UserError: the run has no repeated dialogues, no such assistant or measure, or states no prices.
    """
    results = read_results(run)
    if results.repeats is None:
        raise UserError(f"{run}: each dialogue was held once; run it with --repeats 2 or more to see how answers vary")
    name = _chosen(results, assistant)
    parts = results.repeats.assistants[name].parts.get(measure)
    if parts is None:
        raise UnknownNameError(
            "measure with parts of the variance", measure, list(results.repeats.assistants[name].parts)
        )
    noise = _noise(parts)
    made = read_manifest(run)
    judge = made.spec.judge if made else None
    design = Design(results.samples, results.repeats.trials, judge.repeats * (1 + len(judge.panel)) if judge else 1)
    prices = _prices(results, name, design, question_cost)
    trial = design._replace(trials=design.trials + 1)
    more = cost_of(prices, trial) - cost_of(prices, design)
    samples = design.samples + int(more / cost_of(prices, design._replace(samples=1)))
    wider = design._replace(samples=samples)
    return {
        "assistant": name,
        "measure": measure,
        "noise": noise,
        "prices": prices,
        "design": design,
        "standard_error": error_of(noise, design),
        "further_cost": more,
        "one_more_trial": error_of(noise, trial),
        "same_money_in_samples": {"samples": samples, "standard_error": error_of(noise, wider)},
        "repeats_buy_more_above": worth_repeating_above(noise, prices, design),
        "best_for_the_same_money": best_design(noise, prices, cost_of(prices, design)),
    }


def _chosen(results: RunResults, assistant: str) -> str:
    known = [name for name, one in (results.repeats.assistants if results.repeats else {}).items() if one.parts]
    name = assistant or next((one for one in known if one != results.reference), next(iter(known), ""))
    if name not in known:
        raise UnknownNameError("assistant", name, known)
    return name


def _noise(parts: dict[str, VariancePart]) -> Noise:
    """The three stages of the design; a part that is within another is counted there."""
    known = {source: part.variance.value for source, part in parts.items()}
    sample, answer = known["sample"], known["answer"]
    if sample is None or answer is None:
        raise UserError(f"the part of answers cannot be told: {parts['answer'].variance.reason}")
    if "order" not in parts:
        return Noise(sample, answer, known["judge"] or 0.0)
    # Another run of the judge does not change the order, so its part stays with the answer.
    return Noise(sample, answer + (known["order"] or 0.0) / POSITIONS, (known["judge"] or 0.0) / POSITIONS)


def _prices(results: RunResults, name: str, design: Design, question_cost: float) -> Prices:
    dialogues = design.samples * design.trials
    own = results.assistants[name].cost
    shared = {role: results.spending[role].cost for role in ("simulator", "judge") if role in results.spending}
    if own is None or None in shared.values():
        raise UserError("the run states no prices: give each endpoint a price = { input = …, output = … } in the spec")
    # Simulator and judge serve all assistants alike.
    each = {role: (cost or 0.0) / dialogues / len(results.assistants) for role, cost in shared.items()}
    return Prices(
        sample=question_cost,
        answer=own / dialogues + each.get("simulator", 0.0),
        mark=each.get("judge", 0.0) / design.runs,
    )


def repeating_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    """The same as lines of a table."""
    noise, prices, design = found["noise"], found["prices"], found["design"]
    wider, price, best = (
        found["same_money_in_samples"],
        found["repeats_buy_more_above"],
        found["best_for_the_same_money"],
    )
    trials_win = found["one_more_trial"] < wider["standard_error"]
    threshold = (
        "never: answers do not vary" if price is None else f"where a further question costs more than {price:.3g}"
    )
    return [
        (f"{found['assistant']}: {found['measure']}", f"standard error {found['standard_error']:.4f}"),
        ("variance of samples, answers, marks", f"{noise.sample:.4f}, {noise.answer:.4f}, {noise.mark:.4f}"),
        (
            "price of a question, an answer, a mark",
            f"{prices.sample:.3g}, {prices.answer:.3g}, {prices.mark:.3g}",
        ),
        (f"one more trial of each, for {found['further_cost']:.3g}", f"standard error {found['one_more_trial']:.4f}"),
        (
            f"the same money in samples: {wider['samples'] - design.samples} more",
            f"standard error {wider['standard_error']:.4f}",
        ),
        ("what buys more", "more repeats" if trials_win else "more samples"),
        ("repeats buy more", threshold),
        (
            "best for what the run cost",
            "–" if best is None else f"{best.samples} samples, {best.trials} trials, {best.runs} runs of the judge",
        ),
    ]
