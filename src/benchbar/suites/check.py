"""Looks through a suite for what makes its results doubtful: leaks, doubles, references that go nowhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from benchbar.languages.overlap import covered, shingles
from benchbar.languages.text import comparable
from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus
from benchbar.records import Category, CitationStatus, GuidancePoint, PointKind, Problem, Sample, Suite
from benchbar.suites.clusters import repeated
from benchbar.suites.language import contradictions
from benchbar.suites.own_law import own_law

# Of shingles, in both directions: a question that holds another as its background is no copy of it.
NEAR = 0.9
LEAK = 12
"""Letters of a guidance point that stand in information or needs word for word count as a leak."""
# Below that a word more or less is a tenth of the text, and short questions of one form are alike without being copies.
SMALL = 12
RARE = 12
"""Of each sample's shingles, the rarest ones by which others that may be nearly the same are looked up."""
_UNRESOLVED = {
    CitationStatus.NO_SUCH_LAW: "no such law",
    CitationStatus.NO_SUCH_ARTICLE: "no such article",
    CitationStatus.AMBIGUOUS: "ambiguous",
    CitationStatus.NOT_RECOGNISED: "name not recognised",
}
Found = Iterator[tuple[str, str]]


def findings(suite: Suite, law: Corpus | None = None, *, today: str = "") -> tuple[Problem, ...]:
    """Problems met while reading, and those of the samples taken together; citations are held against ``law`` if given.

    ``today`` (YYYY-MM-DD) is the day of matters without a date.
    """
    file = str(suite.folder or suite.card.name)
    found = [*_leaks(suite), *_duplicates(suite), *_near_duplicates(suite)]
    if law is not None:
        found += [*_citations(suite, law, today), *own_law(suite, law)]
    found += [("language", message) for message in contradictions(suite.samples)]
    return suite.problems + tuple(Problem(file=file, field=sample, message=message) for sample, message in found)


def _leaks(suite: Suite) -> Found:
    """Guidance that the user could read out; quantities, options and names of statutes may stand in a question."""
    for sample in suite.samples:
        told = comparable(sample.information + "\n" + sample.needs).text
        for point in sample.guidance.points:
            wording = comparable(point.text).text
            # Who tells the amounts of a case or the options of a question gives nothing away.
            if point.kind in {PointKind.QUOTE, PointKind.SEMANTIC} and len(wording) >= LEAK and wording in told:
                yield sample.id, f"guidance point {point.id} stands word for word in information or needs"


def _duplicates(suite: Suite) -> Found:
    """Samples that say the same letter by letter, whatever their task."""
    for sample, same in repeated(suite.samples).items():
        yield sample, f"the same as {same}: they count as one sample in every interval"


def _near_duplicates(suite: Suite) -> Found:
    """Samples of one task whose texts are nearly the same, found among those that share a rare shingle."""
    own = {sample.id: shingles(sample.information + sample.needs) for sample in suite.samples}
    spread = Counter(shingle for found in own.values() for shingle in found)
    holders: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in suite.samples:
        if len(own[sample.id]) < SMALL:
            continue
        keys = [(sample.task, shingle) for shingle in sorted(own[sample.id], key=lambda one: (spread[one], one))[:RARE]]
        seen: dict[str, Sample] = {other.id: other for key in keys for other in holders[key]}
        for other in seen.values():
            if _nearly(own[sample.id], own[other.id]) and _text(sample) != _text(other):
                yield sample.id, f"nearly the same as {other.id}"
        for key in keys:
            holders[key].append(sample)


def _nearly(one: frozenset[str], other: frozenset[str]) -> bool:
    return covered(one, other) >= NEAR and covered(other, one) >= NEAR


def _text(sample: Sample) -> str:
    return comparable(sample.information + sample.needs).text


def _citations(suite: Suite, law: Corpus, today: str) -> Found:
    """Law that the guidance asks for and that is not there, or was not on the day."""
    for sample in suite.samples:
        for point in _asked(sample):
            for citation in check_citations(point.text, law, on=sample.on or today, language=sample.language):
                if citation.status in _UNRESOLVED:
                    fault = f"{_UNRESOLVED[citation.status]}{f' ({citation.reason})' if citation.reason else ''}"
                    yield sample.id, f"guidance point {point.id} cites {citation.text}: {fault}"


def _asked(sample: Sample) -> Iterator[GuidancePoint]:
    """What is to be said; what is forbidden may well be law that does not exist."""
    return (point for point in sample.guidance.points if point.category is not Category.FORBIDDEN)
