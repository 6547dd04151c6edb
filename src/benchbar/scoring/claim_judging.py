"""A model's verdicts beside the citations of one text, outside of a run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchbar.clients.session import blocking, open_session
from benchbar.languages.prompts import Prompts
from benchbar.languages.text import detect_language
from benchbar.law.claims.opened import open_claim
from benchbar.law.corpus import Corpus
from benchbar.records import Citation, CitedIn, fingerprint
from benchbar.scoring.entailment.checking import Entailment
from benchbar.scoring.entailment.leaving import left_open
from benchbar.scoring.entailment.settings import read_settings
from benchbar.scoring.judges.support import Support, beside, merged

if TYPE_CHECKING:
    from benchbar.clients import Endpoint


async def _judged(
    text: str,
    found: Sequence[Citation],
    law: Corpus,
    endpoint: Endpoint | None,
    *,
    entailment: Path | None = None,
    ledger: Path | None = None,
    max_cost: float | None = None,
) -> tuple[Citation, ...]:
    language = detect_language(text)
    cited = [CitedIn(sample="", assistant="", turn=0, on="", citation=one) for one in found]
    claims = tuple(claim for one in cited if (claim := open_claim(text, one, law)) is not None)
    if not claims:
        return tuple(found)
    judged: list[CitedIn] = []
    async with open_session(ledger, max_cost=max_cost) as session:
        if entailment is not None:
            settings, base = read_settings(entailment)
            checks = await Entailment(settings, base, session).checks(claims)
            judged += [beside(claim, check) for claim, check in zip(claims, checks, strict=True)]
            claims = left_open(claims, judged)
        if endpoint is not None:
            judge = Support(session.chat(endpoint), Prompts(nonce=session.ledger.nonce))
            # The same text asks the same, wherever it comes from: a second look costs nothing.
            checks = await asyncio.gather(
                *(judge.judge(one, of=fingerprint(text), language=language) for one in claims)
            )
            judged += [beside(claim, check) for claim, check in zip(claims, checks, strict=True)]
    return tuple(one.citation for one in merged(cited, judged))


@blocking(_judged)
def judged_citations(found: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """The citations of a text, each with what models say of its claim where rules leave it open.

    Args:
        text: that cites.
        found: its citations, held against the law.
        law: with the articles.
        endpoint: the chat model that is asked; None asks none.
        entailment: settings or folder of a model of natural language inference that is asked before.
        ledger: a file that keeps the calls, so that none is paid twice; left out, they are forgotten.
        max_cost: hard budget in the currency of the prices.

    Raises:
        ModelError: the model can never answer.
        UserError: the settings do not fit.
    """
    return found
