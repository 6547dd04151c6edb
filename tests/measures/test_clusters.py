"""Samples of one source, document, drafter or template: from the suite to results, comparisons and early stops."""

from __future__ import annotations

import json
import shutil
from math import sqrt

import numpy as np
import pytest
from msgspec import UNSET, structs

import benchbar
from benchbar.artefacts.folder import read_measures
from benchbar.decisions.estimating import Evidence, Marks
from benchbar.decisions.evidence import evidence_of
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import Never, NotWorse, Policy
from benchbar.decisions.regression import Settings, Side, compare
from benchbar.measures.question_answering import AnswerFacts, estimates
from benchbar.records import Measures, Sample
from benchbar.records.base import encode
from benchbar.runs.interim import decided, looks
from benchbar.suites.clusters import clusters_of
from benchbar.suites.load import load
from benchbar.suites.write import write

TWO = {
    "reference": "closed-book",
    "assistants": {"extractive": {"kind": "extractive"}, "closed-book": {"kind": "closed-book"}},
}


def tagged(*tags: str) -> list[Sample]:
    """One sample for each text of tags."""
    return [Sample(id=str(i), task="t", needs="?", tags=tuple(each.split())) for i, each in enumerate(tags)]


def test_samples_belong_together_that_share_a_tag_directly_or_through_others():
    """Two documents of one drafter are one cluster; a sample without a tag stands alone."""
    found = clusters_of(tagged("document:a drafter:x", "document:b drafter:x", "document:b", "document:c", "hard"))
    assert found["0"] == found["1"] == found["2"] != found["3"]
    assert "4" not in found


@pytest.mark.parametrize(
    "tags",
    [
        ("hard", "hard"),
        ("document:a", "document:b"),
        ("document:a", "document:a"),
        ("source:a", "source:a", "source:b", "source:b", "source:c"),
    ],
)
def test_tags_that_tell_nothing_apart_make_no_clusters(tags):
    """Other tags; a document a sample; one for all; fewer than four sources, which are the collections of the suite."""
    assert clusters_of(tagged(*tags)) == {}


def test_four_sources_are_clusters():
    """Samples of one source are alike."""
    found = clusters_of(tagged(*(f"source:{name}" for name in "aabbccdd")))
    assert len(set(found.values())) == 4


def test_samples_that_ask_the_same_are_one_cluster_even_if_all_do():
    """Case, blanks and punctuation do not count; other facts, other instructions and another day make another question."""
    texts = ["How long is the notice?", "how long is the  notice", "How long is the lease?"]
    samples = [Sample(id=str(n), task="t", needs=text) for n, text in enumerate(texts)]
    found = clusters_of([*samples, structs.replace(samples[0], id="3", information="The flat is let for life.")])
    assert found["0"] == found["1"]
    assert set(found) == {"0", "1"}
    told = structs.replace(samples[1], instructions="Answer in one word.")
    assert clusters_of([samples[0], told]) == {}
    assert clusters_of([samples[0], structs.replace(samples[1], on="2020-01-01")]) == {}
    assert len(set(clusters_of(samples[:2]).values())) == 1


def test_a_repeated_question_joins_the_documents_that_ask_it():
    """Samples are connected through questions as through tags."""
    tags = ("document:a", "document:a", "document:b", "document:c")
    questions = ("one", "two", "two", "three")
    samples = [
        Sample(id=str(n), task="t", needs=question, tags=(tag,))
        for n, (tag, question) in enumerate(zip(tags, questions, strict=True))
    ]
    found = clusters_of(samples)
    assert found["0"] == found["1"] == found["2"] != found["3"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The same run of a suite whose samples are of eight documents, and of the suite as it is."""
    folder = tmp_path_factory.mktemp("clusters")
    suite = load("model-jurisdiction-en")
    samples = tuple(
        structs.replace(one, tags=(*one.tags, f"document:{place // 4 % 8}")) for place, one in enumerate(suite.samples)
    )
    write(type(suite)(card=suite.card, tasks=suite.tasks, samples=samples), folder / "suite")
    shutil.copytree(suite.law, folder / "suite" / "law")
    own = {"suite": str(folder / "suite"), "limit": 32, **TWO}
    plain = {"suite": "model-jurisdiction-en", "limit": 32, **TWO}
    return benchbar.run(own, out=folder / "own"), benchbar.run(plain, out=folder / "plain")


def test_a_run_counts_documents_not_samples(runs):
    """Same values, other intervals: each estimate says what its samples are worth; the measures name the document."""
    own, plain = (run.results.assistants["extractive"] for run in runs)
    assert own["turns"].value == plain["turns"].value
    assert own["turns"].unit == "cluster"
    assert own["turns"].effective_n <= own["turns"].n
    assert {one.cluster for one in read_measures(runs[0].folder)} <= {f"document:{i}" for i in range(8)}


def test_a_suite_without_such_tags_writes_what_it_always_wrote(runs):
    """No design effect in what results.json says of the assistants, no cluster in measures.jsonl."""
    # Of the simulated user it says one: the dialogues that two assistants had on one sample are no two trials of him.
    results = json.loads((runs[1].folder / "results.json").read_bytes())
    assert "design_effect" not in json.dumps(results["assistants"])
    assert b"cluster" not in (runs[1].folder / "measures.jsonl").read_bytes()
    assert runs[1].results.assistants["extractive"]["win_rate"].design_effect is UNSET


def sides(shift: dict[str, float]) -> tuple[Side, Side]:
    """40 samples of four documents; the second run differs by the document's shift."""
    first = [
        Measures(sample=f"{name}{i}", assistant="a", task="t", values={"overall": 0.5}, cluster=f"document:{name}")
        for name in shift
        for i in range(10)
    ]
    second = [structs.replace(one, values={"overall": 0.5 + shift[one.sample[0]]}) for one in first]
    return Side("old", first, [], "f"), Side("new", second, [], "f")


def test_a_comparison_flips_whole_documents():
    """Four documents that all gained: with four signs no p-value is below 1/8, however many samples they have."""
    found = compare(*sides({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4}), Settings()).assistants["a"].measures["overall"]
    assert found.p_value == 2 / 2**4
    assert found.difference.value == pytest.approx(0.25)
    assert found.difference.unit == "cluster"
    assert found.difference.effective_n < 10


def test_an_early_stop_asks_clusters_not_samples(runs):
    """Forty wins on four documents tell nothing apart; forty wins on forty do."""
    found, look = runs[0].results, [look for look, _ in looks(load("model-jurisdiction-en"))][-1]
    together = [
        Measures(
            sample=f"s{i}", assistant="extractive", task="t", values={"win_rate": 1.0}, cluster=f"document:{i % 4}"
        )
        for i in range(40)
    ]
    assert not decided(found, together, look)
    assert sqrt(4) < look.boundary < sqrt(40)
    alone = [structs.replace(one, cluster=f"document:{place}") for place, one in enumerate(together)]
    assert decided(found, alone, look)
    assert encode(together[0]) != encode(structs.replace(together[0], cluster=""))


def test_a_gate_bets_on_documents_not_on_samples():
    """Two hundred good answers pass; where they are of eight documents, eight good documents are not enough."""
    policy = Policy(at_least={"overall": 0.85})
    values = {"overall": {f"s{i}": 1.0 for i in range(200)}}
    together = {f"s{i}": f"document:{i % 8}" for i in range(200)}
    assert decide(policy, {"a": Evidence(values)}).decision == "pass"
    found = decide(policy, {"a": Evidence(values, clusters=together)})
    (check,) = found.checks
    assert found.decision == "insufficient_evidence"
    assert check.estimate.unit == "cluster"
    assert check.estimate.effective_n == 8
    (own,) = evidence_of(
        [Measures(sample="s", assistant="a", task="t", values={"overall": 1.0}, cluster="document:1")]
    ).values()
    assert own.clusters == {"s": "document:1"}


def test_a_gate_compares_documents_with_a_baseline_and_weighs_marks_by_documents():
    """The interval of a difference, and that of people's marks, are wider than for independent samples."""
    generator = np.random.default_rng(4)
    gain = np.repeat(generator.uniform(0.0, 0.3, size=8), 25)
    before = {"overall": {f"s{i}": 0.5 for i in range(200)}}
    after = {"overall": {f"s{i}": 0.5 + float(gain[i]) for i in range(200)}}
    together = {f"s{i}": f"document:{i // 25}" for i in range(200)}
    policy = Policy(not_worse=NotWorse(margin=0.02))
    widths = []
    for clusters in ({}, together):
        (check,) = decide(policy, {"a": Evidence(after, clusters=clusters)}, baseline={"a": Evidence(before)}).checks
        widths.append(check.estimate.high - check.estimate.low)
    assert widths[1] > 1.5 * widths[0]
    marks = {"overall": Marks({f"s{i}": 0.9 for i in range(0, 200, 2)}, {f"s{i}": 0.5 for i in range(200)})}
    widths = []
    for clusters in ({}, together):
        (check,) = decide(Policy(at_least={"overall": 0.5}), {"a": Evidence(after, marks, clusters=clusters)}).checks
        widths.append(check.estimate.high - check.estimate.low)
    assert widths[1] > widths[0]


def test_answers_of_one_document_are_one_cluster():
    """Means of question answering count documents; a question of no document stands alone."""
    facts = [
        AnswerFacts(sample=f"q{i}", task="t", said_contexts=True, values={"mrr": 1.0 - 0.1 * (i // 5)})
        for i in range(20)
    ]
    together = {f"q{i}": f"document:{i // 5}" for i in range(15)}
    plain, own = estimates(facts, ["mrr"])["mrr"], estimates(facts, ["mrr"], together)["mrr"]
    assert own.value == plain.value
    assert own.unit == "cluster"
    assert own.high - own.low > plain.high - plain.low


def test_people_above_judges_are_weighed_by_documents():
    """Marks of one contrary document are one unit: they forbid no pass on which twenty others agree."""
    values = {"overall": {f"s{i}": 0.97 for i in range(240)}}
    said = {f"s{i}": 0.0 if i < 60 else 1.0 for i in range(90)}
    marks = {"overall": Marks(said, {f"s{i}": 1.0 if i < 90 else 0.5 for i in range(240)})}
    policy = Policy(at_least={"overall": 0.7}, minimum_marks=1)
    alone = decide(policy, {"a": Evidence(values, marks)}).checks[0]
    one = decide(policy, {"a": Evidence(values, marks, clusters={f"s{i}": "document:x" for i in range(60)})}).checks[0]
    assert alone.decision == "fail"
    assert one.decision == "insufficient_evidence"


def test_clean_answers_about_one_document_rule_out_a_rate_once():
    """Eighty clean dialogues of eight documents are eight clean units: 59 are needed to exclude a rate of 5%."""
    clean = {f"s{n}": 0.0 for n in range(80)}
    policy = Policy(never=(Never("forbidden_said", above=0, bound=0.05),))
    (alone,) = decide(policy, {"a": Evidence({"forbidden_said": clean})}).checks
    together = {sample: f"document:{n % 8}" for n, sample in enumerate(clean)}
    found = decide(policy, {"a": Evidence({"forbidden_said": clean}, clusters=together)})
    (check,) = found.checks
    assert (alone.decision, check.decision) == ("pass", "insufficient_evidence")
    assert found.missing == {check.name: 51}
    assert (check.estimate.n, check.estimate.unit) == (80, "cluster")
    assert check.estimate.high == pytest.approx(1 - 0.05 ** (1 / 8))
