"""`benchbar law train-encoder`: one more signal for the default retriever, learned from the corpus itself."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, law_option, seed_option
from benchbar.cli.progress import note

if TYPE_CHECKING:
    from benchbar.retrieval.embedders import BagEmbedder
    from benchbar.retrieval.store import Store


@click.command("train-encoder", cls=Command)
@law_option(required=True)
@click.option("--steps", type=click.IntRange(1, 100_000), default=600, show_default=True, help="Batches to learn from.")
@seed_option
@json_option
def command(corpus: Path, steps: int, seed: int, as_json: bool) -> None:
    """Train a static encoder on the law of a corpus and keep it in the index.

    No questions and no download are needed: it learns to find the article that a clause was taken from. From then on
    the default retriever weighs its cosine too, and `--retriever encoder` searches by it alone. For 60,000 articles it
    takes one to two minutes on one core.

    benchbar law train-encoder --law indexes/prc
    """
    from benchbar.records import encode
    from benchbar.retrieval.corpus import CorpusIndex
    from benchbar.retrieval.passages import LAW

    index = CorpusIndex.open(corpus, progress=note)
    began = time.perf_counter()
    losses: list[float] = []
    index.train_encoder(LAW, lambda store: _trained(store, steps, seed, losses))
    seconds = time.perf_counter() - began
    # Of one step it is that of one batch, and jumps.
    last = sum(losses[-50:]) / len(losses[-50:])
    if as_json:
        click.echo(encode({"steps": steps, "loss": round(last, 4), "seconds": round(seconds, 1)}).decode())
    else:
        click.echo(
            f"trained in {seconds:.0f} s ({steps} steps, loss {last:.3f}); `benchbar law search` uses it from now on"
        )


def _trained(store: Store, steps: int, seed: int, losses: list[float]) -> BagEmbedder:
    import numpy as np
    from rich.console import Console
    from rich.progress import Progress

    from benchbar.retrieval.encoder_training import Step, train_encoder

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("training the encoder", total=steps)

        def seen(step: Step) -> None:
            losses.append(step.loss)
            bar.advance(task)

        return train_encoder(store, np.random.default_rng(seed), steps=steps, progress=seen)
