"""What a whole run costs, start and report included: `python benchmarks/whole_process.py [--repeats N] [--samples FILE]`.

Two workloads, each beside the bare client and the floor of durable records on the very same requests: short synthetic texts, and
texts of the shape of real consultations (long facts in Chinese, answers of 500 characters, both orders of the judge). The latter are
UCL-Bench's where ``../shared/data`` has them, else facts of the same length from the bundled law. CPU is what the operating system
says of each process from its start to its exit, divided by the calls; medians of programs run in turn.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent / "engine_parts"))

from limits import PARTS, SCRIPT, script_of
from measuring import Measured
from programs import ran
from workload import ROOT, SAMPLES, Server, benchbar, served, write_spec, write_suite

REAL = ROOT.parent / "shared" / "data" / "zh" / "ucl_bench" / "samples_even.jsonl"
LONG = 600
"""Characters of the facts of a sample: half of those of UCL-Bench have more."""
IN_FLIGHT = 64
BARE, FLOOR, OURS = "bare client, no records", "floor, durable records", "Benchbar, whole process"
FILES = {BARE: "raw_client.py", FLOOR: "floor.py"}


class Workload(NamedTuple):
    """A suite, and how long its models' texts are."""

    name: str
    fill: Callable[[Path], None]
    suffix: str


def real(path: Path, samples: Path) -> None:
    if samples.exists():
        path.mkdir(parents=True, exist_ok=True)
        shutil.copy(samples, path / "samples.jsonl")
    else:
        write_suite(path, SAMPLES, characters=LONG)


def started(workload: Workload, program: str, script: str) -> Measured:
    """One run of a program on a workload, in a folder and beside a server of its own."""
    with TemporaryDirectory(prefix="whole-") as name, served(0.0) as server:
        path = Path(name)
        workload.fill(path)
        write_spec(path, server, IN_FLIGHT, suffix=workload.suffix)
        if program == OURS:
            return ran(benchbar(), path, server)
        (path / SCRIPT).write_text(script, "utf-8")
        return ran(command(program, server), path, server)


def command(program: str, server: Server) -> list[str]:
    host, port = server.url.removeprefix("http://").split(":")
    return [sys.executable, str(PARTS / FILES[program]), SCRIPT, host, port, str(IN_FLIGHT)]


def recorded(workload: Workload) -> str:
    """The requests of the workload in their order, as Benchbar made them once."""
    with TemporaryDirectory(prefix="whole-") as name, served(0.0) as server:
        path = Path(name)
        workload.fill(path)
        write_spec(path, server, IN_FLIGHT, suffix=workload.suffix)
        ran(benchbar(), path, server)
        return script_of(path / "run")


def compare(workload: Workload, repeats: int) -> None:
    script = recorded(workload)
    found: dict[str, list[Measured]] = {BARE: [], FLOOR: [], OURS: []}
    for _ in range(repeats):
        for program, runs in found.items():
            runs.append(started(workload, program, script))
    print(
        f"\n{workload.name}\n{'':26}{'calls':>7}{'CPU/call, ms':>14}{'of floor':>10}{'first, s':>10}{'peak, MB':>10}{'disk, MB':>10}"
    )
    floor = median(one.cpu / one.calls for one in found[FLOOR])
    for program, runs in found.items():
        cost = median(one.cpu / one.calls for one in runs)
        print(
            f"{program:26}{runs[0].calls:7}{1000 * cost:14.3f}{cost / floor:10.2f}{median(one.first or 0 for one in runs):10.2f}"
            f"{median(one.peak_mb for one in runs):10.0f}{median(one.disk_mb for one in runs):10.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--samples", type=Path, default=REAL, help="Of UCL-Bench.")
    options = parser.parse_args()
    # Compiled modules are part of an installation: without them start-up would be the compiler's.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    samples = options.samples
    print(
        "real texts:",
        samples if samples.exists() else f"none at {samples}; facts of {LONG} characters of the bundled law",
    )
    compare(Workload("synthetic: facts of 60 characters", lambda path: write_suite(path, SAMPLES), ""), options.repeats)
    compare(Workload("like real consultations", lambda path: real(path, samples), "-500zh"), options.repeats)


if __name__ == "__main__":
    main()
