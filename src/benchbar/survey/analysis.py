"""What a survey found: who counts, who they are, and how many of them want what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchbar.records import fingerprint
from benchbar.records.errors import BadInputError
from benchbar.statistics import mean, proportion
from benchbar.survey.exclusions import sorted_out
from benchbar.survey.grouping import mentions
from benchbar.survey.records import (
    Acceptance,
    BackgroundAnswers,
    BackgroundQuestion,
    Exclusion,
    OpenGroup,
    Questionnaire,
    Response,
    SurveyResults,
    UseCase,
    UseCaseShare,
)
from benchbar.survey.responses import Collected

UNIT = "respondent"


def analysed(
    collected: Collected,
    questionnaire: Questionnaire,
    *,
    threshold: float,
    min_minutes: float | None = None,
    groups: Sequence[OpenGroup] = (),
    notes: Sequence[str] = (),
) -> SurveyResults:
    """Everything that the responses say; a use case is retained from a share of ``threshold`` within its scenario.

    Raises:
        BadInputError: the threshold is no share.
    """
    if not 0 < threshold < 1:
        raise BadInputError(f"{threshold:g}; expected a share between 0 and 1", field="threshold")
    # 0 is a bound of its own (everybody was slow enough), so that only None means the questionnaire's.
    least = questionnaire.min_minutes if min_minutes is None else min_minutes
    valid, excluded = sorted_out(collected.responses, questionnaire, min_minutes=least, lines=collected.lines)
    # Rows that cannot be read were collected, too: left out here, a damaged export would look like a small survey.
    excluded += collected.unreadable
    reasons = Counter(one.reason for one in excluded)
    shares = tuple(_shares(questionnaire, valid, groups, threshold))
    retained = sum(one.retained for one in shares)
    return SurveyResults(
        questionnaire=questionnaire.name,
        fingerprint=fingerprint(questionnaire),
        title=questionnaire.title,
        language=questionnaire.language,
        threshold=threshold,
        min_minutes=least,
        collected=len(collected.responses) + len(collected.unreadable),
        valid=len(valid),
        without_time=sum(one.minutes is None for one in valid),
        # In the order of the reasons, not of the rows, so that two analyses of one survey compare line by line.
        exclusions={str(reason): reasons[reason] for reason in Exclusion if reasons[reason]},
        excluded=tuple(sorted(excluded, key=lambda one: (one.line or 0, one.response))),
        scenarios={one.id: one.name for one in questionnaire.scenarios},
        by_scenario={one.id: sum(response.scenario == one.id for response in valid) for one in questionnaire.scenarios},
        background=tuple(_answers(question, valid) for question in questionnaire.background),
        use_cases=shares,
        retained=retained,
        dropped=len(shares) - retained,
        undecided=sum(one.undecided for one in shares),
        open_answers=sum(bool(one.open.strip()) for one in valid),
        groups={str(one): sum(group.decision is one for group in groups) for one in Acceptance} if groups else {},
        problems=collected.problems,
        notes=(*_notes(collected, valid), *notes),
    )


def _notes(collected: Collected, valid: Sequence[Response]) -> Iterator[str]:
    if collected.ignored:
        yield f"columns that are none of the questionnaire's were not read: {', '.join(collected.ignored)}"
    if untimed := sum(one.minutes is None for one in valid):
        yield f"{untimed} valid responses do not say how long they took: whether they were too fast is unknown"


def _answers(question: BackgroundQuestion, valid: Sequence[Response]) -> BackgroundAnswers:
    given = [response.background.get(question.id) for response in valid]
    known = [one for one in given if one is not None]
    missing = len(given) - len(known)
    if question.kind == "number":
        # Russian and German exports write 3,5; what is no number was left out when the row was read.
        values = [float(one.replace(",", ".")) for one in known]
        return BackgroundAnswers(id=question.id, text=question.text, mean=mean(values, n_missing=missing, unit=UNIT))
    counts = Counter(known)
    shares = {
        # Of those who answered: who skipped the question is missing, not of another opinion.
        option: proportion(counts[option], len(known), n_missing=missing, unit=UNIT)
        for option in question.options
    }
    return BackgroundAnswers(id=question.id, text=question.text, shares=shares)


def _shares(
    questionnaire: Questionnaire, valid: Sequence[Response], groups: Sequence[OpenGroup], threshold: float
) -> Iterator[UseCaseShare]:
    mentioned = mentions(groups)
    for scenario in questionnaire.scenarios:
        # A share is of those who were offered the use case; over all respondents a small scenario could never reach the
        # threshold.
        own = [response for response in valid if response.scenario == scenario.id]
        by_case = mentioned.get(scenario.id, {})
        wanted = [*scenario.use_cases, *_found(groups, scenario.id)]
        found = [_share(scenario.id, case, own, by_case.get(case.id, set()), threshold) for case in wanted]
        # The sort is stable: equal shares keep the questionnaire's order, so that a rerun gives the same report.
        yield from sorted(found, key=lambda one: -(one.share.value or 0.0))


def _found(groups: Iterable[OpenGroup], scenario: str) -> Iterator[UseCase]:
    """Use cases that accepted groups of open answers add."""
    for group in groups:
        if group.scenario == scenario and group.decision is Acceptance.ACCEPTED and not group.use_case:
            yield UseCase(group.id, group.label, "open_answer")


def _share(
    scenario: str, case: UseCase, own: Sequence[Response], mentioned: set[str], threshold: float
) -> UseCaseShare:
    ticked = {response.id for response in own if case.id in response.selected}
    # Who ticked it and wrote it as well is one respondent, counted once.
    more = {response.id for response in own if response.id in mentioned} - ticked
    share = proportion(len(ticked) + len(more), len(own), unit=UNIT)
    return UseCaseShare(
        id=case.id,
        scenario=scenario,
        text=case.text,
        origin=case.origin,
        ticked=len(ticked),
        mentioned=len(more),
        share=share,
        retained=share.value is not None and share.value >= threshold,
        # At an upper limit of exactly the threshold it may still be retained; at a lower limit of it it is.
        undecided=share.low is None or share.high is None or share.low < threshold <= share.high,
    )


def retained_cases(results: SurveyResults) -> Mapping[str, UseCaseShare]:
    """The use cases that a suite should have tasks for."""
    return {one.id: one for one in results.use_cases if one.retained}
