"""Citations in Russian: статьи with their части and пункты, codes by name or abbreviation, дела and определения."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from benchbar.law.articles_ru import ARTICLE, LIST, NO_LAW, NOTE, WORD_OF_ARTICLE
from benchbar.law.case_numbers_ru import decision_at, further_decisions
from benchbar.law.mention import Mention
from benchbar.law.names_ru import (
    CODE_PART,
    DATE,
    DECREE,
    EDITION,
    LAW,
    LAW_ANYWHERE,
    NAMED_ACT,
    PLENUM,
    SAME_LAW,
    clean,
)
from benchbar.law.parts_ru import PART_WORD, Parts, below_the_item, pair, paragraph_and_items, parts_at
from benchbar.law.places_ru import PLACES
from benchbar.law.rulings_ru import RULING_NAMED, points_of_a_named_ruling, points_of_a_ruling
from benchbar.law.scan_ru import REACH, Scan, is_code

_NO_ARTICLE_BEFORE = re.compile(
    r"(?:(?:глав|раздел|подраздел|параграф|част|пункт|абзац|том|лист)[а-яё]{0,3}|гл\.|разд\.|ч\.|п\.|§|[№N])\s?(?:[\dIVX.]{1,6}(?:\s?[,–-]\s?|\sи\s)){0,6}$",
    re.IGNORECASE,
)
"""A chapter or part of a code is no article of it: глава 22 КАС РФ."""
_SAME_ARTICLE = re.compile(r"(?:той\sже|этой\sже|этой|указанной|данной|названной)\sстать[иеей]{1,2}(?![\wа-яё])")
_CONTRACT = re.compile(
    r"\s{0,2}(?:\w{1,20}\s){0,2}(?:договор|контракт|соглашени|устав|правил|положени|оферт)\w{0,3}",
    re.IGNORECASE,
)
# What joins the articles of one list, each with parts of its own: п. 2 ст. 434, ст. 438 и п. 3 ст. 438 ГК РФ; не по ст. 159, а по ст. 160.
_JOINT = re.compile(
    r"\s{0,2}(?:,|;|—|–)?\s{0,2}(?:и|а\sтакже|или|либо|а\sзатем|затем|далее|а\sравно|а\sне|но\sне|а|но)?\s{0,2}(?:(?:по|в|во|из|на|к|с|со|о|об)\s)?$"
)
# Behind another instrument a bare article may be that instrument's.
_OTHER_INSTRUMENT = re.compile(
    r"\b(?:Правил|Положени|Инструкци|Порядк|Приказ|Регламент|договор|контракт|устав|соглашени)\w{0,3}"
)
PARAGRAPHS = "numbers"


def extract_mentions(text: str, known: frozenset[str]) -> Iterator[Mention]:  # noqa: ARG001 - names stand in capitals or quotes
    """The Russian citations of a text in order; a law named once holds for its list and for what goes back to it."""
    scan = Scan(text)
    found: list[Mention] = []
    # With a space in front the first word begins behind one too, and what stands at n begins at n of the text.
    for event in PLACES.finditer(f" {text}"):
        if (start := event.start()) < scan.position:
            continue
        if decision := decision_at(text, start):
            found += [decision, *further_decisions(text, decision)]
            scan.position = found[-1].span[1]
            continue
        parts, begin = parts_at(text, start)
        if begin == start and (several := _WITH_BRACKETS.match(text, start)):
            _add_to_chain(scan, found, start, list(_each_with_brackets(scan, several)))
            _add_those_of_other_laws(scan, found)
        elif (article := ARTICLE.match(text, begin)) and not _is_of_none(text, article):
            _add_to_chain(scan, found, start, list(_articles(scan, start, article, parts)))
            _add_those_of_other_laws(scan, found)
        elif ruling := PLENUM.match(text, begin) or DECREE.match(text, begin):
            found.extend(points_of_a_ruling(scan, start, ruling, parts))
        elif parts and (again := RULING_NAMED.match(text, begin)):
            found.extend(points_of_a_named_ruling(scan, start, again, parts))
        elif parts and (same := _SAME_ARTICLE.match(text, begin)):
            found.extend(_other_part(scan, (start, same.end()), parts))
        elif law := LAW_ANYWHERE.match(text, start) or NAMED_ACT.match(text, start):
            _add_law_alone(scan, found, law)
    return iter(_with_the_law_behind(scan, found))


def _add_law_alone(scan: Scan, found: list[Mention], law: re.Match[str]) -> None:
    """Take in a law that no article stands before, and the articles behind it that have no word of their own."""
    scan.name_law(clean(law[0]), _behind_its_issue(scan.text, law.end()))
    scan.ahead = scan.position
    scan.laws.append((law.start(), scan.current))
    if further := _BEHIND_THE_CODE.match(scan.text, law.end()):
        at = further.start(further.lastindex or 0)
        _add_to_chain(scan, found, at, list(_articles(scan, at, further, [])))


def _behind_its_issue(text: str, end: int) -> int:
    """Where a law ends with the part, the day and the number that it was issued under: ГК РФ (часть первая) от 30.11.1994 N 51-ФЗ."""
    issue = _ISSUE.match(text, end)
    return issue.end() if issue else end


_ISSUE = re.compile(
    rf"(?:,?\s\(част[ьи]\s[а-яё]{{4,10}}\))?(?:,?\s{DATE}\s?(?:№|N)\s?\d{{1,4}}-ФК?З(?![а-яё]))?(?:{EDITION})?"
)
_PART_BEHIND = r"(?=,?\s?(?:ч\.?|п\.?|пп\.|част[ьи]|пункт)\s?[\d«])"
_BEHIND_THE_CODE = re.compile(
    rf"(?<=РФ):\s(?=\d[\d.]{{0,6}}(?:[,;)\n]|\.?$|\.\s))(?P<listed>{LIST})(?![\d.]*\d|\s?(?:%|[а-яё]))"
    # Without РФ a code's initials may be a company's: УК 15, п. 3 сметы.
    rf"|(?<=[КПа]),?\s(?=\d\d)(?!(?:19|20)\d\d)({LIST})(?=,?\s?(?:ч\.?|п\.?|част[ьи]|пункт)\s?\d{{1,2}}(?:\.\d)?\s?(?:[,;:!?)\n]|\.?$|\.\s))|(?<=РФ),?\s(?!(?:19|20)\d\d)({LIST}){_PART_BEHIND}",
    re.IGNORECASE,
)
"""Articles behind their code without a word for them: ТК РФ: 77, 80; УК 105, ч. 2."""


def _is_of_none(text: str, article: re.Match[str]) -> bool:
    """Whether a number right before its code counts chapters or parts (глава 22 КАС РФ), or is that of a statute in a gazette."""
    start = article.start()
    if text.startswith(", ", start - 2) and _OF_A_GAZETTE.search(text, max(0, start - _GAZETTE), start):
        return True
    return article[3] is not None and _NO_ARTICLE_BEFORE.search(text, max(0, start - 40), start) is not None


def _add_to_chain(scan: Scan, found: list[Mention], start: int, mentions: list[Mention]) -> None:
    """Add the mentions; a law named with the last of a chain is the law of the whole chain."""
    if not _JOINT.fullmatch(scan.text, scan.chain_end, start) or start - scan.chain_end > _JOINT_LENGTH:
        scan.chain.clear()
    law = next((one.names for one in mentions if one.names and not one.bare), "")
    if law:
        for index in scan.chain:
            found[index] = replace(found[index], antecedent=law, bare=False)
        scan.chain.clear()
    elif mentions and _NAMED_IN_FRONT.search(scan.text, max(0, start - _NAME_IN_FRONT), start):
        # Цифровой кодекс, ст. 4; ст. 15 ГК РФ: of a law that could not be read, and of no other one.
        scan.closed.add(mentions[0].span[0])
    elif mentions and mentions[0].bare:
        scan.chain += range(len(found), len(found) + len(mentions))
    scan.chain_end = scan.position
    found += mentions


_JOINT_LENGTH = 24
_NAME_IN_FRONT = 90
_INSTRUMENT_WORD = (
    r"(?:[Кк]одекс|[Зз]акон|[Уу]став|[Рр]егламент|[Пп]оложени|[Пп]равил|[Ии]нструкци|[Сс]оглашени|[Дд]оговор|[Уу]каз)"
)
# With words of its own behind it: a breach of the contract (ст. 309, ст. 310 ГК РФ) names nothing.
_NAMED_IN_FRONT = re.compile(
    r"(?:(?:Кодекс|Закон|Устав|Регламент|Положени|Правил|Инструкци)[а-яё]{0,4}\s[^,.;:()\n]{1,60}|[»\"”](?:\s(?:№|N)\s?[\w-]{1,12})?)\s?(?:,|:|\(|—|–)\s?(?:по\s|в\s|см\.\s|(?:п|ч|абз)\.\s?\d[\d.]*\s){0,2}$"
)
"""A name that ends right before the article."""


def _add_those_of_other_laws(scan: Scan, found: list[Mention]) -> None:
    """``ст. 15 ГК РФ и 56 ГПК РФ``: what follows a law that was just named, with a law of its own."""
    while scan.current and (further := _OF_ANOTHER_LAW.match(scan.text, scan.position)):
        _add_to_chain(scan, found, further.start(1), list(_articles(scan, further.start(1), further, [])))


def _with_the_law_behind(scan: Scan, found: list[Mention]) -> Iterator[Mention]:
    """An article for which no law was named before is of the law that its sentence names further on.

    В статье 1152 сказано о принятии, в статье 1154 ГК РФ — о сроке. По статьям 228 и 105 судят, как гласит УК РФ. It stays marked as bare:
    nothing but the sentence ties it to the law.
    """
    text, laws = scan.text, scan.laws.copy()
    law, begin, ordered = "", len(text), list[Mention]()
    for one in reversed(found):
        while laws and laws[-1][0] >= one.span[1]:
            begin, law = laws.pop()
        if one.law and one.article and not _IN_POINTS.match(one.law):
            law, begin = one.law, one.span[0]
        elif one.article and not one.names:
            between = text[one.span[1] : begin]
            # "ст. 2 Кодекса, ст. 3 Закона": what goes back to a code is of no statute further on.
            near = (
                law
                and (one.bare or ("кодекс" in one.text.lower()) == is_code(law))
                and len(between) < _SAME_SENTENCE
                and one.span[0] not in scan.closed
                and not (_STOP.search(between) or _OTHER_NAMED.search(between))
            )
            if near:
                one, begin = replace(one, antecedent=law), one.span[0]  # noqa: PLW2901
        ordered.append(one)
    return reversed(ordered)


_OTHER_NAMED = re.compile(rf"{_INSTRUMENT_WORD}|{_OTHER_INSTRUMENT.pattern}")
_IN_POINTS = re.compile(r"постановл|совместн|ПП|пленум|правил|ПДД|указ|приказ|распоряж|информ", re.IGNORECASE)
"""Rulings and decrees have points, and no articles."""
_SAME_SENTENCE = 120
_STOP = re.compile(r"[.!?…]\s+[А-ЯЁ«A-Z]|\n")


def _other_part(scan: Scan, span: tuple[int, int], parts: Parts) -> Iterator[Mention]:
    """``часть 2 той же статьи``: another part of the article cited last."""
    if scan.last is None or span[0] - scan.last.span[1] > REACH:
        return
    paragraphs, items = paragraph_and_items(parts)
    one = replace(scan.last, span=span, text=scan.text[slice(*span)], law="", antecedent=scan.last.names, through="")
    for paragraph in paragraphs:
        for item in items:
            yield replace(one, paragraph=paragraph, item=item, below=below_the_item(parts))
    scan.position = span[1]


def _articles(scan: Scan, start: int, article: re.Match[str], parts: Parts) -> Iterator[Mention]:
    text, end = scan.text, article.end()
    if of_code := CODE_PART.match(text, end):
        end = of_code.end()
    remark = _REMARK.match(text, end)
    if remark and LAW.match(text, remark.end()):
        end = remark.end()
    bracket = _OPENING.match(text, end)
    after, behind = parts_at(text, bracket.end() if bracket else end + (text[end : end + 1] == " "))
    in_brackets = bracket is not None and "(" in bracket[0]
    closed = not in_brackets or text[behind : behind + 1] == ")"
    behind += in_brackets
    # ст. 14 ч. 2 УК РФ; ст. 35 (ч. 3) Конституции; ст. 30 ч. 3, ст. 158 ч. 1 УК РФ: the law stands behind the last.
    # The law may stand before it as well: ТК РФ: ст. 81, ч. 1, п. 5.
    # "(ст. 15, п. 1 ст. 393)" goes on with another article, whose part that is.
    led = 0 <= start - scan.named_at <= _RIGHT_BEFORE and not ARTICLE.match(text, behind)
    # "ст. 28 ч. 3 п. 2" at the end of a sentence: with no sign between they are of no other article.
    alone = (bracket is None or in_brackets) and not parts and _NO_FURTHER.match(text, behind) is not None
    # "(ст. 15, п. 2; ст. 393, п. 1)": behind a comma they are of no other article where the bracket or the sentence ends.
    alone = alone or (bracket is not None and not in_brackets and not parts and _CLOSES.match(text, behind) is not None)
    if after and closed and (led or alone or LAW.match(text, behind) or _NEXT_IN_LIST.match(text, behind)):
        parts, end = parts + after, behind
    back = SAME_LAW.match(text, end)
    # ст. 14.5 (Кодекса РФ …): the law may stand in brackets.
    named = LAW.match(text, end) or (None if back or not text.startswith(" (", end) else LAW.match(text, end + 2))
    # ГПК ст. 107 ч. 3, КАС ст. 314: behind a comma stands the next one's law.
    if (
        named
        and 0 <= start - scan.named_at < _LIST_REACH
        and text[end - 2 : end].rstrip().endswith(",")
        and _ARTICLE_BEHIND.match(text, named.end())
    ):
        named = None
    scan.position = end
    law = antecedent = ""
    # ГК Казахстана, ст. 188; ст. 10 ГК РФ: a law right in front is the article's, whatever the next one's is.
    in_front = led and scan.ahead == scan.named_at
    bare = not (named or back or in_front)
    if named and not back:
        law, end = clean(named[1]), _behind_its_issue(text, named.end())
        parts, end = (parts, end) if parts else _parts_behind_the_law(text, end)
    elif _CONTRACT.match(text, end):
        return
    elif back or (start - scan.named_at < REACH and not _OTHER_INSTRUMENT.search(text, scan.named_at, start)):
        antecedent, end = (scan.meant(back[0]), back.end()) if back else (scan.current, end)
    for mention in _mentions(text, (start, end), article, parts):
        scan.last = replace(mention, law=law, antecedent=antecedent, bare=bare)
        yield scan.last
        law, antecedent = "", antecedent or law
    scan.position = end
    if named or back:
        scan.name_law(antecedent, end)


_GAZETTE = 40
_OF_A_GAZETTE = re.compile(r"(?<!\d)(?:19|20)\d\d,\s(?:№|N)\s?\d{1,3}(?:\s\([^()]{1,16}\))?,\s$")
"""A statute's number in a year's gazette is no article: Собрание законодательства РФ, 1999, N 14, ст. 1650."""


def _parts_behind_the_law(text: str, end: int) -> tuple[Parts, int]:
    """``ст. 61 УК РФ, п. «и» ч. 1``, where no further article follows that the parts could be of."""
    opening = _PARTS_AT_THE_END.match(text, end)
    parts, behind = parts_at(text, opening.end()) if opening else ([], end)
    if opening and "(" in opening[0]:
        return (parts, behind + 1) if parts and text[behind : behind + 1] == ")" else ([], end)
    # ст. 15 УК РФ ч. 6 изменил: with no sign between, the part is of another article only where one is named behind it.
    ends = _END if opening and opening[0].strip() else _NO_FURTHER
    return (parts, behind) if parts and ends.match(text, behind) else ([], end)


_CLOSES = re.compile(r"\s?[);]|\s?\.?$|\.\s")
_RIGHT_BEFORE = 3
_LIST_REACH = 60
"""Characters in which a list goes on with the articles of the law in front."""
_ARTICLE_BEHIND = re.compile(r"[,:]?\s(?:ст\.|стат)")
_OPENING = re.compile(r"\s\(|,\s(?=[пч]{1,2}\.|подп|пункт|част)")
_REMARK = re.compile(
    r"\s\((?!част|пункт|абзац|подпункт)[а-яё][а-яё\s,-]{3,80}\)|\sи\s(?:далее|сл(?:ед(?:ующ\w{2,3})?)?\.?|последующ\w{2,3})(?=\s)"
)
"""What the article is about, said between its number and its law; статьи 15 и сл. ГК."""
_OF_ANOTHER_LAW = re.compile(
    # 14-ФЗ behind a semicolon is a law, and not article 1 of law 4-ФЗ.
    rf"(?:\s?[,;]|\sи|,\sа\sтакже|\sили)\s{NO_LAW}({LIST})(?!\d)(?={LAW.pattern})",
    re.IGNORECASE,
)
"""ст. 15 ГК РФ и 56 ГПК РФ: the word for the article stands once for both laws."""
_PARTS_AT_THE_END = re.compile(rf"(?:[,:]\s|\s\(|\s)(?={PART_WORD})", re.IGNORECASE)
_END = re.compile(r"\s?(?:[).;:]|[—–]|$)")
_NO_FURTHER = re.compile(
    r"(?!\s?[,;]?\s?(?:и\s|или\s)?(?:ст\.|стат|ч\.|част|п\.|пп\.|подп|пункт|абз|\d|(?:ГК|УК|ТК|НК|УПК|ГПК|АПК|КоАП|СК|ЖК|ЗК|Закон|Кодекс|Конституц|ФЗ|Федеральн|постановлени|договор|устав|правил)))",
    re.IGNORECASE,
)
_NEXT_IN_LIST = re.compile(
    r"(?<!\s)\s?[,;]\s?(?:и\s)?ст\.|(?<=,)\s?(?:и\s)?ст\.|(?<=,\s)ст\.|(?:(?<=\s)|\s)и\s(?:по\s)?ст(?:\.|ать)"
)


def _each_with_brackets(scan: Scan, several: re.Match[str]) -> Iterator[Mention]:
    """``статьи 19 (часть 1), 46 (части 1 и 2) и 55 Конституции``, as the Constitutional Court writes."""
    law, end = clean(several["law"]), several.end()
    parted = ""
    for member in _MEMBER.finditer(several["list"]):
        number, sub = (*member[1].partition("."),)[::2]
        at = several.start("list") + member.start()
        if not member[2] and scan.last and _goes_on(parted, scan.last, number):
            # ст. 168 п. 1, 2 ГК РФ: a second part, and no article 2.
            paragraph = number if not scan.last.item else scan.last.paragraph
            item = number if scan.last.item else ""
            scan.last = replace(scan.last, span=(at, at + len(number)), text=number, paragraph=paragraph, item=item)
            yield scan.last
            continue
        parted = member[2] or ""
        paragraphs, items = paragraph_and_items(parts_at(parted.strip("()"), 0)[0])
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


def _goes_on(parted: str, before: Mention, number: str) -> bool:
    """Whether a number behind bare parts is one more of them: greater than the last, and smaller than the article."""
    last = before.item or before.paragraph
    return (
        parted[:1].isalpha()
        and last.isdecimal()
        and int(last) < int(number) <= _MOST_PARTS_OF_AN_ARTICLE
        and int(number) < int(before.article)
    )


_MOST_PARTS_OF_AN_ARTICLE = 12


# In brackets, as the Constitutional Court has them, or bare, as verdicts do: ст.ст. 30 ч. 3, 158 ч. 2 п. «а» УК РФ.
_IN_BRACKETS = (
    r"(?:\((?:ч\.|п\.|част|пункт|абзац)[^()\n]{1,60}\)"
    r"|(?:(?:п\.?\s?п\.|ч\.?\s?ч\.|ч\.|п\.|пп\.)\s?(?:\d{1,2}(?:\.\d)?|[«\"“][а-я][»\"”](?:,\s?[«\"“][а-я][»\"”]){0,5})(?![\d.])\s?){1,3}(?<!\s))"
)
_WITH_BRACKETS = re.compile(
    rf"(?:ст\.?\s?ст\.|ст\.|{WORD_OF_ARTICLE})\s?(?P<list>\d{{1,4}}(?:\.\d{{1,3}})?(?:\s{_IN_BRACKETS})?(?:(?:,|\sи|,\sи|\s[-–](?=\s\d{{1,3}}(?:\.\d)?\s(?:ч\.|п\.|\()))\s\d{{1,4}}(?:\.\d{{1,3}})?(?:\s{_IN_BRACKETS})?){{1,12}}(?<=\)|\d|[»\"”]))"
    rf"(?P<law>{LAW.pattern})",
    re.IGNORECASE,
)
_MEMBER = re.compile(rf"(\d{{1,4}}(?:\.\d{{1,3}})?)(?:\s({_IN_BRACKETS}))?", re.IGNORECASE)


def _mentions(text: str, span: tuple[int, int], article: re.Match[str], parts: Parts) -> Iterator[Mention]:
    """One mention for each article of the list, and for each part of the first one."""
    listed = next(group for group in range(1, article.re.groups + 1) if article[group])
    written = article[listed]
    # Most lists are one number, and the forms of its neighbours took longer than all else here.
    alone = written.isdecimal()
    numbers = [written] if alone else _BETWEEN.split(_HYPHENED.sub(_as_range, _FROM.sub("", written)))
    below = below_the_item(parts) if parts else ""
    place = article.start(listed)
    for index in range(0, len(numbers), 2):
        whole, sub = (written, "") if alone else _number_and_sub(numbers[index])
        joint = numbers[index + 1] if index + 1 < len(numbers) else ""
        through = numbers[index + 2] if joint.strip() in {"-", "–", "—", "по", "до"} else ""
        own = (span[0] if not index else place, place + len(numbers[index]) if len(numbers) > 1 else span[1])
        place += len(numbers[index]) + len(joint)
        # Parts stand before the first article of a list: п. 1 ст. 10 и 168.
        for second, third in _pairs(parts) if not index else [("", "")]:
            yield Mention(
                span=own,
                text=text[slice(*own)],
                language="ru",
                article=whole,
                sub=sub,
                paragraph=second,
                item=third,
                below=below if not index else "",
                through=through,
            )


def _number_and_sub(written: str) -> tuple[str, str]:
    number = _RAISED.sub(lambda raised: f".{raised[0].translate(_LOWERED)}", written.replace("\u2011", "-"))
    number = _ENDING.sub("", number)
    whole, _, sub = number.partition("." if "." in number else "-")
    return whole, sub


def _pairs(parts: Parts) -> list[tuple[str, str]]:
    """The second and third level of an article that are cited, one empty pair where none is."""
    if not parts:
        return [("", "")]
    paragraphs, items = paragraph_and_items(parts)
    further = (pair(one) for one in dict(parts).get("further", ()))
    return [*((paragraph, item) for paragraph in paragraphs for item in items), *further]


_FROM = re.compile(r"^со?\s")
_BETWEEN = re.compile(
    rf"((?:{NOTE})?(?:\s?,\sа\sтакже\s|\s?[,;]\s?|\s?[–—]\s?|\s-\s|\s?(?<=\d)-(?=\d{3})\s?|\s(?:и|или|по|до)\s))"
)
# The end may have a point, and both may: 290-291.2, 228.1-228.4.
_HYPHENED = re.compile(
    r"(?<![\d.-])(?:(\d{1,4})-(\d{1,4}(?:\.\d{1,3})?)|(\d{1,4}\.\d{1,3})-(\d{1,4}\.\d{1,3}))(?![\d-]|\.\d)"
)
_ENDING = re.compile(r"-[а-яё]+$")
_RAISED = re.compile("[¹²³⁴⁵⁶⁷⁸⁹⁰]+")
_LOWERED = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹⁰", "1234567890")


def _as_range(pair: re.Match[str]) -> str:
    """``80-88`` with the dash of a range; ``35-1``, which goes downwards, is one article and stays."""
    first, last = filter(None, pair.groups())
    order = [[int(number) for number in end.split(".")] for end in (first, last)]
    return f"{first}–{last}" if order[0] < order[1] else pair[0]


def cite(name: str, short_names: Sequence[str], number: str, sub: str) -> str:
    """``ст. 10.1 УК``, ``ст. 10 Федерального закона «…»``; the name alone without a number."""
    if not number:
        return name
    abbreviation = next((short for short in short_names if " " not in short), "")
    called = abbreviation or name.replace("Федеральный закон", "Федерального закона", 1)
    return f"ст. {number}{'.' if sub else ''}{sub} {called}"
