"""Two days: the facts of one, the procedure of another, and the rule that says whose law counts."""

from __future__ import annotations

import pytest

import benchbar
from benchbar.law.corpus import Corpus
from benchbar.law.legal_texts import LegalTexts
from benchbar.law.names import law_key
from benchbar.law.transitional import rules
from benchbar.records import Article, LawVersion
from benchbar.records.errors import UserError

FACTS, STEP = "2015-01-01", "2022-01-01"


def corpus(name: str, jurisdiction: str = "RU") -> Corpus:
    """A law in two texts: the second has an article more, and is in force on the day of the step alone."""
    versions = [
        LawVersion(law_id="old", name=name, jurisdiction=jurisdiction, adopted="2009-12-01", in_force="2010-01-01"),
        LawVersion(law_id="new", name=name, jurisdiction=jurisdiction, adopted="2019-12-01", in_force="2020-01-01"),
    ]
    articles = [
        Article(law_id="old", number="1", text="До десяти лет."),
        Article(law_id="new", number="1", text="До пяти лет."),
        Article(law_id="new", number="2", text="Примирение сторон."),
    ]
    return Corpus.from_texts(LegalTexts(versions=versions, articles=articles, claims=frozenset({"*"})))


@pytest.mark.parametrize(
    ("name", "citation", "status", "article", "reason"),
    [
        ("Уголовный кодекс Российской Федерации", "ст. 2 УК РФ", "cannot_tell", "new#2", "where it is milder (ст. 9 и 10 УК РФ)"),
        ("Уголовный кодекс Российской Федерации", "ст. 1 УК РФ", "verified", "old#1", "another text was in force on 2022-01-01"),
        ("Гражданский процессуальный кодекс Российской Федерации", "ст. 2 ГПК РФ", "verified", "new#2", "the day of the procedure (ч. 3 ст. 1 ГПК РФ)"),
        ("Гражданский кодекс Российской Федерации", "ст. 2 ГК РФ", "not_in_force", "new#2", "only where a rule says so (п. 1 ст. 4 ГК РФ)"),
        ("Гражданский кодекс Российской Федерации", "ст. 1 ГК РФ", "verified", "old#1", ""),
        ("Жилищный кодекс Российской Федерации", "ст. 2 ЖК РФ", "not_in_force", "new#2", ""),
    ],
)  # fmt: skip
def test_the_day_that_counts_is_that_of_the_rule(
    name: str, citation: str, status: str, article: str, reason: str
) -> None:
    """Procedure follows the day of the step, the criminal law the milder text, all else the day of the facts."""
    (found,) = benchbar.check_citations(f"Согласно {citation}.", law=corpus(name), on=FACTS, procedure=STEP)
    assert (found.status, found.article_id) == (status, article)
    assert reason in found.reason


def test_another_countrys_law_has_other_rules() -> None:
    """A rule of Russia says nothing about a code of that name elsewhere."""
    law = corpus("Уголовный кодекс", jurisdiction="BY")
    (found,) = benchbar.check_citations("Согласно ст. 2 Уголовного кодекса.", law=law, on=FACTS, procedure=STEP)
    assert found.status == "not_in_force"


def test_a_chinese_law_of_procedure_follows_the_step() -> None:
    """民事诉讼法 is judged on the day of the step, though no rule of the list names it."""
    law = corpus("中华人民共和国民事诉讼法", jurisdiction="CN")
    (found,) = benchbar.check_citations("依照《民事诉讼法》第二条。", law=law, on=FACTS, procedure=STEP)
    assert (found.status, found.article_id) == ("verified", "new#2")


def test_without_a_second_day_nothing_changes() -> None:
    """The two days are the same, or only one is given: the citations are those of that day."""
    law = corpus("Уголовный кодекс Российской Федерации")
    text = "Согласно ст. 1 и ст. 2 УК РФ."
    one = benchbar.check_citations(text, law=law, on=FACTS)
    assert [found.status for found in benchbar.check_citations(text, law=law, on=FACTS, procedure=FACTS)] == [
        found.status for found in one
    ]
    with pytest.raises(UserError, match="no date"):
        benchbar.check_citations(text, law=law, on=FACTS, procedure="gestern")


def test_rules_are_found_by_the_name_of_their_law() -> None:
    """Every rule is kept under what its law's usual name comes to."""
    names = {"УК РФ": "milder", "КоАП РФ": "milder", "ГК РФ": "facts", "АПК РФ": "procedure", "中华人民共和国刑法": "milder", "《民法典》": "facts"}  # fmt: skip
    assert {name: rules()[law_key(name).core].rule for name in names} == names
    assert all(one.source for one in rules().values())


def test_a_source_that_nobody_read_says_so() -> None:
    """Ten of the twelve sources were read in published texts; the other two are marked wherever they are named."""
    unread = {one.law for one in rules().values() if not one.confirmed}
    assert unread == {"налоговый кодекс", "кодекс административного судопроизводства"}
    assert all(rules()[law].source.endswith("not confirmed") for law in unread)
