"""How a citation is shown: the gravest verdict first, how often what accuses was right, and how a nickname is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchbar.languages.packs import known, labels
from benchbar.law.cited_text import excerpt
from benchbar.law.nicknames import nickname_command
from benchbar.law.shown import (
    accusations,
    all_measured,
    as_document,
    by_weight,
    counted,
    how_often,
    measured_in,
    verdict,
    verdicts,
)
from benchbar.records import (
    AuthorityCheck,
    AuthorityVerdict,
    Citation,
    CitationStatus,
    ClaimCheck,
    ClaimVerdict,
    NameDoubt,
    Treatment,
    TreatmentKind,
    UnknownName,
)
from benchbar.reports.standing import AGAINST, sign, standing

PAGE = Path(__file__).parents[2] / "docs" / "results-law.md"
CONTRADICTED = ClaimCheck(verdict=ClaimVerdict.CONTRADICTS, conflict="number")
FOREIGN = AuthorityCheck(verdict=AuthorityVerdict.OTHER_JURISDICTION, reason="law of EU")


def cited(status: CitationStatus = CitationStatus.VERIFIED, **fields: object) -> Citation:
    """A citation of the shape that the check hands on."""
    return Citation(span=(0, 3), text="第一条", language="zh", status=status, **fields)


@pytest.mark.parametrize(
    ("one", "first"),
    [
        (cited(), "verified"),
        (cited(claim_check=CONTRADICTED), "contradicts"),
        (cited(CitationStatus.CANNOT_TELL, claim_check=CONTRADICTED), "contradicts"),
        (cited(CitationStatus.NOT_IN_FORCE, claim_check=CONTRADICTED), "contradicts"),
        (cited(CitationStatus.NOT_IN_FORCE, authority=FOREIGN), "not_in_force"),
        (cited(CitationStatus.OUTSIDE_CORPUS, authority=FOREIGN), "other_jurisdiction"),
        (cited(CitationStatus.NO_SUCH_ARTICLE, claim_check=CONTRADICTED), "no_such_article"),
    ],
)
def test_the_first_word_is_the_gravest_in_files_words_and_signs(one: Citation, first: str) -> None:
    """Whoever reads one word, or sees one sign, has to see the worst of what was found."""
    assert verdict(one) == first
    assert next(iter(as_document(one).items())) == ("verdict", first)
    for language in known():
        say = labels(language, "report")
        told = verdicts(one, say)
        assert told[0] in {say.name(kind, first) for kind in ("citation", "claim", "authority")}
        assert say(f"citation.{one.status.value}") in told
    assert (sign(standing(one, invented=False)) == "✓") == (first == "verified")


def test_what_a_model_says_accuses_nobody() -> None:
    """Its verdict stands beside the others and is never the first word."""
    one = cited(judged=(ClaimCheck(verdict=ClaimVerdict.CONTRADICTS, by="judge@host"),))
    assert verdict(one) == "verified"
    assert standing(one, invented=False) != AGAINST


def test_each_citation_is_counted_once_and_the_gravest_stand_first() -> None:
    """The total is the sum of its parts, in the order of weight."""
    found = [
        cited(),
        cited(claim_check=CONTRADICTED),
        cited(CitationStatus.NO_SUCH_LAW),
        cited(CitationStatus.AMBIGUOUS),
    ]
    told = counted(found, labels("en", "report"))
    assert told == "no such law: 1, the article contradicts this: 1, ambiguous: 1, in force: 1"
    assert by_weight([f"citation.{one.value}" for one in CitationStatus])[-1] == "citation.verified"


@pytest.mark.parametrize("language", known())
@pytest.mark.parametrize("kind", ["invented", "not_in_force", "authority"])
def test_every_accusation_says_how_often_such_ones_were_right(kind: str, language: str) -> None:
    """With n, interval and the language of the citation, in the language of the reader."""
    say = labels(language, "report")
    one = {
        "invented": cited(CitationStatus.NO_SUCH_LAW),
        "not_in_force": cited(CitationStatus.NOT_IN_FORCE),
        "authority": cited(authority=FOREIGN),
    }[kind]
    (told,) = how_often(one, say)
    row = accusations().rows[f"{kind} zh"]
    for part in (str(row.right), str(row.said), say("tongue.zh"), row.figures["low"].replace(".", say_mark(language))):
        assert part in told
    (own,) = as_document(one)["precision"]
    assert (own["of"], own["right"], own["said"], own["low"]) == (kind, row.right, row.said, row.low)


def say_mark(language: str) -> str:
    """What stands between a number and its decimals."""
    return "," if language == "ru" else "."


def test_what_was_not_measured_says_so() -> None:
    """A decision that a later one set aside: that was never measured on texts that nobody tuned on."""
    treated = Treatment(kind=TreatmentKind.SET_ASIDE, by="（2020）最高法民再1号")
    one = cited(CitationStatus.NOT_IN_FORCE, treatment=treated)
    assert how_often(one, labels("en", "report")) == [
        labels("en", "report")("accusation.unmeasured", language="Chinese")
    ]
    assert as_document(one)["precision"] == [{"of": "set_aside", "language": "zh", "measured_on": None}]


def test_what_accuses_nobody_has_no_figures() -> None:
    """A name that is not recognised, and an article in force."""
    for one in (cited(), cited(CitationStatus.NOT_RECOGNISED), cited(CitationStatus.AMBIGUOUS)):
        assert how_often(one, labels("en", "report")) == []
        assert as_document(one)["precision"] == []


def test_the_page_of_results_has_the_figures_that_the_program_tells() -> None:
    """One measurement, one home: whoever runs it anew changes both, and a figure that was typed in elsewhere is found here."""
    page = PAGE.read_text("utf-8")
    measures = {
        "invented": "accusations right | {}",
        "not_in_force": "not in force right | {}",
        "authority": "right {}",
    }
    rows = accusations().rows
    assert {name.split()[0] for name in rows} == set(measures)
    for name, row in rows.items():
        kind, language = name.split()
        shown = f"| {measures[kind].format(language)} | {row.value:.3f} [{row.low:.2f}, {row.high:.2f}] of {row.said} |"
        assert shown in page, shown


@pytest.mark.parametrize("language", known())
def test_all_that_may_accuse_in_a_language_is_told_in_one_sentence(language: str) -> None:
    """For what counts accusations without naming one: with each kind of contradiction that rules may tell in it."""
    (told,) = all_measured(["ru"], labels(language, "report"))
    rows = measured_in(["ru"])
    assert {"invented ru", "not_in_force ru", "authority ru", "contradicts number ru"} <= rows.keys()
    assert all(str(row.right) in told and str(row.said) in told for row in rows.values())
    assert "contradicts negation ru" not in rows, "rules may not tell it in Russian, and so accuse nobody of it"


@pytest.mark.parametrize(
    ("law", "unknown", "command"),
    [
        ("交通法", UnknownName(doubt=NameDoubt.FIELD), "benchbar law nickname '交通法' LAW --to FOLDER"),
        ("劳动合法", UnknownName(doubt=NameDoubt.LIKE_ANOTHER, meant="劳动合同法"), "benchbar law nickname '劳动合法' '劳动合同法' --to FOLDER"),
        ("合同法草案", None, ""),
    ],
)  # fmt: skip
def test_how_a_nickname_is_told_stands_where_one_may_be_meant(
    law: str, unknown: UnknownName | None, command: str
) -> None:
    """Whatever the words of the reason are: it is told from what was found of the name."""
    one = cited(CitationStatus.NOT_RECOGNISED, law=law, reason="it may mean anything", unknown_name=unknown)
    assert nickname_command(one) == command
    assert as_document(one)["nickname"] == (command or None)


def test_a_hostile_name_runs_nothing_when_the_command_is_pasted() -> None:
    """The name of a law is somebody else's text."""
    one = cited(
        CitationStatus.NOT_RECOGNISED,
        law="法'; rm -rf /\n#",
        unknown_name=UnknownName(doubt=NameDoubt.LIKE_ANOTHER, meant="法"),
    )
    assert nickname_command(one).startswith("benchbar law nickname '法'\"'\"'; rm -rf /#' ")


@pytest.mark.parametrize("language", known())
def test_what_was_cut_is_said(language: str) -> None:
    """With how much; a number is not cut in two."""
    say = labels(language, "report")
    assert excerpt("短", 10, say) == "短"
    told = excerpt("甲" * 8 + "1234" + "乙" * 20, 10, say)
    assert told.startswith("甲" * 8)
    assert not re.search("12", told)
    assert "24" in told
