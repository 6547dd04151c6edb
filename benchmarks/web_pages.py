"""Server time of the app's pages: `python benchmarks/web_pages.py [SAMPLES]`, 100,000 samples unless told otherwise.

Makes a run of 22 tasks by 20 assistants, and a store of many samples by multiplying those of a small run; nothing is kept.
The pages go through the whole app but no network. Milliseconds depend on the machine and on what else it does, so each page is
also given as a multiple of an empty page of the same app: the frame with one sentence in it. Targets: first page 100 ms, run page
300 ms, sample page 100 ms.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from fastapi.testclient import TestClient

from benchbar.artefacts.folder import read_results
from benchbar.cli.serve import configuration
from benchbar.records import RunResults
from benchbar.suites.folder import read as read_suite
from benchbar.web.app import create_app
from benchbar.web.warming import warm

ASSISTANTS, TASKS, SAMPLES = 20, 22, 100_000
TOKEN = "a token for the benchmark alone"  # noqa: S105
TIMES = 30
SMALL = ("--assistant=one=extractive", "--assistant=two=closed-book", "--reference=two")


def command(place: Path, *words: str) -> None:
    """Run benchbar in a folder."""
    subprocess.run([sys.executable, "-m", "benchbar", *words], cwd=place, check=True, capture_output=True)


def many_samples(place: Path, runs: Path, count: int) -> None:
    """A run of ``count`` samples whose records are those of a small one under new ids, and the suite it was made from."""
    command(place, "run", "--quiet", *SMALL, "--limit", "44", "--out", "small")
    small, large, suite = place / "small", runs / "large", place / "suite"
    large.mkdir(parents=True)
    ids = list(dict.fromkeys(row["sample"] for row in rows(small / "dialogues.jsonl")))
    multiply(small, large, ids, count)
    samples = {one.id: one for one in bundled().samples}
    suite.mkdir()
    (suite / "card.toml").write_text('name = "large"\nlanguage = "zh"\n', "utf-8")
    with (suite / "samples.jsonl").open("wb") as out:
        for number in range(count):
            one = samples[ids[number % len(ids)]]
            out.write(msgspec.json.encode(msgspec.structs.replace(one, id=f"s{number}")) + b"\n")
    manifest = json.loads((small / "run.json").read_text("utf-8"))
    manifest["spec"]["suite"], manifest["spec"]["limit"] = str(suite), None
    (large / "run.json").write_text(json.dumps(manifest), "utf-8")
    results: RunResults = read_results(small)
    made = msgspec.structs.replace(
        results, suite="large", samples=count, suite_fingerprint=read_suite(suite).fingerprint
    )
    (large / "results.json").write_bytes(msgspec.json.encode(made))
    (large / "timing.json").write_bytes((small / "timing.json").read_bytes())


def bundled():  # noqa: ANN201 - the type of the room
    """The bundled suite."""
    from benchbar.suites.load import load

    return load("model-jurisdiction-zh")


def rows(file: Path) -> Iterator[dict[str, object]]:
    """The objects of a JSONL file."""
    with file.open("rb") as lines:
        for line in lines:
            yield json.loads(line)


def multiply(small: Path, large: Path, ids: list[str], count: int) -> None:
    """Every file of a run with its samples over and over."""
    for name in ("dialogues", "scores", "comparisons", "citations", "measures"):
        by_sample: dict[str, list[tuple[str, str]]] = {id_: [] for id_ in ids}
        for row in rows(small / f"{name}.jsonl"):
            before, _, after = json.dumps(row, ensure_ascii=False).partition(json.dumps(row["sample"]))
            by_sample[str(row["sample"])].append((before, after))
        with (large / f"{name}.jsonl").open("w", encoding="utf-8") as out:
            for number in range(count):
                for before, after in by_sample[ids[number % len(ids)]]:
                    out.write(f'{before}"s{number}"{after}\n')


def many_assistants(place: Path, runs: Path) -> None:
    """A run of 22 tasks by 20 assistants."""
    words = [
        f"--assistant=a{number:02}={'closed-book' if number % 3 else 'extractive'}" for number in range(ASSISTANTS)
    ]
    command(place, "run", "--quiet", *words, "--reference=a01", "--limit", str(TASKS), "--out", str(runs / "wide"))


class Times:
    """Asks for pages and prints how long they take."""

    def __init__(self, client: TestClient) -> None:
        """The first that is asked for is the empty one, which the others are measured by."""
        self.client, self.empty = client, 0.0

    def __call__(self, what: str, *paths: str, status: int = 200) -> None:
        """Print median and 95th percentile over the pages, each asked several times, and the first time apart."""
        first = self._seconds(paths[0], status)
        times = [self._seconds(paths[turn % len(paths)], status) for turn in range(TIMES)]
        middle, tail = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        self.empty = self.empty or middle
        ratio = middle / self.empty
        print(
            f"{what}: {ratio:.1f} x empty, median {1000 * middle:.1f} ms, p95 {1000 * tail:.1f} ms, first {1000 * first:.1f} ms"
        )

    def _seconds(self, path: str, status: int) -> float:
        began = time.perf_counter()
        answer = self.client.get(path, headers={"Accept": "text/html"})
        took = time.perf_counter() - began
        assert answer.status_code == status, answer.text  # noqa: S101
        return took


def main() -> None:
    """Make both runs, and print the times."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        runs = place / "runs"
        many_samples(place, runs, count)
        many_assistants(place, runs)
        config = configuration(runs, TOKEN)
        app = create_app(config)
        began = time.perf_counter()
        warm(config)
        print(f"indexes, suites and law of both runs: {time.perf_counter() - began:.1f} s, {count} samples")
        with TestClient(app, base_url="http://localhost") as client:
            signed_in(client)
            measured = Times(client)
            measured("empty page", "/nowhere", status=404)
            measured("first page", "/runs")
            measured(f"run page, {TASKS} tasks by {ASSISTANTS} assistants", "/runs/wide")
            measured("run page narrowed", "/runs/wide?level=apply")
            listed = "/runs/large/samples"
            measured(f"table of samples, {count} samples", listed, f"{listed}?page={count // 100}")
            measured("table sorted by guidance", f"{listed}?sort=-guidance")
            measured("search by id", f"{listed}?text=s99", f"{listed}?text=nothing")
            measured("answers without a judge's verdict", f"{listed}?outcome=missing")
            said = (f"{listed}?said={one}" for one in ("承租人", "量子计算机", "押金"))
            measured(f"full-text search, {count} samples", *said)
            spread = (f"{listed}/s{number * count // TIMES}" for number in range(TIMES))
            measured("sample page", *spread)


def signed_in(client: TestClient) -> None:
    """Sign in as the owner."""
    text = client.get("/sign-in").text
    csrf = text.partition('name="csrf" value="')[2].partition('"')[0]
    client.post("/sign-in", data={"csrf": csrf, "name": "owner", "token": TOKEN})


if __name__ == "__main__":
    main()
