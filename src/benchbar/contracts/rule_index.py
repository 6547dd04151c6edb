"""Which risk rules are about a clause: literal keywords, or lexical and dense retrieval fused.

The fused score orders rules for one clause. It does not tell risky clauses from safe ones (area under the ROC curve .33 to
.60 on real clauses), for a safe clause about a topic looks just like a risky one: it never decides a level.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from benchbar.contracts.rules import RiskRule, RuleSet, contents
from benchbar.contracts.switches import Switches
from benchbar.languages.text import nfkc
from benchbar.records.contracts import RuleHit
from benchbar.retrieval.tfidf import TfidfView

Scores = npt.NDArray[np.float64]
Reranker = Callable[[str, Sequence[str]], Sequence[float]]
"""Scores of texts against a query, highest best."""

DIMENSIONS = 48
"""Latent dimensions of the dense part, at most; small rule sets keep fewer than they have rules."""
RERANKED = 20
NEAR, LIKE = 1.0, 0.2
"""Lead of the first rule over the second, in standard deviations, and least cosine with the clause, from which on it may name a
finding. On the public clauses, with which they were chosen, seven first rules in ten lead so far, and .88 of those are right."""
BATCH = 1024
"""Clauses scored at once; keeps a thousand-page contract within memory."""
_PIECES = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3400-\u9fff]")
_STEM = 5


def pieces(text: str) -> list[str]:
    """Character uni- and bigrams of Chinese, gaps between phrases counted as characters; words and five-letter stems of others."""
    plain = " ".join(_PIECES.findall(nfkc(text).lower()))
    if _CJK.search(plain):
        return [*plain, *(plain[index : index + 2] for index in range(len(plain) - 1))]
    words = plain.split()
    return words + [word[:_STEM] for word in words if len(word) > _STEM]


def bigrams(text: str) -> list[str]:
    """The longer of the pieces: character bigrams and words."""
    return [piece for piece in pieces(text) if len(piece) > 1]


def named_reranker(model: str | None) -> Reranker | None:
    """The scores of a cross-encoder by hub name or folder; None where none is named.

    Raises:
        MissingDependencyError: sentence-transformers is not installed.
        BadInputError: there is no such model.
    """
    if not model:
        return None
    from benchbar.retrieval.embedders import HubReranker

    loaded = HubReranker(model)
    return lambda question, texts: [float(score) for score in loaded.scores(question, texts)]


class RuleIndex:
    """The rules of one set, ready to be searched by clause."""

    def __init__(self, rules: RuleSet, *, reranker: Reranker | None = None) -> None:
        """Fit the two lexical views and the dense one on the rules' own words."""
        self.rules = rules.rules
        self.reranker = reranker
        """Scores texts against a question, higher is better; None where no model was named."""
        texts = [contents(rule) for rule in self.rules]
        self._views = [TfidfView(texts, analyzer) for analyzer in (pieces, bigrams)]
        self._matrices = [view.transform(texts) for view in self._views]
        self._axes = _latent_axes(self._matrices[0])
        self._dense = _unit(self._matrices[0] @ self._axes)

    def search(self, text: str, k: int = 3, contract_type: str | None = None) -> tuple[RuleHit, ...]:
        """The ``k`` rules nearest to a clause, best first."""
        return self.search_many([text], k, contract_type)[0]

    def search_many(
        self, texts: Sequence[str], k: int = 3, contract_type: str | None = None
    ) -> list[tuple[RuleHit, ...]]:
        """For each clause the ``k`` nearest rules that fit the type of contract; ties in the order of the rules."""
        if not texts:
            return []
        fitting = np.array([rule.fits(contract_type) for rule in self.rules])
        found: list[tuple[RuleHit, ...]] = []
        for at in range(0, len(texts), BATCH):
            batch = texts[at : at + BATCH]
            rows = zip(batch, *self._scores(batch), strict=True)
            found.extend(self._best(text, row, cosines, fitting, k) for text, row, cosines in rows)
        return found

    def keyword_hits(self, text: str, k: int = 3, contract_type: str | None = None) -> tuple[RuleHit, ...]:
        """The rules whose keywords or patterns stand literally in the clause, those with most and longest first."""
        found = [(rule, matched) for rule in self.rules if rule.fits(contract_type) and (matched := rule.matches(text))]
        found.sort(key=lambda one: (-len(one[1]), -sum(map(len, one[1]))))
        return tuple(
            _hit(rule, float(len(matched)), rank, matched) for rank, (rule, matched) in enumerate(found[:k], 1)
        )

    def _scores(self, texts: Sequence[str]) -> tuple[Scores, Scores]:
        """Mean of the three views' scores, each standardised for each clause; and the cosines of the first view."""
        queries = [view.transform(texts) for view in self._views]
        lexical = [(query @ matrix.T).toarray() for query, matrix in zip(queries, self._matrices, strict=True)]
        dense = _unit(queries[0] @ self._axes) @ self._dense.T
        fused = np.mean([_standardised(view) for view in (*lexical, dense)], axis=0)
        return np.asarray(fused, dtype=np.float64), np.asarray(lexical[0], dtype=np.float64)

    def _best(
        self, text: str, scores: Scores, cosines: Scores, fitting: npt.NDArray[np.bool_], k: int
    ) -> tuple[RuleHit, ...]:
        order = [int(index) for index in np.argsort(-scores, kind="stable") if fitting[index]]
        if self.reranker is not None:
            order = self._reranked(text, order)
        # With a reranker the lead is still that of the fused score: nobody has calibrated the reranker's.
        lead = float(scores[order[0]] - max((scores[index] for index in order[1:]), default=-np.inf)) if order else 0.0
        near = bool(order) and lead >= NEAR and bool(cosines[order[0]] >= LIKE)
        return tuple(
            _hit(
                self.rules[index], float(scores[index]), rank, self.rules[index].matches(text), near=near and rank == 1
            )
            for rank, index in enumerate(order[:k], start=1)
        )

    def _reranked(self, text: str, order: list[int]) -> list[int]:
        assert self.reranker is not None  # noqa: S101 - the caller has looked
        first = order[:RERANKED]
        scores = self.reranker(text, [contents(self.rules[index]) for index in first])
        best = sorted(range(len(first)), key=lambda place: -scores[place])
        return [first[place] for place in best] + order[RERANKED:]


class RuleSelection:
    """The rules that a reviewer is shown: those that its switches let through."""

    def __init__(self, index: RuleIndex | None, switches: Switches) -> None:
        """Of an index; none at all without one, or with rules switched off."""
        self._index = index if switches.rules != "off" else None
        self._literal_only, self._k = switches.rules == "keyword", switches.top_k
        self._by_id = {rule.id: rule for rule in index.rules} if index else {}

    def hits(self, texts: Sequence[str], contract_type: str | None) -> list[tuple[RuleHit, ...]]:
        """The rules of each clause; all clauses in one product of matrices, twenty times faster than one by one."""
        index = self._index
        if index is None:
            return [()] * len(texts)
        literal = [index.keyword_hits(text, self._k, contract_type) for text in texts]
        if self._literal_only:
            return literal
        nearest = index.search_many(texts, self._k, contract_type)
        return [_joined(*pair) for pair in zip(nearest, literal, strict=True)]

    def rules(self, hits: Sequence[RuleHit]) -> tuple[RiskRule, ...]:
        """The rules behind hits."""
        return tuple(self._by_id[hit.rule] for hit in hits)


def _joined(nearest: tuple[RuleHit, ...], literal: Sequence[RuleHit]) -> tuple[RuleHit, ...]:
    """The nearest rules, and after them those whose own wordings stand in the clause though others lie nearer."""
    found = {hit.rule for hit in nearest}
    others = [hit for hit in literal if hit.rule not in found]
    return nearest + tuple(
        msgspec.structs.replace(hit, rank=rank) for rank, hit in enumerate(others, start=len(nearest) + 1)
    )


def _hit(rule: RiskRule, score: float, rank: int, matched: tuple[str, ...], *, near: bool = False) -> RuleHit:
    return RuleHit(rule=rule.id, name=rule.name, score=score, rank=rank, matched=matched, near=near)


def _latent_axes(matrix: Any) -> Scores:
    """Right singular vectors of the rules' TF-IDF matrix (latent semantic analysis), from the small Gram matrix of the rules.

    Exact and without a seed; thousands of rules take seconds.
    """
    values, vectors = np.linalg.eigh((matrix @ matrix.T).toarray())
    keep = max(1, min(DIMENSIONS, matrix.shape[0] // 2))
    strongest = vectors[:, ::-1][:, :keep]
    scale = np.sqrt(np.maximum(values[::-1][:keep], 1e-12))
    return np.asarray(matrix.T @ strongest / scale, dtype=np.float64)


def _unit(rows: Any) -> Scores:
    dense = np.asarray(rows, dtype=np.float64)
    length = np.linalg.norm(dense, axis=1, keepdims=True)
    return np.asarray(dense / np.where(length > 0, length, 1.0))


def _standardised(scores: Scores) -> Scores:
    spread = scores.std(axis=1, keepdims=True)
    return np.asarray((scores - scores.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0))
