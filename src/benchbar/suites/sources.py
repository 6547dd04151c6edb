"""Where a suite's samples come from, and shares that sum to what they are shares of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchbar.records import Record, Suite
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_toml
from benchbar.suites.figures import source_of

FILE = "sources.toml"
SUM = 100.0
_CLOSE = 1e-6


class Source(Record, frozen=True, kw_only=True):
    """One source and what may be done with what comes from it."""

    name: str
    title: str = ""
    licence: str
    url: str = ""
    share: float | None = None
    """Percent of the samples, where it is stated and not counted."""


class CardText(Record, frozen=True, kw_only=True):
    """What only the authors can say."""

    authors: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    url: str = ""
    published: str = ""
    """The day, YYYY-MM-DD."""
    citation: str = ""


class SourcesFile(Record, frozen=True, kw_only=True):
    """A suite's ``sources.toml``."""

    source: tuple[Source, ...] = ()
    card: CardText = CardText()


@dataclass(frozen=True)
class SourceShare:
    """A source with the samples that come from it."""

    source: Source
    samples: int
    percent: float
    """With one decimal; those of a suite sum to 100 exactly."""


def read_sources(suite: Suite) -> SourcesFile:
    """The suite's ``sources.toml``; where there is none, the one source that the card names.

    Raises:
        BadInputError: it cannot be read, or two sources have one name.
    """
    path = (suite.folder or Path()) / FILE
    if suite.folder is None or not path.exists():
        named = Source(name="card", title=suite.card.source, licence=suite.card.licence)
        return SourcesFile(source=(named,) if suite.card.source else ())
    found = read_toml(path, SourcesFile)
    doubled = [name for name, count in Counter(one.name for one in found.source).items() if count > 1]
    if doubled:
        raise BadInputError(f"two sources have the name {doubled[0]!r}", file=path, field="source.name")
    return found


def shares_of(suite: Suite, sources: SourcesFile) -> tuple[SourceShare, ...]:
    """Each source with its share of the samples, which sum to 100.

    Raises:
        BadInputError: a sample names no source or one that is not listed, a source has no licence, or stated shares do not sum
            to 100 or are not what the samples say.
    """
    file = (suite.folder / FILE) if suite.folder else suite.card.name
    if not sources.source:
        raise BadInputError("no source is named: list them in sources.toml, or name one in card.toml", file=file)
    counts = _counts(suite, sources, file)
    if bare := [one.name for one in sources.source if not one.licence.strip()]:
        raise BadInputError(
            f"the source {bare[0]!r} has no licence; write “unknown” if it is", file=file, field="licence"
        )
    # A source that is listed ahead of its first sample is no mistake.
    used = [one for one in sources.source if counts[one.name] or one.share]
    _stated(used, counts, len(suite.samples), file)
    percents = largest_remainder({one.name: counts[one.name] for one in used})
    return tuple(SourceShare(one, counts[one.name], percents[one.name]) for one in used)


def _counts(suite: Suite, sources: SourcesFile, file: Path | str) -> Counter[str]:
    known = {one.name for one in sources.source}
    only = next(iter(known)) if len(known) == 1 else ""
    counts: Counter[str] = Counter()
    for sample in suite.samples:
        name = source_of(sample) or only
        if name not in known:
            said = (
                f"names the source {name!r}, which is not listed"
                if name
                else "names no source (a tag such as source:NAME)"
            )
            raise BadInputError(f"{sample.id} {said}; listed: {', '.join(sorted(known))}", file=file)
        counts[name] += 1
    return counts


def _stated(used: list[Source], counts: Mapping[str, int], total: int, file: Path | str) -> None:
    """Shares that were written down hold: all of them, summing to 100, each as counted (to the decimal that it has)."""
    stated = [(one.name, one.share) for one in used if one.share is not None]
    if not stated:
        return
    if len(stated) < len(used):
        missing = next(one.name for one in used if one.share is None)
        raise BadInputError(f"{missing!r} has no share, others do; state all or none", file=file, field="share")
    summed = sum(share for _, share in stated)
    if abs(summed - SUM) > _CLOSE:
        raise BadInputError(
            f"the shares sum to {summed:.4g}; expected 100. Leave them out to have them counted",
            file=file,
            field="share",
        )
    for name, share in stated:
        counted = 100 * counts[name] / total if total else 0.0
        # One decimal is what authors write down, and rounding to 100 may move it by one.
        if abs(share - counted) > 0.1 + _CLOSE:
            raise BadInputError(
                f"{name!r} has the share {share:g}; the samples say {counted:.1f}", file=file, field="share"
            )


def largest_remainder(counts: Mapping[str, int], *, units: int = 1000) -> dict[str, float]:
    """Percent of each count with one decimal, which sum to 100 exactly (Hamilton's method).

    Each gets its whole tenths; those with the largest remainders get the tenths that are left, the larger count first.

    Raises:
        BadInputError: nothing was counted.
    """
    total = sum(counts.values())
    if total <= 0:
        raise BadInputError("nothing to share: no sample was counted")
    whole = {name: count * units // total for name, count in counts.items()}
    # In whole numbers: remainders of floats would tie or not by chance.
    order = sorted(counts, key=lambda name: (-(counts[name] * units % total), -counts[name], name))
    for name in order[: units - sum(whole.values())]:
        whole[name] += 1
    return {name: tenths * 100 / units for name, tenths in whole.items()}
