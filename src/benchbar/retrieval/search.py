"""The whole search: variants of the question, over each store, then thresholds, MMR and fusion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Protocol

import numpy as np
from msgspec import UNSET

from benchbar.records import Piece, Record
from benchbar.retrieval.answerability import answers, bears, fitted_for_store
from benchbar.retrieval.asked_for import asking
from benchbar.retrieval.beyond_law import asks_beyond_law
from benchbar.retrieval.calibration import calibrated_threshold
from benchbar.retrieval.certainty import certain_article, is_unfitted
from benchbar.retrieval.countries import foreign_country
from benchbar.retrieval.diversity import maximal_marginal_relevance
from benchbar.retrieval.familiarity import familiarity, least_familiarity
from benchbar.retrieval.fields import covered_fields, foreign_field, unmentioned_field
from benchbar.retrieval.fusion import weighted_rrf
from benchbar.retrieval.matters import unmentioned_matter
from benchbar.retrieval.ordering import is_large
from benchbar.retrieval.passages import LAW, LEAST_PASSAGES, PRACTICE
from benchbar.retrieval.postings import Floats
from benchbar.retrieval.precedence import weightier_first
from benchbar.retrieval.retrievers import Found, Prepared, Retriever
from benchbar.retrieval.rewriting import distinct, rule_variants
from benchbar.retrieval.settings import RetrievalSettings
from benchbar.retrieval.store import Store

_OF_THE_BEST = 0.3
"""In a small store passages below this share of the best score are left out."""


class Refusal(StrEnum):
    """Why a question is not answered before anything is searched."""

    UNFAMILIAR = "unfamiliar"
    """The corpus has no law about its matter."""
    BEYOND_LAW = "beyond_law"
    """It asks for a fact, a person, a forecast, a private document or foreign law, which the articles of a law do not state."""


class Finding(Record, frozen=True):
    """A passage that a search hands on, with what put it there."""

    passage: Piece
    score: float
    """The retriever's best score over the variants of the question."""
    fused: float
    """The weighted sum of reciprocal ranks that it is ordered by; 0 where fusion is off."""
    rank_in_store: int


class Reranker(Protocol):
    """Reads question and passage together."""

    def scores(self, question: str, texts: Sequence[str]) -> Floats:
        """One score for each text, higher is better, shape (texts,)."""
        ...


class Search:
    """Searches the stores of a corpus as the settings say."""

    def __init__(
        self,
        stores: Mapping[str, Store],
        retrievers: Mapping[str, Retriever],
        settings: RetrievalSettings | None = None,
        *,
        reranker: Reranker | None = None,
        weigh: Callable[[Piece], float] | None = None,
        fitted: bool = True,
    ) -> None:
        """Stores and their retrievers by name; a store of the settings that is not among them is empty.

        ``weigh`` gives the authority of a passage, for settings that put more of it first. What was ``fitted`` on the law
        of countries says nothing of invented law.
        """
        self.settings = settings or RetrievalSettings()
        self._stores, self._retrievers, self._reranker = stores, retrievers, reranker
        self._weigh, self._fitted = weigh, fitted

    def familiar(self, *wordings: str) -> bool:
        """Whether any store speaks of what a question is about, in one of its wordings at least."""
        return any(
            familiarity(store, question) >= least_familiarity(store)
            for store in self._stores.values()
            for question in wordings
        )

    def refuses(self, question: str, *wordings: str, held: bool = False) -> Refusal | None:
        """Why the corpus is not searched for an answer to a question; None where it is.

        Where it was fitted when a corpus answers (``retrieval.answerability``), that decides; elsewhere how much of the wording
        the corpus knows, in one of the wordings at least. ``held`` says that the law at hand is known to hold its matter.
        """
        share, law = self.settings.silence, self._stores.get(LAW)
        if self._silent and (
            asks_beyond_law(question) or foreign_country(question, () if law is None else law.passages)
        ):
            return Refusal.BEYOND_LAW
        if held:
            return None
        fitted = law if self._silent and self._fitted else None
        answered = None if fitted is None else answers(fitted, question, float(share or 0))
        if answered is None:
            answered = not self.settings.familiarity or self.familiar(question, *wordings)
            # A single word of the question in the law makes it look familiar, "register" to one of patents.
            if self._silent and law is not None and unmentioned_field(law, question):
                answered = False
            # Where it was fitted, such a name is one signal of many.
            if fitted is not None and unmentioned_matter(fitted, asking(question)):
                answered = False
        return None if answered else Refusal.UNFAMILIAR

    def certain(self, question: str) -> str | None:
        """Id of the article of the law at hand that is likely enough a right one to be stated as the rule; empty for none.

        None where nobody has measured it for law like this (``retrieval.certainty``), and where ``silence`` is off.
        """
        law = self._stores.get(LAW)
        return None if law is None or not (self._silent and self._fitted) else certain_article(law, question)

    @property
    def too_large(self) -> bool:
        """Whether the law at hand is so much that no first article is certain enough to be stated as the rule."""
        law = self._stores.get(LAW)
        return law is not None and self._silent and is_large(law)

    @property
    def unfitted(self) -> bool:
        """Whether the law at hand is in a language that nobody has fitted the search for."""
        law = self._stores.get(LAW)
        return law is not None and self._silent and self._fitted and is_unfitted(law)

    def other_field(self, question: str, language: str) -> tuple[str, list[str]]:
        """The field of law that a question is of where the law at hand does not hold it, and the fields that it holds.

        An empty name where the field is not clear, or the law is in another language than the question.
        """
        law = self._stores.get(LAW)
        if law is None or law.language != language:
            return "", []
        return foreign_field(law, question), covered_fields(law)

    async def nearest(self, question: str, k: int) -> list[Finding]:
        """The k passages of each store that come closest to a question, by the retriever alone: they need not answer it.

        Raises:
            ModelError: an embedding model has to be asked and does not answer.
        """
        found = []
        for name, retriever in self._retrievers.items():
            if isinstance(retriever, Prepared):
                await retriever.prepare([question])
            ranked = self._one_of_each_document(name, retriever.search([question], 2 * k)[0])[:k]
            found += [
                Finding(
                    passage=self._stores[name].passages[one.position], score=one.score, fused=0.0, rank_in_store=rank
                )
                for rank, one in enumerate(ranked, 1)
            ]
        return found

    async def prepare(self, question: str, variants: Sequence[str] | None = None, *, held: bool = False) -> None:
        """Ask an embedding model what ``find`` will need for the same question, without keeping a run waiting.

        Raises:
            ModelError: it does not answer.
        """
        queries = self._queries(question, variants)
        if self.refuses(*queries, held=held):
            return
        for retriever in self._retrievers.values():
            if isinstance(retriever, Prepared):
                await retriever.prepare(queries)

    def find(
        self,
        question: str,
        variants: Sequence[str] | None = None,
        *,
        bearing: Callable[[Piece, Sequence[Piece]], bool] = lambda _, __: False,
        held: bool = False,
    ) -> list[Finding]:
        """The passages that answer the question best, in rank order; none where no store speaks of its matter.

        Args:
            question: as the user put it; it is always searched itself.
            variants: other wordings, for instance a model's; None has them made by rule. Neither where
                ``multi_query`` is off.
            bearing: decisions that bear on the question by what the caller knows of it and by the passages of law that were
                found; others by their wording alone.
            held: whether it is known that the law at hand holds its matter, since it names an article that is here.
        """
        queries = self._queries(question, variants)
        # Before any retriever is asked: what the corpus never mentions has no answer, however well some passage
        # scores.
        if self.refuses(*queries, held=held):
            return []
        stores = [name for name in self.settings.stores if name in self._retrievers]
        ranked: dict[str, list[Found]] = {}
        # The law first: what a decision applies of it tells whether it bears on the question.
        for name in sorted(stores, key=lambda one: one != LAW):
            law = [self._stores[LAW].passages[one.position] for one in ranked.get(LAW, ())]
            ranked[name] = self._of_store(name, queries, partial(_with, bearing, law))
        keys = [[(name, found.position) for found in ranked[name]] for name in stores]
        if self.settings.fusion:
            weights = [self.settings.of(name).weight for name in stores]
            order = weighted_rrf(keys, weights, constant=self.settings.rrf_constant)
        else:
            # Without fusion the stores follow one another, so there is no fused score.
            order = [(key, 0.0) for ranking in keys for key in ranking]
        places = {
            (name, found.position): (rank, found) for name in stores for rank, found in enumerate(ranked[name], 1)
        }
        return [
            Finding(
                passage=self._stores[key[0]].passages[key[1]],
                score=places[key][1].score,
                fused=fused,
                rank_in_store=places[key][0],
            )
            for key, fused in order
        ]

    def _queries(self, question: str, variants: Sequence[str] | None) -> list[str]:
        if not self.settings.multi_query:
            return [question]
        others = rule_variants(question, self.settings.variants) if variants is None else variants
        return distinct([question, *others])[: self.settings.variants + 1] or [question]

    def _of_store(self, name: str, queries: list[str], bearing: Callable[[Piece], bool]) -> list[Found]:
        """Up to k passages of a store, each variant's ranking fused with equal weight."""
        rankings = [
            self._chosen(name, found, bearing)
            for found in self._retrievers[name].search(queries, self.settings.of(name).fetch_k)
        ]
        scores: dict[int, float] = {}
        for found in (found for ranking in rankings for found in ranking):
            # The best score over the wordings: a threshold shown to the user is about the best way to ask.
            scores[found.position] = max(found.score, scores.get(found.position, found.score))
        fused = weighted_rrf(
            [[found.position for found in ranking] for ranking in rankings], constant=self.settings.rrf_constant
        )
        # Again after fusing: two wordings may have found two pieces of one document.
        merged = self._one_of_each_document(name, [Found(position, scores[position]) for position, _ in fused])
        if self._reranker is not None and merged:
            texts = [self._stores[name].passages[one.position].text for one in merged]
            # By the question itself: variants are for finding, not for judging.
            order = np.argsort(-self._reranker.scores(queries[0], texts), kind="stable")
            merged = [merged[i] for i in order]
        if name == PRACTICE and self._silent and LAW in self._stores:
            law, passages = self._stores[LAW], self._stores[name].passages
            pieces = [(one, passages[one.position]) for one in merged]
            merged = [one for one, piece in pieces if bearing(piece) or bears(law, queries[0], piece.text)]
        return self._weightier_first(name, merged)[: self.settings.of(name).k]

    def _weightier_first(self, name: str, found: list[Found]) -> list[Found]:
        """Of passages that are about as relevant those with more authority first, where the settings ask for it."""
        share, passages, weigh = self.settings.authority, self._stores[name].passages, self._weigh
        if share is UNSET or weigh is None:
            return found
        weights = {one.position: weigh(passages[one.position]) for one in found}
        return weightier_first(found, lambda one: one.score, lambda one: weights[one.position], share)

    def _chosen(self, name: str, found: list[Found], bearing: Callable[[Piece], bool]) -> list[Found]:
        """One variant's ranking after threshold, documents made unique, and MMR: each a step of its own."""
        own = self.settings.of(name)
        if self.settings.thresholds:
            least, passages = self._least(name, found), self._stores[name].passages
            found = [
                one for one in found if one.score >= least or (name == PRACTICE and bearing(passages[one.position]))
            ]
        # Before MMR, or pieces of one document would be chosen as different passages.
        found = self._one_of_each_document(name, found)
        if not self.settings.mmr:
            return found[: own.k]
        relevance = [one.score for one in found]
        alike = self._retrievers[name].similarity([one.position for one in found])
        return [found[i] for i in maximal_marginal_relevance(relevance, alike, own.k, balance=own.mmr_lambda)]

    def _least(self, name: str, found: Sequence[Found]) -> float:
        """The score from which a passage of a store counts."""
        own = self.settings.of(name)
        if own.threshold is not None:
            return own.threshold
        if self._silent and self._fitted and name == LAW and fitted_for_store(self._stores[name]):
            # It was decided that the store answers. To ask the same of every passage again turned 4 of 62 Chinese questions of
            # `development` and `tune` away beyond the bound, lost 8 of their 133 right articles, and let no other one be refused.
            return 0.0
        if self._silent and len(self._stores[name].passages) < LEAST_PASSAGES:
            # The weights know large stores, where a word can be rare; in one of a few acts even the right article scores .05.
            return _OF_THE_BEST * max((one.score for one in found), default=0.0)
        return calibrated_threshold(self.settings.retriever, name)

    @property
    def _silent(self) -> bool:
        return self.settings.silence is not UNSET and self.settings.silence > 0

    def _one_of_each_document(self, name: str, found: list[Found]) -> list[Found]:
        """The best piece of each document: two documents with the same words are still two."""
        first: dict[str, Found] = {}
        for one in found:
            first.setdefault(self._stores[name].passages[one.position].document, one)
        return list(first.values())


def _with(bearing: Callable[[Piece, Sequence[Piece]], bool], law: Sequence[Piece], piece: Piece) -> bool:
    return bearing(piece, law)
