"""What an excerpt may not change: numbers, negations, duties and the parties."""

from __future__ import annotations

import re

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number
from benchbar.languages.text import nfkc

_SPACE = re.compile(r"\s+")
_CJK_SPACE = re.compile(r"(?<=[\u3000-\u9fff]) | (?=[\u3000-\u9fff])")
_NUMBER = re.compile(rf"\d[\d,.]{{0,18}}(?:[%‰]|[{ZH_CHARACTERS}]{{1,4}})?|[{ZH_CHARACTERS}]{{1,14}}")
_EDGE_NUMBER = re.compile(rf"[\d{ZH_CHARACTERS}]")
_NEGATION = re.compile(
    r"[不未无没非免毋勿禁拒]|\b(?:не|ни|без|нет|нельзя|запрещ\w{0,6}|not|no|never|without|nor|neither|none|cannot)\b|n't\b|\b(?:un|in|non-?)(?=limited|liable|able)",
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
_GUARDS = (("number", _NUMBER), ("negation", _NEGATION), ("duty", _DUTY), ("party", _PARTY))
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
    """The kind of guarded word that the differences between two near texts fall on, or ``""``.

    Words of ``original`` before the first and after the last common character do not count as differences.
    """
    from rapidfuzz.distance import Levenshtein

    left, right = _spaced(excerpt), _spaced(original)
    operations = [one for one in Levenshtein.opcodes(left, right) if one.tag != "equal"]
    guarded = [(name, _spans(form, left), _spans(form, right)) for name, form in _GUARDS]
    for one in operations:
        if one.tag == "insert" and one.src_start in (0, len(left)):
            continue
        for name, lefts, rights in guarded:
            if _meet(lefts, one.src_start, one.src_end) or _meet(rights, one.dest_start, one.dest_end):
                return name
    return ""


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


def negations(text: str) -> list[str]:
    """The negations of a text."""
    return _tokens(_NEGATION, _spaced(text))


def parties(text: str) -> list[str]:
    """The parties that a text names."""
    return _tokens(_PARTY, _spaced(text))


def _value(text: str) -> str:
    plain = text.rstrip(".,")
    sign = plain[-1:] if plain[-1:] in "%‰" else ""
    value = parse_number(plain.rstrip("%‰"))
    return plain if value is None else f"{value:g}{sign}"


def _tokens(form: re.Pattern[str], text: str) -> list[str]:
    return [match[0].lower() for match in form.finditer(text)]
