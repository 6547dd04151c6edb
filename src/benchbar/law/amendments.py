"""What changed in an act between two days, and which texts cite what changed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from benchbar.law.citations import extract
from benchbar.law.corpus import Corpus
from benchbar.law.history import Act, Edition
from benchbar.law.mention import Mention
from benchbar.records import Article, Record
from benchbar.records.errors import UserError

Number = tuple[str, str]
"""Number and sub-number of an article."""
_SAME = 0.3
"""Least similarity of two texts of one number, from which the article was changed; below, it was replaced by another one."""
_MOVED = 0.8
"""Least similarity from which an article is taken to stand under another number."""
_COMPARED = 20_000
"""Characters of an article that are compared."""


class ArticleChange(Record, frozen=True):
    """One article that is not the same on both days."""

    kind: Literal["added", "removed", "changed", "renumbered"]
    before: str = ""
    """Its number on the first day, such as ``12`` or ``12-1``; empty where it was added."""
    after: str = ""
    old: str = ""
    new: str = ""
    """Texts on the two days; equal where the article was only renumbered."""


class ActChanges(Record, frozen=True):
    """An act on two days."""

    law: str
    first: str
    last: str
    """The days."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """law_ids of the texts that stood on them."""
    changes: tuple[ArticleChange, ...]
    unchanged: int
    unsure: tuple[str, ...] = ()
    """Why one of the texts may not be the one of its day."""

    @property
    def touched(self) -> dict[Number, str]:
        """Numbers on the first day of articles that are no longer the same, and what became of them."""
        return {_number(one.before): one.kind for one in self.changes if one.before}


class Touched(NamedTuple):
    """A citation of something that changed."""

    where: str
    """The place that the text came from."""
    text: str
    """The citation as written."""
    number: str
    """Number of the article; empty where the law as a whole is cited."""
    kind: str
    """What became of the article."""


def changes_of(act: Act, corpus: Corpus, first: str, last: str) -> ActChanges:
    """What is different in an act on a later day: articles added, removed, changed and renumbered.

    Articles are matched by their text first, so that one that was inserted does not make all that follow it changed.

    Raises:
        UserError: no text of the act is held for one of the days.
    """
    old, before, unsure = _text_on(act, corpus, first)
    new, after, unsure_after = _text_on(act, corpus, last)
    pairs = dict(_matched(old, new))
    changes = []
    for number, article in old.items():
        other = pairs.get(number)
        if other is None:
            changes.append(ArticleChange(kind="removed", before=_label(number), old=article.text))
        elif _words(article.text) != _words(new[other].text):
            changes.append(
                ArticleChange(
                    kind="changed", before=_label(number), after=_label(other), old=article.text, new=new[other].text
                )
            )
        elif other != number:
            changes.append(
                ArticleChange(
                    kind="renumbered", before=_label(number), after=_label(other), old=article.text, new=new[other].text
                )
            )
    taken = set(pairs.values())
    changes += [
        ArticleChange(kind="added", after=_label(number), new=article.text)
        for number, article in new.items()
        if number not in taken
    ]
    return ActChanges(
        law=act.name,
        first=first,
        last=last,
        before=before,
        after=after,
        changes=tuple(changes),
        unchanged=len(old) - sum(bool(one.before) for one in changes),
        unsure=tuple(dict.fromkeys((*unsure, *unsure_after))),
    )


def _text_on(act: Act, corpus: Corpus, day: str) -> tuple[dict[Number, Article], tuple[str, ...], tuple[str, ...]]:
    """The articles of an act on a day, the texts that they are from, and why these may be others."""
    standing = _standing(act, day)
    found: dict[Number, Article] = {}
    for edition in act.editions:
        for version in edition.versions:
            rows = corpus.rows_of(version.law_id)
            for article in corpus.articles[rows.start : rows.stop]:
                stated = article.stated
                # Days of the article's own go before those of the whole text.
                held = (
                    stated.in_force <= day and not (stated.until and day > stated.until)
                    if stated.in_force
                    else edition is standing and stated.status != "prospective"
                )
                if held and not article.repealed and (article.number, article.sub) not in found:
                    found[article.number, article.sub] = article
    if not found:
        begins = "; ".join(one.begins for one in act.editions if one.begins) or "no day"
        raise UserError(f"no text of {act.name} is held for {day}: its texts begin on {begins}")
    unsure: tuple[str, ...] = ()
    if standing is not None and standing.holds_on(day) is None:
        unsure = (f"{standing.law_id}: since when, or until when, it is in force is not known",)
    return found, tuple(dict.fromkeys(one.law_id for one in found.values())), unsure


def _standing(act: Act, day: str) -> Edition | None:
    holding = [one for one in act.editions if one.holds_on(day)]
    possible = holding or [one for one in act.editions if one.stands_on(day)]
    return possible[-1] if possible else None


def _matched(old: Mapping[Number, Article], new: Mapping[Number, Article]) -> Iterator[tuple[Number, Number]]:
    by_text: dict[str, list[Number]] = defaultdict(list)
    for number, article in new.items():
        by_text[_words(article.text)].append(number)
    left_old, left_new = [], dict.fromkeys(new)
    for number, article in old.items():
        same = by_text.get(_words(article.text), [])
        # Of several articles of one text, such as repealed ones, the one of the same number.
        place = number if number in same else next((one for one in same if one in left_new), None)
        if place is None or place not in left_new:
            left_old.append(number)
            continue
        del left_new[place]
        yield number, place
    yield from _alike(old, new, left_old, list(left_new))


def _alike(
    old: Mapping[Number, Article], new: Mapping[Number, Article], left: Sequence[Number], others: Sequence[Number]
) -> Iterator[tuple[Number, Number]]:
    """Changed articles: the pairs that are most alike first, one of the same number before one of another."""
    from rapidfuzz.distance import Indel

    candidates = []
    for number in left:
        for other in others:
            least = _SAME if number == other else _MOVED
            alike = Indel.normalized_similarity(
                old[number].text[:_COMPARED], new[other].text[:_COMPARED], score_cutoff=least
            )
            if alike >= least:
                candidates.append((number == other, alike, number, other))
    taken_old: set[Number] = set()
    taken_new: set[Number] = set()
    for _, _, number, other in sorted(
        candidates, key=lambda one: (-(one[1] + (_MOVED - _SAME) * one[0]), one[2], one[3])
    ):
        if number not in taken_old and other not in taken_new:
            taken_old.add(number)
            taken_new.add(other)
            yield number, other


def _words(text: str) -> str:
    # Word for word, whatever the spaces and signs of the source.
    return re.sub(r"\W", "", text)


def _label(number: Number) -> str:
    return f"{number[0]}-{number[1]}" if number[1] else number[0]


def _number(label: str) -> Number:
    number, _, sub = label.partition("-")
    return number, sub


def spans_of(old: str, new: str) -> list[tuple[str, str]]:
    """The new text in pieces, each ``same``, ``removed`` or ``added``: words in spaced languages, characters in Chinese."""
    from rapidfuzz.distance import Levenshtein

    left, right = (
        re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+|\s+|.", one[:_COMPARED], re.DOTALL) for one in (old, new)
    )
    pieces: list[tuple[str, str]] = []
    for step in Levenshtein.opcodes(left, right):
        if step.tag == "equal":
            pieces.append(("same", "".join(right[step.dest_start : step.dest_end])))
            continue
        if gone := "".join(left[step.src_start : step.src_end]):
            pieces.append(("removed", gone))
        if come := "".join(right[step.dest_start : step.dest_end]):
            pieces.append(("added", come))
    return pieces


def touched_in(texts: Iterable[tuple[str, str]], act: Act, changes: ActChanges, corpus: Corpus) -> list[Touched]:
    """The citations, in texts with the names of their places, of articles that changed, and of the law as a whole."""
    touched = changes.touched
    found: dict[Touched, None] = {}
    for where, text in texts:
        # Evidence may be the id of an article.
        law_id, _, label = text.rpartition("#")
        if law_id in changes.before and _number(label) in touched:
            found[Touched(where, text, label, touched[_number(label)])] = None
        for mention in extract(text, known=corpus.known_names):
            if not (mention.names and act in corpus.acts_named(mention.names)):
                continue
            if not mention.article:
                found[Touched(where, mention.text, "", "the law was amended")] = None
                continue
            for number in _numbers_of(mention):
                if number in touched:
                    found[Touched(where, mention.text, _label(number), touched[number])] = None
    return list(found)


# A range of more articles is a chapter or a slip.
_RANGE = 200


def _numbers_of(mention: Mention) -> list[Number]:
    """The article of a citation, or all of a range."""
    if mention.through.isdecimal() and mention.article.isdecimal():
        first, last = int(mention.article), int(mention.through)
        if 0 <= last - first <= _RANGE:
            return [(str(one), "") for one in range(first, last + 1)]
    return [(mention.article, mention.sub)]
