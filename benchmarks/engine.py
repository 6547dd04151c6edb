"""What the run engine costs beside the calls themselves: `python benchmarks/engine.py [--repeats N] [--dialogues N]`.

One command starts the chat server on a core of its own and runs, in turn, a bare client on raw sockets, a client that keeps the
least of durable records, Benchbar, and each peer that is installed; several times, with medians, spreads and ratios of one run.
CPU is what the operating system says of the whole process; "net of start-up" is the difference between the whole workload and
one of a few samples. The wall time is the server's: from the first request it saw to its last answer. A peer is found by a
variable that names it (INSPECT_PYTHON=path/to/python and so on); those that are not found are listed with theirs.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent / "engine_parts"))

from limits import LIMITS
from measuring import LONGEST, Measured, measured, said
from peers import peers
from programs import BENCHBAR, Failed, Program, folder, one, ran, told
from workload import SAMPLES, benchbar, served, write_spec

FEW = 4
SETTINGS = ((0.0, 64), (0.2, 64), (0.2, 512))


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


def spread(values: Sequence[float], form: str) -> str:
    return f"{median(values):{form}} ({min(values):{form}}-{max(values):{form}})"


HEAD = f"{'':26}{'calls':>7}{'CPU/call, ms':>24}{'wall, s':>24}{'of bare':>9}{'first, s':>10}{'peak, MB':>10}{'disk, MB':>10}{'process, s':>11}"


def row(name: str, own: Figures, bare: float) -> str:
    wall = [run.span for run in own.whole]
    return (
        f"{name:26}{own.whole[0].calls:7}{spread(own.cpu_per_call(), '.3f'):>24}{spread(wall, '.2f'):>24}"
        f"{median(wall) / bare:9.2f}{median(run.first or 0 for run in own.whole):10.2f}"
        f"{median(run.peak_mb for run in own.whole):10.0f}{median(run.disk_mb for run in own.whole):10.1f}"
        f"{median(run.wall for run in own.whole):11.2f}"
    )


def figures(found: list[Program], delay: float, places: int, repeats: int) -> dict[str, Figures]:
    """Programs in turn, time and again; a peer that failed once is left out from there on."""
    all_of = {program.name: Figures([], []) for program in found}
    failed: set[str] = set()
    for program in [program for _ in range(repeats) for program in found]:
        if program.name not in failed:
            with told(program, failed):
                few, whole = (one(program, samples, delay, places) for samples in (FEW, SAMPLES))
                all_of[program.name].few.append(few)
                all_of[program.name].whole.append(whole)
    return {name: own for name, own in all_of.items() if name not in failed}


def throughput(found: list[Program], repeats: int) -> None:
    for delay, places in SETTINGS:
        print(f"\nserver at {delay * 1000:.0f} ms, {places} in flight; {2 * SAMPLES} consultations\n{HEAD}")
        measures = figures([*LIMITS, *found], delay, places, repeats)
        bare = median(run.span for run in measures[LIMITS[0].name].whole)
        for name, own in measures.items():
            print(row(name, own, bare))
        cost = {name: median(own.cpu_per_call()) for name, own in measures.items()}
        for name in (program.name for program in found if program.peer and program.name in cost):
            print(f"{name} uses {cost[name] / cost[BENCHBAR.name]:.1f} times the CPU of Benchbar per call")


def killed(found: list[Program]) -> None:
    print("\nkill -9 at half of the calls, then the same again as documented (50 ms, 64 in flight)")
    for program in found:
        with told(program, set()):
            print(f"{program.name:26}{paid_again(program)}")


def paid_again(program: Program) -> str:
    calls = one(program, SAMPLES, 0.0, 64).calls
    with folder(SAMPLES) as path, served(0.05) as server:
        write_spec(path, server, 64)
        start, goes_on = (program.command(server, 64, again) for again in (False, True))
        first = measured(start, path, server, kill_after=calls // 2, longest=LONGEST)
        if first.code != -signal.SIGKILL:
            raise Failed(f"ended with {first.code} before it could be killed:\n{said(path)}")
        ran(goes_on, path, server, longest=LONGEST)
        ledger = f"; {check(path / 'run')}" if program is BENCHBAR else ""
        # Beside what one run asks: a peer that asks the same twice in a run has paid nothing again by that.
        again, sent = server.completed() - calls, server.calls() - calls
        return f"{again} calls paid again of {calls} ({sent} with those that the kill cut off){ledger}"


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
        print(f"\na finished run of {calls} calls, run again; net of start-up")
        for label in ("nothing has changed", "all of it derived anew"):
            if label != "nothing has changed":
                for place in (path, few):
                    (place / "run" / "finished.json").unlink()
            whole, start = ran(benchbar(), path, server), ran(benchbar(), few, server)
            print(
                f"  {label}: {calls / (whole.wall - start.wall):,.0f} calls/s (whole command {whole.wall:.2f} s,"
                f" of few samples {start.wall:.2f} s, {whole.calls} calls sent)"
            )


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
        "--dialogues",
        type=int,
        default=200_000,
        help="Of the run whose memory is measured: as many as by default take ten minutes to half an hour; 0 for none.",
    )
    parser.add_argument("--replay-samples", type=int, default=2_000)
    parser.add_argument("--only", choices=("throughput", "killed", "replay", "size", "memory"))
    options = parser.parse_args()
    # Compiled modules are part of an installation: without them start-up would be the compiler's.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    found = [BENCHBAR, *(peers() if options.only in {None, "throughput", "killed"} else [])]
    parts: dict[str, Callable[[], None]] = {
        "throughput": lambda: throughput(found, options.repeats),
        "killed": lambda: killed(found),
        "replay": lambda: replay(options.replay_samples),
        "size": lambda: [size(language) for language in ("en", "zh")] and None,
        "memory": lambda: memory(options.dialogues) if options.dialogues else None,
    }
    for name, part in parts.items():
        if options.only in {None, name}:
            try:
                part()
            except Failed as error:
                sys.exit(str(error))


if __name__ == "__main__":
    main()
