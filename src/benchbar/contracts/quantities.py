"""Quantities as contracts write them: a number, a rate (percent, per mille, parts of ten thousand), the time between two dates.

Patterns name them by a placeholder, and what stands there is read into one unit: a rate into percent, a period into days.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import cache

from benchbar.contracts.day import ANY_DATE, dates
from benchbar.languages.numerals import parse_number


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a text of a quantity says."""

    value: float
    """A number as it is, a rate in percent, a period in days."""
    start: int = 0
    end: int = 0
    """Where in that text the number stands that another may replace; empty where there is none."""
    scale: float = 1
    """What one of the written number is: 0.1 percent of a rate per mille."""
    plain: bool = True
    """Whether it is a number or percent as it stands; else a reader is shown the words beside what they come to."""


_BEHIND = r"(?: ?\([^()]{1,40}\))?"
"""A number is often written twice: five (5), 5 (пять)."""
_TENS_EN = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES_EN = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_SMALL_EN = f"(?:{_TENS_EN})(?:[- ](?:{_ONES_EN}))?|{_ONES_EN}"
_ONES_RU = r"один|одн\w{1,3}|двух|двое|два|две|тр[её]х|трое|три|четыр[её]х|четыре|пят[ьи]|шест[ьи]|сем[ьи]|вос[ье]м[ьи]|девят[ьи]|десят[ьи]|\w{2,7}надцат[ьи]"
_TENS_RU = (
    r"двадцат[ьи]|тридцат[ьи]|сорока?|(?:пят|шест|сем|вос)[ьи](?:м[ьи])?десят[и]?|девяност[оа]|сто|ста|двести|двухсот"
)
_SMALL_RU = f"(?:{_TENS_RU})(?: (?:{_TENS_RU}))?(?: (?:{_ONES_RU}))?|{_ONES_RU}"
_NUMBERS = {
    "en": rf"\b(?:[0-9]{{1,4}}|(?:{_ONES_EN}|a) hundred(?: and (?:{_SMALL_EN}))?|{_SMALL_EN})\b{_BEHIND}",
    "ru": rf"\b(?:[0-9]{{1,4}}|{_SMALL_RU})\b{_BEHIND}",
}
"""Numbers as contracts in a language write them, in digits or words."""
_FIGURES = r"(?<![0-9.,])[0-9]{1,4}(?:[.,][0-9]{1,3})?"
_SIGN = {
    "zh": "[%％‰‱]",
    "ru": r"(?:[%‰]|процент\w{0,3}|промилле)",
    "en": r"(?:[%‰]|per ?cent(?:age points?)?|per ?mille?)",
}
_PARTS_EN = "half|third|quarter|fifth|tenth|hundredth"
_RATES = {
    "zh": rf"(?:[百千万]分之(?:[零〇一二三四五六七八九十两百点]{{1,7}}|{_FIGURES})|{_FIGURES}\s?{_SIGN['zh']})",
    "ru": rf"(?:(?:{_FIGURES}|\bпол(?=процент)|\bпол(?:овин\w|тор\w{{1,2}})|\b(?:ноль целых (?:и )?)?(?:{_ONES_RU}) (?:десят|сот)\w{{2}}|\b(?:{_SMALL_RU})){_BEHIND}\s?{_SIGN['ru']})",
    "en": rf"(?:(?:\b(?:(?:one|an?) )?(?:{_PARTS_EN}) (?:of )?(?:one |an? |1 ?)?|(?:{_FIGURES}|\b(?:{_SMALL_EN})(?: and (?:a|one) half)?){_BEHIND} ?){_SIGN['en']})",
}
_CUSTOMARY = "(?:[一二两三四五六七八九十]{1,2}|[0-9](?:\\.[0-9])?)(?:分(?!之)(?:[一二三四五六七八九]厘?)?|厘)"
"""Chinese interest by the month: 三分 is three percent, 八厘 0.8."""
_TO = r"(?:至|到|—|–|-|through|until|till|to|по|до)"
_PERIOD = rf"(?:{ANY_DATE})[^。；;\n]{{0,12}}?{_TO}\s?[«\"“]?(?:{ANY_DATE})"


@cache
def quantity_form(wording: str, language: str) -> re.Pattern[str]:
    """A pattern with ``<number>``, ``<rate>``, ``<fen>`` (Chinese interest in 分 and 厘) and ``<period>`` written out in a language."""
    for name, form in (
        ("<number>", _NUMBERS.get(language, "[0-9]{1,4}")),
        ("<rate>", _RATES[language]),
        ("<fen>", _CUSTOMARY),
        ("<period>", f"(?:{_PERIOD})"),
    ):
        wording = wording.replace(name, form)
    return re.compile(wording, re.IGNORECASE)


def read_quantity(written: str) -> Quantity | None:
    """What a text that a placeholder stood for says; None where it is no quantity after all."""
    days = [day for _, day in dates(written)]
    if days:
        return _between(days[0], days[-1]) if len(days) > 1 else None
    return _rate(written) or _number(written)


def _between(begin: dt.date | None, end: dt.date | None) -> Quantity | None:
    if begin is None or end is None or end < begin:
        return None
    return Quantity(float((end - begin).days + 1), plain=False)


_OF = re.compile(r"(?P<below>[百千万])分之(?P<n>.+)")
_SIGNED = re.compile(rf"(?P<n>.*?)\s?(?P<sign>{'|'.join(_SIGN.values())})", re.IGNORECASE)
_FEN = re.compile(r"(?P<n>[一二两三四五六七八九十0-9.]{1,3})(?P<unit>分|厘)(?P<rest>[一二三四五六七八九]?)厘?")
_BELOW = {"百": 1.0, "千": 0.1, "万": 0.01}
_PARTS = {
    "half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10, "hundredth": 1 / 100, "полов": 1 / 2, "полпр": 1 / 2,
    "десят": 1 / 10, "сот": 1 / 100,
}  # fmt: skip
_PART = re.compile(
    rf"^(?:ноль целых (?:и )?)?(?P<n>\w+ )?(?P<part>{_PARTS_EN}|полов|полпр|десят(?=ы|о[йм]|ую)|сот(?=ы|о[йм]|ую))",
    re.IGNORECASE,
)


def _rate(written: str) -> Quantity | None:
    if found := _OF.fullmatch(written):
        return _scaled(found, _BELOW[found["below"]], plain=found["below"] == "百")
    if found := _FEN.fullmatch(written):
        number = parse_number(found["n"])
        small = 0.1 * float(parse_number(found["rest"]) or 0) if found["rest"] else 0.0
        scale = 1.0 if found["unit"] == "分" else 0.1
        return None if number is None else Quantity(number * scale + small, plain=False)
    if part := _PART.match(written):
        count = 1 if (part["n"] or "").strip() in ("", "a", "an") else parse_number(part["n"])
        return None if count is None else Quantity(float(count) * _PARTS[part["part"].lower()], plain=False)
    if found := _SIGNED.fullmatch(written):
        thousandth = re.search("‰|mill|милле", found["sign"], re.IGNORECASE)
        return _scaled(found, 0.01 if found["sign"] == "‱" else 0.1 if thousandth else 1.0, plain=thousandth is None)
    return None


def _scaled(found: re.Match[str], scale: float, *, plain: bool) -> Quantity | None:
    number = _number(found["n"])
    if number is None:
        return None
    start = found.start("n")
    twice = "(" in found[0]
    end = start if twice else start + number.end
    return Quantity(number.value * scale, start, end, scale, plain)


def _number(written: str) -> Quantity | None:
    plain = written.partition("(")[0].strip()
    half = re.search(r" and (?:a|one) half$", plain)
    read = parse_number((plain[: half.start()] if half else plain).replace(",", "."))
    return None if read is None else Quantity(float(read) + (0.5 if half else 0), 0, 0 if half else len(plain))
