"""What a release has to hold, as a TOML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from math import inf
from pathlib import Path

from msgspec.structs import replace

from benchbar.measures.registry import BY_NAME, definition
from benchbar.records import DimensionBar, Record
from benchbar.records.base import converted
from benchbar.records.measures import MeasureDefinition
from benchbar.records.toml import read_toml

DEFAULT = "release"


class Never(Record, frozen=True):
    """What must not happen in a single dialogue."""

    measure: str
    above: float | None = None
    """A value above this is a breach (for measures of harm, e.g. ``forbidden_said`` above 0)."""
    below: float | None = None
    """A value below this is a breach (for measures of merit, e.g. ``safety`` below 1)."""
    bound: float | None = None
    """The rate that so many clean dialogues have to exclude; left out, a clean run passes and its bound is printed."""

    def __post_init__(self) -> None:
        """Refuse an item that says both, neither, or an impossible bound."""
        if (self.above is None) == (self.below is None):
            raise ValueError(f"{self.measure}: expected either `above` or `below`")
        if self.bound is not None and not 0 < self.bound < 1:
            raise ValueError(f"{self.measure}: bound {self.bound}; expected a rate between 0 and 1")

    def breached(self, value: float) -> bool:
        """Whether one dialogue's value is a breach."""
        return value > self.above if self.above is not None else self.below is not None and value < self.below


class NotWorse(Record, frozen=True):
    """What may not have become worse than in a baseline run."""

    margin: float = 0.02
    """How much worse it may be at most, on the measure's own scale."""
    measures: tuple[str, ...] = ("overall",)
    run: str = ""
    """Folder of the baseline, relative to the policy or spec; ``--baseline`` takes its place."""
    assistant: str = ""
    """Its name there, where it is another."""


class Policy(Record, frozen=True):
    """All conditions of a gate."""

    name: str = ""
    assistant: str = ""
    """Whom the gate decides on; left out, every assistant but the reference."""
    confidence: float = 0.95
    minimum_n: int = 30
    minimum_marks: int = 25
    """Human marks of an assistant below which the automatic values stand alone: an interval from fewer is too narrow."""
    at_least: dict[str, float] = {}
    at_most: dict[str, float] = {}
    never: tuple[Never, ...] = ()
    evidence: dict[str, float] = {}
    """Measure of absence (``failed``, ``undecided``) to the most of it that this very run may show."""
    not_worse: NotWorse | None = None
    advisory: tuple[str, ...] = ()
    """Measures whose checks are shown and decide nothing."""
    where_measured: tuple[str, ...] = ()
    """Measures whose checks are left out where no dialogue has a value at all."""
    rubric: bool = True
    """Whether the run's rubric adds its own thresholds and vetoes."""

    @property
    def measures(self) -> frozenset[str]:
        """What it has a condition on."""
        compared = self.not_worse.measures if self.not_worse else ()
        never = (one.measure for one in self.never)
        return frozenset((*self.at_least, *self.at_most, *never, *self.evidence, *compared))

    def __post_init__(self) -> None:
        """Refuse thresholds that nothing can lie between."""
        for table in (self.at_least, self.at_most):
            for measure, threshold in table.items():
                # A name that is not ours may be that of an outside rule, in any unit: see `misplaced`.
                if measure in BY_NAME and not definition(measure).allows(threshold):
                    raise ValueError(_out_of_range(definition(measure), threshold))
                if not 0 <= threshold < inf:
                    raise ValueError(f"{measure}: threshold {threshold}; expected a number of at least 0")
        for measure, threshold in self.evidence.items():
            if not 0 <= threshold <= 1:
                raise ValueError(f"{measure}: threshold {threshold}; expected a number from 0 to 1")
        # Below a half it would be no confidence.
        if not 0.5 <= self.confidence < 1:
            raise ValueError(f"confidence {self.confidence}; expected at least 0.5 and less than 1")
        # A variance needs two.
        if self.minimum_n < 1 or self.minimum_marks < 2:
            raise ValueError(
                f"minimum_n {self.minimum_n}, minimum_marks {self.minimum_marks}; expected at least 1 and 2"
            )
        if self.not_worse and not 0 <= self.not_worse.margin < 1:
            raise ValueError(f"not_worse: margin {self.not_worse.margin}; expected a number from 0 to 1")


def misplaced(policy: Policy, declared: Mapping[str, MeasureDefinition]) -> Iterator[str]:
    """What is wrong with thresholds, now that the measures which scoring rules of the run declare are known."""
    for measure, threshold in (*policy.at_least.items(), *policy.at_most.items()):
        kind = definition(measure, declared)
        if not kind.allows(threshold):
            yield _out_of_range(kind, threshold)


def _out_of_range(measure: MeasureDefinition, threshold: float) -> str:
    wanted = "a number from 0 to 1" if measure.is_share else f"a number of {measure.unit}"
    return f"{measure.name}: threshold {threshold}; expected {wanted}"


def with_bars(policy: Policy, bars: Mapping[str, DimensionBar]) -> Policy:
    """The policy with a rubric's own thresholds and vetoes; what the policy says itself comes first.

    Dimensions that are not core are advisory.
    """
    if not policy.rubric:
        return policy
    asked = {name: bar for name, bar in bars.items() if bar.at_least is not None and name not in policy.at_least}
    vetoes = [
        Never(measure=name, below=bar.veto_below)
        for name, bar in bars.items()
        if bar.veto_below is not None and name not in {never.measure for never in policy.never}
    ]
    return replace(
        policy,
        at_least=policy.at_least | {name: bar.at_least for name, bar in asked.items() if bar.at_least is not None},
        never=(*policy.never, *vetoes),
        advisory=(*policy.advisory, *(name for name, bar in asked.items() if not bar.core)),
    )


def read_policy(file: Path | None = None) -> Policy:
    """The policy in a file; the built-in one where none is named.

    Raises:
        BadInputError: the file is no TOML, or a field is missing, unknown, of another type or out of range.
    """
    if file is None:
        return read_toml(files(__package__) / "policies" / f"{DEFAULT}.toml", Policy)
    return policy_of({"name": file.stem, **read_toml(file, dict[str, object])}, file=file)


def policy_named(given: str | dict[str, object], base: Path) -> Policy:
    """The policy of a run's spec: a table, the built-in ``release``, or a file relative to ``base``."""
    if isinstance(given, dict):
        return policy_of({"name": "run", **given})
    return read_policy(None if given == DEFAULT else base / given)


def policy_of(given: dict[str, object], *, file: Path | None = None) -> Policy:
    """The policy that a table describes.

    Raises:
        BadInputError: names the field that does not fit.
    """
    return converted(given, Policy, file=file)
