"""Which samples of a suite belong together: of one source, document, drafter, template or question, no independent trials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from benchbar.languages.text import comparable
from benchbar.records import Sample
from benchbar.records.disjoint_sets import DisjointSets

PREFIXES = ("source:", "document:", "drafter:", "template:")
"""Tags whose samples belong together."""
FEWEST_SOURCES = 4
"""With fewer names than this, ``source`` says which collections a suite was made of, and results are about these very
collections. As two or three clusters they would leave no interval to speak of (t with 2 degrees of freedom is 4.3)."""


def clusters_of(samples: Iterable[Sample]) -> dict[str, str]:
    """Sample to the name of its cluster, for samples that share a tag or their question with another one; empty where none does.

    Samples that share any such tag are in one cluster: if two documents have one drafter, so have all their samples.
    A tag that every sample has separates nothing and is passed over. A question that is asked again is not: sixty copies of
    one question are one question, whatever else the suite holds.
    """
    samples = list(samples)
    tagged = {sample.id: _tags(sample) for sample in samples}
    kept = _telling(tagged)
    for id_, first in repeated(samples).items():
        question = f"{_QUESTION}{first}"
        tagged[first] = [*tagged[first], question]
        tagged[id_] = [*tagged[id_], question]
        kept.add(question)
    together = DisjointSets()
    for tags in tagged.values():
        own = [tag for tag in tags if tag in kept]
        for tag in own[1:]:
            together.join(tag, own[0])
    found = {
        id_: together.root(own[0]) for id_, tags in tagged.items() if (own := [tag for tag in tags if tag in kept])
    }
    return found if len(set(found.values())) < len(found) else {}


def repeated(samples: Iterable[Sample]) -> dict[str, str]:
    """Sample to the first one that asks the same, for each that asks what another one before it did.

    Only letters and digits count, in one form; what the assistant is told before the question belongs to it, and so does its day.
    """
    first: dict[tuple[str, str | None], str] = {}
    found = {}
    for sample in samples:
        text = comparable(f"{sample.instructions or ''}{sample.information}{sample.needs}").text
        if text and (same := first.setdefault((text, sample.on), sample.id)) != sample.id:
            found[sample.id] = same
    return found


_QUESTION = "question:"
"""Begins the name of a cluster of samples that ask the same."""


def _tags(sample: Sample) -> list[str]:
    return [tag for tag in sample.tags if tag.startswith(PREFIXES)]


def _telling(tagged: Mapping[str, list[str]]) -> set[str]:
    """The tags that not every sample has, without those of too few sources."""
    every = set.intersection(*(set(tags) for tags in tagged.values())) if tagged else set()
    names = {tag for tags in tagged.values() for tag in tags} - every
    sources = {tag for tag in names if tag.startswith(PREFIXES[0])}
    return names - sources if len(sources) < FEWEST_SOURCES else names
