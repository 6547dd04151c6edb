"""One-sided clauses are told by what their words do, in any language and on any topic; denied and mutual words tell nothing."""

from __future__ import annotations

import asyncio

import pytest

from benchbar.contracts.offline import OfflineReviewer
from benchbar.contracts.one_sided import most_one_sided, sentence_features, shipped_model
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.records.contracts import Clause, ClauseKind

# Topics and wordings that no term knows.
ONE_SIDED = (
    ("en", "The Organiser may at any time and without giving reasons exclude the Exhibitor, who shall have no claim."),
    ("en", "The Carrier shall not be responsible for the cargo whatever the cause of its loss."),
    ("ru", "Организатор вправе по своему усмотрению удалить участника, при этом взнос не возвращается."),
    ("zh", "主办方可随时取消展位，参展方不得提出任何异议。"),
)
BALANCED = (
    ("en", "Either party may end this agreement on thirty days' written notice."),
    ("en", "The Organiser shall provide electricity and water to each stand from 8 a.m. to 6 p.m."),
    ("ru", "Каждая из сторон вправе отказаться от договора, предупредив другую за тридцать дней."),
    ("zh", "任何一方提前三十日书面通知对方，可以解除合同。"),
)


@pytest.mark.parametrize(("language", "text"), ONE_SIDED)
def test_a_one_sided_sentence_is_marked_and_named(language, text):
    """Its probability passes the threshold, and a class of its words is named."""
    found = most_one_sided(text, language)
    assert found is not None
    assert found.probability >= shipped_model().marked_at
    assert found.classes


@pytest.mark.parametrize(("language", "text"), BALANCED)
def test_a_balanced_sentence_is_not_marked(language, text):
    """Mutual rights and plain duties stay below the threshold."""
    found = most_one_sided(text, language)
    assert found is None or found.probability < shipped_model().marked_at


def test_a_power_that_is_denied_is_none():
    """“Shall not enter at any time” gives no power at any time; denied to the weaker party it is a burden."""
    harsh = sentence_features("The Landlord may enter at any time without notice.", "en")
    denied = sentence_features("The Landlord shall not enter at any time without notice.", "en")
    assert "anytime" in harsh
    assert not {"anytime", "discretion", "power*essential"} & denied


def test_a_language_without_classes_has_no_verdict():
    """It is silent and guesses nothing."""
    assert most_one_sided("Der Vermieter darf jederzeit eintreten.", "de") is None


def _review(text, language, side=""):
    clause = Clause(id="c1", kind=ClauseKind.CLAUSE, text=text, start=0, end=len(text))
    return asyncio.run(ContractReviewer(OfflineReviewer(), side=side).review(clause, "", language))


def test_the_review_names_what_the_words_do():
    """The finding has a name, quotes its sentence, and says that no rule on the topic spoke."""
    text = "The Publisher may at any time, as it sees fit and without payment, reuse whatever the Author wrote."
    finding = _review(text, "en").findings[0]
    assert finding.level in {"medium", "high"}
    assert finding.evidence == text
    assert "by the kind of the words" in finding.analysis


def test_for_the_stronger_party_it_says_nothing():
    """It was fitted on what harms the weaker party: the publisher is told of no risk in its own powers."""
    text = "The Publisher may at any time, as it sees fit and without payment, reuse whatever the Author wrote."
    assert [one.level for one in _review(text, "en", "publisher").findings if one.level != "low"] == []
