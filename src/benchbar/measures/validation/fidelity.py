"""The simulated user's fidelity as rules, judges and people see it, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from benchbar.ledger.reviews import Reviews
from benchbar.measures.fidelity import first_turn
from benchbar.measures.validation.votes import NO, YES, Voted, among_people, flag, voted, winning, yes_or_no
from benchbar.records import TURN, Dialogue
from benchbar.records.results import Fidelity
from benchbar.records.validation import Figure, Validation
from benchbar.statistics import designed_share, proportion

PEOPLE = "people"
DRAW = "`benchbar review draw RUN --ask turns`, then have people mark the tasks"


def user_fidelity(
    found: Sequence[Fidelity],
    reviews: Reviews,
    dialogues: Mapping[str, Mapping[str, Dialogue]],
    tasks: Mapping[str, str],
    *,
    simulated: bool,
) -> Validation:
    """Shares of aligned first and later turns; ``found`` is what the run's results hold, by rules and judges.

    ``dialogues`` is sample to assistant to dialogue, ``tasks`` sample to task, the stratum of the draw; ``simulated``
    is whether anybody played the user.
    """
    marked = voted(reviews, TURN)
    figures = [figure for one in found for figure in _of(one)]
    figures += list(_of_people(marked, dialogues, tasks)) if marked else []
    had = [f"{one.by}: {one.first.n} first and {one.later.n} later turns" for one in found]
    missing = []
    if not simulated:
        missing.append("a simulated user: this run had no simulated user, each question was asked once")
    elif not found:
        missing.append("dialogues with a simulated user, derived by this version: rerun the `benchbar run` command")
    elif len(found) == 1:
        missing.append('a judge\'s view: add "fidelity" to judge.kind')
    if marked:
        had.append(f"people: {sum(len(one.marks) for one in marked)} marks of {len(marked)} turns")
    elif simulated:
        missing.append(f"people's marks of the user's turns: {DRAW}")
    return Validation(
        name="fidelity",
        question="Does the simulated user stay true to what the person it plays knows and needs?",
        figures=tuple(figures),
        had=tuple(had),
        missing=tuple(missing),
        notes=("rules see three kinds of error alone: answers_itself, leaves_needs, invents_facts",) if found else (),
    )


def _of(one: Fidelity) -> Iterator[Figure]:
    yield Figure(group=one.by, measure="first turns aligned", estimate=one.first)
    yield Figure(group=one.by, measure="later turns aligned", estimate=one.later)
    yield from _errors(one.by, one.errors)


def _errors(by: str, errors: Mapping[str, int]) -> Iterator[Figure]:
    total = sum(errors.values())
    for error, count in errors.items():
        estimate = proportion(count, total, unit="turn that is not aligned")
        yield Figure(group=f"{by} error: {error}", measure="of the turns not aligned", estimate=estimate)


def _of_people(
    marked: Sequence[Voted], dialogues: Mapping[str, Mapping[str, Dialogue]], tasks: Mapping[str, str]
) -> Iterator[Figure]:
    votes = winning(marked, yes_or_no, (YES, NO))
    parts: dict[str, list[tuple[Voted, str | None]]] = {"first turns aligned": [], "later turns aligned": []}
    errors: Counter[str] = Counter()
    for one, vote in zip(marked, votes, strict=True):
        dialogue = dialogues.get(one.task.sample, {}).get(one.task.assistant)
        first = dialogue is not None and one.task.turn == first_turn(dialogue)
        parts["first turns aligned" if first else "later turns aligned"].append((one, vote))
        if vote == NO:
            named = Counter(mark.error for mark in one.marks if mark.error)
            errors[named.most_common(1)[0][0] if named else "not said"] += 1
    for measure, own in parts.items():
        estimate = designed_share(
            [flag(vote) for _, vote in own],
            [one.chance for one, _ in own],
            clusters=[one.task.sample for one, _ in own],
            strata=[tasks.get(one.task.sample, "?") for one, _ in own],
        )
        yield Figure(group=PEOPLE, measure=measure, estimate=estimate)
    yield from _errors(PEOPLE, dict(errors.most_common()))
    yield from among_people(marked, yes_or_no, (YES, NO), PEOPLE)
