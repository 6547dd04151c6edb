"""Which traces are kept: with a chance that is known for each, by a hash of its conversation."""

from __future__ import annotations

import hashlib

from benchbar.evaluations.records import LoggedAnswer
from benchbar.records import Record
from benchbar.records.errors import UserError


class Sampling(Record, frozen=True):
    """The chances with which traces are kept; a folder keeps those of its first delivery."""

    rate: float = 1.0
    """Of any trace."""
    failed_rate: float = 1.0
    """Of one that ended in an error, has no words, or whose score is below the pass mark, where that is more."""
    pass_mark: float = 0.5
    seed: int = 0

    def checked(self) -> Sampling:
        """The same.

        Raises:
            UserError: a chance is none, or nothing would ever be kept.
        """
        for name, value in (("--rate", self.rate), ("--failed-rate", self.failed_rate)):
            # A chance of 0 would have no weight: no estimate could speak for what is never kept.
            if not 0 < value <= 1:
                raise UserError(f"{name} {value:g}; a chance above 0 and at most 1 was expected")
        return self

    def options(self) -> str:
        """As they are given to a command."""
        return (
            f"--rate {self.rate:g} --failed-rate {self.failed_rate:g} --pass-mark {self.pass_mark:g} --seed {self.seed}"
        )

    def chance(self, answer: LoggedAnswer) -> float:
        """With which a trace like this is kept."""
        return max(self.rate, self.failed_rate) if failed(answer, self.pass_mark) else self.rate

    def keeps(self, conversation: str, chance: float) -> bool:
        """Whether a trace of this conversation is among those that are kept with this chance.

        The same number decides for all traces of a conversation, so that whole conversations are kept, by whichever process
        they come in.
        """
        digest = hashlib.blake2b(conversation.encode(), digest_size=8, key=str(self.seed).encode()[:64]).digest()
        return int.from_bytes(digest) / 2**64 < chance


def failed(answer: LoggedAnswer, pass_mark: float) -> bool:
    """Whether a trace looks like a failure by itself: an error, no words, a low score."""
    low = any(value is not None and value < pass_mark for value in answer.scores.values())
    return bool(answer.error) or not answer.answer.strip() or low
