"""`benchbar suite get` and `suite score`: public sets by name, from the user's own copy, and their official figures."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, limit_option, seed_option, suite_out_option

if TYPE_CHECKING:
    from benchbar.measures.official import TaskFigures
    from benchbar.records import Dialogue, Suite


@click.command(cls=Command)
@click.argument("name", required=False)
@click.argument("copy", type=click.Path(path_type=Path, exists=True), required=False)
@suite_out_option
@limit_option
@json_option
def get(name: str | None, copy: Path | None, *, out: Path | None, limit: int | None, as_json: bool) -> None:
    """Public sets by name: what one is and how to get it, or your COPY of it as a suite.

    Nothing is downloaded, and no text of a set is part of Benchbar. Without NAME the sets are listed; without COPY licence, source,
    what to name and what its numbers can bear are printed.

    benchbar suite get
    benchbar suite get lawbench
    benchbar suite get lawbench LawBench/data/zero_shot --out suites/lawbench
    """
    from benchbar.cli.printing import print_json
    from benchbar.suites.public_sets import lines, public_set, public_sets

    if name is None:
        if as_json:
            print_json(public_sets())
            return
        for each, card in public_sets().items():
            click.echo(f"{each}: {card.title}. {card.metric}")
        return
    if copy is None:
        if as_json:
            print_json({"name": name, "card": public_set(name)})
            return
        for line in lines(name):
            click.echo(line)
        click.echo(f"next: {public_set(name).elsewhere or f'benchbar suite get {name} COPY --out suites/{name}'}")
        return
    _read(name, copy, out, limit, as_json=as_json)


def _read(name: str, copy: Path, out: Path | None, limit: int | None, *, as_json: bool) -> None:
    from benchbar.cli.suite_check import say
    from benchbar.records.errors import UserError
    from benchbar.suites.clusters import clusters_of
    from benchbar.suites.public_sets import detectable, public_set, reader_of
    from benchbar.suites.write import write

    card, suite = public_set(name), reader_of(name).read(copy)
    if limit is not None:
        suite = suite.narrowed(limit=limit)
    if out is not None and out.exists() and any(out.iterdir()):
        raise UserError(f"{out} is not empty; name a new folder")
    if out is not None:
        write(suite, out)
    sizes = Counter(sample.task for sample in suite.samples)
    apart = {task: detectable(n, card.spread) for task, n in sizes.items()}
    clusters = len(set(clusters_of(suite.samples).values()))
    say(suite.summary() | {"licence": card.licence, "clusters": clusters, "detectable": apart}, as_json=as_json)
    if as_json:
        return
    click.echo(f"licence: {card.licence}")
    click.echo(f"metric: {card.metric}")
    click.echo(_comparable(sizes, apart, clusters))
    if out is not None:
        click.echo(f"written: {out}")
        click.echo(
            f"next: benchbar run --suite {out} --scorer {name} --assistant NAME=openai:MODEL@URL --out runs/{name}"
        )
        click.echo(f"then: benchbar suite score {name} {out} runs/{name}")


_FEW = 10
"""Samples of a task below which a difference in points says nothing: the formula takes the spread of the differences as known."""


def _comparable(sizes: Counter[str], apart: dict[str, float], clusters: int) -> str:
    """What difference of two systems the smallest task can show."""
    task, n = sizes.most_common()[-1]
    if n < _FEW:
        return f"the smallest task, {task}, has {n} {'sample' if n == 1 else 'samples'}: too few to compare two systems"
    shared = f"; {clusters} clusters of samples that belong together make it larger" if clusters else ""
    return (
        f"seen four times in five in the smallest task, {task} with {n} samples: {100 * apart[task]:.1f} points{shared}"
    )


@click.command(cls=Command)
@click.argument("name")
@click.argument("suite")
@click.argument("answers", type=click.Path(path_type=Path, exists=True))
@seed_option
@json_option
def score(name: str, suite: str, answers: Path, *, seed: int, as_json: bool) -> None:
    """The official figures of set NAME, by assistant and task, each with its interval.

    ANSWERS is the folder of a run, or a file of answers given elsewhere: rows of `sample` and `answer`, with `contexts` where passages
    were found. A sample without an answer is missing and never wrong.

    benchbar suite score lawbench suites/lawbench runs/lawbench
    benchbar suite score lawbench suites/lawbench answers.jsonl --json
    """
    import numpy as np

    from benchbar.cli.printing import print_json
    from benchbar.measures.official import figures
    from benchbar.suites.load import load

    loaded = load(suite)
    dialogues, strange = _dialogues(loaded, answers)
    found = figures(name, loaded, dialogues, np.random.default_rng(seed))
    _say_strange(strange, dialogues, answers)
    if as_json:
        print_json({"set": name, "suite": loaded.card.name, "fingerprint": loaded.fingerprint, "figures": found})
        return
    _show(found, loaded)


def _dialogues(suite: Suite, answers: Path) -> tuple[list[Dialogue], list[str]]:
    """The dialogues about samples of the suite, and the ids that fit none of them."""
    from msgspec.structs import replace

    from benchbar.artefacts.folder import read_samples
    from benchbar.assistants.recorded import RecordedAnswers

    known = {sample.id for sample in suite.samples}
    if answers.is_dir():
        there = {sample.sample: sample for sample in read_samples(answers)}
        kept = [dialogue for id_, sample in there.items() if id_ in known for dialogue in sample.dialogues]
        return kept, [id_ for id_ in there if id_ not in known]
    recorded = RecordedAnswers(answers)
    found = (recorded.dialogue(sample) for sample in suite.samples)
    kept = [replace(dialogue, assistant=answers.stem) for dialogue in found if dialogue is not None]
    return kept, recorded.unmatched(suite.samples)


def _say_strange(strange: list[str], dialogues: list[Dialogue], answers: Path) -> None:
    from benchbar.records.errors import UserError

    if not strange:
        return
    matched = len({dialogue.sample for dialogue in dialogues})
    listed = ", ".join(strange[:_SHOWN_IDS]) + (", …" if len(strange) > _SHOWN_IDS else "")
    told = f"{answers}: {len(strange)} of {len(strange) + matched} ids are not in the suite: {listed}"
    if not matched:
        raise UserError(f"{told}; give answers to this suite, under the ids of its samples")
    click.echo(f"warning: {told}; their answers are left out", err=True)


_SHOWN_IDS = 5


def _show(found: list[TaskFigures], suite: Suite) -> None:
    from benchbar.cli.printing import shown

    for one in found:
        click.echo(f"{one.assistant}, {one.task} {suite.tasks[one.task].name} ({one.n} samples)")
        for metric, estimate in one.metrics.items():
            click.echo(f"  {metric}: {shown(estimate)}")
