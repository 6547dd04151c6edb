"""What works for the side that was named is no risk for it, and stays one for the other party."""

from __future__ import annotations

import pytest

from benchbar.contracts.paragraphs import Paragraph, place
from benchbar.contracts.reviewing import review_contract
from benchbar.contracts.whom import only_for

RU = "ООО «Вектор» (Заказчик) и ИП Сафин (Исполнитель) заключили договор."
EN = "This Lease is between Harbour Ltd (the “Landlord”) and Tide Ltd (the “Tenant”)."
ZH = "甲方（用人单位）：某公司\n乙方（劳动者）：张三"
CLAUSES = [
    (RU, "Заказчик", "Исполнитель", "1.1. Заказчик вправе изменять цену в одностороннем порядке в любое время."),
    (RU, "Заказчик", "Исполнитель", "1.1. Заказчик вправе без объяснения причин отказаться от подписания акта; в этом случае работы оплате не подлежат."),
    (RU, "Заказчик", "Исполнитель", "1.1. Оплата производится в течение 180 календарных дней после подписания акта."),
    (RU, "Заказчик", "Исполнитель", "1.1. За просрочку Исполнитель уплачивает неустойку в размере 5% от цены договора за каждый день."),
    (RU, "Заказчик", "Исполнитель", "1.1. Права на приложение и на все ранее созданные Исполнителем инструменты переходят к Заказчику безвозмездно."),
    (EN, "landlord", "tenant", "1. Disputes shall be finally settled by an arbitrator appointed by the Landlord in its sole discretion."),
    (EN, "landlord", "tenant", "1. The Landlord may increase the rent at any time by any amount on seven days' notice."),
    (EN, "landlord", "tenant", "1. The lease renews for successive periods of ten years unless the Tenant gives notice eighteen months before expiry."),
    (ZH, "甲方", "乙方", "第一条 无论乙方有无过错，均由乙方按货物售价全额赔偿，甲方可从工资中直接扣除。"),
    (ZH, "甲方", "乙方", "第一条 乙方申请不参加社会保险的，今后不得就此提出任何主张。"),
]  # fmt: skip


def _marked(opening, clause, side):
    text = [*opening.split("\n"), clause]
    report = review_contract(place(map(Paragraph, text), name="a.txt", form="text"), side=side, bounds=None).report
    return [one.risk for review in report.reviews for one in review.findings if one.level != "low"]


@pytest.mark.parametrize(("opening", "own", "other", "clause"), CLAUSES)
def test_a_power_of_the_side_or_a_burden_of_the_other_is_no_risk_for_the_side(opening, own, other, clause):
    """The same clause is a finding for the party that it burdens and none for the party that it serves."""
    assert _marked(opening, clause, own) == []
    assert _marked(opening, clause, other)


@pytest.mark.parametrize(
    ("side", "language", "sentence", "for_it"),
    [
        ("landlord", "en", "The Landlord may enter, and the Tenant may not object.", True),
        ("landlord", "en", "The Landlord may enter, and shall repair the roof.", False),
        ("landlord", "en", "The Landlord may enter; the Tenant may withhold the rent.", False),
        ("tenant", "en", "The Landlord may enter; the Tenant may withhold the rent.", False),
        ("customer", "ru", "Заказчик уплачивает неустойку.", False),
        ("provider", "ru", "Заказчик уплачивает неустойку.", True),
        ("provider", "ru", "Работы выполняются в срок.", False),
        ("employee", "zh", "劳动者有权随时解除合同。", True),
        ("employee", "zh", "用人单位有权随时解除合同。", False),
    ],
)
def test_a_sentence_works_for_a_side_where_nothing_in_it_works_against_it(side, language, sentence, for_it):
    """Powers of its own and duties of the other; a sentence that names nobody, or serves both, is left to the checks."""
    assert only_for(side, sentence, language) is for_it
