"""A run held against a stored baseline: whether it is worse, what changed since, and which samples that moved."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Literal

import msgspec

from benchbar.artefacts.baseline import Baseline, BaselineSample, read_baseline
from benchbar.artefacts.folder import read_results
from benchbar.decisions.evidence import gate_of
from benchbar.decisions.policy import NotWorse, Policy
from benchbar.records import GateDecision, Measures, Record, RunResults
from benchbar.records.errors import UserError
from benchbar.runs.baselines import baseline_of
from benchbar.runs.gating import own_policy
from benchbar.runs.manifest import Difference, differences

MEASURES = ("overall", "point_score", "win_rate")
"""What must not be worse where nobody says it: the whole rubric, else the guidance met, else the comparison."""

Cause = Literal["sample", "answer", "reference", "marks"]
"""Why a sample's value is another one: its own text changed; the assistant answered otherwise; the assistant that it is held
against did; or the same answers are marked otherwise."""
_ANSWERS = frozenset({"simulator", "exchanges", "repeats", "seed", "language", "columns", "sheet"})
"""Settings that what is said depends on; all others but those of the suite decide how it is marked."""
_ANSWERING = frozenset({"simulator", "long_information", "rewrite", "consult_general", "consult_trial"})
"""Prompts of simulated users and assistants; the others are a judge's."""
_SUITE = ("suite", "tasks", "limit")


class Change(Record, frozen=True):
    """Something that is not as it was when the baseline was stored."""

    what: str
    """The dotted setting, ``suite``, ``prompt NAME``, ``law``, ``assistant NAME`` or ``benchbar``."""
    text: str
    """One line."""
    lines: tuple[str, ...] = ()
    """A unified diff of longer texts; the ids of samples."""
    explains: tuple[Cause, ...] = ()
    """Which moves may come from it."""
    assistant: str = ""
    """Whose moves alone; empty where everybody's."""


class Move(Record, frozen=True):
    """A sample on which an assistant's value is another one than in the baseline."""

    sample: str
    assistant: str
    before: float | None
    now: float | None
    cause: Cause


class BaselineComparison(Record, frozen=True):
    """Everything that ``benchbar baseline compare --json`` prints."""

    baseline: str
    file: str
    stored_of: str
    """The run that it was stored of."""
    commit: str
    measure: str
    margin: float
    tolerance: float
    gate: GateDecision
    """On the one condition that nobody is worse by more than the margin."""
    same: bool
    """Whether suite, settings, prompts, law, answers and marks are all those of the baseline: then nothing is estimated."""
    measured: bool
    """Whether the measure has a value in both; where it has none, nothing is said of better or worse."""
    doubts: tuple[str, ...]
    """Why the figures of the run, or of the baseline, are not to be believed: then nobody is called worse or no worse."""
    changes: tuple[Change, ...]
    moves: tuple[Move, ...]
    common: int
    """Samples in both."""
    added: tuple[str, ...]
    """Samples that only the run has."""
    removed: tuple[str, ...]
    unknown: tuple[str, ...]
    """What could not be held against the baseline, and why."""


def against_baseline(
    run: Path, file: Path, *, measure: str = "", margin: float | None = None, tolerance: float = 0.05
) -> BaselineComparison:
    """A finished run held against a stored baseline.

    Args:
        run: the folder of the run.
        file: of the baseline.
        measure: what must not be worse; left out, the first of ``MEASURES``, then of the run's own rules, with a value in both.
        margin: by how much it may be; left out, what the run's own policy says, else .02.
        tolerance: a value that differs by more has moved.

    Raises:
        UserError: there is no finished run, or baseline and run have no assistant or no sample in common.
        BadInputError: a file is damaged.
    """
    before, results = read_baseline(file), read_results(run)
    now = baseline_of(run, results)
    measure = measure or _measure(before, now)
    if margin is None:
        policy, _, _ = own_policy(run)
        margin = (policy.not_worse or NotWorse()).margin
    changes, unknown = _changes(before, now)
    if not before.samples.keys() & now.samples.keys():
        raise UserError(
            f"the run and the baseline have no sample in common: {run} is of {now.run.suite}, {file} of {before.run.suite};"
            " hold it against a baseline of the same suite (`benchbar baseline list`, then --branch NAME)"
        )
    same = not changes and before.samples == now.samples
    sides = (("the run", now.run.health), ("the baseline", before.run.health))
    doubts = tuple(f"{name}: {one.message}" for name, health in sides for one in health)
    gate = _decided(results, before, now, measure, margin, same=same)
    measured = same or all(measure in _valued(side) for side in (before, now))
    if (doubts or not measured) and not same:
        gate = msgspec.structs.replace(gate, decision="insufficient_evidence")
    return BaselineComparison(
        baseline=before.run.baseline,
        file=str(file),
        stored_of=before.run.run,
        commit=before.run.commit,
        measure=measure,
        margin=margin,
        tolerance=tolerance,
        gate=gate,
        same=same,
        measured=measured,
        doubts=doubts,
        changes=changes,
        moves=tuple(_moves(before, now, measure, tolerance)),
        common=len(before.samples.keys() & now.samples.keys()),
        added=tuple(name for name in now.samples if name not in before.samples),
        removed=tuple(name for name in before.samples if name not in now.samples),
        unknown=unknown,
    )


def _measure(before: Baseline, now: Baseline) -> str:
    valued = _valued(before) & _valued(now)
    # A suite without guidance, such as one of attacks, is measured by the rules that its run declares.
    tasks = {one.task for one in now.measures}
    own = (
        name
        for name, one in now.run.declared.items()
        if one.better != "neither" and one.is_defined_over(tasks) and name in before.run.declared
    )
    return next((name for name in (*MEASURES, *own) if name in valued), MEASURES[0])


def _valued(side: Baseline) -> set[str]:
    """The measures that have a value of some dialogue."""
    return {name for one in side.measures for name, value in one.values.items() if value is not None}


def _decided(
    results: RunResults, before: Baseline, now: Baseline, measure: str, margin: float, *, same: bool
) -> GateDecision:
    common = [name for name in results.assistants if name in before.run.assistants]
    if not common:
        raise UserError(
            f"the run and the baseline share no assistant: {', '.join(results.assistants)} and"
            f" {', '.join(before.run.assistants)}; `benchbar compare FILE RUN --pair NEW=OLD` compares two of other names"
        )
    # Candidates alone where there are any: the reference is there to be compared with.
    chosen = tuple(name for name in common if name != results.reference) or tuple(common)
    policy = Policy(name="baseline", rubric=False, not_worse=NotWorse(margin=margin, measures=(measure,)))
    then, today = _without_equal_gaps(before, now, measure)
    found = gate_of(results, today, policy, baseline=then, assistants=chosen)
    return msgspec.structs.replace(found, decision="pass", missing={}) if same else found


def _without_equal_gaps(before: Baseline, now: Baseline, measure: str) -> tuple[list[Measures], list[Measures]]:
    """The values of both, where the same answer to the same question has no value in either: the difference there is 0.

    What nobody could decide is else counted as the worst that can be, and two runs that answer alike would differ by it.
    """
    then, today = list[Measures](), list[Measures]()
    for name, sample in now.samples.items():
        earlier = before.samples.get(name)
        for assistant, dialogue in sample.dialogues.items():
            old = earlier.dialogues.get(assistant) if earlier else None
            one = dialogue.measures
            if (
                old is not None
                and earlier is not None
                and earlier.text == sample.text
                and old.answer == dialogue.answer
            ):
                first = old.measures
                if measure in one.values and one.values[measure] is None and first.values.get(measure, 0.0) is None:
                    # Any equal pair does: only their difference is looked at.
                    one, first = (
                        msgspec.structs.replace(each, values={**each.values, measure: 0.5}) for each in (one, first)
                    )
                then.append(first)
            elif old is not None:
                then.append(old.measures)
            today.append(one)
    return then, today


def _moves(before: Baseline, now: Baseline, measure: str, tolerance: float) -> Iterator[Move]:
    for name, sample in now.samples.items():
        earlier = before.samples.get(name)
        if earlier is None:
            continue
        for assistant, dialogue in sample.dialogues.items():
            if assistant not in earlier.dialogues:
                continue
            old = earlier.dialogues[assistant].measures.values.get(measure)
            new = dialogue.measures.values.get(measure)
            if _moved(old, new, tolerance):
                cause = _cause(earlier, sample, assistant, now.run.reference)
                yield Move(sample=name, assistant=assistant, before=old, now=new, cause=cause)


def _moved(old: float | None, new: float | None, tolerance: float) -> bool:
    if old is None or new is None:
        return old is not new
    return abs(old - new) > tolerance


def _cause(before: BaselineSample, now: BaselineSample, assistant: str, reference: str) -> Cause:
    """The first of the causes that holds: another question explains another answer, and that explains another mark."""
    if before.text and now.text and before.text != now.text:
        return "sample"
    if before.dialogues[assistant].answer != now.dialogues[assistant].answer:
        return "answer"
    old, new = before.dialogues.get(reference), now.dialogues.get(reference)
    if old is not None and new is not None and old.answer != new.answer:
        return "reference"
    return "marks"


def _changes(before: Baseline, now: Baseline) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    old, new, unknown = before.run, now.run, list[str]()
    changes = [_setting(one, new.reference) for one in differences(old.spec, new.spec)]
    told = {change.assistant for change in changes}
    for name in sorted(old.assistants.keys() & new.assistants.keys() - told):
        if old.assistants[name] != new.assistants[name]:
            text = f"assistant {name} is another one than before: its code or its files changed"
            changes.append(_of_assistant(f"assistant {name}", text, (), name, new.reference))
    if old.suite_fingerprint != new.suite_fingerprint:
        changes += _suite_changes(before, now, unknown)
    if old.prompts_fingerprint != new.prompts_fingerprint:
        changes += _prompt_changes(old.prompts, new.prompts, unknown)
    if old.law_fingerprint != new.law_fingerprint:
        changes.append(Change(what="law", text="the law that citations are held against changed", explains=("marks",)))
    if old.benchbar != new.benchbar:
        text = f"Benchbar was {old.benchbar}, now {new.benchbar}: its rules may mark otherwise"
        changes.append(Change(what="benchbar", text=text, explains=("marks",)))
    return tuple(changes), tuple(unknown)


def _setting(one: Difference, reference: str) -> Change:
    lines = _diff(one.before, one.now) if isinstance(one.before, str) and isinstance(one.now, str) else ()
    root, _, rest = one.name.partition(".")
    if root == "assistants":
        return _of_assistant(one.name, one.text, lines, rest.partition(".")[0], reference)
    causes: tuple[Cause, ...] = ("answer",) if root in _ANSWERS else ("sample",) if root in _SUITE else ("marks",)
    return Change(what=one.name, text=one.text, lines=lines, explains=causes)


def _of_assistant(what: str, text: str, lines: tuple[str, ...], name: str, reference: str) -> Change:
    # What the reference answers moves its own values and those of everybody who is held against it.
    if name == reference:
        return Change(what=what, text=text, lines=lines, explains=("answer", "reference"))
    return Change(what=what, text=text, lines=lines, explains=("answer",), assistant=name)


def _diff(old: str, new: str) -> tuple[str, ...]:
    """A unified diff, without its head; nothing where both are short enough to stand in one line."""
    if "\n" not in old + new:
        return ()
    return tuple(unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm=""))[2:]


def _suite_changes(before: Baseline, now: Baseline, unknown: list[str]) -> Iterator[Change]:
    common = [name for name in now.samples if name in before.samples]
    fields: dict[str, list[str]] = {}
    for name in common:
        old, new = before.samples[name].text, now.samples[name].text
        if not old or not new:
            unknown.append(
                "which samples of the suite changed: its text could not be read when the baseline was stored, or now"
            )
            break
        for field in sorted(field for field in {*old, *new} if old.get(field) != new.get(field)):
            fields.setdefault(field, []).append(name)
    for field, names in fields.items():
        text = f"{field} of {len(names)} of {len(common)} common samples changed"
        yield Change(what="suite", text=text, lines=tuple(names), explains=("sample",))


def _prompt_changes(old: dict[str, str], new: dict[str, str], unknown: list[str]) -> Iterator[Change]:
    found = False
    for name, wording in new.items():
        if old.get(name, wording) != wording:
            found = True
            lines = _diff(f"{old[name]}\n", f"{wording}\n")
            explains: tuple[Cause, ...] = ("answer",) if name in _ANSWERING else ("marks",)
            yield Change(what=f"prompt {name}", text=f"the prompt {name} changed", lines=lines, explains=explains)
    if not found:
        unknown.append("which prompt changed: the wording of one of the two runs is not known any more")
