"""What the citations of every assistant came to, a line for each, as whoever signs a decision has to know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from benchbar.languages.packs import Labels
from benchbar.law.shown import statuses_by_weight
from benchbar.records import UNDECIDED, CitationStatus, Measures, RunResults
from benchbar.reports.verdicts import accusations_right, everyone

CONTRADICTED = "contradicted_citation"
"""The measure that is 1 for a dialogue whose article is shown to say otherwise."""


def citation_lines(results: RunResults, measures: Iterable[Measures], say: Labels) -> Iterator[str]:
    """Of each assistant that cites: how many citations, what became of them, what is open; then what a verdict is worth.

    Nothing where there was no law to hold citations against, which is said elsewhere, and where nobody cites.
    """
    against = Counter(one.assistant for one in measures if one.values.get(CONTRADICTED))
    cited = {name: one for name in everyone(results) if (one := results.assistants[name].citations)}
    for name, counts in cited.items():
        yield say("gate_reason.between").join(
            _told(name, counts, against[name], say, invented=bool(results.invented_law))
        )
    if cited:
        # Not only where somebody is accused: a count of none rests on it as well.
        yield from accusations_right(results, say)


def _told(name: str, counts: dict[str, int], against: int, say: Labels, *, invented: bool) -> Iterator[str]:
    # The gravest first: what is wrong stands beside what is wrong.
    known = [(status, counts[status.value]) for status in statuses_by_weight() if counts.get(status.value)]
    listed = (_counted(status, count, say, invented=invented) for status, count in known)
    yield say("brief.cited", name=name, count=sum(counts.values()), statuses=say("gate_reason.listed").join(listed))
    if against:
        yield say("brief.contradicted", count=against)
    if open_ := sum(count for status, count in known if status in UNDECIDED):
        yield say("brief.open", count=open_)


def _counted(status: CitationStatus, count: int, say: Labels, *, invented: bool) -> str:
    only_there = invented and status is CitationStatus.VERIFIED
    kind = say("how.in_invented_law" if only_there else f"citation.{status.value}")
    return say("gate_reason.kind", kind=kind, count=count)
