"""`benchbar law embed`: a corpus searched with the vectors of an embedding model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command
from benchbar.cli.options import calls_option, endpoint_options, json_option, law_option, max_cost_option, pairs
from benchbar.cli.progress import note

if TYPE_CHECKING:
    from benchbar.retrieval.corpus import CorpusIndex
    from benchbar.retrieval.embedding import EmbeddingSettings


@click.command("embed", cls=Command)
@law_option(required=True)
@endpoint_options("The embedding model.", required=True)
@click.option("--query-prefix", default="", help="Put before each question, such as 'query: ' for E5.")
@click.option("--passage-prefix", default="", help="Put before each passage, such as 'passage: '.")
@click.option(
    "--rerank",
    type=click.IntRange(0, 1000),
    default=0,
    show_default=True,
    help="Embed no corpus: order each question's first N passages anew. 0 embeds all now.",
)
@click.option("--batch", type=click.IntRange(1, 2048), default=32, show_default=True, help="Texts of one request.")
@click.option(
    "--set",
    "more",
    multiple=True,
    metavar="FIELD=VALUE",
    help='Another field of the endpoint, as in query_params={"input_type":"query"}, price={"input":0.02,"output":0}.',
)
@max_cost_option
@calls_option
@json_option
def command(
    corpus: Path,
    model: str,
    base_url: str,
    api_key_env: str,
    query_prefix: str,
    passage_prefix: str,
    rerank: int,
    batch: int,
    more: tuple[str, ...],
    max_cost: float | None,
    ledger: Path | None,
    as_json: bool,
) -> None:
    """Embed a corpus, and search it with `--retriever embeddings` from then on.

    Vectors are kept in the index. A run that was stopped goes on where it was. Where embedding everything would take hours,
    --rerank N asks only for the passages that words find first.

    benchbar law embed --law indexes/ru --model multilingual-e5-small --base-url http://127.0.0.1:8000/v1
      --query-prefix "query: " --passage-prefix "passage: "
    """
    from benchbar.assistants.build import literal
    from benchbar.records import encode
    from benchbar.retrieval.corpus import CorpusIndex
    from benchbar.retrieval.embedding import read_settings

    given: dict[str, Any] = {name: literal(value) for name, value in pairs(more, "--set").items()}
    settings = read_settings(
        {
            "model": model,
            "base_url": base_url,
            "api_key_env": api_key_env,
            "query_prefix": query_prefix,
            "passage_prefix": passage_prefix,
            "rerank": rerank,
            "batch": batch,
            "max_cost": max_cost,
            **given,
        }
    )
    assert settings is not None  # noqa: S101 - the table is not empty
    index = CorpusIndex.open(corpus, progress=note)
    index.keep_embedding(settings)
    done = {} if rerank else _embedded(index, settings, ledger)
    if as_json:
        click.echo(encode({"model": model, "rerank": rerank, **done}).decode())
    elif rerank:
        click.echo(f"`--retriever embeddings` orders the first {rerank} passages of each question anew by {model}")
    else:
        click.echo(
            f"{done['embedded']} of {done['passages']} passages embedded now ({done['requests']} requests,"
            f" {done['shortened']} texts shortened, cost {done['cost']:g}); search with `--retriever embeddings`"
        )


def _embedded(index: CorpusIndex, settings: EmbeddingSettings, ledger: Path | None) -> dict[str, Any]:
    """Embed all stores; what was done, by name."""
    from rich.console import Console
    from rich.progress import Progress

    from benchbar.clients.session import blocking, open_session
    from benchbar.retrieval.embedding import EndpointEmbedder

    total = sum(len(passages) for passages in index.passages.values())
    count = 0

    async def work(done: Callable[[int], None]) -> dict[str, Any]:
        nonlocal count
        async with open_session(ledger, max_cost=settings.max_cost) as session:
            embedder = EndpointEmbedder(settings, session.embedding)
            for name, passages in index.passages.items():
                if len(passages):
                    # Its length is that of all: asked here, so that it is paid like the others.
                    await embedder.fetch([], [passages[0].text])
                    await index.embedded(name, embedder).embed_all(done)
            return {"requests": session.ledger.sent, "cost": session.budget.spent, "shortened": embedder.shortened}

    @blocking(work)
    def law_embed(result: dict[str, Any]) -> dict[str, Any]:
        return result

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("embedding", total=total)

        def done(number: int) -> None:
            nonlocal count
            count += number
            bar.advance(task, number)

        result = law_embed(done)
    return {"passages": total, "embedded": count, **result}
