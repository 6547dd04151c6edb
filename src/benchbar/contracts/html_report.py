"""The contract as one self-contained page: its text with the findings marked in place, and each finding beside its clause."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from benchbar.contracts.bundled import notes_with_cures
from benchbar.contracts.first_page import clause_name
from benchbar.contracts.first_page_text import first_page_parts
from benchbar.contracts.form import form_words, level_names
from benchbar.contracts.redlines.telling import change_lines, proposal_lines
from benchbar.contracts.report import ContractReport, law_of, law_undecided, places, shown, unverified_law
from benchbar.languages.packs import labels
from benchbar.records.contracts import Clause, ClauseReview, ExcerptStatus, RiskLevel
from benchbar.records.templates import environment

Piece = tuple[str, str]
"""Text and the level it is marked with, or an empty string."""


def write_html(report: ContractReport) -> str:
    """A page without scripts or outside resources; every text in it is escaped."""
    template = environment("benchbar.contracts").get_template("report.html.j2")
    return template.render(
        **review_words(report),
        report=report,
        warnings=notes_with_cures(report.warnings, report.language),
    )


def review_words(report: ContractReport) -> dict[str, Any]:
    """What templates that show a review need beside it: its rows, its first page, and words in the contract's language."""
    say = labels(report.language, "contract")
    return {
        "law_of": law_of,
        "law_undecided": partial(law_undecided, report),
        "unverified_law": unverified_law,
        "clause_name": clause_name,
        "change_lines": change_lines,
        "proposal_lines": proposal_lines,
        "redline": say.section("redline"),
        "words": say.section("page"),
        "labels": form_words(report.language),
        "levels": level_names(report.language),
        "first_page": first_page_parts(report.first_page, report.language) if report.first_page else (),
        "first_page_title": say("first_page.title"),
        "own_words": say("first_page.own_words"),
        "whole": say("consistency.whole"),
        "rows": clause_rows(report),
    }


def clause_rows(report: ContractReport) -> list[dict[str, Any]]:
    """The clauses in order as templates show them: each with its review, its findings, their proposals and its text in pieces."""
    reviews = report.by_clause
    proposed = {(one.clause, one.finding): one for one in report.proposals}
    return [
        {
            "clause": clause,
            "review": reviews.get(clause.id),
            "findings": shown(reviews[clause.id]) if clause.id in reviews else (),
            "proposals": [proposed.get((clause.id, place)) for place in _places_of_shown(reviews.get(clause.id))],
            "pieces": pieces(clause, reviews.get(clause.id)),
        }
        for clause in report.clauses
    ]


def _places_of_shown(review: ClauseReview | None) -> list[int]:
    """Where the findings that are shown stand among all of the clause."""
    seen = {id(one) for one in shown(review)} if review else set()
    return [place for place, one in enumerate(review.findings) if id(one) in seen] if review else []


def pieces(clause: Clause, review: ClauseReview | None) -> Sequence[Piece]:
    """The clause's text cut where a verified excerpt begins or ends, each piece with the gravest level that covers it."""
    marks = [
        (low - clause.start, high - clause.start, finding.level)
        for finding in (shown(review) if review else ())
        if finding.excerpt is not None and finding.excerpt.status is ExcerptStatus.VERIFIED
        for low, high in places(clause, finding)
    ]
    cuts = sorted({0, len(clause.text), *(cut for low, high, _ in marks for cut in (low, high))})
    found: list[Piece] = []
    for low, high in pairwise(cuts):
        over = [level for start, end, level in marks if start <= low and high <= end]
        found.append((clause.text[low:high], str(max(over, key=_rank)) if over else ""))
    return found


def _rank(level: RiskLevel) -> int:
    return level.rank
