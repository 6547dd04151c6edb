"""An ablation on questions as tables: variants in rows, measures in columns, differences from the reference below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchbar.records import Estimate
from benchbar.records.ablation import QuestionAblation
from benchbar.reports.numbers import rate
from benchbar.reports.questions import NAMES
from benchbar.reports.tables import markdown_table

SHOWN = (
    *("recall@1", "recall@5", "recall@10", "law_recall@3", "practice_recall@5"),
    *("mrr", "ndcg@10", "span_precision", "span_recall"),
    *("faithfulness", "answer_relevancy", "context_precision", "context_recall", "answer_correctness"),
)
Lines = list[list[str]]


def tables(results: QuestionAblation) -> Iterator[tuple[str, Lines]]:
    """Title and lines of each table, the first line its head."""
    measures = [name for name in SHOWN if any(name in found for found in results.results.values())]
    head = ["variant", *(NAMES[name] for name in measures)]
    body = [
        [variant, *(rate(found[name]) if name in found else "–" for name in measures)]
        for variant, found in results.results.items()
    ]
    yield f"{results.questions} questions, % [95%]", [head, *body]
    for table in results.contrasts:
        lines = [["difference", "points [95%]", "p", "p (Holm)"]]
        lines += [[one.name, _points(one.difference), _p(one.p_value), _p(one.p_holm)] for one in table.pairs]
        yield f"Paired differences: {NAMES[table.outcome]}", lines


def _points(difference: Estimate) -> str:
    if difference.value is None:
        return f"– ({difference.reason})"
    if difference.low is None or difference.high is None:
        return f"{100 * difference.value:+.1f}"
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"


def _p(value: float | None) -> str:
    return "–" if value is None else "< .0001" if value < 1e-4 else f"{value:.4f}"  # noqa: PLR2004 - as printed


def as_markdown(results: QuestionAblation) -> str:
    """All tables as GitHub tables."""
    parts = [f"# {results.name}: {results.suite}", f"Reference: {results.reference or 'none'}; seed {results.seed}."]
    parts += [f"## {title}\n\n{markdown_table(lines)}" for title, lines in tables(results)]
    return "\n\n".join(parts) + "\n"


def show(results: QuestionAblation, written: Sequence[Path]) -> None:
    """Print the tables and where the files are."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    for title, (head, *body) in tables(results):
        table = Table(title=Text(title), title_justify="left")
        for name in head:
            table.add_column(Text(name))
        for line in body:
            table.add_row(*(Text(cell) for cell in line))
        console.print(table)
    for path in written:
        console.print(Text(f"written: {path}"))
