"""The contract-risk reviewer: rules, law, evidence guard, second look and repeated replies around one generator."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from benchbar.contracts.evidence import check_excerpt
from benchbar.contracts.generation import Generator, ReviewRequest
from benchbar.contracts.injection import Injection, find_injections, set_apart
from benchbar.contracts.lawbook import LawBook
from benchbar.contracts.offline import least_level
from benchbar.contracts.parse import Reading, read_reflection, read_review
from benchbar.contracts.rule_index import RuleIndex
from benchbar.contracts.rules import RiskRule
from benchbar.contracts.switches import Switches
from benchbar.languages.packs import labels
from benchbar.languages.text import detect_language
from benchbar.records import Reply, Usage, fingerprint
from benchbar.records.contracts import (
    Clause,
    ClauseReview,
    ExcerptStatus,
    Finding,
    Reflection,
    ReviewStatus,
    RiskLevel,
    RuleHit,
)
from benchbar.records.errors import ModelError

MAX_CLAUSE = 20_000
"""Characters of one clause that are reviewed at once."""


class ContractReviewer:
    """Reviews clauses, one at a time, with the parts that its switches name."""

    def __init__(
        self,
        generator: Generator,
        *,
        rules: RuleIndex | None = None,
        law: LawBook | None = None,
        switches: Switches | None = None,
    ) -> None:
        """A reviewer; rules and law may be left out, and then the parts that need them do nothing."""
        self.switches = switches or Switches()
        self._generator, self._rules, self._law = generator, rules, law
        self._by_id: dict[str, RiskRule] = {rule.id: rule for rule in rules.rules} if rules else {}
        self.identity = f"contract-reviewer:{generator.identity}:{fingerprint(self.switches)[:8]}"

    async def review(
        self,
        clause: Clause,
        contract_type: str | None = None,
        language: str | None = None,
        *,
        hits: tuple[RuleHit, ...] | None = None,
    ) -> ClauseReview:
        """What the reviewer says about one clause; a reply that failed or could not be read is told, not hidden."""
        work = _Work(self, clause, contract_type, language or detect_language(clause.text), hits)
        return await work.run()

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
        found = self._find_all(clauses, contract_type)

        async def one(clause: Clause, hits: tuple[RuleHit, ...] | None) -> ClauseReview:
            async with gate:
                review = await self.review(clause, contract_type, language, hits=hits)
            if done:
                done(review)
            return review

        return await asyncio.gather(*(one(clause, hits) for clause, hits in zip(clauses, found, strict=True)))

    def _find_all(self, clauses: Sequence[Clause], contract_type: str | None) -> Sequence[tuple[RuleHit, ...] | None]:
        """The rules of all clauses in one product of matrices, twenty times faster than one by one."""
        if self._rules is None or self.switches.rules != "hybrid":
            return [None] * len(clauses)
        texts = [searched(clause.text) for clause in clauses]
        nearest = self._rules.search_many(texts, self.switches.top_k, contract_type)
        return [self._with_literal(text, hits, contract_type) for text, hits in zip(texts, nearest, strict=True)]

    def find_rules(self, text: str, contract_type: str | None) -> tuple[RuleHit, ...]:
        """The rules that the switch lets through."""
        if self._rules is None or self.switches.rules == "off":
            return ()
        if self.switches.rules == "keyword":
            return self._rules.keyword_hits(text, self.switches.top_k, contract_type)
        return self._with_literal(text, self._rules.search(text, self.switches.top_k, contract_type), contract_type)

    def _with_literal(self, text: str, hits: tuple[RuleHit, ...], contract_type: str | None) -> tuple[RuleHit, ...]:
        """The nearest rules, and after them those whose own wordings stand in the clause though others lie nearer."""
        assert self._rules is not None  # noqa: S101 - the caller has looked
        found = {hit.rule for hit in hits}
        literal = self._rules.keyword_hits(text, self.switches.top_k, contract_type)
        others = [hit for hit in literal if hit.rule not in found]
        return hits + tuple(
            msgspec.structs.replace(hit, rank=rank) for rank, hit in enumerate(others, start=len(hits) + 1)
        )

    def rules_of(self, hits: Sequence[RuleHit]) -> tuple[RiskRule, ...]:
        """The rules behind hits."""
        return tuple(self._by_id[hit.rule] for hit in hits)

    def passages(self, rules: Sequence[RiskRule], text: str) -> tuple[str, ...]:
        """Articles that the rules rest on, where law context is on and there is a corpus."""
        if self._law is None or not self.switches.law_context:
            return ()
        return self._law.passages([law for rule in rules for law in rule.law], text)

    def checked(self, finding: Finding, text: str, rules: Sequence[RiskRule]) -> Finding:
        """The finding with its rule named, of those that were shown, and its evidence and law checked."""
        laws = self._law.check(finding.law, f"{finding.risk} {finding.analysis}") if self._law and finding.law else ()
        # A model that was named to rank rules also reads excerpts: the second stage of the check.
        excerpt = check_excerpt(finding.evidence, text, reranker=self._rules.reranker if self._rules else None)
        return msgspec.structs.replace(finding, rule=_rule_named(finding.risk, rules), excerpt=excerpt, laws=laws)

    @property
    def generator(self) -> Generator:
        """Who writes."""
        return self._generator


def searched(text: str) -> str:
    """What rules are looked for with: the clause without the orders it gives its reviewer."""
    text = text[:MAX_CLAUSE]
    return set_apart(text, find_injections(text), "")


class _Work:
    """The review of one clause, step by step."""

    def __init__(
        self,
        owner: ContractReviewer,
        clause: Clause,
        contract_type: str | None,
        language: str,
        hits: tuple[RuleHit, ...] | None,
    ) -> None:
        self.owner, self.clause, self.switches = owner, clause, owner.switches
        began = time.perf_counter()
        text = clause.text[:MAX_CLAUSE]
        self.injections: tuple[Injection, ...] = find_injections(text)
        shown = set_apart(text, self.injections, language)
        self.hits = owner.find_rules(searched(text), contract_type) if hits is None else hits
        rules = owner.rules_of(self.hits)
        self.request = ReviewRequest(
            text=shown,
            language=language,
            contract_type=contract_type or "",
            path=clause.path,
            rules=rules,
            passages=owner.passages(rules, shown),
            prompt=owner.switches.prompt,
            whole=text,
        )
        self.searching = time.perf_counter() - began
        self.replies: list[Reply] = []
        self.failures: list[str] = []
        self.drafts: dict[RiskLevel, str] = {}
        """The first reply of each level."""

    async def run(self) -> ClauseReview:
        readings = await self._readings()
        votes = Counter(reading.level.value if reading.level else "unparsed" for reading in readings)
        level = _winner(votes)
        if level is None:
            return self._unread(readings, votes)
        chosen = next(reading for reading in readings if reading.level is level)
        confidence = chosen.confidence
        if len(readings) > 1:
            confidence = votes[level.value] / len(readings)
        findings, withheld = await self._guarded(chosen)
        reflection = await self._reflection(level, confidence)
        final = self._floor(reflection.after if reflection else level)
        doubtful = (
            withheld
            or bool(self.injections)
            or (reflection is not None and reflection.outcome in {"doubtful", "unparsed"})
        )
        return self._record(
            ReviewStatus.REVIEWED,
            level=final,
            findings=(*findings, *self._own_findings()),
            votes=dict(votes),
            confidence=confidence,
            reflection=reflection,
            doubtful=doubtful,
            reason=chosen.reason,
        )

    async def _readings(self) -> list[Reading]:
        asked = [
            self._ask(dataclasses.replace(self.request, repeat=index))
            for index in range(self.switches.self_consistency)
        ]
        # In the order of the repeats, whichever came first: a review is the same when it comes from the ledger again.
        return [self._read(answer) for answer in await asyncio.gather(*asked)]

    async def _ask(self, request: ReviewRequest) -> Reply | ModelError:
        try:
            return await self.owner.generator.review(request)
        except ModelError as error:
            return error

    def _read(self, answer: Reply | ModelError) -> Reading:
        if isinstance(answer, ModelError):
            self.failures.append(f"{answer.slug}: {answer}")
            return Reading(level=None, reason=f"no reply: {answer}", complete=False)
        self.replies.append(answer)
        reading = read_review(answer.content)
        if reading.level is not None:
            self.drafts.setdefault(reading.level, answer.content)
        elif answer.finish == "length":
            return msgspec.structs.replace(reading, reason=f"{reading.reason}; the reply broke off at its length limit")
        return reading

    async def _guarded(self, reading: Reading) -> tuple[list[Finding], bool]:
        """The findings checked; with the guard on, evidence that is not in the clause is asked for again, then withheld."""
        findings = [self.owner.checked(one, self.request.whole, self.request.rules) for one in reading.findings]
        if not self.switches.evidence_guard or not any(_refused(one) for one in findings):
            return findings, False
        again = self._read(await self._ask(dataclasses.replace(self.request, retry=True)))
        retried = [self.owner.checked(one, self.request.whole, self.request.rules) for one in again.findings]
        if again.level is reading.level and retried and not any(_refused(one) for one in retried):
            return retried, False
        withheld = [msgspec.structs.replace(one, evidence="") if _refused(one) else one for one in findings]
        return withheld, True

    async def _reflection(self, level: RiskLevel, confidence: float | None) -> Reflection | None:
        if self.switches.reflection == "off":
            return None
        sure = confidence is not None and confidence >= self.switches.skip_reflection_at
        if self.switches.reflection == "band" and sure:
            return None
        draft = self.drafts[level]
        try:
            reply = await self.owner.generator.reflect(self.request, draft)
        except ModelError as error:
            return Reflection(outcome="unparsed", before=level, after=level, confidence=confidence, reason=str(error))
        self.replies.append(reply)
        return read_reflection(reply.content, level, confidence)

    def _floor(self, level: RiskLevel) -> RiskLevel:
        """A clause that gives its reviewer orders is at least medium, and never below what its own wordings call for."""
        if not self.injections:
            return level
        least = least_level(self.request.whole, self.request.rules)
        return max(level, least, RiskLevel.MEDIUM, key=lambda one: one.rank)

    def _own_findings(self) -> list[Finding]:
        words = labels(self.request.language, "contract").section("review")
        injected = [
            Finding(
                risk=words["injection"],
                level=RiskLevel.MEDIUM,
                evidence=one.text,
                analysis=words["set_apart"],
                kind="prompt_injection",
                excerpt=check_excerpt(one.text, self.request.whole),
            )
            for one in self.injections
        ]
        broken = [
            Finding(
                risk=words["broken"].format(one.text),
                level=RiskLevel.LOW,
                evidence=one.text,
                kind="broken_reference",
                excerpt=check_excerpt(one.text, self.request.whole),
            )
            for one in self.clause.references
            if one.target is None
        ]
        return injected + broken

    def _unread(self, readings: Sequence[Reading], votes: Counter[str]) -> ClauseReview:
        failed = not self.replies
        reason = self.failures[0] if failed and self.failures else readings[0].reason
        status = ReviewStatus.FAILED if failed else ReviewStatus.UNPARSED
        return self._record(
            status, findings=tuple(self._own_findings()), votes=dict(votes), reason=reason, doubtful=True
        )

    def _record(self, status: ReviewStatus, **parts: object) -> ClauseReview:
        return msgspec.convert(
            {
                "clause": self.clause.id,
                "status": status,
                "rules": self.hits,
                "replies": tuple(reply.content for reply in self.replies),
                "calls": len(self.replies) + len(self.failures),
                "latency": self.searching + _elapsed(self.replies, self.switches.self_consistency),
                "usage": _usage(self.replies),
                "cost": _cost([reply.cost for reply in self.replies]),
                **parts,
            },
            ClauseReview,
        )


def _elapsed(replies: Sequence[Reply], at_once: int) -> float:
    """Seconds: the repeated replies are asked for at once, what follows one after the other."""
    seconds = [reply.latency for reply in replies]
    return max(seconds[:at_once], default=0.0) + sum(seconds[at_once:])


def _winner(votes: Counter[str]) -> RiskLevel | None:
    """The level with most votes, the gravest of equals; replies that could not be read have no vote."""
    levels = [level for level in RiskLevel if votes[level.value]]
    return max(levels, key=lambda level: (votes[level.value], level.rank), default=None)


def _rule_named(risk: str, rules: Sequence[RiskRule]) -> str:
    """The rule whose id the risk mentions, else the one whose whole name it holds; the longest, as one may hold another."""
    mentioned = [rule.id for rule in rules if rule.id in risk]
    named = [rule.id for rule in sorted(rules, key=lambda one: -len(one.name)) if rule.name in risk]
    return next(iter(sorted(mentioned, key=len, reverse=True) or named), "")


def _refused(finding: Finding) -> bool:
    return finding.excerpt is not None and finding.excerpt.status is ExcerptStatus.REJECTED


def _usage(replies: Sequence[Reply]) -> Usage:
    return Usage(
        input_tokens=_tokens([reply.usage.input_tokens for reply in replies]),
        output_tokens=_tokens([reply.usage.output_tokens for reply in replies]),
    )


def _tokens(values: Sequence[int | None]) -> int | None:
    """The sum, or None where a part is unknown or there is none."""
    known = [value for value in values if value is not None]
    return sum(known) if values and len(known) == len(values) else None


def _cost(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if values and len(known) == len(values) else None
