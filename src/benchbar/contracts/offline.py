"""The offline reviewer: a fitted model, rules, limits, terms and weighed wordings, without any chat model.

The same clause always gets the same review. A clause about which none of the checks has anything to say is *not examined*.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchbar.contracts.cues import CueHit, danger, find_cues, power_over, protection
from benchbar.contracts.form import form_words, level_names, write_form
from benchbar.contracts.generation import ReviewRequest
from benchbar.contracts.injection import find_injections, set_apart
from benchbar.contracts.limits import Limit, LimitHit, concerns_side, find_limits
from benchbar.contracts.marks import number_blanked, read_mark
from benchbar.contracts.one_sided import POWERS, OneSided, most_one_sided
from benchbar.contracts.one_sided import shipped_model as one_sided_model
from benchbar.contracts.parse import read_review
from benchbar.contracts.parties import mentions, parties
from benchbar.contracts.polarity import concerns, payer
from benchbar.contracts.risk_model import LONGEST, Graded, shipped_model
from benchbar.contracts.rules import RiskRule, families
from benchbar.contracts.terms import TermHit, find_terms, in_roles, root, terms_of
from benchbar.contracts.whom import without_own_advantages
from benchbar.languages.packs import Labels, labels, pack
from benchbar.languages.text import folded, sentences
from benchbar.records import Reply, Usage
from benchbar.records.contracts import Finding, RiskLevel

HIGH, MEDIUM = 2.0, 0.5
"""Least weight of a level: a right given up alone is high, one open term medium."""
PROTECTED = 0.75
"""How much a protective wording counts against a dangerous one on the second look."""
TELLING = 1.5
"""Least weight of dangerous wordings that mark a clause by themselves. On the bundled Chinese clauses marks by one wording of weight 1
were right 10 times of 15 where two clauses of three hold a risk, which is chance; from 1.5 on, 7 times of 7."""
MOST_EXCERPTS = 3


class OfflineReviewer:
    """A generator that needs no model; prompts and repeats change nothing in it."""

    identity = "offline:13"

    async def review(self, request: ReviewRequest) -> Reply:
        """The form filled in from what the checks found; or the statement that none of them examined the clause."""
        began = time.perf_counter()
        text = request.whole or request.text
        checks = _checks(request, text)
        if checks.level is None:
            return _reply(_not_examined(request, checks), began)
        return _reply(write_form(_findings(request, text, checks, checks.level), request.language), began)

    async def reflect(self, request: ReviewRequest, draft: str) -> Reply:
        """The second look: where hand-set weights of the wordings see another level than the first did, it doubts, and changes none."""
        began = time.perf_counter()
        text = request.whole or request.text
        hits = find_cues(text)
        before = read_review(draft).level or RiskLevel.LOW
        weighed = level_of(danger(hits) - PROTECTED * protection(hits))
        after = max(weighed, _ruled(request.rules, text, request.side), key=lambda one: one.rank)
        # On clauses that nobody had tuned on, the levels it changed were worse twelve times and better nine.
        outcome = "doubtful" if after is not before and hits else "keep"
        words = form_words(request.language)
        level = level_names(request.language)[before]
        reason = f"{danger(hits):g} - {PROTECTED:g} x {protection(hits):g}"
        return _reply(f"outcome: {outcome}\n{words['level']}: {level}\n{words['analysis']}: {reason}", began)


@dataclass(frozen=True, slots=True)
class _Checks:
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


def _checks(request: ReviewRequest, clause: str) -> _Checks:
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
    return _Checks(
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
        ruled=_ruled(request.rules, text, request.side),
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
    """Id of the party that a kind of words harms in a sentence; empty where they do not tell."""
    if found.classes[0] == "burden":
        bearing = payer(sentence, language)
        return bearing.id if bearing else ""
    if found.classes[0] not in (*POWERS, "exemption"):
        return ""
    permitted = _PERMITTED.search(sentence)
    # “The Client shall not be liable” frees the one that stands before these words.
    freed = sentence.find(found.words[0]) if found.words[0] else -1
    end = permitted.start() if permitted else max(freed, 0) if found.classes[0] == "exemption" else 0
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


def _not_examined(request: ReviewRequest, checks: _Checks) -> str:
    words, say = form_words(request.language), labels(request.language, "contract")
    why = say("offline.suspected" if checks.suspected or checks.hinted else "offline.why_not")
    if checks.others:
        why = f"{say('offline.harms_other', names='; '.join(checks.others))} {why}"
    if checks.elsewhere:
        why = f"{say('offline.other_kind', names='; '.join(checks.elsewhere))} {why}"
    return f"### {words['head']}\n- {words['level']}: {say('offline.not_examined')}\n- {words['analysis']}: {why}"


def level_of(weight: float) -> RiskLevel:
    """The level that a weight of wordings stands for."""
    return RiskLevel.HIGH if weight >= HIGH else RiskLevel.MEDIUM if weight >= MEDIUM else RiskLevel.LOW


def least_level(text: str, rules: Sequence[RiskRule] = ()) -> RiskLevel:
    """The level that the clause's own wordings and its rules' cases call for, whatever else it says."""
    return max(level_of(danger(find_cues(text))), _ruled(rules, text), key=lambda one: one.rank)


def _ruled(rules: Sequence[RiskRule], text: str, side: str = "") -> RiskLevel:
    """The gravest level that a case of the rules names; where only keywords meet, medium. Retrieval alone names none."""
    levels = [RiskLevel.LOW]
    for rule in rules:
        named = rule.level_of(text, side)
        if named is not None:
            levels.append(named)
        elif rule.stands_in(text, side) and not protection(find_cues(text)):
            levels.append(RiskLevel.MEDIUM)
    return max(levels, key=lambda one: one.rank)


def _findings(request: ReviewRequest, text: str, checks: _Checks, level: RiskLevel) -> list[Finding]:
    """The limits that are passed, then the rules that stand in the clause, then its wordings; each with its own level."""
    if level is RiskLevel.LOW:
        return [_no_risk(request, text, checks)]
    found = [_limit_finding(one, request) for one in _gravest_each(checks.limits)]
    found += [_term_finding(one, request) for one in checks.terms]
    worded = checks.worded or RiskLevel.LOW
    # Beside a limit that is passed or a term that is named, a finding without a name tells a reader nothing more.
    if worded is not RiskLevel.LOW and (
        checks.rules or not found or worded.rank > max(one.level.rank for one in found)
    ):
        found.append(
            _finding(
                request,
                text,
                checks.cues,
                worded,
                next(iter(checks.rules), None),
                checks.graded if checks.model else None,
            )
        )
        found += [
            _further(request, text, rule, worded) for rule in checks.rules[1:] if rule.stands_in(text, request.side)
        ]
    if checks.one_sided and checks.one_sided_level and all(one.level is RiskLevel.LOW for one in found):
        found.append(_one_sided_finding(request, text, checks.one_sided, checks.one_sided_level))
    return sorted(found, key=lambda one: -one.level.rank)


def _gravest_each(limits: Sequence[LimitHit]) -> Iterator[LimitHit]:
    """The bounds that are passed, of several for one number the gravest: beyond ninety days says beyond sixty."""
    beyond = [one for one in limits if one.beyond]
    for one in beyond:
        same = [other for other in beyond if other.span == one.span and one.span != (0, 0)]
        if not same or one is max(same, key=lambda other: other.limit.level.rank):
            yield one


def _one_sided_finding(request: ReviewRequest, text: str, one: OneSided, level: RiskLevel) -> Finding:
    say = labels(request.language, "contract")
    names = [_quoting(say, say(f"one_sided.{name}"), words) for name, words in zip(one.classes, one.words, strict=True)]
    remedies = (_remedy(say, _REMEDIES[name], text[one.start : one.end]) for name in one.classes if name in _REMEDIES)
    return Finding(
        risk=names[0],
        level=level,
        evidence=" ".join(text[one.start : one.end].split()),
        analysis=say("one_sided.why", words="; ".join(names[:3])),
        suggestion=next(remedies, ""),
        confidence=one.probability,
    )


def _remedy(say: Labels, name: str, sentence: str) -> str:
    """The stock wording that mends a kind of words; of a power, the one for what the sentence gives it over."""
    return say.texts.get(f"remedy.{name}_{power_over(sentence)}") or say.texts.get(f"remedy.{name}", "")


_REMEDIES = {
    "discretion": "unilateral",
    "unasked": "unilateral",
    "denial": "waiver",
    "exemption": "exclusion",
    "burden": "burden",
    "penalty": "forfeiture",
    "forfeiture": "forfeiture",
    "finality": "deemed",
}
"""Which stock wording mends what; the other classes need a wording of their own, which nobody can write without the topic."""


def _further(request: ReviewRequest, text: str, rule: RiskRule, worded: RiskLevel) -> Finding:
    """The finding of a second rule whose own wordings stand in the clause; graded by its cases, else no higher than the clause."""
    part = (
        " ".join(text[start:end] for start, end in sentences(text) if rule.stands_in(text[start:end], request.side))
        or text
    )
    level = rule.level_of(part, request.side) or min(RiskLevel.MEDIUM, worded, key=lambda one: one.rank)
    return _finding(request, part, find_cues(part), level, rule)


def _limit_finding(hit: LimitHit, request: ReviewRequest) -> Finding:
    words = labels(request.language, "contract")
    say = words.section("offline")
    unit = words(f"unit.{hit.limit.unit}")
    value, bound = f"{hit.value:.3g}", f"{hit.bound:.4g}"
    told = say["limit_written"].format(hit.written, value, bound, unit) if hit.written else ""
    return Finding(
        risk=hit.limit.name,
        level=hit.limit.level,
        evidence=" ".join(hit.sentence.split()),
        # A unit may be an abbreviation that ends in a point of its own (мес.).
        analysis=(told or say["limit"].format(f"{hit.value:.4g}", bound, unit)).replace("..", ".")
        + _standing(hit.limit, say)
        + ("" if hit.harmed or hit.limit.either else " " + say["whom_unknown"]),
        law=hit.limit.law,
        suggestion=hit.limit.suggestion,
        # A number beyond a bound is read, not weighed: what may be wrong is which number was read.
        confidence=0.9,
    )


def _standing(limit: Limit, say: Mapping[str, str]) -> str:
    """What the reader is told of a bound that no statute sets, or whose statute nobody read."""
    return " " + say["limit_custom"] if limit.custom else "" if limit.checked else " " + say["limit_unchecked"]


def _term_finding(hit: TermHit, request: ReviewRequest) -> Finding:
    say = labels(request.language, "contract")
    return Finding(
        risk=hit.name,
        level=hit.term.level,
        evidence=" ".join(hit.sentence.split()),
        analysis=say("offline.term"),
        law=hit.term.law,
        suggestion=_fitting(hit, request),
        # Read like a number, but words have more ways to mean something else.
        confidence=0.8,
    )


def _fitting(hit: TermHit, request: ReviewRequest) -> str:
    """What to write instead; nothing where that speaks of parties of another kind of contract: a landlord is no answer to an agency."""
    suggestion, spoken = hit.term.suggestion, root(request.language)
    here = {one.party.kind for one in mentions(in_roles(folded(hit.sentence), request.roles), spoken)}
    known = here | (families(request.contract_type) if request.contract_type else set())
    named = {one.party.kind for one in mentions(suggestion, spoken)}
    return suggestion if not known or not named or named & known else ""


def _no_risk(request: ReviewRequest, text: str, checks: _Checks) -> Finding:
    """No risk found, and by which checks: silence of theirs is no reason to keep a wording, so nothing is advised."""
    say = labels(request.language, "contract")
    safe = [hit for hit in checks.cues if hit.cue.weight < 0]
    names = say.section("offline")
    done = [names["check_words"]]
    done += [names["check_model"]] if checks.model else []
    terms = len(terms_of(request.language)) if request.prose else 0
    done += [names["check_terms"].format(terms)] if terms else []
    done += [names["check_one_sided"]] if checks.one_sided else []
    done += [names["check_rules"].format(len(request.rules))] if request.rules else []
    bounds = "; ".join(one.limit.name for one in checks.limits)
    done += [names["check_limits"].format(bounds)] if bounds else []
    listed = names["checks"].format("; ".join(done))
    other = names["harms_other"].replace("{names}", "; ".join(checks.others)) if checks.others else ""
    kind = names["other_kind"].replace("{names}", "; ".join(checks.elsewhere)) if checks.elsewhere else ""
    return Finding(
        risk=say("offline.no_risk"),
        level=RiskLevel.LOW,
        evidence="\n".join(_excerpts(text, safe or checks.cues, None)),
        analysis=" ".join(filter(None, (other, kind, _meanings(safe, say), listed))),
        confidence=checks.graded.low if checks.graded else _confidence(checks.cues),
    )


def _finding(
    request: ReviewRequest,
    text: str,
    hits: Sequence[CueHit],
    level: RiskLevel,
    rule: RiskRule | None,
    graded: Graded | None = None,
) -> Finding:
    say = labels(request.language, "contract")
    dangerous = sorted((hit for hit in hits if hit.cue.weight > 0), key=lambda hit: -hit.cue.weight)
    reasons = [_meanings(dangerous, say), rule.reasoning if rule else "", *(request.passages[:1] if rule else ())]
    remedy = _remedy(say, dangerous[0].cue.name, _around(text, dangerous[0])) if dangerous else ""
    return Finding(
        risk=f"{rule.name} ({rule.id})" if rule else _by_words(say, dangerous),
        level=level,
        evidence="\n".join(_excerpts(text, dangerous, rule)),
        analysis=" ".join(reason.replace("\n", " ") for reason in reasons if reason) or say("offline.by_model"),
        law="; ".join(rule.law) if rule else "",
        # What the model alone suspects has no remedy: nobody knows yet what is wrong.
        suggestion=rule.suggestion if rule and rule.suggestion else remedy,
        confidence=_confidence(hits) if graded is None else graded.high if level is RiskLevel.HIGH else graded.medium,
    )


def _by_words(say: Labels, dangerous: Sequence[CueHit]) -> str:
    """The name of a finding that no rule names: what its gravest wording means, with the wording; a model alone has none to show."""
    if not dangerous:
        return say("offline.unnamed")
    meaning = say(f"meaning.{dangerous[0].cue.name}")
    return _quoting(say, meaning[:1].upper() + meaning[1:], dangerous[0].text)


def _quoting(say: Labels, name: str, words: str) -> str:
    """A name that tells the kind of the words, beside the words themselves: a reader sees at once whether it fits."""
    plain = " ".join(words.split())
    if not plain:
        return name
    shortened = plain if len(plain) <= _MOST_QUOTED else plain[: _MOST_QUOTED - 1].rstrip() + "…"
    return f"{name} ({say.section('first_page')['quoted'].format(shortened)})"


_MOST_QUOTED = 48


def _around(text: str, hit: CueHit) -> str:
    return next((text[start:end] for start, end in sentences(text) if start <= hit.start < end), text)


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


def _excerpts(text: str, dangerous: Sequence[CueHit], rule: RiskRule | None) -> list[str]:
    """Whole sentences, gravest wordings first; where only the rule's words meet, the first sentence."""
    mark = read_mark(text)
    bare = text[mark.end :] if mark and not mark.is_item else text
    shift = len(text) - len(bare)
    spans = [(max(start, shift), end) for start, end in sentences(text) if end > shift]
    chosen: list[str] = []
    for hit in dangerous:
        sentence = next((text[start:end] for start, end in spans if start <= hit.start < end), "")
        if sentence and sentence not in chosen:
            chosen.append(sentence)
    if not chosen:
        matching = [text[start:end] for start, end in spans if rule is not None and rule.matches(text[start:end])]
        chosen = matching or [text[start:end] for start, end in spans[:1]]
    return [" ".join(one.split()) for one in chosen[:MOST_EXCERPTS]]


def _meanings(hits: Sequence[CueHit], say: Labels) -> str:
    quoted = say.section("first_page")["quoted"]
    seen = dict.fromkeys(f"{say(f'meaning.{hit.cue.name}')} ({quoted.format(hit.text)})" for hit in hits)
    return "; ".join(seen) + (("." if pack(say.language).about.spaces else "。") if seen else "")


def _confidence(hits: Sequence[CueHit]) -> float:
    """Low where wordings of both kinds meet, and where there are none: then the level rests on silence."""
    bad, good = danger(hits), protection(hits)
    if bad and good:
        return 0.4
    if bad:
        return min(0.95, 0.55 + 0.1 * bad)
    return 0.85 if good else 0.6


def _reply(content: str, began: float) -> Reply:
    return Reply(
        content=content,
        usage=Usage(input_tokens=0, output_tokens=0),
        latency=time.perf_counter() - began,
        cost=0.0,
        model="offline",
        finish="stop",
    )
