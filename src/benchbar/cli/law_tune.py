"""`benchbar law tune`: the retriever of a corpus, chosen on questions made of its own articles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, law_option, seed_option
from benchbar.cli.progress import note

if TYPE_CHECKING:
    from benchbar.retrieval.tuning import Tuning


@click.command("tune", cls=Command)
@law_option(" Only an index can keep a choice.", required=True)
@click.option(
    "--questions",
    type=click.IntRange(20, 5_000),
    default=120,
    show_default=True,
    help="How many questions are made: more tell smaller differences apart and take longer.",
)
@seed_option
@json_option
def command(corpus: Path, questions: int, seed: int, *, as_json: bool) -> None:
    """Choose what an index is searched with, on questions made by rules of its own articles.

    The default retriever is kept unless another one is better by more than chance. An embedding model (`law embed`) and a
    trained encoder are tried where the index has them. `ask`, `chat`, the page and the library use the choice until the
    corpus changes. 64,665 articles take about twenty seconds of a processor, half of it for counting them once.

    benchbar law tune --law indexes/ru
    benchbar law tune --law indexes/prc --questions 400
    """
    import numpy as np

    from benchbar.cli.printing import print_json
    from benchbar.retrieval.corpus import CorpusIndex

    found = CorpusIndex.open(corpus, progress=note).tune(np.random.default_rng(seed), questions=questions)
    if as_json:
        print_json(found)
        return
    for line in told(found):
        click.echo(line)


def told(found: Tuning) -> list[str]:
    """The report of a tuning, line by line."""
    from benchbar.reports.numbers import plain

    lines = [
        (
            f"{'retriever':12}article among the first five, share of {next(iter(found.tried.values())).n} made questions"
            f" ({found.kept:.0%} of the words of a sentence each)"
        )
    ]
    for name, share in found.tried.items():
        compared = name in found.differences and found.told_apart
        against = f"   against learned: {plain(found.differences[name])}" if compared else ""
        lines.append(f"{name:12}{plain(share)}{against}")
    if found.barred and found.told_apart:
        lines.append(
            f"for comparison alone: {', '.join(found.barred)}, which count words; learned was fitted on people's questions, of which it"
            " finds more"
        )
    if found.told_apart:
        lines.append(f"chosen: {found.chosen} (choosing on four fifths, searching the last: {plain(found.held_out)})")
    else:
        lines.append(f"cannot tell them apart on these questions: the default stays ({found.chosen})")
    if found.own_turned_away is None:
        lines.append(
            "silence: nothing was fitted for a corpus of this language, size and form; familiarity of words decides"
        )
    else:
        lines.append(f"turned away, of these questions: {plain(found.own_turned_away)}")
        if found.foreign_turned_away is not None:
            lines.append(f"of questions in words of other fields of law: {plain(found.foreign_turned_away)}")
    lines.append(
        "Made questions repeat words of their articles; people's do not. Compare retrievers here, not with other figures."
    )
    return lines
