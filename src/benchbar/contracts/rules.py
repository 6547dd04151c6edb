"""Risk rules: what to look for in a contract, why it matters, which law says so, and how grave it is in which case."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from benchbar.contracts.patterns import keyword, pattern
from benchbar.contracts.polarity import Relation, meant
from benchbar.records import Record, fingerprint
from benchbar.records.contracts import RiskLevel
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded

MAX_RULE_BYTES = 64 * 1024 * 1024
_OPENING = 1500
"""Characters in which parties are named; a preamble is shorter."""
_FAMILIES: dict[str, tuple[str, ...]] = {
    "general": ("通用", "general", "общ", "любой"),
    "labour": ("劳动", "劳务", "培训", "雇", "聘用", "labour", "labor", "employment", "труд"),
    "lease": ("租赁", "租房", "lease", "rent", "tenancy", "аренд", "найм"),
    "sales": ("买卖", "销售", "购销", "采购", "sale", "purchase", "supply", "купл", "поставк"),
    "services": ("服务", "软件", "技术开发", "service", "saas", "software", "licence", "license", "услуг", "подряд"),
    "loan": ("借款", "借贷", "贷款", "loan", "займ", "кредит"),
}
_PARTIES: dict[str, str] = {
    "labour": r"用人单位|用工单位|劳动者|员工|职工|\b(?:employer|employee|работодател|работник)",
    "lease": r"出租[人方]|承租[人方]|房东|租客|租户|\b(?:landlord|tenant|lessor|lessee|арендодател|арендатор|наймодател|нанимател)",
    "sales": r"买[方受]|卖[方家]|出卖人|购买方|供[方货]|需方|\b(?:buyer|seller|purchaser|vendor|покупател|продав[е]?ц|поставщик)",
    "services": r"服务商|服务方|受托[人方]|\b(?:service provider|licensor|licensee|subscriber|исполнител|подрядчик)",
    "loan": r"借款人|贷款人|出借人|\b(?:borrower|lender|займодав|за[её]мщик|кредитор)",
}
"""Words for the parties that contracts of one family alone have; 甲方, Customer and заказчик stand in all."""
_TITLE_FORM = re.compile(r"合同|协议|契约|agreement|contract|lease|договор|соглашение", re.IGNORECASE)
_TITLE_LINES, _TITLE_WIDTH = 6, 60
_COMPANIES = re.compile(
    r"\b(?:shares?|stock|membership interests?) (?:sale|purchase)|股权|股份|\bдол[яиюе]\b|\bакци[йяи]", re.IGNORECASE
)
"""In a title: what is sold is a company, which no rule on the sale of goods is meant for."""
_OTHER_KINDS = re.compile(
    r"\b(?:agency|distribut|franchis|shareholder|non-disclosure|confidential|investment|partnership|joint venture|assignment|guarant|settlement)"
    r"|代理|经销|特许|加盟|投资|保密|合伙|担保|赠与|агентск|дистриб|франч|франшиз|конфиденц|поручительств|уступк|дарени|комисси",
    re.IGNORECASE,
)
"""In a title: kinds that no rule is kept for, though their parties may find buyers or borrow words from others."""


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
    relation: Relation = "unknown"
    """Whether its wordings give their subject a power, which harms the other party, or a burden, which harms itself."""
    against: str = ""
    """The party it harms, as ``tenant``; where ``relation`` is set, the sentence may name another."""
    cases_grade: bool = False
    """Whether its cases are only read where a keyword or pattern of its own stands."""
    topic: str = ""
    """What the rule is about, in a word or two (the contract agent's ``law_tag``)."""
    language: str = ""

    def matches(self, text: str) -> tuple[str, ...]:
        """The keywords and patterns found in a text, as they stand in the rule."""
        words = tuple(word for word in self.keywords if word and keyword(word).search(text))
        return words + tuple(one for one in self.patterns if pattern(one).search(text))

    def stands_in(self, text: str, side: str = "") -> tuple[str, ...]:
        """Those of its keywords and patterns that the text means: it does not deny them, nor lay them on the other party."""
        words = tuple(word for word in self.keywords if word and self._meant(keyword(word), text, side))
        return words + tuple(one for one in self.patterns if self._meant(pattern(one), text, side))

    def level_of(self, text: str, side: str = "") -> RiskLevel | None:
        """The gravest level whose wordings the text means, or None where no case names wordings that fit.

        Where ``cases_grade`` is set they grade the rule's own wordings and name nothing without one: “at any time” alone is no risk.
        """
        if self.cases_grade and not self.stands_in(text, side):
            return None
        grave = sorted(self.levels, key=lambda level: -level.rank)
        return next(
            (
                one
                for one in grave
                if any(self._meant(pattern(wording), text, side) for wording in self.levels[one].patterns)
            ),
            None,
        )

    def _meant(self, form: re.Pattern[str], text: str, side: str) -> bool:
        return meant(form, text, relation=self.relation, against=self.against, side=side) is not None

    def fits(self, contract_type: str | None) -> bool:
        """Whether the rule is for contracts of this type; None asks for all."""
        if not contract_type:
            return True
        own = families(self.contract_type)
        return "general" in own or bool(own & families(contract_type))

    def may_name(self, text: str, kinds: frozenset[str] = frozenset()) -> bool:
        """Whether the parties of a clause, where it names any, are those of this rule's kind of contract.

        Where it names none, a rule of employment needs a contract that has such parties, if its ``kinds`` are known.
        """
        own, parties = families(self.contract_type), families_of_parties(text)
        if "general" in own or own & parties:
            return True
        return not parties and not (kinds and own == {"labour"} and "labour" not in kinds)


def families(contract_type: str) -> frozenset[str]:
    """The kinds of contract a name stands for: labour, lease, sales, services, loan, general, or the name itself."""
    return frozenset(_named(contract_type.lower()) or {contract_type.lower().strip()})


def type_of_contract(opening: str) -> str | None:
    """The kind of contract, by its title, else by the names of its parties; None where neither names exactly one.

    The words of the topic do not count: 劳动合同书 for a post in 销售 is a labour contract.
    """
    lines = [line.strip(" \t　#*《》").lower() for line in opening[:_OPENING].splitlines() if line.strip()]
    for line in lines[:_TITLE_LINES]:
        if len(line) <= _TITLE_WIDTH and _TITLE_FORM.search(line):
            named = _named(line) - {"general"}
            if _COMPANIES.search(line) or (not named and _OTHER_KINDS.search(line)):
                return None
            if len(named) == 1:
                return named.pop()
    named = set(families_of_parties(opening[:_OPENING]))
    return named.pop() if len(named) == 1 else None


def families_of_parties(text: str) -> frozenset[str]:
    """The kinds of contract whose parties a text names."""
    return frozenset(family for family, form in _PARTIES.items() if re.search(form, text, re.IGNORECASE))


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
