"""`benchbar law touched`: which samples' guidance and which answers an amendment touches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from benchbar.cli.command import Command
from benchbar.cli.law_diff import between_days, compared, heading
from benchbar.cli.options import json_option
from benchbar.records.errors import UserError


@click.command("touched", cls=Command)
@between_days
@click.option("--suite", help="A suite, by name or folder: its questions, facts and guidance are looked through.")
@click.option("--run", type=click.Path(path_type=Path), help="A run: the answers of its assistants are looked through.")
@json_option
def command(
    act: str,
    first: str,
    last: str,
    corpus: Path,
    labels: tuple[str, ...],
    suite: str | None,
    run: Path | None,
    *,
    as_json: bool,
) -> None:
    """Name the samples and the answers that cite what changed in ACT between two days.

    Such guidance has to be looked at again before it marks answers on the new law; such answers were given on the old one.

    benchbar law touched 公司法 --from 2020-01-01 --to 2024-07-01 --law indexes/prc --suite my-suite --run runs/july
    """
    from benchbar.cli.printing import print_json, warn_of_invented_law
    from benchbar.law.amendments import touched_in
    from benchbar.law.index import load_corpus

    if suite is None and run is None:
        raise UserError("name what to look through: --suite, --run, or both")
    law = load_corpus(corpus, labels=labels)
    meant, changes = compared(act, first, last, law)
    warn_of_invented_law(law, act)
    found = touched_in(_texts(suite, run), meant, changes, law)
    if as_json:
        print_json({"law": changes.law, "touched": [one._asdict() for one in found]})
        return
    click.echo(heading(changes))
    for one in found:
        click.echo(f"{one.where}: {one.text}" + (f" ({one.kind})" if one.kind else ""))
    places = {one.where.partition(":")[0] for one in found}
    click.echo(f"{len(found)} citations in {len(places)} samples and answers")


def _texts(suite: str | None, run: Path | None) -> Iterator[tuple[str, str]]:
    """Every text of the samples and of the answers, with the name of its place."""
    if suite is not None:
        from msgspec import to_builtins

        from benchbar.suites.load import load

        for sample in load(suite).samples:
            # A matter of before the amendment is judged by the old law: whoever reads the list has to see its day.
            day = f", matter of {sample.on}" if sample.on else ""
            for field, text in _strings(to_builtins(sample), ""):
                yield f"sample {sample.id}{day}: {field}", text
    if run is not None:
        import benchbar

        for kept in benchbar.open(run).samples():
            for name, dialogue in kept.dialogues.items():
                for number, turn in enumerate(dialogue.turns, start=1):
                    if turn.role == "assistant":
                        yield f"answer {kept.id} of {name}: turn {number}", turn.content


def _strings(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """The texts within plain lists and dictionaries, each with its path."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _strings(one, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list):
        for number, one in enumerate(value, start=1):
            yield from _strings(one, f"{place} {number}")
