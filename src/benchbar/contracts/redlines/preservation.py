"""The proof of a proposal: which numbers, parties, negations and defined terms it moves, and whether anybody asked for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal

from benchbar.contracts.guards import negations, numbers, parties, written_numbers
from benchbar.contracts.parties import mentions
from benchbar.contracts.redlines.words import added_to, kept_of
from benchbar.languages.numerals import parse_number
from benchbar.languages.text import folded, nfkc
from benchbar.records import Record

Kind = Literal["number", "party", "negation", "name", "defined term"]

# 一方 and 第三方 count nobody; without this every "a party" would be a number that came or went.
_NO_NUMBER = re.compile(
    r"(?:任何|每|同|另|某)?一(?=[方切旦般致律并样些定经])|统一|唯一|万一|第三(?=[方人])|(?<=[甲乙])乙(?=双方)|十分"
    r"|\b(?:no|any|each|every|at least )?one (?:part(?:y|ies)|another|of the parties)\b|\bодн\w{1,3} (?:из )?сторон\w{0,3}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-zа-яё]+(?:-[a-zа-яё]+)*")
_MANIFOLD = re.compile(
    r"\b(?:half|halves|once|twice|thrice|double|treble|triple|quarter|dozen|полтор|половин|вдвое|втрое|дважды|трижды|двойн|двукратн|тройн|тр[её]хкратн)\w{0,4}"
    r"|\b(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir)tie)th)\b"
    r"|\b(?:перв|втор|трет|четв[её]рт|седьм|восьм)(?:ый|ой|ая|ое|ого|ому|ым|ом|ую|ий|ья|ье|ьего|ьему|ьей)\b"
    r"|\b(?:пят|шест|девят|десят|\w{2,7}надцат|двадцат|тридцат)(?:ый|ой|ая|ое|ого|ому|ым|ом|ую)\b"
    "|半(?=[年月日天数个])|双倍|加倍|减半"
)
"""What counts without being a number: half, twice, the tenth day, 半年."""
_MOST_WORDS = 4
"""Words of one number that are read together: twenty-five thousand one hundred is two."""
_CAPITAL = re.compile(r"\b[A-ZА-ЯЁ][A-Za-zА-Яа-яЁё-]*[a-zа-яё]|\b[A-ZА-ЯЁ]{2,}\b")
_OPENS = re.compile(r"(?:^|[.!?:;\n“«\"(])\s*(?:\d[\d.]*\.?\s*)?$")
_PLACES = re.compile(
    "北京|上海|天津|重庆|香港|澳门|台湾|台北|深圳|广州|杭州|南京|武汉|成都|西安|苏州|青岛|大连|厦门|宁波|海南|广东|江苏|浙江|山东|四川|湖北|湖南|福建|河南|河北"
    "|中国|新加坡|英国|美国|日本|韩国|德国|法国|瑞士|瑞典|开曼|维尔京|百慕大|伦敦|巴黎|纽约|东京|日内瓦|斯德哥尔摩|[\u4e00-\u9fff]{2}(?:省|市|县|州|岛)"
)
_COLLECTIVE = re.compile(
    r"双方|各方|[任每]何?一方|一方|守约方|违约方|对方|\b(?:both|either|each|neither|a|any|one|the other) part(?:y|ies)\b|\bthe parties\b|\bthe other\b"
    r"|\b(?:стороны|сторон|сторона|сторону|стороной|стороне)\b",
    re.IGNORECASE,
)
"""Words for whoever it is of the parties: a duty that is made mutual names them so."""
_DEFINED = (
    re.compile(r"[“\"«](?P<term>[^”\"»\n]{2,40})[”\"»]\s{0,2}(?:是指|系指|指|means?\b|shall mean|has the meaning|означает)"),
    re.compile(r"(?:以下简称|下称|简称|далее\s?[–—-]|hereinafter|the|collectively)[^“\"«（(\n]{0,20}[“\"«](?P<term>[^”\"»\n]{2,40})[”\"»]", re.IGNORECASE),
    re.compile(r"[(（]\s?[“\"«](?P<term>[^”\"»\n]{2,40})[”\"»]\s?[)）]"),
)  # fmt: skip
_SEGMENT = re.compile(r"[，,；;。.!?！？\n]")


class Moved(Record, frozen=True):
    """What of one kind a proposal takes out and puts in, and whether that was asked for."""

    kind: Kind
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    asked: bool = True


@lru_cache(maxsize=8)
def defined_terms(text: str) -> tuple[str, ...]:
    """The terms that a contract defines, as they are written, each once."""
    found = (match["term"].strip() for form in _DEFINED for match in form.finditer(text))
    return tuple(dict.fromkeys(found))


def moves(before: str, after: str, *, named: str, by_rule: bool, contract: str) -> tuple[Moved, ...]:
    """What a replacement of ``before`` by ``after`` moves; empty where it moves nothing that is guarded.

    What is asked for is decided narrowly, so that a doubt refuses the proposal. ``named`` is the finding's own words: a number
    that it names may change. ``by_rule`` says that a rule, bound or playbook wrote the wording and not a model: then what
    it brings in was asked for by whoever wrote the rule. ``contract`` is the whole text, of whose parties and terms it may speak.
    """
    found = (
        _numbers(before, after, named, by_rule=by_rule),
        _parties(before, after, contract),
        _negations(before, after),
        _names(before, after, named, contract, by_rule=by_rule),
        _terms(before, after, defined_terms(contract)),
    )
    return tuple(one for one in found if one is not None)


def proved(before: str, after: str, contract: str) -> bool:
    """Whether it is sure that nothing guarded moves: the edit keeps its passage's own words, and no word that may be a name differs.

    A whole new sentence is never proved: what its words mean to the deal, no comparison of them can tell.
    """
    if moves(before, after, named="", by_rule=True, contract=contract) or not is_edit(before, after):
        return False
    was, now = ({one.casefold() for one in _CAPITAL.findall(nfkc(text))} for text in (before, after))
    words = [set(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", nfkc(text).casefold())) for text in (before, after)]
    # What begins a sentence may be a name or not; either way it is in both versions.
    return was <= words[1] and now <= words[0]


def is_edit(before: str, after: str) -> bool:
    """Whether a replacement edits the words that stand there: half of them stay, and no more come than stay."""
    kept = kept_of(before, after)
    return kept >= _KEPT and added_to(before, after) <= max(kept, 1 - kept)


_KEPT = 0.5


def number_words(text: str) -> list[tuple[str, str]]:
    """The numbers that a text has in Russian and English words, by value, each with its words; half, twice and tenth as they stand."""
    plain = nfkc(text).lower()
    words, at = _WORD.findall(plain), 0
    found = [(one, one) for one in _MANIFOLD.findall(plain)]
    while at < len(words):
        for length in range(_MOST_WORDS, 0, -1):
            written = " ".join(words[at : at + length])
            value = parse_number(written)
            if value is not None and at + length <= len(words):
                found.append((f"{value:g}", written))
                at += length - 1
                break
        at += 1
    return found


def counted(text: str) -> list[tuple[str, str]]:
    """Every number of a text by value, in digits and in words, each as it is written there; none in "neither party" or 一方."""
    plain = _NO_NUMBER.sub("", nfkc(text))
    figures = written_numbers(plain)
    return [(one, figures.get(one, one)) for one in numbers(plain)] + number_words(plain)


def _numbers(before: str, after: str, named: str, *, by_rule: bool) -> Moved | None:
    was, now, told = ([value for value, _ in counted(one)] for one in (before, after, named))
    lost, gained = _less(was, now), _less(now, was)
    asked = set(lost) <= set(told) and (by_rule or set(gained) <= set(told))
    return _moved("number", lost, gained, asked=asked)


def _parties(before: str, after: str, contract: str) -> Moved | None:
    """A named party may become "either party"; another named party in its place is another deal."""
    was, now = set(_named(before)), set(_named(after))
    lost, gained = sorted(was - now), sorted(now - was)
    made_mutual = _COLLECTIVE.search(nfkc(after)) is not None
    known = _named_in_all(contract)
    asked = (not lost or made_mutual) and set(gained) <= known and not (lost and gained)
    return _moved("party", lost, gained, asked=asked)


def _named(text: str) -> list[str]:
    """The parties by their words' stems; one that only the table of roles knows, by its usual name."""
    stems = parties(text)
    roles = (
        (one.party.name[spoken].lower(), text[one.start : one.end].lower())
        for spoken in _SPOKEN
        for one in mentions(text, spoken)
    )
    known = [name for name, words in roles if not any(stem in words or words in stem for stem in stems)]
    return [one for one in (*stems, *known) if not _COLLECTIVE.fullmatch(one)]


# Every proposal asks this of the whole contract: of five thousand, each would read a megabyte anew.
@lru_cache(maxsize=2)
def _named_in_all(contract: str) -> frozenset[str]:
    return frozenset(_named(contract))


@lru_cache(maxsize=2)
def _capitals_in_all(contract: str) -> frozenset[str]:
    return frozenset(_inner_capitals(contract))


_SPOKEN = ("zh", "ru", "en")


def _names(before: str, after: str, named: str, contract: str, *, by_rule: bool) -> Moved | None:
    """Places and other proper names: capitals within a sentence, or at its begin where the contract writes them so elsewhere."""
    inside = _capitals_in_all(contract) | set(_inner_capitals(before)) | set(_inner_capitals(after))
    was, now = (_proper(one, inside, defined_terms(contract)) for one in (before, after))
    lost, gained = _less(was, now), _less(now, was)
    return _moved("name", lost, gained, asked=by_rule or all(one in named for one in (*lost, *gained)))


def _proper(text: str, inside: AbstractSet[str], terms: Sequence[str]) -> list[str]:
    plain = nfkc(text)
    words = [one for one in _CAPITAL.findall(plain) if one in inside and not parties(one) and not _is_role(one)]
    return [one for one in words if not any(one in term for term in terms)] + _PLACES.findall(plain)


def _is_role(word: str) -> bool:
    return any(True for spoken in ("ru", "en") for _ in mentions(word, spoken)) or _COLLECTIVE.search(word) is not None


def _inner_capitals(text: str) -> list[str]:
    plain = nfkc(text)
    return [
        one[0] for one in _CAPITAL.finditer(plain) if not _OPENS.search(plain[max(0, one.start() - 12) : one.start()])
    ]


def _negations(before: str, after: str) -> Moved | None:
    """The accused words often are a negation ("no liability"); a second one in the passage is a rule of its own."""
    lost, gained = _less(negations(before), negations(after)), _less(negations(after), negations(before))
    said = folded(after)
    gone = [one for one in _SEGMENT.split(folded(before)) if negations(one) and one.strip() not in said]
    return _moved("negation", lost, gained, asked=len(lost) == 0 or len(gone) <= 1)


def _terms(before: str, after: str, terms: Sequence[str]) -> Moved | None:
    lost = [one for one in terms if one in before and one not in after]
    gained = [one for one in terms if one in after and one not in before]
    return _moved("defined term", lost, gained, asked=not lost and not gained)


def _moved(kind: Kind, lost: Iterable[str], gained: Iterable[str], *, asked: bool) -> Moved | None:
    out, into = tuple(lost), tuple(gained)
    return Moved(kind=kind, lost=out, gained=into, asked=asked) if out or into else None


def _less(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple((Counter(one) - Counter(other)).elements())
