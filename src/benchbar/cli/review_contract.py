"""``benchbar review-contract``: a contract's risks, clause by clause."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command, section
from benchbar.cli.contract_file import ContractFile, beside
from benchbar.cli.languages import language_option
from benchbar.cli.options import (
    concurrency_option,
    corpus_option,
    endpoint_options,
    json_option,
    max_cost_option,
    rules_option,
    set_option,
)
from benchbar.contracts.switches import Switches
from benchbar.records.base import converted
from benchbar.records.files import read_bounded, write_atomically

if TYPE_CHECKING:
    from benchbar.contracts.generation import Generator
    from benchbar.contracts.lawbook import LawBook
    from benchbar.contracts.paragraphs import ContractSource
    from benchbar.contracts.report import ContractReport
    from benchbar.contracts.reviewer import ContractReviewer
    from benchbar.contracts.rule_index import RuleIndex

_FILE = click.Path(dir_okay=False, path_type=Path)


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
        "--ledger",
        type=_FILE,
        help="File that keeps every call, so that none is paid twice.  [default: FILE.review.sqlite]",
    ),
)
@section(
    "Law and rules",
    rules_option,
    corpus_option(),
    click.option(
        "--contract-type", help="Use the rules for this type of contract only, such as labour, lease or sales."
    ),
    language_option("Language of the contract; found from its script if left out."),
    set_option(
        "A switch of the reviewer: prompt=raw|basic|guided|steps, rules=off|keyword|hybrid, reflection=off|always|band,"
        " evidence_guard=false, self_consistency=3, reranker=NAME, temperature=0; may be given several times."
    ),
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

    benchbar review-contract model-jurisdiction-zh:lease-2.docx

    With a chat model, a second look at doubtful verdicts and three replies for each clause:

    benchbar review-contract lease.pdf --model m --base-url http://127.0.0.1:8000/v1 --set self_consistency=3
    """
    from benchbar.contracts.source import read_contract
    from benchbar.languages.text import detect_language

    source = read_contract(file)
    language = options["language"] or detect_language(source.text)
    options["settings"] = chosen = converted(options["settings"], Settings)
    switches = _switches(chosen, options)
    source = dataclasses.replace(source, warnings=(*source.warnings, *_notes(switches, options, language)))
    index, law = _rule_index(options["rules"], language, switches, chosen.reranker), _law(options["corpus"])
    report = asyncio.run(_review(source, file, language, switches, index, law, options))
    _write(source, report, file, docx, html)
    if as_json:
        from benchbar.records import encode

        click.echo(encode(report.to_json()))
    else:
        _print(report, [path for path in (docx, html) if path])


def _notes(switches: Switches, options: dict[str, Any], language: str) -> list[str]:
    return [] if switches.rules == "off" or options["rules"] else notes(language)


def notes(language: str) -> list[str]:
    """What a reader has to know of the bundled rules."""
    return {
        "zh": [
            "the rules are those of the bundled model jurisdiction, which is invented: name yours with --rules FILE"
        ],
        "en": ["the bundled English rules name no law: name yours with --rules FILE"],
    }.get(language, ["there are no bundled rules for this language: name yours with --rules FILE"])


def _switches(chosen: Settings, options: dict[str, Any]) -> Switches:
    given = {name: getattr(chosen, name) for name in Switches.__struct_fields__}
    return Switches(**given | {"law_context": chosen.law_context and options["corpus"] is not None})


def _rule_index(path: Path | None, language: str, switches: Switches, reranker: str | None) -> RuleIndex | None:
    from benchbar.contracts.bundled import bundled_rules
    from benchbar.contracts.rules import read_rules

    if switches.rules == "off":
        return None
    rules = read_rules(path) if path else bundled_rules(language)
    if rules is None:
        return None
    from benchbar.contracts.rule_index import RuleIndex, named_reranker

    return RuleIndex(rules, reranker=named_reranker(reranker))


def _law(corpus: Path | None) -> LawBook | None:
    if corpus is None:
        return None
    from benchbar.contracts.lawbook import CorpusLawBook

    return CorpusLawBook.open(corpus)


async def _review(
    source: ContractSource,
    file: Path,
    language: str,
    switches: Switches,
    index: RuleIndex | None,
    law: LawBook | None,
    options: dict[str, Any],
) -> ContractReport:
    from benchbar.contracts.offline import OfflineReviewer
    from benchbar.contracts.reviewer import ContractReviewer

    async def run(generator: Generator) -> ContractReport:
        reviewer = ContractReviewer(generator, rules=index, law=law, switches=switches)
        return await _with_progress(source, reviewer, language, options)

    if not options["model"]:
        return await run(OfflineReviewer())
    return await _with_model(file, options, run)


async def _with_model(file: Path, options: dict[str, Any], run: Any) -> ContractReport:
    from benchbar.clients.budget import Budget
    from benchbar.clients.client import Client
    from benchbar.clients.endpoint import Endpoint, Price
    from benchbar.clients.model import ChatModel
    from benchbar.contracts.generation import ChatGenerator
    from benchbar.languages.prompts import Prompts
    from benchbar.ledger import Ledger
    from benchbar.records.errors import UserError

    if not options["base_url"]:
        raise UserError("--model needs --base-url, such as http://127.0.0.1:8000/v1")
    if options["max_cost"] is not None and options["price"] is None:
        raise UserError("--max-cost needs --price IN OUT: without a price nothing can be counted")
    price = Price(input=options["price"][0], output=options["price"][1]) if options["price"] else None
    chosen: Settings = options["settings"]
    params = {} if chosen.temperature is None else {"temperature": chosen.temperature}
    endpoint = Endpoint(
        model=options["model"],
        base_url=options["base_url"],
        api_key_env=options["api_key_env"],
        params=params,
        price=price,
    )
    ledger = Ledger(options["ledger"] or beside(file, "review.sqlite"))
    client = Client(ledger, budget=Budget(options["max_cost"]), concurrency=options["concurrency"])
    try:
        report: ContractReport = await run(ChatGenerator(ChatModel(endpoint, client), Prompts(nonce=ledger.nonce)))
        return report
    finally:
        await client.close()
        await ledger.drain()
        ledger.close()


async def _with_progress(
    source: ContractSource, reviewer: ContractReviewer, language: str, options: dict[str, Any]
) -> ContractReport:
    from benchbar.contracts.report import review_contract

    with _progress() as bar:
        return await review_contract(
            source,
            reviewer,
            contract_type=options["contract_type"],
            language=language,
            concurrency=options["concurrency"],
            started=bar.start,
            done=bar.advance,
        )


class _Bar:
    """Counts clauses; shows nothing where nobody looks."""

    def __init__(self, progress: Any) -> None:
        self._progress = progress
        self._task: Any = None

    def start(self, total: int) -> None:
        if self._progress is not None:
            self._task = self._progress.add_task("clauses", total=total)

    def advance(self, _: object) -> None:
        if self._progress is not None:
            self._progress.advance(self._task)


@contextmanager
def _progress() -> Iterator[_Bar]:
    if not sys.stderr.isatty():
        yield _Bar(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Bar(progress)


def _write(source: ContractSource, report: ContractReport, file: Path, docx: Path | None, html: Path | None) -> None:
    from benchbar.records.errors import UserError

    if file.resolve() in {path.resolve() for path in (docx, html) if path}:
        raise UserError("the report would overwrite the contract: name another file")
    if docx:
        from benchbar.contracts.docx_report import write_docx

        original = read_bounded(file) if source.format == "docx" else None
        write_atomically(docx, write_docx(source, report, original))
    if html:
        from benchbar.contracts.html_report import write_html

        write_atomically(html, write_html(report).encode())


def _print(report: ContractReport, written: list[Path]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from benchbar.contracts.report import shown

    console = Console()
    clauses = {clause.id: clause for clause in report.clauses}
    table = Table("clause", "level", "risk", "evidence", title=None, show_lines=False)
    for review in report.reviews:
        clause = clauses[review.clause]
        name = clause.number or clause.id
        if review.level is None:
            table.add_row(Text(name), Text(str(review.status)), Text(review.reason), Text(""))
        for finding in shown(review):
            table.add_row(Text(name), Text(str(finding.level)), Text(finding.risk), Text(_short(finding.evidence)))
    if table.row_count:
        console.print(table)
    for warning in report.warnings:
        console.print(Text(f"note: {warning}"))
    counts = ", ".join(f"{name} {number}" for name, number in report.counts.items() if number)
    console.print(Text(f"{len(report.reviews)} clauses reviewed by {report.reviewer}: {counts}"))
    for path in written:
        console.print(Text(f"written: {path}"))


def _short(text: str, most: int = 80) -> str:
    one = " ".join(text.split())
    return one if len(one) <= most else one[: most - 1] + "…"
