"""A checked citation on the terminal, in one language from its first word to the total: the gravest verdict first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from benchbar.languages.decimals import local_numbers
from benchbar.languages.packs import Labels
from benchbar.languages.reasons import reason_in

if TYPE_CHECKING:
    from benchbar.law.corpus import Corpus
    from benchbar.records import Citation, ClaimCheck

_COLOURS = {"supports": "green", "contradicts": "red", "silent": "yellow", "cannot_tell": "yellow"}


class Shown(NamedTuple):
    """What every citation of a text is shown with."""

    law: Corpus
    day: str
    """Whose law counted."""
    say: Labels
    invented: bool
    place: str
    """The folder of the law, to which a nickname may be told."""


def show_citation(one: Citation, shown: Shown, *, whole: str | None = None) -> None:
    """Its verdicts, how often those that accuse were right, why, and the places that they rest on.

    Args:
        one: the citation.
        shown: what all of a text have in common.
        whole: all that the text says of the citation, to be shown beside the whole article; None for the places alone.
    """
    from benchbar.law.nicknames import nickname_command
    from benchbar.law.shown import how_often, named, verdict_keys, verdicts

    say = shown.say
    first, *others = verdicts(one, say, invented=shown.invented)
    line = say(
        "gate_reason.condition",
        check=click.style(first, fg=_colour(one, invented=shown.invented)),
        why=named(one),
    )
    details = say("gate_reason.between").join([*others, *_details(one, shown)])
    click.echo(line + (f"  [{details}]" if details else ""))
    for told in how_often(one, say):
        click.echo(f"  {told}")
    if command := nickname_command(one, shown.place):
        click.echo(f"  {say('cited.nickname', command=command)}")
    # The gravest word stands alone in the first line; who says so, and of what, stands here.
    _show_claims(one, shown, whole, repeated=verdict_keys(one)[0] == "claim.contradicts")


def _colour(one: Citation, *, invented: bool) -> str | None:
    from benchbar.reports.standing import sign, standing

    return {"✗": "red", "?": "yellow", "✓": "green"}.get(sign(standing(one, invented=invented)))


def _details(one: Citation, shown: Shown) -> Iterator[str]:
    from benchbar.law.cited_text import later_of
    from benchbar.law.topic import LOW_TOPIC
    from benchbar.records.numbers import percent

    say = shown.say
    yield from filter(None, (reason_in(one.reason, say.language),))
    if one.authority:
        yield reason_in(one.authority.reason, say.language)
    if later := later_of(one, shown.law):
        yield say("sample.superseded", name=later)
    if one.valid_from or one.valid_to:
        key = "cited.wording_until" if one.valid_to else "cited.wording"
        yield say(key, day=one.valid_from or "?", until=one.valid_to)
    if one.quote_score is not None:
        whole = one.quote_score == 1
        yield say("cited.verbatim") if whole else say("sample.quote", value=percent(one.quote_score, 0))
    if one.topic is not None:
        yield say(
            "cited.topic_low" if one.topic < LOW_TOPIC else "cited.topic",
            value=local_numbers(f"{one.topic:.2f}", say.language),
        )


def _show_claims(one: Citation, shown: Shown, whole: str | None, *, repeated: bool) -> None:
    from benchbar.law.cited_text import source_of, text_behind
    from benchbar.law.shown import by_whom

    say = shown.say
    found = text_behind(one, shown.law)
    source = source_of(found, shown.law) if found else ""
    between = say("gate_reason.between")
    where = f"  ({between.join(filter(None, (say('claim.day', day=shown.day), source)))})"
    for check in one.checks:
        told = _verdict(check, by_whom(check, one.language, say), say, repeated=repeated and check is one.claim_check)
        click.echo(f"  {click.style(told, fg=_COLOURS[check.verdict])}")
        if whole is None and check.claim_context and check.article_context:
            click.echo(f"    {say('claim.text', text=_place(check.claim_context))}")
            click.echo(f"    {say('claim.article', text=_place(check.article_context))}{where}")
    if whole is not None:
        text = " ".join(found.text.split()) if found else say("claim.no_text")
        click.echo(f"    {say('claim.text', text=whole)}")
        click.echo(f"    {say('claim.article', text=text)}{where}")


def _verdict(check: ClaimCheck, by: str, say: Labels, *, repeated: bool) -> str:
    told = say(f"claim.{check.verdict.value}")
    why = reason_in(check.reason, say.language)
    if repeated and why:
        return f"{why} ({by})"
    return f"{say('gate_reason.condition', check=told, why=why) if why else told} ({by})"


def _place(context: Sequence[str]) -> str:
    # Ellipses and brackets mark it in a pipe as well, where there is no bold.
    before, place, behind = (" ".join(part.split()) for part in context)
    return f"…{before} [{click.style(place, bold=True)}] {behind}…"


def show_total(found: Sequence[Citation], shown: Shown) -> None:
    """How many there are of each gravest verdict, so that the counts are those of the lines above."""
    from benchbar.law.shown import counted

    say = shown.say
    if not found:
        click.echo(say("cited.none"))
        return
    click.echo(
        say("cited.total", count=len(found), day=shown.day, verdicts=counted(found, say, invented=shown.invented))
    )
    # A model accuses nobody: what it says is counted apart.
    doubted = sum(any(check.verdict == "contradicts" for check in one.judged) for one in found)
    if doubted:
        click.echo(say("cited.by_model", count=doubted))
