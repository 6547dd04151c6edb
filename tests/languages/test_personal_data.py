"""Personal data is found in three languages, and masked so that nothing else in a text moves."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbar.languages.personal_data import Masker, PersonalKind, find_personal_data
from benchbar.languages.personal_data.checksums import is_card, is_iban, is_inn, is_resident_id, is_snils
from benchbar.records import Category, Dialogue, DialogueEnd, Guidance, GuidancePoint, PointKind, Sample, Turn
from benchbar.scoring.points import mark_points

_MARKED = re.compile(rf"\[({'|'.join(PersonalKind)}):([^\]]+)\]")


def read_marked(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The text, and the spans and kinds of what is marked as ``[kind:value]`` in it."""
    text, spans, at = "", [], 0
    for match in _MARKED.finditer(marked):
        text += marked[at : match.start()]
        spans.append((len(text), len(text) + len(match[2]), match[1]))
        text, at = text + match[2], match.end()
    return text + marked[at:], spans


def marked_texts(name: str) -> list[tuple[str, str, list[tuple[int, int, str]]]]:
    """Language, text and marked spans of each line of a file."""
    lines = (Path(__file__).parent / name).read_text("utf-8").splitlines()
    return [(line.partition("\t")[0], *read_marked(line.partition("\t")[2])) for line in lines]


TEXTS = marked_texts("personal_data.tsv")


@pytest.mark.parametrize(
    ("name", "recall", "precision"),
    [
        # Written before the rules were mended by it: 54 of 60 and 56 of 60 then.
        ("personal_data_questions.tsv", 0.98, 0.96),
        # Read once, after the mending, and never mended by: what to expect of texts from elsewhere.
        ("personal_data_unread.tsv", 0.92, 0.99),
    ],
)
def test_personal_data_is_found_in_questions_as_people_ask_them(name, recall, precision):
    """The figures of docs/suite-authoring.md; a third of these texts hold none, and much that looks like it."""
    hits, marked, right, found = 0, 0, 0, 0
    for _, text, spans in marked_texts(name):
        data = find_personal_data(text)
        marked, found = marked + len(spans), found + len(data)
        hits += sum(any(one.start <= a and b <= one.end and one.kind == kind for one in data) for a, b, kind in spans)
        right += sum(any(one.start < b and a < one.end for a, b, _ in spans) for one in data)
    assert hits / marked >= recall
    assert right / found >= precision


def test_a_capital_behind_a_role_and_a_colon_is_no_name():
    """It begins a sentence; a name there stands alone, or has the form of a surname."""
    assert find_personal_data("ИП: Какой налог платить? Продавец: Вправе ли он отказать?") == ()
    assert [one.text for one in find_personal_data("Ответчик: Иванов не явился. Истец: Шевчук.")] == [
        "Иванов",
        "Шевчук",
    ]


def test_personal_data_is_found_in_sixty_texts():
    """Of everything marked in 60 texts, 20 in each language, 98% is found as what it is, and 98% of what is found is marked."""
    assert Counter(language for language, _, _ in TEXTS) == {"zh": 20, "ru": 20, "en": 20}
    missed, wrong, marked, found = [], [], 0, 0
    for _, text, spans in TEXTS:
        data = find_personal_data(text)
        marked, found = marked + len(spans), found + len(data)
        missed += [
            text[start:end]
            for start, end, kind in spans
            if not any(one.start <= start and end <= one.end and one.kind == kind for one in data)
        ]
        wrong += [one.text for one in data if not any(one.start < end and start < one.end for start, end, _ in spans)]
    assert {kind for _, _, spans in TEXTS for _, _, kind in spans} == set(PersonalKind)
    assert 1 - len(missed) / marked >= 0.98, f"recall of {marked}: missed {missed}"
    assert 1 - len(wrong) / found >= 0.98, f"precision of {found}: wrong {wrong}"


def test_masking_moves_no_other_character():
    """A masked text is as long as before, the same outside of what was found, and holds nothing more to find."""
    masker = Masker("a secret of the test")
    for _, text, _ in TEXTS:
        masked, data = masker.mask(text), find_personal_data(text)
        assert len(masked) == len(text)
        inside = {at for one in data for at in range(one.start, one.end)}
        assert all(masked[at] == char for at, char in enumerate(text) if at not in inside)
        assert not any(one.text in masked for one in data)
        assert find_personal_data(masked) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("电话13800138000", "电话+86 138-0013-8000"),
        ("公民身份号码11010519491231002X", "公民身份号码11010519491231002x"),
        ("счёт 40817810938160925982", "счёт 4081 7810 9381 6092 5982"),
        ("原告张伟说", "原告张伟，"),
    ],
)
def test_spellings_of_one_value_get_one_pseudonym(first, second):
    """Country code, gaps and case do not make another person of it; another secret does."""
    masker, other = Masker("one"), Masker("two")

    def bare(text: str, by: Masker) -> str:
        (datum,) = find_personal_data(text)
        return "".join(char for char in by.pseudonym(datum.text, datum.kind) if char.isalnum())

    assert bare(first, masker)[-6:] == bare(second, Masker("one"))[-6:]
    assert bare(first, masker) != bare(first, other)


def test_cases_of_a_russian_name_share_their_pseudonym():
    """Иванов, Иванову and Ивановым stay one person: their pseudonyms begin alike."""
    masker = Masker("one")
    forms = [masker.pseudonym(word, PersonalKind.NAME) for word in ("Иванов", "Иванову", "Ивановым", "Иванова")]
    assert len({form[:6] for form in forms}) == 1
    assert masker.pseudonym("Петрову", PersonalKind.NAME)[:6] != forms[0][:6]


def test_a_name_that_one_text_gives_away_is_masked_in_all():
    """Where the role stands in the information only, the name is known in needs and replies as well."""
    masked = Masker("one").mask_all(["被告：徐牧野，男。", "徐牧野应当返还押金。"])
    assert "徐牧野" not in masked[1]
    assert masked[0][3:6] == masked[1][:3]


@given(
    st.lists(
        st.text("王李张刘陈杨黄赵吴周伟芳娜敏静丽强磊军洋", min_size=2, max_size=2),
        min_size=2,
        max_size=40,
        unique=True,
    )
)
@settings(max_examples=30)
def test_different_names_get_different_pseudonyms(names):
    """Two people of one file are never made one, however short their names."""
    masker = Masker("one")
    assert len({masker.pseudonym(name, PersonalKind.NAME) for name in names}) == len(names)


@pytest.mark.parametrize(
    "text",
    [
        "《中华人民共和国民法典》第五百七十七条规定，当事人一方不履行合同义务的，应当承担违约责任。",
        "（2021）京0105民初12345号民事判决书认定，被告应于十日内支付货款人民币1234567890元。",
        "被告向原告借款五万元，约定于2021年5月1日归还。甲公司与乙公司签订买卖合同。",
        "张某与李某某因邻里纠纷发生争执，法院查明事实清楚。",
        "Согласно п. 1 ст. 395 ГК РФ и Постановлению Пленума Верховного Суда РФ от 24.03.2016 № 7 подлежат уплате проценты.",
        "ООО «Ромашка» обязано выплатить 1 500 000 руб. до 31 декабря 2024 года.",
        "In Marbury v. Madison, 5 U.S. 137 (1803), the Supreme Court held that the Judiciary Act was invalid.",
        "Under 42 U.S.C. § 1983 the tenant may recover $12,500 within 30 days of March 3, 2021.",
    ],
)
def test_law_and_amounts_are_no_personal_data(text):
    """Statutes, case numbers, parties of reported cases, companies, sums and dates are left."""
    assert [one.text for one in find_personal_data(text)] == []


def _with_check(digits: str) -> str:
    """A resident number with its check character, computed the other way round: the whole is 1 modulo 11."""
    return next(digits + check for check in "0123456789X" if _modulo(digits + check) == 1)


def _modulo(number: str) -> int:
    value = 0
    for char in number:
        value = (value * 2 + (10 if char == "X" else int(char))) % 11
    return value


@given(
    st.sampled_from(["110105", "310115", "440106"]), st.dates(date(1930, 1, 1), date(2020, 1, 1)), st.integers(1, 998)
)
def test_resident_numbers_are_told_by_their_check_digit(region, born, serial):
    """ISO 7064's two ways of computing agree, and no number with one digit changed passes."""
    number = _with_check(f"{region}{born:%Y%m%d}{serial:03}")
    assert is_resident_id(number)
    assert [one.kind for one in find_personal_data(f"编号{number}，")] == [PersonalKind.ID]
    changed = number[:16] + str((int(number[16]) + 1) % 10) + number[17]
    assert not is_resident_id(changed)


@pytest.mark.parametrize(
    ("holds", "value", "wrong"),
    [
        (is_inn, "500100732259", "500100732258"),
        (is_inn, "7707083893", "7707083894"),
        (is_snils, "11223344595", "11223344596"),
        (is_card, "4111111111111111", "4111111111111112"),
        (is_iban, "GB29NWBK60161331926819", "GB29NWBK60161331926818"),
    ],
)
def test_check_digits(holds, value, wrong):
    """Published examples of each number pass, and fail with the last digit changed."""
    assert holds(value)
    assert not holds(wrong)


INFORMATION = (
    "原告周建平，电话13912345678，被告欧阳雪琴租住其位于西湖区文三路128号5幢301室的房屋，押金三千元，车牌苏A8K5D2。"
)
POINTS = [
    ("term", "周建平", {}),
    ("term", "欧阳雪琴", {"exhaustive": False}),
    ("number", "三千元", {"low": 3000, "high": 3000, "unit": "yuan"}),
    ("range", "六个月至一年", {"low": 6, "high": 12, "unit": "month"}),
    ("citation", "《民法典》第七百一十条", {}),
    ("charge", "盗窃罪", {}),
    ("quote", "承租人周建平按照约定的方法使用租赁物，致使租赁物受到损耗的，不承担赔偿责任", {}),
    ("choice", "D", {}),
    ("semantic", "正常损耗由欧阳雪琴承担", {}),
]
REPLIES = [
    "周建平可以要回三千元。依据《民法典》第七百一十条，承租人周建平按照约定的方法使用租赁物，致使租赁物受到损耗的，不承担赔偿责任。答案：D",
    "并非周建平，而是欧阳雪琴应当负责，应判处欧阳雪琴有期徒刑八个月，不构成盗窃罪，可拨打13912345678联系。答案是B。",
    "建议判处被告人欧阳雪琴有期徒刑二年，构成盗窃罪，返还押金五千元，见《民法典》第七百条。承租人周建平按约定方法使用租赁物受到损耗，不赔偿。",
    "不知道。",
]


def test_masking_changes_no_mark():
    """Every kind of point gets the same mark, resting on the same characters, before and after masking."""
    points = tuple(
        GuidancePoint(id=f"p{n}", category=Category.MANDATORY, kind=PointKind(kind), text=text, **fields)
        for n, (kind, text, fields) in enumerate(POINTS)
    )
    texts = [INFORMATION, *(point.text for point in points), *REPLIES]
    masked = Masker("one").mask_all(texts)
    assert "周建平" not in "".join(masked)
    renamed = tuple(
        GuidancePoint(id=f"p{n}", category=Category.MANDATORY, kind=PointKind(kind), text=masked[1 + n], **fields)
        for n, (kind, _, fields) in enumerate(POINTS)
    )

    def marks(information: str, points: tuple[GuidancePoint, ...], reply: str) -> list[tuple[object, ...]]:
        sample = Sample(id="s", task="t", needs="怎么办？", information=information, guidance=Guidance(points=points))
        turns = (Turn(role="user", content="问"), Turn(role="assistant", content=reply))
        scores = mark_points(sample, Dialogue(sample="s", assistant="a", turns=turns, ended=DialogueEnd.SATISFIED))
        return [(one.status, one.value, [(e.turn, e.start, e.end) for e in one.evidence]) for one in scores]

    values = set()
    for reply, hidden in zip(REPLIES, masked[-len(REPLIES) :], strict=True):
        before = marks(INFORMATION, points, reply)
        assert before == marks(masked[0], renamed, hidden)
        values |= {value for _, value, _ in before}
    assert {0.0, 1.0, None} <= values
