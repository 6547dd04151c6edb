"""Citations in Traditional Chinese as courts and authors of Taiwan and Hong Kong write them: articles, decisions, interpretations.

項 is a paragraph and 款 an item of it in Taiwan; in a law of the mainland it is the other way round. Laws stand without brackets. Sections
of Hong Kong's ordinances have letters, and their parts brackets: 第31G條, 第39A(1)(b)條, 第6條第(2)款(a)段.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number
from benchbar.languages.text import nfkc
from benchbar.law.mention import Mention, places, united

PARAGRAPHS = "lines"
# Bounded like every repetition here: linear time.
_NUMERAL = rf"(?:[0-9０-９]{{1,4}}|[{ZH_CHARACTERS}點]{{1,10}})"
_SEPARATOR = r"\s?(?:、|，|,|及|與|和|或|以及|暨|至|到|[-—–~～])\s?"
# 第339條之4 and the 第339-4條 of the official gazette are the same article.
# 之 must not be the beginning of 之規定.
_ARTICLE = re.compile(
    rf"第\s{{0,2}}({_NUMERAL})([A-ZＡ-Ｚ]{{0,3}})(?:[-－]([0-9]{{1,3}}))?((?:\s?[（(]\w{{1,4}}[)）]){{0,4}})\s{{0,2}}條(?:\s?之\s?({_NUMERAL})(?![一-龥]{{1,2}}規定))?"
)
_NEXT = re.compile(
    rf"({_SEPARATOR})(?=第\s{{0,2}}{_NUMERAL}[A-ZＡ-Ｚ]{{0,3}}(?:[-－][0-9]{{1,3}})?(?:\s?[（(]\w{{1,4}}[)）]){{0,4}}\s{{0,2}}條)"
)
_BRACKETED = rf"(?:[（(]\s?(?:{_NUMERAL}|[A-Za-z]{{1,2}})\s?[)）]|{_NUMERAL})"
_PARAGRAPH = re.compile(rf"\s?第\s?({_BRACKETED})\s?項")
_ITEM = re.compile(rf"\s?第\s?({_BRACKETED})\s?款")
_SUBSECTION = re.compile(r"\s?第\s?[（(]\s?(\w{1,3})\s?[)）]\s?款")
_ITEM_IN_BRACKETS = re.compile(rf"(?:\s?第\s?{_NUMERAL}\s?款)?\s?第?\s?[（(]\s?{_NUMERAL}\s?[)）]\s?項")
_SUBPARAGRAPH = re.compile(r"\s?第?\s?[（(]\s?(\w{1,3})\s?[)）]\s?段")
_INSIDE = re.compile(r"[（(](\w{1,4})[)）]")
_OF_THE_MAINLAND = re.compile(r"^中[華华]人民共和[國国]|合同|法典")
"""Names of laws whose paragraph is 款 and whose item is 項."""
_NEXT_PART = re.compile(rf"{_SEPARATOR}(?=第\s?{_BRACKETED}\s?[項款])")
_SAME_ARTICLE = re.compile(r"同條(?:例|文)?(?=\s?第)")
_EVENT = re.compile(
    r"第(?=\s{0,2}[0-9０-９〇零一二三四五六七八九十百千])|同條(?=\s?第)|釋字第|憲判字第|[\d０-９]{2,3}\s?年度?(?=[^\s，。；]{1,12}字)"
)
# As in the mainland's grammar.
_REACH = 1000
"""How many characters after the last naming of a law a bare 第…條 may still go back to it."""
_JOINING = "、，,及與和或以暨至到 "
_LONGEST = 40

_ENDING = r"(?:法典|法|條例|通則|準則|規程|規則|細則|辦法|綱要|標準|規範|憲法增修條文|憲法)"
# A law in 「」 with its remark in brackets, right before the article.
_NAMED = re.compile(
    rf"[《「『]([^《》「」『』\n]{{1,{_LONGEST}}}{_ENDING})[》」』](?:\s?[（(][^（）()\n]{{0,30}}[)）])?\s?的?$"
)
_SUFFIX = re.compile(rf"{_ENDING}$")
_ALIAS = re.compile(r"(?:以下|下)(?:簡|合)?稱(?:為)?[：:]?\s?「?([^」）)，。\n]{2,20})」?[）)]")
_BACK = re.compile(
    rf"(?:同|本|該|前開|上開|前揭|上揭|前述|上述|首揭)({_ENDING}|法律|法條|規定)(?:第\s?{_NUMERAL}\s?[編章節])?$"
)
_BREAK = re.compile(r"[。；;：:，,、“”\"‘’「」『』\n\r\t!?！？…（(《》)）\s]")
_LEADING = re.compile(
    # Words that lead to a name and are no part of it: 依民法第184條 is 民法.
    r"(?:根據|依據|依照|按照|按|依|違反|牴觸|觸犯|構成|成立|適用|準用|類推適用|參照|參見|參考|援引|引用|基於|鑑於|復按|又按|次按|末按|惟按|而依|並依|爰依"
    r"|以及|及其|或者|並且|同時|此外|另外|其中|就是|屬於|涉及|包括|規定的|現行|修正前|修正後|修正|我國|中華民國|所謂|主張|請求|得依|應依|有關|關於"
    r"|犯|與|及|和|或|並|在|由|對|從|是|即|如|為|將|應|據|的|之|見|查|於|以|而|也|因|且|又|暨|就)"
)
_NO_LAW = re.compile(
    # 辦法 and 說法 end like laws and are ordinary words.
    r"^(?:法|辦法|方法|作法|做法|說法|看法|違法|合法|非法|不法|司法|立法|執法|守法|依法|無法|設法|用法|手法|民商法|公法|私法|國際法|實體法|程序法|規則|標準|規範|準則"
    r"|條例|本法|同法|該法)$"
)
KNOWN_NAMES = frozenset(
    [
        "中華民國憲法",
        "中華民國憲法增修條文",
        "憲法",
        "憲法增修條文",
        "憲法訴訟法",
        "民法",
        "民法總則施行法",
        "民法債編施行法",
        "民法物權編施行法",
        "民法親屬編施行法",
        "民法繼承編施行法",
        "民事訴訟法",
        "民事訴訟法施行法",
        "強制執行法",
        "家事事件法",
        "非訟事件法",
        "仲裁法",
        "鄉鎮市調解條例",
        "破產法",
        "消費者債務清理條例",
        "公證法",
        "提存法",
        "刑法",
        "中華民國刑法",
        "刑法施行法",
        "刑事訴訟法",
        "刑事妥速審判法",
        "刑事補償法",
        "少年事件處理法",
        "國民法官法",
        "監獄行刑法",
        "毒品危害防制條例",
        "槍砲彈藥刀械管制條例",
        "組織犯罪防制條例",
        "洗錢防制法",
        "詐欺犯罪危害防制條例",
        "貪污治罪條例",
        "證人保護法",
        "通訊保障及監察法",
        "犯罪被害人權益保障法",
        "性侵害犯罪防治法",
        "性騷擾防治法",
        "跟蹤騷擾防制法",
        "家庭暴力防治法",
        "行政程序法",
        "行政訴訟法",
        "行政罰法",
        "行政執行法",
        "訴願法",
        "國家賠償法",
        "地方制度法",
        "公務員服務法",
        "公務人員任用法",
        "政府採購法",
        "政府資訊公開法",
        "個人資料保護法",
        "社會秩序維護法",
        "集會遊行法",
        "道路交通管理處罰條例",
        "公司法",
        "證券交易法",
        "銀行法",
        "保險法",
        "票據法",
        "海商法",
        "商業會計法",
        "企業併購法",
        "公平交易法",
        "消費者保護法",
        "消費者保護法施行細則",
        "著作權法",
        "商標法",
        "專利法",
        "營業秘密法",
        "智慧財產案件審理法",
        "勞動基準法",
        "勞動基準法施行細則",
        "勞工保險條例",
        "勞工退休金條例",
        "勞動事件法",
        "勞資爭議處理法",
        "職業安全衛生法",
        "職業災害勞工保護法",
        "性別平等工作法",
        "就業服務法",
        "就業保險法",
        "大量解僱勞工保護法",
        "工會法",
        "全民健康保險法",
        "國民年金法",
        "土地法",
        "土地登記規則",
        "土地徵收條例",
        "平均地權條例",
        "租賃住宅市場發展及管理條例",
        "公寓大廈管理條例",
        "都市計畫法",
        "都市更新條例",
        "建築法",
        "不動產經紀業管理條例",
        "動產擔保交易法",
        "信託法",
        "涉外民事法律適用法",
        "臺灣地區與大陸地區人民關係條例",
        "香港澳門關係條例",
        "國籍法",
        "戶籍法",
        "入出國及移民法",
        "所得稅法",
        "稅捐稽徵法",
        "加值型及非加值型營業稅法",
        "遺產及贈與稅法",
        "土地稅法",
        "房屋稅條例",
        "契稅條例",
        "醫師法",
        "醫療法",
        "藥事法",
        "食品安全衛生管理法",
        "律師法",
        "法院組織法",
        "法官法",
        "兒童及少年福利與權益保障法",
        "身心障礙者權益保障法",
        "老人福利法",
        "教育基本法",
        "學校教師法",
        "教師法",
        "大學法",
        "環境影響評估法",
        "空氣污染防制法",
        "水污染防治法",
        "廢棄物清理法",
        "電子簽章法",
        "電信管理法",
        "電子支付機構管理條例",
    ]
)
"""Names that stand without brackets and may hold 及 or 與; a longer name wins over a shorter one that ends it."""

_COURT = (
    r"(?:憲法法庭|司法院|最高行政法院|最高法院|懲戒法院|智慧財產及商業法院|智慧財產法院|[臺台]北高等行政法院|[臺台]中高等行政法院|高雄高等行政法院"
    r"|[臺台]灣高等法院(?:[臺台]中|[臺台]南|高雄|花蓮)?(?:分院)?|福建高等法院金門分院|福建(?:金門|連江)地方法院"
    r"|(?:[臺台]灣)?[一-龥]{2,3}(?:少年及家事|地方)法院|本院)"
)
_INTERPRETATION = re.compile(r"(?:司法院)?(?:大法官)?(?:會議)?釋字第\s?([\d０-９]{1,3})\s?號(?:解釋)?")
_JUDGMENT = re.compile(r"([\d０-９]{2,3})\s?年度?\s?([一-龥]{1,10}?)字\s?第\s?([\d０-９]{1,7})\s?號")
_COURT_BEFORE = re.compile(rf"({_COURT})\s?$")
_KIND = re.compile(r"\s?(?:刑事|民事|行政)?(?:大法庭)?(?:判決|裁定|判例|決議)")


@dataclass(slots=True)
class _Scan:
    text: str
    known: frozenset[str]
    current: str = ""
    named_at: int = -_REACH
    position: int = 0
    last: Mention | None = None
    aliases: dict[str, str] = field(default_factory=dict)


def extract_mentions(text: str, known: frozenset[str]) -> Iterator[Mention]:
    """The citations of a text in order; ``known`` holds further names of laws that may stand without brackets."""
    scan = _Scan(text, united(KNOWN_NAMES, known))
    for event in places(_EVENT, scan):
        start = event.start()
        if event[0].startswith("同條"):
            yield from _same_article(scan, event)
        elif event[0] == "第":
            yield from _articles(scan, start)
        else:
            yield from _decisions(scan, start)


def cite(name: str, short_names: Sequence[str], number: str, sub: str) -> str:  # noqa: ARG001 - statutes are cited by name
    """``民法第184條之1``; the name alone without a number."""
    return f"{name}第{number}條{'之' if sub else ''}{sub}" if number else name


def _articles(scan: _Scan, start: int) -> Iterator[Mention]:
    """The article at ``start`` and those that are listed behind it."""
    article = _ARTICLE.match(scan.text, start)
    if article is None or not _digits(article[1]):
        return
    law, antecedent, begin = _law_before(scan, start)
    if law:
        scan.current = antecedent or law
    if not scan.current or (not law and start - scan.named_at > _REACH):
        # It would be reported against a law that the text did not mean.
        # 第三條 of a contract, or of a law named pages ago.
        return
    yield from _listed(scan, begin, article, law, antecedent or ("" if law else scan.current))


def _listed(scan: _Scan, begin: int, article: re.Match[str], law: str, antecedent: str) -> Iterator[Mention]:
    while True:
        follow = _NEXT.match(scan.text, article.end())
        one = _mention(scan, begin, article, law=law, antecedent=antecedent)
        following = _ARTICLE.match(scan.text, follow.end()) if follow else None
        if follow and following and follow[1].strip() in {"至", "到", "-", "—", "–", "~", "～"}:
            yield _with(one, through=_digits(following[1]))
        else:
            yield from _with_parts(scan, one)
            # A list may go on behind the paragraphs: 第184條第1項前段、第185條.
            remark = re.compile(r"(?:前段|中段|後段|但書|本文)").match(scan.text, scan.position)
            at = remark.end() if remark else scan.position
            follow = _NEXT.match(scan.text, at)
            following = _ARTICLE.match(scan.text, follow.end()) if follow else None
        if follow is None or following is None or not _digits(following[1]):
            return
        begin, article, law, antecedent = following.start(), following, "", scan.current


def _mention(scan: _Scan, begin: int, article: re.Match[str], *, law: str, antecedent: str) -> Mention:
    scan.position = scan.named_at = article.end()
    inside = [*_INSIDE.findall(article[4]), "", ""]
    scan.last = Mention(
        span=(begin, article.end()),
        text=scan.text[begin : article.end()],
        language="zh-Hant",
        law=law,
        antecedent=antecedent,
        article=_digits(article[1]) + nfkc(article[2]),
        sub=_digits(article[3] or article[5] or ""),
        paragraph=inside[0],
        item=inside[1],
    )
    return scan.last


def _with_parts(scan: _Scan, one: Mention) -> Iterator[Mention]:
    """The mention with its 項 and 款: one for each of them where several are listed."""
    text, begin, end, paragraph = scan.text, one.span[0], one.span[1], one.paragraph
    outer, inner = (_ITEM, _PARAGRAPH) if _OF_THE_MAINLAND.search(one.names) else (_PARAGRAPH, _ITEM)
    # Taiwan writes no brackets: 第（三）項 is an item of the mainland's law.
    if outer is _PARAGRAPH and _ITEM_IN_BRACKETS.match(text, end):
        outer, inner = _ITEM, _PARAGRAPH
    elif outer is _PARAGRAPH and (one.paragraph or _SUBSECTION.match(text, end)):
        outer, inner = _SUBSECTION, _SUBPARAGRAPH
    parts: list[tuple[int, int, str, str]] = []
    while True:
        joint = _NEXT_PART.match(text, end) if parts else None
        at = joint.end() if joint else end
        if found := outer.match(text, at):
            paragraph = _part(found[1])
            parts.append((begin, found.end(), paragraph, ""))
        elif found := inner.match(text, at):
            # 第1項第2款: the paragraph before its item is no citation of its own.
            if parts and parts[-1][2] == paragraph and not parts[-1][3] and not joint:
                begin = parts.pop()[0]
            parts.append((begin, found.end(), paragraph, _part(found[1])))
        else:
            break
        end = begin = found.end()
    scan.position = end
    if not parts:
        yield one
    for place, (first, stop, of_paragraph, item) in enumerate(parts):
        start = first + len(text[first:stop]) - len(text[first:stop].lstrip(_JOINING))
        law, antecedent = (one.law, one.antecedent) if not place else ("", one.names)
        yield _with(
            one,
            span=(start, stop),
            text=text[start:stop],
            paragraph=of_paragraph,
            item=item,
            law=law,
            antecedent=antecedent,
        )


def of_the_mainland(mention: Mention) -> bool:
    """Whether its 款 was read as the paragraph and its 項 as the item, as the mainland's laws have them."""
    return bool(_OF_THE_MAINLAND.search(mention.names) or re.search(r"[)）]\s?項", mention.text))


def _with(one: Mention, **fields: object) -> Mention:
    from msgspec.structs import replace

    return replace(one, **fields)


def _same_article(scan: _Scan, event: re.Match[str]) -> Iterator[Mention]:
    """``同條第2項``: another part of the article cited last."""
    if scan.last is None or event.start() - scan.last.span[1] > _REACH:
        return
    span = event.span()
    last = _with(
        scan.last, span=span, text=event[0], law="", antecedent=scan.last.names, paragraph="", item="", through=""
    )
    yield from _with_parts(scan, last)


def _law_before(scan: _Scan, start: int) -> tuple[str, str, int]:
    """The law named right before an article, what it goes back to, and where its name begins; empty where none is."""
    from_ = max(scan.position, start - 100)
    window = scan.text[from_:start].rstrip()
    # 民法的第184條.
    window = re.sub(r"(?:的|之)$", "", window)
    if back := _BACK.search(window):
        return "", scan.current, from_ + back.start()
    if named := _NAMED.search(window):
        _remember(scan, named[1], named[0])
        return named[1], scan.aliases.get(named[1], ""), from_ + named.start()
    remark = re.search(r"[（(][^（）()\n]{0,40}[)）]$", window)
    bare = window[: remark.start()] if remark else window
    name = _name_ending(bare, scan.known | scan.aliases.keys())
    if not name:
        return "", "", start
    if remark:
        _remember(scan, name, remark[0])
    return name, scan.aliases.get(name, ""), from_ + len(bare) - len(name)


def _remember(scan: _Scan, name: str, remark: str) -> None:
    if alias := _ALIAS.search(remark):
        scan.aliases[alias[1]] = name


def _name_ending(window: str, known: frozenset[str] | set[str]) -> str:
    run = window[-_LONGEST:]
    # The longest known name first: 民事訴訟法施行法 ends in a known name as well.
    for at in range(len(run) - 1):
        if run[at:] in known:
            return run[at:]
    if not _SUFFIX.search(run):
        # Only what ends as laws do can be one that is not in the list.
        return ""
    run = run[max((found.end() for found in _BREAK.finditer(run)), default=0) :]
    for found in _LEADING.finditer(run[:-2]):
        rest = run[found.end() :]
        if not _LEADING.search(rest[:-2]):
            run = rest
            # The last leading word counts: 依據 may stand before 修正後.
            break
    return run if len(run) > 1 and not _NO_LAW.search(run) and not _LEADING.match(run[:-2]) else ""


def _decisions(scan: _Scan, start: int) -> Iterator[Mention]:
    if found := _INTERPRETATION.match(scan.text, start):
        before = re.search(r"(?:司法院)?(?:大法官)?(?:會議)?$", scan.text[max(scan.position, start - 9) : start])
        begin = start - len(before[0]) if before else start
        yield _decision(scan, begin, found.end(), f"釋字第{_digits(found[1])}號")
        return
    found = _JUDGMENT.match(scan.text, start)
    if found is None:
        return
    court = _COURT_BEFORE.search(scan.text[max(scan.position, start - 24) : start].rstrip("　 "))
    # 臺 and 台 are written either way; the decision is one.
    name = court[1].replace("台", "臺") if court else ""
    begin = scan.text.rindex(court[1], 0, start) if court else start
    kind = _KIND.match(scan.text, found.end())
    number = f"{name}{_digits(found[1])}年度{found[2]}字第{_digits(found[3])}號"
    yield _decision(scan, begin, kind.end() if kind else found.end(), number)


def _decision(scan: _Scan, start: int, end: int, number: str) -> Mention:
    scan.position = end
    return Mention(span=(start, end), text=scan.text[start:end], language="zh-Hant", case_number=number)


def _part(numeral: str) -> str:
    bare = nfkc(numeral).strip("() ")
    return _digits(bare) or bare


def _digits(numeral: str) -> str:
    value = parse_number(numeral) if numeral else None
    return str(int(value)) if value else ""
