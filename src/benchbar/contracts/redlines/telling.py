"""A change, and a proposal's proof, as lines for a person: in Word's comments, on the page, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchbar.contracts.form import level_names
from benchbar.contracts.redlines.changes import ClauseChange, Turned
from benchbar.contracts.redlines.preservation import Moved
from benchbar.contracts.redlines.proposals import Proposal
from benchbar.languages.packs import labels
from benchbar.records.contracts import RiskLevel

_MOST = 8
"""Words of one kind that are listed: a rewritten clause turns dozens, and the texts stand beside the list."""


def change_lines(change: ClauseChange, language: str) -> Iterator[str]:
    """What happened to the clause and by whom; the verdict with both levels; new and gone findings; the words that turned."""
    say = labels(language, "contract").section("redline")
    who = ", ".join(f"{author} {date[:10]}".strip() for author, date in change.by)
    yield say[change.kind] + (f", {say['by'].format(who)}" if who else "")
    levels = _level(change.level_before, language), _level(change.level_after, language)
    shown = f" ({say['level'].format(*levels)})" if levels[0] != levels[1] and change.kind == "changed" else ""
    yield say[change.verdict] + shown
    for name in ("new", "gone"):
        listed = getattr(change, name)
        if listed:
            yield say[name].format("; ".join(listed))
    if change.turned:
        yield moved_words(change.turned, language)


def proposal_lines(proposal: Proposal, language: str) -> Iterator[str]:
    """Whether the proposal was written, and what it moves; of one that was refused, what nobody asked for."""
    say = labels(language, "contract").section("redline")
    unasked = [one for one in proposal.moved if not one.asked]
    if proposal.refused:
        yield say[proposal.refused].format(moved_words(unasked, language))
        return
    yield say["proposed"]
    if proposal.moved:
        yield say["moves"].format(moved_words(proposal.moved, language))
    if not proposal.edit:
        yield say["anew"]
    elif proposal.proved:
        yield say["keeps"]
    elif not proposal.moved:
        yield say["unproved"]


def moved_words(found: Sequence[Moved | Turned], language: str) -> str:
    """``number 23 → 20; party landlord → –``."""
    names = labels(language, "contract")
    return "; ".join(f"{names(f'redline_kind.{one.kind}')} {_few(one.lost)} → {_few(one.gained)}" for one in found)


def _few(words: Sequence[str]) -> str:
    return (", ".join(words[:_MOST]) + (", …" if len(words) > _MOST else "")) or "–"


def _level(level: RiskLevel | None, language: str) -> str:
    return level_names(language)[level] if level else labels(language, "contract")("redline.not_examined")
