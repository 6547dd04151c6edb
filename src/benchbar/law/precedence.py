"""How much a document weighs beside others that are as relevant: statutes and plenum rulings, guiding cases, decisions, those set aside."""

from __future__ import annotations

import re
from enum import IntEnum

from benchbar.law.authority import SUPREME, court_code
from benchbar.law.corpus import Corpus
from benchbar.records import Decision, Piece

_GUIDING = re.compile(
    r"指导(?:性)?案例|指導(?:性)?案例|公报案例|公報案例|Обзор\w{0,2} (?:судебной )?практики", re.IGNORECASE
)
_OPENS = 120
"""Characters of a decision without a title in which it says what it is; further on it may cite a guiding case."""


class Weight(IntEnum):
    """From the least to the greatest."""

    SET_ASIDE = 0
    ORDINARY = 1
    SUPREME_COURT = 2
    GUIDING_CASE = 3
    """A case that a supreme court published for others to follow, or its review of practice."""
    LAW = 4
    """A statute; and a ruling of a plenum or a judicial interpretation, which corpora hold as acts."""


def weight_of(piece: Piece, corpus: Corpus) -> Weight:
    """What a passage is from, by what its file says: court, title, case number, and which decision set it aside."""
    if piece.kind != "decision":
        return Weight.LAW
    found = corpus.decision(piece.document) or corpus.decision(piece.case_number)
    return Weight.ORDINARY if found is None else _of_decision(found, corpus)


def _of_decision(one: Decision, corpus: Corpus) -> Weight:
    treated = corpus.treatments.now(one)
    if treated and treated.ends:
        return Weight.SET_ASIDE
    if _GUIDING.search(one.title or one.text[:_OPENS]) or _GUIDING.search(one.case_number):
        return Weight.GUIDING_CASE
    return (
        Weight.SUPREME_COURT if SUPREME.search(one.court) or court_code(one.case_number) in _CODES else Weight.ORDINARY
    )


_CODES = frozenset({"最高法", "UKSC", "UKHL", "HCA", "SCC"})
"""Of supreme courts, in neutral citations and case numbers."""
