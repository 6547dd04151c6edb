"""What the engine, its start and its report cost, in one table: `make bench`, or `python benchmarks/engine_table.py [--only PART]`.

Each figure of one command, with its ratio: beside the bare client and the floor of durable records (see ``docs/engine.md``), and
beside an earlier state of the program. BENCHBAR_BEFORE names a checkout of that state with its own ``.venv``; without one
its column stays empty. A part that cannot be measured here says why. Ten minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent / "engine_parts"))

from engine import FEW, ledger_calls
from limits import LIMITS
from measuring import Measured
from programs import Failed, Program, folder, one, ran
from whole_process import BARE, FLOOR, IN_FLIGHT, REAL, Workload, command, real, recorded
from workload import ROOT, SAMPLES, served, write_spec

LONGEST = 600.0
"""Seconds for one program."""
BEFORE, NOW = "before", "now"
JOB_SAMPLES, JOB_DELAY, JOB_IN_FLIGHT = 27, 0.1, 16
"""About 320 calls of a tenth of a second: two seconds, if the program took none."""


class Given(NamedTuple):
    """What the parts are told."""

    repeats: int
    samples: Path
    """Consultations of UCL-Bench."""


Row = tuple[str, dict[str, float], str, str]
"""What, program to figure, unit, goal."""


def pythons() -> dict[str, Path]:
    """The interpreters that the program is started with: an earlier state's, where there is one, and this one's."""
    earlier = os.environ.get("BENCHBAR_BEFORE")
    return ({BEFORE: Path(earlier) / ".venv" / "bin" / "python"} if earlier else {}) | {NOW: Path(sys.executable)}


def started(python: Path, out: str = "run") -> list[str]:
    return [str(python), "-m", "benchbar", "run", "spec.toml", "--out", out]


def calls(given: Given) -> Iterator[Row]:
    """CPU for each call beside the floors, and the peak, on short texts."""
    own = [Program(name, lambda *_, python=python: started(python)) for name, python in pythons().items()]
    whole: dict[str, list[Measured]] = {}
    few: dict[str, list[Measured]] = {}
    for program in [program for _ in range(given.repeats) for program in (*LIMITS, *own)]:
        for samples, found in ((FEW, few), (SAMPLES, whole)):
            found.setdefault(program.name, []).append(one(program, samples, 0.0, IN_FLIGHT))
    cost = {
        name: median(1000 * (a.cpu - b.cpu) / (a.calls - b.calls) for a, b in zip(runs, few[name], strict=True))
        for name, runs in whole.items()
    }
    yield "CPU per call, net of start-up", short(cost), "ms", "1.5 floors"
    yield (
        "first request",
        short({name: median(one.first or 0 for one in runs) for name, runs in whole.items()}),
        "s",
        "0.2",
    )
    peaks = {name: median(one.peak_mb for one in runs) for name, runs in whole.items()}
    yield f"peak, {whole[NOW][0].calls} calls", short(peaks), "MB", "60"


def short(found: dict[str, float]) -> dict[str, float]:
    """With the names of the table's columns."""
    names = {LIMITS[0].name: BARE, LIMITS[1].name: FLOOR}
    return {names.get(name, name): value for name, value in found.items()}


def consultations(given: Given) -> Iterator[Row]:
    """CPU for each call of the whole process, on texts like real consultations."""
    workload = Workload("real", lambda path: real(path, given.samples), "-500zh")
    script = recorded(workload)
    found: dict[str, list[Measured]] = {}
    for name in [name for _ in range(given.repeats) for name in (BARE, FLOOR, *pythons())]:
        with TemporaryDirectory(prefix="table-") as place, served(0.0) as server:
            path = Path(place)
            workload.fill(path)
            write_spec(path, server, IN_FLIGHT, suffix=workload.suffix)
            (path / "script.json").write_text(script, "utf-8")
            program = command(name, server) if name in {BARE, FLOOR} else started(pythons()[name])
            found.setdefault(name, []).append(ran(program, path, server, longest=LONGEST))
    cost = {name: median(1000 * one.cpu / one.calls for one in runs) for name, runs in found.items()}
    yield f"CPU per call, whole process, {found[NOW][0].calls} calls like real ones", cost, "ms", "2.5 floors"


def instructions(given: Given) -> Iterator[Row]:
    """Instructions of whole processes, which no other program on the machine changes."""
    tool = shutil.which("valgrind")
    if tool is None:
        raise Failed("valgrind is not installed")
    found = {
        name: [_instructions(tool, python, samples, given) for samples in (2, 22)] for name, python in pythons().items()
    }
    yield "instructions, 22 samples like real ones", {name: runs[1][0] for name, runs in found.items()}, "10⁹", ""
    yield "instructions of start and report", {name: runs[0][0] for name, runs in found.items()}, "10⁹", ""
    each = {name: 1000 * (b[0] - a[0]) / (b[1] - a[1]) for name, (a, b) in found.items()}
    yield "instructions per call, net of start and report", each, "10⁶", "1.2"


def _instructions(tool: str, python: Path, samples: int, given: Given) -> tuple[float, int]:
    """Thousand million instructions of a run, and its calls."""
    with TemporaryDirectory(prefix="table-") as place, served(0.0) as server:
        path = Path(place)
        real(path, given.samples)
        kept = (path / "samples.jsonl").read_text("utf-8").splitlines(keepends=True)[:samples]
        (path / "samples.jsonl").write_text("".join(kept), "utf-8")
        write_spec(path, server, IN_FLIGHT, suffix="-500zh")
        counted = [tool, "--tool=callgrind", "--callgrind-out-file=counted", *started(python)]
        done = subprocess.run(
            counted,
            cwd=path,
            env=os.environ | {"PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=True,
        )
        total = re.findall(r"Collected\s*:\s*(\d+)", done.stderr)[-1]
        return int(total) / 1e9, server.calls()


def job(given: Given) -> Iterator[Row]:
    """A small job as a person waits for it: until its results are printed, and until its report is there."""
    shown: dict[str, list[float]] = {}
    whole: dict[str, list[float]] = {}
    number = 0
    for name, python in [pair for _ in range(given.repeats) for pair in pythons().items()]:
        with folder(JOB_SAMPLES) as path, served(JOB_DELAY) as server:
            write_spec(path, server, JOB_IN_FLIGHT)
            began = time.monotonic()
            with subprocess.Popen(
                started(python), cwd=path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            ) as process:
                process.stdout.read(1)
                shown.setdefault(name, []).append(time.monotonic() - began)
                process.stdout.read()
            whole.setdefault(name, []).append(time.monotonic() - began)
            number = server.calls()
    ideal = number * JOB_DELAY / JOB_IN_FLIGHT
    for what, found in (("results", shown), ("report", whole)):
        yield (
            f"{number} calls of 100 ms, until the {what}",
            {n: median(o) for n, o in found.items()},
            "s",
            f"{1.25 * ideal:.1f}",
        )


def demo(_: Given) -> Iterator[Row]:
    """Both commands of the demonstration, in an installation that nobody has used yet."""
    found = {}
    for name, python in pythons().items():
        with TemporaryDirectory(prefix="table-") as place:
            began = time.monotonic()
            for words in (("ablate", "offline-contract"), ("run",)):
                subprocess.run(
                    [str(python), "-m", "benchbar", *words],
                    cwd=place,
                    # As after an installation without compiled modules.
                    env=os.environ | {"PYTHONPYCACHEPREFIX": f"{place}/compiled"},
                    check=True,
                    capture_output=True,
                    timeout=LONGEST,
                )
            found[name] = time.monotonic() - began
    yield "make demo, after the installation", found, "s", "10"


def rescored(_: Given) -> Iterator[Row]:
    """A finished run derived anew: its stored answers go through all rules again, and nothing is asked."""
    whole, shown = {}, {}
    for name, python in pythons().items():
        found = []
        for samples in (FEW, 4 * SAMPLES):
            with folder(samples) as path, served(0.0) as server:
                write_spec(path, server, IN_FLIGHT)
                ran(started(python), path, server, longest=LONGEST)
                (path / "run" / "finished.json").unlink(missing_ok=True)
                found.append((ledger_calls(path / "run"), *_until_shown(started(python), path)))
        few, many = found
        shown[name] = (many[0] - few[0]) / (many[1] - few[1])
        whole[name] = (many[0] - few[0]) / (many[2] - few[2])
    yield "stored calls scored again, until the results, a second", shown, "", "20,000"
    yield "stored calls scored again, with the report, a second", whole, "", "20,000"


def _until_shown(words: list[str], path: Path) -> tuple[float, float]:
    """Seconds of processor time of a program until it prints, and until it ends."""
    before = _children()
    with subprocess.Popen(words, cwd=path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdout.read(1)
        fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        shown = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        process.stdout.read()
    if process.returncode:
        raise Failed(f"{' '.join(words)} ended with {process.returncode}")
    return shown, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rules(_: Given) -> Iterator[Row]:
    """Stored answers marked by rules alone; the earlier state has no such program."""
    script = ROOT / "benchmarks" / "rules_speed.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=LONGEST)
    found = re.search(r"(\d+) answers/s", done.stdout)
    if found is None:
        raise Failed(done.stdout.strip())
    yield "stored answers marked by rules, a second", {NOW: float(found[1])}, "", "20,000"


SIZE = """
import re, sys
from importlib.metadata import distribution, PackageNotFoundError
seen, wait = set(), ["benchbar"]
while wait:
    name = re.sub(r"[-_.]+", "-", wait.pop()).lower()
    if name in seen: continue
    try: found = distribution(name)
    except PackageNotFoundError: continue
    seen.add(name)
    wait += [re.match(r"[\\w.-]+", one)[0] for one in found.requires or () if "extra ==" not in one]
files = (file.locate() for name in seen for file in distribution(name).files or ())
print(sum(file.stat().st_size for file in files if file.is_file() and "__pycache__" not in str(file)) / 1e6)
"""


def installed(_: Given) -> Iterator[Row]:
    """Files of the base and of what it needs, compiled modules left out."""
    found = {}
    for name, python in pythons().items():
        done = subprocess.run([str(python), "-c", SIZE], capture_output=True, text=True, check=True, timeout=LONGEST)
        found[name] = float(done.stdout)
    yield "installed size", found, "MB", "120"


def postgresql(_: Given) -> Iterator[Row]:
    """Answers read back from PostgreSQL, by each state's own benchmark."""
    roots = {NOW: ROOT} | ({BEFORE: Path(os.environ["BENCHBAR_BEFORE"])} if BEFORE in pythons() else {})
    found = {}
    for name, python in pythons().items():
        script = roots[name] / "benchmarks" / "ledger_stores.py"
        done = subprocess.run([str(python), str(script)], capture_output=True, text=True, check=True, timeout=LONGEST)
        read = re.search(r"PostgreSQL: .* (\d+) calls/s read", done.stdout)
        if read is None:
            raise Failed(done.stdout.strip())
        found[name] = float(read[1])
    yield "PostgreSQL, answers read a second", found, "", "30,000"


def wheel(_: Given) -> Iterator[Row]:
    """Processor time of `pip install` into a new environment, from a warm cache."""
    roots = {NOW: ROOT} | ({BEFORE: Path(os.environ["BENCHBAR_BEFORE"])} if BEFORE in pythons() else {})
    found = {}
    for name, root in roots.items():
        with TemporaryDirectory(prefix="table-") as place:
            subprocess.run([sys.executable, "-m", "venv", place], check=True, timeout=LONGEST)
            own = Path(place) / "own"
            shutil.copytree(root, own, ignore=shutil.ignore_patterns(".*"))
            before = _children()
            pip = [f"{place}/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run(
                [*pip, "-c", str(root / "requirements/constraints.txt"), str(own)], check=True, timeout=LONGEST
            )
            found[name] = _children() - before
    yield "pip install, processor time", found, "s", "15"


PARTS: dict[str, Callable[[Given], Iterator[Row]]] = {
    one.__name__: one
    for one in (calls, consultations, job, demo, rescored, rules, installed, postgresql, wheel, instructions)
}
COLUMNS = {BARE: "bare", FLOOR: "floor", BEFORE: BEFORE, NOW: NOW}


def line(row: Row) -> str:
    """A row of the table; ratios to the floor where there is one, and to the state before."""
    what, found, unit, goal = row
    cells = "".join(f"{_cell(found.get(name)):>10}" for name in COLUMNS)
    ratios = "".join(f"{_cell(found[NOW] / found[name] if name in found else None):>11}" for name in (FLOOR, BEFORE))
    return f"{what:58}{cells}{ratios}  {unit:5}{goal}"


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--samples", type=Path, default=REAL, help="Of UCL-Bench; facts of the same length without.")
    parser.add_argument("--only", choices=PARTS, action="append", help="These parts; may be given several times.")
    options = parser.parse_args()
    # Compiled modules are part of an installation: without them start-up would be the compiler's.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    heads = "".join(f"{name:>10}" for name in COLUMNS.values())
    print(f"{'':58}{heads}{'of floor':>11}{'of before':>11}  {'':5}goal")
    for name, part in PARTS.items():
        if options.only is None or name in options.only:
            try:
                for row in part(Given(options.repeats, options.samples)):
                    print(line(row), flush=True)
            except (Failed, OSError, subprocess.SubprocessError) as error:
                print(f"{name}: not measured: {str(error)[-300:]}", flush=True)


if __name__ == "__main__":
    main()
