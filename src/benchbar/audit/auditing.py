"""All checks of a published table, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchbar.audit.attainable import check_attainable
from benchbar.audit.averages import check_averages
from benchbar.audit.grouping import Group, grouped
from benchbar.audit.matrices import check_f_bounds, check_record
from benchbar.audit.printed import Finding, MetricRecord, PrintedTable
from benchbar.audit.repeats import check_ratios, check_repeats
from benchbar.audit.running import Order, check_running_totals, orders_of
from benchbar.suites.taxonomy import TASKS

LAST_FILES = ("6-6", "4-3")
TASK_NAMES = {
    id_: TASKS[id_].name for id_ in [*sorted(set(TASKS) - {*LAST_FILES}, key=lambda id_: TASKS[id_].name), *LAST_FILES]
}
"""The tasks of UCL-Bench in the order of its task files, alphabetical but for two; its tables print them by id."""


class Audit(NamedTuple):
    """Findings, and how many numbers, rows and metrics were looked at."""

    findings: list[Finding]
    checked: int
    groups: list[Group]
    """The findings of each check and table in one sentence, with what might explain them innocently."""


def audit(
    tables: Sequence[PrintedTable],
    records: Sequence[MetricRecord],
    generator: np.random.Generator,
    *,
    n: int | None = None,
    ties_half: bool = False,
    rate_columns: frozenset[str] = frozenset(),
    order: Sequence[str] = (),
    task_names: Mapping[str, str] | None = None,
    text: str = "",
) -> Audit:
    """What the tables and the records beside confusion matrices cannot both say.

    ``n`` is the number of samples behind each rate; ``order`` names columns in the order they were
    computed, where that is known; ``task_names`` maps task ids to names, in the order in which a
    benchmark's own program goes through them; ``text`` is that of the page around the tables.
    """
    findings: list[Finding] = []
    groups: list[Group] = []
    checked = 0
    for table in tables:
        orders = orders_of(table.columns, task_names or {})
        places = tuple(table.columns.index(name) for name in order if name in table.columns)
        if places:
            orders.append(Order("the given order", places))
        totals = check_running_totals(table, orders, generator, n=n, ties_half=ties_half)
        # What is a total was never meant as a rate of its own n: to hold it against n again would mislead.
        rates, cells = check_attainable(table, n, ties_half=ties_half, columns=rate_columns, explained=totals.by_counts)
        checked += totals.checked + len(cells)
        own = [*rates, *totals.findings]
        for found, count in (check_averages(table, generator), check_f_bounds(table)):
            own += found
            checked += count
        findings += own
        groups += grouped(table, own, cells, ties_half=ties_half)
    of_records = [check_record(record) for record in records]
    for found, count in (
        check_repeats(tables),
        check_ratios(text, "text"),
        ([one for own, _ in of_records for one in own], sum(count for _, count in of_records)),
    ):
        findings += found
        groups += grouped(None, found, [], ties_half=ties_half)
        checked += count
    return Audit(findings, checked, groups)
