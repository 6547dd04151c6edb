"""`benchbar chat`: a conversation with the consultant of law and practice."""

from __future__ import annotations

import sys
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
    facts_option,
    labels_option,
    law_option,
)
from benchbar.cli.progress import note
from benchbar.cli.shown_law import show_checked

if TYPE_CHECKING:
    from benchbar.assistants.conversation import Answered, Conversation
    from benchbar.languages.packs import Labels
    from benchbar.law.corpus import Corpus
    from benchbar.retrieval.corpus import CorpusIndex


@click.command("chat", cls=Command)
@answer_form_option
@facts_option
@click.option(
    "--save", type=click.Path(path_type=Path), help="Write the answers to this DOCX, sources as footnotes, at the end."
)
@section(
    "Law",
    law_option("  [default: the invented law of the bundled model jurisdiction in the language of each question]"),
    labels_option,
    day_option("Search the law in force on YYYY-MM-DD, or in all its versions (any).", or_any=True),
)
@endpoint_options("Chat model that writes the answers; left out, they are put together from quotations.")
@calls_option
def command(
    corpus: Path | None,
    labels: tuple[str, ...],
    form: str,
    facts: tuple[str, ...],
    save: Path | None,
    model: str,
    base_url: str,
    api_key_env: str,
    on: str | None,
    ledger: Path | None,
) -> None:
    """Answer questions about one matter, one a line, each with what was said before.

    benchbar chat --law indexes/ru --fact "Квартира приватизирована"
    benchbar chat --save answers.docx < questions.txt
    """
    from benchbar.assistants.conversation import Conversation
    from benchbar.retrieval.corpus import CorpusIndex

    if save and save.is_dir():
        raise click.UsageError(f"--save: {save} is a folder; expected a file such as {save / 'answers.docx'}")
    law = CorpusIndex.open(corpus, labels=labels, progress=note) if corpus else None
    matter = Conversation(
        law=law,
        facts=facts,
        labels=labels,
        model=endpoint_of(model, base_url, api_key_env),
        form=form,
        on=on,
        ledger=ledger,
        on_text=_streamed if model and sys.stdout.isatty() else None,
    )
    if sys.stdin.isatty():
        click.echo(_words(law.names()[0] if law and law.names() else "")("conversation.help"))
    failed = 0
    for line in sys.stdin:
        if line.strip() == "/quit":
            break
        if line.strip():
            failed += not _taken(matter, line.strip(), law, on or "")
    if save:
        failed += not _saved(matter, save, law, on or "", err=True)
    if failed:
        # Said in the exit code alone: each was told where it was asked.
        sys.exit(1)


def _taken(matter: Conversation, line: str, law: CorpusIndex | None, on: str) -> bool:
    """One line: a question, or a command about the facts and the answers so far; False where an answer or a file stays out."""
    words = _words(matter.answered[-1].asked if matter.answered else line)
    command, _, rest = line.partition(" ")
    if command == "/fact" and rest.strip():
        matter.facts.append(rest.strip())
    elif command == "/drop" and rest.strip().isdecimal() and 1 <= int(rest) <= len(matter.facts):
        del matter.facts[int(rest) - 1]
    elif command == "/save" and rest.strip():
        return _saved(matter, Path(rest.strip()), law, on)
    elif command == "/help" or (line.startswith("/") and command != "/facts"):
        click.echo(words("conversation.help"))
        return True
    elif not line.startswith("/"):
        return _answered(matter, line, law)
    click.echo(
        "\n".join(f"{place}. {fact}" for place, fact in enumerate(matter.facts, 1)) or words("conversation.no_facts")
    )
    return True


def _saved(matter: Conversation, path: Path, law: CorpusIndex | None, on: str, *, err: bool = False) -> bool:
    """Writes the answers so far; a file that cannot be written ends no conversation, whose answers would be lost."""
    from benchbar.assistants.answer_docx import write_docx

    words = _words(matter.answered[-1].asked if matter.answered else "")
    try:
        write_docx(matter.answered, path, lambda one: _corpus(one, law), on=on)
    except OSError as error:
        click.secho(words("conversation.not_saved", path=path, reason=error.strerror or str(error)), fg="red", err=True)
        return False
    click.echo(words("conversation.saved", path=path), err=err)
    return True


def _answered(matter: Conversation, question: str, law: CorpusIndex | None) -> bool:
    """Asks, and shows the answer; what goes wrong ends this question and not the conversation, whose answers would be lost."""
    from benchbar.records.errors import BenchbarError

    try:
        answer = matter.ask(question)
    except BenchbarError as error:
        click.secho(f"\nbenchbar: {error}", fg="red", err=True)
        return False
    _shown(answer, law)
    return True


def _corpus(answer: Answered, law: CorpusIndex | None) -> Corpus:
    """The law that an answer was given from: the one that was named, or the bundled one of its language."""
    from benchbar.assistants.asking import bundled_law
    from benchbar.retrieval.corpus import CorpusIndex

    return (law or CorpusIndex.open(bundled_law(answer.understood))).corpus


def _shown(answer: Answered, law: CorpusIndex | None) -> None:
    from benchbar.assistants.checked_citations import checked_citations
    from benchbar.assistants.law_practice import as_text
    from benchbar.languages.countries import country_in

    if answer.consultation.generator.startswith("model:") and sys.stdout.isatty():
        # The words that came piece by piece end without a line of their own.
        click.echo("\n")
    corpus = _corpus(answer, law)
    if name := answer.consultation.invented:
        say = _words(answer.asked)
        warning = say("law_practice.invented", name=country_in(name, say.language))
        click.secho(warning, fg="red", bold=True)
    if answer.understood != answer.asked:
        question = " / ".join(answer.understood.split("\n"))
        click.secho(_words(answer.asked)("conversation.understood", question=question), dim=True)
    click.echo(as_text(answer.consultation))
    show_checked(checked_citations(answer.consultation, corpus))
    click.echo()


def _streamed(text: str) -> None:
    """The model's words as they come; where it begins anew, on a new line."""
    click.secho(text or "\n", nl=False, dim=True)


def _words(text: str) -> Labels:
    from benchbar.languages.packs import labels
    from benchbar.languages.text import detect_language

    return labels(detect_language(text), "words")
