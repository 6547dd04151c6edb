"""`law search`, `law evaluate`, `law train-encoder` and `ask` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbar.cli.ask import command as ask
from benchbar.cli.law_evaluate import command as evaluate
from benchbar.cli.law_search import command as search
from benchbar.cli.law_train_encoder import command as train
from benchbar.law.index import build_index
from benchbar.records.errors import BadInputError, BenchbarError, UserError
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.suites.load import load


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """An index of the bundled jurisdiction."""
    out = tmp_path_factory.mktemp("corpus") / "index"
    build_index([load("model-jurisdiction-zh").law], out)
    return str(out)


def run(command, *arguments: str) -> str:
    """What the command prints on stdout."""
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("retriever", ["learned", "lexical", "tfidf", "lsa"])
def test_search_prints_documents_that_the_corpus_knows(corpus, retriever):
    """Each hit has the fields of the design, its id resolves, and scores do not rise."""
    hits = json.loads(run(search, "试用期最长多久", "--law", corpus, "-k", "4", "--retriever", retriever, "--json"))[
        "hits"
    ]
    assert 0 < len(hits) <= 4
    assert {"id", "law", "article", "case_number", "score", "text"} <= set(hits[0])
    index = CorpusIndex.open(Path(corpus))
    assert all(index.documents_named(hit["id"]) for hit in hits)
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_search_for_people_names_the_law(corpus):
    """Without --json each hit is a citation and the beginning of its text."""
    assert "《劳动契约法》第八条" in run(search, "试用期最长多久", "--law", corpus)


@pytest.mark.parametrize(
    ("query", "jurisdiction", "law"),
    [
        ("How long may probation last?", "Dominion of Ardmere", "Employment Act"),
        ("试用期最长多久", "澜海共和国", "劳动契约法"),
        ("испытательный срок", "Беловодская Федерация", "кодекс"),
    ],
)
def test_without_a_law_the_bundled_one_of_the_questions_language_is_searched(query, jurisdiction, law):
    """A question in English is never asked of Chinese law, and the invented law that is searched is named."""
    result = CliRunner().invoke(search, [query, "-k", "5"], catch_exceptions=False)
    assert jurisdiction in result.stderr.splitlines()[0]
    assert law in result.stdout


def test_a_decision_that_was_set_aside_says_so(tmp_path):
    """For people, in the language of the question, and in JSON, with the number of the decision that did it; articles and other decisions have none."""
    model = Path(__file__).parents[1] / "law" / "model"
    build_index([model], tmp_path / "index")
    shown = run(search, "被告停水停电，原告请求赔偿", "--law", str(tmp_path / "index"), "--on", "any")
    assert "（2022）屿0101民初9号" in shown
    assert "已被（2023）屿01民终3号" in shown
    hits = json.loads(run(search, "被告停水停电", "--law", str(tmp_path / "index"), "--on", "any", "--json"))["hits"]
    assert {hit["overruled_by"] for hit in hits} == {None, "（2023）屿01民终3号"}


def test_law_no_longer_in_force_is_found_only_on_its_day(corpus):
    """A superseded edition is searched for a day on which it held, and not for today."""
    today = run(search, "劳动契约 试用期", "--law", corpus, "-k", "50", "--on", "2026-01-01", "--json")
    then = run(search, "劳动契约 试用期", "--law", corpus, "-k", "50", "--on", "2015-06-01", "--json")
    editions = [{hit["id"].partition("#")[0] for hit in json.loads(text)["hits"]} for text in (today, then)]
    assert "labour-2023" in editions[0] - editions[1]
    assert "labour-2014" in editions[1] - editions[0]


@pytest.fixture
def queries(tmp_path):
    """Three queries: one by id, one by law and article, one without a judgement; a NaN as pandas writes it."""
    rows = [
        '{"query_id": 1, "question": "试用期最长可以约定多久？", "keyword": NaN}',
        '{"query_id": 2, "question": "被公司拖欠工资怎么办"}',
        '{"query_id": 3, "question": "没有人评过的问题"}',
    ]
    (tmp_path / "queries.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    judged = ["1\t0\t劳动契约法第八条\t1", "2\t0\tlabour-2023#19\t1", "2\t0\t劳动契约法第九百条\t1"]
    (tmp_path / "qrels.tsv").write_text("\n".join(judged) + "\n", "utf-8")
    return tmp_path


def test_evaluate_names_documents_by_id_and_by_law_and_article(corpus, queries):
    """Measures are Estimates over judged queries; a document the corpus does not hold counts as not found, and is named."""
    paths = ("--queries", str(queries / "queries.jsonl"), "--qrels", str(queries / "qrels.tsv"))
    result = json.loads(run(evaluate, "--law", corpus, *paths, "--json"))
    assert (result["queries"], result["without_judgements"]) == (3, 1)
    assert result["documents_not_in_corpus"] == ["劳动契约法第九百条"]
    recall = result["recall"]["10"]
    assert (recall["n"], recall["n_missing"], recall["value"]) == (2, 1, 0.75)
    assert set(result) >= {"recall", "mrr", "ndcg", "latency_ms"}
    assert result["latency_ms"]["p95"]["value"] >= result["latency_ms"]["p50"]["value"] > 0


def test_evaluate_takes_the_steps_of_the_search_away_one_by_one(corpus, queries):
    """Each ablation has its measures; practice alone finds none of the articles."""
    paths = ("--queries", str(queries / "queries.jsonl"), "--qrels", str(queries / "qrels.tsv"))
    table = json.loads(run(evaluate, "--law", corpus, *paths, "--ablate", "--json"))["ablations"]
    assert {"full", "no multi-query", "no MMR", "law only", "lexical only", "dense only"} <= set(table)
    assert table["law only"]["recall"]["10"]["value"] == 0.75
    assert table["practice only"]["recall"]["10"]["value"] == 0
    text = run(evaluate, "--law", corpus, *paths, "--ablate")
    assert "no MMR" in text


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("queries.jsonl", '{"query_id": 1}\n', "1: expected an object with query_id"),
        ("queries.jsonl", '{"query_id": 1, "question": "甲"}\n' * 2, "occurs twice"),
        ("queries.jsonl", "\n", "holds no queries"),
        ("qrels.tsv", "1\t0\t法\n", "found 3 columns"),
        ("qrels.tsv", "1\t0\t法\thigh\n", "4 columns"),
    ],
)
def test_a_broken_line_is_named(corpus, queries, file, text, message):
    """File, line and what was expected are said."""
    (queries / file).write_text(text, "utf-8")
    paths = ("--queries", str(queries / "queries.jsonl"), "--qrels", str(queries / "qrels.tsv"))
    with pytest.raises(BadInputError, match=message):
        run(evaluate, "--law", corpus, *paths)


def test_a_trained_encoder_stays_with_the_index(corpus):
    """After training it can be searched by itself."""
    assert json.loads(run(train, "--law", corpus, "--steps", "5", "--json"))["steps"] == 5
    assert json.loads(run(search, "试用期", "--law", corpus, "--retriever", "encoder", "--json"))["hits"]


def test_ask_needs_nothing_but_a_question():
    """Without a corpus the bundled law is asked, and the answer shows its context on request."""
    text = run(ask, "试用期最长可以约定多久？", "--show-context")
    assert "《劳动契约法》第八条" in text
    assert "(law, " in text
    answer = json.loads(run(ask, "试用期最长可以约定多久？", "--form", "trial", "--practice-k", "0", "--json"))
    assert answer["form"] == "trial"
    assert answer["cases"] == []


def test_ask_puts_the_passages_before_a_model_and_pays_once(chat_server, tmp_path):
    """Over HTTP: the rewriting and the answer are one call each, and asked again with the same ledger, none."""
    ledger = str(tmp_path / "ledger.sqlite")
    model = ("--model", "consultant", "--base-url", f"{chat_server.url}/v1", "--rewrite", "--ledger", ledger, "--json")
    before = chat_server.stats()["requests"].get("consultant", 0)
    first = json.loads(run(ask, "试用期最长可以约定多久？", *model))
    assert json.loads(run(ask, "试用期最长可以约定多久？", *model)) == first
    assert chat_server.stats()["requests"]["consultant"] - before == 2
    assert first["generator"].startswith("model:consultant")
    assert first["conclusion"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--model", "m"),
        ("--rewrite",),
        ("--law-k", "0", "--practice-k", "0"),
        ("--on", "yesterday"),
        ("--law", "no/such"),
    ],
)
def test_ask_refuses_what_cannot_be(arguments):
    """The user is told what to change."""
    with pytest.raises(UserError):
        run(ask, "问题", *arguments)


def test_a_folder_without_an_index_is_refused(tmp_path):
    """The message names the folder."""
    with pytest.raises(BenchbarError, match=str(tmp_path)):
        run(search, "问题", "--law", str(tmp_path))


def test_invented_law_is_said_in_the_first_line():
    """In the language of the question; beside JSON on the other stream."""
    assert run(ask, "试用期最长可以约定多久？").splitlines()[0].startswith("虚构的法律：澜海共和国")
