"""`benchbar suite check`: what makes a suite's results doubtful, its figures, personal data, overlap with other files."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, law_option, map_option, sheet_option, suite_language_option
from benchbar.cli.printing import counted
from benchbar.cli.suite_authoring import EXIT_PROBLEMS

if TYPE_CHECKING:
    from benchbar.records import Suite

# In the environment, since arguments are seen by every process and kept by the shell.
SECRET = "BENCHBAR_MASK_SECRET"  # noqa: S105 - the name of a variable, not what it holds
SHOWN = 12
OVERLAPPING = 0.5
"""Share of a sample's n-grams in other files from which it counts as a problem."""
_BESIDE = ("sources.toml", "survey.json", "verification.json")


@click.command(cls=Command)
@click.argument("name")
@law_option("  [default: the suite's law/]")
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of public benchmarks, searched for n-grams of the samples.",
)
@click.option(
    "--gram",
    type=click.IntRange(3, 50),
    default=13,
    show_default=True,
    help="Words or Chinese characters of an n-gram.",
)
@click.option(
    "--masked",
    "mask_out",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write a copy of the suite with personal data masked.",
)
@suite_language_option
@map_option
@sheet_option
@json_option
def check(
    name: str,
    *,
    corpus: Path | None,
    against: Path | None,
    gram: int,
    mask_out: Path | None,
    language: str,
    columns: dict[str, str],
    sheet: str,
    as_json: bool,
) -> None:
    """Check a suite for problems that make its results doubtful; exit code 1 if there are any.

    Broken rows, double ids, guidance that stands in the information, equal and nearly equal samples, citations that the law does
    not hold; with --against, samples of which half or more stands in other files. Besides: the share of points that rules can decide,
    balance, reading length, and personal data (names, ids, phones, plates, accounts, e-mails, addresses).

    --masked OUT writes a copy in which pseudonyms stand for personal data. They depend on the secret in the environment
    variable BENCHBAR_MASK_SECRET, so that the same people get the same names again; without it a secret is made and forgotten.

    benchbar suite check my-suite --against public-benchmarks
    benchbar suite check my-suite --masked my-suite-masked
    """
    from benchbar.suites.figures import figures
    from benchbar.suites.load import load

    suite = load(name, language=language, columns=columns, sheet=sheet)
    summary = suite.summary() | {"figures": figures(suite), "personal_data": _personal(suite)}
    summary["figures"]["rules_decide"] |= _rules(suite)
    summary["problems"] = [
        {"file": one.file, "line": one.line, "field": one.field, "message": one.message}
        for one in _findings(suite, corpus)
    ]
    if against is not None:
        summary["overlap"] = _overlap(suite, against, gram, show=not as_json)
        summary["problems"] += [
            {"file": str(against / one["file"]), "line": one["line"], "field": one["sample"], "message": f"{one['share']:.0%} of the sample stands in it"}
            for one in summary["overlap"]["samples"]
            if one["share"] >= OVERLAPPING
        ]  # fmt: skip
    say(summary, as_json=as_json)
    if not as_json:
        _say_examples(suite)
        _say_figures(summary)
    if mask_out is not None:
        _mask(suite, mask_out, quiet=as_json)
    if summary["problems"]:
        sys.exit(EXIT_PROBLEMS)


def _findings(suite: Suite, law: Path | None) -> Any:
    from datetime import UTC, datetime

    from benchbar.law.index import load_corpus
    from benchbar.law.nicknames import read_nicknames
    from benchbar.suites.check import findings

    folder = law or suite.law
    # Nicknames of the suite, as in a run: else the check would warn of what the run understands.
    corpus = load_corpus(folder).with_nicknames(read_nicknames(suite.folder)) if folder else None
    return findings(suite, corpus, today=datetime.now(UTC).date().isoformat())


def _rules(suite: Suite) -> dict[str, Any]:
    """Of the guidance, what rules may decide: the kinds whose precision was shown in the language of the sample."""
    from benchbar.scoring.points import measured

    table = measured()
    points = [(point, sample.language) for sample in suite.samples for point in sample.guidance.points]
    ruled = [point.weight for point, language in points if table.basis(point.kind, language) is not None]
    weight = sum(point.weight for point, _ in points)
    languages = sorted({sample.language for sample in suite.samples})
    return {
        "precise_points": len(ruled) / len(points) if points else None,
        "precise_weight": sum(ruled) / weight if weight else None,
        "precise_kinds": {language: list(map(str, table.decided_kinds(language))) for language in languages},
    }


def _personal(suite: Suite) -> dict[str, Any]:
    """Counts by kind, and where each piece stands; the pieces themselves are not repeated."""
    from benchbar.suites.personal import personal_data

    found = list(personal_data(suite))
    return {
        "kinds": dict(Counter(str(datum.kind) for _, _, datum in found)),
        "places": [
            {"sample": sample, "field": name, "kind": str(datum.kind), "start": datum.start, "end": datum.end}
            for sample, name, datum in found
        ],
    }


def _overlap(suite: Suite, folder: Path, gram: int, *, show: bool) -> dict[str, Any]:
    from dataclasses import asdict

    from rich.console import Console
    from rich.progress import Progress

    from benchbar.suites.contamination import contamination, sources

    console = Console(stderr=True)
    total = sum(path.stat().st_size for path in sources(folder, suite)[0])
    with Progress(console=console, transient=True, disable=not (show and console.is_terminal)) as bar:
        task = bar.add_task("searching", total=total)
        found = contamination(suite, folder, gram=gram, done=lambda size: bar.update(task, advance=size))
    return {
        "gram": gram,
        "files": found.files,
        "bytes": found.bytes,
        "samples": [asdict(one) for one in found.overlaps],
        "too_short": list(found.too_short),
        "unread": list(found.unread),
    }


def _mask(suite: Suite, out: Path, *, quiet: bool) -> None:
    from benchbar.languages.personal_data import Masker
    from benchbar.records.errors import UserError
    from benchbar.suites.personal import masked
    from benchbar.suites.write import write

    # Files of the unmasked suite might lie in it and be published along.
    if out.exists() and any(out.iterdir()):
        raise UserError(f"{out} is not empty; name a new folder")
    secret = os.environ.get(SECRET, "")
    write(masked(suite, Masker(secret or secrets.token_hex(32))), out)
    for file in [suite.folder / name for name in _BESIDE if (suite.folder / name).exists()] if suite.folder else []:
        shutil.copyfile(file, out / file.name)
    if suite.law is not None:
        shutil.copytree(suite.law, out / "law")
    if not quiet:
        click.echo(f"masked copy: {out}" + ("" if secret else f"; set {SECRET} to get the same pseudonyms again"))


def _say_examples(suite: Suite) -> None:
    """The first point of each category; not in the JSON, which repeats no text that may hold personal data."""
    for category, example in suite.examples().items():
        against = " (counts against the assistant)" if category == "forbidden" else ""
        click.echo(f"  {category}{against}, such as {example}")


def _say_figures(summary: dict[str, Any]) -> None:
    figures = summary["figures"]
    share, balance, reading = figures["rules_decide"], figures["balance"], figures["reading"]
    if share["points"] is not None:
        click.echo(
            f"rules can decide: {share['precise_points']:.0%} of the points, {share['precise_weight']:.0%} of their weight"
            f" ({share['points']:.0%} have a rule; the others are not shown to be precise enough and are a judge's)"
        )
        for language, kinds in share["precise_kinds"].items():
            click.echo(f"rules decide in {language}: {', '.join(kinds) or 'nothing'}")
    click.echo(f"levels: {counted(balance['levels'])}; scenarios: {counted(balance['scenarios'])}")
    if balance["effective_tasks"] is not None:
        click.echo(
            f"balance: as varied as {balance['effective_tasks']:.1f} tasks of equal size; tasks without samples: {len(balance['empty_tasks'])}"
        )
    if reading["median"] is not None:
        longest = reading["longest"]
        click.echo(
            f"reading: median {reading['median']:g} characters, longest {longest['characters']} ({longest['sample']}), "
            f"{reading['minutes']:g} minutes in all"
        )
    click.echo(f"personal data: {counted(summary['personal_data']['kinds']) or 'none found'}")
    if "overlap" in summary:
        _say_overlap(summary["overlap"])


def _say_overlap(overlap: dict[str, Any]) -> None:
    click.echo(
        f"overlap by {overlap['gram']}-grams with {overlap['files']} files ({overlap['bytes'] / 1e6:.1f} MB): {len(overlap['samples'])} samples"
    )
    for one in overlap["samples"][:SHOWN]:
        click.echo(
            f"  {one['sample']}: {one['share']:.0%} of {one['grams']}, most in {one['file']}, line {one['line']}"
        )
    if len(overlap["samples"]) > SHOWN:
        click.echo(f"  and {len(overlap['samples']) - SHOWN} more; --json lists all")
    if overlap["too_short"]:
        click.echo(f"too short to tell: {', '.join(overlap['too_short'][:SHOWN])}")
    if overlap["unread"]:
        click.echo(f"not read: {len(overlap['unread'])} files of other forms")


def say(summary: dict[str, Any], *, as_json: bool) -> None:
    """What a suite holds and what is wrong with it, for people or as JSON."""
    if as_json:
        click.echo(json.dumps(summary, ensure_ascii=False))
        return
    click.echo(f"{summary['suite']}: {summary['samples']} samples, {summary['tasks']} tasks")
    click.echo(f"language: {summary['language']}")
    for line in summary["understood"]:
        click.echo(line)
    if summary["points"] or not summary["with_evidence"]:
        click.echo(f"guidance points: {counted(summary['points']) or 'none'}")
    if summary["kinds"]:
        click.echo(f"decided by: {counted(summary['kinds'])}")
    if found := summary["with_evidence"]:
        click.echo(f"passages to be found: named for {found} of {summary['samples']} samples")
    # Where all name passages, none is meant to have guidance.
    if (without := summary["without_guidance"]) and summary["with_evidence"] < summary["samples"]:
        more = f" and {len(without) - SHOWN} more; --json lists all" if len(without) > SHOWN else ""
        click.echo(f"without guidance: {', '.join(without[:SHOWN])}{more}")
    for problem in summary["problems"]:
        place = ":".join(str(problem[part]) for part in ("file", "line") if problem[part] is not None)
        click.echo(f"problem: {place}: {problem['field'] or ''}: {problem['message']}")
