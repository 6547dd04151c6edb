"""Evidence: width, spaces and ellipses are forgiven; numbers, negations, duties and parties are not."""

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
        ("甲方有权随时调节租金，调整幅度不超过10%", "fuzzy"),
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
    """With a reranker, a paraphrase may pass at the threshold; one that turns the sense around may not."""
    asked = []

    def reranker(excerpt, texts):
        asked.append(texts)
        return [0.9 if "没收" in text or "不承担" in text else 0.1 for text in texts]

    options = {"reranker": reranker, "threshold": 0.5}
    assert _status("押金可被没收", **options) == "verified"
    assert check_excerpt("押金可被没收", CLAUSE, **options).method == "reranked"
    assert _status("房屋可以出售给他人", reranker=lambda _, texts: [0.1] * len(texts)) == "rejected"
    assert _status("乙方承担违约责任之义务", **options) == "rejected"
    assert max(map(len, asked)) <= 3


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
