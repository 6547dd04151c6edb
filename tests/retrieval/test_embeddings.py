"""The retriever ``embeddings``: an embedding model behind a real server, right, wrong and out of order."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from benchbar.clients.endpoint import Price
from benchbar.clients.session import open_session
from benchbar.records import Piece
from benchbar.records.errors import BadInputError, BudgetExhaustedError, ModelError, UserError
from benchbar.retrieval.embedded import dense_signals
from benchbar.retrieval.embedded_lines import HeldLines
from benchbar.retrieval.embedding import ADDRESS, EmbeddingSettings, EndpointEmbedder, read_settings
from benchbar.retrieval.index import Index
from benchbar.retrieval.kept_vectors import KeptVectors
from benchbar.retrieval.passages import LEAST_PASSAGES
from benchbar.retrieval.settings import RetrievalSettings
from benchbar.retrieval.store import Store
from retrieval.test_subject_index import QUESTION as QUESTION_RU
from retrieval.test_subject_index import code

QUESTION = "朋友的自行车被我弄坏了怎么办"
"""In words that the articles do not have: 三轮车 and 毁损 are what the model knows."""


def settings(server, **more) -> EmbeddingSettings:
    """An embedding model of the test server."""
    return EmbeddingSettings(**{"model": "embed", "base_url": server.base_url, "tries": 2, **more})


def found(index: Index, embedder: EndpointEmbedder, question: str = QUESTION, k: int = 3, store: str = "practice"):
    """Positions in their order."""
    return [one.position for one in index.retriever(store, "embeddings", embedder=embedder).search([question], k)[0]]


def test_what_the_model_knows_is_found_where_no_word_is_shared(chat_server, decisions):
    """A question without one word of the corpus is answered all the same, and one in other words by the right decision."""
    index = Index({"practice": decisions})
    assert index.retriever("practice", "lexical").search(["弄坏"], 3) == [[]]
    assert found(index, EndpointEmbedder(settings(chat_server)), "弄坏")
    assert found(index, EndpointEmbedder(settings(chat_server)), "弄坏自行车")[0] == 0


def test_vectors_are_kept_and_asked_for_once(chat_server, statutes, tmp_path):
    """A second search of a folder embeds its question alone."""
    for _ in range(2):
        found(
            Index({"law": statutes}, folder=tmp_path, corpus="1"), EndpointEmbedder(settings(chat_server)), store="law"
        )
    # One text tells the length of vectors, then the passages, and each question.
    assert chat_server.stats()["texts"]["embed"] == 1 + len(statutes) + 2


@pytest.mark.parametrize("change", [{"passage_prefix": "passage: "}, {"model": "embed-base64"}])
def test_another_model_or_prefix_has_vectors_of_its_own(chat_server, statutes, tmp_path, change):
    """What was embedded otherwise is never compared."""
    for one in ({}, change):
        index = Index({"law": statutes}, folder=tmp_path, corpus="1")
        found(index, EndpointEmbedder(settings(chat_server, **one)), store="law")
    assert len([path for path in (tmp_path / "law").iterdir() if path.name.startswith("embeddings-")]) == 2


def test_another_corpus_is_embedded_anew(chat_server, statutes, tmp_path):
    """Vectors are stamped with the corpus that they are of."""
    for corpus, passages in (("1", statutes), ("2", statutes[2:])):
        embedder = EndpointEmbedder(settings(chat_server))
        found(Index({"law": passages}, folder=tmp_path, corpus=corpus), embedder, store="law")
    vectors = np.load(next((tmp_path / "law").glob("embeddings-*")) / "vectors.npy")
    assert len(vectors) == len(statutes) - 2


@pytest.mark.parametrize("model", ["embed-base64", "embed-shuffled", "embed-unnumbered"])
def test_every_usual_form_of_answer_is_read(chat_server, statutes, model):
    """Numbers or base64, numbered in any order or in order without numbers: the same vectors."""
    texts = [passage.text for passage in statutes]
    plain = EndpointEmbedder(settings(chat_server)).encode_passages(texts)
    assert EndpointEmbedder(settings(chat_server, model=model)).encode_passages(texts) == pytest.approx(plain, abs=1e-6)
    assert np.linalg.norm(plain, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)


@pytest.mark.parametrize(
    "model",
    ["embed-short-of-one", "embed-ragged", "embed-nothing", "always-500", "always-truncated", "locked", "unknown"],
)
def test_a_wrong_answer_is_an_error_with_a_name(chat_server, statutes, model):
    """No vector is made up where the endpoint gives none that can be used."""
    embedder = EndpointEmbedder(settings(chat_server, model=model))
    with pytest.raises(ModelError):
        embedder.encode_passages([passage.text for passage in statutes])


def test_a_text_too_long_for_the_model_is_shortened_and_counted(chat_server, statutes):
    """A batch with one long text keeps the others whole."""
    texts = [statutes[0].text, statutes[1].text * 10]

    async def embedded():
        async with open_session() as session:
            embedder = EndpointEmbedder(settings(chat_server, model="embed-short"), session.embedding)
            await embedder.fetch([], texts)
            return embedder.encode_passages(texts), embedder.shortened

    vectors, shortened = asyncio.run(embedded())
    whole = EndpointEmbedder(settings(chat_server)).encode_passages(texts)
    assert shortened >= 1
    assert vectors[0] == pytest.approx(whole[0], abs=1e-6)
    assert vectors[1] @ whole[1] > 0.9


def test_vectors_of_another_length_are_refused(chat_server, statutes):
    """The stated number of dimensions is what is kept, or an error that says both."""
    with pytest.raises(UserError, match=r"48 numbers where dimensions = 64"):
        EndpointEmbedder(settings(chat_server, dimensions=64)).encode_passages([statutes[0].text])
    shorter = settings(chat_server, dimensions=16, params={"dimensions": 16})
    assert EndpointEmbedder(shorter).encode_passages([statutes[0].text]).shape == (1, 16)


def test_a_corpus_half_embedded_goes_on_where_it_was(statutes):
    """Only what is missing is asked for again."""
    kept = KeptVectors.empty(len(statutes), 4)
    kept.put([0, 3], np.ones((2, 4), np.float32))
    assert kept.missing(range(len(statutes))) == [1, 2, 4, 5, 6, 7, 8]
    assert not kept.complete
    with pytest.raises(UserError, match="another model under the same name"):
        kept.put([1], np.ones((1, 5), np.float32))


def test_reranking_embeds_only_the_first_passages(chat_server, statutes, tmp_path):
    """With rerank = 2 two passages of a question are embedded; the others follow in the order of words."""
    index = Index({"law": statutes}, folder=tmp_path, corpus="1")
    question = "借用的三轮车毁损了，借用人要赔偿吗？"
    words = [one.position for one in index.retriever("law").search([question], 9)[0]]
    embedder = EndpointEmbedder(settings(chat_server, rerank=2))
    order = found(index, embedder, question, 9, "law")
    assert set(order[:2]) == set(words[:2])
    assert order[2:] == words[2:]
    # The question, the text that tells the length, and two passages.
    assert chat_server.stats()["texts"]["embed"] == 4


def test_no_more_is_spent_than_allowed(chat_server, statutes, tmp_path):
    """A corpus that would cost more than ``max_cost`` is not embedded to its end, and what is paid for stays."""
    dear = settings(chat_server, price=Price(input=1000.0, output=0.0), max_cost=0.3, batch=1)
    index = Index({"law": statutes}, folder=tmp_path, corpus="1")
    with pytest.raises(BudgetExhaustedError):
        found(index, EndpointEmbedder(dear), store="law")


def test_a_ledger_answers_the_second_time(chat_server, statutes, tmp_path):
    """What a run asked is not asked again by its resumption."""
    texts = [passage.text for passage in statutes]

    async def embedded():
        async with open_session(tmp_path / "ledger.sqlite") as session:
            embedder = EndpointEmbedder(settings(chat_server), session.embedding)
            await embedder.fetch([QUESTION], texts)
            return embedder.encode_passages(texts), embedder.encode_queries([QUESTION])

    first, again = asyncio.run(embedded()), asyncio.run(embedded())
    assert chat_server.stats()["texts"]["embed"] == len(texts) + 1
    assert [one.tolist() for one in first] == [one.tolist() for one in again]


def test_an_index_sends_questions_nowhere_the_user_has_not_named(statutes, tmp_path, monkeypatch):
    """Settings that came with an index are followed on this machine only, or to the address in the environment."""
    index = Index({"law": statutes}, folder=tmp_path, corpus="1")
    with pytest.raises(UserError, match="law embed"):
        index.embedder()
    index.keep_embedding(EmbeddingSettings(model="m", base_url="https://elsewhere.example/v1"))
    with pytest.raises(BadInputError, match=ADDRESS):
        index.embedder()
    monkeypatch.setenv(ADDRESS, "https://elsewhere.example/v1/")
    assert index.embedder().settings.model == "m"


def test_unknown_fields_are_named():
    """A misspelt setting is an error that lists the known ones."""
    with pytest.raises(UserError, match="query_prefix"):
        read_settings({"model": "m", "base_url": "http://127.0.0.1:1/v1", "prefix": "query: "})
    assert read_settings({}) is None


def test_the_whole_search_takes_it(chat_server, statutes, decisions):
    """Steps of the search work on it as on any retriever, and its model is part of what the search is."""
    given = {"model": "embed", "base_url": chat_server.base_url}
    wanted = RetrievalSettings(retriever="embeddings", embeddings=given, familiarity=False)
    search = Index({"law": statutes, "practice": decisions}).search(wanted)
    assert search.find(QUESTION)[0].passage.document == decisions[0].document
    assert search.settings.embeddings["model"] == "embed"


def test_commands_embed_and_search(benchbar, chat_server, tmp_path):
    """`law embed` keeps the model in the index; `law search` and `ask` take it by name."""
    act = tmp_path / "law" / "acts" / "lending.md"
    act.parent.mkdir(parents=True)
    act.write_text(
        "# 借用法\n\n第一条 借用的三轮车毁损的，借用人应当赔偿损失。\n\n第二条 垂钓应当取得许可证。\n", "utf-8"
    )
    assert benchbar("law", "index", "law/acts", "--out", "index").code == 0
    options = ("--law", "index", "--model", "embed", "--base-url", chat_server.base_url)
    made = benchbar("law", "embed", *options, "--json")
    assert (made.code, json.loads(made.out)["passages"]) == (0, 2)
    hits = benchbar(
        "law", "search", "弄坏自行车", "--law", "index", "--retriever", "embeddings", "--on", "any", "--json"
    )
    assert json.loads(hits.out)["hits"][0]["article"] == "1"
    answer = benchbar(
        "ask", "三轮车毁损了要赔偿吗？", "--law", "index", "--retriever", "embeddings", "--on", "any", "--json"
    )
    assert [one["article"] for one in json.loads(answer.out)["articles"]][:1] == ["1"]


def ponds(size: int) -> list[Piece]:
    """A Russian act of so many articles, one of them about the time limit for an inheritance."""
    texts = [("Срок принятия наследства", "Наследство принимают в течение шести месяцев.")]
    texts += [(f"Осмотр пруда {number}", f"Пруд {number} осматривает сторож.") for number in range(2, size + 1)]
    return [
        Piece(
            id=f"act#{number}",
            kind="article",
            document=f"act#{number}",
            text=f"{title}\n{text}",
            law="Устав",
            law_id="act",
            article=str(number),
            title=title,
        )
        for number, (title, text) in enumerate(texts, 1)
    ]


@pytest.mark.parametrize("rerank", [0, 5])
def test_where_stores_have_a_second_order_the_cosine_goes_on_from_it(chat_server, rerank):
    """What words put first stays first where the model knows nothing better, all passages are handed on, and with rerank = 5 no more than five are embedded."""
    index = Index({"law": ponds(LEAST_PASSAGES)})
    question = "Сколько у меня времени, чтобы вступить в наследство?"
    words = index.retriever("law").search([question], LEAST_PASSAGES)[0]
    embedder = EndpointEmbedder(settings(chat_server, rerank=rerank))
    both = index.retriever("law", "embeddings", embedder=embedder).search([question], LEAST_PASSAGES)[0]
    assert both[0].position == words[0].position == 0
    assert {one.position for one in both} >= {one.position for one in words}
    assert [one.score for one in both] == sorted((one.score for one in both), reverse=True)
    # The question, the text that tells the length, and the passages.
    assert chat_server.stats()["texts"]["embed"] == 2 + (min(rerank, len(words)) or LEAST_PASSAGES)


def test_the_place_and_the_standing_of_a_cosine_are_relative_to_the_question():
    """A model whose cosines all lie near one says as much as one whose cosines lie near zero."""
    chances, cosines = np.array([0.9, 0.5, 0.1]), np.array([0.2, 0.1, 0.4])
    near = dense_signals(chances, 0.8 + cosines / 10)
    assert near == pytest.approx(dense_signals(chances, cosines), abs=1e-3)
    assert near[:, 0] == pytest.approx([np.log(9), 0, -np.log(9)], abs=1e-5)
    assert near[:, 2] == pytest.approx([1 / 2, 1 / 3, 1])


def test_passages_without_a_line_of_the_subject_index_stand_as_the_lowest_with_one():
    """What no line leads to is not taken for near nor for infinitely far; where no passage has a line, lines say nothing."""
    chances, cosines = np.array([0.9, 0.5, 0.1]), np.array([0.2, 0.1, 0.4])
    found = dense_signals(chances, cosines, np.array([np.nan, 0.3, 0.5], np.float32))
    assert found[:, 3] == pytest.approx([-1, -1, 1], abs=1e-5)
    assert found[:, 4] == pytest.approx([0, 1 / 2, 1])
    nothing = dense_signals(chances, cosines, np.full(3, np.nan, np.float32))
    assert nothing == pytest.approx(dense_signals(chances, cosines))
    assert not nothing[:, 3:].any()


def labour() -> Store:
    """A Chinese law with its article on twice the wage, among others on ponds."""
    wage = "用人单位自用工之日起超过一个月不满一年未与劳动者订立书面劳动合同的，应当向劳动者每月支付二倍的工资。"
    texts = [*(f"第{place}号鱼塘由看守人检查。" for place in range(100, 100 + LEAST_PASSAGES)), wage]
    numbers = [*range(100, 100 + LEAST_PASSAGES), 82]
    return Store(
        [
            Piece(
                id=f"act#{number}", kind="article", document=f"act#{number}", text=text, law="劳动合同法", law_id="act",
                article=str(number),
            )
            for number, text in zip(numbers, texts, strict=True)
        ]
    )  # fmt: skip


def test_in_chinese_the_second_order_goes_on_with_lines_alone(chat_server):
    """What the subject index leads to comes first by a question in laymen's words, no passage is embedded for it, and its line is asked for once."""
    index = Index({"law": list(labour().passages)})
    embedder = EndpointEmbedder(settings(chat_server, rerank=5))
    question = "老板不给我签合同，可以要双倍工资吗"
    assert index.store("law").passages[found(index, embedder, question, store="law")[0]].article == "82"
    lines = len(HeldLines(index.store("law")).texts)
    assert lines
    # The text that tells the length, the line or lines that lead to the articles, and the question.
    assert chat_server.stats()["texts"]["embed"] == 1 + lines + 1


@pytest.mark.parametrize("rerank", [0, 5])
def test_lines_of_the_subject_index_are_embedded_once_and_kept(chat_server, rerank, tmp_path):
    """A second search of the same folder asks for the vector of its question alone."""
    passages = list(code().passages)
    asked = []
    for _ in range(2):
        embedder = EndpointEmbedder(settings(chat_server, rerank=rerank))
        found(Index({"law": passages}, folder=tmp_path, corpus="1"), embedder, QUESTION_RU, store="law")
        asked.append(chat_server.stats()["texts"]["embed"])
    lines = len(HeldLines(Index({"law": passages}).store("law")).texts)
    assert lines
    # The text that tells the length, the passages, the lines that lead to the found article, and the question.
    assert asked == [1 + (rerank or len(passages)) + lines + 1, asked[0] + 1]
    assert [one for one in (tmp_path / "law").iterdir() if one.name.startswith("subjects-")]
