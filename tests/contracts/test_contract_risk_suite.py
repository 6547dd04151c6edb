"""Labelled clauses from files: upstream's JSON and JSONL, our own, and what is wrong with single rows."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchbar.cli.review_contract import command
from benchbar.contracts.bundled import bundled_rules
from benchbar.records.contracts import RiskLevel
from benchbar.records.errors import BadInputError
from benchbar.suites.contract_risk import bundled_clauses, read, read_labelled

ROW = {
    "id": "G2_high",
    "risk_id": "G2",
    "source_domain": "GENERAL",
    "case_type": "high_positive",
    "contract_text": "甲方拥有最终解释权。",
    "expected_risks": [{"risk_id": "G2", "risk_name": "单方解释权", "laws": "《民法典》第四百九十八条"}],
}


def put(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), "utf-8")
    return path


@pytest.mark.parametrize("content", [[ROW], {"cases": [ROW]}, json.dumps(ROW)])
def test_upstream_files_of_every_shape_are_read(tmp_path, content):
    """A JSON list, an object that holds one, and JSON lines give the same clause."""
    name = "a.jsonl" if isinstance(content, str) else "a.json"
    clauses, problems = read_labelled(put(tmp_path, name, content))
    assert not problems
    assert clauses[0].level is RiskLevel.HIGH
    assert (clauses[0].rules, clauses[0].group, clauses[0].contract_type) == (("G2",), "G2", "GENERAL")


def test_as_a_suite_the_level_is_the_ground_truth(tmp_path):
    """The suite's points: the level, the risk's name, the law."""
    suite = read(put(tmp_path, "a.json", [ROW]))
    points = {point.id: (point.category, point.kind, point.text) for point in suite.samples[0].guidance.points}
    assert points == {
        "level": ("ground_truth", "choice", "高风险"),
        "risk-G2": ("mandatory", "semantic", "单方解释权"),
        "law-1": ("advisable", "citation", "《民法典》第四百九十八条"),
    }
    assert suite.card.protocol == "clause_review"


def test_bad_rows_are_told_by_line_and_field_and_the_rest_is_read(tmp_path):
    """No text, no level, a doubled id and broken JSON are problems of their rows."""
    rows = [
        json.dumps(ROW),
        json.dumps({**ROW, "contract_text": ""}),
        json.dumps({**ROW, "id": "b", "case_type": "?"}),
        json.dumps(ROW),
        "{",
    ]
    clauses, problems = read_labelled(put(tmp_path, "a.jsonl", "\n".join(rows)))
    assert len(clauses) == 1
    assert [(one.line, one.field) for one in problems] == [(2, "contract_text"), (3, "level"), (4, "id"), (5, None)]


@pytest.mark.parametrize("content", ["{}", "[]", "[1]", "nonsense", '{"a": 1}'])
def test_a_file_without_clauses_is_refused(tmp_path, content):
    """Nothing to read is an error that says what was expected."""
    with pytest.raises(BadInputError):
        read_labelled(put(tmp_path, "a.json", content))


def test_the_public_clauses_are_read(shared):
    """198 clauses, a third of each level, each risky one with its rule."""
    clauses, problems = read_labelled(shared / "zh/contract_agent/clauses_even_risk.jsonl")
    assert len(clauses) == 198
    assert not problems
    for level in RiskLevel:
        chosen = [one for one in clauses if one.level is level]
        assert len(chosen) == 66
        assert all(bool(one.rules) is (level is not RiskLevel.LOW) for one in chosen)


def test_the_bundled_clauses_and_rules_belong_together():
    """Every rule that a bundled clause expects is a bundled rule, and all three levels occur."""
    clauses, problems = read_labelled(bundled_clauses())
    rules = bundled_rules("zh")
    assert not problems
    assert {one.level for one in clauses} == set(RiskLevel)
    assert {rule for one in clauses for rule in one.rules} <= set(rules.by_id)
    assert len(rules.rules) >= 40


def test_the_bundled_contracts_are_reviewed_for_demonstration(tmp_path):
    """A bundled contract is read and reviewed with the bundled rules, and the report says whose rules they are."""
    contract = bundled_clauses().parent / "lease-1.md"
    done = CliRunner().invoke(command, [str(contract), "--demo", "--json"], catch_exceptions=False)
    document = json.loads(done.stdout)
    assert document["counts"]["high"] > 0
    assert document["counts"]["no_risk_found"] > 0
    assert any("invented jurisdiction" in note for note in document["warnings"])
