"""The contract-risk reviewer: a clause's way from its text to its review.

It goes through these steps, each in a file of its own, and never back: orders to the reviewer are set apart (``injection``),
rules are chosen (``rule_index``), their articles are fetched (``lawbook``), a generator writes (``generation``, ``offline``)
and is read (``generator_calls``, ``parse``), its findings are held against the clause and the law (``findings``: ``evidence``
with ``guards``, ``lawbook``), and what is doubtful gets a second look.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from benchbar.contracts.findings import FindingChecker, findings_without_model, invented, without_invented
from benchbar.contracts.generation import Generator, ReviewRequest
from benchbar.contracts.generator_calls import Answer, GeneratorCalls
from benchbar.contracts.injection import Injection, find_injections, set_apart
from benchbar.contracts.lawbook import LawBook
from benchbar.contracts.limits import LimitHit, find_limits
from benchbar.contracts.marks import number_blanked
from benchbar.contracts.named_parties import NamedParty, kinds_of
from benchbar.contracts.parse import Reading
from benchbar.contracts.rule_index import RuleIndex, RuleSelection
from benchbar.contracts.switches import Switches
from benchbar.contracts.worded_level import least_level
from benchbar.languages.text import detect_language
from benchbar.records import fingerprint
from benchbar.records.contracts import (
    Clause,
    ClauseKind,
    ClauseReview,
    Finding,
    Reflection,
    ReviewStatus,
    RiskLevel,
    RuleHit,
)

MAX_CLAUSE = 20_000
"""Characters of one clause that are reviewed at once: longer ones are whole contracts that could not be divided, and no
model's answer about them would fit its length limit."""


class ContractReviewer:
    """Reviews clauses, one at a time, with the parts that its switches name."""

    def __init__(
        self,
        generator: Generator,
        *,
        rules: RuleIndex | None = None,
        law: LawBook | None = None,
        switches: Switches | None = None,
        day: str = "",
        side: str = "",
        place: str = "",
        roles: Mapping[str, str] | None = None,
        parties: Sequence[NamedParty] = (),
    ) -> None:
        """A reviewer; rules and law may be left out, and then the parts that need them do nothing.

        ``side`` is the id of the party that it reviews for; left out, the one that did not write the contract. ``roles`` are its labels
        for its ``parties`` and the words for what they are. ``place`` is the contract's country. ``day`` (YYYY-MM-DD) is that of the contract: bounds of numbers differ by the day; today where it is left out.
        """
        self._day, self.side, self._place, self._roles = day, side, place, roles or {}
        self.parties = tuple(parties)
        """Who they are, with their roles for this review; none where nobody read the contract's opening."""
        self.switches = switches or Switches()
        self._generator = generator
        self._rules = RuleSelection(rules, self.switches)
        self._law = law if self.switches.law_context else None
        """Shown to the generator; citations are looked up whether it is or not."""
        self._checker = FindingChecker(law, rules.reranker if rules else None)
        self.identity = (
            f"contract-reviewer:{generator.identity}:{fingerprint(self.switches)[:8]}{f':{side}' if side else ''}"
        )

    def bounds(self, text: str, language: str) -> tuple[LimitHit, ...]:
        """The bounded numbers of a clause, on the contract's day and in its country."""
        return find_limits(text, language, self._day, self._place)

    async def review_all(
        self,
        clauses: Sequence[Clause],
        contract_type: str | None = None,
        *,
        language: str | None = None,
        concurrency: int = 8,
        done: Callable[[ClauseReview], None] | None = None,
    ) -> list[ClauseReview]:
        """The reviews in the order of the clauses; ``done`` is told of each as it is finished."""
        gate = asyncio.Semaphore(concurrency)
        found = self._rules.hits([_searched(clause.text) for clause in clauses], contract_type)

        async def one(clause: Clause, hits: tuple[RuleHit, ...]) -> ClauseReview:
            async with gate:
                review = await self.review(clause, contract_type, language, hits=hits)
            if done:
                done(review)
            return review

        return await asyncio.gather(*(one(clause, hits) for clause, hits in zip(clauses, found, strict=True)))

    async def review(
        self,
        clause: Clause,
        contract_type: str | None = None,
        language: str | None = None,
        *,
        hits: tuple[RuleHit, ...] | None = None,
    ) -> ClauseReview:
        """What the reviewer says about one clause; a reply that failed or could not be read is reported, not hidden.

        ``hits`` are its rules, where they were looked for already.
        """
        case = self._case(clause, contract_type, language or detect_language(clause.text), hits)
        calls = GeneratorCalls(self._generator)
        answers = await calls.reviews(case.request, self.switches.self_consistency)
        votes = Counter(answer.reading.level.value if answer.reading.level else "unparsed" for answer in answers)
        level = _winner(votes)
        if level is None:
            return (
                _unread(case, calls, answers, votes)
                if answers[0].reading.examined
                else _not_examined(case, calls, answers[0].reading.reason)
            )
        chosen = next(answer for answer in answers if answer.reading.level is level)
        confidence = votes[level.value] / len(answers) if len(answers) > 1 else chosen.reading.confidence
        raw = self._checker.checked(chosen.reading.findings, case.request.whole, case.request.rules)
        findings, withheld = await self._guarded(case, calls, chosen.reading, raw)
        reflection = _never_below(await self._second_look(case, calls, chosen.text, level, confidence), findings)
        doubted = reflection is not None and reflection.outcome in {"doubtful", "unparsed"}
        return _record(
            case,
            calls,
            ReviewStatus.REVIEWED,
            level=_gravest([_not_below(reflection.after if reflection else level, case), *_levels(findings)]),
            findings=(*findings, *case.own_findings()),
            votes=dict(votes),
            confidence=confidence,
            reflection=reflection,
            doubtful=withheld or bool(case.injections) or doubted,
            reason=chosen.reading.reason,
            raw_excerpts=tuple(one.excerpt for one in raw if one.excerpt is not None),
        )

    def _case(
        self, clause: Clause, contract_type: str | None, language: str, hits: tuple[RuleHit, ...] | None
    ) -> _Case:
        """The clause with all that its generator may know."""
        began = time.perf_counter()
        text = clause.text[:MAX_CLAUSE]
        injections = find_injections(text)
        shown = set_apart(text, injections, language)
        if hits is None:
            (hits,) = self._rules.hits([_searched(text)], contract_type)
        rules = self._rules.rules(hits)
        cited = [law for rule in rules for law in rule.law]
        request = ReviewRequest(
            text=shown,
            language=language,
            contract_type=contract_type or "",
            path=clause.path,
            rules=rules,
            near=frozenset(hit.rule for hit in hits if hit.near),
            prose=clause.kind is ClauseKind.CLAUSE,
            day=self._day,
            side=self.side,
            place=self._place,
            roles=self._roles,
            kinds=kinds_of(self.parties),
            passages=self._law.passages(cited, shown) if self._law else (),
            prompt=self.switches.prompt,
            whole=text,
        )
        return _Case(clause, injections, hits, request, time.perf_counter() - began)

    async def _guarded(
        self, case: _Case, calls: GeneratorCalls, reading: Reading, findings: list[Finding]
    ) -> tuple[list[Finding], bool]:
        """With the guard on, evidence that is not in the clause is asked for again, then withheld."""
        text, rules = case.request.whole, case.request.rules
        if not self.switches.evidence_guard or not any(map(invented, findings)):
            return findings, False
        again = await calls.review_again(case.request)
        retried = self._checker.checked(again.findings, text, rules)
        # Another level would be another review: it has no vote, and its evidence proves something else.
        if again.level is reading.level and retried and not any(map(invented, retried)):
            return retried, False
        return without_invented(findings), True

    async def _second_look(
        self, case: _Case, calls: GeneratorCalls, draft: str, level: RiskLevel, confidence: float | None
    ) -> Reflection | None:
        if self.switches.reflection == "off":
            return None
        sure = confidence is not None and confidence >= self.switches.skip_reflection_at
        if self.switches.reflection == "band" and sure:
            return None
        return await calls.reflection(case.request, draft, level, confidence)


@dataclass(frozen=True, slots=True)
class _Case:
    """One clause under review, as its generator sees it."""

    clause: Clause
    injections: tuple[Injection, ...]
    hits: tuple[RuleHit, ...]
    request: ReviewRequest
    searching: float
    """Seconds until it was ready to be written about."""

    def own_findings(self) -> tuple[Finding, ...]:
        return tuple(findings_without_model(self.clause, self.request.whole, self.injections, self.request.language))


def _searched(text: str) -> str:
    """What rules are looked for with: the clause without its number and without the orders it gives its reviewer."""
    text = number_blanked(text[:MAX_CLAUSE])
    return set_apart(text, find_injections(text), "")


def _winner(votes: Counter[str]) -> RiskLevel | None:
    """The level with most votes, the gravest of equals; replies that could not be read have no vote."""
    levels = [level for level in RiskLevel if votes[level.value]]
    return max(levels, key=lambda level: (votes[level.value], level.rank), default=None)


def _not_below(level: RiskLevel, case: _Case) -> RiskLevel:
    """A clause that gives its reviewer orders is at least medium, and never below what its own wordings call for."""
    if not case.injections:
        return level
    least = least_level(case.request.whole, case.request.rules)
    return max(level, least, RiskLevel.MEDIUM, key=lambda one: one.rank)


def _levels(findings: Sequence[Finding]) -> list[RiskLevel]:
    return [one.level for one in findings if one.kind == "risk"]


def _gravest(levels: Sequence[RiskLevel]) -> RiskLevel:
    return max(levels, key=lambda one: one.rank)


def _never_below(reflection: Reflection | None, findings: Sequence[Finding]) -> Reflection | None:
    """A second look that would put a clause below its own findings doubts them: a person decides, and the findings stand."""
    if reflection is None or reflection.after.rank >= max((one.rank for one in _levels(findings)), default=0):
        return reflection
    reason = f"{reflection.before} -> {reflection.after}: {reflection.reason}"
    return msgspec.structs.replace(reflection, outcome="doubtful", after=reflection.before, reason=reason)


def _not_examined(case: _Case, calls: GeneratorCalls, reason: str) -> ClauseReview:
    """No check has anything to say; what is found without a reviewer, as an order to it or a broken reference, alone gives the level.

    A clause has one answer: with a finding it is not also “not examined”; that its wording was not is its reason.
    """
    own = case.own_findings()
    if own:
        level, doubtful = _gravest([one.level for one in own]), bool(case.injections)
        return _record(case, calls, ReviewStatus.REVIEWED, level=level, findings=own, doubtful=doubtful, reason=reason)
    return _record(case, calls, ReviewStatus.NOT_EXAMINED, findings=own, reason=reason)


def _unread(case: _Case, calls: GeneratorCalls, answers: Sequence[Answer], votes: Counter[str]) -> ClauseReview:
    failed = not calls.replies
    return _record(
        case,
        calls,
        ReviewStatus.FAILED if failed else ReviewStatus.UNPARSED,
        findings=case.own_findings(),
        votes=dict(votes),
        reason=calls.failures[0] if failed and calls.failures else answers[0].reading.reason,
        doubtful=True,
    )


def _record(case: _Case, calls: GeneratorCalls, status: ReviewStatus, **parts: object) -> ClauseReview:
    return msgspec.convert(
        {
            "clause": case.clause.id,
            "status": status,
            "rules": case.hits,
            "replies": tuple(reply.content for reply in calls.replies),
            "calls": len(calls.replies) + len(calls.failures),
            "latency": case.searching + calls.seconds,
            "usage": calls.usage,
            "cost": calls.cost,
            **parts,
        },
        ClauseReview,
    )


def with_findings(review: ClauseReview, found: tuple[Finding, ...]) -> ClauseReview:
    """The review with further findings: where the clause contradicts itself or leaves the playbook; its level is the gravest of all."""
    if not found:
        return review
    levels = [one.level for one in found] + ([review.level] if review.level else [])
    unread = review.status in (ReviewStatus.FAILED, ReviewStatus.UNPARSED)
    return msgspec.structs.replace(
        review,
        # What no reviewer answered stays so: an inconsistency beside it says nothing of the clause's risk.
        status=review.status if unread else ReviewStatus.REVIEWED,
        level=None if unread else max(levels, key=lambda one: one.rank),
        findings=(*review.findings, *found),
    )
