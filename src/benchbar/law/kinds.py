"""Acts told from decisions by several signs, each of which is named in the report of an index."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from benchbar.law.citations import extract
from benchbar.law.corrections import CORRECTIONS
from benchbar.law.dates import written_dates
from benchbar.law.splitting import Split
from benchbar.records.errors import BadInputError

HEAD = 3000
"""Characters in which a document says what it is."""
_STATUTE = 5
"""Articles from which a text is a statute, whatever else it looks like: a decision quotes fewer at the beginning of lines."""

_HEADING = re.compile(
    r"(?:判\s?决\s?书|裁\s?定\s?书|调\s?解\s?书|决\s?定\s?书)\s*$|^\s*(?:(?:апелляционн|кассационн|заочн|дополнительн|частн)\w{2}\s+)?(?:Р\s?Е\s?Ш\s?Е\s?Н\s?И\s?Е|О\s?П\s?Р\s?Е\s?Д\s?Е\s?Л\s?Е\s?Н\s?И\s?Е"
    r"|П\s?О\s?С\s?Т\s?А\s?Н\s?О\s?В\s?Л\s?Е\s?Н\s?И\s?Е|П\s?Р\s?И\s?Г\s?О\s?В\s?О\s?Р)"
    # The heading goes on in one line, in capitals or not: Решение именем Российской Федерации; Определение по делу № ….
    r"(?:\s+(?:именем\s+российской\s+федерации|по\s+делу\b[^\n]{0,80}|от\s[^\n]{0,60}|№\s?[^\n]{0,60}))?\s*$"
    r"|^\s*(?:(?:Approved\s)?JUDGMENT|OPINION(?:\sOF\sTHE\sCOURT)?|ORDER(?:\sOF\sTHE\sCOURT)?)\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_COURT = re.compile(
    # In a sentence: Басманный районный суд города Москвы в составе судьи …
    r"^[^\n,.]{0,120}?\bсуд(?:а|ом)?\b[^\n,.]{0,80}?(?=,?\s+в\s+составе\b)|^[^\n，。]{0,40}(?:人民法院|法院)|^[^\n,.]{0,80}\bсуд\w{0,2}\b(?:\s[^\n,.]{0,60})?$|^\s*(?:IN\sTHE\s)?[^\n,.]{0,40}\b(?:COURT|TRIBUNAL)\b[^\n,.]{0,60}$",
    re.MULTILINE | re.IGNORECASE,
)
_LABELLED = re.compile(
    # The Supreme Court sets the number alone in a line: № 5-КГ31-12.
    r"^\s{0,8}(?:№|N)\s?\d{1,3}-[А-Я]{1,4}\d{2}-\d{1,6}(?:-[А-Я]\d{1,3})?(?=\s|$)"
    r"|(?:^|\s)(?:Дело|УИД|материал)\s?(?:№|N)\s?[\w\d./-]{2,40}|\bCase\sNo[.:]\s?[\w./-]{2,30}|\bClaim\sNo[.:]\s?[\w./-]{2,30}",
    re.IGNORECASE | re.MULTILINE,
)
_ECLI = re.compile(r"ECLI:[A-Z]{2}:[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{1,25}")
_FORMULA = re.compile(
    r"本院认为|判决如下|裁定如下|^\s*审\s?判\s?[员长]|именем\s+российской\s+федерации"
    r"|^\s*(?:У\s?С\s?Т\s?А\s?Н\s?О\s?В\s?И\s?Л|Р\s?Е\s?Ш\s?И\s?Л|О\s?П\s?Р\s?Е\s?Д\s?Е\s?Л\s?И\s?Л|П\s?О\s?С\s?Т\s?А\s?Н\s?О\s?В\s?И\s?Л|П\s?Р\s?И\s?Г\s?О\s?В\s?О\s?Р\s?И\s?Л)[АИ]?\s?:"
    r"|\bсуд\s+(?:установил|решил|определил|постановил|приговорил)\b|\bIT\sIS\s(?:HEREBY\s)?ORDERED\b|\bappeal\s(?:is\s)?(?:allowed|dismissed)\b",
    re.MULTILINE | re.IGNORECASE,
)
_PARTIES = re.compile(
    r"原告[：:（(\s]|上诉人[：:（(\s]|被告人?[：:（(\s]|\bист(?:ец|ца|цу|ицы)\b|\bответчик\w{0,2}\b|\bзаявител[ья]\b|\bподсудим\w{2}\b"
    r"|^\s*(?:Claimants?|Appellants?|Respondents?|Defendants?|Plaintiffs?|Petitioners?)\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_ACT = re.compile(
    r"Принят\w?\s+Государственной\s+Думой|主席令|自[^，。；\n]{6,20}日起(?:施行|实施)|\bBe\sit\senacted\b|HAVE\sADOPTED\sTHIS"
    r"|^\s*(?:ФЕДЕРАЛЬНЫЙ\s+(?:КОНСТИТУЦИОННЫЙ\s+)?ЗАКОН|ПРИКАЗ|УКАЗ)\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_ACT_NAME = re.compile(
    r"\b(?:Acts?|Code|Law|Regulations?|Rules|Ordinance|Directive|Order|Constitution|Statute|Decree|Treaty|Convention|Charter|Protocol|Bylaws?|Byelaws"
    r"|Gesetz|Ordinance|Decision|Schedule|Instrument)\b"
    r"|\b(?:закон|кодекс|указ|постановлени|распоряжени|приказ|правила|положени|устав|конституци|инструкци|регламент|порядок|основы\sзаконодательства)\w{0,3}\b"
    r"|(?:法|法典|条例|條例|规定|規定|办法|辦法|细则|細則|规则|規則|解释|解釋|决定|批复|意见|通则|章程|纪要|公约|条约|宪法|答复)(?:[（(][^（()）]{1,24}[）)]){0,2}$",
    re.IGNORECASE,
)
_PROMULGATED = re.compile(
    r"令\s?[（(]?第?\s?[\d〇零一二三四五六七八九十百]{1,6}\s?号|[法发〔\[（(]{1,4}(?:19|20)\d\d[〕\]）)]\s?\d{1,4}\s?号|(?:№|\bN)\s?\d{1,4}(?:/\d{1,4})?-(?:ФКЗ|ФЗ)"
    r"|\b(?:19|20)\d\d\s(?:c\.|No\.)\s?\d{1,4}|\bPublic\sLaw\s\d|\bCap\.\s?\d",
    re.IGNORECASE,
)
_LEAST_SIGNS = 2
RULING = "ruling of a plenum"
PLENUM = re.compile(r"\bПленум\w{0,2}\s+(?:Верховного|Высшего\s+Арбитражного)\s+Суда|\bПЛЕНУМ\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Kind:
    """An act or a decision, and what told it."""

    name: Literal["act", "decision"]
    signs: tuple[str, ...]
    against: tuple[str, ...]
    """Signs of the other kind: where there are any, a person should look."""


def kind_of(text: str, split: Split) -> Kind:
    """What a document is: a decision needs two signs of one, a text with five articles or more is an act."""
    head = text[:HEAD]
    decision = [
        name
        for name, found in (
            ("heading of a decision", _HEADING.search(head)),
            ("case number", case_number_in(head)),
            ("ECLI", _ECLI.search(head)),
            ("name of a court", _COURT.search(head)),
            ("words of a decision", _FORMULA.search(text)),
            ("parties", _PARTIES.search(head)),
        )
        if found
    ]
    act = [name for name, found in (("words of an act", _ACT.search(head) or _ACT.search(text[-1500:])),) if found]
    if split.articles:
        act.append(f"{len(split.articles)} articles")
    # A plenum explains the law in the form of a ruling, and is cited by its points like an act.
    if PLENUM.search(head) and "heading of a decision" in decision and "parties" not in decision:
        return Kind("act", (RULING,), ())
    # One sign is not enough: a government's ПОСТАНОВЛЕНИЕ has the heading, and a law on courts names one.
    telling = {"case number", "ECLI", "heading of a decision", "words of a decision"} & set(decision)
    if len(decision) >= 2 and telling and len(split.articles) < _STATUTE:
        return Kind("decision", tuple(decision), tuple(act))
    return Kind("act", tuple(act), tuple(decision))


def signs_of_an_act(kind: Kind, text: str, *, name: str, number: str, dated: bool) -> tuple[str, ...]:
    """What tells that a text is an act: its name, number, articles, words of adoption and stated days.

    Raises:
        BadInputError: there are fewer than two, so that a shopping list does not become a law.
    """
    signs = list(kind.signs)
    if _ACT_NAME.search(name):
        signs.append("name of an act")
    if number or _PROMULGATED.search(text[:HEAD]):
        signs.append("number of an act")
    if dated:
        signs.append("day of adoption or entry into force")
    if len(signs) < _LEAST_SIGNS and RULING not in signs:
        found = f"only one sign of an act ({signs[0]})" if signs else "no sign of an act or a decision"
        raise BadInputError(
            f"{found}: an act needs two, such as a name that says what it is, articles, a number, words of adoption. "
            f'If it is law, write into {CORRECTIONS} beside the file: kind = "act"'
        )
    return tuple(signs)


_OWN_NUMBER = re.compile(
    r"^\s*(?:(?:апелляционн|кассационн)\w{2}\s+)?(?:ОПРЕДЕЛЕНИЕ|ПОСТАНОВЛЕНИЕ|РЕШЕНИЕ)\s?(?:№|N)\s?(\d{1,3}[А-Я]{0,2}-[А-Я]{0,4}\d{2,7}(?:[-/]\d{1,6}){0,2}(?:-[А-Я]\d{1,3})?)\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_OF_THE_SUPREME_COURT = re.compile(r"\d{1,3}-[А-Я]{1,4}\d{2}-\d{1,6}(?:-[А-Я]\d{1,3})?")


def numbers_in(head: str) -> tuple[str, tuple[str, ...]]:
    """The number that a decision is cited by, and its other ones; the first is empty where there is none.

    A ruling of the Supreme Court is cited by its own number (305-ЭС21-20466) and names that of the case (А41-20391/2020), which
    all courts of the case share; rulings of other arbitration courts are cited by that of the case.
    """
    case, own = case_number_in(head), _OWN_NUMBER.search(head)
    if own is None or own[1] == case:
        return case, ()
    return (own[1], (case,)) if _OF_THE_SUPREME_COURT.fullmatch(own[1]) else (case, (own[1],))


_WRITTEN_OUT = re.compile(
    r"(?:изготовлен|составлен)\w{0,2}\s(?:в\s(?:полном\sобъ[её]ме|окончательной\sформе)\s)?(?=\d)|(?:полн\w{2,3}\s(?:текст|объ)|мотивированн|окончательной\sформе)[^\n]{0,60}?\s(?=\d)",
    re.IGNORECASE,
)
_ARBITRATION = re.compile(r"арбитражн\w{2,3}\s(?:апелляционн\w{2,3}\s)?суд", re.IGNORECASE)


def day_in(head: str) -> str:
    """The day of a decision by its head, as YYYY-MM-DD; empty where there is none.

    Arbitration courts decide on the day on which the whole text is made (АПК, 176), the others on that of the announcement.
    """
    days = written_dates(head)
    written = {match.end() for match in _WRITTEN_OUT.finditer(head)}
    whole = [one.day for one in days if one.start in written]
    others = [one.day for one in days if one.start not in written]
    preferred = [*whole, *others] if _ARBITRATION.search(head) else [*others, *whole]
    return preferred[0] if preferred else ""


def case_number_in(head: str) -> str:
    """The number of the case in the form that citations of it have; as it is labelled where that is no known form."""
    numbers = [one.case_number for one in extract(head) if one.case_number]
    ecli = _ECLI.search(head)
    labelled = _LABELLED.search(head)
    # The number that the document calls its own stands before those that it cites.
    if labelled:
        own = [one.case_number for one in extract(labelled[0]) if one.case_number]
        written = re.sub(r"^.*?(?:№|N|No[.:])\s?", "", labelled[0].strip(), count=1, flags=re.IGNORECASE)
        return own[0] if own else written.rstrip(".,")
    return numbers[0] if numbers else ecli[0] if ecli else ""


def court_in(head: str) -> str:
    """The line that names the court; empty where none does."""
    found = _COURT.search(head)
    return " ".join(found[0].split()) if found else ""
