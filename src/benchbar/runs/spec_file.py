"""What may stand in a file of a spec besides its fields: tables of endpoints, and variables of the environment.

Both are written out when the file is read. What is frozen into a run folder is the spec without them, and holds no key:
a variable that looks like one is never filled in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

from benchbar.assistants.build import CHAT
from benchbar.clients.endpoint import Endpoint, address_fault
from benchbar.records.errors import did_you_mean
from benchbar.records.faults import Fault, Path, faults_of

ENDPOINTS, DEFAULT = "endpoints", "default"
EndpointTable = msgspec.defstruct(
    "EndpointTable",
    [(field.name, field.type, msgspec.UNSET) for field in msgspec.structs.fields(Endpoint)],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
)
"""An ``[endpoints.NAME]`` table: any of the fields of an endpoint, none of which is required."""
_VARIABLE = re.compile(r"\$(\$)?\{(\w{1,64})\}")
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH", re.IGNORECASE)
_KEYS = frozenset({"api_key", "apikey", "key", "token", "secret", "password"})
"""Fields under which other programs take the key itself."""


def written_out(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The fields of a spec with endpoints and variables written out, and what is wrong with either."""
    faults: list[Fault] = []
    expanded = {name: _expanded(value, (name,), faults) for name, value in given.items()}
    faults += _address_faults(expanded)
    tables = expanded.pop(ENDPOINTS, {})
    faults += _table_faults(tables)
    if not isinstance(tables, Mapping):
        return expanded, faults
    # A field with a fault is laid under no role: its fault would be told again at each of them, none of which has it.
    wrong = {fault.path for fault in faults}
    known = {
        name: {field: value for field, value in one.items() if (ENDPOINTS, name, field) not in wrong}
        for name, one in tables.items()
        if isinstance(one, Mapping)
    }
    return {name: _laid(value, known, (name,), faults) for name, value in expanded.items()}, faults


def _table_faults(tables: Any) -> Iterator[Fault]:
    if not isinstance(tables, Mapping):
        yield Fault((ENDPOINTS,), "tables were expected, such as [endpoints.local]")
        return
    for name, one in tables.items():
        yield from faults_of(one, EndpointTable, (ENDPOINTS, name))


def _expanded(value: Any, path: Path, faults: list[Fault]) -> Any:
    if isinstance(value, Mapping):
        named = dict(_keys_by_name(value, path, faults))
        return {name: _expanded(one, (*path, name), faults) for name, one in named.items()}
    if isinstance(value, list):
        return [_expanded(one, (*path, place), faults) for place, one in enumerate(value)]
    if isinstance(value, date):
        # TOML has days of its own, which files of law are given as; every day of a spec is a text.
        return value.isoformat()
    if not isinstance(value, str) or "${" not in value:
        return value
    # The ledger's password is taken out of its address wherever that is written down, so here it may be filled in.
    return _VARIABLE.sub(lambda found: _filled(found, path, faults, allowed=path == ("ledger",)), value)


def _keys_by_name(table: Mapping[str, Any], path: Path, faults: list[Fault]) -> Iterator[tuple[str, Any]]:
    """The fields of a table, ``api_key = "${NAME}"`` as the name of a variable, which is what it means here."""
    # An assistant of somebody's own may have a setting of such a name.
    asks = path[:1] == (ENDPOINTS,) or _asks(path, table) or "model" in table
    for name, value in table.items():
        if name not in _KEYS or not isinstance(value, str) or not asks:
            yield name, value
        elif (found := _VARIABLE.fullmatch(value)) and not found[1]:
            yield "api_key_env", found[2]
        else:
            faults.append(
                Fault(
                    (*path, name),
                    f"`{name}`: a key in a spec would be written down and shown. Put it into an environment variable and name"
                    ' that: api_key_env = "OPENAI_API_KEY", or api_key = "${OPENAI_API_KEY}"',
                    secret=True,
                )
            )


def _filled(found: re.Match[str], path: Path, faults: list[Fault], *, allowed: bool) -> str:
    escaped, name = found.groups()
    if escaped:
        return f"${{{name}}}"
    if _SECRET.search(name) and not allowed:
        cure = "api_key_env (of http assistants: headers_env)"
        faults.append(
            Fault(path, f"${{{name}}} looks like a key, which would be written into run.json; name it in {cure}")
        )
    elif name not in os.environ:
        near = did_you_mean(name, os.environ)
        faults.append(
            Fault(path, f"the environment variable {name} is not set{near}; set it, or write $${{{name}}} for the text")
        )
    else:
        return os.environ[name]
    return ""


def _address_faults(value: Any, path: Path = ()) -> Iterator[Fault]:
    """What is wrong with the addresses in a spec, each told once: many roles may take theirs from one table."""
    for name, one in value.items() if isinstance(value, Mapping) else ():
        # An empty one stands for the usual address, or for a variable whose fault is told already.
        if name == "base_url" and isinstance(one, str) and one and (fault := address_fault(one)):
            yield Fault((*path, name), fault, secret=True)
        yield from _address_faults(one, (*path, name))


def _laid(value: Any, tables: Mapping[str, Mapping[str, Any]], path: Path, faults: list[Fault]) -> Any:
    """The value with the table that ``endpoint = "NAME"`` refers to laid under it, at any depth."""
    if isinstance(value, list):
        return [_laid(one, tables, (*path, place), faults) for place, one in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    inner = {name: _laid(one, tables, (*path, name), faults) for name, one in value.items()}
    # An assistant of somebody's own may have a setting of that name; it means a table only where there is one.
    refers = _asks(path, inner) or str(inner.get("endpoint")) in tables
    named = inner.pop("endpoint", None) if refers else None
    if named is None:
        # A role with an address of its own must not get the key of another one; nor does a role in a protocol of its own
        # mean the default's address.
        elsewhere = inner.get("base_url") or "protocol" in inner
        usual = tables.get(DEFAULT, {}) if _asks(path, inner) and not elsewhere else {}
        return {**usual, **inner}
    if not isinstance(named, str) or named not in tables:
        listed = ", ".join(tables) or "none"
        message = f"no table [endpoints.{named}]{did_you_mean(str(named), tables)}; there are: {listed}"
        faults.append(Fault((*path, "endpoint"), message))
        return inner
    if inner.get("base_url") and tables[named].get("base_url"):
        faults.append(
            Fault((*path, "base_url"), f"[endpoints.{named}] has the address already; leave out one of the two")
        )
    return {**tables[named], **inner}


def _asks(path: Path, table: Mapping[str, Any]) -> bool:
    """Whether a table of the spec describes a model to be asked."""
    return path == ("judge",) or path[:2] == ("judge", "panel") or table.get("kind") in CHAT
