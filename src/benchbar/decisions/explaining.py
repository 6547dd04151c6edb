"""A gate's reasons as text, in every language that there is a pack for."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from benchbar.languages.decimals import local_numbers
from benchbar.languages.packs import Labels, pack_of
from benchbar.languages.reasons import reason_in
from benchbar.measures.health import looker
from benchbar.records import GateCheck, GateDecision, GateReason
from benchbar.records.measures import DIFFERENCE, SHARE
from benchbar.records.numbers import percent
from benchbar.records.scoring import Decision

_SCALED = frozenset({"low", "high", "value", "threshold", "error", "margin", "detectable"})
"""Fields that are on the scale of the check: shares are said in percent, as everywhere else."""
_ALWAYS_SHARES = frozenset({"confidence", "errors", "budget", "level", "power"})
_STATED = frozenset({"threshold", "margin", "error"})
"""Numbers that somebody wrote down: they are said as they were written."""
_SIGNED = frozenset({"value", "low", "high"})


def reason_text(check: GateCheck, language: str) -> str:
    """Why a check decided so, in one line; the English of the time where an older run kept no reasons.

    Raises:
        UserError: there is no such language.
    """
    say = pack_of(language).labels("report")
    texts = [_text(one, say, check.unit, check.kind) for one in check.reasons]
    return say("gate_reason.between").join(texts) if texts else check.reason


CHANGES = frozenset(
    {
        "more_documents",
        "better_judge",
        "cheapest_samples",
        "cheapest_marks",
        "cheapest_again",
        "cheapest_again_pass",
        "cheapest_again_fail",
        "more_samples",
        "more_samples_pass",
        "more_samples_fail",
        "more_marks",
        "more_marks_pass",
        "more_marks_fail",
        "more_clean",
        "no_more_samples",
        "no_more_with_gaps",
        "no_more_with_error",
        "no_more_marks",
        "cure_again",
        "cure_decide",
        "cure_settle",
    }
)
"""Reasons that say what would decide a condition that is open, or that nothing would."""


def would_be(check: GateCheck) -> Decision | None:
    """What further evidence like that at hand would confirm of an open condition; None where no number of it is known to."""
    keys = {one.key for one in check.reasons}
    if keys & {"more_samples_pass", "more_marks_pass", "more_clean"}:
        return "pass"
    return "fail" if keys & {"more_samples_fail", "more_marks_fail"} else None


UNKNOWN = frozenset(
    {
        "missing_worst",
        "missing_assumed",
        "missing_hides_pass",
        "missing_hides_fail",
        "missing_open",
        "missing_trials",
        "missing_may_breach",
        "missing_without_bounds",
        "judge_unknown",
        "rules_unknown",
        "open_citations",
        "never_scored",
        "never_recorded",
    }
)
"""Reasons that say what nobody knows."""


def texts_of(check: GateCheck, keys: Container[str], language: str) -> list[str]:
    """Those of a check's reasons that have one of the keys, in the order of the check.

    Raises:
        UserError: there is no such language.
    """
    say = pack_of(language).labels("report")
    return [_text(one, say, check.unit, check.kind) for one in check.reasons if one.key in keys]


_BARRING = frozenset({"user_first", "user_later", "judge_trial", "judge_probe"})
"""Reasons of a whole decision that forbid a pass, whatever its conditions say."""


def barring_texts(gate: GateDecision, language: str) -> list[str]:
    """What bars a pass beside the conditions: users that went astray, judges that failed their tests.

    Raises:
        UserError: there is no such language.
    """
    say = pack_of(language).labels("report")
    return [_text(one, say, SHARE, "") for one in gate.reasons if one.key in _BARRING]


def decision_text(gate: GateDecision, language: str) -> str:
    """What holds of a decision as a whole, in one line; empty where there is nothing to say.

    Raises:
        UserError: there is no such language.
    """
    say = pack_of(language).labels("report")
    return say("gate_reason.between").join(_text(one, say, SHARE, "") for one in gate.reasons)


def sentence(gate: GateDecision, language: str) -> str:
    """The decision and what it rests on in one sentence: the conditions behind it, or the caveats of a pass.

    Raises:
        UserError: there is no such language.
    """
    say = pack_of(language).labels("report")
    passed = gate.decision == "pass"
    behind = [check for check in gate.checks if check.required and check.decision == gate.decision]
    told = [_behind(check, say, caveats=passed) for check in behind]
    why = say("gate_reason.between").join(
        [*(one for one in told if one), *filter(None, [decision_text(gate, language)])]
    )
    if not passed and not behind and not gate.reasons:
        why = say("gate_reason.sentence_empty")
    names = say("gate_reason.listed").join(_concerned(gate, gate.decision) or gate.assistants)
    return say(f"gate_reason.sentence_{gate.decision}", assistants=names, why=why).strip()


def _concerned(gate: GateDecision, decision: Decision) -> tuple[str, ...]:
    """The assistants that a decision is about: of several one may fail while nothing is known of the other."""
    about = {check.assistant for check in gate.checks if check.required and check.decision == decision}
    return tuple(one for one in gate.assistants if one in about)


def short_sentence(gate: GateDecision, language: str) -> str:
    """The decision alone, in a sentence; in a second one those of whom less is known than of an assistant that fails.

    Raises:
        UserError: there is no such language.
    """
    return pack_of(language).labels("report")("gate_reason.then").join(short_sentences(gate, language))


def short_sentences(gate: GateDecision, language: str, first: str = "") -> list[str]:
    """The sentences of ``short_sentence``; that of the assistant ``first``, where one is named, stands first and alone.

    Raises:
        UserError: there is no such language.
    """
    say = pack_of(language).labels("report")
    decided = _concerned(gate, gate.decision) or gate.assistants
    parts = [(gate.decision, decided)]
    if first in decided:
        parts = [(gate.decision, (first,)), (gate.decision, tuple(one for one in decided if one != first))]
    unknown = tuple(one for one in _concerned(gate, "insufficient_evidence") if one not in decided)
    if gate.decision == "fail":
        parts.append(("insufficient_evidence", unknown))
    listed = say("gate_reason.listed")
    # Of nobody there is nothing to say, save where a gate names no assistants at all.
    told = [part for part in parts if part[1]] or parts[:1]
    return [say(f"gate_reason.short_{kind}", assistants=listed.join(names)) for kind, names in told]


def needs_text(check: GateCheck, threshold: str, language: str) -> str:
    """On which side of its threshold the interval of a check has to lie: ``needs ≥ 85``.

    Raises:
        UserError: there is no such language.
    """
    sign = "≥" if check.kind in {"at_least", "not_worse"} else "≤"
    return pack_of(language).labels("report")("gate_reason.needs", sign=sign, threshold=threshold)


CAVEATS = frozenset(
    {
        "missing_worst",
        "missing_assumed",
        "missing_trials",
        "judge_error",
        "judge_unknown",
        "rules_unknown",
        "marks",
        "decided_after",
    }
)
"""Reasons that limit what a pass says."""


def caveat_texts(gate: GateDecision, language: str) -> list[str]:
    """What limits a pass, a line for each required condition that has something; empty where nothing was passed.

    Raises:
        UserError: there is no such language.
    """
    say = pack_of(language).labels("report")
    passed = gate.checks if gate.decision == "pass" else ()
    return [told for check in passed if check.required and (told := _behind(check, say, caveats=True))]


def _behind(check: GateCheck, say: Labels, *, caveats: bool) -> str:
    told = [
        one
        for one in check.reasons
        if one.key not in {"detectable", "out_of_reach"} and (not caveats or one.key in CAVEATS)
    ]
    texts = [_text(one, say, check.unit, check.kind) for one in told]
    if not texts and not caveats:
        texts = [check.reason]
    if not texts:
        return ""
    return _condition(check, texts, say)


def _condition(check: GateCheck, texts: Iterable[str], say: Labels) -> str:
    """A condition by its name and what is to be said of it; without the name where each text names the share itself."""
    why = say("gate_reason.between").join(texts)
    # The assistant's name has to stay where there are several.
    if check.kind == "evidence" and check.name == f"evidence {check.measure}" and check.reasons:
        return why
    return say("gate_reason.condition", check=check_label(check, say.language), why=why)


def check_label(check: GateCheck, language: str) -> str:
    """What a check is called in a language; its name where an older run kept no more.

    Raises:
        UserError: there is no such language.
    """
    if not check.kind:
        return check.name
    label = condition_label(check, language)
    # The assistant's name stands first where there are several.
    if not check.name.startswith(f"{check.assistant}: "):
        return label
    return pack_of(language).labels("report")("gate_reason.condition", check=check.assistant, why=label)


def condition_label(check: GateCheck, language: str) -> str:
    """What a check is called where the sentence before it names the assistant.

    Raises:
        UserError: there is no such language.
    """
    if not check.kind:
        return check.name.removeprefix(f"{check.assistant}: ")
    say = pack_of(language).labels("report")
    return say(f"gate_kind.{check.kind}", measure=_measure(check.measure, say))


def measure_label(check: GateCheck, language: str) -> str:
    """What a check's figure is of: "something forbidden said" of "never something forbidden said".

    Raises:
        UserError: there is no such language.
    """
    return _measure(check.measure, pack_of(language).labels("report"))


def _measure(name: str, say: Labels) -> str:
    return say.texts.get(f"gate_measure.{name}") or say.name("measure", name)


def _text(reason: GateReason, say: Labels, unit: str, kind: str) -> str:
    fields = {
        name: _local(name, value, _field(name, value, say, unit, kind), say) for name, value in reason.values.items()
    }
    return say(f"gate_reason.{reason.key}", **fields)


def _local(name: str, value: object, told: str, say: Labels) -> str:
    # Field by field, and not the whole sentence: it holds names too, and gpt-4.1 keeps its point. A cost was stored as text.
    is_number = name == "cost" or not isinstance(value, str | Mapping)
    return local_numbers(told, say.language) if is_number else told


def _field(name: str, value: str | float | Mapping[str, int], say: Labels, unit: str, kind: str) -> str:
    if isinstance(value, Mapping):
        parts = [say("gate_reason.kind", kind=say(f"gate_missing.{one}"), count=count) for one, count in value.items()]
        return say("gate_reason.listed").join(parts) or say("gate_missing.unknown")
    if isinstance(value, str) and name == "who":
        return looker(value, say)
    if isinstance(value, str):
        # What a policy's author wrote stands as it was written; why there is no interval is ours to say.
        return _measure(value, say) if name == "measure" else reason_in(value, say.language) if name == "why" else value
    if name in _ALWAYS_SHARES:
        return f"{100 * value:.3g}%"
    if name == "bound":
        return f"{percent(value)}%"
    if name in _SCALED:
        return _scaled(name, value, unit, signed=kind == "not_worse" and name in _SIGNED)
    return f"{value:g}"


def _scaled(name: str, value: float, unit: str, *, signed: bool) -> str:
    if unit not in {SHARE, DIFFERENCE}:
        return f"{value:+.4g}" if signed else f"{value:.4g}"
    if name in _STATED:
        return f"{100 * value:g}"
    return f"{100 * value:+.1f}" if signed else percent(value)
