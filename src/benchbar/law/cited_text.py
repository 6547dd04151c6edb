"""What stands beside a verdict on a citation: what the text says of it, the law of that day, and where that is from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchbar.languages.packs import Labels
from benchbar.law.citation_check import check_citations
from benchbar.law.citations import extract
from benchbar.law.claims.around import claim_around
from benchbar.law.corpus import Corpus
from benchbar.records import Article, Citation, Decision

Judging = Callable[[str, tuple[Citation, ...]], tuple[Citation, ...]]
"""Puts what a model says beside the citations of a text."""


@dataclass(frozen=True, slots=True)
class CitedText:
    """A citation with what a reader needs to judge the verdict on it."""

    citation: Citation
    day: str
    """The day whose law counted."""
    claim: str
    """What the text says on its authority, without the citation."""
    text: str
    """The article as it stood on the day, or the decision; empty where none was found."""
    source: str
    """The article's own address at an official site, else the act's, else the file that it was read from; empty where none is known."""
    later: str = ""
    """What took the place of a law not in force, or of a decision set aside; empty where nothing is known to have."""


def cited_texts(text: str, corpus: Corpus, day: str, *, judged: Judging | None = None) -> Iterator[CitedText]:
    """Every citation of a text with its verdict and what that rests on, in order; ``judged`` asks a model as well."""
    found = check_citations(text, corpus, on=day)
    found = judged(text, found) if judged else found
    for one, claim in zip(found, claims_beside(text, found, corpus), strict=True):
        behind = text_behind(one, corpus)
        source = source_of(behind, corpus) if behind else ""
        yield CitedText(one, day, claim, behind.text if behind else "", source, later_of(one, corpus))


def claims_beside(text: str, found: Sequence[Citation], corpus: Corpus) -> list[str]:
    """What the text says on the authority of each of its citations, in one line."""
    mentions = list(extract(text, known=corpus.known_names))
    at = {
        (one.span, one.article or None, one.paragraph or None, one.item or None): place
        for place, one in enumerate(mentions)
    }
    places = (at[one.span, one.article, one.paragraph, one.item] for one in found)
    return [" ".join(claim_around(text, mentions, place).split()) for place in places]


def text_behind(citation: Citation, corpus: Corpus) -> Article | Decision | None:
    """The article or decision that a citation was held against; None where it was against none."""
    named = filter(None, (citation.article_id, citation.case_number))
    return next((found for id_ in named if (found := corpus.article(id_) or corpus.decision(id_))), None)


def later_of(citation: Citation, corpus: Corpus) -> str:
    """What took the place of a law, by its name: an id of the corpus says nothing to a reader; empty where nothing is known."""
    later = corpus.by_id.get(citation.superseded_by or "")
    if later is None:
        return citation.superseded_by or ""
    own = corpus.by_id.get(citation.law_id or "")
    # A later text of the same law has its name: the day tells them apart.
    day = later.in_force or later.adopted
    return f"{later.name} ({day})" if day and own and own.name == later.name else later.name


def source_of(found: Article | Decision, corpus: Corpus) -> str:
    """Where the text of an article or decision is from."""
    if isinstance(found, Decision):
        return _address(found.stated.identifiers) or found.source
    version = corpus.by_id.get(found.law_id)
    if found.stated.identifier:
        return found.stated.identifier
    return (_address(version.stated.identifiers) or version.source) if version else ""


def passed_on(source: str) -> str:
    """A source as it stands in what is passed on: an address, or the name of a file; folders of whoever made it are nobody's business."""
    if source.startswith(("https://", "http://")):
        return source
    return source.replace("\\", "/").rpartition("/")[2]


def _address(identifiers: tuple[str, ...]) -> str:
    # Among numbers and codes of a series only an address leads anywhere.
    return next((one for one in identifiers if one.startswith(("http", "/"))), "")


def excerpt(text: str, most: int, say: Labels) -> str:
    """A text in one line, and of a longer one so many characters with how many were cut."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    # A number of which the end is cut off would be another number.
    begin = line[:most].rstrip("0123456789")
    return say("cited.cut", text=begin, count=len(line) - len(begin))
