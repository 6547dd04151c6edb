"""What a text says of a citation beside its article, and who says that they agree or part, in the language of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from benchbar.languages.packs import Labels, labels
from benchbar.languages.reasons import reason_in

if TYPE_CHECKING:
    from benchbar.law.corpus import Corpus
    from benchbar.records import Citation, ClaimCheck

_COLOURS = {"supports": "green", "contradicts": "red", "silent": "yellow", "cannot_tell": "yellow"}


def show_claims(one: Citation, law: Corpus, day: str, *, whole: str | None = None) -> None:
    """Each verdict with who gave it and the two places it rests on; then the whole claim and article, where they are wanted.

    Args:
        one: the citation.
        law: where the text of the article is.
        day: whose text it is.
        whole: all that the text says of the citation, to be shown beside the whole article; None for the places alone.
    """
    from benchbar.law.cited_text import source_of, text_behind
    from benchbar.law.claims.measured import decided

    say = labels(one.language, "report")
    found = text_behind(one, law)
    source = source_of(found, law) if found else ""
    where = f"  ({'; '.join(filter(None, (say('claim.day', day=day), source)))})"
    for check in one.checks:
        click.echo(f"  {click.style(_verdict(check, decided(check, one.language), say), fg=_COLOURS[check.verdict])}")
        if whole is None and check.claim_context and check.article_context:
            click.echo(f"    {say('claim.text', text=_place(check.claim_context))}")
            click.echo(f"    {say('claim.article', text=_place(check.article_context))}{where}")
    if whole is not None:
        text = " ".join(found.text.split()) if found else say("claim.no_text")
        click.echo(f"    {say('claim.text', text=whole)}")
        click.echo(f"    {say('claim.article', text=text)}{where}")


def _verdict(check: ClaimCheck, decided: tuple[str, dict[str, str]], say: Labels) -> str:
    told = say(f"claim.{check.verdict.value}")
    why = f": {reason_in(check.reason, say.language)}" if check.reason else ""
    by, figures = decided
    return f"{told}{why} ({say(by, **figures)})"


def _place(context: tuple[str, str, str]) -> str:
    # Ellipses and brackets mark it in a pipe as well, where there is no bold.
    before, place, behind = (" ".join(part.split()) for part in context)
    return f"…{before} [{click.style(place, bold=True)}] {behind}…"
