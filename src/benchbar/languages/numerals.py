"""Numbers as legal texts write them: Chinese, Russian and English words, digits of any width, and mixtures."""

from __future__ import annotations

import re
from functools import lru_cache

from benchbar.languages.text import folded, nfkc
from benchbar.languages.words import parse_english, parse_russian

ZH_DIGITS = {
    **{char: value for value, char in enumerate("〇一二三四五六七八九")},
    **{char: value for value, char in enumerate("零壹贰叁肆伍陆柒捌玖")},
    **dict.fromkeys("两兩", 2),
    **{char: value for value, char in ((1, "弌"), (2, "貳"), (3, "叄"), (6, "陸"), (0, "○"))},
}
ZH_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
ZH_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
ZH_CONTRACTED = {"廿": "二十", "卅": "三十", "卌": "四十"}
ZH_CHARACTERS = "".join((*ZH_DIGITS, *ZH_TENS, *ZH_MYRIADS, *ZH_CONTRACTED))
"""Every character a Chinese numeral is written with, for use inside a character class."""

_DECIMAL = re.compile(r"[+-]?(?:\d{1,3}(?:[,\u00a0\u202f ]\d{3})+|\d+)(?:\.\d+)?")
_MIXED = re.compile(rf"(\d+(?:,\d{{3}})*(?:\.\d+)?)([{''.join((*ZH_TENS, *ZH_MYRIADS))}]+)")


def digits_of(text: str) -> str:
    """The text with full-width digits and signs made plain (NFKC), and characters of variants as in their language."""
    return folded(nfkc(text)).strip()


def parse_number(text: str) -> int | float | None:
    """The number that the whole text is, in digits, Chinese, Russian or English words; None if it is none.

    ``1.5万`` is 15000.0, ``一千零八十六`` 1086, ``二〇二一`` 2021, ``百分之五`` 0.05, ``двадцать один`` 21,
    ``twenty-one`` 21, ``5 000,50`` 5000.5.
    """
    plain = digits_of(text)
    # Longer than any number in a legal text.
    return _parsed(plain) if plain and len(plain) <= 120 else None


# The same few hundred numbers of articles come again and again.
@lru_cache(maxsize=4096)
def _parsed(plain: str) -> int | float | None:
    for parse in (_parse_decimal, parse_chinese, parse_russian, parse_english):
        value = parse(plain)
        if value is not None:
            return value
    return None


def _parse_decimal(text: str) -> int | float | None:
    if not text[-1].isdecimal():
        return None
    if re.fullmatch(r"[+-]?[\d\u00a0\u202f ]+,\d{1,2}", text):  # a decimal comma, as Russian texts have it
        text = text.replace(",", ".")
    if not _DECIMAL.fullmatch(text):
        return None
    return _plain(re.sub(r"[,\s]", "", text))


def _plain(digits: str) -> int | float:
    return float(digits) if "." in digits else int(digits)


def parse_chinese(text: str) -> int | float | None:
    """The value of a Chinese numeral, with positional digits, mixed digits, decimals (点) and fractions (分之)."""
    text = digits_of(text)
    if "分之" in text:
        return _fraction(text)
    if "点" in text:
        return _decimal_words(text)
    mixed = _mixed(text) if text else None
    if mixed is not None or not text:
        return mixed
    for short, long in ZH_CONTRACTED.items():
        text = text.replace(short, long)
    if all(char in ZH_DIGITS or char.isdecimal() for char in text):
        return int("".join(str(ZH_DIGITS.get(char, char)) for char in text))
    return _sections(text)


def _fraction(text: str) -> float | None:
    below, _, above = text.partition("分之")
    denominator, numerator = parse_chinese(below), parse_chinese(above)
    return numerator / denominator if denominator and numerator is not None else None


def _decimal_words(text: str) -> float | None:
    whole, _, rest = text.partition("点")
    unit = rest[-1:] if rest[-1:] in ZH_MYRIADS else ""
    value, decimals = parse_chinese(whole), rest.removesuffix(unit)
    if value is None or not decimals or not all(char in ZH_DIGITS for char in decimals):
        return None
    return float(f"{value}.{''.join(str(ZH_DIGITS[char]) for char in decimals)}") * ZH_MYRIADS.get(unit, 1)


def _mixed(text: str) -> int | float | None:
    """``3万``, ``1.5万``, ``1万2千``: digits before each unit; a bare rest counts one, as in ``1万500``."""
    if not text[0].isdecimal():
        return None
    total: int | float = 0
    at = 0
    for match in _MIXED.finditer(text):
        if match.start() != at:
            return None
        scale = 1
        for unit in match[2]:
            scale *= ZH_TENS.get(unit) or ZH_MYRIADS[unit]
        value = _plain(match[1].replace(",", ""))
        # Rounded, because 1.1 times ten thousand has a tail in binary.
        total += round(value * scale, 4) if isinstance(value, float) else value * scale
        at = match.end()
    if not at:
        return None
    rest = text[at:]
    if rest and not rest.isdecimal():
        return None
    return total + int(rest or 0)


def _sections(text: str) -> int | None:
    """Words with units: digit times ten, hundred, thousand, summed below each 万 and 亿."""
    total = section = digit = 0
    last_unit = 1
    seen_zero = False
    for char in text:
        if char in ZH_DIGITS:
            if digit and char not in "零〇○":
                return None
            seen_zero = seen_zero or ZH_DIGITS[char] == 0
            digit = ZH_DIGITS[char]
        elif char in ZH_TENS:
            last_unit = ZH_TENS[char]
            # 十二 is 12.
            section += (digit or (1 if last_unit == 10 or not section else 0)) * last_unit
            digit, seen_zero = 0, False
        elif char in ZH_MYRIADS:
            last_unit = ZH_MYRIADS[char]
            whole = last_unit > ZH_MYRIADS["万"]  # 亿 multiplies all before it, 万 what stands behind 亿
            total = (total + section + digit) * last_unit if whole else total + (section + digit) * last_unit
            section = digit = 0
            seen_zero = False
        else:
            return None
    # 三百二 is 320 and 一万五 15,000: a last digit right behind a unit counts a tenth of it.
    behind_unit = text[-2:-1] in ZH_TENS or text[-2:-1] in ZH_MYRIADS
    # But 十二 is 12.
    if digit and not seen_zero and last_unit > 10 and behind_unit:
        digit *= last_unit // 10
    return total + section + digit


def to_chinese(number: int) -> str:
    """A whole number from 0 to 99,999,999 as statutes write it: 1086 is 一千零八十六, 12 is 十二."""
    if not 0 <= number < 10**8:
        raise ValueError(f"{number} is not between 0 and 99,999,999")
    if number >= 10**4:
        high, low = divmod(number, 10**4)
        gap = "零" if 0 < low < 1000 else ""
        return to_chinese(high) + "万" + (gap + to_chinese(low) if low else "")
    digits, words = "零一二三四五六七八九", ""
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            words += digits[digit] + name
        elif words and number and not words.endswith("零"):
            words += "零"
    if words.startswith("一十"):
        words = words[1:]
    return words.rstrip("零") or "零"
