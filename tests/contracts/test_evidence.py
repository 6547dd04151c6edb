"""Evidence: verbatim is verified, near is close and shows where it differs, and a change of sense is refused."""

from __future__ import annotations

import random
import re

import pytest

from benchbar.contracts.evidence import check_excerpt
from benchbar.languages.text import sentences

CLAUSE = "甲方有权随时调整租金，调整幅度不超过10%；乙方逾期15日未支付的，甲方不承担违约责任，并可没收押金5,000元。"


def _status(excerpt, clause=CLAUSE, **options):
    return check_excerpt(excerpt, clause, **options).status


@pytest.mark.parametrize(
    ("excerpt", "method"),
    [
        ("甲方有权随时调整租金", "exact"),
        ("“甲方 有权随时调整租金，调整幅度不超过１０％”", "exact"),
        ("甲方有权随时调整租金……可没收押金5000元", "ellipsis"),
        ("甲方有权随时调整租金 [...] 没收押金", "ellipsis"),
        ("1. 甲方有权随时调整租金\n2. 没收押金5,000元", "exact"),
        ("调整幅度不超过10", "exact"),
    ],
)
def test_true_excerpts_are_accepted_and_placed(excerpt, method):
    """An excerpt that stands in the clause is verified, and its spans name the words."""
    check = check_excerpt(excerpt, CLAUSE)
    assert (check.status, check.method) == ("verified", method)
    assert all(CLAUSE[start:end] for start, end in check.spans)


@pytest.mark.parametrize(
    ("excerpt", "differences"),
    [
        ("甲方有权随时调节租金，调整幅度不超过10%", (("整", "节"),)),
        ("甲方有权随时调整租金调整幅度不超过10%", ((",", ""),)),
        ("逾期15日未支付的，甲方不承担违约的责任", (("", "的"),)),
    ],
)
def test_near_excerpts_are_close_and_show_where_they_differ(excerpt, differences):
    """A slip of one character, another punctuation or a small word more makes an excerpt close, with both wordings."""
    check = check_excerpt(excerpt, CLAUSE)
    assert check.status == "close"
    assert check.differences == differences


@pytest.mark.parametrize(
    ("excerpt", "why"),
    [
        ("调整幅度不超过20%", "not found"),
        ("甲方有权随时调整租金，调整幅度不超过20%", "number"),
        ("没收押金500元", "not found"),
        ("没收押金5,00", "number"),
        ("乙方逾期十六日未支付的，甲方不承担违约责任", "number"),
        ("调整幅度超过10%；乙方逾期15日未支付的，甲方不承担违约责任", "negation"),
        ("承担违约责任，并可没收押金", "negation"),
        ("乙方有权随时调整租金，调整幅度不超过10%", "party"),
        ("甲方应当随时调整租金，调整幅度不超过10%；乙方逾期", "duty"),
        ("甲方可以随时出售房屋", "not found"),
        ("没收押金……甲方有权随时调整租金", "not found"),
    ],
)
def test_what_was_changed_is_refused_with_the_reason(excerpt, why):
    """Changed numbers, negations (cut off ones too), duties and parties, invented words and parts out of order are refused."""
    check = check_excerpt(excerpt, CLAUSE)
    assert check.status == "rejected"
    assert why in check.reason


@pytest.mark.parametrize("excerpt", ["", "无", "none.", "N/A", "нет", "  “ ” "])
def test_no_excerpt_is_absent_and_not_wrong(excerpt):
    """A reply that quotes nothing is neither verified nor rejected."""
    assert _status(excerpt) == "absent"


@pytest.mark.parametrize(
    ("clause", "good", "bad"),
    [
        (
            "The Tenant shall not sublet the premises without the prior written consent of the Landlord.",
            "the tenant shall not sublet  the premises",
            "The Tenant shall sublet the premises without the prior written consent of the Landlord",
        ),
        (
            "Арендатор не вправе расторгнуть договор ранее 12 месяцев с даты подписания.",
            "Арендатор не вправе расторгнуть договор",
            "Арендодатель не вправе расторгнуть договор ранее 12 месяцев",
        ),
    ],
)
def test_other_languages_have_the_same_guards(clause, good, bad):
    """English and Russian excerpts are compared word by word, with their own negations and parties."""
    assert _status(good, clause) == "verified"
    assert _status(bad, clause) == "rejected"


def test_the_second_stage_asks_the_reranker_and_keeps_the_guards():
    """With a reranker, a paraphrase is close at the threshold; one that turns the sense around is refused."""
    asked = []

    def reranker(excerpt, texts):
        asked.append(texts)
        return [0.9 if "没收" in text or "不承担" in text else 0.1 for text in texts]

    options = {"reranker": reranker, "threshold": 0.5}
    assert _status("押金可被没收", **options) == "close"
    assert _status("全部押金可被没收", **options) == "rejected"
    assert check_excerpt("押金可被没收", CLAUSE, **options).method == "reranked"
    assert _status("房屋可以出售给他人", reranker=lambda _, texts: [0.1] * len(texts)) == "rejected"
    assert _status("乙方承担违约责任之义务", **options) == "rejected"
    assert max(map(len, asked)) <= 3


CONTRACTS = {
    "zh": (
        "乙方提前解除本合同的，应当在三十日以前书面通知甲方，并支付全部剩余租金以及两个月以上的补偿。",
        "甲方可以随时检查任何一间房屋，乙方应当立即配合，所有费用由乙方承担，押金在交还房屋之后退还。",
        "卖方交付的货物高于约定数量的，买方可以在收货之日起十日以内拒收多余部分，或者按照合同价格全额付款。",
        "公司有权增加员工每日的工作时间，员工应当及时完成工作，公司按月支付至少一半的加班工资。",
        "保证人对债务承担连带责任，故意隐瞒重大事实的一方应当直接赔偿对方因此遭受的合理损失。",
    ),
    "en": (
        "The Tenant shall pay all arrears immediately after notice and forfeits the entire deposit before the term ends.",
        "The Supplier may at any time increase any price by written notice of at least thirty days and the Customer pays promptly.",
        "Each party indemnifies the other for direct losses above the cap unless both parties agree otherwise in writing.",
    ),
    "ru": (
        "Арендатор обязан немедленно возместить все убытки до окончания срока договора и оплатить полностью любой ремонт.",
        "Арендодатель вправе в любое время повысить размер платы после письменного уведомления не позднее чем за десять дней.",
        "Подрядчик отвечает только за прямые убытки и несёт солидарную ответственность, если стороны не договорились иначе.",
    ),
}
TURNS = {
    "zh": (
        "全部 部分|所有 部分|任何 部分|任何 某些|全额 部分|提前 延后|提前 推迟|以上 以下|以前 以后|之后 之前|以内 以外|立即 随时|随时 及时|及时 随时"
        "|高于 低于|增加 减少|至少 至多|每日 每月|按月 按年|日内 月内|书面 口头|连带 一般|故意 过失|重大 一般|直接 间接|合理 全部|或者 并且|并 或|退还 没收"
        "|拒收 接收|检查 出售|赔偿 承担|支付 收取|买方 卖方|甲方 乙方|员工 公司|可以 应当|应当 可以|有权 无权|三十 六十|两个月 三个月|十日 十月|一半 全部"
    ),
    "en": (
        "all some|any every|any a|entire partial|immediately eventually|promptly later|after before|before after|increase reduce|above below|at_least at_most"
        "|thirty sixty|days weeks|direct indirect|unless if|both neither|written oral|Tenant Landlord|Customer Supplier|shall may|may shall|forfeits recovers"
        "|pays receives|deposit rent|indemnifies sues|other third|agree object|notice payment|any_time no_time"
    ),
    "ru": (
        "немедленно когда-нибудь|все некоторые|любой этот|полностью частично|до после|после до|повысить понизить|позднее ранее|десять двадцать|дней месяцев"
        "|только также|прямые косвенные|солидарную долевую|если хотя|письменного устного|обязан вправе|вправе обязан|Арендатор Арендодатель|Подрядчик Заказчик"
        "|обязан должен|договора закона|окончания начала|платы залога|стороны суды|вправе обязан|время месяце|за через|чем раньше|убытки расходы|ремонт простой|возместить начислить|оплатить получить|и или"
    ),
}


def _planted(clauses, turns):
    """Each clause with each turn that it has room for, as the excerpt a reviewer might claim."""
    for clause in clauses:
        for turn in turns.split("|"):
            old, new = (word.replace("_", " ") for word in turn.split(" "))
            form = re.compile(
                rf"(?<![^\W_]){re.escape(old)}(?![^\W_])" if old.lower() != old.upper() else re.escape(old)
            )
            for match in form.finditer(clause):
                yield turn, clause, clause[: match.start()] + new + clause[match.end() :]


@pytest.mark.parametrize("language", ["zh", "en", "ru"])
def test_no_planted_turn_of_sense_is_accepted(language):
    """The planted-edit table: an exchanged quantifier, direction, deadline, condition, number, party or verb is never accepted."""
    planted = list(_planted(CONTRACTS[language], TURNS[language]))
    accepted = [(turn, clause) for turn, clause, excerpt in planted if _status(excerpt, clause) != "rejected"]
    assert len(planted) >= 30
    assert accepted == []


def test_the_same_clauses_are_verified_when_nothing_was_changed():
    """The clauses of the table are accepted word for word, with wide spaces, and with a part left out honestly."""
    for clause in (one for clauses in CONTRACTS.values() for one in clauses):
        half = len(clause) // 2
        cut = clause.rfind(" ", 0, half) if " " in clause else half
        for excerpt in (clause, "  ".join(clause.split()), f"{clause[: cut - 6].rstrip()} …"):
            assert _status(excerpt, clause) == "verified", excerpt


def test_planted_turns_in_labelled_clauses(labelled):
    """On labelled clauses, too, no exchanged quantifier, direction or deadline passes; unchanged clauses all do."""
    planted = list(_planted([one.text for one in labelled.clauses], TURNS["zh"]))
    assert len(planted) >= 20
    assert [turn for turn, clause, excerpt in planted if _status(excerpt, clause) != "rejected"] == []
    assert {_status(one.text, one.text) for one in labelled.clauses} == {"verified"}


def _edits(clause, rng):
    """Synthetic edits of each sentence of a clause, named by what they change."""
    for start, end in (*sentences(clause, "zh"), (0, len(clause))):
        text = clause[start:end]
        numbers = list(re.finditer(r"\d+(?:\.\d+)?", text))
        if numbers:
            one = rng.choice(numbers)
            yield "number", text[: one.start()] + str(int(float(one[0])) + rng.choice([1, 2, 10])) + text[one.end() :]
            yield "number", text[: one.end()] + "0" + text[one.end() :]
        for old, new in (
            ("不得", "可以"),
            ("不", ""),
            ("有权", "无权"),
            ("应当", "不应当"),
            ("承担", "不承担"),
            ("无需", "需"),
        ):
            if old in text:
                yield "negation", text.replace(old, new, 1)
        for old, new in (("甲方", "乙方"), ("乙方", "甲方"), ("买方", "卖方"), ("卖方", "买方"), ("公司", "员工")):
            if old in text:
                yield "party", text.replace(old, new, 1)
        for invented in ("违约金为总额的三成", "双方应保守秘密"):
            if invented not in clause:
                yield "invented", invented
        wide = text.translate(str.maketrans("0123456789，。；：%", "０１２３４５６７８９,.;:％"))
        yield "width", "".join(char + " " * (rng.random() < 0.15) for char in wide)
        if len(text) > 13:
            cut = rng.randrange(4, len(text) - 9)
            yield "ellipsis", text[:cut] + rng.choice(["…", "……", "..."]) + text[cut + rng.randrange(2, 5) :]


def test_synthetic_edits_of_labelled_clauses(labelled):
    """Of thousands of edits no changed number and no invention passes, at most 5% of negations and parties, and every
    change of width, space or ellipsis.
    """
    rng = random.Random(20)
    accepted: dict[str, list[bool]] = {}
    # Once more with figures: the bundled clauses write their numbers as words.
    figures = str.maketrans("一二三五", "1235")
    for clause in (text for one in labelled.clauses for text in (one.text, one.text.translate(figures))):
        for kind, excerpt in _edits(clause, rng):
            if excerpt not in clause or kind in {"width", "ellipsis"}:
                accepted.setdefault(kind, []).append(_status(excerpt, clause) == "verified")
    shares = {kind: sum(found) / len(found) for kind, found in accepted.items()}
    assert shares["number"] == shares["invented"] == 0
    assert shares["negation"] <= 0.05
    assert shares["party"] <= 0.05
    assert shares["width"] == shares["ellipsis"] == 1


def test_time_is_bounded_on_hostile_text():
    """A long clause and a long excerpt of one character are compared within seconds."""
    assert check_excerpt("甲" * 5000, "乙" * 20_000).status == "rejected"
    assert check_excerpt("……".join("甲乙" for _ in range(2000)), "甲乙" * 5000).status == "rejected"
    assert check_excerpt("……".join("甲乙" for _ in range(30)), "甲乙" * 5000).status == "verified"
    for hostile in (" " * 200_000 + "a", "。" * 200_000 + "甲", "5" * 20_000, "……".join(["5元"] * 40)):
        assert check_excerpt(hostile, "15元" * 5000).status in {"rejected", "absent"}
