"""Whether judges favour their own family, and whether another judge would have found the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np

from benchbar.ledger.reviews import Reviews
from benchbar.measures.validation.preferences import LABELS, JudgedPair, label_of, preference
from benchbar.measures.validation.votes import voted, winning
from benchbar.records import COMPARED
from benchbar.records.validation import Figure, Validation
from benchbar.scoring.judges.families import family_of
from benchbar.statistics import Agreement, family_interaction, judges_side_by_side, ratings, same_family_bias
from benchbar.statistics.orders import decided
from benchbar.statistics.rating_table import Ratings

Pairs = Mapping[tuple[str, str], JudgedPair]
_VALUE = dict(zip(LABELS, (1.0, 0.5, 0.0), strict=True))


def judges_of(pairs: Pairs) -> list[str]:
    """The judges that compared, in the order in which they first did."""
    return list(dict.fromkeys(judge for pair in pairs.values() for judge in pair.outcomes))


def family_bias(
    reviews: Reviews, pairs: Pairs, models: Mapping[str, str], reference: str, table: Mapping[str, str]
) -> Validation:
    """How much more each judge prefers answers of its own model family than people do, or than another judge does.

    ``models`` is assistant to model, ``table`` beginning of a model's name to its family.
    """
    question = "Does a judge favour answers of its own model family?"
    own = {name: family_of(model, table) for name, model in models.items()}
    judges = {judge: family_of(judge.partition(":")[2], table) for judge in judges_of(pairs)}
    figures: list[Figure] = []
    had, missing = [], []
    for judge, family in judges.items():
        if family is None:
            missing.append(f"the family of {judge}: name it in families.toml")
            continue
        # The sign turns outcomes of the candidate into those of the judge's own family.
        signs = {key: sign for key in pairs if (sign := _sign(own, key[1], reference, family))}
        if not signs:
            missing.append(f"pairs of an answer of {judge}'s family ({family}) with one of another")
            continue
        had.append(f"{len(signs)} pairs of {judge}'s family ({family}) with another")
        found = list(_bias(judge, signs, reviews, pairs)) or list(_interaction(judge, family, signs, pairs, judges))
        figures += found
        if not found:
            missing.append(
                f"people's preferences on these pairs of {judge}, or a second judge of another family (judge.panel)"
            )
    if not judges:
        missing.append('verdicts of a judge on pairs: a judge of the kind "pairwise"')
    return Validation(
        name="family_bias", question=question, figures=tuple(figures), had=tuple(had), missing=tuple(missing)
    )


def _sign(own: Mapping[str, str | None], candidate: str, reference: str, family: str) -> int:
    """1 where the candidate alone is of the family, -1 where the reference alone is, else 0."""
    return (own.get(candidate) == family) - (own.get(reference) == family)


def _turned(value: float | None, sign: int) -> float | None:
    return None if value is None else value if sign > 0 else 1 - value


def _bias(judge: str, signs: Mapping[tuple[str, str], int], reviews: Reviews, pairs: Pairs) -> Iterator[Figure]:
    marked = [one for one in voted(reviews, COMPARED) if (one.task.sample, one.task.assistant) in signs]
    if not marked:
        return
    keys = [(one.task.sample, one.task.assistant) for one in marked]
    votes = winning(marked, preference, LABELS)
    people = [
        _turned(None if vote is None else _VALUE[vote], signs[key]) for vote, key in zip(votes, keys, strict=True)
    ]
    said = [_turned(decided(pairs[key].outcome(judge)), signs[key]) for key in keys]
    clusters = [sample for sample, _ in keys]
    bias = same_family_bias(said, people, np.random.default_rng(0), clusters=clusters)
    yield Figure(group=judge, measure="own family preferred, beyond people", estimate=bias)


def _interaction(
    judge: str, family: str, signs: Mapping[tuple[str, str], int], pairs: Pairs, judges: Mapping[str, str | None]
) -> Iterator[Figure]:
    """Beside each judge of another family: it shows that two judges differ, not which of them is right."""
    for other, its in judges.items():
        if its is None or its == family:
            continue
        said = [
            [_turned(decided(pairs[key].outcome(one)), sign) for key, sign in signs.items()] for one in (judge, other)
        ]
        clusters = [sample for sample, _ in signs]
        tested = family_interaction(said[0], said[1], np.random.default_rng(0), clusters=clusters)
        yield Figure(group=judge, measure=f"own family preferred, beyond {other}", estimate=tested.difference)


def alternative_judges(pairs: Pairs) -> Validation:
    """Each two judges of a panel: how often they agree, how each ranks the candidates, and how far their rates are apart."""
    question = "Would another judge have found the same?"
    judges = judges_of(pairs)
    if len(judges) < 2:
        what = "a second judge on the same pairs: name it under judge.panel; calls that were made are not paid again"
        return Validation(
            name="alternative_judges",
            question=question,
            had=(f"{len(pairs)} pairs judged by {judges[0]}",) if judges else (),
            missing=(what,),
        )
    table, clusters = _labels(judges, pairs), [sample for sample, _ in pairs]
    measures = Agreement(table, np.random.default_rng(0), clusters=clusters)
    figures = []
    compared = judges_side_by_side({judge: _rates(judge, pairs) for judge in judges})
    for (a, one), (b, two) in combinations(enumerate(judges), 2):
        group = f"{one} / {two}"
        figures += [
            Figure(group=group, measure="same winner", estimate=measures.raw([(a, b)])),
            Figure(group=group, measure="Cohen kappa", estimate=measures.cohen_kappa(a, b), share=False),
            Figure(
                group=group,
                measure="rank correlation over candidates",
                estimate=compared[one, two].rank_correlation,
                share=False,
            ),
        ]
    notes = [
        f"{one} less {two}, task {task}: " + ", ".join(f"{name} {100 * gap:+.1f}%" for name, gap in gaps.items())
        for (one, two), found in compared.items()
        for task, gaps in found.by_task.items()
        if any(gaps.values())
    ]
    return Validation(
        name="alternative_judges",
        question=question,
        figures=tuple(figures),
        had=(f"{len(pairs)} pairs judged by {', '.join(judges)}",),
        notes=tuple(notes),
    )


def _labels(judges: Sequence[str], pairs: Pairs) -> Ratings:
    return ratings({judge: [label_of(pair.outcome(judge)) for pair in pairs.values()] for judge in judges}, LABELS)


def _rates(judge: str, pairs: Pairs) -> dict[str, dict[str, float]]:
    """Task to candidate to its win rate by this judge."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs.values():
        if (outcome := pair.outcome(judge)) is not None:
            found[pair.task][pair.candidate].append(outcome)
    return {task: {name: fmean(own) for name, own in by.items()} for task, by in found.items()}
