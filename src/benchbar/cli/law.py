"""`benchbar law`: the law as a corpus; its commands live in modules of their own and are imported when asked for."""

from __future__ import annotations

import click

from benchbar.cli.command import LazyGroup

COMMANDS = {
    "index": "Read statutes and decisions into an index.",
    "update": "Read an index's files again, and print what is different.",
    "list": "Print what each file of an index was taken for.",
    "cite": "Find the citations of a text and check each against the law.",
    "nickname": "Say which law a name stands for.",
    "show": "Print an article, a law's editions, or a decision.",
    "search": "Find the articles and decisions that bear on a question.",
    "diff": "Print what changed in an act between two days.",
    "touched": "Name the samples and answers that an amendment touches.",
    "evaluate": "Measure the search on queries with known answers.",
    "embed": "Embed a corpus by a model at an endpoint, for a search by sense.",
    "tune": "Choose the retriever of an index on questions made of its own articles.",
    "train-encoder": "Learn one more signal for the search from the corpus itself.",
}
"""Every command with its line of help; ``law X`` is ``command`` in ``benchbar.cli.law_X``."""


@click.group(cls=LazyGroup, sections={"Commands": COMMANDS}, where="benchbar.cli.law_{name}:command")
def command() -> None:
    """Index statutes and court decisions, and check texts against them.

    benchbar law index statutes/ decisions/ --out indexes/prc
    benchbar law cite answer.txt --law indexes/prc --on 2024-06-01
    """
