"""Options that several commands share, each written once: one name, one meaning, one form."""

from __future__ import annotations

import re
import tomllib
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import section
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from click.decorators import FC

    from benchbar.clients import Endpoint


class NumberRange(click.FloatRange):
    """Numbers between bounds; unlike click's own range it refuses ``nan``, which is neither below nor above any bound."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
TABLE = click.Path(path_type=Path)
"""A table from outside: whether it is there and readable is for its reader to say, with file and line."""


def split(_context: click.Context, _parameter: click.Parameter, value: Any) -> list[str]:
    """Names given with commas, or by repeating the option."""
    # A tuple where the option may be repeated, a text where not.
    given = value if isinstance(value, tuple) else [value or ""]
    return [name.strip() for text in given for name in text.split(",") if name.strip()]


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
quiet_option = click.option("--quiet", is_flag=True, help="No progress bar.")
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random numbers.")
spec_seed_option = click.option("--seed", type=int, help="Seed of all random numbers.  [default: the spec's, else 0]")
max_cost_option = click.option(
    "--max-cost",
    type=float,
    help="Hard budget in the currency of the prices: no request is sent that might exceed it.",
)
calls_option = click.option(
    "--ledger", type=click.Path(path_type=Path), help="Keep calls in this file, so that none is paid twice."
)
answer_form_option = click.option(
    "--form", type=click.Choice(["general", "trial"]), default="general", show_default=True
)
facts_option = click.option(
    "--fact", "facts", multiple=True, help="Something known of the matter; may be given several times."
)
suite_out_option = click.option(
    "--out", type=click.Path(path_type=Path), help="Write the suite as a folder in Benchbar's own form."
)
encoding_option = click.option("--encoding", help="Of the file.  [default: told from its bytes]")
key_option = click.option("--api-key-env", default="", help="Name of the environment variable with its key.")
limit_option = click.option(
    "--limit", type=click.IntRange(min=1), help="Maximum number of samples, taken from the tasks in turn."
)
tasks_option = click.option("--tasks", metavar="IDS", help="Only these tasks, e.g. 1-1,4-5.")
rules_option = click.option("--rules", type=FILE, help="Risk rules (JSONL) in place of the bundled ones.")
rater_option = click.option("--rater", required=True, help="Who marks.")
pass_mark_option = click.option(
    "--pass-mark",
    type=NumberRange(0, 1),
    default=0.5,
    show_default=True,
    help="A score at or above it counts as good.",
)
retriever_option = click.option(
    "--retriever",
    default="learned",
    show_default=True,
    metavar="NAME",
    help="learned, lexical, engine, tfidf, lsa, encoder, embeddings, hub:MODEL, or a registered one.",
)


class InputPath(click.Path):
    """A file or folder that is there; of an address on the web it says what to do."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path.

        Raises:
            UserError: it is an address.
        """
        if isinstance(value, str) and re.match(r"https?://", value):
            raise UserError(
                f"{value[:80]} is an address, and nothing is downloaded: save the table as .xlsx or .csv, and name that file"
            )
        return super().convert(value, param, ctx)


def by_option(text: str) -> Callable[[FC], FC]:
    """``--by NAME``: the person; ``text`` says what they do."""
    return click.option("--by", required=True, metavar="NAME", help=text)


def concurrency_option(default: int | None, default_text: str = "") -> Callable[[FC], FC]:
    """``--concurrency N``: requests that one address gets at once."""
    text = f"Maximum number of requests in flight per address.{default_text}"
    shown = default is not None
    return click.option("--concurrency", type=click.IntRange(1, 4096), default=default, show_default=shown, help=text)


def law_option(text: str = "", *, required: bool = False) -> Callable[[FC], FC]:
    """``--law INDEX``: the law; ``text`` says what holds where it is left out, or of what forms the command can do nothing."""
    help_ = f"The law: an index of `benchbar law index`, a folder of acts in our Markdown form, or a bundled suite's name.{text}"
    # Whether it is one of the two is for its reader to say, who also tells what was expected.
    return click.option(
        "--law", "corpus", required=required, type=click.Path(path_type=Path), metavar="INDEX", help=help_
    )


def labels_option(function: FC) -> FC:
    """``--labels A,B``: the access labels of whoever asks, without which labelled documents are left out."""

    def parted(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
        return tuple(one.strip() for one in value.split(",") if one.strip())

    return click.option(
        "--labels",
        default="",
        metavar="A,B",
        callback=parted,
        help="Access labels that you hold: documents with a label that is not among them are left out.",
    )(function)


def day_option(text: str, *, or_any: bool = False, otherwise: str = "today") -> Callable[[FC], FC]:
    """``--on DATE``: the day whose law counts; with ``or_any``, also ``any`` for all versions of a law; ``otherwise`` says which one is taken."""

    def checked(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None and not (or_any and value == "any") and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
            raise UserError(f"--on {value!r}: expected a date as YYYY-MM-DD{', or any' if or_any else ''}")
        return value

    return click.option("--on", metavar="DATE", callback=checked, help=f"{text}  [default: {otherwise}]")


def endpoint_options(text: str, *more: Callable[[Any], Any], required: bool = False) -> Callable[[FC], FC]:
    """``--model``, ``--base-url`` and ``--api-key-env`` under a head of their own; ``text`` says what the model does."""
    return section(
        "Model",
        click.option("--model", default=None if required else "", required=required, help=text),
        click.option(
            "--base-url",
            default=None if required else "",
            required=required,
            help="Its OpenAI-compatible address, e.g. http://127.0.0.1:8000/v1.",
        ),
        key_option,
        *more,
    )


entailment_option = click.option(
    "--entailment",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="Model of natural language inference that is asked whether an article says what the text says of it, where rules cannot"
    " tell: a TOML file of settings, or a folder with an ONNX model.",
)


suite_language_option = click.option(
    "--language", default="", help="Of the samples, where neither the suite nor its text tells it."
)


def _pairs(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    return pairs(value, "--map")


def pairs(given: Iterable[str], option: str) -> dict[str, str]:
    """Each FIELD=VALUE of an option that is given several times."""
    parted = [one.partition("=") for one in given]
    for name, sign, value in parted:
        if not (name and sign and value):
            raise UserError(f"{option} {name}{sign}{value}: FIELD=VALUE was expected")
    return {name.strip(): value.strip() for name, _, value in parted}


map_option = click.option(
    "--map",
    "columns",
    multiple=True,
    metavar="FIELD=COLUMN",
    callback=_pairs,
    help="Which column of a table fills a field, where its head does not say it; several times.",
)


sheet_option = click.option(
    "--sheet",
    default="",
    show_default=False,
    metavar="NAME",
    help="Of a workbook that has several.  [default: the one with a column of questions]",
)


def set_option(text: str) -> Callable[[FC], FC]:
    """``--set KEY=VALUE``, as a dictionary ``settings`` of dotted keys; ``text`` says what may be set."""
    return click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", callback=_settings, help=text)


def _settings(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, Any]:
    found = {}
    for text in value:
        key, equals, written = text.partition("=")
        if not equals or not re.fullmatch(r"[\w-]+(\.[\w-]+)*", key):
            raise UserError(f"--set {text!r}: expected KEY=VALUE, such as limits.concurrency=8")
        found[key] = _value(written)
    return found


def _value(written: str) -> Any:
    """A value as TOML writes it; what is no TOML is a text, so that words and paths need no quotes."""
    try:
        return tomllib.loads(f"value = {written}")["value"]
    # A long row of brackets nests deeper than the parser.
    except (tomllib.TOMLDecodeError, RecursionError):
        return written


def endpoint_of(model: str, base_url: str, api_key_env: str, **more: Any) -> Endpoint | None:
    """The endpoint that ``--model`` and ``--base-url`` name, with ``more`` of its fields; None where neither is given.

    Raises:
        UserError: one of them is missing.
    """
    if bool(model) != bool(base_url):
        raise UserError("--model and --base-url belong together: give both, or neither")
    if not model:
        return None
    from benchbar.clients import Endpoint

    return Endpoint(model=model, base_url=base_url, api_key_env=api_key_env, **more)
