"""How long assistants took. Kept apart from the results: clocks differ between two runs that found the same."""

from __future__ import annotations

import numpy as np

from benchbar.measures.accumulator import FactAccumulator
from benchbar.records import Timing
from benchbar.statistics import mean


def timing(accumulator: FactAccumulator) -> dict[str, Timing]:
    """Assistant to its timing, over dialogues that did not fail."""
    found: dict[str, Timing] = {}
    for name, facts in accumulator.dialogues.items():
        # Nobody answers in no time: a 0 is an answer that was recorded elsewhere, without its seconds.
        values = [fact.latency or None for fact in facts if not fact.failed]
        seconds = [value for value in values if value is not None]
        p50, p95 = (float(np.percentile(seconds, q)) if seconds else None for q in (50, 95))
        found[name] = Timing(mean=mean(values, low=0, unit="dialogue"), p50=p50, p95=p95)
    return found
