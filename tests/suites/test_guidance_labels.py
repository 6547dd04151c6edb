"""The labels that authors of guidance write: each has its category, and what is no known label is never a point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records import Category
from benchbar.suites.guidance_text import read_guidance

MUST, MUST_NOT = "mandatory", "forbidden"
SHOULD, MAY, TRUTH = "advisable", "encouraged", "ground_truth"

LABELS = [
    # English
    ("Must mention", MUST), ("must mention", MUST), ("MUST MENTION", MUST), ("Must include", MUST), ("Must say", MUST),
    ("Must state", MUST), ("Must cite", MUST), ("Must cover the following", MUST), ("Required", MUST),
    ("Required points", MUST), ("Mandatory", MUST), ("The answer must mention", MUST), ("The answer must contain", MUST),
    ("Has to mention", MUST), ("Needs to mention", MUST), ("Key points", MUST), ("Essential", MUST),
    ("Must mention at least two of", MUST), ("Must be mentioned", MUST), ("Shall include", MUST),
    ("Should mention", SHOULD), ("Should also mention", SHOULD), ("Recommended", SHOULD), ("Ought to mention", SHOULD),
    ("The response should include", SHOULD), ("Advisable", SHOULD),
    ("May mention", MAY), ("Can also mention", MAY), ("Nice to have", MAY), ("Optional", MAY), ("Bonus points", MAY),
    ("Must not mention", MUST_NOT), ("Must NOT mention", MUST_NOT), ("Mustn't mention", MUST_NOT),
    ("Mustn’t say", MUST_NOT), ("May not mention", MUST_NOT), ("Should not mention", MUST_NOT),
    ("Shouldn't mention", MUST_NOT), ("Shall not state", MUST_NOT), ("Do not mention", MUST_NOT),
    ("Don't mention", MUST_NOT), ("Don't say", MUST_NOT), ("Never mention", MUST_NOT), ("Cannot mention", MUST_NOT),
    ("Can't mention", MUST_NOT), ("Forbidden", MUST_NOT), ("Prohibited", MUST_NOT), ("Not allowed", MUST_NOT),
    ("Avoid", MUST_NOT), ("Avoid mentioning", MUST_NOT), ("Wrong answer", MUST_NOT), ("Red flags", MUST_NOT),
    ("The assistant must not say", MUST_NOT), ("Must not be mentioned", MUST_NOT), ("Must never advise", MUST_NOT),
    ("Answer", TRUTH), ("Correct answer", TRUTH), ("Expected answer", TRUTH), ("Reference answer", TRUTH),
    ("Ground truth", TRUTH), ("Model answer", TRUTH),
    # Russian
    ("Обязательно", MUST), ("Обязательно упомянуть", MUST), ("Должен упомянуть", MUST), ("Ответ должен содержать", MUST),
    ("Необходимо указать", MUST), ("Нужно назвать", MUST), ("Обязательное упоминание", MUST),
    ("Обязательные пункты", MUST), ("Не менее двух из", MUST), ("Желательно", SHOULD), ("Следует упомянуть", SHOULD),
    ("Рекомендуется указать", SHOULD), ("Поощряется", MAY), ("Можно упомянуть", MAY), ("Необязательно", MAY),
    ("Запрещено", MUST_NOT), ("Запрещено упоминать", MUST_NOT), ("Нельзя", MUST_NOT), ("Нельзя упоминать", MUST_NOT),
    ("Не упоминать", MUST_NOT), ("Не должен упоминать", MUST_NOT), ("Ответ не должен содержать", MUST_NOT),
    ("Не следует говорить", MUST_NOT), ("Недопустимо", MUST_NOT), ("Запрещённое упоминание", MUST_NOT),
    ("Неправильный ответ", MUST_NOT), ("Избегать упоминания", MUST_NOT), ("Правильный ответ", TRUTH), ("Ответ", TRUTH),
    # Chinese
    ("必须提及", MUST), ("必须提到", MUST), ("必须说明", MUST), ("回答必须包含", MUST), ("须提及", MUST),
    ("务必提及", MUST), ("至少提及两点", MUST), ("必须提及的要点", MUST), ("必须提及以下内容", MUST), ("应当提及", SHOULD), ("应提及", SHOULD),
    ("建议提到", SHOULD), ("最好提及", SHOULD), ("可以提及", MAY), ("鼓励提及", MAY), ("加分项", MAY), ("禁止提及", MUST_NOT),
    ("不得提及", MUST_NOT), ("不能提及", MUST_NOT), ("不应提及", MUST_NOT), ("不要提及", MUST_NOT), ("不可以提到", MUST_NOT),
    ("严禁提及", MUST_NOT), ("切勿提及", MUST_NOT), ("避免提及", MUST_NOT), ("回答不得包含", MUST_NOT), ("扣分项", MUST_NOT),
    ("正确答案", TRUTH), ("标准答案", TRUTH), ("不得提及", MUST_NOT), ("必須提及", MUST), ("不應提及", MUST_NOT), ("嚴禁提及", MUST_NOT),
]  # fmt: skip

UNKNOWN = [
    "Need not mention", "Not required", "Must hardly mention", "Should possibly not mention", "Mention only if asked",
    "Must mention or not mention", "Не обязательно упоминать", "Обязательно не упоминать то", "Упоминание по ситуации",
    "不必提及", "无需提及", "不必须提及", "未必提及", "酌情提及", "不宜必须提及", "不是不能提及",
]  # fmt: skip

CONTENT = [
    "Deposit: 900 dollars", "Limitation period: six years", "Срок давности: три года", "Залог: 30 000 рублей", "押金：三千元",
    "诉讼时效：三年", "Section 21 notice: two months", "案由：房屋租赁合同纠纷", "Time limit: 14 days from receipt",
    "It must be in writing: Law of Property (Miscellaneous Provisions) Act 1989, section 2",
    "Они обязательно указываются в договоре: статья 432", "其必须采用书面形式：第四百六十九条",
]  # fmt: skip


def _categories(text: str) -> list[str]:
    return [str(point.category) for point in read_guidance(text).guidance.points]


@pytest.mark.parametrize(("label", "category"), LABELS)
@pytest.mark.parametrize(
    "form", ["{}: x y z", "- {}: x y z", "1. {}: x y z", "**{}:** x y z", "{}：x y z", "30 d. {}: x y z"]
)
def test_a_label_has_its_category_however_it_is_set(label, category, form):
    """At the beginning of a line, as an item, in bold, with a wide colon, or behind a sentence."""
    found = read_guidance(form.format(label))
    assert found.unknown_labels == ()
    assert (str(found.guidance.points[-1].category), found.guidance.points[-1].text) == (category, "x y z")


@pytest.mark.parametrize("label", UNKNOWN)
def test_what_looks_like_a_label_and_is_none_is_reported_and_is_no_point(label):
    """To guess would turn some of them into their opposite."""
    found = read_guidance(f"Answer: no.\n{label}: x y z")
    assert found.unknown_labels == (label,)
    assert [point.text for point in found.guidance.points] == ["no."]


@pytest.mark.parametrize("line", CONTENT)
def test_a_colon_makes_no_label(line):
    """A head word of the content itself stays content."""
    found = read_guidance(line)
    assert (found.unknown_labels, [point.text for point in found.guidance.points]) == ((), [line])


def test_labels_may_stand_in_one_line():
    """Behind the end of a sentence, or behind a semicolon."""
    text = "30 days. Must mention: written notice. Must not mention: the deposit is forfeited; Do not say: you may sue"
    assert _categories(text) == [TRUTH, MUST, MUST_NOT, MUST_NOT]


def test_as_many_as_the_label_says_suffice():
    """In digits and in words, in each language."""
    for label, enough in (
        ("Must mention at least two of", 2),
        ("Не менее двух из", 2),
        ("至少提及两点", 2),
        ("At least 2", 2),
    ):
        guidance = read_guidance(f"{label}: 1. aa bb; 2. cc dd; 3. ee ff").guidance
        assert guidance.at_least == {"g1": enough}, label


@given(
    label=st.sampled_from(LABELS),
    before=st.sampled_from(["not ", "не ", "不", "never ", "无需", "别"]),
)
def test_a_negation_before_a_label_never_leaves_its_category(label, before):
    """It is another label or none: never the same one."""
    name, category = label
    found = read_guidance(f"{before}{name}: x y z")
    kept = {str(point.category) for point in found.guidance.points if point.text == "x y z"}
    assert category == Category.FORBIDDEN or category not in kept
