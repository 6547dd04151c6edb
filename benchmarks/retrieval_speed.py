"""Speed of the search against LangChain and against the bare matrix product: `python benchmarks/retrieval_speed.py`.

Both sides get the same passages and the same vectors, drawn at random, from an embedder that only looks them up, so that what
is compared is everything but the embedding. LangChain (langchain-classic and langchain-community, with faiss-cpu) is
compared with where it is installed. Ratios within one run; nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

# One thread on either side: small products gain nothing from more, and the ratio would depend on what else runs.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402

from benchbar.records import Piece  # noqa: E402
from benchbar.retrieval.retrievers import VectorRetriever  # noqa: E402
from benchbar.retrieval.search import Search  # noqa: E402
from benchbar.retrieval.settings import RetrievalSettings, StoreSettings  # noqa: E402
from benchbar.retrieval.store import Store  # noqa: E402
from benchbar.retrieval.vectors import ExactIndex, unit  # noqa: E402

DIMENSIONS = 768
VARIANTS = ("借用物毁损的赔偿责任", "借用人对毁损的责任")
QUESTION = "借用的车毁损了谁赔？"
SETTINGS = RetrievalSettings(
    familiarity=False,
    law=StoreSettings(k=3, weight=0.3, threshold=-1.0, mmr_lambda=0.5),
    practice=StoreSettings(k=5, weight=0.7, threshold=-1.0, mmr_lambda=0.5),
)


class Lookup:
    """An embedder whose vectors were drawn beforehand; LangChain's names and ours."""

    def __init__(self, vectors: dict[str, np.ndarray]) -> None:
        """By text."""
        self._vectors = vectors

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text."""
        return np.stack([self._vectors[text] for text in texts])

    encode_passages = encode_queries

    def embed_query(self, text: str) -> list[float]:
        """LangChain's form of one vector."""
        return self._vectors[text].tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """LangChain's form of several."""
        return [self.embed_query(text) for text in texts]


def pieces(count: int, kind: str) -> list[Piece]:
    """Passages of about the length of an article, each with a text of its own."""
    text = "借用人应当按照约定的期限归还借用的物品，毁损的应当赔偿损失。" * 5
    return [Piece(id=f"{kind}{i}", kind=kind, document=f"{kind}{i}", text=f"{i} {text}") for i in range(count)]  # type: ignore[arg-type]


def median(action: Callable[[], Any], times: int) -> float:
    """Milliseconds of the middle run."""
    return float(np.median([timed(action)[0] for _ in range(times)])) * 1e3


def timed(action: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock, and of the processor, of one run."""
    clock, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - clock, time.process_time() - processor


def in_turn(actions: dict[str, Callable[[], Any]], rounds: int = 10, times: int = 20) -> dict[str, np.ndarray]:
    """Milliseconds by the clock and of the processor, middle of the runs; actions take turns, so that load hits all alike."""
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            action()
            seconds[name] += [timed(action) for _ in range(times)]
    return {name: np.median(runs, axis=0) * 1e3 for name, runs in seconds.items()}


def query_speed(size: int, generator: np.random.Generator) -> None:
    """An ensemble of two stores with three wordings of the question."""
    stores = {"law": pieces(size // 2, "article"), "practice": pieces(size - size // 2, "decision")}
    vectors = {name: unit(generator.normal(size=(len(found), DIMENSIONS))) for name, found in stores.items()}
    texts = {
        piece.text: vector for name, found in stores.items() for piece, vector in zip(found, vectors[name], strict=True)
    }
    embedder = Lookup(texts | {text: unit(generator.normal(size=DIMENSIONS)) for text in (QUESTION, *VARIANTS)})
    retrievers = {name: VectorRetriever(embedder, ExactIndex(found)) for name, found in vectors.items()}
    search = Search({name: Store(found) for name, found in stores.items()}, retrievers, SETTINGS)
    actions: dict[str, Callable[[], Any]] = {"benchbar": lambda: search.find(QUESTION, VARIANTS)}
    theirs = langchain_ensemble(stores, embedder)
    if theirs is not None:
        actions["LangChain"] = theirs
    found = in_turn(actions)
    for name, (clock, processor) in found.items():
        print(f"{size} passages, three wordings: {name} {clock:.2f} ms, of the processor {processor:.2f} ms")
    if theirs is not None:
        clock, processor = found["LangChain"] / found["benchbar"]
        print(
            f"{size} passages, three wordings: {clock:.1f} times faster, by the processor's time {processor:.1f} times"
        )


def langchain_ensemble(stores: dict[str, list[Piece]], embedder: Lookup) -> Callable[[], Any] | None:
    """LangChain's MultiQueryRetriever over its EnsembleRetriever over two FAISS stores with MMR."""
    try:
        from langchain_classic.retrievers import EnsembleRetriever, MultiQueryRetriever
        from langchain_community.vectorstores import FAISS
        from langchain_core.embeddings import Embeddings
        from langchain_core.runnables import RunnableLambda
    except ImportError:
        print("LangChain is not installed here: nothing to compare with")
        return None

    class Adapter(Embeddings):
        embed_query, embed_documents = staticmethod(embedder.embed_query), staticmethod(embedder.embed_documents)

    made = {name: FAISS.from_texts([piece.text for piece in found], Adapter()) for name, found in stores.items()}
    ensemble = EnsembleRetriever(
        retrievers=[
            made[name].as_retriever(search_type="mmr", search_kwargs={"k": k, "fetch_k": 20, "lambda_mult": 0.5})
            for name, k in (("practice", 5), ("law", 3))
        ],
        weights=[0.7, 0.3],
    )
    rewriter = RunnableLambda(lambda _: list(VARIANTS))
    retriever = MultiQueryRetriever(retriever=ensemble, llm_chain=rewriter, include_original=True)
    return lambda: retriever.invoke(QUESTION)


def build_speed(size: int, generator: np.random.Generator) -> None:
    """From vectors to something that can be searched."""
    vectors = unit(generator.normal(size=(size, DIMENSIONS)).astype(np.float32))
    started = time.perf_counter()
    ExactIndex(vectors)
    exact = time.perf_counter() - started
    print(f"index of {size} vectors: exact {exact * 1e3:.3f} ms")
    ours = exact
    try:
        from benchbar.retrieval.vectors import FaissIndex

        started = time.perf_counter()
        FaissIndex(vectors)
        ours = time.perf_counter() - started
        print(f"index of {size} vectors: FAISS {ours * 1e3:.0f} ms")
        from langchain_community.vectorstores import FAISS
    except (ImportError, Exception) as missing:  # noqa: BLE001 - one of several libraries that need not be there
        print(f"not compared further: {missing}")
        return
    texts = [str(i) for i in range(size)]
    pairs = list(zip(texts, vectors.tolist(), strict=True))
    started = time.perf_counter()
    FAISS.from_embeddings(pairs, Lookup({}))  # type: ignore[arg-type]
    theirs = time.perf_counter() - started
    print(f"index of {size} vectors: LangChain's FAISS {theirs * 1e3:.0f} ms, {theirs / ours:.0f} times ours")


def product_speed(size: int, generator: np.random.Generator) -> None:
    """The whole of a dense search against the product of the matrices alone."""
    vectors = np.empty((size, DIMENSIONS), np.float32)
    for start in range(0, size, 50_000):
        vectors[start : start + 50_000] = unit(generator.normal(size=(min(50_000, size - start), DIMENSIONS)))
    queries = unit(generator.normal(size=(3, DIMENSIONS)))
    index = ExactIndex(vectors)
    bare = median(lambda: queries @ vectors.T, 7)
    ours = median(lambda: index.search(queries, 20), 7)
    print(f"{size} vectors, three queries: product {bare:.0f} ms, search {ours:.0f} ms, ratio {ours / bare:.2f}")


def main() -> None:
    """Print the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", type=int, default=200_000, help="vectors of the largest comparison (3 kB each)")
    arguments = parser.parse_args()
    generator = np.random.default_rng(0)
    query_speed(3_000, generator)
    build_speed(50_000, generator)
    product_speed(arguments.large, generator)


if __name__ == "__main__":
    main()
