"""What can be found: pieces of articles in the store of law, pieces of decisions in that of practice."""

from __future__ import annotations

import re

from benchbar.records import Piece

LAW, PRACTICE = "law", "practice"
STORES = (LAW, PRACTICE)
LEAST_PASSAGES = 100
"""The smallest code that weights were fitted on has 177 articles; in a store of a few acts hardly any heading resembles a question."""

_INTERPRETATION = re.compile(r"最高人民|^人民法院|^人民检察院|解释|批复|Пленум", re.IGNORECASE)
_REGULATION = re.compile(
    r"(?:办法|条例|细则|规定|规则|决定|通知|意见)\W*(?:（[^（）]{0,40}）)?$|Постановление|Приказ|\bregulations?\b|\brules?\b",
    re.IGNORECASE,
)


def store_of(piece: Piece) -> str:
    """The store a piece is searched in: each has an index and settings of its own."""
    return LAW if piece.kind == "article" else PRACTICE


def group_of(piece: Piece) -> str:
    """What its neighbours share with it: the law in one of its versions, or the decision."""
    return piece.law_id or piece.law or piece.document


def rank_of_law(name: str) -> int:
    """Where a law stands by its name: 1 an interpretation by a court, 2 a regulation, 0 a statute or none of these."""
    if _INTERPRETATION.search(name):
        return 1
    # A court's interpretation may end in 规定 as well: it is asked first.
    return 2 if _REGULATION.search(name) else 0
