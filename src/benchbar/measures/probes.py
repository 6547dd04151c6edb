"""How often each judge was fooled by each probe, and what a reader has to know of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from benchbar.records import Estimate
from benchbar.records.probes import ProbeOutcome
from benchbar.records.results import HealthFinding
from benchbar.statistics import share

TOLERATED = 0.1
"""Share of samples on which a judge may be fooled; a finding where the whole interval lies above."""
MEANING: Mapping[str, str] = {
    "null_model": "does not prefer the expert's answer to an empty one",
    "verbosity": "prefers an answer that says everything twice",
    "position": "names a winner of two equal dialogues",
    "format": "prefers the same words as a list in bold",
    "authority": "prefers an answer that claims to be checked by judges",
}


@dataclass
class ProbeAccumulator:
    """Outcomes by judge and probe, in the order of the suite."""

    outcomes: dict[str, dict[str, list[ProbeOutcome]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def add(self, found: Iterable[ProbeOutcome]) -> None:
        """Take in what came of one sample."""
        for one in found:
            self.outcomes[one.judge][one.probe].append(one)


def rates(accumulator: ProbeAccumulator, clusters: Mapping[str, str]) -> dict[str, dict[str, Estimate]]:
    """Judge to probe to the share of samples on which it was fooled, with Wilson's interval; unread verdicts are missing."""
    return {
        judge: {
            probe: share(
                [one.fooled for one in own],
                clusters=[clusters.get(one.sample, f"\n{one.sample}") for one in own] if clusters else None,
            )
            for probe, own in by_probe.items()
        }
        for judge, by_probe in accumulator.outcomes.items()
    }


def fooled(found: Mapping[str, Mapping[str, Estimate]]) -> Iterator[HealthFinding]:
    """A finding for each probe that fools a judge in surely more than a tenth of the samples."""
    for judge, by_probe in found.items():
        for probe, rate in by_probe.items():
            if rate.low is not None and rate.low > TOLERATED:
                yield HealthFinding(
                    slug="probe",
                    who=judge,
                    share=rate,
                    message=f"judge {judge}: {MEANING[probe]} in {100 * (rate.value or 0):.0f}% of {rate.n} probes"
                    f" ({probe}). Use another judge, or let people compare",
                )
