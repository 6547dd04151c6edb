"""The provisions of articles, and how much each is about a question: the rule before what holds only in a case nobody asks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log1p
from typing import NamedTuple

from benchbar.languages.packs import Labels, known, labels, pack
from benchbar.languages.quantities import quantities
from benchbar.languages.text import Span, detect_language, sentences
from benchbar.law.claims.wordings import wordings
from benchbar.retrieval.expansion import legal_terms
from benchbar.retrieval.tokens import grams

LONGEST = 600
"""Characters of a rule with the items that it opens; a list of twenty items is no answer."""
STOPS = frozenset(".。;；:：!?！？…—")
"""What a sentence or a provision ends with."""
_USUAL = 200
"""Characters of a usual provision."""
_PREPOSITION = 2
"""Letters of a stem that says nothing."""
_SHORTEST = 12
"""Characters below which a stretch is a number or a heading's rest."""
_ASKED = 0.25
"""Added to a provision with a number where the question asks for one: as much as a quarter of the question's wording."""
_IN_OTHER_WORDS = 0.3
"""Weight of a word of law that the question was put into: it may be another matter's (the marriage, брак, and the defect, брак)."""
_UNTOLD, _TOLD, _HALF = 0.45, 1.1, 0.5
"""Of a provision that opens with a condition: its weight where the question says nothing of it, where it does, and the share of the
condition's words from which it does. Chosen, as the next two, on benchmarks/consultant/provisions; each may be half as large again."""
_EXCEPTIONAL, _LEANS, _DELEGATES = 0.5, 0.8, 0.25
"""Weight of a provision that says that it is an exception, that leans on an earlier one (前款), or that leaves the rule to another law."""
_UNMARKED = "line"
_OPENING = 200
"""Characters in which a provision says so."""


class Near(NamedTuple):
    """A provision of one of several texts, and how much it is about the question."""

    score: float
    place: int
    """Of the text."""
    span: Span
    special: bool
    """Whether it holds in a case alone, or as an exception, of which the question says nothing."""
    units: Sequence[Span]
    """All provisions of its text."""


def nearest(question: str, texts: Sequence[str]) -> list[Near]:
    """The provisions of all texts, those first that are most about the question; of texts found first rather than later."""
    language = detect_language(question)
    said = labels(language, "patterns")
    own = terms(question)
    weight_of = dict.fromkeys(terms(legal_terms(question, pack(language).root)), _IN_OTHER_WORDS) | dict.fromkeys(
        own, 1.0
    )
    counts = said.pattern("answer.asks_number").search(question) is not None
    units = [provisions(text) for text in texts]
    parts = [(place, texts[place][slice(*span)], span) for place, spans in enumerate(units) for span in spans]
    held = [terms(text) for _, text, _ in parts]
    # What every provision of these articles says (the meeting, the tenant) does not tell the one that is asked about.
    counted = Counter(term for one in held for term in one)
    rare = {term: log1p(len(parts) / count) for term, count in counted.items()}
    wanted = {term: weight * rare[term] for term, weight in weight_of.items() if term in rare}
    most = sum(wanted.values()) or 1.0
    found = []
    for (place, text, span), one in zip(parts, held, strict=True):
        # A long provision holds many words by chance: half of the advantage is taken back. What it excepts makes a rule no longer.
        tail = said.pattern("answer.tail").search(text, _SHORTEST)
        length = tail.start() if tail else len(text)
        score = sum(wanted[term] for term in one if term in wanted) / most / max(1.0, length / _USUAL) ** 0.5
        score += _ASKED if counts and quantities(text) else 0.0
        share, special = _standing(text, rare, wanted, said)
        # The retriever read the whole article; a sentence alone often shares few words with the question.
        found.append(Near(score * share / (1 + place / 2), place, span, special, units[place]))
    return sorted(found, key=lambda near: (-round(near.score, 6), near.place, near.span))


def _standing(text: str, rare: dict[str, float], wanted: dict[str, float], said: Labels) -> tuple[float, bool]:
    """What a provision weighs beside the rule of its article, and whether it is of a case that nobody asks of."""
    opening = text[:_OPENING]
    if said.pattern("answer.exceptional").search(opening):
        return _EXCEPTIONAL, True
    if opened := said.pattern("answer.special").match(text):
        condition = terms(opened[1])
        whole = sum(rare.get(term, 0.0) for term in condition) or 1.0
        told = min(1.0, sum(wanted.get(term, 0.0) for term in condition) / whole / _HALF)
        return _UNTOLD + (_TOLD - _UNTOLD) * told, told < _HALF
    if said.pattern("answer.delegates").search(text):
        return _DELEGATES, False
    return (_LEANS, False) if said.pattern("answer.leans").search(opening) else (1.0, False)


def terms(text: str) -> frozenset[str]:
    """Stems without the commonest words, or pairs of characters where words are not spaced."""
    unigrams, bigrams = grams(text)
    pairs = [pair for pair in bigrams if " " not in pair]
    return frozenset(pairs or [one for one in unigrams if len(one) > _PREPOSITION]) - _common()


@cache
def _common() -> frozenset[str]:
    """What every text of a language says, of all languages; without, an unrelated English sentence shares half of its words."""
    return frozenset(stem for tag in known() for stem in grams(pack(tag).about.common)[0])


def provisions(text: str) -> list[Span]:
    """Spans of what a text provides: its sentences, one that opens a list with the items of the list."""
    words = wordings(detect_language(text))
    found: list[Span] = []
    # The first letter of the marks of the list that is open: (a) goes on with (b), and (2) after (b) is another subsection.
    listing = ""
    for start, end in sentences(text):
        begin, until = found[-1] if found else (start, start)
        item = words.item.match(text[start:end])
        mark = _kind_of(item[0]) if item else _UNMARKED if _goes_on(text, start) else ""
        opened = text[begin:until].rstrip()[-1:] in {":", "：", "—", "–"}
        goes_on = mark and (opened or mark == listing) and end - begin <= LONGEST
        if found and (goes_on or (until - begin < _SHORTEST and not _heading(text, begin, until))):
            found[-1] = (begin, end)
            listing = mark if goes_on else ""
        else:
            found.append((start, end))
            listing = ""
    return [(start, end) for start, end in found if end - start >= _SHORTEST and not _heading(text, start, end)]


def whole(text: str, units: Sequence[Span], span: Span, most: int = LONGEST) -> Span:
    """A provision with the others of its sentence; the provision alone where they take more than ``most`` characters.

    Chinese sentences set cases beside each other with semicolons: whoever reads one of them alone (三年以上的，不得超过六个月) takes it for the
    rule of his own, and a rule without the 但是 behind it for one without exception.
    """
    place = next((at for at, one in enumerate(units) if one[0] <= span[0] < one[1]), None)
    if place is None:
        return span
    first = last = place
    while first and _same_sentence(text, units[first - 1], units[first]):
        first -= 1
    while last + 1 < len(units) and _same_sentence(text, units[last], units[last + 1]):
        last += 1
    start, end = units[first][0], max(units[last][1], span[1])
    return (start, end) if end - start <= most else span


def _same_sentence(text: str, earlier: Span, later: Span) -> bool:
    return text[earlier[1] - 1] in {";", "；"} and not text[earlier[1] : later[0]].strip(" \u3000")


def _goes_on(text: str, start: int) -> bool:
    """Whether a line begins with a small letter: Russian codes list cases so, one a line, without a mark."""
    return start > 0 and text[start].islower() and text[:start].endswith("\n")


def _kind_of(mark: str) -> str:
    letter = next((one for one in mark if one.isalnum()), "")
    return "digit" if letter.isdecimal() else "letter"


def _heading(text: str, start: int, end: int) -> bool:
    """Whether a line is the article's heading: the first of several, without the stop that ends a sentence."""
    return start == 0 and end < len(text) and text[end - 1] not in STOPS
