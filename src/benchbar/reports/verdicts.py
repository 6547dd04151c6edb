"""What the numbers say, before the numbers: who served users better, and by which groups it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from benchbar.decisions.explaining import condition_label, decision_text, would_be
from benchbar.languages.countries import country_in
from benchbar.languages.decimals import local_numbers
from benchbar.languages.packs import FALLBACK, Labels
from benchbar.law.shown import all_measured, measured_languages
from benchbar.measures.multiplicity import LEVEL, adjusted
from benchbar.records import AssistantResults, Category, Cell, Estimate, GateCheck, GateDecision, RunResults
from benchbar.records.numbers import counted, percent
from benchbar.records.scoring import Decision
from benchbar.reports.numbers import plain
from benchbar.scoring.points import measured
from benchbar.suites.taxonomy import task_label

EVEN = 0.5


def standing(win_rate: Estimate) -> str:
    """``better`` or ``worse`` where the whole interval lies on one side of a half, ``tied`` where it holds it.

    ``undefined`` where there is no value, or one with a reason not to believe it.
    """
    # A value with a reason (a judge that cannot be read) is shown and called neither better nor worse.
    if win_rate.value is None or win_rate.reason or win_rate.low is None or win_rate.high is None:
        return "undefined"
    return "better" if win_rate.low > EVEN else "worse" if win_rate.high < EVEN else "tied"


def overall(results: RunResults, name: str) -> str:
    """The standing of an assistant against the reference: told apart with Holm's method over all pairs, or tied."""
    one = results.assistants[name]
    found = believed(results, standing(one["win_rate"]))
    return "tied" if found in {"better", "worse"} and results.reference in one.tied_with else found


def verdict(results: RunResults, name: str) -> str:
    """The standing as a sentence says it: ``doubted`` where there is a value, and the run says not to rely on it."""
    found = overall(results, name)
    rate = results.assistants[name]["win_rate"]
    return "doubted" if found == "undefined" and standing(rate) in {"better", "worse"} else found


def held_back(results: RunResults, name: str) -> bool:
    """Whether the interval alone would tell an assistant from the reference, and the number of comparisons forbids it."""
    alone = believed(results, standing(results.assistants[name]["win_rate"]))
    return alone in {"better", "worse"} and overall(results, name) == "tied"


def believed(results: RunResults, found: str) -> str:
    """The standing, but no winner where the run itself says that its figures are not to be relied on.

    An arrow below such a sentence is what a reader takes along, not the sentence.
    """
    return "undefined" if found in {"better", "worse"} and results.health else found


def standings(results: RunResults, kind: str, names: Sequence[str] | None = None) -> dict[tuple[str, str], str]:
    """Assistant and group to the standing of the cell: of the arrows in one matrix 5% at most are false, in expectation.

    A cell whose interval alone leaves a half out is tied where the number of cells explains as much.
    """
    found = {
        (name, group): cell
        for name in (candidates(results) if names is None else names)
        for group, cell in cells(results, name, kind).items()
    }
    p_values = adjusted(found)
    sure = {pair for pair, p_value in p_values.items() if p_value <= LEVEL}
    return {pair: _of_cell(results, pair[0], cell["win_rate"], sure=pair in sure) for pair, cell in found.items()}


def _of_cell(results: RunResults, name: str, rate: Estimate, *, sure: bool) -> str:
    if rate.n == results.assistants[name]["win_rate"].n:
        # All that the assistant was compared on: it cannot say otherwise than the whole.
        return overall(results, name)
    alone = standing(rate)
    return "tied" if alone in {"better", "worse"} and not sure else believed(results, alone)


def rank_set(one: AssistantResults) -> str:
    """The ranks that the data leave open, such as ``1-3``; a dash where a run kept none."""
    if one.ranks is UNSET:
        return "–"
    low, high = one.ranks
    return str(low) if low == high else f"{low}-{high}"


def controlled(results: RunResults, say: Labels) -> list[str]:
    """What the report's many comparisons control, one sentence each."""
    told = []
    compared = candidates(results)
    if compared and any(results.assistants[name]["win_rate"].value is not None for name in compared):
        told.append(
            say("multiplicity.assistants" if len(compared) > 1 else "multiplicity.one", count=len(compared) + 1)
        )
        told.append(say("multiplicity.matrix", cells=len(standings(results, "task"))))
    told.append(say("multiplicity.measures"))
    if results.gate:
        told.append(say("multiplicity.gate", count=sum(check.required for check in results.gate.checks)))
        kept = any(reason.key == "release" for reason in results.gate.reasons)
        told.append(say("multiplicity.releases" if kept else "multiplicity.no_releases"))
    return told


def candidates(results: RunResults) -> list[str]:
    """All assistants but the reference: the highest win rate first, those without one last."""
    rates = {name: one["win_rate"].value for name, one in results.assistants.items() if name != results.reference}
    # Below every rate, and not 0: an assistant without a rate has not lost.
    return sorted(rates, key=lambda name: (-1.0 if (value := rates[name]) is None else value, name), reverse=True)


def everyone(results: RunResults) -> list[str]:
    """The candidates, and the reference after them."""
    return [*candidates(results), *(name for name in results.assistants if name == results.reference)]


def nothing_compared(results: RunResults, say: Labels) -> str:
    """Why no candidate could be held against the reference, and what would change that; empty where one could."""
    names = candidates(results)
    # Questions that a judge marked one by one are compared with nobody, and nothing is wanting.
    marked = results.rag is not None and bool(results.rag.judge)
    if not names or marked or any(results.assistants[name]["win_rate"].value is not None for name in names):
        return ""
    unguided = results.without_guidance >= results.samples
    why = "unjudged" if results.decided_by != "rules" else "unguided" if unguided else "undecided"
    return say(f"verdict.{why}", count=results.samples, reference=results.reference)


def how_decided(results: RunResults, say: Labels) -> list[str]:
    """Who decided, who played the user, what citations were held against, and what could not be marked."""
    judged = results.decided_by != "rules"
    told = [
        say("how.judge", forms=judge_forms(results, say), judge=judge_models(results)) if judged else say("how.rules")
    ]
    told.append(say("how.simulator", simulator=say.name("simulated", results.simulator).removeprefix("llm:")))
    told.append(say("how.law", on=results.on) if results.law else say("how.no_law"))
    told += invented_law(results, say)
    told += accusations_right(results, say)
    if results.people:
        told.append(say("how.people", names=say("gate_reason.listed").join(results.people)))
    told += precision_of_rules(results, say)
    told += left_out(results, say)
    return told + without_guidance(results, say) + rests_on(results, say)


def accusations_right(results: RunResults, say: Labels) -> list[str]:
    """What "in force" says, and how often what accuses a citation was right in each language of the run; nothing without law."""
    if not results.law:
        return []
    return [say("brief.cited_means"), *all_measured(results.languages or measured_languages(), say)]


def rests_on(results: RunResults, say: Labels) -> list[str]:
    """On how many samples and on how much of its weight each assistant's guidance met rests, where that is not all."""
    ruled = results.decided_by == "rules"
    return [
        say(
            "how.rests_on_rules" if ruled else "how.rests_on",
            name=name,
            n=found.n,
            samples=results.samples,
            decided=percent(decided.value, 0),
        )
        for name in everyone(results)
        if (found := results.assistants[name]["point_score"]).value is not None
        and (decided := results.assistants[name]["decided_share"]).value is not None
        and (found.n < results.samples or decided.value < 1)
    ]


def judge_forms(results: RunResults, say: Labels) -> str:
    """The forms of the judge that decided, in the reader's language."""
    return say("gate_reason.listed").join(say.name("judge_form", form) for form in results.decided_by.split(", "))


def judge_models(results: RunResults) -> str:
    """The models that judged, each once: what they were asked stands beside them in the reader's language."""
    return ", ".join(dict.fromkeys(one.partition(":")[2] or one for one in results.judge.split(", ")))


def without_guidance(results: RunResults, say: Labels) -> list[str]:
    """That samples without guidance are missing, where no judge compared or graded them all the same."""
    bare = results.without_guidance if results.decided_by == "rules" else 0
    return [say("how.without_guidance", count=bare)] if bare else []


def left_out(results: RunResults, say: Labels) -> list[str]:
    """That rows of the suite's table gave no sample: what was not asked is in no figure."""
    found = results.left_out
    return [] if found is UNSET else [say("how.left_out", rows=found.rows, of=found.of, first=found.first)]


def invented_law(results: RunResults, say: Labels) -> list[str]:
    """That the law is invented, where it is: whoever reads that a citation is in force must not take it to a court."""
    if not results.invented_law:
        return []
    return [say("how.invented_law", name=country_in(results.invented_law, say.language))]


def turns_note(results: RunResults, say: Labels) -> str:
    """The correlation of exchanges with win rate, with its n and intervals."""
    found = results.turns_and_win_rate
    return say(
        "chart.turns_note",
        n=found["pearson"].n,
        pearson=plain(found["pearson"], language=say.language),
        spearman=plain(found["spearman"], language=say.language),
    )


GROUPINGS = ("task", "level", "scenario")


def labelled(results: RunResults, say: Labels, kind: str) -> dict[str, str]:
    """The groups of a kind (task, level or scenario) with what to call them, in the order of the report."""
    if kind == "task":
        return {id_: task_label(id_, label) for id_, label in results.tasks.items()}
    return {id_: say.name(kind, id_) for id_ in (results.levels if kind == "level" else results.scenarios)}


def cells(results: RunResults, name: str, kind: str) -> Mapping[str, Cell]:
    """An assistant's cells by group of a kind."""
    one = results.assistants[name]
    return {"task": one.by_task, "level": one.by_level, "scenario": one.by_scenario}[kind]


def categories(results: RunResults) -> list[str]:
    """The guidance categories that occur, the weightiest first."""
    found = {name for one in results.assistants.values() for name in one.coverage}
    # The enumeration is in this order.
    return [str(name) for name in Category if name in found]


def precision_of_rules(results: RunResults, say: Labels) -> list[str]:
    """How precise the rules are in each language of the run's samples, and which kinds of points they decide in it.

    A run of before does not say its languages, and that of the page is another matter: figures of all are told.
    """
    told = []
    for language, found, kinds in measured().by_language(results.languages or None):
        text = say(
            "how.rules_precision",
            kinds=say("gate_reason.listed").join(say.name("kind", kind) for kind in kinds) or "–",
            precision=local_numbers(percent(found.value, 1), say.language),
            low=local_numbers(percent(found.low, 1), say.language),
            high=local_numbers(percent(found.high, 1), say.language),
            n=found.decided,
        )
        told.append(say("how.of_language", language=say.name("tongue", language), told=text))
    return told or [say("how.rules_unmeasured")]


class OneSentence(NamedTuple):
    """The decision for whoever asked for nothing else."""

    decision: Decision
    text: str


PREFIXES: dict[Decision, str] = {"pass": "Yes", "fail": "No", "insufficient_evidence": "Not yet"}


def one_sentence(results: RunResults) -> OneSentence:
    """Yes, no, or not yet with how many more samples would decide; of a run with a gate.

    Where the judge or a whole assistant failed the answer is not yet, whatever the figures are.
    """
    gate = results.gate
    if gate is None:
        raise ValueError("a decision needs a run with a gate")
    # The gate passes nothing on the word of such a judge; what it let fail harms nobody.
    doubted = [one for one in results.health if one.fatal or (one.slug == "trial" and gate.decision != "fail")]
    if doubted:
        told = [doubted[0].message, *_breaches(results, gate)]
        return OneSentence("insufficient_evidence", f"{PREFIXES['insufficient_evidence']}: {'; '.join(told)}")
    behind = [check for check in gate.checks if check.required and check.decision == gate.decision]
    # A condition on this very run, such as too many failures, says why it is not yet; figures come first where they decide.
    told = [_told(check, results) for check in behind if check.kind == "at_least"]
    told = [*_breaches(results, gate), *told] or [check.reason for check in behind]
    told = told or list(filter(None, [decision_text(gate, FALLBACK)]))
    if gate.decision == "insufficient_evidence":
        told += _what_more(results, gate, behind)
    return OneSentence(gate.decision, f"{PREFIXES[gate.decision]}: {'; '.join(told) or 'nothing was measured'}.")


def _what_more(results: RunResults, gate: GateDecision, behind: Sequence[GateCheck]) -> list[str]:
    """How many more samples would decide, and which way; where a condition would stay open, that instead."""
    if results.samples and results.without_guidance == results.samples:
        return ["no sample says what a good answer holds, and more like them would not decide: add expected answers"]
    failing = [gate.missing[one.name] for one in behind if would_be(one) == "fail"]
    if failing:
        # One condition that fails decides, whatever becomes of the others.
        return [f"about {counted(min(failing), 'more sample')} like these would confirm a no, and none of them a yes"]
    # What a run lacks of itself, such as points that rules left open, no further sample mends.
    if any(check.name not in gate.missing for check in behind):
        return ["more samples alone would not decide: see the conditions"]
    more = max((gate.missing[check.name] for check in behind), default=0)
    sure = all(would_be(one) == "pass" for one in behind)
    told = f"about {counted(more, 'more sample')} like these would confirm a yes"
    return [told if sure else f"at least {counted(more, 'more sample')} are needed"] if behind else []


def _told(check: GateCheck, results: RunResults) -> str:
    """What was found of one assistant, against what: the interval that decided, whatever the missing values are."""
    name, found = check.assistant or results.reference, check.estimate
    if found.value is None:
        return f"{name}: {found.reason or 'nothing was measured'}"
    interval = (
        "" if found.low is None or found.high is None else f" [{percent(found.low, 1)}, {percent(found.high, 1)}]"
    )
    figure = f"{percent(found.value, 1)}%{interval}"
    samples = _samples(found, worst=check.holds == "worst_case")
    if check.measure == "win_rate":
        own = results.assistants[name]
        if not own.wins and not own.losses:
            return f"{name} and {results.reference} tied on all of {counted(found.n, 'sample')}, and better means more than {check.threshold:.0%} of wins"
        return (
            f"{name}: win rate {figure} in {samples} against {results.reference} (a tie is half a win), and"
            f" better means more than {check.threshold:.0%}"
        )
    return f"{name} meets {figure} of what was expected in {samples}, and the threshold is {check.threshold:.0%}"


def _samples(found: Estimate, *, worst: bool) -> str:
    """How many there are, and what makes them worth less."""
    told = counted(found.n, "sample")
    told += " (not independent: some ask the same or share a document)" if found.unit == "cluster" else ""
    return told + (f" ({found.n_missing} more without a value count as the worst)" if worst and found.n_missing else "")


def _breaches(results: RunResults, gate: GateDecision) -> list[str]:
    """Who did what must never happen, and in which samples; also where that is advice and decides nothing."""
    return [
        f"{check.assistant or results.reference} breaks “{condition_label(check, FALLBACK)}”: {check.reason}"
        for check in gate.checks
        if check.kind == "never" and check.decision == "fail"
    ]
