"""The words of a report in the language of its suite."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from benchbar.records.toml import read_toml

LANGUAGES = ("en", "zh", "ru")


class Labels:
    """Texts by key such as ``mark.met``; what is filled in is never read as a template."""

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        """In ``language``, which is also what the page declares."""
        self.language, self.texts = language, texts

    def __call__(self, key: str, **values: object) -> str:
        """The text under ``key`` with its fields filled in."""
        return self.texts[key].format(**values)

    def name(self, kind: str, value: str) -> str:
        """What to call a value such as the level ``apply``; the value itself where the catalogue has no word for it."""
        return self.texts.get(f"{kind}.{value}", value)


@lru_cache
def labels(language: str) -> Labels:
    """The words of ``zh``, ``ru`` or ``en``; English for any other language."""
    chosen = language if language in LANGUAGES else "en"
    sections = read_toml(files(__package__) / "labels" / f"{chosen}.toml", dict[str, dict[str, str]])
    return Labels(chosen, {f"{name}.{key}": text for name, part in sections.items() for key, text in part.items()})
