"""`benchbar law search`: the articles and decisions that bear on a question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from benchbar.cli.command import Command
from benchbar.cli.options import day_option, json_option, labels_option, law_option, retriever_option
from benchbar.cli.progress import note

if TYPE_CHECKING:
    from benchbar.law.corpus import Corpus
    from benchbar.records import Piece, Treatment


@click.command("search", cls=Command)
@click.argument("query")
@law_option("  [default: a bundled invented law in the language of QUERY]")
@labels_option
@click.option("-k", "k", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many documents.")
@retriever_option
@day_option("Search the law in force on YYYY-MM-DD, or in all its versions (any).", or_any=True)
@json_option
def command(
    query: str, corpus: Path | None, labels: tuple[str, ...], k: int, retriever: str, on: str | None, as_json: bool
) -> None:
    """Find the articles and decisions that bear on QUERY.

    Where two are as relevant (their scores within a twentieth), law and guiding cases come before other decisions, and these before
    decisions that were set aside.

    A QUERY that tells the facts of a case in Russian or English, in several sentences and without a question, is searched by its words
    alone: they find more decisions like it.

    benchbar law search "借用的车毁损了谁赔" --law indexes/prc -k 5
    """
    from benchbar.cli.printing import warn_of_invented_law
    from benchbar.languages.packs import labels as labels_of
    from benchbar.languages.reasons import reason_in
    from benchbar.languages.text import detect_language
    from benchbar.law.bundled import law_for
    from benchbar.law.treatment.table import said_of
    from benchbar.records import encode
    from benchbar.retrieval.case_facts import tells_a_case
    from benchbar.retrieval.corpus import CorpusIndex
    from benchbar.retrieval.naming import citation_of

    law = CorpusIndex.open(corpus or law_for(query)[1], labels=labels, progress=note)
    warn_of_invented_law(law.corpus, query)
    chosen = click.get_current_context().get_parameter_source("retriever") is not ParameterSource.DEFAULT
    if not chosen and law.corpus.decisions and tells_a_case(query):
        retriever = "lexical"
        click.echo(
            "QUERY tells the facts of a case: it is searched by its words alone, which find more decisions like it"
            " (--retriever learned searches as for a question)",
            err=True,
        )
    hits = law.ranking(retriever, day=on).documents(query, k)
    if as_json:
        rows = [
            {
                "id": hit.piece.document,
                "law": hit.piece.law or None,
                "article": hit.piece.article or None,
                "sub": hit.piece.sub or None,
                "case_number": hit.piece.case_number or None,
                "overruled_by": treated.by if (treated := _treated(hit.piece, law.corpus)) and treated.ends else None,
                "treatment": treated,
                "weight": hit.weight.name.lower(),
                "score": round(hit.score, 6),
                "text": hit.piece.text,
            }
            for hit in hits
        ]
        click.echo(encode({"hits": rows}).decode())
        return
    if not hits:
        click.echo("nothing found: no passage has a word in common with the question", err=True)
    say = labels_of(detect_language(query), "report")
    for rank, hit in enumerate(hits, start=1):
        treated = _treated(hit.piece, law.corpus)
        told = reason_in(said_of(treated), say.language) if treated else ""
        said = [click.style(told, fg="red" if treated.ends else None)] if treated else []
        said += [say(f"edition.{hit.weight.name.lower()}")] if hit.weight.name in _SAID else []
        click.echo(f"{rank:3}  {hit.score:.3f}  {citation_of(hit.piece)}{''.join(f'  {one}' for one in said)}")
        click.echo(f"            {_shortened(hit.piece.text)}")


_SAID = {"GUIDING_CASE", "SUPREME_COURT"}
"""Decisions that weigh more than others, of which that is said."""


def _treated(piece: Piece, corpus: Corpus) -> Treatment | None:
    """What became of the decision, as files of the corpus say; None for one of which none speaks, and for an article."""
    found = corpus.decision(piece.document) if piece.kind == "decision" else None
    return corpus.treatments.now(found) if found else None


def _shortened(text: str, most: int = 160) -> str:
    line = " ".join(text.split())
    # A number of which the end is cut off would be another number.
    return line if len(line) <= most else f"{line[: most - 1].rstrip('0123456789')}…"
