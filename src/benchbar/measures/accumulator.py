"""Gathers small facts of each sample while a run goes on; from them come the results."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from benchbar.measures.facts import DialogueFacts, SampleFacts
from benchbar.measures.fidelity import FidelityAccumulator
from benchbar.measures.health import HealthAccumulator
from benchbar.measures.lean import LeanAccumulator
from benchbar.measures.panel import PanelAccumulator
from benchbar.measures.probes import ProbeAccumulator
from benchbar.measures.registry import VALUED
from benchbar.records import (
    TURN,
    Citation,
    Comparison,
    Dialogue,
    DialogueEnd,
    Reduction,
    Sample,
    SampleResult,
    Score,
    ScoreStatus,
    Task,
)
from benchbar.records.measures import MeasureDefinition
from benchbar.scoring.panels import sample_outcome
from benchbar.scoring.weighing import forbidden_points, merged, weigh
from benchbar.statistics import OrderedOutcome, outcomes_by_sample

# Past this many different values sharing no longer pays for the table; it begins anew, which costs memory
# and changes nothing.
MOST_SHARED = 20_000


@dataclass
class FactAccumulator:
    """Facts by assistant, in the order of the suite; the trials of one sample stand together."""

    reference: str
    tasks: dict[str, Task]
    declared: dict[str, MeasureDefinition] = field(default_factory=dict)
    """Measures of scoring rules; the value of one is the mark whose dimension bears its name."""
    dialogues: dict[str, list[DialogueFacts]] = field(default_factory=lambda: defaultdict(list))
    outcomes: dict[str, list[OrderedOutcome]] = field(default_factory=lambda: defaultdict(list))
    """Candidate to the outcome of each of its dialogues under both orders; only where a judge compared."""
    compared: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Candidate to the samples of these outcomes."""
    decided: dict[str, list[float | None]] = field(default_factory=lambda: defaultdict(list))
    """Candidate to what all verdicts on each of its dialogues come to, None where that is nothing."""
    failed_comparisons: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Candidate to task to comparisons without verdict."""
    failures: Counter[str] = field(default_factory=Counter)
    shared: dict[Any, Any] = field(default_factory=dict)
    """Small values that many dialogues have in common, kept once."""
    tie_margin: float | None = None
    """Of the spec's judge."""
    reduction: Reduction = "mean"
    """Of the judges of a panel, where there are several."""
    without_guidance: int = 0
    health: HealthAccumulator = field(default_factory=HealthAccumulator)
    lean: LeanAccumulator = field(default_factory=LeanAccumulator)
    panel: PanelAccumulator = field(default_factory=PanelAccumulator)
    fidelity: FidelityAccumulator = field(default_factory=FidelityAccumulator)
    _last: str = ""
    """The sample that was taken in last."""
    probes: ProbeAccumulator = field(default_factory=ProbeAccumulator)

    def add(self, sample: Sample, result: SampleResult) -> SampleFacts:
        """Take in what came of one sample, or of a further trial of it; its marks are weighed here and nowhere else."""
        if sample.id != self._last:
            self._last = sample.id
            self.without_guidance += not sample.guidance.points
        self.health.add(result)
        self.lean.add(result.comparisons)
        self.panel.add(result)
        self.probes.add(result.probes)
        self.fidelity.add(result)
        dialogues: dict[str, DialogueFacts] = {}
        for dialogue in result.dialogues:
            # Marks of the user's turns are no marks of the assistant.
            marks = [
                score
                for score in result.scores
                if score.assistant == dialogue.assistant and not score.dimension.startswith(TURN)
            ]
            cited = [one.citation for one in result.citations if one.assistant == dialogue.assistant]
            final = merged(marks, self.reduction, forbidden_points(sample.guidance))
            facts = _facts(sample, dialogue, final, cited, self.declared, self._once)
            dialogues[dialogue.assistant] = facts
            self.dialogues[dialogue.assistant].append(facts)
            if dialogue.ended is DialogueEnd.ERROR:
                self.failures[_slug(dialogue.error)] += 1
        return SampleFacts(dialogues, self._add_comparisons(sample, result.comparisons))

    def _once(self, key: Any, value: Any) -> Any:
        if len(self.shared) > MOST_SHARED:
            self.shared.clear()
        return self.shared.setdefault(key, value)

    def _add_comparisons(self, sample: Sample, comparisons: tuple[Comparison, ...]) -> dict[str, float | None]:
        by_candidate: dict[str, list[Comparison]] = defaultdict(list)
        outcomes: dict[str, float | None] = {}
        for comparison in comparisons:
            by_candidate[comparison.left].append(comparison)
        for name, own in by_candidate.items():
            outcome = outcomes_by_sample(own)[sample.id]
            # Outcomes have few distinct values: a hundred thousand dialogues keep a handful of objects.
            self.outcomes[name].append(self._once(outcome, outcome))
            self.compared[name].append(sample.id)
            decided = sample_outcome(own, self.reduction, tie_margin=self.tie_margin)
            outcomes[name] = self._once(decided, decided)
            self.decided[name].append(outcomes[name])
            failed = sum(one.status is ScoreStatus.FAILED for one in own)
            self.failed_comparisons[name][sample.task] += failed
        return outcomes


def _slug(error: str) -> str:
    """Who failed and how, of a dialogue's error such as ``assistant: timeout: no answer within 120 s``."""
    # The message differs from call to call; counted whole, each failure would be a kind of its own.
    return ": ".join(error.split(": ")[:2])


def _facts(
    sample: Sample,
    dialogue: Dialogue,
    final: list[Score],
    cited: list[Citation],
    declared: Collection[str],
    once: Callable[[Any, Any], Any],
) -> DialogueFacts:
    values = {score.dimension: score.value for score in final}
    coverage: dict[str, tuple[float | None, ...]] = {}
    for point in sample.guidance.points:
        coverage[point.category] = (*coverage.get(point.category, ()), values.get(point.id))
    guards = frozenset(finding.guard for finding in dialogue.guards)
    weighing = weigh(sample.guidance, final)
    own = {name: value(sample, dialogue) for name, value in VALUED.items()}
    own |= {name: values.get(name) for name in declared}
    of_citations = tuple((str(one.status), one.quote_score) for one in cited)
    return DialogueFacts(
        sample=sample.id,
        task=sample.task,
        failed=dialogue.ended is DialogueEnd.ERROR,
        exchanges=dialogue.exchanges,
        satisfied=dialogue.ended is DialogueEnd.SATISFIED,
        guards=once(guards, guards),
        input_tokens=dialogue.usage.input_tokens,
        output_tokens=dialogue.usage.output_tokens,
        cost=dialogue.cost,
        latency=dialogue.latency,
        weighing=once(weighing, weighing),
        coverage=once(("coverage", *coverage.items()), coverage),
        abstained=sum(score.status is ScoreStatus.ABSTAINED and score.dimension not in declared for score in final),
        failed_marks=sum(score.status is ScoreStatus.FAILED for score in final),
        citations=once(("citations", *of_citations), of_citations),
        values=once(("values", *own.items()), own),
        temperament=dialogue.temperament,
    )
