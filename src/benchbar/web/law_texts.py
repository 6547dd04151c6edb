"""The texts of articles and decisions beside what cites them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from benchbar.records import Article, Citation, Decision, Piece, Sample
from benchbar.retrieval.naming import citation_of
from benchbar.web.config import Lawbook

LONGEST_ARTICLE = 4_000
"""Characters of an article or decision that are shown; a long decision cannot be read beside a form."""


@dataclass(frozen=True, order=True)
class LawText:
    """An article or a decision as it stood on the day of the matter."""

    title: str
    text: str
    hidden: int = 0
    """Characters of it that are not shown."""
    source: str = ""
    """Its address at an official site, else the name of the file that it was read from."""


def law_beside(law: Lawbook | None, sample: Sample | None, said: Iterable[Citation]) -> tuple[LawText, ...]:
    """What a rater needs to judge legal accuracy: the texts behind every citation, each once, in alphabetical order.

    The order and the lack of any status keep it from telling which side cited what. A citation that leads to no text is
    left out: that there is none would be a verdict.
    """
    if law is None:
        return ()
    points = [point.text for point in sample.guidance.points] if sample else []
    asked = (one for text in points if sample for one in law.cited(text, language=sample.language, on=sample.on or ""))
    found: dict[str, LawText] = {}
    for citation in (*said, *asked):
        for id_ in filter(None, (citation.article_id, citation.case_number)):
            if id_ not in found and (text := law.text_of(id_)) is not None:
                found[id_] = replace(law_text(citation, text), source=law.source_of(text))
    return tuple(sorted(found.values()))


def law_text(citation: Citation, found: Article | Decision) -> LawText:
    """The text under the name by which its language cites it: 《房屋租赁法》第七条, not 房屋租赁法 7."""
    if isinstance(found, Decision):
        return _cut(found.title or found.case_number, found.text)
    named = Piece(
        id=found.id,
        kind="article",
        document=found.id,
        text=found.text,
        law=citation.law or found.law_id,
        article=found.number,
        sub=found.sub,
    )
    return _cut(citation_of(named), found.text)


def _cut(title: str, text: str) -> LawText:
    return LawText(title, text[:LONGEST_ARTICLE], max(0, len(text) - LONGEST_ARTICLE))
