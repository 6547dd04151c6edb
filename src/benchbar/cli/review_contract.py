"""``benchbar review-contract``: a contract's risks, clause by clause."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command, section
from benchbar.cli.contract_file import ContractFile, beside
from benchbar.cli.languages import language_option
from benchbar.cli.options import (
    concurrency_option,
    day_option,
    endpoint_of,
    endpoint_options,
    json_option,
    law_option,
    max_cost_option,
    rules_option,
    set_option,
)
from benchbar.contracts.switches import Switches
from benchbar.records.base import converted
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from benchbar.clients import Endpoint
    from benchbar.contracts.bounds import Bounds
    from benchbar.contracts.report import ContractReport
    from benchbar.contracts.reviewing import ContractReview

_FILE = click.Path(dir_okay=False, path_type=Path)
_READ = click.Path(exists=True, dir_okay=False, path_type=Path)


class Settings(Switches, frozen=True):
    """What ``--set`` may set: the switches of the reviewer, and two settings of the models behind it."""

    reranker: str | None = None
    """A cross-encoder (hub name or folder) that ranks rules and reads excerpts as a second stage; needs the extra hub."""
    temperature: float | None = None
    """Sent to the chat model; left out, its own default holds."""


@click.command(cls=Command)
@click.argument("file", type=ContractFile())
@json_option
@section(
    "Files",
    click.option("--docx", type=_FILE, help="Write the contract as DOCX with the findings as comments at their words."),
    click.option("--html", type=_FILE, help="Write a self-contained page with the findings in place."),
    click.option(
        "--redline",
        type=_FILE,
        help="As --docx, and suggested wordings as tracked changes. With --compare: the changes between the versions, tracked.",
    ),
    click.option(
        "--compare",
        type=_READ,
        metavar="OLD",
        help="An earlier version: what FILE changes is shown and judged. The tracked changes of a DOCX always are.",
    ),
    click.option(
        "--ledger",
        type=_FILE,
        help="File that keeps every call, so that none is paid twice.  [default: FILE.review.sqlite]",
    ),
)
@section(
    "Law and rules",
    rules_option,
    law_option(),
    click.option("--demo", is_flag=True, help="Use the invented rules and law of the package; every finding says so."),
    click.option(
        "--contract-type", help="Use the rules for this type of contract only, such as labour, lease or sales."
    ),
    click.option(
        "--side",
        metavar="PARTY",
        help="Review for this party: tenant, buyer, 承租人, …, a name that the contract uses, or A or B.  [default: the weaker one]",
    ),
    day_option("The day whose law counts.", otherwise="the day of signing, or today where the contract names none"),
    click.option(
        "--playbook",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Your positions (TOML, or DOCX with a table): topic, preferred, fallback, walk-away, reason.",
    ),
    language_option("Language of the contract; found from its script if left out."),
    set_option(
        "A switch of the reviewer: prompt=raw|basic|guided|steps, rules=off|keyword|hybrid, reflection=off|always|band,"
        " evidence_guard=false, self_consistency=3, reranker=NAME, temperature=0; may be given several times."
    ),
)
@section(
    "Bounds",
    click.option(
        "--max-seconds",
        type=click.FloatRange(0, min_open=True),
        help="Time of the review.  [default: 600; with a model none]",
    ),
    click.option(
        "--max-memory", type=click.IntRange(256), metavar="MIB", help="Memory of the review, on Unix.  [default: 2048]"
    ),
    click.option("--max-clauses", type=click.IntRange(1), help="Clauses that are reviewed.  [default: 5000]"),
)
@endpoint_options(
    "A chat model as the reviewer; left out, the offline reviewer works without any.",
    concurrency_option(8),
    max_cost_option,
    click.option("--price", nargs=2, type=float, metavar="IN OUT", help="Price of a million tokens in and out."),
)
def command(file: Path, as_json: bool, docx: Path | None, html: Path | None, **options: Any) -> None:
    """Review a contract (DOCX, PDF, Markdown, text) clause by clause: level of risk, evidence, law, suggested wording.

    Works without any model or key:

    benchbar review-contract lease.docx --docx lease.reviewed.docx --html lease.html

    A contract that comes with the package:

    benchbar review-contract model-jurisdiction-zh:lease-2.docx --demo

    What the other side's version changes, and the changes as a Word document:

    benchbar review-contract --compare ours.docx theirs.docx --redline changes.docx

    With a chat model, a second look at doubtful verdicts and three replies for each clause:

    benchbar review-contract lease.pdf --model m --base-url http://127.0.0.1:8000/v1 --set self_consistency=3
    """
    outputs = (docx, html, options["redline"])
    if file.resolve() in {path.resolve() for path in outputs if path}:
        # Before anything is paid for.
        raise UserError("the report would overwrite the contract: name another file")
    review, interrupted = _reviewed(file, options)
    written = [review.save(path, form) for path, form in ((docx, ".docx"), (html, ".html")) if path]
    if options["redline"] and not (interrupted and options["compare"]):
        written.append(_redline(review, options["redline"], compared=options["compare"] is not None))
    if as_json:
        from benchbar.records import encode

        click.echo(encode(review.report.to_json()))
    else:
        _print(review.report, written)
    if interrupted:
        raise KeyboardInterrupt


def _reviewed(file: Path, options: dict[str, Any]) -> tuple[ContractReview, bool]:
    """The review, and whether it was interrupted: what was reviewed until then is written as it is."""
    from benchbar.cli.progress import watched
    from benchbar.contracts.reviewing import InterruptedReviewError, review_contract

    chosen = converted(options["settings"], Settings)
    endpoint = _endpoint(chosen, options)
    with watched(show=True) as (on_progress, cancel):
        try:
            review = review_contract(
                file,
                model=endpoint,
                law=options["corpus"],
                rules=options["rules"],
                demo=options["demo"],
                reranker=chosen.reranker,
                contract_type=options["contract_type"],
                language=options["language"],
                compare=options["compare"],
                side=options["side"],
                playbook=options["playbook"],
                on=options["on"],
                switches=_switches(chosen, options),
                max_cost=options["max_cost"],
                ledger=options["ledger"] or beside(file, "review.sqlite"),
                concurrency=options["concurrency"],
                bounds=_bounds(options),
                on_progress=on_progress,
                cancel=cancel,
            )
        except InterruptedReviewError as error:
            return error.review, True
    return review, False


def _bounds(options: dict[str, Any]) -> Bounds:
    from benchbar.contracts.bounds import Bounds

    given = {name: options[f"max_{name}"] for name in ("memory", "seconds", "clauses")}
    return Bounds(**{name: value for name, value in given.items() if value is not None})


def _redline(review: ContractReview, path: Path, *, compared: bool) -> Path:
    return review.save_comparison(path) if compared else review.save(path, ".docx", tracked=True)


def _endpoint(chosen: Settings, options: dict[str, Any]) -> Endpoint | None:
    from benchbar.clients import Price

    endpoint = endpoint_of(
        options["model"],
        options["base_url"],
        options["api_key_env"],
        params={} if chosen.temperature is None else {"temperature": chosen.temperature},
        price=Price(input=options["price"][0], output=options["price"][1]) if options["price"] else None,
    )
    if endpoint and options["max_cost"] is not None and endpoint.price is None:
        raise UserError("--max-cost needs --price IN OUT: without a price nothing can be counted")
    return endpoint


def _switches(chosen: Settings, options: dict[str, Any]) -> Switches:
    given = {name: getattr(chosen, name) for name in Switches.__struct_fields__}
    # Without an index there is no law to show; the switch alone would warn of it in every clause.
    return Switches(**given | {"law_context": chosen.law_context and options["corpus"] is not None})


def _print(report: ContractReport, written: list[Path]) -> None:
    """The first page as in every other form, then each finding at its clause."""
    from rich.console import Console
    from rich.text import Text

    from benchbar.contracts.bundled import notes_with_cures
    from benchbar.languages.packs import labels

    console, say = Console(), labels(report.language, "contract").section("terminal")
    # That a law is invented, or that none was used, must not stand where nobody reads any more.
    for note in notes_with_cures(report.warnings, report.language):
        console.print(Text(say["note"].format(note)))
    console.print(Text(_counted(report), style="bold"))
    _print_first_page(console, report)
    _print_findings(console, report)
    _print_changes(console, report)
    console.print(Text(say["reviewed_by"].format(report.reviewer)))
    for path in written:
        # Whole: a path that is broken by a line cannot be copied.
        console.print(Text(say["written"].format(path)), soft_wrap=True)


def _counted(report: ContractReport) -> str:
    """How many clauses there are, and of how many what was said, in the contract's language."""
    from benchbar.contracts.form import level_names
    from benchbar.languages.packs import labels

    say = labels(report.language, "contract")
    terminal, names = say.section("terminal"), {**say.section("page"), **level_names(report.language)}
    counts = terminal["joined"].join(
        f"{names[name].lower()} {number}" for name, number in report.counts.items() if number
    )
    return terminal["counted"].format(report.file, len(report.reviews), counts)


def _print_first_page(console: Console, report: ContractReport) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from benchbar.contracts.first_page_text import first_page_parts

    for part in first_page_parts(report.first_page, report.language) if report.first_page else ():
        console.print(Text(part.heading, style="bold"))
        for line in part.lines:
            console.print(Padding(Text(line.text), (0, 0, 0, 2)))
            if line.note:
                console.print(Padding(Text(_short(line.note, 160), style="dim"), (0, 0, 0, 6)))


def _print_findings(console: Console, report: ContractReport) -> None:
    """All findings, also those that the first page has no place for; clauses without any are counted above."""
    from rich.table import Table
    from rich.text import Text

    from benchbar.contracts.first_page import clause_names
    from benchbar.contracts.form import form_words, level_names
    from benchbar.contracts.report import shown
    from benchbar.languages.packs import labels
    from benchbar.languages.reasons import reason_in

    words = labels(report.language, "contract")
    levels, say, page = level_names(report.language), words.section("first_page"), words.section("page")
    clauses = {clause.id: clause for clause in report.clauses}
    names = clause_names(report.clauses, report.language)
    heads = form_words(report.language)
    # The table may scroll away from the first line: a demonstration says so at it and in every row.
    title = page["demo"] if report.demo else None
    mark = f"[{say['demo']}] " if report.demo else ""
    table = Table(say["column"], *(heads[name] for name in ("level", "risk", "evidence")), title=title)
    for review in report.reviews:
        clause = clauses[review.clause]
        name = names[clause.id]
        if review.answer in ("unparsed", "failed"):
            reason = reason_in(review.reason, report.language)
            table.add_row(Text(name), Text(page[review.answer]), Text(reason), Text(""))
        for finding in shown(review) if review.answer == "risk" else ():
            evidence = Text(_short(finding.evidence))
            table.add_row(Text(name), Text(levels[finding.level]), Text(mark + finding.risk), evidence)
    for finding in report.findings:
        table.add_row(Text(say["whole"]), Text(levels[finding.level]), Text(mark + finding.risk), Text(""))
    if table.row_count:
        console.print(table)


def _print_changes(console: Console, report: ContractReport) -> None:
    from rich.text import Text

    from benchbar.contracts.redlines.telling import change_lines
    from benchbar.languages.packs import labels

    say = labels(report.language, "contract").section("terminal")
    for change in report.changes:
        told = "; ".join(change_lines(change, report.language))
        console.print(Text(say["change"].format(change.name, told)))
        for operation, mark in (("removed", "-"), ("added", "+")):
            for text in (text for kind, text in change.pieces if kind == operation):
                console.print(Text(f"  {mark} {_short(text)}"))
    refused = [one for one in report.proposals if one.refused]
    if report.proposals:
        written = len(report.proposals) - len(refused)
        console.print(Text(say["wordings"].format(written, len(report.proposals))))


def _short(text: str, most: int = 80) -> str:
    one = " ".join(text.split())
    return one if len(one) <= most else one[: most - 1] + "…"
