"""What a text says on the authority of a citation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchbar.languages.text import Span, detect_language, sentences
from benchbar.law.mention import Mention

_LONGEST = 600
_TELLING = 6


def claim_around(text: str, mentions: Sequence[Mention], index: int) -> str:
    """What the text says on the authority of a citation: its sentence without the citations in it."""
    return claimed(text, claim_span(text, mentions, index), mentions[index])


def claimed(text: str, span: Span, mention: Mention) -> str:
    """The same, where the span of the claim is known."""
    (start, end), (own_start, own_end) = span, mention.span
    return text[start:end] if start >= own_end else f"{text[start:own_start]} {text[own_end:end]}"


def claim_span(text: str, mentions: Sequence[Mention], index: int) -> Span:
    """Where a text says something on the authority of a citation; the citation itself may stand within.

    The sentence begins after the citation before, and goes on to the next citation of another article. A quotation that
    opens in it is part of it to its end.
    """
    mention = mentions[index]
    earlier = (mentions[at].span[1] for at in range(index - 1, -1, -1) if mentions[at].span[1] <= mention.span[0])
    later = (mentions[at].span[0] for at in range(index + 1, len(mentions)) if mentions[at].span[0] >= mention.span[1])
    start = max(mention.span[0] - _LONGEST, next(earlier, 0))
    end = min(mention.span[1] + _LONGEST, next(later, len(text)))
    after = _to_the_end(text[mention.span[1] : end])
    behind = mention.span[1] + len(after)
    # A citation in front of its statement is the usual order; what stands before counts where nothing follows.
    # Fewer letters say nothing.
    if _words(after) >= _TELLING:
        return mention.span[1], behind
    return mention.span[0] - len(_from_the_beginning(text[start : mention.span[0]])), behind


_MARKS = re.compile(r"^\s*(?:[-*•·–—]+|#{1,6}|\d{1,2}[.)、])\s+|\[\d{1,3}\]", re.MULTILINE)


def claim_shown(claim: str) -> str:
    """The claim as people read it, without marks of lists and numbers of sources; empty where it has no word beside them."""
    plain = " ".join(_MARKS.sub(" ", claim).split()).strip(" :;,.()-–—：；，。、（）")
    return plain if re.search(r"[^\W\d_]", plain) else ""


def _to_the_end(text: str) -> str:
    """To the end of the sentence, or of the quotation that opens in it."""
    opened = re.search(r"[“「『«]", text[:60])
    if opened:
        close = {"“": "”", "「": "」", "『": "』", "«": "»"}[opened[0]]
        at = text.find(close, opened.end())
        if at >= 0:
            return text[: at + 1]
    stop = re.search(r"[。！？!?\n]|\.(?=\s|$)", text)
    return text[: stop.start()] if stop else text


def _from_the_beginning(text: str) -> str:
    spans = sentences(text, detect_language(text)) if text.strip() else ()
    return text[spans[-1][0] :] if spans else ""


def _words(text: str) -> int:
    return len(re.findall(r"[\u3400-\u9fff]|\w{3,}", text))
