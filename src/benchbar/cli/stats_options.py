"""Options that the `benchbar stats` commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

TABLE = click.Path(path_type=Path)


def split(_context: click.Context, _parameter: click.Parameter, value: Any) -> list[str]:
    """Names given with commas, or by repeating the option."""
    given = value if isinstance(value, tuple) else [value or ""]
    return [name.strip() for text in given for name in text.split(",") if name.strip()]


def common(function: Callable[..., None]) -> Callable[..., None]:
    """Confidence, seed, resamples, missing words and JSON."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."),
        click.option("--missing", multiple=True, callback=split, help="Words that mean: no value here."),
        click.option("--confidence", default=0.95, show_default=True, type=click.FloatRange(0.5, 0.999)),
        click.option("--seed", default=0, show_default=True, help="Of the generator behind resampling."),
    ):
        function = option(function)
    return function


def resampling(default: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The number of bootstrap resamples."""
    return click.option(
        "--resamples",
        default=default,
        show_default=True,
        type=click.IntRange(100, 100_000),
        help="Of the bootstrap.",
    )
