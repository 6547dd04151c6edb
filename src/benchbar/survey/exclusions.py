"""Which responses count, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchbar.languages.text import comparable
from benchbar.survey.questionnaire import use_cases
from benchbar.survey.records import Excluded, Exclusion, Questionnaire, Response

# Two respondents may both write "contract review"; twenty equal letters with equal ticks are one form sent twice.
TELLING = 20
"""Letters of an open answer that two people do not write alike by chance."""


def sorted_out(
    responses: Sequence[Response],
    questionnaire: Questionnaire,
    *,
    min_minutes: float,
    lines: Mapping[int, int] | None = None,
) -> tuple[list[Response], list[Excluded]]:
    """The valid responses, and the others with their first reason.

    A respondent's first response that nothing else speaks against is the one that counts.
    """
    places = lines or {}
    scenario_of = {id_: scenario for id_, (scenario, _) in use_cases(questionnaire).items()}
    seen: dict[tuple[str, ...], str] = {}
    valid: list[Response] = []
    excluded: list[Excluded] = []
    for place, response in enumerate(responses):
        wrong = next(_faults(response, scenario_of, min_minutes), None) or _seen_before(response, seen)
        if wrong:
            excluded.append(Excluded(response.id, *wrong, places.get(place)))
        else:
            # Only a valid response shuts out later ones: who was refused for haste and answered again is heard.
            seen |= dict.fromkeys(_marks(response), response.id)
            valid.append(response)
    return valid, excluded


def _faults(response: Response, scenario_of: Mapping[str, str], min_minutes: float) -> Iterator[tuple[Exclusion, str]]:
    # None is not refusal: many tables hold only people who agreed, and have no such column.
    if response.consent is False:
        yield Exclusion.NO_CONSENT, "consent was refused"
    if not (response.selected or response.none or response.open.strip()):
        yield Exclusion.EMPTY, "no use case, and no open answer"
    # A survey that shows each scenario its own list cannot bring this about: rows were merged or shifted.
    others = [one for one in response.selected if scenario_of[one] != response.scenario]
    if others:
        yield Exclusion.CONTRADICTORY, f"of the scenario {response.scenario}, but ticked {', '.join(others)}"
    if response.none and response.selected:
        yield (
            Exclusion.CONTRADICTORY,
            f"said that no use case is of interest, and ticked {', '.join(response.selected)}",
        )
    if response.minutes is not None and response.minutes < min_minutes:
        yield Exclusion.TOO_FAST, f"{response.minutes:.3g} minutes; at least {min_minutes:g} were expected"


def _marks(response: Response) -> Iterator[tuple[str, ...]]:
    """What no second response may share: id, respondent, and the same long words with the same ticks."""
    yield ("id", response.id)
    if response.respondent:
        yield ("respondent", response.respondent)
    said = comparable(response.open).text
    if len(said) >= TELLING:
        yield ("open answer and ticks", said, response.scenario, *sorted(response.selected))


def _seen_before(response: Response, seen: Mapping[tuple[str, ...], str]) -> tuple[Exclusion, str] | None:
    for mark in _marks(response):
        if mark in seen:
            # Who that is stays out of reports: it may be a name or an address.
            return Exclusion.DUPLICATE, f"the same {mark[0]} as response {seen[mark]}"
    return None
