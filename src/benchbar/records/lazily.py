"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def importing(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package whose names live in the modules ``homes`` (module to names).

    No module of the package may bear a name of ``homes``: once anybody imports it, it stands in the place of what is meant.
    """
    home = {name: module for module, names in homes.items() for name in names}

    def attribute(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(home[name]), name)
        # Kept, so that the next use is a plain lookup.
        setattr(sys.modules[package], name, found)
        return found

    return attribute
