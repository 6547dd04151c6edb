"""What people who answer as an assistant were asked and said, as the ledger keeps it: appended to, never overwritten.

The rows stand among those of reviews and are followed with them: they share numbers, seals and check, and who marks a sample
must not answer it. An answer becomes a call when the run is gone on with: from then on it is replayed like any other.
"""

from __future__ import annotations

from benchbar.ledger.schema import ANSWER, QUESTION, WITHDRAWN
from benchbar.records import decode
from benchbar.records.people import PersonAnswer, PersonQuestion, WithdrawnQuestions


class Asked:
    """All questions and answers of one ledger."""

    def __init__(self) -> None:
        """None yet."""
        self.open: dict[str, PersonQuestion] = {}
        """Id to each question that waits for an answer, in the order in which they were asked."""
        self.answers: dict[str, PersonAnswer] = {}
        """Id of the question to its answer."""
        self._questions: dict[str, PersonQuestion] = {}
        self._concerns: dict[str, set[str]] = {}
        """What was found for each person since the last row: a queue asks for it once for each of its tasks."""

    def add(self, kind: str, record: bytes) -> None:
        """Know one more row; those of other kinds are passed over."""
        self._concerns.clear()
        if kind == QUESTION:
            question = decode(record, PersonQuestion)
            self._questions[question.id] = question
            # A run that asks while somebody answers may write the question after its answer.
            if question.id not in self.answers:
                self.open[question.id] = question
        elif kind == ANSWER:
            answer = decode(record, PersonAnswer)
            self.answers[answer.question] = answer
            self.open.pop(answer.question, None)
        elif kind == WITHDRAWN:
            for id_ in decode(record, WithdrawnQuestions).questions:
                self.open.pop(id_, None)

    def concerns(self, person: str) -> set[str]:
        """The samples that this person answered or is asked about: whoever answers one marks nobody's answers to it."""
        if person not in self._concerns:
            answered = (id_ for id_, one in self.answers.items() if one.person == person and id_ in self._questions)
            named = (one.sample for one in self.open.values() if person in one.people)
            self._concerns[person] = {*named, *(self._questions[id_].sample for id_ in answered)}
        return self._concerns[person]
