"""Vectors in PostgreSQL with the extension pgvector, for corpora that outgrow one machine."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from benchbar.records.errors import MissingDependencyError, VectorDatabaseError
from benchbar.retrieval.postings import Floats, Integers

if TYPE_CHECKING:
    from psycopg import Connection

EXACT_TO = 100_000
"""Rows up to which every product is taken; above, a graph (HNSW) is built and searched."""
_MOST_DIMENSIONS = 2_000
"""Of a vector that pgvector can put into a graph."""
# The default of 40 gives fewer rows than are fetched here.
_EF_SEARCH = 200
_SETS = "benchbar_vectors"


class PgVectorIndex:
    """Unit vectors in a table of a PostgreSQL database."""

    def __init__(self, address: str, key: str, vectors: Floats) -> None:
        """Put the vectors into a table of their own, unless one of that key is there already.

        Args:
            address: ``postgresql://user@host/database``; a password is better left to PGPASSWORD or ~/.pgpass.
            key: changes when, and only when, the vectors do.
            vectors: shape (n, dimensions).

        Raises:
            MissingDependencyError: psycopg is not installed.
            VectorDatabaseError: the database cannot be reached, or has no pgvector.
        """
        self._errors = _psycopg().Error
        self._table = f"benchbar_{hashlib.blake2b(key.encode(), digest_size=12).hexdigest()}"
        self._size = len(vectors)
        try:
            self._connection: Connection[Any] = _psycopg().connect(address)
            # Closed with the object: a search that nobody closes must not hold a connection of the server.
            self._closing = weakref.finalize(self, self._connection.close)
            with self._connection.transaction():
                self._fill(vectors)
            # Only afterwards: filling is one transaction, each search one of its own.
            self._connection.autocommit = True
        except self._errors as error:
            raise VectorDatabaseError(
                f"{error}; expected a PostgreSQL database where the extension vector can be created"
            ) from error

    def _fill(self, vectors: Floats) -> None:
        """Create and fill the table in one transaction, so that half a table is never searched."""
        from psycopg import sql

        table, connection = sql.Identifier(self._table), self._connection
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute(f"CREATE TABLE IF NOT EXISTS {_SETS} (name text PRIMARY KEY, rows bigint NOT NULL)")
        # One at a time: two processes that open the same corpus must not both fill its table.
        connection.execute(f"LOCK TABLE {_SETS} IN EXCLUSIVE MODE")
        known = connection.execute(f"SELECT rows FROM {_SETS} WHERE name = %s", (self._table,)).fetchone()  # noqa: S608 - a constant
        # The number of rows is compared as well: a table that somebody truncated is filled again.
        if known is not None and known[0] == len(vectors):
            return
        dimensions = sql.Literal(vectors.shape[1])
        connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))
        connection.execute(
            sql.SQL("CREATE TABLE {} (position integer PRIMARY KEY, embedding vector({}))").format(table, dimensions)
        )
        with (
            connection.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} (position, embedding) FROM STDIN").format(table)) as copy,
        ):
            for position, vector in enumerate(vectors):
                copy.write_row((position, _written(vector)))
        if len(vectors) > EXACT_TO and vectors.shape[1] <= _MOST_DIMENSIONS:
            connection.execute(sql.SQL("CREATE INDEX ON {} USING hnsw (embedding vector_ip_ops)").format(table))
        connection.execute(
            f"INSERT INTO {_SETS} VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET rows = excluded.rows",  # noqa: S608
            (self._table, len(vectors)),
        )

    def search(self, queries: Floats, k: int) -> tuple[Integers, Floats]:
        """The nearest by inner product; equal ones by position."""
        k = min(k, self._size)
        positions, scores = np.empty((len(queries), k), np.int64), np.empty((len(queries), k), np.float32)
        for row, query in enumerate(queries):
            found = self._rows(
                "SELECT position, -(embedding <#> {query}) FROM {table} ORDER BY embedding <#> {query} LIMIT {k}",
                query,
                k,
            )
            # The database gives equal distances in any order.
            ordered = sorted(found, key=lambda pair: (-pair[1], pair[0]))
            # A graph may come back with fewer; what is missing scores below everything.
            ordered += [(0, -1.0)] * (k - len(ordered))
            positions[row] = [position for position, _ in ordered]
            scores[row] = [score for _, score in ordered]
        return positions, scores

    def all_scores(self, query: Floats) -> Floats:
        """Every product, computed by the database."""
        rows = self._rows("SELECT position, -(embedding <#> {query}) FROM {table} ORDER BY position", query)
        return np.array([score for _, score in rows], dtype=np.float32)

    def vectors(self, positions: Sequence[int]) -> Floats:
        """The stored vectors."""
        from psycopg import sql

        statement = sql.SQL("SELECT position, embedding::text FROM {} WHERE position = ANY(%s)").format(
            sql.Identifier(self._table)
        )
        found = self._ask(statement, ([int(position) for position in positions],))
        texts = {position: np.fromstring(text.strip("[]"), dtype=np.float32, sep=",") for position, text in found}
        return np.stack([texts[int(position)] for position in positions])

    def close(self) -> None:
        """Give the connection back."""
        self._closing()

    def _rows(self, template: str, query: Floats, k: int = 0) -> list[tuple[int, float]]:
        from psycopg import sql

        statement = sql.SQL(template).format(
            table=sql.Identifier(self._table),
            query=sql.SQL("{}::vector").format(sql.Literal(_written(query))),
            k=sql.Literal(k),
        )
        return self._ask(statement, ())

    def _ask(self, statement: Any, values: tuple[Any, ...]) -> list[Any]:
        try:
            with self._connection.transaction():
                if self._size > EXACT_TO:
                    self._connection.execute(f"SET LOCAL hnsw.ef_search = {_EF_SEARCH}")
                rows: list[Any] = self._connection.execute(statement, values).fetchall()
        except self._errors as error:
            raise VectorDatabaseError(f"{error}") from error
        return rows


def _written(vector: Iterable[float]) -> str:
    return "[" + ",".join(f"{value:.8g}" for value in vector) + "]"


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError as error:
        raise MissingDependencyError("psycopg", "postgresql", "the vector database") from error
    return psycopg
