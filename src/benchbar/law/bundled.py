"""The laws of the bundled suites by the names of these suites: `--law model-jurisdiction-zh` needs no path."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

_SUITES = "benchbar.suites"


def bundled_laws() -> dict[str, Path]:
    """Name of a bundled suite to the folder with its law."""
    # Their place is known here and the room is not imported: it stands above this one.
    return {path.parent.name: path for path in sorted(Path(str(files(_SUITES))).glob("data/*/law")) if path.is_dir()}


def law_path(name: Path | str, base: Path | None = None) -> Path:
    """What a user called a law: a path from ``base``, else a bundled name; the path as it is where it is neither."""
    path = (base or Path()) / name
    # A folder of that name goes first, as for suites.
    return path if path.exists() else bundled_laws().get(str(name), path)
