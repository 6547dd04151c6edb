"""`benchbar serve`: runs, samples and what people do with them, in a browser."""

from __future__ import annotations

import ipaddress
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from benchbar.errors import MissingDependencyError, UserError

if TYPE_CHECKING:
    from benchbar.web.config import Config, Lawbook

TOKEN_VARIABLE = "BENCHBAR_OWNER_TOKEN"  # noqa: S105 - the name of a variable
SHORTEST_TOKEN = 16


@click.command(context_settings={"show_default": True})
@click.argument("runs", type=click.Path(path_type=Path, file_okay=False), default="runs")
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, help="Port to listen on; 0 takes a free one.")
@click.option(
    "--database",
    metavar="URL",
    default="",
    help="postgresql://USER@HOST/NAME, where many mark at once; the password may stand in PGPASSWORD."
    "  [default: a SQLite file in RUNS/.benchbar]",
)
@click.option("--mask", is_flag=True, help="Hide personal data in what is shown and exported.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="A further name that the app answers to, as behind a proxy; may be given several times.",
)
def command(runs: Path, host: str, port: int, database: str, names: tuple[str, ...], *, mask: bool) -> None:
    """Show the runs of a folder in a browser, and let people mark, ask and compare.

    Prints the owner's link; who else may come in, and as what, the owner says on the page People. Only this machine can
    reach the app unless --host says otherwise, and then the owner's token has to be set: BENCHBAR_OWNER_TOKEN, at least
    16 characters. Needs the extra: pip install 'benchbar[web]'.

    \b
      benchbar serve
      benchbar serve runs --port 9000 --mask
      BENCHBAR_OWNER_TOKEN=… benchbar serve runs --host 0.0.0.0 --allow-host bench.example.org \\
                             --database postgresql://benchbar@db/benchbar
    """  # noqa: D301 - click reads the backspace
    if (runs / "run.json").is_file():
        raise UserError(f"{runs} is a run; expected the folder that it lies in: benchbar serve {runs.parent}")
    token = _token(host)
    try:
        import uvicorn

        from benchbar.web.app import create_app
    except ImportError as error:
        raise MissingDependencyError(str(error.name), "web", "benchbar serve") from error
    listening = _listening(host, port)
    with listening:
        port = listening.getsockname()[1]
        app = create_app(_config(runs, token, database, (host, *names), mask=mask))
        shown = f"[{host}]" if ":" in host else host
        link = f"http://{shown}:{port}/sign-in"
        known = os.environ.get(TOKEN_VARIABLE)
        click.echo(f"runs in {runs}: {link}" + ("" if known else f"#name=owner&token={quote(token)}"))
        click.echo(
            "sign in as owner with " + (f"the token in {TOKEN_VARIABLE}" if known else "this link") + "; Ctrl-C ends"
        )
        server = uvicorn.Server(uvicorn.Config(app, access_log=False, server_header=False, log_level="warning"))
        server.run(sockets=[listening])


def _token(host: str) -> str:
    """The owner's token: the given one, or on this machine alone a new one.

    Raises:
        UserError: others can reach the address, and no token was set, or one that is soon guessed.
    """
    import secrets

    given = os.environ.get(TOKEN_VARIABLE, "")
    if given and len(given) < SHORTEST_TOKEN:
        raise UserError(f"{TOKEN_VARIABLE} has {len(given)} characters; expected at least {SHORTEST_TOKEN}")
    if not given and not _local(host):
        raise UserError(
            f"others can reach {host}: set the owner's token in {TOKEN_VARIABLE} first, at least {SHORTEST_TOKEN}"
            " characters that nobody guesses"
        )
    return given or secrets.token_urlsafe(24)


def _local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listening(host: str, port: int) -> socket.socket:
    """A socket on the address.

    Raises:
        UserError: the address is taken, or none of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise UserError(f"cannot listen on {host}:{port}: {error.strerror}; another --port may be free") from error
    return made


def _law_of(run: Path) -> Lawbook | None:
    from benchbar.cli.assemble import chosen_corpus, chosen_suite
    from benchbar.cli.frozen import read_frozen

    frozen = read_frozen(run)
    if frozen is None:
        return None
    base = Path(frozen.folder)
    corpus = chosen_corpus(frozen.spec, chosen_suite(frozen.spec, base), base)
    if corpus is None:
        return None
    # Articles have a # in their ids, decisions are found by their numbers.
    return lambda id_: corpus.article(id_) or corpus.decision(id_)


def _config(runs: Path, token: str, database: str, hosts: tuple[str, ...], *, mask: bool) -> Config:
    from benchbar.cli.report import suite_of
    from benchbar.web.config import Config

    own = Config(runs=runs, owner_token=token).hosts
    return Config(
        runs=runs,
        owner_token=token,
        database=database,
        hosts=(*own, *hosts),
        mask=mask,
        suite_of=suite_of,
        law_of=_law_of,
    )
