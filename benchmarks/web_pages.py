"""Server time of the app's pages: `python benchmarks/web_pages.py [SAMPLES]`, 100,000 samples unless told otherwise.

Makes a run of 22 tasks by 20 assistants, and a store of many samples by multiplying those of a small run; nothing is kept.
The pages go through the whole app but no network. Targets: first page 100 ms, run page 300 ms, sample page 100 ms.
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


def measured(client: TestClient, what: str, *paths: str) -> None:
    """Print the median and the 95th percentile over the pages, each asked several times; the first time apart."""
    began = time.perf_counter()
    assert client.get(paths[0]).status_code == 200  # noqa: S101
    first = time.perf_counter() - began
    times = []
    for turn in range(TIMES):
        began = time.perf_counter()
        answer = client.get(paths[turn % len(paths)])
        times.append(time.perf_counter() - began)
        assert answer.status_code == 200, answer.text  # noqa: S101
    middle, tail = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"{what}: median {1000 * middle:.0f} ms, p95 {1000 * tail:.0f} ms, first {1000 * first:.0f} ms")


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
            measured(client, "first page", "/runs")
            measured(client, f"run page, {TASKS} tasks by {ASSISTANTS} assistants", "/runs/wide")
            measured(client, "run page narrowed", "/runs/wide?level=apply")
            measured(client, "list of samples", "/runs/large/samples", f"/runs/large/samples?page={count // 100}")
            ordered = "/runs/large/samples?column=seconds&column=cost&sort=-seconds"
            measured(client, "the same, sorted", ordered, f"{ordered}&page={count // 100}")
            measured(client, "the same, by what was found", "/runs/large/samples?sort=-found&fact=false_citation")
            measured(client, "sample page, in that order", f"/runs/large/samples/s{count // 2}?sort=-found")
            spread = (f"/runs/large/samples/s{number * count // TIMES}" for number in range(TIMES))
            measured(client, f"sample page, {count} samples", *spread)


def signed_in(client: TestClient) -> None:
    """Sign in as the owner."""
    text = client.get("/sign-in").text
    csrf = text.partition('name="csrf" value="')[2].partition('"')[0]
    client.post("/sign-in", data={"csrf": csrf, "name": "owner", "token": TOKEN})


if __name__ == "__main__":
    main()
