"""What is kept on disk, and the encoder that is trained into it."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.records.errors import UserError
from benchbar.retrieval.embedders import BagEmbedder
from benchbar.retrieval.encoder_training import contrastive_loss, train_encoder
from benchbar.retrieval.index import STAMP, Index
from benchbar.retrieval.store import Store

QUESTION = "借用的三轮车毁损了，借用人要赔偿吗？"


def train(store: Store) -> BagEmbedder:
    """A small encoder."""
    return train_encoder(store, np.random.default_rng(0), steps=8, dimensions=6)


def test_what_was_counted_is_kept_and_mapped(statutes, tmp_path):
    """The second index of a folder builds nothing and finds the same."""
    said: list[str] = []
    first = Index({"law": statutes}, folder=tmp_path, corpus="1", progress=said.append)
    ranking = first.retriever("law").search([QUESTION], 5)
    again = Index({"law": statutes}, folder=tmp_path, corpus="1", progress=said.append)
    assert again.retriever("law").search([QUESTION], 5) == ranking
    assert len(said) == 1


def test_counts_of_another_corpus_are_made_again(statutes, tmp_path):
    """A changed corpus is never searched by old counts."""
    Index({"law": statutes}, folder=tmp_path, corpus="1").retriever("law")
    said: list[str] = []
    changed = Index({"law": statutes[3:]}, folder=tmp_path, corpus="2", progress=said.append)
    found = changed.retriever("law").search(["垂钓许可证"], 9)[0]
    assert said
    assert max(one.position for one in found) < len(statutes) - 3


def test_half_written_counts_are_made_again(statutes, tmp_path):
    """A folder without its stamp is no index."""
    Index({"law": statutes}, folder=tmp_path, corpus="1").retriever("law")
    (tmp_path / "law" / "counts" / STAMP).unlink()
    (tmp_path / "law" / "counts" / "norms.npy").unlink()
    said: list[str] = []
    assert (
        Index({"law": statutes}, folder=tmp_path, corpus="1", progress=said.append)
        .retriever("law")
        .search([QUESTION], 1)
    )
    assert said


def test_no_leftovers_beside_the_parts(statutes, tmp_path):
    """Only finished parts stay in the folder."""
    index = Index({"law": statutes}, folder=tmp_path, corpus="1")
    index.retriever("law", "lsa")
    found = index.retriever("law", "engine").search([QUESTION], 3)
    assert sorted(path.name for path in (tmp_path / "law").iterdir()) == ["counts", "engine", "lsa"]
    again = Index({"law": statutes}, folder=tmp_path, corpus="1")
    assert again.retriever("law", "engine").search([QUESTION], 3) == found


def test_a_folder_that_cannot_be_written_is_named(statutes, tmp_path):
    """A file in the place of the folder is said to be the obstacle."""
    (tmp_path / "law").write_text("not a folder", "utf-8")
    with pytest.raises(UserError, match="cannot write into"):
        Index({"law": statutes}, folder=tmp_path, corpus="1").retriever("law")


def test_a_trained_encoder_is_weighed_by_the_default_retriever(statutes, tmp_path):
    """After training, the default retriever's probabilities change, and the encoder can be searched alone."""
    index = Index({"law": statutes}, folder=tmp_path, corpus="1")
    before = index.retriever("law").search([QUESTION], 3)[0]
    index.train_encoder("law", train)
    reopened = Index({"law": statutes}, folder=tmp_path, corpus="1")
    after = reopened.retriever("law").search([QUESTION], 3)[0]
    assert statutes[after[0].position].id == "借用法#3"
    assert after[0].score != before[0].score
    assert reopened.retriever("law", "encoder").search([QUESTION], 1)[0]


def test_an_encoder_of_another_corpus_is_left_out_and_said_to_be(statutes, tmp_path):
    """After the corpus changed, the default retriever goes without, and says so."""
    Index({"law": statutes}, folder=tmp_path, corpus="1").train_encoder("law", train)
    said: list[str] = []
    Index({"law": statutes[1:]}, folder=tmp_path, corpus="2", progress=said.append).retriever("law")
    assert any("train it again" in one for one in said)


def test_the_same_seed_trains_the_same_encoder(statutes):
    """Training is a function of corpus and generator."""
    store = Store(statutes)
    assert np.array_equal(train(store).table, train(store).table)


def test_training_lowers_the_loss(statutes):
    """The mean loss of the last steps is below that of the first."""
    losses: list[float] = []
    store = Store(statutes)
    train_encoder(
        store, np.random.default_rng(1), steps=60, dimensions=6, progress=lambda step: losses.append(step.loss)
    )
    assert np.mean(losses[-15:]) < np.mean(losses[:15])


def test_one_byte_a_number_loses_next_to_nothing(statutes, tmp_path):
    """Cosines of a saved encoder are those of the encoder to two digits."""
    encoder = train(Store(statutes))
    encoder.save(tmp_path)
    texts = [piece.text for piece in statutes]
    one, other = encoder.encode_passages(texts), BagEmbedder.load(tmp_path).encode_passages(texts)
    assert np.sum(one * other, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-2)


def test_passages_too_short_to_learn_from_are_said_to_be(statutes):
    """A corpus without clauses is refused in words."""
    short = [type(piece)(id=piece.id, kind="article", document=piece.id, text="借用") for piece in statutes]
    with pytest.raises(UserError, match="too few or too short"):
        train(Store(short))


def test_the_gradient_of_the_loss_is_its_slope():
    """Both gradients agree with finite differences."""
    generator = np.random.default_rng(3)
    queries, passages = generator.normal(size=(4, 3)), generator.normal(size=(4, 3))
    _, by_query, by_passage = contrastive_loss(queries, passages, 0.5)
    for side, gradient in ((queries, by_query), (passages, by_passage)):
        for i in range(4):
            for j in range(3):
                kept = side[i, j]
                side[i, j] = kept + 1e-6
                above = contrastive_loss(queries, passages, 0.5)[0]
                side[i, j] = kept - 1e-6
                below = contrastive_loss(queries, passages, 0.5)[0]
                side[i, j] = kept
                assert gradient[i, j] == pytest.approx((above - below) / 2e-6, abs=1e-5)
