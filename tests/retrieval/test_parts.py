"""The fitted retriever is never worse than what it is made of: in Russian it once was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchbar.law.index import build_index
from benchbar.retrieval.corpus import CorpusIndex, Ranking
from benchbar.retrieval.expansion import legal_terms
from benchbar.retrieval.learned import shipped_weights
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.retrievers import Learned

ROOT = Path(__file__).parents[2]
PARTS = ("lexical", "tfidf")
# The articles say "владелец судна", "плата за наем", "уничтожение имущества"; people ask otherwise.
ACTS = {
    "zh": ("用工法", [
        "用人单位解除劳动合同的，应当支付经济补偿。", "劳动者在法定休假日延长工作时间的，支付不低于工资百分之三百的劳动报酬。",
        "饲养的动物造成他人损害的，动物饲养人应当承担侵权责任。", "借款合同对支付利息没有约定的，视为没有利息。",
        "出租人应当按照约定将租赁物交付承租人。", "夫妻感情破裂，调解无效的，应当准予离婚。",
    ]),
    "ru": ("Кодекс общины", [
        "Расторжение трудового договора по инициативе работодателя допускается при сокращении численности или штата работников.",
        "Заработная плата выплачивается работодателем не реже чем каждые полмесяца.",
        "Бывший супруг утрачивает право пользования жилым помещением собственника.",
        "Вред, причиненный имуществу гражданина, подлежит возмещению лицом, причинившим вред.",
        "Договор займа между гражданами заключается в письменной форме.",
        "Общее имущество супругов делится в равных долях.",
    ]),
    "en": ("Village Act 2001", [
        "An employer must give notice to terminate a contract of employment.",
        "A lessor must keep in repair the structure and exterior of the dwelling-house.",
        "The keeper of an animal is liable for damage caused by it.",
        "The consumer has a right to reject goods that are not of satisfactory quality.",
        "A will is valid only with two signatures.", "A debt carries statutory interest from the day it is due.",
    ]),
}  # fmt: skip
QUESTIONS = {
    "zh": [("被老板炒鱿鱼了有什么补偿", 1), ("国庆加班怎么算钱", 2), ("邻居的狗咬了我", 3), ("借条上没写利息", 4), ("房东不交房", 5)],
    "ru": [("Шеф меня уволил", 1), ("Не дают получку", 2), ("Бывшая жена живёт в моей квартире, как её выселить", 3),
           ("Сосед меня залил", 4), ("Одолжил деньги без расписки", 5), ("Как делят нажитое вместе", 6)],
    "en": [("My boss fired me on the spot", 1), ("The roof of my rented flat leaks", 2), ("His dog bit my son", 3),
           ("The kettle is faulty, I want my money back", 4), ("He owes me for an unpaid invoice", 6)],
}  # fmt: skip
Ask = Callable[[str, str], list[str]]


@pytest.fixture(scope="module", params=list(ACTS))
def language(request) -> str:
    """Each language in turn."""
    return request.param


@pytest.fixture(scope="module")
def index(language, tmp_path_factory) -> CorpusIndex:
    """A small act in a language, written for this test."""
    name, articles = ACTS[language]
    label = {"zh": "第{}条 ", "ru": "Статья {}. ", "en": "Section {}. "}[language]
    numbers = "一二三四五六" if language == "zh" else range(1, len(articles) + 1)
    text = "\n\n".join(label.format(number) + one for number, one in zip(numbers, articles, strict=True))
    folder = tmp_path_factory.mktemp(language)
    (folder / "act.md").write_text(f"# {name}\n\n{text}\n", "utf-8")
    build_index([folder / "act.md"], folder / "index")
    return CorpusIndex.open(folder / "index")


def first(index: CorpusIndex, retriever: str, question: str) -> str:
    """Number of the article that comes first."""
    hits = index.ranking(retriever, day="any").documents(question, 1)
    return hits[0].piece.article if hits else ""


def test_everyday_words_find_their_article(index, language):
    """Questions that share hardly a word with the act are answered, by more than any of the retriever's parts answers."""
    right = {
        name: sum(first(index, name, question) == str(number) for question, number in QUESTIONS[language])
        for name in ("learned", *PARTS)
    }
    assert right["learned"] >= max(right[part] for part in PARTS)


@pytest.mark.slow
def test_it_is_never_worse_than_its_parts_on_public_questions(shared, tmp_path):
    """Over the Russian codes, on our own questions: right articles in five by the fitted weights, by their first order alone and by each part."""
    build_index([shared / "ru/codes"], tmp_path / "index")
    index = CorpusIndex.open(tmp_path / "index")
    lines = (ROOT / "benchmarks/retrieval/questions_ru.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    found = {}
    first_order = Learned(index.store(LAW), weights=shipped_weights("learned", "ru"))
    rankings = {name: index.ranking(name, day="any") for name in ("learned", *PARTS)}
    rankings["first order"] = Ranking(index.passages, {LAW: first_order})
    for name, ranking in rankings.items():
        found[name] = sum(
            bool(
                {hit.piece.document for hit in ranking.documents(question, 5)}
                & set().union(*map(index.documents_named, named.split("; ")))
            )
            for question, named in rows
        )
    assert found["learned"] >= max(found.values())


@pytest.mark.parametrize(
    ("language", "question", "term"),
    [
        ("zh", "老板拖欠工资", "用人单位"),
        ("ru", "Меня уволили во время больничного", "нетрудоспособность"),
        ("en", "fired by my boss", "employer"),
    ],
)
def test_everyday_words_are_put_in_the_terms_of_law(language, question, term):
    """Each language has a map of its own; another language's is not used."""
    assert term in legal_terms(question, language)
    assert all(term not in legal_terms(question, other) for other in ACTS if other != language)
    assert legal_terms("Ω", language) == ""
