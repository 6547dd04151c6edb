"""Names to factories: built-ins and other people's packages are found the same way, as entry points."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchbar.records.errors import UnknownNameError, UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints, SelectableGroups

GROUPS = (
    "assistants",
    "simulators",
    "scorers",
    "retrievers",
    "suites",
    "commands",
    "pages",
)


def known(group: str) -> dict[str, EntryPoint]:
    """The names registered under ``benchbar.GROUP``, each with its entry point."""
    return {point.name: point for point in _registered().select(group=f"benchbar.{group}")}


@cache
def _registered() -> SelectableGroups | EntryPoints:
    # Each look goes through the metadata of every installed package (8 ms), and a run asks for a dozen names.
    from importlib.metadata import entry_points

    return entry_points()


def load(group: str, name: str) -> Any:
    """The object registered as ``name`` in ``group``, or the one that ``module:object`` names.

    Raises:
        UnknownNameError: nobody registered the name; the message lists those that are known.
        UserError: ``module:object`` cannot be imported.
    """
    if ":" in name:
        return _import(name)
    registered = known(group)
    if name not in registered:
        raise UnknownNameError(group.rstrip("s"), name, list(registered))
    return registered[name].load()


def _import(path: str) -> Any:
    module_name, _, attribute = path.partition(":")
    # So that `my_rules:score` works in the folder where the file lies, without an installation.
    if (here := str(Path.cwd())) not in sys.path:
        # Behind everything installed, so that a file in the working folder hides no library.
        sys.path.append(here)
    try:
        return getattr(import_module(module_name), attribute)
    except (ImportError, AttributeError) as error:
        raise UserError(f"cannot load {path!r}: {error}; expected module:object on the Python path") from error
