"""``closed-book``: no model and no law; general words about how such matters are handled. The honest floor."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.languages.packs import labels
from benchbar.languages.text import detect_language
from benchbar.records import Reply, Turn

_SHOWN = 60


class ClosedBook:
    """Answers every question with the same general advice, in the language of the question."""

    identity = "closed-book:1"

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """General advice that names the question."""
        question = turns[-1].content
        shown = question if len(question) <= _SHOWN else question[:_SHOWN] + "…"
        return Reply(content=labels(detect_language(question), "words")("closed_book.advice", question=shown))


def build() -> ClosedBook:
    """It has no settings."""
    return ClosedBook()
