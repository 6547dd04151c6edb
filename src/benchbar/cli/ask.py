"""`benchbar ask`: one question to the consultant of law and practice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command, section
from benchbar.cli.options import (
    answer_form_option,
    calls_option,
    day_option,
    endpoint_of,
    endpoint_options,
    entailment_option,
    facts_option,
    json_option,
    labels_option,
    law_option,
)
from benchbar.cli.progress import note
from benchbar.cli.shown_law import show_checked
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.law.cited_text import Judging
    from benchbar.law.corpus import Corpus
    from benchbar.retrieval.settings import RetrievalSettings


@click.command("ask", cls=Command)
@click.argument("question")
@answer_form_option
@facts_option
@click.option("--show-context", is_flag=True, help="Print the passages that the answer was written from.")
@section(
    "Law",
    law_option("  [default: the invented law of the bundled model jurisdiction in the language of the question]"),
    labels_option,
    day_option("Search the law in force on YYYY-MM-DD, or in all its versions (any).", or_any=True),
    click.option(
        "--retriever",
        default="",
        metavar="NAME",
        help="learned, lexical, engine, tfidf, lsa, encoder, embeddings, hub:MODEL, or a registered one.  [default: what"
        " `law tune` chose, else learned]",
    ),
    click.option(
        "--law-k",
        type=click.IntRange(0, 50),
        default=5,
        show_default=True,
        help="Maximum number of articles; 0 for none.",
    ),
    click.option(
        "--practice-k", type=click.IntRange(0, 50), default=5, show_default=True, help="Maximum number of decisions."
    ),
    click.option(
        "--budget",
        type=click.IntRange(1),
        default=4000,
        show_default=True,
        help="Approximate number of tokens of passages.",
    ),
)
@endpoint_options(
    "Chat model that writes the answer; left out, it is put together from quotations.",
    click.option(
        "--rewrite", is_flag=True, help="Let the model put the question in other words; else this is done by rule."
    ),
)
@entailment_option
@calls_option
@json_option
def command(
    question: str,
    corpus: Path | None,
    labels: tuple[str, ...],
    form: str,
    facts: tuple[str, ...],
    show_context: bool,
    model: str,
    base_url: str,
    api_key_env: str,
    rewrite: bool,
    budget: int,
    law_k: int,
    practice_k: int,
    retriever: str,
    on: str | None,
    entailment: Path | None,
    ledger: Path | None,
    as_json: bool,
) -> None:
    """Answer a legal QUESTION from statutes and court practice, with sources that can be looked up.

    benchbar ask "试用期最长可以约定多久？"
    benchbar ask "Можно ли выселить бывшего члена семьи собственника?" --law indexes/ru --form trial
    benchbar ask "借款没有约定利息怎么办？" --law indexes/prc --model qwen3 --base-url http://127.0.0.1:8000/v1
    """
    import msgspec

    from benchbar.assistants.asking import ask, bundled_law
    from benchbar.assistants.checked_citations import checked_citations, checked_documents
    from benchbar.assistants.conversation import Conversation
    from benchbar.assistants.law_practice import as_text
    from benchbar.languages.countries import country_in
    from benchbar.languages.packs import labels as wordings
    from benchbar.retrieval.corpus import CorpusIndex

    endpoint = endpoint_of(model, base_url, api_key_env)
    if rewrite and endpoint is None:
        raise UserError("--rewrite needs a model: give --model and --base-url")
    question = Conversation(facts=facts).understood(question)
    law = CorpusIndex.open(corpus or bundled_law(question), labels=labels, progress=note)
    consultation = ask(
        question,
        law=law,
        model=endpoint,
        form=form,
        rewrite=rewrite,
        budget=budget,
        retrieval=_settings(law.usual_settings(), retriever, law_k, practice_k),
        on=on,
        ledger=ledger,
    )
    if name := consultation.invented:
        # Beside JSON on the other stream, so that a program can read the answer and a person sees the warning.
        say = wordings(consultation.language, "words")
        warning = say("law_practice.invented", name=country_in(name, say.language))
        click.secho(warning, fg="red", bold=True, err=as_json)
    judged = _judging(law.corpus, entailment, ledger) if entailment else None
    day = on if on and on != "any" else ""
    if as_json:
        document = msgspec.to_builtins(consultation)
        if model:
            document["citations"] = checked_documents(consultation, law.corpus, day, judged=judged)
        # In this order, not the alphabet's: the gravest verdict stands before the fields of a citation.
        click.echo(msgspec.json.encode(document).decode())
        return
    click.echo(as_text(consultation))
    show_checked(checked_citations(consultation, law.corpus, day, judged=judged))
    if show_context:
        for passage in consultation.context:
            click.echo(
                f"\n[{passage.number}] {passage.citation}  ({passage.store}, {passage.score:.3f})\n{passage.text}"
            )


def _judging(law: Corpus, entailment: Path, ledger: Path | None) -> Judging:
    from benchbar.scoring.claim_judging import judged_citations

    return lambda text, found: judged_citations(text, found, law, None, entailment=entailment, ledger=ledger)


def _settings(usual: RetrievalSettings, retriever: str, law_k: int, practice_k: int) -> RetrievalSettings:
    from msgspec.structs import replace

    from benchbar.retrieval.passages import LAW, PRACTICE

    base = replace(usual, retriever=retriever or usual.retriever)
    kept = tuple(name for name, k in ((LAW, law_k), (PRACTICE, practice_k)) if k)
    if not kept:
        raise UserError("--law-k 0 and --practice-k 0 leave nothing to search")
    return replace(
        base,
        stores=kept,
        # More are fetched than shown, since dates and duplicates thin them out; asking for fifty must not be cut to the
        # usual number.
        law=replace(base.law, k=law_k or base.law.k, fetch_k=max(base.law.fetch_k, law_k)),
        practice=replace(
            base.practice, k=practice_k or base.practice.k, fetch_k=max(base.practice.fetch_k, practice_k)
        ),
    )
