"""What users of each temperament say, and when, if no model plays them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchbar.dialogue.temperaments import Mistake, Temperament, mistake_of
from benchbar.languages.packs import Labels, labels, pack, pattern_of_any
from benchbar.records import Sample, fingerprint

Said = Sequence[str]
"""What the user has said so far."""


_QUESTION = re.compile(r"[^。！!\n]*[?？吗]")


@dataclass(frozen=True)
class Manner:
    """How the user of one sample talks."""

    temperament: Temperament
    sample: Sample
    words: Labels

    def _of(self, key: str) -> str:
        # None of these texts holds a number or a fact of a matter: guards would take it for invented.
        return self.words.texts[f"temperament.{key}"]

    @property
    def mistake(self) -> Mistake | None:
        """What the user gets wrong."""
        return mistake_of(self.sample) if self.temperament is Temperament.MISTAKEN else None

    def told_as(self, text: str) -> str:
        """Facts as the user tells them before being corrected."""
        return self.mistake.made_in(text) if self.mistake else text

    def kept_back(self, count: int, usual: int) -> int:
        """How many of ``count`` facts are told later, one at a time."""
        return max(count - 1, 0) if self.temperament is Temperament.TERSE else usual

    def opening(self, words: str) -> str:
        """The frame of the first message."""
        return {Temperament.ANXIOUS: self._of("worry"), Temperament.DISTRUSTFUL: self._of("prove")}.get(
            self.temperament, words
        )

    def further(self, words: str) -> str:
        """The frame of a message with one more fact."""
        return self._of("terse_more") if self.temperament is Temperament.TERSE else words

    def spoken(self, text: str, said: Said) -> str:
        """The message as it leaves the user's mouth: a rambling one wanders off before and after."""
        if self.temperament is not Temperament.RAMBLING:
            return text
        asides, first = self._of("asides").splitlines(), int(fingerprint(self.sample.id)[:8], 16)
        before, after = (asides[(first + 2 * len(said) + place) % len(asides)] for place in (0, 1))
        between = " " if pack(self.sample.language).about.spaces else ""
        return between.join([before, text, after])

    def correction(self, said: Said, reply: str) -> str:
        """What a mistaken user says when it is asked about its number, once."""
        if self.mistake is None or not asks_about(self.mistake, reply):
            return ""
        words = self._of("correct").format(needs=self.sample.needs, right=self.mistake.right, wrong=self.mistake.wrong)
        return "" if words in said else words

    def corrected(self, said: Said) -> bool:
        """Whether the user has put its mistake right."""
        return self.mistake is not None and any(
            self._of("correct").partition("{")[0] in one and self.mistake.right in one for one in said
        )

    def demand(self, said: Said, replies: Said) -> str:
        """What the user still wants after its need was met: reassurance once, or a source until one is named."""
        if self.temperament is Temperament.ANXIOUS:
            words = self._of("reassure").format(needs=self.sample.needs)
            return "" if words in said else words
        if self.temperament is Temperament.DISTRUSTFUL and not any(
            pattern_of_any("user.source").search(reply) for reply in replies
        ):
            return self._of("source").format(needs=self.sample.needs)
        return ""

    def reassured(self, said: Said) -> bool:
        """Whether the user asked for reassurance: its need was met before, and whatever came then ends it."""
        return self.temperament is Temperament.ANXIOUS and not self.demand(said, ())


def asks_about(mistake: Mistake, reply: str) -> bool:
    """Whether a reply asks the user to check facts, for an amount, or about the wrong number itself."""
    if pattern_of_any("user.asks_to_check").search(reply) or pattern_of_any("user.asks_how_much").search(reply):
        return True
    return any(mistake.wrong in question for question in _QUESTION.findall(reply))


def manner_of(temperament: Temperament, sample: Sample) -> Manner:
    """The manner of a sample's user; English words for languages that there are none of."""
    return Manner(temperament, sample, labels(sample.language, "words"))
