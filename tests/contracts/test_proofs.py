"""What a redline may write: edits of the clause's own words, and a proof only where nothing guarded differs."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import benchbar
from benchbar.contracts.redlines.preservation import is_edit, moves, proved
from benchbar.contracts.redlines.telling import proposal_lines
from benchbar.languages.packs import labels

CONTRACT = {
    "en": "The Tenant pays the Landlord at the office in Leeds. “Premises” means the flat. The Buyer and the Seller sign in Dublin.",
    "ru": "Арендатор платит Арендодателю в городе Казань. «Помещение» означает квартиру. Покупатель и Продавец едут в Пермь.",
    "zh": "甲方为出租人，乙方为承租人，合同在北京市签订。“房屋”是指公寓。买方在上海付款，卖方收款。",
}
KINDS = {
    "number": {"en": ("30", "45", "7"), "ru": ("30", "45", "7"), "zh": ("三十", "45", "七")},
    "number word": {"en": ("thirty", "fourteen", "double"), "ru": ("тридцати", "десяти", "двух"), "zh": ("三十", "十四", "两")},
    "party": {"en": ("Tenant", "Landlord", "Buyer"), "ru": ("Арендатор", "Продавец", "Покупатель"), "zh": ("甲方", "乙方", "买方")},
    "negation": {"en": ("", "not ", "never "), "ru": ("", "не ", "никогда не "), "zh": ("", "不", "未")},
    "place": {"en": ("Leeds", "Dublin", "Oslo"), "ru": ("Казань", "Пермь", "Тула"), "zh": ("北京", "上海", "新加坡")},
    "term": {"en": ("Premises", "rooms"), "ru": ("Помещение", "имущество"), "zh": ("房屋", "场地")},
    "prefix": {"en": ("refundable", "non-refundable", "unconditional"), "ru": ("возвратный", "невозвратный", "безусловный"), "zh": ("可退", "不可退")},
}  # fmt: skip
FRAMES = {
    "number": {"en": "The rent is paid within {} days of each demand.", "ru": "Плата вносится за {} дней до срока аренды.", "zh": "租金应当在收到账单后{}日内支付完毕。"},
    "party": {"en": "Repairs of the roof are paid by the {} every year.", "ru": "Ремонт крыши каждый год оплачивает {} по счёту.", "zh": "屋顶的维修费用每年由{}负责支付。"},
    "negation": {"en": "Keys are {}handed over on the last day of the lease.", "ru": "Ключи {}передаются в последний день срока аренды.", "zh": "租期最后一日{}交还全部钥匙和门卡。"},
    "place": {"en": "Disputes are heard by the courts of {} in all cases.", "ru": "Споры рассматривает суд города {} во всех случаях.", "zh": "因本合同发生的争议由{}的法院处理。"},
    "term": {"en": "The care of the {} is agreed upon in writing later.", "ru": "Уход за предметом {} стороны согласуют письменно позже.", "zh": "有关{}的日常养护事宜另行书面商定。"},
    "prefix": {"en": "The sum paid on signing is {} and booked at once.", "ru": "Платёж при подписании {} и сразу учитывается.", "zh": "签约时支付的款项{}并当日入账。"},
}  # fmt: skip


@st.composite
def _edits(draw):
    kind = draw(st.sampled_from(sorted(KINDS)))
    language = draw(st.sampled_from(("en", "ru", "zh")))
    frame = FRAMES[{"number word": "number"}.get(kind, kind)][language]
    values = st.sampled_from(KINDS[kind][language])
    return language, frame, draw(values), draw(values)


@given(_edits())
def test_nothing_is_proved_where_a_guarded_word_differs(edit):
    """Of two clauses that differ in a number, number word, party, negation, place or term none is proved; the same clause is."""
    language, frame, one, other = edit
    before, after = frame.format(one), frame.format(other)
    assert proved(before, after, CONTRACT[language]) == (one == other)


@given(_edits(), _edits())
def test_a_new_sentence_is_never_proved(one, other):
    """A sentence about another matter in the place of a clause is no edit of it, and is not proved."""
    before, after = one[1].format(one[2]), other[1].format(other[3])
    assume(one[1] != other[1])
    assert not proved(before, after, CONTRACT[one[0]])


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("Sums paid early are lost on cancellation.", "Sums paid early are returned within twenty-one days of cancellation.", "number"),
        ("The booking fee is non-returnable.", "The booking fee is returnable.", "negation"),
        ("The offer is unconditional.", "The offer is conditional.", "negation"),
        ("Взнос невозвратный.", "Взнос возвратный.", "negation"),
        ("Claims go to the courts of Norway.", "Claims go to the courts of the defendant.", "name"),
        ("Споры решает суд города Тула.", "Споры решает суд по месту ответчика.", "name"),
        ("争议由新加坡法院管辖。", "争议由被告住所地法院管辖。", "name"),
        ("Пеня вдвое больше долга.", "Пеня не больше долга.", "number"),
    ],
)  # fmt: skip
def test_what_moves_is_named(before, after, kind):
    """Number words, prefixes that deny, and places are told as what moves."""
    assert kind in {one.kind for one in moves(before, after, named="", by_rule=True, contract=before)}


def _review(tmp_path, lines, name="a.md"):
    path = tmp_path / name
    path.write_text("\n".join(lines), "utf-8")
    return benchbar.review_contract(path, bounds=None).report


RU = [
    "# Договор возмездного оказания услуг",
    "ООО «Вега», именуемое в дальнейшем «Исполнитель», и ООО «Лира», именуемое в дальнейшем «Заказчик», заключили договор.",
]
EN = ["# Hosting Agreement", 'This Agreement is made between Vega Ltd (the "Provider") and Lyra Ltd (the "Customer").']
ZH = ["劳动合同", "甲方：某某有限公司", "乙方：王五"]
STOCK = [
    ("ru", [*RU, "1. Заказчик вносит плату независимо от полученного результата.", "2. Заказчик уплачивает пеню независимо от своей вины.",
            "3. Права на отчёты переходят к Исполнителю без выплаты компенсации.", "4. Заказчик безоговорочно подписывает акт."]),
    ("en", [*EN, "1. Every invoice is final and shall never be disputed.", "2. The set-up charge is non-refundable for whatever cause.",
            "3. The courts of Malta have exclusive jurisdiction over all claims."]),
    ("zh", [*ZH, "第一条 甲方有权视经营情况单方调整乙方奖金，乙方不得提出异议。", "第二条 甲方可以随时修改考核办法，乙方必须服从。"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "lines"), STOCK)
def test_a_stock_sentence_never_becomes_a_tracked_change(language, lines, tmp_path):
    """Clauses are found, each has its suggestion as a comment, and none of these is written into the contract."""
    report = _review(tmp_path, lines)
    made = [one for one in report.proposals if report.by_clause[one.clause].findings[one.finding].suggestion]
    assert made
    assert {one.refused for one in made} <= {"stock", "advice"}
    say = labels(language, "contract").section("redline")
    assert all(say["keeps"] not in tuple(proposal_lines(one, language)) for one in made)


@pytest.mark.parametrize(
    ("lines", "before", "after"),
    [
        (["房屋租赁合同", "第一条 租赁期限为三十年，按年续签。"], "三十", "二十"),
        (["劳动合同", "第一条 乙方试用期为九个月。"], "九", "六"),
        (["房屋租赁合同", "第一条 逾期支付租金的，每日按欠付金额的百分之三支付违约金。"], "百分之三", "千分之一"),
        (["房屋租賃合同", "第一條 租賃期限為30年，按年續簽。"], "30", "20"),
        (["# Loan", "1. Interest on overdue sums is 3% for each day of delay."], "3", "0.1"),
        (["# Договор подряда", "1. За просрочку заказчик платит пени 2 % за каждый день."], "2", "0,3"),
    ],
)
def test_a_number_beyond_its_bound_becomes_the_bound(lines, before, after, tmp_path):
    """The number alone is changed, as the clause writes numbers; every other word of it stays, and what moves is told."""
    report = _review(tmp_path, lines)
    (one,) = [one for one in report.proposals if not one.refused]
    assert (one.before, one.after, one.proved) == (before, after, False)
    assert [moved.kind for moved in one.moved] == ["number"]


def test_a_number_that_the_words_beside_it_contradict_stays_a_comment(tmp_path):
    """Twenty years would not agree with the dates of twenty-five: both have to change."""
    report = _review(tmp_path, ["房屋租赁合同", "第一条 租赁期限为二十五年，自2026年3月1日起至2051年2月28日止。"])
    assert [one.refused for one in report.proposals] == ["contradicts"]


def test_an_edit_keeps_half_of_the_words():
    """One party made both is an edit; another sentence on the same matter is none."""
    assert is_edit("The Tenant pays the cost of repairs.", "Each party pays the cost of repairs.")
    assert not is_edit("甲方有权单方调整奖金，乙方不得异议。", "变更须经双方书面协商一致；未达成一致的按原约定履行。")
