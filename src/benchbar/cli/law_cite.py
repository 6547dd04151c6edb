"""`benchbar law cite`: the citations of a text, each held against the law."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.languages import language_option
from benchbar.cli.options import (
    calls_option,
    day_option,
    endpoint_of,
    endpoint_options,
    entailment_option,
    json_option,
    labels_option,
    law_option,
    max_cost_option,
)
from benchbar.records.errors import BadInputError, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchbar.law.corpus import Corpus
    from benchbar.records import Citation

# PATH_MAX of Linux; asking the system about a longer one is an error.
_LONGEST_NAME = 4096
DOCUMENT_ENDINGS = (".md", ".markdown", ".txt", ".text", ".docx", ".pdf", ".html", ".htm", ".rtf", ".odt", ".epub")


@click.command("cite", cls=Command)
@click.argument("text")
@law_option(required=True)
@labels_option
@day_option("Day of the matter, YYYY-MM-DD: the law in force on it counts.")
@click.option(
    "--procedure",
    default="",
    metavar="DATE",
    help="Day of the procedural step, YYYY-MM-DD, where it is not that of the matter: laws of procedure are judged on it.",
)
@language_option("Look for the citations of one language only, and speak it.  [default: of all; that of TEXT]")
@click.option(
    "--texts", is_flag=True, help="Beside each citation what TEXT says of it, the law of that day, and its source."
)
@entailment_option
@endpoint_options(
    "Chat model that is asked whether an article says what the text says of it, where rules cannot tell.",
    calls_option,
    max_cost_option,
)
@json_option
def command(
    text: str,
    corpus: Path,
    labels: tuple[str, ...],
    on: str | None,
    procedure: str,
    language: str | None,
    model: str,
    base_url: str,
    api_key_env: str,
    ledger: Path | None,
    max_cost: float | None,
    entailment: Path | None,
    *,
    texts: bool,
    as_json: bool,
) -> None:
    """Find the citations in TEXT (a text, a file's name, or - for standard input) and check each against the law.

    Each citation has one of these statuses, which are told in the language of TEXT and named so with --json:

      verified         the law and the article exist and are in force
      not_in_force     repealed, replaced, or not yet in force on the day
      no_such_article  proven: the law has no such article or paragraph
      no_such_law      proven: no law has that name, where the corpus holds all of its kind
      not_recognised   no held law has that name; a nickname, foreign law or book may be meant
      outside_corpus   the corpus does not hold that law and cannot say
      cannot_tell      the law is held, but its texts at hand do not decide
      after_snapshot   the day lies after the last day that the corpus knows
      ambiguous        several laws may be meant, or none is named

    The first word is the gravest of what was found: an article that is in force may contradict what is said of it. Beside each
    accusation stands how often such ones were right on texts that nobody tuned on.

    benchbar law cite "依照《民法典》第五百七十七条……" --law indexes/prc --on 2024-06-01
    benchbar law cite answer.docx --law indexes/prc --json
    """
    from benchbar.cli.printing import print_json, warn_of_invented_law
    from benchbar.law.checker import check_citations
    from benchbar.law.citation_check import summary
    from benchbar.law.index import load_corpus
    from benchbar.law.shown import as_document, verdict

    law = load_corpus(corpus, labels=labels)
    said = _text(text)
    # Nothing found in nothing would pass for nothing wrong: a command before the pipe failed, or a file is empty.
    if not said.strip():
        where = "standard input" if text == "-" else text.strip() or "TEXT"
        raise UserError(f"{where} is empty: expected a text whose citations are to be checked")
    found = check_citations(said, law=law, on=on or "", procedure=procedure, language=language)
    warn_of_invented_law(law, said)
    endpoint = endpoint_of(model, base_url, api_key_env)
    if endpoint or entailment:
        from benchbar.scoring.claim_judging import judged_citations

        found = judged_citations(said, found, law, endpoint, entailment=entailment, ledger=ledger, max_cost=max_cost)
    if as_json:
        against = {"contradicted": sum(one.contradicted for one in found)}
        against |= {"other_authority": sum(one.authority is not None for one in found)}
        gravest = dict(Counter(map(verdict, found)))
        document = {"citations": [as_document(one) for one in found], "summary": summary(found), "verdicts": gravest}
        print_json(document | against)
    else:
        _say(said, found, law, on, corpus, language, texts=texts)


def _say(
    said: str, found: Sequence[Citation], law: Corpus, on: str | None, place: Path, language: str | None, *, texts: bool
) -> None:
    from benchbar.cli.shown_citations import Shown, show_citation, show_total
    from benchbar.languages.packs import labels
    from benchbar.languages.text import detect_language
    from benchbar.law.cited_text import claims_beside
    from benchbar.law.invented import invented_jurisdiction

    say = labels(language or detect_language(said), "report")
    today = date.today().isoformat()  # noqa: DTZ011
    if not on and law.day_of_today(today) != today:
        click.echo(say("cited.as_of", day=law.as_of))
    # A bundled law is called by a name: nobody writes into the package.
    folder = str(place) if place.is_dir() else ""
    shown = Shown(law, on or law.day_of_today(today), say, bool(invented_jurisdiction(law)), folder)
    beside: Sequence[str | None] = claims_beside(said, found, law) if texts else [None] * len(found)
    for one, claim in zip(found, beside, strict=True):
        show_citation(one, shown, whole=claim)
    show_total(found, shown)


def _text(argument: str) -> str:
    """Standard input, the named file, or the argument itself."""
    if argument == "-":
        from benchbar.tables.documents import decode_text

        return decode_text(sys.stdin.buffer.read(), Path("standard input"))
    path = Path(argument)
    if len(argument) < _LONGEST_NAME and "\n" not in argument and _is_file(path):
        from benchbar.tables.documents import read_document

        return read_document(path).text
    # A mistyped file name would else be checked as a text without citations, and pass.
    if path.suffix.lower() in DOCUMENT_ENDINGS and argument.isascii() and " " not in argument:
        raise BadInputError("there is no such file (a text to check may be given as it is)", file=argument)
    return argument


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a text too long to be a name
        return False
