"""Training the static encoder on a corpus alone, without questions and without a downloaded model.

The task is the inverse cloze (Lee, Chang and Toutanova, 2019): given one clause of an article, find the article it was
taken from among the others of the batch. Batches hold articles of the same law together, so that telling neighbours
apart is what is learned. The table starts from latent semantic analysis and is moved by Adam on the rows that a batch
touches, with the InfoNCE loss (van den Oord et al., 2018).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchbar.records.errors import UserError
from benchbar.retrieval.embedders import DIMENSIONS, BagEmbedder, corpus_bags, singular_table
from benchbar.retrieval.postings import Floats, Integers
from benchbar.retrieval.store import Store

STEPS = 600
RATE = 0.06
TEMPERATURE = 0.08
# Neighbours of the same law are the hard cases; random ones keep the encoder from forgetting the rest.
LAWS, ARTICLES, RANDOM = 15, 16, 240
"""A batch: this many laws with this many articles each, and passages from anywhere."""
# Always taken out, the encoder would never learn that equal words are a sign; never, it would learn
# nothing else.
REMOVED = 0.7
"""How often the clause is taken out of its passage; otherwise both sides share its words."""
LEAST_CLAUSE = 5
"""Characters below which a piece between two punctuation marks is no clause worth guessing from."""
# The first gradients of Adam are noisy: a full rate at once would throw away what the singular vectors
# gave.
_WARM_UP = 50
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8
_CLAUSE_END = re.compile(r"[,.;:!?，。；：！？、\n]+")


class Step(NamedTuple):
    """How far training is."""

    number: int
    of: int
    loss: float


class Adam:
    """Adam (Kingma and Ba, 2015) for a table of which each step touches few rows."""

    def __init__(self, table: Floats) -> None:
        """Moves the table in place."""
        self._table = table
        self._mean, self._square = np.zeros_like(table), np.zeros_like(table)
        self._steps = 0

    # Only the rows of the batch: an update of all 60,000 would cost more than the learning.
    def move(self, rows: Integers, gradient: Floats, rate: float) -> None:
        """One step on these rows, down their gradient."""
        self._steps += 1
        self._mean[rows] = _FIRST * self._mean[rows] + (1 - _FIRST) * gradient
        self._square[rows] = _SECOND * self._square[rows] + (1 - _SECOND) * gradient**2
        mean = self._mean[rows] / (1 - _FIRST**self._steps)
        square = self._square[rows] / (1 - _SECOND**self._steps)
        self._table[rows] -= rate * mean / (np.sqrt(square) + _TINY)


def train_encoder(
    store: Store,
    generator: np.random.Generator,
    *,
    steps: int = STEPS,
    dimensions: int = DIMENSIONS,
    rate: float = RATE,
    progress: Callable[[Step], None] | None = None,
) -> BagEmbedder:
    """An encoder trained on the passages of a store.

    Args:
        store: at least some passages must have two clauses.
        generator: draws batches and clauses, so that one seed gives one encoder.
        steps: batches of about 480 passages.
        dimensions: of the vectors.
        rate: the highest learning rate; it rises over the first steps and falls to a tenth.
        progress: told after each step.

    Raises:
        UserError: there is nothing to learn from.
    """
    keys, idf, bags = corpus_bags(store.characters)
    table = singular_table(bags, dimensions, int(generator.integers(2**31)))
    # Adam's rate is for numbers near 1; singular vectors have entries of a hundredth.
    table /= max(float(np.linalg.norm(table, axis=1).mean()), 1e-9)
    encoder = BagEmbedder(keys, idf, table)
    batches = _Batches(store, generator)
    adam = Adam(table)
    for number in range(1, steps + 1):
        clauses, passages = batches.draw()
        loss = _learn(encoder, adam, clauses, passages, _rate(rate, number, steps))
        if progress is not None:
            progress(Step(number, steps, loss))
    return encoder


def _rate(highest: float, step: int, steps: int) -> float:
    # Down to a tenth, not to nought: the last steps still learn.
    return highest * min(1.0, step / _WARM_UP) * (1 - 0.9 * step / steps)


def _learn(encoder: BagEmbedder, adam: Adam, clauses: list[str], passages: list[str], rate: float) -> float:
    from scipy import sparse

    asked, given = encoder.bags(clauses), encoder.bags(passages)
    loss, by_clause, by_passage = contrastive_loss(asked @ encoder.table, given @ encoder.table, TEMPERATURE)
    both = sparse.vstack([asked, given]).tocsc()
    rows = np.flatnonzero(np.diff(both.indptr))
    adam.move(rows, both[:, rows].T @ np.concatenate([by_clause, by_passage]), rate)
    return loss


def contrastive_loss(queries: Floats, passages: Floats, temperature: float) -> tuple[float, Floats, Floats]:
    """InfoNCE of n pairs, and its gradients by both sides, each of shape (n, dimensions).

    Query i belongs to passage i; the other passages of the batch are what it is told apart from. Vectors need not be of
    unit length: the loss is that of their cosines divided by the temperature.
    """
    query_lengths, passage_lengths = _lengths(queries), _lengths(passages)
    one, other = queries / query_lengths, passages / passage_lengths
    logits = one @ other.T / temperature
    # Subtracted before the exponential, which would overflow at this temperature.
    logits -= logits.max(axis=1, keepdims=True)
    share = np.exp(logits)
    share /= share.sum(axis=1, keepdims=True)
    # A share of exactly 0 has no logarithm.
    loss = float(-np.log(np.diagonal(share) + 1e-12).mean())
    gradient = (share - np.eye(len(share), dtype=share.dtype)) / (len(share) * temperature)
    return loss, _tangent(gradient @ other, one, query_lengths), _tangent(gradient.T @ one, other, passage_lengths)


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9).astype(vectors.dtype)
    return lengths


def _tangent(gradient: Floats, directions: Floats, lengths: Floats) -> Floats:
    """The gradient by a vector, from the gradient by its direction."""
    return np.asarray((gradient - directions * (gradient * directions).sum(axis=1, keepdims=True)) / lengths)


class _Batches:
    """Draws pairs of a clause and the passage it stands in."""

    def __init__(self, store: Store, generator: np.random.Generator) -> None:
        self._passages, self._generator = store.passages, generator
        self._order = np.argsort(store.group, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(store.group_sizes)])
        # A law with fewer articles cannot fill its part of a batch without repeating them.
        self._large = np.flatnonzero(store.group_sizes >= ARTICLES)
        sizes = store.group_sizes[self._large]
        # Large laws are drawn more often, as their articles are.
        self._chances = sizes / max(sizes.sum(), 1)

    def draw(self) -> tuple[list[str], list[str]]:
        """Clauses and passages, pair by pair."""
        generator, count = self._generator, len(self._passages)
        positions: list[int] = generator.choice(count, min(RANDOM, count), replace=False).tolist()
        chosen = min(LAWS, len(self._large))
        for group in generator.choice(self._large, chosen, replace=False, p=self._chances) if chosen else ():
            members = self._order[self._starts[group] : self._starts[group + 1]]
            positions.extend(generator.choice(members, ARTICLES, replace=False).tolist())
        # Sorted, so that one seed gives the same batch whatever the order of sets.
        pairs = [pair for position in sorted(set(positions)) if (pair := self._pair(self._passages[position].text))]
        # Nothing to tell apart.
        if len(pairs) < 2:
            raise UserError("the passages are too few or too short to train an encoder on: hardly one has two clauses")
        return [clause for clause, _ in pairs], [passage for _, passage in pairs]

    def _pair(self, text: str) -> tuple[str, str] | None:
        clauses = [clause for clause in _CLAUSE_END.split(text) if len(clause) >= LEAST_CLAUSE]
        # Nothing would be left.
        if len(clauses) < 2:
            return None
        taken = int(self._generator.integers(len(clauses)))
        rest = "\n".join(clauses[:taken] + clauses[taken + 1 :])
        return clauses[taken], rest if self._generator.random() < REMOVED else text
