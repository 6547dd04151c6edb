"""Names that belong together, directly or through others."""

from __future__ import annotations


class DisjointSets:
    """Sets of names, joined one pair at a time (union-find); a name that nothing was joined to is alone in its set."""

    def __init__(self) -> None:
        """Without any names."""
        self._parent: dict[str, str] = {}

    def root(self, name: str) -> str:
        """The name that stands for the set of ``name``: two names are in one set if they have one root."""
        parent = self._parent
        while parent.setdefault(name, name) != name:
            # Each step halves the way, so that long chains stay quick.
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    def join(self, name: str, other: str) -> None:
        """Put both into one set, which the root of ``other`` stands for."""
        self._parent[self.root(name)] = self.root(other)
