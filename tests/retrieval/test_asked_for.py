"""What a question asks for, by all of its words: law, or advice, odds, a price, a technique, a fact, a place, a form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.retrieval.asked_for import asked_terms, asking, chance_of_law, weights_of

HERE = Path(__file__).parents[2] / "benchmarks/consultant"
NEVER = {"local", "no_law", "form"}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("ru", "Скиньте шаблон расписки, пожалуйста, в ворде."),
        ("ru", "Какой банк сейчас лучше для ипотеки?"),
        ("ru", "Хозяин залил соседей. Чем вывести жёлтое пятно с потолка?"),
        ("ru", "Почём сейчас берут риелторы за сделку?"),
        ("zh", "房东把押金扣了。墙上的霉点用什么擦得掉？"),
        ("zh", "哪家银行的房贷比较划算？"),
        ("zh", "老公赌博输了二十万，怎么劝他回头？"),
        ("zh", "请律师打离婚官司大概要多少钱？"),
        ("en", "Which bank is best for a mortgage at the minute?"),
        ("en", "The landlord flooded the neighbours. How do I get a yellow stain off the ceiling?"),
    ],
)  # fmt: skip
def test_what_no_statute_states_is_likely_not_of_law(language, question):
    """Advice, a technique, a price and a form, also where the story before them is one of law."""
    assert chance_of_law(question, language) < 0.5


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("ru", "Хозяин залил соседей. Обязан ли он оплатить им ремонт?"),
        ("ru", "Сколько государство берёт за развод через суд?"),
        ("ru", "Может ли банк поднять ставку по ипотеке без моего согласия?"),
        ("zh", "房东把押金扣了，我能要回来吗？"),
        ("zh", "试用期最长可以约定多久？"),
        ("zh", "老公赌博输了二十万，这个债我要一起还吗？"),
        ("en", "The landlord flooded the neighbours. Must he pay for their repairs?"),
        ("en", "My employer wants me to work through my lunch. Is he allowed to?"),
    ],
)  # fmt: skip
def test_what_may_must_or_is_owed_is_likely_of_law(language, question):
    """The same words and people, asked about in another way."""
    assert chance_of_law(question, language) > 0.5


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_of_strangers_who_were_not_learned_from_most_that_no_law_answers_are_told(language):
    """Of those that may be read: the words were written by others, and at one in twenty of the others half are told."""
    text = (HERE / f"questions/strangers_tune/{language}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    of_law = sorted(chance_of_law(row["question"], language) for row in rows if row["kind"] not in {*NEVER, "foreign"})
    beyond = [chance_of_law(row["question"], language) for row in rows if row["kind"] in NEVER]
    bound = of_law[len(of_law) // 20]
    assert sum(chance < bound for chance in beyond) > len(beyond) / 2


def test_a_language_without_weights_knows_nothing():
    """Every question may be one of law."""
    assert weights_of("fr") == {}
    assert chance_of_law("Quel est le tarif ?", "fr") == 1


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Муж ушёл. Что делать? Дети малые.", "Что делать?"),
        ("我被开除了。老板说没钱。怎么办", "怎么办"),
        ("Is it lawful? He shouted. Who pays?", "Is it lawful? Who pays?"),
        ("", ""),
    ],
)
def test_what_asks_is_the_sentences_with_a_question_mark_else_the_last(text, asks):
    """A story is not what is asked about it."""
    assert asking(text) == asks


@given(st.text(max_size=200))
def test_any_text_has_a_chance(text):
    """Of any script and length, strictly within 0 and 1, and the same each time."""
    assert 0 <= chance_of_law(text, "zh") == chance_of_law(text, "zh") <= 1
    assert all(0 < value <= 1 for value in asked_terms(text).values())


def test_traditional_characters_weigh_as_simplified_ones():
    """One table serves both."""
    assert chance_of_law("哪間銀行的房貸比較划算？", "zh") == pytest.approx(
        chance_of_law("哪间银行的房贷比较划算？", "zh")
    )
