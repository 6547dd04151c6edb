"""Options that several commands share, each written once: one name, one meaning, one form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

TABLE = click.Path(path_type=Path)
"""A table from outside: whether it is there and readable is for its reader to say, with file and line."""


def split(_context: click.Context, _parameter: click.Parameter, value: Any) -> list[str]:
    """Names given with commas, or by repeating the option."""
    given = value if isinstance(value, tuple) else [value or ""]
    return [name.strip() for text in given for name in text.split(",") if name.strip()]


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
seed_option = click.option("--seed", default=0, show_default=True, help="Of everything that draws by chance.")
