"""Articles with days of their own: an act's text may be of yesterday and its section in force for thirty years."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchbar.law.history import Edition
from benchbar.records import Article, CitationStatus, ProvisionFacts


class OwnDates(NamedTuple):
    """What the days that a file states for one article say of a day."""

    edition: Edition
    article: Article
    status: CitationStatus
    reason: str = ""


def by_own_dates(texts: Sequence[tuple[Edition, Article]], on: str, since: str) -> OwnDates | None:
    """The text of an article that held on a day, by the first and last day that the file gives for the article itself.

    Args:
        texts: the article in each edition of its act, the earliest first.
        on: the day (YYYY-MM-DD).
        since: first day of the act, where it is known.

    Returns:
        None where no file gives such days: the editions of the act then decide.
    """
    dated = [one for one in texts if one[1].stated.in_force or one[1].stated.status == "prospective"]
    for edition, article in reversed(dated):
        if _holds(article.stated, on):
            if article.repealed:
                return OwnDates(edition, article, CitationStatus.NOT_IN_FORCE, "the article was repealed")
            return OwnDates(edition, article, CitationStatus.VERIFIED)
    if not dated:
        return None
    for edition, article in dated:
        stated = article.stated
        if stated.status == "prospective" and not stated.in_force:
            return OwnDates(edition, article, CitationStatus.NOT_IN_FORCE, "not yet brought into force")
        # The act's text of that day is at hand, and says that the section begins later.
        begins_later = on < stated.in_force and edition.begins and edition.begins <= on
        if begins_later or (since and on < since):
            return OwnDates(edition, article, CitationStatus.NOT_IN_FORCE, f"in force from {stated.in_force}")
    edition, article = dated[0] if on < dated[0][1].stated.in_force else dated[-1]
    stated = article.stated
    day = f"from {stated.in_force}" if on < stated.in_force else f"until {stated.until}"
    reason = f"the text at hand of this article was in force {day}; the corpus has none of that day"
    return OwnDates(edition, article, CitationStatus.OUTSIDE_CORPUS, reason)


def _holds(stated: ProvisionFacts, on: str) -> bool:
    begun = stated.in_force and stated.in_force <= on
    return bool(begun) and not (stated.until and on > stated.until)
