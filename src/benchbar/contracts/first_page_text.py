"""The first page in the contract's language, as headings and lines: the same for every format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from benchbar.contracts.first_page import Excerpt, FirstPage
from benchbar.contracts.form import level_names
from benchbar.contracts.parties import mentions, parties
from benchbar.contracts.party_forms import GENERIC
from benchbar.contracts.terms import root
from benchbar.languages.packs import Labels, labels
from benchbar.records.contracts import RiskLevel


class Line(NamedTuple):
    """One line of a part; ``level`` is set where it is a finding, ``note`` stands below it, smaller."""

    text: str
    note: str = ""
    level: str = ""


class Part(NamedTuple):
    """A heading and its lines."""

    heading: str
    lines: tuple[Line, ...]


def first_page_parts(page: FirstPage, language: str) -> tuple[Part, ...]:
    """What the contract is, parties, term, money, the findings that matter, and what was not examined, in this order."""
    say = labels(language, "contract")
    words = say.section("first_page")
    return (
        Part(words["contract"], tuple(_contract(page, say, language))),
        Part(words["parties"], tuple(_parties(page, words, language)) or (Line(words["not_stated"]),)),
        Part(words["term"], _excerpts(page.term, words)),
        Part(words["money"], (*_excerpts(page.money, words), *_more_money(page, words))),
        Part(words["matters"], (*_nothing_found(page, words), *_findings(page, words, language))),
        Part(words["not_examined"], (Line(_examined(page, words)),)),
    )


def _contract(page: FirstPage, say: Labels, language: str) -> Iterator[Line]:
    words, kinds = say.section("first_page"), say.section("kind")
    kind = kinds.get(page.contract_type or "", page.contract_type or "")
    yield Line(words["named"].format(page.title, kind) if kind else page.title)
    if page.day:
        yield Line(words["pair"].format(words["day"], page.day))
    yield Line(words["pair"].format(words["side"], _side(page, words, language)))


def _side(page: FirstPage, words: dict[str, str], language: str) -> str:
    """For whom the review is, in the contract's own words where it has some."""
    told = words["list"].join(page.reviewed_for)
    if page.side:
        return told or parties()[page.side].name.get(root(language), page.side)
    if told:
        return words["usual_side"].format(told)
    # Of parties whose roles nobody knows none is spared.
    return words["default_side"] if page.parties and all(one.role for one in page.parties) else words["either_side"]


def _parties(page: FirstPage, words: dict[str, str], language: str) -> Iterator[Line]:
    for one in page.parties:
        # The contract's own word for a role says it; one that could be anybody's, as 甲方, does not.
        told = any(True for label in one.labels for _ in mentions(label, root(language)))
        # Beside 经纪公司 the usual name of its role tells nothing more, or another thing.
        told = told or not all(GENERIC.search(label) for label in one.labels)
        role = parties()[one.role].name.get(root(language), "") if one.role and not told else ""
        shown = list(filter(None, (*one.labels, role)))
        yield Line(words["named"].format(one.name, words["list"].join(shown)) if shown else one.name)


def _excerpts(found: tuple[Excerpt, ...], words: dict[str, str]) -> tuple[Line, ...]:
    return tuple(Line(one.text, words["clause"].format(one.clause)) for one in found) or (Line(words["not_stated"]),)


def _more_money(page: FirstPage, words: dict[str, str]) -> Iterator[Line]:
    if page.more_money:
        yield Line(words["more_money"].format(words["list"].join(page.more_money)))


def _findings(page: FirstPage, words: dict[str, str], language: str) -> Iterator[Line]:
    levels = level_names(language)
    for one in page.findings:
        where = words["clause"].format(one.clause) if one.clause else words["whole"]
        note = words["pair"].format(where, one.evidence) if one.evidence else where
        yield Line(f"[{levels[one.level]}] {one.risk}", note, str(one.level))
    if page.further:
        yield Line(words["further"].format(page.further))


def _nothing_found(page: FirstPage, words: dict[str, str]) -> Iterator[Line]:
    """No clean bill where few clauses were examined, or none; gaps of low level alone are none either."""
    if all(one.level is RiskLevel.LOW for one in page.findings):
        clauses = page.examined + len(page.not_examined)
        told = words["no_findings"].format(page.examined, clauses)
        yield Line(told if page.examined else words["none_examined"].format(clauses))


def _examined(page: FirstPage, words: dict[str, str]) -> str:
    if not page.not_examined:
        return words["all_examined"]
    return words["examined"].format(page.examined, words["list"].join(page.not_examined))
