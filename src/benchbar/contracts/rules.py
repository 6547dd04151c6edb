"""Risk rules: what to look for in a contract, why it matters, which law says so, and how grave it is in which case."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from benchbar.contracts.patterns import keyword, pattern
from benchbar.records import Record, fingerprint
from benchbar.records.contracts import RiskLevel
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded

MAX_RULE_BYTES = 64 * 1024 * 1024
_TITLE = 200
_FAMILIES: dict[str, tuple[str, ...]] = {
    "general": ("通用", "general", "общ", "любой"),
    "labour": ("劳动", "劳务", "培训", "雇", "labour", "labor", "employment", "service agreement", "труд"),
    "lease": ("租赁", "租房", "lease", "rent", "tenancy", "аренд", "найм"),
    "sales": ("买卖", "销售", "购销", "采购", "sale", "purchase", "supply", "купл", "поставк"),
}


class Case(Record, frozen=True):
    """What makes a rule's risk this grave: a description, and wordings that show it."""

    when: str = ""
    patterns: tuple[str, ...] = ()


class RiskRule(Record, frozen=True):
    """One risk that contracts may hold."""

    id: str
    name: str
    contract_type: str = "general"
    """What contracts it is for; several divided by ``/``; ``general`` or 通用 for all."""
    keywords: tuple[str, ...] = ()
    """Literal wordings; ``…`` stands for up to 20 characters of one sentence."""
    patterns: tuple[str, ...] = ()
    """Regular expressions with bounded repetition."""
    risk_type: str = ""
    reasoning: str = ""
    law: tuple[str, ...] = ()
    levels: dict[RiskLevel, Case] = {}
    suggestion: str = ""
    """Wording that would mend the clause."""
    topic: str = ""
    """What the rule is about, in a word or two (the contract agent's ``law_tag``)."""
    language: str = ""

    def matches(self, text: str) -> tuple[str, ...]:
        """The keywords and patterns found in a text, as they stand in the rule."""
        words = tuple(word for word in self.keywords if word and keyword(word).search(text))
        return words + tuple(one for one in self.patterns if pattern(one).search(text))

    def level_of(self, text: str) -> RiskLevel | None:
        """The gravest level whose wordings the text holds, or None where no case names wordings that fit."""
        grave = sorted(self.levels, key=lambda level: -level.rank)
        return next(
            (one for one in grave if any(pattern(wording).search(text) for wording in self.levels[one].patterns)), None
        )

    def fits(self, contract_type: str | None) -> bool:
        """Whether the rule is for contracts of this type; None asks for all."""
        if not contract_type:
            return True
        own = families(self.contract_type)
        return "general" in own or bool(own & families(contract_type))


def families(contract_type: str) -> frozenset[str]:
    """The kinds of contract a name stands for: labour, lease, sales, general, or the name itself."""
    return frozenset(_named(contract_type.lower()) or {contract_type.lower().strip()})


def type_of_contract(opening: str) -> str | None:
    """The kind of contract that the first lines name, or None where they name none or several."""
    named = _named(opening[:_TITLE].lower()) - {"general"}
    return named.pop() if len(named) == 1 else None


def _named(lowered: str) -> set[str]:
    """Families whose words stand in a text; a word of letters has to begin a word there (``rent``, not ``current``)."""
    return {
        family
        for family, words in _FAMILIES.items()
        if any(re.search(rf"(?<![a-zа-яё]){word}", lowered) for word in words)
    }


class RuleSet(Record, frozen=True):
    """Rules with unique ids, in the order of their file."""

    rules: tuple[RiskRule, ...]
    name: str = ""

    def __getitem__(self, rule_id: str) -> RiskRule:
        """The rule of this id."""
        return self.by_id[rule_id]

    @property
    def by_id(self) -> dict[str, RiskRule]:
        """Id to rule."""
        return {rule.id: rule for rule in self.rules}

    @property
    def fingerprint(self) -> str:
        """Changes when, and only when, a rule changes."""
        return fingerprint(self.rules)


def read_rules(path: Path) -> RuleSet:
    """The rules of a JSONL file in Benchbar's format or in that of the contract agent's ``risk_rules.jsonl``.

    Raises:
        BadInputError: a line is no rule, an id comes twice, or a pattern could run away; with the line's number.
    """
    rules: list[RiskRule] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(read_bounded(path, MAX_RULE_BYTES).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            rule = rule_from(msgspec.json.decode(line))
            _compile(rule)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BadInputError(str(error), file=path, line=number) from error
        except BadInputError as error:
            raise BadInputError(error.message, file=path, line=number, field=error.field) from error
        if rule.id in seen:
            raise BadInputError(
                f"the id {rule.id!r} was given on line {seen[rule.id]} already", file=path, line=number, field="id"
            )
        seen[rule.id] = number
        rules.append(rule)
    if not rules:
        raise BadInputError("no rules in it; expected one JSON object on each line", file=path)
    return RuleSet(rules=tuple(rules), name=path.stem)


def rule_from(row: Any) -> RiskRule:
    """The rule that one JSON object holds, in either format.

    Raises:
        BadInputError: a field that every rule needs is missing or of another type.
    """
    if not isinstance(row, dict):
        raise BadInputError(f"expected a JSON object, found {type(row).__name__}")
    if "risk_id" in row:
        row = {
            "id": row["risk_id"],
            "name": row.get("risk_name"),
            "contract_type": row.get("contract_type", "general"),
            "keywords": row.get("keywords", ()),
            "risk_type": row.get("risk_type", ""),
            "reasoning": row.get("analysis_logic", ""),
            "topic": row.get("law_tag", ""),
            "law": _laws(row.get("laws", "")),
        }
    else:
        row = {**row, "law": _laws(row.get("law", ())), "levels": _levels(row.get("levels", {}))}
    try:
        return msgspec.convert(row, RiskRule)
    except msgspec.ValidationError as error:
        message, _, at = str(error).partition(" - at `")
        raise BadInputError(message, field=at.rstrip("`").lstrip("$.") or None) from error


def _laws(given: Any) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,) if given.strip() else ()
    return tuple(str(one) for one in given)


def _levels(given: Any) -> Any:
    """A case may be a sentence, a list of wordings, or an object with both."""
    if not isinstance(given, dict):
        return given
    return {level: _case(case) for level, case in given.items()}


def _case(given: Any) -> Any:
    if isinstance(given, str):
        return {"when": given}
    return {"patterns": given} if isinstance(given, list) else given


def _compile(rule: RiskRule) -> None:
    if not rule.id.strip() or not rule.name.strip():
        raise BadInputError("a rule needs an id and a name")
    for word in rule.keywords:
        keyword(word)
    for one in (*rule.patterns, *(wording for case in rule.levels.values() for wording in case.patterns)):
        pattern(one)


def contents(rule: RiskRule) -> str:
    """The words that a rule is found by: name, keywords, reasoning, and what its cases say."""
    cases = " ".join(case.when for case in rule.levels.values())
    return " ".join(filter(None, (rule.name, *rule.keywords, rule.reasoning, rule.topic, cases)))
