"""Russian and English citations."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.law.citations import Mention, extract
from benchbar.law.names import same_law

RUSSIAN = [
    ("ст. 130 ГК РФ", ["ГК РФ:130"]),
    ("п. 2 ст. 552 Гражданского кодекса РФ", ["Гражданского кодекса РФ:552/2"]),
    ("ч. 1 ст. 35 ЗК РФ", ["ЗК РФ:35/1"]),
    ("в силу статей 168 и 10 ГК РФ сделка ничтожна", ["ГК РФ:168", "ГК РФ:10"]),
    ("статьи 168 и 10 ГК РФ", ["ГК РФ:168", "ГК РФ:10"]),
    ("ст. 333.19 НК РФ", ["НК РФ:333.19"]),
    ("пунктом 3 статьи 165.1 Гражданского кодекса Российской Федерации", ["Гражданского кодекса Российской Федерации:165.1/3"]),
    ("ст. 551 ГК РФ, а также статьей 164 этого Кодекса", ["ГК РФ:551", "ГК РФ:164"]),
    ("п. 1 ч. 2 ст. 14.1 КоАП РФ", ["КоАП РФ:14.1/2/1"]),
    ("подп. 2 п. 1 ст. 161 ГК РФ", ["ГК РФ:161/1/2"]),
    ("абз. 2 п. 1 ст. 16 ЖК РФ", ["ЖК РФ:16/1/2"]),
    ("часть первая статьи 81 ТК РФ", ["ТК РФ:81/1"]),
    ("ст.ст. 15, 393 ГК РФ", ["ГК РФ:15", "ГК РФ:393"]),
    ("ст. 309–310 ГК РФ", ["ГК РФ:309", "ГК РФ:310"]),
    ("ст. 14 ч. 2 УК РФ", ["УК РФ:14/2"]),
    ("ст. 5 Федерального закона от 13.07.2015 № 218-ФЗ", ["Федерального закона от 13.07.2015 № 218-ФЗ:5"]),
    ("ст. 10 договора аренды и статья 3 устава общества", []),
    ("дело № А40-12345/2019", ["#А40-12345/2019"]),
    ("дело N A40-12345/19", ["#А40-12345/2019"]),
    ("по делу А56–77/2021", ["#А56-77/2021"]),
    ("А40-12345=2019", ["#А40-12345/2019"]),
    ("определение ВС РФ от 12.03.2019 № 305-ЭС18-12345", ["#305-ЭС18-12345"]),
    ("ГК РФ, ст. 454; ЖК РФ (статья 30)", ["ГК РФ:454", "ЖК РФ:30"]),
    ("пункты 1 и 2 статьи 209 ГК РФ", ["ГК РФ:209/1", "ГК РФ:209/2"]),
    ("п.п. 1, 2 ст. 10 ГК РФ", ["ГК РФ:10/1", "ГК РФ:10/2"]),
    ("ст. 15 Закона РФ «О защите прав потребителей»", ["Закона РФ «О защите прав потребителей»:15"]),
    ("ст. 61.2 Закона о банкротстве", ["Закона о банкротстве:61.2"]),
    ("Федеральный закон от 13.07.2015 № 218-ФЗ, статья 69", ["Федеральный закон от 13.07.2015 № 218-ФЗ:69"]),
    ("часть 1 статьи 36 ЖК РФ, часть 2 той же статьи", ["ЖК РФ:36/1", "ЖК РФ:36/2"]),
    ("ст. 40 Конституции РФ", ["Конституции РФ:40"]),
    ("решение по делу № 2-1234/2020", ["#2-1234/2020"]),
    ("Постановление Пленума ВС РФ от 23.06.2015 № 25", []),
    ("Статья понравилась 15 читателям, часть 2 выйдет завтра", []),
]  # fmt: skip

ENGLISH = [
    ("section 12(3) of the Sale of Goods Act 1979", ["Sale of Goods Act 1979:12/3"]),
    ("Art. 6(1)(f) GDPR", ["GDPR:6/1/f"]),
    ("Articles 13 and 14 of the General Data Protection Regulation", ["General Data Protection Regulation:13", "General Data Protection Regulation:14"]),
    ("s. 2 of the Misrepresentation Act 1967 and section 3 of that Act", ["Misrepresentation Act 1967:2", "Misrepresentation Act 1967:3"]),
    ("Section 12A of the Employment Rights Act 1996", ["Employment Rights Act 1996:12.A"]),
    ("sections 12 and 13 of the Landlord and Tenant (Consolidation) Ordinance", ["Landlord and Tenant (Consolidation) Ordinance:12", "Landlord and Tenant (Consolidation) Ordinance:13"]),
    ("42 U.S.C. § 1983", ["42 USC:1983"]),
    ("R (Miller) v Prime Minister [2019] UKSC 41", ["#[2019] UKSC 41"]),
    ("[2020] EWCA Civ 7", ["#[2020] EWCA Civ 7"]),
    ("Brown v. Board, 347 U.S. 483 (1954)", ["#347 U.S. 483"]),
    ("Case C-131/12", ["#C-131/12"]),
    ("section 5 of the Agreement and clause 7", []),
    ("See Section 4 below.", []),
]  # fmt: skip


def label(mention: Mention) -> str:
    """A mention as LAW:ARTICLE[.SUB][/PARAGRAPH[/ITEM]] or #CASE."""
    if mention.case_number:
        return f"#{mention.case_number}"
    parts = "".join(f"/{part}" for part in (mention.paragraph, mention.item) if part)
    return f"{mention.names}:{mention.article}{'.' + mention.sub if mention.sub else ''}{parts}"


@pytest.mark.parametrize(("text", "expected"), RUSSIAN + ENGLISH)
def test_forms(text: str, expected: list[str]) -> None:
    """Each form gives law, article and parts, or the case number in its one spelling."""
    assert [label(one) for one in extract(text)] == expected


def test_language_restricts_the_forms() -> None:
    """Only the forms of the language asked for are looked for."""
    text = "《民法典》第一条, ст. 130 ГК РФ, section 2 of the Unfair Contract Terms Act 1977"
    assert [one.language for one in extract(text)] == ["zh", "ru", "en"]
    assert [one.language for one in extract(text, "ru")] == ["ru"]


@given(
    article=st.integers(1, 1500),
    sub=st.integers(0, 40),
    part=st.integers(0, 12),
    code=st.sampled_from(["ГК РФ", "ЖК РФ", "Земельного кодекса РФ", "Трудового кодекса Российской Федерации"]),
    word=st.sampled_from(["ст.", "статьи", "статье", "статьёй"]),
)
def test_any_russian_article_is_read_back(article: int, sub: int, part: int, code: str, word: str) -> None:
    """Article, superscript, part and code come back from any spelling."""
    number = f"{article}.{sub}" if sub else str(article)
    (found,) = extract(f"Согласно {f'п. {part} ' if part else ''}{word} {number} {code}, суд решил")
    assert (found.law, found.article, found.sub, found.paragraph) == (
        code, str(article), str(sub or ""), str(part or ""),
    )  # fmt: skip


@pytest.mark.parametrize(
    "unit", ["п. 1 ", "ст. 1, 1, ", "ст. 1 и ", "дело № ", "section 1 of the ", "s. 1, ", "1 U.S. ", "A of "]
)
def test_hostile_repetition_is_survived(unit: str) -> None:
    """A hundred thousand characters of one repeated form are read to the end: the citation there is found."""
    found = extract(unit * (100_000 // len(unit)) + "\n\nст. 264 УК РФ")
    assert found[-1].article == "264"


GOLD = Path(__file__).parent


@pytest.mark.parametrize("file", ["gold_citations_ru.tsv", "gold_citations_en.tsv"])
def test_every_sentence_of_the_gold_list_is_read(file: str) -> None:
    """Sentences written before the grammar: case numbers, plenum rulings, reports, codes, chains, titles, spaces, and what is no citation."""
    lines = [line for line in (GOLD / file).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) > 60
    wrong = []
    for line in lines:
        text, expected = line.split("\t")
        found = [label(one) for one in extract(text)]
        if found != ([] if expected == "-" else expected.split("|")):
            wrong.append((text, found))
    assert wrong == []


def test_a_law_is_not_inherited_across_another_instrument() -> None:
    """Behind rules or a contract a bare article is of no law; near its law it is, and is marked as bare."""
    near, far = extract("ст. 15 ГК РФ. Далее ст. 16 применена. По Правилам проживания, ст. 17 нарушена.")[1:]
    assert (near.names, near.bare) == ("ГК РФ", True)
    assert far.names == ""


def test_a_plenums_ruling_is_one_law_in_any_spelling() -> None:
    """Court, number and year make the key."""
    names = (
        "Постановление Пленума Верховного Суда Российской Федерации от 23 июня 2015 г. № 25",
        "постановления Пленума ВС РФ от 23.06.2015 N 25",
    )
    assert same_law(*names)
    assert not same_law(names[0], "постановления Пленума ВАС РФ от 23.06.2015 № 25")
    assert not same_law(names[0], "Федеральный закон № 25-ФЗ")
