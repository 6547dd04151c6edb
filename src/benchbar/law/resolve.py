"""One citation held against a corpus: which act or decision is meant, and what stands there on the day."""

from __future__ import annotations

import re
from dataclasses import replace

from benchbar.law.absence import unknown_decision, unknown_law
from benchbar.law.authority import foreign_country
from benchbar.law.corpus import Corpus
from benchbar.law.editions import in_act
from benchbar.law.finding import MAY_CHANGE, Finding
from benchbar.law.history import Act
from benchbar.law.mention import NOWHERE, Mention, Surroundings
from benchbar.law.scripts import held_script, in_root_script
from benchbar.law.treatment.table import said_of, standing
from benchbar.records import CitationStatus

_BOOK = re.compile(r"(.*法典)(?:总则|物权|合同|人格权|婚姻家庭|继承|侵权责任|附则)编?$")


def resolve(mention: Mention, corpus: Corpus, *, on: str, around: Surroundings = NOWHERE) -> Finding:
    """What the corpus says about a mention on a day (YYYY-MM-DD), given what the text around it speaks of."""
    found = _resolve(mention, corpus, on, around)
    if corpus.as_of and on > corpus.as_of and found.status in MAY_CHANGE:
        reason = f"the corpus ends on {corpus.as_of}: what it holds may have changed since"
        return replace(found, status=CitationStatus.AFTER_SNAPSHOT, reason=reason, in_force=None, unknown_name=None)
    return found


def _resolve(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
    if mention.case_number:
        return _decision(mention, corpus, on, around)
    if not mention.names:
        return Finding(CitationStatus.AMBIGUOUS, "the text does not say of which law")
    acts = _acts(mention, corpus)
    if not acts and (plain := held_script(mention, corpus, around)):
        return _as_written(_resolve(plain, corpus, on, around), mention, corpus)
    if country := foreign_country(mention, around, corpus.jurisdictions, held=bool(acts)):
        return Finding(CitationStatus.OUTSIDE_CORPUS, f"law of {country}: the corpus holds none of it", country=country)
    if not acts:
        return unknown_law(mention, corpus, on, around)
    findings = [in_act(act, mention, corpus, on) for act in acts]
    # One act in which the article stands decides between acts of one name.
    best = [one for one in findings if one.status is CitationStatus.VERIFIED] or findings
    if mention.document_number:
        best = [_numbered(one, mention, acts) for one in best]
    if len({one.law_id for one in best}) > 1:
        names = "; ".join(sorted({act.name for act in acts}))
        return Finding(CitationStatus.AMBIGUOUS, f"several laws go by that name: {names}")
    return best[0]


def _as_written(found: Finding, mention: Mention, corpus: Corpus) -> Finding:
    """What was found under the name in the corpus' script: it says so, and accuses nobody."""
    acts = corpus.acts_named(in_root_script(mention.names))
    name = acts[0].name if acts else in_root_script(mention.names)
    script = f"the name is in traditional script: taken as {name}"
    status = CitationStatus.CANNOT_TELL if found.status is CitationStatus.NO_SUCH_ARTICLE else found.status
    return replace(found, status=status, reason="; ".join(one for one in (script, found.reason) if one))


def _acts(mention: Mention, corpus: Corpus) -> tuple[Act, ...]:
    acts = corpus.acts_named(mention.names)
    if len(acts) > 1 and mention.year:
        # A year in the name tells acts of one name apart; elsewhere it is the edition's.
        acts = tuple(act for act in acts if mention.year in act.name) or acts
    book = _BOOK.match(mention.names)
    return acts or (corpus.acts_named(book[1]) if book else ())


def _numbered(found: Finding, mention: Mention, acts: tuple[Act, ...]) -> Finding:
    """The finding with the number of the document, whose year alone can be held against the texts at hand."""
    found = replace(found, unchecked=(*found.unchecked, "document_number"))
    year = re.search(r"(?:19|20)\d\d", mention.document_number)
    versions = [version for act in acts for edition in act.editions for version in edition.versions]
    years = {int(day[:4]) for one in versions for day in (one.adopted, one.in_force, one.since) if day}
    # Adopted in December and numbered in January: a year more or less proves nothing.
    if found.status is not CitationStatus.VERIFIED or not year or not years:
        return found
    if any(abs(int(year[0]) - one) <= 1 for one in years):
        return found
    known = ", ".join(map(str, sorted(years)))
    reason = f"the number beside the title is of {year[0]}; the texts at hand are of {known}"
    return replace(found, status=CitationStatus.CANNOT_TELL, reason=reason)


def _decision(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
    decision = corpus.decision(mention.case_number)
    treated = standing(corpus.treatments.of_decision(decision, mention.case_number), on)
    if decision is None and treated is None:
        return unknown_decision(mention, corpus, around)
    document, court = (decision.id, decision.court) if decision else (None, "")
    reason = said_of(treated) if treated else ""
    status, in_force = CitationStatus.VERIFIED, True
    later = None
    # Before the day of the later decision the earlier one still stood.
    if treated and treated.ends:
        status, in_force, later = CitationStatus.NOT_IN_FORCE, False, treated.by
    elif decision is None:
        reason = f"the corpus holds a decision that names it, and not it itself; {reason}"
        return Finding(CitationStatus.OUTSIDE_CORPUS, reason, treatment=treated)
    return Finding(
        status,
        reason,
        in_force=in_force,
        superseded_by=later,
        document=document,
        court=court,
        treatment=treated,
    )
