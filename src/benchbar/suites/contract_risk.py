"""Reads labelled contract clauses: the contract agent's JSON or JSONL, and Benchbar's own labelled clauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Problem, Sample, Suite, SuiteCard, Task
from benchbar.records.contracts import LabelledClause, RiskLevel
from benchbar.records.errors import BadInputError, UserError
from benchbar.suites.readers.rows import gather
from benchbar.tables.json_rows import read_json
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

TASK = "clause-review"
CARD = SuiteCard(
    name="contract-risk",
    description="Contract clauses with the level of risk and the rule that an expert expects to be found.",
    source="https://github.com/Hoarfrost42/Contract_agent",
    licence="none stated upstream: ask before publishing",
    jurisdiction="PRC",
    protocol="clause_review",
)
_TEXT = ("contract_text", "clause_text", "clause", "text")
_CASES = {"high_positive": "high", "medium_positive": "medium", "negative": "low"}
_LEVELS = {
    "高": "high",
    "高风险": "high",
    "中": "medium",
    "中风险": "medium",
    "低": "low",
    "低风险": "low",
    "无": "low",
}
_WORDS = {RiskLevel.HIGH: "高", RiskLevel.MEDIUM: "中", RiskLevel.LOW: "低"}
_FORMS = ("风险等级：{}", "风险等级: {}", "风险等级为{}", "风险等级：**{}**", "等级为{}")
"""How a reply states a level; the bare character stands in too many words to count."""


def bundled_clauses() -> Path:
    """The labelled clauses of the bundled model jurisdiction.

    Raises:
        UserError: the package was installed without its data.
    """
    path = Path(__file__).parent / "data" / "model-jurisdiction-zh" / "contracts" / "clauses.jsonl"
    if not path.is_file():
        raise UserError("the bundled clauses are not installed; name labelled clauses with --clauses FILE")
    return path


def read_labelled(path: Path) -> tuple[tuple[LabelledClause, ...], tuple[Problem, ...]]:
    """The labelled clauses of a file, and what was wrong with the rows that were left out.

    Raises:
        BadInputError: the file cannot be read, or holds no labelled clause at all.
    """
    table = _table(path)
    clauses = gather(table, ((line, _clause(table, line, row)) for line, row in _rows(table)), "labelled clause")
    return clauses, tuple(table.problems)


def read(path: Path) -> Suite:
    """The same clauses as a suite: the level is the ground truth, the rule's name and law are further points.

    Raises:
        BadInputError: as :func:`read_labelled`.
    """
    clauses, problems = read_labelled(path)
    task = Task(id=TASK, name="Clause review", level="evaluate", scenarios=("law_office",))
    names = _risk_names(path)
    samples = tuple(_sample(clause, names) for clause in clauses)
    return Suite(card=CARD, tasks={TASK: task}, samples=samples, problems=problems)


def _table(path: Path) -> Table:
    # A document whose lists have names of their own, which the reader of tables would not look for.
    return Table(path, "JSON") if path.suffix.lower() == ".json" else read_table(path)


def _rows(table: Table) -> Iterator[tuple[int | None, dict[str, Any]]]:
    if table.format != "JSON":
        yield from table
        return
    for item in _listed(read_json(table.path), table.path):
        if isinstance(item, dict):
            yield None, item
        else:
            table.problem(f"a clause should be an object, found {type(item).__name__}")


def _listed(document: Any, path: Path) -> list[Any]:
    """The list itself, or the lists that an object holds, one after the other."""
    if isinstance(document, list):
        return document
    if isinstance(document, dict):
        lists = [value for value in document.values() if isinstance(value, list)]
        if lists:
            return [item for one in lists for item in one]
    raise BadInputError("expected a list of clauses, or an object with such a list", file=path)


def _clause(table: Table, line: int | None, row: dict[str, Any]) -> LabelledClause | None:
    text = next((str(row[name]).strip() for name in _TEXT if row.get(name)), "")
    if not text:
        table.problem("missing or empty; the clause is skipped", line=line, field=_TEXT[0])
        return None
    level = _level(row)
    if level is None:
        table.problem(
            f"no level of risk; expected high, medium or low, found {row.get('level')!r}", line=line, field="level"
        )
        return None
    expected = [one for one in row.get("expected_risks") or () if isinstance(one, dict)]
    risk = str(row.get("risk_id") or (expected[0].get("risk_id") if expected else "") or "")
    own = row.get("rules")
    rules = (
        tuple(map(str, own))
        if isinstance(own, list)
        else tuple(str(one["risk_id"]) for one in expected if one.get("risk_id"))
    )
    return LabelledClause(
        id=str(row.get("id") or f"{risk or 'clause'}-{line or len(text)}"),
        text=text,
        level=level,
        contract_type=str(row.get("contract_type") or row.get("source_domain") or ""),
        # A harmless clause breaks no rule, whatever rule its row was written for.
        rules=() if level is RiskLevel.LOW and not own else rules,
        group=str(row.get("group") or risk),
        laws=_laws(row.get("law"), expected),
    )


def _laws(own: Any, expected: list[dict[str, Any]]) -> tuple[str, ...]:
    listed = own if isinstance(own, list) else [own] if own else [one["laws"] for one in expected if one.get("laws")]
    return tuple(dict.fromkeys(map(str, listed)))


def _level(row: dict[str, Any]) -> RiskLevel | None:
    given = str(row.get("level") or row.get("risk_level") or _CASES.get(str(row.get("case_type")), "")).strip().lower()
    given = _LEVELS.get(given, given)
    return RiskLevel(given) if given in set(RiskLevel) else None


def _risk_names(path: Path) -> dict[str, str]:
    """Rule id to the name that the file gives it."""
    names: dict[str, str] = {}
    for _, row in _rows(_table(path)):
        for one in row.get("expected_risks") or ():
            if isinstance(one, dict) and one.get("risk_id") and one.get("risk_name"):
                names[str(one["risk_id"])] = str(one["risk_name"])
    return names


def _sample(clause: LabelledClause, names: dict[str, str]) -> Sample:
    word = _WORDS[clause.level]
    points = [
        GuidancePoint(
            id="level",
            category=Category.GROUND_TRUTH,
            kind=PointKind.CHOICE,
            text=f"{word}风险",
            alternatives=tuple(form.format(word) for form in _FORMS),
        )
    ]
    points += [
        GuidancePoint(id=f"risk-{rule}", category=Category.MANDATORY, text=names[rule])
        for rule in clause.rules
        if rule in names
    ]
    points += [
        GuidancePoint(id=f"law-{index}", category=Category.ADVISABLE, kind=PointKind.CITATION, text=law)
        for index, law in enumerate(clause.laws, start=1)
    ]
    return Sample(
        id=clause.id,
        task=TASK,
        information=clause.text,
        needs="请审查这条合同条款，指出风险及其等级、条款中的证据、法律依据和修改建议。",
        guidance=Guidance(points=tuple(points)),
        # The clause is what is reviewed: a user who cuts it short would ask about another one.
        long_information=True,
        tags=(clause.contract_type,) if clause.contract_type else (),
    )
