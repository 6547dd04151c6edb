"""How far a judge agrees with people on which of two dialogues is better: Figure 12 of UCL-Bench's paper, for each judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from benchbar.ledger.reviews import Reviews
from benchbar.measures.validation.votes import Voted, among_people, voted, winning
from benchbar.records import COMPARED, Comparison, Mark
from benchbar.records.validation import Figure, Validation
from benchbar.statistics import Agreement, designed_share, judge_agreement, outcomes_by_sample, ratings
from benchbar.statistics.orders import OrderedOutcome, decided

BETTER, TIE, WORSE = "better", "tie", "worse"
LABELS = (BETTER, TIE, WORSE)
"""Of the candidate's dialogue beside the reference's."""
DRAW = "`benchbar review draw RUN --ask preferences`, then have people mark the tasks"


@dataclass(frozen=True)
class JudgedPair:
    """Two dialogues about one sample, with the verdicts of each judge on them."""

    sample: str
    candidate: str
    task: str
    outcomes: Mapping[str, OrderedOutcome]
    """Judge to the candidate's outcome in either order, from 0 to 1; repeats averaged."""

    def outcome(self, judge: str) -> float | None:
        """The mean over both orders; None where either is missing."""
        one, two = self.outcomes.get(judge, OrderedOutcome(None, None))
        return None if one is None or two is None else fmean((one, two))


def judged_pairs(comparisons: Iterable[Comparison], tasks: Mapping[str, str]) -> dict[tuple[str, str], JudgedPair]:
    """Sample and candidate to the pair, for all that a judge compared; ``tasks`` is sample to task."""
    verdicts: dict[tuple[str, str], dict[str, list[Comparison]]] = defaultdict(lambda: defaultdict(list))
    for one in comparisons:
        verdicts[one.sample, one.left][one.judge].append(one)
    return {
        (sample, candidate): JudgedPair(
            sample,
            candidate,
            tasks.get(sample, "?"),
            {judge: outcomes_by_sample(own)[sample] for judge, own in by_judge.items()},
        )
        for (sample, candidate), by_judge in verdicts.items()
    }


def label_of(outcome: float | None, margin: float = 0.0) -> str | None:
    """What an outcome from 0 to 1 says of the candidate; within ``margin`` of a half it is a tie."""
    value = decided(outcome, margin)
    return None if value is None else {1.0: BETTER, 0.5: TIE, 0.0: WORSE}[value]


def preference(mark: Mark) -> str | None:
    """A person's vote as a label; None where it could not be decided."""
    return label_of(mark.value)


def preferences(reviews: Reviews, pairs: Mapping[tuple[str, str], JudgedPair]) -> Validation:
    """Each judge's agreement with people and with their majority, beside people's agreement among themselves."""
    question = "Does the judge prefer the dialogues that people prefer, as often as people agree with one another?"
    marked = voted(reviews, COMPARED)
    judges = dict.fromkeys(judge for pair in pairs.values() for judge in pair.outcomes)
    missing = []
    if not judges:
        missing.append('verdicts of a judge on pairs: a judge of the kind "pairwise"')
    if not marked:
        missing.append(f"people's preferences: {DRAW}")
    elif len({mark.rater for one in marked for mark in one.marks}) < 2:
        missing.append("marks of a second person: people's agreement with one another is the ceiling of the judge's")
    had = []
    if marked:
        had.append(f"{sum(len(one.marks) for one in marked)} preferences of people on {len(marked)} pairs")
    if judges:
        had.append(f"{len(pairs)} pairs judged by {', '.join(judges)}")
    figures = [figure for judge in judges for figure in _of_judge(judge, marked, pairs)] if marked else []
    figures += list(among_people(marked, preference, LABELS, "people")) if marked else []
    return Validation(
        name="agreement", question=question, figures=tuple(figures), had=tuple(had), missing=tuple(missing)
    )


def _of_judge(judge: str, marked: Sequence[Voted], pairs: Mapping[tuple[str, str], JudgedPair]) -> Iterator[Figure]:
    said = [_judge_label(judge, one, pairs) for one in marked]
    people: dict[str, list[str | None]] = {}
    for place, one in enumerate(marked):
        for rater, label in one.column(preference).items():
            # A person may be called as a judge is: the prefix keeps the columns apart.
            people.setdefault(f"person {rater}", [None] * len(marked))[place] = label
    table = ratings({judge: said, **people}, LABELS)
    clusters = [one.task.sample for one in marked]
    for ties, without in (("", False), (", without ties", True)):
        found = judge_agreement(
            table, judge, np.random.default_rng(0), tie=TIE, without_ties=without, clusters=clusters
        )
        for who, estimate in zip(("a person", "the majority", "people, one another"), found, strict=True):
            yield Figure(group=f"{judge}{ties}", measure=who, estimate=estimate)
    votes = winning(marked, preference, LABELS)
    agreed = [None if one is None or two is None else one == two for one, two in zip(said, votes, strict=True)]
    weighted = designed_share(
        agreed,
        [one.chance for one in marked],
        clusters=clusters,
        strata=[pairs[key].task if (key := _key(one)) in pairs else "?" for one in marked],
    )
    yield Figure(group=judge, measure="the majority, weighted by the draw", estimate=weighted)
    joined = ratings({"judge": said, "majority": votes}, LABELS)
    kappa = Agreement(joined, np.random.default_rng(0), clusters=clusters).cohen_kappa(0, 1)
    yield Figure(group=judge, measure="Cohen kappa with the majority", estimate=kappa, share=False)


def _key(one: Voted) -> tuple[str, str]:
    return one.task.sample, one.task.assistant


def _judge_label(judge: str, one: Voted, pairs: Mapping[tuple[str, str], JudgedPair]) -> str | None:
    pair = pairs.get(_key(one))
    return label_of(pair.outcome(judge)) if pair else None
