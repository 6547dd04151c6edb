"""Fit the weights of the retrievers `learned` and `embeddings` for a language and write them into the package.

    python scripts/fit_retriever.py zh ../shared/data/zh
    python scripts/fit_retriever.py ru indexes/ru          (an index of the codes of ../shared/data/ru)
    python scripts/fit_retriever.py ru indexes/ru --embeddings http://127.0.0.1:8100/v1 --sample 1
    python scripts/fit_retriever.py en indexes/consultant          (where benchmarks/consultant_search.py made the English ones)

Chinese questions are the even ones of STARD; Russian ones are those of benchmarks/retrieval; English ones those of benchmarks/consultant
that may be read, each over its own corpus. Prints what each set
of features reaches on five contiguous blocks of the questions, each weighed by a fit on the other four: as questions of one
topic stand together, that is what may be hoped for on other topics.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from fitted_weights import weights_of
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchbar.records import Piece, encode
from benchbar.records.files import write_atomically
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.embedded import standing
from benchbar.retrieval.embedding import EmbeddingSettings, EndpointEmbedder
from benchbar.retrieval.encoder_training import train_encoder
from benchbar.retrieval.learned import FEATURES, FURTHER, Candidates, LogisticWeights, candidates, shipped_weights
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.retrievers import VectorRetriever
from benchbar.retrieval.store import Store
from benchbar.retrieval.vectors import ExactIndex

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "src/benchbar/retrieval/weights"
QUESTIONS = tuple(ROOT / f"benchmarks/retrieval/{name}.tsv" for name in ("questions_ru", "further_questions_ru"))
NEAR, REST = 50, 0.08
"""Rows to learn from: the relevant, the best by BM25, and this share of the others."""
REGULARISATION = {"zh": 0.05, "ru": 0.02, "en": 0.02}
"""A few hundred Russian questions bear fewer degrees of freedom than STARD's 772; from .005 to .02 nothing changed."""
BLOCKS = 5
RERANKED = {"zh": 40, "ru": 20}
"""Passages of a question that are embedded; Russian ones are three times as long."""
CHOSEN: dict[str, tuple[str, ...]] = {"zh": ("terms", "with_terms"), "ru": FURTHER, "en": FURTHER}
"""Chinese statutes have no headings, and their words no prefixes."""


class Labelled(NamedTuple):
    """Questions over passages."""

    store: Store
    questions: list[str]
    relevant: list[set[str]]
    """Documents that answer each."""
    source: str


class Drawn(NamedTuple):
    """One question's candidates."""

    found: Candidates
    documents: np.ndarray
    relevant: np.ndarray
    total: int


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def chinese(data: Path) -> Labelled:
    """STARD's even questions over the latest version of every article, with the gold articles that are not among them."""
    laws = {law["law_id"]: law for law in lines(data / "statutes/laws.jsonl")}
    found: dict[str, Piece] = {}
    for row in lines(data / "statutes/articles.jsonl"):
        law = laws[row["law_id"]]
        if law["latest_version_in_repo"]:
            add(found, law["law_name"], row["law_id"], row["no"], row.get("sub") or 0, row["text"])
    names = {
        row["name"]: add(found, row["law"], row["law"], row["no"], row["sub"], row["text"])
        for row in lines(data / "stard/gold_articles.jsonl")
    }
    queries = lines(data / "stard/queries_even.jsonl")
    return Labelled(
        Store(list(found.values())),
        [query["question"] for query in queries],
        [{names[name] for name in query["relevant"]} for query in queries],
        f"STARD (MIT licence), {len(queries)} queries with even query_id",
    )


def add(found: dict[str, Piece], law: str, law_id: str, number: int, sub: int, text: str) -> str:
    """Put an article among the others unless one of its name is there; its name."""
    name = f"{law.replace('中华人民共和国', '')}/{number}/{sub}".replace("(", "（").replace(")", "）")
    piece = Piece(id=name, kind="article", document=name, text=text, law=law, law_id=law_id, article=str(number))
    found.setdefault(name, piece)
    return name


def russian(folder: Path) -> Labelled:
    """Our own questions over an index of the Russian codes."""
    index = CorpusIndex.open(folder)
    rows = [line.split("\t") for file in QUESTIONS for line in file.read_text("utf-8").splitlines()]
    return Labelled(
        index.store(LAW),
        [question for question, _ in rows],
        [set().union(*map(index.documents_named, named.split("; "))) for _, named in rows],
        f"{len(rows)} questions of benchmarks/retrieval",
    )


def english(folder: Path) -> list[Labelled]:
    """The readable questions of benchmarks/consultant, by the corpus that each is put to."""
    from fit_ordering import Corpora, questions

    corpora = Corpora(folder, folder)
    asked = sorted(questions("en", folder, corpora), key=attrgetter("corpus"))
    source = f"{len(asked)} questions of benchmarks/consultant"
    return [
        Labelled(corpora[name].store(LAW), [one.question for one in own], [set(one.expected) for one in own], source)
        for name, own in ((name, list(own)) for name, own in groupby(asked, key=attrgetter("corpus")))
    ]


def draw(labelled: Labelled, further: tuple[str, ...], encoder: VectorRetriever | None = None) -> list[Drawn]:
    """Candidates with features of every question; prints how long one takes."""
    store, seconds, drawn = labelled.store, [], []
    for question, relevant in zip(labelled.questions, labelled.relevant, strict=True):
        started = time.perf_counter()
        cosines = None if encoder is None else encoder.cosines(question)
        found = candidates(store, question, cosines, further=further)
        seconds.append(time.perf_counter() - started)
        documents = np.array([store.passages[place].document for place in found.positions])
        drawn.append(Drawn(found, documents, np.isin(documents, list(relevant)), len(relevant)))
    print(f"candidates and features: p50 {np.median(seconds) * 1e3:.1f} ms", file=sys.stderr)
    return drawn


def rows(drawn: list[Drawn], chosen: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels to fit on: of an answering document its best piece alone, since the others say something else."""
    generator = np.random.default_rng(0)
    values, labels = [], []
    for one in (drawn[i] for i in chosen):
        features = one.found.features
        label = np.zeros(len(features), dtype=bool)
        for document in set(one.documents[one.relevant]):
            places = np.flatnonzero(one.documents == document)
            label[places[np.argmax(features[places, 0] + features[places, 1])]] = True
        rank = np.argsort(np.argsort(-features[:, 0], kind="stable"), kind="stable")
        keep = label | (~one.relevant & ((rank < NEAR) | (generator.random(len(label)) < REST)))
        values.append(features[keep])
        labels.append(label[keep])
    return np.concatenate(values), np.concatenate(labels)


def fit(drawn: list[Drawn], chosen: list[int], names: tuple[str, ...], strength: float, source: str) -> LogisticWeights:
    """Weights from the questions ``chosen``."""
    values, labels = rows(drawn, chosen)
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=strength, max_iter=1000).fit(scaler.transform(values), labels)
    return weights_of(scaler, model, names, source)


def measured(one: Drawn, scores: np.ndarray) -> list[float]:
    """Recall at 5, 10 and 100 and reciprocal rank of the documents by their best piece."""
    order = dict.fromkeys(one.documents[np.argsort(-scores, kind="stable")])
    relevant = set(one.documents[one.relevant])
    hits = np.array([document in relevant for document in order])
    first = next((1 / (place + 1) for place in np.flatnonzero(hits[:10])), 0.0)
    return [*(float(hits[:k].sum()) / one.total for k in (5, 10, 100)), first]


def cross_validated(drawn: list[Drawn], names: tuple[str, ...], strength: float) -> np.ndarray:
    """The measures of every question, each block of questions weighed by a fit on the others."""
    values = []
    for block in np.array_split(np.arange(len(drawn)), BLOCKS):
        weights = fit(drawn, [i for i in range(len(drawn)) if i not in set(block)], names, strength, "")
        values += [measured(drawn[i], weights.probabilities(drawn[i].found.features)) for i in block]
    return np.array(values)


def shown(name: str, values: np.ndarray) -> None:
    """One line: the means."""
    means = dict(zip(("R@5", "R@10", "R@100", "MRR@10"), values.mean(axis=0), strict=True))
    print(f"{name:44}", "  ".join(f"{key} {value:.3f}" for key, value in means.items()))


def embedded(labelled: Labelled, drawn: list[Drawn], lexical: LogisticWeights, url: str, count: int) -> list[Drawn]:
    """The first candidates of each question with the standing of their cosine as one more feature."""
    fields = {"query_params": {"input_type": "query"}, "passage_params": {"input_type": "passage"}}
    embedder = EndpointEmbedder(EmbeddingSettings(model="multilingual-e5-small", base_url=url, batch=16, **fields))
    found = []
    for question, one in zip(labelled.questions, drawn, strict=True):
        order = np.argsort(-lexical.probabilities(one.found.features), kind="stable")[:count]
        positions = one.found.positions[order]
        passages = embedder.encode_passages([labelled.store.passages[place].text for place in positions])
        cosines = passages @ embedder.encode_queries([question])[0]
        features = np.column_stack([one.found.features[order], standing(cosines)])
        found.append(Drawn(Candidates(positions, features), one.documents[order], one.relevant[order], one.total))
    return found


def trained(store: Store) -> VectorRetriever:
    """An encoder trained on the articles, which has seen no query."""
    started = time.perf_counter()
    encoder = train_encoder(store, np.random.default_rng(0))
    vectors = encoder.encode_passages([passage.text for passage in store.passages])
    print(f"encoder trained in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    return VectorRetriever(encoder, ExactIndex(vectors))


def main() -> None:
    """Fit, print the cross-validated recalls, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["zh", "ru", "en"])
    parser.add_argument(
        "data",
        type=Path,
        help="zh: folder with statutes/ and stard/; ru: an index of the codes; en: the folder of the corpora",
    )
    parser.add_argument("--dry", action="store_true", help="print the recalls, write nothing")
    parser.add_argument("--encoder", action="store_true", help="zh: fit the weights with the trained encoder as well")
    parser.add_argument("--embeddings", metavar="URL", help="fit the weights with the cosine of E5 at this endpoint")
    parser.add_argument("--sample", type=int, default=5, help="with --embeddings: every Nth question")
    arguments = parser.parse_args()
    language, strength = arguments.language, REGULARISATION[arguments.language]
    readers = {"zh": lambda data: [chinese(data)], "ru": lambda data: [russian(data)], "en": english}
    parts = readers[language](arguments.data)
    labelled = parts[0]
    if len(parts) > 1 and (arguments.encoder or arguments.embeddings):
        parser.error("--encoder and --embeddings are of one corpus")
    suffix = "" if language == "zh" else f"_{language}"
    everyone = list(range(sum(len(one.questions) for one in parts)))

    def keep(name: str, drawn: list[Drawn], names: tuple[str, ...], source: str) -> None:
        if not arguments.dry:
            weights = fit(drawn, list(range(len(drawn))), names, strength, source)
            write_atomically(WEIGHTS / f"{name}{suffix}.json", encode(weights) + b"\n")

    names = (*FEATURES, *CHOSEN[language])
    drawn = [one for part in parts for one in draw(part, CHOSEN[language])]
    if not arguments.embeddings:
        usual = [one for part in parts for one in draw(part, ())]
        shown("usual features", cross_validated(usual, FEATURES, strength))
        shown(
            "weights of before",
            np.array(
                [measured(one, shipped_weights("learned", language).probabilities(one.found.features)) for one in drawn]
            ),
        )
        shown(f"and {', '.join(CHOSEN[language])}", cross_validated(drawn, names, strength))
        keep("learned", drawn, names, labelled.source)
    if arguments.encoder:
        with_encoder = draw(labelled, CHOSEN[language], trained(labelled.store))
        shown("and the trained encoder", cross_validated(with_encoder, (*names, "encoder"), strength))
        keep("learned_encoder", with_encoder, (*names, "encoder"), labelled.source)
    if arguments.embeddings:
        part = labelled._replace(
            questions=labelled.questions[:: arguments.sample], relevant=labelled.relevant[:: arguments.sample]
        )
        lexical = fit(drawn, everyone, names, strength, labelled.source)
        first = embedded(part, drawn[:: arguments.sample], lexical, arguments.embeddings, RERANKED[language])
        shown(
            "the first candidates by words", np.array([measured(one, -np.arange(len(one.relevant))) for one in first])
        )
        shown("by the cosine alone", np.array([measured(one, one.found.features[:, -1]) for one in first]))
        shown("by both", cross_validated(first, (*names, "cosine"), strength))
        source = f"every {arguments.sample}th of {labelled.source}; {RERANKED[language]} passages each, multilingual-e5-small"
        keep("embeddings", first, (*names, "cosine"), source)


if __name__ == "__main__":
    main()
