"""The whole search over two stores, and its switches."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from benchbar.records import Piece
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.retrieval.calibration import cosine_of_faiss_relevance, threshold_between
from benchbar.retrieval.familiarity import familiarity, least_familiarity
from benchbar.retrieval.index import Index
from benchbar.retrieval.naming import citation_of
from benchbar.retrieval.passages import rank_of_law
from benchbar.retrieval.retrievers import Restricted, VectorRetriever
from benchbar.retrieval.search import Search
from benchbar.retrieval.settings import RetrievalSettings, StoreSettings, ablations
from benchbar.retrieval.store import Store
from benchbar.retrieval.vectors import ExactIndex, unit

QUESTION = "借用的三轮车毁损了，借用人要赔偿吗？"
KINDS = ["learned", "lexical", "tfidf", "lsa"]


@pytest.fixture(scope="module")
def index(statutes, decisions):
    return Index({"law": statutes, "practice": decisions})


class RetrieverConformance:
    """What every retriever has to do, over the small body of law."""

    kind = "lexical"

    @pytest.fixture
    def retriever(self, index):
        return index.retriever("law", self.kind)

    def test_the_best_comes_first(self, retriever, statutes):
        """The article that speaks of the question is first, and scores do not rise."""
        found = retriever.search([QUESTION], 5)[0]
        assert statutes[found[0].position].id == "借用法#3"
        scores = [one.score for one in found]
        assert scores == sorted(scores, reverse=True)

    def test_each_query_has_its_own_ranking(self, retriever, statutes):
        """Two queries at once are answered as each alone."""
        together = retriever.search([QUESTION, "垂钓许可证罚款"], 3)
        alone = retriever.search(["垂钓许可证罚款"], 3)[0]
        assert [one.position for one in together[1]] == [one.position for one in alone]
        assert [one.score for one in together[1]] == pytest.approx([one.score for one in alone], abs=1e-5)
        assert statutes[together[1][0].position].id == "水域垂钓条例#2"

    def test_never_more_than_asked_for(self, retriever):
        """Their number is bounded by k, and no passage comes twice."""
        found = retriever.search([QUESTION], 2)[0]
        assert len({one.position for one in found}) == len(found) <= 2

    def test_nothing_in_common_finds_nothing(self, retriever):
        """A query without any known term has no findings."""
        assert retriever.search(["xyzzy"], 5) == [[]]

    def test_a_passage_is_like_itself(self, retriever):
        """Similarities are symmetric, with 1 on the diagonal."""
        alike = np.asarray(retriever.similarity([0, 1, 2]))
        assert np.diag(alike) == pytest.approx([1, 1, 1], abs=1e-5)
        assert alike == pytest.approx(alike.T)


class TestLexical(RetrieverConformance):
    kind = "lexical"


class TestEngine(RetrieverConformance):
    kind = "engine"


class TestTermFrequency(RetrieverConformance):
    kind = "tfidf"


class TestLatentSemantic(RetrieverConformance):
    kind = "lsa"


class TestLearned(RetrieverConformance):
    kind = "learned"


def test_engine_and_postings_agree(index):
    """Two implementations of BM25 give the same scores, but for the engine's rounding of lengths."""
    one = dict(index.retriever("law", "lexical").search([QUESTION], 9)[0])
    other = dict(index.retriever("law", "engine").search([QUESTION], 9)[0])
    assert one.keys() == other.keys()
    assert [other[position] for position in one] == pytest.approx(list(one.values()), rel=0.05)


def test_practice_and_law_keep_their_quotas_and_practice_leads(index):
    """Disjoint stores at .7 and .3 follow one another, each in the order of its own ranking."""
    settings = RetrievalSettings(
        law=StoreSettings(k=2, weight=0.3), practice=StoreSettings(k=1, weight=0.7), thresholds=False
    )
    found = index.search(settings).find(QUESTION)
    assert [one.passage.kind for one in found] == ["decision", "article", "article"]
    assert [one.rank_in_store for one in found] == [1, 1, 2]
    assert found[0].fused > found[1].fused > found[2].fused


def _written_out(vectors, queries, k, fetch, balance):
    """Positions that a store hands on: products sorted, MMR and fusion by their definitions, in plain loops."""
    sums: dict[int, float] = {}
    for products in queries @ vectors.T:
        left = [int(place) for place in np.argsort(-products, kind="stable")[:fetch] if products[place] > 0]
        chosen: list[int] = []
        while left and len(chosen) < k:
            near = {one: max((float(vectors[one] @ vectors[other]) for other in chosen), default=0.0) for one in left}
            chosen.append(max(left, key=lambda one: balance * float(products[one]) - (1 - balance) * near[one]))
            left.remove(chosen[-1])
        for rank, place in enumerate(chosen, 1):
            sums[place] = sums.get(place, 0.0) + 1 / (60 + rank)
    return sorted(sums, key=lambda place: -sums[place])[:k]


@pytest.mark.parametrize("seed", range(5))
def test_the_search_finds_what_the_steps_written_out_find(seed):
    """Products in pieces, rows of similarities on demand and all wordings at once change nothing in the result."""
    generator = np.random.default_rng(seed)
    vectors = {name: unit(generator.normal(size=(1500, 96))) for name in ("law", "practice")}
    queries = unit(generator.normal(size=(3, 96)))
    places = {"a": 0, "b": 1, "c": 2}

    class Lookup:
        def encode_queries(self, texts):
            return queries[[places[text] for text in texts]]

    pieces = {
        "law": [Piece(id=f"l{i}", kind="article", document=f"l{i}", text="x") for i in range(1500)],
        "practice": [Piece(id=f"p{i}", kind="decision", document=f"p{i}", text="x") for i in range(1500)],
    }
    settings = RetrievalSettings(
        familiarity=False,
        law=StoreSettings(k=3, weight=0.3, threshold=-1.0, mmr_lambda=0.5),
        practice=StoreSettings(k=5, weight=0.7, threshold=-1.0, mmr_lambda=0.5),
    )
    retrievers = {name: VectorRetriever(Lookup(), ExactIndex(found)) for name, found in vectors.items()}
    stores = {name: Store(found) for name, found in pieces.items()}
    found = Search(stores, retrievers, settings).find("a", ["b", "c"])
    expected = [
        *(f"p{place}" for place in _written_out(vectors["practice"], queries, 5, 20, 0.5)),
        *(f"l{place}" for place in _written_out(vectors["law"], queries, 3, 20, 0.5)),
    ]
    assert [one.passage.id for one in found] == expected
    assert [one.fused for one in found] == pytest.approx(
        [0.7 / (60 + rank) for rank in range(1, 6)] + [0.3 / (60 + rank) for rank in range(1, 4)], abs=1e-9
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_threshold_is_a_step_of_its_own(index, kind):
    """With or without MMR, nothing below the threshold is handed on."""
    for mmr in (True, False):
        strict = RetrievalSettings(retriever=kind, mmr=mmr, law=StoreSettings(k=3, weight=0.3, threshold=2.0))
        assert all(one.passage.kind == "decision" for one in index.search(strict).find(QUESTION))


def test_two_documents_of_the_same_words_are_two(decisions):
    """Boilerplate that two decisions share does not lose the second case number; pieces of one decision are one."""
    same = [
        Piece(id="a/1", kind="decision", document="a", text=decisions[0].text, case_number="a"),
        Piece(id="a/2", kind="decision", document="a", text=decisions[0].text, case_number="a"),
        Piece(id="b", kind="decision", document="b", text=decisions[0].text, case_number="b"),
    ]
    found = Index({"practice": same}).search(RetrievalSettings(thresholds=False)).find(QUESTION)
    assert sorted(one.passage.document for one in found) == ["a", "b"]


def test_a_question_about_something_else_finds_nothing(index):
    """A corpus of lending and fishing has nothing to say about cooking, unless the switch is off."""
    assert index.search().find("红烧肉怎么做好吃") == []
    assert not index.search().familiar("红烧肉怎么做好吃")
    store = index.store("law")
    assert familiarity(store, "红烧肉怎么做好吃") < least_familiarity(store) <= familiarity(store, QUESTION)


def test_variants_can_only_add(index):
    """Another wording brings in what the question's own words do not reach."""
    plain = RetrievalSettings(multi_query=False, stores=("law",))
    several = replace(plain, multi_query=True)
    alone = [one.passage.id for one in index.search(plain).find(QUESTION)]
    more = [one.passage.id for one in index.search(several).find(QUESTION, ["船舶不适航，承租人解除合同"])]
    assert "租船合同法#2" in set(more) - set(alone)
    assert alone[0] in more


def test_each_ablation_takes_one_thing_away(index):
    """Every named ablation can be searched, and the ones that drop a store drop it."""
    found = {name: index.search(one).find(QUESTION) for name, one in ablations(RetrievalSettings()).items()}
    assert {one.passage.kind for one in found["law only"]} == {"article"}
    assert {one.passage.kind for one in found["practice only"]} == {"decision"}
    assert all(found.values())


def test_what_may_not_be_found_makes_room_for_what_may(index, statutes):
    """Passages of law no longer in force are passed over, not counted against k."""
    allowed = np.array([piece.law != "借用法" for piece in statutes])
    found = Restricted(index.retriever("law"), allowed).search(["借用人应当赔偿"], 3)[0]
    assert found
    assert all(statutes[one.position].law != "借用法" for one in found)


@pytest.mark.parametrize(
    "settings",
    [
        {"stores": ()},
        {"stores": ("web",)},
        {"law": StoreSettings(k=0, weight=1)},
        {"law": StoreSettings(k=30, weight=1)},
    ],
)
def test_settings_that_no_search_can_have_are_refused(settings):
    """The message says what was found and expected."""
    with pytest.raises(UserError, match="expected"):
        RetrievalSettings(**settings)


def test_a_reranker_orders_each_store_anew(index):
    """What a reranker puts first is first in its store; nothing comes in that was not found."""

    class Longest:
        def scores(self, question, texts):
            return np.array([len(text) for text in texts], dtype=float)

    settings = RetrievalSettings(stores=("law",), thresholds=False)
    plain = index.search(settings).find(QUESTION)
    stores, retrievers = {"law": index.store("law")}, {"law": index.retriever("law")}
    again = Search(stores, retrievers, settings, reranker=Longest()).find(QUESTION)
    lengths = [len(one.passage.text) for one in again]
    assert lengths == sorted(lengths, reverse=True)
    assert {one.passage.id for one in plain} == {one.passage.id for one in again}


def test_an_unknown_retriever_is_named(index):
    """The name is refused with those that are known."""
    with pytest.raises(
        UnknownNameError, match="retriever 'bm52'; known: embeddings, encoder, engine, hub:MODEL, learned"
    ):
        index.retriever("law", "bm52")


def test_encoder_has_to_be_trained_first(index):
    """The message says which command does it."""
    with pytest.raises(UserError, match="train-encoder"):
        index.retriever("law", "encoder")


def test_thresholds_of_the_article_are_these_cosines():
    """LangChain's FAISS relevance of .7 and .2 on unit vectors."""
    assert cosine_of_faiss_relevance(0.7) == pytest.approx(0.788, abs=5e-4)
    assert cosine_of_faiss_relevance(0.2) == pytest.approx(0.434, abs=5e-4)


def test_a_threshold_parts_answered_from_unanswered():
    """Of the scores that part them equally well the lowest is taken."""
    assert threshold_between([0.4, 0.5, 0.9], [0.1, 0.2, 0.3]) == 0.4


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("中华人民共和国民法典", 0), ("劳动合同法", 0), ("Гражданский кодекс Российской Федерации", 0),
        ("最高人民法院关于适用《民法典》婚姻家庭编的解释（一）", 1), ("旅馆业治安管理办法", 2), ("工伤保险条例", 2),
    ],
)  # fmt: skip
def test_a_laws_name_tells_its_rank(name, rank):
    """Statutes, interpretations by courts, and regulations are told apart."""
    assert rank_of_law(name) == rank


def test_passages_are_cited_in_the_language_of_their_law(statutes, decisions):
    """Chinese numerals and 《》, ст. and Article, and the number of a case."""
    assert citation_of(replace(statutes[0], article="133", sub="1")) == "《借用法》第一百三十三条之一"
    assert citation_of(replace(statutes[0], law="Жилищный кодекс", article="31")) == "ст. 31 Жилищный кодекс"
    assert citation_of(replace(statutes[0], law="Lending Act", article="4")) == "section 4 of the Lending Act"
    assert citation_of(decisions[0]) == "（2021）海01民终12号"
