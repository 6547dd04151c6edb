"""What commands print: one JSON document, or a table for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from benchbar.records import Estimate
from benchbar.reports.printing import print_table

if TYPE_CHECKING:
    from benchbar.law.corpus import Corpus

__all__ = [
    "plain",
    "print_bytes",
    "print_json",
    "print_table",
    "probability",
    "progress",
    "shown",
    "warn_of_invented_law",
]
T = TypeVar("T")
SMALL = 1e-4


def plain(value: Any) -> Any:
    """The value with named tuples as objects and pairs of names as ``A|B``."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    # Keys of JSON are texts: a pair of judges is written as one.
    if isinstance(value, Mapping):
        return {"|".join(key) if isinstance(key, tuple) else key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def print_json(document: Any) -> None:
    """One JSON document on stdout, indented."""
    print_bytes(msgspec.json.format(msgspec.json.encode(plain(document)), indent=2) + b"\n")


def print_bytes(data: bytes) -> None:
    """A file as it is, on stdout, to the last byte: whether it could be written is known here and not at the program's end."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def shown(estimate: Estimate, *, percent: bool = False) -> str:
    """An estimate on one line: value, interval, n, what is missing, or the reason."""
    if estimate.value is None:
        return f"undefined: {estimate.reason}"
    scale, digits = (100, 1) if percent else (1, 3)
    sign = "%" if percent else ""
    text = f"{estimate.value * scale:.{digits}f}{sign}"
    if estimate.low is not None and estimate.high is not None:
        text += f" [{estimate.low * scale:.{digits}f}, {estimate.high * scale:.{digits}f}]"
    text += f" n={estimate.n}"
    if estimate.n_missing:
        text += f" ({estimate.n_missing} missing)"
    return f"{text}; {estimate.reason}" if estimate.reason else text


def counted(counts: Mapping[str, int]) -> str:
    """``3 simple, 2 law_practice``; empty where nothing was counted."""
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def probability(value: float | None) -> str:
    """A p-value that never rounds to 0."""
    if value is None:
        return "-"
    return f"< {SMALL}" if value < SMALL else f"{value:.4f}"


def progress(items: Sequence[T], what: str) -> Iterable[T]:
    """The items, with a bar on stderr while they are gone through, if that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    # Nothing to watch.
    if not console.is_terminal or len(items) < 2:
        return items
    return track(items, description=what, console=console, transient=True)


def warn_of_invented_law(law: Corpus, text: str) -> None:
    """Say that a law is that of an invented country, in the language of what was asked of it.

    On the other stream, so that results can be piped and a person still sees it.
    """
    from benchbar.languages.countries import country_in
    from benchbar.languages.packs import labels
    from benchbar.languages.text import detect_language
    from benchbar.law.invented import invented_jurisdiction

    if name := invented_jurisdiction(law):
        language = detect_language(text)
        told = labels(language, "words")("law_practice.invented", name=country_in(name, language))
        click.secho(told, fg="red", bold=True, err=True)
