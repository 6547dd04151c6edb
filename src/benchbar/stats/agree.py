"""How far raters agree, raw and beyond chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

import click
import numpy as np

from benchbar.cli.command import section
from benchbar.cli.options import split
from benchbar.cli.printing import progress
from benchbar.records import Estimate
from benchbar.records.errors import UserError
from benchbar.statistics import (
    Agreement,
    Classification,
    Ratings,
    intraclass,
    judge_agreement,
    majority,
    proportion,
    ratings,
)
from benchbar.statistics.classification import UNPARSED
from benchbar.statistics.numbers import cluster_codes
from benchbar.statistics.rating_table import label_values
from benchbar.stats.stat import Column, Found, Grid, drawn_with, estimates, stat
from benchbar.tables.columns import Columns, groups, words


class Options(NamedTuple):
    """What holds for every group of rows."""

    scale: Literal["nominal", "ordinal", "interval"]
    tie: str | None
    reference: str | None
    judge: str | None
    seed: int
    confidence: float
    resamples: int

    @property
    def weights(self) -> Literal["none", "linear", "quadratic"]:
        """The weights of kappa and AC2 that fit the scale."""
        return _WEIGHTS[self.scale]


# Linear where only the order is known, quadratic where distances are: squared distances bring kappa close to an
# intraclass correlation (Fleiss and Cohen 1973).
_WEIGHTS: dict[str, Literal["none", "linear", "quadratic"]] = {
    "nominal": "none",
    "ordinal": "linear",
    "interval": "quadratic",
}


@stat(
    Column("cluster", "What items were drawn with.", drawn_with, required=False),
    options=[
        section(
            "Columns of the table",
            click.option("--raters", required=True, multiple=True, callback=split, help="One column a rater."),
            click.option("--reference", help="Rater whose labels are the truth: adds accuracy, macro-F1, confusion."),
            click.option(
                "--judge", help="Rater that is a judge among people: adds its agreement beside the human ceiling."
            ),
            click.option("--by", multiple=True, callback=split, help="Columns whose values make groups of their own."),
        ),
        section(
            "Labels",
            click.option("--scale", type=click.Choice([*_WEIGHTS]), default="nominal", show_default=True),
            click.option("--labels", multiple=True, callback=split, help="All labels, in order for an ordinal scale."),
            click.option("--relabel", multiple=True, callback=split, help="Words to read as others: Tie=0,draw=0."),
            click.option("--ties", "tie", help="The label that means a tie."),
        ),
    ],
)
def agree(
    *,
    table: Columns,
    cluster: list[object] | None,
    raters: list[str],
    scale: Literal["nominal", "ordinal", "interval"],
    labels: list[str],
    relabel: list[str],
    tie: str | None,
    reference: str | None,
    judge: str | None,
    by: list[str],
    seed: int,
    confidence: float,
    missing: list[str],
    resamples: int = 2000,
) -> Found:
    """How far raters agree, raw and beyond chance; one row an item, one column a rater.

    benchbar stats agree marks.csv --raters judge,anna,bo,chen --ties tie --judge judge
    benchbar stats agree rows.jsonl --raters annotator1,annotator2,annotator3 --ties 0 --json
    benchbar stats agree verdicts.csv --raters given,swapped --reference label --by subset,evaluator
    """
    rated = _ratings(table, raters, labels, _renamed(relabel), missing, reference)
    if scale != "nominal" and not labels:
        _check_order(rated.labels, scale)
    # Asked for now: a misspelt name would be found after the bootstrap of the first group.
    for name in filter(None, (reference, judge)):
        rated.position(name)
    options = Options(scale, tie, reference, judge, seed, confidence, resamples)
    document = _measured(rated, list(range(len(table.lines))), cluster, options)
    if by:
        parts = list(groups(table, by).items())
        document["groups"] = {
            name: _measured(rated, rows, cluster, options) for name, rows in progress(parts, "groups")
        }
    return Found(document, [Grid(["group", "measure", "estimate"], _rows(document))])


def _renamed(relabel: list[str]) -> dict[str, str]:
    odd = [text for text in relabel if "=" not in text]
    if odd:
        raise UserError(f"--relabel {odd[0]!r}: expected WORD=LABEL")
    # At the first sign only: a label may hold one itself.
    return dict(text.split("=", 1) for text in relabel)


def _ratings(
    table: Columns,
    raters: list[str],
    labels: list[str],
    renamed: dict[str, str],
    missing: list[str],
    reference: str | None,
) -> Ratings:
    # The reference may be one of the raters, whose agreement with people is asked for as well.
    names = [*raters, *([reference] if reference and reference not in raters else [])]
    # One rater agrees with nobody.
    if len(set(names)) < 2:
        raise UserError(f"--raters {', '.join(names)}: expected at least two different columns")
    columns = {name: [None if w is None else renamed.get(w, w) for w in words(table, name, missing)] for name in names}
    return ratings(columns, labels or None)


def _check_order(labels: Sequence[str], scale: str) -> None:
    """Refuse words whose order nobody gave: the alphabet's would be taken."""
    others = [label for label in labels if not _is_number(label)]
    if not others:
        return
    shown = ", ".join(repr(label[:20]) for label in others[:5])
    if len(others) < len(labels):
        raise UserError(
            f"--scale {scale}: {shown} among numbers; expected numbers alone (--missing {others[0][:20]!r} counts it as missing,"
            " --relabel reads it as another, --labels gives all labels in order)"
        )
    raise UserError(f"--scale {scale}: the order of {shown} is not known; give all labels in order with --labels")


def _is_number(label: str) -> bool:
    try:
        return math.isfinite(float(label))
    except ValueError:
        return False


def _measured(rated: Ratings, rows: list[int], cluster: list[object] | None, options: Options) -> dict[str, Any]:
    part = Ratings(rated.raters, rated.labels, rated.codes[rows])
    alike = [cluster[row] for row in rows] if cluster else None
    # Anew for each group: its interval does not depend on which groups come before it.
    generator = np.random.default_rng(options.seed)
    # Looked for among the labels of the whole table: a group without a tie is no misspelling.
    tie = options.tie if options.tie in rated.labels else None
    if options.tie is not None and tie is None:
        raise UserError(f"--ties {options.tie}: no such label; there are {', '.join(rated.labels)}")
    measures = Agreement(
        part, generator, clusters=alike, tie=tie, confidence=options.confidence, resamples=options.resamples
    )
    pairs = list(combinations(range(len(part.raters)), 2))
    document: dict[str, Any] = {
        "overall": _overall(part, measures, pairs, options),
        "pairs": {f"{part.raters[a]}|{part.raters[b]}": _pair(measures, a, b, options) for a, b in pairs},
        "marginals": _marginals(part, options.confidence),
        "labels": list(part.labels),
    }
    if options.reference is not None:
        document["reference"] = _against(part, options.reference, alike, generator, options)
    # People need a second for a ceiling.
    if options.judge is not None and len(part.raters) > 2:
        for name, without in (("judge", False), ("judge_without_ties", True)):
            document[name] = judge_agreement(
                part,
                options.judge,
                generator,
                tie=tie,
                without_ties=without,
                clusters=alike,
                confidence=options.confidence,
            )
    return document


def _overall(part: Ratings, measures: Agreement, pairs: Sequence[tuple[int, int]], options: Options) -> dict[str, Any]:
    scale, weights = options.scale, options.weights
    found: dict[str, Any] = {
        "agreement_with_ties": measures.raw(pairs),
        "agreement_without_ties": measures.raw(pairs, without_ties=True),
        "fleiss_kappa": measures.fleiss_kappa(),
        "krippendorff_alpha": measures.krippendorff_alpha(scale),
        "gwet_ac1": measures.gwet(),
    }
    if weights != "none":
        found["gwet_ac2"] = measures.gwet(weights)
    if scale == "interval":
        # The code of a missing label is -1, which picks the last.
        values = np.append(label_values(part.labels), np.nan)
        found["icc"] = intraclass(values[part.codes], confidence=options.confidence)
    votes = majority(part)
    found["items_with_majority"] = proportion(
        int((votes >= 0).sum()), len(votes), confidence=options.confidence, unit="item"
    )
    return found


def _pair(measures: Agreement, a: int, b: int, options: Options) -> dict[str, Estimate]:
    found = {
        "agreement": measures.raw([(a, b)]),
        "agreement_without_ties": measures.raw([(a, b)], without_ties=True),
        "cohen_kappa": measures.cohen_kappa(a, b),
    }
    if options.scale != "nominal":
        found["linear_kappa"] = measures.cohen_kappa(a, b, "linear")
        found["quadratic_kappa"] = measures.cohen_kappa(a, b, "quadratic")
    return found


def _marginals(part: Ratings, confidence: float) -> dict[str, dict[str, Estimate]]:
    found = {}
    for place, rater in enumerate(part.raters):
        column = part.codes[:, place]
        n = int((column >= 0).sum())
        found[rater] = {
            label: proportion(
                int((column == code).sum()), n, n_missing=len(column) - n, confidence=confidence, unit="item"
            )
            for code, label in enumerate(part.labels)
        }
    return found


def _against(
    part: Ratings,
    reference: str,
    alike: list[object] | None,
    generator: np.random.Generator,
    options: Options,
) -> dict[str, Any]:
    """Each other rater against the reference; an item that the rater left out counts as wrong."""
    truth = part.codes[:, part.position(reference)]
    known = truth >= 0
    groups_of = None if alike is None else cluster_codes(alike)[known]
    found = {}
    for place, rater in enumerate(part.raters):
        if rater == reference:
            continue
        said = part.codes[known, place]
        measured = Classification(
            truth[known],
            # Leaving out what a rater could not read would raise the accuracy of whoever answers only easy items.
            np.where(said < 0, UNPARSED, said),
            part.labels,
            generator,
            clusters=groups_of,
            n_missing=int((~known).sum()),
            confidence=options.confidence,
            resamples=options.resamples,
        )
        found[rater] = {
            "accuracy": measured.accuracy(),
            "macro_f1": measured.macro_f1(),
            "unrated": int((said < 0).sum()),
            "confusion": measured.confusion(),
        }
    return found


def _rows(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    named = [("all", document), *document.get("groups", {}).items()]
    return [(name, *row) for name, part in named for row in _of_group(part)]


def _of_group(part: dict[str, Any]) -> list[tuple[str, str]]:
    rows = estimates(part["overall"])
    for pair, values in part["pairs"].items():
        rows += estimates(values, f"{pair} ")
    for rater, values in part.get("reference", {}).items():
        rows += estimates(values, f"{rater} ")
    for key in ("judge", "judge_without_ties"):
        if key in part:
            rows += estimates(part[key]._asdict(), f"{key}: ")
    return rows
