"""A gate's conditions held against single dialogues: which ones break them."""

from __future__ import annotations

from collections.abc import Iterator

from benchbar.decisions.policy import Policy
from benchbar.records import Measures


def broken_by(policy: Policy, one: Measures) -> Iterator[str]:
    """What this dialogue falls short of by its own values; values that are missing break nothing."""
    for measure, threshold in policy.at_least.items():
        value = one.values.get(measure)
        if value is not None and value < threshold:
            yield f"{measure} {value:.3g} is below {threshold:g}"
    for measure, threshold in policy.at_most.items():
        value = one.values.get(measure)
        if value is not None and value > threshold:
            yield f"{measure} {value:.3g} is above {threshold:g}"
    for never in policy.never:
        value = one.values.get(never.measure)
        if value is not None and never.breached(value):
            yield f"{never.measure} {value:.3g} must never occur"
