"""The card of a suite: where it comes from, what it holds, how it was made, what it cannot say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from benchbar.records import LEVELS, SCENARIOS, UNVERIFIED, Suite, decode
from benchbar.records.files import read_bounded
from benchbar.suites.authoring.agreement import settle
from benchbar.suites.authoring.annotation import ADJUDICATED, current, load, load_all
from benchbar.suites.figures import figures, source_of
from benchbar.suites.personal import personal_data
from benchbar.suites.sources import SourcesFile, largest_remainder, read_sources, shares_of

SURVEY, VERIFICATION = "survey.json", "verification.json"
"""Files in a suite's folder with what `benchbar survey analyse` and `survey verify` found."""


# No Record, which refuses unknown fields: a survey may keep more than a card shows.
class SurveyFigures(msgspec.Struct, frozen=True):
    """What a card takes from a survey's results; the survey is a plugin, and what else it keeps is its own."""

    title: str
    collected: int
    valid: int
    exclusions: dict[str, int]
    scenarios: dict[str, str]
    """Id to name."""
    by_scenario: dict[str, int]
    retained: int
    dropped: int
    undecided: int
    threshold: float


class VerificationFigures(msgspec.Struct, frozen=True):
    """What a card takes from the verification of tasks by their users."""

    threshold: float
    raters: int
    rounds: tuple[int, ...]
    dimensions: tuple[str, ...]
    passed: int
    rework: tuple[str, ...]
    at_threshold: tuple[str, ...]
    undecided: int
    tasks: tuple[msgspec.Raw, ...]


def card_of(suite: Suite, agreement: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Everything that a card says, as one JSON document; ``agreement`` holds the estimates of annotators' agreement.

    Raises:
        BadInputError: the shares of the sources do not sum to 100, or a file beside the suite cannot be read.
    """
    sources = read_sources(suite)
    measured = figures(suite)
    annotation = _annotation(suite, agreement)
    return {
        "name": suite.card.name,
        "version": suite.card.version,
        "description": suite.card.description,
        "language": suite.card.language,
        "jurisdiction": suite.card.jurisdiction,
        "licence": suite.card.licence,
        "protocol": suite.card.protocol,
        "fingerprint": suite.fingerprint,
        "authors": list(sources.card.authors),
        "url": sources.card.url,
        "published": sources.card.published,
        "citation": sources.card.citation,
        "sources": _sources(suite, sources),
        "licences": _licences(suite, sources),
        "statistics": _statistics(suite, sources),
        "taxonomy": _taxonomy(suite),
        "guidance": _guidance(suite, measured),
        "reading": measured["reading"],
        "annotation": annotation,
        "survey": _survey(suite),
        "verification": _verification(suite),
        # Counted by kind and never quoted: the card is published.
        "personal_data": dict(Counter(str(datum.kind) for _, _, datum in personal_data(suite))),
        "limits": [*sources.card.limits, *_limits(suite, measured, annotation)],
    }


def _sources(suite: Suite, sources: SourcesFile) -> list[dict[str, Any]]:
    return [
        {
            "name": one.source.name,
            "title": one.source.title,
            "licence": one.source.licence,
            "url": one.source.url,
            "samples": one.samples,
            "percent": one.percent,
        }
        for one in shares_of(suite, sources)
    ]


def _licences(suite: Suite, sources: SourcesFile) -> dict[str, float]:
    """Percent of the samples under each licence; they sum to 100 as the sources do."""
    counts: Counter[str] = Counter()
    for one in shares_of(suite, sources):
        counts[one.source.licence] += one.samples
    return largest_remainder(counts)


def _statistics(suite: Suite, sources: SourcesFile) -> list[dict[str, Any]]:
    """A row for each task that has samples: level, id, name, sources, number of samples (UCL-Bench, Table 1)."""
    only = sources.source[0].name if len(sources.source) == 1 else ""
    rows = []
    for task in sorted(suite.tasks.values(), key=lambda task: (_level(task.level), task.id)):
        own = [sample for sample in suite.samples if sample.task == task.id]
        if own:
            names = dict.fromkeys(source_of(sample) or only for sample in own)
            rows.append(
                {"level": task.level, "id": task.id, "name": task.name, "sources": list(names), "samples": len(own)}
            )
    return rows


def _level(name: str) -> int:
    # Levels of one's own come after those of UCL-Bench.
    return LEVELS.index(name) if name in LEVELS else len(LEVELS)


def _taxonomy(suite: Suite) -> dict[str, dict[str, list[str]]]:
    """Level to scenario to the tasks of both (UCL-Bench, Table 8)."""
    used = {sample.task for sample in suite.samples}
    found: dict[str, dict[str, list[str]]] = {}
    for task in sorted(suite.tasks.values(), key=lambda task: (_level(task.level), task.id)):
        if task.id in used:
            for scenario in sorted(task.scenarios, key=lambda one: SCENARIOS.index(one) if one in SCENARIOS else 99):
                found.setdefault(task.level, {}).setdefault(scenario, []).append(f"{task.name} ({task.id})")
    return found


def _guidance(suite: Suite, measured: Mapping[str, Any]) -> dict[str, Any]:
    summary = suite.summary()
    return {
        "points": measured["points"],
        "points_per_sample": measured["points_per_sample"],
        "categories": summary["points"],
        "kinds": summary["kinds"],
        "rules_decide": measured["rules_decide"],
        "without": summary["without_guidance"],
    }


def _annotation(suite: Suite, agreement: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Who annotated how many, and how what stands came to stand; None where nobody annotated."""
    if suite.folder is None or not (suite.folder / "annotations").is_dir():
        return None
    everybody = load_all(suite)
    decided = current(suite, load(suite.folder, ADJUDICATED))
    settled = settle(suite, everybody, decided)
    return {
        "annotators": {name: len(own) for name, own in everybody.items()},
        "agreed": len(settled.agreed),
        "adjudicated": len(settled.adjudicated),
        "decided_by": sorted({one.annotator for one in decided.values()}),
        "single": len(settled.single),
        "disputed": len(settled.disputed),
        "agreement": dict(agreement) if agreement else None,
    }


R = TypeVar("R", SurveyFigures, VerificationFigures)


def _beside(suite: Suite, name: str, kind: type[R]) -> R | None:
    """What a file beside the suite holds; None where it is not there.

    Raises:
        BadInputError: it is not what a survey command writes.
    """
    path = (suite.folder or Path()) / name
    return decode(read_bounded(path), kind, file=path) if suite.folder is not None and path.exists() else None


def _survey(suite: Suite) -> dict[str, Any] | None:
    found = _beside(suite, SURVEY, SurveyFigures)
    if found is None:
        return None
    names = ("title", "collected", "valid", "exclusions", "retained", "dropped", "undecided", "threshold")
    valid = {found.scenarios.get(id_, id_): count for id_, count in found.by_scenario.items()}
    return {name: getattr(found, name) for name in names} | {"by_scenario": valid}


def _verification(suite: Suite) -> dict[str, Any] | None:
    found = _beside(suite, VERIFICATION, VerificationFigures)
    if found is None:
        return None
    names = ("threshold", "raters", "rounds", "dimensions", "passed", "rework", "at_threshold", "undecided")
    return {name: getattr(found, name) for name in names} | {"tasks": len(found.tasks)}


def _limits(suite: Suite, measured: Mapping[str, Any], annotation: Mapping[str, Any] | None) -> list[str]:
    """What follows from the figures alone."""
    found = []
    bare = [sample for sample in suite.samples if not sample.guidance.points]
    if searched := sum(bool(sample.evidence) for sample in bare):
        found.append(
            f"{searched} samples name passages to be found and have no guidance: only what is found is marked."
        )
    if without := len(bare) - searched:
        found.append(f"{without} of {len(suite.samples)} samples have no guidance and are never marked.")
    if unverified := sum(UNVERIFIED in sample.tags for sample in suite.samples):
        found.append(f"{unverified} samples were written by a model and accepted by no person.")
    share = measured["rules_decide"]["points"]
    if share is not None and share < 1:
        found.append(f"{1 - share:.1%} of the guidance points can be marked by a judge or a person only.")
    if annotation and annotation["single"]:
        found.append(f"The guidance of {annotation['single']} samples was written by one annotator alone.")
    if annotation and annotation["disputed"]:
        found.append(f"Annotators disagree on {annotation['disputed']} samples, and nobody has decided yet.")
    # Said in words, since a card that leaves it out reads as if nobody had asked.
    if annotation is None:
        found.append("Nothing is recorded of who wrote the guidance, and how far others agree with it.")
    # Ten marks of yes and no leave an interval of about 50 points.
    small = [task for task, count in measured["balance"]["tasks"].items() if count < 10]
    if small:
        found.append(f"Tasks with fewer than ten samples, on which no verdict should rest: {', '.join(small)}.")
    return found
