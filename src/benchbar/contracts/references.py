"""Cross-references between the clauses of one contract; mentions of statutes are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from benchbar.contracts.marks import ZH, plain_number, read_annex, read_mark
from benchbar.records.contracts import Clause, ClauseKind, CrossReference

_DECIMAL = r"\d{1,3}(?:\.\d{1,3}){0,4}"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:本合同|本协议|上述|前述|合同|协议)?第\s?(?P<n>{_DECIMAL}|[{ZH}]{{1,9}})\s?(?P<w>条|章)(?:之[{ZH}]{{1,3}})?(?:第\s?[{ZH}]{{1,4}}\s?[款项])?",
        rf"第\s?(?P<n>{_DECIMAL})\s?款",
        rf"(?P<annex>附件|附录)\s?(?P<n>[{ZH}]{{1,3}})",
        rf"\b(?:п(?:ункт(?:а|е|у|ом|ы|ов|ах)?|\.{{1,2}})|подпункт\w{{0,3}}|раздел(?:а|е|у|ом)?|стать(?:я|и|е|ей))\s{{0,2}}(?P<n>{_DECIMAL})",
        r"\b(?P<annex>Приложени(?:е|я|ю|ем|и))\s{0,2}№?\s?(?P<n>\d{1,2})",
        rf"\b(?:article|section|clause|paragraph)s?\s{{1,3}}(?P<n>{_DECIMAL}|[IVX]{{1,5}}\b)(?:\([a-z0-9]{{1,3}}\)){{0,2}}",
        r"\b(?P<annex>annex|appendix|schedule|exhibit)\s{1,3}(?P<n>\d{1,2}|[A-H]\b)",
    )
)  # fmt: skip
_STATUTE_BEFORE = re.compile(
    r"(?:[》法典例]|规定|办法|解释|细则|通则)[\s（(]{0,2}[^，。；、]{0,6}$|(?:ГК|ТК|ЖК|кодекс\w{0,3}|закона?)\s{0,2}$|\bAct[\s,]{0,2}\S{0,5}\s?$"
)
_STATUTE_AFTER = re.compile(
    r"\s{0,2}(?:[^\s]{0,12}\s){0,2}(?:ГК|ТК|ЖК|ГПК|АПК|НК|УК|СК|ЗК|РФ|ФЗ|кодекс|закон|Федеральн)"
    r"|\s{0,2}of\s+the\s+(?:[A-Z]\w{1,30}\s+){1,6}(?:Act|Code|Law|Ordinance|Regulation)\b"
)
_LOOK_BACK = 24
_FEW = 5


def link(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """The clauses with their references, each resolved where the contract has such a clause.

    Where most of many references lead nowhere it is the numbering that was not understood, and those are left out.
    """
    targets = _targets(clauses)
    found = [_references(one, targets) for one in clauses]
    missing = sum(one.target is None for row in found for one in row)
    understood = missing <= _FEW or 2 * missing <= sum(map(len, found))
    return tuple(
        msgspec.structs.replace(clause, references=tuple(one for one in row if understood or one.target))
        for clause, row in zip(clauses, found, strict=True)
    )


def _targets(clauses: Sequence[Clause]) -> dict[str, str]:
    """Plain number to clause id; the first clause of a number wins, as numbering starts anew in annexes."""
    targets: dict[str, str] = {}
    by_id = {clause.id: clause for clause in clauses}
    for clause in clauses:
        if clause.kind is ClauseKind.ANNEX:
            annex = read_annex(clause.text)
            targets.setdefault(f"annex {annex.number if annex else '1'}", clause.id)
            continue
        mark = read_mark(clause.text)
        if mark is None or not clause.number:
            continue
        targets.setdefault(f"{mark.number} 章" if "章" in clause.number else mark.number, clause.id)
        if "." not in mark.number and clause.parent:
            above = read_mark(by_id[clause.parent].text)
            if above is not None:
                targets.setdefault(f"{above.number}.{mark.number}", clause.id)
    for name, place in _listed_annexes(clauses):
        targets.setdefault(name, place)
    return targets


def _listed_annexes(clauses: Sequence[Clause]) -> Iterator[tuple[str, str]]:
    """The annexes that a contract lists at its end as attached, “Приложения: № 1. Смета”, and the clause of the list."""
    for clause in clauses:
        listed = False
        for line in clause.text.splitlines():
            number = _IN_LIST.match(line) if listed else None
            if number:
                yield f"annex {plain_number(number['n'])}", clause.id
            listed = bool(number) or _LIST_OF_ANNEXES.match(line) is not None


_LIST_OF_ANNEXES = re.compile(
    r"\s*(?:附件|附录|приложения|(?:list of )?(?:annexes|appendices|schedules|exhibits))\s*(?:清单|目录|к договору)?\s*[:：]\s*$",
    re.IGNORECASE,
)
_IN_LIST = re.compile(
    rf"\s*(?:№\s?|(?:附件|附录|приложение|annex|appendix|schedule|exhibit)\s?(?:№\s?)?)?(?P<n>\d{{1,2}}|[{ZH}]{{1,3}}|[A-H]\b)\s?[.、．:：)—–-]",
    re.IGNORECASE,
)


def _references(clause: Clause, targets: dict[str, str]) -> list[CrossReference]:
    mark = read_mark(clause.text) or read_annex(clause.text)
    after_mark = mark.end if mark else 0
    found: list[CrossReference] = []
    for form in _FORMS:
        for match in form.finditer(clause.text):
            if match.start() < after_mark or _is_statute(clause.text, match) or _overlaps(found, match):
                continue
            number = _number(match)
            found.append(
                CrossReference(
                    start=match.start(), end=match.end(), text=match[0], number=number, target=targets.get(number)
                )
            )
    return sorted(found, key=lambda one: one.start)


def _number(match: re.Match[str]) -> str:
    groups = match.groupdict()
    number = plain_number(groups["n"])
    if groups.get("annex"):
        return f"annex {number}"
    return f"{number} 章" if groups.get("w") == "章" else number


def _is_statute(text: str, match: re.Match[str]) -> bool:
    if match[0].startswith(("本合同", "本协议", "上述", "前述")):
        return False
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    return bool(_STATUTE_BEFORE.search(before) or _STATUTE_AFTER.match(text, match.end(), match.end() + 120))


def _overlaps(found: Sequence[CrossReference], match: re.Match[str]) -> bool:
    return any(one.start < match.end() and match.start() < one.end for one in found)
