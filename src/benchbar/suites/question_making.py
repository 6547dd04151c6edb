"""Test questions written by a model from a corpus: question, reference answer and evidence, filtered by rules."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchbar.languages.prompts import Prompts
from benchbar.languages.text import detect_language
from benchbar.law.corpus import Corpus
from benchbar.records import (
    QUESTION_ANSWERING,
    UNANSWERABLE,
    UNVERIFIED,
    Sample,
    Suite,
    SuiteCard,
    Task,
    Turn,
    fingerprint,
)
from benchbar.records.answers import read_closing_object
from benchbar.records.errors import ModelError
from benchbar.records.protocols import Model
from benchbar.suites.question_material import KINDS, MULTI, NONE, PRACTICE, SIMPLE, TIME, Material, choose
from benchbar.suites.question_rules import Written, fault

TASKS = {
    SIMPLE: Task(id=SIMPLE, name="One article", level="understand", scenarios=("general_public",)),
    MULTI: Task(id=MULTI, name="Several articles", level="apply", scenarios=("general_public",)),
    PRACTICE: Task(id=PRACTICE, name="Law and practice", level="analyze", scenarios=("general_public",)),
    TIME: Task(id=TIME, name="The law of another day", level="apply", scenarios=("general_public",)),
    NONE: Task(id=NONE, name="Not settled by the law at hand", level="analyze", scenarios=("general_public",)),
}
_PROMPTS = {TIME: "make_question_of_a_day", NONE: "make_unanswerable_question"}
# Without an end a model that writes nothing usable would be paid for the whole corpus.
SPARE = 4
"""Materials tried for each question that is wanted, before it is given up."""
# Articles are short, but one decision alone may be longer than a model's context.
_MOST_SHOWN = 16_000


class Made(NamedTuple):
    """The questions that stood the rules, and what became of the others."""

    suite: Suite
    materials: dict[str, Material]
    """Sample to what its question was written about."""
    rejected: dict[str, int]
    """Rule, or ``unreadable`` and ``failed``, to the number of questions it kept out."""
    tried: int


class QuestionMaker:
    """Has a model write questions about materials of a corpus."""

    def __init__(self, model: Model, corpus: Corpus, prompts: Prompts | None = None) -> None:
        """Asks ``model`` in the role ``author``, with the package's prompts or those of one's own."""
        self._model, self._corpus, self._prompts = model, corpus, prompts or Prompts()

    async def make(
        self,
        wanted: Mapping[str, int],
        generator: np.random.Generator,
        *,
        name: str,
        day: str,
        at_once: int = 8,
        done: Callable[[], None] = lambda: None,
    ) -> Made:
        """A suite with up to so many questions of each kind, all tagged ``unverified``.

        Raises:
            UserError: a kind is unknown.
            ModelError: the model can never answer.
        """
        samples: list[Sample] = []
        materials_of: dict[str, Material] = {}
        rejected: Counter[str] = Counter()
        tried = 0
        for kind in KINDS:
            number, kept = wanted.get(kind, 0), 0
            materials = list(_first(choose(self._corpus, kind, generator, day=day), number * SPARE))
            for start in range(0, len(materials), at_once):
                if kept >= number:
                    break
                batch = materials[start : start + at_once]
                written = await asyncio.gather(*(self._written(material) for material in batch))
                for material, one in zip(batch, written, strict=True):
                    tried += 1
                    wrong = one if isinstance(one, str) else fault(one, material, (sample.needs for sample in samples))
                    # A batch may bring more good questions than are still wanted; the surplus is no rejection.
                    if wrong is None and kept < number and isinstance(one, Written):
                        samples.append(_sample(one, material, day))
                        materials_of[samples[-1].id] = material
                        kept += 1
                        done()
                    elif wrong is not None:
                        rejected[wrong] += 1
        return Made(self._suite(name, samples), materials_of, dict(sorted(rejected.items())), tried)

    async def _written(self, material: Material) -> Written | str:
        """What the model wrote, or why it cannot be used."""
        shown = "\n\n".join(
            f"[{number}] {one.label}\n{one.text}" for number, one in enumerate(material.shown, start=1)
        )[:_MOST_SHOWN]
        language = detect_language(shown)
        name = _PROMPTS.get(material.kind, "make_question")
        prompt = self._prompts.render(
            name,
            language,
            nonce=self._prompts.nonce(name, shown),
            material=shown.replace("<<<", "‹‹‹").replace(">>>", "›››"),
            needed=", ".join(str(number) for number in range(1, len(material.passages) + 1)),
            day=material.on,
        )
        try:
            reply = await self._model.ask([Turn(role="user", content=prompt)], role="author")
        except ModelError as error:
            if error.fatal:
                raise
            return "failed"
        return read_closing_object(reply.content, "usable", Written) or "unreadable"

    def _suite(self, name: str, samples: Sequence[Sample]) -> Suite:
        languages = [sample.language for sample in samples]
        card = SuiteCard(
            name=name,
            description=f"Questions written by {self._model.identity} from a corpus; those tagged {UNVERIFIED} were"
            " accepted by nobody yet.",
            source=f"corpus {self._corpus.identity}",
            language=max(languages, key=languages.count, default="zh"),
            protocol=QUESTION_ANSWERING,
        )
        return Suite(card=card, tasks=dict(TASKS), samples=tuple(samples))


def _sample(written: Written, material: Material, day: str) -> Sample:
    return Sample(
        id=f"{material.kind}-{fingerprint([written.question, material])[:10]}",
        task=material.kind,
        needs=written.question.strip(),
        language=detect_language(written.question),
        on=material.on or day,
        # Taken away by a person only (`suite accept`); runs and cards count those that still have it.
        tags=(UNVERIFIED, UNANSWERABLE) if material.kind == NONE else (UNVERIFIED,),
        reference=written.answer.strip(),
        evidence=tuple(one.id for one in material.passages),
    )


def _first(materials: Iterable[Material], count: int) -> Iterable[Material]:
    for _, material in zip(range(count), materials, strict=False):
        yield material
