"""Candidates for a judge held against people: compared by cross-validation on one half, reported on the other half alone.

Whatever is chosen or fitted by figures looks better on them than it is, the more so the more candidates there are. So the half
that is reported is not looked at until one candidate has been chosen; only that one and the baseline are held against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple, Protocol

import numpy as np

from benchbar.records import Estimate
from benchbar.records.alignment import Alignment, CandidateScore
from benchbar.records.errors import UserError
from benchbar.statistics import Agreement, paired_difference, ratings, share, sign_flip_test, stratified_draw

LEAST = 20
"""Samples with people's label below which neither half says anything: of ten, even seven more right are no proof."""
FEW = 50
"""Items of the half that is reported below which only large differences can be seen, which the notes say."""
NONE = "(none)"
"""The label of an item without a verdict, for kappa: people never give it, so it agrees with nobody."""


class Labelled(NamedTuple):
    """One item that people have a majority on."""

    key: str
    sample: str
    """Items of one sample stay in one half and one fold: they resemble each other."""
    stratum: str
    label: str


class Candidate(Protocol):
    """A way of judging, which may learn from labelled items."""

    @property
    def name(self) -> str:
        """How reports call it."""
        ...

    async def predict(self, train: Sequence[Labelled], items: Sequence[Labelled]) -> list[str | None]:
        """The label of each item, None where there is no verdict; what is learnt is learnt from ``train`` alone."""
        ...

    def fitted(self, train: Sequence[Labelled]) -> str:
        """What is learnt from these items, in words; empty where nothing is."""
        ...


class Halves(NamedTuple):
    """The labelled items, divided."""

    development: list[Labelled]
    reported: list[Labelled]


def halved(items: Sequence[Labelled], *, seed: int) -> Halves:
    """The items in two halves, samples kept whole and strata alike in both.

    Raises:
        UserError: there are too few samples to divide.
    """
    strata = {item.sample: item.stratum for item in items}
    if len(strata) < LEAST:
        raise UserError(
            f"{len(strata)} samples with people's label; at least {LEAST} are needed to choose by one half and report on the"
            " other. Draw more: `benchbar review draw RUN --ask preferences`"
        )
    samples = list(strata)
    drawn = stratified_draw([strata[one] for one in samples], len(samples) // 2, np.random.default_rng([seed, 1]))
    chosen = {samples[place] for place in drawn.chosen}
    return Halves([one for one in items if one.sample in chosen], [one for one in items if one.sample not in chosen])


def folded(items: Sequence[Labelled], folds: int, *, seed: int) -> list[list[Labelled]]:
    """The items in folds of about equal size, samples kept whole."""
    samples = list(dict.fromkeys(item.sample for item in items))
    order = np.random.default_rng([seed, 2]).permutation(len(samples)).tolist()
    fold = {samples[place]: rank % folds for rank, place in enumerate(order)}
    parts = [[item for item in items if fold[item.sample] == number] for number in range(folds)]
    return [part for part in parts if part]


async def align(
    items: Sequence[Labelled],
    baseline: Candidate,
    candidates: Sequence[Candidate],
    *,
    folds: int = 5,
    seed: int = 0,
) -> Alignment:
    """Which candidate agrees best with people, and what that is worth on items that nothing was chosen by.

    A candidate has to be better than the baseline by cross-validation; of equal ones the first stands. An item without a
    verdict counts as disagreement: a judge that is silent on hard items would look better by it.

    Raises:
        UserError: there are too few labelled samples.
    """
    development, reported = halved(items, seed=seed)
    parts = folded(development, folds, seed=seed)
    scores: list[tuple[Candidate, CandidateScore]] = []
    for candidate in (baseline, *candidates):
        said: dict[str, str | None] = {}
        for part in parts:
            inside = {item.key for item in part}
            train = [item for item in development if item.key not in inside]
            said |= dict(zip([item.key for item in part], await candidate.predict(train, part), strict=True))
        labels = [said[item.key] for item in development]
        score = CandidateScore(
            name=candidate.name,
            agreement=_agreement(development, labels),
            unread=labels.count(None),
            fitted=candidate.fitted(development),
        )
        scores.append((candidate, score))
    # `max` keeps the first of equals, and the baseline is the first of all.
    chosen = max(scores, key=lambda one: one[1].agreement.value or 0.0)[0]
    before = await baseline.predict(development, reported)
    after = before if chosen is baseline else await chosen.predict(development, reported)
    return _result(development, reported, scores, (baseline.name, chosen.name), (before, after), len(parts), seed)


def _result(
    development: Sequence[Labelled],
    reported: Sequence[Labelled],
    scores: Sequence[tuple[Candidate, CandidateScore]],
    names: tuple[str, str],
    said: tuple[list[str | None], list[str | None]],
    folds: int,
    seed: int,
) -> Alignment:
    right = [[float(one == item.label) for one, item in zip(labels, reported, strict=True)] for labels in said]
    samples = [item.sample for item in reported]
    gains = [two - one for one, two in zip(*right, strict=True)]
    flips = sign_flip_test(gains, np.random.default_rng([seed, 3]), clusters=samples)
    notes = []
    if len(reported) < FEW:
        notes.append(
            f"{len(reported)} items to report on: only a difference of about {_detectable(len(reported)):.0%} would show"
        )
    if names[0] == names[1]:
        notes.append("no candidate was better than the baseline by cross-validation: there is nothing to adopt")
    return Alignment(
        items=len(development) + len(reported),
        development=len(development),
        reported=len(reported),
        folds=folds,
        seed=seed,
        baseline=names[0],
        candidates=tuple(score for _, score in scores),
        chosen=names[1],
        before=_agreement(reported, said[0]),
        after=_agreement(reported, said[1]),
        difference=paired_difference(right[1], right[0], clusters=samples),
        p_value=flips.p_value,
        kappa_before=_kappa(reported, said[0]),
        kappa_after=_kappa(reported, said[1]),
        unread_before=said[0].count(None),
        unread_after=said[1].count(None),
        notes=tuple(notes),
    )


def _detectable(n: int) -> float:
    """The smallest difference seen in 8 of 10 cases where a quarter of the items change: (1.96 + 0.84) sqrt(0.25 / n)."""
    return 2.8 * sqrt(0.25 / n)


def _agreement(items: Sequence[Labelled], said: Sequence[str | None]) -> Estimate:
    right = [one == item.label for one, item in zip(said, items, strict=True)]
    return share(right, clusters=[item.sample for item in items], unit="item")


def _kappa(items: Sequence[Labelled], said: Sequence[str | None]) -> Estimate:
    columns: Mapping[str, list[str | None]] = {
        "judge": [NONE if one is None else one for one in said],
        "people": [item.label for item in items],
    }
    clusters = [item.sample for item in items]
    return Agreement(ratings(columns), np.random.default_rng(0), clusters=clusters).cohen_kappa(0, 1)
