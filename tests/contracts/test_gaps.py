"""Risks that reviews used to pass over, each in wordings of its own and beside harmless clauses that resemble them."""

from __future__ import annotations

import pytest

from benchbar.contracts.limits import find_limits
from benchbar.contracts.named_parties import kinds_of, named_parties
from benchbar.contracts.terms import find_terms, terms_of

RISKY = [
    ("zh", "zh-arbitrate-or-sue", "协商不成的，可向上海仲裁委员会申请仲裁，也可以向人民法院起诉。"),
    ("zh", "zh-arbitrate-or-sue", "任何一方可向合同签订地人民法院提起诉讼或者向当地仲裁机构申请仲裁。"),
    ("zh", "zh-all-taxes", "本次交易涉及的全部税费，均由买受人承担。"),
    ("zh", "zh-all-taxes", "过户产生的税款一律由乙方负担。"),
    ("zh", "zh-loss-and-profit", "交割前的损失由受让方承担，利润归转让方。"),
    ("zh", "zh-loss-and-profit", "合作期间收益归甲方所有，亏损由乙方承担。"),
    ("zh", "zh-liability-cap", "甲方的赔偿责任以合同价款的百分之三为限承担。"),
    ("zh", "zh-liability-cap", "卖方的赔偿总额不超过2万元。"),
    ("zh", "zh-liability-injury", "转让方的责任不超过10万元，包括故意造成的损失。"),
    ("zh", "zh-penalty", "委托方提前解除的，应支付相当于剩余期限收益三倍的违约金。"),
    ("zh", "zh-final-word", "本活动规则的解释权归甲方。"),
    ("ru", "ru-liability", "За действия привлечённых перевозчиков Исполнитель ответственности не несёт."),
    ("ru", "ru-liability", "Исполнитель не несёт ответственности за действия субподрядчиков."),
    ("ru", "ru-no-refund", "В этом случае Заказчик исключается из группы без возврата уплаченной суммы."),
    ("ru", "ru-fine-at-will", "Арендодатель вправе взыскать штраф в любом размере по своему усмотрению."),
    ("ru", "ru-fine-at-will", "Размер штрафа определяется Исполнителем единолично."),
    ("en", "en-confession", "Borrower hereby appoints any attorney to confess a judgment in favor of Lender."),
    (
        "en",
        "en-others-fault",
        "The Customer is liable for all damage to the Units, whether or not caused by the Supplier.",
    ),
    ("en", "en-others-fault", "Renter bears all risk of loss, even where due to the negligence of the Lessor."),
    ("en", "en-release", "Customer hereby releases and forever discharges Provider from any and all claims."),
    ("en", "en-release", "Member releases the Licensor from claims for personal injury caused by its negligence."),
    (
        "en",
        "en-claims-time",
        "The Buyer shall bring any action within sixty days after delivery or the action is barred.",
    ),
    ("en", "en-data-any-purpose", "Provider may collect usage data and transfer it to any third party."),
    ("en", "en-self-help", "The Lessor may repossess the machine, by force if it sees fit."),
]
HARMLESS = [
    ("zh", "zh-arbitrate-or-sue", "劳动争议应当先申请仲裁，对裁决不服的可以向人民法院起诉。"),
    ("zh", "zh-arbitrate-or-sue", "争议提交北京仲裁委员会仲裁，裁决是终局的。"),
    ("zh", "zh-arbitrate-or-sue", "败诉方承担诉讼费或者仲裁费。"),
    ("zh", "zh-all-taxes", "因本合同产生的全部税费由双方依法各自承担。"),
    ("zh", "zh-all-taxes", "甲方开具增值税专用发票，税率为百分之六。"),
    ("zh", "zh-loss-and-profit", "盈利和亏损由双方按照持股比例享有和承担。"),
    ("zh", "zh-loss-and-profit", "损失由责任方承担。"),
    ("zh", "zh-liability-cap", "赔偿责任以合同总价为限，故意或者重大过失的除外。"),
    ("zh", "zh-penalty", "用人单位违法解除劳动合同的，劳动者有权要求二倍的赔偿金。"),
    ("zh", "zh-final-word", "本合同未尽事宜，由双方协商解释。"),
    ("ru", "ru-liability", "Исполнитель отвечает за действия привлечённых им третьих лиц как за свои."),
    ("ru", "ru-no-refund", "Заказчик вправе отказаться от договора с возвратом уплаченной суммы."),
    ("ru", "ru-fine-at-will", "Штраф взыскивается по решению суда."),
    ("ru", "ru-fine-at-will", "За нарушение срока сторона уплачивает штраф в размере 5 000 рублей."),
    ("en", "en-confession", "Nothing in this Agreement is a confession of fault."),
    ("en", "en-others-fault", "The Customer is liable for damage to the Units except where caused by the Supplier."),
    ("en", "en-release", "Upon full payment the Lender releases the Borrower from all claims."),
    ("en", "en-release", "Each party releases the other from claims settled here."),
    ("en", "en-claims-time", "The Buyer shall make any claim for shortages within a reasonable time."),
    ("en", "en-data-any-purpose", "Provider may collect usage data and shall not transfer it to any third party."),
    ("en", "en-self-help", "The Lessor may repossess the machine under an order of a court."),
    ("en", "en-wage-deduction", "The Client may set off any amount that has been finally determined."),
    ("en", "en-wage-deduction", "The deposit is retained until final acceptance."),
    ("zh", "zh-entry", "买方逾期的，卖方可以没收已付的定金。"),
    ("zh", "zh-job-change", "甲方有权安排乙方参加任何培训活动。"),
]


@pytest.mark.parametrize(("language", "term", "clause"), RISKY)
def test_the_risk_is_found_in_other_words(language, term, clause):
    """No wording here is that of the contract in which the gap was seen."""
    assert term in [hit.term.id for hit in find_terms(clause, language, any_kind=True)]


@pytest.mark.parametrize(("language", "term", "clause"), HARMLESS)
def test_what_resembles_it_is_not_accused_of_it(language, term, clause):
    """The same words that deny, share or bound the risk, or speak of something else."""
    named = [hit.name for hit in find_terms(clause, language, any_kind=True) if hit.term.id == term]
    assert named in ([], ["一方可以单方安排任何工作"])


def test_terms_of_employment_name_nothing_between_other_parties():
    """What an owner owes on an early end is no payment of an employee; a person who serves a company may be treated like one."""
    clause = "委托方提前解除合同的，应支付违约金五万元，且两年内不得从事同类业务。"
    labour = [one.id for one in terms_of("zh") if one.kinds == ("labour",)]
    anywhere, between = (
        {hit.term.id for hit in find_terms(clause, "zh", kinds=frozenset(kinds))} for kinds in ((), ("other",))
    )
    assert anywhere & {*labour}
    assert not between & {*labour}
    opening = "委托方：陈思远\n运营方：云居管理有限公司\n"
    assert kinds_of(named_parties(opening, "zh")) == {"services"}
    assert kinds_of(named_parties("甲方：云居有限公司\n乙方：陈思远", "zh")) == frozenset()
    assert "labour" in kinds_of(named_parties("甲方（经纪公司）：星河有限公司\n乙方（艺人）：林晚晴", "zh"))


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ("Late payments bear interest at five percent (5%) per week.", True),
        ("Overdue sums carry a finance charge of 2% each week.", True),
        ("Overdue sums carry interest at 0.25% per week.", False),
        ("Late sums bear 2% per week, capped at 10% of the invoice.", False),
        ("The price is reduced by 5% for deliveries each week.", False),
    ],
)
def test_interest_by_the_week_has_a_bound(clause, named):
    """Half a percent a week is twenty-six a year; a cap on the whole takes the harm away."""
    found = [hit.limit.id for hit in find_limits(clause, "en") if hit.beyond]
    assert ("en-late-charge-week" in found) is named


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ("劳动者离职后三年内不得到有竞争关系的单位任职。", True),
        ("股权转让方在交割后三年内不得从事与目标公司相竞争的业务。", False),
    ],
)
def test_the_bound_of_a_restraint_is_that_of_employees(clause, named):
    """Who sells shares may promise more years of no competition than the labour law lets an employee promise."""
    assert ("zh-non-compete-years" in [hit.limit.id for hit in find_limits(clause, "zh") if hit.beyond]) is named
