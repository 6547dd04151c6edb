"""Whether a release policy fits a run: its assistants, measures, trials and baseline."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from benchbar.artefacts.folder import read_results
from benchbar.decisions.policy import NotWorse, Policy, out_of_range, with_trials
from benchbar.measures.registry import BY_NAME, definition
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.records.measures import MeasureDefinition
from benchbar.scoring.rubrics import bundled, read_rubric


def gate_faults(
    policy: Policy,
    *,
    assistants: Collection[str],
    reference: str,
    tasks: Collection[str],
    declared: Mapping[str, MeasureDefinition],
    dimensions: Collection[str],
    trials: int,
    baseline: Path | None,
) -> Iterator[UserError]:
    """Each thing for which :func:`gate_of` would refuse a run, as far as it can be told before the run is made.

    Found at the end, any of them would have cost the whole run first.
    """
    names = chosen_of(policy, assistants, reference)
    yield from misfits(policy, names, assistants, tasks, declared)
    yield from name_faults(policy, {*declared, *dimensions})
    try:
        with_trials(policy, trials)
        if baseline and policy.not_worse:
            counterparts_of(baseline, policy.not_worse, read_results(baseline).assistants, names)
    except UserError as error:
        yield error


def misfits(
    policy: Policy,
    names: Iterable[str],
    assistants: Collection[str],
    tasks: Collection[str],
    declared: Mapping[str, MeasureDefinition],
) -> Iterator[UserError]:
    """What to say of names that are no assistants of the run, and of measures or thresholds that nothing can be decided by."""
    if unknown := [name for name in names if name not in assistants]:
        yield UserError(f"the run has no assistant {', '.join(unknown)}; it has {', '.join(assistants)}")
    if problems := list(misplaced(policy, declared)):
        yield UserError("; ".join(problems))
    for name in sorted(policy.measures):
        if name in declared and not declared[name].is_defined_over(tasks):
            yield UserError(
                f"{name} has a metric of its own in each of the run's {len(tasks)} tasks, and no mean over them can be decided"
                f" on; run one task, such as --tasks {next(iter(tasks))}"
            )


def name_faults(policy: Policy, known: Collection[str]) -> list[UserError]:
    """What to say of each measure that is neither one of ours, nor of a bundled rubric, nor in ``known``: those of the run itself.

    A known measure that a run has no value of is insufficient evidence. A misspelt one would be so for ever.
    """
    unknown = [name for name in sorted(policy.measures) if name not in BY_NAME and name not in known]
    if not unknown:
        return []
    names = {*BY_NAME, *known, *(name for rubric in bundled() for name in read_rubric(rubric).dimensions)}
    return [
        UnknownNameError("measure in the gate's policy", name, sorted(names)) for name in unknown if name not in names
    ]


def misplaced(policy: Policy, declared: Mapping[str, MeasureDefinition]) -> Iterator[str]:
    """What is wrong with thresholds, now that the measures which scoring rules of the run declare are known."""
    for measure, threshold in (*policy.at_least.items(), *policy.at_most.items()):
        kind = definition(measure, declared)
        if not kind.allows(threshold):
            yield out_of_range(kind, threshold)


def chosen_of(policy: Policy, assistants: Iterable[str], reference: str) -> tuple[str, ...]:
    """The assistant that the policy names, else all but the reference, else the reference itself."""
    if policy.assistant:
        return (policy.assistant,)
    # The reference is what others are held against; it is judged only where it is alone.
    return tuple(name for name in assistants if name != reference) or (reference,)


def counterparts_of(run: Path, rule: NotWorse, there: Collection[str], names: Iterable[str]) -> dict[str, str]:
    """Each assistant's counterpart in the baseline run: the one the policy names, or the one of the same name.

    Raises:
        UserError: there is none.
    """
    counterparts = {name: rule.assistant or name for name in names}
    if missing := sorted(set(counterparts.values()).difference(there)):
        raise UserError(
            f"the baseline {run} has no assistant {', '.join(missing)}; it has {', '.join(there)}."
            " Name its counterpart in the policy: [not_worse] assistant = ..."
        )
    return counterparts
