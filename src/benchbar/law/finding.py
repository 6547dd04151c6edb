"""What a corpus says about one mention: status, reason, and the text that was found."""

from __future__ import annotations

from dataclasses import dataclass

from benchbar.records import INVENTED, Article, CitationStatus, Treatment, UnknownName

MAY_CHANGE = INVENTED | {CitationStatus.VERIFIED}
"""What a later law can make untrue: a law out of force stays so."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the corpus says about one mention."""

    status: CitationStatus
    reason: str = ""
    law_id: str | None = None
    in_force: bool | None = None
    superseded_by: str | None = None
    article: Article | None = None
    document: str | None = None
    """Id of the article or decision."""
    unchecked: tuple[str, ...] = ()
    """Parts of the citation that could not be looked up."""
    country: str = ""
    """The country whose law it is, where that is none of the corpus's."""
    court: str = ""
    """The court of a decision that the corpus holds."""
    treatment: Treatment | None = None
    """What became of a decision by the day."""
    validity: tuple[str, str] = ("", "")
    """First day of the article's wording and first day of the next one; empty where not known."""
    unknown_name: UnknownName | None = None
    """Where the name leads to no held law, and the text does not explain it."""
