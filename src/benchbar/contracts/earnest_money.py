"""Earnest money (定金) of more than the statute's share of the price, where deposit and price stand in different clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchbar.contracts.evidence import check_excerpt
from benchbar.contracts.limits import Limit, all_limits
from benchbar.contracts.terms import root
from benchbar.languages.packs import labels
from benchbar.languages.quantities import quantities
from benchbar.languages.text import folded, sentences
from benchbar.records.contracts import Clause, ClauseKind, Finding

_PRICE = re.compile(
    r"(?:合同|货款|价款|工程|服务费|转让|标的|采购|成交)(?:的)?(?:总价款?|总额|总金额|价款总额|总计|总价)|合同(?:价款|金额|价|标的额)|总价款?|总金额|价款(?:共计|合计|总计)|货款(?:共计|合计|总计)"
)
_DEPOSIT = re.compile("定金")
# 双倍返还 and the like say what a deposit does; 分期、第一期 are parts of a price.
_NO_AMOUNT_OF = re.compile("双倍|返还|没收|抵作(?!.{0,12}价款)|单价|违约金|保证金")
_REACH = 24
"""Characters after the word within which its amount stands."""


def earnest_money_findings(clauses: Sequence[Clause], language: str) -> dict[str, Finding]:
    """Id of the clause of the deposit to the finding; none where the contract names several prices or deposits, or no price.

    Where deposit and price stand in one sentence as a rate, the bound of that sentence says it.
    """
    if root(language) != "zh":
        return {}
    prices: set[float] = set()
    deposits: dict[float, tuple[Clause, str]] = {}
    for clause in clauses:
        if clause.kind not in (ClauseKind.CLAUSE, ClauseKind.TABLE, ClauseKind.PREAMBLE):
            continue
        for start, end in sentences(clause.text):
            sentence = folded(clause.text[start:end])
            prices.update(_amounts(sentence, _PRICE))
            for amount in _amounts(sentence, _DEPOSIT):
                deposits.setdefault(amount, (clause, clause.text[start:end].strip()))
    limit = next(one for one in all_limits() if one.id == "zh-earnest-money")
    if len(prices) != 1 or len(deposits) != 1:
        return {}
    (price,), ((deposit, (clause, sentence)),) = prices, deposits.items()
    share = 100 * deposit / price
    if not (limit.most or 0) < share < _WHOLE:
        return {}
    return {clause.id: _finding(limit, clause, sentence, share, language)}


_WHOLE = 100


def _amounts(sentence: str, form: re.Pattern[str]) -> set[float]:
    """The amounts of money that stand behind a word; those in figures and words are one."""
    found: set[float] = set()
    for match in form.finditer(sentence):
        behind = sentence[match.end() : match.end() + _REACH]
        money = [one for one in quantities(behind) if one.unit == "yuan"]
        if money and not _NO_AMOUNT_OF.search(behind[: behind.find(money[0].text)]):
            found.add(float(money[0].value))
    return found


def _finding(limit: Limit, clause: Clause, sentence: str, share: float, language: str) -> Finding:
    words = labels(language, "contract")
    say = words.section("offline")
    return Finding(
        risk=limit.name,
        level=limit.level,
        evidence=sentence,
        analysis=say["limit"].format(f"{share:.4g}", f"{limit.most:g}", words("unit.percent")) + say["limit_across"],
        law=limit.law,
        suggestion=limit.suggestion,
        confidence=0.9,
        excerpt=check_excerpt(sentence, clause.text),
    )
