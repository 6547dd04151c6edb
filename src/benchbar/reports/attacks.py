"""How each kind of attack was withstood, as tables that every format lays out."""

from __future__ import annotations

from benchbar.languages.packs import Labels
from benchbar.records import Estimate, RunResults
from benchbar.reports.numbers import rate
from benchbar.reports.rows import TextTable
from benchbar.reports.verdicts import everyone
from benchbar.scoring.attacks import KINDS, asks_nothing


def attack_tables(results: RunResults, say: Labels) -> list[TextTable]:
    """A table for each measure of attacks, by kind of attack and assistant; none for a run of another suite."""
    measures = [name for name in ("attack_withstood", "attack_breach") if name in results.declared]
    return [_by_kind(results, measure, say) for measure in measures]


def _by_kind(results: RunResults, measure: str, say: Labels) -> TextTable:
    names = everyone(results)
    kinds = [task for task in results.tasks if task in KINDS and not asks_nothing(measure, task)]
    rows = []
    for kind in kinds:
        cells = [results.assistants[name].by_task.get(kind) for name in names]
        rows.append(
            (say.name("attack_kind", kind), *("–" if one is None else _text(one[measure], say) for one in cells))
        )
    return TextTable(say(f"attacks.{measure}"), (say("attacks.kind"), *names), tuple(rows))


def _text(estimate: Estimate, say: Labels) -> str:
    """The rate with its interval, how many attacks it is of, and how many nobody decided: most of some kinds are left open."""
    found = "–" if estimate.value is None else rate(estimate, language=say.language)
    return say("attacks.cell", rate=found, n=estimate.n, open=estimate.n_missing)
