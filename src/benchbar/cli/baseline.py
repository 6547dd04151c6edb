"""`benchbar baseline`: a run kept as what later runs are held against."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from benchbar.cli.command import Group
from benchbar.cli.options import NumberRange, json_option
from benchbar.records.errors import UserError


@click.group(cls=Group)
def command() -> None:
    """Keep a run as the baseline of a branch, and hold later runs against it.

    A baseline is one file in .benchbar/baselines of the repository: commit it. It holds marks and fingerprints of each sample, the
    settings and the prompts; no questions and no answers.

    benchbar baseline save runs/monday
    benchbar baseline compare runs/tuesday
    """


_BRANCH = click.option("--branch", "--name", "branch", metavar="NAME", help="Of the baseline.  [default: see above]")


@command.command()
@click.argument("run", type=click.Path(path_type=Path))
@_BRANCH
@json_option
def save(run: Path, branch: str | None, *, as_json: bool) -> None:
    """Store a finished RUN as the baseline of a branch: the one that is checked out, unless --branch names another.

    The file is written whole; the baseline that was there before is in the history of the repository.

    benchbar baseline save runs/monday
    benchbar baseline save runs/monday --branch release/2
    """
    import json

    from benchbar.artefacts.baseline import read_baseline
    from benchbar.records.numbers import counted
    from benchbar.runs.baselines import name_to_store, repository_of, store

    repository = repository_of(Path())
    name = branch or name_to_store(repository)
    file = store(run, name, repository)
    about, size = read_baseline(file).run, file.stat().st_size
    if as_json:
        told = {"baseline": name, "file": str(file), "samples": about.samples, "bytes": size, "commit": about.commit}
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    click.echo(f"stored {name}: {counted(about.samples, 'sample')} of {run}, {max(1, size // 1024)} kB in {file}")
    click.echo("Commit this file; then `benchbar baseline compare RUN` holds any run against it.")


@command.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List the stored baselines.

    benchbar baseline list
    """
    import json

    from benchbar.artefacts.baseline import read_baseline
    from benchbar.records.numbers import counted
    from benchbar.runs.baselines import repository_of, stored

    found = {name: (file, read_baseline(file).run) for name, file in stored(repository_of(Path()).top).items()}
    if as_json:
        told = [
            {"baseline": name, "file": str(file), "run": run.run, "samples": run.samples, "suite": run.suite, "commit": run.commit}
            for name, (file, run) in found.items()
        ]  # fmt: skip
        click.echo(json.dumps({"baselines": told}, ensure_ascii=False))
        return
    if not found:
        click.echo("no baseline is stored here; `benchbar baseline save RUN` stores one")
    for name, (_, run) in found.items():
        commit = f", commit {run.commit[:9]}" if run.commit else ""
        click.echo(f"{name}: {counted(run.samples, 'sample')} of {run.suite}, from {run.run}{commit}")


@command.command()
@click.argument("run", type=click.Path(path_type=Path))
@_BRANCH
@click.option(
    "--measure", default="", help="What must not be worse.  [default: overall, else point_score, else win_rate]"
)
@click.option(
    "--margin", type=NumberRange(0, 1), help="How much worse it may be.  [default: the run's policy, else 0.02]"
)
@click.option(
    "--tolerance",
    type=NumberRange(0, 1),
    default=0.05,
    show_default=True,
    help="A value that differs by more has moved.",
)
@click.option("--summary", type=click.Path(path_type=Path, dir_okay=False), help="Write the same as Markdown.")
@json_option
def compare(
    run: Path,
    branch: str | None,
    measure: str,
    margin: float | None,
    tolerance: float,
    summary: Path | None,
    *,
    as_json: bool,
) -> None:
    """Hold a finished RUN against the baseline of the branch it stands on: no worse, worse, or how much more would tell.

    That branch is the one that a pull request is for (in GitHub and GitLab jobs), else the one that is checked out, else main:
    the first that has a baseline. Below the decision stand what changed in suite, settings, prompts and law, and the samples
    that moved, by cause.

      Exit codes: 0 no worse, 3 worse, 4 cannot tell.

    benchbar baseline compare runs/tuesday
    benchbar baseline compare runs/tuesday --branch release/2 --measure win_rate --margin 0.05 --summary comment.md
    """
    from benchbar.records import encode
    from benchbar.records.files import write_atomically
    from benchbar.reports.baseline import baseline_summary, show_baseline
    from benchbar.reports.gate import EXIT_CODES
    from benchbar.reports.printing import console
    from benchbar.runs.baseline_comparison import against_baseline
    from benchbar.runs.baselines import name_to_compare, repository_of, stored

    repository = repository_of(Path())
    known = stored(repository.top)
    name = branch or name_to_compare(repository, known)
    if name not in known:
        raise UserError(
            f"no baseline {name}; stored are {', '.join(known) or 'none'}: `benchbar baseline save RUN --branch {name}`"
        )
    found = against_baseline(run, known[name], measure=measure, margin=margin, tolerance=tolerance)
    if summary is not None:
        write_atomically(summary, baseline_summary(found).encode())
    if as_json:
        click.echo(encode(found).decode())
    else:
        show_baseline(found, console())
    sys.exit(EXIT_CODES[found.gate.decision])
