"""The rules that a written test question has to stand before a person is asked to look at it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchbar.languages.overlap import covered, shingles, similarity
from benchbar.law.citations import extract
from benchbar.law.dates import iso_dates
from benchbar.records import Record
from benchbar.suites.question_material import NONE, Material

BORNE = 0.5
"""Share of the answer's bigrams and words that its material and the question have to hold."""
NEAR = 0.1
"""Share of an unanswerable question's bigrams and words that the articles next to it have to hold."""
DOUBLE = 0.8
_LENGTHS = {"question": (6, 600), "answer": (4, 1500)}
_NUMBERED = re.compile(
    r"第\s{0,2}[\d０-９一二三四五六七八九十百千零〇两]{1,9}\s{0,2}条|ст(?:ать[яиеёюй]{1,2}|\.)\s{0,2}\d|\b(?:art(?:icle)?s?|sections?|s)\b\.?\s{0,2}\d|§\s{0,2}\d",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"上述(?:材料|条文|规定|案例)|本条|该条|以上材料|材料[一二1-9]"
    r"|\bthe (?:above|passage|material|provision above)\b|this (?:provision|article|section)\b"
    r"|указанн\w{1,4} выше|приведённ\w{1,4} материал|эт[ао]\w? (?:норм|стать)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Written(Record, frozen=True):
    """What a model wrote about a material."""

    usable: bool
    question: str = ""
    answer: str = ""
    evidence: tuple[int, ...] = ()
    """Numbers of the passages, from 1."""


def fault(written: Written, material: Material, earlier: Iterable[str]) -> str | None:
    """The rule that a question breaks, as a short name that can be counted; None where it stands them all.

    ``unusable``: the writer said so. ``length``: question or answer too short or too long. ``evidence_missing``: not all of
    the material, or something else, is named as evidence. ``article_number_leaked``: the question names an article or a
    case. ``not_self_contained``: it points at the material. ``not_answerable``: words or numbers of the answer stand
    neither in the material nor in the question. ``day_missing``: it does not name the day that it is about.
    ``same_on_both_days``: the answer holds nothing that the wording of that day alone says, or more that the other one says.
    ``off_the_matter``: an unanswerable question that the articles shown have nothing to do with. ``answer_in_question``:
    nothing is left to answer. ``double``: nearly the same as an earlier question.
    """
    wrong = _fault_of_form(written, material) or (
        _fault_of_nothing(written, material) if material.kind == NONE else _fault_of_answer(written, material)
    )
    if wrong is None and any(similarity(written.question, other) >= DOUBLE for other in earlier):
        return "double"
    return wrong


def _fault_of_form(written: Written, material: Material) -> str | None:
    if not written.usable:
        return "unusable"
    for part, (least, most) in _LENGTHS.items():
        if not least <= len(getattr(written, part).strip()) <= most:
            return "length"
    if set(written.evidence) != set(range(1, len(material.passages) + 1)):
        return "evidence_missing"
    if leaks(written.question):
        return "article_number_leaked"
    return "not_self_contained" if _POINTING.search(written.question) else None


def _fault_of_nothing(written: Written, material: Material) -> str | None:
    near = covered(shingles(written.question), shingles("\n".join(one.text for one in material.shown)))
    return None if near >= NEAR else "off_the_matter"


def _fault_of_answer(written: Written, material: Material) -> str | None:
    if not _borne(written, material):
        return "not_answerable"
    if material.on and material.on not in iso_dates(written.question):
        return "day_missing"
    if material.on and not _of_its_day(written, material):
        return "same_on_both_days"
    return "answer_in_question" if covered(shingles(written.answer), shingles(written.question)) > DOUBLE else None


def _of_its_day(written: Written, material: Material) -> bool:
    """Whether the answer follows the wording of its day where the two differ."""
    answer, own, other = (
        shingles(text)
        for text in (written.answer, material.passages[0].text, "\n".join(one.text for one in material.beside))
    )
    return len(answer & (own - other)) > len(answer & (other - own))


def leaks(question: str) -> bool:
    """Whether a question names the article or the case that answers it."""
    return bool(_NUMBERED.search(question)) or any(one.article or one.case_number for one in extract(question))


def _borne(written: Written, material: Material) -> bool:
    told = "\n".join([written.question, *(f"{one.label}\n{one.text}" for one in material.passages)])
    numbers = set(_NUMBER.findall(written.answer)) - set(_NUMBER.findall(told))
    return not numbers and covered(shingles(written.answer), shingles(told)) >= BORNE
