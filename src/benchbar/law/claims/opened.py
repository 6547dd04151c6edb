"""What rules leave open of a citation, put ready for whoever may tell: the claim, what stands before it, and the cited part."""

from __future__ import annotations

from benchbar.law.claims.checking import masked
from benchbar.law.claims.passage import cited_part
from benchbar.law.claims.reading import LONGEST
from benchbar.law.corpus import Corpus
from benchbar.records import CitedIn, ClaimVerdict, OpenClaim

_BEFORE = 400
"""Characters before a claim that show what its "this period" and "he" are."""


def open_claim(text: str, cited: CitedIn, corpus: Corpus) -> OpenClaim | None:
    """The claim beside a citation; None where rules decided on it, it says too little, or no article is at hand."""
    one = cited.citation
    check = one.claim_check
    if check is None or check.verdict is not ClaimVerdict.CANNOT_TELL or check.said is None or not one.article_id:
        return None
    article = corpus.article(one.article_id)
    # Half an article may leave out the exception: an article that is too long to be read whole is not asked about.
    if article is None or not article.text.strip() or len(article.text) > LONGEST:
        return None
    start, _ = check.said
    return OpenClaim(
        cited=cited,
        context=text[max(0, start - _BEFORE) : start],
        said=check.said,
        claim=masked(text, check.said, one),
        article=cited_part(article.text, one),
    )
