"""A statute's text as articles; articles and decisions as pieces for a search index."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number
from benchbar.languages.text import folded
from benchbar.records import Article, Decision, Piece

# An article is mostly one piece; a fifth is repeated, so that a rule on a border is whole in one of them.
ARTICLE_SIZE, ARTICLE_OVERLAP = 1000, 200
DECISION_SIZE, DECISION_OVERLAP = 4000, 800
"""Characters of a piece and of what it shares with the one before it."""

_LABELS = (
    re.compile(
        rf"^[#*>\s]{{0,8}}第\s?(?P<number>[0-9０-９]{{1,4}}|[{ZH_CHARACTERS}]{{1,10}})\s?条(?:之(?P<sub>[{ZH_CHARACTERS}\d]{{1,3}}))?"
        r"(?P<gap>[*]{0,2}[\s　：:.、【（(]|$)?\s{0,4}"
    ),
    re.compile(
        r"^[#*>\s]{0,8}Статья\s(?P<number>\d{1,4})(?:[.\-](?P<sub>\d{1,3}(?:[.\-]\d{1,3})?))?(?P<gap>\.|\s|$)\s{0,4}"
    ),
    re.compile(
        r"^[#*>\s]{0,8}(?:Section|Article|SECTION|ARTICLE|Sec\.|Art\.|§)\s?(?P<number>\d{1,4})(?P<sub>[A-Z]{0,2})(?P<gap>\.|:|\s|$)\s{0,4}"
    ),
)
_HEADING = re.compile(
    rf"^(?:#{{1,6}}\s{{0,4}}\S|[\s　]{{0,8}}第[{ZH_CHARACTERS}\d]{{1,6}}[编章节](?:[\s　]|$)"
    r"|\s{0,8}(?:Глава|ГЛАВА|Раздел|РАЗДЕЛ|§|Chapter|CHAPTER|Part|PART)\s[\dIVXLC])"
)
# The best place to cut first: line, sentence, clause, word.
_BREAKS = ("\n", "。", "；", ". ", "; ", "，", " ")


@dataclass(frozen=True, slots=True)
class Split:
    """A text divided at its article labels."""

    preamble: str
    articles: tuple[Article, ...]
    unread: tuple[str, ...] = ()
    """Lines that look like the label of an article and were read as text, since their number does not go on."""
    gaps: tuple[tuple[int, int], ...] = ()
    """The first and the last of points that are not there, where later ones are: an excerpt."""


def split_articles(text: str, law_id: str) -> Split:
    """The articles of a statute, each with chapter and number; what stands before the first is the preamble.

    A label begins a line and is followed by space or punctuation, or continues the count: a line that happens to begin
    with a reference, such as 第五条规定的…, is text.
    """
    found: list[tuple[str, str, str, list[str]]] = []
    preamble: list[str] = []
    chapter = ""
    lines = text.splitlines()
    labels = _labels(lines)
    begins = _in_order(labels)
    for place, line in enumerate(lines):
        if place in begins:
            label = labels[place]
            found.append((label.number, label.sub, chapter, [label.rest] if label.rest else []))
        elif _HEADING.match(folded(line)):
            chapter = line.strip("#* \t　")
        elif line.strip():
            (found[-1][3] if found else preamble).append(line.strip())
    unread = tuple(lines[place].strip() for place, one in labels.items() if place not in begins and one.gap)
    return Split("\n".join(preamble), tuple(_article(law_id, *one) for one in found), unread)


_RUSSIAN_LABEL = re.compile(r"\s{0,8}Статья\s(\d{1,6})(?=\.?(?:\s|$))")


_AHEAD = 400
"""Labels among which the one is looked for that goes on: more articles than any has indices."""


def _lowered_indices(lines: list[str]) -> dict[int, str]:
    """Lines whose article number has lost its raised index: between articles 31 and 32, Статья 311 is article 31.1.

    So it comes out of every copy as plain text. Read as 311 it would hide all articles from 32 on. A lower number behind it
    tells, the one that goes on with the row; articles between may be missing, since they were repealed.
    """
    labels = [(place, found[1]) for place, line in enumerate(lines) if (found := _RUSSIAN_LABEL.match(line))]
    mended: dict[int, str] = {}
    base, sub = 0, 0
    for at, (place, number) in enumerate(labels):
        goes_on = (int(later) for _, later in labels[at + 1 : at + _AHEAD] if base < int(later) < int(number))
        if indexed := _with_index(number, base, sub, next(goes_on, 0)):
            base, sub = indexed
            mended[place] = lines[place].replace(number, f"{base}.{sub}", 1)
        elif int(number) > base:
            base, sub = int(number), 0
    return mended


def _with_index(number: str, base: int, sub: int, following: int) -> tuple[int, int] | None:
    """The article and index that a number is made of, between what stands before it and the next article; None for none."""
    halves = [(int(number[:place]), number[place:]) for place in range(len(number) - 1, 0, -1)]
    fitting = [
        (own, int(index))
        for own, index in halves
        if index[0] != "0" and base <= own < following and (own > base or int(index) > sub)
    ]
    # The index that goes on with the one before it, else the shortest.
    return next((one for one in fitting if one == (base, sub + 1)), fitting[0] if fitting else None)


def split_points(text: str, law_id: str) -> Split:
    """The numbered points of a text that has no articles, such as a plenum's ruling: 1. … 2. …, in their order."""
    found: list[tuple[str, str, str, list[str]]] = []
    preamble: list[str] = []
    lines = [one.strip() for one in text.splitlines()]
    marks = [re.match(r"(\d{1,3})\.\s{0,4}(?=\S)", line) for line in lines]
    numbers = [int(mark[1]) if mark else 0 for mark in marks]
    last, gaps = 0, list[tuple[int, int]]()
    for place, (line, mark, number) in enumerate(zip(lines, marks, numbers, strict=True)):
        # Only where it continues the count: a point may hold a list of its own.
        if mark and (number == last + 1 or _after_a_gap(line, number, last, numbers[place + 1 :])):
            gaps += [(last + 1, number - 1)] if number > last + 1 else []
            last = number
            found.append((mark[1], "", "", [line[mark.end() :]]))
        elif line:
            (found[-1][3] if found else preamble).append(line)
    return Split("\n".join(preamble), tuple(_article(law_id, *one) for one in found), gaps=tuple(gaps))


def _after_a_gap(line: str, number: int, last: int, later: Sequence[int]) -> bool:
    """Whether a number that is too high begins a point all the same: an excerpt leaves points out, and none of them comes later.

    Read as a part of the point before it, it would be cited under that one's number. A day (23.06.2015) is no number of a point.
    """
    dated = re.match(r"\d{1,3}\.\d", line) is not None
    return last > 0 and number > last + 1 and not dated and not any(last < one < number for one in later)


Place = tuple[int, tuple[int, ...]]
"""Where an article stands in its act: 55.16.1 is (55, (16, 1))."""


@dataclass(frozen=True, slots=True)
class _Label:
    """What a line that may begin an article says."""

    number: str
    sub: str
    rest: str
    gap: bool
    """Whether space or punctuation stands behind the number; without it a label is believed only where it continues the count."""

    @property
    def at(self) -> Place:
        return int(self.number), _order(self.sub)


def _labels(lines: list[str]) -> dict[int, _Label]:
    """The lines that may begin an article, by their place."""
    lowered = _lowered_indices(lines)
    found = ((place, _label(lowered.get(place, line))) for place, line in enumerate(lines))
    return {place: label for place, label in found if label}


def _label(line: str) -> _Label | None:
    for pattern in _LABELS:
        match = pattern.match(folded(line))
        if not match:
            continue
        number, sub = parse_number(match["number"]), match["sub"] or ""
        sub = str(int(parse_number(sub) or 0)) if sub and re.fullmatch(rf"[{ZH_CHARACTERS}\d]+", sub) else sub
        if not number:
            return None
        rest = (
            line[match.end() :].lstrip("*　 ") if match["gap"] not in {"【", "（", "("} else line[match.start("gap") :]
        )
        return _Label(str(int(number)), sub, rest.strip(), match["gap"] is not None)
    return None


def _in_order(labels: dict[int, _Label]) -> set[int]:
    """The lines that begin articles: each number higher than the one before it.

    Mostly every label that goes on counts. Where one that is far too high hides more articles behind it than it is
    itself, the longest rising row of labels counts instead.
    """
    taken: list[int] = []
    last: Place = (0, ())
    for place, one in labels.items():
        if one.at > last and (one.gap or _follows(last, one.at)):
            taken.append(place)
            last = one.at
    known = {place: one for place, one in labels.items() if one.gap}
    longest = _longest_rising([(place, one.at) for place, one in known.items()])
    return set(longest if len(longest) > len(taken) else taken)


def _follows(last: Place, at: Place) -> bool:
    return at == (last[0] + 1, ()) or (at[0] == last[0] and at[1] == (*last[1][:-1], (last[1] or (0,))[-1] + 1))


def _longest_rising(labels: list[tuple[int, Place]]) -> list[int]:
    """The places of the longest row of rising numbers; of several, the one whose numbers are lowest."""
    ends: list[Place] = []
    behind: list[int] = []
    before: dict[int, int | None] = {}
    for place, at in labels:
        length = bisect_left(ends, at)
        before[place] = behind[length - 1] if length else None
        ends[length : length + 1] = [at]
        behind[length : length + 1] = [place]
    row: list[int] = []
    last = behind[-1] if behind else None
    while last is not None:
        row.append(last)
        last = before[last]
    return row


def _order(sub: str) -> tuple[int, ...]:
    digits = re.findall(r"\d+", sub)
    # 12A, 12B follow 12.
    return tuple(map(int, digits)) or ((sum(ord(char) - 64 for char in sub),) if sub else ())


_NO_HEADING = re.compile(r"[.;:!?,…—–-]\s*$|[\u3400-\u9fff]")
_HEADING_LINES, _HEADING_LENGTH = 5, 400


def _article(law_id: str, number: str, sub: str, chapter: str, lines: list[str]) -> Article:
    heading = _lines_of_heading(lines)
    title = " ".join(lines[:heading])
    return Article(law_id=law_id, number=number, sub=sub, title=title, chapter=chapter, text="\n".join(lines[heading:]))


def _lines_of_heading(lines: list[str]) -> int:
    """How many of an article's first lines are its heading: those before its text that end as no sentence does.

    A line of a heading that was broken goes on in small letters. Chinese articles have no headings.
    """
    count = 1
    while count < min(len(lines), _HEADING_LINES) and lines[count][:1].islower():
        count += 1
    heading = " ".join(lines[:count])
    is_heading = count < len(lines) and len(heading) <= _HEADING_LENGTH and not _NO_HEADING.search(heading)
    return count if is_heading else 0


def cut(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    """Spans of at most ``size`` characters that cover the text, each beginning ``overlap`` before the last one ended.

    A span ends after a line, else a sentence, else a clause, where one of them ends in its second half.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    while True:
        end = min(len(text), start + size)
        if end < len(text):
            end = _good_end(text, start + size // 2, end)
        spans.append((start, end))
        if end >= len(text):
            return spans
        start = _good_start(text, max(start + 1, end - overlap), end)


def _good_end(text: str, low: int, high: int) -> int:
    for sign in _BREAKS:
        at = text.rfind(sign, low, high)
        if at >= 0:
            return at + len(sign)
    return high


def _good_start(text: str, low: int, high: int) -> int:
    """The first line or sentence that begins within the first half of the overlap, else its beginning."""
    # Only in the first half of the overlap, or little of it would be left.
    for sign in _BREAKS[:4]:
        at = text.find(sign, low, (low + high) // 2)
        if at >= 0:
            return at + len(sign)
    return low


def article_pieces(article: Article, law: str) -> Iterator[Piece]:
    """The pieces of an article: itself where it is short, else spans of lines that overlap."""
    text = f"{article.title}\n{article.text}" if article.title else article.text
    spans = cut(text, ARTICLE_SIZE, ARTICLE_OVERLAP)
    for index, (start, end) in enumerate(spans, start=1):
        yield Piece(
            id=article.id if len(spans) == 1 else f"{article.id}/{index}",
            kind="article",
            document=article.id,
            text=text[start:end].strip(),
            law=law,
            law_id=article.law_id,
            article=article.number,
            sub=article.sub,
            number=index,
            count=len(spans),
            title=article.title,
        )


def decision_pieces(decision: Decision) -> Iterator[Piece]:
    """The pieces of a decision; each begins with its number (or title), date, and which piece of how many it is."""
    spans = cut(decision.text, DECISION_SIZE, DECISION_OVERLAP)
    for index, (start, end) in enumerate(spans, start=1):
        # The head is repeated with each piece: a piece from the middle of a judgment would be found for no case.
        head = [decision.case_number or decision.title, decision.date, decision.cause, f"[{index}/{len(spans)}]"]
        yield Piece(
            id=decision.id if len(spans) == 1 else f"{decision.id}/{index}",
            kind="decision",
            document=decision.id,
            text=" ".join(part for part in head if part) + "\n" + decision.text[start:end].strip(),
            case_number=decision.case_number,
            date=decision.date,
            number=index,
            count=len(spans),
            title=decision.title,
        )
