"""How contracts introduce their parties: ``甲方（出租人）：…``, ``(the “Tenant”)``, ``именуемое «Арендатор»``, ``Between A Ltd and B GmbH``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.contracts.parties import mentions
from benchbar.languages.text import folded

Introduced = tuple[str, tuple[str, ...]]
"""A party's name, and what the contract calls it; no label where it only names its parties."""

GENERIC = re.compile(
    "^(?:[甲乙丙丁]方|公司|Party [A-D]|Company|Firm|Agency|School|Bank|Общество|Компания|Организация)$"
)
"""Labels that tell no role."""
_WITHOUT_ROLE = re.compile(
    "^(?:投资[方人]|目标公司|创始股东|创始人|股东|披露方|接收方|特许[方人]|被特许[方人]|加盟[方商]|转让[方人]|出让[方人]|受让[方人]|担保[方人]|保证人|抵押[方人]|质权人"
    "|经纪[方人]|居间[方人]|委托代理人|合作方|许可人|被许可人|承运人|托运人|保管人|寄存人|发包[方人]|承包[方人]"
    "|Principal|Agent|Distributor|Investor|Guarantor|Assignor|Assignee|Discloser|Recipient|Disclosing Party|Receiving Party"
    "|Franchisor|Franchisee|Freelancer|Consultant|Carrier|Shipper|Partner|Author|Publisher|Owner|Manager|Founder|Shareholder"
    "|Принципал|Агент|Дистрибьютор|Инвестор|Поручитель|Гарант|Цедент|Цессионарий|Правообладатель|Приобретатель|Пользователь"
    "|Комитент|Комиссионер|Доверитель|Поверенный|Перевозчик|Отправитель|Хранитель|Поклажедатель|Залогодатель|Залогодержатель"
    "|Раскрывающая сторона|Получающая сторона|Передающая сторона|Принимающая сторона|Автор|Издатель|Концедент|Даритель|Одаряемый)$",
    re.IGNORECASE,
)
"""Labels of parties whose roles no check knows: they are named, and nothing is concluded from them."""
_BODY = {
    "en": re.compile(
        r"(?i:\b(?:Inc|Ltd|LLC|L\.L\.C|LLP|L\.?P|PLC|Corp|Co|S\.?A|N\.?A|GmbH|AG|B\.?V|Limited|Incorporated|Corporation|Company|University|College|Council|Bank|Trust|Foundation|Institute|Authority|Association|Society)\b\.?$)"
        r"|^(?:(?:Mr|Ms|Mrs|Miss|Dr|Prof)\.? )?[A-Z][a-z’'-]+(?: [A-Z][a-z’'-]*\.?){1,3}$"
    ),
    "ru": re.compile(
        r"^(?:(?:[ОПЗН]?А?О{0,2}|ООО|АНО|НКО|ИП|КФХ|ТСЖ|ФГБ?О?У\w*|Г[БК]?У\w*|М[БУ]?У?П|Ф?ГУП)(?= [«\"А-ЯЁ])"
        r"|(?i:(?:[а-яё]+(?:ое|ая|ый|ий) ){0,3}(?:обществ|организаци|учреждени|предприяти|компани|корпораци|банк|фонд|союз|ассоциаци|товариществ|кооператив|индивидуальн\w+ предпринимател|граждан))"
        r"|[А-ЯЁ][а-яё-]+ [А-ЯЁ][а-яё]+ [А-ЯЁ][а-яё]+(?:ич|вна|чна|инична)$)"
    ),
    "zh": re.compile(
        r"(?:公司|企业|银行|集团|事务所|合作社|研究院|研究所|大学|学院|学校|医院|中心|基金会|协会|.{3}[厂店社馆院站所部会行局场队室]|[（(](?:有限合伙|普通合伙)[）)])$"
    ),
}
"""Names of companies, offices and people that are a party's, whatever the contract calls it."""
_CALLED = {
    "en": re.compile(
        r"(?:er|or|ee|ist|ian|ant|ent|ess|man|any|eur|Brand|Club|Studio|Label|Firm|Venue|Host|Charity|Network|Gallery|Hotel|Cent(?:re|er)|Fund|Platform)$"
    ),
    "ru": re.compile(r"^[А-ЯЁ]"),
    "zh": re.compile(r"^[\u4e00-\u9fff]{1,5}[方人者商]$"),
}
"""Labels that a party may have: what somebody does."""
_NO_PARTY = re.compile(
    r"^(?:目标公司|标的公司|项目公司|监管银行|见证方|Agreement|Contract|Effective Date|Parties|Party|Group|Affiliates?|Target|(?:[A-Z][a-z]+ )*(?:Order|Letter|Offer|Matter|Number|Register|Other|[A-Za-z]+ment|Event|Patent|Content|Percent)|Стороны|Договор|Сторона|Группа|Общий)$"
)
"""What a contract defines beside its parties; a company that it only is about may have such a name."""
_FILLING = re.compile(r"[\s/、（）()的]|全称|名称|以下|简称|称")

_EN_NAME = (
    r"(?:[^\n;:,.|()“”\"]|(?:(?<=Inc)|(?<=Ltd)|(?<=\bCo)|(?<=Corp)|(?<=\bMr)|(?<=\bMs)|(?<=Mrs)|(?<=\bDr)|(?<=\bSt)|(?<=\bNo)|(?<=\.[A-Za-z])|(?<=\b[A-Z]))\."
    r"|\.(?=[^\s]))"
)
"""A letter of a name: full stops belong to it where they end an abbreviation."""
_EN_FORM = (
    r"(?:(?:, [A-Z][\w’']+){0,3},? & [A-Z][\w’']+\.?)?"
    r"(?:,? (?:L\.?L\.?C|L\.?L\.?P|L\.?P|Inc|Ltd|Corp|Co|PLC|plc|S\.?A|N\.?A|GmbH|Limited|Incorporated|Corporation)\b\.?){0,2}"
)
"""What a company's name goes on with behind a comma: further founders, its legal form."""
_EN_BETWEEN = re.compile(
    rf"\b(?i:between):?\s+(?P<one>[A-Z]{_EN_NAME}{{2,90}})(?:,[^\n;()]{{0,120}})?\s+(?i:and)\s+(?P<two>[A-Z]{_EN_NAME}{{2,90}})(?=[,;(.\n]|$)"
)
_EN_NUMBERED = re.compile(
    rf"^\((?:\d|[a-d]|i{{1,3}})\)\s+(?P<name>[A-Z]{_EN_NAME}{{2,90}}?),? (?:(?:is )?an? (?:company|corporation|limited|private|public|individual|partnership)|incorporated|registered|whose|residing|of\b)",
    re.MULTILINE,
)
_EN_DEFINED = re.compile(
    rf"(?P<name>[A-Z][^\n;(]{{2,90}}?{_EN_FORM})(?:,[^\n;]{{0,240}}?)?\s\((?:hereinafter |together |collectively )*(?:referred to as |called |known as )?(?:the |as )?[“\"'‘]?(?:the )?(?P<label>[A-Z][A-Za-z ]{{2,24}})[”\"'’]?\)"
)
_EN_CALLED = re.compile(
    rf"(?P<name>[A-Z][^\n;(]{{2,90}}?{_EN_FORM})(?:,[^\n;]{{0,240}}?)?,?\s(?:hereinafter|hereafter|herein) (?:together |collectively )?(?:referred to as |called |known as )?(?:the |as )?[“\"'‘]?(?P<label>[A-Z][A-Za-z]{{2,24}})\b"
)
_LABELLED = {
    "zh": re.compile(
        r"^[ \t　]*(?P<label>[^\s（(:：|]{2,8})[ \t　]*(?:[（(](?P<other>[^）)]{1,16})[）)])?[ \t　]*[:：|][ \t　]*(?P<name>[^\n，,；;。|]{2,80})"
        # Without a colon a line has nothing but the name.
        r"|^[ \t　]*(?P<label_>[^\s（(:：|]{2,8})[ \t　]*(?:[（(](?P<other_>[^）)]{1,16})[）)])?[ \t　]+(?P<name_>(?![应须将有不负同在于按向对可应由与和])[^\n，,；;。:：|\s]{2,60})[ \t　]*$",
        re.MULTILINE,
    ),
    "en": re.compile(
        rf"(?:^|[.;] |\d\. )(?:The )?(?P<label>[A-Z][A-Za-z ]{{3,24}}?)(?P<other>) ?[:：|] ?(?P<name>{_EN_NAME}{{2,80}})",
        re.MULTILINE,
    ),
    "ru": re.compile(
        r"(?:^|[.;] |\d\. )(?P<label>[А-ЯЁа-яё ]{5,24})(?P<other>) ?[:：|] ?(?P<name>(?:[^\n;,.|]|(?<=\b[А-ЯЁ])\.){2,80})"
        r"|^(?P<label_>[А-ЯЁ][а-яё]{4,24})(?P<other_>) [–—-] (?P<name_>[А-ЯЁ«](?:[^\n;,.|]|(?<=\b[А-ЯЁ])\.){2,80})$",
        re.MULTILINE,
    ),
}
_ZH_CALLED = re.compile(
    r"(?P<name>[^\n，,；;。:：\s]{2,50}?)[（(](?:以下|下|简)(?:简称|称)?[为]?[“\"‘「『]?(?P<label>[^）)”\"’」』\n]{2,8})[”\"’」』]?[）)]"
)
_RU_CALLED = re.compile(
    r"[,(]\s?(?:именуем\w{2,4}|далее(?:\s?[–—-]\s?(?=[«\"]))?)[^\n«\"–—-]{0,60}[«\"](?P<label>[А-ЯЁ][^»\"\n]{3,32})[»\"]"
    r"|[,(]\s?(?:именуем\w{2,4} )?(?:в )?дальнейшем\s(?P<later>[А-ЯЁ][а-яё]{3,24})\b"
    r"|[,(]\s?далее\s?(?:по тексту\s?)?[–—-]\s?[«\"]?(?P<dashed>[А-ЯЁ][а-яё]{3,24})\b[»\"]?"
    r"|\s\((?P<role>[А-ЯЁ][а-яё]{4,24})\)"
)
_RU_PARTIES = re.compile(
    r"^(?:Стороны:?|(?:[^\n]{0,60}\b)?между) (?P<one>[А-ЯЁ][^\n;:(]{3,110}?»?) и (?P<two>[А-ЯЁ][^\n;:(,]{3,110}?)(?=[,.]?$|, )",
    re.MULTILINE,
)
_BEGIN = re.compile(
    r"^(?:\(?\d{1,2}[.)]\s+|(?:.{0,90}?\b(?:[Bb]etween|BETWEEN|by|между):?\s|(?:and|и)\s|of the (?:one|first|other|second) part,? and\s)(?=[A-ZА-ЯЁ]))"
)
"""What stands before the first name; an "and" within it may be a part of the name, as of Marks and Spencer."""
_ADDRESS = re.compile(
    r",? (?:of|at|having|with|a company|incorporated|registered|whose|residing)\b(?= (?:\d|its|a|at|in|under|office|registered|address|[A-Z][a-z]+ \d)).*"
)
"""Behind a party's name in English: where it is, and under which law."""
_SIGNATURE = re.compile(r"[签盖][字章名署]")
"""Of a line of signatures: it names nobody."""
_BLANK = re.compile(r"[:：]$")
"""A place to sign in: behind one label stands the next."""
_REPRESENTED = re.compile(
    r",? ?\(?\b(?:в лице|действующ\w{2,4}|зарегистрированн\w{2,3}|паспорт|ОГРН\w{0,2}|ИНН|адрес)(?=[\s:]).*", re.DOTALL
)
"""Behind a party's name in Russian: by whom it is represented, and where it is registered."""
_NEXT = re.compile(r"^(?:.*?[,»\")])??\s*и\s+", re.DOTALL)
"""Behind the label of one party in Russian, up to the next party's name."""
_DATED = re.compile(r"^.*\b(?:года|г)\.\s+(?=[А-ЯЁ])", re.DOTALL)
_CITIZEN = re.compile(r"^(?:граждан(?:ином|кой))\s+(?:РФ\s+|Российской Федерации\s+)?")
_ALIAS = re.compile(r"[（(](?:以下|下)?(?:简称|称)[^）)]*[）)]|[（(](?:身份证|统一社会|住所|地址)[^）)]*[）)]")
_FIRST_CLAUSE = re.compile(r"^\s*(?:1\.(?!\d)\s|1[、)]\s?|Article 1\b|Section 1\b|§ ?1\b|Статья 1\b)", re.MULTILINE)


def introduced(text: str, language: str) -> Iterator[Introduced]:
    """Name and labels of each party that the opening of a contract introduces, as it writes them."""
    plain = folded(text)
    found = [
        one
        for one in _labelled(text, plain, language)
        if not any(map(_SIGNATURE.search, (*one[1], one[0]))) and not _BLANK.search(one[0])
    ]
    known = [one for one in found if one[0] and any(is_label(label, language) for label in one[1])]
    # Beside a party that is called so in known words, who is defined in the same way is one, too: «именуемое в дальнейшем «Экспедитор»».
    others = [one for one in found if _is_party(one, language)] if len({one[0] for one in known}) < _TWO else []
    yield from known
    yield from (one for one in others if one not in known)
    if not known and len(others) < _TWO:
        yield from _unlabelled(text, language)


_TWO = 2


def is_person(name: str, text: str, language: str) -> bool:
    """Whether a name is a person's, by its form and, in English, by its title or what the text says behind it; no company's or office's."""
    if _PERSON[language].search(name) is None or _ORGANISATION.search(name):
        return False
    behind = text.partition(name)[2]
    return language != "en" or _TITLE.match(name) is not None or _LIVES.match(behind) is not None


_TITLE = re.compile(r"(?:mr|ms|mrs|miss|dr|prof)\b", re.IGNORECASE)
_LIVES = re.compile(
    r"[,(]? ?(?:an individual|a natural person|a sole trader|a sole proprietor|residing|resident|of \d|of flat|born|whose home)",
    re.IGNORECASE,
)
_PERSON = {
    "en": re.compile(
        r"^(?:(?:Mr|Ms|Mrs|Miss|Dr|Prof|MR|MS|MRS|DR)\.? )?[A-Z][A-Za-z’'-]+(?: [A-Z][A-Za-z’'-]*\.?){1,3}$"
    ),
    "ru": re.compile(
        r"^(?:(?i:граждан\w{2,3}|самозанят\w{2,3}|физическое лицо)(?: РФ| Российской Федерации)? )?[А-ЯЁ][а-яё-]+ [А-ЯЁ][а-яё]+ [А-ЯЁ][а-яё]+(?:ич|вна|чна|инична)$"
    ),
    "zh": re.compile("^[\u4e00-\u9fff]{2,4}$|^[\u4e00-\u9fff]{1,8}·[\u4e00-\u9fff]{1,8}$"),
}
_ORGANISATION = re.compile(
    r"\b(?:Inc|Ltd|LLC|LLP|PLC|Corp|Co|GmbH|AG|Limited|Incorporated|Corporation|Company|Group|Holdings?|Partners|Associates|Services|Solutions|Systems|Studios?|Consulting|Consultants|Engineering|Software|Technologies|Industries|Media|Press|Bank|Trust|Council|University|College|School|Foundation|Society)\b\.?"
    "|(?:公司|集团|银行|中心|工作室|事务所|企业|学校|医院|厂|店|局|委|会|社|部|所|院|馆|行)$",
    re.IGNORECASE,
)
"""Words of a name that is no person's; a firm may be called by them alone."""


def _is_party(one: Introduced, language: str) -> bool:
    """Whether an unknown label is a party's by whose it is: a company's, or a person's who is called by what they do."""
    name, labels = one
    if any(map(_NO_PARTY.search, labels)) or not all(_CALLED[language].search(label) for label in labels):
        return False
    form = _BODY.get(language)
    return form is not None and form.search(name) is not None


def is_label(label: str, language: str) -> bool:
    """Whether a contract calls a party so: 出租方（甲方）, and neither 甲方地址 nor 工资."""
    bare = label.strip()
    if GENERIC.search(bare) or _WITHOUT_ROLE.search(bare):
        return True
    rest = bare
    for one in reversed(list(mentions(bare, language))):
        if not one.subject:
            return False
        rest = rest[: one.start] + rest[one.end :]
    return rest != bare and not _FILLING.sub("", re.sub("[甲乙丙丁]方", "", rest))


def _labelled(text: str, plain: str, language: str) -> Iterator[Introduced]:
    yield from _defined(text, plain, language)
    form = _LABELLED.get(language)
    for match in form.finditer(plain) if form else ():
        yield _read(match, text)


def _defined(text: str, plain: str, language: str) -> Iterator[Introduced]:
    """Who is called something from there on: (the “Tenant”), именуемое «Арендатор», （以下简称“甲方”）."""
    if language == "ru":
        yield from _russian(plain)
    for form in {"en": (_EN_DEFINED, _EN_CALLED), "zh": (_ZH_CALLED,)}.get(language, ()):
        for match in form.finditer(plain):
            # 转让方：王某，男，身份证号码…（以下简称“出让人”） names him at the begin of the line.
            line = _LABELLED["zh"].match(plain, plain.rfind("\n", 0, match.start()) + 1) if language == "zh" else None
            name, labels = _read(match, text)
            yield (_read(line, text)[0] if line else name), labels


def _read(match: re.Match[str], text: str) -> Introduced:
    parts = match.groupdict()
    part = "_" if parts.get("label_") else ""
    labels = (parts[f"label{part}"].strip(), (parts.get(f"other{part}") or "").strip())
    return _name(text[slice(*match.span(f"name{part}"))]), tuple(filter(None, labels))


def _unlabelled(text: str, language: str) -> Iterator[Introduced]:
    """Parties that are only named; of several ways to divide the words at an "and" none is chosen."""
    first = _FIRST_CLAUSE.search(text)
    opening = text[: first.start()] if first else text
    if language == "en":
        numbered = [_name(match["name"]) for match in _EN_NUMBERED.finditer(opening)]
        between = next(_EN_BETWEEN.finditer(opening), None)
        yield from _pair(numbered if len(numbered) > 1 else between.groups() if between else (), " and ")
    elif language == "ru":
        named = next(_RU_PARTIES.finditer(opening), None)
        yield from _pair(named.groups() if named else (), " и ")


def _pair(names: tuple[str, ...] | list[str], link: str) -> Iterator[Introduced]:
    if not any(link in name or link.upper() in name for name in names):
        yield from ((_name(name), ()) for name in names)


def _russian(opening: str) -> Iterator[Introduced]:
    """“ООО «Юг», в лице …, именуемое «Заказчик», и ИП Громов, именуемый «Подрядчик»”: who is represented, not by whom."""
    ends = 0
    for match in _RU_CALLED.finditer(opening):
        begin = max(ends, opening.rfind("\n", 0, match.start()) + 1)
        between = opening[begin : match.start()]
        name = _NEXT.sub("", between) if begin == ends and ends else _DATED.sub("", between)
        label = next(filter(None, match.groups()))
        yield _name(_REPRESENTED.sub("", name)), (label.strip(),)
        ends = match.end()


def _name(text: str) -> str:
    bare = " ".join(_BEGIN.sub("", _BEGIN.sub("", _ALIAS.sub("", text).strip())).split())
    return _CITIZEN.sub("", _ADDRESS.sub("", bare)).strip(" ,—–-:(")[:120]
