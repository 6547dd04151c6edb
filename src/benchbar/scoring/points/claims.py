"""What the claims of a dialogue amount to: decided where the assistant's own final position is plain, else left.

A claim is a place where a reply says something that bears on the point: the wanted charge or another one, a number of the unit,
an option. Each kind of point finds its claims; how they are weighed is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers
from benchbar.scoring.points.stance import Stance

NOTHING = "nothing is concluded"
MET, NOT_MET = 1.0, 0.0
MAX_CLAIMS = 200
"""Claims of a dialogue that are read; a reply with more is a list, and each costs the sentences around it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A place of a reply, and what the point would be worth if the assistant concluded just that."""

    answer: Answer
    start: int
    end: int
    credit: float
    verbatim: bool = False
    """Whether it is a quotation by its nature, so that quotation marks around it say nothing."""
    explicit: bool = False
    """Whether its own form makes it the answer (答案：D): what else the sentences around it hold does not unsettle it."""
    doubtful: bool = False
    """Whether what it says cannot be read with certainty, whoever says it."""

    @property
    def stance(self) -> Stance:
        """What the assistant does with it."""
        if self.doubtful:
            return Stance.HEDGED
        final = self.concluding or self.answer.reader.opens(self.start)
        stance = self.answer.reader.stance(self.start, self.end, verbatim=self.verbatim, final=final)
        settled = self.explicit or self.verbatim
        return Stance.AFFIRMED if settled and stance is Stance.UNSETTLED else stance

    @property
    def concluding(self) -> bool:
        """Whether it is marked as the conclusion."""
        return self.answer.reader.concludes(self.start)

    @property
    def final(self) -> bool:
        """Whether its place or form makes it the answer."""
        if self.explicit or self.verbatim or self.answer.reader.alone(self.start, self.end):
            return True
        return (self.leads or self.concluding) and self.framed

    @property
    def framed(self) -> bool:
        """Whether the words right around it affirm it, where the language says which do."""
        return self.answer.reader.framed(self.start, self.end)

    @property
    def leads(self) -> bool:
        """Whether it stands in the first sentence of its reply, where most answers have their conclusion."""
        return self.answer.reader.sentence(self.start)[0] <= self.answer.reader.sentence(0)[0]


Finder = Callable[[Answer], Iterable[Claim]]


def standing(answers: Answers, find: Finder) -> list[Claim] | None:
    """The claims of the replies that stand at the end; None where something was taken back and nothing put in its place.

    A reply that corrects an earlier one replaces it, a courtesy at the end replaces nothing.
    """
    found: list[Claim] = []
    doubted = False
    for answer in answers.latest_first():
        own = list(islice(find(answer), MAX_CLAIMS + 1))
        if own and doubted:
            return None
        found = own + found
        if answer.turn == answers.all[0].turn:
            break
        if answer.reader.retracts:
            if own:
                return found
            doubted = True
        doubted = doubted or not (found or answer.reader.courteous)
    return found


def settle(claims: Sequence[Claim] | None, *, exclusive: bool, marked: bool = True) -> Verdict:
    """The value that the affirmed claims agree on; left where they do not, or where the wanted thing is not merely affirmed.

    ``exclusive`` claims shut each other out (a charge, an option): what else is concluded decides against the wanted one. Of
    others (a number among numbers, an article among articles) the best counts, and what else is said decides nothing. What is
    ``marked`` as the answer counts: it stands in a conclusion, under a heading that announces it, or in the first sentence.
    """
    if claims is None:
        return _left("something was taken back")
    if len(claims) > MAX_CLAIMS:
        return _left("it is said too often to be a conclusion")
    stances = [(claim, claim.stance) for claim in claims]
    if exclusive and (other := _own_conclusion(stances)):
        return _decided(NOT_MET, other, "something else is concluded")
    for claim, stance in stances:
        if stance not in _PLAIN and (claim.credit or claim.doubtful):
            return _left(f"it is {stance}", claim)
    affirmed = [claim for claim, stance in stances if stance is Stance.AFFIRMED]
    denied = [claim for claim, stance in stances if claim.credit and stance is Stance.DENIED]
    if denied and not any(claim.credit for claim in affirmed):
        plain = denied[-1].answer.reader.refused(denied[-1].start, denied[-1].end)
        return _decided(NOT_MET, denied[-1], "denied") if plain else _left("it is denied, but not plainly", denied[-1])
    concluded = [claim for claim in affirmed if claim.concluding] or affirmed
    if not concluded:
        return _left(NOTHING)
    best = max(reversed(concluded), key=lambda claim: claim.credit)
    reason = _objection(best, affirmed, concluded, exclusive=exclusive, marked=marked)
    if not reason and best.credit and denied:
        reason = "it is affirmed and denied"
    if reason:
        return _left(reason, best)
    return _decided(best.credit, best, "" if best.credit == MET else "something else is concluded")


def _own_conclusion(stances: Sequence[tuple[Claim, Stance]]) -> Claim | None:
    """Another thing, with which the dialogue ends as its conclusion, where the wanted one was only told of others or shut out.

    "The prosecution says theft. I conclude that it is fraud": what others say of theft leaves nothing open here.
    """
    if not stances:
        return None
    last, stance = stances[-1]
    if last.credit or stance is not Stance.AFFIRMED or not last.concluding:
        return None
    return last if all(stance in _NOT_OWN for claim, stance in stances if claim.credit) else None


def _objection(
    best: Claim, affirmed: Sequence[Claim], concluded: Sequence[Claim], *, exclusive: bool, marked: bool
) -> str:
    """Why the best of the affirmed claims is not plainly the answer; empty where it is."""
    last = concluded[-1]
    if not last.final and last.answer.reader.concludes_after(last.end):
        return "the conclusion says something else"
    if not (best.final or (best.framed and not marked)):
        return "it is said in passing"
    if not best.credit and (not exclusive or any(claim.credit for claim in affirmed)):
        return "something else is concluded"
    later = [claim for claim in affirmed if (claim.answer.turn, claim.start) > (best.answer.turn, best.start)]
    if exclusive and len({claim.credit for claim in (*concluded, *later)}) > 1:
        return "several things are concluded"
    return ""


_NOT_OWN = frozenset({Stance.ATTRIBUTED, Stance.QUOTED, Stance.REPEALED, Stance.DENIED, Stance.CONTRADICTED})
"""Not what is compared: of \"in contrast to those, B fits\" either side may be the answer."""
_PLAIN = frozenset({Stance.AFFIRMED, Stance.DENIED})


def _decided(value: float, claim: Claim, reason: str) -> Verdict:
    return Verdict(value=value, evidence=(claim.answer.evidence(claim.start, claim.end),), reason=reason)


def _left(reason: str, claim: Claim | None = None) -> Verdict:
    evidence = (claim.answer.evidence(claim.start, claim.end),) if claim else ()
    return Verdict(value=None, evidence=evidence, reason=reason)
