"""One answer checked by our rules, for programs that score it among their own metrics: no model is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.law.corpus import Corpus


class Checked(NamedTuple):
    """What a check says of one answer."""

    value: float | None
    """From 0 to 1; None where rules cannot decide, which is never 0."""
    reason: str


class Given(NamedTuple):
    """What an answer is checked against."""

    law: str = ""
    """An index of `benchbar law index`, a folder of acts, or a bundled suite's name."""
    on: str = ""
    """The day of the matter, YYYY-MM-DD; left out, today."""
    guidance: str = ""
    """What an expert says the answer must and must not contain, in the words of a suite."""
    documents: Sequence[str] = ()
    """Texts that the answer was written from."""
    documents_folder: str = ""

    @classmethod
    def of(cls, settings: Mapping[str, Any], **more: Any) -> Given:
        """From the settings of a program; those that are none of ours are left out."""
        known = {name: value for name, value in {**settings, **more}.items() if name in cls._fields and value}
        return cls(**known)


def run_check(name: str, answer: str, given: Given) -> Checked:
    """The check of that name.

    ``citations``: the share of citations that stand, of those that the law can judge. ``contradiction``: 0 where an article is
    cited for what it is shown to contradict, else 1. ``guidance``: the weighted share of the points that rules decided.
    ``grounding``: 0 where a fact contradicts the documents, else the share of facts that stand in them.

    Raises:
        UserError: there is no such check, or what it needs is not given.
    """
    if name not in _CHECKS:
        raise UserError(f"check {name!r}: expected one of {', '.join(_CHECKS)}")
    return _CHECKS[name](answer, given)


def _citations(answer: str, given: Given) -> Checked:
    from benchbar.scoring.citations import validity

    found = _checked_citations(answer, given)
    wrong = [f"{one.text}: {one.status.value}" for one in found if one.status.value != "verified"]
    value = validity(found)
    if value is None:
        return Checked(None, "no citation that the law at hand can judge")
    return Checked(value, "; ".join(wrong) or f"{len(found)} citations stand")


def _contradiction(answer: str, given: Given) -> Checked:
    from benchbar.records import ClaimVerdict

    checks = [(one, one.claim_check) for one in _checked_citations(answer, given)]
    decided = [(one, check) for one, check in checks if check is not None]
    against = [one.text for one, check in decided if check.verdict is ClaimVerdict.CONTRADICTS]
    if against:
        return Checked(0.0, f"cited for what they contradict: {'; '.join(against)}")
    supported = [one for one, check in decided if check.verdict is ClaimVerdict.SUPPORTS]
    if not supported:
        return Checked(None, "no claim about an article could be decided by rules")
    return Checked(1.0, f"{len(supported)} claims agree with the articles they cite")


def _checked_citations(answer: str, given: Given) -> Sequence[Any]:
    from benchbar.law.checker import check_citations

    if not given.law:
        raise UserError("this check needs `law`: an index, a folder of acts, or a bundled suite's name")
    return check_citations(answer, law=_corpus(given.law), on=given.on)


@cache
def _corpus(law: str) -> Corpus:
    from benchbar.law.index import load_corpus

    return load_corpus(Path(law))


def _guidance(answer: str, given: Given) -> Checked:
    from benchbar.languages.text import detect_language
    from benchbar.records import Dialogue, DialogueEnd, Sample, Turn
    from benchbar.scoring.points.rules import mark_points
    from benchbar.suites.guidance_text import read_guidance

    if not given.guidance:
        raise UserError("this check needs `guidance`: what the answer must and must not contain")
    sample = Sample(
        id="answer",
        task="",
        needs="",
        guidance=read_guidance(given.guidance).guidance,
        language=detect_language(given.guidance),
    )
    turns = (Turn(role="user", content=""), Turn(role="assistant", content=answer))
    dialogue = Dialogue(sample=sample.id, assistant="answer", turns=turns, ended=DialogueEnd.SATISFIED)
    scores = mark_points(sample, dialogue)
    known = [(one.dimension, one.value) for one in scores if one.value is not None]
    if not known:
        return Checked(None, f"rules decide none of {len(scores)} points: a judge is needed")
    forbidden = {point.id for point in sample.guidance.points if point.category.value == "forbidden"}
    met = [1 - value if name in forbidden else value for name, value in known]
    open_points = len(scores) - len(known)
    return Checked(sum(met) / len(met), f"{len(known)} points decided by rules, {open_points} left open")


def _grounding(answer: str, given: Given) -> Checked:
    from benchbar.evaluations.grounding import Documents
    from benchbar.tables.work_products import texts_of

    texts = {f"document {number}": text for number, text in enumerate(given.documents, start=1)}
    if given.documents_folder:
        texts |= texts_of(Path(given.documents_folder))[0]
    if not texts:
        raise UserError("this check needs `documents` (texts) or `documents_folder`")
    found = Documents(texts).check(answer)
    against = [one for one in found if one.answer == "contradicted" and one.source is not None]
    if against:
        told = (f"“{one.fact.text}”, but the documents have “{one.source.text}”" for one in against if one.source)
        return Checked(0.0, "; ".join(told))
    if not found:
        return Checked(None, "no figure, date, name or citation is asserted")
    there = sum(one.answer == "in_documents" for one in found)
    return Checked(there / len(found), f"{there} of {len(found)} facts stand in the documents")


_CHECKS: dict[str, Callable[[str, Given], Checked]] = {
    "citations": _citations,
    "contradiction": _contradiction,
    "guidance": _guidance,
    "grounding": _grounding,
}
