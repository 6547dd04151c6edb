"""Lives through a month in minutes: ``make month``, or ``ARGS="--starts 100 --kills 100 --samples 200" make month``.

Whole runs of the product under a scripted clock and endpoint (tests/faults/month.py): a thousand starts that are cancelled and gone
on with, a thousand that are killed, and one that lasts the whole month. What fails ends it with the assertion.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from faults.month import DAY, Month, Resources, endurance, small_disk

EVERY = 100
"""Starts between two looks at what the process holds."""


def said(month: Month, began: float) -> None:
    """Print what the month was made of."""
    print(f"{(month.now) / DAY:.1f} days in {time.monotonic() - began:.0f} s")
    for name, count in sorted(month.counts.items()):
        print(f"  {count:7}  {name}")


def held(found: list[Resources], unit: str) -> None:
    """Print what a process held over time."""
    print(f"  {unit:>8} {'memory, MB':>12} {'open files':>11} {'write-ahead log, MB':>20}")
    for one in found:
        print(f"  {one.day:8} {one.memory_mb:12.1f} {one.files:11} {one.log_mb:20.2f}")


def main() -> int:
    """Print counts, and memory and open files over the month."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=1000, help="Starts that are cancelled.")
    parser.add_argument("--kills", type=int, default=1000, help="Starts that are killed.")
    parser.add_argument("--samples", type=int, default=1500, help="Of the one start that lasts the month.")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as notes, tempfile.TemporaryDirectory() as disk:
        folder = Path(disk)
        with small_disk(folder) as full:
            print("cancelled and gone on with" + ("" if full else "; no disk of our own here: none is ever full"))
            began, found = time.monotonic(), []
            month = Month(folder, Path(notes), options.seed, disk=full)
            for start in range(options.starts):
                month.cancelled_start()
                if start % EVERY == EVERY - 1:
                    found.append(Resources.now(start + 1))
            said(month, began)
            held(found, "starts")
            print("killed and gone on with")
            began = time.monotonic()
            month.counts.clear()
            for _ in range(options.kills):
                month.killed_start()
            said(month, began)
    with tempfile.TemporaryDirectory() as place:
        print("one start for a month")
        began = time.monotonic()
        found = endurance(Path(place), options.samples)
        print(f"{found[-1].day} days in {time.monotonic() - began:.0f} s")
        held(found, "day")
    return 0


if __name__ == "__main__":
    sys.exit(main())
