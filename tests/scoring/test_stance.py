"""A rule decides only from what the assistant itself concludes: each wording comes out right, or is left, and never wrong."""

from __future__ import annotations

import pytest

from benchbar.records import (
    Category,
    Dialogue,
    DialogueEnd,
    Guidance,
    GuidancePoint,
    PointKind,
    Sample,
    ScoreStatus,
    Turn,
)
from benchbar.scoring.points import mark_points
from benchbar.scoring.points.claims import MAX_CLAIMS
from support.rule_values import value

MET, NOT, LEFT = 1.0, 0.0, None


THEFT = [
    # What was found: the word without 罪, four charges at once, denials before and after, the view of others.
    ("其行为已构成盗窃", MET),
    ("构成盗窃罪、诈骗罪、侵占罪、抢夺罪", NOT),
    ("盗窃罪不成立", NOT),
    ("不宜以盗窃罪论处，应以诈骗罪定罪", NOT),
    ("有人认为是盗窃罪，但这种看法是错误的", NOT),
    ("与盗窃罪的区别在于被害人是否处分财物，因此构成诈骗罪。", NOT),
    # Further wordings.
    ("综上，被告人的行为应认定为盗窃罪。", MET),
    ("应当以盗窃罪追究刑事责任。", MET),
    ("**罪名：盗窃罪**", MET),
    ("涉嫌盗窃，建议尽快退赃。", MET),
    ("定盗窃罪没有问题。", MET),
    ("不构成诈骗罪，应认定为**盗窃罪**。", MET),
    ("不是侵占，而是盗窃罪。", MET),
    ("成立盗窃罪的既遂。", MET),
    ("结论是盗窃罪。", MET),
    ("**不是**盗窃罪。", NOT),
    ("并非盗窃罪，而是侵占罪。", NOT),
    ("谈不上盗窃罪。", NOT),
    ("盗窃罪的指控站不住脚。", NOT),
    ("公诉机关指控其犯盗窃罪，我认为应当以职务侵占罪论处。", NOT),
    ("辩护人主张构成盗窃罪。", NOT),
    ("如果他当时没有经手财物的权限，就构成盗窃罪；如果有，就是职务侵占罪。", NOT),
    ("可能涉及盗窃罪、诈骗罪或者侵占罪。", NOT),
    ("是不是盗窃罪？这要看证据。", NOT),
    ("《刑法》第二百六十四条规定：“犯盗窃罪的，处三年以下有期徒刑。”请您自行对照。", NOT),
    ("以前这种行为按盗窃罪处理，现在不再适用。", NOT),
    ("不构成犯罪。", NOT),
    ("应当以故意毁坏财物罪定罪处罚。", NOT),
    ("与盗窃罪不同，本案属于敲诈勒索罪。", NOT),
    ("抱歉，仅凭这些信息我无法判断。", NOT),
]

CASE_1 = [
    ("与案件2相比，案件1更相似", MET),
    # Further wordings.
    ("案件1与本案最为接近。", MET),
    ("答案：案件一。", MET),
    ("更相似的是案件1。", MET),
    ("第一个案件更相似，第二个案件则不同。", MET),
    ("应当选择案件1。", MET),
    ("我选案例一。", MET),
    ("类案是案件1。", MET),
    ("与案件1相比，案件2更相似。", NOT),
    ("案件2更为相似。", NOT),
    ("答案：案件二。", NOT),
    ("有人认为案件1更相似，但我认为是案件2。", NOT),
    ("案件1不是类案，案件2才是。", NOT),
    ("案件1和案件2都有相似之处。", NOT),
    ("如果涉案金额相近，案件1更相似；如果看手段，案件2更相似。", NOT),
    ("案件1是否更相似？难以判断。", NOT),
    ("两个案件各有相似之处，具体要看法院。", NOT),
    ("案件1的事实是借款，案件2的事实是侵权。", NOT),
    ("并非案件1，而是案件2。", NOT),
    ("一审认为案件1更相似。", NOT),
    ("抱歉，没有看到案件材料，请重新提供。", NOT),
    ("案件2。案件1涉及的是另一种法律关系。", NOT),
]

ARTICLE = [
    ("依据刑法三百四十七条定罪处罚。", MET),
    # Further wordings.
    ("依据《刑法》第三百四十七条。", MET),
    ("刑法347条", MET),
    ("应当适用《中华人民共和国刑法》第347条。", MET),
    ("根据刑法第三百四十七条的规定，构成贩卖毒品罪。", MET),
    ("依照《刑法》第３４７条处罚。", MET),
    ("不是第三百四十八条，应适用《刑法》第三百四十七条。", MET),
    ("适用《刑法》第三百四十七条第一款。", MET),
    ("依据《刑法》第三百四十八条。", NOT),
    ("不适用《刑法》第三百四十七条。", NOT),
    ("《刑法》第三百四十七条在本案不适用。", NOT),
    ("辩护人援引《刑法》第三百四十七条。", NOT),
    ("如果数量更大，就适用《刑法》第三百四十七条。", NOT),
    ("是否适用《刑法》第三百四十七条？", NOT),
    ("与《刑法》第三百四十七条不同，本案适用第三百四十八条。", NOT),
    ("《刑法》第三百四十七条已经废止。", NOT),
    ("您说的《刑法》第三百四十七条与本案无关。", NOT),
    ("有律师认为应当适用《刑法》第三百四十七条，这是错误的。", NOT),
    ("可能是《刑法》第三百四十七条、第三百四十八条、第三百四十九条，您对照一下。", NOT),
    ("应当适用治安管理处罚法第七十二条。", NOT),
    ("具体条文我记不清了。", NOT),
]

REPEALED = [
    ("《婚姻法》已废止，应适用《民法典》", NOT),
    ("应适用《民法典》，不再适用《婚姻法》。", NOT),
    ("《婚姻法》自2021年1月1日起失效。", NOT),
    ("不能再引用《婚姻法》。", NOT),
    ("原《婚姻法》的规定已被《民法典》取代。", NOT),
    ("对方律师援引的是《婚姻法》。", NOT),
    ("适用《民法典》婚姻家庭编。", NOT),
    ("现行法是《民法典》，《婚姻法》是旧法。", NOT),
    ("以前适用《婚姻法》，现在适用《民法典》第一千零七十九条。", NOT),
    ("不要再写《婚姻法》，改写《民法典》。", NOT),
    ("《婚姻法》第三十二条的内容已并入《民法典》第一千零七十九条。", NOT),
    ("一审判决引用《婚姻法》有误，应引用《民法典》。", NOT),
    ("您提到的《婚姻法》2021年起不再施行。", NOT),
    ("如果婚姻纠纷发生在2021年以前，才可能适用《婚姻法》。", NOT),
    ("与《婚姻法》相比，《民法典》增加了离婚冷静期。", NOT),
    ("有人说还能用《婚姻法》，这是误解。", NOT),
    ("是否还适用《婚姻法》？不适用。", NOT),
    ("《婚姻法》已被废止，本案依据《民法典》处理。", NOT),
    ("网上的文章还在引《婚姻法》，请以《民法典》为准。", NOT),
    ("《婚姻法》和《继承法》都随《民法典》施行而废止。", NOT),
    ("依据《民法典》，而不是《婚姻法》。", NOT),
    ("请依照《婚姻法》起诉离婚。", MET),
]


@pytest.mark.parametrize(
    ("kind", "text", "reply", "mark", "fields"),
    [
        ("charge", "盗窃罪", "其行为已构成盗窃", MET, {}),
        ("charge", "盗窃罪", "构成盗窃罪、诈骗罪、侵占罪、抢夺罪", LEFT, {}),
        ("charge", "盗窃罪", "盗窃罪不成立", NOT, {}),
        ("charge", "盗窃罪", "不宜以盗窃罪论处，应以诈骗罪定罪", NOT, {}),
        ("charge", "盗窃罪", "有人认为是盗窃罪，但这种看法是错误的", LEFT, {}),
        ("choice", "案件1", "与案件2相比，案件1更相似", MET, {"alternatives": ("案例1",)}),
        ("citation", "《刑法》第三百四十七条", "依据刑法三百四十七条", MET, {}),
        ("citation", "《婚姻法》", "《婚姻法》已废止，应适用《民法典》", LEFT, {"category": Category.FORBIDDEN}),
    ],
)
def test_what_was_once_marked_wrong(kind, text, reply, mark, fields):
    """Ordinary answers to real questions that rules decided wrongly: now right, or left to a judge."""
    assert value(kind, text, reply, **fields) == mark


@pytest.mark.parametrize(
    ("kind", "text", "rows", "fields"),
    [
        ("charge", "盗窃罪", THEFT, {}),
        ("choice", "案件1", CASE_1, {"alternatives": ("案例1", "案件一", "第一个案件")}),
        ("citation", "《刑法》第三百四十七条", ARTICLE, {}),
        ("citation", "《婚姻法》", REPEALED, {"category": Category.FORBIDDEN}),
    ],
)
def test_no_wording_is_marked_wrong(kind, text, rows, fields):
    """Denied, reported, supposed, compared, quoted, repealed, listed, asked or declined: right, or left to a judge."""
    found = [(reply, truth, value(kind, text, reply, **fields)) for reply, truth in rows]
    assert [(reply, mark) for reply, truth, mark in found if mark not in {truth, LEFT}] == []


@pytest.mark.parametrize(
    ("kind", "text", "rows", "fields", "least"),
    [
        ("charge", "盗窃罪", THEFT, {}, 16),
        ("choice", "案件1", CASE_1, {"alternatives": ("案例1", "案件一", "第一个案件")}, 11),
        ("citation", "《刑法》第三百四十七条", ARTICLE, {}, 10),
    ],
)
def test_plain_wordings_are_decided(kind, text, rows, fields, least):
    """Abstaining costs a judge's call: of these wordings, half of them meant to mislead, about half are decided."""
    assert sum(value(kind, text, reply, **fields) is not LEFT for reply, _ in rows) >= least


@pytest.mark.parametrize(
    ("language", "kind", "text", "reply", "mark"),
    [
        ("en", "term", "strict liability", "The keeper answers on the basis of strict liability.", MET),
        ("en", "term", "strict liability", "It isn't strict liability.", NOT),
        ("en", "term", "strict liability", "The claimant argues that this is strict liability.", LEFT),
        ("en", "term", "strict liability", "If the animal was dangerous, there is strict liability.", LEFT),
        ("en", "term", "strict liability", "Unlike strict liability, negligence needs fault.", LEFT),
        ("en", "choice", "B", "Answer: B", MET),
        ("en", "choice", "B", "The correct option is C.", NOT),
        ("ru", "term", "неосновательное обогащение", "Иск строится на неосновательном обогащении.", MET),
        ("ru", "term", "неосновательное обогащение", "Это не неосновательное обогащение.", NOT),
        ("ru", "term", "неосновательное обогащение", "Истец считает, что это неосновательное обогащение.", LEFT),
        (
            "ru",
            "term",
            "неосновательное обогащение",
            "В отличие от неосновательного обогащения, здесь есть договор.",
            LEFT,
        ),
        ("ru", "choice", "Б", "Правильный ответ: Б", MET),
        ("ru", "choice", "Б", "Верный вариант — Г.", NOT),
    ],
)
def test_english_and_russian_wordings_are_read_alike(language, kind, text, reply, mark):
    """The reader is one; its wordings are the pack's."""
    assert value(kind, text, reply, language=language) == mark


def test_the_last_position_counts():
    """A correction replaces, a courtesy does not, and what is taken back with nothing in its place is left."""
    assert value("charge", "盗窃罪", "构成诈骗罪。", "抱歉，前面说错了，应认定为盗窃罪。") == MET
    assert value("charge", "盗窃罪", "构成盗窃罪。", "不客气，再见。") == MET
    assert value("charge", "盗窃罪", "构成盗窃罪。", "抱歉，我刚才说错了，需要重新考虑。") is LEFT


def test_other_names_of_a_charge_are_that_charge():
    """帮信 is 帮助信息网络犯罪活动罪, and punctuation inside a name does not matter."""
    assert value("charge", "帮助信息网络犯罪活动罪", "涉嫌帮信罪。") == MET
    assert value("charge", "掩饰、隐瞒犯罪所得罪", "构成掩饰隐瞒犯罪所得罪。") == MET


def test_what_is_forbidden_is_found_said_only_where_it_is_settled_on():
    """To warn of a term names it: whether the assistant says it, is a judge's; not to have said it can be plain."""
    forbidden = {"category": Category.FORBIDDEN}
    assert value("term", "双倍返还", "可以主张双倍返还。", **forbidden) is LEFT
    assert value("charge", "盗窃罪", "构成盗窃罪。", **forbidden) == MET
    assert value("charge", "盗窃罪", "构成诈骗罪。", **forbidden) == NOT


def test_a_reply_full_of_mentions_is_left():
    """Beyond some number of claims nothing is read: hostile text costs no more than long text."""
    assert value("term", "违约金", "违约金，" * (MAX_CLAIMS + 1)) is LEFT


def test_kinds_that_are_not_shown_precise_are_left():
    """The table is data: English citations are marked when they are measured, and left in a run."""
    point = GuidancePoint(id="p", category=Category.MANDATORY, kind=PointKind.CITATION, text="17 U.S.C. § 107")
    sample = Sample(id="s", task="t", needs="?", guidance=Guidance(points=(point,)), language="en")
    turns = (Turn(role="user", content="?"), Turn(role="assistant", content="It is 17 U.S.C. § 107."))
    talk = Dialogue(sample="s", assistant="a", turns=turns, ended=DialogueEnd.SATISFIED)
    assert mark_points(sample, talk, every_kind=True)[0].value == MET
    left = mark_points(sample, talk)[0]
    assert left.status is ScoreStatus.ABSTAINED
    assert "left to a judge" in left.reason


def test_a_mark_of_silence_goes_by_its_own_row():
    """Numbers are left to a judge in Chinese, wherever they rest on a place; that a reply answers nothing at all is decided."""
    point = GuidancePoint(
        id="p", category=Category.MANDATORY, kind=PointKind.NUMBER, text="三年", low=36, high=36, unit="month"
    )
    sample = Sample(id="s", task="t", needs="?", guidance=Guidance(points=(point,)), language="zh")

    def marks(reply: str, *, every_kind: bool) -> float | None:
        turns = (Turn(role="user", content="?"), Turn(role="assistant", content=reply))
        talk = Dialogue(sample="s", assistant="a", turns=turns, ended=DialogueEnd.SATISFIED)
        return mark_points(sample, talk, every_kind=every_kind)[0].value

    assert marks("诉讼时效为三年。", every_kind=True) == MET
    assert marks("诉讼时效为三年。", every_kind=False) is LEFT
    assert marks("抱歉，我不知道。", every_kind=False) == NOT
    # Not found in an answer is a third question, and left as well.
    assert marks("请先发函催告，再向法院起诉。", every_kind=True) == NOT
    assert marks("请先发函催告，再向法院起诉。", every_kind=False) is LEFT


@pytest.mark.parametrize(
    ("kind", "wanted", "reply", "mark"),
    [
        ("citation", "section 20 of the Offences against the Person Act 1861", "s 20 OAPA", MET),
        ("citation", "section 9 of the Wills Act 1837", "Section 9 of the 1837 Act.", MET),
        ("citation", "section 98(4) of the Employment Rights Act 1996", "It is s 98 ERA 1996.", LEFT),
        # Another numbering of the same provision is no other provision.
        ("citation", "section 7 of the Clayton Act", "It is 15 U.S.C. § 18.", LEFT),
        # Named without its article it may be half of the answer, whatever is cited beside it.
        (
            "citation",
            "section 21 of the Housing Act 1988",
            "Section 5 of the Rent Act 1977 and the Housing Act 1988.",
            LEFT,
        ),
        (
            "citation",
            "Article 17 of Regulation (EU) 2016/679",
            "It's somewhere in the GDPR. I can't recall the article.",
            LEFT,
        ),
        ("citation", "section 9 of the Wills Act 1837", "Sign it before two witnesses and keep it safe.", NOT),
    ],
)
def test_short_and_other_ways_to_cite(kind, wanted, reply, mark):
    """Initials and years name an act; what may be the same provision, or half of it, is left."""
    assert value(kind, wanted, reply, language="en") == mark


def test_a_provision_put_forward_with_its_text_is_cited():
    """At the head of a line and of a quotation it is what the reply offers, if a statute's words hold conditions; not in a long list."""
    other = (
        "《民法典》第五百条：“当事人在订立合同过程中有下列情形之一，造成对方损失的，应当承担赔偿责任：如果隐瞒事实。”"
    )
    wanted = "《民法典》第七百零三条：“租赁合同是出租人将租赁物交付承租人使用、收益，承租人支付租金的合同。”"
    found = f"与问题最接近的规定：\n{other}\n{wanted}\n以上是条文原文。"
    assert value("citation", "《民法典》第七百零三条", found) == MET
    rest = "\n".join(other.replace("五百", f"五百{n}十") for n in "二三四")
    assert value("citation", "《民法典》第七百零三条", f"{found}\n{rest}") is LEFT


@pytest.mark.parametrize(
    ("reply", "bounds"),
    [
        ("Pay the price and deduct the balance that is still open.", {"low": 12400, "high": 12400, "unit": "yuan"}),
        ("You have until March 2026.", {"low": 36, "high": 36, "unit": "month"}),
    ],
)
def test_a_number_may_be_given_without_one(reply, bounds):
    """As what is left, or as a day: that no number stands there does not show that it is missing."""
    assert value("number", "the wanted figure", reply, language="en", **bounds) is LEFT
