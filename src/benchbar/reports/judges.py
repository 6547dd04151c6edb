"""How each judge leans and how often the judges of a panel disagree, as tables and sentences that every format lays out."""

from __future__ import annotations

from collections.abc import Iterator

from benchbar.languages.packs import Labels
from benchbar.languages.reasons import reason_in
from benchbar.measures.health import looker
from benchbar.records import Estimate, RunResults
from benchbar.records.numbers import percent
from benchbar.reports.numbers import rate
from benchbar.reports.rows import TextTable


def judge_tables(results: RunResults, say: Labels) -> list[TextTable]:
    """How each judge that compared treats positions and candidates, and how families; none where nobody compared."""
    if not results.judges:
        return []
    found = [_leans(results, say)]
    if any(lean.families for lean in results.judges.values()):
        found.append(_families(results, say))
    return found


def _leans(results: RunResults, say: Labels) -> TextTable:
    names = dict.fromkeys(name for lean in results.judges.values() for name in lean.won)
    rows = tuple(
        (
            looker(judge, say),
            _text(lean.first, say),
            *(_text(lean.won[name], say) if name in lean.won else "–" for name in names),
        )
        for judge, lean in results.judges.items()
    )
    head = (say("panel.judge"), say("panel.first"), *(say("panel.alone", name=name) for name in names))
    return TextTable(say("panel.leans"), head, rows)


def _families(results: RunResults, say: Labels) -> TextTable:
    rows = tuple(
        (
            looker(judge, say),
            say("panel.own", family=family) if family == lean.family else family,
            _text(of.preferred, say),
            _text(of.beyond, say),
        )
        for judge, lean in results.judges.items()
        for family, of in lean.families.items()
    )
    head = tuple(say(f"panel.{key}") for key in ("judge", "family", "preferred", "beyond"))
    return TextTable(say("panel.families"), head, rows)


def _text(estimate: Estimate, say: Labels) -> str:
    if estimate.value is None:
        return f"– ({reason_in(estimate.reason, say.language)})"
    return rate(estimate, language=say.language)


def _share(estimate: Estimate) -> str:
    """In a sentence: the number with its interval; what the n is worth stands in no table of it."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    return f"{percent(estimate.value)}% [{percent(estimate.low)}, {percent(estimate.high)}]"


def panel_sentences(results: RunResults, say: Labels) -> Iterator[str]:
    """How one value came of several judges, and how often they disagree; nothing where one judge judged alone.

    Runs of before kept no more than how each judge leans.
    """
    if results.panel is None:
        if len(results.judges) > 1:
            yield say("panel.by_mean")
        return
    yield say(f"panel.by_{results.panel.reduction}")
    if results.panel.disagreement:
        told = say("gate_reason.between").join(
            say("panel.of_form", form=say.name("panel_form", form), share=_share(found), n=found.n)
            for form, found in results.panel.disagreement.items()
        )
        yield say("panel.disagree", told=told)
