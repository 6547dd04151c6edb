"""Reads the ledger of a run in PostgreSQL."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from benchbar.ledger.connecting import Database
from benchbar.ledger.frames import OwnFrame
from benchbar.ledger.packing import unpack
from benchbar.ledger.records import CallResult, Outcome
from benchbar.records import Spending, decode

if TYPE_CHECKING:
    from psycopg import Connection

KEPT_SAMPLES = 512


class PostgreSQLReader:
    """What one run's tables hold, over one connection."""

    frame: OwnFrame
    _db: Connection[Any]

    def __init__(self, database: Database) -> None:
        """Of the run in ``database``; whoever inherits this opens the connection."""
        self.database = database
        self._known: OrderedDict[str, dict[bytes, bytes]] = OrderedDict()
        self._cursors = count()

    def _number(self, query: str, *parameters: Any) -> float:
        row = self._db.execute(query, parameters or None).fetchone()
        return 0 if row is None else row[0]

    def meta(self, name: str) -> bytes | None:
        """The value kept under a name."""
        with self.database.errors():
            row = self._db.execute("SELECT value FROM meta WHERE name = %s", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def result(self, key: bytes, sample: str = "") -> CallResult | None:
        """The best known result of a call; with its sample, one query brings the results of all calls about that."""
        if not sample:
            rows = list(
                self.rows(
                    "SELECT payload FROM result WHERE key = ? ORDER BY status = 'failed', intent DESC LIMIT 1", (key,)
                )
            )
            data = rows[0][0] if rows else None
        else:
            data = self._of_sample(sample).get(key)
        return None if data is None else decode(self.frame.unpack(data), CallResult, file=str(self.database))

    def _of_sample(self, sample: str) -> dict[bytes, bytes]:
        if sample not in self._known:
            found = self.rows(
                "SELECT result.key, payload FROM result JOIN call ON call.key = result.key WHERE sample = ?"
                " ORDER BY status <> 'failed', intent",
                (sample,),
            )
            self._known[sample] = {bytes(key): payload for key, payload in found}
            if len(self._known) > KEPT_SAMPLES:
                self._known.popitem(last=False)
        self._known.move_to_end(sample)
        return self._known[sample]

    def forget(self) -> None:
        """Read anew what other processes may have written meanwhile."""
        self._known.clear()

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a query; without parameters it is a long one, and is fetched piece by piece."""
        with self.database.errors():
            if parameters:
                yield from self._db.execute(query.replace("%", "%%").replace("?", "%s"), parameters).fetchall()
                return
            with self._db.cursor(f"rows_{next(self._cursors)}", withhold=True) as cursor:
                cursor.itersize = 2000
                cursor.execute(query)
                yield from cursor

    def damage(self) -> Iterator[str]:
        """Nothing: the pages are the server's, which has checksums of its own."""
        return iter(())

    def outcomes(self) -> dict[str, Outcome]:
        """What is known of each planned item."""
        return {item: decode(unpack(data), Outcome) for item, data in self.rows("SELECT item, record FROM outcome")}

    def spending(self) -> dict[str, Spending]:
        """Role to what its answered calls consumed, each call once: the same for a run that was stopped and one that was not."""
        rows = self.rows(
            "SELECT role, count(*), count(*) FILTER (WHERE status = 'ok' AND input_tokens IS NULL),"
            " sum(input_tokens)::bigint, sum(output_tokens)::bigint, array_agg(cost) FILTER (WHERE cost IS NOT NULL)"
            " FROM result JOIN call ON call.key = result.key WHERE status <> 'failed' GROUP BY role"
            ' ORDER BY role COLLATE "C"'
        )
        return {
            role: Spending(
                calls=calls,
                without_usage=silent,
                input_tokens=read,
                output_tokens=written,
                cost=math.fsum(costs) if costs else None,
            )
            for role, calls, silent, read, written, costs in rows
        }

    def committed_cost(self) -> float:
        """What was paid, with calls of unknown outcome or unstated usage at the sum reserved for them."""
        return self.cost_but(())

    def cost_but(self, sessions: Iterable[int]) -> float:
        """What was paid by all sessions but these."""
        with self.database.errors():
            return float(
                self._number(
                    "SELECT coalesce(sum(coalesce("
                    " cost, CASE WHEN status IS NULL OR status = 'ok' THEN reserved ELSE 0 END)), 0)"
                    " FROM intent LEFT JOIN result ON result.intent = intent.id WHERE session <> ALL(%s)",
                    list(sessions),
                )
            )

    def reviews(self, after: int = 0) -> Iterator[tuple[int, str, float, bytes, bytes]]:
        """Number, kind, time, record and seal of what people were asked and said after a number, in order."""
        yield from self.rows("SELECT id, kind, at, record, seal FROM review WHERE id > ? ORDER BY id", (after,))
