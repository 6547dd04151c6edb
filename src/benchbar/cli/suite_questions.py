"""`benchbar suite make-questions` and `suite accept`: test questions from a corpus, and a person's word on them."""

from __future__ import annotations

import asyncio
import re
import threading
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command
from benchbar.cli.options import (
    by_option,
    concurrency_option,
    day_option,
    endpoint_options,
    json_option,
    law_option,
    seed_option,
)
from benchbar.cli.printing import counted, print_json
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from click.decorators import FC

    from benchbar.clients.session import OnProgress
    from benchbar.suites.question_making import Made

_BY = re.compile(r"[\w.@+-]{1,80}")
_LEDGER = "questions.sqlite"
_KINDS = {
    "simple": (20, "Questions on one article."),
    "multi_article": (10, "On two articles."),
    "law_practice": (10, "On a decision and its law."),
    "time_dependent": (5, "On a past day, on which an article read otherwise than on --on."),
    "unanswerable": (5, "Near to articles that do not settle it."),
}
"""How many questions of each kind are written where no option says it, with the help of its option."""


def _kind_options(command: FC) -> FC:
    """An option for each kind of question: how many are wanted."""
    for kind, (usual, text) in reversed(_KINDS.items()):
        number = click.IntRange(0, 10_000)
        name = f"--{kind.replace('_', '-')}"
        command = click.option(name, type=number, default=usual, show_default=True, help=text)(command)
    return command


@click.command("make-questions", cls=Command)
@law_option(required=True)
@endpoint_options("Chat model that writes.", required=True)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the new suite.")
@_kind_options
@day_option("The day (YYYY-MM-DD) whose law is asked about.")
@seed_option
@concurrency_option(8)
@json_option
def make_questions(corpus: Path, out: Path, on: str | None, *, as_json: bool, **how: Any) -> None:
    r"""Have a model write test questions about a corpus: question, reference answer and evidence.

    What does not stand the rules is thrown away and counted: not answerable from its evidence, evidence missing, the
    number of the article in the question. Every question is tagged unverified until a person accepts it, with
    `benchbar suite accept` or in the browser (`benchbar serve --suites`). Calls are kept in OUT/questions.sqlite: answers are never paid for twice.

    benchbar suite make-questions --law indexes/prc --model m --base-url http://127.0.0.1:8000/v1 --out suites/mine
    benchbar suite make-questions --law indexes/prc --model m --base-url http://127.0.0.1:8000/v1 --out suites/mine \
                   --simple 50 --multi-article 0 --law-practice 25
    """
    from benchbar.cli.progress import watched
    from benchbar.records.files import write_atomically
    from benchbar.suites.write import write
    from benchbar.suites.written_questions import MATERIALS, encode_materials

    day = _day(on)
    # Acceptance is human work, and the only copy of it may be there.
    if (out / "card.toml").exists() or (out / "samples.jsonl").exists():
        raise UserError(
            f"{out} holds a suite already, perhaps with questions that somebody accepted; name a new folder"
        )
    wanted = {kind: how[kind] for kind in _KINDS}
    with watched(show=not as_json) as (on_progress, cancel):
        made = asyncio.run(_make(corpus, out, wanted, day, how, on_progress, cancel))
    if not made.suite.samples:
        raise UserError(
            f"no question stood the rules; {made.tried} were tried, kept out: {counted(made.rejected) or 'none'}"
        )
    # First: with the card the folder counts as written.
    write_atomically(out / MATERIALS, encode_materials(made.materials))
    write(made.suite, out, beside=(_LEDGER, f"{_LEDGER}.lock", f"{_LEDGER}-wal", f"{_LEDGER}-shm", MATERIALS))
    _say(made, wanted, out, as_json=as_json)


def _say(made: Made, wanted: dict[str, int], out: Path, *, as_json: bool) -> None:
    written = made.suite.samples
    kinds = {kind: sum(sample.task == kind for sample in written) for kind in wanted}
    if as_json:
        print_json(
            {
                "suite": str(out),
                "questions": len(written),
                "kinds": kinds,
                "wanted": wanted,
                "tried": made.tried,
                "rejected": made.rejected,
                "unverified": len(written),
            }
        )
        return
    click.echo(f"{len(written)} questions ({counted(kinds)}) of {made.tried} tried; written: {out}")
    if made.rejected:
        click.echo(f"kept out: {counted(made.rejected)}")
    click.echo(
        f"all are unverified: read them with `benchbar serve --suites {out.parent}` (page Test questions), or accept them"
        f" with `benchbar suite accept {out} …`"
    )


async def _make(
    corpus: Path,
    out: Path,
    wanted: dict[str, int],
    day: str,
    how: dict[str, Any],
    on_progress: OnProgress,
    cancel: threading.Event,
) -> Made:
    import numpy as np

    from benchbar.clients import Endpoint
    from benchbar.clients.session import open_session
    from benchbar.languages.prompts import Prompts
    from benchbar.law.index import load_corpus
    from benchbar.suites.question_making import QuestionMaker

    law = load_corpus(corpus)
    at_once, seed = how["concurrency"], how["seed"]
    endpoint = Endpoint(
        model=how["model"],
        base_url=how["base_url"],
        api_key_env=how["api_key_env"],
        # Variety comes from the materials drawn; the same seed should bring the same questions.
        params={"temperature": 0},
    )
    async with open_session(out / _LEDGER, concurrency=at_once, seed=seed, cancel=cancel) as session:
        maker = QuestionMaker(session.chat(endpoint), law, Prompts(nonce=session.ledger.nonce))
        with session.counted("writing", sum(wanted.values()), on_progress) as done:
            return await maker.make(
                wanted,
                np.random.default_rng(seed),
                name=out.name,
                day=day,
                at_once=at_once,
                done=lambda: done("question"),
            )


def _day(on: str | None) -> str:
    if on is None:
        return date.today().isoformat()  # noqa: DTZ011 - where the user is
    try:
        return date.fromisoformat(on).isoformat()
    except ValueError as error:
        raise UserError(f"--on {on!r}; a day like 2024-06-01 was expected") from error


@click.command("accept", cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("samples", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Accept every sample that is not refused.")
@click.option("--refuse", multiple=True, metavar="ID", help="Take this sample out; may be given several times.")
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help="Suite that takes what is accepted, made where there is none; FOLDER stays as it is, and what was decided is kept in it."
    "  [default: FOLDER itself]",
)
@by_option("Who says so: goes into the tags of what is accepted.")
def accept(
    folder: Path, samples: tuple[str, ...], refuse: tuple[str, ...], into: Path | None, *, everything: bool, by: str
) -> None:
    """Accept questions that a model wrote, or refuse them, after having read them.

    The page Test questions of `benchbar serve --suites` shows each with its articles and works as --into does.

    benchbar suite accept suites/mine simple-0a1b2c3d4e --by anna
    benchbar suite accept suites/mine --all --refuse simple-0a1b2c3d4e --into suites/ours --by anna
    benchbar suite accept suites/mine --all --refuse simple-0a1b2c3d4e --by anna
    """
    from benchbar.records import UNVERIFIED
    from benchbar.suites.acceptance import accept as accepted
    from benchbar.suites.folder import read_whole
    from benchbar.suites.write import write

    if not _BY.fullmatch(by):
        raise UserError(f"--by {by!r}: a name without spaces was expected: it becomes a tag")
    suite = read_whole(folder)
    if into is not None:
        _accept_into(folder, into, samples, refuse, by, everything=everything)
        return
    chosen = [one.id for one in suite.samples if one.id not in refuse] if everything else list(samples)
    if not chosen and not refuse:
        raise UserError("no sample was named; expected ids, --all or --refuse")
    found = accepted(suite, chosen, refused=refuse, by=by)
    write(found, folder)
    left = sum(UNVERIFIED in sample.tags for sample in found.samples)
    click.echo(f"{len(found.samples)} samples in {folder}; {left} still unverified")


def _accept_into(
    folder: Path, into: Path, samples: tuple[str, ...], refuse: tuple[str, ...], by: str, *, everything: bool
) -> None:
    from benchbar.suites.written_questions import WrittenQuestions

    written = WrittenQuestions(folder)
    chosen = [one.sample.id for one in written.open() if one.sample.id not in refuse] if everything else list(samples)
    if both := sorted(set(chosen) & set(refuse)):
        raise UserError(f"accepted and refused at once: {', '.join(both)}")
    if not chosen and not refuse:
        raise UserError("no question was named that waits for a decision; expected ids, --all or --refuse")
    # All are looked up before the first is decided: a misspelt id must not leave half of them done.
    for id_ in (*chosen, *refuse):
        written.one(id_)
    for id_ in refuse:
        written.reject(id_, by=by)
    for id_ in chosen:
        written.accept(id_, into, by=by)
    click.echo(
        f"{len(chosen)} accepted into {into}, {len(refuse)} refused; {len(written.open())} still wait in {folder}"
    )
