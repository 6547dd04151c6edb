"""Groups of open answers that a model proposes; a person still has to accept each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from benchbar.languages.prompts import Prompts
from benchbar.records import Record, Turn
from benchbar.records.answers import read_closing_object
from benchbar.records.errors import ModelError
from benchbar.records.protocols import Model
from benchbar.survey.grouping import group_of
from benchbar.survey.records import OpenGroup, Questionnaire, Statement, SurveyScenario

AT_ONCE = 80
"""Statements shown in one call."""
MAX_LABEL = 200


def calls_needed(found: Mapping[str, Sequence[Statement]]) -> int:
    """How many answers a grouping takes."""
    return sum(-(-len(own) // AT_ONCE) for own in found.values())


# No Record, and every field may be missing: what a model adds or forgets is no reason to lose its other groups.
class _Group(msgspec.Struct):
    label: str = ""
    use_case: str = ""
    members: list[int] = msgspec.field(default_factory=list)


class _Answer(Record, frozen=True):
    groups: list[_Group]


class ModelGrouping:
    """Has a model sort statements; those that it leaves out, or cannot sort, are for the words to group."""

    def __init__(self, model: Model, prompts: Prompts | None = None) -> None:
        """Asks ``model`` in the role ``author``, with the package's prompts or those of one's own."""
        self._model, self._prompts = model, prompts or Prompts()

    async def proposed(
        self,
        found: Mapping[str, Sequence[Statement]],
        questionnaire: Questionnaire,
        done: Callable[[], None] = lambda: None,
    ) -> tuple[list[OpenGroup], list[str]]:
        """Groups within each scenario, and what to tell the reader; ``done`` is called after each answer.

        Raises:
            ModelError: the model can never answer.
        """
        scenarios = {one.id: one for one in questionnaire.scenarios}
        batches = [
            (scenarios[id_], own[start : start + AT_ONCE])
            for id_, own in found.items()
            for start in range(0, len(own), AT_ONCE)
        ]
        answers = await asyncio.gather(*(self._asked(*batch, questionnaire.language, done) for batch in batches))
        groups: list[OpenGroup] = []
        notes: list[str] = []
        for (scenario, own), answer in zip(batches, answers, strict=True):
            if isinstance(answer, str):
                # A batch without an answer is told and goes to the grouping by words; the others stay.
                notes.append(f"{scenario.id}: the model's grouping of {len(own)} statements is missing ({answer})")
            else:
                groups.extend(self._groups(scenario, own, answer))
        return groups, notes

    async def _asked(
        self, scenario: SurveyScenario, own: Sequence[Statement], language: str, done: Callable[[], None]
    ) -> _Answer | str:
        """What the model answered, or why that cannot be used."""
        shown = "\n".join(f"{number}. {_plain(one.text)}" for number, one in enumerate(own, start=1))
        offered = "\n".join(f"{one.id}: {_plain(one.text)}" for one in scenario.use_cases) or "-"
        nonce = self._prompts.nonce("survey_groups", shown)
        prompt = self._prompts.render("survey_groups", language, nonce=nonce, offered=offered, wishes=shown)
        try:
            reply = await self._model.ask([Turn(role="user", content=prompt)], role="author")
        except ModelError as error:
            # A wrong key or address fails for every batch: going on would only repeat it.
            if error.fatal:
                raise
            return f"failed: {error.slug}"
        # Counted even when it failed, or the bar would never reach its end.
        finally:
            done()
        return read_closing_object(reply.content, "groups", _Answer) or "unreadable"

    def _groups(self, scenario: SurveyScenario, own: Sequence[Statement], answer: _Answer) -> Iterator[OpenGroup]:
        """The groups as far as they name statements that there are, each once, and use cases that were offered."""
        offered = {one.id: one.text for one in scenario.use_cases}
        taken: set[int] = set()
        for group in answer.groups:
            # The first group keeps a wish that a model puts into two; numbers that were not shown are dropped.
            chosen = [
                number for number in dict.fromkeys(group.members) if 0 < number <= len(own) and number not in taken
            ]
            if not chosen:
                continue
            taken.update(chosen)
            members = [own[number - 1] for number in chosen]
            case = group.use_case if group.use_case in offered else ""
            # An offered use case keeps its own words: a model's paraphrase would make a second name for it.
            label = offered.get(case) or " ".join(group.label.split())[:MAX_LABEL] or members[0].text
            by = f"model {self._model.identity}"
            yield group_of(scenario.id, members, label=label, use_case=case, by=by)


def _plain(text: str) -> str:
    """On one line, and without what could end the bars."""
    return " ".join(text.split()).replace("<<<", "‹‹‹").replace(">>>", "›››")
