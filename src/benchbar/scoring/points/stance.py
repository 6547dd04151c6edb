"""Whether the assistant stands behind what stands at a place of its reply, or denies, reports, supposes, compares or asks it.

A rule may decide only from what the assistant itself affirms. Every kind of point asks this one reader; the wordings are the
pack's (``rules.toml``), so that a language brings its own. Each pattern is bounded and each sentence read once: the time is
linear in the reply.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from benchbar.languages.packs import Labels, labels, pack
from benchbar.languages.text import Span, folded, sentences


class Stance(StrEnum):
    """What the assistant does with what it mentions."""

    AFFIRMED = "affirmed"
    DENIED = "denied"
    ATTRIBUTED = "attributed"
    """What somebody else says: a party, a court, a handbook, the user."""
    CONDITIONAL = "conditional"
    COMPARED = "compared"
    """What something is held against: 与案件2相比, unlike X, в отличие от X."""
    REPEALED = "repealed"
    """What was the law."""
    ASKED = "asked"
    QUOTED = "quoted"
    """Inside a quotation of more than the thing itself: a statute's words, a poster, a letter."""
    HEDGED = "hedged"
    """One of several, an example, or said not to be sure."""
    CONTRADICTED = "contradicted"
    """Taken up by what follows as a view that is wrong."""
    UNSETTLED = "unsettled"
    """Affirmed, but beside a reservation, a condition or what somebody else says, which may be about it."""


_LOOK_AROUND = 60
"""Characters before and after a mention that can deny it; longer ones are another thought."""
_REACH = 600
"""Characters of a sentence before and after a mention that are read."""
_BLANK = "\u200b"
_ENDING = re.compile(r"[A-Za-zА-Яа-яёЁ]{0,8}")
_MARKUP = re.compile(r"[*_`~]{1,3}")
_CLAUSE_ZH = re.compile(r"[，,；;：:（）()\n]|——")
_CLAUSE_WESTERN = re.compile(r"[,;:()\n](?=\s|$)|\s[–—-]\s")
_QUOTATIONS = re.compile(
    r"“[^”\n]{1,400}”|「[^」\n]{1,400}」|«[^»\n]{1,400}»|\"[^\"\n]{1,400}\"|(?<!\w)['‘][^'’\n]{12,400}['’](?!\w)"
)
_PASSAGES = re.compile(r"“[^”]{24,2000}”|「[^」]{24,2000}」|«[^»]{24,2000}»")
"""Passages quoted at length, over lines too: short quotations are emphasis, or what is talked about."""
_QUOTED_BESIDES = 6
"""Characters that a quotation holds beside the thing itself before it is somebody's words and no emphasis."""
_BEFORE = ("clause.repealed",)
_OWN = ("onward.conditional", "clause.repealed", "sentence.contrast")
_AFTER = ("onward.conditional", "sentence.rejected", "sentence.hedged", "sentence.contrast")
"""What unsettles a statement from the sentence before it, from its own, from the one after it."""
_GAP = "\ufffc"
"""Stands for the mention itself where the words around it are read."""
_SEPARATOR = re.compile(r"、|[,;](?=\s)|\s(?:or|или)\s")
_ITEM, _LIST = 24, 3
"""Characters of an item beside the mention, and items that make a list of possibilities."""
_HEADING = 24
"""Characters of a line that announces what the next one says: **结论**, Short answer:."""


class StanceReader:
    """One reply, read for who says what in it."""

    def __init__(self, content: str, language: str) -> None:
        """``content`` as it was said, in ``language``; offsets hold in it."""
        self._patterns = patterns(language)
        # Blanks for markup, character for character: **不是**盗窃罪 denies it like 不是盗窃罪.
        self.text = _MARKUP.sub(lambda match: _BLANK * len(match[0]), folded(content))
        # What a statute or a letter says in quotation marks is no reservation of the speaker about what stands outside them.
        self._unquoted = _PASSAGES.sub(lambda match: _BLANK * len(match[0]), self.text)
        self._marked = _BLANK in self._unquoted
        self._sentences = sentences(self.text, language)
        self._starts = [start for start, _ in self._sentences]
        self._clause = _CLAUSE_WESTERN if pack(language).about.spaces else _CLAUSE_ZH
        self._stances: dict[tuple[int, int, bool, bool], Stance] = {}
        self._concluding: dict[int, bool] = {}

    @cached_property
    def retracts(self) -> bool:
        """Whether it takes back something said before."""
        return self._found("turn.retracted", 0, len(self.text))

    @cached_property
    def declines(self) -> bool:
        """Whether it says that it does not answer: it does not know, has not looked, or needs to be told more first."""
        return self._found("turn.declines", 0, len(self.text))

    @cached_property
    def courteous(self) -> bool:
        """Whether it thanks or agrees, and argues nothing: what was said before stands."""
        argues = ("sentence.contrast", "sentence.rejected", "onward.conditional")
        return self._found("turn.courteous", 0, len(self.text)) and not any(
            self._found(key, 0, len(self.text)) for key in argues
        )

    @cached_property
    def _reports(self) -> bool:
        """Whether anybody else's view is told anywhere: whose conclusion is whose, is then for a judge."""
        return any(self._found("onward.attributed", *span) for span in self._sentences)

    @cached_property
    def _quotations(self) -> list[Span]:
        return [match.span() for match in _QUOTATIONS.finditer(self.text)]

    def stance(self, start: int, end: int, *, verbatim: bool = False, final: bool = False) -> Stance:
        """What the assistant does with what stands from ``start`` to ``end``.

        ``verbatim`` quotations are no report of others. What is ``final``, because the reply opens with it or concludes with it,
        stands whatever others are said to think elsewhere: a report counts in its own sentence alone.
        """
        # Each point of a sample asks about the same mentions.
        asked = (start, end, verbatim, final)
        if asked not in self._stances:
            place = self._place(start, self._word_end(end))
            self._stances[asked] = self._first(place, verbatim=verbatim, final=final)
        return self._stances[asked]

    def _first(self, place: _Place, *, verbatim: bool, final: bool) -> Stance:
        # In this order: what somebody else denies is reported and not denied, what is denied may well be compared.
        # Asked one by one: most mentions are told by one of the first, and each is a search in the sentence.
        checks: tuple[tuple[Stance, Callable[[], bool]], ...] = (
            (Stance.ATTRIBUTED, lambda: self._attributed(place)),
            (Stance.CONDITIONAL, lambda: self._holds("onward.conditional", place.text[place.led : place.start])),
            (Stance.QUOTED, lambda: not verbatim and self._quoted(place.start, place.end)),
            (Stance.ASKED, lambda: self._asked(place)),
            (Stance.COMPARED, lambda: self._holds("clause.compared", place.clause)),
            (Stance.REPEALED, lambda: self._holds("clause.repealed", place.clause)),
            (Stance.DENIED, lambda: self._denied(place)),
            (Stance.COMPARED, lambda: self._holds("sentence.compared", place.whole)),
            (Stance.HEDGED, lambda: self._hedged(place)),
            (Stance.CONTRADICTED, lambda: self._contradicted(place)),
            (Stance.UNSETTLED, lambda: self._reported(place, final=final) or self._unsettled(place, final=final)),
        )
        return next((stance for stance, holds in checks if holds()), Stance.AFFIRMED)

    def _place(self, start: int, end: int) -> _Place:
        # What is cited may run over what looks like the end of a sentence: 18 U.S.C. § 242.
        begin, stop = self.sentence(start)[0], self.sentence(max(start, end - 1))[1]
        # A hostile reply is one sentence of any length, and full of mentions: each looks only so far around itself.
        begin, stop = max(begin, start - _REACH), min(stop, end + _REACH)
        left, right = self._clause_around(begin, stop, start, end)
        text = self._around(start)
        return _Place(
            text=text,
            start=start,
            end=end,
            begin=begin,
            stop=stop,
            led=self._since_own(begin, start),
            clause=text[left:start] + _GAP + text[end:right],
            whole=text[begin:start] + _GAP + text[end:stop],
            before=_plain(text[max(left, start - _LOOK_AROUND) : start]),
            after=_plain(text[end : min(stop, end + _LOOK_AROUND)]),
        )

    def _around(self, start: int) -> str:
        """The reply without the passages that it quotes at length, but where ``start`` itself stands in one."""
        return self.text if self._unquoted[start : start + 1] == _BLANK else self._unquoted

    def _attributed(self, place: _Place) -> bool:
        told_after = self._patterns.pattern("after.attributed").match(place.after)
        return told_after is not None or self._holds("onward.attributed", place.text[place.led : place.start])

    def _reported(self, place: _Place, *, final: bool) -> bool:
        """Whether anybody else's view is told: anywhere in the reply, of what is final in its own sentence."""
        return self._holds("onward.attributed", place.whole) if final else self._reports

    def _asked(self, place: _Place) -> bool:
        return self.text[place.stop - 1 : place.stop] in "？?" or self._holds("clause.asked", place.clause)

    def _denied(self, place: _Place) -> bool:
        before, after = self._patterns.pattern("before.denied"), self._patterns.pattern("after.denied")
        return before.search(place.before) is not None or after.match(place.after) is not None

    def _hedged(self, place: _Place) -> bool:
        return (
            self._holds("sentence.hedged", place.whole)
            # A denial too far off to be sure that it is of this: "without their permission the tariff is £100".
            or self._holds("clause.negated", place.before)
            or self._patterns.pattern("after.hedged").match(place.after) is not None
            or self._listed(place)
        )

    def concludes(self, start: int) -> bool:
        """Whether the sentence at ``start`` is marked as a conclusion, by itself or by a heading above it."""
        if start not in self._concluding:
            self._concluding[start] = self._concludes(start)
        return self._concluding[start]

    def _concludes(self, start: int) -> bool:
        begin, stop = self.sentence(start)
        if self._found("turn.concluding", max(begin, start - _REACH), min(stop, start + _REACH)):
            return True
        above = bisect_right(self._starts, begin) - 2
        if above < 0:
            return False
        first, last = self._sentences[above]
        return last - first <= _HEADING and self._found("turn.concluding", first, last)

    def framed(self, start: int, end: int) -> bool:
        """Whether the words right before or after it affirm it; of a language that lists none, always.

        The first sentence of a reply mentions much that is not its answer ("some point to section 9"), and no list of what denies
        is ever complete.
        """
        if "before.affirmed" not in self._patterns.texts or "after.affirmed" not in self._patterns.texts:
            return True
        led, behind = self._led(start), self._behind(end)
        if self._patterns.pattern("after.affirmed").match(behind):
            return True
        led_to = self.opens(start) or not re.search(r"\w", led) or self._patterns.pattern("before.affirmed").search(led)
        return bool(led_to and self._patterns.pattern("after.opened").match(behind))

    def refused(self, start: int, end: int) -> bool:
        """Whether the words right around it deny just it; "nobody disputes it" denies as well, and affirms it."""
        before, after = self._patterns.pattern("before.refused"), self._patterns.pattern("after.refused")
        return before.search(self._led(start)) is not None or after.match(self._behind(end)) is not None

    def alone(self, start: int, end: int) -> bool:
        """Whether a sentence says nothing else: it is probable cause."""
        bare = self._patterns.pattern("turn.opens").fullmatch(self._led(start)) is not None
        return bare and re.fullmatch(r"\W*", self._behind(end, stop=self.sentence(max(start, end - 1))[1])) is not None

    def _led(self, start: int) -> str:
        return _plain(self.text[max(self.sentence(start)[0], start - _LOOK_AROUND) : start])

    def _behind(self, end: int, stop: int = sys.maxsize) -> str:
        end = self._word_end(end)
        return _plain(self.text[end : min(stop, end + _LOOK_AROUND)])

    def _word_end(self, end: int) -> int:
        """Where the word ends that a mention ends in: what is found may leave an inflection out, шесть месяц|ев."""
        return _ENDING.match(self.text, end).end()  # type: ignore[union-attr]  # it matches the empty string

    def opens(self, start: int) -> bool:
        """Whether the reply begins with what stands at ``start``, but for words like "it is" or 应为."""
        return (
            start <= _LOOK_AROUND
            and self._patterns.pattern("turn.opens").fullmatch(_plain(self.text[:start])) is not None
        )

    def concludes_after(self, end: int) -> bool:
        """Whether a later sentence is marked as the conclusion."""
        return any(self.concludes(start) for start in self._starts[bisect_right(self._starts, end) :])

    def says(self, key: str, start: int) -> bool:
        """Whether the sentence at ``start`` holds a wording of the pack."""
        begin, stop = self.sentence(start)
        return self._found(key, max(begin, start - _REACH), min(stop, start + _REACH))

    def sentence(self, start: int) -> Span:
        """The sentence that holds a place."""
        at = bisect_right(self._starts, start) - 1
        return self._sentences[at] if at >= 0 else (0, len(self.text))

    def _found(self, key: str, start: int, end: int) -> bool:
        return self._holds(key, self.text[start:end])

    def _holds(self, key: str, text: str) -> bool:
        # A language that has no such key marks it at another reach: a clause in Chinese, a sentence in English.
        if key not in self._patterns.texts:
            return False
        return self._patterns.pattern(key).search(_plain(text) if self._marked else text) is not None

    def _listed(self, place: _Place) -> bool:
        """Whether it is one of three or more short items of a list."""
        separators = _SEPARATOR.finditer(self.text, place.begin, place.stop)
        edges = [place.begin - 1, *(match.start() for match in separators), place.stop]
        own = place.end - place.start
        short = [(a + 1, b) for a, b in pairwise(edges) if b - a <= _ITEM + 1 + (own if a < place.start < b else 0)]
        return len(short) >= _LIST and any(a <= place.start and place.end <= b for a, b in short)

    def _clause_around(self, begin: int, stop: int, start: int, end: int) -> Span:
        left, right = begin, stop
        for match in self._clause.finditer(self.text, begin, stop):
            if match.end() <= start:
                left = match.end()
            elif match.start() >= end:
                right = match.start()
                break
        return left, right

    def _since_own(self, begin: int, start: int) -> int:
        """Where in the sentence the assistant's own voice last begins before ``start``: what others say ends there."""
        last = begin
        for match in self._patterns.pattern("turn.own").finditer(self.text, begin, start):
            last = match.start()
        return last

    def _quoted(self, start: int, end: int) -> bool:
        return any(a <= start and end <= b and b - a - 2 - (end - start) > _QUOTED_BESIDES for a, b in self._quotations)

    def _unsettled(self, place: _Place, *, final: bool) -> bool:
        """Whether the sentence or one beside it holds what could turn the meaning round, whatever it is said of.

        It is blunt on purpose and costs right marks as well: a wrong mark does more harm than one left to a judge. What follows
        a conclusion on a condition ("if they refuse, sue") is advice, and no condition of the conclusion.
        """
        at = bisect_right(self._starts, place.begin) - 1
        before, after = (self._nth(at - 1, place.text), self._nth(at + 1, place.text))
        beside = ((before, _BEFORE), (place.whole, _OWN), (after, _AFTER[1:] if final else _AFTER))
        return any(self._holds(key, part) for part, keys in beside for key in keys)

    def _contradicted(self, place: _Place) -> bool:
        after = self._nth(bisect_right(self._starts, place.stop - 1), place.text)
        rejected = self._holds("sentence.rejected", place.text[place.end : place.stop])
        return rejected or self._holds("turn.contrast", after)

    def _nth(self, at: int, text: str) -> str:
        return text[slice(*self._sentences[at])][:_REACH] if 0 <= at < len(self._sentences) else ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a mention stands, and the words around it."""

    text: str
    """What is read around it: the reply, without long quotations where it stands outside them."""
    start: int
    end: int
    begin: int
    """Of its sentence."""
    stop: int
    led: int
    """Where in the sentence the assistant's own voice begins."""
    clause: str
    whole: str
    before: str
    after: str


def _plain(text: str) -> str:
    return text.replace(_BLANK, "")


def patterns(language: str) -> Labels:
    """The wordings of a language: most replies need few of them."""
    return labels(language, "rules")
