"""Two runs side by side: what became better or worse, how stable each layer's scores are, which samples flipped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from benchbar.artefacts.baseline import Baseline, read_baseline
from benchbar.artefacts.folder import read_dialogues, read_measures, read_results, read_scores
from benchbar.decisions.estimating import Values
from benchbar.decisions.evidence import evidence_of
from benchbar.measures.registry import definition
from benchbar.records import Estimate, Layer, Measures, Record, Score, ScoreStatus
from benchbar.records.errors import UserError
from benchbar.records.measures import MeasureDefinition
from benchbar.records.results import HealthFinding
from benchbar.statistics import benjamini_hochberg, bounded_mean, holm, mean, paired_difference, share, sign_flip_test

LEVEL = 0.05
"""Adjusted p-value above which a difference is no finding."""
SHARES = MeasureDefinition(name="share")


class Difference(Record, frozen=True):
    """One measure in both runs, over samples that have a value in both."""

    first: Estimate
    second: Estimate
    difference: Estimate
    """Second less first."""
    p_value: float | None
    """Two-sided, by sign flips over samples; None where nothing differs."""
    p_adjusted: float | None = None
    """Over all tasks by Holm; over all measures of all assistants by Benjamini and Hochberg."""
    measure: MeasureDefinition = SHARES
    """Its unit, and which way is better."""

    @property
    def change(self) -> str:
        """``better``, ``worse``, or ``tied`` where the interval holds 0, the number of tests explains it, or no way is better."""
        low, high = self.difference.low, self.difference.high
        if self.p_adjusted is not None and self.p_adjusted > LEVEL:
            return "tied"
        if low is None or high is None or self.measure.better == "neither" or low <= 0 <= high:
            return "tied"
        return "better" if (low > 0) == (self.measure.better == "higher") else "worse"


class Flip(Record, frozen=True):
    """A sample that passed in one run and not in the other."""

    sample: str
    task: str
    first: float
    second: float


class AssistantComparison(Record, frozen=True):
    """One assistant in both runs."""

    first: str
    """Its name in the first run."""
    second: str
    measures: dict[str, Difference]
    by_task: dict[str, Difference]
    """Of the measure that was asked for."""
    changed: dict[str, Estimate]
    """Layer to the share of its scores that moved by more than the tolerance, or came or went."""
    fixed: tuple[Flip, ...]
    broken: tuple[Flip, ...]
    only_first: int
    """Samples that the other run has not."""
    only_second: int

    @property
    def unmoved(self) -> bool:
        """Whether every measure of the answers is the same in both runs; what they took in time and money may not be."""
        told = [one for one in self.measures.values() if one.measure.unit not in _SPENT]
        return all(not one.difference.value for one in told)


_SPENT = frozenset({"seconds", "cost"})


class RunComparison(Record, frozen=True):
    """Everything that `benchbar compare --json` prints."""

    first: str
    second: str
    same_suite: bool
    measure: str
    pass_mark: float
    tolerance: float
    assistants: dict[str, AssistantComparison]
    """By the name in the second run."""
    doubts: dict[str, tuple[HealthFinding, ...]] = {}
    """Run to what forbids to rely on its figures; where there is anything, no difference is called better or worse."""

    def change(self, one: Difference) -> str:
        """The change, but ``undefined`` in place of better and worse where either run is not to be relied on."""
        return "undefined" if self.doubts and one.change in {"better", "worse"} else one.change


@dataclass(frozen=True)
class Side:
    """One run's share of a comparison."""

    name: str
    measures: Sequence[Measures]
    scores: Sequence[Score]
    suite_fingerprint: str
    declared: Mapping[str, MeasureDefinition] = field(default_factory=dict)
    """Measures that scoring rules of the run declare."""
    health: tuple[HealthFinding, ...] = ()


@dataclass(frozen=True)
class Settings:
    """What to look at, and how closely."""

    measure: str = "overall"
    pass_mark: float = 0.5
    tolerance: float = 0.05
    seed: int = 0


def read_side(place: Path) -> Side:
    """The finished run in a folder, or a stored baseline, as one side of a comparison.

    Raises:
        UserError: the folder is none of a finished run.
        BadInputError: a file is missing or damaged.
    """
    if not place.is_file():
        results = read_results(place)
        scores = list(read_scores(place))
        measures = list(read_measures(place))
        return Side(str(place), measures, scores, results.suite_fingerprint, results.declared, results.health)
    baseline = read_baseline(place)
    run = baseline.run
    marks = list(_marks(baseline))
    return Side(str(place), list(baseline.measures), marks, run.suite_fingerprint, run.declared, run.health)


def identical_replies(first: Path, second: Path) -> dict[str, int]:
    """Assistants whose every dialogue of a sample of both finished runs is the same to the letter, and how many those are."""
    before, after = _said(first), _said(second)
    common = {name: own.keys() & before[name].keys() for name, own in after.items() if name in before}
    return {
        name: len(shared)
        for name, shared in common.items()
        if shared and all(after[name][one] == before[name][one] for one in shared)
    }


def _said(run: Path) -> dict[str, dict[str, tuple[tuple[str, str], ...]]]:
    found: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {}
    for one in read_dialogues(run):
        found.setdefault(one.assistant, {})[one.sample] = tuple((turn.role, turn.content) for turn in one.turns)
    return found


def _marks(baseline: Baseline) -> Iterator[Score]:
    for sample in baseline.samples.values():
        for name, dialogue in sample.dialogues.items():
            for key, value in dialogue.marks.items():
                layer, repeat, dimension = key.split(":", 2)
                yield Score(
                    sample=sample.sample,
                    assistant=name,
                    dimension=dimension,
                    layer=Layer(layer),
                    status=ScoreStatus.ABSTAINED if value is None else ScoreStatus.SCORED,
                    value=value,
                    repeat=int(repeat),
                )


def compare(first: Side, second: Side, settings: Settings, pairs: Mapping[str, str] | None = None) -> RunComparison:
    """The second run against the first, assistant by assistant; ``pairs`` maps names of the second run to the first's.

    Raises:
        UserError: the runs have no assistant in common, or a pair names nobody.
    """
    names = [list(dict.fromkeys(one.assistant for one in side.measures)) for side in (first, second)]
    pairs = pairs or {name: name for name in names[1] if name in names[0]}
    if not pairs:
        raise UserError(
            f"the runs share no assistant: {', '.join(names[0])} and {', '.join(names[1])}; name a pair: --pair NEW=OLD"
        )
    for new, old in pairs.items():
        if new not in names[1] or old not in names[0]:
            raise UserError(
                f"no pair {new}={old}: {second.name} has {', '.join(names[1])}, {first.name} {', '.join(names[0])}"
            )
    found = {new: _assistant(first, second, settings, old, new) for new, old in pairs.items()}
    return RunComparison(
        first=first.name,
        second=second.name,
        same_suite=first.suite_fingerprint == second.suite_fingerprint,
        measure=settings.measure,
        pass_mark=settings.pass_mark,
        tolerance=settings.tolerance,
        assistants=_over_measures(found),
        doubts={side.name: side.health for side in (first, second) if side.health},
    )


def _over_measures(found: Mapping[str, AssistantComparison]) -> dict[str, AssistantComparison]:
    """The p-values of all measures of all assistants, adjusted together.

    By Benjamini and Hochberg: twenty measures are a screen to look at, on which one alarm in twenty may be false. What must
    not be false once is a gate's condition.
    """
    p_values = {
        f"{len(name)} {name} {measure}": one.p_value
        for name, own in found.items()
        for measure, one in own.measures.items()
        if one.p_value is not None
    }
    adjusted = benjamini_hochberg(p_values)
    return {
        name: replace(
            own,
            measures={
                measure: replace(one, p_adjusted=adjusted.get(f"{len(name)} {name} {measure}"))
                for measure, one in own.measures.items()
            },
        )
        for name, own in found.items()
    }


def _assistant(first: Side, second: Side, settings: Settings, old: str, new: str) -> AssistantComparison:
    before, after = evidence_of(first.measures)[old].values, evidence_of(second.measures)[new].values
    # Seeded: comparing the same two runs again prints the same p-values.
    generator = np.random.default_rng(settings.seed)
    declared = {**first.declared, **second.declared}
    kind = definition(settings.measure, declared)
    tasks = {one.sample: one.task for one in second.measures if one.assistant == new}
    known = {one.sample for one in first.measures if one.assistant == old}
    one, two = before.get(settings.measure, {}), after.get(settings.measure, {})
    flips = [_flip(sample, tasks[sample], one.get(sample), two[sample]) for sample in two]
    mark = settings.pass_mark
    # A sample belongs where either run says: the first may be older than the tags that say so.
    clusters = {each.sample: each.cluster for each in (*first.measures, *second.measures) if each.cluster}
    moved = [flip for flip in flips if flip and _passes(kind, flip.first, mark) != _passes(kind, flip.second, mark)]
    return AssistantComparison(
        first=old,
        second=new,
        measures={
            name: _difference(definition(name, declared), before[name], after[name], generator, clusters)
            for name in after
            if name in before and definition(name, declared).is_defined_over(set(tasks.values()))
        },
        by_task=_by_task(kind, one, two, tasks, generator, clusters),
        changed=changed(_own(first.scores, old), _own(second.scores, new), settings.tolerance, clusters),
        fixed=tuple(flip for flip in moved if not _passes(kind, flip.first, mark)),
        broken=tuple(flip for flip in moved if _passes(kind, flip.first, mark)),
        only_first=len(known - tasks.keys()),
        only_second=len(tasks.keys() - known),
    )


def _passes(kind: MeasureDefinition, value: float, mark: float) -> bool:
    """At or beyond the pass mark, from the side on which the measure is better."""
    return value <= mark if kind.better == "lower" else value >= mark


def _flip(sample: str, task: str, first: float | None, second: float | None) -> Flip | None:
    if first is None or second is None:
        return None
    return Flip(sample=sample, task=task, first=first, second=second)


def _own(scores: Iterable[Score], assistant: str) -> list[Score]:
    return [score for score in scores if score.assistant == assistant]


def _difference(
    kind: MeasureDefinition,
    first: Values,
    second: Values,
    generator: np.random.Generator,
    clusters: Mapping[str, str],
) -> Difference:
    # Paired over common samples: a suite that grew meanwhile must not look like a change of the
    # assistant.
    common = [sample for sample in second if sample in first]
    one, two = [first[sample] for sample in common], [second[sample] for sample in common]
    kept = [(a, b, sample) for a, b, sample in zip(one, two, common, strict=True) if a is not None and b is not None]
    together = [clusters.get(sample, f"\n{sample}") for _, _, sample in kept] if clusters else None
    return Difference(
        first=_average(kind, [a for a, _, _ in kept], together),
        second=_average(kind, [b for _, b, _ in kept], together),
        difference=_clustered(kind, [(b, a) for a, b, _ in kept], together, len(common) - len(kept))
        if together
        else difference_in(kind, two, one),
        p_value=sign_flip_test([b - a for a, b, _ in kept], generator, clusters=together).p_value,
        measure=kind,
    )


def _average(kind: MeasureDefinition, values: list[float], clusters: list[str] | None) -> Estimate:
    if clusters is None:
        return bounded_mean(values) if kind.is_share else mean(values)
    low, high = (0.0, 1.0) if kind.is_share else (None, None)
    return mean(values, clusters=clusters, correction="CR2", low=low, high=high)


def _clustered(
    kind: MeasureDefinition, pairs: list[tuple[float, float]], clusters: list[str], n_missing: int
) -> Estimate:
    """As ``difference_in``, where samples belong together."""
    if kind.is_share:
        first, second = [a for a, _ in pairs], [b for _, b in pairs]
        return replace(paired_difference(first, second, clusters=clusters, correction="CR2"), n_missing=n_missing)
    return mean([a - b for a, b in pairs], clusters=clusters, correction="CR2", n_missing=n_missing)


def difference_in(kind: MeasureDefinition, first: Sequence[float | None], second: Sequence[float | None]) -> Estimate:
    """First less second over pairs that have both, looked at once; shares by Tango's interval."""
    if kind.is_share:
        return paired_difference(first, second)
    pairs = zip(first, second, strict=True)
    return mean([None if a is None or b is None else a - b for a, b in pairs])


def _by_task(
    kind: MeasureDefinition,
    first: Values,
    second: Values,
    tasks: Mapping[str, str],
    generator: np.random.Generator,
    clusters: Mapping[str, str],
) -> dict[str, Difference]:
    found = {
        task: _difference(
            kind,
            first,
            {sample: value for sample, value in second.items() if tasks[sample] == task},
            generator,
            clusters,
        )
        for task in dict.fromkeys(tasks.values())
    }
    # Twenty tasks at 5% would show one false alarm in each comparison.
    adjusted = holm({task: one.p_value for task, one in found.items() if one.p_value is not None})
    return {task: replace(one, p_adjusted=adjusted.get(task)) for task, one in found.items()}


def changed(
    first: Iterable[Score], second: Iterable[Score], tolerance: float, clusters: Mapping[str, str] | None = None
) -> dict[str, Estimate]:
    """Layer to the share of scores of samples in both runs that moved by more than ``tolerance``, or came or went.

    A score is one dimension or point of one sample by one layer and repeat; those of one sample are drawn together, and so
    are those of samples in one of the ``clusters``.
    """
    one, two = _keyed(first), _keyed(second)
    samples = {key[1] for key in one} & {key[1] for key in two}
    flags: dict[str, list[tuple[bool, str]]] = {}
    for key in dict.fromkeys([*one, *two]):
        layer, sample, *_ = key
        if sample not in samples:
            continue
        a, b = one.get(key), two.get(key)
        # Undecided in both runs: nothing moved.
        if a is None and b is None:
            continue
        flags.setdefault(layer, []).append((a is None or b is None or abs(a - b) > tolerance, sample))
    together = clusters or {}
    return {
        layer: share(
            [flag for flag, _ in own],
            clusters=[together.get(sample, f"\n{sample}") for _, sample in own],
            correction="CR2" if clusters else "CR1",
            unit="score",
        )
        for layer, own in sorted(flags.items())
    }


def _keyed(scores: Iterable[Score]) -> dict[tuple[str, str, str, int], float | None]:
    return {(str(score.layer), score.sample, score.dimension, score.repeat): score.value for score in scores}
