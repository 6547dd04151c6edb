"""Several questions about one matter: follow-ups are read with what was said before, and sources keep their numbers.

Without a model the reading is by rule: a question that leans on what was said before (a connective, a pronoun, hardly a word of its
own) is put together with the last question that stood alone, and with the facts. What was understood is part of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from benchbar.assistants.asking import ask, ask_async
from benchbar.assistants.consultation import Consultation
from benchbar.assistants.provisions import terms
from benchbar.languages.packs import pattern_of_any
from benchbar.languages.text import sentences
from benchbar.records import Record

if TYPE_CHECKING:
    from benchbar.retrieval.corpus import CorpusIndex

_OWN = 3
"""Terms of a question that stands alone; one with fewer ("And in winter?") leans on what was said."""
MATTER = 1500
"""Characters of facts and questions that are put together: a longer question would be searched for everything at once."""
_REFERENCE = re.compile(r"\[(\d{1,3})\]")


class Answered(Record, frozen=True):
    """One question of a conversation."""

    asked: str
    understood: str
    """The question that was answered: as asked, or put together with what was said before."""
    consultation: Consultation
    """Its numbers are those of the conversation: a source has the same one in every answer."""


class Conversation:
    """Questions about one matter, put to the consultant of law and practice one after the other.

    Example:
        >>> matter = benchbar.Conversation()
        >>> matter.ask("试用期最长可以约定多久？").consultation.articles[0].citation
        '《劳动契约法》第八条'
        >>> matter.facts.append("契约期限为一年")
    """

    def __init__(
        self,
        *,
        law: CorpusIndex | Path | str | None = None,
        facts: Sequence[str] = (),
        answered: Sequence[Answered] = (),
        **options: Any,
    ) -> None:
        """Over a law as ``ask`` takes it, with its further ``options``.

        Args:
            law: as in ``ask``; left out, the bundled one in the language of each question.
            facts: what is known of the matter; a list that may be changed at any time (``facts``).
            answered: what was asked and answered before, where a conversation goes on.
            options: any of ``ask``.
        """
        self.facts = list(facts)
        self.answered = list(answered)
        self._law, self._options = law, options
        self._numbers = {one.id: one.number for turn in self.answered for one in turn.consultation.context}

    def ask(self, question: str) -> Answered:
        """The answer to the next question.

        Raises:
            UserError: a setting does not fit; or an event loop runs here already.
            ModelError: a model was asked and did not answer.
        """
        understood = self.understood(question)
        return self._kept(question, understood, ask(understood, law=self._law, **self._options))

    async def ask_async(self, question: str) -> Answered:
        """The same as ``ask``, for callers whose event loop runs already."""
        understood = self.understood(question)
        return self._kept(question, understood, await ask_async(understood, law=self._law, **self._options))

    def understood(self, question: str) -> str:
        """The question as it will be put: with the matter before it where it leans on that, and always with the facts."""
        before = [*self.facts]
        if self.answered and leans(question):
            alone = [one.asked for one in self.answered if not leans(one.asked)] or [self.answered[0].asked]
            before += [alone[-1], *self._since(alone[-1])]
        unsaid = [one for one in dict.fromkeys(before) if one not in question]
        # The end is kept: what was said last is what is asked about.
        return "\n".join([*unsaid, question])[-MATTER:] if unsaid else question

    def _since(self, question: str) -> list[str]:
        """What was stated in follow-ups after a question: sentences that ask nothing."""
        place = max(i for i, one in enumerate(self.answered) if one.asked == question)
        return [told for one in self.answered[place + 1 :] for told in stated(one.asked)]

    def _kept(self, asked: str, understood: str, found: Consultation) -> Answered:
        answered = Answered(asked=asked, understood=understood, consultation=self._numbered(found))
        self.answered.append(answered)
        return answered

    def _numbered(self, found: Consultation) -> Consultation:
        """The answer with the conversation's numbers: a source that was cited before keeps its own."""
        for one in found.context:
            # Not their count: a conversation that goes on may have left its first answers behind.
            self._numbers.setdefault(one.id, max(self._numbers.values(), default=0) + 1)
        new = {one.number: self._numbers[one.id] for one in found.context}
        return renumbered(found, lambda number: new.get(number, number))


def leans(question: str) -> bool:
    """Whether a question cannot be understood without what was said before, by its wording."""
    return len(terms(question)) < _OWN or pattern_of_any("question.follows_up").search(question.strip()) is not None


def stated(text: str) -> list[str]:
    """The sentences of a text that ask nothing: what its writer tells."""
    found = [text[start:end] for start, end in sentences(text)]
    return [one for one in found if not one.rstrip().endswith(("?", "？"))]


def renumbered(found: Consultation, number: Callable[[int], int]) -> Consultation:
    """An answer with other numbers for its sources, in its text as well."""

    def text(written: str) -> str:
        return _REFERENCE.sub(lambda match: f"[{number(int(match[1]))}]", written)

    def each(ones: Sequence[Any]) -> Any:
        return tuple(replace(one, number=number(one.number)) for one in ones)

    return replace(
        found,
        rule=text(found.rule),
        practice=text(found.practice),
        conclusion=text(found.conclusion),
        unsupported=tuple(map(text, found.unsupported)),
        articles=each(found.articles),
        cases=each(found.cases),
        statements=each(found.statements),
        context=each(found.context),
    )
