"""What bounds the engine from below: the requests of a recorded run, sent again without records and with durable ones."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

from programs import Program, folder, ran
from workload import Server, benchbar, served, write_spec

PARTS = Path(__file__).parent
SCRIPT = "script.json"


def script_of(run: Path) -> str:
    """The requests of a finished run in their order of dependence."""
    from benchbar.ledger.requests import requests
    from benchbar.ledger.sqlite import SQLiteStore

    store = SQLiteStore(run / "ledger.sqlite", writable=False)
    bodies = {}
    for key, _, _, written in requests(store):
        asked = json.loads(written)
        body = {"model": asked["model"].partition("@")[0], "messages": asked["messages"], **asked["params"]}
        bodies[key.hex()] = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    samples: dict[str, dict[str, list]] = {}
    for item, outcome in sorted(store.outcomes().items()):
        kind, sample = item.split("/")[:2]
        place = samples.setdefault(sample, {"dialogues": [], "judge": []})
        own = [bodies.pop(key) for key in outcome.calls if key in bodies]  # a call that two dialogues share is one
        place["dialogues"].append(own) if kind == "dialogue" else place["judge"].extend(own)
    store.close()
    return json.dumps(list(samples.values()), ensure_ascii=False)


@cache
def recorded(samples: int) -> str:
    """A run of Benchbar on so many samples, as a script: what is asked is the same each time."""
    with folder(samples) as path, served(0.0) as server:
        write_spec(path, server, 64)
        ran(benchbar(), path, server)
        return script_of(path / "run")


def limit(name: str, file: str) -> Program:
    def command(server: Server, in_flight: int, _: bool) -> list[str]:
        host, port = server.url.removeprefix("http://").split(":")
        return [sys.executable, str(PARTS / file), SCRIPT, host, port, str(in_flight)]

    def prepare(path: Path, samples: int) -> None:
        (path / SCRIPT).write_text(recorded(samples), "utf-8")

    return Program(name, command, prepare)


LIMITS = [limit("bare client, no records", "raw_client.py"), limit("floor, durable records", "floor.py")]
