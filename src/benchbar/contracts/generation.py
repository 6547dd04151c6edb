"""Who writes a review: a chat model with one of our prompts, or the offline reviewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from benchbar.contracts.rules import RiskRule
from benchbar.languages.packs import labels
from benchbar.languages.prompts import Prompts
from benchbar.records import Reply, Turn
from benchbar.records.protocols import Model

PromptMode = Literal["raw", "basic", "guided", "steps"]
_MAX_PASSAGE = 600


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """All that a reviewer may know of one clause."""

    text: str
    """The clause, with orders to the reviewer set apart."""
    language: str
    contract_type: str = ""
    path: tuple[str, ...] = ()
    rules: tuple[RiskRule, ...] = ()
    near: frozenset[str] = frozenset()
    """Ids of the rules that are near enough to name a finding though none of their wordings stands in the clause."""
    prose: bool = True
    """Whether it is a clause proper: parties' lines, tables and annexes are unlike what models of clauses were fitted on."""
    side: str = ""
    """Id of the party for whom the contract is reviewed, as ``tenant``; empty for the one that did not write it."""
    place: str = ""
    """The contract's country, as far as bounds of numbers differ by it; empty where it is not known."""
    roles: Mapping[str, str] = field(default_factory=dict)
    kinds: frozenset[str] = frozenset()
    """The kinds of contract that have the parties whom this one introduces; empty where it does not say what they are."""
    """What the contract calls its parties (甲方, Company), and the word for their role."""
    day: str = ""
    """The contract's day (YYYY-MM-DD), where it is known."""
    passages: tuple[str, ...] = ()
    """Articles of law, each with its name."""
    prompt: PromptMode = "guided"
    repeat: int = 0
    """Which of the self-consistency replies this is."""
    retry: bool = False
    """The evidence given before was not in the clause."""
    whole: str = field(default="", repr=False)
    """The clause as it stands; for the offline reviewer, whom no words can order about."""


class Generator(Protocol):
    """Writes reviews in the form of ``docs/review-contract.md``."""

    @property
    def identity(self) -> str:
        """What makes it the same reviewer in two runs."""
        ...

    async def review(self, request: ReviewRequest) -> Reply:
        """The review of one clause."""
        ...

    async def reflect(self, request: ReviewRequest, draft: str) -> Reply:
        """A second look at a review: outcome, level, reason."""
        ...


class ChatGenerator:
    """Asks a chat model."""

    def __init__(self, model: Model, prompts: Prompts | None = None) -> None:
        """With the package's prompts, or those of one's own folder."""
        self._model, self._prompts = model, prompts or Prompts()
        self.identity = f"chat:{model.identity}"

    async def review(self, request: ReviewRequest) -> Reply:
        """The model's review.

        Raises:
            ModelError: there is none.
        """
        values = self._values(request) | {"form": self._prompts.render("review_form", request.language)}
        text = self._prompts.render(f"review_{request.prompt}", request.language, **values)
        if request.retry:
            text += "\n\n" + labels(request.language, "contract")("review.again")
        return await self._model.ask([Turn(role="user", content=text)], role="reviewer", repeat=request.repeat)

    async def reflect(self, request: ReviewRequest, draft: str) -> Reply:
        """The model's second look.

        Raises:
            ModelError: there is none.
        """
        # The draft's author has seen the nonce of the clause, and a clause may have had it written: the draft is hashed too.
        values = self._values(request, draft)
        text = self._prompts.render("review_reflect", request.language, **values, draft=draft)
        return await self._model.ask(
            [Turn(role="user", content=text)], role="reviewer_reflection", repeat=request.repeat
        )

    def _values(self, request: ReviewRequest, *shown: str) -> dict[str, str]:
        say = labels(request.language, "contract").section("review")
        context = ""
        if request.rules:
            context += say["rules"] + "\n" + "\n".join(_rule_line(rule) for rule in request.rules) + "\n\n"
        if request.passages:
            context += say["law"] + "\n" + "\n".join(f"- {one[:_MAX_PASSAGE]}" for one in request.passages) + "\n\n"
        return {
            "clause": request.text,
            "context": context,
            "contract_type": request.contract_type or say["contract"],
            "path": " / ".join(request.path) or "-",
            "nonce": self._prompts.nonce("clause", request.text, *shown),
        }


def _rule_line(rule: RiskRule) -> str:
    kind = f" ({rule.risk_type})" if rule.risk_type else ""
    cases = "; ".join(f"{level}: {case.when}" for level, case in rule.levels.items() if case.when)
    return (
        f"- {rule.id} {rule.name}{kind}: {rule.reasoning}"
        + (f" [{cases}]" if cases else "")
        + (f" ({'; '.join(rule.law)})" if rule.law else "")
    )
