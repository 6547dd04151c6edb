"""Claims that rules leave open, told by a model of natural language inference where it was measured to be right."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from benchbar.clients.endpoint import Endpoint
from benchbar.clients.pairs import Pair, PairClassifier, Scores
from benchbar.languages.text import without_blanks
from benchbar.law.claims.around import claim_shown
from benchbar.records import CitedIn, ClaimCheck, ClaimVerdict, OpenClaim
from benchbar.records.errors import ModelError, UserError
from benchbar.records.precision import Precision
from benchbar.records.protocols import Asks, ScoringInput
from benchbar.scoring.entailment.bounds import read_bounds
from benchbar.scoring.entailment.settings import LABELS, NAME, EntailmentSettings
from benchbar.scoring.judges.support import beside

_VERDICTS = dict(zip(LABELS, (ClaimVerdict.SUPPORTS, ClaimVerdict.SILENT, ClaimVerdict.CONTRADICTS), strict=True))
TOO_LONG = "claim and article are longer than the model reads"
UNMEASURED = "the model was not measured on marked claims: it gives no verdict"
UNSURE = "the model's score is below that from which it was measured to be right"


class Classifier(Protocol):
    """Scores the labels of pairs."""

    async def scores(self, pairs: Sequence[Pair]) -> list[Scores | None]:
        """For each pair the probability of every label; None for one that is too long."""
        ...


class _Local:
    """A model in a folder, run beside the event loop."""

    def __init__(self, folder: Path) -> None:
        from benchbar.scoring.entailment.folder import EntailmentFolder

        self._model = EntailmentFolder(folder)
        self.digest = self._model.digest

    async def scores(self, pairs: Sequence[Pair]) -> list[Scores | None]:
        return await asyncio.to_thread(self._model.scores, pairs)


class Asking(Protocol):
    """Lends the way out to an endpoint."""

    def pairs(self, endpoint: Endpoint) -> PairClassifier:
        """The model that classifies pairs there."""
        ...


class Entailment:
    """A scorer of claims that stands between rules and judges: what it has no verdict on is left to those."""

    name, compares = NAME, False
    # Like vectors, its scores are of texts and no part of a sample's plan: a judge is planned, and may find nothing left.
    asks: Asks = "never"

    def __init__(self, settings: EntailmentSettings, base: Path, asking: Asking) -> None:
        """Paths in the settings are taken from ``base``.

        Raises:
            UserError: the model or its bounds cannot be read.
        """
        self._settings = settings
        if settings.base_url:
            endpoint = settings.endpoint()
            self._model: Classifier = asking.pairs(endpoint)
            self._by, self.model = endpoint.identity, settings.model
        else:
            local = _Local(base / settings.folder)
            self._model = local
            # Of a folder the weights are what makes it the same model.
            self._by = self.model = f"{settings.model or Path(settings.folder).name}@sha256:{local.digest}"
        self.identity = f"{NAME}:{self._by}"
        self._bounds = read_bounds(base / settings.bounds, self.model) if settings.bounds else None

    async def score(self, given: ScoringInput) -> tuple[CitedIn, ...]:
        """Each open claim's citation with the model's verdict beside it; a verdict that did not come is missing.

        Raises:
            ModelError: the model can never answer.
        """
        checks = await self.checks(given.claims)
        return tuple(beside(claim, check) for claim, check in zip(given.claims, checks, strict=True))

    async def checks(self, claims: Sequence[OpenClaim]) -> list[ClaimCheck]:
        """The model's verdict on each claim.

        Raises:
            ModelError: the model can never answer.
        """
        size = self._settings.batch
        parts = [claims[start : start + size] for start in range(0, len(claims), size)]
        return [check for part in await asyncio.gather(*map(self._part, parts)) for check in part]

    async def scores(self, claims: Sequence[OpenClaim]) -> list[Mapping[str, float] | None]:
        """For each claim the probability of each class of natural language inference; None for one that is too long.

        Raises:
            ModelError: there are none.
            UserError: the model has other classes.
        """
        found = await self._model.scores([_pair(claim) for claim in claims])
        return [None if one is None else self._classes(one) for one in found]

    async def _part(self, claims: Sequence[OpenClaim]) -> list[ClaimCheck]:
        try:
            found = await self.scores(claims)
        except ModelError as error:
            if error.fatal:
                raise
            return [self._check(one, ClaimVerdict.CANNOT_TELL, reason=str(error), failed=True) for one in claims]
        return [self._told(claim, one) for claim, one in zip(claims, found, strict=True)]

    def _told(self, claim: OpenClaim, scores: Mapping[str, float] | None) -> ClaimCheck:
        if scores is None:
            return self._check(claim, ClaimVerdict.CANNOT_TELL, reason=TOO_LONG, abstained=True)
        verdict, score = best(scores)
        entailed = round(scores[LABELS[0]], 4)
        bound = self._bounds.given(verdict, claim.cited.citation.language, score) if self._bounds else None
        if bound is None:
            reason = UNSURE if self._bounds else UNMEASURED
            return self._check(claim, ClaimVerdict.CANNOT_TELL, entailed, reason=reason, abstained=True)
        return self._check(claim, verdict, entailed, precision=bound.precision)

    def _check(
        self,
        claim: OpenClaim,
        verdict: ClaimVerdict,
        probability: float | None = None,
        *,
        reason: str = "",
        failed: bool = False,
        abstained: bool = False,
        precision: Precision | None = None,
    ) -> ClaimCheck:
        return ClaimCheck(
            verdict=verdict,
            by=self._by,
            probability=probability,
            reason=reason,
            failed=failed,
            abstained=abstained,
            precision=precision,
            claim_span=claim.said,
            said=claim.said,
        )

    def _classes(self, scores: Scores) -> dict[str, float]:
        named = {self._settings.labels.get(label, label.lower()): score for label, score in scores.items()}
        if {*named} != {*LABELS} or len(named) != len(scores):
            raise UserError(
                f"the labels of {self._by} are {', '.join(scores)}; expected {', '.join(LABELS)}: say which is which with"
                ' labels = { LABEL_0 = "contradiction", … }'
            )
        return named


def best(scores: Mapping[str, float]) -> tuple[ClaimVerdict, float]:
    """The verdict of the likeliest class, and its probability."""
    label = max(LABELS, key=lambda one: scores[one])
    return _VERDICTS[label], scores[label]


def _pair(claim: OpenClaim) -> Pair:
    """Premise and hypothesis: the cited part of the article, and what is said of it."""
    return without_blanks(claim.article), claim_shown(claim.claim) or without_blanks(claim.claim)
