"""Dialogues that are held several times: what is asked anew, what is kept, and how the trials of a sample are put together."""

from __future__ import annotations

import json
from statistics import fmean

import pytest

import benchbar
from benchbar.artefacts.folder import read_measures, read_samples
from benchbar.decisions.evidence import evidence_of
from benchbar.decisions.policy import PassPower, policy_of
from benchbar.ledger import CallRequest
from benchbar.ledger.check import check
from benchbar.measures.values import merged_trials
from benchbar.records import Measures, MissingKind, Turn
from benchbar.records.errors import BadInputError, ChangedRunError, UserError
from benchbar.statistics import betting_interval
from support.run_spec import trials


@pytest.fixture(scope="module")
def thrice(shared_chat_server, tmp_path_factory) -> benchbar.Run:
    """A run of three trials."""
    return benchbar.run(trials(shared_chat_server, repeats=3), out=tmp_path_factory.mktemp("runs") / "r")


def test_the_keys_of_calls_in_ledgers_of_before_are_what_they_were():
    """The index of the first trial is in no request: this key was made when there were no trials."""
    message = (Turn(role="user", content="问"),)
    first = CallRequest(role="judge", sample="s", model="m@u", messages=message, params={"temperature": 0}, repeat=1)
    assert first.key().hex() == "b140fc572d5d3dafe13f974ca48688a7463fd6c6"
    second = CallRequest(
        role="judge", sample="s", model="m@u", messages=message, params={"temperature": 0}, repeat=1, trial=1
    )
    assert second.key() != first.key()


def test_a_run_that_is_repeated_pays_for_its_first_trial_once(chat_server, tmp_path):
    """The second trial sends the very bytes of the first; the first is neither sent again nor different in any file."""
    once = benchbar.run(trials(chat_server), out=tmp_path / "r")
    first = chat_server.stats()
    files = {name: (tmp_path / "r" / f"{name}.jsonl").read_bytes() for name in ("dialogues", "scores", "comparisons")}
    with pytest.raises(ChangedRunError, match="repeats was 1, now 2"):
        benchbar.run(trials(chat_server, repeats=2), out=tmp_path / "r")
    twice = benchbar.run(trials(chat_server, repeats=2), out=tmp_path / "r", accept_changes=True)
    both = chat_server.stats()
    assert all(count < 2 * first["requests"][model] + 30 for model, count in both["requests"].items())
    assert both["requests"]["strong"] == 2 * first["requests"]["strong"]
    assert both["distinct"] < 2 * first["distinct"], "what is asked the second time is what was asked the first time"
    assert {name: (tmp_path / "r" / f"{name}.jsonl").read_bytes() for name in files} == files
    assert twice.results.spending["assistant"].calls > once.results.spending["assistant"].calls
    report = check(tmp_path / "r" / "ledger.sqlite")
    assert (report.ok, report.planned) == (True, 2 * 6 * 6)
    again = benchbar.run(trials(chat_server, repeats=2), out=tmp_path / "r")
    assert again.unchanged
    assert chat_server.stats()["requests"] == both["requests"]


def test_each_trial_is_asked_marked_and_compared_anew(thrice):
    """What a trial left is read like any sample; an assistant that varies says different things in them."""
    samples = list(thrice.samples())
    for sample in samples:
        assert len(sample.trials) == 3
        for trial in sample.trials:
            assert set(trial.dialogues) == {"steady", "varies"}
            assert trial.marks("varies")
            assert len(trial.comparisons("varies")) == 2
    replies = {
        name: [tuple(t.dialogue(name).replies for t in one.trials) for one in samples] for name in ("steady", "varies")
    }
    assert all(len(set(trials)) == 1 for trials in replies["steady"])
    assert any(len(set(trials)) > 1 for trials in replies["varies"])


def test_a_sample_counts_once_with_the_mean_of_its_trials(thrice):
    """The estimate over six samples is the mean of their means, and measures.jsonl keeps every trial beside it."""
    own = [one for one in read_measures(thrice.folder) if one.assistant == "varies"]
    assert len(own) == 6
    for one in own:
        assert len(one.trials) == 3
        for name, value in one.values.items():
            known = [trial[name] for trial in one.trials if trial.get(name) is not None]
            assert value == (pytest.approx(fmean(known)) if known else None)
    for measure in ("point_score", "win_rate"):
        found = thrice.results.assistants["varies"][measure]
        assert found.n == 6
        assert found.value == pytest.approx(fmean(one.values[measure] for one in own))


def test_totals_are_those_of_all_trials(thrice):
    """Spending, failed dialogues and counts of citations are sums over dialogues, not means over samples."""
    kept = [trial for sample in thrice.samples() for trial in sample.trials]
    varies = thrice.results.assistants["varies"]
    assert varies.spending.calls == sum(trial.dialogue("varies").exchanges for trial in kept)
    assert varies.cost == pytest.approx(sum(trial.dialogue("varies").cost for trial in kept))
    assert sum(varies.citations.values()) == sum(len(trial.citations("varies")) for trial in kept)


def test_what_was_recorded_once_is_compared_with_every_trial(shared_chat_server, tmp_path):
    """A recorded reference has one dialogue a sample; each trial of a candidate is held against it."""
    given = trials(shared_chat_server, repeats=3, judge="judge-exact")
    own = benchbar.run(given | {"repeats": 1}, out=tmp_path / "own")
    (tmp_path / "old.jsonl").write_bytes(b"".join(
        json.dumps({"sample": one.id, "turns": [{"role": t.role, "content": t.content} for t in one.dialogue("steady").turns]},
                   ensure_ascii=False).encode() + b"\n" for one in own.samples()
    ))  # fmt: skip
    assistants = {
        "old": {"kind": "recorded", "file": str(tmp_path / "old.jsonl")},
        "varies": given["assistants"]["varies"],
    }
    run = benchbar.run(given | {"assistants": assistants, "reference": "old"}, out=tmp_path / "r")
    sample = next(run.samples())
    assert [set(trial.dialogues) for trial in sample.trials] == [{"old", "varies"}, {"varies"}, {"varies"}]
    assert [len(trial.comparisons("varies")) for trial in sample.trials] == [2, 2, 2]
    assert run.results.assistants["varies"]["win_rate"].n == 6
    assert run.results.assistants["old"]["point_score"] == own.results.assistants["steady"]["point_score"]
    assert check(tmp_path / "r" / "ledger.sqlite").ok


def test_rules_alone_compare_trial_by_trial(shared_chat_server, tmp_path):
    """Without a judge the outcome of a sample is the mean over trials of who met more of the guidance."""
    given = {name: value for name, value in trials(shared_chat_server, repeats=3).items() if name != "judge"}
    run = benchbar.run(given, out=tmp_path / "r")
    own = {one.sample: one for one in read_measures(run.folder) if one.assistant == "varies"}
    steady = {one.sample: one for one in read_measures(run.folder) if one.assistant == "steady"}
    compared = 0
    for name, one in own.items():
        pairs = [(a["point_score"], b["point_score"]) for a, b in zip(one.trials, steady[name].trials, strict=True)]
        outcomes = [0.5 + 0.5 * ((a > b) - (a < b)) for a, b in pairs if a is not None and b is not None]
        assert one.values["win_rate"] == (fmean(outcomes) if outcomes else None)
        compared += bool(outcomes)
    assert run.results.assistants["varies"]["win_rate"].n == compared > 0


def test_a_trial_without_a_value_leaves_its_reason():
    """The mean is of the trials that have a value; whoever may not be misled by the others sees why they have none."""
    one = Measures(sample="s", assistant="a", task="t", values={"point_score": 0.5, "failed": 0.0})
    two = Measures(
        sample="s",
        assistant="a",
        task="t",
        values={"point_score": None, "failed": 1.0},
        missing={"point_score": MissingKind.REFUSED},
    )
    merged = merged_trials((one, two))
    assert merged.values == {"point_score": 0.5, "failed": 0.5}
    assert merged.missing == {"point_score": MissingKind.REFUSED}
    assert merged.trials == (one.values, two.values)
    assert merged_trials((one,)) is one


def test_a_run_of_one_trial_again_leaves_no_trials_behind(shared_chat_server, tmp_path):
    """The file of further trials goes with them: read along with new files, it would belong to nothing."""
    benchbar.run(trials(shared_chat_server, repeats=2), out=tmp_path / "r")
    assert (tmp_path / "r" / "trials.jsonl").is_file()
    benchbar.run(trials(shared_chat_server), out=tmp_path / "r", accept_changes=True)
    assert not (tmp_path / "r" / "trials.jsonl").exists()
    assert all(len(list(one.each())) == 1 for one in read_samples(tmp_path / "r"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"repeats": 0}, "repeats is 0; at least 1"),
        (
            {"repeats": 2, "assistants": {"a": {"kind": "recorded", "file": "a.jsonl"}}, "reference": "a"},
            "cannot be asked again",
        ),
        ({"pass_mark": 0}, "pass_mark is 0"),
    ],
)
def test_repeats_that_cannot_be_are_refused(shared_chat_server, tmp_path, settings, message):
    """With what was expected."""
    with pytest.raises(UserError, match=message):
        benchbar.run(trials(shared_chat_server) | settings, out=tmp_path / "r")


def parts_of(shared_chat_server, folder, judge: str, runs: int) -> dict[str, float | None]:
    """Source to its part of the variance of guidance met, of the assistant that varies."""
    given = trials(shared_chat_server, repeats=3, judge=judge, limit=22)
    run = benchbar.run(given | {"judge": {**given["judge"], "repeats": runs}}, out=folder)
    parts = run.results.repeats.assistants["varies"].parts["point_score"]
    return {source: part.variance.value for source, part in parts.items()}


@pytest.mark.slow
def test_the_variance_of_answers_is_told_apart_from_that_of_the_judge(shared_chat_server, tmp_path):
    """Of an exact judge nothing is noise; of one that wavers most is, and the answers vary as before."""
    exact = parts_of(shared_chat_server, tmp_path / "exact", "judge-exact", 2)
    wavers = parts_of(shared_chat_server, tmp_path / "wavers", "judge-wavers", 2)
    assert exact["judge"] == pytest.approx(0, abs=1e-12)
    assert exact["answer"] > 0.01
    assert wavers["judge"] > 0.01
    assert wavers["answer"] > 0.01


def test_an_assistant_that_says_the_same_has_no_variance_of_answers(shared_chat_server, tmp_path):
    """And one run of a judge in each order cannot be told from the order: the status says so."""
    given = trials(shared_chat_server, repeats=3, judge="judge-exact", limit=8)
    found = benchbar.run(given, out=tmp_path / "r").results.repeats
    steady = found.assistants["steady"].parts["point_score"]["answer"]
    assert steady.variance.value == pytest.approx(0, abs=1e-12)
    assert (steady.variance.low, "no width" in steady.variance.reason) == (None, True)
    judge = found.assistants["varies"].parts["win_rate"]["judge"]
    assert (judge.variance.value, judge.within) == (None, "order")
    assert found.rater.variance.reason == "no two dialogues were marked by two people each"


def test_rules_that_say_the_same_each_time_have_no_part_of_a_judge(shared_chat_server, tmp_path):
    """Without a judge that part is missing, with the reason."""
    given = {name: value for name, value in trials(shared_chat_server, repeats=2).items() if name != "judge"}
    found = benchbar.run(given, out=tmp_path / "r").results.repeats.assistants["varies"].parts["point_score"]["judge"]
    assert found.variance.value is None
    assert "rules alone decided" in found.variance.reason


def test_chances_of_passing_are_those_of_the_kept_trials(thrice):
    """pass@k and pass^k of each sample, averaged: at k = 1 both are the share of trials that pass."""
    rates = thrice.results.repeats.assistants["varies"].passes["point_score"]
    own = [one for one in read_measures(thrice.folder) if one.assistant == "varies"]
    passed = [[trial["point_score"] >= 0.5 for trial in one.trials if trial["point_score"] is not None] for one in own]
    assert (rates.threshold, rates.at_least, len(rates.at)) == (0.5, True, 3)
    assert rates.at[0].value == pytest.approx(fmean(map(fmean, passed)))
    assert rates.power[0].value == pytest.approx(rates.at[0].value)
    assert rates.at[2].value == pytest.approx(fmean(any(of) for of in passed))
    assert rates.power[2].value == pytest.approx(fmean(all(of) for of in passed))
    clean = thrice.results.repeats.assistants["varies"].passes["invented_citation"]
    assert (clean.threshold, clean.at_least) == (0.0, False)


def test_the_threshold_may_change_without_a_call(shared_chat_server, tmp_path):
    """It is no part of what is asked: the same folder is derived anew."""
    low = benchbar.run(trials(shared_chat_server, repeats=2), out=tmp_path / "r").results
    high = benchbar.run(trials(shared_chat_server, repeats=2, pass_mark=1.0), out=tmp_path / "r").results
    assert high.spending == low.spending
    one, other = (of.repeats.assistants["varies"].passes["point_score"] for of in (low, high))
    assert other.power[1].value <= one.power[1].value
    assert other.threshold == 1.0


def test_a_gate_may_ask_that_every_one_of_k_trials_passes(thrice):
    """The interval is the one of all conditions, over the samples' own pass^k; harm passes where there is none."""
    merit = {"measure": "point_score", "at_least": 0.5, "k": 2, "share": 0.9}
    harm = {"measure": "invented_citation", "at_most": 0, "k": 3, "share": 0.2}
    policy = policy_of({"pass_power": [merit, harm], "minimum_n": 2, "rubric": False, "assistant": "varies"})
    checks = {check.measure: check for check in thrice.gate(policy).record.checks}
    own = [one for one in read_measures(thrice.folder) if one.assistant == "varies"]
    chances = [(c * (c - 1)) / 6 for c in (sum(t["point_score"] >= 0.5 for t in one.trials) for one in own)]
    found = checks["pass^2 point_score>=0.5"]
    assert found.threshold == 0.9
    assert found.estimate == betting_interval(chances, confidence=policy.confidence)
    assert checks["pass^3 invented_citation<=0"].decision == "pass"


def test_a_sample_with_a_trial_that_has_no_value_is_missing_for_its_gate():
    """Else its chance would be that of the trials which went well enough to be marked."""
    power = PassPower(measure="point_score", at_least=0.5, k=2, share=0.5)
    trials = ({"point_score": 1.0}, {"point_score": 1.0}, {"point_score": None})
    one = Measures(
        sample="s",
        assistant="a",
        task="t",
        values={"point_score": 1.0},
        missing={"point_score": MissingKind.REFUSED},
        trials=trials,
    )
    own = evidence_of([one], passes=(power,))["a"]
    assert own.values[power.name] == {"s": None}
    assert own.missing[power.name] == {"s": MissingKind.REFUSED}


def test_a_gate_on_more_trials_than_there_are_is_refused_before_the_first_call(chat_server, tmp_path):
    """With the number of repeats that it needs; so are conditions that say nothing."""
    gate = {"pass_power": [{"measure": "point_score", "at_least": 0.5, "k": 3, "share": 0.5}]}
    with pytest.raises(UserError, match="--repeats 3"):
        benchbar.run(trials(chat_server, repeats=2, gate=gate), out=tmp_path / "r")
    assert chat_server.stats()["requests"] == {}
    for wrong in ({"k": 0}, {"share": 1.0}, {"at_most": 0.5}):
        with pytest.raises(BadInputError, match="pass_power, point_score"):
            policy_of({"pass_power": [{**gate["pass_power"][0], **wrong}]})
