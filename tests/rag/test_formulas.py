"""The formulas behind the measures, each with a worked example and what must hold for any input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.languages.overlap import shingles
from benchbar.measures.passages import MEASURES, passage_measures
from benchbar.records import ContextPassage, Sample
from benchbar.scoring.rag import TermSimilarity
from benchbar.scoring.rag.entities import legal_entities
from benchbar.scoring.rag.measures import (
    borne_share,
    claim_f1,
    correctness,
    entity_recall,
    groundedness,
    noise_sensitivity,
    rank_weighted_precision,
    relevancy,
)

FLAGS = st.lists(st.booleans(), max_size=12)


@pytest.mark.parametrize(
    ("useful", "value"),
    [
        ([True, False, True], (1 + 2 / 3) / 2),
        ([False, True], 0.5),
        ([True, True, True], 1.0),
        ([False, False], 0.0),
        ([], 0.0),
    ],
)
def test_context_precision_is_the_mean_precision_at_useful_ranks(useful, value):
    """As the definition of RAGAS has it: sum of precision@k at useful ranks over the number of useful passages."""
    assert rank_weighted_precision(useful) == pytest.approx(value)


@given(FLAGS, st.booleans())
def test_a_useful_passage_further_up_never_lowers_context_precision(useful, flag):
    """Moving useful passages to the front gives the best order."""
    flags = [*useful, flag]
    assert rank_weighted_precision(flags) <= rank_weighted_precision(sorted(flags, reverse=True)) + 1e-12


@given(FLAGS)
def test_a_share_of_no_claims_is_undefined_and_never_zero(borne):
    """No claim, no faithfulness."""
    value = borne_share(borne)
    assert value is None if not borne else value == sum(borne) / len(borne)


@pytest.mark.parametrize(("counts", "value"), [((1, 1, 1), 0.5), ((3, 0, 0), 1.0), ((0, 2, 0), 0.0), ((2, 1, 3), 0.5)])
def test_claim_f1(counts, value):
    """TP / (TP + (FP + FN) / 2)."""
    assert claim_f1(*counts) == pytest.approx(value)


def test_claim_f1_of_nothing_is_undefined():
    """Neither claims made nor claims missed."""
    assert claim_f1(0, 0, 0) is None


def test_answer_correctness_weighs_claims_and_similarity():
    """0.75 and 0.25 as in RAGAS; weights need not sum to 1."""
    assert correctness(0.8, 0.4, (0.75, 0.25)) == pytest.approx(0.7)
    assert correctness(0.8, 0.4, (3, 1)) == pytest.approx(0.7)


def test_a_noncommittal_answer_is_not_relevant_however_near_its_questions_are():
    """An evasive answer counts 0; one without questions is undefined."""
    assert relevancy([1.0, 1.0], noncommittal=True) == 0
    assert relevancy([0.2, 0.4], noncommittal=False) == pytest.approx(0.3)
    assert relevancy([], noncommittal=False) is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_by_terms_is_symmetric_and_one_for_equal_texts(one, other):
    """A cosine: within 0 and 1, and 1 where both have the same terms."""
    alike = TermSimilarity()
    assert alike(one, [other])[0] == pytest.approx(alike(other, [one])[0])
    assert 0 <= alike(one, [other])[0] <= 1
    assert alike(one, [one])[0] == pytest.approx(1.0 if shingles(one) else 0.0)


class Shelf:
    """Two editions of one article and a decision."""

    texts = {
        "a-2012#5": "押金应当在十日内退还。",
        "a-2022#5": "押金应当在七日内退还。\n逾期加付利息。",
        "case": "驳回上诉，维持原判。",
    }

    def named(self, name: str) -> frozenset[str]:
        if name == "租赁法第五条":
            return frozenset({"a-2012#5", "a-2022#5"})
        return frozenset({name} & set(self.texts))

    def text(self, document: str) -> str | None:
        return self.texts.get(document)

    def store(self, document: str) -> str:
        return ("practice" if document == "case" else "law") if document in self.texts else ""


def sample(*evidence: str, **gains: float) -> Sample:
    return Sample(id="s", task="q", needs="？", evidence=evidence, gains=gains)


def passage(document: str, text: str = "") -> ContextPassage:
    return ContextPassage(id=document, text=text or f"某处\n{Shelf.texts[document]}")


def test_ranking_measures_of_one_answer():
    """The second of two passages is the one that bears the answer."""
    found = passage_measures(sample("a-2022#5"), [passage("case"), passage("a-2022#5")], Shelf())
    assert (found["recall@1"], found["recall@3"], found["mrr"], found["map"]) == (0.0, 1.0, 0.5, 0.5)
    assert found["span_recall"] == 1.0
    assert found["span_precision"] == pytest.approx(19 / (19 + 10))


def test_recall_within_a_store_does_not_see_which_store_leads():
    """Law that stands behind a decision is first in its own store; a store without evidence is not measured."""
    both = [passage("case"), passage("a-2022#5")]
    found = passage_measures(sample("租赁法第五条"), both, Shelf())
    assert (found["recall@1"], found["law_recall@1"], found["practice_recall@1"]) == (0.0, 1.0, None)
    found = passage_measures(sample("租赁法第五条", "case"), both[:1], Shelf())
    assert (found["law_recall@3"], found["practice_recall@5"]) == (0.0, 1.0)
    assert passage_measures(sample("x"), [passage("x", "y")], None)["law_recall@1"] is None


def test_evidence_named_by_law_and_article_is_found_in_any_edition():
    """The older edition of the article is the same article."""
    found = passage_measures(sample("租赁法第五条"), [passage("a-2012#5")], Shelf())
    assert (found["recall@1"], found["span_recall"]) == (1.0, 1.0)


def test_evidence_may_name_characters():
    """Half an article asked for: all of it handed over is half precise."""
    found = passage_measures(sample("case@0-5"), [passage("case")], Shelf())
    assert (found["recall@1"], found["span_precision"], found["span_recall"]) == (1.0, 0.5, 1.0)


def test_graded_evidence_counts_by_its_grade():
    """NDCG prefers the more relevant document first; recall does not care."""
    wanted = Sample(id="s", task="q", needs="？", evidence=("case", "a-2022#5"), gains={"case": 2.0, "a-2022#5": 1.0})
    best = passage_measures(wanted, [passage("case"), passage("a-2022#5")], Shelf())
    worse = passage_measures(wanted, [passage("a-2022#5"), passage("case")], Shelf())
    assert best["ndcg@10"] == 1.0 > worse["ndcg@10"]
    assert best["recall@3"] == worse["recall@3"] == 1.0


def test_passages_unknown_are_missing_and_none_found_is_zero():
    """An assistant that does not say what it read from is not measured; one that found nothing missed everything."""
    assert passage_measures(sample("case"), None, Shelf()) == dict.fromkeys(MEASURES)
    nothing = passage_measures(sample("case"), (), Shelf())
    assert (nothing["recall@10"], nothing["mrr"], nothing["span_recall"]) == (0.0, 0.0, 0.0)


def test_without_law_documents_are_compared_by_name_alone():
    """Rankings can be measured, characters cannot."""
    found = passage_measures(sample("x"), [passage("x", "y")], None)
    assert (found["mrr"], found["span_recall"]) == (1.0, None)


@pytest.mark.parametrize(
    ("right", "claims_of", "reference_of", "relevant", "irrelevant"),
    [
        # Claim 2 is wrong and comes from the passage that also bears out the reference.
        ([True, False], [[True, True], [False, False]], [[True], [False]], 0.5, 0.0),
        # It comes from the other passage alone.
        ([True, False], [[True, False], [False, True]], [[True], [False]], 0.0, 0.5),
        # From both: counted with the relevant one only, so that the two modes exclude each other.
        ([False, False], [[True, False], [True, True]], [[True], [False]], 0.5, 0.5),
        # Right claims are no noise, and wrong ones that no passage bears out are invention.
        ([True, False], [[True, False], [True, False]], [[False], [False]], 0.0, 0.0),
    ],
)
def test_noise_is_what_is_wrong_and_retrieved(right, claims_of, reference_of, relevant, irrelevant):
    """The mean over claims of (supported by such a passage) and (not borne out by the reference), as RAGAS defines it."""
    assert noise_sensitivity(right, claims_of, reference_of) == (relevant, irrelevant)


@given(st.integers(0, 5), st.integers(0, 4), st.integers(0, 3), st.randoms(use_true_random=False))
def test_noise_is_that_of_the_published_matrices(claims, passages, wanted, random):
    """Equal to the arrays of the definition: maximum over passages, in which irrelevant ones count where no relevant one does."""
    right = [random.random() < 0.5 for _ in range(claims)]
    claims_of = [[random.random() < 0.5 for _ in range(claims)] for _ in range(passages)]
    reference_of = [[random.random() < 0.5 for _ in range(wanted)] for _ in range(passages)]
    found = noise_sensitivity(right, claims_of, reference_of)
    if not claims:
        assert found is None
        return
    answer = np.array(claims_of, dtype=bool).reshape(passages, claims).T
    relevant = np.array(reference_of, dtype=bool).reshape(passages, wanted).any(axis=1)
    wrong = ~np.array(right)
    by_relevant = (answer & relevant).any(axis=1)
    by_other = (answer & ~relevant).any(axis=1) & ~by_relevant
    assert found == pytest.approx((np.mean(by_relevant & wrong), np.mean(by_other & wrong)))


def test_entities_are_recalled_by_what_they_are():
    """Citations, dates and amounts count in one form, whatever their wording."""
    reference = "Under section 5 of the Tenancies Act 2021 the deposit of $500 is due within 14 days."
    passages = "Tenancies Act 2021, section 5: the landlord returns it within fourteen days."
    wanted, there = legal_entities(reference), legal_entities(passages)
    assert {"500 dollar", "14 day"} <= wanted
    assert entity_recall(wanted, there) == pytest.approx(2 / 3)
    assert entity_recall(frozenset(), there) is None


def test_factual_correctness_is_the_f_measure_of_precision_and_recall():
    """2PR / (P + R) of 3 right claims, 1 wrong one and 2 that were left unsaid."""
    precision, recall = 3 / 4, 3 / 5
    assert claim_f1(3, 1, 2) == pytest.approx(2 * precision * recall / (precision + recall))


def test_groundedness_is_the_mean_rating_of_two():
    """0, 1 and 2 are none, half and all; several ratings are averaged."""
    assert [groundedness([one]) for one in (0, 1, 2)] == [0.0, 0.5, 1.0]
    assert groundedness([2, 1]) == 0.75
    assert groundedness([]) is None
