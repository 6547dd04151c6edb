"""Runs that are not to be believed say so before any figure, and end with exit code 1 where nothing was answered."""

from __future__ import annotations

import json
import random

import pytest

from benchbar.artefacts.folder import read_results
from benchbar.measures.fidelity import ALIGNED, off_guidance
from benchbar.measures.health import finding_text, position_only
from benchbar.records import Estimate
from benchbar.records.results import Fidelity
from benchbar.reports.verdicts import standing
from benchbar.statistics import OrderedOutcome, share

SPEC = """
suite = "model-jurisdiction-zh"
reference = "base"
limit = {limit}
[simulator]
kind = "agenda"
[assistants.base]
kind = "closed-book"
[assistants.candidate]
kind = "{kind}"
{settings}
[judge]
kind = "pairwise"
model = "{judge}"
base_url = "{url}"
"""


def spec(tmp_path, server, judge, *, limit=12, kind="extractive", settings=""):
    text = SPEC.format(url=server.base_url, judge=judge, limit=limit, kind=kind, settings=settings)
    (tmp_path / "spec.toml").write_text(text, "utf-8")
    return "spec.toml"


def drawn(first: float, second: float, seed: int, n: int = 60) -> list[OrderedOutcome]:
    """Verdicts of a judge that names the first or the second of two with these probabilities, whatever they are."""
    chance = random.Random(seed)
    names = [chance.choices("12-", (first, second, 1 - first - second), k=2) for _ in range(n)]
    worth = {"1": 1.0, "2": 0.0, "-": 0.5}
    return [OrderedOutcome(worth[one], 1 - worth[two]) for one, two in names]


@pytest.mark.parametrize(("first", "second"), [(0.5, 0.5), (0.9, 0.1), (0.3, 0.3), (0.7, 0.2)])
def test_a_judge_that_sees_positions_alone_is_found_out(first, second):
    """Nineteen times in twenty, which is what the test's level says."""
    found = sum(position_only(drawn(first, second, seed)) for seed in range(200))
    assert found >= 180


def test_a_judge_that_looks_is_believed_even_if_it_errs():
    """It names the better one nine times in ten, or never changes its mind."""
    chance = random.Random(1)
    better = [OrderedOutcome(*(float(chance.random() < 0.9) for _ in range(2))) for _ in range(60)]
    assert not position_only(better)
    assert not position_only([OrderedOutcome(1.0, 1.0)] * 6)
    assert not position_only([OrderedOutcome(1.0, 0.0)] * 4)


def test_no_winner_is_shown_by_a_rate_that_is_not_believed():
    """The figure stays, with the reason."""
    rate = Estimate(value=0.7, low=0.6, high=0.8, n=60)
    assert standing(rate) == "better"
    assert standing(Estimate(value=0.7, low=0.6, high=0.8, n=60, reason="by chance")) == "undefined"


def test_a_judge_that_cannot_be_read_stops_the_run(benchbar, chat_server, tmp_path):
    """After twenty verdicts, with an answer quoted; with --keep-going the banner stands first, everywhere."""
    name = spec(tmp_path, chat_server, "judge-mute")
    stopped = benchbar("run", name, "--out", "r", "--quiet", "--no-preflight")
    assert stopped.code == 1
    assert "judge-mute" in stopped.err
    assert "两份记录各有长处" in stopped.err
    done = benchbar("run", name, "--out", "r", "--quiet", "--keep-going")
    assert done.code == 1
    assert done.out.startswith("NOT TO BE RELIED ON: judge judge-mute@")
    folder = tmp_path / "r"
    results = json.loads((folder / "results.json").read_text("utf-8"))
    assert [(one["slug"], one["fatal"]) for one in results["health"]] == [("failed", True)]
    for file in ("failures.json", "comparisons.jsonl", "report.html"):
        assert "两份记录各有长处" in (folder / file).read_text("utf-8"), file


def test_a_judge_that_names_the_first_shows_no_winner(benchbar, chat_server, tmp_path):
    """Every verdict changes with the order; the terminal says so first and prints no triangle."""
    done = benchbar("run", spec(tmp_path, chat_server, "judge-first"), "--out", "r", "--quiet")
    assert done.code == 0
    assert "change places" in done.out.splitlines()[0] + done.out.splitlines()[1]
    assert "▲ 5" not in done.out
    assert "– 50.0" in done.out


def test_an_assistant_that_never_answered_ends_with_an_error(benchbar, chat_server, tmp_path):
    """The endpoint's own words are quoted: nobody should have to look for them in a file."""
    settings = f'model = "no-quota"\nbase_url = "{chat_server.base_url}"\ntries = 1'
    name = spec(tmp_path, chat_server, "judge", limit=2, kind="openai", settings=settings)
    done = benchbar("run", name, "--out", "r", "--quiet")
    assert done.code == 1
    assert "assistant candidate: all 2 dialogues failed" in done.out.splitlines()[0]
    assert "You exceeded your current quota" in done.err


def test_a_panel_compares_and_its_disagreement_goes_to_people(benchbar, chat_server, tmp_path):
    """The rate is the mean of both judges; results say how each leans, and the one that names the first is seen."""
    name = spec(tmp_path, chat_server, "judge", limit=6)
    with (tmp_path / name).open("a", encoding="utf-8") as file:
        file.write(f'panel = [{{ model = "judge-first", base_url = "{chat_server.base_url}" }}]\n')
    done = benchbar("run", name, "--out", "r", "--quiet")
    assert done.code == 0, done.err
    results = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))
    leans = {judge.partition("@")[0]: of for judge, of in results["judges"].items()}
    assert leans["pairwise:judge-first"]["first"]["value"] == 1
    assert leans["pairwise:judge-first"]["won"]["candidate"]["value"] == 0.5
    own = leans["pairwise:judge"]["won"]["candidate"]["value"]
    assert results["assistants"]["candidate"]["measures"]["win_rate"]["value"] == pytest.approx((own + 0.5) / 2)
    assert results["review"]["panel"] >= 1


def looked(by: str, first: list[bool], later: list[bool]) -> Fidelity:
    """A looker's shares of aligned turns."""
    return Fidelity(by=by, first=share(first), later=share(later), errors={})


def test_a_user_that_surely_went_astray_is_a_finding_and_one_that_may_have_is_none():
    """The whole interval has to lie below the limit; of first and later turns the worse is said, once for each looker."""
    good, bad = [True] * 40, [True] * 20 + [False] * 20
    assert not list(off_guidance([looked("rules", good, good)], ALIGNED))
    assert not list(off_guidance([looked("rules", [True, False], good)], ALIGNED))
    assert not list(off_guidance([looked("rules", bad, good)], 0.0))
    (found,) = off_guidance([looked("rules", good, bad), looked("fidelity:j", good, good)], ALIGNED)
    assert (found.slug, found.who, found.fatal) == ("fidelity", "rules", False)
    assert "50.0% of its later turns" in found.message
    assert "at least 90%" in found.message
    assert "后续轮次中有 50.0%" in finding_text(found, "zh")


def test_a_run_whose_user_went_astray_says_so_first_and_no_gate_passes_on_it(benchbar, chat_server, tmp_path):
    """The judge of the user's turns sees every third turn off; the same run with a lower limit passes its gate."""
    name = spec(tmp_path, chat_server, "judge", limit=12)
    file = tmp_path / name
    text = file.read_text("utf-8").replace('kind = "pairwise"', 'kind = ["pairwise", "fidelity"]')
    text = text.replace(
        '[simulator]\nkind = "agenda"', f'[simulator]\nkind = "llm"\nmodel = "sim"\nbase_url = "{chat_server.base_url}"'
    )
    gate = "[gate]\nminimum_n = 5\nrubric = false\nat_most = { failed = 0.9 }\n"
    file.write_text(f"{text}{gate}[health]\naligned = 1.0\n", "utf-8")
    done = benchbar("run", name, "--out", "r", "--quiet")
    results = read_results(tmp_path / "r")
    (found,) = [one for one in results.health if one.slug == "fidelity"]
    assert found.who.startswith("fidelity:judge@")
    assert results.gate.decision == "insufficient_evidence", done.out
    assert all(check.decision == "pass" for check in results.gate.checks)
    first = " ".join(done.out.split())
    assert first.index("NOT TO BE RELIED ON: simulated user") < first.index("Dialogues")
    assert "are true to their person" in first
    assert "忠于其角色" in (tmp_path / "r" / "report.html").read_text("utf-8")
    lower = benchbar("run", name, "--out", "r", "--quiet", "--set", "health.aligned=0.1")
    assert lower.code == 0, lower.err
    assert read_results(tmp_path / "r").gate.decision == "pass"
    assert "expected, 0 for no limit" in benchbar("run", name, "--out", "q", "--set", "health.aligned=1.5").err


def test_no_gate_passes_on_the_word_of_a_judge_that_failed_its_trial(benchbar, chat_server, tmp_path):
    """All conditions pass, and the stored run's gate is asked again: not yet, in the reader's language."""
    name = spec(tmp_path, chat_server, "judge-even", limit=12)
    file = tmp_path / name
    gate = "[gate]\nminimum_n = 5\nrubric = false\nat_most = { failed = 0.9 }\n"
    file.write_text(f"{file.read_text('utf-8')}{gate}", "utf-8")
    benchbar("run", name, "--out", "r", "--quiet")
    results = read_results(tmp_path / "r")
    assert [one.slug for one in results.health if one.slug == "trial"] == ["trial"]
    assert all(check.decision == "pass" for check in results.gate.checks)
    assert results.gate.decision == "insufficient_evidence"
    asked = benchbar("gate", "r", "--full", "--language", "zh")
    assert asked.code == 4
    assert "judge-even 在试验中没有认为预期答案优于空泛的话" in " ".join(asked.out.split())
