"""`benchbar suite annotate`: guidance by several annotators, their agreement, and what is decided between them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Group
from benchbar.cli.options import by_option, encoding_option, json_option
from benchbar.cli.suite_authoring import EXIT_PROBLEMS, problem_of, tell

if TYPE_CHECKING:
    from benchbar.records import Suite
    from benchbar.suites.authoring.agreement import Agreement

_FOLDER = click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
_BY = by_option("Who writes; letters, digits and . @ + - _.")
_DECIDE = click.option("--decide", is_flag=True, help="The sheet of disputed samples: what is written there stands.")


@click.group(cls=Group)
def annotate() -> None:
    """Have guidance written by several annotators, see where they differ, and decide.

    benchbar suite annotate sheet my-suite --by anna --out anna.csv        a sheet to fill in, CSV or DOCX
    benchbar suite annotate read my-suite anna.csv --by anna               keep what was filled in
    benchbar suite annotate compare my-suite                               agreement, and each disagreement
    benchbar suite annotate sheet my-suite --decide --by lead --out d.csv  the disputed samples, all versions side by side
    benchbar suite annotate read my-suite d.csv --decide --by lead         keep the decisions
    benchbar suite annotate settle my-suite                                put what stands into the samples
    """


@annotate.command()
@_FOLDER
@_BY
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The sheet, .csv or .docx; an old one is replaced."
)
@_DECIDE
def sheet(folder: Path, by: str, out: Path, *, decide: bool) -> None:
    """Write a sheet with a row for each sample, to be filled in and read back.

    Guidance is written as labelled text; nobody sees what the others wrote, but who decides.

    benchbar suite annotate sheet my-suite --by anna --out anna.docx
    """
    from benchbar.suites.authoring import annotation
    from benchbar.suites.authoring.agreement import compare as agree
    from benchbar.suites.folder import read_whole
    from benchbar.tables.reading import write_table

    suite, name = read_whole(folder), annotation.checked_name(by)
    columns = list(annotation.COLUMNS)
    if decide:
        everybody = annotation.load_all(suite)
        decided = annotation.current(suite, annotation.load(folder, annotation.ADJUDICATED))
        rows = annotation.dispute_rows(suite, everybody, agree(suite, everybody).disputed, decided)
        # Before the cell for the decision, to be read from left to right.
        columns[4:4] = [f"by {one}" for one in everybody]
    else:
        rows = annotation.sheet_rows(suite, annotation.current(suite, annotation.load(folder, name)))
    write_table(out, columns, rows)
    filled = sum(bool(row["guidance"]) for row in rows)
    click.echo(f"{out}: {len(rows)} samples, {filled} of them filled in already")


@annotate.command()
@_FOLDER
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_BY
@_DECIDE
@encoding_option
@json_option
def read(folder: Path, file: Path, by: str, *, decide: bool, encoding: str | None, as_json: bool) -> None:
    """Keep what was filled in: FOLDER/annotations/NAME.jsonl.

    Rows that cannot be used are named by file, row and column (exit code 1); the others are kept all the same.

    benchbar suite annotate read my-suite anna.csv --by anna
    """
    from benchbar.suites.authoring import annotation
    from benchbar.suites.folder import read_whole

    name = annotation.checked_name(by)
    found = annotation.read_filled(read_whole(folder), file, by=name, encoding=encoding)
    stored = annotation.store(folder, annotation.ADJUDICATED if decide else name, found.annotations)
    if as_json:
        document = {
            "read": [one.sample for one in found.annotations],
            "empty": found.empty,
            "kept": stored,
            "problems": [problem_of(one) for one in found.problems],
        }
        click.echo(json.dumps(document, ensure_ascii=False))
    else:
        click.echo(
            f"{len(found.annotations)} samples by {name} read, {len(found.empty)} left empty; {stored} kept in all"
        )
        tell(found.problems)
    if found.problems:
        sys.exit(EXIT_PROBLEMS)


@annotate.command()
@_FOLDER
@json_option
def compare(folder: Path, *, as_json: bool) -> None:
    """Show how far annotators agree, and every point on which two differ.

    Two points are the same where their wordings are similar; agreement is the share of points with a counterpart (positive
    specific agreement), with the bootstrap interval over samples.

    benchbar suite annotate compare my-suite
    """
    from benchbar.cli.printing import shown
    from benchbar.suites.authoring.agreement import compare as agree
    from benchbar.suites.authoring.annotation import load_all
    from benchbar.suites.folder import read_whole

    suite = read_whole(folder)
    everybody = load_all(suite)
    found = agree(suite, everybody)
    points, categories = agreement_estimates(found)
    if as_json:
        click.echo(json.dumps(_document(suite, everybody, found), ensure_ascii=False))
        return
    for name, own in everybody.items():
        click.echo(f"{name}: {len(own)} of {len(suite.samples)} samples")
    click.echo(f"points that both have: {shown(points)}")
    click.echo(f"of these with the same category: {shown(categories)}")
    for one in found.disagreements:
        click.echo(f"{one.sample}: {one.what}: {one.text!r} ({one.detail})")


def agreement_estimates(found: Agreement) -> tuple[Any, Any]:
    """Positive specific agreement on points, and the share of shared points with the same category; over samples."""
    import numpy as np

    from benchbar.statistics.numbers import Floats
    from benchbar.statistics.resampling import bootstrapped

    def ratio(sums: Floats) -> Floats:
        # A resample may draw samples without points; its ratio is left out by the bootstrap.
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1], dtype=np.float64)

    def estimate(counts: dict[str, tuple[int, int]], method: str) -> Any:
        rows = np.asarray(list(counts.values()), dtype=np.float64).reshape(-1, 2)
        why = "no sample was annotated by two people"
        # A fixed seed: the card quotes these intervals, and a card made twice is the same.
        return bootstrapped(rows, ratio, np.random.default_rng(0), method=method, why_undefined=why)

    return (
        estimate(found.shared, "positive specific agreement on points"),
        estimate(found.weighed, "share of shared points with the same category"),
    )


def _document(suite: Suite, everybody: Any, found: Agreement) -> dict[str, Any]:
    from dataclasses import asdict

    from benchbar.records import encode

    points, categories = (json.loads(encode(one)) for one in agreement_estimates(found))
    return {
        "samples": len(suite.samples),
        "annotators": {name: len(own) for name, own in everybody.items()},
        "points": points,
        "categories": categories,
        "disputed": found.disputed,
        "disagreements": [asdict(one) for one in found.disagreements],
    }


@annotate.command()
@_FOLDER
@json_option
def settle(folder: Path, *, as_json: bool) -> None:
    """Put the guidance that stands into the samples: decided, agreed by all, or written by the only annotator.

    Samples on which annotators differ keep what they have until somebody decides; exit code 1 while there are any.

    benchbar suite annotate settle my-suite
    """
    from benchbar.suites.authoring import annotation
    from benchbar.suites.authoring.agreement import settle as settled
    from benchbar.suites.authoring.layout import write_samples
    from benchbar.suites.folder import read_whole

    suite = read_whole(folder)
    decided = annotation.current(suite, annotation.load(folder, annotation.ADJUDICATED))
    found = settled(suite, annotation.load_all(suite), decided)
    write_samples(folder, annotation.with_guidance(suite.samples, found.guidance))
    counts = {name: getattr(found, name) for name in ("agreed", "adjudicated", "single", "disputed", "missing")}
    if as_json:
        click.echo(json.dumps(counts, ensure_ascii=False))
    else:
        click.echo(
            f"{len(found.agreed)} agreed, {len(found.adjudicated)} decided, {len(found.single)} by one annotator alone, "
            f"{len(found.missing)} without guidance"
        )
        if found.disputed:
            click.echo(f"disputed, and left as they were: {', '.join(found.disputed)}")
    if found.disputed:
        sys.exit(EXIT_PROBLEMS)
