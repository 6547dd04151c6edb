"""The JSON Schema of a spec's file, from which editors complete names and mark faults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import msgspec

from benchbar.assistants.build import CHAT, MADE
from benchbar.clients import endpoint
from benchbar.records.json_schema import explained, schema_of
from benchbar.records.plugins import known, load
from benchbar.runs import spec
from benchbar.runs.spec_file import ENDPOINTS, EndpointTable
from benchbar.scoring import routing

FILE = "spec.schema.json"
LINE = f"#:schema ./{FILE}"
"""The first line of a spec, beside which a copy of the schema lies: editors that know TOML look there."""
_OURS = "benchbar"
_REFERS = {"type": "string", "description": f"Name of the table [{ENDPOINTS}.NAME] that the settings are taken from."}
_KEY = {
    "type": "string",
    "pattern": r"^\$\{\w+\}$",
    "description": "${NAME}: another way to write api_key_env = NAME; a key itself is refused.",
}


def spec_schema() -> dict[str, Any]:
    """What a spec in a TOML file may hold: the fields of ``Spec``, tables of endpoints, and the settings of each kind."""
    made = schema_of(spec.Spec, "a Benchbar spec", (spec, endpoint, routing))
    parts = made["$defs"]
    table, fields = _endpoint_fields()
    parts |= table
    root, judge = parts["Spec"], parts["JudgeSpec"]
    # Both may come from elsewhere: the suite is usual, assistants may stand in a table's columns, a model in [endpoints].
    root["required"], judge["required"] = [], []
    properties = root["properties"]
    properties[ENDPOINTS] = {
        "type": "object",
        "additionalProperties": {"$ref": "#/$defs/EndpointTable"},
        "description": "Endpoints by name, for endpoint = NAME; the one called default is that of roles that name none.",
    }
    properties["assistants"] = {"type": "object", "additionalProperties": _of_kinds("assistants", fields)}
    properties["simulator"] = _of_kinds("simulators", fields)
    judge["properties"] |= {"endpoint": _REFERS, "api_key": _KEY}
    judge["properties"]["panel"]["items"] = {"$ref": "#/$defs/EndpointTable"}
    return made


def _endpoint_fields() -> tuple[dict[str, Any], dict[str, Any]]:
    """The definitions of a table of endpoints, and its fields with what each means."""
    _, parts = msgspec.json.schema_components([EndpointTable], ref_template="#/$defs/{name}")
    fields = parts["EndpointTable"]["properties"]
    for name, text in explained((endpoint,))["Endpoint"].items():
        fields[name]["description"] = text
    fields |= {"api_key": _KEY, "endpoint": _REFERS}
    return parts, fields


def _of_kinds(group: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Any of our kinds with its settings, or a plugin's with whatever it takes."""
    points = known(group)
    own = sorted(name for name, point in points.items() if point.value.startswith(_OURS))
    usual = [] if group == "assistants" else ["agenda"]
    other = {
        "type": "object",
        "properties": {"kind": {"type": "string", "not": {"enum": own}}},
        "required": ["kind"],
    }
    return {"anyOf": [*(_of_kind(name, load(group, name), fields, optional=name in usual) for name in own), other]}


def _of_kind(kind: str, factory: Callable[..., Any], fields: dict[str, Any], *, optional: bool) -> dict[str, Any]:
    parameters = [one for one in inspect.signature(factory).parameters.values() if one.name not in MADE]
    hints = _hints(factory)
    properties: dict[str, Any] = {"kind": {"const": kind}}
    if kind in CHAT:
        properties |= fields
    named = [one for one in parameters if one.kind is not one.VAR_KEYWORD]
    for one in named:
        properties[one.name] = {**_type(hints.get(one.name)), **properties.get(one.name, {})}
    if kind in CHAT and "temperament" in inspect.signature(factory).parameters:
        properties["temperaments"] = {"type": "array", "items": {"type": "string"}}
    # A model, and where it is, may come from a table of endpoints.
    needed = [] if kind in CHAT else [one.name for one in named if one.default is one.empty]
    closed = kind in CHAT or len(named) == len(parameters)
    return {
        "type": "object",
        "title": kind,
        "properties": properties,
        "required": [*([] if optional else ["kind"]), *needed],
        "additionalProperties": not closed,
    }


def _hints(factory: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(factory)
    except NameError:
        # A name that is imported for types alone.
        return {}


def _type(hint: Any) -> dict[str, Any]:
    try:
        return msgspec.json.schema(hint) if hint is not None else {}
    except TypeError:
        return {}
