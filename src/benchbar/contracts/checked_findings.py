"""Writes what the checks found as findings: name, evidence, reason, law and what to write instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchbar.contracts.clause_checks import Checks
from benchbar.contracts.cues import CueHit, danger, find_cues, power_over, protection
from benchbar.contracts.generation import ReviewRequest
from benchbar.contracts.limits import Limit, LimitHit
from benchbar.contracts.marks import read_mark
from benchbar.contracts.one_sided import OneSided
from benchbar.contracts.parties import mentions
from benchbar.contracts.risk_model import Graded
from benchbar.contracts.rules import RiskRule, families
from benchbar.contracts.terms import TermHit, in_roles, root, terms_of
from benchbar.languages.packs import Labels, labels, pack
from benchbar.languages.text import folded, sentences
from benchbar.records.contracts import Finding, RiskLevel

MOST_EXCERPTS = 3


def findings_of(request: ReviewRequest, text: str, checks: Checks, level: RiskLevel) -> list[Finding]:
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


def _no_risk(request: ReviewRequest, text: str, checks: Checks) -> Finding:
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
