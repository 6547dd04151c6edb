"""The laws of the bundled suites by the names of these suites: `--law model-jurisdiction-zh` needs no path."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from benchbar.languages.text import detect_language
from benchbar.records.errors import UserError

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


def law_for(text: str) -> tuple[str, Path]:
    """Name and folder of the bundled law in the language of a question, for a command that was told no law.

    A question in English asked of Chinese law finds nothing, or what is worse, something.

    Raises:
        UserError: no bundled law is in that language.
    """
    laws = bundled_laws()
    language = detect_language(text)
    # Variants are asked of the law of their language: zh-Hant of zh.
    name = next((one for one in laws if language.split("-")[0] == one.rpartition("-")[2]), "")
    if not name:
        raise UserError(
            f"no bundled law is in the language of the question ({language}): name the law with --law INDEX, or one of {', '.join(laws)}"
        )
    return name, laws[name]
