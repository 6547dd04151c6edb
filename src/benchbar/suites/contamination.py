"""How much of a suite stands in other files, such as public benchmarks that a model may have been trained on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchbar.languages.text import nfkc
from benchbar.records import Suite

GRAM = 13
"""Words, or Chinese characters, of an n-gram; Brown et al., Language Models are Few-Shot Learners (2020), appendix C."""
PIECE = 1 << 20
"""Characters of one line read at a time: memory does not grow with the files."""
READ = (".jsonl", ".json", ".csv", ".tsv", ".txt", ".md")
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(frozen=True)
class Overlap:
    """A sample of which n-grams stand in other files."""

    sample: str
    share: float
    """Of its n-grams, over all files together."""
    grams: int
    file: str
    """The file with the most of them."""
    line: int
    """Where the first of them stands in it."""


@dataclass(frozen=True)
class Contamination:
    """What was looked through, and what was found."""

    overlaps: tuple[Overlap, ...]
    files: int
    bytes: int
    too_short: tuple[str, ...]
    """Samples with fewer words than one n-gram: nothing can be said of them."""
    unread: tuple[str, ...]
    """Files of other forms."""


def sources(folder: Path, suite: Suite) -> tuple[list[Path], list[Path]]:
    """Files below a folder that are read, and those that are not; the suite's own are neither."""
    own = suite.folder.resolve() if suite.folder else None
    every = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    # A suite lies in its own repository and would always be found there.
    others = [path for path in every if own is None or not path.resolve().is_relative_to(own)]
    known = [path for path in others if path.suffix.lower() in READ]
    return known, [path for path in others if path.suffix.lower() not in READ]


def contamination(
    suite: Suite,
    folder: Path,
    *,
    gram: int = GRAM,
    done: Callable[[int], None] = lambda read: None,  # noqa: ARG005
) -> Contamination:
    """The overlap of each sample with the files below ``folder``, the largest first; ``done`` is told of characters read.

    Files are streamed; memory grows with the suite alone, time linearly with both.
    """
    wanted, sizes = _grams(suite, gram)
    hits: dict[str, set[int]] = {}
    places: dict[str, dict[str, tuple[int, int]]] = {}
    known, unread = sources(folder, suite)
    for path in known:
        name = str(path.relative_to(folder))
        for line, key in _stream(path, gram, done):
            for sample in wanted.get(key, ()):
                hits.setdefault(sample, set()).add(key)
                count, first = places.setdefault(sample, {}).get(name, (0, line))
                places[sample][name] = count + 1, first
    overlaps = [_overlap(sample, found, sizes[sample], places[sample]) for sample, found in hits.items()]
    return Contamination(
        overlaps=tuple(sorted(overlaps, key=lambda one: (-one.share, one.sample))),
        files=len(known),
        bytes=sum(path.stat().st_size for path in known),
        too_short=tuple(sample.id for sample in suite.samples if not sizes.get(sample.id)),
        unread=tuple(str(path.relative_to(folder)) for path in unread),
    )


def _grams(suite: Suite, gram: int) -> tuple[dict[int, tuple[str, ...]], dict[str, int]]:
    wanted: dict[int, tuple[str, ...]] = {}
    sizes: dict[str, int] = {}
    for sample in suite.samples:
        # Information and needs are apart in other files too: no n-gram reaches from one into the other.
        keys = {key for text in (sample.information, sample.needs) for key in _keys(_tokens(text), gram)}
        sizes[sample.id] = len(keys)
        for key in keys:
            wanted[key] = (*wanted.get(key, ()), sample.id)
    return wanted, sizes


def _overlap(sample: str, found: set[int], size: int, places: dict[str, tuple[int, int]]) -> Overlap:
    file, (_, line) = max(places.items(), key=lambda item: (item[1][0], item[0]))
    return Overlap(sample, len(found) / size, size, file, line)


def _stream(path: Path, gram: int, done: Callable[[int], None]) -> Iterator[tuple[int, int]]:
    """Line and key of every n-gram of a file; those that run over the end of a line too."""
    left: list[str] = []
    line = 1
    with path.open(encoding="utf-8", errors="replace") as file:
        while piece := file.readline(PIECE):
            tokens = left + _tokens(_plain(piece, path))
            yield from ((line, key) for key in _keys(tokens, gram))
            # One token less than an n-gram: with a whole one it would be counted a second time.
            left = tokens[-(gram - 1) :] if gram > 1 else []
            line += piece.endswith("\n")
            done(len(piece))


def _plain(piece: str, path: Path) -> str:
    """JSON may write every Chinese and Russian letter as an escape, and line breaks too."""
    if path.suffix.lower() not in {".json", ".jsonl"} or "\\" not in piece:
        return piece
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), piece).replace("\\n", " ").replace("\\t", " ")


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(nfkc(text).lower())


def _keys(tokens: list[str], gram: int) -> Iterator[int]:
    # Only compared within this process, so that Python's seed for hashes does no harm; 64 bits keep chance hits away.
    return (hash(tuple(tokens[at : at + gram])) for at in range(len(tokens) - gram + 1))
