"""Sides and playbooks: whose risks are found, and where a contract stands to what a party wants."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchbar.cli.review_contract import command
from benchbar.contracts.named_parties import named_parties, roles_of_labels, side_of
from benchbar.contracts.paragraphs import Paragraph, place
from benchbar.contracts.playbook import read_playbook
from benchbar.contracts.reviewing import review_contract
from benchbar.contracts.terms import find_terms
from benchbar.records.errors import BadInputError, UserError
from benchbar.tables.word import word_table

PLAYBOOK = """
side = "customer"
[[position]]
topic = "Liability"
preferred = "Liability is limited to the fees of twenty-four months."
fallback = "Liability is limited to the fees of twelve months."
reason = "Our insurance covers no more."
find = ["liability"]
[[position]]
topic = "Payment"
preferred = "Invoices are payable within 60 days."
fallback = "Invoices are payable within 45 days."
walk_away = "payable in advance"
find = ["invoice"]
[[position]]
topic = "Escrow"
preferred = "The source code is held in escrow."
"""
CONTRACT = (
    "Software services agreement",
    "between Orrin Systems Ltd (the “Supplier”) and Dale Clinics Ltd (the “Customer”)",
    "1. The Supplier provides the software from 1 March 2026 for a term of two years.",
    "2. Each invoice is payable within 30 days of receipt. The fee is £2,400 a month.",
    "3. Liability is limited to the fees of twelve months.",
)


def contract(*lines):
    return place(map(Paragraph, lines), name="a.txt", form="text")


def write(tmp_path, text, name="book.toml"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_a_contract_is_held_against_each_position(tmp_path):
    """The fallback is a low finding, less than the fallback a high one, a topic that is missing a medium one of the whole."""
    report = review_contract(contract(*CONTRACT), playbook=write(tmp_path, PLAYBOOK)).report
    assert [(one.topic, one.stance) for one in report.standings] == [
        ("Liability", "fallback"),
        ("Payment", "walk_away"),
        ("Escrow", "missing"),
    ]
    own = [
        (one.level, one.suggestion) for review in report.reviews for one in review.findings if one.kind == "playbook"
    ]
    assert own == [
        ("high", "Invoices are payable within 60 days."),
        ("low", "Liability is limited to the fees of twenty-four months."),
    ]
    assert [(one.kind, one.level) for one in report.findings if "Escrow" in one.risk] == [("missing_clause", "medium")]
    assert report.side == "customer"


def test_what_the_playbook_prefers_is_no_finding(tmp_path):
    """Its wording, or a number at least as good, meets the position."""
    lines = (*CONTRACT[:3], "2. Each invoice is payable within 90 days.", "3. The source code is held in escrow.")
    report = review_contract(contract(*lines), playbook=write(tmp_path, PLAYBOOK)).report
    assert [(one.topic, one.stance) for one in report.standings[1:]] == [
        ("Payment", "preferred"),
        ("Escrow", "preferred"),
    ]


def test_what_one_walks_away_from_is_high(tmp_path):
    """Its words decide before any number does."""
    lines = (*CONTRACT[:3], "2. Each invoice is payable in advance, within 90 days.")
    report = review_contract(contract(*lines), playbook=write(tmp_path, PLAYBOOK)).report
    assert [(one.topic, one.stance) for one in report.standings][1] == ("Payment", "walk_away")


def test_another_wording_is_said_to_need_comparing(tmp_path):
    """Where neither wording nor number tells, nothing is guessed: the finding is medium and says that the two differ."""
    lines = (*CONTRACT[:3], "2. The invoice is settled by the Customer promptly.")
    report = review_contract(contract(*lines), playbook=write(tmp_path, PLAYBOOK)).report
    (found,) = [one for review in report.reviews for one in review.findings if one.kind == "playbook"]
    assert (found.level, found.risk) == ("medium", "other wording than the playbook's, to be compared: Payment")
    assert found.excerpt is not None
    assert found.excerpt.status == "verified"


def test_a_table_in_word_is_a_playbook(tmp_path):
    """A real DOCX, with heads in any of the languages."""
    for heads in (("Topic", "Preferred", "Fallback", "Walk-away", "Reason"), ("主题", "首选", "备选", "底线", "理由")):
        path = tmp_path / "book.docx"
        path.write_bytes(
            word_table(heads, [dict(zip(heads, ("Payment", "60 days", "45 days", "advance", "cash"), strict=True))])
        )
        (position,) = read_playbook(path).position
        assert (position.topic, position.preferred, position.walk_away, position.reason) == (
            "Payment",
            "60 days",
            "advance",
            "cash",
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[position]]\ntopic = 'a'\nprefered = 'b'", "position 1: unknown field (did you mean 'preferred'"),
        ("[[position]]\ntopic = 'a'", "field `preferred`: position 1 has none"),
        ("[[position]]\npreferred = 'a'", "field `topic`: position 1 has none"),
        ("[[positions]]\ntopic = 'a'", "unknown field (did you mean 'position'?)"),
        ("", "no position in it"),
        ("[[position", "not valid TOML"),
        ("[[position]]\ntopic='a'\npreferred='b'\n[[position]]\ntopic='A'\npreferred='b'", "the topic 'A' comes twice"),
        ("[[position]]\ntopic='a'\npreferred=['b']", "Expected `str`"),
    ],
)
def test_a_wrong_playbook_is_refused_with_place_and_cure(tmp_path, text, message):
    """Unknown fields with the nearest name, missing ones, doubled topics, wrong types."""
    with pytest.raises(BadInputError) as caught:
        read_playbook(write(tmp_path, text))
    assert message in str(caught.value)
    assert "book.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        (("Topic", "Prefered"), "table 1: unknown column 'Prefered' (did you mean 'preferred'"),
        (("Topic", "Reason"), "table 1 has no column preferred; it has Topic, Reason"),
    ],
)
def test_a_wrong_table_is_refused_with_its_column(tmp_path, heads, message):
    """The nearest head is named."""
    path = tmp_path / "book.docx"
    path.write_bytes(word_table(heads, [dict.fromkeys(heads, "x")]))
    with pytest.raises(BadInputError, match="book.docx") as caught:
        read_playbook(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("language", "text", "roles", "labels"),
    [
        (
            "zh",
            "房屋租赁合同\n甲方（出租人）：蒲远舟\n乙方（承租人）：温知夏\n",
            ("landlord", "tenant"),
            {"甲方": "出租人", "乙方": "承租人"},
        ),
        (
            "zh",
            "用人单位（甲方）：某公司\n劳动者（乙方）：张三\n",
            ("employer", "employee"),
            {"甲方": "用人单位", "乙方": "劳动者"},
        ),
        (
            "en",
            "between Acme Ltd (the “Company”) and John Doe (the “Employee”)",
            ("employer", "employee"),
            {"Company": "employer"},
        ),
        (
            "ru",
            "ООО «Юг», именуемое в дальнейшем «Арендодатель», и ИП Иванов, именуемый в дальнейшем «Арендатор»",
            ("landlord", "tenant"),
            {},
        ),
    ],
)
def test_the_parties_are_read_where_the_contract_introduces_them(language, text, roles, labels):
    """A and B are its first and second party; a label that tells no role gets the role that the contract gives it."""
    named = named_parties(text, language)
    assert tuple(one.role for one in named) == roles
    assert (side_of("A", named), side_of("B", named)) == roles
    assert roles_of_labels(named, language) == labels


@pytest.mark.parametrize(
    ("language", "opening", "names"),
    [
        (
            "en",
            '1. Parties. This Lease is made on 1 March 2026 between Northgate Homes Ltd ("Landlord") and Ms Jane Cole ("Tenant").',
            ("Northgate Homes Ltd", "Ms Jane Cole"),
        ),
        (
            "en",
            "This Agreement is entered into by and between Marks and Spencer plc (the “Buyer”) and Smith and Sons Ltd (the “Seller”)",
            ("Marks and Spencer plc", "Smith and Sons Ltd"),
        ),
        (
            "ru",
            "Договор заключён между ООО «Юг», именуемым в дальнейшем «Арендодатель», и ИП Иванов, именуемым в дальнейшем «Арендатор»",
            ("ООО «Юг»", "ИП Иванов"),
        ),
        (
            "ru",
            "г. Тверь 14 апреля 2025 г.\nАО «Юг», именуемое в дальнейшем «Заказчик», в лице директора Лапина С. В., действующего на основании устава,"
            " с одной стороны, и индивидуальный предприниматель Громов А. П., именуемый в дальнейшем «Подрядчик», с другой стороны,",
            ("АО «Юг»", "индивидуальный предприниматель Громов А. П."),
        ),
        (
            "ru",
            "АО «Склады», в лице директора Юдиной О. М. (далее — «Арендодатель»), и общество «Книжный мир», в лице директора Ким Р. А."
            " (далее — «Арендатор»), заключили договор.",
            ("АО «Склады»", "общество «Книжный мир»"),
        ),
        (
            "ru",
            "ООО «Волга» (Займодавец) и гражданка Кузнецова Ирина (Заёмщик) заключили договор.",
            ("ООО «Волга»", "гражданка Кузнецова Ирина"),
        ),
        (
            "zh",
            "出借人（甲方）：某公司\n借款人（乙方）：方晓岚\n保证人（丙方）：方建国\n甲方（盖章）：　乙方（签字）：　丙方（签字）：",
            ("某公司", "方晓岚", "方建国"),
        ),
    ],
)
def test_a_partys_name_begins_where_the_opening_ends(language, opening, names):
    """The words before the first name are none of it; an "and" within a name is; who signs for a party, and where, is no party."""
    assert tuple(one.name for one in named_parties(opening, language)) == names


def test_a_side_that_is_none_is_refused():
    """With the nearest name; A and B only where the contract says who they are."""
    with pytest.raises(UserError, match="did you mean 'tenant'"):
        side_of("tennant", ())
    with pytest.raises(UserError, match="such as tenant"):
        side_of("A", ())
    assert side_of("арендатор", ()) == side_of("承租人", ()) == side_of("Lessee", ()) == "tenant"


def test_the_same_clause_is_a_risk_for_one_side_only():
    """Without a side the party that did not write the contract is meant."""
    clause = "The Tenant may terminate at any time without notice."
    assert find_terms(clause, "en", "lease") == ()
    assert find_terms(clause, "en", "lease", "tenant") == ()
    assert [hit.harmed for hit in find_terms(clause, "en", "lease", "landlord")] == ["landlord"]


def test_labels_of_the_contract_stand_for_their_role():
    """Where 甲方 is the buyer, what takes the seller's liability away is a risk, whoever is called 乙方."""
    roles = {"甲方": "买方", "乙方": "卖方"}
    assert find_terms("乙方对货物的任何质量问题概不负责。", "zh", "sales", "", roles)
    assert find_terms("甲方对货物的任何质量问题概不负责。", "zh", "sales", "", roles) == ()


def test_the_command_takes_both(tmp_path):
    """`--side` and `--playbook`; the JSON has side, standings and the first page."""
    file = tmp_path / "a.txt"
    file.write_text("\n\n".join(CONTRACT), "utf-8")
    book = write(tmp_path, PLAYBOOK)
    done = CliRunner().invoke(command, [str(file), "--side", "B", "--playbook", str(book), "--json"])
    found = json.loads(done.stdout)
    assert found["side"] == "customer"
    assert [one["stance"] for one in found["playbook"]["standings"]] == ["fallback", "walk_away", "missing"]
    with pytest.raises(UserError, match="did you mean 'customer'"):
        CliRunner().invoke(command, [str(file), "--side", "custommer"], catch_exceptions=False)
