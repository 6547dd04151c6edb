"""`benchbar law cite`: the citations of a text, each held against the law."""

from __future__ import annotations

import sys
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
from benchbar.records.errors import BadInputError

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
@language_option("Look for the citations of one language only.")
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

    Each citation is verified         the law and the article exist and are in force
                     not_in_force     repealed, replaced, or not yet in force on the day
                     no_such_article  proven: the law has no such article or paragraph
                     no_such_law      proven: no law has that name, where the corpus holds all of its kind
                     not_recognised   no held law has that name; a nickname, foreign law or book may be meant
                     outside_corpus   the corpus does not hold that law and cannot say
                     cannot_tell      the law is held, but its texts at hand do not decide
                     after_snapshot   the day lies after the last day that the corpus knows
                     ambiguous        several laws may be meant, or none is named

    benchbar law cite "依照《民法典》第五百七十七条……" --law indexes/prc --on 2024-06-01
    benchbar law cite answer.docx --law indexes/prc --json
    """
    from benchbar.cli.printing import print_json, warn_of_invented_law
    from benchbar.law.checker import check_citations
    from benchbar.law.citation_check import summary
    from benchbar.law.index import load_corpus

    law = load_corpus(corpus, labels=labels)
    said = _text(text)
    found = check_citations(said, law=law, on=on or "", procedure=procedure, language=language)
    warn_of_invented_law(law, said)
    endpoint = endpoint_of(model, base_url, api_key_env)
    if endpoint or entailment:
        from benchbar.scoring.claim_judging import judged_citations

        found = judged_citations(said, found, law, endpoint, entailment=entailment, ledger=ledger, max_cost=max_cost)
    if as_json:
        against = {"contradicted": len(_contradicted(found)), "other_authority": len(_misplaced(found))}
        print_json({"citations": found, "summary": summary(found), **against})
    else:
        _say(said, found, law, on, texts=texts)


def _say(said: str, found: Sequence[Citation], law: Corpus, on: str | None, *, texts: bool) -> None:
    from benchbar.cli.shown_claims import show_claims
    from benchbar.law.citation_check import summary
    from benchbar.law.cited_text import claims_beside

    today = date.today().isoformat()  # noqa: DTZ011
    if not on and law.day_of_today(today) != today:
        click.echo(f"as of {law.as_of}, the last day that this corpus knows (--on DATE for another day)")
    day = on or law.day_of_today(today)
    beside = claims_beside(said, found, law) if texts else [""] * len(found)
    for one, claim in zip(found, beside, strict=True):
        _print(one, law)
        show_claims(one, law, day, whole=claim if texts else None)
    counts = ", ".join(f"{count} {status}" for status, count in summary(found).items() if count)
    conflicts = len(_contradicted(found))
    # An article that exists may say the opposite: the total must not read as if all were well.
    against = f"; contradicted by their article: {conflicts}" if conflicts else ""
    misplaced = len(_misplaced(found))
    doubted = sum(1 for one in found if any(check.verdict == "contradicts" for check in one.judged))
    against += f"; contradicted by their article, says the model: {doubted}" if doubted else ""
    against += f"; of another country, court or field: {misplaced}" if misplaced else ""
    click.echo(f"{len(found)} citations" + (f": {counts}" if counts else "") + against)


def _contradicted(found: Sequence[Citation]) -> list[Citation]:
    """Those whose article says otherwise, by rule: an article that exists is verified nonetheless."""
    return [one for one in found if one.claim_check and one.claim_check.verdict == "contradicts"]


def _misplaced(found: Sequence[Citation]) -> list[Citation]:
    return [one for one in found if one.authority]


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


def _print(one: Citation, law: Corpus) -> None:
    from benchbar.law.topic import LOW_TOPIC
    from benchbar.records import UNDECIDED

    colour = "green" if one.status == "verified" else "yellow" if one.status in UNDECIDED else "red"
    named = one.text if not one.elliptical else f"{one.text} ({one.law})"
    details = [one.reason] if one.reason else []
    if one.authority:
        details.append(f"{one.authority.verdict.value.replace('_', ' ')}: {one.authority.reason}")
    if one.superseded_by:
        # An id of the corpus says nothing to a reader.
        later = law.by_id.get(one.superseded_by)
        details.append(f"in its place: {later.name if later else one.superseded_by}")
    if one.valid_from or one.valid_to:
        details.append(
            f"this wording from {one.valid_from or '?'}" + (f" to before {one.valid_to}" if one.valid_to else "")
        )
    if one.quote_score is not None:
        details.append("quoted word for word" if one.quote_score == 1 else f"quote matches {one.quote_score:.2f}")
    if one.topic is not None:
        details.append(f"topic {one.topic:.2f}" + (" (low)" if one.topic < LOW_TOPIC else ""))
    status = click.style(f"{one.status.value:<16}", fg=colour)
    click.echo(f"{status}{' '.join(named.split())}" + (f"  [{'; '.join(details)}]" if details else ""))
