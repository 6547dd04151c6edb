"""What the run engine costs beside the calls themselves: `python benchmarks/engine.py [--repeats N] [--dialogues N]`.

One command starts the chat server on a core of its own and runs, in turn, a bare client on raw sockets, Benchbar, and each
peer that is installed; several times, with medians, spreads and ratios of one run. CPU is what the operating system says of
the whole process; "net of start-up" is the difference between the whole workload and one of a few samples. The wall time is
the server's: from the first request it saw to its last answer. Peers are named by an interpreter that has them: `--inspect PYTHON`, or the variable INSPECT_PYTHON.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent / "engine_parts"))

from workload import SAMPLES, Measured, Server, benchbar, measured, said, served, write_spec, write_suite

FEW = 4
PARTS = Path(__file__).parent / "engine_parts"
SETTINGS = ((0.0, 64), (0.2, 64), (0.2, 512))
Command = Callable[[Server, int, bool], list[str]]
"""From server, requests in flight and whether it goes on after a kill to what is run in a folder with suite and spec."""


@dataclass(frozen=True)
class Program:
    """One row of the table."""

    name: str
    command: Command


@dataclass
class Figures:
    """What several runs of one program gave under one setting."""

    whole: list[Measured]
    few: list[Measured]

    def cpu_per_call(self) -> list[float]:
        """Milliseconds, net of start-up."""
        return [
            1000 * (one.cpu - other.cpu) / max(1, one.calls - other.calls)
            for one, other in zip(self.whole, self.few, strict=True)
        ]


def programs(inspect: str) -> list[Program]:
    found = [Program("Benchbar", lambda *_: benchbar())]
    if inspect:
        script = str(PARTS / "inspect_run.py")

        def command(server: Server, in_flight: int, again: bool) -> list[str]:  # noqa: FBT001
            retry = ["retry"] if again else []
            return [inspect, script, "samples.jsonl", f"{server.url}/v1", str(in_flight), *retry]

        found.append(Program("Inspect AI", command))
    return found


@contextlib.contextmanager
def folder(samples: int, **options: object) -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="engine-"))
    try:
        write_suite(path, samples, **options)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def ran(command: Sequence[str], path: Path, server: Server | None = None, **options: object) -> Measured:
    """What a run that ended well was measured at."""
    found = measured(command, path, server, **options)
    if found.code:
        sys.exit(f"{' '.join(map(str, command))} ended with {found.code}:\n{said(path)}")
    return found


def one(program: Program, samples: int, delay: float, in_flight: int) -> Measured:
    with folder(samples) as path, served(delay) as server:
        write_spec(path, server, in_flight)
        return ran(program.command(server, in_flight, False), path, server)  # noqa: FBT003


def script_of(run: Path, file: Path) -> None:
    """The requests of a finished run in their order of dependence, for the bare client."""
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
    file.write_text(json.dumps(list(samples.values()), ensure_ascii=False), "utf-8")


def raw(delay: float, in_flight: int, samples: int) -> Measured:
    with folder(samples) as path:
        with served(0.0) as server:
            write_spec(path, server, 64)
            ran(benchbar(), path, server)
            script_of(path / "run", path / "script.json")
        with served(delay) as server:
            host, port = server.url.removeprefix("http://").split(":")
            command = [sys.executable, str(PARTS / "raw_client.py"), "script.json", host, port, str(in_flight)]
            return ran(command, path, server)


def spread(values: Sequence[float], form: str) -> str:
    return f"{median(values):{form}} ({min(values):{form}}-{max(values):{form}})"


def throughput(found: list[Program], repeats: int) -> None:
    rows: list[tuple[str, Callable[[int, float, int], Measured]]] = [
        ("bare client, no records", lambda samples, delay, places: raw(delay, places, samples))
    ]
    for program in found:
        rows.append((program.name, lambda s, d, p, program=program: one(program, s, d, p)))  # noqa: PERF401
    for delay, places in SETTINGS:
        print(f"\nserver at {delay * 1000:.0f} ms, {places} in flight; {2 * SAMPLES} consultations")
        print(
            f"{'':26}{'calls':>7}{'CPU/call, ms':>24}{'wall, s':>24}{'of bare':>9}{'first, s':>10}{'peak, MB':>10}{'process, s':>11}"
        )
        figures: dict[str, Figures] = {name: Figures([], []) for name, _ in rows}
        for _ in range(repeats):
            for name, measure in rows:
                figures[name].few.append(measure(FEW, delay, places))
                figures[name].whole.append(measure(SAMPLES, delay, places))
        bare = median(run.span for run in figures[rows[0][0]].whole)
        for name, own in figures.items():
            wall = [run.span for run in own.whole]
            print(
                f"{name:26}{own.whole[0].calls:7}{spread(own.cpu_per_call(), '.3f'):>24}{spread(wall, '.2f'):>24}"
                f"{median(wall) / bare:9.2f}{median(run.first or 0 for run in own.whole):10.2f}"
                f"{median(run.peak_mb for run in own.whole):10.0f}{median(run.wall for run in own.whole):11.2f}"
            )
        cost = {name: median(own.cpu_per_call()) for name, own in figures.items()}
        for program in found[1:]:
            print(f"{program.name} uses {cost[program.name] / cost['Benchbar']:.1f} times the CPU of Benchbar per call")


def killed(found: list[Program]) -> None:
    print("\nkill -9 at half of the calls, then the same again as documented (50 ms, 64 in flight)")
    for program in found:
        with folder(SAMPLES) as path, served(0.05) as server:
            write_spec(path, server, 64)
            half = one(program, SAMPLES, 0.0, 64).calls // 2
            measured(program.command(server, 64, False), path, server, kill_after=half)  # noqa: FBT003
            ran(program.command(server, 64, True), path, server)  # noqa: FBT003
            stats = server.stats()
            print(f"{program.name:26}{stats['served_again']} calls paid again of {stats['distinct']}")
            if program.name == "Benchbar":
                print(f"{'':26}{check(path / 'run')}")


def check(run: Path) -> str:
    from benchbar.ledger.check import check as examined

    report = examined(run / "ledger.sqlite")
    return f"ledger check: {'ok' if report.ok else report.problems}, {report.unknown} of unknown outcome"


def replay(samples: int) -> None:
    with folder(samples) as path, folder(FEW) as few, served(0.0) as server:
        for place in (path, few):
            write_spec(place, server, 64)
            ran(benchbar(), place, server)
        calls = ledger_calls(path / "run") - ledger_calls(few / "run")
        whole, start = ran(benchbar(), path, server), ran(benchbar(), few, server)
        print(
            f"\nresume of a finished run of {calls} calls: {calls / (whole.wall - start.wall):,.0f} calls/s net of start-up"
        )
        print(f"  (whole command {whole.wall:.2f} s, start-up and report {start.wall:.2f} s, {whole.calls} calls sent)")


def ledger_calls(run: Path) -> int:
    from benchbar.ledger.check import check as examined

    return examined(run / "ledger.sqlite").calls


def size(language: str) -> None:
    with folder(600, characters=500, language=language) as path, served(0.0) as server:
        write_spec(path, server, 64, suffix=f"-500{language}")
        calls = ran(benchbar(), path, server).calls
        files = {file.name: file.stat().st_size for file in (path / "run").iterdir() if file.name != "report.html"}
        parts = ", ".join(f"{name} {size / calls:.0f}" for name, size in sorted(files.items()) if size > 20 * calls)
        print(f"\ntexts of 500 characters ({language}): {sum(files.values()) / calls:.0f} bytes per call ({parts})")
        print(f"  report.html besides: {(path / 'run/report.html').stat().st_size / 1e6:.1f} MB")


def memory(dialogues: int) -> None:
    print(f"\npeak memory; {dialogues} dialogues against a tenth of them")
    for count in (dialogues // 10, dialogues):
        with folder(count // 2) as path, served(0.0) as server:
            write_spec(path, server, 64)
            run = ran(benchbar(), path, server)
            print(f"  run of {count} dialogues, {run.calls} calls: {run.peak_mb:.0f} MB, {run.wall:.0f} s")
            for command in (["report", "run", "--out", "again.html"], ["gate", "run"]):
                began = measured([sys.executable, "-m", "benchbar", *command], path)
                print(f"  {command[0]} on {count // 2} samples: {began.wall:.1f} s, {began.peak_mb:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--dialogues", type=int, default=20_000, help="Of the run whose memory is measured; 0 for none."
    )
    parser.add_argument("--replay-samples", type=int, default=2_000)
    parser.add_argument(
        "--inspect", default=os.environ.get("INSPECT_PYTHON", ""), help="An interpreter with Inspect AI."
    )
    parser.add_argument("--only", choices=("throughput", "killed", "replay", "size", "memory"))
    options = parser.parse_args()
    # Compiled modules are part of an installation: without them start-up would be the compiler's.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    found = programs(options.inspect)
    parts: dict[str, Callable[[], None]] = {
        "throughput": lambda: throughput(found, options.repeats),
        "killed": lambda: killed(found),
        "replay": lambda: replay(options.replay_samples),
        "size": lambda: [size(language) for language in ("en", "zh")] and None,
        "memory": lambda: memory(options.dialogues) if options.dialogues else None,
    }
    for name, part in parts.items():
        if options.only in {None, name}:
            part()


if __name__ == "__main__":
    main()
