"""What repeated dialogues show: the parts of the variance, and how often every trial passes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from benchbar.records import Comparison, Estimate, Layer, Measures, Sample, SampleResult, Score, ScoreStatus
from benchbar.records.repeats import AssistantRepeats, PassRates, RepeatResults, VariancePart
from benchbar.scoring.weighing import weigh
from benchbar.statistics import Observation, Part, Trials, pass_at, pass_power, pass_rate, variance_parts
from benchbar.statistics.orders import OUTCOME

OF_DIALOGUES, OF_PAIRS = ("sample", "answer", "judge"), ("sample", "answer", "order", "judge")
"""Where a mark varies, the outermost first; ``judge`` is a run of one judge, or one judge of a panel."""
BY_RULES = "rules alone decided: they say the same each time"
HARM = "invented_citation"
"""The measure of which a dialogue passes that has none."""


@dataclass
class RepeatAccumulator:
    """The values of every trial, taken in sample by sample."""

    pass_mark: float
    observations: dict[str, dict[str, list[Observation]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """Assistant to measure to values."""
    judged: set[tuple[str, str]] = field(default_factory=set)
    """Assistants and measures that a judge had a part in."""
    trials: dict[str, dict[str, list[tuple[str, Trials]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """Assistant to measure to each sample's trials that have a value, and how many of them passed."""

    def add(self, sample: Sample, result: SampleResult, measures: Iterable[Measures]) -> None:
        """Take in what came of one sample; ``measures`` are those of all its trials."""
        for place, trial in enumerate(result.each()):
            path = (sample.id, place)
            for dialogue in trial.dialogues:
                own = [score for score in trial.scores if score.assistant == dialogue.assistant]
                self._add_points(sample, dialogue.assistant, path, own)
            for verdict in trial.comparisons:
                self._add_verdict(verdict, path)
            for mark in trial.rag:
                if mark.value is not None and mark.status is ScoreStatus.SCORED:
                    self.observations[mark.assistant][mark.measure].append(Observation(path, mark.value))
                    self.judged.add((mark.assistant, mark.measure))
        for one in measures:
            self._add_passes(one)

    def _add_points(self, sample: Sample, name: str, path: tuple[object, ...], scores: Sequence[Score]) -> None:
        runs = list(runs_of(sample, scores))
        for scored in runs:
            value = weigh(sample.guidance, scored).value
            if value is not None:
                self.observations[name]["point_score"].append(Observation(path, value))
        if any(score.layer is Layer.LLM for scored in runs for score in scored):
            self.judged.add((name, "point_score"))

    def _add_verdict(self, one: Comparison, path: tuple[object, ...]) -> None:
        if one.winner is not None and one.status is ScoreStatus.SCORED:
            value = OUTCOME[one.winner] if one.value is None else one.value
            self.observations[one.left]["win_rate"].append(Observation((*path, one.order), value))
            self.judged.add((one.left, "win_rate"))

    def _add_passes(self, one: Measures) -> None:
        for measure, wanted in self._wanted().items():
            values = [trial[measure] for trial in one.trials if trial.get(measure) is not None]
            if values:
                passed = sum(wanted.passes(value) for value in values if value is not None)
                self.trials[one.assistant][measure].append((one.sample, Trials(passed, len(values))))

    def _wanted(self) -> Mapping[str, Wanted]:
        return {"point_score": Wanted(self.pass_mark), HARM: Wanted(0.0, at_least=False)}

    def results(self, trials: int, clusters: Mapping[str, str], rater: VariancePart | None = None) -> RepeatResults:
        """What all trials show; ``clusters`` are what samples share with others."""
        names = dict.fromkeys((*self.observations, *self.trials))
        return RepeatResults(
            trials=trials,
            assistants={
                name: AssistantRepeats(
                    parts={
                        measure: self._parts(name, measure, found) for measure, found in self.observations[name].items()
                    },
                    passes={
                        measure: _rates(wanted, of, trials, clusters)
                        for measure, wanted in self._wanted().items()
                        if (of := self.trials[name][measure])
                    },
                )
                for name in names
            },
            rater=rater,
        )

    def _parts(self, name: str, measure: str, found: Sequence[Observation]) -> dict[str, VariancePart]:
        levels = OF_PAIRS if measure == "win_rate" else OF_DIALOGUES
        parts = {level: _kept(part) for level, part in variance_parts(found, levels).items()}
        if (name, measure) not in self.judged:
            parts["judge"] = VariancePart(variance=_without(parts["judge"].variance, BY_RULES))
        return parts


@dataclass(frozen=True)
class Wanted:
    """What a dialogue has to reach in order to pass."""

    threshold: float
    at_least: bool = True

    def passes(self, value: float) -> bool:
        """Whether a dialogue with this value does; what is less by rounding alone is not less."""
        return value >= self.threshold - 1e-9 if self.at_least else value <= self.threshold + 1e-9


def runs_of(sample: Sample, scores: Iterable[Score]) -> Iterator[list[Score]]:
    """What rules said of a dialogue's points with what each run of each judge said of the others; once where none did."""
    points = {point.id for point in sample.guidance.points}
    rules: list[Score] = []
    runs: dict[tuple[str, int], list[Score]] = defaultdict(list)
    for score in scores:
        if score.dimension not in points:
            continue
        if score.layer is Layer.LLM:
            runs[score.scorer, score.repeat].append(score)
        else:
            rules.append(score)
    # A run that failed said nothing: with the rules alone it would be a value of another kind.
    said = [run for run in runs.values() if any(score.status is ScoreStatus.SCORED for score in run)]
    if said or not runs:
        yield from ([*rules, *run] for run in said or [[]])


def _rates(wanted: Wanted, of: Sequence[tuple[str, Trials]], trials: int, clusters: Mapping[str, str]) -> PassRates:
    together = [clusters.get(sample, f"\n{sample}") for sample, _ in of] if clusters else None
    at, power = (
        tuple(
            pass_rate([chance(one, k) for _, one in of], clusters=together, correction="CR2")
            for k in range(1, trials + 1)
        )
        for chance in (pass_at, pass_power)
    )
    return PassRates(threshold=wanted.threshold, at_least=wanted.at_least, at=at, power=power)


def rater_part(rows: Sequence[Sequence[float]]) -> VariancePart:
    """What a person adds who marks a dialogue; ``rows`` are the marks of each dialogue that several people marked."""
    marks = [Observation((task,), value) for task, row in enumerate(rows) for value in row]
    part = _kept(variance_parts(marks, ("dialogue", "rater"))["rater"])
    if part.variance.value is not None:
        return part
    return VariancePart(variance=_without(part.variance, "no two dialogues were marked by two people each"))


def _kept(part: Part) -> VariancePart:
    return VariancePart(variance=part.variance, within=part.within)


def _without(estimate: Estimate, reason: str) -> Estimate:
    return replace(estimate, reason=reason)
