"""Failures in production proposed as samples; nothing enters a suite before a person has accepted it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from benchbar.languages.text import detect_language
from benchbar.production.records import KeptTrace, Verdict
from benchbar.production.store import ProductionStore
from benchbar.records import QUESTION_ANSWERING, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import UserError, did_you_mean
from benchbar.suites.acceptance import put_in
from benchbar.suites.guidance_text import read_guidance

TASK = Task(id="production", name="From production", level="apply", scenarios=("general_public",))
"""Of samples that came from a live assistant, where no other task is named."""


class Cause(NamedTuple):
    """One reason for which a trace counts as a failure."""

    kind: Literal["error", "no_answer", "low_score"]
    name: str = ""
    """Of the error or the score."""
    value: float = 0.0
    """The score; it means nothing for the other kinds."""


class Proposal(NamedTuple):
    """A trace that might become a sample."""

    trace: KeptTrace
    why: tuple[str, ...]


def proposals(traces: Sequence[KeptTrace], verdicts: Sequence[Verdict], pass_mark: float = 0.5) -> list[Proposal]:
    """Failures that nobody has decided about, each question once, the latest first."""
    decided = {one.trace for one in verdicts}
    questions = {one.question for one in traces if one.id in decided}
    found: dict[str, Proposal] = {}
    for one in sorted(traces, key=lambda one: -(one.at or 0.0)):
        why = tuple(_why(one, pass_mark))
        if why and one.id not in decided and one.question.strip() and one.question not in questions:
            found.setdefault(one.question, Proposal(one, why))
    return list(found.values())


def causes(one: KeptTrace, pass_mark: float = 0.5) -> list[Cause]:
    """For what a trace counts as a failure; empty where it is none."""
    found = [Cause("error", one.error)] if one.error else []
    found += [] if one.answered else [Cause("no_answer")]
    return found + [Cause("low_score", name, value) for name, value in one.scores.items() if value < pass_mark]


def _why(one: KeptTrace, pass_mark: float) -> list[str]:
    told = {"error": "error {name}", "no_answer": "no answer", "low_score": "{name} {value:g} below {mark:g}"}
    return [told[kind].format(name=name, value=value, mark=pass_mark) for kind, name, value in causes(one, pass_mark)]


def without_question(traces: Sequence[KeptTrace], pass_mark: float = 0.5) -> int:
    """How many failures cannot be proposed, since their texts were not kept or not sent."""
    return sum(not one.question.strip() and bool(_why(one, pass_mark)) for one in traces)


def sample_of(one: KeptTrace, *, guidance: str = "", question: str = "") -> Sample:
    """The sample that a trace becomes when it is accepted with this guidance, and this wording where one is given."""
    needs = question.strip() or one.question
    points = read_guidance(guidance).guidance
    return Sample(
        id=f"production-{one.id}", task=TASK.id, needs=needs, guidance=points, language=detect_language(needs)
    )


def accept(
    store: ProductionStore,
    trace: str,
    suite: Path,
    *,
    by: str,
    guidance: str,
    question: str = "",
    pass_mark: float = 0.5,
    not_proposed: bool = False,
) -> Sample:
    """Put a proposed trace into a suite, which is made where there is none, and write down who did it.

    ``guidance`` is what a good answer holds, under labels as in a table of questions; ``question`` takes the place of the
    recorded one, where a person worded it anew; ``not_proposed`` takes any trace that has a question.

    Raises:
        UserError: there is no such proposal, no guidance, or the suite is none or of another form.
    """
    with store.decisions.deciding():
        one = _undecided(store, trace, pass_mark)
        listed = {one.trace.id for one in proposals(store.traces(), store.verdicts(), pass_mark)}
        if trace not in listed and not not_proposed:
            cause = (
                "another trace with this question is proposed or was decided"
                if _why(one, pass_mark)
                else f"it has an answer, no error, and no score below {pass_mark:g}"
            )
            raise UserError(f"trace {trace} is not proposed ({cause}): take it all the same with --not-proposed")
        sample = sample_of(one, guidance=guidance, question=question)
        if not sample.guidance.points:
            raise UserError(
                "no guidance: a sample that nothing can be marked against shows nothing; say what a good answer holds"
            )
        put_in(suite, sample, TASK, _card(suite, one), lambda known: _check_form(known, suite))
        # After the suite: a crash in between leaves a sample that is accepted again, and not one that is named and missing.
        store.decisions.keep(
            Verdict(trace=one.id, decided="accepted", by=by, at=time.time(), sample=sample.id, suite=suite.name)
        )
        return sample


def reject(store: ProductionStore, trace: str, *, by: str, reason: str, pass_mark: float = 0.5) -> None:
    """Have a trace proposed no more, and write down who said so and why.

    Raises:
        UserError: there is no such trace, it is no failure, or somebody has decided about it.
    """
    with store.decisions.deciding():
        one = _undecided(store, trace, pass_mark)
        if not _why(one, pass_mark):
            raise UserError(
                f"trace {trace} is not proposed (it has an answer, no error, and no score below {pass_mark:g}): there is nothing to"
                " reject"
            )
        store.decisions.keep(Verdict(trace=one.id, decided="rejected", by=by, at=time.time(), reason=reason))


LISTED = 20
"""Proposals that are named where another one was asked for."""


def _undecided(store: ProductionStore, trace: str, pass_mark: float = 0.5) -> KeptTrace:
    traces = {one.id: one for one in store.traces()}
    if trace not in traces:
        ids = [one.trace.id for one in proposals(list(traces.values()), store.verdicts(), pass_mark)]
        more = f" and {len(ids) - LISTED} more" if len(ids) > LISTED else ""
        raise UserError(
            f"no trace {trace!r} in {store.folder}{did_you_mean(trace, ids)};"
            f" proposed: {', '.join(ids[:LISTED]) or 'none'}{more}"
        )
    before = [one for one in store.verdicts() if one.trace == trace]
    if before:
        raise UserError(f"trace {trace} was {before[-1].decided} by {before[-1].by}")
    if not traces[trace].question.strip():
        raise UserError(f"trace {trace} holds no question: texts are not kept here, or its sender did not send them")
    return traces[trace]


def _check_form(known: Suite, suite: Path) -> None:
    """Refuse a suite whose questions are not asked once and marked by guidance, as those from production are."""
    if known.card.protocol != QUESTION_ANSWERING:
        raise UserError(
            f"{suite} is a suite of consultations ({known.card.protocol}), in which simulated users know more than they"
            " ask; a question from production is asked once: name a new folder with --suite"
        )
    # LawBench and its like mark answers against a reference, task by task: a sample without one breaks their own scoring.
    if bare := known.without_guidance():
        raise UserError(
            f"{suite} has {len(bare)} of {len(known.samples)} samples without guidance, marked by another measure; a question"
            " from production is marked by guidance: name a new folder with --suite"
        )


def _card(suite: Path, one: KeptTrace) -> SuiteCard:
    return SuiteCard(
        name=suite.name,
        description="Questions that a live assistant failed, accepted by people; personal data is masked.",
        language=detect_language(one.question),
        protocol=QUESTION_ANSWERING,
    )
