"""What a search does, each step a switch, so that a study can take one away."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from benchbar.records import Record
from benchbar.records.errors import UserError
from benchbar.retrieval.fusion import CONSTANT
from benchbar.retrieval.passages import LAW, PRACTICE

SILENCE = 0.05
"""What `ask` takes. By cross-validation with a thinned map, of questions of other corpora a twentieth turns 84 (Russian) and 95
(Chinese) of 100 away, a tenth 93 and 98: the least share that reaches what is aimed at, 85, since a right answer that is kept back is a loss too."""


AUTHORITY = 0.8
"""What `ask` takes. Over 47 questions whose evidence are decisions no share from .97 down to .5 changed how often one is among the first five."""


class StoreSettings(Record, frozen=True):
    """How one store is searched."""

    k: int
    """At most this many of its passages are handed on: its quota."""
    weight: float
    """Its share when the stores' rankings are fused."""
    fetch_k: int = 20
    """How many passages are fetched for thresholds and MMR to choose from."""
    threshold: float | None = None
    """The least score that counts; None takes the one calibrated for the retriever and this store."""
    mmr_lambda: float = 0.9
    """1 ranks by relevance alone; below .9 statutes lose recall, since neighbouring articles resemble each other."""


ASKED_LAW = StoreSettings(k=5, weight=0.3, mmr_lambda=0.95)
"""What `ask` takes: as many articles as its published figures are of. Of 351 Russian and 283 Chinese questions that may be read a right article is among
them for .877 and .746 with a balance of .9, .897 and .753 with .95, .900 and .756 without MMR; neighbours that say the same are still kept apart."""


class RetrievalSettings(Record, frozen=True):
    """A whole search: which retriever over which stores, and which of the steps."""

    retriever: str = "learned"
    stores: tuple[str, ...] = (LAW, PRACTICE)
    # Weights of .7 and .3 put all practice before all law; k is what keeps room for both (docs/retrieval.md).
    law: StoreSettings = StoreSettings(k=3, weight=0.3)
    practice: StoreSettings = StoreSettings(k=5, weight=0.7)
    named: bool = True
    """An article or case number that the question names is looked up and put first."""
    cited: int = 3
    """Up to this many articles that the passages found rest on are looked up and put last; 0 for none."""
    multi_query: bool = True
    variants: int = 2
    """How many other wordings are searched beside the question itself."""
    familiarity: bool = True
    """Off, a question about something the corpus never mentions is searched all the same."""
    thresholds: bool = True
    mmr: bool = True
    reranker: str = ""
    """Name or folder of a cross-encoder that orders each store's findings anew (needs the extra ``hub``); empty for none."""
    fusion: bool = True
    """Off, the stores follow one another in the order of ``stores`` instead of being fused by weight."""
    rrf_constant: float = CONSTANT
    vectors: str = "exact"
    """Where dense vectors are searched: exact, faiss or faiss-graph (extra ``faiss``), or the address of a PostgreSQL
    database with pgvector (extra ``postgresql``)."""
    # Unset it is not written: consultants of before are the same ones, and their runs resume without a call.
    embeddings: dict[str, Any] | UnsetType = UNSET
    """For the retriever ``embeddings``: fields of ``EmbeddingSettings``; unset takes those kept in the index."""

    silence: float | UnsetType = UNSET
    """The share of answerable questions that may be turned away so that those are which the law at hand does not answer
    (``retrieval.answerability``); unset or 0 for none. `ask` takes ``SILENCE``."""

    authority: float | UnsetType = UNSET
    """Of a store's passages whose scores are at least this share of another's, those with more authority come first (guiding cases
    before decisions, those set aside last); unset, relevance alone orders them. `ask` takes ``AUTHORITY``."""

    def __post_init__(self) -> None:
        """Refuse values that no search can have."""
        if self.authority is not UNSET and not 0 < self.authority <= 1:
            raise UserError(f"authority = {self.authority:g}: expected a share of a score, above 0 and at most 1")
        if self.silence is not UNSET and not 0 <= self.silence < 1:
            raise UserError(f"silence = {self.silence:g}: expected a share from 0 on and below 1")
        unknown = set(self.stores) - {LAW, PRACTICE}
        if unknown or not self.stores:
            raise UserError(f"stores {', '.join(self.stores) or 'none'}: expected law, practice or both")
        if self.cited < 0:
            raise UserError(f"cited = {self.cited}: expected a number of articles, 0 for none")
        for name in self.stores:
            one = self.of(name)
            # fetch_k below k would hand on less than asked for, without a word.
            if one.k < 1 or one.fetch_k < one.k or not 0 <= one.mmr_lambda <= 1 or one.weight < 0:
                raise UserError(
                    f"settings of store {name!r}: expected k of at least 1, fetch_k not below k, mmr_lambda from 0 to 1,"
                    f" weight not below 0; found k={one.k}, fetch_k={one.fetch_k}, mmr_lambda={one.mmr_lambda:g},"
                    f" weight={one.weight:g}"
                )

    def of(self, store: str) -> StoreSettings:
        """The settings of one store."""
        return self.law if store == LAW else self.practice


def ablations(settings: RetrievalSettings) -> dict[str, RetrievalSettings]:
    """The search as it is, and with one of its parts taken away or replaced, by name."""
    from msgspec.structs import replace

    return {
        "full": settings,
        "no multi-query": replace(settings, multi_query=False),
        "no MMR": replace(settings, mmr=False),
        "no thresholds": replace(settings, thresholds=False),
        "law only": replace(settings, stores=(LAW,)),
        "practice only": replace(settings, stores=(PRACTICE,)),
        "lexical only": replace(settings, retriever="lexical"),
        "dense only": replace(settings, retriever="lsa"),
    }
