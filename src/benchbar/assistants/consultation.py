"""What a consultant of law and practice hands back, and the window of passages it was written from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from benchbar.assistants.statements import Statement
from benchbar.records import Record, Usage
from benchbar.retrieval.naming import citation_of, short_citation
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
    short: str = ""
    """The citation with the law's abbreviation, where the law has one: ст. 31 ЖК РФ."""
    heading: str = ""
    """The article's own heading; empty where it has none, and for decisions."""
    act: str | UnsetType = UNSET
    """The law that it is of; unset for decisions."""
    treated: str = ""
    """Of a decision, what a later one did with it (set aside by …); empty where no file of the corpus says."""
    named: bool | UnsetType = UNSET
    """Whether the question itself names it: told to the writer alone."""
    certain: bool | UnsetType = UNSET
    """Whether it may be stated as the rule; unset where nobody has measured how often that is right. Told to the writer alone."""


class Source(Record, frozen=True):
    """An article or decision that an answer rests on, resolvable in the corpus."""

    number: int
    id: str
    citation: str
    law: str | None = None
    article: str | None = None
    sub: str | None = None
    case_number: str | None = None
    treated: str = ""
    """Of a decision, what a later one did with it; empty where no file of the corpus says."""


class Draft(Record, frozen=True):
    """What a generator wrote."""

    rule: str = ""
    practice: str = ""
    conclusion: str = ""
    used: tuple[int, ...] = ()
    """Numbers of the passages it refers to."""
    statements: tuple[Statement, ...] = ()
    """What was taken from the passages word for word; empty where a model wrote."""
    abstained: str = ""
    """Why it did not answer; empty where it did."""
    unmeasured: str = ""
    """That nobody has measured how often the first article is a right one, or that it seldom is, in law like this."""
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
    statements: tuple[Statement, ...] = ()
    """What was taken from passages word for word, with spans; of a model's answer its sentences and what supports them."""
    unsupported: tuple[str, ...] = ()
    """Sentences of a model's answer that no passage of those it refers to supports."""
    variants: tuple[str, ...] = ()
    context: tuple[ContextPassage, ...] = ()
    left_out: int = 0
    """Passages that were found and did not fit into the context."""
    nearest: tuple[ContextPassage, ...] = ()
    """Where there is no answer, the passages that come closest; they are no answer."""
    covers: str = ""
    """Where there is no answer, the first laws that the corpus holds."""
    invented: str = ""
    """The jurisdiction of the law, where it is invented; empty where it is a country's."""
    unmeasured: str = ""
    """That nobody has measured how often the first article is a right one in law like this, or that it seldom is; stands before the answer."""


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
    """Passages in rank order until the budget (in estimated tokens) is used up, with room for every store.

    The stores share the budget: each has an equal part, and what one does not need goes to the others, so that long
    decisions do not push the law out. Within a store, the passage that does not fit is cut to what is left, if that is enough
    to be worth reading; those after it are left out, so that no lower rank takes the place of a higher one.
    """
    allowed, closed, rest = _allowances(findings, budget), set[str](), budget
    taken: list[tuple[Finding, ContextPassage]] = []
    for finding in findings:
        piece, store = finding.passage, store_of(finding.passage)
        needed, left = estimated_tokens(piece.text), min(allowed[store], rest)
        fits = needed <= left
        if store in closed or (not fits and taken and left < LEAST_REST):
            closed.add(store)
            continue
        passage = ContextPassage(
            number=len(taken) + 1,
            id=piece.document,
            citation=citation_of(piece),
            store=store,
            text=piece.text if fits else _cut(piece.text, max(left, LEAST_REST)),
            score=round(finding.score, 6),
            truncated=not fits,
            short=short_citation(piece),
            heading=piece.title if store == LAW else "",
            act=piece.law or UNSET,
        )
        taken.append((finding, passage))
        spent = estimated_tokens(passage.text)
        allowed[store], rest = allowed[store] - spent, rest - spent
        if not fits:
            closed.add(store)
    return Window(
        findings=tuple(finding for finding, _ in taken),
        passages=tuple(passage for _, passage in taken),
        left_out=len(findings) - len(taken),
    )


def _allowances(findings: Sequence[Finding], budget: int) -> dict[str, int]:
    """How many tokens each store may take: an equal part, or what it needs and an equal part of what others spare."""
    needs: dict[str, int] = {}
    for finding in findings:
        store = store_of(finding.passage)
        needs[store] = needs.get(store, 0) + estimated_tokens(finding.passage.text)
    allowed: dict[str, int] = {}
    rest = budget
    for place, (store, need) in enumerate(sorted(needs.items(), key=lambda one: one[1])):
        allowed[store] = min(need, rest // (len(needs) - place))
        rest -= allowed[store]
    return allowed


def _cut(text: str, tokens: int) -> str:
    """The beginning of a text, at most so many estimated tokens with the mark that it was cut."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimated_tokens(text[:middle]) < tokens:
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
                citation=passage.short or passage.citation,
                law=piece.law or None,
                article=piece.article or None,
                sub=piece.sub or None,
                case_number=piece.case_number or None,
                treated=passage.treated,
            )
            (articles if passage.store == LAW else cases).setdefault(piece.document, source)
    return tuple(articles.values()), tuple(cases.values())
