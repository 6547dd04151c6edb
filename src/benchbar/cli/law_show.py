"""`benchbar law show`: what a corpus holds on an article, a law or a decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, labels_option, law_option
from benchbar.languages.reasons import reason_in
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.languages.packs import Labels
    from benchbar.law.corpus import Corpus
    from benchbar.law.history import Act, Edition
    from benchbar.law.mention import Mention
    from benchbar.law.pinpoints import Pinpoint
    from benchbar.records import Article


@click.command("show", cls=Command)
@click.argument("citation")
@law_option(required=True)
@labels_option
@json_option
def command(citation: str, corpus: Path, labels: tuple[str, ...], *, as_json: bool) -> None:
    """Print the article (in every edition), the law, or the decision that CITATION names.

    benchbar law show 《民法典》第五百七十七条 --law indexes/prc
    benchbar law show "ст. 130 ГК РФ" --law indexes/ru
    benchbar law show （2019）京0105民初12345号 --law indexes/prc
    """
    from benchbar.cli.printing import print_json, warn_of_invented_law
    from benchbar.languages.packs import labels as labels_of
    from benchbar.languages.text import detect_language
    from benchbar.law.index import load_corpus
    from benchbar.law.treatment.table import said_of
    from benchbar.records import encode

    law = load_corpus(corpus, labels=labels)
    document = _document(citation, law)
    warn_of_invented_law(law, citation)
    if as_json:
        print_json(document)
        return
    say = labels_of(detect_language(citation), "report")
    for edition in document["editions"]:
        _show_edition(edition, citation, say)
    if decision := document["decision"]:
        click.echo(encode(decision).decode())
    for one in document["treatments"]:
        elsewhere = one.said_in not in {one.by, decision.id if decision else ""}
        said = f" {say('edition.said_in', decision=one.said_in)}" if elsewhere else ""
        told = reason_in(said_of(one), say.language)
        click.echo(click.style(f"{told}{said}", fg="red" if one.ends else None))


def _show_edition(edition: dict[str, Any], citation: str, say: Labels) -> None:
    source = say(f"edition.{edition['in_force_source'] or 'stated'}")
    since = f"{edition['in_force']} ({source})" if edition["in_force"] else "?"
    adopted = edition["adopted"] and not edition["in_force"]
    day = f", {say('edition.adopted', day=edition['adopted'])}" if adopted else ""
    click.echo(f"{edition['law']} [{edition['law_id']}] {since} – {edition['until'] or ''}{day}")
    for article in edition["articles"]:
        click.echo(f"  {article.number}{'-' + article.sub if article.sub else ''} {article.title}\n{article.text}")
        if article.repealed:
            click.echo(f"  {say('edition.repealed')}")
    # What an edition left out has to be seen: its line alone would read as if there were no more to say.
    if edition["absent"]:
        click.echo(f"  {say('edition.absent', cited=citation)}")
    if edition["part"]:
        click.echo(f"  {reason_in(edition['part'], say.language)}")


def _document(citation: str, law: Corpus) -> dict[str, Any]:
    from benchbar.law.citations import extract

    mentions = extract(citation, known=law.known_names)
    mention = mentions[0] if mentions else None
    # As answers and reports print it: a Russian number without "дело №" is no citation, and neither is an id.
    own = law.decision(citation.strip())
    number = own.case_number or own.id if own else mention.case_number if mention else ""
    if number:
        decision = own or law.decision(number)
        treatments = law.treatments.of_decision(decision, number)
        # Of a decision that is not held, another one may say what became of it.
        if decision or treatments:
            return {"editions": [], "decision": decision, "treatments": treatments}
    # What is no citation may be the id of an article, or the bare name of a law.
    article = law.article(citation.strip())
    if article is not None:
        acts = [act for act in law.acts if any(article.law_id == one.law_id for one in act.editions)]
    else:
        acts = list(law.acts_named(mention.names if mention else citation))
    if not acts:
        raise UserError(
            f"the corpus holds nothing that {citation!r} names: expected a law, an article or a case number"
        )
    named = (mention.article, mention.sub) if mention else ("", "")
    number, sub = (article.number, article.sub) if article else named
    held = [one for act in acts for one in _editions(act, law, number, sub, mention)]
    there = [one for one in held if one.articles]
    if number and not there:
        names = ", ".join(dict.fromkeys(one.edition.versions[0].name for one in held))
        raise UserError(f"no text of {names} that the corpus holds has what {citation!r} names")
    if number and all(one.lacks_the_part for one in there):
        why = "; ".join(dict.fromkeys(one.why for one in there))
        raise UserError(f"no text that the corpus holds has what {citation!r} names: {why}")
    return {
        "editions": [_edition_document(one, absent=bool(number) and not one.articles) for one in held],
        "decision": None,
        "treatments": (),
    }


class _Held(NamedTuple):
    """What an edition has of what was asked for."""

    edition: Edition
    articles: list[Article]
    part: Pinpoint | None
    """Whether the part that was named stands there; None where none could be looked for."""

    @property
    def lacks_the_part(self) -> bool:
        from benchbar.law.pinpoints import Found

        return self.part is not None and self.part.found is Found.MISSING

    @property
    def why(self) -> str:
        """Why the part could not be shown; empty where it stands there."""
        from benchbar.law.pinpoints import Found

        return self.part.reason if self.part and self.part.found is not Found.THERE else ""


def _editions(act: Act, law: Corpus, number: str, sub: str, mention: Mention | None) -> Iterator[_Held]:
    from benchbar.law.pinpoints import pinpoint

    for edition in act.editions:
        rows = [law.row(version.law_id, number, sub) for version in edition.versions] if number else []
        articles = [law.articles[row] for row in rows if row is not None]
        yield _Held(edition, articles, pinpoint(articles[0], mention) if articles and mention else None)


def _edition_document(held: _Held, *, absent: bool) -> dict[str, Any]:
    edition = held.edition
    return {
        "law": edition.versions[0].name,
        "law_id": edition.law_id,
        "in_force": edition.in_force,
        "adopted": edition.adopted,
        "in_force_source": edition.versions[0].in_force_source,
        "until": edition.until,
        "superseded_by": edition.superseded_by,
        "articles": held.articles,
        "absent": absent,
        "part": held.why,
    }
