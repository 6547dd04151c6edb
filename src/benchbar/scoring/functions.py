"""A scoring rule as one function: ``@benchbar.scorer`` around it makes it a scorer like the built-in ones.

@benchbar.scorer(name="has_disclaimer", unit="share", better="higher")
def has_disclaimer(sample, dialogue):
return benchbar.mark("请咨询" in dialogue.replies[-1], evidence=dialogue.find("请咨询"))
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any

from benchbar.records import Dialogue, DialogueEnd, Evidence, Layer, Record, Score, ScoreStatus, fingerprint
from benchbar.records.errors import BenchbarError, ModelError, UserError
from benchbar.records.measures import SHARE, Better, MeasureDefinition
from benchbar.records.protocols import Asks, Context, ScoringInput

# A rule's author may hand on a whole reply; the ledger keeps one reason for each mark.
MAX_REASON = 2000
MAX_EVIDENCE = 20
"""Spans kept of one mark; a rule that points at every sentence points at nothing."""
_LENT = ("context", "repeat")
"""Parameters that are filled in by the run and not by the spec."""


class Verdict(Record, frozen=True):
    """What a rule says of a dialogue or a point: a value with evidence, or None with the reason why it leaves it."""

    value: float | None
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""


def mark(
    value: float | None, *, evidence: Evidence | Iterable[Evidence | None] | None = None, reason: str = ""
) -> Verdict:
    """What a scoring rule answers: a value with the spans that prove it, or None where the rule cannot decide.

    Args:
        value: True, False or a number in the rule's unit; None abstains, which is never read as zero.
        evidence: spans of the dialogue, as ``dialogue.find(text)`` gives them; None is passed over.
        reason: why, in a few words; shown beside the mark.
    """
    spans = (evidence,) if isinstance(evidence, Evidence) or evidence is None else tuple(evidence)
    kept = tuple(one for one in spans if one is not None)[:MAX_EVIDENCE]
    return Verdict(value=None if value is None else float(value), evidence=kept, reason=reason[:MAX_REASON])


def scorer(
    *,
    name: str,
    unit: str = SHARE,
    better: Better = "higher",
    label: str = "",
    version: str = "1",
    by_task: bool = False,
) -> Callable[[Callable[..., Any]], FunctionScorer]:
    """Make a function of a sample and its dialogue a scoring rule.

    The function may be async; then it may ask a model, and its work is planned and settled in the ledger. A parameter called
    ``context`` is filled with what the run lends (``context.model(settings)``, ``context.law()``, ``context.path(name)``), one
    called ``repeat`` with the index of the repetition; every other one is a setting that a spec may give.

    Args:
        name: of its measure: in measures.jsonl, in results, and in the policy of a gate.
        unit: ``share`` for values from 0 to 1, or what is counted: ``characters``, ``seconds``.
        better: which way is better: ``higher``, ``lower`` or ``neither``.
        label: a few words for reports; left out, the name.
        version: raise it when the rule changes what it says, so that old marks are told from new ones.
        by_task: whether tasks have metrics of their own under this name: reports then give no mean over several tasks.

    Raises:
        ValueError: the name is empty or holds a slash, which stands between the parts of a planned item's id.
    """
    # Said when the module is imported, not in the middle of a run.
    if "/" in name:
        raise ValueError(f"scorer name {name!r}: a slash is not allowed")
    definition = MeasureDefinition(name=name, unit=unit, better=better, label=label or name, by_task=by_task)
    return lambda function: FunctionScorer(function, definition, version)


class FunctionScorer:
    """A function as a scorer; called, it is the function still, so that its author's own tests go on."""

    compares = False

    def __init__(
        self,
        function: Callable[..., Any],
        measure: MeasureDefinition,
        version: str,
        arguments: Mapping[str, object] | None = None,
    ) -> None:
        """As the decorator makes it, with no settings; a run makes another one by ``bound``."""
        self._function, self.measure, self._version = function, measure, version
        self._arguments = dict(arguments or {})
        self._parameters = inspect.signature(function).parameters
        self.name = measure.name
        self.repeatable = "repeat" in self._parameters
        # What may ask a model is planned in the ledger, so that an interrupted run knows what is still to be asked.
        self.asks: Asks = "sometimes" if inspect.iscoroutinefunction(function) else "never"
        settings = {key: value for key, value in self._arguments.items() if key not in _LENT}
        self.identity = f"{self.name}:{version}" + (f":{fingerprint(settings)[:12]}" if settings else "")
        # Where the rule comes from: whether a finished run can tell that nothing has changed rests on it.
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        """What the function itself says."""
        return self._function(*arguments, **settings)

    def bound(self, context: Context, settings: Mapping[str, object]) -> FunctionScorer:
        """The same rule with its settings from a spec, and with what the run lends where the function asks for it.

        Raises:
            UserError: it has no such setting, or one that it needs was left out.
        """
        lent = {"context": context, "repeat": 0}
        arguments = {**settings, **{name: value for name, value in lent.items() if name in self._parameters}}
        try:
            # Bound without being called: a misspelt setting is found before the first dialogue is paid for.
            inspect.signature(self._function).bind(None, None, **arguments)
        except TypeError as error:
            known = [name for name in list(self._parameters)[2:] if name not in _LENT]
            raise UserError(f"scorer {self.name!r}: {error}; its settings: {', '.join(known) or 'none'}") from error
        return FunctionScorer(self._function, self.measure, self._version, arguments)

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One mark; failed where the dialogue failed, the function raised, or what it gave is no mark.

        Raises:
            BenchbarError: the run cannot go on: it was interrupted, its budget is spent, or a model refuses every call.
        """
        if given.dialogue.ended is DialogueEnd.ERROR:
            return (self._score(given, Verdict(value=None, reason="the dialogue failed"), ScoreStatus.FAILED),)
        try:
            verdict = self._read(await self._asked(given), given.dialogue)
        except Exception as error:
            # A rule of somebody else's may raise anything, and costs its own mark; budget and Ctrl-C are the run's.
            if isinstance(error, BenchbarError) and not (isinstance(error, ModelError) and not error.fatal):
                raise
            reason = f"{type(error).__name__}: {error}"[:MAX_REASON]
            return (self._score(given, Verdict(value=None, reason=reason), ScoreStatus.FAILED),)
        status = ScoreStatus.ABSTAINED if verdict.value is None else ScoreStatus.SCORED
        return (self._score(given, verdict, status),)

    async def _asked(self, given: ScoringInput) -> object:
        arguments = dict(self._arguments)
        if self.repeatable:
            arguments["repeat"] = given.repeat
        answer = self._function(given.sample, given.dialogue, **arguments)
        return await answer if inspect.isawaitable(answer) else answer

    def _read(self, answer: object, dialogue: Dialogue) -> Verdict:
        """The answer as a verdict whose value fits the unit and whose evidence stands in the dialogue.

        Raises:
            TypeError: it is neither a mark, nor a number, nor None.
            ValueError: the value is off the scale, or what it points at is not there.
        """
        if isinstance(answer, Verdict):
            verdict = answer
        elif answer is None or isinstance(answer, bool | int | float):
            verdict = mark(answer, reason="the rule gave no value" if answer is None else "")
        else:
            found = type(answer).__name__
            raise TypeError(f"it gave {found}; expected benchbar.mark(...), a number, True, False or None")
        # A 7 in a share would make every mean of the run nonsense, and NaN the whole results file.
        if verdict.value is not None and not (isfinite(verdict.value) and self.measure.allows(verdict.value)):
            expected = "a share from 0 to 1" if self.measure.is_share else "a finite number"
            raise ValueError(f"it gave {verdict.value}; expected {expected}")
        for one in verdict.evidence:
            turn = dialogue.turns[one.turn] if 0 <= one.turn < len(dialogue.turns) else None
            # Pages mark these characters: a wrong place would accuse a sentence that nobody meant.
            if turn is None or not one.text or not turn.content[one.start : one.end].startswith(one.text):
                raise ValueError(f"its evidence {one.text[:40]!r} does not stand at that place of turn {one.turn}")
        return verdict

    def _score(self, given: ScoringInput, verdict: Verdict, status: ScoreStatus) -> Score:
        return Score(
            sample=given.sample.id,
            assistant=given.dialogue.assistant,
            dimension=self.name,
            # By what it may do and not by what it did: rules outweigh judges when marks are merged.
            layer=Layer.RULE if self.asks == "never" else Layer.LLM,
            status=status,
            value=verdict.value if status is ScoreStatus.SCORED else None,
            evidence=verdict.evidence,
            reason=verdict.reason,
            scorer=self.identity,
            version=self._version,
            repeat=given.repeat,
        )
