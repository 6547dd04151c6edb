"""Lines and branches that the tests reach, room by room: what `make coverage` prints when the tests are through.

Rooms are named on the command line; without a name all are printed.

No threshold stands behind these figures. They show where nothing is tried; whether what is tried is also held to its
result, `make mutants` asks.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

SUMMED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def main() -> None:
    """A row for each room, those first that reach the least of their branches."""
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for file, found in measured().items():
        parts = Path(file).parts
        inside = parts[parts.index("benchbar") + 1 :]
        room = inside[0].removesuffix(".py")
        if sys.argv[1:] and room not in sys.argv[1:]:
            continue
        for name in (room, "all"):
            rooms[name].update({field: found["summary"][field] for field in SUMMED})
    print(f"{'room':16}{'lines':>8}{'reached':>10}{'branches':>10}{'reached':>10}")
    for name in sorted(rooms, key=lambda room: (room == "all", share(rooms[room], "branches"), room)):
        room = rooms[name]
        lines, branches = shown(share(room, "lines")), shown(share(room, "branches"))
        print(f"{name:16}{room['num_statements']:8}{lines:>10}{room['num_branches']:10}{branches:>10}")


def measured() -> dict[str, dict[str, dict[str, int]]]:
    """The files of coverage's own JSON report."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        command = [sys.executable, "-m", "coverage", "json", "--quiet", "-o", str(path)]
        subprocess.run(command, check=True)
        return json.loads(path.read_text("utf-8"))["files"]


def share(room: Counter[str], of: str) -> float:
    """Reached lines or branches over all of them; a room without branches misses none."""
    whole = room["num_statements" if of == "lines" else "num_branches"]
    return room[f"covered_{of}"] / whole if whole else 1.0


def shown(value: float) -> str:
    """A percentage that reads 0 or 100 only where it is exactly that."""
    if 0 < value < 1:
        return f"{min(max(100 * value, 0.1), 99.9):.1f}%"
    return f"{value:.0%}"


if __name__ == "__main__":
    main()
