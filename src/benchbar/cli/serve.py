"""`benchbar serve`: runs, samples and what people do with them, in a browser."""

from __future__ import annotations

import ipaddress
import os
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from benchbar.artefacts.layout import RunFolder
from benchbar.cli.command import Command
from benchbar.cli.options import endpoint_of, endpoint_options, law_option, rules_option
from benchbar.records import Record, decode, encode
from benchbar.records.errors import BadInputError, MissingDependencyError, UserError
from benchbar.records.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastapi import FastAPI

    from benchbar.law.corpus import Corpus
    from benchbar.records import Article, Citation, Decision
    from benchbar.web.config import Config, Lawbook
    from benchbar.web.oidc import OidcSettings

TOKEN_VARIABLE = "BENCHBAR_OWNER_TOKEN"  # noqa: S105 - the name of a variable
MADE_VARIABLE = "BENCHBAR_SERVED"
# Where others can reach the app, a short token is guessed.
SHORTEST_TOKEN = 16


class Made(Record, frozen=True):
    """What an app is made from, as it can be handed to another process."""

    runs: str
    token: str
    database: str = ""
    hosts: tuple[str, ...] = ()
    mask: bool = False
    suites: str = ""
    production: str = ""
    corpus: str = ""
    labels: str = ""
    rules: str = ""
    endpoints: str = ""
    oidc: str = ""
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("runs", type=click.Path(path_type=Path, file_okay=False), default="runs")
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, help="Port to listen on; 0 takes a free one.")
@click.option(
    "--database",
    metavar="URL",
    default="",
    help="postgresql://USER@HOST/NAME, where many mark at once; set the password in PGPASSWORD."
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
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For and X-Forwarded-Proto are believed; may be given several times."
    "  [default: none, so that nobody can claim another address]",
)
@click.option(
    "--suites",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of suites that people write guidance for, point by point.",
)
@click.option(
    "--production",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of `benchbar production`, whose failures the owner accepts into suites of --suites, or rejects.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    help="Processes that answer; with more than one, use --database.",
)
@law_option(" Ask answers from it, and contracts are checked against it.  [default: the bundled law for Ask]")
@click.option(
    "--labels",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help='TOML file of access labels by person: "Anna" = ["matter-7"]. Documents of the law with a label that a person does'
    " not hold answer nothing that they ask.",
)
@click.option(
    "--endpoints",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="TOML file of the models that owners may choose for runs started here: [endpoints.NAME] with base_url, models = […],"
    " and private = true for one within a private network.  [default: none; runs then compare answers that are in a file]",
)
@click.option(
    "--oidc",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="TOML file of the identity provider (OpenID Connect) through which people sign in: issuer, client_id, address, and which"
    " mail domains or groups may come in.  [default: none; people sign in with links]",
)
@rules_option
@endpoint_options("Chat model that writes answers and reviews; left out, both work offline.")
def command(
    runs: Path,
    host: str,
    port: int,
    database: str,
    names: tuple[str, ...],
    *,
    proxies: tuple[str, ...],
    workers: int,
    mask: bool,
    **options: Any,
) -> None:
    r"""Show the runs of a folder in a browser, and let people mark, ask and compare.

    Prints the owner's link; who else may come in, and as what, the owner says on the page People. Only this machine can
    reach the app unless --host says otherwise, and then the owner's token has to be set: BENCHBAR_OWNER_TOKEN, at least
    16 characters. Needs the extra: pip install 'benchbar[web]'.

    benchbar serve
    benchbar serve runs --port 9000 --mask
    BENCHBAR_OWNER_TOKEN=… benchbar serve runs --host 0.0.0.0 --allow-host bench.example.org \
                           --database postgresql://benchbar@db/benchbar --workers 2
    benchbar serve runs --oidc oidc.toml
    benchbar serve runs --law indexes/prc --model qwen3 --base-url http://127.0.0.1:8000/v1
    """
    # Taken for a folder of runs it would show an empty list, without a word why.
    if RunFolder(runs).manifest.is_file():
        raise UserError(f"{runs} is a run; expected the folder that it lies in: benchbar serve {runs.parent}")
    # Before anything is opened; each room that asks the model makes its own of the same options.
    chat = {name: options[name] for name in ("model", "base_url", "api_key_env")}
    endpoint_of(**chat)
    token = _token(host)
    try:
        from benchbar.web.app import create_app
        from benchbar.web.warming import warm
    except ImportError as error:
        # What our own modules lack is a fault of ours, which no package would mend.
        if (error.name or "benchbar").partition(".")[0] == "benchbar":
            raise
        raise MissingDependencyError(str(error.name), "web", "benchbar serve") from error
    listening = _listening(host, port)
    with listening:
        made = Made(
            runs=str(runs),
            token=token,
            database=database,
            hosts=(host, *names),
            mask=mask,
            # Left out, an option is None, and a path has to be text in another process.
            **{name: str(value or "") for name, value in options.items()},
        )
        # Made here first: a database that does not answer is told of before any link is, and tables are made once.
        config = _config(made)
        app = create_app(config)
        threading.Thread(target=warm, args=(config,), daemon=True).start()
        _print_link(runs, host, listening.getsockname()[1], token)
        if config.oidc:
            click.echo(f"{config.oidc.button}: the provider has to know the redirect address {config.oidc.redirect}")
        _answer(app, made, listening, workers, proxies)


def _print_link(runs: Path, host: str, port: int, token: str) -> None:
    """Where to sign in. A token that the owner chose is known to them, and stays out of the terminal's history."""
    shown = f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{port}/sign-in"
    known = os.environ.get(TOKEN_VARIABLE)
    click.echo(f"runs in {runs}: {link}" + ("" if known else f"#name=owner&token={quote(token)}"))
    click.echo(
        "sign in as owner with " + (f"the token in {TOKEN_VARIABLE}" if known else "this link") + "; Ctrl-C ends"
    )


def _answer(app: FastAPI, made: Made, listening: socket.socket, workers: int, proxies: tuple[str, ...]) -> None:
    """Answer in this process, or in several that are started anew when they die."""
    import uvicorn

    # Without a named proxy no header is believed: sign-in counts attempts by address.
    common: dict[str, Any] = {
        "access_log": False,
        "server_header": False,
        "log_level": "warning",
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": list(proxies),
    }
    if workers == 1:
        settings = uvicorn.Config(app, **common)
        uvicorn.Server(settings).run(sockets=[listening])
        return
    from uvicorn.supervisors import Multiprocess

    from benchbar.web.app import close

    # Its connections belong to this process; each worker opens its own.
    close(app)
    # The supervisor starts workers by the name of a factory, without arguments; the token must not stand among a
    # process's arguments either.
    os.environ[MADE_VARIABLE] = encode(made).decode()
    settings = uvicorn.Config(f"{__name__}:app_of_worker", factory=True, workers=workers, **common)
    Multiprocess(settings, sockets=[listening]).run()


def app_of_worker() -> FastAPI:
    """The app of one of several processes, from the settings that the first has left in the environment."""
    from benchbar.web.app import create_app

    return create_app(_config(decode(os.environ[MADE_VARIABLE], Made)))


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
    # A restart need not wait for the sockets of the last one to time out.
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        # At once: whoever follows the link before the app is ready waits, and is not refused.
        made.listen(1024)
    except OSError as error:
        made.close()
        raise UserError(f"cannot listen on {host}:{port}: {error.strerror}; another --port may be free") from error
    return made


def _law_of(run: Path) -> Lawbook | None:
    from benchbar.runs.assembling import chosen_corpus, chosen_suite
    from benchbar.runs.manifest import read_manifest

    manifest = read_manifest(run)
    if manifest is None:
        return None
    base = Path(manifest.folder)
    corpus = chosen_corpus(manifest.spec, chosen_suite(manifest.spec, base), base)
    if corpus is None:
        return None
    return _CorpusLaw(corpus)


class _CorpusLaw:
    """A corpus as the pages ask it."""

    def __init__(self, corpus: Corpus) -> None:
        from benchbar.law.invented import invented_jurisdiction

        self._corpus = corpus
        self.invented = invented_jurisdiction(corpus)

    def text_of(self, id_: str) -> Article | Decision | None:
        # Articles have a # in their ids, decisions are found by their numbers.
        return self._corpus.article(id_) or self._corpus.decision(id_)

    def source_of(self, found: Article | Decision) -> str:
        from benchbar.law.cited_text import source_of

        return source_of(found, self._corpus)

    def later_of(self, citation: Citation) -> str:
        from benchbar.law.cited_text import later_of

        return later_of(citation, self._corpus)

    def cited(self, text: str, *, language: str, on: str) -> Iterable[Citation]:
        from benchbar.law.citation_check import check_citations

        return check_citations(text, self._corpus, on=on, language=language)


def configuration(
    runs: Path,
    token: str,
    *,
    database: str = "",
    hosts: tuple[str, ...] = (),
    mask: bool = False,
    suites: Path | None = None,
    production: Path | None = None,
    corpus: Path | None = None,
    labels: Path | None = None,
    rules: Path | None = None,
    endpoints: Path | None = None,
    oidc: Path | None = None,
    model: str = "",
    base_url: str = "",
    api_key_env: str = "",
) -> Config:
    """The app's settings, with what the other rooms give to it."""
    from benchbar.cli.consulting import ContractReading, CorpusConsultant, criteria_of
    from benchbar.cli.report import suite_of
    from benchbar.runs.allowed import read_allowed
    from benchbar.web.config import Config

    own = Config(runs=runs, owner_token=token).hosts
    provider = _oidc(oidc) if oidc else None
    chat = {"model": model, "base_url": base_url, "api_key_env": api_key_env}
    return Config(
        runs=runs,
        owner_token=token,
        database=database,
        hosts=(*own, *hosts),
        mask=mask,
        suites=suites,
        production=production,
        suite_of=suite_of,
        law_of=_law_of,
        # Not the bundled law, which Ask has without being told: runs of a firm's own questions would be held against invented law.
        law="" if corpus is None else str(corpus.resolve() if corpus.exists() else corpus),
        criteria_of=criteria_of,
        allowed=read_allowed(endpoints) if endpoints else {},
        oidc=provider,
        oidc_secret=os.environ.get(provider.client_secret_env, "") if provider else "",
        consultant=CorpusConsultant(corpus, **chat),
        labels=read_toml(labels, dict[str, tuple[str, ...]]) if labels else {},
        contract_reviewer=ContractReading(corpus, rules, **chat),
        contract_law=corpus.name if corpus else "",
    )


def _oidc(file: Path) -> OidcSettings:
    """The settings of a file, with whose help somebody could sign in.

    Raises:
        UserError: a setting is wrong, the library is wanting, or the secret is not in the environment.
    """
    from importlib.util import find_spec

    from benchbar.web.oidc import read_settings

    found = read_settings(file)
    # Told at the start: nobody reads a server's messages on the day on which the first person signs in.
    if find_spec("authlib") is None:
        raise MissingDependencyError("authlib", "oidc", "benchbar serve --oidc")
    if found.client_secret_env and not os.environ.get(found.client_secret_env):
        raise BadInputError(
            f"the environment has no {found.client_secret_env}; set it to the client's secret, which stands in no file",
            file=file,
            field="client_secret_env",
        )
    return found


def _config(made: Made) -> Config:
    return configuration(
        Path(made.runs),
        made.token,
        database=made.database,
        hosts=made.hosts,
        mask=made.mask,
        suites=Path(made.suites) if made.suites else None,
        production=Path(made.production) if made.production else None,
        corpus=Path(made.corpus) if made.corpus else None,
        labels=Path(made.labels) if made.labels else None,
        rules=Path(made.rules) if made.rules else None,
        endpoints=Path(made.endpoints) if made.endpoints else None,
        oidc=Path(made.oidc) if made.oidc else None,
        model=made.model,
        base_url=made.base_url,
        api_key_env=made.api_key_env,
    )
