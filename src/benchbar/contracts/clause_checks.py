"""What each check of the offline reviewer says of one clause, and the level that they call for together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchbar.contracts.cues import CueHit, danger, find_cues
from benchbar.contracts.generation import ReviewRequest
from benchbar.contracts.injection import find_injections, set_apart
from benchbar.contracts.limits import LimitHit, concerns_side, find_limits
from benchbar.contracts.marks import number_blanked
from benchbar.contracts.one_sided import POWERS, OneSided, most_one_sided
from benchbar.contracts.one_sided import shipped_model as one_sided_model
from benchbar.contracts.parties import mentions, parties
from benchbar.contracts.polarity import concerns, payer
from benchbar.contracts.risk_model import LONGEST, Graded, shipped_model
from benchbar.contracts.rules import RiskRule
from benchbar.contracts.terms import TermHit, find_terms, in_roles, root
from benchbar.contracts.whom import without_own_advantages
from benchbar.contracts.worded_level import level_of, ruled_level
from benchbar.languages.text import folded, sentences
from benchbar.records.contracts import RiskLevel

TELLING = 1.5
"""Least weight of dangerous wordings that mark a clause by themselves. On the bundled Chinese clauses marks by one wording of weight 1
were right 10 times of 15 where two clauses of three hold a risk, which is chance; from 1.5 on, 7 times of 7."""


@dataclass(frozen=True, slots=True)
class Checks:
    """What each check says about one clause."""

    cues: tuple[CueHit, ...]
    limits: tuple[LimitHit, ...]
    terms: tuple[TermHit, ...]
    graded: Graded | None
    by_rule: bool
    """Whether the cases of a rule on its very topic were held against the clause."""
    cased: RiskLevel | None
    """The level that a case of a rule names for the clause's own words; it counts more than the model's."""
    ruled: RiskLevel
    rules: tuple[RiskRule, ...]
    """Those that may name a finding, best first."""
    others: tuple[str, ...]
    """Names of risks that are the other party's."""
    elsewhere: tuple[str, ...]
    """Names of terms that only contracts of another kind are searched for, and whose words stand here."""
    one_sided: OneSided | None
    """The most one-sided sentence; None where that was not asked."""

    @property
    def one_sided_level(self) -> RiskLevel | None:
        """The level that its words stand for by themselves, whatever they are about; None below the measured threshold."""
        if self.one_sided is None or self.one_sided.probability < one_sided_model().marked_at:
            return None
        return RiskLevel.HIGH if self.one_sided.probability >= one_sided_model().high_at else RiskLevel.MEDIUM

    @property
    def model(self) -> RiskLevel | None:
        """The fitted model's level, None where it abstains."""
        return self.graded.level if self.graded else None

    @property
    def suspected(self) -> bool:
        """Whether the model alone sees a risk: no wording, rule or case names one.

        On the bundled clauses, unseen by the fit, 55 of 90 such suspicions were right where 150 of 225 clauses hold a risk: they tell
        nothing, so they are handed to the reader and mark no clause. With a wording beside them 15 of 20 were right.
        """
        return self.model not in (None, RiskLevel.LOW) and not (self.rules or self.cased or self.telling)

    @property
    def telling(self) -> bool:
        """Whether the dangerous wordings weigh enough to mark a clause that no rule names."""
        return danger(self.cues) >= TELLING

    @property
    def hinted(self) -> bool:
        """Whether a wording that is as often harmless is all that there is against the clause."""
        return danger(self.cues) > 0 and not (self.rules or self.telling)

    @property
    def level(self) -> RiskLevel | None:
        """The gravest level that a check finds; None where none of them has anything to say."""
        found = [one.limit.level if one.beyond else RiskLevel.LOW for one in self.limits]
        found += [one.term.level for one in self.terms]
        found += filter(None, (self.worded, self.one_sided_level))
        return max(found, key=lambda one: one.rank, default=None)

    @property
    def worded(self) -> RiskLevel | None:
        """The level by the clause's words alone: of the rules' cases, else of the model, else of keywords and weighed wordings."""
        if self.cased is not None or (self.model is not None and not self.suspected):
            return self.cased or self.model
        silent = self.suspected or self.hinted or not self.cues
        if self.ruled is RiskLevel.LOW and not self.by_rule and silent:
            return None
        return max(self.ruled, level_of(danger(self.cues)), key=lambda one: one.rank)


def checked(request: ReviewRequest, clause: str) -> Checks:
    whole = number_blanked(clause)
    # A rule for parties whom the clause does not have judges it no more than it names it.
    request = replace(request, rules=tuple(one for one in request.rules if one.may_name(whole, request.kinds)))
    by_rule = _examined_by_rule(request)
    # Bounds of numbers say themselves whom they harm: what a statute forbids may be void for both.
    text = without_own_advantages(whole, request.side, request.language, request.roles)
    terms = _terms(request, text, request.side)
    # Wordings carry no party. Where every named term harms the party across the table, they are most likely words of those terms.
    theirs = bool(request.side) and not terms and bool(_terms(request, text, ""))
    numbers = find_limits(whole, request.language, request.day, request.place, request.roles)
    return Checks(
        cues=() if theirs else _cues(request, text),
        limits=tuple(one for one in numbers if not one.beyond or concerns_side(one, request.side)),
        others=_harms_others(request, whole, numbers, terms),
        elsewhere=_in_other_kinds(request, text, terms),
        terms=terms,
        # A rule whose cases say what is grave grades its topic itself: beside the rules of the model jurisdiction the model, fitted on
        # another style, called every third harmless clause high.
        # Like the classes below it was fitted on what harms the weaker party.
        graded=None
        if by_rule or theirs or not request.prose or _stronger(request.side)
        else _graded(text, request.language),
        by_rule=by_rule,
        cased=max(
            filter(None, (rule.level_of(text, request.side) for rule in request.rules)),
            key=lambda one: one.rank,
            default=None,
        ),
        ruled=ruled_level(request.rules, text, request.side),
        rules=tuple(_chosen(request, text)),
        # A rule that was written for the topic knows more of it than the kind of the words does.
        one_sided=None if by_rule or theirs or not request.prose else _one_sided(request, text),
    )


def _cues(request: ReviewRequest, text: str) -> tuple[CueHit, ...]:
    """The wordings that also stand where the contract's labels are read as what they are: 乙方 may be the tenant."""
    named = {(one.cue.name, one.text) for one in find_cues(in_roles(text, request.roles), request.side)}
    own = find_cues(text, request.side)
    return tuple(one for one in own if (one.cue.name, in_roles(one.text, request.roles)) in named)


def _harms_others(
    request: ReviewRequest, text: str, numbers: Sequence[LimitHit], terms: Sequence[TermHit]
) -> tuple[str, ...]:
    """Names of what stands in the clause and harms the party across the table only."""
    found = [one.limit.name for one in numbers if one.beyond and not concerns_side(one, request.side)]
    if request.side and not terms:
        found += [one.name for one in _terms(request, text, "")]
    return tuple(dict.fromkeys(found))


def _in_other_kinds(request: ReviewRequest, text: str, terms: Sequence[TermHit]) -> tuple[str, ...]:
    """What a contract of another kind would be accused of in these words: a reader has to know that the kind decided."""
    if not request.prose:
        return ()
    found = find_terms(text, request.language, request.contract_type, request.side, request.roles, any_kind=True)
    named = {one.name for one in terms}
    return tuple(dict.fromkeys(one.name for one in found if one.name not in named))


def _one_sided(request: ReviewRequest, text: str) -> OneSided | None:
    # It was fitted on clauses that harm the weaker party, and says nothing of what harms the stronger one.
    found = None if _stronger(request.side) else most_one_sided(text, request.language, request.roles)
    if found is None or not found.classes:
        return found
    sentence = in_roles(folded(text[found.start : found.end]), request.roles)
    return found if concerns(_harmed_by_kind(found, sentence, root(request.language)), request.side) else None


def _harmed_by_kind(found: OneSided, sentence: str, language: str) -> str:
    """Id of the party that a kind of words harms in a sentence; empty where they do not tell.

    “Whatever the cause” tells nothing by itself: beside words that free a party it harms whom these harm.
    """
    telling = ("burden", *POWERS, "exemption")
    kind, words = next((one for one in zip(found.classes, found.words, strict=True) if one[0] in telling), ("", ""))
    if kind == "burden":
        bearing = payer(sentence, language)
        return bearing.id if bearing else ""
    if not kind:
        return ""
    permitted = _PERMITTED.search(sentence)
    # “The Client shall not be liable” frees the one that stands before these words.
    freed = sentence.find(words) if words else -1
    end = permitted.start() if permitted else max(freed, 0) if kind == "exemption" else 0
    party = next((one.party for one in mentions(sentence[:end], language) if one.subject), None)
    # A power harms whoever faces the party that has it; of a loss the words do not tell who suffers it.
    return party.counterpart if party else ""


def _stronger(side: str) -> bool:
    return side in parties() and parties()[side].stronger


_PERMITTED = re.compile(r"\b(?:may|can|is entitled)\b|вправе|может|имеет право|有权|可以?", re.IGNORECASE)


def _terms(request: ReviewRequest, text: str, side: str) -> tuple[TermHit, ...]:
    if not request.prose:
        return ()
    return find_terms(text, request.language, request.contract_type, side, request.roles, kinds=request.kinds)


def _examined_by_rule(request: ReviewRequest) -> bool:
    """Whether a rule about the clause's very topic has cases that were held against it."""
    near = [rule for rule in request.rules if rule.id in request.near]
    return any(case.patterns for rule in near if not rule.cases_grade for case in rule.levels.values())


def _graded(text: str, language: str) -> Graded | None:
    """The model's judgement of the gravest stretch of the clause; a stretch is as long as what the model was fitted on."""
    if not language.startswith("zh"):
        return None
    # An order to the reviewer is no wording of the clause: with it the clause would look like none that the model knows.
    text = set_apart(text, find_injections(text), "")
    stretches = [""]
    for start, end in sentences(text):
        if stretches[-1] and len(stretches[-1]) + end - start > LONGEST:
            stretches.append("")
        stretches[-1] += text[start:end]
    judged = [one for one in map(shipped_model().graded, filter(str.strip, stretches)) if one.level is not None]
    return max(judged, key=lambda one: (one.level.rank if one.level else 0, one.high), default=None)


def _chosen(request: ReviewRequest, text: str) -> list[RiskRule]:
    """The rules whose own wordings stand in the clause, most first; else the one that retrieval put far ahead; else none.

    A rule for another kind of contract never names a finding, however near it lies: a clause on dismissal is none on sales.
    """
    rules = [rule for rule in request.rules if rule.may_name(text)]
    literal = [rule for rule in rules if rule.stands_in(text, request.side)]
    # A rule whose own wordings the clause denies is named by nothing: the clause lies near it because it is its opposite.
    return sorted(literal, key=lambda rule: -len(rule.stands_in(text, request.side))) or [
        one for one in rules if one.id in request.near and not (one.cases_grade or one.matches(text))
    ]
