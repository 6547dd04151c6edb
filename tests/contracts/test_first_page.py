"""The first page: what the contract is, parties, term, money, the findings that matter, what was not examined."""

from __future__ import annotations

from io import BytesIO

import docx
import pytest
from docx.enum.text import WD_BREAK
from rich.cells import cell_len

import benchbar
from benchbar.contracts.docx_report import write_docx
from benchbar.contracts.docx_source import read_docx
from benchbar.contracts.first_page_text import first_page_parts
from benchbar.contracts.html_report import write_html
from benchbar.contracts.paragraphs import Paragraph, place
from benchbar.contracts.reviewing import review_contract

CONTRACTS = {
    "en": (
        "Tenancy agreement",
        "This agreement of 3 May 2025 is between Harrow Lettings Ltd (the “Landlord”) and Imogen Quill (the “Tenant”).",
        "1. The term is two years from 1 June 2025.",
        "2. The rent is £900 a month, payable on the first day.",
        "3. The Landlord may enter the premises at any time without notice.",
        "4. The deposit is non-refundable.",
        "5. The keys are handed over on Monday.",
    ),
    "ru": (
        "Договор аренды",
        "г. Пермь, 3 мая 2025 года. ООО «Юг», именуемое в дальнейшем «Арендодатель», и ИП Иванов, именуемый в дальнейшем «Арендатор»",
        "1. Срок аренды составляет два года с 1 июня 2025 года.",
        "2. Арендная плата составляет 90 000 рублей в месяц.",
        "3. Арендодатель вправе входить в помещение в любое время без предупреждения.",
        "4. Обеспечительный платёж не возвращается.",
        "5. Ключи передаются в понедельник.",
    ),
    "zh": (
        "房屋租赁合同",
        "甲方（出租人）：蒲远舟",
        "乙方（承租人）：温知夏",
        "签订日期：2025年5月3日",
        "第一条 租赁期限二年，自2025年6月1日起至2027年5月31日止。",
        "第二条 月租金为三千元。",
        "第三条 甲方可随时进入房屋，无需提前通知。",
        "第四条 押金一律不予退还。",
        "第五条 钥匙于周一交接。",
    ),
}
WORDS = {
    "en": ("Parties", "Term", "Money", "What matters most", "Not examined"),
    "ru": ("Стороны", "Срок", "Деньги", "Самое важное", "Не проверено"),
    "zh": ("当事人", "期限", "金额", "最重要的发现", "未审查"),
}


def review(language):
    return review_contract(place(map(Paragraph, CONTRACTS[language]), name="a.txt", form="text"))


@pytest.mark.parametrize("language", CONTRACTS)
def test_the_page_has_the_contracts_own_words(language):
    """Title, kind, day, both parties with their roles, term and money with their clauses."""
    page = review(language).report.first_page
    assert page is not None
    assert (page.title, page.contract_type, page.day) == (CONTRACTS[language][0], "lease", "2025-05-03")
    assert [one.role for one in page.parties] == ["landlord", "tenant"]
    text = "\n".join(CONTRACTS[language])
    assert page.term
    assert page.money
    assert all(one.text in text for one in (*page.term, *page.money))


@pytest.mark.parametrize("language", CONTRACTS)
def test_the_gravest_findings_come_first_and_what_nobody_examined_is_named(language):
    """At most five, each with its clause; the clause on keys was examined by no check."""
    page = review(language).report.first_page
    assert page is not None
    assert 2 <= len(page.findings) <= 5
    assert page.findings[0].level == "high"
    assert page.findings[0].clause
    assert any("5" in one or "五" in one for one in page.not_examined)
    assert [one.level for one in page.findings] == sorted(
        (one.level for one in page.findings), key=["high", "medium", "low"].index
    )


@pytest.mark.parametrize(
    ("language", "told"), [("en", "nothing can be said"), ("ru", "сказать ничего нельзя"), ("zh", "无法判断")]
)
def test_a_contract_of_which_nothing_was_examined_gets_no_clean_bill(language, told):
    """Where some of it was, the share that was stands beside the words."""
    title, *_, last = CONTRACTS[language]
    page = review_contract(place(map(Paragraph, (title, last)), name="a.txt", form="text")).report.first_page
    assert page is not None
    assert not page.examined
    assert told in "\n".join(line.text for part in first_page_parts(page, language) for line in part.lines)


@pytest.mark.parametrize("language", CONTRACTS)
def test_html_and_word_have_the_page_in_the_contracts_language(language):
    """Before the contract's own first line; the contract follows unchanged after a page break."""
    done = review(language)
    page = write_html(done.report)
    assert all(f"<h2>{word}</h2>" in page for word in WORDS[language])
    document = docx.Document(BytesIO(write_docx(done.source, done.report)))
    texts = [one.text for one in document.paragraphs]
    begin = len(texts) - len(CONTRACTS[language])
    assert texts[begin:] == list(CONTRACTS[language])
    assert set(WORDS[language]) <= set(texts[:begin])
    assert document.paragraphs[begin - 1]._p.xpath(".//w:br[@w:type='page']")


def test_the_page_is_escaped():
    """A contract's words are no markup."""
    lines = ("<script>alert(1)</script> agreement", *CONTRACTS["en"][1:])
    page = write_html(review_contract(place(map(Paragraph, lines), name="a.txt", form="text")).report)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


TERMINAL = {
    "en": ("note: ", "c.md: ", "high"),
    "ru": ("внимание: ", "c.md: ", "высокий"),
    "zh": ("提示：", "c.md：", "高"),
}


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_the_terminal_mixes_no_english_into_a_review(benchbar, tmp_path, language):
    """Notes, counts and what is written are told in the contract's language; names of files and of the reviewer stay."""
    (tmp_path / "c.md").write_text("\n\n".join(CONTRACTS[language]), "utf-8")
    done = benchbar("review-contract", "c.md", "--redline", "r.docx", env={"COLUMNS": "80"})
    assert done.code == 0, done.err
    for english in ("note", "clauses", "risk", "examined", "reviewed", "wordings", "written", "of "):
        assert english not in done.out


@pytest.mark.parametrize("language", CONTRACTS)
def test_the_terminal_shows_the_same_first_page(benchbar, tmp_path, language):
    """What was not used first, then the count of clauses and the page; a clause that nothing examined has no row of its own."""
    (tmp_path / "c.md").write_text("\n\n".join(CONTRACTS[language]), "utf-8")
    done = benchbar("review-contract", "c.md", env={"COLUMNS": "80"})
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    note, count, high = TERMINAL[language]
    assert lines[0].startswith(note)
    lines = lines[next(at for at, line in enumerate(lines) if line.startswith(count)) :]
    assert f"{high} 2" in lines[0]
    assert "not_examined" not in done.out
    assert lines[2].strip().startswith(CONTRACTS[language][0])
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("language", ["zh", *(pytest.param(one, marks=pytest.mark.slow) for one in ("ru", "en"))])
def test_a_reviewed_contract_is_reviewed_again_as_it_was(tmp_path, language):
    """Our first page and comments are no part of it: same clauses, same findings, one page, as many comments; another's comment stays."""
    plain, once, twice = (tmp_path / name for name in ("plain.docx", "once.docx", "twice.docx"))
    document = docx.Document()
    for line in CONTRACTS[language]:
        document.add_paragraph(line)
    document.add_comment(document.paragraphs[0].runs, text="Agreed.", author="Counsel")
    document.save(str(plain))
    first = review_contract(plain)
    first.save(once)
    second = review_contract(once)
    second.save(twice)
    assert [one.text for one in second.report.clauses] == [one.text for one in first.report.clauses]
    assert [one.findings for one in second.report.reviews] == [one.findings for one in first.report.reviews]
    assert sum("earlier review" in one for one in second.source.warnings) == 2
    one, two = docx.Document(str(once)), docx.Document(str(twice))
    assert [p.text for p in one.paragraphs] == [p.text for p in two.paragraphs]
    assert sorted((c.author, c.text) for c in one.comments) == sorted((c.author, c.text) for c in two.comments)
    assert sum(c.author == "Counsel" for c in two.comments) == 1


def test_a_page_that_only_ends_like_ours_is_read():
    """Our last line alone takes no clause out of a contract."""
    document = docx.Document()
    document.add_paragraph("1. The Tenant forfeits the whole deposit.")
    last = document.add_paragraph("These are the contract's own words; nothing was calculated.")
    last.add_run().add_break(WD_BREAK.PAGE)
    document.add_paragraph("2. The Landlord may enter at any time.")
    buffer = BytesIO()
    document.save(buffer)
    assert "forfeits" in read_docx(buffer.getvalue(), "c.docx").text


@pytest.mark.parametrize(
    ("language", "clause", "money"),
    [
        (
            "en",
            "1. Lessor: A; Lessee: B; office in Dover at £900 per month, furnished.",
            "office in Dover at £900 per month, furnished.",
        ),
        ("en", "1. The lessee is charged quarterly, 1,200 euros.", "The lessee is charged quarterly, 1,200 euros."),
        (
            "ru",
            "1. Комната на Садовой улице за 9 500 рублей в месяц; вещи остаются.",
            "Комната на Садовой улице за 9 500 рублей в месяц",
        ),
        ("zh", "第一条 房屋坐落于青石路；每月4200元，按季支付。", "每月4200元，按季支付。"),
    ],
)
def test_an_amount_for_each_week_or_month_is_money_without_a_word_for_it(language, clause, money, tmp_path):
    """In the part of the sentence that says it, and in the contract's own words."""
    (tmp_path / "c.txt").write_text(clause + "\n", "utf-8")
    page = benchbar.review_contract(tmp_path / "c.txt", language=language).report.first_page
    assert [one.text for one in page.money] == [money]
