"""Acts that an act says it repeals: its closing provisions name them, and a compilation may still hold their texts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchbar.languages.text import nfkc
from benchbar.law.history import full_name
from benchbar.records import Article, LawVersion

_LAST_ARTICLES = 4
_LONGEST = 20_000
"""Characters of the closing articles that are read."""
_ZH_END = re.compile(r"(?:废止|停止执行|停止施行)(?=[，,]|$)")
_ZH_NAME = re.compile(r"《((?:[^《》]|《[^《》]{1,80}》){2,120})》")
# A part of an act, or what in it is against the new one, is no act that is gone.
_ZH_PART = re.compile(
    r"第[一二三四五六七八九十百零\d]{1,8}(?:条|章|款|项)|抵触|不一致|部分|有关规定|不得|应当|决定废止|可以|予以公布"
)
_RU_REPEAL = re.compile(r"утра(?:тивш\w{2,3}|чива\w{2,3})\s+силу", re.IGNORECASE)
# Whole acts stand in the nominative: of «статью 5 Федерального закона» one article goes.
_RU_NAME = re.compile(
    r"(?:^|[;:)\n]|силу)\s{0,4}(?:\d{1,3}[).]\s{0,4}|[а-я]\)\s{0,4}|-\s{0,4})?"
    r"((?:Федеральный\s(?:конституционный\s)?закон|Закон\s(?:РФ|РСФСР|Российской\sФедерации)|(?:[А-Я]\w{3,20}\s){1,3}кодекс)[^;\n]{0,400})"
)
_RU_NUMBER = re.compile(r"(?:N|№)\s?(\d{1,4}(?:-[\dIVX]{1,4})?(?:-Ф(?:КЗ|З))?)\b")
_EN_WORD = r"(?:[A-Z][\w’'-]{0,30},?|and|of|the|for|in|to|etc\.?|\([A-Z][\w\s]{2,40}\))"
# It begins a sentence or an item: of "Section 4 of the … Act" a part goes.
_EN_NAME = re.compile(
    rf"(?:^|[.;:\n]\s{{0,4}}|\(\w{{1,4}}\)\s)(?:The\s)?([A-Z][\w’'-]{{0,30}}(?:\s{_EN_WORD}){{0,14}}?"
    r"\s(?:Act|Ordinance|Regulations?|Rules|Order|Code),?\s(?:1[5-9]|20)\d\d)(?:\s\([^)]{1,30}\))?"
    r"\s(?:is|are)\s(?:hereby\s)?(?:repealed|revoked)\b(?!\sin\spart|\sso\sfar|\sto\sthe\sextent)"
)


def with_repeals(
    versions: Mapping[str, LawVersion], articles: Mapping[str, Sequence[Article]]
) -> dict[str, LawVersion]:
    """The versions, each with the acts among them that its own closing provisions repeal.

    An act that begins on the same day or later is another one of that name, as an act that is amended by its own successor.
    """
    named = defaultdict[str, list[LawVersion]](list)
    for version in versions.values():
        for name in {version.name, *_number(version)}:
            named[_key(name)].append(version)
    found = dict[str, LawVersion]()
    for law_id, version in versions.items():
        old = [
            one.law_id
            for name in said_repealed("\n".join(each.text for each in articles.get(law_id, ())[-_LAST_ARTICLES:]))
            for one in named.get(_key(name), ())
            if _before(one, version)
        ]
        found[law_id] = (
            msgspec.structs.replace(version, repeals=tuple(dict.fromkeys((*version.repeals, *old)))) if old else version
        )
    return found


def said_repealed(text: str) -> tuple[str, ...]:
    """The acts that a text says are repealed as a whole, by the names or Russian numbers that it gives them."""
    plain = text[-_LONGEST:]
    return tuple(dict.fromkeys((*_chinese(plain), *_russian(plain), *(match[1] for match in _EN_NAME.finditer(plain)))))


def _chinese(text: str) -> Iterator[str]:
    for sentence in re.split(r"[。；\n]", text):
        ends = [match.end() for match in _ZH_END.finditer(sentence)]
        said = sentence[: ends[-1]] if ends else ""
        if not _ZH_PART.search(_ZH_NAME.sub("", said)):
            yield from (match[1] for match in _ZH_NAME.finditer(said))


def _russian(text: str) -> Iterator[str]:
    start = _RU_REPEAL.search(text)
    for match in _RU_NAME.finditer(text, start.start()) if start else ():
        number = _RU_NUMBER.search(match[1])
        if number and "за исключением" not in match[1]:
            yield number[1]


def _before(old: LawVersion, new: LawVersion) -> bool:
    if old.law_id == new.law_id or old.jurisdiction != new.jurisdiction or full_name(old) == full_name(new):
        return False
    begins, began = new.in_force or new.adopted, old.in_force or old.adopted
    return bool(begins and began and began < begins)


def _number(version: LawVersion) -> Iterator[str]:
    if found := _RU_NUMBER.search(version.name):
        yield found[1]


def _key(name: str) -> str:
    return re.sub(r"[《》〈〉<>,\s]|中华人民共和国", "", nfkc(name)).lower()
