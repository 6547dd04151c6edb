"""The retrieval side of an index that ``law index`` made: its pieces, what is in force, what documents are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchbar.languages.numerals import parse_number
from benchbar.law.bundled import law_path
from benchbar.law.citations import Mention, extract
from benchbar.law.corpus import Corpus, PackedRows
from benchbar.law.index import MANIFEST, open_index
from benchbar.law.invented import invented_jurisdiction
from benchbar.law.precedence import Weight, weight_of
from benchbar.law.splitting import article_pieces, decision_pieces
from benchbar.records import Piece, decode, encode
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import write_atomically
from benchbar.retrieval.answerability import answers
from benchbar.retrieval.arrays import load_array, load_bytes, save_array
from benchbar.retrieval.embedding import Asking
from benchbar.retrieval.index import Index
from benchbar.retrieval.passages import LAW, STORES, store_of
from benchbar.retrieval.precedence import weightier_first
from benchbar.retrieval.retrievers import Restricted, Retriever
from benchbar.retrieval.search import Search
from benchbar.retrieval.settings import ASKED_LAW, AUTHORITY, SILENCE, RetrievalSettings
from benchbar.retrieval.tuning import CANDIDATES, DEFAULT, QUESTIONS, Tuning, tune

FOLDER = "retrieval"
"""Where it lies in the folder of the index."""
ANY_DAY = "any"
_TOLD_EVERY = 30
_QUICKLY_REDUCED = 20_000
"""Passages whose latent semantic analysis takes seconds."""
_NAMED = re.compile(r"^(?P<law>.+?)\s*第(?P<number>[^第条]{1,12})条(?:之(?P<sub>[^第条之]{1,4}))?$")
_NAMED_WESTERN = re.compile(
    r"^(?P<law>.+?),?\s+(?:ст\.|статья|art\.|article|s\.|section|§)\s*(?P<number>\d{1,5})(?:[.-](?P<sub>\d{1,4}(?:[.-]\d{1,4})?))?$",
    re.IGNORECASE,
)


class CorpusIndex(Index):
    """Stores and retrievers of a corpus."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        labels: Iterable[str] = (),
        folder: Path | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        """What retrieval needs beside the corpus is kept in ``folder``, and made at the first search.

        Documents with an access label that is not among ``labels`` are never found, cited or looked up.

        Raises:
            UserError: the folder cannot be written and holds no counts yet.
        """
        # Counts and vectors are of the whole corpus, and shared; what may be found of it is decided in each search.
        self._hidden = corpus.hidden_from(labels)
        self.corpus = corpus.visible_to(labels)
        super().__init__({}, folder=folder, corpus=corpus.identity, progress=progress)
        pieces = self._part("corpus", "pieces", lambda target: _write_pieces(corpus, target), "laying out the pieces")
        # Without a folder in memory: a folder of a few acts needs no copy on disk.
        self.passages = _by_store(corpus) if pieces is None else _mapped(pieces)
        away = {corpus.decisions[row].id for row in self._hidden.decisions} | self._hidden.laws
        self._visible = {
            name: np.array([(one.law_id or one.document) not in away for one in passages], dtype=bool)
            for name, passages in self.passages.items()
            if away
        }

    @classmethod
    def open(
        cls, path: Path, *, labels: Iterable[str] = (), progress: Callable[[str], None] | None = None
    ) -> CorpusIndex:
        """Of the index at ``path``, or in memory of a folder of acts and decisions that nobody has indexed.

        Documents with an access label that is not among ``labels`` are left out.

        Raises:
            BadInputError: there is neither, or it is damaged or of another version.
        """
        path = law_path(path)
        # A folder that has both is an index of those acts.
        if (path / MANIFEST).exists() or not (path / "acts").is_dir():
            return cls(open_index(path), labels=labels, folder=path / FOLDER, progress=progress)
        return cls(Corpus.from_folder(path), labels=labels, progress=progress)

    def names(self) -> list[str]:
        """The laws by name; those alone that may be seen."""
        return [act.name for act in self.corpus.acts]

    def in_force(self, day: str | None = None) -> NDArray[np.bool_] | None:
        """Which passages of law may be found on a day (YYYY-MM-DD; None: today); None where all may (``any``).

        A version stays in where the corpus cannot tell, unless it is known to have expired.
        """
        if day == ANY_DAY:
            return None
        on = day or date.today().isoformat()  # noqa: DTZ011 - the day where the user is
        gone = {
            version.law_id
            for act in self.corpus.acts
            for edition in act.editions
            # An edition that expired on an unknown day is gone as well.
            if not edition.stands_on(on)
            for version in edition.versions
        }
        group = self.store(LAW).group
        # One look at each version: its passages are all in force or none.
        numbers, first = np.unique(group, return_index=True)
        standing = np.ones(int(numbers.max(initial=-1)) + 1, dtype=bool)
        for number, place in zip(numbers, first, strict=True):
            standing[number] = self.passages[LAW][int(place)].law_id not in gone
        return np.asarray(standing[group])

    def searching(
        self, settings: RetrievalSettings | None = None, *, day: str | None = None, asking: Asking | None = None
    ) -> Search:
        """The whole search over the law in force on a day, and the practice.

        Args:
            settings: which steps, and how.
            day: YYYY-MM-DD; None for today, ``any`` for all versions of all laws.
            asking: gives an embedding model that is asked through the ledger and budget of a run.
        """
        return self.search(
            settings,
            self._allowed(STORES, day),
            asking=asking,
            weigh=lambda piece: weight_of(piece, self.corpus),
            fitted=not invented_jurisdiction(self.corpus),
        )

    def usual_settings(self) -> RetrievalSettings:
        """What `ask`, `chat`, the page and the library search with: silent where the law does not answer, by the tuned retriever."""
        tuning = self.tuning()
        retriever = DEFAULT if tuning is None else tuning.chosen
        return RetrievalSettings(retriever=retriever, law=ASKED_LAW, silence=SILENCE, authority=AUTHORITY)

    def tuning(self) -> Tuning | None:
        """What `law tune` chose for this state of the corpus; None where it did not, and where the corpus has changed since.

        Raises:
            BadInputError: the file is damaged, or names what a tuning never chooses.
        """
        file = self._tuning_file
        if file is None or not file.is_file():
            return None
        found = decode(file.read_bytes(), Tuning, file=file)
        if found.chosen not in CANDIDATES:
            raise BadInputError(f"chosen is {found.chosen!r}; expected one of {', '.join(CANDIDATES)}", file=file)
        return found if found.corpus == self._corpus else None

    def keep_tuning(self, tuning: Tuning) -> None:
        """Keep what was chosen: searches take it from now on.

        Raises:
            UserError: this index has no folder to keep it in.
        """
        if self._tuning_file is None:
            raise UserError("a tuning needs an index folder to be kept in; make one with `benchbar law index`")
        self._tuning_file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._tuning_file, encode(tuning))

    @property
    def _tuning_file(self) -> Path | None:
        return None if self._folder is None else self._folder / "tuning.json"

    def tune(self, generator: np.random.Generator, *, questions: int = QUESTIONS) -> Tuning:
        """Try every retriever that is ready on so many questions made of the law, and keep what was chosen.

        Raises:
            UserError: there is no law, or no folder to keep the choice in.
            ModelError: an embedding model of this index was asked and did not answer.
        """
        if self._tuning_file is None or not len(self.passages[LAW]):
            raise UserError(
                "a choice is kept in an index, and a bundled suite or a folder of acts has none; make one with `benchbar law index PATH --out INDEX`"
                if self._tuning_file is None
                else "this index holds no law to make questions of; add some with `benchbar law index`"
            )
        store = self.store(LAW)
        names = [DEFAULT, "lexical", "tfidf"]
        # Decomposing the counts of a large corpus takes minutes: there it is a candidate only where somebody has searched by it.
        if len(store.passages) <= _QUICKLY_REDUCED or self._kept(LAW, "lsa"):
            names.append("lsa")
        if self._kept(LAW, "encoder"):
            names.append("encoder")
        if self._embedding_file is not None and self._embedding_file.is_file() and self._embeds_quickly():
            names.append("embeddings")
        retrievers = {name: self.retriever(LAW, name) for name in names}
        found = tune(
            store,
            retrievers,
            generator,
            corpus=self._corpus,
            answered=lambda question: answers(store, question, SILENCE),
            questions=questions,
            done=self._told_of,
        )
        self.keep_tuning(found)
        return found

    def _told_of(self, name: str, count: int) -> None:
        # The first one too: it may be that which counts, or waits for an endpoint.
        if count == 1 or not count % _TOLD_EVERY:
            self._progress(f"{name}: {count} made questions searched")

    def _embeds_quickly(self) -> bool:
        """Whether trying the embedding model asks for few vectors: only the first passages are embedded, or all of them are already."""
        embedder = self.embedder()
        if embedder.settings.rerank:
            return True
        kept, size = self.embedded(LAW, embedder), len(self.passages[LAW])
        if missing := len(kept.without_vector()):
            self._progress(
                f"embeddings left out: {missing} of {size} passages have no vector yet; `benchbar law embed` goes on with them,"
                " and with --rerank 30 only a question's first passages are embedded"
            )
        return not missing

    def _allowed(self, stores: Sequence[str], day: str | None) -> dict[str, NDArray[np.bool_]]:
        """By store which passages may be found: those that may be seen, and of law those that may be in force."""
        allowed = {name: self._visible[name] for name in stores if name in self._visible}
        standing = self.in_force(day) if LAW in stores and len(self.passages[LAW]) else None
        if standing is not None:
            # Only law has a time: a decision stays what it was.
            allowed[LAW] = standing & allowed[LAW] if LAW in allowed else standing
        return allowed

    def ranking(self, kind: str = "learned", *, day: str | None = None, stores: Sequence[str] = STORES) -> Ranking:
        """One retriever over the stores, for plain search: no variants, thresholds or fusion."""
        allowed = self._allowed(stores, day)
        retrievers: dict[str, Retriever] = {}
        for name in stores:
            if len(self.passages[name]):
                made = self.retriever(name, kind)
                retrievers[name] = Restricted(made, allowed[name]) if name in allowed else made
        return Ranking(self.passages, retrievers, weigh=lambda piece: weight_of(piece, self.corpus))

    def named_in(self, text: str, *, day: str | None = None) -> list[Piece]:
        """The articles and decisions that a text itself names, in its order; of an article the edition in force on a day.

        A question that cites what it asks about need not be searched for it.
        """
        found: dict[str, Piece] = {}
        for mention in extract(text, known=self.corpus.known_names):
            for piece in self._mentioned(mention, day):
                found.setdefault(piece.id, piece)
        return list(found.values())

    def _mentioned(self, mention: Mention, day: str | None) -> list[Piece]:
        if mention.case_number:
            decision = self.corpus.decision(mention.case_number)
            # The first piece of a decision names court and parties; the rest is a search's matter.
            return [] if decision is None else list(decision_pieces(decision))[:1]
        if not (mention.article and mention.names):
            return []
        on = day or date.today().isoformat()  # noqa: DTZ011 - the day where the user is
        for act in self.corpus.acts_named(mention.names):
            # The latest edition first: of several that hold, it is the text of today.
            for edition in reversed(act.editions):
                if on != ANY_DAY and not edition.stands_on(on):
                    continue
                for version in edition.versions:
                    row = self.corpus.row(version.law_id, mention.article, mention.sub)
                    if row is not None:
                        return list(article_pieces(self.corpus.articles[row], version.name))
        return []

    def documents_named(self, name: str) -> frozenset[str]:
        """Ids of the articles or the decision that a name may mean: a corpus id, a case number, or law and article.

        Law and article are written ``民法典第一百条``, ``刑法第一百三十三条之一``, ``ГК РФ ст. 130`` or ``ЗК РФ ст. 39.36.1``; every
        edition of the law counts. Empty where the corpus holds nothing of that name.
        """
        if self.corpus.article(name) is not None:
            # An id is what a user copies from a result; no name of a law looks like one.
            return frozenset({name})
        decision = self.corpus.decision(name)
        if decision is not None:
            return frozenset({decision.id})
        match = _NAMED.match(name) or _NAMED_WESTERN.match(name)
        if not match:
            return frozenset()
        number, *sub = map(parse_number, [match["number"], *re.split("[.-]", match["sub"] or "")])
        found = self.corpus.find_articles(
            match["law"], str(number), ".".join(str(one) for one in sub if one is not None)
        )
        return frozenset(article.id for article in found)


class Hit(NamedTuple):
    """A document that was found, by its best piece."""

    piece: Piece
    score: float
    weight: Weight = Weight.ORDINARY


class Ranking:
    """The documents of all stores by the score of their best piece."""

    def __init__(
        self,
        passages: Mapping[str, Sequence[Piece]],
        retrievers: Mapping[str, Retriever],
        *,
        weigh: Callable[[Piece], Weight] = lambda _: Weight.ORDINARY,
    ) -> None:
        """Stores without a retriever are not searched; of hits that are as relevant, those that ``weigh`` more come first."""
        self._passages, self._retrievers, self._weigh = passages, retrievers, weigh

    def documents(self, query: str, k: int) -> list[Hit]:
        """Up to k documents, best first; of a document in pieces the best piece.

        Scores within a twentieth of each other are equal relevance: there law and guiding cases come before other decisions, and these
        before those that were set aside.
        """
        # Pieces of one document take several places: half as many again leave k documents after the others are
        # dropped.
        fetch = k + k // 2 + 10
        found = [
            Hit(piece, one.score, self._weigh(piece))
            for name, retriever in self._retrievers.items()
            for one in retriever.search([query], fetch)[0]
            for piece in (self._passages[name][one.position],)
        ]
        best: dict[str, Hit] = {}
        # Stable, so that equal scores keep the order of the corpus and a ranking can be repeated.
        for hit in sorted(found, key=lambda hit: -hit.score):
            best.setdefault(hit.piece.document, hit)
        return weightier_first(list(best.values()), lambda hit: hit.score, lambda hit: hit.weight)[:k]


def _by_store(corpus: Corpus) -> dict[str, list[Piece]]:
    stores: dict[str, list[Piece]] = {name: [] for name in STORES}
    for piece in corpus.pieces():
        stores[store_of(piece)].append(piece)
    return stores


def _mapped(folder: Path) -> dict[str, Sequence[Piece]]:
    return {
        name: PackedRows(load_bytes(folder / f"{name}.jsonl"), load_array(folder / f"{name}.npy"), Piece)
        for name in STORES
    }


def _write_pieces(corpus: Corpus, target: Path) -> None:
    for name, pieces in _by_store(corpus).items():
        rows = [encode(piece) for piece in pieces]
        write_atomically(target / f"{name}.jsonl", b"".join(rows))
        save_array(target / f"{name}.npy", np.cumsum([0, *map(len, rows)]).astype(np.int64))
