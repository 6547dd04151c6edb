"""A suite in memory, and what was wrong with what it was read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import UNSET, structs

from benchbar.records.base import fingerprint_of
from benchbar.records.suites import Problem, Sample, SuiteCard, Task


@dataclass(frozen=True)
class Suite:
    """Tasks and samples with their card; ``problems`` lists what was skipped or doubtful while reading."""

    card: SuiteCard
    tasks: dict[str, Task]
    samples: tuple[Sample, ...]
    folder: Path | None = None
    """Where the suite's own law lies, if it brings any."""
    problems: tuple[Problem, ...] = field(default=())
    language: str = ""
    """Which language the samples are in and how that is known, for people; empty where its reader knows by itself."""
    understood: tuple[str, ...] = ()
    """What was made of foreign data, line by line: shown before it is used."""
    answers: Mapping[str, tuple[dict[str, Any], ...]] = field(default_factory=dict)
    """Assistant to the dialogues that the source holds of it, each with ``sample`` and ``turns``, as ``recorded`` reads them."""

    @cached_property
    def fingerprint(self) -> str:
        """Changes when card, tasks or samples do; 32 hexadecimal digits."""
        # Tasks without a sample change nothing in a run, so they must not make it another one.
        used = {sample.task for sample in self.samples}
        tasks = [task for id_, task in sorted(self.tasks.items()) if id_ in used]
        # Nor must what it was read from: the same samples are the same suite.
        card = structs.replace(self.card, left_out=UNSET)
        return fingerprint_of((card, tasks), sorted(self.samples, key=lambda sample: sample.id))

    @property
    def law(self) -> Path | None:
        """The folder with the suite's statutes and decisions, if it has one."""
        folder = self.folder / "law" if self.folder else None
        return folder if folder and folder.is_dir() else None

    def without_guidance(self) -> tuple[str, ...]:
        """Ids of samples that nothing can be marked against."""
        return tuple(sample.id for sample in self.samples if not sample.guidance.points)

    def narrowed(self, *, tasks: frozenset[str] | None = None, limit: int | None = None) -> Suite:
        """The same suite with some tasks only, and at most ``limit`` samples, taken from the tasks in turn."""
        chosen = [sample for sample in self.samples if tasks is None or sample.task in tasks]
        if limit is not None:
            chosen = _in_turn(chosen)[:limit]
        kept = {sample.id for sample in chosen}
        return replace(self, samples=tuple(sample for sample in self.samples if sample.id in kept))

    def examples(self) -> dict[str, str]:
        """The first guidance point of each category, so that a reader sees at once what was taken for what."""
        found: dict[str, str] = {}
        for sample in self.samples:
            for point in sample.guidance.points:
                found.setdefault(str(point.category), f"{sample.id} {point.id}: {' '.join(point.text.split())[:80]}")
        return dict(sorted(found.items()))

    def summary(self) -> dict[str, Any]:
        """The document that `suite import` and `suite check` print."""
        points = [point for sample in self.samples for point in sample.guidance.points]
        return {
            "suite": self.card.name,
            "fingerprint": self.fingerprint,
            "language": self.language or self.card.language,
            "understood": list(self.understood),
            "samples": len(self.samples),
            "tasks": len({sample.task for sample in self.samples}),
            "without_guidance": list(self.without_guidance()),
            "with_evidence": sum(bool(sample.evidence) for sample in self.samples),
            "points": _counts(point.category for point in points),
            "kinds": _counts(point.kind for point in points),
            "problems": [
                {"file": one.file, "line": one.line, "field": one.field, "message": one.message}
                for one in self.problems
            ],
        }


def _counts(values: Any) -> dict[str, int]:
    return {str(value): count for value, count in sorted(Counter(values).items())}


def _in_turn(samples: list[Sample]) -> list[Sample]:
    """The first sample of each task, then the second of each: a limit cuts all tasks alike."""
    place: Counter[str] = Counter()
    # A stable order, so that --limit 10 is a part of --limit 20 and the calls of the first are in the
    # ledger of the second.
    keyed: list[tuple[int, int, Sample]] = []
    for index, sample in enumerate(samples):
        keyed.append((place[sample.task], index, sample))
        place[sample.task] += 1
    return [sample for _, _, sample in sorted(keyed, key=lambda item: item[:2])]
