"""Files that stand elsewhere in the repository and come along in the wheel: examples, pages, published tables."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def bundled(name: str) -> Path:
    """A file or folder of the repository by its path from the top, in a checkout and in an installed wheel alike."""
    # In a wheel it lies in the package, under the same path: see `force-include` in pyproject.toml.
    inside = _PACKAGE / "bundled" / name
    return inside if inside.exists() else _PACKAGE.parents[1] / name
