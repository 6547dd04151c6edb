"""What is taken from passages word for word: rules, exceptions, limits, conditions, and what courts held."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.assistants.provisions import provisions
from benchbar.assistants.statements import Passage, computed, nearest_words, outcome, statements
from benchbar.assistants.support import supported
from benchbar.assistants.writers import references
from benchbar.languages.quantities import quantities
from benchbar.records import Piece
from benchbar.retrieval.naming import short_citation

LEASE = (
    "Notice to quit\n(1) A tenancy ends four weeks after notice in writing. (2) Where the rent is unpaid for two months, the landlord"
    " may end it at once, unless the tenant pays 50 per cent of the sum due within 14 days.\n(3) This section does not apply to a lodger."
)


def of(kind, question, *passages):
    return [one for one in statements(question, passages) if one.kind == kind]


def test_the_rule_is_the_sentence_about_the_question():
    """The sentence that the question is about stands first, word for word, with its place in the passage."""
    rule = of("rule", "How many weeks of notice ends a tenancy?", Passage(number=1, text=LEASE, law=True))[0]
    assert rule.text == "(1) A tenancy ends four weeks after notice in writing."
    assert LEASE[rule.start : rule.end] == rule.text


def test_exceptions_and_conditions_that_the_question_leaves_open_are_told():
    """What would change the answer is listed: exceptions, and conditions of which the question says nothing."""
    passage = Passage(number=1, text=LEASE, law=True)
    assert any("lodger" in one.text for one in of("exception", "When does my tenancy end?", passage))
    missing = [one.text for one in of("missing", "When does my tenancy end?", passage)]
    assert any("rent is unpaid" in one for one in missing)
    told = of("missing", "The rent is unpaid for two months. Can the landlord end my tenancy?", passage)
    assert not any("rent is unpaid" in one.text for one in told)


def test_one_case_of_a_sentence_is_not_told_without_the_others():
    """Chinese sentences set cases beside each other: the asker's own, and what takes the rule back, stand in the same statement."""
    scale = "租期不满一年的，押金不得超过一个月租金；租期一年以上的，押金不得超过二个月租金；租期三年以上的，押金不得超过三个月租金。"
    passage = Passage(number=1, text=f"出租人可以在订立合同时收取押金。\n{scale}\n押金应当另行存放。", law=True)
    rules = of("rule", "租期三年以上的押金不得超过几个月租金？", passage)
    assert rules[0].text == scale
    assert len([one for one in rules if "租金" in one.text]) == 1
    owner = "动物造成他人损害的，饲养人应当赔偿；但是，受害人有重大过失的，可以减轻赔偿。"
    bitten = Passage(number=1, text=owner, law=True)
    assert [one.text for one in of("rule", "狗咬伤他人，饲养人要赔偿吗？", bitten)] == [owner]
    assert not of("exception", "狗咬伤他人，饲养人要赔偿吗？", bitten)


def test_what_another_law_may_say_is_not_the_rule():
    """Of two provisions in the same words that which provides something stands first, not that which leaves it to a law or a contract."""
    harm = (
        "Законом или договором может быть установлена обязанность причинителя вреда выплатить компенсацию за вред имуществу.\n"
        "Вред, причиненный имуществу гражданина, возмещает лицо, причинившее вред."
    )
    asked = "Кто должен выплатить компенсацию за вред имуществу?"
    rule = of("rule", asked, Passage(number=1, text=harm, law=True))[0]
    assert rule.text == harm.split("\n")[1]


def test_a_case_of_a_long_sentence_shows_that_others_stand_around_it():
    """Where a whole sentence is too long for one line, dots say that it begins before and goes on behind the case."""
    cases = [
        f"第{one}类租赁的押金不得超过{one}个月租金，并应当在期满后{one}日内返还承租人；" for one in "一二三四五六七八九"
    ]
    passage = Passage(number=1, text="".join(cases)[:-1] + "。", law=True)
    nearest = nearest_words("第五类租赁的押金是几个月租金？", passage, 120)
    assert nearest == f"…{cases[4]}…"


def test_limits_are_reckoned_from_the_one_day_and_the_one_sum_of_the_question():
    """A period gives its last day, a percentage its amount; with two days nothing is reckoned."""
    passage = Passage(number=1, text=LEASE, law=True)
    found = [
        one.computed
        for one in of(
            "limit", "Notice of my tenancy in writing came on 2024-02-20, I owe 900 dollars of the sum due.", passage
        )
    ]
    assert {"2024-03-19", "2024-03-05", "50% × 900 = 450"} <= set(found)
    # Two months of unpaid rent are no period that runs from the notice.
    assert "2024-04-20" not in found
    two = of("limit", "Notice of 2024-02-20, again on 2024-02-27.", passage)
    assert not any(one.computed for one in two)


@pytest.mark.parametrize(
    ("text", "day", "last"),
    [
        ("1 month", "2024-01-31", "2024-02-29"),
        ("2 years", "2024-02-29", "2026-02-28"),
        ("3 weeks", "2023-12-20", "2024-01-10"),
        ("十五日", "2024-05-01", "2024-05-16"),
        ("6 месяцев", "2024-08-31", "2025-02-28"),
    ],
)
def test_periods_end_as_calendars_have_it(text, day, last):
    """A month without the day ends with the month."""
    assert computed(quantities(text)[0], [date.fromisoformat(day)], []) == last


@pytest.mark.parametrize("text", ["within 99999 years", "within 999999999 days", "在九千九百九十九年内"])
def test_a_period_beyond_the_calendar_has_no_last_day(text):
    """A number in somebody's text may be anything; it must not end the answer."""
    assert not any(computed(one, [date(2026, 3, 5)], []) for one in quantities(text))


def test_a_period_that_begins_with_a_day_counts_it():
    """Of 14 days beginning with 3 March the last one is 16 March."""
    text = "The owner must restore the path within 14 days beginning on the day on which it is ploughed."
    limit = of("limit", "It was ploughed on 3 March 2024.", Passage(number=1, text=text, law=True))[0]
    assert limit.computed == "2024-03-16"


@pytest.mark.parametrize(
    ("decision", "kind"),
    [
        ("[2023] 1\nThe claim is dismissed with costs.", "refused"),
        ("[2023] 1\nThe landlord must return the deposit.", "granted"),
        ("1\nВ удовлетворении исковых требований отказано.", "refused"),
        ("1\nСуд решил взыскать с ответчика 500 рублей.", "granted"),
        ("1\n法院判决驳回原告的诉讼请求。", "refused"),
        ("1\n原告主张其权利。", "practice"),
    ],
)
def test_whether_a_claim_was_granted_is_read_from_the_decision(decision, kind):
    """Its words on the claim decide; without any it is told without an outcome."""
    assert outcome(decision) == kind
    found = statements("Who pays?", [Passage(number=2, text=decision, law=False)])
    assert [one.kind for one in found] == [kind]


@given(st.text(alphabet="Аа1.) (\n:;；。第条（一）aB,если", max_size=300), st.text(max_size=60))
def test_every_statement_is_a_stretch_of_its_passage(text, question):
    """Whatever the text, spans lie in it and give the words, white space aside."""
    for one in statements(question, [Passage(number=1, text=text, law=True), Passage(number=2, text=text, law=False)]):
        assert 0 <= one.start <= one.end <= len(text)
        assert one.text == " ".join(text[one.start : one.end].split())
    spans = provisions(text)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@pytest.mark.parametrize(
    ("law", "short"),
    [
        ("Жилищный кодекс Российской Федерации", "ст. 31 ЖК РФ"),
        ("ГРАДОСТРОИТЕЛЬНЫЙ КОДЕКС РОССИЙСКОЙ ФЕДЕРАЦИИ", "ст. 31 ГрК РФ"),
        ("Гражданский кодекс Российской Федерации (часть вторая)", "ст. 31 ГК РФ"),
        ("Гаванский кодекс Российской Федерации", ""),
        (
            "Постановление Пленума Верховного Суда РФ от 27.06.2031 № 22 «О причалах»",
            "п. 31 постановления Пленума ВС РФ от 27.06.2031 № 22",
        ),
        (
            "Постановление Правительства РФ от 06.05.2031 № 354 «О причалах»",
            "п. 31 постановления Правительства РФ от 06.05.2031 № 354",
        ),
        ("Tenancies Act 2021", ""),
    ],
)
def test_codes_are_cited_by_their_abbreviations(law, short):
    """A Russian code has the abbreviation of official texts, rulings and decrees their points, issuer, day and number; others keep their names."""
    assert short_citation(Piece(id="1", kind="article", document="1", text="", law=law, article="31")) == short


def test_sentences_of_a_model_are_bound_to_what_supports_them():
    """A paraphrase is bound to its provision; an invented rule, another number and another passage are named."""
    passages = [
        Passage(number=1, text=LEASE, law=True),
        Passage(number=2, text="Dogs are kept on a lead in the park.", law=True),
    ]
    answer = (
        "A tenancy ends four weeks after notice in writing [1]. The landlord may keep the deposit as a penalty for noise [1]."
        " A tenancy ends nine weeks after notice in writing [1]. A tenancy ends four weeks after written notice [2]."
    )
    found, alone = supported(answer, passages, lambda text: references(text, 2))
    assert [(one.number, LEASE[one.start : one.end]) for one in found] == [
        (1, "(1) A tenancy ends four weeks after notice in writing.")
    ]
    assert len(alone) == 3


MARRIAGE = (
    "1. Возраст супругов устанавливается в двадцать лет.\n2. При наличии уважительных причин староста вправе разрешить вступить в брак лицам,"
    " достигшим семнадцати лет.\n3. Староста объявляет о разрешении на площади."
)


def test_the_rule_stands_before_the_exception_of_which_the_question_says_nothing():
    """Who asks in general is told the rule, and the case that nobody asked of as an exception; who tells that case gets it first."""
    passage = Passage(number=1, text=MARRIAGE, law=True)
    said = statements("Со скольких лет супруги могут вступать в брак?", [passage])
    assert [one.text[:2] for one in said if one.kind == "rule"] == ["1."]
    assert [one.text[:2] for one in said if one.kind == "exception"] == ["2."]
    rule = of("rule", "Есть уважительные причины, могут ли разрешить вступить в брак?", passage)[0]
    assert rule.text.startswith("2.")


def test_an_exception_that_the_question_does_not_touch_is_not_told():
    """One of another case is left out; one that takes back the rule, or the whole article, is told whatever its words."""
    law = (
        "赠与人在交付船只之前可以撤销赠与。\n经过公证的赠与合同，不适用前款规定。\n"
        "渔船登记，应当由船主申请，但是港口另有规定的除外。\n本条规定不适用于军队所有的船只。"
    )
    said = of("exception", "答应送人的船还没交付，可以撤销赠与吗？", Passage(number=1, text=law, law=True))
    assert [one.text[:2] for one in said] == ["经过", "本条"]


def test_an_item_of_a_list_without_marks_is_no_provision():
    """Russian codes list cases one a line in small letters: they stand with the words that open the list."""
    text = "Остановить работу не вправе:\nсторожа;\nпожарные дружины.\nРаботник извещает об остановке старосту."
    found = [text[start:end] for start, end in provisions(text)]
    assert found == [
        "Остановить работу не вправе:\nсторожа;\nпожарные дружины.",
        "Работник извещает об остановке старосту.",
    ]


def test_where_no_word_tells_the_provision_the_article_is_told_from_its_beginning():
    """Nothing is picked by chance: up to four provisions in their order."""
    text = "1. Первое правило здесь.\n2. Второе правило здесь.\n3. Третье правило здесь.\n4. Четвёртое правило.\n5. Пятое правило."
    said = of("rule", "Кормить ли кошку?", Passage(number=1, text=text, law=True))
    assert [one.text[:2] for one in said] == ["1.", "2.", "3.", "4."]
