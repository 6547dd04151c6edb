"""Forbidden terms: each is found in its wordings, and a harmless clause that resembles it is not."""

from __future__ import annotations

import asyncio

import pytest

from benchbar.contracts.offline import OfflineReviewer
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.contracts.terms import LANGUAGES, find_terms, terms_of
from benchbar.records.contracts import Clause, ClauseKind

RISKY = {
    "en": (
        "Liability is excluded in all circumstances.",
        "The Supplier accepts no liability for any loss whatsoever.",
        "The Seller shall not be liable for personal injury caused by its negligence.",
        "The Provider's total liability shall not exceed the fees for one month.",
        "The goods are sold as is and all warranties, express or implied, are excluded.",
        "The Provider may change the fees at any time without notice.",
        "The Landlord may terminate this lease at any time without giving any reason.",
        "The Customer may not terminate this agreement before the end of the term.",
        "This agreement renews automatically for further terms of three years unless cancelled six months before its end.",
        "The Provider may use the Customer's data for any purpose, including the training of models.",
        "All fees are non-refundable.",
        "The deposit shall be forfeited in full if the Tenant leaves early.",
        "The Landlord may enter the premises at any time without notice.",
        "If rent is late the Landlord may change the locks and remove the Tenant's belongings.",
        "The Tenant shall bear the cost of all repairs, including the roof and the structure.",
        "The Tenant shall pay an inventory fee of £150 at check-out.",
        "Rent remains payable even if the premises are uninhabitable.",
        "The Employee waives the right to bring any claim before a tribunal.",
        "Defects must be notified within 24 hours of delivery, failing which they are deemed accepted.",
        "The Customer shall indemnify the Provider against any and all claims.",
        "On early termination the Customer shall pay all remaining fees for the term.",
        "Disputes shall be settled in a court chosen solely by the Supplier.",
        "The contract ends without compensation if the Employee becomes pregnant.",
        "Overtime is not paid.",
        "The Employer may deduct any loss from the Employee's wages at its discretion.",
        "Accrued holiday not taken is forfeited.",
        "The Company may require the Employee to work at any location without consent.",
        "Delivery dates are estimates only.",
        "All intellectual property created for the Customer shall belong to the Provider.",
        "The Supplier pays only when its end customer has paid.",
    ),
    "ru": (
        "Исполнитель не несёт ответственности за любые убытки заказчика.",
        "Ответственность исполнителя исключается при любых обстоятельствах.",
        "Арендодатель вправе в одностороннем порядке повысить арендную плату.",
        "Арендодатель вправе в любое время расторгнуть договор без объяснения причин.",
        "Договор автоматически продлевается на три года.",
        "Исполнитель вправе использовать данные заказчика в любых целях, в том числе для обучения моделей.",
        "Обеспечительный платёж не возвращается ни в каком случае.",
        "Арендодатель вправе входить в помещение в любое время без предупреждения.",
        "Капитальный ремонт производится за счёт арендатора.",
        "Арендная плата вносится независимо от возможности пользоваться помещением.",
        "Заказчик отказывается от права предъявлять претензии.",
        "Товар считается принятым без замечаний, если покупатель не заявил претензии в течение 24 часов.",
        "Услуги предоставляются «как есть».",
        "Споры рассматриваются судом по месту нахождения исполнителя.",
        "Оплата производится после реализации товара покупателем.",
        "Исходный код и исключительные права остаются у исполнителя.",
        "Беременность работника является основанием для расторжения договора.",
        "Сверхурочная работа не оплачивается.",
        "Работодатель вправе удерживать штрафы из заработной платы.",
        "Паспорт работника хранится у работодателя.",
        "Неиспользованный отпуск сгорает.",
        "После увольнения работник не вправе работать у конкурентов.",
        "Работодатель вправе перевести работника на другую должность без его согласия.",
        "Работодатель вправе уволить работника в любое время без объяснения причин.",
    ),
    "zh": (
        "乙方在工作中发生伤亡的，甲方概不负责。",
        "甲方对一切损失不承担任何责任。",
        "甲方的赔偿责任以一个月服务费为限。",
        "甲方有权随时调整租金，无需乙方同意。",
        "甲方有权随时解除合同，无需说明理由。",
        "承租人不得提前退租。",
        "合同到期自动续期三年。",
        "服务商有权将客户数据用于任何目的，包括训练模型。",
        "已付费用一律不予退还。",
        "甲方可随时进入房屋，无需提前通知。",
        "逾期交租的，甲方有权停水停电并更换门锁。",
        "房屋主体结构的维修由乙方承担。",
        "乙方放弃优先购买权。",
        "租赁期间房屋出售的，本合同自动终止。",
        "乙方放弃一切索赔权利。",
        "签收即视为验收合格。",
        "甲方收到最终用户付款后再向乙方付款。",
        "违约金为合同总价的百分之五十。",
        "本合同最终解释权归甲方。",
        "乙方怀孕的，甲方有权解除劳动合同。",
        "乙方自愿放弃缴纳社会保险。",
        "加班不另行支付加班费。",
        "甲方扣押乙方身份证。",
        "员工提前离职的，应支付违约金50000元。",
        "考核末位的员工，公司有权辞退且不支付经济补偿。",
        "因客户数据定制开发的成果归服务商所有。",
        "甲方可随时暂停服务，费用不退。",
    ),
}

HARMLESS = {
    "en": (
        "Neither party is liable for delay caused by force majeure.",
        "Nothing in this agreement excludes liability for death or personal injury.",
        "The Provider's liability shall not exceed the fees paid in the last twelve months.",
        "The Provider may change the fees once a year on sixty days' notice, and the Customer may terminate.",
        "Either party may terminate at any time on thirty days' notice.",
        "The agreement shall not renew automatically.",
        "The Provider shall not use the Customer's data for any purpose other than providing the service.",
        "The deposit shall be returned within ten days, less proven damage.",
        "The Landlord may enter the premises on at least 24 hours' written notice.",
        "The Landlord shall keep the roof and the structure in repair.",
        "The Employee is paid for overtime at one and a half times the hourly rate.",
        "No employee shall be dismissed because of pregnancy.",
        "No deduction shall be made from wages without written consent.",
        "The Tenant shall pay for repairs of damage caused by the Tenant.",
        "Prepaid fees for the remaining term are refunded if the Customer terminates for breach.",
        "Latent defects may be notified within a reasonable time after discovery.",
        "The Tenant shall pay the rent on the first day of each month.",
        "The Supplier shall deliver the goods to the Buyer's warehouse by 1 March 2026.",
        "The Customer shall pay each invoice within thirty days.",
        "Holiday not taken may be carried over to the next year.",
        "The Provider shall notify the Customer of any breach of personal data within 24 hours.",
        "This agreement is governed by the laws of England and Wales.",
        "The Employee shall keep the Company's confidential information secret.",
    ),
    "ru": (
        "Ни одна из сторон не несёт ответственности при обстоятельствах непреодолимой силы.",
        "Арендодатель вправе повысить плату не чаще одного раза в год на индекс инфляции, уведомив за 60 дней.",
        "Каждая сторона вправе расторгнуть договор, предупредив другую за 30 дней.",
        "Исполнитель не вправе использовать данные заказчика в иных целях.",
        "Обеспечительный платёж возвращается в течение десяти дней за вычетом задолженности.",
        "Капитальный ремонт производит арендодатель за свой счёт.",
        "Сверхурочная работа оплачивается в полуторном размере.",
        "Увольнение беременной работницы не допускается.",
        "Удержания из заработной платы производятся только в случаях, предусмотренных законом.",
        "Неиспользованный отпуск компенсируется при увольнении.",
        "Споры рассматриваются судом по месту нахождения ответчика.",
        "Исключительное право на результат переходит к заказчику с оплатой.",
        "Арендатор обязан вносить арендную плату не позднее пятого числа месяца.",
        "Поставщик обязан передать товар в срок, указанный в спецификации.",
        "Работнику предоставляется отпуск 28 календарных дней.",
        "Пени составляют 0,1% за каждый день просрочки.",
    ),
    "zh": (
        "任何一方因不可抗力不能履行合同的，不承担责任。",
        "因故意或者重大过失造成对方损失的，责任不免除。",
        "变更租金须经双方协商一致。",
        "任何一方提前三十日书面通知可以解除合同。",
        "合同期满不自动续期。",
        "服务商不得将客户数据用于任何其他目的。",
        "押金在扣除欠费后十日内无息退还。",
        "甲方提前二十四小时通知并经乙方同意后可以进入房屋。",
        "房屋主体结构的维修由甲方承担。",
        "乙方享有优先购买权。",
        "隐蔽瑕疵应在发现后合理期限内提出。",
        "女职工在孕期内的，用人单位不得解除劳动合同。",
        "甲方依法为乙方缴纳社会保险。",
        "安排加班的，依法支付加班费。",
        "甲方不得扣押乙方身份证。",
        "乙方应于每月五日前支付租金。",
        "甲方应于合同签订后十日内交货。",
        "争议由被告住所地人民法院管辖。",
        "乙方提前三十日书面通知可以解除劳动合同。",
        "乙方因使用不当造成损坏的，由乙方承担维修费用。",
        "甲方按月支付竞业限制补偿金。",
    ),
}


@pytest.mark.parametrize(("language", "text"), [(one, text) for one in LANGUAGES for text in RISKY[one]])
def test_a_forbidden_term_is_named_with_its_sentence_and_a_remedy(language, text):
    """The finding quotes the sentence, has a level of its own and says what to write instead."""
    hits = find_terms(text, language)
    assert hits
    assert all(hit.sentence == text and hit.term.suggestion and hit.term.level in {"medium", "high"} for hit in hits)


@pytest.mark.parametrize(("language", "text"), [(one, text) for one in LANGUAGES for text in HARMLESS[one]])
def test_a_harmless_clause_that_resembles_a_forbidden_term_is_not_marked(language, text):
    """Mutual terms, reservations, duties of the stronger party and denials are no risk."""
    assert find_terms(text, language) == ()


@pytest.mark.parametrize(
    ("language", "text", "term"),
    [
        ("en", "Liability is excluded in all circumstances.", "en-liability-all"),
        ("zh", "乙方怀孕的，甲方有权解除劳动合同。", "zh-protected"),
        ("ru", "Сверхурочная работа не оплачивается.", "ru-unpaid"),
    ],
)
def test_the_clause_takes_the_level_of_its_gravest_term(language, text, term):
    """Excluded liability and dismissal in pregnancy are high, named, without any rule or model; law is not shown without an index."""
    clause = Clause(id="c1", kind=ClauseKind.CLAUSE, text=text, start=0, end=len(text))
    found = asyncio.run(ContractReviewer(OfflineReviewer()).review(clause, language=language))
    named = {one.id: {one.name, *one.names} for one in terms_of(language)}
    assert found.level == "high"
    assert named[term] & {finding.risk for finding in found.findings}
    assert all(finding.laws == () for finding in found.findings)


def test_terms_of_one_kind_of_contract_are_not_looked_for_in_another():
    """Locks changed are a risk of tenants; in a contract of sale the words mean something else."""
    text = "The Seller may change the locks of the machine."
    assert find_terms(text, "en", "sales") == ()
    assert find_terms(text, "en", "lease")


def test_ids_are_unique_and_belong_to_their_language():
    """A term is found by its id."""
    for language in LANGUAGES:
        ids = [one.id for one in terms_of(language)]
        assert len(set(ids)) == len(ids)
        assert all(one.startswith(f"{language}-") for one in ids)
