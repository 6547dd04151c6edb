"""The words of a report in the language of its suite."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

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
    text = (files(__package__) / "labels" / f"{chosen}.toml").read_text("utf-8")
    sections: dict[str, dict[str, str]] = tomllib.loads(text)
    return Labels(chosen, {f"{name}.{key}": text for name, part in sections.items() for key, text in part.items()})
