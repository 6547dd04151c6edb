"""Points of rulings and decrees in Russian: п. 78 постановления Пленума, пункт 5 того же приказа."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.law.articles_ru import ARTICLE
from benchbar.law.mention import Mention
from benchbar.law.names_ru import DATE, DECREE, EDITION, OTHER_POINTS, PLENUM, TITLED, clean
from benchbar.law.parts_ru import Parts, pair, parts_at
from benchbar.law.scan_ru import Scan


def points_of_a_ruling(scan: Scan, start: int, plenum: re.Match[str], parts: Parts) -> Iterator[Mention]:
    """``п. 78 постановления Пленума…``, and ``Постановление Пленума… (пункт 78)``; none where no point is cited."""
    end = plenum.end()
    title = _TITLE_BEHIND.match(scan.text, end)
    if not parts and (opening := _POINTS_BEHIND.match(scan.text, title.end() if title else end)):
        parts, end = parts_at(scan.text, opening.end())
        # "постановление № 25, п. 1 ст. 10 ГК РФ": the part is the article's, and that before a further decree is that one's.
        others = (ARTICLE, PLENUM, DECREE, OTHER_POINTS, RULING_NAMED)
        parts = [] if any(one.match(scan.text, end) for one in others) else parts
    # Of an article that the title names nothing is said: «О применении статьи 333 ГК РФ». Other words in quotation marks may be the ruling's.
    told = title.end() if title and _BEGINS_A_TITLE.search(title[0]) else plenum.end()
    scan.position = max(told, end if parts else 0)
    # Rules go by the decree that they were approved by.
    law = clean(plenum.groupdict().get("approved_by") or _TITLED.sub("", plenum[0]))
    scan.rulings.append((law, plenum[0].lower()))
    yield from _each_point(scan, start, parts, law=law)


_TITLED = re.compile(rf"{TITLED}(?=\s{DATE}|\s?(?:№|N))")
_TITLE_BEHIND = re.compile(
    # What it is about may stand in brackets before its point: (о неустойке), п. 71.
    rf"(?:{EDITION})?{TITLED}|{EDITION}|\s\((?:об?|по)\s[^()\n]{{3,120}}\)(?=,?\s(?:п\.|пункт|абз))"
)
_BEGINS_A_TITLE = re.compile(r"[«\"“](?:О|Об|Обзор[а-я]?|По)\s|\(")
_POINTS_BEHIND = re.compile(r"\s?[(,:]\s?(?:в\s)?|\s(?:в\s)?(?=п\.|пункт|абз)")


def _each_point(scan: Scan, start: int, parts: Parts, *, law: str = "", antecedent: str = "") -> Iterator[Mention]:
    by_kind = dict(parts)
    points = by_kind.get("item", ())
    # пп. з) ч. 3 of a decree: the letter is below the number.
    if points and points[0].isalpha() and "paragraph" in by_kind:
        by_kind, points = {"indent": [*points]}, by_kind["paragraph"]
    indents = by_kind.get("indent", by_kind.get("subitem", [""]))
    # п. 9 with its indent, and п. 10 behind it without one.
    further = [pair(one) for one in by_kind.get("further", ())] if by_kind.get("item") is points else []
    for point, below in (*((one, indents) for one in points), *((one, [item]) for one, item in further)):
        for indent in below:
            yield Mention(
                span=(start, scan.position),
                text=scan.text[start : scan.position],
                language="ru",
                law=law,
                antecedent=antecedent,
                article=point,
                paragraph=indent,
            )


_OF_DECREE = r"(?P<{}>постановлени|распоряжени|указ|приказ|инструкци|(?:информационн\w{{2,3}}\s)?письм)\w{{0,3}}"
RULING_NAMED = re.compile(
    rf"(?:(?:того\sже|названного|указанного|этого|данного)\s{_OF_DECREE.format('same')}"
    rf"|{_OF_DECREE.format('kind')}(?:\s{DATE})?\s(?P<number>(?:№|N)\s?[\d/]{{1,7}}))(?![\d/-])",
    re.IGNORECASE,
)


def points_of_a_named_ruling(scan: Scan, start: int, named: re.Match[str], parts: Parts) -> Iterator[Mention]:
    """``п. 6 того же постановления``, ``пункт 5 Приказа № 7``: points of a decree that was named before; none where none was."""
    number, kind = re.sub(r"[^\d/]", "", named["number"] or ""), (named["same"] or named["kind"]).lower().split()[-1]
    meant = (
        law
        for law, words in reversed(scan.rulings)
        if (kind in words or (kind == _RULING and "пленум" in words))
        and (not number or re.search(rf"(?:№|N)\s?{number}(?![\d/])", law))
    )
    # Пленум ВС РФ в п. 9 постановления от … № 2: the plenum stands in front.
    of_plenum = number and kind == _RULING
    plenum = _PLENUM_BEFORE.search(scan.text, max(0, start - _PLENUM_REACH), start) if of_plenum else None
    if ruling := next(meant, "") or (plenum and clean(f"{plenum[1]} {named[0]}")):
        scan.position = named.end()
        yield from _each_point(scan, start, parts, antecedent=ruling)
    # Only the president issues such: п. 9 Указа № 647.
    elif number and kind == "указ":
        scan.position = named.end()
        yield from _each_point(scan, start, parts, law=clean(named[0]))


_RULING = "постановлени"
_PLENUM_REACH = 60
_PLENUM_BEFORE = re.compile(
    r"(Пленум\w{0,2}\s(?:ВС|ВАС|Верховного\sСуда|Высшего\sАрбитражного\sСуда)(?:\s(?:РФ|Российской\sФедерации))?)[^.;]{0,24}$"
)
