"""What is said of a clause depends on its words, its contract's kind, parties, day and country, and on nothing that stands around it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbar.contracts.reviewing import review_contract
from benchbar.contracts.source import read_contract

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks/contracts"
TITLES = {
    "en": {
        "lease": "LEASE",
        "labour": "EMPLOYMENT CONTRACT",
        "services": "SERVICES AGREEMENT",
        "sales": "SALE AGREEMENT",
    },
    "ru": {
        "lease": "ДОГОВОР АРЕНДЫ",
        "labour": "ТРУДОВОЙ ДОГОВОР",
        "services": "ДОГОВОР ОКАЗАНИЯ УСЛУГ",
        "sales": "ДОГОВОР ПОСТАВКИ",
    },
    "zh": {"lease": "房屋租赁合同", "labour": "劳动合同", "services": "服务合同", "sales": "买卖合同"},
}
NUMERALS = "一二三四五六七八九"


def _texts(path: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / path).read_text("utf-8").splitlines()]


CLAUSES = {one: [row["text"] for row in _texts(f"development/{one}.jsonl")] for one in TITLES}
AROUND = {
    one: [row["text"] for row in _texts("development/ordinary.jsonl") if row["language"] == one] for one in TITLES
}


def _contract(language: str, title: str, clauses: list[str]) -> str:
    marks = [f"第{NUMERALS[at]}条 " if language == "zh" else f"{at + 1}. " for at in range(len(clauses))]
    return "\n\n".join([title, *(mark + clause for mark, clause in zip(marks, clauses, strict=True))]) + "\n"


def _said(folder: Path, language: str, text: str, clause: str) -> tuple[object, ...]:
    """The answer about one clause of a contract, the reason, and each finding's level, name and wording."""
    path = folder / "contract.txt"
    path.write_text(text, "utf-8")
    report = review_contract(read_contract(path), language=language, bounds=None).report
    (name,) = (one.id for one in report.clauses if clause in one.text)
    review = report.by_clause[name]
    findings = tuple((one.level, one.risk, one.analysis, one.suggestion) for one in review.findings)
    return review.answer, review.reason, findings


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(drawn=st.data())
def test_unrelated_neighbours_and_the_clauses_own_number_change_nothing(drawn, tmp_path_factory):
    """A clause between ordinary ones gets the same answer, findings, names and reasons as in a contract of the same title by itself."""
    language = drawn.draw(st.sampled_from(sorted(TITLES)))
    clause = drawn.draw(st.sampled_from(CLAUSES[language]))
    around = drawn.draw(st.lists(st.sampled_from(AROUND[language]), min_size=1, max_size=5, unique=True))
    at = drawn.draw(st.integers(0, len(around)))
    title = TITLES[language][drawn.draw(st.sampled_from(sorted(TITLES[language])))]
    folder = tmp_path_factory.mktemp("contract")
    alone = _said(folder, language, _contract(language, title, [clause]), clause)
    among = _said(folder, language, _contract(language, title, [*around[:at], clause, *around[at:]]), clause)
    assert among == alone


@pytest.mark.parametrize(
    "clause",
    [
        "The Landlord may terminate this lease at any time without cause on five (5) days' notice.",
        "If rent is late, the Tenant shall pay interest of 0.5% per day on the unpaid amount.",
    ],
)
def test_a_grave_clause_is_named_alone_and_in_its_contract(clause, tmp_path):
    """With a title or without one, first or last, it is the same risk by the same name."""
    told = [
        _said(tmp_path, "en", _contract("en", title, clauses), clause)
        for title, clauses in (
            ("", [clause]),
            ("LEASE", [clause]),
            ("LEASE", [*AROUND["en"][:3], clause]),
            ("LEASE", [clause, *AROUND["en"][:3]]),
        )
    ]
    assert {one[0] for one in told} == {"risk"}
    assert len(set(told)) == 1


def test_a_clause_that_names_its_party_is_searched_for_what_harms_it_in_any_contract(tmp_path):
    """A duty of an employee in a services agreement is no less one."""
    clause = "The Employee shall not become pregnant during the first two years of employment."
    answers = {
        title: _said(tmp_path, "en", _contract("en", title, [clause]), clause)[0]
        for title in ("", "EMPLOYMENT CONTRACT", "SERVICES AGREEMENT")
    }
    assert set(answers.values()) == {"risk"}


def test_where_the_kind_of_contract_decides_the_review_says_so(tmp_path):
    """Words that only another kind of contract is searched for are named as such, and are no silence."""
    clause = "加班工资已包含在月薪之内。"
    answer, reason, findings = _said(tmp_path, "zh", _contract("zh", "买卖合同", [clause]), clause)
    told = reason + "".join(one[2] for one in findings)
    assert answer != "risk"
    assert "在其他类型的合同中" in told
    assert "加班不付报酬" in told
    assert _said(tmp_path, "zh", _contract("zh", "劳动合同", [clause]), clause)[0] == "risk"
