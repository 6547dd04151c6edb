"""Silence: when a store answers no question of this kind, and how often that may be wrong."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from msgspec.structs import replace

from benchbar.assistants.law_practice import LawPractice, as_text
from benchbar.assistants.writers import ExtractiveWriter, listed_line
from benchbar.records import Piece, Turn
from benchbar.records.errors import UserError
from benchbar.retrieval.answerability import LEAST_PASSAGES, SIGNALS, Answerability, answers, signals
from benchbar.retrieval.calibration import calibrated_threshold
from benchbar.retrieval.index import Index
from benchbar.retrieval.learned import shipped_weights
from benchbar.retrieval.search import Refusal
from benchbar.retrieval.settings import RetrievalSettings, StoreSettings
from benchbar.retrieval.store import Store

SUBJECTS = ("пруда", "плотины", "лодки", "причала", "сети", "берега", "рыбы", "маяка", "шлюза", "бакена")
RULES = (
    ("Право собственности на {}", "Собственник {} вправе владеть, пользоваться и распоряжаться."),
    ("Аренда {}", "Договор аренды {} заключается в письменной форме на срок до одного года."),
    ("Осмотр {}", "Осмотр {} проводит смотритель не реже одного раза в месяц."),
    ("Плата за пользование", "Плата за пользование {} вносится до десятого числа."),
    ("Ремонт {}", "Капитальный ремонт {} производится за счет собственника."),
    ("Страхование {}", "Страхование {} обязательно для перевозчика."),
    ("Продажа {}", "Продажа {} подлежит регистрации смотрителем."),
    ("Снос {}", "Снос {} допускается по решению общины."),
    ("Охрана {}", "Охрана {} возлагается на владельца."),
    ("Ответственность за порчу {}", "Порча {} влечет штраф и возмещение вреда."),
)


def code(*, headed: bool = True, times: int = 10) -> list[Piece]:
    """A code of a hundred articles or fewer."""
    return [
        Piece(
            id=f"{rule}-{subject}", kind="article", document=f"{rule}-{subject}", law="Водный кодекс", law_id="вк",
            title=title.format(subject) if headed else "",
            text=f"{title.format(subject)}\n{text.format(subject)}",
        )
        for subject in SUBJECTS[:times]
        for rule, (title, text) in enumerate(RULES)
    ]  # fmt: skip


def test_a_question_of_another_code_is_not_answered():
    """What a code regulates is told from what it does not."""
    store = Store(code())
    assert answers(store, "За чей счет капитальный ремонт плотины?", 0.1) is True
    assert answers(store, "Сколько лет дают за мошенничество с кредитной картой?", 0.1) is False


def test_what_a_store_answers_no_threshold_of_passages_turns_away():
    """It was decided whether the store answers: its best passages come whatever they score, and an explicit threshold holds."""
    question = "За чей счет капитальный ремонт плотины?"
    index, law = Index({"law": code()}), StoreSettings(k=20, weight=1.0, fetch_k=50)
    settings = RetrievalSettings(law=law, silence=0.1)
    found = index.search(settings).find(question, [])
    least = calibrated_threshold("learned", "law")
    assert len(found) == law.k
    assert min(one.score for one in found) < least
    strict = replace(settings, law=replace(law, threshold=least))
    assert min(one.score for one in index.search(strict).find(question, [])) >= least


@pytest.mark.parametrize("passages", [code(times=9), code(headed=False), code()[:0]])
def test_nothing_is_said_of_stores_unlike_those_it_was_fitted_on(passages):
    """Too small, or without headings: whether it answers is not known."""
    assert len(passages) < LEAST_PASSAGES or not passages[0].title
    assert answers(Store(passages), "Сколько лет дают за мошенничество?", 0.1) is None


@pytest.mark.parametrize(("heading", "said"), [("Repair", True), ("", False)])
def test_english_acts_are_judged_where_they_have_headings(heading, said):
    """What was fitted on sections with headings says nothing of others."""
    text = "The keeper of the weir pays for its repair."
    acts = [
        Piece(id=str(n), kind="article", document=str(n), law="Weirs Act 2030", law_id="w", text=text, title=heading)
        for n in range(LEAST_PASSAGES)
    ]
    assert (answers(Store(acts), "Who pays for the weir?", 0.1) is not None) is said


def test_chinese_statutes_need_no_headings(statutes):
    """What was fitted on passages without headings is asked of those."""
    store = Store(statutes * 12)
    assert not store.titles.lengths.any()
    assert answers(store, "去火星的签证在哪里办理", 0.1) is False


@pytest.mark.parametrize(
    ("question", "beyond"),
    [
        ("Кто сейчас начальник нашей управляющей компании?", True),
        ("Кто устанавливает плату за лодку?", False),
        ("深圳今年的最低工资是多少？", True),
        ("试用期最长多久？", False),
        ("Which solicitor in Hull has won the most cases?", True),
        ("How long may a lease of a weir last?", False),
    ],
)
def test_what_no_article_states_is_told_by_its_wording(question, beyond):
    """A person, a local figure, a recommendation: the articles of a law are not searched for them where silence is wanted."""
    search = Index({"law": code()}).search(RetrievalSettings(silence=0.1, familiarity=False))
    assert (search.refuses(question) is Refusal.BEYOND_LAW) == beyond
    assert Index({"law": code()}).search(RetrievalSettings(familiarity=False)).refuses(question) is None


def test_the_bound_is_that_of_split_conformal_prediction():
    """Of exchangeable questions at most the stated share falls below it, counted over 2,000 draws; with too few it is none."""
    generator = np.random.default_rng(0)
    weights = shipped_weights("learned", "ru")
    away = [
        draw[-1] < Answerability(held=weights, weights=weights, answered=tuple(sorted(draw[:-1].tolist()))).bound(0.1)
        for draw in generator.random((2000, 60))
    ]
    assert 0.07 < np.mean(away) <= 0.11
    few = Answerability(held=weights, weights=weights, answered=(0.2, 0.4, 0.6))
    assert few.bound(0.1) == -np.inf
    assert few.bound(0.25) == 0.2


def test_every_signal_is_a_number_whatever_is_asked():
    """Empty, foreign and endless questions included."""
    store = Store(code())
    for question in ("", "Ω", "谁", "плотина " * 500, "?!"):
        found = signals(store, question)
        assert found.shape == (len(SIGNALS),)
        assert np.isfinite(found).all()


def test_the_consultant_says_what_its_corpus_covers():
    """The answer to a question of another code is none and names the laws there are; one of this code is answered."""
    search = Index({"law": code()}).search(RetrievalSettings(silence=0.1, familiarity=False))
    consultant = LawPractice(search, ExtractiveWriter(), covers=("Водный кодекс",))
    other = asyncio.run(consultant.consult("Сколько лет дают за мошенничество с кредитной картой?"))
    assert (other.context, other.covers) == ((), "Водный кодекс")
    assert other.nearest
    shown = as_text(other)
    assert "Водный кодекс" in shown
    assert all(listed_line(other.question, one, "ru") in shown for one in other.nearest)
    # In a study what is nearest would be marked as if it had been said.
    said = asyncio.run(consultant.reply([Turn(role="user", content=other.question)])).content
    assert not any(listed_line(other.question, one, "ru") in said for one in other.nearest)
    own = asyncio.run(consultant.consult("За чей счет капитальный ремонт плотины?"))
    assert "ремонт плотины" in own.context[0].text


def test_a_share_that_is_none_is_refused():
    """Shares lie from 0 on and below 1."""
    with pytest.raises(UserError, match="silence"):
        RetrievalSettings(silence=1.5)
