"""What laymen ask that the law at hand does not settle: matters of other laws, and what no statute states."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.law.names import law_key
from benchbar.records import Piece
from benchbar.records.errors import BadInputError
from benchbar.retrieval import answerability
from benchbar.retrieval.answerability import FURTHER_SIGNALS, shipped_answerability, signals
from benchbar.retrieval.beyond_law import BEYOND_SIGNALS
from benchbar.retrieval.elsewhere import ELSEWHERE_SIGNALS, elsewhere_signals, lines_elsewhere
from benchbar.retrieval.store import Store
from benchbar.retrieval.subject_index import written

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


def test_every_line_names_a_law_that_the_subject_index_does_not():
    """A line has a law of its own and several phrases, and none stands twice."""
    lines = lines_elsewhere("ru")
    indexed = {law_key(law) for law, _, _ in written("ru")}
    assert len({phrases for _, phrases in lines}) == len(lines) > 100
    for law, phrases in lines:
        assert law_key(law) not in indexed
        assert len(phrases.split(",")) >= 4


def test_signals_come_by_name_and_are_nothing_where_a_language_has_no_table():
    """A language without tables has zeros, and the order is that of the names."""
    store = Store([article(1, "Weirs", "The keeper of the weir pays for its repair.", "Weirs Act 2030")])
    found = signals(store, "Who pays for the weir?", FURTHER_SIGNALS)
    assert np.isfinite(found).all()
    assert signals(store, "Who pays for the weir?", FURTHER_SIGNALS[::-1]).tolist() == found[::-1].tolist()
    assert signals(store, "Who pays for the weir?", BEYOND_SIGNALS).tolist() == [0.0] * len(BEYOND_SIGNALS)


def test_weights_for_signals_that_there_are_not_are_refused(monkeypatch):
    """A file of another version is not weighed by wrong numbers."""
    assert set(shipped_answerability("ru", indexed=True).weights.features) <= set(FURTHER_SIGNALS)
    monkeypatch.setattr(answerability, "FURTHER_SIGNALS", ("best",))
    with pytest.raises(BadInputError, match="other signals"):
        shipped_answerability.__wrapped__("ru", indexed=True)
