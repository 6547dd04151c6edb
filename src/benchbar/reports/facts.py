"""What else a run found about its assistants, as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchbar.records import AssistantResults, RunResults, Spending, Timing
from benchbar.reports.catalogue import Labels
from benchbar.reports.numbers import plain, rate, rate_if_any
from benchbar.reports.verdicts import everyone

NONE = "–"


def reliability(results: RunResults, timing: Mapping[str, Timing], say: Labels) -> list[tuple[str, list[str]]]:
    """Rows of label and one text for each assistant: what was decided, what failed, what it cost."""
    of: dict[str, Callable[[str, AssistantResults], str]] = {
        "macro_these": lambda _, one: rate_if_any(one.win_rate_these_tasks),
        "macro_like": lambda _, one: rate_if_any(one.win_rate_tasks_like_these),
        "rule_share": lambda _, one: rate(one.rule_share),
        "decided_share": lambda _, one: rate(one.decided_share),
        "citation_validity": lambda _, one: rate_if_any(one.citation_validity),
        "quote_fidelity": lambda _, one: rate_if_any(one.quote_fidelity),
        "citations": lambda _, one: _counts({say.name("citation", status): n for status, n in one.citations.items()}),
        "order_inconsistency": lambda _, one: rate_if_any(one.order_inconsistency),
        "position_test": lambda _, one: NONE if one.position_test is None else f"{one.position_test:.3g}",
        "turns": lambda _, one: plain(one.turns),
        "satisfied": lambda _, one: rate(one.satisfied),
        "failed_dialogues": lambda _, one: str(one.failed_dialogues),
        "abstained": lambda _, one: str(sum(cell.abstained for cell in one.by_task.values())),
        "failed": lambda _, one: str(sum(cell.failed for cell in one.by_task.values()) - one.failed_dialogues),
        "guards": lambda _, one: _counts({say.name("guard", name): n for name, n in one.guards.items()}),
        "tokens_in": lambda _, one: _or_none(one.spending.input_tokens),
        "tokens_out": lambda _, one: _or_none(one.spending.output_tokens),
        "cost": lambda _, one: NONE if one.cost is None else f"{one.cost:.4g}",
        "latency": lambda name, _: _seconds(timing.get(name), say),
    }
    rows = [
        (say(f"word.{key}"), [text(name, results.assistants[name]) for name in everyone(results)])
        for key, text in of.items()
    ]
    return [row for row in rows if any(text != NONE for text in row[1])]


def spending(results: RunResults, say: Labels) -> list[list[str]]:
    """A row for each role: what its calls consumed."""
    return [[say.name("role", role), *_spent(one)] for role, one in results.spending.items()]


def _spent(one: Spending) -> list[str]:
    cost = NONE if one.cost is None else f"{one.cost:.4g}"
    return [str(one.calls), str(one.without_usage), _or_none(one.input_tokens), _or_none(one.output_tokens), cost]


def _or_none(value: int | None) -> str:
    return NONE if value is None else f"{value:,}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.items()) or "0"


def _seconds(one: Timing | None, say: Labels) -> str:
    if one is None:
        return NONE
    tail = "" if one.p95 is None else f"; {say('word.p95')} {one.p95:.2f}"
    return plain(one.mean) + tail
