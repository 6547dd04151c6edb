"""Puts the questions of the RAG measures to a judge until its closing line can be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from benchbar.languages.prompts import Prompts
from benchbar.records import ContextPassage
from benchbar.records.answers import closing_object
from benchbar.records.protocols import object_schema
from benchbar.scoring.judges.asking import Form, Questioner
from benchbar.scoring.judges.shield import cut, harmless

MOST_CLAIMS = 100
LONGEST = 2000
"""Characters of one claim or question; a longer one is no single statement."""
HELD, MOST_HELD = 300, 20
"""The same where an endpoint is held to a schema: a model that repeats itself has to come to an end."""
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


class _Grounded(msgspec.Struct):
    grounded: int


class Asking:
    """One sample's questions to the judge, in one repeat."""

    def __init__(self, asks: Questioner, prompts: Prompts, *, sample: str, language: str, repeat: int) -> None:
        """Each question is put to one judge."""
        self._asks, self._prompts = asks, prompts
        self._sample, self._language, self._repeat = sample, language, repeat

    async def claims(self, question: str, text: str) -> list[str]:
        """The claims that a text makes; none where it makes none."""
        fields = {"claims": _texts(MOST_HELD)}
        return await self._ask("rag_claims", fields, {"claims": ["…"]}, _read_claims, question=question, text=text)

    async def borne(self, claims: Sequence[str], passages: Sequence[str]) -> list[bool]:
        """For each claim whether the passages bear it out; without a call where there are no claims or no passages."""
        if not claims or not passages:
            # Nothing retrieved bears nothing out, and needs no judge to say so.
            return [False] * len(claims)
        numbered = "\n".join(f"{number}. {claim}" for number, claim in enumerate(claims, start=1))
        count = len(claims)
        number = {"type": "integer", "minimum": 1, "maximum": count}
        verdict = object_schema({"claim": number, "borne": {"type": "boolean"}})
        return await self._ask(
            "rag_support",
            {"verdicts": {"type": "array", "items": verdict, "minItems": count, "maxItems": count}},
            {"verdicts": [{"claim": 1, "borne": True}]},
            lambda text: _read_verdicts(text, count),
            material="\n\n".join(passages),
            claims=numbered,
        )

    async def questions(self, answer: str, count: int) -> Questions:
        """So many questions that the answer would answer, and whether it evades."""
        return await self._ask(
            "rag_questions",
            {"questions": _texts(count), "noncommittal": {"type": "boolean"}},
            {"questions": ["…"], "noncommittal": False},
            lambda text: _read_questions(text, count),
            answer=answer,
            count=str(count),
        )

    async def useful(self, question: str, reference: str, passage: ContextPassage) -> bool:
        """Whether a passage helps to arrive at the reference answer."""
        return await self._ask(
            "rag_useful",
            {"useful": {"type": "boolean"}},
            {"useful": True},
            _read_useful,
            question=question,
            reference=reference,
            passage=passage.text,
        )

    async def grounded(self, answer: str, passages: Sequence[str]) -> int:
        """How far an answer rests on passages: 0 not, 1 partly, 2 fully."""
        return await self._ask(
            "rag_grounded",
            {"grounded": {"type": "integer", "minimum": 0, "maximum": 2}},
            {"grounded": 2},
            _read_grounded,
            material="\n\n".join(passages),
            answer=answer,
        )

    async def _ask(
        self,
        name: str,
        fields: Mapping[str, Any],
        example: Mapping[str, Any],
        read: Callable[[str | bytes], T],
        **texts: str,
    ) -> T:
        # Answers and passages are a stranger's: they are bounded, and cannot close the bars around them.
        shown = {key: cut(harmless(text), self._language) for key, text in texts.items()}
        nonce = self._prompts.nonce(name, self._sample, *shown.values())
        head = next(iter(fields))
        form = Form(
            what=name.partition("_")[2],
            fields=fields,
            example=example,
            read=lambda answer: read(closing_object(answer, head)),
            decode=read,
        )
        found = await self._asks.put(
            lambda: self._prompts.render(name, self._language, nonce=nonce, **shown),
            form,
            language=self._language,
            repeat=self._repeat,
        )
        if found.value is None:
            raise UnreadableError(f"{name}: {found.reason}")
        return found.value


def _texts(most: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", "maxLength": HELD}, "maxItems": most}


def _read_claims(text: str | bytes) -> list[str]:
    claims = [claim.strip() for claim in msgspec.json.decode(text, type=_Claims).claims if claim.strip()]
    # A judge that copies the passages instead of splitting the answer.
    if len(claims) > MOST_CLAIMS or any(len(claim) > LONGEST for claim in claims):
        raise ValueError("more or longer claims than an answer has")
    # A claim said twice is one, else repeating a true sentence would raise faithfulness.
    return list(dict.fromkeys(claims))


def _read_verdicts(text: str | bytes, count: int) -> list[bool]:
    verdicts = msgspec.json.decode(text, type=_Verdicts).verdicts
    by_claim = {verdict.claim: verdict.borne for verdict in verdicts}
    # A claim without a verdict is not an unproven claim.
    if len(verdicts) != count or set(by_claim) != set(range(1, count + 1)):
        raise ValueError("not every claim has one verdict")
    return [by_claim[number] for number in range(1, count + 1)]


def _read_questions(text: str | bytes, count: int) -> Questions:
    found = msgspec.json.decode(text, type=Questions)
    asked = [question.strip() for question in found.questions if 0 < len(question.strip()) <= LONGEST]
    # From an evasive answer no question can be told.
    if len(asked) < count and not found.noncommittal:
        raise ValueError("fewer questions than were asked for")
    return Questions(questions=asked[:count], noncommittal=found.noncommittal)


def _read_useful(text: str | bytes) -> bool:
    return msgspec.json.decode(text, type=_Useful).useful


def _read_grounded(text: str | bytes) -> int:
    found = msgspec.json.decode(text, type=_Grounded).grounded
    if found not in {0, 1, 2}:
        raise ValueError(f"grounded is {found}; 0, 1 or 2 was expected")
    return found
