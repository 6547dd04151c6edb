"""From an assistant's settings in a spec to the assistant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from benchbar.clients.endpoint import Endpoint
from benchbar.records.base import converted
from benchbar.records.errors import UnknownNameError, UserError, names_near
from benchbar.records.faults import Fault, Path, faults_of, unknown_names
from benchbar.records.plugins import known, load
from benchbar.records.protocols import Assistant, Context, RecordedDialogues

PROTOCOLS = ("responses", "azure", "anthropic", "gemini", "bedrock")
"""What may stand in the place of the kind ``openai``: the same assistant, asked in another protocol."""
SHORTHAND = {
    **dict.fromkeys(("openai", *PROTOCOLS, "agent"), ("model", "base_url")),
    "http": ("url",),
    "a2a": ("url",),
    "python": ("object",),
    "recorded": ("file",),
    "law-practice": ("corpus",),
    "person": ("people",),
}
"""What stands after the kind in ``NAME=KIND:...``; two settings are divided by the first ``@``."""


CHAT = ("openai", "llm")
"""Kinds of assistants and simulators whose settings are those of an endpoint and a few of their own."""
CONTEXT = ("context", "workshop")
# The second name is the one that plugins written before the rename use.
MADE = ("self", *CONTEXT, "prompts", "end_mark", "temperament")
"""What a factory is given by the run and not by the spec."""


def build(name: str, settings: Mapping[str, Any], context: Context) -> Assistant | RecordedDialogues:
    """The assistant that the settings describe; ``kind`` names its factory.

    Raises:
        UserError: the kind is unknown, or a setting is missing, unknown or of another type.
    """
    options = dict(settings)
    kind = options.pop("kind", None)
    if not isinstance(kind, str):
        raise UserError(f"assistant {name!r}: {NO_KIND}")
    factory = load("assistants", kind)
    try:
        made = _made(factory, context, options)
    except (TypeError, msgspec.ValidationError) as error:
        raise UserError(f"assistant {name!r} of kind {kind!r}: {error}; {_accepted(factory)}") from error
    if not isinstance(made, Assistant | RecordedDialogues):
        raise UserError(f"assistant {name!r}: what {kind!r} builds has no method reply(turns)")
    return made


def _made(factory: Callable[..., Any], context: Context, options: dict[str, Any]) -> Any:
    """A factory takes the context only if its first parameter is called that; a plain class need not know it."""
    first = next(iter(inspect.signature(factory).parameters), "")
    return factory(context, **options) if first in CONTEXT else factory(**options)


def _accepted(factory: Callable[..., Any]) -> str:
    names = [name for name in inspect.signature(factory).parameters if name not in MADE]
    return f"settings it takes: {', '.join(names) or 'none'}"


NO_KIND = 'no kind given; expected for instance kind = "openai"'


def setting_faults(group: str, settings: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """What can be told to be wrong with the settings of an assistant or simulator before it is built.

    Args:
        group: ``assistants`` or ``simulators``.
        settings: As a spec has them, with ``kind``.
        path: Where they stand in the spec.
    """
    kind = settings.get("kind")
    if not isinstance(kind, str):
        misspelt = [] if "kind" in settings else names_near("kind", settings)[:1]
        yield from unknown_names(path, misspelt, ["kind"], "setting") if misspelt else (Fault(path, NO_KIND),)
        return
    try:
        factory = load(group, kind)
    except UserError as error:
        yield Fault((*path, "kind"), str(error))
        return
    # Temperaments are of every simulator; a single one is refused with its cure where the simulator is built.
    common = {"kind"} if group == "assistants" else {"kind", "temperament", "temperaments"}
    own = {name: value for name, value in settings.items() if name not in common}
    parameters = {name: one for name, one in inspect.signature(factory).parameters.items() if name not in MADE}
    named = {name: one for name, one in parameters.items() if one.kind is not one.VAR_KEYWORD}
    if kind in CHAT:
        fields = Endpoint.__struct_fields__
        # The address may come from the environment, which is looked at where the endpoint is made.
        yield from unknown_names(path, own, [*dict.fromkeys((*named, *fields))], "setting")
        yield from faults_of({name: one for name, one in own.items() if name in fields}, Endpoint, path, whole=False)
        return
    if len(named) == len(parameters):
        yield from unknown_names(path, own, list(named), "setting")
    yield from (
        Fault(path, f"the setting `{name}` is missing; {_accepted(factory)}", missing=name)
        for name, one in named.items()
        if one.default is one.empty and name not in own
    )


def parse_assistant(text: str) -> tuple[str, dict[str, Any]]:
    """Name and settings from ``NAME=KIND``, ``NAME=KIND:SHORTHAND`` or ``NAME=KIND:key=value,key=value``.

    Raises:
        UserError: the text has another form.
    """
    name, equals, rest = text.partition("=")
    kind, _, details = rest.partition(":")
    if not equals or not name.strip() or not kind.strip():
        raise UserError(
            f"--assistant {text!r}: expected NAME=KIND or NAME=KIND:..., e.g. base=openai:model@http://host/v1"
        )
    spoken = kind.strip() in PROTOCOLS
    if not spoken and kind.strip() not in (there := known("assistants")) and "=" not in details:
        raise UnknownNameError("assistant", kind.strip(), [*there, *PROTOCOLS])
    settings: dict[str, Any] = {"kind": "openai", "protocol": kind.strip()} if spoken else {"kind": kind.strip()}
    fields = SHORTHAND.get(kind.strip(), ())
    first, _, pairs = details.partition(",") if fields else ("", "", details)
    values = first.split("@", len(fields) - 1) if first else []
    settings |= dict(zip(fields, values, strict=False))
    for pair in filter(None, pairs.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise UserError(f"--assistant {text!r}: {pair!r} is not key=value")
        settings[key.strip()] = literal(value.strip())
    return name.strip(), settings


def endpoint_at(text: str, params: Mapping[str, object]) -> tuple[str, Endpoint]:
    """Name and endpoint from ``NAME=MODEL@URL`` or ``NAME=PROVIDER:MODEL@URL``; the text's own params come before these.

    Raises:
        UserError: the text has another form.
    """
    name, equals, rest = text.partition("=")
    if not equals or not rest.strip():
        raise UserError(f"{text!r}: NAME=MODEL@URL was expected, such as mine=qwen@http://127.0.0.1:8000/v1")
    spoken = rest.partition(":")[0].strip() in {"openai", *PROTOCOLS}
    settings = parse_assistant(f"{name}={rest if spoken else 'openai:' + rest}")[1]
    settings = {key: value for key, value in settings.items() if key != "kind"}
    return name, converted({**settings, "params": {**params, **settings.get("params", {})}}, Endpoint)


def literal(value: str) -> Any:
    """Numbers, true, false and JSON as what they are; anything else as text."""
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
