"""How well are clauses found? `python benchmarks/clause_search.py YOUR/CUAD_v1.json` (or master_clauses.csv, or a folder of ACORD).

--limit N               the first N questions
--model M --base-url U  also a model behind BM25, its calls kept in clause_search.sqlite
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from benchbar.clients import Endpoint
from benchbar.clients.session import open_session
from benchbar.measures.clause_search import Ranker, by_bm25, by_consultant, by_model, document_order, keywords, measured
from benchbar.reports.numbers import rate
from benchbar.reports.tables import markdown_table
from benchbar.suites.clause_search import read_clause_queries


async def main() -> None:
    """Print one row for each method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--model")
    parser.add_argument("--base-url", default="")
    given = parser.parse_args()
    if given.path is None:
        print("skipped: name CUAD_v1.json, master_clauses.csv or a folder of ACORD")
        return
    queries = read_clause_queries(given.path)[: given.limit]
    answered = sum(any(gain > 0 for gain in one.gains.values()) for one in queries)
    print(f"{len(queries)} questions, {answered} of them with an answer: always 'there is one' is right in that many\n")
    methods: dict[str, Ranker] = {
        "document order": document_order,
        "keywords": keywords,
        "BM25": by_bm25,
        "the consultant's retriever": by_consultant,
    }
    async with open_session(Path("clause_search.sqlite") if given.model else None) as session:
        if given.model:
            endpoint = Endpoint(model=given.model, base_url=given.base_url)
            methods[f"BM25, then {given.model}"] = by_model(session.chat(endpoint))
        rows = [[name, *map(rate, (await measured(queries, rank)).values())] for name, rank in methods.items()]
    print(markdown_table([["method", "nDCG@5", "recall@5", "reciprocal rank"], *rows]))


asyncio.run(main())
