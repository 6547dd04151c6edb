"""What a consultant of law and practice hands back, and the window of passages it was written from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchbar.records import Record, Usage
from benchbar.retrieval.naming import citation_of
from benchbar.retrieval.passages import LAW, store_of
from benchbar.retrieval.search import Finding

LEAST_REST = 120
"""Tokens below which the rest of a budget is not worth a passage cut short."""
_HAN = re.compile(r"[\u3400-\u9fff]")


class ContextPassage(Record, frozen=True):
    """A passage as the generator was given it."""

    number: int
    """What the answer calls it by: [1], [2], ..."""
    id: str
    """Id of the article or decision in the corpus, which `law show` prints."""
    citation: str
    store: str
    text: str
    score: float
    truncated: bool = False


class Source(Record, frozen=True):
    """An article or decision that an answer rests on, resolvable in the corpus."""

    number: int
    id: str
    citation: str
    law: str | None = None
    article: str | None = None
    sub: str | None = None
    case_number: str | None = None


class Draft(Record, frozen=True):
    """What a generator wrote."""

    rule: str = ""
    practice: str = ""
    conclusion: str = ""
    used: tuple[int, ...] = ()
    """Numbers of the passages it refers to."""
    abstained: str = ""
    """Why it did not answer; empty where it did."""
    usage: Usage = Usage()
    cost: float | None = None
    model: str = ""


class Consultation(Record, frozen=True):
    """A structured answer: rule, practice, conclusion, and what they rest on."""

    question: str
    language: str
    form: str
    generator: str
    rule: str = ""
    practice: str = ""
    conclusion: str = ""
    articles: tuple[Source, ...] = ()
    cases: tuple[Source, ...] = ()
    outside_context: tuple[str, ...] = ()
    """Citations in the answer that none of the passages bears out: do not rely on them unchecked."""
    abstained: str = ""
    """Why there is no answer; empty where there is one."""
    variants: tuple[str, ...] = ()
    context: tuple[ContextPassage, ...] = ()
    left_out: int = 0
    """Passages that were found and did not fit into the context."""


class Window(Record, frozen=True):
    """The passages that fit into a budget."""

    findings: tuple[Finding, ...]
    passages: tuple[ContextPassage, ...]
    left_out: int


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is: one for a Han character, one for three other characters; rather too many."""
    han = len(_HAN.findall(text))
    return han + -(-(len(text) - han) // 3)


def window(findings: Sequence[Finding], budget: int) -> Window:
    """Passages in rank order until the budget (in estimated tokens) is used up.

    The passage that does not fit is cut to what is left, if that is enough to be worth reading; those after it are left
    out, so that no lower rank takes the place of a higher one.
    """
    taken: list[ContextPassage] = []
    for number, finding in enumerate(findings, start=1):
        piece, left = finding.passage, budget - sum(estimated_tokens(one.text) for one in taken)
        fits = estimated_tokens(piece.text) <= left
        if not fits and taken and left < LEAST_REST:
            break
        taken.append(
            ContextPassage(
                number=number,
                id=piece.document,
                citation=citation_of(piece),
                store=store_of(piece),
                text=piece.text if fits else _cut(piece.text, max(left, LEAST_REST)),
                score=round(finding.score, 6),
                truncated=not fits,
            )
        )
        if not fits:
            break
    return Window(findings=tuple(findings[: len(taken)]), passages=tuple(taken), left_out=len(findings) - len(taken))


def _cut(text: str, tokens: int) -> str:
    """The beginning of a text of at most so many estimated tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimated_tokens(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low] + "…"


def sources(opened: Window, used: Sequence[int]) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """Articles and decisions of the passages that were used, each once, in rank order."""
    articles: dict[str, Source] = {}
    cases: dict[str, Source] = {}
    for finding, passage in zip(opened.findings, opened.passages, strict=True):
        if passage.number in used:
            piece = finding.passage
            source = Source(
                number=passage.number,
                id=piece.document,
                citation=passage.citation,
                law=piece.law or None,
                article=piece.article or None,
                sub=piece.sub or None,
                case_number=piece.case_number or None,
            )
            (articles if passage.store == LAW else cases).setdefault(piece.document, source)
    return tuple(articles.values()), tuple(cases.values())
