"""What an excerpt may not change: numbers, negations, duties, parties, and the words that a clause turns on."""

from __future__ import annotations

import re

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number
from benchbar.languages.text import nfkc

_SPACE = re.compile(r"\s+")
_CJK_SPACE = re.compile(r"(?<=[\u3000-\u9fff]) | (?=[\u3000-\u9fff])")
_NUMBER = re.compile(
    rf"[{ZH_CHARACTERS}]{{1,3}}分之[{ZH_CHARACTERS}]{{1,8}}|\d[\d,.]{{0,18}}(?:[%‰]|[{ZH_CHARACTERS}]{{1,4}})?|[{ZH_CHARACTERS}]{{1,14}}"
)
_EDGE_NUMBER = re.compile(rf"[\d{ZH_CHARACTERS}]")
_NEGATION = re.compile(
    r"[不未无没非免毋勿禁拒]|\b(?:не|ни|никогда|никто|ничто|без|нет|нельзя|запрещ\w{0,6}|not|no|never|without|nor|neither|none|cannot)\b|n't\b"
    r"|\bnon-?[a-z]{3,}|\bun(?!less|til|der|its?\b|ion|iq|iver|dert|iform|anim|ited\b|to\b)[a-z]{4,}|\bin(?=valid|effective|admissible|alienable|definite|capable)\w+|\birre[vf]\w+"
    r"|\bне(?=возвра|ограничен|действит|зависим|обязат|отъем|отзывн|примен|допуст|правомер|своеврем|надлежащ|исполн|опла)\w+|\bбез(?=возвр|возмезд|отзыв|условн|оговор|акцепт)\w+",
    re.IGNORECASE,
)
_NEGATION_BEFORE = re.compile(
    r"(?:不得|不予|不再|无需|无须|无权|没有|禁止|拒绝|并非|[不未无没非免勿毋])$|(?:^|[^\w])(?:не|ни|без|нет|not|no|never|without|cannot)\s{0,3}$",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"应当|必须|可以|有权|应(?=[^该])|须|得以|\b(?:shall|must|may|should|will|вправе|обязан\w{0,2}|должен|должн[аоы]|может|могут)\b",
    re.IGNORECASE,
)
PARTIES = (
    "甲方|乙方|丙方|丁方|买方|卖方|买家|卖家|买受人|出卖人|出租[人方]|承租[人方]|次承租人|用人单位|用工单位|劳动者|公司|单位|员工|职工"
    "|消费者|平台|用户|供应商|供方|需方|委托[人方]|受托[人方]|借款人|贷款人|出借人|保证人|发包[人方]|承包[人方]|商家|经营者|雇主|雇员|房东|租客"
    "|服务商|客户|第三[人方]|双方|任何?一方|对方|守约方|违约方"
)
_PARTY = re.compile(
    rf"{PARTIES}|\b(?:арендодател|арендатор|наймодател|нанимател|покупател|продав[е]?ц|заказчик|исполнител|подрядчик|работник|работодател|поставщик|займодав|заёмщик|заемщик|lessor|lessee|landlord|tenant|buyer|seller|purchaser|vendor|employer|employee|company|customer|client|supplier|contractor|licensor|licensee|lender|borrower|party\s[ab])",
    re.IGNORECASE,
)
# These are held against near matches only, where every difference is a change somebody made: so the lists may be wide, and a
# word too many in them costs a near quotation its place among the close ones, never a verbatim one.
_QUANTIFIER = re.compile(
    r"全部|所有|一切|任何|任意|大?部分|全体|全额|足额|整体|各自?|每|均|皆|都|个别|某些?|若干|一些|少量|多数|半数|仅|只|唯一|共同|至[少多]|最[少多低高]"
    r"|\b(?:all|any|every|each|some|several|part\w*|entire\w*|whole|half|both|either|only|sole\w*|most|least|few\w*|many|more|less|maximum|minimum|full\w*"
    r"|вс[еяёю]\w{0,4}|весь|люб\w{2,5}|кажд\w{2,4}|част\w{0,6}|некотор\w{2,3}|отдельн\w{2,3}|только|лишь|полност\w{2,3}|целиком|оба|обе)\b",
    re.IGNORECASE,
)
_DIRECTION = re.compile(
    r"提[前早]|[延推]后|推迟|延[迟期]|逾期|[以之][上下内外前后]|[高低多少大小早晚等]于|超[过出]|不足|增[加长]|减[少轻免]|[上下][调浮]|提高|降低|上涨|下降"
    r"|[前后内外起止先升降买卖收付借贷]"
    r"|\b(?:before|after|prior|earl\w+|late\w*|above|below|over|under|exceed\w*|within|beyond|outside|until|from|since|great\w+|high\w*|low\w*"
    r"|increas\w*|decreas\w*|reduc\w*|advance|postpon\w*|following|preceding|up|down"
    r"|до|после|ранее|поздне[ей]|раньше|позже|выше|ниже|свыше|более|менее|больше|меньше|вне|внутри|увелич\w*|уменьш\w*|повы[сш]\w*|пони[жз]\w*|досрочн\w*|отсроч\w*)\b",
    re.IGNORECASE,
)
_DEADLINE = re.compile(
    r"立即|即[时刻日]|马上|随时|及时|尽[快早]|适时|不?定期|当[日天月年场]|次[日月年]|届时|按时|[按逐][日月季年]|永久|终身|[长短]期|临时|工作日|自然日|日历日|个月|小时|星期|季度|[日天周月季年时]"
    r"|\b(?:immediate\w*|prompt\w*|forthwith|instant\w*|anytime|time|whenever|soon|hours?|days?|weeks?|months?|years?|business|calendar|working|daily|weekly|monthly|quarterly|annual\w*"
    r"|немедленн\w*|незамедлительн\w*|срочно|сразу|своевременн\w*|время|когда|час\w{0,3}|дн\w{1,3}|день|недел\w{1,3}|месяц\w{0,3}|год\w{0,2}|лет|рабоч\w{2,3}|календарн\w{2,3}|ежедневн\w*|ежемесячн\w*|ежегодн\w*)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"[且并或和及与但除若如]|书面|口头|同意|许可|批准|协商|重大|严重|轻微|故意|过失|恶意|合理|必要|最终|连带|独家|有效|[直间]接|自动|默认|视为|单方"
    r"|\b(?:and|or|if|unless|except|provided|subject|written|oral|consent\w*|approv\w*|gross|wil\w?ful\w*|material\w*|reasonabl\w*|direct\w*|indirect\w*|joint\w*|exclusive\w*|final\w*|automatic\w*"
    r"|и|или|либо|если|кроме|письменн\w*|устн\w*|согласи\w*|разрешени\w*|груб\w*|умышл\w*|существенн\w*|разумн\w*|прям\w{2,3}|косвенн\w*|солидарн\w*|исключительн\w*|автоматич\w*)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"[万亿]?[美日欧港]?元|人民币|[倍折成]|平方米|公斤|千克|吨|\b(?:usd|eur|gbp|rmb|cny|dollars?|euros?|pounds?|rub\w*|percent|руб\w*|долл\w*|евро|процент\w*)\b|[$€£¥₽]",
    re.IGNORECASE,
)
_GUARDS = (
    ("number", _NUMBER),
    ("negation", _NEGATION),
    ("duty", _DUTY),
    ("party", _PARTY),
    ("quantifier", _QUANTIFIER),
    ("direction", _DIRECTION),
    ("deadline", _DEADLINE),
    ("condition", _CONDITION),
    ("unit", _UNIT),
)
_SPACED_WORD = re.compile(r"[^\W\d_]+")
_SAME_WORD = 0.75
"""Least similarity of two spellings of one word: ``premisses`` is a slip, ``tenant`` for ``landlord`` another word."""
EDGE = 6
"""Characters before an excerpt in which a cut-off negation is looked for."""


def changed(excerpt: str, original: str) -> str:
    """What differs between an excerpt and the words it was taken for: ``number``, ``negation``, ``duty``, ``party`` or ``""``."""
    if numbers(excerpt) != numbers(original):
        return "number"
    left, right = _flat(excerpt), _flat(original)
    spaced = _spaced(excerpt), _spaced(original)
    for name, form in (("negation", _NEGATION), ("duty", _DUTY), ("party", _PARTY)):
        # Letters of alphabetic scripts need their spaces to be words; Chinese is compared without any.
        if _tokens(form, left) != _tokens(form, right) and _tokens(form, spaced[0]) != _tokens(form, spaced[1]):
            return name
    return ""


def touched(excerpt: str, original: str) -> str:
    """What the differences between two near texts fall on: the kind of a guarded word, ``wording`` where one word stands for
    another, or ``""``.

    Words of ``original`` before the first and after the last common character do not count as differences.
    """
    left, right = _spaced(excerpt), _spaced(original)
    operations = _operations(left, right)
    guarded = [(name, _spans(form, left), _spans(form, right)) for name, form in _GUARDS]
    for low, high, start, end in operations:
        for name, lefts, rights in guarded:
            if _meet(lefts, low, high) or _meet(rights, start, end):
                return name
    # No list holds every pair of words that turn a clause around, and whoever quotes does not choose other words.
    return "wording" if any(_other_word(left, right, one) for one in operations) else ""


def differences(excerpt: str, original: str) -> tuple[tuple[str, str], ...]:
    """Where a near excerpt leaves its original: the original's words and the excerpt's, in order; either may be empty."""
    left, right = _spaced(excerpt), _spaced(original)
    found = [(_shown(right, start, end), _shown(left, low, high)) for low, high, start, end in _operations(left, right)]
    return tuple((was, now) for was, now in dict.fromkeys(found) if was != now)


Operation = tuple[int, int, int, int]
"""Start and end of a difference in the excerpt and in the original."""


def _operations(left: str, right: str) -> list[Operation]:
    from rapidfuzz.distance import Levenshtein

    return [
        (one.src_start, one.src_end, one.dest_start, one.dest_end)
        for one in Levenshtein.opcodes(left, right)
        if one.tag != "equal" and not (one.tag == "insert" and one.src_start in (0, len(left)))
    ]


def _other_word(left: str, right: str, operation: Operation) -> bool:
    from rapidfuzz.distance import Levenshtein

    low, high, start, end = operation
    was, now = _shown(right, start, end), _shown(left, low, high)
    if (
        _SPACED_WORD.fullmatch(was)
        and _SPACED_WORD.fullmatch(now)
        and was.isascii() == now.isascii()
        and _has_case(was)
    ):
        return Levenshtein.normalized_similarity(was, now) < _SAME_WORD
    return min(len(was), len(now)) >= _WORD_LENGTH and was != now


_WORD_LENGTH = 2
"""Chinese words have two characters as a rule: one that differs may be a slip, two are another word."""


def _has_case(text: str) -> bool:
    return text.lower() != text.upper()


def _shown(text: str, start: int, end: int) -> str:
    """The characters, widened to whole words where words are divided by spaces."""
    while start > 0 and _has_case(text[start - 1]) and (start == len(text) or _has_case(text[start])):
        start -= 1
    while end < len(text) and _has_case(text[end]) and (end == 0 or _has_case(text[end - 1])):
        end += 1
    return text[start:end].strip()


def _meet(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(low < max(end, start + 1) and start < high for low, high in spans)


def _spans(form: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in form.finditer(text)]


def cut_off(original: str, start: int, end: int, *, before: bool = True, after: bool = True) -> str:
    """What an excerpt of characters ``start`` to ``end`` cuts in two or leaves out before it: a number, a negation, or ``""``."""
    inside = _flat(original[start:end])
    left = original[max(0, start - 2 * EDGE) : start] if before else ""
    right = original[end : end + EDGE] if after else ""
    if _splits_number(_flat(left), inside) or _splits_number(inside, _flat(right)):
        return "number"
    return "negation" if _NEGATION_BEFORE.search(left if _is_word(left) else _flat(left)[-EDGE:]) else ""


def _is_word(text: str) -> bool:
    return bool(re.search(r"[A-Za-zА-Яа-яЁё]\s*$", text))


def _splits_number(left: str, right: str) -> bool:
    """``15|000`` and ``二十|五`` are one number; ``3.|5`` too, ``一|二`` in 第一二章 is rare enough."""
    if not left or not right or not _EDGE_NUMBER.match(right[0]):
        return False
    return bool(_EDGE_NUMBER.match(left[-1])) or (left[-1] in ".," and left[-2:-1].isdigit() and right[0].isdigit())


def _spaced(text: str) -> str:
    """NFKC in small letters, with single spaces where words need them and none in Chinese."""
    plain = _SPACE.sub(" ", nfkc(text)).lower().strip()
    return _CJK_SPACE.sub("", plain)


def _flat(text: str) -> str:
    return _SPACE.sub("", nfkc(text)).lower()


def numbers(text: str) -> list[str]:
    """The numbers of a text by value, with their percent signs, whatever script they are written in."""
    return [_value(match[0]) for match in _NUMBER.finditer(_flat(text))]


def written_numbers(text: str) -> dict[str, str]:
    """The numbers of a text by value, each as it is first written there."""
    found = [match[0] for match in _NUMBER.finditer(_flat(text))]
    return {_value(one): one.rstrip(".,") for one in reversed(found)}


def negations(text: str) -> list[str]:
    """The negations of a text."""
    return _tokens(_NEGATION, _spaced(text))


def turning_words(text: str) -> set[str]:
    """The quantifiers, directions and deadlines of a text."""
    return {word for form in (_QUANTIFIER, _DIRECTION, _DEADLINE) for word in _tokens(form, _spaced(text))}


def parties(text: str) -> list[str]:
    """The parties that a text names."""
    return _tokens(_PARTY, _spaced(text))


def guarded_words(text: str) -> dict[str, list[str]]:
    """The words that a clause turns on, by kind in the order of the text; numbers by value."""
    found = {name: _tokens(form, _spaced(text)) for name, form in _GUARDS}
    return found | {"number": numbers(text)}


def _value(text: str) -> str:
    plain = text.rstrip(".,")
    sign = plain[-1:] if plain[-1:] in "%‰" else ""
    value = parse_number(plain.rstrip("%‰"))
    return plain if value is None else f"{value:g}{sign}"


def _tokens(form: re.Pattern[str], text: str) -> list[str]:
    return [match[0].lower() for match in form.finditer(text)]
