"""What a release has to hold, as a TOML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from benchbar.measures.registry import BY_NAME, definition
from benchbar.records import DimensionBar, MissingKind, Record
from benchbar.records.base import converted
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.records.faults import Fault, faults_of
from benchbar.records.faults import Path as FieldPath
from benchbar.records.measures import MeasureDefinition
from benchbar.records.placed_faults import narrowed, told
from benchbar.records.toml import read_text, read_toml, toml_of

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
    minimum_n: int | None = None
    """So many clean dialogues a pass takes at least; left out, those of the policy."""

    def __post_init__(self) -> None:
        """Refuse an item that says both, neither, or an impossible bound."""
        if self.minimum_n is not None and self.minimum_n < 1:
            raise ValueError(f"{self.measure}: minimum_n {self.minimum_n}; expected at least 1")
        if (self.above is None) == (self.below is None):
            raise ValueError(f"{self.measure}: expected either `above` or `below`")
        if self.bound is not None and not 0 < self.bound < 1:
            raise ValueError(f"{self.measure}: bound {self.bound}; expected a rate between 0 and 1")

    def breached(self, value: float) -> bool:
        """Whether one dialogue's value is a breach."""
        return value > self.above if self.above is not None else self.below is not None and value < self.below


class PassPower(Record, frozen=True):
    """What every one of k trials of a sample has to hold, where dialogues are repeated."""

    measure: str
    k: int
    share: float
    """pass^k has to be at least this: the chance that k trials all pass."""
    at_least: float | None = None
    """A trial passes with a value of at least this (for measures of merit)."""
    at_most: float | None = None
    """A trial passes with a value of at most this (for measures of harm, e.g. ``invented_citation`` at most 0)."""

    def __post_init__(self) -> None:
        """Refuse an item that says both, neither, or asks for what cannot be."""
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError(f"pass_power, {self.measure}: expected either `at_least` or `at_most`")
        if self.k < 1 or not 0 < self.share < 1:
            raise ValueError(
                f"pass_power, {self.measure}: k {self.k}, share {self.share}; expected k of 1 or more and a share between 0 and 1"
            )

    @property
    def name(self) -> str:
        """What the condition's own measure is called."""
        bound = f">={self.at_least:g}" if self.at_least is not None else f"<={self.at_most:g}"
        return f"pass^{self.k} {self.measure}{bound}"

    def passes(self, value: float) -> bool:
        """Whether a trial with this value does; what is off by rounding alone is not off."""
        if self.at_least is not None:
            return value >= self.at_least - 1e-9
        return self.at_most is not None and value <= self.at_most + 1e-9


class NotWorse(Record, frozen=True):
    """What may not have become worse than in a baseline run."""

    margin: float = 0.02
    """How much worse it may be at most, on the measure's own scale."""
    measures: tuple[str, ...] = ("overall",)
    run: str = ""
    """Folder of the baseline, relative to the policy or spec; ``--baseline`` takes its place."""
    assistant: str = ""
    """Its name there, where it is another."""


class MissingValues(Record, frozen=True):
    """What is taken for a value that is missing; without a statement, the worst."""

    assume: Literal["worst_case", "as_observed"] = "worst_case"
    """``as_observed``: missing values are like those that are there."""
    reason: str = ""
    """Why that may be assumed; shown with every decision that rests on it."""
    measures: tuple[str, ...] = ()
    """Measures it is assumed of; left out, all."""
    kinds: tuple[MissingKind, ...] = ()
    """Kinds of missing values it is assumed of, such as ``failed``; left out, all."""

    def __post_init__(self) -> None:
        """Refuse an assumption without a reason: nobody could check it."""
        if self.assume == "as_observed" and not self.reason.strip():
            raise ValueError(
                'missing: assume = "as_observed" needs a reason: say why missing values may be taken to be like the others'
            )

    def covers(self, measure: str, kind: MissingKind) -> bool:
        """Whether a missing value of this kind is taken to be like those that are there."""
        return (
            self.assume == "as_observed"
            and (not self.measures or measure in self.measures)
            and (not self.kinds or kind in self.kinds)
        )


class JudgeError(Record, frozen=True):
    """How far the judge's mean may lie from people's, as its validation found."""

    error: float
    """The end of its interval that is farther from 0, as a share: 0.04 is 4 points of 100."""
    source: str
    """Where that was found; shown with every decision that rests on it."""
    measures: tuple[str, ...] = ()
    """Measures it was found for; left out, all that a judge has a part in."""

    def __post_init__(self) -> None:
        """Refuse an error that is none, or that nobody could look up."""
        if not 0 <= self.error < 1:
            raise ValueError(f"judge: error {self.error}; expected a share from 0 to 1")
        if not self.source.strip():
            raise ValueError("judge: `source` is empty; say where the error was found")


class Releases(Record, frozen=True):
    """The record of what was decided under a policy, and the wrong passes that it allows in all."""

    budget: float = 0.05
    """The share of wrong passes among all passes that is allowed in expectation."""
    record: str = "releases.jsonl"
    """File of the record, beside the policy."""

    def __post_init__(self) -> None:
        """Refuse a budget that allows everything or nothing."""
        if not 0 < self.budget < 0.5:
            raise ValueError(f"releases: budget {self.budget}; expected a share above 0 and below 0.5")
        # A policy may come from somebody else's repository: it must not have files written anywhere.
        if Path(self.record).name != self.record or not self.record.endswith(".jsonl"):
            raise ValueError(
                f"releases: record {self.record!r}; expected a file name that ends in .jsonl, without a folder"
            )


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
    pass_power: tuple[PassPower, ...] = ()
    """What every one of several trials has to hold; needs a run with ``repeats``."""
    advisory: tuple[str, ...] = ()
    """Measures whose checks are shown and decide nothing."""
    where_measured: tuple[str, ...] = ()
    """Measures whose checks are left out where no dialogue has a value at all."""
    rubric: bool = True
    """Whether the run's rubric adds its own thresholds and vetoes."""
    missing: MissingValues = MissingValues()
    """What is taken for missing values."""
    judge: JudgeError | None = None
    """The judge's error from its validation; left out, a pass on its word says that none is known."""
    releases: Releases | None = None
    """The budget that all runs under this policy share; left out, each decision stands alone."""

    @property
    def measures(self) -> frozenset[str]:
        """What it has a condition on."""
        compared = self.not_worse.measures if self.not_worse else ()
        never = (one.measure for one in self.never)
        trials = (one.measure for one in self.pass_power)
        return frozenset((*self.at_least, *self.at_most, *never, *self.evidence, *compared, *trials))

    def __post_init__(self) -> None:
        """Refuse thresholds that nothing can lie between."""
        # The first kind alone: what is no number cannot be compared.
        problems = next((found for check in _CHECKS if (found := [*check(self)])), [])
        if problems:
            raise ValueError("; ".join(problems))


def _no_numbers(policy: Policy) -> Iterator[str]:
    # A policy made in Python is not converted, and a text would be compared by its characters, or not at all.
    given = {"confidence": policy.confidence, **policy.at_least, **policy.at_most, **policy.evidence}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield f"{name}: {value!r} is no number; write it without quotes"


def _off_the_scale(policy: Policy) -> Iterator[str]:
    for table in (policy.at_least, policy.at_most):
        for measure, threshold in table.items():
            # A name that is not ours may be that of an outside rule, in any unit: see `misplaced`.
            if measure in BY_NAME and not definition(measure).allows(threshold):
                yield out_of_range(definition(measure), threshold)
            elif not 0 <= threshold < inf:
                yield f"{measure}: threshold {threshold}; expected a number of at least 0"
    for measure, threshold in policy.evidence.items():
        if not 0 <= threshold <= 1:
            yield f"{measure}: threshold {threshold}; expected a number from 0 to 1"
    # Below a half it would be no confidence.
    if not 0.5 <= policy.confidence < 1:
        yield f"confidence {policy.confidence}; expected at least 0.5 and less than 1"
    if policy.minimum_n < 1 or policy.minimum_marks < 1:
        yield f"minimum_n {policy.minimum_n}, minimum_marks {policy.minimum_marks}; expected at least 1 each"
    if policy.not_worse and not 0 <= policy.not_worse.margin < 1:
        yield f"not_worse: margin {policy.not_worse.margin}; expected a number from 0 to 1"


def _contradictions(policy: Policy) -> Iterator[str]:
    """Pairs of limits on one measure that no value meets."""
    for measure, low in policy.at_least.items():
        high = policy.at_most.get(measure)
        # Equal ones leave a single value, and no interval is a single value.
        if high is not None and low >= high:
            yield f"{measure}: at_least {low:g} and at_most {high:g} leave no room between them; remove or change one"
    for never in policy.never:
        low, high = policy.at_least.get(never.measure, -inf), policy.at_most.get(never.measure, inf)
        if never.above is not None and low > never.above:
            yield f"{never.measure}: at_least {low:g} asks for what `never` above {never.above:g} forbids; change one"
        if never.below is not None and high < never.below:
            yield f"{never.measure}: at_most {high:g} asks for what `never` below {never.below:g} forbids; change one"


_CHECKS = (_no_numbers, _off_the_scale, _contradictions)
"""In this order: what is no number cannot be compared."""


def out_of_range(measure: MeasureDefinition, threshold: float) -> str:
    """What to say of a threshold that no value of the measure reaches."""
    wanted = "a number from 0 to 1" if measure.is_share else f"a number of {measure.unit}"
    return f"{measure.name}: threshold {threshold}; expected {wanted}"


def with_trials(policy: Policy, trials: int) -> Policy:
    """The policy with its conditions on pass^k as thresholds like the others, on a measure of their own.

    Raises:
        UserError: the run has fewer trials of a sample than a condition speaks of.
    """
    for one in policy.pass_power:
        if one.k > trials:
            raise UserError(
                f"the policy asks for pass^{one.k} of {one.measure}, and the run has {trials} of each dialogue; run it with"
                f" --repeats {one.k}, or more"
            )
    return replace(policy, at_least=policy.at_least | {one.name: one.share for one in policy.pass_power})


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
    try:
        return replace(
            policy,
            at_least=policy.at_least | {name: bar.at_least for name, bar in asked.items() if bar.at_least is not None},
            never=(*policy.never, *vetoes),
            advisory=(*policy.advisory, *(name for name, bar in asked.items() if not bar.core)),
        )
    except ValueError as error:
        raise UserError(
            f"the policy and the run's rubric do not fit together: {error}, or set `rubric = false`"
        ) from error


def bundled() -> list[str]:
    """The names of the built-in policies."""
    found = (one.name for one in (files(__package__) / "policies").iterdir())
    return sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml"))


def read_bundled(name: str) -> Policy:
    """A built-in policy.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if name not in bundled():
        raise UnknownNameError("policy", name, [*bundled(), "or a file FILE.toml"])
    return read_toml(files(__package__) / "policies" / f"{name}.toml", Policy)


def read_policy(file: Path | None = None) -> Policy:
    """The policy in a file; the built-in one where none is named.

    Raises:
        BadInputError: the file is no TOML, or a field is missing, unknown, of another type or out of range.
    """
    if file is None:
        return read_bundled(DEFAULT)
    text = read_text(file)
    return policy_of({"name": file.stem, **toml_of(text, dict[str, object], file=file)}, file=file, text=text)


def policy_named(given: str | dict[str, object], base: Path) -> Policy:
    """The policy of a run's spec: a table, a built-in one by its name, or a file relative to ``base``."""
    if isinstance(given, dict):
        return policy_of({"name": "run", **given})
    return read_bundled(given) if given in bundled() else read_policy(base / given)


def baseline_of(policy: Policy, base: Path) -> Path | None:
    """The run that the policy names as the one not to be worse than."""
    return base / policy.not_worse.run if policy.not_worse and policy.not_worse.run else None


def beside(given: str | dict[str, object], base: Path) -> Path:
    """The folder of a policy of a run's spec: there its release record lies."""
    return (base / given).parent if isinstance(given, str) else base


def policy_of(given: dict[str, object], *, file: Path | None = None, text: str = "") -> Policy:
    """The policy that a table describes; ``text`` is that of its file.

    Raises:
        BadInputError: names every field that does not fit.
    """
    if faults := [narrowed(one, given) for one in policy_faults(given)]:
        raise told(faults, file, text)
    return converted(given, Policy, file=file)


def policy_faults(given: Mapping[str, object], path: FieldPath = ()) -> Iterator[Fault]:
    """What is wrong with the fields of a policy, which stands at ``path``."""
    texts = {
        (table, measure): limit
        for table in ("at_least", "at_most", "evidence")
        if isinstance(limits := given.get(table), Mapping)
        for measure, limit in limits.items()
        if isinstance(limit, str)
    }
    for place, limit in texts.items():
        yield Fault((*path, *place), f"{limit!r} is a text; expected a number: write it without quotes")
    for fault in faults_of(given, Policy, path):
        if fault.path[len(path) :] not in texts:
            yield fault
