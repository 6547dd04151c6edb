"""What repeated dialogues show, as tables that every format lays out: parts of the variance, and how often trials pass."""

from __future__ import annotations

from benchbar.languages.packs import Labels
from benchbar.languages.reasons import reason_in
from benchbar.records import RunResults
from benchbar.records.repeats import PassRates, VariancePart
from benchbar.reports.numbers import plain, rate
from benchbar.reports.rows import TextTable

SOURCES = ("sample", "answer", "order", "judge")
"""Where a value varies, the outermost first; a person who marks stands in a row of its own."""
PLACES = 4
"""Decimals of a variance: of a share it is at most a quarter."""


def repeat_tables(results: RunResults, say: Labels) -> list[TextTable]:
    """Both tables in the language of ``say``; none where each dialogue was held once."""
    if results.repeats is None:
        return []
    return [_parts(results, say), _passes(results, say)]


def _parts(results: RunResults, say: Labels) -> TextTable:
    repeats = results.repeats
    assert repeats is not None  # noqa: S101 - the only caller looked
    rows = [
        (
            f"{name}: {say.name('measure', measure)}",
            *(_part_text(parts[source], say) if source in parts else "–" for source in SOURCES),
        )
        for name, one in repeats.assistants.items()
        for measure, parts in one.parts.items()
    ]
    if repeats.rater is not None:
        rows.append((say("source.rater"), _part_text(repeats.rater, say), *("–" for _ in SOURCES[1:])))
    head = (say("repeats.measure"), *(say(f"source.{source}") for source in SOURCES))
    return TextTable(say("repeats.parts"), head, tuple(rows))


def _part_text(part: VariancePart, say: Labels) -> str:
    if part.within:
        return f"– ({say('repeats.within', source=say.name('source', part.within))})"
    if part.variance.value is None:
        return f"– ({say('repeats.untold', reason=reason_in(part.variance.reason, say.language))})"
    return plain(part.variance, PLACES, language=say.language)


def _passes(results: RunResults, say: Labels) -> TextTable:
    repeats = results.repeats
    assert repeats is not None  # noqa: S101 - the only caller looked
    count = range(1, repeats.trials + 1)
    rows = tuple(
        (f"{name}: {_condition(measure, rates, say)}", *(rate(found, language=say.language) for found in of))
        for name, one in repeats.assistants.items()
        for measure, rates in one.passes.items()
        # At k = 1 both are the share of trials that pass.
        for of in [(rates.at[0], *(two for k in count[1:] for two in (rates.at[k - 1], rates.power[k - 1])))]
    )
    head = (say("repeats.measure"), "pass@1", *(f"pass{sign}{k}" for k in count[1:] for sign in "@^"))
    return TextTable(say("repeats.passes"), head, rows)


def _condition(measure: str, rates: PassRates, say: Labels) -> str:
    side = "at_least" if rates.at_least else "at_most"
    return say(f"repeats.{side}", measure=say.name("measure", measure), threshold=f"{rates.threshold:g}")
