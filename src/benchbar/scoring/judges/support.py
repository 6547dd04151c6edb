"""A judge of claims that rules leave open: does the cited article say what the text says on its authority?

Its verdicts stand beside those of the rules and never take their place: how often rules are right was measured, how often a
model is right was not. A verdict without the words that prove it, in claim and article, is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from benchbar.languages.prompts import Prompts
from benchbar.languages.text import Span, comparable, without_blanks, words_around
from benchbar.records import CitedIn, ClaimCheck, ClaimVerdict, OpenClaim
from benchbar.records.answers import closing_object
from benchbar.records.protocols import Asks, Model, ScoringInput
from benchbar.scoring.judges.asking import Form, Questioner
from benchbar.scoring.judges.shield import cut, harmless

NAME = "support"
"""Of the prompt, and of the planned items."""
MOST_QUOTED = 600
_LEAST_QUOTED = 2
"""Letters and digits of a quotation: fewer stand in every text."""
_Word = Literal["supports", "contradicts", "silent", "cannot_tell"]
_VERDICTS: tuple[_Word, ...] = ("supports", "contradicts", "silent", "cannot_tell")


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    claim: str
    article: str
    verdict: _Word


class _Held(_Answer):
    reasons: str = ""


class Support:
    """Asks a model about each claim of a dialogue of which rules cannot tell whether its article says it."""

    name, compares = NAME, False
    asks: Asks = "sometimes"

    def __init__(self, model: Model, prompts: Prompts, *, attempts: int = 3, follows_up: bool = True) -> None:
        """Asks ``model`` about each claim, at most ``attempts`` times until its answer can be read."""
        self._asks, self._prompts, self._model = Questioner(model, attempts, follows_up), prompts, model.identity
        self.identity = f"{NAME}:{model.identity}"

    async def score(self, given: ScoringInput) -> tuple[CitedIn, ...]:
        """Each open claim's citation with the judge's verdict beside it; a verdict that could not be read is missing.

        Raises:
            ModelError: the judge can never answer.
        """
        sample = given.sample
        # One after the other: samples enough are under way beside this one.
        return tuple(
            [
                beside(one, await self.judge(one, of=sample.id, language=sample.language, repeat=given.repeat))
                for one in given.claims
            ]
        )

    async def judge(self, claim: OpenClaim, *, of: str, language: str, repeat: int = 0) -> ClaimCheck:
        """The verdict on one claim, with the words of claim and article that prove it.

        Args:
            claim: what is said, and the article.
            of: what the text is part of: a sample, a file.
            language: that the judge is asked in.
            repeat: index of a planned repetition.

        Raises:
            ModelError: the judge can never answer.
        """
        found = await self._asks.put(
            lambda: self._prompt(claim, of, language), _form(), language=language, repeat=repeat
        )
        if found.value is None:
            return self._check(claim, ClaimVerdict.CANNOT_TELL, repeat, reason=found.reason, failed=True)
        return self._proven(claim, found.value, repeat)

    def _prompt(self, claim: OpenClaim, of: str, language: str) -> str:
        # What was written by assistants, and the law itself, which may be anybody's file, cannot close the bars around it.
        shown = {
            name: cut(harmless(without_blanks(text)), language)
            for name, text in (
                ("citation", claim.cited.citation.text),
                ("context", claim.context),
                ("claim", claim.claim),
                ("article", claim.article),
            )
        }
        nonce = self._prompts.nonce(NAME, of, *shown.values())
        return self._prompts.render(NAME, language, nonce=nonce, **shown)

    def _proven(self, claim: OpenClaim, answer: _Answer, repeat: int) -> ClaimCheck:
        verdict = ClaimVerdict(answer.verdict)
        if verdict is ClaimVerdict.CANNOT_TELL:
            return self._check(claim, verdict, repeat)
        said, stands = _place(answer.claim, claim.claim), _place(answer.article, claim.article)
        # An article that is silent has no words that show it.
        if said is None or (stands is None and verdict is not ClaimVerdict.SILENT):
            where = "claim" if said is None else "article"
            reason = f"what the judge quotes does not stand in the {where}"
            return self._check(claim, ClaimVerdict.CANNOT_TELL, repeat, reason=reason)
        start = claim.said[0]
        return self._check(claim, verdict, repeat, places=((start + said[0], start + said[1]), stands))

    def _check(
        self,
        claim: OpenClaim,
        verdict: ClaimVerdict,
        repeat: int,
        *,
        reason: str = "",
        failed: bool = False,
        places: tuple[Span, Span | None] | None = None,
    ) -> ClaimCheck:
        said, stands = places or (None, None)
        start = claim.said[0]
        return ClaimCheck(
            verdict=verdict,
            by=self._model,
            repeat=repeat,
            failed=failed,
            reason=reason,
            said=claim.said,
            claim_span=said or claim.said,
            article_span=stands,
            claim_context=words_around(claim.claim, (said[0] - start, said[1] - start)) if said else None,
            article_context=words_around(claim.article, stands) if stands else None,
        )


def merged(cited: Iterable[CitedIn], judged: Iterable[CitedIn]) -> tuple[CitedIn, ...]:
    """The citations of a dialogue, each with what every judge said of it."""
    said: dict[CitedIn, tuple[ClaimCheck, ...]] = defaultdict(tuple)
    for one in judged:
        said[_alone(one)] += one.citation.judged
    return tuple(_with(one, said[one]) if one in said else one for one in cited)


def beside(claim: OpenClaim, check: ClaimCheck) -> CitedIn:
    """The citation of a claim with a judge's verdict beside it."""
    return _with(claim.cited, (check,))


def _alone(cited: CitedIn) -> CitedIn:
    return _with(cited, ())


def _with(cited: CitedIn, judged: Sequence[ClaimCheck]) -> CitedIn:
    return replace(cited, citation=replace(cited.citation, judged=tuple(judged)))


def _place(quote: str, text: str) -> Span | None:
    """Where a quotation stands word for word, whatever its spaces, width, case and punctuation."""
    wanted, plain = comparable(quote).text, comparable(text)
    at = plain.text.find(wanted) if len(wanted) >= _LEAST_QUOTED else -1
    return plain.original(at, at + len(wanted)) if at >= 0 else None


def _form() -> Form[_Answer]:
    quotation = {"type": "string", "maxLength": MOST_QUOTED}
    return Form(
        what="verdict",
        # The words that prove it stand before the verdict: first the proof, then what it proves.
        fields={"claim": quotation, "article": quotation, "verdict": {"type": "string", "enum": list(_VERDICTS)}},
        example={"claim": "…", "article": "…", "verdict": " | ".join(_VERDICTS)},
        read=lambda answer: msgspec.json.decode(closing_object(answer, "claim"), type=_Answer),
        decode=lambda text: msgspec.json.decode(text, type=_Held),
        choices=_VERDICTS,
    )
