"""The figures of docs/results-law.md, one step after another: `python scripts/law_figures.py ../shared/data [--write] [--only STEP…]`.

Each step says when it begins and how long it took, and is stopped where it takes longer than its limit; the others go on. With
`--write` the tables of each step replace those between its marks on the page.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchbar.records.files import write_atomically

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "results-law.md"


@dataclass(frozen=True)
class Step:
    """One command, the marks between which its output stands, and the seconds after which it is stopped."""

    name: str
    command: tuple[str, ...]
    limit: int
    mark: str = ""
    """Empty where the command writes the page itself, or prints nothing for it."""


def steps(data: Path, law: Path, *, write: bool) -> list[Step]:
    """The steps in order; limits are about ten times what they take on a quiet core."""
    index = (sys.executable, "-m", "benchbar", "law", "index")
    own = ("--write",) if write else ()

    def script(name: str, *arguments: str) -> tuple[str, ...]:
        return (sys.executable, str(ROOT / "benchmarks" / name), *arguments)

    laws = ("--law", f"zh={law / 'zh'}", "--law", f"ru={law / 'ru'}")
    return [
        Step("index-zh", (*index, str(data / "zh/statutes"), "--out", str(law / "zh"), "--claim", "constitution", "--claim", "law"), 120),
        Step("index-ru", (*index, str(data / "ru/codes"), "--out", str(law / "ru")), 60),
        # Before the others: what claims are said to contradict rests on the precision that it writes.
        Step("claims", script("claim_checking.py", str(data), *own), 900),
        Step("statuses", script("citation_checking.py", str(data)), 180, "citation_checking"),
        Step("accusations", script("citation_accusations.py", str(data)), 240, "citation_accusations"),
        Step("court", script("citation_court/court.py", *laws, *own), 120),
        Step("speed", script("citation_speed.py"), 240, "citation_speed"),
    ]  # fmt: skip


def run(step: Step) -> str:
    """What the step prints; empty where it fails or takes too long, which is said."""
    print(f"{step.name}: begun, at most {step.limit} s", flush=True)
    begin = time.monotonic()
    try:
        done = subprocess.run(step.command, capture_output=True, text=True, timeout=step.limit, check=False)
    except subprocess.TimeoutExpired:
        print(f"{step.name}: stopped after {step.limit} s", flush=True)
        return ""
    took = time.monotonic() - begin
    if done.returncode:
        print(f"{step.name}: failed after {took:.0f} s\n{done.stderr[-2000:]}", flush=True)
        return ""
    print(f"{step.name}: {took:.0f} s\n{done.stdout if 'index' not in step.name else ''}", flush=True)
    return done.stdout


def written(mark: str, output: str) -> None:
    """Put the output between its marks on the page."""
    page = PAGE.read_text(encoding="utf-8")
    head, begin, rest = page.partition(f"<!-- {mark} -->")
    _, end, tail = rest.partition(f"<!-- end of {mark} -->")
    if not begin or not end:
        raise SystemExit(f"{PAGE.name} has no marks {mark}")
    write_atomically(PAGE, f"{head}{begin}\n{output.strip()}\n{end}{tail}".encode())


def main() -> None:
    """Run the steps; the exit code is 1 where one of them gave nothing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--law", type=Path, help="where the indexes are made; a temporary folder where it is left out")
    parser.add_argument("--write", action="store_true", help="renew the tables of docs/results-law.md")
    parser.add_argument("--only", nargs="+", default=[], metavar="STEP")
    given = parser.parse_args()
    if not given.data.is_dir():
        parser.error(f"there is no folder {given.data}: the figures are of public data, see CONTRIBUTING.md")
    with tempfile.TemporaryDirectory(prefix="benchbar-") as folder:
        wanted = [
            one
            for one in steps(given.data, given.law or Path(folder), write=given.write)
            if not given.only or one.name in given.only
        ]
        empty = []
        for step in wanted:
            output = run(step)
            if not output:
                empty.append(step.name)
            elif given.write and step.mark:
                written(step.mark, output)
    if empty:
        raise SystemExit(f"without figures: {', '.join(empty)}")


if __name__ == "__main__":
    main()
