"""Who writes a consultant's answer from the passages: a chat model, or extraction without one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from msgspec.structs import replace

from benchbar.assistants.consultation import ContextPassage, Draft, estimated_tokens
from benchbar.languages.overlap import covered, shingles
from benchbar.languages.packs import labels
from benchbar.languages.prompts import Prompts
from benchbar.languages.text import sentences
from benchbar.records import Turn
from benchbar.records.protocols import Model
from benchbar.retrieval.passages import LAW

FORMS = ("general", "trial")


class Writer(Protocol):
    """Writes an answer that rests on numbered passages."""

    @property
    def identity(self) -> str:
        """What makes it the same writer in two runs."""
        ...

    async def write(self, question: str, passages: Sequence[ContextPassage], *, form: str, language: str) -> Draft:
        """The answer, or why there is none."""
        ...


_PART = re.compile(r"\[\[\s{0,3}(RULE|PRACTICE|CONCLUSION|NONE)\s{0,3}\]\]", re.IGNORECASE)
_REFERENCE = re.compile(r"[\[【]\s{0,3}(\d{1,3}(?:\s{0,3}[,，、;–-]\s{0,3}\d{1,3}){0,20})\s{0,3}[\]】]")


class ModelWriter:
    """A chat model under one of the consultant's prompts."""

    def __init__(self, model: Model, prompts: Prompts | None = None) -> None:
        """Asks ``model``, in the role ``assistant``, with the package's prompts or those of one's own."""
        self._model, self._prompts = model, prompts or Prompts()
        self.identity = f"model:{model.identity}"

    async def write(self, question: str, passages: Sequence[ContextPassage], *, form: str, language: str) -> Draft:
        """What the model wrote, read by its marks.

        Raises:
            ModelError: there is no answer.
        """
        context = "\n\n".join(f"[{one.number}] {one.citation}\n{one.text}" for one in passages)
        prompt = self._prompts.render(
            f"consult_{form}",
            language,
            nonce=self._prompts.nonce("consultation", question, context),
            context=context,
            question=question,
        )
        reply = await self._model.ask([Turn(role="user", content=prompt)], role="assistant")
        draft = read_draft(reply.content, len(passages))
        return replace(draft, usage=reply.usage, cost=reply.cost, model=reply.model)


def read_draft(text: str, passages: int) -> Draft:
    """The parts of a model's answer and the passages it refers to; without marks all of it is the conclusion."""
    marks = list(_PART.finditer(text))
    parts: dict[str, str] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        end = len(text) if following is None else following.start()
        parts.setdefault(mark[1].lower(), text[mark.end() : end].strip())
    if "none" in parts and not {"rule", "conclusion"} & set(parts):
        return Draft(abstained=parts["none"] or "the materials do not suffice")
    if not parts:
        parts["conclusion"] = text.strip()
    return Draft(
        rule=parts.get("rule", ""),
        practice=parts.get("practice", ""),
        conclusion=parts.get("conclusion", ""),
        used=references(text, passages),
    )


def references(text: str, passages: int) -> tuple[int, ...]:
    """The numbers of passages that a text refers to ([1], [2, 4], [1-3]), those that there are, in order."""
    found: set[int] = set()
    for match in _REFERENCE.finditer(text):
        numbers = [int(number) for number in re.findall(r"\d+", match[1])]
        # From and to.
        is_range = re.search("[–-]", match[1]) and len(numbers) == 2
        found.update(range(numbers[0], min(numbers[1], passages) + 1) if is_range else numbers)
    return tuple(sorted(number for number in found if 1 <= number <= passages))


_QUOTED = 2
"""Sentences quoted of a long passage."""
_WHOLE = 200
"""Estimated tokens up to which a passage is quoted whole."""
_CONDITIONS = 8


class ExtractiveWriter:
    """No model: quotes the sentences nearest to the question, and for trial lists the conditions that they state."""

    identity = "extractive:1"

    async def write(self, question: str, passages: Sequence[ContextPassage], *, form: str, language: str) -> Draft:
        """Quotations with their citations; every passage that is quoted is used."""
        words = labels(language, "words")
        law = [one for one in passages if one.store == LAW]
        practice = [one for one in passages if one.store != LAW]
        return Draft(
            rule="\n".join([words("writer.rule"), *(_quoted(question, one) for one in law)])
            if law
            else words("writer.no_rule"),
            practice="\n".join([words("writer.practice"), *(_quoted(question, one) for one in practice)])
            if practice
            else words("writer.no_practice"),
            conclusion=_conclusion(law, form, language),
            used=tuple(one.number for one in passages),
        )


def _quoted(question: str, passage: ContextPassage) -> str:
    """A short passage whole; of a long one the sentences that share most with the question, in their order."""
    text = passage.text
    if passage.store != LAW:
        # The first line of a piece of a decision repeats number and date.
        text = text.partition("\n")[2] or text
    if estimated_tokens(text) > _WHOLE:
        wanted, spans = shingles(question), sentences(text)
        near = sorted(spans, key=lambda span: -covered(wanted, shingles(text[span[0] : span[1]])))[:_QUOTED]
        text = " … ".join(text[start:end] for start, end in sorted(near))
    colon = "：" if _is_chinese(passage) else ": "
    return f"[{passage.number}] {passage.citation}{colon}{' '.join(text.split())}"


def _is_chinese(passage: ContextPassage) -> bool:
    return re.search("[\u3400-\u9fff]", passage.citation) is not None


def _conclusion(law: Sequence[ContextPassage], form: str, language: str) -> str:
    words = labels(language, "words")
    if form != "trial":
        return words("writer.general")
    found = {
        condition.strip(): one.number for one in reversed(law) for condition in _condition(language).findall(one.text)
    }
    if not found:
        return words("writer.no_conditions")
    listed = sorted(found.items(), key=lambda pair: pair[1])[:_CONDITIONS]
    return "\n".join([words("writer.trial"), *(f"- {condition} [{number}]" for condition, number in listed)])


@cache
def _condition(language: str) -> re.Pattern[str]:
    return re.compile(labels(language, "patterns").texts["answer.condition"], re.IGNORECASE)
