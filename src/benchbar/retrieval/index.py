"""The stores of a corpus with what was counted and trained on them, kept beside the corpus.

Everything lies below one folder, in one subfolder for each store, and is stamped with the corpus it was made from: an
index of another corpus or another version of this program is made again, never read.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import to_builtins
from msgspec.structs import replace
from numpy.typing import NDArray

from benchbar.records import Piece, Record, decode, encode, fingerprint
from benchbar.records.errors import BadInputError, UnknownNameError, UserError
from benchbar.records.files import write_atomically
from benchbar.records.plugins import known, load
from benchbar.retrieval.arrays import load_array, save_array
from benchbar.retrieval.embedded import Embedded, shipped_fusion
from benchbar.retrieval.embedded_lines import EmbeddedLines, HeldLines
from benchbar.retrieval.embedders import BagEmbedder, Embedder, HubEmbedder, HubReranker, latent_semantic
from benchbar.retrieval.embedding import ADDRESS, Asking, EmbeddingSettings, EndpointEmbedder, read_settings, trusted
from benchbar.retrieval.engine import Engine
from benchbar.retrieval.kept_vectors import KeptVectors
from benchbar.retrieval.pgvector import PgVectorIndex
from benchbar.retrieval.postings import Floats
from benchbar.retrieval.retrievers import Learned, Restricted, Retriever, VectorRetriever
from benchbar.retrieval.search import Search
from benchbar.retrieval.settings import RetrievalSettings
from benchbar.retrieval.store import Store
from benchbar.retrieval.vectors import ExactIndex, FaissIndex, VectorIndex

VERSION = 2
"""Raised when terms, arrays or their meaning change."""
STAMP = "stamp.json"
# A batch of passages for the model; all at once would hold every text and vector in memory.
_BATCH = 1024


class Stamp(Record, frozen=True):
    """What a folder of counts was made from."""

    version: int
    corpus: str


class Index:
    """Stores and retrievers of one corpus; what is missing is built when first asked for, and kept."""

    def __init__(
        self,
        passages: Mapping[str, Sequence[Piece]],
        *,
        folder: Path | None = None,
        corpus: str = "",
        progress: Callable[[str], None] | None = None,
    ) -> None:
        """Passages by store; without a ``folder`` nothing is kept.

        Args:
            passages: each store's passages, the articles of a law in their order.
            folder: where counts are kept; it is made if need be.
            corpus: fingerprint of the passages: counts with another one are made again.
            progress: told in a few words what is being built.
        """
        self.passages = passages
        self._folder, self._corpus = folder, corpus
        self._progress = progress or (lambda _: None)
        self._stores: dict[str, Store] = {}

    def store(self, name: str) -> Store:
        """The counts over a store, mapped from its folder or built now."""
        if name not in self._stores:
            passages = self.passages[name]
            folder = self._part(
                name,
                "counts",
                lambda target: Store(passages).save(target),
                f"counting {len(passages)} passages of {name}",
            )
            self._stores[name] = Store(passages) if folder is None else Store.load(folder, passages)
        return self._stores[name]

    def retriever(
        self,
        store: str,
        kind: str = "learned",
        vectors: str = "exact",
        *,
        embedder: EndpointEmbedder | None = None,
    ) -> Retriever:
        """A retriever over a store: a built-in one, ``hub:MODEL``, a registered name or ``module:object``.

        ``embedder`` is asked by ``embeddings``; left out, the one whose settings lie in the index (`law embed`).

        Raises:
            UnknownNameError: nobody registered the name.
            UserError: ``encoder`` was asked for and none was trained, or ``embeddings`` and no endpoint is known.
        """
        # Made only when asked for: each costs seconds or a trained file.
        built_in: dict[str, Callable[[], Retriever]] = {
            "learned": lambda: Learned(self.store(store), encoder=self._encoder(store, vectors)),
            "engine": lambda: self._engine(store),
            "lsa": lambda: self._latent(store, vectors),
            "encoder": lambda: self._trained(store, vectors),
            "embeddings": lambda: self.embedded(store, embedder or self.embedder()),
        }
        if kind in built_in:
            return built_in[kind]()
        if kind.startswith("hub:"):
            return self._hub(store, kind.removeprefix("hub:"), vectors)
        # Asked by name first: a misspelt one is answered with those that are known, not with an import error.
        if ":" not in kind and kind not in known("retrievers"):
            raise UnknownNameError("retriever", kind, [*built_in, "hub:MODEL", *known("retrievers")])
        made = load("retrievers", kind)(self.store(store))
        if not isinstance(made, Retriever):
            raise UserError(f"retriever {kind!r} has no methods search and similarity")
        return made

    def search(
        self,
        settings: RetrievalSettings | None = None,
        allowed: Mapping[str, NDArray[np.bool_]] | None = None,
        *,
        asking: Asking | None = None,
        weigh: Callable[[Piece], float] | None = None,
        fitted: bool = True,
    ) -> Search:
        """The whole search over this corpus; stores without passages are left out.

        Args:
            settings: which steps, and how.
            allowed: by store, which passages may be found; shape (passages,).
            asking: gives an embedding model that is asked through the ledger and budget of a run (``Search.prepare``).
            weigh: the authority of a passage, where settings put more of it first.
            fitted: whether what was fitted on the law of countries tells when there is no answer; not of invented law.
        """
        settings = settings or RetrievalSettings()
        names = [name for name in settings.stores if len(self.passages.get(name, ()))]
        # One for all stores: a question is embedded once.
        embedder = None
        if settings.retriever == "embeddings":
            embedder = self.embedder(read_settings(settings.embeddings or {}), asking)
            # Written out, so that another model is another search: what lies in the index may change.
            settings = replace(settings, embeddings=to_builtins(embedder.settings))
        retrievers = {
            name: self.retriever(name, settings.retriever, settings.vectors, embedder=embedder) for name in names
        }
        # Wrapped outside the retriever: none needs to know of days.
        for name in set(names) & set(allowed or {}):
            retrievers[name] = Restricted(retrievers[name], (allowed or {})[name])
        reranker = HubReranker(settings.reranker) if settings.reranker else None
        stores = {name: self.store(name) for name in names}
        return Search(stores, retrievers, settings, reranker=reranker, weigh=weigh, fitted=fitted)

    def embedder(self, settings: EmbeddingSettings | None = None, asking: Asking | None = None) -> EndpointEmbedder:
        """The embedding model of these settings, else of those that lie in the index.

        Raises:
            UserError: there are neither; or those of the index name another machine, which the user has not allowed.
        """
        if settings is None:
            file = self._embedding_file
            if file is None or not file.is_file():
                raise UserError(
                    "no embedding model is known for this corpus: `benchbar law embed --law INDEX --model M --base-url URL`"
                    " keeps one in the index, and a spec names one in retrieval.embeddings"
                )
            stated = decode(file.read_bytes(), EmbeddingSettings, file=file)
            settings = trusted(stated, file, os.environ.get(ADDRESS, ""))
        return EndpointEmbedder(settings, asking)

    def keep_embedding(self, settings: EmbeddingSettings) -> None:
        """Keep which embedding model this corpus is searched with: ``embeddings`` takes it from now on.

        Raises:
            UserError: this index has no folder to keep it in.
        """
        if self._embedding_file is None:
            raise UserError(
                "an embedding model needs an index folder to be kept in; make one with `benchbar law index`"
            )
        self._embedding_file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._embedding_file, encode(settings))

    @property
    def _embedding_file(self) -> Path | None:
        return None if self._folder is None else self._folder / "embeddings.json"

    def embedded(self, store: str, embedder: EndpointEmbedder) -> Embedded:
        """The retriever ``embeddings`` over a store, with the vectors of this model that are kept already."""
        counted, size = self.store(store), len(self.passages[store])
        settings = embedder.settings

        def write(target: Path) -> None:
            KeptVectors.make(target, size, embedder.dimensions(counted.passages[0].text))

        folder = self._part(store, f"embeddings-{settings.name}", write, f"making room for vectors of {settings.model}")
        if folder is None:
            kept = KeptVectors.empty(size, embedder.dimensions(counted.passages[0].text))
        else:
            kept = KeptVectors.open(folder, size)
        lines = self._embedded_lines(store, embedder, kept.vectors.shape[1])
        return Embedded(counted, embedder, kept, lines=lines)

    def _embedded_lines(self, store: str, embedder: EndpointEmbedder, dimensions: int) -> EmbeddedLines | None:
        """The lines of the subject index that lead to passages of a store, with their vectors by this model; None where there are none."""
        # Where no weights read them they are neither looked for nor given a file.
        lines = HeldLines(self.store(store)) if shipped_fusion(self.store(store).language) else None
        if lines is None or not lines.texts:
            return None

        def write(target: Path) -> None:
            KeptVectors.make(target, len(lines.texts), dimensions)

        name = f"subjects-{embedder.settings.name}-{lines.name}"
        folder = self._part(store, name, write, "making room for vectors of the subject index")
        size = len(lines.texts)
        kept = KeptVectors.empty(size, dimensions) if folder is None else KeptVectors.open(folder, size)
        return EmbeddedLines(lines, embedder, kept)

    def train_encoder(self, store: str, train: Callable[[Store], BagEmbedder]) -> None:
        """Have an encoder trained on one store and keep it with the vectors of all stores' passages.

        Raises:
            UserError: this index has no folder to keep it in, or the store holds nothing.
        """
        if self._folder is None:
            raise UserError("an encoder needs an index folder to be kept in")
        if not len(self.passages[store]):
            raise UserError(f"the store of {store} holds nothing to learn from")
        encoder = train(self.store(store))
        for name, passages in self.passages.items():
            if len(passages):
                # Anew: vectors of an older training do not fit the new table, and the stamp does not tell them apart.
                self._part(name, "encoder", self._embedding(encoder, name), "embedding passages", anew=True)

    def _embedding(self, encoder: BagEmbedder, store: str) -> Callable[[Path], None]:
        def write(target: Path) -> None:
            encoder.save(target)
            save_array(target / "vectors.npy", self._embedded(encoder, self.passages[store]))

        return write

    def _encoder(self, store: str, vectors: str) -> VectorRetriever | None:
        # Only said: a search without the encoder is worse, not wrong.
        folder = self._kept(store, "encoder")
        if folder is None and self._folder is not None and (self._folder / store / "encoder").is_dir():
            self._progress("the encoder was trained on another state of this corpus and is left out: train it again")
        return None if folder is None else self._opened(folder, vectors)

    def _trained(self, store: str, vectors: str) -> VectorRetriever:
        found = self._encoder(store, vectors)
        if found is None:
            raise UserError("no encoder was trained on this corpus; run `benchbar law train-encoder --law INDEX`")
        return found

    def _engine(self, store: str) -> Engine:
        counted = self.store(store)
        folder = self._part(store, "engine", lambda target: Engine.build(counted, target), "filling the search engine")
        return Engine(counted, folder)

    def _latent(self, store: str, vectors: str) -> VectorRetriever:
        counted = self.store(store)

        def write(target: Path) -> None:
            self._embedding(latent_semantic(counted.characters), store)(target)

        folder = self._part(store, "lsa", write, "latent semantic analysis")
        if folder is not None:
            return self._opened(folder, vectors)
        embedder = latent_semantic(counted.characters)
        found = self._embedded(embedder, self.passages[store])
        return VectorRetriever(embedder, self._vector_index(found, vectors, f"{store}/lsa"))

    def _hub(self, store: str, model: str, vectors: str) -> VectorRetriever:
        embedder = HubEmbedder(model)
        # Readable for people, and told apart by the fingerprint: two models may share the last sixty letters.
        name = "hub-" + "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in model)[-60:]
        name += f"-{fingerprint([model, _files_of(Path(model))])[:12]}"

        def write(target: Path) -> None:
            save_array(target / "vectors.npy", self._embedded(embedder, self.passages[store]))

        folder = self._part(store, name, write, f"embedding {len(self.passages[store])} passages with {model}")
        found = self._embedded(embedder, self.passages[store]) if folder is None else load_array(folder / "vectors.npy")
        return VectorRetriever(embedder, self._vector_index(found, vectors, f"{store}/{name}"))

    def _opened(self, folder: Path, vectors: str) -> VectorRetriever:
        found = load_array(folder / "vectors.npy")
        made = str((folder / STAMP).stat().st_mtime_ns)  # an encoder trained again has other vectors
        index = self._vector_index(found, vectors, f"{folder.parent.name}/{folder.name}/{made}")
        return VectorRetriever(BagEmbedder.load(folder), index)

    def _vector_index(self, vectors: Floats, kind: str, name: str) -> VectorIndex:
        if kind == "exact":
            return ExactIndex(vectors)
        if kind in {"faiss", "faiss-graph"}:
            return FaissIndex(vectors, graph=kind == "faiss-graph")
        if kind.startswith(("postgresql://", "postgres://")):
            return PgVectorIndex(kind, f"{VERSION}/{self._corpus}/{name}", vectors)
        # Everything else is a mistyped name; to fall back on "exact" would hide it.
        raise UserError(f"unknown vector index {kind!r}; known: exact, faiss, faiss-graph, postgresql://…")

    def _embedded(self, embedder: Embedder, passages: Sequence[Piece]) -> Floats:
        parts = [
            embedder.encode_passages([passage.text for passage in passages[start : start + _BATCH]])
            for start in range(0, len(passages), _BATCH)
        ]
        return np.concatenate(parts)

    def _kept(self, store: str, name: str) -> Path | None:
        """The folder of one part, if it is there whole and was made from this corpus by this version."""
        if self._folder is None:
            return None
        folder = self._folder / store / name
        try:
            stamp = decode((folder / STAMP).read_bytes(), Stamp, file=folder / STAMP)
        except (OSError, BadInputError):
            return None
        return folder if stamp == self._stamp else None

    @property
    def _stamp(self) -> Stamp:
        return Stamp(version=VERSION, corpus=self._corpus)

    def _part(
        self,
        store: str,
        name: str,
        write: Callable[[Path], None],
        doing: str,
        *,
        anew: bool = False,
        # Another process may be building the same part: each makes its own beside the place, and one of them
        # stays.
    ) -> Path | None:
        """The folder of one part, made by ``write`` if need be; None where this index keeps nothing.

        It is made beside its place and renamed into it, stamp last, so that half a part is never taken for one.
        """
        kept = None if anew else self._kept(store, name)
        if kept is not None or self._folder is None:
            return kept
        self._progress(doing)
        place = self._folder / store / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            target = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{name}."))
        except OSError as error:
            raise UserError(
                f"cannot write into {place.parent}: {error.strerror}; give an index that may be written"
            ) from error
        try:
            write(target)
            write_atomically(target / STAMP, encode(self._stamp))
            # mkdtemp makes a folder for its owner alone; an index is shared.
            target.chmod(0o755)
            _put(target, place)
        finally:
            shutil.rmtree(target, ignore_errors=True)
        return place


def _put(target: Path, place: Path) -> None:
    """Rename a folder into its place; an older one there makes way."""
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    # Renamed and not deleted: who has the old files mapped goes on reading them.
    if place.exists():
        place.rename(old)
    try:
        target.rename(place)
    except OSError:
        # Another process put the same part there meanwhile: its is as good as ours.
        if not place.is_dir():
            raise
    shutil.rmtree(old, ignore_errors=True)


def _files_of(folder: Path) -> list[tuple[str, int, int]]:
    """Names, sizes and times of a model's files, so that a model trained anew is not taken for the old one."""
    if not folder.is_dir():
        return []
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [(str(path.relative_to(folder)), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
