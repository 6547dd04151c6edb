"""The contract as one self-contained page: its text with the findings marked in place, and each finding beside its clause."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from itertools import pairwise

from benchbar.contracts.form import LABELS, LEVEL_NAMES
from benchbar.contracts.report import ContractReport, places, shown
from benchbar.records.contracts import Clause, ClauseReview, ExcerptStatus, RiskLevel

Piece = tuple[str, str]
"""Text and the level it is marked with, or an empty string."""

_PAGE = {
    "zh": {"title": "合同风险审查", "counts": "各等级条款数", "warnings": "读取提示", "doubtful": "存疑，请人工复核", "unread": "未能审查", "page": "第{}页", "reviewer": "审查者", "none": "未发现风险"},
    "en": {"title": "Contract risk review", "counts": "Clauses by level", "warnings": "On reading the file", "doubtful": "Doubtful: a person should look", "unread": "Could not be reviewed", "page": "page {}", "reviewer": "Reviewer", "none": "no risk found"},
    "ru": {"title": "Проверка рисков договора", "counts": "Условия по уровням", "warnings": "При чтении файла", "doubtful": "Сомнительно: нужна проверка человеком", "unread": "Не удалось проверить", "page": "стр. {}", "reviewer": "Проверяющий", "none": "рисков не найдено"},
}  # fmt: skip


def write_html(report: ContractReport) -> str:
    """A page without scripts or outside resources; every text in it is escaped."""
    from jinja2 import Environment

    template = Environment(autoescape=True).from_string((files(__package__) / "report.html.jinja").read_text("utf-8"))
    by_clause = report.by_clause
    return template.render(
        report=report,
        words=_PAGE.get(report.language, _PAGE["en"]),
        labels=LABELS.get(report.language, LABELS["en"]),
        levels=LEVEL_NAMES.get(report.language, LEVEL_NAMES["en"]),
        rows=[
            {
                "clause": clause,
                "review": by_clause.get(clause.id),
                "findings": shown(by_clause[clause.id]) if clause.id in by_clause else (),
                "pieces": pieces(clause, by_clause.get(clause.id)),
            }
            for clause in report.clauses
        ],
    )


def pieces(clause: Clause, review: ClauseReview | None) -> Sequence[Piece]:
    """The clause's text cut where a verified excerpt begins or ends, each piece with the gravest level that covers it."""
    marks = [
        (low - clause.start, high - clause.start, finding.level)
        for finding in (shown(review) if review else ())
        if finding.excerpt is not None and finding.excerpt.status is ExcerptStatus.VERIFIED
        for low, high in places(clause, finding)
    ]
    cuts = sorted({0, len(clause.text), *(cut for low, high, _ in marks for cut in (low, high))})
    found: list[Piece] = []
    for low, high in pairwise(cuts):
        over = [level for start, end, level in marks if start <= low and high <= end]
        found.append((clause.text[low:high], str(max(over, key=_rank)) if over else ""))
    return found


def _rank(level: RiskLevel) -> int:
    return level.rank
