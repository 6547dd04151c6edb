"""Rule matchers decide what they can and leave the rest: for each kind, what is met, not met, and left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records import (
    Category,
    Dialogue,
    DialogueEnd,
    Guidance,
    GuidancePoint,
    Layer,
    PointKind,
    Sample,
    Score,
    ScoreStatus,
    Turn,
)
from benchbar.scoring.points import mark_points, weigh

MET, NOT, LEFT = 1.0, 0.0, None


def dialogue(*replies: str, question: str = "问") -> Dialogue:
    turns = [
        turn
        for reply in replies
        for turn in (Turn(role="user", content=question), Turn(role="assistant", content=reply))
    ]
    return Dialogue(sample="s", assistant="a", turns=tuple(turns), ended=DialogueEnd.SATISFIED)


def mark(point: GuidancePoint, *replies: str, language: str = "zh") -> Score:
    sample = Sample(id="s", task="t", needs="n", guidance=Guidance(points=(point,)), language=language)
    return mark_points(sample, dialogue(*replies), every_kind=True)[0]


def point(kind: str, text: str, **fields) -> GuidancePoint:
    return GuidancePoint(**{"id": "p1", "category": Category.MANDATORY, "kind": PointKind(kind), "text": text} | fields)


CHOICE = [
    ("答案：D", MET),
    ("正确答案是D。", MET),
    ("本题应选（D）。", MET),
    ("综上，故选 D 项。", MET),
    ("**答案：D**\n理由如下……", MET),
    ("D", MET),
    ("A错误，B错误，C错误，D正确。", MET),
    ("选D。\n\nD对：第九条。\nA错：不满九周岁。\nB错：期限是二十日。", MET),
    ("A 和 B 都不选，选 D。", MET),
    ("究竟选D还是选A，我拿不准。", LEFT),
    ("答案是B。", NOT),
    ("A项正确，D项错误。", LEFT),
    ("选项D错误，应选C。", NOT),
    ("本题考查盗窃罪。A项说法不正确。", LEFT),
    ("这道题很难。", LEFT),
]


@pytest.mark.parametrize(("reply", "value"), CHOICE)
def test_a_choice_is_the_option_that_is_settled_on(reply, value):
    """Options that are merely discussed are no answer."""
    assert mark(point("choice", "D"), reply).value == value


def test_the_last_reply_decides_a_choice():
    """Who corrects himself has given the corrected answer."""
    assert mark(point("choice", "D"), "答案是A。", "更正：正确答案是D。").value == MET


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("与原始案件更相似的是有关案件2。", MET),
        ("有关案件二与原始案件最为接近。", MET),
        ("第二个案件更相似，第一个案件则不同。", MET),
        ("优先引用案例二（2024）；案例一应作区分，不宜引用。", LEFT),
        ("案例二（2023）是类案，案例一不是。", MET),
        ("结论：案例一（2023）是类案，案例二不是。", NOT),
        ("案例1更为相似。", NOT),
        ("两个案件各有相似之处。", LEFT),
    ],
)
def test_a_case_is_chosen_by_preference(reply, value):
    """Numbers of cases count in figures and in words."""
    wanted = point("choice", "有关案件2", alternatives=("案件2", "案例2", "第二个案件"))
    assert mark(wanted, reply).value == value


TERM_OF_PRISON = [
    ("建议判处有期徒刑一年二个月。", MET),
    ("预计刑期为14个月左右。", MET),
    ("预测刑期在12个月至18个月之间。", MET),
    ("刑期大约为10到14个月。", LEFT),
    ("应判处有期徒刑三年。", NOT),
    ("依照规定处三年以下有期徒刑，建议判处有期徒刑一年三个月。", MET),
    ("需要看具体情节，无法给出。", NOT),
    ("可能是六个月，也可能是两年。", LEFT),
]


@pytest.mark.parametrize(("reply", "value"), TERM_OF_PRISON)
def test_a_prison_term_is_read_in_months_and_statutory_bounds_are_no_prediction(reply, value):
    """A range that only overlaps is left; no term at all is not met, however detailed the analysis."""
    assert mark(point("range", "12-19个月", low=12, high=19, unit="month"), reply).value == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("您可以要求支付4500元。", MET),
        ("赔偿金额为人民币四千五百元。", MET),
        ("共计0.45万元。", MET),
        ("可以要求5000元。", NOT),
        ("可以要求赔偿。", NOT),
    ],
)
def test_an_amount_is_the_same_in_figures_and_in_words(reply, value):
    """4500元, 四千五百元 and 0.45万元 are one amount."""
    assert mark(point("number", "4500元", low=4500, high=4500, unit="yuan"), reply).value == value


def test_tolerance_widens_the_bounds():
    """Two months off is met where the expert allows it."""
    wanted = point("number", "12个月", low=12, high=12, unit="month", tolerance=2)
    assert mark(wanted, "判处有期徒刑一年一个月。").value == MET


def test_the_number_belongs_to_its_head_word():
    """A fine is not met by the amount of something else."""
    wanted = point("number", "罚金人民币2000元", low=2000, high=2000, unit="yuan")
    assert mark(wanted, "退赔被害人2000元，并处罚金人民币5000元。").value == NOT
    assert mark(wanted, "并处2000元罚金。").value == MET


WORDS = [
    ("公司应当支付违约金。", MET),
    ("公司应当支付違約金".replace("違約", "违约"), MET),
    ("可以主张 违 约 金。", MET),
    ("可以主张赔偿约定的款项。", LEFT),
    ("本案不存在违约金的问题。", NOT),
    ("不构成违约金。", NOT),
    ("不具备违约金的条件，也不按违约金计算。", NOT),
    ("不应支付违约金；但如另有约定，则应支付违约金。", LEFT),
]


@pytest.mark.parametrize(("reply", "value"), WORDS)
def test_a_term_is_met_where_it_stands_undenied(reply, value):
    """Spaces, width and punctuation do not matter; a negation before it does."""
    assert mark(point("term", "违约金"), reply).value == value


def test_synonyms_count_and_open_lists_leave_what_they_do_not_find():
    """Where other wordings are possible, absence decides nothing."""
    assert mark(point("term", "违约金", alternatives=("罚则",)), "适用罚则。").value == MET
    assert mark(point("term", "搜集证据", exhaustive=False), "请保存好聊天记录。").status is ScoreStatus.ABSTAINED


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("其行为构成盗窃罪。", MET),
        ("不构成盗窃罪，而构成诈骗罪。", NOT),
        ("构成诈骗罪。", NOT),
        ("也不按盗窃罪处理，应定诈骗罪。", NOT),
        ("结论：盗窃罪。不是侵占罪，不是诈骗罪，不构成抢劫罪，不另定敲诈勒索罪，而非职务侵占罪。", MET),
        ("以盗窃罪指控，不另以抢劫罪并罚；盗窃罪较重，应当以盗窃罪论处。", LEFT),
        ("可能涉及盗窃罪、诈骗罪、抢劫罪、侵占罪、敲诈勒索罪。", LEFT),
    ],
)
def test_a_charge_has_to_be_affirmed_and_committed_to(reply, value):
    """Naming every charge there is commits to none."""
    assert mark(point("charge", "盗窃罪"), reply).value == value


CITED = [
    ("《刑法》第133条之一", "依据《中华人民共和国刑法》第一百三十三条之一的规定。", MET),
    ("《刑法》第133条之一", "依据刑法第一百三十三条。", LEFT),
    ("《刑法》第133条之一第一款第（二）项", "依据《刑法》第一百三十三条之一第一款。", 0.5),
    ("《刑法》第133条之一第一款第（二）项", "依据《刑法》第一百三十三条之一。", 0.5),
    ("《劳动合同法》第二十条", "见《劳动合同法》第19条、第20条。", MET),
    ("《劳动合同法》第二十条", "见《劳动合同法》第18条至第21条。", MET),
    ("《劳动合同法》第二十条", "《劳动合同法》对此有规定。", LEFT),
    ("《关于工资的解释》第二十条", "见《关于工资的解释》第七条；依《刑法》第二条，依解释第二十条计算。", MET),
    ("《劳动合同法》第二十条", "见《合同法》第二十条。", LEFT),
    ("《劳动合同法》第二十条", "合同第二十条有约定。", LEFT),
    ("《中华人民共和国民法典》", "依照《民法典》的有关规定。", MET),
]


@pytest.mark.parametrize(("wanted", "reply", "value"), CITED)
def test_a_citation_is_the_same_in_every_form_and_a_coarser_one_earns_part(wanted, reply, value):
    """Short and full names, figures and words are one; leaving out the paragraph costs half; the law alone is left."""
    assert mark(point("citation", wanted), reply).value == value


def test_a_forbidden_citation_is_met_only_where_it_is_made():
    """To say that a law was repealed names it: whether it is relied on is for a judge, but another article is not it."""
    wanted = point("citation", "《合同法》第五十二条", category=Category.FORBIDDEN)
    assert mark(wanted, "依据《合同法》第五十二条。").value is LEFT
    assert mark(wanted, "依据《合同法》第六十条。").value == NOT


ARTICLE = "出租人应当自承租人交还房屋之日起十日内退还押金；逾期不退还的，按日支付万分之五的利息。"


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        (f"原文：“{ARTICLE}”", MET),
        (ARTICLE.replace("，", ",").replace("；", ";"), MET),
        (ARTICLE.replace("十日", "10日"), MET),
        (ARTICLE.replace("十日", "十五日"), NOT),
        ("出租人应当自承租人交还房屋之日起十日内把押金退还给承租人；逾期的，按日支付万分之五的利息。", LEFT),
        ("房东应当退钱。", LEFT),
        ("您可以先与房东协商，协商不成的，向有管辖权的法院起诉，并准备好合同、收据和聊天记录等证据材料。" * 3, NOT),
    ],
)
def test_a_quotation_is_met_word_for_word_and_a_changed_number_is_another(reply, value):
    """Punctuation and figures for words do not matter; what is nearly the passage is left, and what is about something else is not it."""
    assert mark(point("quote", ARTICLE), reply).value == value


def test_what_only_a_judge_can_decide_is_left():
    """Semantic points are abstained on, never guessed."""
    score = mark(point("semantic", "说明不同年龄段的考虑因素"), "年龄不同，考虑也不同。")
    assert (score.status, score.value, score.layer) == (ScoreStatus.ABSTAINED, None, Layer.RULE)


def test_a_failed_dialogue_has_failed_marks_and_no_zeros():
    """Missing is never zero."""
    sample = Sample(id="s", task="t", needs="n", guidance=Guidance(points=(point("term", "甲"),)))
    failed = Dialogue(sample="s", assistant="a", turns=(), ended=DialogueEnd.ERROR, error="assistant: timeout: x")
    assert [(score.status, score.value) for score in mark_points(sample, failed)] == [(ScoreStatus.FAILED, None)]


def test_evidence_is_the_place_in_the_dialogue():
    """Turn and offsets point at the very characters, whatever their width."""
    score = mark(point("term", "违约金2倍"), "前文。", "应付“违 约 金”２倍。")
    evidence = score.evidence[0]
    assert evidence.turn == 3
    assert "应付“违 约 金”２倍。"[evidence.start : evidence.end] == evidence.text == "违 约 金”２倍"


def test_the_users_words_do_not_count():
    """What the user said is no merit of the assistant."""
    sample = Sample(id="s", task="t", needs="n", guidance=Guidance(points=(point("term", "违约金"),)))
    assert mark_points(sample, dialogue("不知道。", question="违约金多少？"), every_kind=True)[0].value == NOT


def weighed(
    *points: tuple[str, float, float | None], groups: dict[str, int] | None = None, members: str = ""
) -> float | None:
    made = [
        GuidancePoint(
            id=f"p{n}",
            category=Category(category),
            text="x",
            weight=weight,
            group="g" if f"p{n}" in members.split() else "",
        )
        for n, (category, weight, _) in enumerate(points)
    ]
    scores = [
        Score(
            sample="s",
            assistant="a",
            dimension=f"p{n}",
            layer=Layer.RULE,
            status=ScoreStatus.ABSTAINED if value is None else ScoreStatus.SCORED,
            value=value,
        )
        for n, (_, _, value) in enumerate(points)
    ]
    return weigh(Guidance(points=tuple(made), at_least=groups or {}), scores).value


def test_the_worth_of_a_dialogue_is_the_weighted_mean_of_decided_points_less_what_is_forbidden():
    """Points nobody decided neither help nor hurt; a forbidden one that is met takes its weight away."""
    assert weighed(("mandatory", 3, 1.0), ("advisable", 1, 0.0), ("encouraged", 5, None)) == 0.75
    assert weighed(("mandatory", 4, 1.0), ("forbidden", 1, 1.0)) == 0.75
    assert weighed(("mandatory", 1, 1.0), ("forbidden", 3, 1.0)) == 0.0
    assert weighed(("forbidden", 3, 1.0), ("forbidden", 1, 0.0)) == 0.25
    assert weighed(("mandatory", 1, None)) is None


def test_of_a_group_the_best_that_suffice_count():
    """Two of three are enough where two are asked for."""
    points = (("mandatory", 1, 1.0), ("mandatory", 1, 1.0), ("mandatory", 1, 0.0))
    assert weighed(*points, groups={"g": 2}, members="p0 p1 p2") == 1.0
    assert weighed(*points, groups={"g": 3}, members="p0 p1 p2") == pytest.approx(2 / 3)


def test_points_of_a_group_count_by_their_weight():
    """Of three points weighing 3, 5 and 2, met whole, half and a quarter, the best two give (3 + 2.5) of 8."""
    points = (("mandatory", 3, 1.0), ("mandatory", 5, 0.5), ("mandatory", 2, 0.25))
    assert weighed(*points, groups={"g": 2}, members="p0 p1 p2") == 5.5 / 8
    assert weighed(*points, groups={"g": 1}, members="p0 p1 p2") == 1.0
    assert weighed(*points, ("advisable", 8, 0.0), groups={"g": 2}, members="p0 p1 p2") == 5.5 / 16


@given(st.lists(st.tuples(st.sampled_from(list(Category)), st.floats(0.1, 9), st.none() | st.floats(0, 1)), max_size=8))
def test_a_worth_is_between_0_and_1_or_missing(points):
    """And missing only where nothing was decided."""
    worth = weighed(*[(str(category), weight, value) for category, weight, value in points])
    decided = any(value is not None for _, _, value in points)
    assert (worth is not None) == decided
    assert worth is None or 0 <= worth <= 1


@given(st.text(max_size=300))
def test_no_reply_breaks_a_matcher(reply):
    """Whatever an assistant says, every point gets a score or an abstention."""
    points = [
        point("choice", "D"),
        point("number", "3元", low=3, high=3, unit="yuan"),
        point("term", "违约金"),
        point("charge", "盗窃罪"),
        point("citation", "《刑法》第十条"),
        point("quote", ARTICLE),
    ]
    for one in points:
        assert mark(one, reply).status in {ScoreStatus.SCORED, ScoreStatus.ABSTAINED}


@pytest.mark.parametrize("head", ["有期徒刑", "拘役", "管制", "缓刑"])
def test_each_kind_of_sentence_has_its_own_term(head):
    """The term of another kind is not it."""
    wanted = point("number", f"{head}六个月", low=6, high=6, unit="month")
    assert mark(wanted, f"判处{head}六个月。").value == MET
    assert mark(wanted, "剥夺政治权利六个月。").value in {NOT, LEFT}


@pytest.mark.parametrize("head", ["罚金", "违约金", "押金", "定金"])
def test_each_kind_of_sum_is_its_own(head):
    """The same amount under another name is not it."""
    wanted = point("number", f"{head}3000元", low=3000, high=3000, unit="yuan")
    assert mark(wanted, f"应付{head}3000元。").value == MET
    assert mark(wanted, "应付货款3000元。").value in {NOT, LEFT}


def test_a_quantity_without_bounds_is_left_and_one_without_a_unit_takes_any():
    """The guidance has to say from where to where."""
    assert mark(point("range", "若干"), "12个月").reason == "the point states no bounds"
    assert mark(point("range", "x", low=1, unit="month"), "12个月").value is LEFT
    assert mark(point("number", "12", low=12, high=12), "共12天。").value == MET
    assert mark(point("range", "x", low=1, high=2, unit="month"), "没有。").value == NOT


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("判处有期徒刑十二个月至十八个月。", MET),
        ("判处有期徒刑十一个月至十八个月。", LEFT),
        ("判处有期徒刑十八个月至二十个月。", LEFT),
        ("判处有期徒刑十九个月至二十个月。", NOT),
        ("判处有期徒刑十一个月。", NOT),
        ("判处有期徒刑十二个月。", MET),
        ("判处有期徒刑十八个月。", MET),
    ],
)
def test_a_range_touches_its_bounds(reply, value):
    """Bounds are included; what a range is worth that only overlaps, people see in different ways, and is left."""
    assert mark(point("range", "12-18个月", low=12, high=18, unit="month"), reply).value == value


def test_a_number_among_many_has_to_be_the_conclusion():
    """The right one of several counts only where it is concluded."""
    wanted = point("number", "600元", low=600, high=600, unit="yuan")
    assert mark(wanted, "有100元、200元、300元、400元、500元和600元。").value is LEFT
    assert mark(wanted, "有100元、200元、300元、400元、500元。合计600元。").value == MET


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("可得12个月。最高可判20个月。", LEFT),
        ("不超过20个月。", LEFT),
        ("有的判30个月。刑期为15个月。", LEFT),
        ("先说刑期为30个月，后说刑期为15个月。", LEFT),
        ("判处30个月。综上，判处15个月。", MET),
    ],
)
def test_what_is_concluded_counts_before_what_is_mentioned(reply, value):
    """The last conclusion counts; where nothing is concluded, or several things are, it is left."""
    assert mark(point("range", "12-18个月", low=12, high=18, unit="month"), reply).value == value


def test_a_quotation_of_nothing_is_left():
    """A point whose text has no letters has nothing to be compared with."""
    assert mark(point("quote", "，。"), "任何话").reason == "nothing to compare"


def test_the_mark_of_a_point_says_who_gave_it():
    """Sample, assistant, point, kind of rule and its version."""
    found = mark(point("term", "违约金"), "应付违约金。")
    assert (found.sample, found.assistant, found.dimension, found.scorer, found.version) == (
        "s",
        "a",
        "p1",
        "rule:term",
        "5",
    )
    assert mark(point("semantic", "x"), "y").reason == "only a judge can decide it"


@pytest.mark.parametrize(
    ("wanted", "given_in", "credit"),
    [
        ("《刑法》第二十条第一款", "《刑法》第二十条第一款", 1.0),
        ("《刑法》第二十条第一款", "《刑法》第二十条第二款", 0.5),
        ("《刑法》第二十条第一款", "《刑法》第二十条", 0.5),
        ("《刑法》第二十条", "《刑法》第二十条第二款", 1.0),
        ("《刑法》第二十条第一款第（一）项", "《刑法》第二十条第一款第（二）项", 0.5),
        ("《刑法》第二十条", "《刑法》第十八条至第二十条", 1.0),
        ("《刑法》第二十条", "《刑法》第二十条至第二十二条", 1.0),
        ("《刑法》第二十条", "《刑法》第二十一条至第二十二条", LEFT),
        ("（2020）京01民终7号", "（2020）京01民终7号", 1.0),
        ("（2020）京01民终7号", "（2020）京01民终8号", LEFT),
        ("（2020）京01民终7号", "《刑法》第二十条", LEFT),
    ],
)
def test_what_a_citation_is_worth_where_another_was_asked_for(wanted, given_in, credit):
    """Another paragraph or item of the article is half; ends of a range are in it; another source is left to a judge."""
    assert mark(point("citation", wanted), f"依据{given_in}。").value == credit


def test_of_several_citations_the_mean_counts_and_of_alternatives_the_best():
    """One of two is a half, with the evidence of that one; another way to cite is as good."""
    wanted = point("citation", "《刑法》第二十条、第二十一条")
    half = mark(wanted, "依据《刑法》第二十条。")
    assert (half.value, half.reason) == (0.5, "cited more coarsely than asked")
    assert mark(wanted, "没有依据。").reason == "not cited"
    assert (
        mark(point("citation", "《刑法》第九条", alternatives=("《民法典》第一条",)), "见《民法典》第一条。").value
        == MET
    )
    assert mark(point("citation", "没有名字"), "见《民法典》第一条。").reason.startswith("the point names no citation")
