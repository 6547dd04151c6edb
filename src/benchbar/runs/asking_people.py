"""Asks people who answer as an assistant: a question waits in the ledger until somebody has answered it in the browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from benchbar.ledger import Begin, CallRequest, CallResult, CallStatus, Ledger
from benchbar.ledger.reviews import Reviews
from benchbar.ledger.schema import QUESTION, WITHDRAWN
from benchbar.records import Reply, Turn
from benchbar.records.errors import ModelError, UserError, WaitingForPeopleError
from benchbar.records.people import PersonQuestion, WithdrawnQuestions

ROLE = "person"
"""Of the calls that answers become: they have no tokens, and would count as an endpoint's that does not state them."""


class PeopleAsked:
    """What one start of a run asks people."""

    def __init__(self, ledger: Ledger) -> None:
        """Through this ledger; nothing is read before something is asked."""
        self._ledger = ledger
        self._known = Reviews()
        self._wanted: set[str] = set()

    async def answer(self, turns: Sequence[Turn], *, identity: str, people: tuple[str, ...]) -> Reply:
        """What one of these people answered to the last turn, with the seconds that it took as latency.

        Raises:
            WaitingForPeopleError: nobody has answered yet; the question is open from now on.
            ModelError: the person declined.
        """
        request = CallRequest.of(identity, turns, role=ROLE)
        result = await self._ledger.once(request, lambda begin: self._produce(request, people, begin))
        if result.reply is None:
            raise DeclinedError(result.message)
        return result.reply

    async def _produce(self, request: CallRequest, people: tuple[str, ...], begin: Begin) -> CallResult:
        self._known.follow(self._ledger.store)
        id_ = self._ledger.key(request).hex()
        answer = self._known.asked.answers.get(id_)
        if answer is None:
            people = self._blind(request.sample, self._same_person(request) or people)
            self._ask(PersonQuestion(id_, request.sample, people, request.messages))
            raise WaitingForPeopleError(f"question {id_} waits for {' or '.join(people)}")
        # Not before: a question that waits is no call under way, and must not read as one of unknown outcome.
        await begin()
        if answer.declined:
            return CallResult(status=CallStatus.REFUSED, error="declined", message=answer.declined)
        return CallResult(
            status=CallStatus.OK, reply=Reply(content=answer.text, latency=answer.seconds, model=answer.person)
        )

    def _ask(self, question: PersonQuestion) -> None:
        self._wanted.add(question.id)
        if self._known.asked.open.get(question.id) != question:
            self._ledger.store.append_reviews(QUESTION, [question])
            self._known.follow(self._ledger.store)

    def _blind(self, sample: str, people: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the people who have marked no answer to the sample: to mark it they were shown its guidance."""
        found = tuple(one for one in people if sample not in self._known.marked_by(one))
        if not found:
            raise UserError(
                f"{' and '.join(people)} marked answers to sample {sample} in this run, saw its guidance, and cannot answer it as an"
                " assistant; name somebody else under `people`, or make a new run"
            )
        return found

    def _same_person(self, request: CallRequest) -> tuple[str, ...]:
        """Whoever gave the reply before this one: half a consultation by each of two lawyers would be nobody's."""
        earlier = [index for index, turn in enumerate(request.messages) if turn.role == "assistant"]
        if not earlier:
            return ()
        before = CallRequest.of(request.model, request.messages[: earlier[-1]], role=ROLE)
        answer = self._known.asked.answers.get(self._ledger.key(before).hex())
        return (answer.person,) if answer else ()

    def finish(self, samples: Collection[str] | None = None) -> None:
        """Take back what earlier starts asked and this one did not; with ``samples`` of these alone, where others went through the rest.

        Raises:
            WaitingForPeopleError: answers are open; says how many, and whose.
        """
        store = self._ledger.store
        if not next(iter(store.rows("SELECT 1 FROM review WHERE kind = ? LIMIT 1", (QUESTION,))), None):
            return
        self._known.follow(store)
        ours = [id_ for id_, one in self._known.asked.open.items() if samples is None or one.sample in samples]
        if unasked := tuple(id_ for id_ in ours if id_ not in self._wanted):
            store.append_reviews(WITHDRAWN, [WithdrawnQuestions(unasked)])
            self._known.follow(store)
        if self._known.asked.open:
            raise WaitingForPeopleError(_waiting(list(self._known.asked.open.values())))


def _waiting(questions: Sequence[PersonQuestion]) -> str:
    counts = Counter(" or ".join(one.people) for one in questions)
    whose = ", ".join(f"{names}: {count}" for names, count in counts.items())
    answers = "1 answer" if len(questions) == 1 else f"{len(questions)} answers"
    return (
        f"waiting for {answers} of people ({whose}); invite them to this run in `benchbar serve`, and rerun the command when"
        " answers have come in: what is there already is not asked for again"
    )


class DeclinedError(ModelError):
    """A person gave no answer, and said why."""

    slug = "declined"
