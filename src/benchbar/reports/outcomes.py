"""Who won on a sample, as the results count it."""

from __future__ import annotations

from collections.abc import Mapping

from benchbar.artefacts.folder import Material
from benchbar.records import Guidance, RunResults
from benchbar.scoring.weighing import compared, merged, weigh
from benchbar.statistics import averaged, outcomes_by_sample

EVEN = 0.5
Worths = dict[str, dict[str, float | None]]
"""Sample id to assistant to the share of the decided guidance that its dialogue met."""


def worths(material: Material, guidance: Mapping[str, Guidance]) -> Worths:
    """What each dialogue is worth by its decided points; samples whose guidance is not at hand are left out."""
    return {
        sample: {name: weigh(guidance[sample], merged(scores)).value for name, scores in by_assistant.items()}
        for sample, by_assistant in material.scores.items()
        if sample in guidance
    }


def outcomes(results: RunResults, material: Material, worth: Worths) -> dict[str, dict[str, float | None]]:
    """Sample id to candidate to 1 (won), 0 (lost), what lies between, or None where nothing was decided.

    A judge's verdicts over both orders where one compared, else the comparison of decided points.
    """
    candidates = [name for name in results.assistants if name != results.reference]
    return {
        sample: {name: _outcome(results.reference, material, worth, sample, name) for name in candidates}
        for sample in material.dialogues
    }


def _outcome(reference: str, material: Material, worth: Worths, sample: str, name: str) -> float | None:
    if material.comparisons:
        own = material.comparisons.get(sample, {}).get(name, [])
        return averaged(outcomes_by_sample(own).values())[0] if own else None
    by_assistant = worth.get(sample, {})
    return compared(by_assistant.get(name), by_assistant.get(reference))


def called(outcome: float | None) -> str:
    """``won``, ``tied``, ``lost`` or ``missing``."""
    if outcome is None:
        return "missing"
    return "tied" if outcome == EVEN else "won" if outcome > EVEN else "lost"
