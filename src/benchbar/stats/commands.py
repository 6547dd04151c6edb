"""`benchbar stats`: numbers that can be believed, from any table."""

from __future__ import annotations

import click

from benchbar.cli.command import LazyGroup

SECTIONS = {
    "Compare": {
        "winrate": "How often the candidate is preferred, with Tango's interval.",
        "rank": "Rank several competitors from pairwise verdicts.",
        "correlate": "Pearson's and Spearman's correlation of two columns.",
    },
    "Trust a judge": {
        "agree": "How far raters agree, raw and beyond chance.",
        "correct": "What people would have said of all rows, from a judge on all and people on some.",
        "points": "How a judge treats guidance points, by category.",
        "judges": "Alternative judges side by side.",
        "family": "Whether a judge favours answers of its own model family.",
        "efficiency": "Which form of judging is worth its cost.",
    },
    "Risk and size": {
        "ordinal": "Measures of graded risk: missing a grave one weighs more than a false alarm.",
        "power": "How small an effect a study can see, and how many samples it needs.",
    },
}
_WHERE = {
    # Several small statistics share a module; the others are each one idea.
    **dict.fromkeys(("points", "judges", "correlate", "family", "efficiency", "correct"), "benchbar.stats.judging"),
    **{name: f"benchbar.stats.{name}" for name in ("winrate", "rank", "agree", "ordinal", "power")},
}


@click.group(
    cls=LazyGroup,
    sections=SECTIONS,
    where={name: f"{module}:{name}" for name, module in _WHERE.items()},
    part="Numbers",
)
def command() -> None:
    """Estimate win rates, agreement, ranks and risk from any table, with intervals.

    A table is CSV, TSV, JSONL, JSON or Parquet, with one row for each thing that was judged.

    benchbar stats winrate judged.csv --preference outcome --by task
    benchbar stats agree marks.csv --raters judge,anna,bo --ties tie
    """
