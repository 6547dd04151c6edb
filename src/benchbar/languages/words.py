"""Number words of Russian and English, in the forms that legal texts use them in."""

from __future__ import annotations

import re

_RU_UNITS = (
    ("ноль нуль", 0), ("один одна одно одного одной одну", 1), ("полтора полторы полутора", 1.5), ("два две двух двум двумя двое", 2), ("три трех трем тремя трое", 3),
    ("четыре четырех четырем четырьмя", 4), ("пять пяти пятью", 5), ("шесть шести", 6), ("семь семи", 7), ("восемь восьми", 8),
    ("девять девяти", 9), ("десять десяти", 10), ("одиннадцать одиннадцати", 11), ("двенадцать двенадцати", 12),
    ("тринадцать тринадцати", 13), ("четырнадцать четырнадцати", 14), ("пятнадцать пятнадцати", 15),
    ("шестнадцать шестнадцати", 16), ("семнадцать семнадцати", 17), ("восемнадцать восемнадцати", 18),
    ("девятнадцать девятнадцати", 19), ("двадцать двадцати", 20), ("тридцать тридцати", 30), ("сорок сорока", 40),
    ("пятьдесят пятидесяти", 50), ("шестьдесят шестидесяти", 60), ("семьдесят семидесяти", 70),
    ("восемьдесят восьмидесяти", 80), ("девяносто девяноста", 90), ("сто ста", 100), ("двести двухсот", 200),
    ("триста трехсот", 300), ("четыреста четырехсот", 400), ("пятьсот пятисот", 500), ("шестьсот шестисот", 600),
    ("семьсот семисот", 700), ("восемьсот восьмисот", 800), ("девятьсот девятисот", 900),
)  # fmt: skip
_RU = {form: value for forms, value in _RU_UNITS for form in forms.split()}
_RU_SCALES = (("тыс", 10**3), ("млн", 10**6), ("миллион", 10**6), ("млрд", 10**9), ("миллиард", 10**9))

_EN_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_EN = {word: value for value, word in enumerate(_EN_SMALL)} | {
    word: 10 * value for value, word in enumerate(_EN_TENS, start=2)
}
_EN_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
RU_NUMBER_WORDS = [re.sub("е", "[её]", form) for form in sorted(_RU, key=len, reverse=True)]
"""As parts of a pattern: трёх is also written трех."""
EN_NUMBER_WORDS = sorted((*_EN, "hundred", *_EN_SCALES), key=len, reverse=True)


def parse_russian(text: str) -> int | float | None:
    """The value of Russian number words, or of digits with a scale (``1,5 млн``); None if there is another word."""
    total: int | float = 0
    section: int | float = 0
    found = False
    for word in text.lower().replace("ё", "е").split():
        scale = next((value for stem, value in _RU_SCALES if word.startswith(stem)), None)
        if scale:
            total, section = total + (section or 1) * scale, 0
        elif word in _RU:
            section += _RU[word]
        elif re.fullmatch(r"\d+(?:[.,]\d+)?", word) and (not found or re.match(r"\d{3}(?!\d)", word)):
            section = section * 1000 + (float(word.replace(",", ".")) if re.search("[.,]", word) else int(word))
        else:
            return None
        found = True
    return total + section if found else None


def parse_english(text: str) -> int | float | None:
    """The value of English number words, or of digits with a scale (``1.5 million``); None if there is another word."""
    total: int | float = 0
    section: int | float = 0
    found = False
    for word in re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text.lower()).split():
        if word == "and" and found:
            continue
        if word in _EN:
            section += _EN[word]
        elif word == "hundred":
            section = (section or 1) * 100
        elif word in _EN_SCALES:
            total, section = total + (section or 1) * _EN_SCALES[word], 0
        elif not found and re.fullmatch(r"\d[\d,]*(?:\.\d+)?", word):
            plain = word.replace(",", "")
            section += float(plain) if "." in plain else int(plain)
        else:
            return None
        found = True
    return total + section if found else None
