"""The offline reviewer: rules, weighed wordings and law, without any model. The same clause always gets the same review."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchbar.contracts.cues import CueHit, danger, find_cues, protection
from benchbar.contracts.form import form_words, level_names, write_form
from benchbar.contracts.generation import ReviewRequest
from benchbar.contracts.marks import read_mark
from benchbar.contracts.parse import read_review
from benchbar.contracts.rules import RiskRule
from benchbar.languages.packs import Labels, labels, pack
from benchbar.languages.text import sentences
from benchbar.records import Reply, Usage
from benchbar.records.contracts import Finding, RiskLevel

HIGH, MEDIUM = 2.0, 0.5
"""Least weight of a level: a right given up alone is high, one open term medium."""
PROTECTED = 0.75
"""How much a protective wording counts against a dangerous one on the second look."""
MOST_EXCERPTS = 3


class OfflineReviewer:
    """A generator that needs no model; prompts and repeats change nothing in it."""

    identity = "offline:2"

    async def review(self, request: ReviewRequest) -> Reply:
        """The form filled in from the dangerous wordings, the rules and the law that were given."""
        began = time.perf_counter()
        text = request.whole or request.text
        hits = find_cues(text)
        level = max(level_of(danger(hits)), _ruled(request.rules, text), key=lambda one: one.rank)
        rules = _chosen(request.rules, text)
        findings = [_finding(request, text, hits, level, next(iter(rules), None))]
        if level is not RiskLevel.LOW:
            findings += [_further(request, text, rule) for rule in rules[1:]]
        form = write_form(findings, request.language)
        return _reply(form, began)

    async def reflect(self, request: ReviewRequest, draft: str) -> Reply:
        """The second look: protective wordings are set against dangerous ones, in both directions."""
        began = time.perf_counter()
        text = request.whole or request.text
        hits = find_cues(text)
        before = read_review(draft).level or RiskLevel.LOW
        weighed = level_of(danger(hits) - PROTECTED * protection(hits))
        after = max(weighed, _ruled(request.rules, text), key=lambda one: one.rank)
        doubtful = after != before and danger(hits) > 0 and abs(after.rank - before.rank) > 1
        outcome = "doubtful" if doubtful else "keep" if after == before else "adjust"
        words = form_words(request.language)
        level = level_names(request.language)[before if doubtful else after]
        reason = f"{danger(hits):g} - {PROTECTED:g} x {protection(hits):g}"
        return _reply(f"outcome: {outcome}\n{words['level']}: {level}\n{words['analysis']}: {reason}", began)


def level_of(weight: float) -> RiskLevel:
    """The level that a weight of wordings stands for."""
    return RiskLevel.HIGH if weight >= HIGH else RiskLevel.MEDIUM if weight >= MEDIUM else RiskLevel.LOW


def least_level(text: str, rules: Sequence[RiskRule] = ()) -> RiskLevel:
    """The level that the clause's own wordings and its rules' cases call for, whatever else it says."""
    return max(level_of(danger(find_cues(text))), _ruled(rules, text), key=lambda one: one.rank)


def _ruled(rules: Sequence[RiskRule], text: str) -> RiskLevel:
    """The gravest level that a case of the rules names; where only keywords meet, medium. Retrieval alone names none."""
    levels = [RiskLevel.LOW]
    for rule in rules:
        named = rule.level_of(text)
        if named is not None:
            levels.append(named)
        elif rule.matches(text) and not protection(find_cues(text)):
            levels.append(RiskLevel.MEDIUM)
    return max(levels, key=lambda one: one.rank)


def _further(request: ReviewRequest, text: str, rule: RiskRule) -> Finding:
    """The finding of a second rule whose own wordings stand in the clause, graded by the sentences they stand in."""
    part = " ".join(text[start:end] for start, end in sentences(text) if rule.matches(text[start:end])) or text
    hits = find_cues(part)
    level = max(level_of(danger(hits)), _ruled((rule,), part), RiskLevel.MEDIUM, key=lambda one: one.rank)
    return _finding(request, part, hits, level, rule)


def _finding(
    request: ReviewRequest, text: str, hits: Sequence[CueHit], level: RiskLevel, rule: RiskRule | None
) -> Finding:
    say = labels(request.language, "contract")
    dangerous = sorted((hit for hit in hits if hit.cue.weight > 0), key=lambda hit: -hit.cue.weight)
    if level is RiskLevel.LOW:
        safe = [hit for hit in hits if hit.cue.weight < 0]
        return Finding(
            risk=say("offline.no_risk"),
            level=level,
            evidence="\n".join(_excerpts(text, safe or hits, None)),
            analysis=_meanings(safe, say) or say("offline.silent"),
            suggestion=say("offline.keep"),
            confidence=_confidence(hits),
        )
    name = f"{rule.name} ({rule.id})" if rule else say("offline.unnamed")
    reasons = [_meanings(dangerous, say), rule.reasoning if rule else "", *request.passages[:1]]
    remedy = say.texts.get(f"remedy.{dangerous[0].cue.name}", "") if dangerous else ""
    return Finding(
        risk=name,
        level=level,
        evidence="\n".join(_excerpts(text, dangerous, rule)),
        analysis=" ".join(reason.replace("\n", " ") for reason in reasons if reason),
        law="; ".join(rule.law) if rule else "",
        suggestion=(rule.suggestion if rule and rule.suggestion else remedy) or say("remedy.open_term"),
        confidence=_confidence(hits),
    )


def _chosen(rules: Sequence[RiskRule], text: str) -> list[RiskRule]:
    """The rules whose own wordings stand in the clause, most first; else the one that retrieval put first."""
    literal = [rule for rule in rules if rule.matches(text)]
    return sorted(literal, key=lambda rule: -len(rule.matches(text))) or list(rules[:1])


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
    seen = dict.fromkeys(f"{say(f'meaning.{hit.cue.name}')} (“{hit.text}”)" for hit in hits)
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
