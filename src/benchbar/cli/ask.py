"""`benchbar ask`: one question to the consultant of law and practice."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command, section
from benchbar.cli.options import corpus_option, day_option, endpoint_options, json_option, retriever_option
from benchbar.cli.progress import note
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.assistants.consultation import Consultation
    from benchbar.clients import ChatModel
    from benchbar.retrieval.settings import RetrievalSettings

BUNDLED = "model-jurisdiction-zh"


@click.command("ask", cls=Command)
@click.argument("question")
@click.option("--form", type=click.Choice(["general", "trial"]), default="general", show_default=True)
@click.option("--show-context", is_flag=True, help="Print the passages that the answer was written from.")
@section(
    "Law",
    corpus_option("  [default: the law of the bundled model jurisdiction, in Chinese]"),
    day_option("Search the law in force on YYYY-MM-DD, or in all its versions (any).", or_any=True),
    retriever_option,
    click.option(
        "--law-k",
        type=click.IntRange(0, 50),
        default=3,
        show_default=True,
        help="At most so many articles; 0 for none.",
    ),
    click.option(
        "--practice-k", type=click.IntRange(0, 50), default=5, show_default=True, help="At most so many decisions."
    ),
    click.option(
        "--budget", type=click.IntRange(1), default=4000, show_default=True, help="Tokens of passages, about."
    ),
)
@endpoint_options(
    "Chat model that writes the answer; left out, it is put together from quotations.",
    click.option(
        "--rewrite", is_flag=True, help="Let the model put the question in other words; else this is done by rule."
    ),
)
@click.option("--ledger", type=click.Path(path_type=Path), help="Keep calls in this file, so that none is paid twice.")
@json_option
def command(
    question: str,
    corpus: Path | None,
    form: str,
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
    ledger: Path | None,
    as_json: bool,
) -> None:
    """Answer a legal QUESTION from statutes and court practice, with sources that can be looked up.

    benchbar ask "试用期最长可以约定多久？"
    benchbar ask "Можно ли выселить бывшего члена семьи собственника?" --corpus indexes/ru --form trial
    benchbar ask "借款没有约定利息怎么办？" --corpus indexes/prc --model qwen3 --base-url http://127.0.0.1:8000/v1
    """
    from benchbar.assistants.law_practice import as_text, assemble
    from benchbar.records import encode
    from benchbar.retrieval.corpus import CorpusIndex

    if bool(model) != bool(base_url):
        raise UserError("--model and --base-url belong together: give both, or neither")
    if rewrite and not model:
        raise UserError("--rewrite needs a model: give --model and --base-url")
    index = CorpusIndex.open(corpus or bundled(), progress=note)
    settings = _settings(retriever, law_k, practice_k)

    async def asked() -> Consultation:
        with ExitStack() as stack:
            chat, close = chat_model(stack, model, base_url, api_key_env, ledger)
            try:
                consultant = assemble(
                    index,
                    settings=settings,
                    generator=chat,
                    rewriter=chat if rewrite else None,
                    form=form,
                    budget=budget,
                    on=on,
                )
                return await consultant.consult(question)
            finally:
                await close()

    consultation = asyncio.run(asked())
    if as_json:
        click.echo(encode(consultation).decode())
        return
    click.echo(as_text(consultation))
    if show_context:
        for passage in consultation.context:
            click.echo(
                f"\n[{passage.number}] {passage.citation}  ({passage.store}, {passage.score:.3f})\n{passage.text}"
            )


def bundled() -> Path:
    from benchbar.suites.load import load

    law = load(BUNDLED).law
    if law is None:
        raise UserError(f"the bundled suite {BUNDLED} brings no law; name a corpus with --corpus")
    return law


def _settings(retriever: str, law_k: int, practice_k: int) -> RetrievalSettings:
    from msgspec.structs import replace

    from benchbar.retrieval.passages import LAW, PRACTICE
    from benchbar.retrieval.settings import RetrievalSettings

    base = RetrievalSettings(retriever=retriever)
    kept = tuple(name for name, k in ((LAW, law_k), (PRACTICE, practice_k)) if k)
    if not kept:
        raise UserError("--law-k 0 and --practice-k 0 leave nothing to search")
    return replace(
        base,
        stores=kept,
        law=replace(base.law, k=law_k or base.law.k, fetch_k=max(base.law.fetch_k, law_k)),
        practice=replace(
            base.practice, k=practice_k or base.practice.k, fetch_k=max(base.practice.fetch_k, practice_k)
        ),
    )


def chat_model(
    stack: ExitStack, model: str | None, base_url: str | None, api_key_env: str, ledger: Path | None
) -> tuple[ChatModel | None, Callable[[], Awaitable[None]]]:
    """The chat model behind a ledger of its own, and how to close both."""

    async def nothing() -> None:
        return

    if not model or not base_url:
        return None, nothing
    from benchbar.clients import ChatModel, Client, Endpoint
    from benchbar.ledger import Ledger

    path = ledger or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "ledger.sqlite"
    record = Ledger(path)
    stack.callback(record.close)
    client = Client(record)
    return ChatModel(Endpoint(model=model, base_url=base_url, api_key_env=api_key_env), client), client.close
