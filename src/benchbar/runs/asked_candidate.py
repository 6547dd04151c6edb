"""A judge that is asked anew, as a candidate of an alignment: other wording, examples, another model, a panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from benchbar.clients.providers import WireProtocol
from benchbar.languages.prompts import Prompts
from benchbar.measures.validation.aligning import Labelled
from benchbar.measures.validation.preferences import BETTER, LABELS, TIE
from benchbar.measures.validation.verdict_rule import Orders, VerdictRule, Verdicts
from benchbar.records import Dialogue, Record, Reduction, Sample, Task
from benchbar.records.protocols import Model, ScoringInput
from benchbar.runs.stage import ORDERS, gathered
from benchbar.scoring.judges.examples import ComparedExample, PromptsWithExamples
from benchbar.scoring.judges.pairwise import Pairwise
from benchbar.statistics import OrderedOutcome, outcomes_by_sample


class CandidateSpec(Record, frozen=True, kw_only=True):
    """One candidate of a file of candidates; what is left out is as in the run."""

    model: str = ""
    base_url: str = ""
    protocol: WireProtocol | Literal[""] = ""
    api_key_env: str = ""
    params: dict[str, Any] = {}
    price: dict[str, float] | None = None
    prompts: str = ""
    """A folder with another wording of the prompt ``pairwise``, from the folder of the file."""
    suite: str = ""
    """The suite with another wording of the guidance; its samples have the same ids."""
    examples: int = 0
    """Pairs that people compared, shown to the judge before it decides; of the items that it may learn from alone."""
    panel: tuple[dict[str, Any], ...] = ()
    """Further judges, asked the same."""
    orders: Orders = "both"
    joined: Reduction = "mean"
    tie_margin: float | Literal["fit"] = 0.0
    """An outcome so near to a half is a tie; ``fit``: learnt."""

    def endpoint(self, own: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of its judge: the run's ``own``, with what it names laid over them."""
        names = ("model", "base_url", "protocol", "api_key_env", "params", "price")
        return {**own, **{name: value for name in names if (value := getattr(self, name))}}


@dataclass(frozen=True)
class ComparedPair:
    """Two dialogues about one sample."""

    task: Task
    sample: Sample
    candidate: Dialogue
    reference: Dialogue


@dataclass
class AskedCandidate:
    """A judge that is asked anew."""

    name: str
    wanted: CandidateSpec
    judges: Sequence[Model]
    prompts: Prompts
    pairs: Mapping[str, ComparedPair]
    recorded: Verdicts = field(default_factory=dict)
    """Verdicts of the same judges on the same prompts, which need not be asked for."""
    attempts: int = 3
    seed: int = 0
    told: Callable[[object], None] = lambda _: None
    """Called with each item that has its verdicts."""
    _said: dict[tuple[str, ...], dict[str, Mapping[str, OrderedOutcome]]] = field(default_factory=dict)
    """The examples that were shown, to item to the verdicts of each judge."""

    async def predict(self, train: Sequence[Labelled], items: Sequence[Labelled]) -> list[str | None]:
        """The labels; examples and margin come from ``train`` alone."""
        # A margin is learnt from the same judges' verdicts on the training items, under the same examples.
        needed = [*train, *items] if self.wanted.tie_margin == "fit" else items
        verdicts = await self._asked(self.examples(train), needed)
        return await self._rule(verdicts).predict(train, items)

    def fitted(self, train: Sequence[Labelled]) -> str:
        """The margin, where it was learnt."""
        return self._rule(self._said.get(_keys(self.examples(train)), {})).fitted(train)

    def examples(self, train: Sequence[Labelled]) -> list[Labelled]:
        """The labelled items that are shown, the labels in turn: a judge that sees one side win each time learns to say so."""
        order = np.random.default_rng([self.seed, 4]).permutation(len(train)).tolist() if self.wanted.examples else []
        by_label = [[train[place] for place in order if train[place].label == label] for label in LABELS]
        turns = [own[number] for number in range(self.wanted.examples) for own in by_label if number < len(own)]
        return turns[: self.wanted.examples]

    def prompts_with(self, examples: Sequence[Labelled]) -> Prompts:
        """The prompts that show these examples."""
        if not examples:
            return self.prompts
        return PromptsWithExamples(self.prompts, [self._example(one) for one in examples])

    def _example(self, one: Labelled) -> ComparedExample:
        pair = self.pairs[one.key]
        better: Literal["candidate", "reference", "neither"] = (
            "neither" if one.label == TIE else "candidate" if one.label == BETTER else "reference"
        )
        return ComparedExample(pair.sample, pair.candidate, pair.reference, better)

    def _rule(self, verdicts: Verdicts) -> VerdictRule:
        wanted = self.wanted
        margin = None if wanted.tie_margin == "fit" else float(wanted.tie_margin)
        names = tuple(f"pairwise:{judge.identity}" for judge in self.judges)
        return VerdictRule(self.name, verdicts, names, wanted.orders, wanted.joined, margin)

    async def _asked(self, examples: Sequence[Labelled], items: Sequence[Labelled]) -> Verdicts:
        found = self._said.setdefault(_keys(examples), {})
        prompts = self.prompts_with(examples)
        new = [item.key for item in items if item.key not in found]
        answers = await gathered(self._judged(key, prompts) for key in new)
        found.update(zip(new, answers, strict=True))
        return found

    async def _judged(self, key: str, prompts: Prompts) -> dict[str, OrderedOutcome]:
        pair, known = self.pairs[key], self.recorded.get(key, {})
        found = {}
        for model in self.judges:
            judge = Pairwise(model, prompts, attempts=self.attempts)
            if judge.identity in known:
                found[judge.identity] = known[judge.identity]
                continue
            given = [
                ScoringInput(pair.task, pair.sample, pair.candidate, reference=pair.reference, order=order)
                for order in ORDERS
                if self.wanted.orders in {"both", _SHOWN[order]}
            ]
            said = [one for part in await gathered(judge.score(each) for each in given) for one in part]
            found[judge.identity] = outcomes_by_sample(said)[pair.sample.id]
        self.told(key)
        return found


_SHOWN = {"left_first": "candidate_first", "right_first": "reference_first"}


def _keys(examples: Sequence[Labelled]) -> tuple[str, ...]:
    return tuple(one.key for one in examples)
