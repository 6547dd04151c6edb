"""A second judge on a designed sample of somebody's evaluation, and what it says of the published figure."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from benchbar.evaluations.formats.lab import ALL_PASS
from benchbar.evaluations.recomputing import AVERAGED, STRICT, Figure, Key
from benchbar.evaluations.records import PAIRWISE, LoggedAnswer
from benchbar.languages.text import detect_language
from benchbar.records import Estimate, Record
from benchbar.records.errors import UserError
from benchbar.scoring.panels import reduced_outcome, reduced_value
from benchbar.statistics.correction import correct
from benchbar.statistics.designed import stratified_draw
from benchbar.statistics.numbers import undefined
from benchbar.tables.work_products import delivered, joined, texts_of

if TYPE_CHECKING:
    import numpy as np

    from benchbar.clients import Endpoint
    from benchbar.clients.session import OnProgress, Session
    from benchbar.records import Reduction
    from benchbar.scoring.judges.criterion import CriterionJudge
    from benchbar.scoring.judges.pairwise import Pairwise

FEW = 100
"""Second opinions below which the corrected interval is known to be too narrow (84% held at 25)."""


class Drawn(Record, frozen=True, kw_only=True):
    """One answer that is judged again, with its recorded chance."""

    program: str
    task: str
    model: str
    sample: str
    repeat: int
    measure: str
    chance: float
    logged: float | None
    """What the log's own judge gave; people and second judges are not shown it."""
    compared: bool = False
    """Whether the log holds the answer that it was compared with: the second opinion is then a preference."""

    @property
    def place(self) -> tuple[str, ...]:
        """What tells the answer apart from the others."""
        return (self.program, self.task, self.model, self.sample, str(self.repeat), self.measure)

    @property
    def is_preference(self) -> bool:
        """Samples drawn before it was kept say it by the name of their measure."""
        return self.compared or self.measure == PAIRWISE


class Opinion(Record, frozen=True, kw_only=True):
    """What one judge or person said of a drawn answer."""

    drawn: Drawn
    by: str
    value: float | None
    reason: str = ""
    """Why there is no value."""
    rationale: str = ""


class Corrected(NamedTuple):
    """A figure with what second opinions say of it."""

    figure: Figure
    corrected: Estimate
    agreement: Estimate
    """Share of answers on which the log and the second opinion fall on the same side of a half."""
    opinions: int
    weight: float | None
    """How far the log's own scores could be trusted: 0 not at all, 1 fully."""


def drawn_measure(figures: Sequence[Figure], wanted: str) -> str:
    """The measure that is judged again: the one asked for, else the preference, else the first that has criteria.

    Raises:
        UserError: no row has the one asked for, or there are several and none says by what it was judged.
    """
    names = list(dict.fromkeys(one.key.measure for one in figures if one.rows))
    if wanted:
        if wanted not in names:
            raise UserError(f"--measure {wanted}: no row has it; known: {', '.join(names) or 'none'}")
        return wanted
    if PAIRWISE in names:
        return PAIRWISE
    criteria = [name for one in figures for row in one.rows[:1] for name in row.criteria]
    if criteria:
        return criteria[0]
    if len(names) == 1:
        return names[0]
    raise UserError(f"which figure is to be judged again? Give --measure, one of {', '.join(names)}")


def draw(figures: Sequence[Figure], measure: str, size: int, generator: np.random.Generator) -> list[Drawn]:
    """``size`` samples of each task, stratified by what the log says of them; every model's answer to a drawn sample is judged.

    So models are compared on the same samples, and all repeats of a sample are drawn with it.
    """
    chosen: list[Drawn] = []
    tables: dict[tuple[str, str], dict[str, dict[tuple[str, int], LoggedAnswer]]] = {}
    for figure in figures:
        if figure.key.measure == measure:
            samples = tables.setdefault((figure.key.program, figure.key.task), {})
            for row in figure.rows:
                # Several judges scored one answer, which is judged again once.
                samples.setdefault(row.sample, {}).setdefault((row.model, row.repeat), row)
    for (program, task), samples in tables.items():
        strata = [_stratum([row.scores.get(measure) for row in rows.values()]) for rows in samples.values()]
        found = stratified_draw(strata, size, generator)
        names = list(samples)
        for place in found.chosen:
            chosen += [
                Drawn(
                    program=program,
                    task=task,
                    model=row.model,
                    sample=row.sample,
                    repeat=row.repeat,
                    measure=measure,
                    chance=found.chance,
                    logged=row.scores.get(measure),
                    compared=bool(row.opponent),
                )
                for row in samples[names[place]].values()
            ]
    return chosen


def _stratum(values: Iterable[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    # Tenths: as many strata as values would leave one sample in each.
    return round(fmean(known), 1) if known else None


def answers_of(figures: Sequence[Figure], drawn: Sequence[Drawn]) -> dict[tuple[str, ...], LoggedAnswer]:
    """The answer behind each drawn one."""
    wanted = {one.place for one in drawn}
    found: dict[tuple[str, ...], LoggedAnswer] = {}
    for figure in figures:
        for row in figure.rows:
            key = figure.key
            place = (key.program, key.task, row.model, row.sample, str(row.repeat), key.measure)
            if place in wanted:
                found.setdefault(place, row)
    return found


async def judge_again(
    session: Session,
    models: Mapping[str, Endpoint],
    drawn: Sequence[Drawn],
    answers: Mapping[tuple[str, ...], LoggedAnswer],
    *,
    criterion: str = "",
    repeats: int = 1,
    on_progress: OnProgress | None = None,
) -> list[Opinion]:
    """Each judge's opinion of each drawn answer: a preference in both orders where two were compared, else a verdict.

    Raises:
        ModelError: a judge can never answer.
        UserError: an answer has neither a criterion nor a reference, and none was given.
    """
    from benchbar.languages.prompts import Prompts
    from benchbar.scoring.judges.criterion import CriterionJudge
    from benchbar.scoring.judges.pairwise import Pairwise

    prompts = Prompts(nonce=session.ledger.nonce)
    chats = {name: session.chat(one) for name, one in models.items()}
    with session.counted("judging", len(drawn) * len(chats), on_progress) as done:

        async def one(name: str, item: Drawn) -> Opinion:
            row = answers[item.place]
            if item.is_preference and row.opponent:
                value, reason, said = await _preference(Pairwise(chats[name], prompts), row, repeats)
            else:
                words = criterion or row.criteria.get(item.measure, "")
                _check_words(words, row, item)
                value, reason, said = await verdict_on(CriterionJudge(chats[name], prompts), row, words, repeats)
            done(item)
            return Opinion(drawn=item, by=name, value=value, reason=reason, rationale=said)

        return list(await asyncio.gather(*(one(name, item) for item in drawn for name in chats)))


UNREAD = "the first begins: "
"""In a judge's reason for no value: what follows is how its answer begins (`benchbar.scoring.judges.asking.unreadable`)."""


def unanswered(judge: str, reasons: Sequence[str]) -> Iterator[str]:
    """What has to be known of a judge before its figures: how many answers it did not give, and how the first one looks.

    ``reasons`` has one for each answer that it was asked about, empty where there is a value.
    """
    lost = [one for one in reasons if one]
    unread = [one.partition(UNREAD)[2] for one in lost if UNREAD in one]
    others = [one for one in lost if UNREAD not in one]
    if unread:
        yield f"{judge}: the judge's answer could not be read in {len(unread)} of {len(reasons)}; the first begins {unread[0]}"
    if others:
        yield f"{judge}: the judge gave no value in {len(others)} of {len(reasons)}; the first: {others[0]}"


def unanswered_opinions(opinions: Sequence[Opinion]) -> list[str]:
    """The same of each judge of a drawn sample."""
    judges = dict.fromkeys(one.by for one in opinions)
    return [
        line
        for by in judges
        for line in unanswered(by, [one.reason if one.value is None else "" for one in opinions if one.by == by])
    ]


async def _preference(judge: Pairwise, row: LoggedAnswer, repeats: int) -> tuple[float | None, str, str]:
    """The rate at which the judge prefers the answer, both orders alike; none where one order is missing."""
    from benchbar.evaluations.pairs import comparison_inputs
    from benchbar.scoring.panels import sample_outcome

    found = [one for given in comparison_inputs(row, repeats) for one in await judge.score(given)]
    reason = next((one.reason for one in found if one.reason), "")
    orders = {one.order for one in found if one.winner is not None}
    outcome = sample_outcome(found) if len(orders) > 1 else None
    return outcome, "" if outcome is not None else reason or "one order has no verdict", found[0].rationale


def _check_words(words: str, row: LoggedAnswer, item: Drawn) -> None:
    if not words and not row.reference:
        raise UserError(
            f"{item.measure} of {item.sample[:60]!r}: the log holds neither a criterion nor a right answer; say by what it"
            ' is to be judged with --criterion "…"'
        )


async def verdict_on(
    judge: CriterionJudge, row: LoggedAnswer, words: str, repeats: int = 1
) -> tuple[float | None, str, str]:
    """How often the judge says that an answer satisfies a criterion, why there is no such share, and what it said first.

    Raises:
        ModelError: the judge can never answer.
    """
    from benchbar.scoring.judges.criterion import Work

    text = answer_text(row)
    if not text:
        return None, "the log holds no answer", ""
    work = Work(row.question, words, text, row.reference)
    language = detect_language(words or row.reference or text)
    found = [await judge.judge(work, language=language, repeat=repeat) for repeat in range(repeats)]
    known = [float(one.met) for one in found if one.met is not None]
    return (fmean(known) if known else None), "" if known else found[0].reason, found[0].rationale


def answer_text(row: LoggedAnswer) -> str:
    """What was answered: the text in the log, or the files of the work product."""
    return row.answer or (joined(delivered(_product(row.output), row.deliverables)) if row.output else "")


@cache
def _product(folder: str) -> dict[str, str]:
    # The criteria of a task are about the same files, or some of them.
    return texts_of(Path(folder))[0]


def corrected(
    figures: Sequence[Figure], opinions: Sequence[Opinion], measure: str, reduction: Reduction = "mean"
) -> list[Corrected]:
    """Each figure of the measure, corrected by prediction-powered inference to what the second opinions would say of all answers."""
    said: dict[tuple[str, ...], list[float | None]] = {}
    for one in opinions:
        said.setdefault(one.drawn.place, []).append(one.value)
    reduce = reduced_outcome if any(one.drawn.is_preference for one in opinions) else reduced_value
    second = {place: reduce(values, reduction) for place, values in said.items()}
    return [_corrected(figure, second) for figure in figures if figure.key.measure == measure and figure.rows]


def _corrected(figure: Figure, second: Mapping[tuple[str, ...], float | None]) -> Corrected:
    """Repeats of a sample are averaged first: it is samples that were drawn."""
    key = figure.key
    samples: dict[str, list[LoggedAnswer]] = {}
    for row in figure.rows:
        samples.setdefault(row.sample, []).append(row)
    logged, opinion, groups = [], [], []
    for name, rows in samples.items():
        both = [
            (
                row.scores.get(key.measure),
                second.get((key.program, key.task, row.model, name, str(row.repeat), key.measure)),
            )
            for row in rows
        ]
        known = [value for value, _ in both if value is not None]
        given = [value for _, value in both if value is not None]
        logged.append(fmean(known) if known else None)
        # A sample of which one repeat has no opinion is as good as not drawn: its mean would be of other repeats.
        opinion.append(fmean(given) if given and len(given) == len(both) else None)
        groups.append(rows[0].group)
    pairs = [(one, other) for one, other in zip(logged, opinion, strict=True) if one is not None and other is not None]
    if len(pairs) < 2:
        reason = "fewer than two second opinions"
        return Corrected(figure, _none(reason), _none(reason), len(pairs), None)
    clusters = groups if len(set(groups)) < len(groups) else None
    found = correct(logged, opinion, clusters=clusters)
    return Corrected(figure, _in_our_words(found.corrected), _agreement(pairs), len(pairs), found.weight)


def _none(reason: str) -> Estimate:
    return undefined(reason, method="prediction-powered mean")


def _in_our_words(estimate: Estimate) -> Estimate:
    """The statistic speaks of human marks; here they may be another judge's."""
    return replace(estimate, reason=estimate.reason.replace("human marks", "second opinions"))


def _agreement(pairs: Sequence[tuple[float, float]]) -> Estimate:
    from benchbar.statistics.proportions import share

    return share([(one > 0.5) == (other > 0.5) and (one == 0.5) == (other == 0.5) for one, other in pairs])


def is_derived(key: Key) -> bool:
    """Whether a figure follows from others: of several judges together, or of all criteria of a task."""
    return key.judge in {AVERAGED, STRICT} or key.measure == ALL_PASS
