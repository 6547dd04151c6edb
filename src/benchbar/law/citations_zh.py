"""Citations in Chinese: articles of named laws, elliptical lists, anaphora, case numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from msgspec.structs import replace

from benchbar.languages.numerals import ZH_CHARACTERS, to_chinese
from benchbar.law.mention import Mention, places, united
from benchbar.law.names_zh import (
    ANAPHORA,
    GENERIC,
    KNOWN_NAMES,
    is_contract,
    is_internal,
    looks_like_law,
    name_before,
    named_in,
)
from benchbar.law.parts_zh import NUMERAL, digits, parts_behind

# Every repetition has a bound: the time is linear in the text, whatever it holds.
_SEPARATOR = r"\s?(?:[、，,和及与或]|以及|至|到|[-—–~～])\s?"
_NOT_A_NUMBER = r"(?![般些切类部])"
_ARTICLE = re.compile(
    rf"第\s{{0,2}}({NUMERAL}(?:{_SEPARATOR}{NUMERAL}){{0,20}})\s{{0,2}}条(?:之\s?({NUMERAL}){_NOT_A_NUMBER})?"
    r"(?!短信|微信|信息|消息|理由|建议|评论|军规|新闻|线索|经验|军令|道路|路|线|船|腿|鱼|狗|街|生产|规则适用)"
)
_SHORT_ARTICLE = re.compile(
    rf"(?:的|\s)?((?:[0-9０-９]{{1,4}}|[{ZH_CHARACTERS}]{{2,9}})(?:{_SEPARATOR}[0-9０-９]{{1,4}}){{0,20}})\s?条(?:之\s?({NUMERAL}){_NOT_A_NUMBER})?"
)
"""《民法典》577条, 刑法三百四十七条: only right behind a law's name."""
# Behind a semicolon an article goes on with the list only where it has digits, as in notes: 第1032条第2款；1033条.
_NEXT_ARTICLE = re.compile(
    rf"({_SEPARATOR}|\s?[；;]\s?(?=[0-9０-９]))第?\s?({NUMERAL})\s?条(?:之\s?({NUMERAL}){_NOT_A_NUMBER})?"
)
_NEXT_SUB = re.compile(rf"\s?[、，,和及与或]\s?(之\s?({NUMERAL}){_NOT_A_NUMBER})")
_SAME_ARTICLE = re.compile(rf"(?:该|同)条(?:文)?(?:中的?|的)?(?=第\s?{NUMERAL}\s?[款项])")
_EVENT = re.compile(
    rf"《|第\s{{0,2}}(?=[0-9０-９{ZH_CHARACTERS}])|[（(〔\[【](?=\s?[12１２][90９０])|[该同]条|(?<=[法典例定释则])(?=\s?(?:[0-9０-９]{{1,4}}|[{ZH_CHARACTERS}]{{2,9}})\s?条)"
)
_ALIAS = re.compile(r"(?:以下|下)?(?:统)?(?:简称|称)(?:为|：|:)?[“\"《「]*([^”\"》」）)]{1,40})[”\"》」]*")
_PARENTHESIS = re.compile(r"\s?[（(]([^（）()\n]{0,60}(?:[（(][^（）()\n]{0,10}[)）][^（）()\n]{0,20})?)[)）]")
_YEAR = re.compile(r"((?:19|20)\d\d)\s?年?(?:第[一二三四五]次)?(?:版|修正|修订|修改|施行|生效|本)?(?:版|版本|本)?$")
_EDITION = re.compile(
    r"[（(]((?:19|20)\d\d)\s?年?(?:第[一二三四五]次)?(?:修正|修订|修改)?(?:版|版本|本)?[)）]$|((?:19|20)\d\d)年$"
)
_DOCUMENT_NUMBER = re.compile(r"[\u4e00-\u9fff]{1,10}\s?[〔\[（(]\s?(?:19|20)\d\d\s?[〕\])）]\s?(?:第)?\d{1,5}\s?号")
_NUMBER_SUFFIX = re.compile(r"\s?[（(][一二三四五六七八九十]{1,3}[)）]")
_BEFORE_ARTICLE = re.compile(
    rf"\s{{0,3}}(?:[的中之]|的?(?:第\s?{NUMERAL}\s?[编章节]\s?){{1,3}}的?|(?:总则|物权|合同|人格权|婚姻家庭|继承|侵权责任)编[的中]?|[，,：:])?\s{{0,2}}(?=第\s{{0,2}}[0-9０-９{ZH_CHARACTERS}])"
)
PARAGRAPHS = "lines"
# Pages and chat answers set names in bold or make them links; 《最高人民法院关于适用<民法典>…》 has no letters of tags.
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,300}>|\]\([^()\s]{0,200}\)|\*\*|__|[\[\]`]|&nbsp;|\u200b")
_REACH = 1000
"""How many characters after the last naming of a law a bare 第…条 may still go back to it."""


@dataclass(slots=True)
class _Scan:
    """What has been read so far: the law that an elliptical citation would go back to."""

    text: str
    known: frozenset[str]
    current: str = ""
    contract: bool = False
    named_at: int = -_REACH
    position: int = 0
    last: Mention | None = None
    year: str = ""
    """The edition of the current law, where the text names one."""
    document_number: str = ""
    """The number beside the title that was read last."""
    aliases: dict[str, str] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    """The last law named that ends in 法, 条例, 解释…: what 该法, 本条例, 《解释》 go back to."""

    def name_law(self, name: str, at: int, year: str = "") -> None:
        self.current, self.contract, self.named_at, self.year = name, False, at, year
        for ending in _endings(name):
            self.seen[ending] = name

    def name_contract(self, at: int) -> None:
        self.current, self.contract, self.named_at = "", True, at

    def antecedent_of(self, name: str) -> str:
        """The full name behind an alias or a generic name such as 条例; empty where the name is itself full."""
        if name in self.aliases:
            return self.aliases[name]
        if name in GENERIC:
            return self.seen.get(name, "") or ("" if self.contract else self.current)
        return ""


# A text names the same few laws over and over.
@lru_cache(maxsize=1 << 12)
def _endings(name: str) -> tuple[str, ...]:
    stem = name.rstrip("（）()一二三四五六七八九十")
    return tuple(ending for ending in GENERIC if stem.endswith(ending))


def extract_mentions(text: str, known: frozenset[str]) -> Iterator[Mention]:
    """The citations of a text in order; ``known`` holds further names of laws that may stand without 《》."""
    scan = _Scan(text, united(KNOWN_NAMES, known))
    for event in places(_EVENT, scan):
        start = event.start()
        sign = event[0][:1]
        if sign == "《":
            yield from _bracketed(scan, start)
        elif sign in {"第", ""}:
            yield from _unbracketed(scan, start)
        elif sign in "该同":
            yield from _same_article(scan, start)
        else:
            # Few texts cite decisions, and to compile these forms takes as long as a quarter of this grammar.
            from benchbar.law.case_numbers_zh import case_numbers

            for one in case_numbers(text, start):
                scan.position = one.span[1]
                yield one


def _bracketed(scan: _Scan, start: int) -> Iterator[Mention]:
    text = scan.text
    close = _closing(text, start)
    if close is None:
        yield from _unclosed(scan, start)
        return
    scan.document_number = ""
    name, end = _MARKUP.sub("", text[start + 1 : close]), close + 1
    if suffix := _NUMBER_SUFFIX.match(text, end):
        name, end = name + suffix[0].strip(), suffix.end()
    scan.position = end
    behind, year = _remarks(scan, name, end)
    joint = _BEFORE_ARTICLE.match(text, behind)
    article = _ARTICLE.match(text, joint.end()) if joint else _SHORT_ARTICLE.match(text, behind)
    if is_contract(name) or is_internal(name):
        scan.name_contract(end)
        scan.position = article.end() if article else end
    elif article or looks_like_law(name) or name in scan.aliases or name in GENERIC:
        yield from _named(scan, (start, end), name, year, article)


def _named(
    scan: _Scan, span: tuple[int, int], name: str, year: str, article: re.Match[str] | None
) -> Iterator[Mention]:
    antecedent = scan.antecedent_of(name)
    if name not in GENERIC or antecedent:
        scan.name_law(antecedent or name, span[1], year)
    if article:
        yield from _articles(scan, span[0], article, law=name, antecedent=antecedent)
    elif name not in GENERIC and looks_like_law(antecedent or name) and not _part_of_something(scan.text, span):
        yield _mention(scan, *span, law=name, antecedent=antecedent, year=scan.year)


def _remarks(scan: _Scan, name: str, end: int) -> tuple[int, str]:
    """Where up to two remarks after a name end, and the year they give; a short form in them is remembered."""
    inside = _EDITION.search(name)
    year = inside[1] or inside[2] if inside else ""
    for _ in range(2):
        parenthesis = _PARENTHESIS.match(scan.text, end)
        if not parenthesis:
            break
        if number := _DOCUMENT_NUMBER.search(parenthesis[1]):
            scan.document_number = number[0]
        if found := _YEAR.match(parenthesis[1].strip()):
            year = found[1]
        if alias := _ALIAS.search(parenthesis[1]):
            scan.aliases[alias[1].strip()] = name
        end = parenthesis.end()
    return end, year


def _part_of_something(text: str, span: tuple[int, int]) -> bool:
    """Whether a name in brackets gives a short form, is a draft, or stands inside the name of an interpretation."""
    before = text[max(0, span[0] - 8) : span[0]]
    inside = re.search(r"(?:简称|下称)(?:为|：|:)?[“\"]?$|关于(?:适用|执行|实施|贯彻执行|修改)?$", before) is not None
    return inside or "草案" in text[span[0] : span[1] + 4]


def _closing(text: str, start: int) -> int | None:
    depth = 0
    longest = 120 if "<" not in text[start : start + 3] else 420
    for index in range(start, min(len(text), start + longest)):
        if text[index] in "《〈<":
            depth += 1
        elif text[index] in "》〉>":
            depth -= 1
            if not depth:
                return index
        elif text[index] in "\n。；" and depth:
            return None
    return None


def _unclosed(scan: _Scan, start: int) -> Iterator[Mention]:
    """``《公司法第40条``: the name runs to the article."""
    found = re.compile(r"《([^《》。；\n第]{2,60})(?=第)").match(scan.text, start)
    article = _ARTICLE.match(scan.text, found.end()) if found else None
    if not found or not article:
        return
    scan.name_law(found[1], found.end())
    yield from _articles(scan, start, article, law=found[1])


_INITIALS = re.compile(r"(?<![A-Za-z])([A-Z]{2,8})\s?$")
"""A law of elsewhere by its initials, right before the article: 根据GDPR第17条 is of no law that was named before."""


def _unbracketed(scan: _Scan, start: int) -> Iterator[Mention]:
    text = scan.text
    article = _ARTICLE.match(text, start) or _SHORT_ARTICLE.match(text, start)
    if article is None:
        return
    before = text[max(scan.position, start - 100) : start].rstrip()
    if anaphor := ANAPHORA.search(before):
        ending = anaphor[1]
        antecedent = scan.seen.get(ending, "") or ("" if scan.contract else scan.current)
        begin = start - (len(before) - anaphor.start())
        yield from _articles(scan, begin, article, antecedent=antecedent, bare=True)
        return
    stem = re.sub(r"(?:的|中|之|的?第[^第。，]{1,5}[编章节])+$", "", before)
    if is_contract(stem):
        scan.name_contract(article.end())
        scan.position = article.end()
        return
    # A name may hold a law in brackets, as 关于适用《…法》若干问题的规定 does: look behind what was already read.
    window = text[max(0, start - 100) : start].rstrip()
    window = window[: len(window) - (len(before) - len(stem))]
    remark = _EDITION.search(window)
    window = window[: remark.start()] if remark else window
    name = name_before(window, scan.known)
    if name and (len(name) <= len(stem) or name.startswith(("最高", "关于"))):
        begin = text.rindex(name, max(0, start - 100), start)
        antecedent = scan.antecedent_of(name)
        scan.name_law(antecedent or name, article.end(), remark[1] or remark[2] if remark else "")
        yield from _articles(scan, begin, article, law=name, antecedent=antecedent)
        return
    if initials := _INITIALS.search(stem):
        scan.name_law(initials[1], article.end())
        yield from _articles(scan, text.rindex(initials[1], 0, start), article, law=initials[1])
    elif text[start] == "第":
        yield from _bare(scan, article, stem)


def _bare(scan: _Scan, article: re.Match[str], before: str) -> Iterator[Mention]:
    """An article without a law: it goes back to the law named before, unless a contract came between."""
    following = scan.text[article.end() : article.end() + 4]
    if (
        not scan.current
        and not scan.contract
        and (named := named_in(scan.text[max(0, article.start() - 80) : article.start()]))
    ):
        scan.name_law(named, article.start())
    if _opens_own_articles(scan, article):
        scan.name_contract(article.end())
    too_far = article.start() - scan.named_at > _REACH
    if scan.contract or not scan.current or too_far or re.match(r"[的之中]?(?:约定|载明)", following):
        scan.position = article.end()
        return
    if re.search(r"(?:合同|协议|章程|约定)[^，。；]{0,4}$", before):
        scan.position = article.end()
        return
    # 依解释第八条, after the interpretation was named in full and the code that it interprets was named since.
    back = next((scan.seen[generic] for generic in scan.seen if before.endswith(generic)), scan.current)
    yield from _articles(scan, article.start(), article, antecedent=back, bare=True)


def _opens_own_articles(scan: _Scan, article: re.Match[str]) -> bool:
    """Whether this is the label of an article of the text itself: a contract drafted in an answer, a pasted act."""
    text, start = scan.text, article.start()
    before = text[max(0, start - 12) : start].rstrip(" 　*#")
    if before[-1:] not in {"", "\n"} or not re.match(r"[\s　：:【（(*]", text[article.end() : article.end() + 1]):
        return False
    between = text[max(scan.named_at, start - _REACH, 0) : start]
    return digits(article[1]) == "1" or re.search(r"本合同|本协议|甲方|乙方", between) is not None


def _articles(
    scan: _Scan, begin: int, article: re.Match[str], *, law: str = "", antecedent: str = "", bare: bool = False
) -> Iterator[Mention]:
    """The mentions that one 第…条 opens, with the list that follows it; ``bare`` where no law is named beside it."""
    # A list inside one 第…条, as 第39、40条.
    numbers = re.split(rf"({_SEPARATOR})", article[1])
    values = [digits(number) for number in numbers[::2]]
    if not all(values):
        scan.position = article.end()
        return
    back = antecedent or law
    place, offset = begin, article.start(1)
    for index, value in enumerate(values):
        final = index == len(values) - 1
        offset += len(numbers[2 * index])
        separator = numbers[2 * index + 1] if not final else ""
        one = _mention(
            scan,
            place,
            article.end() if final else offset,
            law=law if not index else "",
            antecedent=antecedent if not index else back,
            article=value,
            year=scan.year,
            sub=digits(article[2]) if final and article[2] else "",
            through=values[index + 1] if _is_range(separator) else "",
            bare=bare,
        )
        if final:
            yield from _with_parts(scan, one)
        else:
            yield one
        offset += len(separator)
        place = offset
    yield from _continuation(scan, back, bare=bare)


def _continuation(scan: _Scan, law: str, *, bare: bool) -> Iterator[Mention]:
    """``、之二``, ``、二百九十一条`` and ``至第五百七十七条`` right behind a mention."""
    while scan.last and (sub := _NEXT_SUB.match(scan.text, scan.position)):
        start, article = sub.end() - len(sub[1]), scan.last.article
        one = _mention(
            scan, start, sub.end(), antecedent=law, article=article, year=scan.year, sub=digits(sub[2]), bare=bare
        )
        yield from _with_parts(scan, one)
    while follow := _NEXT_ARTICLE.match(scan.text, scan.position):
        value = digits(follow[2])
        if not value:
            return
        start = follow.start() + len(follow[1])
        one = _mention(
            scan,
            start,
            follow.end(),
            antecedent=law,
            article=value,
            year=scan.year,
            sub=digits(follow[3]) if follow[3] else "",
            bare=bare,
        )
        yield from _with_parts(scan, one)


def _is_range(separator: str) -> bool:
    return bool(separator) and separator.strip() in {"至", "到", "-", "—", "–", "~", "～"}


def _with_parts(scan: _Scan, mention: Mention) -> Iterator[Mention]:
    """The mention with its 款 and 项: one for each of them where several are listed."""
    text, end = scan.text, mention.span[1]
    parts = parts_behind(text, end)
    scan.last = mention
    scan.position = parts[-1].end if parts else end
    if not parts:
        through = _range_end(text, end)
        yield replace(mention, through=through) if through else mention
        return
    for index, part in enumerate(parts):
        start = part.start if index else mention.span[0]
        yield replace(
            mention,
            span=(start, part.end),
            text=text[start : part.end],
            paragraph=part.paragraph,
            item=part.item,
            law=mention.law if not index else "",
            antecedent=mention.antecedent if not index else mention.names,
        )


def _range_end(text: str, end: int) -> str:
    follow = _NEXT_ARTICLE.match(text, end)
    return digits(follow[2]) if follow and _is_range(follow[1]) else ""


def _same_article(scan: _Scan, start: int) -> Iterator[Mention]:
    """``该条第二款``: another part of the article cited last."""
    found = _SAME_ARTICLE.match(scan.text, start)
    if not found or scan.last is None or start - scan.last.span[1] > _REACH or scan.contract:
        return
    last = scan.last
    one = replace(
        last,
        span=(start, found.end()),
        text=scan.text[start : found.end()],
        law="",
        antecedent=last.antecedent or last.law,
        paragraph="",
        item="",
        through="",
        bare=True,
    )
    yield from _with_parts(scan, one)


def _mention(scan: _Scan, start: int, end: int, *, bare: bool = False, **fields: str) -> Mention:
    scan.position = end
    if fields.get("article"):
        scan.named_at = end
    # A number stands beside a title in brackets, and belongs to no other citation.
    number = scan.document_number if scan.text[start] == "《" else ""
    text = scan.text[start:end]
    return Mention(span=(start, end), text=text, language="zh", bare=bare, document_number=number, **fields)


def cite(name: str, short_names: Sequence[str], number: str, sub: str) -> str:  # noqa: ARG001 - statutes are cited by name
    """``《民法典》第一百条之一``; the name alone without a number."""
    if not number:
        return f"《{name}》"
    return f"《{name}》第{_in_words(number)}条" + (f"之{_in_words(sub)}" if sub.isdecimal() else sub)


def _in_words(number: str) -> str:
    # No law has more.
    return to_chinese(int(number)) if number.isdecimal() and len(number) < 6 else number
