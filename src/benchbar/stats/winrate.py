"""How often a candidate is preferred: by group, in both orders, and with its length taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from msgspec.structs import replace

from benchbar.cli.command import section
from benchbar.cli.options import TABLE, split
from benchbar.cli.printing import probability, progress, shown
from benchbar.records import Estimate
from benchbar.records.errors import BadInputError, UserError
from benchbar.statistics import (
    LengthWeights,
    OrderedOutcome,
    averaged,
    controlled_by_weights,
    length_controlled,
    length_term,
    macro_win_rate,
    pool_difficulty,
    position_test,
    win_rate,
)
from benchbar.statistics.numbers import cluster_codes, undefined
from benchbar.stats.stat import Found, Grid, stat
from benchbar.stats.verdicts import SCALES, outcomes
from benchbar.tables.columns import Columns, clusters, groups, numbers, read_columns, words

NO_LENGTHS = "no lengths were given"
ONE_ORDER = "one order only"
CANDIDATE_FIRST = frozenset({"candidate_first", "left_first", "ab", "noswap", "original", "0", "first", "false"})
REFERENCE_FIRST = frozenset({"reference_first", "right_first", "ba", "swap", "swapped", "1", "second", "true"})
WEIGHTS = ("w_tanh_std_delta_len", "w_instruction_difficulty", "w_not_gamed_baseline")


class Judged(NamedTuple):
    """One row a sample: its outcome, and what belongs to it."""

    table: Columns
    outcomes: list[float | None]
    ordered: list[OrderedOutcome] | None


@stat(
    options=[
        section(
            "Columns of the table",
            click.option(
                "--preference",
                "preferences",
                multiple=True,
                callback=split,
                help="The verdict; two columns: the pair shown with the candidate first, then the reference.",
            ),
            click.option("--by", multiple=True, callback=split, help="Values that make the groups (tasks, models)."),
            click.option("--cluster", help="What samples were drawn with, such as their source document."),
            click.option("--orders", help="Which side was shown first; needs --sample."),
            click.option("--sample", help="The sample's id: pairs the orders, and joins --difficulty."),
            click.option("--lengths", nargs=2, help="The reference's and the candidate's length."),
        ),
        click.option(
            "--scale", type=click.Choice(SCALES), default="0-1", show_default=True, help="What verdicts mean."
        ),
        click.option(
            "--difficulty", type=TABLE, help="Table of sample and difficulty (else estimated from the groups)."
        ),
        click.option("--weights", type=TABLE, help=f"Table of fitted weights by group: {', '.join(WEIGHTS)}."),
    ],
)
def winrate(
    *,
    table: Columns,
    preferences: list[str],
    scale: str,
    by: list[str],
    cluster: str | None,
    orders: str | None,
    sample: str | None,
    lengths: tuple[str, str] | None,
    difficulty: Path | None,
    weights: Path | None,
    seed: int,
    confidence: float,
    missing: list[str],
    resamples: int = 500,
) -> Found:
    r"""How often the candidate is preferred, with Tango's interval.

    Scales: 0-1            1 the candidate wins, 0.5 tie, 0 the reference wins, fractions are soft
            1-2            2 the candidate, 1 the reference, 1.5 or 0 a draw (AlpacaEval)
            win-tie-loss   the words, or 1, 0 and -1
            positions      A (first shown) or B (second shown) or tie; needs two --preference or --orders

    benchbar stats winrate judged.csv --preference outcome --by task --cluster document
    benchbar stats winrate annotations.csv --preference preference --scale 1-2 --by model \
        --lengths len_baseline len_model --sample index --json
    benchbar stats winrate pairs.csv --preference winner_ab,winner_ba --scale positions --by judge
    """
    if orders and "," in orders and not preferences:
        preferences, orders = [name.strip() for name in orders.split(",")], None
    judged = _judged(table, preferences, scale, by, orders, sample, missing)
    parts = groups(judged.table, by) if by else {"all": list(range(len(judged.outcomes)))}
    hardness = _difficulty(judged, parts, lengths, sample, difficulty, missing) if lengths or difficulty else None
    given = _weights(weights) if weights else None
    document: dict[str, Any] = {"groups": {}}
    for name, rows in progress(list(parts.items()), "win rates"):
        part = Judged(
            judged.table.rows(rows),
            [judged.outcomes[i] for i in rows],
            None if judged.ordered is None else [judged.ordered[i] for i in rows],
        )
        # Anew for each group, so that a group gives the same alone as among others.
        generator = np.random.default_rng(seed)
        found = _rates(part, cluster, confidence)
        if lengths or given:
            local = None if hardness is None else [hardness[i] for i in rows]
            found["length_controlled"] = _controlled(
                part, name, lengths, local, given, cluster, generator, confidence, resamples, missing
            )
        document["groups"][name] = found
    if by:
        document |= _across(judged, parts, cluster or sample, confidence)
    return Found(document, _printed(document))


def _judged(
    table: Columns,
    preferences: list[str],
    scale: str,
    by: list[str],
    orders: str | None,
    sample: str | None,
    missing: list[str],
) -> Judged:
    """The table with one row a sample."""
    # Both orders side by side.
    if len(preferences) == 2:
        first = outcomes(table, preferences[0], scale, missing)
        swapped = scale == "positions"
        second = outcomes(table, preferences[1], scale, missing)
        second = [None if y is None else 1 - y for y in second] if swapped else second
        ordered = [OrderedOutcome(a, b) for a, b in zip(first, second, strict=True)]
        return Judged(table, averaged(ordered), ordered)
    if len(preferences) != 1:
        raise UserError("--preference: one column expected, or two for the two orders")
    verdicts = outcomes(table, preferences[0], scale, missing)
    if not orders:
        if scale == "positions":
            raise UserError("--scale positions needs the order: two --preference columns, or --orders and --sample")
        return Judged(table, verdicts, None)
    if not sample:
        raise UserError("--orders needs --sample, to find the two orders of one sample")
    return _paired(table, verdicts, words(table, orders), [*by, sample], positions=scale == "positions")


def _paired(
    table: Columns, verdicts: list[float | None], orders: list[str | None], key: list[str], *, positions: bool
) -> Judged:
    """Rows joined by group and sample; repeats of one order are averaged."""
    sides = [_side(word, table, row) for row, word in enumerate(orders)]
    keep, ordered = [], []
    for rows in groups(table, key).values():
        keep.append(rows[0])
        values: list[list[float]] = [[], []]
        for row in rows:
            verdict = verdicts[row]
            if verdict is not None:
                values[sides[row]].append(1 - verdict if positions and sides[row] else verdict)
        ordered.append(OrderedOutcome(*(sum(side) / len(side) if side else None for side in values)))
    return Judged(table.rows(keep), averaged(ordered), ordered)


def _side(word: str | None, table: Columns, row: int) -> int:
    if word is not None and word.lower() in CANDIDATE_FIRST:
        return 0
    if word is not None and word.lower() in REFERENCE_FIRST:
        return 1
    known = ", ".join(sorted(CANDIDATE_FIRST | REFERENCE_FIRST))
    raise BadInputError(f"order {word!r}; expected one of {known}", file=table.path, line=table.lines[row])


def _rates(part: Judged, cluster: str | None, confidence: float) -> dict[str, Any]:
    found: dict[str, Any] = {
        "length_controlled": undefined(NO_LENGTHS, method="length-controlled win rate", confidence=confidence),
        "order_inconsistency": undefined(ONE_ORDER, method="order inconsistency", confidence=confidence),
        "win_rate": win_rate(part.outcomes, clusters=clusters(part.table, cluster), confidence=confidence),
        **_counts(part.outcomes),
    }
    if cluster:
        found["win_rate_without_clusters"] = win_rate(part.outcomes, confidence=confidence)
    if part.ordered is not None:
        test = position_test(part.ordered, clusters=clusters(part.table, cluster), confidence=confidence)
        found["order_inconsistency"] = test.inconsistency
        found["position"] = {name: value for name, value in test._asdict().items() if name != "inconsistency"}
    return found


def _counts(values: Sequence[float | None]) -> dict[str, int]:
    known = [y for y in values if y is not None]
    half = 0.5
    return {
        "wins": sum(y > half for y in known),
        "losses": sum(y < half for y in known),
        "ties": sum(y == half for y in known),
    }


def _across(judged: Judged, parts: dict[str, list[int]], cluster: str | None, confidence: float) -> dict[str, Any]:
    """All rows together, and the macro average over groups; a sample that several groups share is one cluster."""
    outcomes_of = {name: [judged.outcomes[i] for i in rows] for name, rows in parts.items()}
    named = clusters(judged.table, cluster)
    together = None if named is None else {name: [named[i] for i in rows] for name, rows in parts.items()}
    macro = macro_win_rate(outcomes_of, clusters=together, confidence=confidence)
    return {"overall": _rates(judged, cluster, confidence), "macro": macro}


def _difficulty(
    judged: Judged,
    parts: dict[str, list[int]],
    lengths: tuple[str, str] | None,
    sample: str | None,
    file: Path | None,
    missing: list[str],
) -> list[float | None] | None:
    """Each row's difficulty, from the file or from the pool of groups; None where neither can say."""
    if file is not None:
        return _read_difficulty(judged.table, sample, file, missing)
    # A pool has two or more.
    if len(parts) < 2 or sample is None or lengths is None:
        return None
    names = words(judged.table, sample)
    codes = {name: place for place, name in enumerate(dict.fromkeys(names))}
    rates = np.full((len(parts), len(codes)), np.nan)
    terms = np.zeros_like(rates)
    base, own = (np.array([np.nan if x is None else x for x in numbers(judged.table, c, missing)]) for c in lengths)
    for place, rows in enumerate(parts.values()):
        columns = [codes[names[i]] for i in rows]
        rates[place, columns] = [np.nan if judged.outcomes[i] is None else judged.outcomes[i] for i in rows]
        terms[place, columns] = length_term(base[rows], own[rows])
    gamma = pool_difficulty(rates, terms)
    return [float(gamma[codes[name]]) for name in names]


def _read_difficulty(table: Columns, sample: str | None, file: Path, missing: list[str]) -> list[float | None]:
    known = read_columns(file)
    value = "difficulty" if "difficulty" in known.columns else list(known.columns)[-1]
    if sample is None:
        raise UserError("--difficulty needs --sample: the column that its samples are found by")
    key = sample if sample in known.columns else next(iter(known.columns))
    found = dict(zip(words(known, key), numbers(known, value, missing), strict=True))
    return [found.get(name) for name in words(table, sample)]


def _weights(file: Path) -> dict[str, LengthWeights]:
    table = read_columns(file)
    columns = [numbers(table, name) for name in WEIGHTS]
    first = words(table, "model" if "model" in table.columns else next(iter(table.columns)))
    return {
        name: LengthWeights(*(float(x) for x in row if x is not None))
        for name, *row in zip(first, *columns, strict=True)
        if name is not None and None not in row
    }


def _controlled(
    part: Judged,
    name: str,
    lengths: tuple[str, str] | None,
    difficulty: list[float | None] | None,
    given: dict[str, LengthWeights] | None,
    cluster: str | None,
    generator: np.random.Generator,
    confidence: float,
    resamples: int,
    missing: list[str],
) -> Estimate:
    if given is not None:
        if difficulty is None:
            raise UserError("--weights needs --difficulty and --sample, or --lengths to estimate it")
        if name in given:
            return controlled_by_weights(difficulty, given[name], confidence=confidence)
        reason = f"no weights for {name}"
        return Estimate(value=None, n=len(part.outcomes), method="length-controlled win rate", reason=reason)
    if lengths is None:
        raise UserError("--lengths: the columns of the reference's and the candidate's length are needed")
    groups_of = clusters(part.table, cluster)
    base, own = (numbers(part.table, column, missing) for column in lengths)
    found = length_controlled(
        part.outcomes,
        base,
        own,
        generator,
        difficulty=difficulty,
        clusters=None if groups_of is None else cluster_codes(groups_of),
        confidence=confidence,
        resamples=resamples,
    )
    return found if difficulty is not None else replace(found, method=f"{found.method}, without difficulty")


def _printed(document: dict[str, Any]) -> Iterator[Grid | str]:
    named = [*document["groups"].items(), *([("overall", document["overall"])] if "overall" in document else [])]
    rows = [(name, shown(group["win_rate"], percent=True), *_asked(group)) for name, group in named]
    header = ["group", "win rate", "length-controlled", "order inconsistency", "first : second"]
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    yield Grid([header[i] for i in used], [[row[i] for i in used] for row in rows])
    if "macro" in document:
        yield f"macro, these tasks:      {shown(document['macro'].these_tasks, percent=True)}"
        yield f"macro, tasks like these: {shown(document['macro'].tasks_like_these, percent=True)}"


def _asked(group: dict[str, Any]) -> tuple[str, str, str]:
    """The columns that were asked for, empty where they were not."""
    lengths, inconsistency = group["length_controlled"], group["order_inconsistency"]
    position = group.get("position")
    return (
        "" if lengths.reason == NO_LENGTHS else shown(lengths, percent=True),
        "" if inconsistency.reason == ONE_ORDER else shown(inconsistency, percent=True),
        f"{position['always_first']}:{position['always_second']} p {probability(position['p_value'])}"
        if position
        else "",
    )
