"""One job in Benchbar and in other programs: `python benchmarks/peers/side_by_side.py [--install] [--only NAME …] [--json]`.

40 questions of the bundled suite are put to two assistants; a judge compares each pair of answers with the guidance at hand, in
both orders, three times: 80 and 240 calls, 16 at once, at a chat server (tests/support/chat_server.py) that takes 100 ms for each.
Every program does it as its documentation writes such a task (tasks/), in an environment of its own with pinned versions, which
``--install`` makes. The whole command is timed in rounds, each program once a round, so that times of one round can be divided by each
other whatever else the machine does. Then each is killed (SIGKILL) at half of its calls and the same command is given again. At last the log that
each wrote itself is judged again with `benchbar judge`. What cannot be run is named with the reason.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from textwrap import fill

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine_parts"))

from compared_programs import PROGRAMS, ROOT, TASKS, Program, install
from consultations import JUDGE
from measuring import Measured, measured, said
from workload import Server, served

QUESTIONS, DELAY, LONGEST = 40, 0.1, 300.0
ENDINGS = (".json", ".jsonl", ".csv")
PRICE = (0.5, 1.5)
"""Of a million tokens read and written; the server takes a character for a token."""
SECOND_JUDGE = "judge-wavers"
"""Says something else than the first judge in one of five comparisons."""


@dataclass
class Row:
    """What one program was measured at."""

    name: str
    version: str
    lines: int
    calls: int = 0
    seconds: list[float] = field(default_factory=list)
    """A value a round, and of the next two as well."""
    start: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak_mb: float = 0.0
    installed_mb: float = 0.0
    read: int = 0
    written: int = 0
    cost: float = 0.0
    result: str = ""
    uncertainty: str = ""
    paid_again: int | None = None
    after_kill: str = ""
    budget: str = ""
    screen: str = ""
    providers: int | None = None
    sets: int | None = None
    not_run: str = ""
    judged: list[dict[str, object]] = field(default_factory=list)
    """Figures of its log: published, recomputed, corrected."""


def write_job(folder: Path, program: Program, count: int) -> None:
    """The questions in the form that each program reads, the judge's prompt, and what the user writes."""
    suite = ROOT / "src/benchbar/suites/data/model-jurisdiction-zh/samples.jsonl"
    rows = []
    for line in suite.read_text("utf-8").splitlines()[:count]:
        given = json.loads(line)
        wanted = [one["text"] for one in given["guidance"]["points"] if one["category"] != "forbidden"]
        rows.append({"id": given["id"], "question": given["needs"], "guidance": f"必须提及：{'；'.join(wanted)}"})
    (folder / "data").mkdir(parents=True)
    of = {"questions.jsonl": rows, "data/default_test.jsonl": rows, "tests.jsonl": [{"vars": row} for row in rows]}
    for name, given_rows in of.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in given_rows)
        (folder / name).write_text(text, "utf-8")
    (folder / "judge.txt").write_text(JUDGE, "utf-8")
    for name in program.files:
        shutil.copy(TASKS / name, folder / name)


@contextlib.contextmanager
def job(program: Program, count: int, delay: float) -> Iterator[tuple[Path, Server]]:
    folder = Path(tempfile.mkdtemp(prefix="peers-"))
    try:
        write_job(folder / "job", program, count)
        with served(delay) as server:
            yield folder / "job", server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def started(program: Program, folder: Path, server: Server, *, kill_after: int | None = None) -> Measured:
    """The program's own command in the folder of the job."""
    address = f"{server.url}/v1"
    keys = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "none", "LOCAL_BASE_URL": address, "LOCAL_API_KEY": "none"}
    settings = [f"{name}={value}" for name, value in {**keys, **program.settings}.items()]
    # Inspect and others keep caches below the home folder: one run must not find what another left.
    command = ["env", f"HOME={folder}", *settings, *program.command()]
    return measured(command, folder, server, kill_after=kill_after, longest=LONGEST)


def judged(program: Program, folder: Path, server: Server | None = None) -> dict[str, object]:
    """What `benchbar judge` reads in the log that the program wrote; with a server, its drawn answers judged again."""
    if program.export and not any(folder.glob(program.log)):
        subprocess.run([str(program.python), *program.export], cwd=folder, capture_output=True, check=True)
    # A program that was killed leaves locks and halves of files beside its log.
    logs = [str(one) for one in sorted(folder.glob(program.log)) if one.suffix in ENDINGS or one.is_dir()]
    command = [sys.executable, "-m", "benchbar", "judge", *logs, "--json", "--quiet"]
    if server is not None:
        judge = ["--judge", f"{SECOND_JUDGE}@{server.url}/v1", "--measure", "win_rate", "--opponent", "opponent"]
        command += [*judge, "--size", "30", "--out", str(folder / "judged")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def own_result(program: Program, folder: Path) -> tuple[str, str]:
    """The figure that the program states, and what it states of its uncertainty."""
    if program.name == "Benchbar":
        rate = json.loads((folder / "logs/results.json").read_text("utf-8"))["assistants"]["candidate"]["measures"][
            "win_rate"
        ]
        low, high = rate["interval"] if "interval" in rate else (rate["low"], rate["high"])
        return f"{rate['value']:.4f}", f"interval [{low:.3f}, {high:.3f}], ties counted"
    (figure,) = [one for one in judged(program, folder)["figures"] if one["measure"] == "win_rate"]
    published = next((one for one in figure["published"] if one["statistic"] == "mean"), None)
    error = published and published["standard_error"]
    shown = f"{published['value']:.4f}" if published else f"{figure['recomputed']['value']:.4f} (rows alone)"
    return shown, f"standard error {error:.3f}" if error else program.uncertain


def whole(program: Program, row: Row, count: int) -> None:
    """The job undisturbed, timed; in the first round its log is judged again."""
    with job(program, count, DELAY) as (folder, server):
        run = started(program, folder, server)
        if run.code not in program.codes:
            raise RuntimeError(f"ended with {run.code}: {str(said(folder))[-300:]}")
        stats = server.stats()
        row.seconds.append(run.wall)
        row.start.append(run.first or 0.0)
        row.cpu.append(run.cpu)
        row.peak_mb = max(row.peak_mb, run.peak_mb)
        if row.result:
            return
        row.calls = server.completed()
        row.read, row.written = stats["prompt_tokens"], stats["completion_tokens"]
        row.cost = (row.read * PRICE[0] + row.written * PRICE[1]) / 1e6
        row.result, row.uncertainty = own_result(program, folder)
        if program.name != "Benchbar":
            row.judged = [one for one in judged(program, folder, server)["figures"] if one["measure"] == "win_rate"]


def killed(program: Program, row: Row, count: int) -> None:
    """SIGKILL at half of the calls, and the same command again; answers that the server had given before are paid again."""
    with job(program, count, DELAY) as (folder, server):
        first = started(program, folder, server, kill_after=row.calls // 2)
        if first.code != -signal.SIGKILL:
            row.after_kill = f"ended with {first.code} before it could be killed"
            return
        again = started(program, folder, server)
        row.paid_again = server.completed() - row.calls
        if again.code not in program.codes:
            row.after_kill = f"ends with {again.code}"
            return
        try:
            result = own_result(program, folder)[0]
        except (RuntimeError, ValueError, OSError) as error:
            row.after_kill = f"no result: {str(error)[-120:]}"
            return
        row.after_kill = "the same" if result == row.result else f"{result} instead of {row.result}"


def prepared(program: Program) -> Row:
    """What is known of a program without running the job, which is run once with two questions."""
    own = version("benchbar") if program.name == "Benchbar" else program.version
    row = Row(program.name, own, program.lines(), budget=program.budget, screen=program.screen)
    if missing := program.missing():
        row.not_run = missing
        return row
    row.installed_mb, row.providers, row.sets = (
        program.installed_mb(),
        program.count("providers"),
        program.count("sets"),
    )
    # Not measured: the first start compiles the modules of the environment.
    with job(program, 2, 0.0) as (folder, server):
        started(program, folder, server)
    return row


def measure(programs: Sequence[Program], count: int, rounds: int) -> list[Row]:
    """All of it for each program, the timed part in rounds; what failed is said in its row."""
    rows = [prepared(one) for one in programs]
    for part in (*[whole] * rounds, killed):
        for program, row in zip(programs, rows, strict=True):
            print(f"{part.__name__}: {program.name} …", file=sys.stderr)
            if row.not_run:
                continue
            try:
                part(program, row, count)
            except (RuntimeError, OSError, ValueError) as error:
                row.not_run = str(error)
    return rows


MEASURED = (
    ("lines the user writes", "lines", "{}", min, "of the files in `benchmarks/peers/tasks/`; empty lines, comments and the docstring of a file do not count, imports and the lines of a signature do. The judge's prompt is not counted: the others read it from a file, and Benchbar brings its own"),
    ("calls sent", "calls", "{}", None, "answers that the server completed. Benchbar sends two more, by which it tries the judge before the run"),
    ("CPU, s", "cpu", "{:.1f}", min, "of the program and its children, user and system; the server's is not in it. The median of the rounds (least to most)"),
    ("whole command, times Benchbar's", "seconds", "{:.1f}", None, "from start to end, divided by Benchbar's in the same round: the median of these ratios (least to most). Seconds are not shown, since they are the machine's load at that time"),
    ("start to first call, times Benchbar's", "start", "{:.1f}", None, "likewise: imports, reading the job, and what is done before the first call"),
    ("peak of the largest process, MB", "peak_mb", "{:.0f}", min, "of one process, the largest of all rounds; a program of several processes takes more together"),
    ("installed, MB", "installed_mb", "{:.0f}", min, "everything that the package brings into an empty environment"),
    ("tokens read by the models, thousand", "read", "{:,}", min, "the server counts a character as a token. Benchbar's judge is told what the records may not do to it, is asked for reasons point by point, and sees the question twice; the others' prompt is the short one of this job. A provider's cache takes most of that back ([judging](judging.md#prompts-that-providers-can-cache))"),
    ("cost of the calls", "cost", "{:.3f}", min, "these tokens and those written, at 0.5 and 1.5 a million: **Benchbar's calls cost the most**"),
    ("answers paid again after SIGKILL", "paid_again", "{}", min, "answers that the server completed beyond those of an undisturbed run, after SIGKILL at half of the calls and the same command once more; one kill, so that the number of another run differs"),
    ("protocols or providers in the package", "providers", "{}", max, "modules counted in the installed package: one may stand for many models, and the reverse. promptfoo's are in one bundle"),
    ("sets of questions by name", "sets", "{}", max, "modules counted in the installed package; Benchbar's are those that `benchbar suite get` lists, which bring no questions but read the user's copy"),
)  # fmt: skip
"""Head, field, form, which value is the better one and stands in bold, and what the figure is."""
RATIOS, ROUNDS_OF = ("seconds", "start"), ("seconds", "start", "cpu")
STATED = (
    ("result", lambda row: row.result, "the candidate's rate of wins. The server answers by fixed rules, so that the same figure shows that each program put the same questions and counted the same way. **It says nothing of how well any of them judges**; *rows alone*: the program states no total, and the mean of its rows is shown"),
    ("uncertainty it prints", lambda row: row.uncertainty, "Benchbar's is Tango's interval for paired comparisons with ties; Inspect prints a standard error, the others nothing"),
    ("result after the kill", lambda row: row.after_kill, "of the second command"),
    ("budget", lambda row: row.budget, "*hard*: no further call is sent; *by sample*: a limit for each sample"),
    ("browser", lambda row: row.screen, "what a page shows, as each program's documentation says"),
)  # fmt: skip


def figure(row: Row, name: str, base: Row | None) -> list[float]:
    """What a cell is made of: a value a round, of times divided by the base's of the same round; one value of everything else."""
    own = getattr(row, name)
    if name in RATIOS and base:
        return [mine / other for mine, other in zip(own, getattr(base, name), strict=True)]
    return own if name in ROUNDS_OF else [own]


def best(rows: Sequence[Row], name: str, better: object) -> list[str]:
    known = {row.name: median(figure(row, name, None)) for row in rows if getattr(row, name) not in (None, [])}
    if better is None or not known:
        return []
    return [row for row, value in known.items() if value == better(known.values())]


def cell(row: Row, name: str, form: str, won: Sequence[str], base: Row | None) -> str:
    if getattr(row, name) is None:
        return "not counted"
    values = [round(one / 1000) if name == "read" else one for one in figure(row, name, base)]
    text = form.format(median(values))
    text = f"**{text}**" if row.name in won else text
    spread = [form.format(end) for end in (min(values), max(values))]
    return f"{text} ({' to '.join(spread)})" if name in ROUNDS_OF and spread[0] != spread[1] else text


def markdown(lines: Sequence[Sequence[str]]) -> str:
    head, *rest = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([head, "|" + " --- |" * len(lines[0]), *rest])


def tables(rows: Sequence[Row]) -> str:
    """Everything as Markdown, the better value of a line in bold."""
    ran = [row for row in rows if not row.not_run]
    base = next((row for row in ran if row.name == "Benchbar"), None)
    lines = [["", *(f"{row.name} {row.version}" for row in ran)]]
    behind = []
    for head, name, form, better, _ in MEASURED:
        won = best(ran, name, better)
        behind += [head] if won and "Benchbar" not in won else []
        # Without Benchbar there is nothing to divide by: seconds, then.
        shown = head if base or name not in RATIOS else f"{head.partition(',')[0]}, s"
        lines.append([shown, *(cell(row, name, form, won, base) for row in ran)])
    lines += [[head, *(of(row) for row in ran)] for head, of, _ in STATED]
    parts = [markdown(lines)]
    explained = [f"- *{head}*: {what}." for head, *_, what in (*MEASURED, *STATED)]
    parts.append("\n".join(fill(one, 140, subsequent_indent="  ", break_on_hyphens=False) for one in explained))
    parts += [f"Another program is better than Benchbar in: {'; '.join(behind)}."] if behind else []
    beside = {one.name: one.beside for one in PROGRAMS}
    parts.append(
        markdown(
            [
                ["program", "has, and Benchbar has not or less"],
                *([row.name, beside[row.name]] for row in rows if row.name != "Benchbar"),
            ]
        )
    )
    logs = [["log of", "published", "recomputed", "corrected", "second opinions"]]
    logs += [[row.name, *judged_cells(figure)] for row in ran for figure in row.judged]
    parts += [markdown(logs), LOGS] if len(logs) > 1 else []
    parts += [f"Not run: {row.name} {row.version}: {row.not_run}" for row in rows if row.not_run]
    return "\n\n".join(parts)


LOGS = """\
- *published*: what the log states as the program's total; *nothing* where it states none.
- *recomputed*: the mean of the log's rows with a t interval over the 40 questions. It differs from Benchbar's own above by the method: Tango's is not
  symmetric and is made for wins, ties and losses.
- *corrected*: an estimate of what the second judge would say of all 40, from its opinions on the 30 that were drawn and the first judge's rows
  (prediction-powered inference). It contradicts the first judge in one of five comparisons, by a fixed rule: **this shows that the correction runs, not that
  it is right**. It is another quantity than the recomputed one, whose values spread otherwise, so that its interval may be narrower as well as wider."""
"""What the figures of logs are."""


def judged_cells(figure: dict[str, object]) -> list[str]:
    published = ", ".join(one["printed"] for one in figure["published"] if one["statistic"] == "mean") or "nothing"
    return [published, interval(figure["recomputed"]), interval(figure["corrected"]), str(figure["opinions"])]


def interval(estimate: dict[str, object] | None) -> str:
    if not estimate or estimate["value"] is None:
        return "-"
    low, high = estimate["low"], estimate["high"]
    return f"{estimate['value']:.3f}" + ("" if low is None else f" [{low:.3f}, {high:.3f}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="Make the environments that are not there.")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", choices=[one.name for one in PROGRAMS])
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--rounds", type=int, default=3, help="How often the whole command is timed.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", type=Path, metavar="FILE", help="Print the tables of a stored --json document.")
    options = parser.parse_args()
    if options.show:
        print(page(json.loads(options.show.read_text("utf-8"))))
        return
    # Compiled modules are part of an installation: without them start-up would be the compiler's.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    chosen = [one for one in PROGRAMS if not options.only or one.name in options.only]
    if options.install:
        for one in chosen:
            print(f"{one.name}: {install(one) or 'installed'}", file=sys.stderr)
    loads = [os.getloadavg()[0]]
    rows = measure(chosen, options.questions, options.rounds)
    loads.append(os.getloadavg()[0])
    about = {"day": f"{datetime.now(UTC):%-d %B %Y}", "cores": len(os.sched_getaffinity(0)), "loads": loads}
    document = {**about, "rounds": options.rounds, "rows": [asdict(row) for row in rows]}
    print(json.dumps(document, ensure_ascii=False, indent=1) if options.json else page(document))


def page(document: dict[str, object]) -> str:
    """What `docs/beside-peers.md` shows: when and where it was measured, and the tables."""
    first, last = document["loads"]
    measured_on = f"{document['cores']} cores, load {first:.0f} at the start and {last:.0f} at the end"
    head = f"Measured on {document['day']}, {document['rounds']} rounds, {measured_on}. The better value of a line is bold; times are not."
    return f"{head}\n\n{tables([Row(**one) for one in document['rows']])}"


if __name__ == "__main__":
    main()
