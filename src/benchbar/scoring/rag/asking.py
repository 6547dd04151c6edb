"""Puts the questions of the RAG measures to a judge until its closing line can be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from benchbar.languages.prompts import Prompts
from benchbar.records import ContextPassage, Turn
from benchbar.records.protocols import Model
from benchbar.scoring.judges.shield import closing_object, cut, harmless

MOST_CLAIMS = 100
LONGEST = 2000
"""Characters of one claim or question; a longer one is no single statement."""
T = TypeVar("T")


class UnreadableError(ValueError):
    """No answer of the judge could be read; the text says what was asked."""


class _Claims(msgspec.Struct):
    claims: list[str]


class _Verdict(msgspec.Struct):
    claim: int
    borne: bool


class _Verdicts(msgspec.Struct):
    verdicts: list[_Verdict]


class Questions(msgspec.Struct):
    """Questions generated back from an answer."""

    questions: list[str]
    noncommittal: bool


class _Useful(msgspec.Struct):
    useful: bool


class Asking:
    """One sample's questions to the judge, in one repeat."""

    def __init__(
        self,
        model: Model,
        prompts: Prompts,
        *,
        attempts: int,
        sample: str,
        language: str,
        repeat: int,
    ) -> None:
        """Each question is put at most ``attempts`` times."""
        self._model, self._prompts, self._attempts = model, prompts, attempts
        self._sample, self._language, self._repeat = sample, language, repeat

    async def claims(self, question: str, text: str) -> list[str]:
        """The claims that a text makes; none where it makes none."""
        return await self._ask("rag_claims", "claims", _read_claims, question=question, text=text)

    async def borne(self, claims: Sequence[str], passages: Sequence[str]) -> list[bool]:
        """For each claim whether the passages bear it out; without a call where there are no claims or no passages."""
        if not claims or not passages:
            return [False] * len(claims)
        numbered = "\n".join(f"{number}. {claim}" for number, claim in enumerate(claims, start=1))
        material = "\n\n".join(passages)

        def read(text: str) -> list[bool]:
            return _read_verdicts(text, len(claims))

        return await self._ask("rag_support", "verdicts", read, material=material, claims=numbered)

    async def questions(self, answer: str, count: int) -> Questions:
        """So many questions that the answer would answer, and whether it evades."""

        def read(text: str) -> Questions:
            return _read_questions(text, count)

        return await self._ask("rag_questions", "questions", read, answer=answer, count=str(count))

    async def useful(self, question: str, reference: str, passage: ContextPassage) -> bool:
        """Whether a passage helps to arrive at the reference answer."""
        return await self._ask(
            "rag_useful", "useful", _read_useful, question=question, reference=reference, passage=passage.text
        )

    async def _ask(self, name: str, head: str, read: Callable[[str], T], **fields: str) -> T:
        shown = {key: cut(harmless(text), self._language) for key, text in fields.items()}
        nonce = self._prompts.nonce(name, self._sample, *shown.values())
        prompt = Turn(role="user", content=self._prompts.render(name, self._language, nonce=nonce, **shown))
        for attempt in range(self._attempts):
            reply = await self._model.ask([prompt], role="judge", repeat=self._repeat, attempt=attempt)
            try:
                return read(closing_object(reply.content, head))
            except (msgspec.MsgspecError, ValueError, RecursionError):
                continue
        raise UnreadableError(f"{name}: none of {self._attempts} answers could be read")


def _read_claims(text: str) -> list[str]:
    claims = [claim.strip() for claim in msgspec.json.decode(text, type=_Claims).claims if claim.strip()]
    if len(claims) > MOST_CLAIMS or any(len(claim) > LONGEST for claim in claims):
        raise ValueError("more or longer claims than an answer has")
    return list(dict.fromkeys(claims))


def _read_verdicts(text: str, count: int) -> list[bool]:
    verdicts = msgspec.json.decode(text, type=_Verdicts).verdicts
    by_claim = {verdict.claim: verdict.borne for verdict in verdicts}
    if len(verdicts) != count or set(by_claim) != set(range(1, count + 1)):
        raise ValueError("not every claim has one verdict")
    return [by_claim[number] for number in range(1, count + 1)]


def _read_questions(text: str, count: int) -> Questions:
    found = msgspec.json.decode(text, type=Questions)
    asked = [question.strip() for question in found.questions if 0 < len(question.strip()) <= LONGEST]
    if len(asked) < count and not found.noncommittal:
        raise ValueError("fewer questions than were asked for")
    return Questions(questions=asked[:count], noncommittal=found.noncommittal)


def _read_useful(text: str) -> bool:
    return msgspec.json.decode(text, type=_Useful).useful
