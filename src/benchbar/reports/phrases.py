"""Words of a page in every language at once: the page holds their numbers, so that switching changes words and no dialogue.

Pages of samples are most of a report. Written once for each language they would be four times as much; written without words, they are
written once, and their words are a small table beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from benchbar.reports.numbers import LocalLabels, local_labels


@dataclass(frozen=True, slots=True)
class Phrase:
    """One text in every language of the page, in the order of :attr:`Phrases.languages`."""

    number: int
    texts: tuple[str, ...]

    def __html__(self) -> str:
        """An empty element that names the phrase; the page's script fills it in as text, never as HTML."""
        return f"<span data-phrase={self.number}></span>"


class Phrases:
    """Stands in templates where a page of one language has its labels, and collects what they say."""

    def __init__(self, languages: Sequence[str]) -> None:
        """For the languages of these tags."""
        self.languages = tuple(languages)
        self._labels = [local_labels(one) for one in languages]
        self._by_texts: dict[tuple[str, ...], Phrase] = {}
        self._by_key: dict[Hashable, Phrase] = {}

    def __call__(self, key: str, **values: object) -> Phrase:
        """The text under ``key`` with its fields filled in; a value may be a phrase itself."""
        return self.each((key, *values.items()), lambda at, say: say(key, **_in(at, values)))

    def name(self, kind: str, value: str) -> Phrase:
        """What to call a value such as the level ``apply``."""
        return self.each((kind, value, None), lambda _, say: say.name(kind, value))

    def each(self, asked: Hashable, text: Callable[[int, LocalLabels], str]) -> Phrase:
        """What a function of a language's place and labels makes, for whatever tells it from others."""
        # The same few hundred texts stand on every page: looked up, they are not formatted anew in each language.
        if asked not in self._by_key:
            texts = tuple(text(at, say) for at, say in enumerate(self._labels))
            self._by_key[asked] = self._by_texts.setdefault(texts, Phrase(len(self._by_texts), texts))
        return self._by_key[asked]

    @property
    def table(self) -> list[tuple[str, ...]]:
        """Number of a phrase to its texts."""
        return list(self._by_texts)


def _in(at: int, values: dict[str, object]) -> dict[str, object]:
    return {name: one.texts[at] if isinstance(one, Phrase) else one for name, one in values.items()}
