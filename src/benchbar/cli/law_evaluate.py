"""`benchbar law evaluate`: how well a corpus is searched, on queries with known answers."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import click

from benchbar.cli.command import Command
from benchbar.cli.options import day_option, json_option, law_option, retriever_option
from benchbar.cli.progress import note
from benchbar.records.errors import BadInputError
from benchbar.suites.readers.queries import read_judgements
from benchbar.tables.reading import read_table

if TYPE_CHECKING:
    from benchbar.records import Estimate
    from benchbar.retrieval.corpus import CorpusIndex, Hit
    from benchbar.retrieval.search import Search

# 5 as in published tables of legal retrieval, 10 as a page of hits, 100 as what a second stage could still rank.
CUTS = (5, 10, 100)


class Query(NamedTuple):
    """One line of the queries file; its other fields are passed over."""

    id: str
    question: str


@click.command("evaluate", cls=Command)
@law_option(required=True)
@click.option("--queries", required=True, type=click.Path(path_type=Path), help="JSONL with query_id and question.")
@click.option(
    "--qrels",
    required=True,
    type=click.Path(path_type=Path),
    help="Lines of: query_id, 0, document, relevance; by tabs.",
)
@retriever_option
@day_option("Search the law in force on YYYY-MM-DD, or in all its versions (any).", or_any=True)
@click.option(
    "--ablate",
    is_flag=True,
    help="Also measure the complete search of `ask`, and that search without each of its steps.",
)
@json_option
def command(
    corpus: Path,
    queries: Path,
    qrels: Path,
    retriever: str,
    on: str | None,
    ablate: bool,
    as_json: bool,
) -> None:
    """Measure recall, reciprocal rank and gain over queries whose relevant documents are known.

    A document is named by its id in the corpus, its case number, or law and article (民法典第一百条).

    benchbar law evaluate --law indexes/prc --queries queries.jsonl --qrels qrels.tsv
    """
    from benchbar.records import encode
    from benchbar.retrieval.corpus import CorpusIndex

    asked = read_queries(queries)
    judged = read_judgements(qrels)
    index = CorpusIndex.open(corpus, progress=note)
    result = evaluate(index, asked, judged, retriever=retriever, day=on)
    if ablate:
        result["ablations"] = ablated(index, asked, judged, retriever=retriever, day=on)
    if as_json:
        click.echo(encode(result).decode())
    else:
        _show(result)


def read_queries(path: Path) -> list[Query]:
    """The queries of a JSONL file.

    Raises:
        BadInputError: a line is no JSON or lacks a field, or an id occurs twice.
    """
    found: dict[str, Query] = {}
    table = read_table(path)
    for number, row in table:
        query = _query(row, path, number)
        if query.id in found:
            raise BadInputError(f"query_id {query.id} occurs twice", file=path, line=number, field="query_id")
        found[query.id] = query
    if table.problems:
        first = table.problems[0]
        raise BadInputError(first.message, file=path, line=first.line, field=first.field)
    if not found:
        raise BadInputError("holds no queries", file=path)
    return list(found.values())


def _query(row: dict[str, Any], path: Path, number: int) -> Query:
    name, question = row.get("query_id"), row.get("question")
    if not isinstance(name, int | str) or not isinstance(question, str) or not question.strip():
        raise BadInputError("expected an object with query_id and a question that is text", file=path, line=number)
    return Query(str(name), question)


def evaluate(
    index: CorpusIndex,
    queries: list[Query],
    judged: dict[str, dict[str, float]],
    *,
    retriever: str = "learned",
    day: str | None = None,
    ranking: Ranks | None = None,
) -> dict[str, Any]:
    """The measures as the document that is printed; each an Estimate over the queries that have a relevant document."""
    from benchbar.statistics.retrieval import averaged, normalised_discounted_gain, recall_at, reciprocal_rank

    ranking = ranking or index.ranking(retriever, day=day)
    ranking.documents(queries[0].question, max(CUTS))  # maps files and loads dictionaries, which no later query does
    recalls: dict[int, list[float | None]] = {k: [] for k in CUTS}
    ranks: list[float | None] = []
    gains: list[float | None] = []
    milliseconds: list[float] = []
    names = _Names(index)
    for query in _watched(queries):
        started = time.perf_counter()
        hits = ranking.documents(query.question, max(CUTS))
        milliseconds.append((time.perf_counter() - started) * 1e3)
        wanted = judged.get(query.id, {})
        found = names.as_judged([hit.piece.document for hit in hits], wanted)
        relevant = {name for name, relevance in wanted.items() if relevance > 0}
        for k, values in recalls.items():
            values.append(recall_at(found, relevant, k))
        ranks.append(reciprocal_rank(found, relevant, 10))
        gains.append(normalised_discounted_gain(found, wanted, 10))
    return {
        "queries": len(queries),
        "without_judgements": sum(value is None for value in ranks),
        "documents_not_in_corpus": sorted(names.unknown),
        "retriever": retriever,
        "recall": {str(k): averaged(values) for k, values in recalls.items()},
        "mrr": {"10": averaged(ranks)},
        "ndcg": {"10": averaged(gains)},
        "latency_ms": {"p50": _percentile(milliseconds, 50), "p95": _percentile(milliseconds, 95)},
    }


class Ranks(Protocol):
    """Whatever ranks documents for a query."""

    def documents(self, query: str, k: int) -> list[Hit]:
        """Up to k documents, best first."""
        ...


class WholeSearch:
    """The search of the consultant as a ranking: its findings in their order."""

    def __init__(self, search: Search) -> None:
        """Ranks by what ``search`` finds."""
        self._search = search

    def documents(self, query: str, k: int) -> list[Hit]:
        """Findings name each document once."""
        from benchbar.retrieval.corpus import Hit

        return [Hit(found.passage, found.fused) for found in self._search.find(query)][:k]


def ablated(
    index: CorpusIndex,
    queries: list[Query],
    judged: dict[str, dict[str, float]],
    *,
    retriever: str = "learned",
    day: str | None = None,
) -> dict[str, dict[str, Any]]:
    """By name of the ablation the measures at 5 and 10, each store giving up to 10 documents."""
    from msgspec.structs import replace

    from benchbar.retrieval.settings import RetrievalSettings, ablations

    base = RetrievalSettings(retriever=retriever)
    law, practice = (replace(one, k=10, fetch_k=50) for one in (base.law, base.practice))
    table: dict[str, dict[str, Any]] = {}
    for name, settings in ablations(replace(base, law=law, practice=practice)).items():
        if any(len(index.passages[store]) for store in settings.stores):
            ranking = WholeSearch(index.searching(settings, day=day))
            measured = evaluate(index, queries, judged, ranking=ranking)
            # Only ten passages are asked for (k above): recall beyond 10 would be that at 10 under another name.
            recalls = {k: value for k, value in measured["recall"].items() if int(k) <= 10}
            table[name] = {"recall": recalls, "mrr": measured["mrr"], "ndcg": measured["ndcg"]}
    return table


class _Names:
    """Documents of the corpus by the names that judgements give them."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._documents: dict[str, frozenset[str]] = {}
        self.unknown: set[str] = set()

    def as_judged(self, found: list[str], wanted: dict[str, float]) -> list[str]:
        """The ranking with judged documents under their judged names; another edition of an article is the same one."""
        names: dict[str, str] = {}
        for name in wanted:
            if name not in self._documents:
                self._documents[name] = self._index.documents_named(name)
                if not self._documents[name]:
                    self.unknown.add(name)
            # Judgements name an article, the corpus holds its editions: any of them is the article.
            names.update(dict.fromkeys(self._documents[name], name))
        # Marked, so that an unjudged document cannot bear the name of a judged one by chance.
        return [names.get(document, f"\0{document}") for document in found]


def _percentile(values: list[float], percent: float) -> Estimate:
    """A percentile with the interval of its order statistics (binomial, distribution-free)."""
    from scipy.stats import binom

    from benchbar.records import Estimate

    ordered, n = sorted(values), len(values)
    share = percent / 100
    # Latencies have a long tail, for which a normal interval is wrong on both sides.
    low, high = (int(binom.ppf(tail, n, share)) for tail in (0.025, 0.975))
    return Estimate(
        value=round(ordered[min(n - 1, int(share * n))], 3),
        low=round(ordered[max(0, low - 1)], 3),
        high=round(ordered[min(n - 1, high)], 3),
        n=n,
        method=f"percentile {percent:g}, interval by order statistics",
        unit="query",
    )


def _watched(queries: list[Query]) -> Iterable[Query]:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(queries, description="queries", console=console, disable=not console.is_terminal, transient=True)


def _show(result: dict[str, Any]) -> None:
    click.echo(f"{result['queries']} queries, retriever {result['retriever']}")
    rows = [(f"recall@{k}", value) for k, value in result["recall"].items()]
    rows += [(f"MRR@{k}", value) for k, value in result["mrr"].items()]
    rows += [(f"nDCG@{k}", value) for k, value in result["ndcg"].items()]
    rows += [(f"latency {name}, ms", value) for name, value in result["latency_ms"].items()]
    for name, estimate in rows:
        if estimate.value is None:
            click.echo(f"{name:16} -      {estimate.reason}")
        else:
            interval = "" if estimate.low is None else f"  [{estimate.low:.3f}, {estimate.high:.3f}]"
            click.echo(f"{name:16} {estimate.value:.3f}{interval}")
    if "ablations" in result:
        click.echo("\nthe complete search, and without each step: recall@5, recall@10, MRR@10")
    for name, measured in result.get("ablations", {}).items():
        values = [*measured["recall"].values(), *measured["mrr"].values()]
        click.echo(f"{name:16} " + "  ".join("-" if one.value is None else f"{one.value:.3f}" for one in values))
    if result["without_judgements"]:
        click.echo(f"{result['without_judgements']} queries have no relevant document and are left out", err=True)
    if result["documents_not_in_corpus"]:
        unknown = result["documents_not_in_corpus"]
        click.echo(
            f"{len(unknown)} judged documents are not in the corpus, e.g. {unknown[0]}: counted as not found", err=True
        )
