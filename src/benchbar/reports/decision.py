"""The decision on one page, for whoever has to answer for it: what, why, what would change it, who marked, what is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO

from benchbar.decisions.explaining import (
    CHANGES,
    UNKNOWN,
    barring_texts,
    check_label,
    decision_text,
    measure_label,
    reason_text,
    texts_of,
    would_be,
)
from benchbar.languages.packs import Labels
from benchbar.measures.beside_people import BesidePeople
from benchbar.measures.health import finding_text
from benchbar.records import COMPARED, GRADED, Dialogue, GateCheck, GateDecision, HumanMarks, Measures, RunResults
from benchbar.records.measures import DIFFERENCE, SHARE
from benchbar.records.numbers import percent
from benchbar.reports import beside_people
from benchbar.reports.citation_lines import citation_lines
from benchbar.reports.gate import estimate_text, lead, loudest, rests_on_invented_law, threshold_text
from benchbar.reports.verdicts import (
    how_decided,
    invented_law,
    judge_forms,
    judge_models,
    left_out,
    without_guidance,
)

REASONS = 3
"""As many as anybody remembers; all conditions are on the run's page."""
LONGEST_QUOTE = 600
"""Characters of an answer: enough to see what is wrong with it, and three of them fit a page."""
_LOW_IS_BAD = frozenset({"at_least", "not_worse"})
"""Kinds of conditions whose worst answer is the one with the least value."""
DialogueOf = Callable[[str, str], Dialogue | None]
"""Sample and assistant to their dialogue."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The worst answer that a condition rests on."""

    sample: str
    value: str
    """The condition's measure by its name, and what the answer has of it."""
    question: str
    text: str


@dataclass(frozen=True, slots=True)
class Reason:
    """A condition that speaks for the decision."""

    label: str
    decision: str
    why: str
    estimate: str
    threshold: str
    worst: Quote | None
    invented: bool = False
    """Whether citations of an invented law alone meet it, which is no good news for anybody."""


@dataclass(frozen=True, slots=True)
class Signature:
    """That a person decided."""

    name: str
    at: str
    verdict: str
    statement: str
    fingerprint: str
    current: bool
    """Whether the ledger is still as it was then."""
    gate: str
    """What the gate had decided by then."""

    @property
    def against(self) -> bool:
        """Whether it releases what the gate did not let pass."""
        return self.verdict == "release" and self.gate in {"fail", "insufficient_evidence"}


@dataclass(frozen=True, slots=True)
class DecisionBrief:
    """What stands on the page, in the reader's language."""

    decision: str
    policy: str
    """Name of the policy that the run is held against."""
    sentence: str
    compared: str
    """Whom the assistants are compared with, where a condition is about that: a rate of wins says nothing without it."""
    more: int
    """Conditions that fail or are open beside the reasons."""
    reasons: tuple[Reason, ...]
    citations: tuple[str, ...]
    """What became of the citations of each assistant; empty where no law was at hand."""
    changes: tuple[str, ...]
    marked_by: tuple[str, ...]
    unknown: tuple[str, ...]


def brief(
    results: RunResults,
    gate: GateDecision,
    measures: Iterable[Measures],
    dialogue_of: DialogueOf,
    raters: Mapping[str, int],
    say: Labels,
    local: Callable[[str], str],
    marks: Mapping[str, HumanMarks] | None = None,
    beside: Sequence[BesidePeople] = (),
) -> DecisionBrief:
    """The decision as a page.

    Args:
        results: Of the run.
        gate: The decision, with people's marks as they are now.
        measures: The values of every dialogue.
        dialogue_of: Where answers are quoted from.
        raters: Person to the number of their marks.
        say: The reader's language.
        local: A text with its numbers written as in that language.
        marks: What people's marks amount to, by assistant: the same that the gate was decided with.
        beside: How far the run lies from people in each kind of mark that both gave.
    """
    chosen, marks, measures = loudest(gate.checks, REASONS), marks or {}, list(measures)
    worst = _worst(chosen, measures, marks)
    return DecisionBrief(
        decision=gate.decision,
        policy=say.name("policy", gate.policy),
        sentence=_sentence(gate, say),
        compared=say("page.compared_with", reference=results.reference)
        if any(check.measure == COMPARED for check in gate.checks)
        else "",
        more=max(sum(check.decision != "pass" for check in gate.checks) - len(chosen), 0),
        reasons=tuple(
            _reason(check, worst.get(check.name), dialogue_of, say, local, invented=bool(results.invented_law))
            for check in chosen
        ),
        citations=tuple(citation_lines(results, measures, say)),
        changes=tuple(_changes(gate, say, local)),
        marked_by=(*_marked_by(results, raters, marks, say), *beside_people.lines(beside, say)),
        unknown=tuple(_unknown(results, gate, raters, say)),
    )


def _sentence(gate: GateDecision, say: Labels) -> str:
    """The decision with its gravest cause, and what else holds of it as a whole.

    Where a condition fails, a judge that may not be trusted is no reason: it stands among what would have to change.
    """
    fails = gate.decision == "fail" and any(check.required and check.decision == "fail" for check in gate.checks)
    rest = "" if fails else decision_text(gate, say.language)
    return say("gate_reason.then").join(filter(None, [lead(gate, say.language), rest]))


def _worst(
    checks: Iterable[GateCheck], measures: Sequence[Measures], marks: Mapping[str, HumanMarks]
) -> dict[str, tuple[str, str, float]]:
    """Check to the sample, assistant and value of the worst answer; none where no single answer has a value, or all have the same.

    Where people's marks carry the measure the value is theirs, as the gate's is.
    """
    found: dict[str, tuple[str, str, float]] = {}
    for check in (one for one in checks if one.measure):
        values = _values(check, measures, marks)
        if len(set(values.values())) > 1:
            pick = min if check.kind in _LOW_IS_BAD else max
            (sample, name), value = pick(values.items(), key=lambda one: one[1])
            found[check.name] = (sample, name, value)
    return found


def _values(
    check: GateCheck, measures: Iterable[Measures], marks: Mapping[str, HumanMarks]
) -> dict[tuple[str, str], float]:
    """Sample and assistant to the value that the check's figure rests on."""
    if said := _said(marks.get(check.assistant), check.measure):
        return {(sample, check.assistant): value for sample, value in said.items()}
    own = (one for one in measures if one.assistant == check.assistant)
    known = ((one, one.values.get(check.measure)) for one in own)
    return {(one.sample, one.assistant): value for one, value in known if value is not None}


def _said(marks: HumanMarks | None, measure: str) -> Mapping[str, float]:
    """Sample to what people say of this measure; empty where they say nothing of it."""
    of = marks.compared if marks and measure == COMPARED else marks if measure == GRADED else None
    return of.values if of else {}


def _reason(
    check: GateCheck,
    worst: tuple[str, str, float] | None,
    dialogue_of: DialogueOf,
    say: Labels,
    local: Callable[[str], str],
    *,
    invented: bool,
) -> Reason:
    found = _quote(*worst, check, dialogue_of) if worst else None
    value = found and say("gate_reason.condition", check=measure_label(check, say.language), why=local(found.value))
    return Reason(
        label=check_label(check, say.language),
        decision=check.decision,
        why=reason_text(check, say.language),
        estimate=local(estimate_text(check, say.language)),
        threshold=local(threshold_text(check)),
        worst=replace(found, value=value) if found and value else None,
        invented=invented and rests_on_invented_law(check),
    )


def _quote(sample: str, assistant: str, value: float, check: GateCheck, dialogue_of: DialogueOf) -> Quote | None:
    dialogue = dialogue_of(sample, assistant)
    turns = dialogue.turns if dialogue else ()
    said = next((turn.content for turn in reversed(turns) if turn.role == "assistant"), "")
    asked = next((turn.content for turn in turns if turn.role == "user"), "")
    # A dialogue that failed has no words; that it failed stands in the reason.
    return Quote(sample, _value(value, check), _cut(asked), _cut(said)) if said.strip() else None


def _value(value: float, check: GateCheck) -> str:
    return f"{percent(value)}%" if check.unit in {SHARE, DIFFERENCE} else f"{value:g}"


def _cut(text: str) -> str:
    plain = text.strip()
    return plain if len(plain) <= LONGEST_QUOTE else f"{plain[:LONGEST_QUOTE].rstrip()}…"


def _changes(gate: GateDecision, say: Labels, local: Callable[[str], str]) -> Iterator[str]:
    """What would turn the decision: a line for each required condition that fails or is open, and what else bars a pass."""
    required = [check for check in gate.checks if check.required]
    for check in required:
        label = check_label(check, say.language)
        if check.decision == "fail":
            yield say(
                "brief.never_again" if check.kind == "never" else "brief.would_have_to",
                check=label,
                estimate=local(estimate_text(check, say.language)),
                threshold=local(threshold_text(check)),
            )
        elif check.decision == "insufficient_evidence":
            # A condition that nothing is known to decide is listed too: whoever does all that is listed must be able to release.
            told = list(_would_decide(check, gate.missing.get(check.name), say, local)) or [
                reason_text(check, say.language)
            ]
            yield say("gate_reason.condition", check=label, why=say("gate_reason.between").join(told))
    yield from barring_texts(gate, say.language)
    if gate.decision == "pass":
        for check in required:
            yield say(
                "brief.would_fall", check=check_label(check, say.language), threshold=local(threshold_text(check))
            )


def _would_decide(check: GateCheck, more: int | None, say: Labels, local: Callable[[str], str]) -> Iterator[str]:
    """Each way to decide an open condition; ``more`` is how many samples or marks the gate says are wanting."""
    by_key = {one.key: one.values for one in check.reasons}
    if more is not None and would_be(check) is None:
        yield say("brief.needs_values", count=more)
    if marks := by_key.get("too_few_marks"):
        yield say("brief.needs_marks", count=f"{float(str(marks['minimum'])) - float(str(marks['marks'])):g}")
    if "beyond" in by_key:
        yield say(
            "brief.beyond", estimate=local(estimate_text(check, say.language)), threshold=local(threshold_text(check))
        )
    yield from texts_of(check, CHANGES, say.language)


def _marked_by(
    results: RunResults, raters: Mapping[str, int], marks: Mapping[str, HumanMarks], say: Labels
) -> Iterator[str]:
    if any(_said(one, measure) for one in marks.values() for measure in (GRADED, COMPARED)):
        judged = results.decided_by != "rules"
        told = {"forms": judge_forms(results, say), "judge": judge_models(results)} if judged else {}
        yield say("brief.people_and_judge" if judged else "brief.people_and_rules", **told)
    else:
        yield from how_decided(results, say)[:1]
    if raters:
        each = say("gate_reason.listed").join(f"{name} ({count})" for name, count in raters.items())
        yield say("brief.people", count=sum(raters.values()), names=each)
    else:
        yield say("brief.nobody")


def _unknown(results: RunResults, gate: GateDecision, raters: Mapping[str, int], say: Labels) -> Iterator[str]:
    for finding in results.health:
        yield finding_text(finding, say.language)
    for check in gate.checks:
        if told := texts_of(check, UNKNOWN, say.language):
            why = say("gate_reason.between").join(told)
            yield say("gate_reason.condition", check=check_label(check, say.language), why=why)
    if not results.law:
        yield say("how.no_law")
    yield from invented_law(results, say)
    yield from left_out(results, say)
    yield from without_guidance(results, say)
    if results.decided_by != "rules" and not raters:
        yield say("brief.judge_unchecked")
    yield say("brief.other_questions", count=results.samples)


def decision_docx(title: str, of: str, found: DecisionBrief, signatures: Iterable[Signature], say: Labels) -> bytes:
    """The page as a DOCX, in the same words and order; ``of`` says which run it decides on, and on which state of it."""
    import docx

    document = docx.Document()
    document.add_heading(_plain(title), 0)
    document.add_paragraph(_plain(of))
    document.add_heading(say(f"brief.{found.decision}"), 1)
    document.add_paragraph(_plain(found.sentence))
    if found.compared:
        document.add_paragraph(_plain(found.compared))
    document.add_heading(say("brief.why"), 2)
    for one in found.reasons:
        paragraph = document.add_paragraph(style="List Number")
        paragraph.add_run(_plain(f"{one.label}: {say(f'gate.{one.decision}')}. ")).bold = True
        paragraph.add_run(_plain(f"{one.estimate} | {one.threshold}. {one.why}"))
        if one.worst:
            document.add_paragraph(_plain(say("brief.worst", sample=one.worst.sample, value=one.worst.value)))
            document.add_paragraph(_plain(one.worst.question), style="Quote")
            document.add_paragraph(_plain(one.worst.text), style="Intense Quote")
    if found.citations:
        document.add_heading(say("brief.citations"), 2)
        for line in found.citations:
            document.add_paragraph(_plain(line), style="List Bullet")
    for key, lines in (("changes", found.changes), ("marked_by", found.marked_by), ("unknown", found.unknown)):
        document.add_heading(say(f"brief.{key}"), 2)
        for line in lines:
            document.add_paragraph(_plain(line), style="List Bullet")
    document.add_heading(say("brief.signatures"), 2)
    signed = list(signatures)
    for signature in signed:
        document.add_paragraph(_plain(_signed(signature, say)))
    if not signed:
        document.add_paragraph(say("brief.unsigned"))
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _signed(one: Signature, say: Labels) -> str:
    text = say(
        "brief.signed",
        name=one.name,
        at=one.at,
        verdict=say(f"brief.verdict_{one.verdict}"),
        fingerprint=one.fingerprint,
    )
    against = [say("brief.against", gate=say(f"gate.{one.gate}"))] if one.against else []
    stale = [] if one.current else [say("brief.stale")]
    return " ".join([text, *against, one.statement, *stale]).strip()


_CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}
"""What XML cannot hold, and a hostile answer may."""


def _plain(text: str) -> str:
    # Lone surrogates cannot be written as UTF-8 either.
    return text.translate(_CONTROL).encode("utf-8", "replace").decode()
