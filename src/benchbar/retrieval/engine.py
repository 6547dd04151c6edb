"""The same BM25 by a search engine (tantivy): for corpora of millions, where adding up whole vectors becomes slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchbar.records.errors import BadInputError
from benchbar.retrieval.diversity import Rows
from benchbar.retrieval.retrievers import Found, attainable, text_similarity
from benchbar.retrieval.store import Store
from benchbar.retrieval.tokens import grams

_FIELD, _POSITION = "terms", "position"
_HEAP = 64_000_000
"""Bytes a writer holds before it writes a segment."""


class Engine:
    """BM25 over uni- and bigrams in a tantivy index; only the best passages are looked at."""

    def __init__(self, store: Store, folder: Path | None = None) -> None:
        """Open the index in ``folder``, or build one in memory.

        Raises:
            BadInputError: there is no index in the folder, or it is damaged.
        """
        import tantivy

        self._store, self._tantivy = store, tantivy
        self._schema = _schema()
        if folder is None:
            self._index = _filled(tantivy.Index(self._schema), store)
        else:
            try:
                self._index = tantivy.Index.open(str(folder))
            except ValueError as error:
                raise BadInputError(f"no readable search index ({error}); build it again", file=folder) from error
        self._searcher = self._index.searcher()

    @staticmethod
    def build(store: Store, folder: Path) -> None:
        """Write the index of a store into a folder that is empty."""
        import tantivy

        _filled(tantivy.Index(_schema(), path=str(folder)), store)

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """The passages with the highest BM25, as shares of what a passage with every word of the query could reach."""
        return [self._one(query, k) for query in queries]

    def _one(self, query: str, k: int) -> list[Found]:
        unigrams, bigrams = grams(query)
        terms = [*unigrams, *bigrams]
        if not terms or not len(self._store.passages):
            return []
        # The engine's scores have no upper end; a share does, so that one threshold fits every query.
        postings = self._store.characters
        most = attainable(postings, postings.match(terms), len(terms))
        found = self._searcher.search(self._query(terms), k).hits
        return [Found(self._searcher.doc(place)[_POSITION][0], score / most) for score, place in found]

    def _query(self, terms: Sequence[str]) -> Any:
        query, occur = self._tantivy.Query, self._tantivy.Occur
        return query.boolean_query(
            [
                (occur.Should, query.boost_query(query.term_query(self._schema, _FIELD, _written(term)), float(count)))
                for term, count in Counter(terms).items()
            ]
        )

    def similarity(self, positions: Sequence[int]) -> Rows:
        """Cosine of the sets of character bigrams and words."""
        return text_similarity(self._store, positions)


def _schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field(_FIELD, tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field(_POSITION, stored=True)
    return builder.build()


def _filled(index: Any, store: Store) -> Any:
    import tantivy

    # One thread: with several the passages lie in other segments each time, and equal scores in another
    # order.
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for position, passage in enumerate(store.passages):
        unigrams, bigrams = grams(passage.text)
        document = tantivy.Document()
        document.add_text(_FIELD, " ".join(map(_written, [*unigrams, *bigrams])))
        document.add_unsigned(_POSITION, position)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def _written(term: str) -> str:
    """A pair of stems without the space between them, which would divide it."""
    # The tokenizer divides at white space; an invisible separator stands where the space was.
    return term.replace(" ", "\u2063")
