"""The offline reviewer: a fitted model, rules, limits, terms and weighed wordings, without any chat model.

The same clause always gets the same review. A clause about which none of the checks has anything to say is *not examined*.
"""

from __future__ import annotations

import time

from benchbar.contracts.checked_findings import findings_of
from benchbar.contracts.clause_checks import Checks, checked
from benchbar.contracts.cues import danger, find_cues, protection
from benchbar.contracts.form import form_words, level_names, write_form
from benchbar.contracts.generation import ReviewRequest
from benchbar.contracts.parse import read_review
from benchbar.contracts.worded_level import PROTECTED, level_of, ruled_level
from benchbar.languages.packs import labels
from benchbar.records import Reply, Usage
from benchbar.records.contracts import RiskLevel


class OfflineReviewer:
    """A generator that needs no model; prompts and repeats change nothing in it."""

    identity = "offline:14"

    async def review(self, request: ReviewRequest) -> Reply:
        """The form filled in from what the checks found; or the statement that none of them examined the clause."""
        began = time.perf_counter()
        text = request.whole or request.text
        checks = checked(request, text)
        if checks.level is None:
            return _reply(_not_examined(request, checks), began)
        return _reply(write_form(findings_of(request, text, checks, checks.level), request.language), began)

    async def reflect(self, request: ReviewRequest, draft: str) -> Reply:
        """The second look: where hand-set weights of the wordings see another level than the first did, it doubts, and changes none."""
        began = time.perf_counter()
        text = request.whole or request.text
        hits = find_cues(text)
        before = read_review(draft).level or RiskLevel.LOW
        weighed = level_of(danger(hits) - PROTECTED * protection(hits))
        after = max(weighed, ruled_level(request.rules, text, request.side), key=lambda one: one.rank)
        # On clauses that nobody had tuned on, the levels it changed were worse twelve times and better nine.
        outcome = "doubtful" if after is not before and hits else "keep"
        words = form_words(request.language)
        level = level_names(request.language)[before]
        reason = f"{danger(hits):g} - {PROTECTED:g} x {protection(hits):g}"
        return _reply(f"outcome: {outcome}\n{words['level']}: {level}\n{words['analysis']}: {reason}", began)


def _not_examined(request: ReviewRequest, checks: Checks) -> str:
    words, say = form_words(request.language), labels(request.language, "contract")
    why = say("offline.suspected" if checks.suspected or checks.hinted else "offline.why_not")
    if checks.others:
        why = f"{say('offline.harms_other', names='; '.join(checks.others))} {why}"
    if checks.elsewhere:
        why = f"{say('offline.other_kind', names='; '.join(checks.elsewhere))} {why}"
    return f"### {words['head']}\n- {words['level']}: {say('offline.not_examined')}\n- {words['analysis']}: {why}"


def _reply(content: str, began: float) -> Reply:
    return Reply(
        content=content,
        usage=Usage(input_tokens=0, output_tokens=0),
        latency=time.perf_counter() - began,
        cost=0.0,
        model="offline",
        finish="stop",
    )
