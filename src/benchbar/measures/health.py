"""Whether the run can be believed: judges that cannot be read or do not look, assistants that never answered.

It stands before every figure, since no interval shows it: a coin has a narrow one after a thousand throws.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, fsum, lgamma, log, log1p

from msgspec.structs import replace

from benchbar.languages.errors import told_in
from benchbar.languages.packs import FALLBACK, Labels, labels
from benchbar.languages.reasons import reason_in
from benchbar.records import Dialogue, DialogueEnd, Estimate, Layer, SampleResult, ScoreStatus, errors
from benchbar.records.results import HealthFinding
from benchbar.statistics import OrderedOutcome, proportion

RULES = "rules"
"""Who looked at the simulated user's turns, where no judge did."""
LEAST_PAIRS = 5
"""Samples below which the two orders of a judge say nothing of it."""
CHANCE = 0.05
"""The judge is believed to look where so much agreement of its orders would come by chance at most this often."""
MANY_UNREADABLE = 0.05
"""Share of verdicts without an answer that could be read, above which a reader has to know before the figures."""
POSITION_ONLY = "the judge's two orders agree no more often than by chance"
UNEVEN = "rules decided much more of one assistant's guidance than of the other's"
MOST_APART = 0.2
"""Difference of the shares of guidance that rules decided of two assistants, above which their comparison is not believed:
rules leave open what is hard to decide, so that what is missing is not missing at random."""


@dataclass
class Attempts:
    """How often one party was asked, how often it gave nothing, and what it said the first time."""

    asked: int = 0
    failed: int = 0
    first: str = ""

    def add(self, reason: str | None) -> None:
        """Once more: with nothing, for this reason, or with something where there is none."""
        self.asked += 1
        if reason is not None:
            self.failed += 1
            self.first = self.first or reason


@dataclass
class HealthAccumulator:
    """Counts of what was asked in vain, taken in sample by sample."""

    judges: dict[str, Attempts] = field(default_factory=lambda: defaultdict(Attempts))
    assistants: dict[str, Attempts] = field(default_factory=lambda: defaultdict(Attempts))

    def add(self, result: SampleResult) -> None:
        """Take in what came of one sample."""
        for dialogue in result.dialogues:
            self.assistants[dialogue.assistant].add(_error_of(dialogue))
        for judge, reason in verdicts(result):
            self.judges[judge].add(reason)


def _error_of(dialogue: Dialogue) -> str | None:
    return dialogue.error if dialogue.ended is DialogueEnd.ERROR else None


def verdicts(result: SampleResult) -> Iterator[tuple[str, str | None]]:
    """Every judge that was asked about the sample, and why it gave nothing where it did not; once for each mark."""
    failed = {dialogue.assistant for dialogue in result.dialogues if dialogue.ended is DialogueEnd.ERROR}
    for comparison in result.comparisons:
        if not failed & {comparison.left, comparison.right}:
            yield comparison.judge, _why_none(comparison.status, comparison.reason)
    for score in result.scores:
        if score.layer is Layer.LLM and score.assistant not in failed:
            yield score.scorer, _why_none(score.status, score.reason)
    for measured in result.rag:
        if measured.assistant not in failed:
            yield measured.scorer, _why_none(measured.status, measured.reason)


def _why_none(status: ScoreStatus, reason: str) -> str | None:
    return reason if status is ScoreStatus.FAILED else None


def finding(
    slug: str, who: str, values: Mapping[str, str], *, share: Estimate | None = None, fatal: bool = False
) -> HealthFinding:
    """A finding with its English text, which logs and old readers show; pages say it in the reader's language."""
    found = HealthFinding(slug=slug, who=who, message="", values={"who": who, **values}, share=share, fatal=fatal)
    return replace(found, message=finding_text(found, FALLBACK))


def looker(who: str, say: Labels) -> str:
    """Who looked, in the reader's language: rules, or a judge by its model and by what it was asked; an assistant by its name."""
    if who == RULES:
        return say("fidelity.rules")
    form, _, model = who.partition(":")
    asked = say.section("judge_form").get(form)
    return say("judge_named.one", model=model, form=asked) if asked and model else who


def finding_text(found: HealthFinding, language: str) -> str:
    """Who, what, and what to do, in a language; the English of the time where an older run kept no more."""
    if not found.values:
        return found.message
    # Dialogues fail and verdicts are missing: two texts, since languages inflect differently.
    key = f"health.{found.slug}" + (f"_{role}" if (role := found.values.get("role")) else "")
    say = labels(language, "report")
    # An assistant may be called as a form of judge is; a judge's name has the form before its model.
    first = found.values.get("first", "")
    told = reason_in(first, language)
    # What failed first was kept in English, as every reason and error is.
    if told == first:
        told = told_in(first, language)
    return say(key, **{**found.values, "first": told, "who": looker(found.who, say)}) + _cure(first)


def _cure(reason: str) -> str:
    """The command that says what to do about a failed call, where the reason (``role: slug: message``) names one of ours."""
    slug = next(iter(reason.split(": ")[1:2]), "")
    known = {one.slug for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.ModelError)}
    return f" (benchbar explain {slug})" if slug in known else ""


def findings(accumulator: HealthAccumulator, orders: Mapping[str, Sequence[OrderedOutcome]]) -> Iterator[HealthFinding]:
    """What a reader has to know before the figures, the gravest first."""
    yield from _never_answered("assistant", accumulator.assistants)
    yield from _never_answered("judge", accumulator.judges)
    for judge, of in accumulator.judges.items():
        if MANY_UNREADABLE * of.asked < of.failed < of.asked:
            values = {"failed": str(of.failed), "asked": str(of.asked), "first": of.first}
            yield finding("unreadable", judge, values, share=proportion(of.failed, of.asked))
    for candidate, outcomes in orders.items():
        if position_only(outcomes):
            both = _both(outcomes)
            changed = sum(one != two for one, two in both)
            values = {"changed": str(changed), "both": str(len(both))}
            yield finding("chance", candidate, values, share=proportion(changed, len(both)))


def unevenly_decided(own: float | None, other: float | None) -> bool:
    """Whether rules decided so much more of one assistant's guidance than of the other's that no comparison holds."""
    return own is not None and other is not None and abs(own - other) > MOST_APART


def uneven(shares: Mapping[str, float | None], reference: str) -> Iterator[HealthFinding]:
    """A finding on the candidates that rules alone compared with the reference, on guidance decided unevenly."""
    other = shares.get(reference)
    if other is None:
        return
    found = {name: own for name, own in shares.items() if own is not None and unevenly_decided(own, other)}
    if found:
        # One for all of them: the same sentence for each of nine candidates would be all that a first screen shows.
        told = ", ".join(f"{name} {own:.0%}" for name, own in found.items())
        yield finding("uneven", ", ".join(found), {"reference": reference, "other": f"{other:.0%}", "told": told})


def _never_answered(role: str, attempts: Mapping[str, Attempts]) -> Iterator[HealthFinding]:
    for who, of in attempts.items():
        if of.asked and of.failed == of.asked:
            values = {"role": role, "asked": str(of.asked), "first": of.first}
            yield finding("failed", who, values, share=proportion(of.failed, of.asked), fatal=True)


def position_only(outcomes: Sequence[OrderedOutcome]) -> bool:
    """Whether a judge's verdicts under both orders are what one that sees positions alone would give.

    Such a judge names the first, the second or neither with fixed probabilities. Both orders then agree with the
    probability 2 first·second + neither²; whether they agree more often is told by the exact binomial test.
    """
    both = _both(outcomes)
    agree = sum(one == two for one, two in both)
    if len(both) < LEAST_PAIRS or agree == len(both):
        return False
    # What the candidate wins as the second of two, the reference loses as the first.
    named = Counter(one for one, _ in both) + Counter(-two for _, two in both)
    first, second, neither = (named[sign] / (2 * len(both)) for sign in (1, -1, 0))
    expected = 2 * first * second + neither**2
    return _at_least(agree, len(both), expected) > CHANCE


def _both(outcomes: Iterable[OrderedOutcome]) -> list[tuple[int, int]]:
    """The candidate's sign under either order, where there are both: 1 better, -1 worse, 0 neither."""
    return [(_sign(one), _sign(two)) for one, two in outcomes if one is not None and two is not None]


def _sign(outcome: float) -> int:
    return (outcome > 0.5) - (outcome < 0.5)


def _at_least(count: int, n: int, chance: float) -> float:
    """The chance of at least so many successes in n trials."""
    # As a sum of its own: importing scipy.special for one probability takes a run longer than a hundred thousand terms.
    if not 0 < chance < 1:
        return float(count == 0 or chance >= 1)
    odds, all_ways = log(chance / (1 - chance)), lgamma(n + 1) + n * log1p(-chance)
    return fsum(exp(all_ways - lgamma(k + 1) - lgamma(n - k + 1) + k * odds) for k in range(count, n + 1))
