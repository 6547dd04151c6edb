"""Alignment: chosen on one half by cross-validation, reported on the other half alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.artefacts.folder import read_measures, read_results
from benchbar.ledger.opening import open_store
from benchbar.measures.validation.aligning import Labelled, align, folded, halved
from benchbar.measures.validation.verdict_rule import VerdictRule
from benchbar.records.errors import UserError
from benchbar.statistics import OrderedOutcome, averaged
from support.chat_servers import served
from support.in_process import runner
from support.preferring import prefer, preferring_spec


def items(labels: list[str]) -> list[Labelled]:
    return [Labelled(f"k{n}", f"s{n}", f"t{n % 4}", label) for n, label in enumerate(labels)]


def verdicts(values: list[tuple[float | None, float | None]], judge: str = "j") -> dict:
    return {f"k{n}": {judge: OrderedOutcome(*pair)} for n, pair in enumerate(values)}


def test_halves_and_folds_keep_samples_whole_and_strata_alike():
    """Two candidates about one sample never stand in both halves; each task gives half of its samples."""
    twice = [Labelled(f"{n}{who}", f"s{n}", f"t{n % 4}", "tie") for n in range(40) for who in "ab"]
    development, reported = halved(twice, seed=3)
    one, two = ({item.sample for item in part} for part in (development, reported))
    assert not one & two
    assert len(one) == len(two) == 20
    assert [sum(item.stratum == f"t{n}" for item in development) for n in range(4)] == [10] * 4
    parts = folded(development, 5, seed=3)
    assert sorted(item.key for part in parts for item in part) == sorted(item.key for item in development)
    assert all(len({item.sample for item in part}) == 4 for part in parts)
    with pytest.raises(UserError, match="at least 20 are needed"):
        halved(twice[:30], seed=3)


def test_what_is_chosen_among_noise_gains_nothing_where_it_is_reported():
    """Thirty judges of equal worth: the best looks better by cross-validation, and the half that is reported does not say so."""
    generator = np.random.default_rng(11)
    looked, gained = [], []
    for seed in range(60):
        labels = [("better", "worse")[int(x)] for x in generator.integers(0, 2, 60)]
        right = generator.random((31, 60)) < 0.7
        rules = []
        for number, own in enumerate(right):
            said = [1.0 if (label == "better") == bool(hit) else 0.0 for label, hit in zip(labels, own, strict=True)]
            rules.append(VerdictRule(f"c{number}", verdicts([(x, x) for x in said]), ("j",)))
        found = asyncio.run(align(items(labels), rules[0], rules[1:], seed=seed))
        by_name = {one.name: one.agreement.value for one in found.candidates}
        looked.append(by_name[found.chosen] - by_name["c0"])
        gained.append(found.after.value - found.before.value)
        assert found.difference.value == pytest.approx(gained[-1])
    assert np.mean(looked) > 0.1
    assert abs(np.mean(gained)) < 3 * np.std(gained) / len(gained) ** 0.5


def test_a_judge_that_really_is_better_is_found_and_its_gain_is_shown():
    """90% against 60%: chosen, with an interval of the difference above 0."""
    generator = np.random.default_rng(5)
    labels = [("better", "tie", "worse")[int(x)] for x in generator.integers(0, 3, 200)]
    values = {"better": 1.0, "tie": 0.5, "worse": 0.0}

    def rule(name: str, share: float) -> VerdictRule:
        said = [
            values[label] if generator.random() < share else next(x for x in values.values() if x != values[label])
            for label in labels
        ]
        return VerdictRule(name, verdicts([(x, x) for x in said]), ("j",))

    found = asyncio.run(align(items(labels), rule("old", 0.6), [rule("new", 0.9)]))
    assert found.chosen == "new"
    assert found.difference.low > 0
    assert found.p_value < 0.001
    assert found.kappa_after.value > found.kappa_before.value
    assert (found.development, found.reported) == (100, 100)


def test_a_silent_judge_does_not_win_by_silence():
    """An item without a verdict counts as disagreement, and is counted."""
    labels = ["better"] * 40
    speaks = VerdictRule("speaks", verdicts([(1.0, 1.0) if n % 4 else (0.0, 0.0) for n in range(40)]), ("j",))
    silent = VerdictRule("silent", verdicts([(1.0, 1.0) if n % 2 else (None, 1.0) for n in range(40)]), ("j",))
    found = asyncio.run(align(items(labels), speaks, [silent]))
    assert found.chosen == found.baseline == "speaks"
    assert {one.name: one.unread for one in found.candidates}["silent"] > 0
    assert any("nothing to adopt" in note for note in found.notes)


def test_the_margin_is_the_best_of_all_on_the_training_items():
    """No margin on a fine grid fits them better, and of equal ones it is the smallest that does not cross an outcome."""
    generator = np.random.default_rng(8)
    outcomes = generator.choice([0.0, 0.25, 0.4, 0.5, 0.6, 0.75, 1.0], size=(60, 2))
    means = outcomes.mean(axis=1)
    labels = ["tie" if abs(m - 0.5) < 0.21 else "better" if m > 0.5 else "worse" for m in means]
    known = verdicts([(float(a), float(b)) for a, b in outcomes])
    rule = VerdictRule("fit", known, ("j",), margin=None)
    train = items(labels)
    margin = float(rule.fitted(train).removeprefix("tie_margin = "))
    hits = {m: sum(rule.label(item.key, m) == item.label for item in train) for m in np.arange(0, 0.5, 0.005).tolist()}
    assert sum(rule.label(item.key, margin) == item.label for item in train) == max(hits.values()) == 60


def test_orders_panels_and_majorities():
    """One order alone; the mean of judges, or their majority, of which a draw is a tie; a silent judge does not silence others."""
    known = {
        "k": {
            "a": OrderedOutcome(1.0, 0.0),
            "b": OrderedOutcome(1.0, 1.0),
            "c": OrderedOutcome(0.0, 0.0),
            "d": OrderedOutcome(None, 1.0),
        }
    }

    def label(*judges: str, **changes) -> str | None:
        return VerdictRule("x", known, judges, **changes).label("k", 0.0)

    assert (label("a"), label("a", orders="candidate_first"), label("a", orders="reference_first")) == (
        *("tie", "better", "worse"),
    )
    assert label("a", "b") == "better"
    assert label("b", "c", joined="majority") == "tie"
    assert label("b", "b", "c", joined="majority") == "better"
    assert label("d") is None
    assert label("d", "b") == "better"


CANDIDATES = """
[candidates.looks]
model = "judge"
[candidates.examples]
examples = 4
[candidates.wording]
prompts = "wording"
"""


@dataclass(frozen=True)
class Made:
    """A run whose judge looks at positions alone, and what people prefer."""

    folder: Path
    run: Callable


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Iterator[Made]:
    """Three people have compared every pair; the server's judge that looks would agree with them."""
    folder = tmp_path_factory.mktemp("aligned")
    with served() as address, pytest.MonkeyPatch.context() as patch:
        url = f"{address}/v1"
        (folder / "spec.toml").write_text(preferring_spec(url), "utf-8")
        (folder / "wording" / "zh").mkdir(parents=True)
        plain = Path(__file__).resolve().parents[2] / "src/benchbar/languages/zh/prompts/pairwise.md"
        (folder / "wording/zh/pairwise.md").write_text("请仔细比较。\n" + plain.read_text("utf-8"), "utf-8")
        (folder / "candidates.toml").write_text(CANDIDATES, "utf-8")
        run = runner(folder, patch)
        done = run("run", "spec.toml", "--out", "r", "--quiet")
        assert done.code == 0, done.err
        assert run("review", "draw", "r", "--ask", "preferences", "--size", "44").code == 0
        prefer(folder, folder / "r", run)
        yield Made(folder, run)


def test_recorded_verdicts_are_aligned_without_a_call(made):
    """Orders and margins; the judge that names the first dialogue each time is shown for what it is, and nothing is written."""
    done = made.run("align", "r", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)["alignment"]
    assert {one["name"] for one in found["candidates"]} >= {"as it is", "ties within a margin", "candidate first alone"}
    assert found["items"] == 44
    assert not (made.folder / "r/alignment/ledger.sqlite").exists()


def test_candidates_are_asked_through_a_ledger_and_the_budget(made):
    """The judge that looks is found; a second start asks nothing; what is adopted is printed and nothing else changes."""
    before = (made.folder / "r/results.json").read_bytes()
    refused = made.run("align", "r", "--candidates", "candidates.toml", "--max-cost", "0.000001", "--quiet")
    assert refused.code == 1
    assert "budget" in refused.err
    done = made.run("align", "r", "--candidates", "candidates.toml", "--quiet")
    assert done.code == 0, done.err
    assert "* looks" in done.out
    assert 'model = "judge"' in done.out
    found = json.loads((made.folder / "r/alignment/alignment.json").read_text("utf-8"))
    assert found["after"]["value"] == 1
    assert found["difference"]["value"] == pytest.approx(1 - found["before"]["value"])
    calls = count(made, "call")
    again = made.run("align", "r", "--candidates", "candidates.toml", "--quiet")
    assert again.out == done.out
    assert count(made, "call") == calls
    assert (made.folder / "r/results.json").read_bytes() == before
    assert made.run("ledger", "check", "r").code == 0


def count(made: Made, table: str) -> int:
    store = open_store(made.folder / "r/alignment/ledger.sqlite", writable=False, session=False)
    try:
        return next(store.rows(f"SELECT count(*) FROM {table}"))[0]
    finally:
        store.close()


def test_candidates_that_lost_are_never_asked_about_the_half_that_is_reported(made):
    """All 44 pairs in both orders for the chosen one; the 22 to choose by for those with examples and another wording."""
    assert made.run("align", "r", "--candidates", "candidates.toml", "--quiet").code == 0
    # Besides, each endpoint is asked once whether it holds answers to a schema.
    assert count(made, "call") - (44 + 22 + 22) * 2 in range(4)


def test_prompts_with_examples_are_written_for_adoption(made, tmp_path):
    """Where the chosen candidate shows examples, the prompts with them are a folder that a spec can name."""
    (made.folder / "one.toml").write_text('[candidates.shown]\nmodel = "judge"\nexamples = 2\n', "utf-8")
    done = made.run("align", "r", "--candidates", "one.toml", "--out", "shown-prompts", "--quiet")
    assert done.code == 0, done.err
    assert 'prompts = "shown-prompts"' in done.out
    text = (made.folder / "shown-prompts/zh/pairwise.md").read_text("utf-8")
    assert text.count("[[") >= 2
    assert "$nonce" in text


def test_what_cannot_be_aligned_says_why(made):
    """A run without a comparing judge; a candidate with a field that there is none of."""
    (made.folder / "bad.toml").write_text("[candidates.x]\nmodels = 1\n", "utf-8")
    assert "unknown field `models`" in made.run("align", "r", "--candidates", "bad.toml").err
    (made.folder / "named.toml").write_text('[candidates."as it is"]\nmodel = "judge"\n', "utf-8")
    assert "give it another name" in made.run("align", "r", "--candidates", "named.toml").err
    assert "there is no such folder" in made.run("align", "nowhere").err


@given(
    st.lists(st.tuples(st.sampled_from([None, 0.0, 0.5, 1.0]), st.sampled_from([None, 0.0, 0.5, 1.0]))),
    st.floats(0, 0.49),
)
def test_a_tie_margin_turns_means_into_wins_ties_and_losses(pairs, margin):
    """Within it a tie, beyond it a win or a loss; what is missing stays missing, and without a margin the mean counts."""
    outcomes = [OrderedOutcome(*pair) for pair in pairs]
    for mean, found in zip(averaged(outcomes), averaged(outcomes, tie_margin=margin), strict=True):
        if mean is None:
            assert found is None
        elif abs(mean - 0.5) <= margin:
            assert found == 0.5
        else:
            assert found == (mean > 0.5)


def test_a_margin_that_was_adopted_counts_in_results_and_pages(made):
    """A judge that looks and one that names the first each time: their mean of 0.75 is a win without a margin and a tie with 0.3."""
    panel = made.folder.joinpath("spec.toml").read_text("utf-8").replace("limit = 44", "limit = 12")
    url = panel.partition('base_url = "')[2].partition('"')[0]
    panel = panel.replace(
        'model = "judge-first"', f'model = "judge"\npanel = [{{ model = "judge-first", base_url = "{url}" }}]'
    )
    (made.folder / "panel.toml").write_text(panel, "utf-8")
    assert made.run("run", "panel.toml", "--out", "p", "--quiet").code == 0
    plain = read_results(made.folder / "p")
    again = made.run("run", "panel.toml", "--out", "p", "--accept-changes", "--quiet", "--set", "judge.tie_margin=0.3")
    assert again.code == 0, again.err
    adopted = read_results(made.folder / "p")
    assert plain.assistants["strong"].wins > 0
    assert (adopted.assistants["strong"].wins, adopted.assistants["strong"].ties) == (0, 12)
    assert adopted.win_rate("strong").value == 0.5
    assert {one.values["win_rate"] for one in read_measures(made.folder / "p") if one.assistant == "strong"} == {0.5}
    assert adopted.spending == plain.spending
    assert "below 0.5 was expected" in made.run("run", "panel.toml", "--out", "q", "--set", "judge.tie_margin=0.5").err
