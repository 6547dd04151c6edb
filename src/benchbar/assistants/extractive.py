"""``extractive``: no model; finds the articles nearest to the question and answers by quoting and citing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from benchbar.languages.packs import labels
from benchbar.law.citations import extract, grammar
from benchbar.law.corpus import Corpus
from benchbar.law.dates import is_day
from benchbar.law.index import load_corpus
from benchbar.records import Article, ContextPassage, LawVersion, Piece, Reply, Turn, fingerprint
from benchbar.records.errors import UserError
from benchbar.records.protocols import Context
from benchbar.retrieval.embedding import EndpointEmbedder, read_settings
from benchbar.retrieval.index import Index
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.retrievers import Prepared, Retriever


class Extractive:
    """Quotes the nearest articles of a corpus."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        articles: int,
        language: str,
        retriever: str = "lexical",
        on: str = "",
        embedder: EndpointEmbedder | None = None,
    ) -> None:
        """At most ``articles`` of those in force on a day (today, if none is named) are quoted in a reply.

        ``embedder`` is asked where the retriever is ``embeddings``.
        """
        # The assistant is told of no date: it reads the law of one day, whatever the matter.
        day = on or date.today().isoformat()  # noqa: DTZ011 - the day where the user is
        self._rows = [
            (article, version) for version in _in_force(corpus, day) for article in _articles(corpus, version)
        ]
        pieces = [_piece(article, version) for article, version in self._rows]
        self._retriever: Retriever = Index({LAW: pieces}).retriever(LAW, retriever, embedder=embedder)
        self._corpus, self._places = corpus, {article.id: place for place, (article, _) in enumerate(self._rows)}
        self._articles, self._language = articles, language
        self.identity = f"extractive:3:{corpus.identity}:{articles}:{retriever}:{on}"
        if embedder is not None:
            self.identity += f":{fingerprint(embedder.settings)}"

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """The articles nearest to what the user said and handed in."""
        asked = "\n".join(turn.content for turn in turns if turn.role != "assistant")
        words = labels(self._language, "words")
        if isinstance(self._retriever, Prepared):
            await self._retriever.prepare([asked])
        found = self._found(asked)
        if not found:
            return Reply(content=words("extractive.nothing"), contexts=())
        cited = [(article, self._cited(article, version)) for article, version in found]
        quoted = "\n".join(f"{citation}：“{article.text}”" for article, citation in cited)
        contexts = tuple(
            ContextPassage(id=article.id, text=f"{citation}\n{article.text}") for article, citation in cited
        )
        return Reply(
            content="\n".join([words("extractive.before"), quoted, words("extractive.after")]), contexts=contexts
        )

    def _cited(self, article: Article, version: LawVersion) -> str:
        return grammar(self._language).cite(version.name, version.short_names, article.number, article.sub)

    def _found(self, asked: str) -> list[tuple[Article, LawVersion]]:
        """The articles that the question names, then those nearest to it, no more than are to be quoted."""
        named = [
            self._places[article.id]
            for mention in extract(asked, self._language)
            if mention.article and mention.names
            for article in self._corpus.find_articles(mention.names, mention.article, mention.sub)
            if article.id in self._places
        ]
        near = [one.position for one in self._retriever.search([asked], self._articles)[0] if one.score > 0]
        return [self._rows[place] for place in list(dict.fromkeys(named + near))[: self._articles]]


def _in_force(corpus: Corpus, day: str) -> list[LawVersion]:
    return [
        version
        for act in corpus.acts
        for edition in act.editions
        if edition.stands_on(day)
        for version in edition.versions
    ]


def _articles(corpus: Corpus, version: LawVersion) -> list[Article]:
    rows = corpus.rows_of(version.law_id)
    return [article for article in corpus.articles[rows.start : rows.stop] if article.text and not article.repealed]


def _piece(article: Article, version: LawVersion) -> Piece:
    return Piece(
        id=article.id,
        kind="article",
        document=article.id,
        text=article.text,
        law=version.name,
        law_id=version.law_id,
        article=article.number,
        sub=article.sub,
    )


def build(
    context: Context,
    *,
    corpus: str = "",
    articles: int = 3,
    retriever: str = "lexical",
    on: str = "",
    embeddings: Mapping[str, Any] | None = None,
) -> Extractive:
    """Over the corpus named (a folder of acts, or an index), else over the law that the suite brings.

    ``on`` (YYYY-MM-DD) has it read the law as it stood on that day: an index that was not kept up to date. ``embeddings``
    sets fields of ``EmbeddingSettings``, for the retriever of that name.
    """
    if articles < 1:
        raise UserError(f"articles is {articles}; at least 1 was expected")
    if on and not is_day(on):
        raise UserError(f"on is {on!r}; a day like 2024-06-01 was expected")
    law = load_corpus(context.law(corpus or None), paths_in_identity=context.paths_in_law_identity)
    settings = read_settings(embeddings)
    embedder = EndpointEmbedder(settings, context.embedding) if settings and retriever == "embeddings" else None
    return Extractive(law, articles=articles, language=context.language, retriever=retriever, on=on, embedder=embedder)
