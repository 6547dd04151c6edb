"""What a survey and a verification of tasks found, as sentences and tables."""

from __future__ import annotations

from collections.abc import Iterator

from benchbar.languages.packs import Labels
from benchbar.records.numbers import percent
from benchbar.reports.numbers import plain, rate
from benchbar.reports.tables import Lines
from benchbar.survey.records import SurveyResults, UseCaseShare, VerificationResults

Titled = tuple[str, Lines]
NONE = "–"


def survey_intro(results: SurveyResults, say: Labels) -> list[str]:
    """The sentences at the head."""
    threshold = percent(results.threshold).removesuffix(".0")
    found = [
        say("survey.counts", collected=results.collected, valid=results.valid, threshold=threshold),
        say(
            "survey.found",
            all=len(results.use_cases),
            retained=results.retained,
            dropped=results.dropped,
            undecided=results.undecided,
        ),
    ]
    if results.groups:
        found.append(say("survey.groups", open=results.open_answers, **results.groups))
    return found


def survey_tables(results: SurveyResults, say: Labels) -> Iterator[Titled]:
    """Responses, exclusions, use cases by scenario, respondents."""
    counts = [[results.scenarios[id_], str(count)] for id_, count in results.by_scenario.items()]
    yield say("survey.by_scenario"), [[say("survey.scenario"), say("survey.responses")], *counts]
    # A table of no rows would read as if exclusions had been forgotten.
    if results.exclusions:
        reasons = [[say.name("exclusion", reason), str(count)] for reason, count in results.exclusions.items()]
        yield say("survey.excluded"), [[say("survey.reason"), say("survey.responses")], *reasons]
    for id_, name in results.scenarios.items():
        own = [one for one in results.use_cases if one.scenario == id_]
        if own:
            title = say("survey.use_cases", scenario=name, n=results.by_scenario[id_])
            yield title, [_use_case_head(say), *(_use_case(one, say) for one in own)]
    yield from _background(results, say)


def _use_case_head(say: Labels) -> list[str]:
    return [say(f"survey.{name}") for name in ("use_case", "ticked", "mentioned", "share", "decision")]


def _use_case(one: UseCaseShare, say: Labels) -> list[str]:
    return [one.text, str(one.ticked), str(one.mentioned), rate(one.share), decision(one, say)]


def decision(one: UseCaseShare, say: Labels) -> str:
    """``retained`` or ``dropped``, and whether that may turn."""
    said = say("survey.retained" if one.retained else "survey.dropped")
    return f"{said} (≈ {say('survey.undecided')})" if one.undecided else said


def _background(results: SurveyResults, say: Labels) -> Iterator[Titled]:
    for question in results.background:
        title = say("survey.background", question=question.text)
        if question.mean is not None:
            yield title, [[say("survey.number")], [plain(question.mean)]]
        else:
            rows = [[option, rate(share)] for option, share in question.shares.items()]
            yield title, [[say("survey.answer"), say("survey.share")], *rows]


def survey_annex(results: SurveyResults, say: Labels) -> Iterator[Titled]:
    """Every response that was left out."""
    if results.excluded:
        head = [say(f"survey.{name}") for name in ("response", "line", "reason", "detail")]
        rows = [
            [one.response, str(one.line or NONE), say.name("exclusion", str(one.reason)), one.detail]
            for one in results.excluded
        ]
        yield say("survey.excluded_each"), [head, *rows]


def verification_intro(results: VerificationResults, say: Labels) -> list[str]:
    """The sentences at the head."""
    tasks, threshold = len(results.tasks), f"{results.threshold:g}"
    found = [say("verify.counts", tasks=tasks, raters=results.raters, rounds=len(results.rounds), threshold=threshold)]
    if results.rework:
        found.append(say("verify.passed", passed=results.passed, tasks=tasks, rework=", ".join(results.rework)))
    else:
        found.append(say("verify.all_pass"))
    if results.at_threshold:
        found.append(say("verify.exactly", means=", ".join(results.at_threshold)))
    if results.undecided:
        found.append(say("verify.undecided", count=results.undecided))
    if results.without_task:
        found.append(say("verify.without_task", names=", ".join(results.without_task)))
    return found


def verification_tables(results: VerificationResults, say: Labels) -> Iterator[Titled]:
    """Means of the last round, rounds side by side, comments on what has to be reworked, agreement, use cases."""
    names = [say(f"verify.{name}") for name in results.dimensions]
    head = [say("verify.task"), say("verify.round"), say("verify.raters"), *names, say("verify.state")]
    rows = [
        [
            task.task,
            str(task.round),
            str(task.raters),
            *(plain(task.rounds[str(task.round)][name]) for name in results.dimensions),
            say("verify.pass" if task.passed else "verify.rework"),
        ]
        for task in results.tasks
    ]
    yield say("verify.scores"), [head, *rows]
    if len(results.rounds) > 1:
        yield say("verify.rounds"), _rounds(results, say)
    if results.rework:
        yield say("verify.comments"), _rework(results, say)
    yield say("verify.agreement"), _agreement(results, say)
    links = [[case, task.task] for task in results.tasks for case in task.use_cases]
    if links or results.without_task:
        missing = [[case, NONE] for case in results.without_task]
        yield say("verify.links"), [[say("verify.use_case"), say("verify.task")], *links, *missing]


def _rounds(results: VerificationResults, say: Labels) -> Lines:
    numbers = [str(number) for number in results.rounds]
    head = [say("verify.task"), say("verify.dimension"), *(f"{say('verify.round')} {number}" for number in numbers)]
    rows = [
        [
            task.task,
            say(f"verify.{name}"),
            *(plain(task.rounds[number][name]) if number in task.rounds else NONE for number in numbers),
        ]
        for task in results.tasks
        for name in results.dimensions
    ]
    return [head, *rows]


def _rework(results: VerificationResults, say: Labels) -> Lines:
    rows = [
        [task.task, ", ".join(say(f"verify.{name}") for name in task.below), comment]
        for task in results.tasks
        if not task.passed
        for comment in task.comments or (NONE,)
    ]
    return [[say("verify.task"), say("verify.below"), say("verify.comment")], *rows]


def _agreement(results: VerificationResults, say: Labels) -> Lines:
    measures = ("raw", "krippendorff_alpha", "gwet_ac2")
    rows = [
        [say(f"verify.{name}"), rate(found["raw"]), *(plain(found[one]) for one in measures[1:])]
        for name, found in results.agreement.items()
    ]
    return [[say("verify.dimension"), *(say(f"verify.{one}") for one in measures)], *rows]
