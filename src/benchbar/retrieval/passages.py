"""What can be found: pieces of articles and decisions, and the hits that name them."""

from __future__ import annotations

import re

from benchbar.records import Record

LAW, PRACTICE = "law", "practice"
STORES = (LAW, PRACTICE)

_INTERPRETATION = re.compile(r"最高人民|^人民法院|^人民检察院|解释|批复|Пленум", re.IGNORECASE)
_REGULATION = re.compile(
    r"(?:办法|条例|细则|规定|规则|决定|通知|意见)\W*(?:（[^（）]{0,40}）)?$|Постановление|Приказ|\bregulations?\b|\brules?\b",
    re.IGNORECASE,
)


class Passage(Record, frozen=True):
    """One piece of a text that can be cited."""

    id: str
    """Names this piece and no other."""
    text: str
    store: str = LAW
    """``law`` or ``practice``; each store has an index and settings of its own."""
    document: str = ""
    """The article or decision this is a piece of; several pieces of one document are one finding."""
    group: str = ""
    """The law, in one of its versions, whose articles follow one another; empty for a decision."""
    law: str = ""
    law_id: str = ""
    article: str = ""
    sub: str = ""
    case_number: str = ""
    date: str = ""

    @property
    def source(self) -> str:
        """The document, or the piece itself where none is named."""
        return self.document or self.id


class Hit(Record, frozen=True):
    """A passage that was found, with the score of whatever found it last."""

    passage: Passage
    score: float


def rank_of_law(name: str) -> int:
    """Where a law stands by its name: 1 an interpretation by a court, 2 a regulation, 0 a statute or none of these."""
    if _INTERPRETATION.search(name):
        return 1
    return 2 if _REGULATION.search(name) else 0
