"""The public gold of citations: it can be read, it is large enough, and a program that repeats it has no errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

COURT = Path(__file__).parents[2] / "benchmarks" / "citation_court"


@pytest.fixture
def court(monkeypatch: pytest.MonkeyPatch):
    """The modules of the benchmark, which stand beside one another."""
    monkeypatch.syspath_prepend(str(COURT))
    import court
    import gold
    import programs

    yield court, gold, programs
    for name in ("court", "gold", "programs"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_the_gold_has_at_least_300_passages_a_language_in_two_halves(court, language: str) -> None:
    """Every line has its form, every place lies in its text, and both halves hold every status."""
    _, gold, _ = court
    read = list(gold.passages(language))
    assert len(read) >= 300
    for passage in read:
        assert all(0 <= one.span[0] < one.span[1] <= len(passage.text) for one in passage.cited), passage.key
        assert passage.world in {"real", "model"}
    for held in (False, True):
        cited = [one for passage in read if passage.held is held for one in passage.cited]
        assert {one.status for one in cited} == {"", "invented", "repealed", "elsewhere"}
        assert {"says", "contradicts"} <= {one.claim for one in cited}


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_a_program_that_repeats_the_gold_has_no_errors(court, language: str) -> None:
    """Every measure is 1 for it, and for one that finds nothing recall is 0."""
    scorer, gold, programs = court

    def repeated(passage, _corpus):
        return [
            programs.Found(
                one.span, one.law, one.pinpoint, one.status == "invented", one.status == "repealed", one.claim == "contradicts"
            )
            for one in passage.cited if one.pinpoint
        ]  # fmt: skip

    laws = {f"model-{language}": object()}
    read = list(gold.passages(language))
    counts = scorer.judge(repeated, read, laws, errors=False)
    for measure in ("recall all", "precision all", "accusations right", "inventions found", "contradictions found"):
        assert counts.flags[measure], measure
        assert all(counts.flags[measure]), measure
    nothing = scorer.judge(lambda *_: [], read, laws, errors=False)
    assert not any(nothing.flags["recall all"])
    assert not nothing.flags["precision all"]
