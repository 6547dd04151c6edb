"""Runs over questions from the command line, with a judge behind a real HTTP server and without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchbar.artefacts.folder import read_results
from benchbar.ledger.check import check
from benchbar.reports.tables import as_csv, as_markdown

SPEC = """
suite = "asked"
law = "{law}"
on = "2024-06-01"
reference = "consultant"

[assistants.consultant]
kind = "law-practice"
corpus = "{law}"
on = "2024-06-01"

[assistants.quoting]
kind = "extractive"
corpus = "{law}"
on = "2024-06-01"

[assistants.closed]
kind = "closed-book"
"""
SERVICE = """
[assistants.service]
kind = "http"
url = "{url}/ask"
body = {{ input = {{ q = "{{question}}" }} }}
answer = "data.answers.0.text"
contexts = "data.found"
headers_env = {{ X-Key = "SERVICE_KEY" }}
"""
JUDGE = """
[judge]
kind = ["rag"]
model = "{model}"
base_url = "{url}"
repeats = {repeats}
attempts = 2
[judge.rag]
questions = 3
similarity = "terms"
"""


def spec(folder: Path, law: Path, judge: str = "") -> str:
    (folder / "spec.toml").write_text(SPEC.format(law=law) + judge, "utf-8")
    return "spec.toml"


def rows(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_without_a_judge_passages_are_measured_against_the_evidence(benchbar, chat_server, asked, law, tmp_path):
    """One exchange a question, no simulated user; who does not say what it read from is missing, not zero."""
    file = spec(tmp_path, law, SERVICE.format(url=chat_server.url))
    done = benchbar("run", file, "--out", "r", "--json", env={"SERVICE_KEY": "s3cret"})
    assert done.code == 0, done.err
    results = json.loads(done.out)
    assert results["simulator"] == "question"
    rag = results["rag"]
    assert (rag["questions"], rag["with_reference"], rag["with_evidence"], rag["judge"]) == (3, 1, 2, "")
    found = rag["assistants"]["consultant"]
    assert found["judged"] == {}
    assert (found["retrieval"]["recall@5"]["n"], found["retrieval"]["recall@5"]["n_missing"]) == (2, 0)
    assert set(found["retrieval"]) >= {"recall@1", "mrr", "ndcg@10", "map", "span_precision", "span_recall"}
    service = rag["assistants"]["service"]
    assert (service["with_contexts"], service["retrieval"]["mrr"]["value"]) == (3, 1.0)
    closed = rag["assistants"]["closed"]
    assert closed["with_contexts"] == 0
    assert (closed["retrieval"]["mrr"]["value"], closed["retrieval"]["mrr"]["n_missing"]) == (None, 2)
    assert results["assistants"]["consultant"]["measures"]["satisfied"]["value"] is None
    dialogues = rows(tmp_path / "r" / "dialogues.jsonl")
    assert all([turn["role"] for turn in one["turns"]] == ["user", "assistant"] for one in dialogues)
    contexts = [one["contexts"] for one in dialogues if one["assistant"] == "quoting"]
    assert any(contexts)
    assert all(set(passage) == {"id", "text"} for found in contexts for passage in found)
    assert rows(tmp_path / "r" / "rag.jsonl") == []


def test_the_judge_measures_answers_and_every_call_is_in_the_ledger(benchbar, chat_server, asked, law, tmp_path):
    """Two repeats are calls of their own; replay costs nothing and gives the same bytes; tables and report show it."""
    judge = JUDGE.format(model="judge", url=chat_server.base_url, repeats=2)
    arguments = ("run", spec(tmp_path, law, judge), "--out", "r")
    shown = benchbar(*arguments)
    assert shown.code == 0, shown.err
    assert "faithfulness" in shown.out
    assert "Win rate" not in shown.out
    results = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))
    quoting = results["rag"]["assistants"]["quoting"]["judged"]
    assert quoting["faithfulness"]["n"] == 3
    assert quoting["answer_relevancy"]["n"] == 2
    assert quoting["context_recall"] | {"value": None} == quoting["context_recall"] | {
        "value": None,
        "n": 1,
        "n_missing": 1,
    }
    assert quoting["right_abstention"]["n"] == 1
    closed = results["rag"]["assistants"]["closed"]["judged"]
    assert closed["faithfulness"]["value"] is None
    assert closed["right_abstention"]["value"] == 1
    scores = rows(tmp_path / "r" / "rag.jsonl")
    assert {score["repeat"] for score in scores} == {0, 1}
    assert all((score["value"] is None) == (score["status"] != "scored") for score in scores)
    before = chat_server.stats()
    assert before["served_twice"] > 0, "the repeats send the same text, and are sent"
    first = (tmp_path / "r" / "results.json").read_bytes()
    assert benchbar(*arguments, "--json").out.encode() == first
    assert chat_server.stats()["requests"] == before["requests"]
    assert check(tmp_path / "r" / "ledger.sqlite").ok
    found = read_results(tmp_path / "r")
    assert "| faithfulness |" in as_markdown(found)
    assert "question_answering" in as_csv(found)
    assert "忠实度" in (tmp_path / "r" / "report.html").read_text("utf-8")


def test_a_judge_that_says_nothing_readable_leaves_measures_missing(benchbar, chat_server, asked, law, tmp_path):
    """Asked as often as the spec allows, then failed; never zero."""
    judge = JUDGE.format(model="judge-mute", url=chat_server.base_url, repeats=1)
    quoting = f"[assistants.quoting]\nkind = 'extractive'\ncorpus = '{law}'\non = '2024-06-01'\n"
    (tmp_path / "spec.toml").write_text(f"suite = 'asked'\n{quoting}{judge}", "utf-8")
    done = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert done.code == 0, done.err
    judged = json.loads(done.out)["rag"]["assistants"]["quoting"]["judged"]
    assert judged["answer_relevancy"]["value"] is None
    assert judged["answer_relevancy"]["n_missing"] == 2
    failed = [score for score in rows(tmp_path / "r" / "rag.jsonl") if score["status"] == "failed"]
    assert all("2 answers" in score["reason"] for score in failed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('suite = "model-jurisdiction-zh"\n', "question_answering"),
        ('suite = "asked"\n[judge.rag]\ncolour = "red"\n', "judge.rag"),
        ('suite = "asked"\n[judge.rag]\nweights = [0.0, 0.0]\n', "weights"),
    ],
)
def test_a_spec_that_cannot_be_measured_is_refused(benchbar, asked, tmp_path, text, message):
    """The wrong protocol, an unknown setting, weights that weigh nothing."""
    head, _, rag = text.partition("[judge.rag]")
    judge = '[judge]\nkind = "rag"\nmodel = "judge"\nbase_url = "http://127.0.0.1:9/v1"\n'
    rag = f"[judge.rag]{rag}" if rag else ""
    (tmp_path / "spec.toml").write_text(f"{head}[assistants.a]\nkind = 'closed-book'\n{judge}{rag}", "utf-8")
    done = benchbar("run", "spec.toml", "--out", "r")
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_ablation_measures_every_variant_on_the_same_questions(benchbar, asked, law, tmp_path):
    """Variants in rows, paired differences from the reference; the same command again gives the same bytes."""
    (tmp_path / "spec.toml").write_text(
        f"""
name = "steps"
kind = "question-answering"
suite = "asked"
corpus = "{law}"
reference = "full"
[assistant]
kind = "law-practice"
corpus = "{law}"
on = "2024-06-01"
[variants.full]
[variants."law only"]
"retrieval.stores" = ["law"]
[variants."no thresholds"]
"retrieval.thresholds" = false
"retrieval.familiarity" = false
""",
        "utf-8",
    )
    done = benchbar("ablate", "spec.toml", "--out", "a", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert [one["name"] for one in found["variants"]] == ["full", "law only", "no thresholds"]
    assert {one["name"] for one in found["contrasts"][0]["pairs"]} == {"law only - full", "no thresholds - full"}
    assert all("recall@5" in one for one in found["results"].values())
    assert "| full |" in (tmp_path / "a" / "report.md").read_text("utf-8")
    assert "<svg" in (tmp_path / "a" / "report.html").read_text("utf-8")
    assert benchbar("ablate", "spec.toml", "--out", "a", "--json").out == done.out


def test_the_bundled_retrieval_ablation_takes_away_each_step():
    """Its variants are those that the settings of a search name, and the consultant without its last step."""
    from msgspec import convert

    from benchbar.assistants.law_practice import RetrievalSettings
    from benchbar.measures.ablation import read_variants
    from benchbar.retrieval.settings import ablations
    from benchbar.runs.ablation_spec import read_ablation
    from benchbar.runs.spec_reading import settings_with

    spec, _ = read_ablation("rag-retrieval", {})
    wanted = ablations(RetrievalSettings()) | {"no cited articles": RetrievalSettings(cited=0)}
    variants = {one.name: one for one in read_variants(spec.varied())}
    assert set(variants) == set(wanted)
    for name, variant in variants.items():
        made = settings_with(spec.assistant, variant.switches).get("retrieval", {})
        assert convert(made, RetrievalSettings) == wanted[name]


def test_recorded_answers_of_one_assistant_have_figures_and_no_simulated_user(benchbar, tmp_path):
    """Markdown and LaTeX show the measures of dialogues where passages have none, and nobody is told to run it again."""
    table = tmp_path / "questions.csv"
    table.write_text(
        "question,guidance,answer:a\nHow long is the notice?,Must mention: thirty days,Thirty days.\n", "utf-8"
    )
    folder = str(tmp_path / "run")
    assert benchbar("run", str(table), "--out", folder, "--quiet").code == 0
    assert "| exchanges | 1.00" in benchbar("report", folder, "--format", "md").out
    assert r"\begin{tabular}" in benchbar("report", folder, "--format", "latex").out
    told = benchbar("validate", folder).out
    assert "this run had no simulated user" in " ".join(told.split())
    assert "rerun the `benchbar run`" not in told


EMBEDDED = """
[judge]
kind = ["rag"]
model = "judge"
base_url = "{url}"
attempts = 2
[judge.rag]
questions = 3
embeddings = {{ model = "{model}", base_url = "{url}", query_prefix = "query: "{more} }}
"""
QUOTING = "suite = 'asked'\n[assistants.quoting]\nkind = 'extractive'\ncorpus = '{law}'\non = '2024-06-01'\n"


def embedded(benchbar, server, law, folder, model="embed", more="", *arguments):
    judge = EMBEDDED.format(url=server.base_url, model=model, more=more)
    (folder / "spec.toml").write_text(QUOTING.format(law=law) + judge, "utf-8")
    return benchbar("run", "spec.toml", "--out", "r", "--json", *arguments)


def test_an_embedding_model_at_an_endpoint_compares_what_texts_mean(benchbar, chat_server, asked, law, tmp_path):
    """Relevancy and correctness have values, each comparison is one paid call of the ledger, and every output names the encoder."""
    done = embedded(benchbar, chat_server, law, tmp_path, "embed", ", price = { input = 2.0, output = 0.0 }")
    assert done.code == 0, done.err
    rag = json.loads(done.out)["rag"]
    judged = rag["assistants"]["quoting"]["judged"]
    assert judged["answer_relevancy"]["n"] == 2
    assert judged["answer_correctness"]["n"] == 1
    scores = rows(tmp_path / "r" / "rag.jsonl")
    alike = [one["value"] for score in scores for one in score["verdicts"] if one.get("reason") == "similarity"]
    assert len(alike) == 1
    assert 0 < alike[0] < 1
    assert rag["compared_by"].startswith(f"embeddings embed@{chat_server.base_url}")
    spent = json.loads(done.out)["spending"]["embedder"]
    assert spent["calls"] == chat_server.stats()["requests"]["embed"] == 3
    assert spent["cost"] > 0
    before = chat_server.stats()["requests"]
    again = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert (again.out, chat_server.stats()["requests"]) == (done.out, before)
    assert check(tmp_path / "r" / "ledger.sqlite").ok
    assert "由embeddings embed@" in (tmp_path / "r" / "report.html").read_text("utf-8")
    shown = " ".join(benchbar("run", "spec.toml", "--out", "r").out.split())
    assert "what texts mean is compared by embeddings embed@" in shown


@pytest.mark.parametrize("model", ["embed-short-of-one", "embed-nothing", "embed-zeros"])
def test_what_an_encoder_gives_wrongly_leaves_measures_missing_with_the_cause(
    benchbar, chat_server, asked, law, tmp_path, model
):
    """Too few vectors, no numbers, nothing but zeros: failed and never 0; what needs no encoder is measured all the same."""
    done = embedded(benchbar, chat_server, law, tmp_path, model, ", tries = 1")
    assert done.code == 0, done.err
    judged = json.loads(done.out)["rag"]["assistants"]["quoting"]["judged"]
    assert (judged["answer_relevancy"]["value"], judged["answer_relevancy"]["n_missing"]) == (None, 2)
    assert judged["faithfulness"]["n"] == 3
    failed = [one for one in rows(tmp_path / "r" / "rag.jsonl") if one["measure"] == "answer_correctness"]
    assert any(one["status"] == "failed" and "embedding" in one["reason"] for one in failed)


def test_an_answer_too_long_for_the_encoder_is_compared_by_its_beginning_and_says_so(
    benchbar, chat_server, asked, law, tmp_path
):
    """A figure over a part of an answer does not stand as one over all of it."""
    done = embedded(benchbar, chat_server, law, tmp_path, "embed-short")
    assert done.code == 0, done.err
    (correct,) = [
        one
        for one in rows(tmp_path / "r" / "rag.jsonl")
        if one["measure"] == "answer_correctness" and one["status"] == "scored"
    ]
    assert "its beginning alone was compared" in correct["reason"]


def test_a_dry_run_counts_the_requests_for_vectors_and_prices_them(benchbar, chat_server, asked, law, tmp_path):
    """A role of its own beside the judge's, and nothing is sent."""
    more = ", price = { input = 2.0, output = 0.0 }"
    done = embedded(benchbar, chat_server, law, tmp_path, "embed", more, "--dry-run")
    assert done.code == 0, done.err
    (role,) = [one for one in json.loads(done.out)["roles"] if one["role"] == "similarity"]
    assert (role["model"], role["calls"]) == ("embed", 6)
    assert role["cost"] > 0
    assert chat_server.stats()["requests"] == {}


@pytest.mark.parametrize(
    ("rag", "message"),
    [
        ('similarity = "http://127.0.0.1:9/v1"', "judge.rag.embeddings = { model ="),
        (
            'similarity = "terms"\nembeddings = { model = "m", base_url = "http://127.0.0.1:9/v1" }',
            "expected one of them",
        ),
        ('embeddings = { model = "m", colour = 1 }', "embeddings: Object contains unknown field `colour`"),
        ('embeddings = { base_url = "http://127.0.0.1:9/v1" }', "model"),
    ],
)
def test_an_encoder_that_cannot_be_meant_is_refused_with_the_cure(benchbar, asked, tmp_path, rag, message):
    """An address where a model's name belongs, two encoders at once, an unknown field, no model."""
    judge = '[judge]\nkind = "rag"\nmodel = "judge"\nbase_url = "http://127.0.0.1:9/v1"\n'
    text = f"suite = 'asked'\n[assistants.a]\nkind = 'closed-book'\n{judge}[judge.rag]\n{rag}\n"
    (tmp_path / "spec.toml").write_text(text, "utf-8")
    done = benchbar("run", "spec.toml", "--out", "r")
    assert done.code == 2
    assert message in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_texts_are_sent_to_an_encoder_elsewhere_only_where_that_is_allowed(benchbar, asked, law, tmp_path):
    """``--local-only`` names the encoder's host among those that would be sent something."""
    judge = EMBEDDED.format(url="http://127.0.0.1:9/v1", model="m", more="").replace(
        'base_url = "http://127.0.0.1:9/v1", query', 'base_url = "https://vectors.example/v1", query'
    )
    (tmp_path / "spec.toml").write_text(QUOTING.format(law=law) + judge, "utf-8")
    done = benchbar("run", "spec.toml", "--out", "r", "--local-only")
    assert done.code == 2
    assert "vectors.example: questions, answers and reference answers (similarity)" in " ".join(done.err.split())
