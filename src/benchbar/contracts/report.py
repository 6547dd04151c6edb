"""A whole contract reviewed: what was read, what was found in each clause, and how much of it could be reviewed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.contracts.clauses import clauses as split_clauses
from benchbar.contracts.consistency import clause_findings, contract_findings
from benchbar.contracts.earnest_money import earnest_money_findings
from benchbar.contracts.first_page import FirstPage, first_page
from benchbar.contracts.paragraphs import ContractSource
from benchbar.contracts.playbook import Playbook, Standing, against_playbook
from benchbar.contracts.redlines.changes import ClauseChange
from benchbar.contracts.redlines.proposals import Proposal
from benchbar.contracts.reviewer import with_findings
from benchbar.contracts.rules import type_of_contract
from benchbar.languages.packs import Labels, labels
from benchbar.languages.reasons import reason_in
from benchbar.languages.text import detect_language
from benchbar.law.shown import how_often_of
from benchbar.records import Record
from benchbar.records.contracts import (
    Clause,
    ClauseKind,
    ClauseReview,
    Finding,
    LawCheck,
    LawStatus,
    ReviewStatus,
    RiskLevel,
)

if TYPE_CHECKING:
    from benchbar.contracts.reviewer import ContractReviewer

NOT_REVIEWED = {ClauseKind.HEADING, ClauseKind.SIGNATURE}
"""Kinds that bind nobody; they are only searched for orders to the reviewer."""


class ContractReport(Record, frozen=True):
    """The review of one contract."""

    file: str
    format: str
    language: str
    reviewer: str
    clauses: tuple[Clause, ...]
    reviews: tuple[ClauseReview, ...]
    """Of the clauses that were reviewed, in their order."""
    contract_type: str | None = None
    pages: int | None = None
    warnings: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Of the contract as a whole: terms without definition, several currencies, matters of its kind that it never touches."""
    side: str = ""
    """Id of the party for whom it was reviewed; empty for the one that did not write the contract."""
    on: str = ""
    """The day whose law counted, YYYY-MM-DD; empty for today, and where no law was used."""
    playbook: str = ""
    """Name of the playbook that the contract was held against."""
    standings: tuple[Standing, ...] = ()
    """Where the contract stands on each topic of the playbook."""
    first_page: FirstPage | None = None
    """What the contract is, who, how long, how much, what matters most, and what was not examined."""
    demo: bool = False
    """Whether the invented rules of the model jurisdiction were used: every finding says so then."""
    changes: tuple[ClauseChange, ...] = ()
    """Against an earlier version: another file, or this one before the other side's tracked changes."""
    proposals: tuple[Proposal, ...] = ()
    """Wordings of findings in the place of the words that they accuse, each proved or refused."""

    @property
    def counts(self) -> dict[str, int]:
        """Clauses by what is said of them: silence of the checks is counted apart from a risk that was found to be low."""
        found = Counter(str(one.level) if one.answer == "risk" else str(one.answer) for one in self.reviews)
        order = (*map(str, reversed(RiskLevel)), "no_risk_found", "not_examined", "unparsed", "failed")
        return {name: found[name] for name in order}

    @property
    def by_clause(self) -> dict[str, ClauseReview]:
        """Clause id to its review."""
        return {review.clause: review for review in self.reviews}

    def to_json(self) -> dict[str, Any]:
        """The document that ``review-contract --json`` prints; of its findings ``law`` is what a reader may rely on, as in every other form."""
        by_clause = {name: _with_law_shown(one, demo=self.demo) for name, one in self.by_clause.items()}
        return {
            "file": self.file,
            "format": self.format,
            "language": self.language,
            "contract_type": self.contract_type,
            "pages": self.pages,
            "reviewer": self.reviewer,
            "counts": self.counts,
            "warnings": self.warnings,
            "demo": self.demo,
            "side": self.side,
            "on": self.on,
            "first_page": self.first_page,
            "playbook": {"name": self.playbook, "standings": self.standings} if self.playbook else None,
            "findings": self.findings,
            "changes": self.changes,
            "proposals": self.proposals,
            "clauses": [
                {"clause": clause, "review": review, "answer": review.answer if review else None}
                for clause in self.clauses
                for review in [by_clause.get(clause.id)]
            ],
        }


class Begun(Record, frozen=True):
    """A contract that was read and divided, before any clause is reviewed."""

    source: ContractSource
    report: ContractReport
    wanted: tuple[str, ...]
    """Ids of the clauses that are to be reviewed."""


async def review_contract(
    source: ContractSource,
    reviewer: ContractReviewer,
    *,
    contract_type: str | None = None,
    language: str | None = None,
    concurrency: int = 8,
    demo: bool = False,
    side: str = "",
    playbook: Playbook | None = None,
    most: int | None = None,
    started: Callable[[Begun], None] | None = None,
    done: Callable[[ClauseReview], None] | None = None,
) -> ContractReport:
    """The review of every clause of a contract, or of the first ``most``; ``started`` is told which, ``done`` of each."""
    clauses = split_clauses(source)
    language = language or detect_language(source.text)
    kind = contract_type or type_of_contract(source.text)
    wanted = [clause for clause in clauses if clause.kind not in NOT_REVIEWED or speaks_to_reviewer(clause)]
    wanted, beyond = wanted[:most], wanted[len(wanted[:most]) :]
    report = ContractReport(
        file=source.name,
        format=source.format,
        language=language,
        reviewer=reviewer.identity,
        clauses=clauses,
        reviews=(),
        contract_type=kind,
        pages=source.pages,
        warnings=source.warnings,
        side=side,
        playbook=playbook.name if playbook else "",
        demo=demo,
    )
    if started:
        started(Begun(source=source, report=report, wanted=tuple(one.id for one in wanted)))
    reviews = await reviewer.review_all(wanted, kind, language=language, concurrency=concurrency, done=done)
    by_id = {clause.id: clause for clause in clauses}
    reviews = [with_findings(one, tuple(clause_findings(by_id[one.clause], language))) for one in reviews]
    rest = f"beyond the bound of {most} clauses"
    across = earnest_money_findings(clauses, language)
    reviews = [with_findings(one, (across[one.clause],) if one.clause in across else ()) for one in reviews]
    reviews += [unreached(one.id, rest) for one in beyond]
    whole = contract_findings(clauses, language, kind)
    standings: tuple[Standing, ...] = ()
    if playbook:
        own, missing, standings = against_playbook(clauses, playbook, language)
        reviews = [with_findings(one, own.get(one.clause, ())) for one in reviews]
        whole = (*missing, *whole)
    notes = [f"NOT COMPLETE: {len(beyond)} clauses {rest} were not examined"] if beyond else []
    return msgspec.structs.replace(
        report,
        reviews=tuple(reviews),
        findings=whole,
        warnings=(*notes, *source.warnings),
        standings=standings,
        first_page=first_page(
            clauses,
            reviews,
            whole,
            text=source.text,
            language=language,
            contract_type=kind,
            side=side,
            parties=reviewer.parties,
        ),
    )


def unreached(clause: str, why: str) -> ClauseReview:
    """The review of a clause that nobody came to."""
    return ClauseReview(clause=clause, status=ReviewStatus.NOT_EXAMINED, reason=why)


def speaks_to_reviewer(clause: Clause) -> bool:
    """Whether a clause of any kind gives its reviewer orders."""
    from benchbar.contracts.injection import find_injections

    return bool(find_injections(clause.text))


def places(clause: Clause, finding: Finding) -> tuple[tuple[int, int], ...]:
    """Where in the contract's text a finding stands: its verified excerpts, else the whole clause."""
    spans = finding.excerpt.spans if finding.excerpt else ()
    return tuple((clause.start + low, clause.start + high) for low, high in spans) or ((clause.start, clause.end),)


def law_of(finding: Finding, *, demo: bool = False) -> str:
    """The law that may stand beside a finding: what was found in the index that the user named, and nothing else.

    A rule's own citations, or a model's, are claims; a lawyer's file holds none. With ``demo`` the invented law is shown as it is.
    """
    if demo and finding.rule:
        return finding.law
    return "; ".join(dict.fromkeys(_with_name(one) for one in finding.laws if one.status is LawStatus.VERIFIED))


def law_undecided(report: ContractReport, finding: Finding) -> str:
    """What the law beside a finding does not tell: it was held against the index, and nobody decided whether it supports the finding."""
    checked = not report.demo and any(one.status is LawStatus.VERIFIED for one in finding.laws)
    return labels(report.language, "contract")("page.law_undecided") if checked else ""


def _with_law_shown(review: ClauseReview, *, demo: bool) -> ClauseReview:
    found = tuple(msgspec.structs.replace(one, law=law_of(one, demo=demo)) for one in review.findings)
    return msgspec.structs.replace(review, findings=found)


def unverified_law(finding: Finding, language: str) -> tuple[str, ...]:
    """The citations that could not be verified, each with its law's name, its status and the reason, in a language."""
    return tuple(_told(one, labels(language)) for one in finding.laws if one.status is not LawStatus.VERIFIED)


def _told(one: LawCheck, named: Labels) -> str:
    told = f"{_with_name(one)}: {named.name('citation', one.status)} {reason_in(one.reason, named.language)}".strip()
    if one.status is not LawStatus.NOT_IN_FORCE:
        return told
    # It accuses the law that a rule or a model names: how often that is right stands beside it, as in every other place.
    often = how_often_of("not_in_force", detect_language(f"{one.citation} {one.law}"), named)
    return named("gate_reason.between").join((told, often))


def _with_name(check: LawCheck) -> str:
    """The citation; one that is a bare article, as the second of a list, with the law that was read for it."""
    bare = check.law and not any(one.isalpha() and one not in "第条條" for one in check.citation)
    if bare and _CYRILLIC.search(check.law):
        return f"ст. {check.citation} {check.law}"
    return f"{check.law} {check.citation}" if bare else check.citation


_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def shown(review: ClauseReview) -> Sequence[Finding]:
    """The findings worth a reader's time: all but the remark that a clause has no risk."""
    return [one for one in review.findings if one.level is not RiskLevel.LOW or one.kind != "risk"]
