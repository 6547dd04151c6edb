"""Parties, day, term and money of contracts that say them in many ways: right, or not understood, never another period or amount."""

from __future__ import annotations

import tomllib
from pathlib import Path

import docx
import pytest

import benchbar
from benchbar.contracts.clauses import clauses as split_clauses
from benchbar.contracts.duration import term_of
from benchbar.contracts.first_page import clause_names
from benchbar.contracts.first_page_text import first_page_parts
from benchbar.contracts.named_parties import named_parties
from benchbar.contracts.paragraphs import Paragraph, place
from benchbar.contracts.payments import money_of
from benchbar.records.contracts import ClauseKind

CONTRACTS = tomllib.loads((Path(__file__).parent / "first_pages.toml").read_text("utf-8"))["contract"]


@pytest.mark.parametrize("told", CONTRACTS, ids=[one["id"] for one in CONTRACTS])
def test_the_first_page_says_what_the_contract_says(told, tmp_path):
    """Of Word files with tables and of plain text, in three languages and traditional characters."""
    page = benchbar.review_contract(_written(told, tmp_path), bounds=None).report.first_page
    assert page is not None
    assert (page.contract_type or "", page.day) == (told["type"], told["day"])
    roles = {one.name.casefold(): one.role for one in page.parties}
    assert roles.keys() == {name.casefold() for name, _ in told["parties"]}
    assert all(not role or roles[name.casefold()] in ("", role) for name, role in told["parties"])
    term, money = [one.text for one in page.term], [one.text for one in page.money]
    assert all(any(words in one for one in term) for words in told["term"])
    assert all(any(words in one for words in told["term"]) for one in term)
    assert not any(words in one for one in term for words in told["never"])
    assert all(any(words in one for one in money) for words in told["money"])
    assert told["money"] or not money


def _written(told, folder):
    """The contract as its file, tables where its lines begin with a bar."""
    lines = told["text"].strip().splitlines()
    if told["form"] == "txt":
        path = folder / "contract.txt"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path
    document, table = docx.Document(), None
    for line in filter(None, lines):
        if not line.startswith("|"):
            document.add_heading(line, 0) if line == lines[0] else document.add_paragraph(line)
            table = None
            continue
        cells = [one.strip() for one in line.strip("|").split("|")]
        table = table or document.add_table(rows=0, cols=len(cells))
        for cell, text in zip(table.add_row().cells, cells, strict=True):
            cell.text = text
    document.save(folder / "contract.docx")
    return folder / "contract.docx"


LASTING = {
    "en": (
        "The Consultant is engaged for twelve months from 1 July.",
        "The Supplier engages the Agent for a period of two years commencing on 3 March 2026.",
        "Term. For eighteen months with effect from July 1, 2026.",
    ),
    "ru": (
        "Помещение передаётся на двенадцать месяцев, начиная с 1 июля.",
        "Агент действует два года с 3 марта 2026 года.",
        "Сотрудничество длится восемнадцать месяцев с 1 июля.",
    ),
    "zh": (
        "甲方聘请乙方自7月1日起提供顾问服务十二个月。",
        "本合同自2026年7月1日起为期十二个月。",
        "顾问服务十八个月，自七月一日起算。",
    ),
}
OF_SOMETHING_ELSE = {
    "en": "The warranty runs for twelve months from 1 July 2026.",
    "ru": "Гарантия действует двенадцать месяцев с 1 июля 2026 года.",
    "zh": "乙方应自2026年7月1日起三个月内付清价款；质保期自七月一日起十二个月。",
}


@pytest.mark.parametrize(("language", "clause"), [(one, clause) for one in LASTING for clause in LASTING[one]])
def test_a_term_counted_from_a_day_is_read_whatever_its_sentence_is_about(language, clause):
    """“For twelve months from 1 July” tells how long the contract lasts, also where no word for a contract stands before it."""
    assert term_of(clause, language)


@pytest.mark.parametrize("language", OF_SOMETHING_ELSE)
def test_a_warranty_counted_from_a_day_is_no_term_of_the_contract(language):
    """What a period belongs to is read as before."""
    assert not term_of(OF_SOMETHING_ELSE[language], language)


@pytest.mark.parametrize(
    ("language", "clause"),
    [
        ("en", "This Agreement may be terminated with thirty days' notice."),
        ("en", "The warranty runs for a period of two years from delivery."),
        ("en", "The confidentiality obligations continue for a term of five years."),
        ("en", "This Agreement is made on 3 May 2026."),
        ("en", "The payment term is 30 days."),
        ("zh", "租赁期间，承租人应于每月五日前支付租金。"),
        ("zh", "合同期限届满前三十日，双方协商续签。"),
        ("zh", "质保期限为二年。"),
        ("zh", "协议终止后三年内，乙方不得使用甲方商标，保密期限为五年。"),
        ("ru", "Гарантийный срок составляет два года."),
        ("ru", "Директор, действующий на основании Устава с 5 мая 2020 года, подписал договор."),
        ("ru", "По истечении срока действия договора в течение пяти дней стороны подписывают акт."),
        ("ru", "Срок поставки – 30 дней."),
    ],
)
def test_a_period_of_something_else_is_not_the_contracts(language, clause):
    """A notice, a warranty, a secret, a payment, a delivery; the day of signing is no term either."""
    assert term_of(clause, language) == ""


@pytest.mark.parametrize(
    ("language", "clause"),
    [
        ("zh", "甲方提供两块土地用于建设。"),
        ("en", "The parties met on 3/5 in room 10/20 and agreed on 12:30."),
        ("ru", "Стороны соблюдают ГОСТ 12/08."),
        ("en", "The Seller delivers 40 pounds of flour."),
    ],
)
def test_numbers_that_are_no_money_are_not_shown_as_money(language, clause):
    """Pieces of land, dates, times, standards and weights."""
    assert money_of(clause, language) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "甲方地址：青岚路八号\n乙方代表：何某\n"),
        ("en", "Address of Tenant: 5 High Street\n1. Disputes between Supplier and Distributor go to court.\n"),
        ("en", "Between Marks and Spencer plc and Alder and Ash Ltd\n"),
        ("ru", "Адрес Арендатора: ул. Полевая, 3\nВознаграждение Агента – 8 процентов\n"),
    ],
)
def test_an_address_a_dispute_or_words_that_divide_in_two_ways_name_no_party(language, text):
    """What only holds the word for a party is not its name."""
    assert named_parties(text, language) == ()


def test_amounts_beyond_those_shown_are_named_by_their_clauses(tmp_path):
    """Five are shown, payments before other amounts."""
    (tmp_path / "c.txt").write_text(
        "SALE AGREEMENT\n"
        + "".join(f"{n}. A fine of EUR {n}00 is due for breach {n}.\n" for n in range(1, 8))
        + "8. The price is EUR 9,000.\n",
        "utf-8",
    )
    page = benchbar.review_contract(tmp_path / "c.txt", bounds=None).report.first_page
    assert [one.clause for one in page.money] == ["1", "2", "3", "4", "8"]
    assert page.more_money == ("5", "6", "7")


@pytest.mark.parametrize(
    ("language", "named", "listed"),
    [
        ("zh", "岚桥电子有限公司（甲方、用人单位）", "一、六"),
        ("en", "Fenwick Bakeries Limited (Employer)", "1, 3"),
    ],
)
def test_names_and_lists_are_set_as_the_language_sets_them(language, named, listed, tmp_path):
    """Full-width brackets and 、 in Chinese; in English no role beside the contract's own word for it."""
    text = {
        "zh": "劳动合同\n甲方（用人单位）：岚桥电子有限公司\n乙方（劳动者）：江予安\n一、乙方担任测试工程师。\n二、社会保险由劳动者自行承担，用人单位不予缴纳。\n六、双方各执一份。\n",
        "en": 'EMPLOYMENT CONTRACT\nFenwick Bakeries Limited (the "Employer") and Oriel Tansley (the "Employee") agree:\n1. The office is green.\n2. The Employer may dismiss the Employee at any time without notice.\n3. Two copies.\n',
    }[language]
    (tmp_path / "c.txt").write_text(text, "utf-8")
    page = benchbar.review_contract(tmp_path / "c.txt", bounds=None).report.first_page
    lines = [line.text for part in first_page_parts(page, language) for line in part.lines]
    assert named in lines
    assert any(listed in line for line in lines)


def test_gaps_of_low_level_alone_are_no_clean_bill(tmp_path):
    """What is not settled stands below the share of clauses that was examined."""
    text = "LEASE AGREEMENT\n" + "".join(f"{n}. The room number {n} is painted green.\n" for n in range(1, 10))
    (tmp_path / "c.txt").write_text(text, "utf-8")
    page = benchbar.review_contract(tmp_path / "c.txt", bounds=None).report.first_page
    matters = first_page_parts(page, "en")[4].lines
    assert page.findings
    assert "nothing can be said" in matters[0].text


def test_a_table_is_named_by_its_heads_and_an_excerpt_has_no_number_of_its_clause(tmp_path):
    """Bars between cells and the clause's own number are no words to find it by."""
    document = docx.Document()
    document.add_paragraph("SERVICES AGREEMENT")
    document.add_paragraph("1.1 The fee is EUR 900 a month.")
    document.add_paragraph("1.2 This Agreement lasts two years.")
    table = document.add_table(rows=0, cols=3)
    for row in (("Item", "Fee", "Terms"), ("Support", "EUR 70 an hour", "in advance")):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.save(tmp_path / "c.docx")
    page = benchbar.review_contract(tmp_path / "c.docx", bounds=None).report.first_page
    assert [one.text for one in page.money] == ["The fee is EUR 900 a month.", "Support | EUR 70 an hour | in advance"]
    assert [one.text for one in page.term] == ["This Agreement lasts two years."]
    assert page.money[1].clause == "“Item, Fee, Terms”"


@pytest.mark.parametrize(
    ("language", "opening", "told"),
    [
        (
            "en",
            'is between Lone Star Lift & Crane, LLC, a Texas company ("Lessor"), and Delgado Roofing, Inc., a corporation ("Lessee").',
            [("Lone Star Lift & Crane, LLC", "landlord"), ("Delgado Roofing, Inc.", "tenant")],
        ),
        (
            "en",
            "by and between First Bank, N.A., a national bank (“Lender”), and Smith, Jones & Co., L.P. (“Borrower”)",
            [("First Bank, N.A.", "lender"), ("Smith, Jones & Co., L.P.", "borrower")],
        ),
        (
            "en",
            'Acme Widgets Ltd. (the "Company") engages Jane Doe, residing in Ohio (the "Recruiter"), by a Purchase Order (the "Order").',
            [("Acme Widgets Ltd.", ""), ("Jane Doe", "")],
        ),
        (
            "ru",
            "ООО «СибЛогистик», именуемое в дальнейшем «Экспедитор», и ИП Захарова Марина Олеговна, именуемая в дальнейшем «Клиент», заключили договор (далее – «Договор»)",
            [("ООО «СибЛогистик»", "provider"), ("ИП Захарова Марина Олеговна", "customer")],
        ),
        (
            "ru",
            "АО «Заря» (далее — «Спонсор») и АНО «Спорт» (далее — «Получатель поддержки») заключили договор.",
            [("АО «Заря»", ""), ("АНО «Спорт»", "")],
        ),
        (
            "zh",
            "转让方：王建业，男，身份证号码320502（以下简称“出让人”）\n受让方：恒泽投资合伙企业（有限合伙）（以下简称“受让人”）",
            [("王建业", ""), ("恒泽投资合伙企业（有限合伙）", "")],
        ),
        (
            "zh",
            "主办方：上海会展有限公司\n参展方：宁波灯具厂\n联系人：李明\n开户行：中国银行上海分行",
            [("上海会展有限公司", ""), ("宁波灯具厂", "")],
        ),
    ],
)
def test_each_party_stands_once_with_its_whole_name(language, opening, told):
    """In the order of the text, whatever the contract calls it; a legal form, a registry line or a thing that is defined is no party."""
    assert [(one.name, one.role) for one in named_parties(opening, language)] == told


def test_a_role_that_the_contract_has_its_own_word_for_is_not_told_in_another():
    """经纪公司 is no publisher, and needs no second word."""
    text = "经纪合同\n甲方（经纪公司）：星河文化有限公司\n乙方（艺人）：林晚晴\n第一条 期限十年。"
    lines = benchbar.review_contract(place(map(Paragraph, text.split("\n")), name="a.txt", form="text")).report
    assert lines.first_page is not None
    shown = [line.text for line in first_page_parts(lines.first_page, "zh")[1].lines]
    assert shown == ["星河文化有限公司（甲方、经纪公司）", "林晚晴（乙方、艺人）"]


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (["股权转让协议", "一、标的", "1. 标的为股权。", "二、价款", "1. 价款为100万元。"], ["一.1", "二.1"]),
        (["ДОГОВОР", "Статья 1. Предмет", "1. Предмет.", "Статья 2. Цена", "1. Цена 100 рублей."], ["Статья 1.1", "Статья 2.1"]),
        (["Agreement", "1. Scope", "1.1 The scope.", "2. Price", "2.1 The price is $5."], ["1.1", "2.1"]),
    ],
)  # fmt: skip
def test_a_clause_whose_number_comes_again_is_told_with_its_article(lines, named):
    """“1” alone leads no reader to a clause where every article begins with 1."""
    clauses = split_clauses(place(map(Paragraph, lines), name="a.txt", form="text"))
    names = clause_names(clauses, "zh" if "一" in lines[1] else "en")
    assert [names[one.id] for one in clauses if one.kind is ClauseKind.CLAUSE] == named
