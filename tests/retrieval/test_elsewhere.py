"""What laymen ask that the law at hand does not settle: matters of other laws, and what no statute states."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.records import Piece
from benchbar.records.errors import BadInputError
from benchbar.retrieval import answerability
from benchbar.retrieval.answerability import FURTHER_SIGNALS, shipped_answerability, signals
from benchbar.retrieval.elsewhere import ELSEWHERE_SIGNALS, elsewhere_signals, lines_elsewhere
from benchbar.retrieval.index import Index
from benchbar.retrieval.matters import MATTER_SIGNALS, matters_of, unmentioned_matter
from benchbar.retrieval.search import Refusal
from benchbar.retrieval.settings import RetrievalSettings
from benchbar.retrieval.store import Store

FOUND = "Нашедший потерянную вещь обязан немедленно уведомить об этом лицо, потерявшее ее, или собственника вещи и возвратить"
TAX = "Продал квартиру, надо ли платить налог и подавать декларацию?"


def article(number: int, title: str, text: str, law: str) -> Piece:
    """An article of a law."""
    name = f"{law}#{number}"
    return Piece(
        id=name, kind="article", document=name, text=f"{title}\n{text}", law=law, law_id=law, article=str(number), title=title
    )  # fmt: skip


def code(*others: Piece) -> Store:
    """A civil code of one article that the subject index knows, and what else there is."""
    return Store([article(227, "Находка", f"{FOUND} найденную вещь этому лицу.", "Гражданский кодекс"), *others])


def elsewhere(store: Store, question: str) -> dict[str, float]:
    return dict(zip(ELSEWHERE_SIGNALS, elsewhere_signals(store, question), strict=True))


def test_a_matter_of_another_law_is_known_better_than_by_the_law_at_hand():
    """A question of tax has its best line in the tax code, one of a found thing in the civil code."""
    assert elsewhere(code(), TAX)["elsewhere_share"] < 0.3
    assert elsewhere(code(), "Нашёл на улице кошелёк, кому отдать находку?")["elsewhere_share"] > 0.7


def test_lines_of_a_law_that_a_store_holds_say_nothing_of_it():
    """Where the tax code is at hand as well, a question of tax belongs elsewhere less."""
    both = code(
        article(228, "Декларация", "Налогоплательщик подает декларацию.", "Налоговый кодекс Российской Федерации")
    )
    assert elsewhere(both, TAX)["elsewhere"] < elsewhere(code(), TAX)["elsewhere"]


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_every_line_has_a_law_and_several_phrases(language):
    """None stands twice, neither a line nor a phrase of one law."""
    lines = lines_elsewhere(language)
    assert len(set(lines)) == len(lines) > 100
    for law, phrases in lines:
        assert law
        assert len(set(phrases.split(", "))) == len(phrases.split(", ")) >= 3


def test_a_question_is_likelier_in_the_words_of_its_own_law():
    """All lines of a law are asked together: one of them may say a question's words by chance."""
    tax, found = (elsewhere(code(), question) for question in (TAX, "Нашёл на улице кошелёк, кому отдать находку?"))
    assert tax["law_lead"] < 0 < found["law_lead"]
    assert tax["law_lead"] == pytest.approx(tax["law_held"] - tax["law_elsewhere"])


def test_a_law_that_a_store_holds_is_not_elsewhere():
    """With the tax code at hand, a question of tax is likelier in no other law's words."""
    both = code(
        article(228, "Декларация", "Налогоплательщик подает декларацию.", "Налоговый кодекс Российской Федерации")
    )
    assert elsewhere(both, TAX)["law_elsewhere"] < elsewhere(code(), TAX)["law_elsewhere"]


@pytest.mark.parametrize(
    ("law", "question", "matter"),
    [
        (code(), "Какой налог с подарка?", ""),
        (Store([article(1, "", "租赁合同可以约定租金。", "民法典")]), "护照过期了怎么换？", "护照"),
        (Store([article(1, "", "租赁合同可以约定租金。", "民法典")]), "護照過期了怎麼換？", "护照"),
        (Store([article(1, "", "公民应当申领普通护照。", "护照法")]), "护照过期了怎么换？", ""),
        (Store([article(1, "Weirs", "The keeper pays.", "Weirs Act 2030")]), "How do I renew a passport?", ""),
    ],
)  # fmt: skip
def test_a_matter_by_name_is_elsewhere_where_no_passage_names_it(law, question, matter):
    """A law that regulates it would have to use its name; a language without a table knows none."""
    assert unmentioned_matter(law, question) == matter


def test_a_question_of_a_matter_that_the_law_never_names_is_refused():
    """Where silence is wanted, of the law of a country; invented law is not compared with the names of real matters."""
    index = Index({"law": [article(1, "", "租赁合同可以约定租金。", "民法典")]})
    settings = RetrievalSettings(silence=0.05, familiarity=False)
    question = "护照过期了怎么换？"
    assert index.search(settings).refuses(question) is Refusal.UNFAMILIAR
    assert index.search(settings, fitted=False).refuses(question) is None
    assert index.search(RetrievalSettings(familiarity=False)).refuses(question) is None


def test_a_name_stands_in_one_set_of_names():
    """The words of one matter are looked for together; a language without a table has none."""
    names = [name for one in matters_of("zh") for name in one]
    assert len(set(names)) == len(names) > 100
    assert matters_of("ru") == ()


def test_signals_come_by_name_and_are_nothing_where_a_language_has_no_table():
    """A language without tables has zeros, and the order is that of the names."""
    store = Store([article(1, "Weirs", "The keeper of the weir pays for its repair.", "Weirs Act 2030")])
    found = signals(store, "Who pays for the weir?", FURTHER_SIGNALS)
    assert np.isfinite(found).all()
    assert signals(store, "Who pays for the weir?", FURTHER_SIGNALS[::-1]).tolist() == found[::-1].tolist()
    assert signals(store, "Who pays for the weir?", MATTER_SIGNALS).tolist() == [0.0] * len(MATTER_SIGNALS)


def test_weights_for_signals_that_there_are_not_are_refused(monkeypatch):
    """A file of another version is not weighed by wrong numbers."""
    assert set(shipped_answerability("ru", indexed=True).held.features) <= set(FURTHER_SIGNALS)
    monkeypatch.setattr(answerability, "FURTHER_SIGNALS", ("best",))
    with pytest.raises(BadInputError, match="other signals"):
        shipped_answerability.__wrapped__("ru", indexed=True)
