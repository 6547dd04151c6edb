"""Whom a finding harms: what harms the other party is no finding for the side that is reviewed, and a protective clause none at all."""

from __future__ import annotations

import pytest

import benchbar
from benchbar.contracts.first_page_text import first_page_parts
from benchbar.contracts.limits import all_limits
from benchbar.records.contracts import RiskLevel

EN = [
    "# Cleaning Agreement",
    'This Agreement is made between Vega Ltd (the "Provider") and Lyra Ltd (the "Customer"), London, England.',
]
RU = [
    "# Договор поставки",
    "ООО «Вега», именуемое в дальнейшем «Поставщик», и ООО «Лира», именуемое в дальнейшем «Покупатель», заключили договор.",
]
ZH = ["房屋租赁合同", "甲方（出租人）：某甲", "乙方（承租人）：某乙"]


def _reviewed(tmp_path, lines, side=None):
    path = tmp_path / "a.md"
    path.write_text("\n".join(lines), "utf-8")
    report = benchbar.review_contract(path, side=side, bounds=None).report
    return report.reviews[-1]


def _grave(review):
    return [one.risk for one in review.findings if one.level is not RiskLevel.LOW]


@pytest.mark.parametrize(
    ("lines", "clause", "harmed", "other"),
    [
        (EN, "1. The Customer shall pay every invoice within 75 days of receipt.", "provider", "customer"),
        (EN, "1. The Customer's aggregate liability is limited to GBP 50.", "provider", "customer"),
        (EN, "1. The Provider credits the Customer with 4% for each day of delay.", "provider", "customer"),
        (RU, "1. Покупатель оплачивает партию в течение 120 дней с даты приёмки.", "поставщик", "покупатель"),
        (RU, "1. Поставщик уплачивает Покупателю пени 3 % за каждый день задержки.", "поставщик", "покупатель"),
        (RU, "1. За каждый день просрочки Поставщик уплачивает пени 10 % от цены.", "поставщик", "покупатель"),
        (RU, "1. Споры рассматриваются в суде по выбору Покупателя.", "поставщик", "покупатель"),
        (ZH, "第一条 甲方逾期交付房屋的，每日按月租金的百分之四支付违约金。", "landlord", "tenant"),
    ],
)
def test_a_number_or_term_is_a_finding_only_for_the_side_that_it_harms(lines, clause, harmed, other, tmp_path):
    """Long payment harms who is paid, a charge who pays it, a cap who may claim; for the other party it is none, and this is said."""
    assert _grave(_reviewed(tmp_path, [*lines, clause], harmed))
    review = _reviewed(tmp_path, [*lines, clause], other)
    assert _grave(review) == []


def test_the_other_partys_harm_is_said(tmp_path):
    """A clause that only harms the party across the table names what harms it, as no risk of the side's own."""
    review = _reviewed(
        tmp_path, [*EN, "1. The Customer shall pay every invoice within 75 days of receipt."], "customer"
    )
    assert "harms the other party: Payment term beyond sixty days" in review.findings[0].analysis


def test_each_bound_says_whom_it_harms():
    """A party, the sentence's own parties, or both: no bound leaves it open."""
    assert [one.id for one in all_limits() if not (one.against or one.relation != "unknown" or one.either)] == []


def test_a_power_of_the_weaker_party_is_no_risk_of_its_own(tmp_path):
    """By default the tenant's own right to leave at any time is no finding against it."""
    assert _grave(_reviewed(tmp_path, [*ZH, "第一条 乙方可以随时退租，无需支付补偿。"])) == []


@pytest.mark.parametrize(
    "clause",
    [
        "1. Поставщик не вправе в одностороннем порядке сократить объём партии.",
        "1. Поставщик не может в одностороннем порядке менять упаковку.",
    ],
)
def test_a_denied_power_is_no_power(clause, tmp_path):
    """What a party may not do alone accuses nobody."""
    assert _grave(_reviewed(tmp_path, [*RU, clause])) == []


@pytest.mark.parametrize(
    ("lines", "clause"),
    [
        (RU, "1. Покупатель вправе выйти из договора, выплатив Поставщику цену всех партий."),
        (EN, "1. Either party may leave on two days' notice for any cause."),
        (EN, "1. Neither party answers for lost profit."),
    ],
)
def test_no_reason_is_given_that_the_words_do_not_hold(lines, clause, tmp_path):
    """A right at a price is no protection, and “either party” no consent: such a clause is not examined."""
    assert _reviewed(tmp_path, [*lines, clause]).answer == "not_examined"


def test_a_risk_is_named_once_and_for_what_the_words_say(tmp_path):
    """Two wordings of one term are one finding; a cut in pay is not called dismissal."""
    capped = _grave(_reviewed(tmp_path, [*EN, "1. The Provider's total liability is limited to GBP 80."]))
    assert len(capped) == len(set(capped)) == 1
    lines = ["劳动合同", "甲方：某公司", "乙方：某人", "第一条 甲方有权视业绩单方调整乙方薪资。"]
    named = _grave(_reviewed(tmp_path, lines))
    assert named
    assert not any("辞退" in one for one in named)


TRANSFER = [
    "# 股权转让协议",
    "转让方：王建业，男，身份证号码320502（以下简称“出让人”）",
    "受让方：苏州恒泽投资合伙企业（有限合伙）（以下简称“受让人”）",
    "目标公司：苏州启明医疗器械有限公司（以下简称“目标公司”）",
]
SPONSOR = ["# Договор", "ООО «Ромашка» (далее — «Спонсор») и АНО «Спорт» (далее — «Клуб») заключили договор."]
RECRUITER = [
    "# Recruitment Agreement",
    'This Agreement is between Acme Widgets Ltd. (the "Operator") and Talent Partners LLC (the "Recruiter").',
]


@pytest.mark.parametrize(
    ("lines", "clause", "harmed", "other"),
    [
        (TRANSFER, "第一条 出让人有权随时解除本协议，无需承担任何责任。", "受让人", "出让人"),
        (TRANSFER, "第一条 出让人可以单方变更本协议的任何条款。", "B", "A"),
        (TRANSFER, "第一条 受让人应于签订之日起3日内一次性支付全部价款。", "受让人", "出让人"),
        (SPONSOR, "1. Спонсор вправе в одностороннем порядке изменять условия договора.", "Клуб", "Спонсор"),
        (SPONSOR, "1. Клуб вправе отказаться от договора в любое время без предупреждения.", "Спонсор", "Клуб"),
        (
            RECRUITER,
            "1. The Operator may terminate this Agreement at any time without notice.",
            "Recruiter",
            "Operator",
        ),
    ],
)
def test_any_party_that_the_contract_names_may_be_the_side(lines, clause, harmed, other, tmp_path):
    """A contract of a kind that no list knows is reviewed for either of its parties, by what it calls them."""
    assert _grave(_reviewed(tmp_path, [*lines, clause], harmed))
    assert _grave(_reviewed(tmp_path, [*lines, clause], other)) == []


CONSULTANT = [
    "# Consultancy Agreement",
    "(1) Halden Engineering Limited, registered in England (Client); and",
    "(2) Dr. Priya Ramanathan of 8 Orchard Rise, Harrogate (Consultant).",
]
ADVISERS = [
    "# Consultancy Agreement",
    "(1) Halden Engineering Limited, registered in England (Client); and",
    "(2) Bridge Advisers LLP, registered in England (Consultant).",
]


@pytest.mark.parametrize(
    "clause",
    [
        "1. The Client may terminate this Agreement at any time with immediate effect and without payment.",
        "1. The Client shall not be liable for any loss of any kind.",
    ],
)
def test_a_person_who_works_for_a_company_did_not_write_the_contract(clause, tmp_path):
    """What a client takes from a consultant who is a person is a finding; of two firms the one that serves is taken for the writer."""
    assert _grave(_reviewed(tmp_path, [*CONSULTANT, clause]))
    assert _grave(_reviewed(tmp_path, [*ADVISERS, clause])) == []


@pytest.mark.parametrize(
    ("lines", "side", "told"),
    [
        (CONSULTANT, None, "reviewed for: Consultant, which usually does not write such a contract"),
        (CONSULTANT, "Client", "reviewed for: Client"),
        (RECRUITER, None, "reviewed for: either party: the contract does not say what its parties are"),
        (RECRUITER, "Recruiter", "reviewed for: Recruiter"),
        (TRANSFER, "受让人", "审查立场：受让人"),
        (ZH, None, "审查立场：乙方（此类合同通常由另一方起草）"),
    ],
)
def test_the_first_page_says_for_whom_the_review_is(lines, side, told, tmp_path):
    """The party in the contract's own word, or that nobody could tell which it is."""
    path = tmp_path / "a.md"
    path.write_text("\n".join([*lines, "1. Rent." if lines[0][2].isascii() else "第一条 标的。"]), "utf-8")
    report = benchbar.review_contract(path, side=side, bounds=None).report
    assert report.first_page is not None
    assert told in [line.text for line in first_page_parts(report.first_page, report.language)[0].lines]
