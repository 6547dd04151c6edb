"""What annotators of one sample agree on, point by point, and what has to be decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from benchbar.languages.overlap import similarity
from benchbar.languages.text import comparable
from benchbar.records import Category, Guidance, GuidancePoint, Suite
from benchbar.records.annotations import Annotation

SAME = 0.5
"""Two points whose wordings are at least this similar (Jaccard, from 0 to 1) ask for the same."""
Annotations = Mapping[str, Mapping[str, Annotation]]


@dataclass(frozen=True)
class Disagreement:
    """A point that one annotator has and the other has not, or that they weigh differently."""

    sample: str
    first: str
    second: str
    what: str
    """``missing`` or ``category``."""
    text: str
    category: Category
    """What the first one calls it."""
    other: Category | None
    """What the second one calls it; None where they have no such point."""

    @property
    def detail(self) -> str:
        """Who calls it what."""
        return f"{self.first}: {self.category}; " + (
            f"{self.second}: {self.other}" if self.other else f"not by {self.second}"
        )


@dataclass
class Agreement:
    """The points of all pairs of annotators, sample by sample."""

    disagreements: list[Disagreement] = field(default_factory=list)
    shared: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Sample to points that have a counterpart and points in all, over both annotators of each pair."""
    weighed: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Sample to pairs of points of the same category and pairs in all."""

    @property
    def disputed(self) -> list[str]:
        """Samples with a disagreement, in order."""
        return list(dict.fromkeys(one.sample for one in self.disagreements))


@dataclass
class Settled:
    """Guidance that stands, by how it came to stand, and what is still open."""

    guidance: dict[str, Guidance] = field(default_factory=dict)
    agreed: list[str] = field(default_factory=list)
    adjudicated: list[str] = field(default_factory=list)
    single: list[str] = field(default_factory=list)
    disputed: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def compare(suite: Suite, annotations: Annotations) -> Agreement:
    """Each pair of annotators over the samples that both wrote for."""
    found = Agreement()
    for sample in suite.samples:
        writers = [(name, own[sample.id]) for name, own in annotations.items() if sample.id in own]
        # Every pair: with three annotators the odd one out disagrees with both others.
        for (first, one), (second, other) in combinations(writers, 2):
            _compare(found, sample.id, (first, one.guidance.points), (second, other.guidance.points))
    return found


Named = tuple[str, tuple[GuidancePoint, ...]]


def _compare(found: Agreement, sample: str, first: Named, second: Named) -> None:
    pairs = aligned(first[1], second[1])
    total, (had, of) = len(first[1]) + len(second[1]), found.shared.get(sample, (0, 0))
    # Twice the pairs over the points of both is Dice's coefficient, which a longer list alone cannot raise.
    found.shared[sample] = had + 2 * len(pairs), of + total
    alike = sum(one.category is other.category for one, other in pairs)
    had, of = found.weighed.get(sample, (0, 0))
    found.weighed[sample] = had + alike, of + len(pairs)
    for one, other in pairs:
        if one.category is not other.category:
            found.disagreements.append(
                Disagreement(sample, first[0], second[0], "category", one.text, one.category, other.category)
            )
    for (name, points), other_name, side in ((first, second[0], 0), (second, first[0], 1)):
        matched = {pair[side].id for pair in pairs}
        for point in points:
            if point.id not in matched:
                found.disagreements.append(
                    Disagreement(sample, name, other_name, "missing", point.text, point.category, None)
                )


def aligned(
    first: tuple[GuidancePoint, ...], second: tuple[GuidancePoint, ...]
) -> list[tuple[GuidancePoint, GuidancePoint]]:
    """Pairs of points that ask for the same, the most similar first; each point is in one pair at most."""
    scored = sorted(
        ((_similarity(one.text, other.text), i, j) for i, one in enumerate(first) for j, other in enumerate(second)),
        # Ties by place, so that the same sheets always give the same pairs.
        key=lambda item: (-item[0], item[1], item[2]),
    )
    left, right, pairs = set(range(len(first))), set(range(len(second))), []
    for score, i, j in scored:
        if score >= SAME and i in left and j in right:
            left.remove(i)
            right.remove(j)
            pairs.append((first[i], second[j]))
    return pairs


def _similarity(first: str, second: str) -> float:
    # A term of one character has no shingles, and equal ones would have a similarity of 0.
    return 1.0 if comparable(first).text == comparable(second).text else similarity(first, second)


def settle(suite: Suite, annotations: Annotations, decided: Mapping[str, Annotation]) -> Settled:
    """What stands: the decision where there is one, else what all annotators agree on, or what the only one wrote."""
    found, disputed = Settled(), set(compare(suite, annotations).disputed)
    for sample in suite.samples:
        writers = [own[sample.id] for own in annotations.values() if sample.id in own]
        if sample.id in decided:
            found.guidance[sample.id] = decided[sample.id].guidance
            found.adjudicated.append(sample.id)
        elif sample.id in disputed:
            found.disputed.append(sample.id)
        elif writers:
            # They agree on the points; of two wordings of them the first is as good as any.
            found.guidance[sample.id] = writers[0].guidance
            (found.single if len(writers) == 1 else found.agreed).append(sample.id)
        # Guidance that came with the suite stands although nobody annotated it.
        elif not sample.guidance.points:
            found.missing.append(sample.id)
    return found
