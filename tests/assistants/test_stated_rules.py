"""What is stated as the rule: the article that is certain enough or named; else a list of articles to read, and no decision for or against."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import UNSET

from benchbar.assistants.consultation import ContextPassage, Draft
from benchbar.assistants.statements import Passage, statements
from benchbar.assistants.writers import ExtractiveWriter, bears_on
from benchbar.languages.packs import labels
from benchbar.records import Piece
from benchbar.retrieval.certainty import CERTAINTY_SIGNALS, certain_article, shipped_certainty
from benchbar.retrieval.passages import LEAST_PASSAGES
from benchbar.retrieval.store import Store

QUESTION = "欠条过了三年还能要吗？"
LAW = (
    "借款合同是借款人向贷款人借款，到期返还借款并支付利息的合同。",
    "向人民法院请求保护民事权利的诉讼时效期间为三年。法律另有规定的，依照其规定。",
)
CASE = "法院认为，原告逛的是照相馆，判决被告支付原告十九元九角。"


def passages(certain: tuple[object, object], case: str = CASE) -> list[ContextPassage]:
    """Two articles with what is known of them, and a decision."""
    articles = [
        ContextPassage(
            number=place,
            id=f"a{place}",
            citation=f"《民法典》第{number}条",
            store="law",
            text=text,
            score=0.5,
            certain=one,
        )
        for place, (number, text, one) in enumerate(zip(("六百六十七", "一百八十八"), LAW, certain, strict=True), 1)
    ]
    return [*articles, ContextPassage(number=3, id="c", citation="案例", store="practice", text=case, score=0.5)]


def written(given: list[ContextPassage]) -> Draft:
    """What extraction writes of them."""
    return asyncio.run(ExtractiveWriter().write(QUESTION, given, form="general", language="zh"))


def test_where_no_article_is_certain_they_are_listed_and_nothing_is_stated():
    """No rule, exception, limit or condition, no decision for or against; each article, and each decision that applies one, with its nearest words."""
    draft, words = written(passages((False, False))), labels("zh", "words")
    assert draft.statements == ()
    assert draft.rule.splitlines()[0] == words("writer.may_bear")
    assert all(text[:10] in draft.rule for text in LAW)
    assert draft.practice.splitlines()[0] == words("writer.not_weighed")
    assert draft.practice.splitlines()[1].startswith("- [3] 案例：")
    assert draft.conclusion == words("writer.uncertain")
    assert draft.used == (1, 2, 3)


def test_the_rule_is_of_the_certain_article_alone():
    """Whatever else was found is named below it, and gives neither rule nor exception."""
    draft = written(passages((False, True)))
    assert {one.number for one in draft.statements} == {2}
    assert "诉讼时效" in draft.rule
    assert "第六百六十七条" in draft.rule.rpartition(labels("zh", "words")("writer.further"))[2]


def test_what_nobody_measured_says_so():
    """Of law for which nothing was fitted the rule is told as before, with the word that nobody knows how often it is right."""
    draft = written(passages((UNSET, UNSET)))
    assert draft.statements
    assert draft.unmeasured == labels("zh", "words")("writer.unmeasured")
    assert not written(passages((False, True))).unmeasured


def test_a_decision_is_told_only_where_it_bears_on_the_rule():
    """One that names the article does, one about a photographer does not."""
    (_, stated, other) = passages((False, True))
    (_, _, same) = passages(
        (False, True), case="法院认为，依照《民法典》第一百八十八条，原告的请求超过诉讼时效，驳回诉讼请求。"
    )
    assert not bears_on(QUESTION, other, [stated])
    assert bears_on(QUESTION, same, [stated])
    assert 3 not in written(passages((False, True))).used


def test_what_the_asker_has_said_in_everyday_words_is_not_missing():
    """A boss who does not pay is an employer in arrears."""
    text = "用人单位拖欠或者未足额支付劳动报酬的，劳动者可以依法申请支付令。"
    told = statements("老板拖欠我三个月工资", [Passage(number=1, text=text, law=True)])
    assert not [one.text for one in told if one.kind == "missing"]


def test_a_condition_is_not_torn_out_of_an_enumeration():
    """A condition begins where its clause does, not behind the last comma of a list."""
    text = "幼儿园能够证明尽到教育、管理职责的，不承担侵权责任。"
    told = statements("孩子摔伤", [Passage(number=1, text=text, law=True)])
    assert [one.text for one in told if one.kind == "missing"] == ["幼儿园能够证明尽到教育、管理职责的"]


@pytest.mark.parametrize("language", ["zh", "ru"])
def test_stated_rules_were_right_as_often_as_is_wanted(language):
    """The figure that comes with the package: at least four in five of the stated rules, of some that were stated."""
    found = shipped_certainty(language)
    assert found is not None
    assert found.weights.features == CERTAINTY_SIGNALS
    assert 0 < found.stated <= found.asked
    assert found.right >= 0.8 * found.stated


def pond(number: int, language: str) -> Piece:
    """An article on ponds."""
    text = {"ru": f"Пруд номер {number} осматривает сторож.", "en": f"The keeper inspects pond number {number}."}[
        language
    ]
    return Piece(
        id=f"p{number}", kind="article", document=f"p{number}", text=text, law="Act", law_id="p", article=str(number)
    )


def test_certainty_is_unknown_of_a_few_articles():
    """Nobody has measured it there; elsewhere an unrelated question has no certain article, nor has one in a language without labelled questions."""
    assert certain_article(Store([pond(1, "ru")]), "Можно ли купаться?") is None
    assert (
        certain_article(Store([pond(one, "en") for one in range(LEAST_PASSAGES)]), "Who inspects pond number 7?") == ""
    )
    assert certain_article(Store([pond(one, "ru") for one in range(LEAST_PASSAGES)]), "Муж не платит алименты") == ""
