"""Russian and English citations."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.law.citations import Mention, extract, grammar
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


PIECES = (
    "section ", "s.", "ss ", "Article ", "§§ ", "rule ", "para ", "Sch ", "Part ", "Order ", "9", "12A", "3.4", "2000e-2", " (1)", "(a)", "(B)", ", ", " and ", "–", "-", " of the ",
    "Defamation Act 2013", "the 2013 Act", "CPR", "GDPR", "U.S.C.", "17 ", "Cal. Civ. Code ", "ст. ", "ст.ст. ", "ч. 1 ", "п. «а» ", "подп. ", "228-й ", "80-88", " и ", "; ", "(", ")", " ГК РФ",
    " 152-ФЗ", "№ ", "Правил", "постановления Пленума ВС РФ № 5", "дело ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_order_of_the_parts_of_citations_stops_the_reading(text: str) -> None:
    """Whatever stands beside what, the reading ends, and each citation lies in the text with the words that it says."""
    for one in extract(text):
        assert text[slice(*one.span)] == one.text


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


# Of the United Kingdom, Ireland, Australia and the United States; each holds what ends a name elsewhere.
TITLES = [
    "Ministerial and other Maternity Allowances Act 2021",
    "Health and Safety at Work etc. Act 1974",
    "Protection from Eviction Act 1977",
    "Protection from Harassment Act 1997",
    "Offences against the Person Act 1861",
    "Carriage of Goods by Sea Act 1971",
    "Carriage by Air Act 1961",
    "Access to Justice Act 1999",
    "Trusts of Land and Appointment of Trustees Act 1996",
    "Inheritance (Provision for Family and Dependants) Act 1975",
    "Leasehold Reform, Housing and Urban Development Act 1993",
    "Anti-terrorism, Crime and Security Act 2001",
    "Contracts (Rights of Third Parties) Act 1999",
    "Sale and Supply of Goods Act 1994",
    "Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013",
    "Transfer of Undertakings (Protection of Employment) Regulations 2006",
    "Companies (Audit, Investigations and Community Enterprise) Act 2004",
    "Parental Bereavement (Leave and Pay) Act 2018",
    "Non-Fatal Offences against the Person Act 1997",
    "Redress for Women Resident in Certain Institutions Act 2015",
    "Offences Against the State Act, 1939",
    "Prevention of Corruption (Amendment) Act 2001",
    "A New Tax System (Goods and Services Tax) Act 1999 (Cth)",
    "Competition and Consumer Act 2010 (Cth)",
    "Age Discrimination in Employment Act of 1967",
    "Americans with Disabilities Act of 1990",
    "Family and Medical Leave Act of 1993",
    "21st Century Cures Act",
    "Controlling the Assault of Non-Solicited Pornography and Marketing Act of 2003",
    "Uniting and Strengthening America by Providing Appropriate Tools Required to Intercept and Obstruct Terrorism Act of 2001",
    "Rights of the Terminally Ill Act 1995 (NT)",
    "Town and Country Planning (Use Classes) Order 1987",
    "Regulation of Investigatory Powers Act 2000",
    "Married Women's Property Act 1882",
]


@pytest.mark.parametrize("name", TITLES)
def test_titles_with_small_words_are_read_whole(name: str) -> None:
    """Small words, brackets and commas inside a title leave its section with it, not with the Act named before."""
    first, second = extract(f"Section 3 of the Transport Act 1985 is first; then section 44(2) of the {name} applies.")
    assert (first.law, second.law, second.antecedent) == ("Transport Act 1985", name, "")


@pytest.mark.parametrize("name", TITLES)
def test_a_cited_provision_is_read_back(name: str) -> None:
    """What is written as a citation is read as the same provision."""
    (found,) = extract(grammar("en").cite(name, (), "44", ""))
    assert (found.law, found.article) == (name, "44")


@pytest.mark.parametrize(
    ("name", "number", "sub", "expected"),
    [
        ("Employment Rights Act 1996", "103", "A", "section 103A of the Employment Rights Act 1996"),
        ("Working Time Regulations 1998", "13", "", "regulation 13 of the Working Time Regulations 1998"),
        ("Civil Procedure Rules 1998", "3", "4", "rule 3.4 of the Civil Procedure Rules 1998"),
        ("Regulation (EU) 2016/679", "17", "", "Article 17 of Regulation (EU) 2016/679"),
        ("GDPR", "17", "", "Article 17 of GDPR"),
        ("Civil Code of Sealand", "5", "", "Article 5 of the Civil Code of Sealand"),
        ("42 USC", "2000", "e-2", "42 USC § 2000e-2"),
        ("Cal. Civ. Code", "1714", "", "Cal. Civ. Code § 1714"),
        ("Housing Act 1988", "Sch 2", "", "Schedule 2 to the Housing Act 1988"),
        ("Public Law 115-9", "2", "", "section 2 of Public Law 115-9"),
        ("Bürgerliches Gesetzbuch", "433", "", "§ 433 Bürgerliches Gesetzbuch"),
        ("Housing Act 1988", "", "", "Housing Act 1988"),
    ],
)
def test_provisions_are_called_as_their_law_calls_them(name: str, number: str, sub: str, expected: str) -> None:
    """Acts have sections, regulations regulations, rules rules, European law and foreign codes articles."""
    assert grammar("en").cite(name, (), number, sub) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Section 5 of the Defamation Act 1952", ["Defamation Act 1952:5"]),
        ("The Harbours Act 2013 replaced section 5 of the Harbours Act 1952; see section 4 of the 2013 Act.", ["Harbours Act 1952:5", "Harbours Act 2013:4"]),
        ("The Port Dues Act 1996 is old. Section 13 of the Harbours Act 2010, but s 95 PDA 1996 and s 9 PDA.", ["Harbours Act 2010:13", "Port Dues Act 1996:95", "Port Dues Act 1996:9"]),
        ("Section 13 of the Harbours Act 2010 and s 3 XYZ 1999", ["Harbours Act 2010:13", "XYZ 1999:3"]),
        ("Section 13 of the Harbours Act 2010 and section 3 of the Scheme of Arrangement", ["Harbours Act 2010:13"]),
        ("Section 13 of the Harbours Act 2010 and section 44 of the port dues act 2001", ["Harbours Act 2010:13", "port dues act 2001:44"]),
        ("Section 13 of the Harbours Act 2010. Article 6 and Rule 8 are of other laws.", ["Harbours Act 2010:13"]),
        ("Section 13 of the Harbours Act 2010 and section 14 of the Act", ["Harbours Act 2010:13", "Harbours Act 2010:14"]),
        ("Section 3 of the Lanham Act, 28 U.S.C. § 1331, thus § 1332", ["Lanham Act:3", "28 USC:1331", "28 USC:1332"]),
        ("17 U.S.C. §§ 101, 106A and 107(2), and 28 U.S.C. § 1331", ["17 USC:101", "17 USC:106.A", "17 USC:107/2", "28 USC:1331"]),
        ("29 USC 207(a)(1), Title 42 USC, sec. 1983 and section 109 of title 17", ["29 USC:207/a/1", "42 USC:1983", "17 USC:109"]),
        ("Article 16 of the Consumer Rights Directive 2011/83/EU", ["Directive 2011/83/EU:16"]),
        ("Subsection (1)(a) of section 2 of the Harbours Act 2010", ["Harbours Act 2010:2/1/a"]),
        ("subsection (1) of sections 2 and 3 of the Harbours Act 2010", ["Harbours Act 2010:2", "Harbours Act 2010:3"]),
        ("section 12A of the Landlord and Tenant Act 1985", ["Landlord and Tenant Act 1985:12.A"]),
    ],
)  # fmt: skip
def test_a_section_is_of_the_law_named_behind_it(text: str, expected: list[str]) -> None:
    """A law called by year, initials or title decides; what cannot be read leaves the section without a law, not with another."""
    assert [label(one) for one in extract(text)] == expected


def forms() -> list[tuple[str, str, list[str]]]:
    """The rows of the tables of forms: family, text, what must come out."""
    rows = []
    for file in ("forms_en.tsv", "forms_ru.tsv"):
        lines = (Path(__file__).parent / file).read_text(encoding="utf-8").splitlines()[1:]
        rows += [line.split("\t") for line in lines]
    return [(family, text, [one for one in expected.split("; ") if one]) for family, text, expected in rows]


@pytest.mark.parametrize(("family", "text", "expected"), forms())
def test_the_tables_of_forms(family: str, text: str, expected: list[str]) -> None:
    """Each form of a style guide or of a court's usage gives law, article and parts, or the number of the case."""
    found = [label(one) for one in extract(text) if one.article or one.case_number]
    assert found == expected, family
