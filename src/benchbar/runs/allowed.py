"""The models that a server lets people choose from, so that nobody names an address in a browser.

The file is written by whoever runs the server::

    [endpoints.house]
    base_url = "http://10.0.0.7:8000/v1"
    models = ["qwen3-32b", "glm-4"]
    private = true                       # without it an address within a private network is refused
    api_key_env = "HOUSE_KEY"            # the key itself stays in the server's environment
    price = { input = 0.5, output = 2 }  # and whatever else an endpoint has
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchbar.assistants.build import CHAT
from benchbar.clients.endpoint import Endpoint
from benchbar.clients.pinning import resolved
from benchbar.records import Record
from benchbar.records.base import converted
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.toml import read_toml
from benchbar.runs.receivers import receivers
from benchbar.runs.spec import Spec
from benchbar.runs.spec_file import ENDPOINTS

SENDS_NOTHING = frozenset({"recorded", "extractive", "closed-book"})
"""Kinds of assistants that answer from files alone."""
_OWN = frozenset({"models", "private"})
"""Fields of a table that are not those of an endpoint."""


class AllowedModel(Record, frozen=True):
    """A model that may be chosen."""

    name: str
    """``ENDPOINT/MODEL``."""
    settings: dict[str, Any]
    """Fields of its endpoint, as they stand in a spec."""
    private: bool = False
    """Whether its address may be within a private network."""

    @property
    def host(self) -> str:
        """Where it is asked."""
        return urlsplit(str(self.settings["base_url"])).hostname or ""


def read_allowed(file: Path) -> dict[str, AllowedModel]:
    """Name to model of each that a file allows.

    Raises:
        BadInputError: the file cannot be read, or a field is missing, unknown or of another type.
    """
    given = read_toml(file, dict[str, dict[str, dict[str, Any]]])
    if set(given) != {ENDPOINTS}:
        raise BadInputError(f"tables [{ENDPOINTS}.NAME] were expected, and nothing else", file=file)
    found = [one for name, table in given[ENDPOINTS].items() for one in _models(name, table, file)]
    return {one.name: one for one in found}


def _models(name: str, table: Mapping[str, Any], file: Path) -> Iterable[AllowedModel]:
    models, private = table.get("models"), table.get("private", False)
    place = f"{ENDPOINTS}.{name}"
    if not isinstance(models, list) or not models or not all(isinstance(one, str) and one for one in models):
        raise BadInputError('a list was expected, such as models = ["qwen3-32b"]', file=file, field=f"{place}.models")
    if not isinstance(private, bool):
        raise BadInputError("true or false was expected", file=file, field=f"{place}.private")
    if not table.get("base_url"):
        # Else the address would be that of the environment, which whoever reads the list does not see.
        raise BadInputError("an address is wanting", file=file, field=f"{place}.base_url")
    if unknown := sorted(set(table) - _OWN - set(Endpoint.__struct_fields__)):
        raise BadInputError("unknown field", file=file, field=f"{place}.{unknown[0]}")
    rest = {field: value for field, value in table.items() if field not in _OWN}
    for model in models:
        settings = {"model": model, **rest}
        try:
            converted(settings, Endpoint)
        except UserError as error:
            raise BadInputError(str(error), file=file, field=place) from error
        yield AllowedModel(f"{name}/{model}", settings, private)


def addresses(models: Iterable[AllowedModel]) -> dict[str, tuple[str, ...]]:
    """Host to the addresses at which its models are asked.

    Raises:
        UserError: a host is not known, or at an address that is not allowed.
    """
    private: dict[str, bool] = {}
    for one in models:
        private[one.host] = private.get(one.host, False) or one.private
    return {host: resolved(host, private=allowed) for host, allowed in private.items()}


def used(spec: Spec, allowed: Mapping[str, AllowedModel]) -> list[AllowedModel]:
    """The allowed models that a spec asks.

    Raises:
        UserError: it would send texts to an address, or read a key, that is not on the list, or it runs code of somebody's own,
            which may send anything anywhere.
    """
    for name, settings in spec.assistants.items():
        kind = settings.get("kind", "openai")
        if kind not in SENDS_NOTHING.union(CHAT):
            raise UserError(f"assistant {name} is of the kind {kind}: go on with `benchbar run` on the command line")
    if spec.scorers:
        raise UserError("the spec names scoring rules of its own: go on with `benchbar run` on the command line")
    found = []
    for receiver in receivers(spec):
        wanted = (receiver.address.rstrip("/"), str(receiver.settings.get("api_key_env", "")))
        known = next((one for one in allowed.values() if _at(one) == wanted), None)
        if known is None:
            raise UserError(
                f"{receiver.role} is at {receiver.address}, which is not among the endpoints that this server allows;"
                " add it to the file of `benchbar serve --endpoints`, or go on with `benchbar run` on the command line"
            )
        found.append(known)
    return found


def _at(model: AllowedModel) -> tuple[str, str]:
    return str(model.settings["base_url"]).rstrip("/"), str(model.settings.get("api_key_env", ""))
