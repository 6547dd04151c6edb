"""Are the checks of a contract's consistency right? `python benchmarks/contract_consistency.py`: planted faults beside clean texts.

For each kind of fault and language the same sentence is made with and without the fault, from numbers and days of a seeded generator; so the
share found and the share of false alarms can be counted. Bundled contracts, which hold none of the faults, show how often a check speaks
in running text.

    --write   also into docs/results-contract-findings.md
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from benchbar.contracts.offline import OfflineReviewer
from benchbar.contracts.paragraphs import ContractSource, Paragraph, place
from benchbar.contracts.report import ContractReport, review_contract
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.contracts.source import read_contract
from benchbar.records.files import write_atomically
from benchbar.statistics.proportions import share

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "results-contract-findings.md"
SUITES = ROOT / "src/benchbar/suites/data"
EACH = 20
BEGIN, END = "<!-- consistency -->", "<!-- end of consistency -->"

_ONES = {
    "en": [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ],
    "ru": [
        "одна",
        "две",
        "три",
        "четыре",
        "пять",
        "шесть",
        "семь",
        "восемь",
        "девять",
        "десять",
        "одиннадцать",
        "двенадцать",
        "тринадцать",
        "четырнадцать",
        "пятнадцать",
        "шестнадцать",
        "семнадцать",
        "восемнадцать",
        "девятнадцать",
    ],
}
_TENS = {
    "en": ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
    "ru": ["двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто"],
}
_CAPITALS = "零壹贰叁肆伍陆柒捌玖"


def words(number: int, language: str) -> str:
    """A number from 1 to 99 in words, of thousands for money."""
    if language == "zh":
        tens, ones = divmod(number, 10)
        return (f"{_CAPITALS[tens]}拾" if tens else "") + (_CAPITALS[ones] if ones else "")
    if number < 20:
        return _ONES[language][number - 1]
    tens, ones = divmod(number, 10)
    gap = "-" if language == "en" else " "
    return _TENS[language][tens - 2] + (gap + _ONES[language][ones - 1] if ones else "")


def day(date: dt.date, language: str) -> str:
    """A date as contracts of the language write it."""
    months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    if language == "en":
        return f"{date.day} {months[date.month - 1]} {date.year}"
    return f"{date:%d.%m.%Y}" if language == "ru" else f"{date.year}年{date.month}月{date.day}日"


def amounts(draw: random.Random, language: str, *, fault: bool) -> str:
    """An amount in figures and in words."""
    right = draw.randint(2, 98)
    written = right + draw.choice([-1, 1]) if fault else right
    return {
        "en": f"The fee is £{right},000 ({words(written, 'en')} thousand pounds).",
        "ru": f"Цена составляет {right} 000 ({words(written, 'ru')} тысяч) рублей.",
        "zh": f"合同价款为{right * 10000}元（大写：{words(written, 'zh')}万元整）。",
    }[language]


def no_such_day(draw: random.Random, language: str, *, fault: bool) -> str:
    """A deadline on a day that may not exist."""
    year, month = draw.randint(2024, 2029), draw.choice([4, 6, 9, 11])
    if not fault:
        written = day(dt.date(year, month, draw.randint(1, 30)), language)
    else:
        written = day(dt.date(year, month, 30), language).replace("30", "31", 1)
    return {
        "en": f"The goods are delivered by {written}.",
        "ru": f"Товар поставляется до {written}.",
        "zh": f"货物应于{written}前交付。",
    }[language]


def reversed_period(draw: random.Random, language: str, *, fault: bool) -> str:
    """A period that may end before it begins."""
    begin = dt.date(draw.randint(2024, 2028), draw.randint(1, 12), draw.randint(1, 28))
    end = begin + dt.timedelta(days=draw.randint(40, 900))
    first, second = (end, begin) if fault else (begin, end)
    a, b = day(first, language), day(second, language)
    return {
        "en": f"The services run from {a} to {b}.",
        "ru": f"Услуги оказываются с {a} по {b}.",
        "zh": f"服务期限自{a}至{b}。",
    }[language]


def other_length(draw: random.Random, language: str, *, fault: bool) -> str:
    """A period beside the number of its years."""
    years = draw.randint(2, 5)
    begin = dt.date(draw.randint(2024, 2026), draw.randint(1, 12), 1)
    lasting = years + draw.choice([-1, 1]) if fault else years
    a, b = day(begin, language), day(begin.replace(year=begin.year + lasting) - dt.timedelta(days=1), language)
    numeral = {"ru": ["два", "три", "четыре", "пять"], "zh": "二三四五"}.get(language, _ONES["en"][1:5])[years - 2]
    return {
        "en": f"The term is {numeral} years, from {a} to {b}.",
        "ru": f"Срок составляет {numeral} {'лет' if years == 5 else 'года'}: с {a} по {b}.",
        "zh": f"期限{numeral}年，自{a}至{b}。",
    }[language]


def reference(draw: random.Random, language: str, *, fault: bool) -> str:
    """A reference to a clause that the contract may not have; it has twelve."""
    number = draw.randint(30, 60) if fault else draw.randint(1, 9)
    return {
        "en": f"Payment is made as clause {number} says.",
        "ru": f"Оплата производится в порядке, указанном в пункте {number} договора.",
        "zh": f"付款方式按照本合同第{number}条执行。",
    }[language]


def annex(draw: random.Random, language: str, *, fault: bool) -> str:
    """A reference to an annex; the contract has annex 1."""
    number = draw.randint(2, 6) if fault else 1
    return {
        "en": f"The services are described in Annex {number}.",
        "ru": f"Состав услуг указан в Приложении № {number}.",
        "zh": f"服务内容见附件{'一二三四五六'[number - 1]}。",
    }[language]


def currencies(draw: random.Random, language: str, *, fault: bool) -> str:
    """A further sum in the contract's currency, or in another."""
    sum_ = draw.randint(2, 90) * 100
    own, other = {"en": ("£", "US$"), "ru": (" рублей", " долларов США"), "zh": ("元", "美元")}[language]
    unit = other if fault else own
    return {
        "en": f"The yearly support fee is {unit}{sum_}.",
        "ru": f"Стоимость поддержки составляет {sum_}{unit}.",
        "zh": f"年度维护费为{sum_}{unit}。",
    }[language]


Maker = Callable[..., str]
KINDS: dict[str, Maker] = {
    "amount in figures and words": amounts,
    "day that does not exist": no_such_day,
    "period reversed": reversed_period,
    "period against its years": other_length,
    "reference to a missing clause": reference,
    "missing annex": annex,
    "second currency": currencies,
}
_FRAME = {
    "en": (
        "Services agreement",
        "{}. The Provider meets the Customer in week {}.",
        "12. The fee is £{},000 in all.",
        "Annex 1",
        "List of services.",
    ),
    "ru": (
        "Договор услуг",
        "{}. Исполнитель встречается с заказчиком на неделе {}.",
        "12. Всего {} 000 рублей.",
        "Приложение № 1",
        "Перечень услуг.",
    ),
    "zh": ("服务合同", "第{}条 服务商于第{}周与客户会面。", "第十二条 总额为{}000元。", "附件一", "服务清单。"),
}
_ZH = "一二三四五六七八九十"


def contract(sentence: str, language: str) -> ContractReport:
    """A contract of twelve clauses and an annex, whose eleventh is the sentence."""
    title, line, money, head, body = _FRAME[language]
    number = (lambda at: _ZH[at - 1]) if language == "zh" else str
    lines = [title, *(line.format(number(at), at) for at in range(1, 11))]
    lines += [f"{'第十一条' if language == 'zh' else '11.'} {sentence}", money.format(20), head, body]
    return reviewed(place(map(Paragraph, lines), name="a.txt", form="text"), language)


def reviewed(source: ContractSource, language: str) -> ContractReport:
    """The review without rules, in this process: thousands of small contracts are not worth one each."""
    return asyncio.run(review_contract(source, ContractReviewer(OfflineReviewer()), language=language))


def spoken(report: ContractReport) -> int:
    """Findings of consistency: contradictions, broken references, currencies, terms."""
    every = [one for review in report.reviews for one in review.findings] + list(report.findings)
    return sum(one.kind in {"inconsistency", "broken_reference"} for one in every)


def shown(values: list[bool]) -> str:
    """The share with its 95% interval and counts."""
    found = share([float(one) for one in values])
    interval = f" [{found.low:.2f}, {found.high:.2f}]" if isinstance(found.low, float) else ""
    return f"{found.value:.2f}{interval} ({sum(values)}/{len(values)})"


def lines() -> Iterator[str]:
    """The table in Markdown."""
    yield "| fault | language | found where planted | spoken of where not |"
    yield "| --- | --- | --- | --- |"
    for name, make in KINDS.items():
        for language in ("zh", "ru", "en"):
            draw = random.Random(f"{name} {language}")  # noqa: S311 - seeded, so that the table can be made again
            planted = [spoken(contract(make(draw, language, fault=True), language)) > 0 for _ in range(EACH)]
            clean = [spoken(contract(make(draw, language, fault=False), language)) > 0 for _ in range(EACH)]
            yield f"| {name} | {language} | {shown(planted)} | {shown(clean)} |"
    for language in ("zh", "ru", "en"):
        files = sorted((SUITES / f"model-jurisdiction-{language}/contracts").glob("*.md"))
        reports = [reviewed(read_contract(file), language) for file in files]
        clauses = sum(len(one.reviews) for one in reports)
        yield f"| bundled contracts, {len(files)} with {clauses} clauses | {language} | | {sum(map(spoken, reports))} findings |"


def main() -> None:
    """Measure, print, and with ``--write`` publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    text = "\n".join(lines())
    print(text)
    if write:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        write_atomically(PAGE, f"{before}{BEGIN}\n{text}\n{END}{after}".encode())


if __name__ == "__main__":
    main()
