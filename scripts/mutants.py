"""Mutation testing of the rooms on which every figure stands: the sample of mutants, the tests that kill them, the report.

`make mutants` draws mutants by hash, so that the same seed draws the same ones wherever their module has moved, runs for
each the tests that reach its line, and writes `docs/mutants.md`. It fails where a mutant survives that `tests/mutants.toml`
does not explain, and where an explanation fits no line any more.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import hashlib
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import libcst
import pytest
from coverage import CoverageData
from coverage.data import combine_parallel_data
from libcst import matchers
from libcst.metadata import MetadataWrapper, PositionProvider
from mutants_pytest import CHOSEN, FAILED, RECORD
from mutmut.mutation.file_mutation import Mutation, create_mutations

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "benchbar"
KEPT = ROOT / "tests" / "mutants.toml"
REPORT = ROOT / "docs" / "mutants.md"
CACHE = ROOT / ".mutants"
LAST = CACHE / "outcomes.jsonl"
ROOMS = ("statistics", "scoring", "ledger", "decisions")
# The rooms' own tests. What runs, reports or the web happen to notice besides would cost five times as long, and tells
# where a fault shows, not what it is.
TESTS = [
    "tests/statistics",
    "tests/retrieval/test_measures.py",
    "tests/scoring",
    "tests/rag/test_formulas.py",
    "tests/rag/test_judge.py",
    "tests/ledger",
    "tests/reports/test_gate.py",
    "tests/reports/test_gate_cases.py",
    "tests/reports/test_releases.py",
    "tests/reports/test_reproduced_gate.py",
    "tests/reports/test_compare.py",
    "tests/measures/test_clusters.py",
]
COUNT = 400
# Covering tests run quickest first until they would have taken so long; what survives them counts as a survivor.
BUDGET = 30.0
# A mutant may loop without end: it has thrice the time of its tests, and what a loaded machine needs to start them.
PATIENCE = 30.0
# Loaded once, and not the program itself: each mutant is its own. One thread each, as mutants are tried side by side.
SERVER = multiprocessing.get_context("forkserver")
LIBRARIES = [
    "__main__", "aiohttp", "click", "hypothesis", "jinja2", "msgspec", "numpy", "rich", "scipy.optimize", "scipy.stats",
    "sklearn.linear_model", "sklearn.metrics", "statsmodels.api",
]  # fmt: skip
ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Key(NamedTuple):
    """What a mutant is known by: no file and no line number, so that it stays itself where code is moved."""

    room: str
    function: str
    line: str
    change: str


@dataclass(frozen=True)
class Mutant:
    """One change to one file, and where it stands today."""

    key: Key
    file: Path
    first: int
    last: int
    tree: libcst.Module
    mutation: Mutation

    def __hash__(self) -> int:
        return hash(self.key)

    def code(self) -> str:
        """The whole file with the change."""
        return self.tree.deep_replace(self.mutation.original_node, self.mutation.mutated_node).code

    def difference(self) -> str:
        """The changed lines, as a unified diff without context."""
        lines = difflib.unified_diff(self.tree.code.splitlines(), self.code().splitlines(), n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: killed, out of time, survived, or reached by no test."""

    mutant: Mutant
    status: str
    killer: str = ""
    """The test that failed first; it is asked first the next time."""

    @property
    def alive(self) -> bool:
        return self.status in ("survived", "unreached")


def main() -> None:
    began, options = time.monotonic(), _options()
    kept = [_Kept.of(entry) for entry in tomllib.loads(KEPT.read_text("utf-8"))["mutant"]]
    everything = [mutant for room in ROOMS for mutant in mutants_of(room)]
    known = {mutant.key: mutant for mutant in everything}
    faults = [f"fits no line any more: {_shown(one.key)}" for one in kept if one.key not in known]
    chosen = drawn(known.values(), options.count, options.seed)
    listed = [known[one.key] for one in kept if one.killed_by and one.key in known]
    wanted = [one for one in dict.fromkeys([*chosen, *listed]) if one.key.room in options.rooms]
    last = _last()
    settled = [
        Outcome(one, "killed", last[one.key])
        for one in wanted
        if options.again and ("::" in last.get(one.key, "") or last.get(one.key) == "killed")
    ]
    done = {one.mutant for one in settled}
    pending = [one for one in wanted if one not in done]
    fresh = tried(pending, covering(options.tests, options.jobs), last, options.jobs, began + 60 * options.minutes)
    begun = {one.mutant for one in fresh}
    # What no time was left for stands as it was found the last time.
    late = [Outcome(one, last[one.key]) for one in pending if options.again and one not in begun and one.key in last]
    outcomes = [*settled, *fresh, *late]
    faults += _unexplained(outcomes, {one.key for one in kept if one.why})
    if (options.rooms, options.tests) == (list(ROOMS), TESTS):
        REPORT.write_text(page(outcomes, chosen, kept, len(everything), options.seed), "utf-8")
    print("\n".join([*table(outcomes, chosen, kept), "", *faults]))
    sys.exit(bool(faults))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="how many mutants are drawn from all rooms")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS), help="try only those drawn in these rooms")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="where tests are looked for")
    parser.add_argument("--again", action="store_true", help="try only what no test killed the last time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no mutant after so many minutes")
    return parser.parse_args()


def _last() -> dict[Key, str]:
    """What became of each mutant the last time: the test that killed it, else its status."""
    lines = LAST.read_text("utf-8").splitlines() if LAST.exists() else []
    return {Key(*fields): said for *fields, said in map(json.loads, lines)}


# The mutants


def mutants_of(room: str) -> list[Mutant]:
    """Every mutant of a room's files, by the operators of mutmut, less those that only reword a sentence or a declaration."""
    seen = Counter[Key]()
    return [mutant for file in sorted((SOURCE / room).rglob("*.py")) for mutant in _mutants_in(file, room, seen)]


def _mutants_in(file: Path, room: str, seen: Counter[Key]) -> Iterable[Mutant]:
    text = file.read_text("utf-8")
    tree, mutations, _, _ = create_mutations(str(file), text)
    places = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
    lines, functions, declared = text.splitlines(), _functions(text), _declarations(tree)
    for mutation in mutations:
        before, after = mutation.original_node, mutation.mutated_node
        place = places.get(before)
        if place is None or before in declared or _words_only(before):
            continue
        first, last = place.start.line, place.end.line
        change = f"{_flat(tree.code_for_node(before))} -> {_flat(tree.code_for_node(after))}"
        key = Key(room, _function_at(functions, first), lines[first - 1].strip(), change)
        # The same change twice, in functions of one name on lines that read alike, is told apart by its turn.
        seen[key] += 1
        turn = f" ({seen[key]})" if seen[key] > 1 else ""
        yield Mutant(key._replace(change=change + turn), file, first, last, tree, mutation)


def _declarations(tree: libcst.Module) -> set[libcst.CSTNode]:
    """What is declared for readers and the type checker, and changes nothing when it runs: `__all__`, `Literal`, `TypeVar`."""
    exported = matchers.Assign(targets=[matchers.AssignTarget(matchers.Name("__all__"))])
    typed = matchers.Subscript(matchers.Name("Literal")) | matchers.Call(matchers.Name("TypeVar"))
    pending: list[libcst.CSTNode] = list(matchers.findall(tree, exported | typed))
    found: set[libcst.CSTNode] = set()
    while pending:
        node = pending.pop()
        found.add(node)
        pending.extend(node.children)
    return found


def _words_only(node: libcst.CSTNode) -> bool:
    """Whether a node is a string of several words: a message, whose wording is free."""
    return isinstance(node, libcst.SimpleString) and " " in node.value.strip()


def _flat(code: str) -> str:
    return " ".join(code.split())


def _functions(text: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []

    def visit(node: ast.AST, path: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = (*path, child.name)
                found.append((child.lineno, child.end_lineno or child.lineno, ".".join(inner)))
            visit(child, inner)

    visit(ast.parse(text), ())
    return found


def _function_at(functions: Sequence[tuple[int, int, str]], line: int) -> str:
    # Inner functions stand behind the outer ones.
    return next((name for first, last, name in reversed(functions) if first <= line <= last), "module")


def drawn(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """Those of the least hashes: a uniform sample that a change elsewhere in the code leaves as it is."""

    def place(mutant: Mutant) -> str:
        return hashlib.sha256("\0".join((str(seed), *mutant.key)).encode()).hexdigest()

    return sorted(mutants, key=place)[:count]


# The tests that reach a line


class Covering(NamedTuple):
    """For each file and line the tests that reach it, and the seconds of each test."""

    lines: dict[str, dict[int, set[str]]]
    seconds: dict[str, float]

    def of(self, mutant: Mutant) -> list[str]:
        """The tests for a mutant, quickest first, as many as the budget holds."""
        lines = self.lines.get(mutant.file.relative_to(SOURCE).as_posix(), {})
        reaching = {test for line in range(mutant.first, mutant.last + 1) for test in lines.get(line, ())}
        # A constant is reached when its module is imported, in no test's own time (or in that of a test that starts a process
        # of its own): any test of the file may notice.
        if "" in reaching or not reaching:
            reaching = {test for tests in lines.values() for test in tests}
        chosen, spent = [], 0.0
        for test in sorted(reaching & self.seconds.keys(), key=lambda test: (self.seconds[test], test)):
            spent += self.seconds[test]
            if spent > BUDGET and chosen:
                break
            chosen.append(test)
        return chosen


def covering(tests: Sequence[str], jobs: int) -> Covering:
    """Which tests reach which lines: measured once for each state of sources and tests, with all tests green."""
    digest = hashlib.sha256("\0".join(tests).encode())
    for file in sorted([*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]):
        digest.update(file.read_bytes())
    folder = CACHE / digest.hexdigest()[:16]
    data = CoverageData(str(folder / "coverage"))
    if not (folder / "seconds.json").exists():
        _measure(tests, jobs, folder)
        combine_parallel_data(data)
    data.read()
    lines = {
        Path(file).relative_to(SOURCE).as_posix(): {
            line: {_test_of(context) for context in contexts}
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    return Covering(lines, json.loads((folder / "seconds.json").read_text()))


def _measure(tests: Sequence[str], jobs: int, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = folder / "coveragerc"
    settings.write_text(
        # A process that a test starts finds the test in its environment, as pytest writes it there.
        f"[run]\nsource = {SOURCE}\nparallel = true\nsigterm = true\ndata_file = {folder / 'coverage'}\n"
        "context = ${PYTEST_CURRENT_TEST-}\ndisable_warnings = no-data-collected\n"
    )
    environment = _environment(COVERAGE_PROCESS_START=str(settings), **{RECORD: str(folder / "seconds.json")})
    command = [sys.executable, "-m", "pytest", "-p", "mutants_pytest", "-n", str(jobs), *tests]
    if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
        (folder / "seconds.json").unlink(missing_ok=True)
        sys.exit("the tests fail without any mutant: nothing can be said")


def _environment(**more: str) -> dict[str, str]:
    """Compiled files are written whatever the machine is set to: without them half the time goes into compiling."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return own | {"PYTHONPATH": os.pathsep.join((str(ROOT / "scripts"), str(ROOT / "src")))} | more


def _test_of(context: str) -> str:
    """The test in a context; one from the environment has its phase behind it, as in `test_x (call)`."""
    name = context.rpartition("|")[2]
    test, _, phase = name.rpartition(" (")
    return test if phase in ("call)", "setup)", "teardown)") else name


# Trying


def tried(
    mutants: Sequence[Mutant], tests: Covering, last: Mapping[Key, str], jobs: int, until: float
) -> list[Outcome]:
    """Each mutant against its tests, in a copy of the sources; the working tree is never touched.

    After ``until`` no further one is begun. They stand in the order of their hashes, so that what was tried is a sample, too.
    """
    os.environ.update(ALONE)
    SERVER.set_forkserver_preload(LIBRARIES)
    with tempfile.TemporaryDirectory() as temporary:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copy = Path(temporary) / str(number) / "src"
            shutil.copytree(ROOT / "src", copy)
            copies.put(copy)

        # The program as it is has to pass in the same way, or everything would count as killed.
        whole = sorted(tests.seconds, key=tests.seconds.__getitem__)[:50]
        if _verdict(whole, tests, copy) != "survived":
            sys.exit(f"tests fail without any mutant:\n{(copy.parent / 'output').read_text('utf-8', errors='replace')}")

        def one(mutant: Mutant) -> Outcome | None:
            if time.monotonic() > until:
                return None
            copy = copies.get()
            try:
                outcome = _tried(mutant, tests, last.get(mutant.key, ""), copy)
            finally:
                copies.put(copy)
            # Written one by one: 400 take an hour, and what was interrupted goes on with --again.
            with LAST.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*mutant.key, outcome.killer or outcome.status], ensure_ascii=False) + "\n")
            print(f"{outcome.status:9} {mutant.key.room:10} {_shown(mutant.key)}", flush=True)
            return outcome

        with ThreadPoolExecutor(jobs) as pool:
            return [outcome for outcome in pool.map(one, mutants) if outcome]


def _tried(mutant: Mutant, tests: Covering, killer: str, copy: Path) -> Outcome:
    chosen = tests.of(mutant)
    if not chosen:
        return Outcome(mutant, "unreached")
    file = copy / mutant.file.relative_to(ROOT / "src")
    file.write_text(mutant.code(), "utf-8")
    try:
        status = _verdict([killer], tests, copy) if killer in tests.seconds else "survived"
        if status == "survived":
            status = _verdict(chosen, tests, copy)
    finally:
        shutil.copy(mutant.file, file)
        # A compiled file is known by its second and size, and the next mutant may share both.
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()
    failed = copy.parent / "failed"
    return Outcome(mutant, status, failed.read_text("utf-8") if status == "killed" and failed.exists() else "")


def _verdict(chosen: Sequence[str], tests: Covering, copy: Path) -> str:
    (copy.parent / "selection.json").write_text(json.dumps(chosen))
    (copy.parent / "failed").unlink(missing_ok=True)
    process = SERVER.Process(target=_run, args=(copy, sorted({test.partition("::")[0] for test in chosen})))
    process.start()
    process.join(3 * sum(tests.seconds[test] for test in chosen) + PATIENCE)
    code = process.exitcode
    if code is None:
        # The whole group: a test may have started processes of its own.
        os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        return "timeout"
    if code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.USAGE_ERROR):
        output = (copy.parent / "output").read_text("utf-8", errors="replace")
        # A mutant that fails while it is imported for a conftest.py is killed as any other; pytest calls it a wrong usage.
        if "while loading conftest" not in output:
            sys.exit(f"pytest ended with {code}\n{output}")
    return "killed" if code else "survived"


def _run(copy: Path, files: Sequence[str]) -> None:
    """In a process of its own, forked from one that has loaded the libraries: half of a mutant's time went into importing them."""
    os.setsid()
    sys.path[:0] = [str(ROOT / "scripts"), str(copy)]
    os.environ.update(_environment(HYPOTHESIS_STORAGE_DIRECTORY=str(copy.parent / "examples")))
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    os.environ[CHOSEN], os.environ[FAILED] = str(copy.parent / "selection.json"), str(copy.parent / "failed")
    os.chdir(ROOT)
    output = os.open(copy.parent / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    flags = ["-n", "0", "-x", "-p", "mutants_pytest", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=line"]
    # Hypothesis is loaded before pytest could rewrite it, and nothing in it needs that.
    flags += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    # A mutant that cannot even be imported interrupts the collection: killed, too. No handler at exit may wait for a thread.
    os._exit(pytest.main([*flags, *files]))


# What is known, and what is said


@dataclass(frozen=True)
class _Kept:
    """One entry of the kept file: a mutant that survived once, and the test that kills it since, or why none can."""

    key: Key
    killed_by: str
    why: str

    @classmethod
    def of(cls, entry: dict[str, str]) -> _Kept:
        key = Key(*(entry[field] for field in Key._fields))
        own = cls(key, entry.get("killed_by", ""), entry.get("why", ""))
        if bool(own.killed_by) == bool(own.why):
            sys.exit(f"{KEPT.name}: {_shown(own.key)}: expected either killed_by or why")
        return own


def _unexplained(outcomes: Iterable[Outcome], explained: set[Key]) -> list[str]:
    alive = [one.mutant for one in outcomes if one.alive and one.mutant.key not in explained]
    return [
        f"survives: {mutant.file.relative_to(ROOT)}:{mutant.first} in {mutant.key.function}\n{mutant.difference()}\n"
        + "\n".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in mutant.key._asdict().items())
        for mutant in alive
    ]


def _shown(key: Key) -> str:
    return f"{key.function}: {key.change}"


def table(outcomes: Sequence[Outcome], chosen: Sequence[Mutant], kept: Sequence[_Kept]) -> list[str]:
    """A row for each room, and one for all: what became of the mutants that were drawn.

    The score is killed / (drawn - explained): what changes nothing cannot be killed. Its Wilson interval is of the score at
    first; tests written for survivors say nothing about mutants that were not drawn.
    """
    from benchbar.statistics import proportion

    own, since = {mutant.key for mutant in chosen}, {one.key for one in kept if one.killed_by}
    explained = {one.key for one in kept if one.why}
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in outcomes:
        key = outcome.mutant.key
        if key in own:
            dead = "since" if key in since else "killed"
            fate = dead if not outcome.alive else "explained" if key in explained else "surviving"
            rooms[key.room][fate] += 1
            rooms["all"][fate] += 1
    rows = [
        "| room | drawn | killed at first | killed since | explained | surviving | score at first | 95% interval | now |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for room in (*ROOMS, "all"):
        found = rooms[room]
        counts = [found[fate] for fate in ("killed", "since", "explained", "surviving")]
        if of := found.total() - found["explained"]:
            share, now = proportion(found["killed"], of), (found["killed"] + found["since"]) / of
            scores = f"{share.value:.1%} | {share.low:.1%} to {share.high:.1%} | {now:.1%}"
            rows.append(f"| {room} | {found.total()} | {' | '.join(map(str, counts))} | {scores} |")
    return rows


def page(outcomes: Sequence[Outcome], chosen: Sequence[Mutant], kept: Sequence[_Kept], size: int, seed: int) -> str:
    """The page in docs: the table, the survivors with the reason for each, and those that a test kills since."""
    alive = {one.mutant.key for one in outcomes if one.alive}
    tried = len({one.mutant.key for one in outcomes} & {mutant.key for mutant in chosen})
    explained = {one.key for one in kept if one.why}
    late = sum(one.status == "timeout" for one in outcomes)
    return "\n".join(
        [
            "# Mutants",
            "",
            "Written by `make mutants`. A mutant is the program with one small change: another operator, a number one higher,",
            "an argument left out. It is killed when a test fails. A mutant that survives shows what no test holds, or is",
            "explained: the change makes no difference to a result, for the reason given below.",
            "",
            f"{tried} of {size} mutants were drawn with seed {seed}. Of the killed, {late} ran out of time instead of failing a test.",
            "",
            *table(outcomes, chosen, kept),
            "",
            "## Surviving",
            "",
            *_listed((_Kept(key, "", ""), "") for key in sorted(alive - explained)),
            "",
            "## Explained",
            "",
            *_listed((one, one.why) for one in kept if one.key in alive and one.why),
            "",
            "## Killed since",
            "",
            "These survived once; the tests named kill them now. The first four were found by reading, the others drawn.",
            "",
            *_listed((one, f"`{one.killed_by}`") for one in kept if one.killed_by),
            "",
        ]
    )


def _listed(entries: Iterable[tuple[_Kept, str]]) -> list[str]:
    rows = [
        " | ".join(
            ("", one.key.room, f"`{one.key.function}`", f"`{one.key.change}`".replace("|", "\\|"), text, "")
        ).strip()
        for one, text in entries
    ]
    return ["| room | function | change | |", "| --- | --- | --- | --- |", *rows]


if __name__ == "__main__":
    main()
