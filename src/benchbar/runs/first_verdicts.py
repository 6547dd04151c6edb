"""Stops a run whose judge cannot be read before all of it is paid for."""

from __future__ import annotations

from benchbar.ledger import Ledger
from benchbar.records import SampleResult
from benchbar.records.errors import UnreadableJudgeError

FIRST = 20
"""Verdicts that are looked at: of a judge that can be read in nine cases of ten, most of 20 are never unreadable."""


class FirstVerdicts:
    """Counts the first verdicts of a run that makes calls."""

    def __init__(self, ledger: Ledger) -> None:
        """Of the run with this ledger."""
        self._ledger = ledger
        self._seen = self._unreadable = 0
        self._first = ""

    def look(self, result: SampleResult) -> None:
        """Take in what came of one sample.

        Raises:
            UnreadableJudgeError: most of the first verdicts could not be read.
        """
        # Loads numerical libraries, for which the first call need not wait.
        from benchbar.measures.health import verdicts

        for judge, reason in verdicts(result):
            if self._seen == FIRST:
                return
            self._seen += 1
            # An endpoint that fails is told of elsewhere, and may be up again for the next sample.
            if reason is not None and "could be read" in reason:
                self._unreadable += 1
                self._first = self._first or f"judge {judge}: {reason}"
        if self._seen == FIRST and 2 * self._unreadable > FIRST and self._ledger.sent:
            raise UnreadableJudgeError(
                f"{self._first}. {self._unreadable} of the first {FIRST} verdicts are like this, so the run stopped; what was"
                " answered is kept. Use another judge, or rerun with --keep-going"
            )
