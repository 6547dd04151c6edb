"""How far a run lies from people, in words: the same lines on the decision page, in its DOCX, on the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from benchbar.languages.decimals import local_numbers
from benchbar.languages.packs import Labels
from benchbar.measures.beside_people import BesidePeople, by_people
from benchbar.reports.numbers import plain, rate


def lines(found: Iterable[BesidePeople], say: Labels) -> list[str]:
    """A sentence for each kind of mark that the run and people both gave, with n and interval."""
    return [_line(one, say) for one in found]


def _line(one: BesidePeople, say: Labels) -> str:
    # Only grades have a mean distance, and are no shares.
    told = plain(one.estimate, 1, language=say.language) if one.distance else rate(one.estimate, language=say.language)
    distance = plain(one.distance, 1, language=say.language) if one.distance else ""
    return say(
        f"beside_people.{one.kind}",
        n=one.estimate.n,
        value=local_numbers(told, say.language),
        distance=local_numbers(distance, say.language),
        judge=one.judge,
    )


def deciders(found: Iterable[BesidePeople], decided_by: str) -> str:
    """Who decided, in English: people as well, where they marked what is decided on."""
    return f"people's marks and {decided_by}" if by_people([*found]) else decided_by
