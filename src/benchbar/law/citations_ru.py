"""Citations in Russian: статьи with their части and пункты, codes by name or abbreviation, дела and определения."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from benchbar.law.mention import Mention, places

_NUMBER = r"\d{1,4}(?:[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,2}|(?:[.\u2011-]\d{1,3}){0,3})"
_LIST = rf"(?:с\s)?{_NUMBER}(?:(?:\s?,\s?|\s?[-–—]\s?|\s(?:и|или|по|до)\s){_NUMBER}){{0,30}}"
_PART_WORD = (
    r"(?:п\.?\s?п\.|ч\.?\s?ч\.|подп\.|пп\.|п\.|ч\.|абз\.|подпункт\w{0,3}|пункт\w{0,3}|част\w{1,4}|абзац\w{0,3})"
)
_PART_NUMBER = r"(?:[«\"“]?[\wа-яё]{1,12}[»\"”]?(?:\.\d{1,2}){0,2})"
_PARTS = re.compile(
    rf"(?:(?P<word>{_PART_WORD})\s{{0,3}}(?P<value>{_PART_NUMBER}(?:(?:\s?,\s?|\sи\s|\s?[-–—]\s?)(?:\d{{1,3}}(?:\.\d{{1,2}})?|[«\"“][а-я][»\"”])){{0,10}})(?:\s?,)?\s{{0,3}})",
    re.IGNORECASE,
)
_SAME_PART = re.compile(r"(?:и|или|,)\s{1,2}")
_ARTICLE = re.compile(
    rf"(?<![\w.])(?:стат(?:ья|ьи|ье|ью|ей|ьей|ьёй|ьям|ьями|ьях)|ст\.?\s?ст\.|ст\.?)\s{{0,3}}({_LIST})(?![\d])",
    re.IGNORECASE,
)
# Of the Russian Federation, or of another country, which must not be lost: its code is another law.
_COUNTRY = (
    r"(?:\s{1,3}Российской\s{1,3}Федерации|\s{1,3}РФ|\s{1,3}России|\s{1,3}(?:РСФСР|СССР|УССР|БССР|ЕАЭС|СНГ|РБ|РК)(?![\wа-яё])|\s{1,3}Республики\s[А-ЯЁ][а-яё]{3,20}"
    r"|\s{1,3}(?-i:[А-ЯЁ][а-яё]{2,14}(?:ии|аны|ины|уси|ана|цы))(?![\wа-яё]))?"
)
_CODE_SHORT = (
    r"(?:ГК|ЖК|ЗК|ГрК|ГПК|АПК|ТК|СК|УК|УПК|НК|БК|КоАП|КАС|ЛК|ВК|ВзК|УИК|ТмК|КТМ|КВВТ|З[оО]?ЗПП|ЕКПЧ|ГГУ)(?:РФ)?"
    rf"{_COUNTRY}(?![\wа-яё])"
)
_ADJECTIVES = (
    r"(?:Гражданск|Жилищн|Земельн|Градостроительн|Трудов|Семейн|Уголовн|Налогов|Бюджетн|Лесн|Водн|Арбитражн"
    r"|Уголовно-исполнительн|Уголовно-процессуальн|Воздушн|Таможенн|Хозяйственн|Торгов|Модельн)"
)
_CODE_LONG = (
    rf"(?:{_ADJECTIVES}(?:ый|ий|ой|ого|ому|ым|ом|им)(?:\s{{1,3}}процессуальн\w{{2,3}})?\s{{1,3}}кодекс\w{{0,2}}"
    r"|Кодекс\w{0,2}\s{1,3}(?:Российской\s{1,3}Федерации\s{1,3})?(?:РФ\s{1,3})?об\s{1,3}административных\s{1,3}правонарушениях"
    r"|Кодекс\w{0,2}\s{1,3}административного\s{1,3}судопроизводства|Конституци\w{1,2}|КЗоТ(?:а|у|ом|е)?|Кодекс\w{0,2}\s(?:законов\sо\sтруде|Наполеона|торгового\sмореплавания|внутреннего\sводного\sтранспорта)"
    r"|Основ\w{0,2}\sзаконодательства(?:\sРоссийской\sФедерации|\sРФ)?\sо\s[а-яё]{4,14}"
    rf"|(?-i:[А-ЯЁ])[а-яё]{{3,14}}(?:ого|ое|ому|ом|им)\s(?:гражданск|торгов|уголовн)\w{{2,3}}\sуложени\w{{1,2}}"
    r"|(?:(?:Европейск|Венск|Гаагск|Нью-Йоркск|Женевск|Парижск|Бернск)\w{2,3}\s)?Конвенци\w{1,2}(?:\s\d{4}\s(?:года|г\.)|\s(?:о\sзащите\sправ\sчеловека(?:\sи\sосновных\sсвобод)?|о\sправах\s(?:реб[её]нка|инвалидов)))?)"
    rf"{_COUNTRY}"
)
_CODE_PART = re.compile(
    r"\s{0,2}част(?:и|ью|ь)\s(?:перв|втор|треть|четв[её]рт)\w{1,3}(?=\s(?:ГК|Гражданск|НК|Налогов))", re.IGNORECASE
)
"""A part of a code, which is no part of the article: статья 1117 части третьей ГК РФ."""
_ACT = (
    r"(?:Федеральн\w{2,3}\s(?:конституционн\w{2,3}\s)?закон\w{0,2}|Закон\w{0,2}(?:\sРФ|\sРоссийской\sФедерации|\sРСФСР|\sСССР"
    # Of a part of the federation: Закон г. Москвы, Закон Московской области.
    r"|\sг(?:\.|орода)\s(?-i:[А-ЯЁ])[\wё-]{3,20}|\s(?-i:[А-ЯЁ])[а-яё-]{3,24}(?:ой|ого)\s(?:области|края)|\sРеспублики\s(?-i:[А-ЯЁ])[а-яё]{3,20})?|ФК?З(?:[-–]\d{1,4}(?![-\d]))?|\d{1,4}-ФК?З)"
    r"(?:\sот\s\d{1,2}(?:\.\d{1,2}\.|\s[а-я]{3,8}\s)\d{4}(?:\s?г(?:ода|\.)?)?)?(?:\s?(?:№|N)\s?\d{1,4}(?:/\d{4})?(?:-(?:\d|I))?(?:-(?:ФК?З|ОЗ|ЗО|КЗ|З))?)?"
    r"(?:\s[«\"“][^»\"”\n]{2,160}[»\"”])?"
)
_NICKNAME = (
    r"(?:Федеральн\w{2,3}\s)?Закон\w{0,2}\s(?:РФ\s)?об?\s(?:ООО|АО|ОСАГО|обществах\sс\sограниченной\sответственностью|защите\sправ\sпотребителей|персональных\sданных|исполнительном\sпроизводстве"
    r"|(?:участии\sв\s)?долевом\sстроительстве|регистрации\sнедвижимости|акционерных\sобществах"
    r"|несостоятельности\s\(банкротстве\)|банках\sи\sбанковской\sдеятельности|воинской\sобязанности\sи\sвоенной\sслужбе|рынке\sценных\sбумаг|защите\sконкуренции"
    # An adjective needs its noun: Закон о контрактной системе.
    r"|[а-яё]{3,30}(?:ой|ых|их|ном|ском)\s[а-яё]{3,30}|[а-яё]{3,30})"
)
_TITLE = r"[«\"“]Об?о?\s[^»\"”\n]{3,160}[»\"”]"
"""A law by its title alone: статья 4 «О защите прав потребителей»."""
_DATE = r"от\s\d{1,2}(?:\.\d{1,2}\.|\s[а-я]{3,8}\s)\d{4}(?:\s?г(?:ода|\.)?)?"
_HIGH_COURT = r"(?:ВС|ВАС|Верховного\sСуда|Высшего\sАрбитражного\sСуда)(?:\s(?:РФ|Российской\sФедерации))?"
_NUMBER_OF_RULING = r"(?:№|N)\s?\d{1,3}(?:/\d{1,3})?"
_PLENUM = re.compile(
    # The number may stand in front of the plenum or behind the date; one there must be.
    rf"(?=[^\n;]{{5,140}}?{_NUMBER_OF_RULING})(?:совместн\w{{2,3}}\s)?(?:ПП\s?(?:ВС|ВАС)(?:\sРФ)?|постановлени\w{{1,3}}(?:\s{_NUMBER_OF_RULING})?\s{{1,2}}пленум\w{{0,2}}(?:\s{{1,2}}{_HIGH_COURT})?"
    rf"(?:\sи\s(?:Пленума\s)?{_HIGH_COURT})?)(?:\s{_DATE})?(?:(?<=\s)|\s{{0,2}})(?:{_NUMBER_OF_RULING})?"
    rf"(?:(?:,|\sи)\s(?:Пленума\s)?{_HIGH_COURT}\s?{_NUMBER_OF_RULING})?(?:\s{_DATE})?(?![\d/-])",
    re.IGNORECASE,
)
"""A ruling of a plenum: law in its points, which stand where a statute has articles."""
_DECREE = re.compile(
    r"(?:(?:постановлени|распоряжени)\w{1,3}\sПравительства(?:\s(?:РФ|Российской\sФедерации))?|указ\w{0,2}\sПрезидента(?:\s(?:РФ|Российской\sФедерации))?"
    rf"|приказ\w{{0,2}}\s(?-i:[А-ЯЁ])[\wа-яё]{{2,30}}(?:\s(?:России|РФ))?)\s{_DATE}\s?(?:№|N)\s?\d{{1,5}}[а-я]?(?![\d/-])",
    re.IGNORECASE,
)
"""What government, president and ministries decree is cited by its points too."""
_NAMED_ACT = re.compile(rf"{_ACT}(?<=[З0-9»\"”])")
_LAW = re.compile(rf"\s{{0,3}}({_CODE_SHORT}|{_CODE_LONG}|{_NICKNAME}|{_ACT}|{_TITLE})", re.IGNORECASE)
_LAW_ANYWHERE = re.compile(rf"(?<![\wа-яё])(?:{_CODE_SHORT}|{_CODE_LONG})")
_SAME_LAW = re.compile(
    r"\s{0,2}(?:(?:настоящего|этого|данного|указанного|названного|того\sже|вышеуказанного)\s(?:Кодекса|закона)|Кодекса|Закона)(?![\wа-яё])"
    r"(?!\s(?:РФ|Росс|РСФСР|СССР|административн|торгов|внутренн|законов|г\.|города|(?-i:[А-ЯЁ])[а-яё-]+(?:ой|ого)\s(?:обл|кра)|Респ|от\s\d|об?\s|[№N«\"“]))",
    re.IGNORECASE,
)
_SAME_ARTICLE = re.compile(r"(?:той\sже|этой\sже|этой|указанной|данной|названной)\sстать[иеей]{1,2}(?![\wа-яё])")
_CONTRACT = re.compile(
    r"\s{0,2}(?:\w{1,20}\s){0,2}(?:договор|контракт|соглашени|устав|правил|положени|оферт)\w{0,3}",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"(?<![\wА-я])(?:(?P<court>[АAСCФF]\d{2})\s?[-–]\s?(?P<number>\d{1,7})\s?[/=]\s?(?P<year>\d{4}|\d{2})(?!\d)"
    # Capitals too: decisions begin with ОПРЕДЕЛЕНИЕ, and headings with Дело. The number may be that of a law or of a paper.
    r"|(?i:дел[оаеу]м?|определени\w{1,3}|постановлени\w{1,3}|решени\w{1,3}|приговор\w{0,2})(?P<between>[^№N\n]{0,90}?)[№N]\s?"
    r"(?!\d{1,4}-(?:ФК?З|1(?!\d)))(?P<other>\d{2}RS\d{4}-\d\d-\d{4}-\d{6}-\d\d|[0-9А-ЯA-Zа-я]{1,7}(?:[-–/][0-9А-ЯA-Zа-я]{1,9}){1,5}))"
)
_NOT_OF_A_COURT = re.compile(
    r"пленум|договор|контракт|сч[её]т|\bакт|лицензи|закон|письм|приказ|доверенн|паспорт|правительств|администраци|налогов",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(?<![\wа-яё.])(?=[СсS][тТ]|[ПпЧчАа](?:\.|\s?п\.|одп|ункт|аст|бз)|(?i:дел|определ|постановл|решен|пригов)|[АAСCФF]\d\d|[А-Я][а-я]{0,2}К|[А-Я][а-я]{4})"
)
# What joins the articles of one list, each with parts of its own: п. 2 ст. 434, ст. 438 и п. 3 ст. 438 ГК РФ.
_JOINT = re.compile(r"\s{0,2}(?:,|;)?\s{0,2}(?:и|а\sтакже|или|либо)?\s{0,2}$")
# Behind another instrument a bare article may be that instrument's.
_OTHER_INSTRUMENT = re.compile(
    r"\b(?:Правил|Положени|Инструкци|Порядк|Приказ|Регламент|договор|контракт|устав|соглашени)\w{0,3}"
)
_REACH = 600
PARAGRAPHS = "numbers"


@dataclass(slots=True)
class _Scan:
    """How far the text was read, and the law named last."""

    text: str
    position: int = 0
    current: str = ""
    named_at: int = -_REACH
    last: Mention | None = None
    chain: list[int] = field(default_factory=list)
    """Places of the mentions whose law may still be named further on in their list."""
    chain_end: int = 0
    rulings: list[str] = field(default_factory=list)
    """Rulings of a plenum that the text has named, for ``пункт 5 Постановления № 7``."""

    def name_law(self, name: str, end: int) -> None:
        self.current, self.named_at, self.position = name, end, end


def extract_mentions(text: str, known: frozenset[str]) -> Iterator[Mention]:  # noqa: ARG001 - names stand in capitals or quotes
    """The Russian citations of a text in order; a law named once holds for its list and for what goes back to it."""
    scan = _Scan(text)
    found: list[Mention] = []
    for event in places(_EVENT, scan):
        start = event.start()
        case = _CASE.match(text, start)
        if case and not (case["between"] and _NOT_OF_A_COURT.search(case["between"])):
            found.append(_decision(text, start, case))
            scan.position = case.end()
            continue
        parts, begin = _parts(text, start)
        if begin == start and (several := _WITH_BRACKETS.match(text, start)):
            found.extend(_each_with_brackets(scan, several))
        elif article := _ARTICLE.match(text, begin):
            _add_to_chain(scan, found, start, list(_articles(scan, start, article, parts)))
        elif ruling := _PLENUM.match(text, begin) or _DECREE.match(text, begin):
            found.extend(_points(scan, start, ruling, parts))
        elif parts and (again := _RULING_NAMED.match(text, begin)):
            found.extend(_points_again(scan, start, again, parts))
        elif parts and (same := _SAME_ARTICLE.match(text, begin)):
            found.extend(_other_part(scan, (start, same.end()), parts))
        elif law := _LAW_ANYWHERE.match(text, start) or _NAMED_ACT.match(text, start):
            scan.name_law(_clean(law[0]), law.end())
    return iter(found)


def _add_to_chain(scan: _Scan, found: list[Mention], start: int, mentions: list[Mention]) -> None:
    """Add the mentions; a law named with the last of a chain is the law of the whole chain."""
    if not _JOINT.fullmatch(scan.text, scan.chain_end, start) or start - scan.chain_end > _JOINT_LENGTH:
        scan.chain.clear()
    law = next((one.law for one in mentions if one.law), "")
    if law:
        for index in scan.chain:
            found[index] = replace(found[index], antecedent=law, bare=False)
        scan.chain.clear()
    elif mentions and mentions[0].bare:
        scan.chain += range(len(found), len(found) + len(mentions))
    scan.chain_end = scan.position
    found += mentions


_JOINT_LENGTH = 16


def _points(scan: _Scan, start: int, plenum: re.Match[str], parts: list[tuple[str, list[str]]]) -> Iterator[Mention]:
    """``п. 78 постановления Пленума…``, and ``Постановление Пленума… (пункт 78)``; none where no point is cited."""
    end = plenum.end()
    if not parts and (opening := re.compile(r"\s?[(,]\s?").match(scan.text, end)):
        parts, end = _parts(scan.text, opening.end())
    scan.position = max(plenum.end(), end if parts else 0)
    scan.rulings.append(_clean(plenum[0]))
    yield from _each_point(scan, start, parts, law=scan.rulings[-1])


def _each_point(
    scan: _Scan, start: int, parts: list[tuple[str, list[str]]], *, law: str = "", antecedent: str = ""
) -> Iterator[Mention]:
    by_kind = dict(parts)
    for point in by_kind.get("item", ()):
        for indent in by_kind.get("indent", by_kind.get("subitem", [""])):
            yield Mention(
                span=(start, scan.position),
                text=scan.text[start : scan.position],
                language="ru",
                law=law,
                antecedent=antecedent,
                article=point,
                paragraph=indent,
            )


_RULING_NAMED = re.compile(
    rf"(?:(?:того\sже|названного|указанного|этого|данного)\sпостановлени\w{{1,3}}|постановлени\w{{1,3}}\s(?P<number>{_NUMBER_OF_RULING}))(?![\d/-])",
    re.IGNORECASE,
)


def _points_again(
    scan: _Scan, start: int, named: re.Match[str], parts: list[tuple[str, list[str]]]
) -> Iterator[Mention]:
    """``п. 6 того же постановления``, ``пункт 5 Постановления № 7``: points of a ruling that was named before; none where none was."""
    number = re.sub(r"\D", "", named["number"] or "")
    meant = (one for one in reversed(scan.rulings) if not number or re.search(rf"(?:№|N)\s?{number}\b", one))
    if ruling := next(meant, ""):
        scan.position = named.end()
        yield from _each_point(scan, start, parts, antecedent=ruling)


def _other_part(scan: _Scan, span: tuple[int, int], parts: list[tuple[str, list[str]]]) -> Iterator[Mention]:
    """``часть 2 той же статьи``: another part of the article cited last."""
    if scan.last is None or span[0] - scan.last.span[1] > _REACH:
        return
    paragraphs, items = _paragraph_and_items(parts)
    one = replace(scan.last, span=span, text=scan.text[slice(*span)], law="", antecedent=scan.last.names, through="")
    for paragraph in paragraphs:
        for item in items:
            yield replace(one, paragraph=paragraph, item=item)
    scan.position = span[1]


def _articles(scan: _Scan, start: int, article: re.Match[str], parts: list[tuple[str, list[str]]]) -> Iterator[Mention]:
    text, end = scan.text, article.end()
    if of_code := _CODE_PART.match(text, end):
        end = of_code.end()
    remark = _REMARK.match(text, end)
    if remark and _LAW.match(text, remark.end()):
        end = remark.end()
    bracket = _OPENING.match(text, end)
    after, behind = _parts(text, bracket.end() if bracket else end + (text[end : end + 1] == " "))
    in_brackets = bracket is not None and "(" in bracket[0]
    closed = not in_brackets or text[behind : behind + 1] == ")"
    behind += in_brackets
    # ст. 14 ч. 2 УК РФ; ст. 35 (ч. 3) Конституции; ст. 30 ч. 3, ст. 158 ч. 1 УК РФ: the law stands behind the last.
    # The law may stand before it as well: ТК РФ: ст. 81, ч. 1, п. 5.
    # "(ст. 15, п. 1 ст. 393)" goes on with another article, whose part that is.
    led = 0 <= start - scan.named_at <= _RIGHT_BEFORE and not _ARTICLE.match(text, behind)
    if after and closed and (led or _LAW.match(text, behind) or _NEXT_IN_LIST.match(text, behind)):
        parts, end = parts + after, behind
    back, named = _SAME_LAW.match(text, end), _LAW.match(text, end)
    scan.position = end
    law = antecedent = ""
    bare = not (named or back)
    if named and not back:
        law, end = _clean(named[1]), named.end()
    elif _CONTRACT.match(text, end):
        return
    elif back or (start - scan.named_at < _REACH and not _OTHER_INSTRUMENT.search(text, scan.named_at, start)):
        antecedent, end = scan.current, back.end() if back else end
    for mention in _mentions(text, (start, end), article, parts):
        scan.last = replace(mention, law=law, antecedent=antecedent, bare=bare)
        yield scan.last
        law, antecedent = "", antecedent or law
    scan.position = end
    if named or back:
        scan.name_law(antecedent, end)


_RIGHT_BEFORE = 3
_OPENING = re.compile(r"\s\(|,\s(?=[пч]\.|пункт|част)")
_REMARK = re.compile(r"\s\([а-яё][а-яё\s,-]{3,80}\)")
"""What the article is about, said between its number and its law."""
_NEXT_IN_LIST = re.compile(r"(?<!\s)\s?[,;]\s?(?:и\s)?ст\.|(?<=,)\s?(?:и\s)?ст\.|(?<=,\s)ст\.")


def _each_with_brackets(scan: _Scan, several: re.Match[str]) -> Iterator[Mention]:
    """``статьи 19 (часть 1), 46 (части 1 и 2) и 55 Конституции``, as the Constitutional Court writes."""
    law, end = _clean(several["law"]), several.end()
    for member in _MEMBER.finditer(several["list"]):
        number, sub = (*member[1].partition("."),)[::2]
        at = several.start("list") + member.start()
        paragraphs, items = _paragraph_and_items(_parts(member[2] or "", 0)[0])
        for paragraph, item in [(p, i) for p in paragraphs for i in items]:
            scan.last = Mention(
                span=(at, at + len(member[0])),
                text=member[0],
                language="ru",
                antecedent=law,
                article=number,
                sub=sub,
                paragraph=paragraph,
                item=item,
            )
            yield scan.last
    scan.name_law(law, end)


_IN_BRACKETS = r"\((?:ч\.|п\.|част|пункт|абзац)[^()\n]{1,60}\)"
_WITH_BRACKETS = re.compile(
    rf"(?:ст\.|стат(?:ья|ьи|ье|ью|ей|ьей|ьёй|ьям|ьями|ьях))\s(?P<list>\d{{1,4}}(?:\.\d{{1,3}})?(?:\s{_IN_BRACKETS})?(?:(?:,|\sи|,\sи)\s\d{{1,4}}(?:\.\d{{1,3}})?(?:\s{_IN_BRACKETS})?){{1,12}}(?<=\)|\d))"
    rf"(?P<law>{_LAW.pattern})",
    re.IGNORECASE,
)
_MEMBER = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)(?:\s\(([^()]{1,60})\))?")


def _clean(name: str) -> str:
    return re.sub(r"\s+", " ", name).strip()


def _parts(text: str, start: int) -> tuple[list[tuple[str, list[str]]], int]:
    """``п. 2 ч. 1 ``: each part's kind with its numbers, and where they end."""
    parts: list[tuple[str, list[str]]] = []
    again = False
    # Abzac, podpunkt, punkt, chast, and two that are repeated: a citation has no further part.
    for _ in range(_MOST_PARTS):
        if not (found := _PARTS.match(text, start)):
            break
        values = [value for value in re.split(r"\s?,\s?|\sи\s|\s?[-–—]\s?", found["value"]) if value]
        values = [_ORDINALS.get(value.lower(), value.strip('«»"“”')) for value in values]
        if not all(re.fullmatch(r"\d{1,3}(?:\.\d{1,2})*|[а-я]", value) for value in values):
            break
        word = found["word"].lower()
        kind = "item" if word.startswith(("п", "аб")) else "paragraph"
        if (
            word.startswith("подп")
            or (
                word.startswith("пп")
                # "пп. 1 п. 2", and "п. 2 пп. 1" behind the article.
                and ((parts[-1:] and parts[-1][0] == "item") or re.match(r"\s?(?:п\.|пункт)", text[found.end() :][:8]))
            )
        ):
            kind = "subitem"
        if word.startswith("абз"):
            kind = "indent"
        start = found.end()
        # "ч. 1 и ч. 2 ст. 12.8": the same word again goes on with the list.
        if again and parts[-1][0] == kind:
            parts[-1][1].extend(values)
        else:
            parts.append((kind, values))
        again = False
        if (joint := _SAME_PART.match(text, start)) and (more := _PARTS.match(text, joint.end())):
            again = more["word"].lower()[0] == word[0]
            start = joint.end() if again else start
    return parts, start


# Each place may begin a chain: without a bound, "п. 1 п. 1 …" takes quadratic time.
_MOST_PARTS = 6


_ORDINALS = {
    f"{stem}{ending}": str(value)
    for value, stem in enumerate(
        ("перв", "втор", "треть", "четверт", "пят", "шест", "седьм", "восьм", "девят", "десят"), start=1
    )
    for ending in ("ой", "ая", "ый", "ого", "ом", "ую", "ей", "я", "ему", "его", "ем", "ым", "им")
} | {"третий": "3"}


def _mentions(
    text: str, span: tuple[int, int], article: re.Match[str], parts: list[tuple[str, list[str]]]
) -> Iterator[Mention]:
    """One mention for each article of the list, and for each part of the first one."""
    numbers = re.split(
        r"(\s?,\s?|\s?[–—]\s?|\s-\s|\s?(?<=\d)-(?=\d{3})\s?|\s(?:и|или|по|до)\s)", article[1].removeprefix("с ")
    )
    paragraph, items = _paragraph_and_items(parts)
    place = article.start(1)
    for index in range(0, len(numbers), 2):
        number = _RAISED.sub(lambda raised: f".{raised[0].translate(_LOWERED)}", numbers[index].replace("\u2011", "-"))
        whole, _, sub = number.partition("." if "." in number else "-")
        joint = numbers[index + 1] if index + 1 < len(numbers) else ""
        through = numbers[index + 2] if joint.strip() in {"-", "–", "—", "по", "до"} else ""
        own = (span[0] if not index else place, place + len(numbers[index]) if len(numbers) > 1 else span[1])
        place += len(numbers[index]) + len(joint)
        # Parts stand before the first article of a list: п. 1 ст. 10 и 168.
        for pair in [(p, i) for p in paragraph for i in items] if not index else [("", "")]:
            yield Mention(
                span=own,
                text=text[slice(*own)],
                language="ru",
                article=whole,
                sub=sub,
                paragraph=pair[0],
                item=pair[1],
                through=through,
            )


_RAISED = re.compile("[¹²³⁴⁵⁶⁷⁸⁹⁰]+")
_LOWERED = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹⁰", "1234567890")


def _paragraph_and_items(parts: list[tuple[str, list[str]]]) -> tuple[list[str], list[str]]:
    by_kind = dict(parts)
    paragraphs = by_kind.get("paragraph")
    items = by_kind.get("item")
    if paragraphs is None and items is not None:
        # In the codes the numbered parts of an article are called пункты: п. 2 ст. 552 is its second part.
        return items, by_kind.get("subitem", by_kind.get("indent", [""]))
    return paragraphs or [""], items or by_kind.get("subitem", by_kind.get("indent", [""]))


_LATIN_TO_CYRILLIC = str.maketrans("ABCEHKMOPTX", "АВСЕНКМОРТХ")


def case_number(court: str, number: str, year: str) -> str:
    """``А40-12345/2019`` from Latin or Cyrillic letters and a year of two or four digits."""
    full_year = year if len(year) == 4 else f"20{year}"
    letter = court[0].translate(_LATIN_TO_CYRILLIC).replace("F", "Ф")
    return f"{letter}{court[1:]}-{number}/{full_year}"


def _decision(text: str, start: int, case: re.Match[str]) -> Mention:
    if case["court"]:
        number = case_number(case["court"], case["number"], case["year"])
    else:
        number = case["other"].translate(_LATIN_TO_CYRILLIC).replace("–", "-")
        # Numbers of a judge and of a claim behind the year: А40-12345/19-45-678.
        inner = re.fullmatch(r"([А-Я]\d{2})-(\d{1,7})/(\d{4}|\d{2})(?:-\d{1,5}){0,3}", number)
        number = case_number(*inner.groups()) if inner else number
    return Mention(span=(start, case.end()), text=text[start : case.end()], language="ru", case_number=number)


def cite(name: str, short_names: Sequence[str], number: str, sub: str) -> str:
    """``ст. 10.1 УК``, ``ст. 10 Федерального закона «…»``; the name alone without a number."""
    if not number:
        return name
    abbreviation = next((short for short in short_names if " " not in short), "")
    called = abbreviation or name.replace("Федеральный закон", "Федерального закона", 1)
    return f"ст. {number}{'.' if sub else ''}{sub} {called}"
