"""Retrieved passages held against the evidence of a question: measures that need no model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from benchbar.records import ContextPassage, Sample
from benchbar.records.protocols import Documents
from benchbar.statistics.retrieval import (
    Span,
    average_precision,
    normalised_discounted_gain,
    recall_at,
    reciprocal_rank,
    span_precision,
    span_recall,
)

CUTS = (1, 3, 5, 10)
BY_STORE = {"law": (1, 3), "practice": (1, 5)}
"""Cuts of the recall within one store: stores that are fused by weight follow one another, and who looks at the first passage
alone sees which store leads, not how well either was searched."""
_WITHIN = tuple(f"{store}_recall@{k}" for store, cuts in BY_STORE.items() for k in cuts)
MEASURES = (*(f"recall@{k}" for k in CUTS), *_WITHIN, "mrr", "ndcg@10", "map", "span_precision", "span_recall")
_SPAN = re.compile(r"^(?P<name>.+)@(?P<start>\d{1,9})-(?P<end>\d{1,9})$")
_SHORTEST = 4
"""Characters of a line below which finding it in a document says nothing."""


def passage_measures(
    sample: Sample, contexts: Sequence[ContextPassage] | None, documents: Documents | None
) -> dict[str, float | None]:
    """Each measure of one answer's passages, from 0 to 1; None where passages or evidence are unknown."""
    if contexts is None or not sample.evidence:
        return dict.fromkeys(MEASURES)
    wanted = [_name(entry) for entry in sample.evidence]
    ranking = _as_named(contexts, wanted, documents)
    gains = {_name(entry): sample.gains.get(entry, 1.0) for entry in sample.evidence}
    found: dict[str, float | None] = {f"recall@{k}": recall_at(ranking, wanted, k) for k in CUTS}
    found |= {
        "mrr": reciprocal_rank(ranking, wanted),
        "ndcg@10": normalised_discounted_gain(ranking, gains, 10),
        "map": average_precision(ranking, wanted),
    }
    found |= _by_store(contexts, wanted, documents)
    relevant = _evidence_spans(sample.evidence, documents)
    if documents is None or relevant is None:
        return found | {"span_precision": None, "span_recall": None}
    bearing = {id_: _chosen(name, documents) for name in wanted for id_ in documents.named(name)}
    retrieved = [span for passage in contexts for span in _passage_spans(passage, bearing, documents)]
    return found | {
        "span_precision": span_precision(retrieved, relevant),
        "span_recall": span_recall(retrieved, relevant),
    }


def retrieved_evidence(sample: Sample, ids: Sequence[str], documents: Documents | None) -> list[str]:
    """The entries of a question's evidence that are among documents; another edition of an article is the same one."""
    there = {one for id_ in ids for one in _named(id_, documents)}
    return [entry for entry in sample.evidence if _named(_name(entry), documents) & there]


def _by_store(
    contexts: Sequence[ContextPassage], wanted: Sequence[str], documents: Documents | None
) -> dict[str, float | None]:
    """Recall among the passages of one store, of the evidence in it; None where no evidence is known to be in it."""
    if documents is None:
        return dict.fromkeys(_WITHIN)
    found: dict[str, float | None] = {}
    for store, cuts in BY_STORE.items():
        own = [name for name in wanted if any(documents.store(one) == store for one in documents.named(name))]
        there = [one for one in contexts if any(documents.store(id_) == store for id_ in documents.named(one.id))]
        ranking = _as_named(there, own, documents)
        found |= {f"{store}_recall@{k}": recall_at(ranking, own, k) if own else None for k in cuts}
    return found


def _name(entry: str) -> str:
    """The document of an entry of evidence, without its characters."""
    match = _SPAN.match(entry)
    return match["name"] if match else entry


def _named(name: str, documents: Documents | None) -> frozenset[str]:
    return (documents.named(name) if documents else frozenset()) or frozenset({name})


def _as_named(contexts: Sequence[ContextPassage], wanted: Sequence[str], documents: Documents | None) -> list[str]:
    """The ranking with documents of the evidence under their names there; another edition of an article is the same one."""
    meant = {name: _named(name, documents) for name in wanted}
    ranking = []
    for passage in contexts:
        own = _named(passage.id, documents)
        # A NUL cannot stand in an id, so a passage outside of the evidence never matches by accident.
        ranking.append(next((name for name, ids in meant.items() if own & ids), f"\0{passage.id}"))
    return ranking


def _evidence_spans(evidence: Sequence[str], documents: Documents | None) -> list[Span] | None:
    """The characters that bear the answer: those that are named, else whole documents; None where a document is unknown."""
    spans: list[Span] = []
    for entry in evidence:
        document = _chosen(_name(entry), documents) if documents else ""
        text = documents.text(document) if documents else None
        if text is None:
            return None
        match = _SPAN.match(entry)
        start, end = (int(match["start"]), int(match["end"])) if match else (0, len(text))
        spans.append((document, min(start, len(text)), min(end, len(text))))
    return spans


def _chosen(name: str, documents: Documents) -> str:
    """Of the editions that a name may mean, the one whose characters are counted."""
    # Any edition would do, as long as it is the same one each time.
    return min(documents.named(name), default=name)


def _passage_spans(passage: ContextPassage, bearing: Mapping[str, str], documents: Documents) -> list[Span]:
    """Where the lines of a passage stand in its document; all of the passage where the document is not known.

    In another edition of an article that bears the answer, lines that both have are the same ones. A head that was put
    before the text (citation, case number) stands in no document, and counts for nothing.
    """
    own = _chosen(passage.id, documents)
    texts = {place: documents.text(place) or "" for place in (bearing.get(own, own), own)}
    if not any(texts.values()):
        return [(f"\0{passage.id}", 0, len(passage.text))]
    lines = (line.strip().rstrip("…") for line in passage.text.splitlines())
    return [span for line in lines if len(line) >= _SHORTEST for span in _first_place(line, texts)]


def _first_place(line: str, texts: Mapping[str, str]) -> list[Span]:
    """With the white space after it, so that lines of one passage touch as they do in the document."""
    for document, text in texts.items():
        at = text.find(line)
        if at >= 0:
            end = at + len(line)
            return [(document, at, end + len(text[end:]) - len(text[end:].lstrip()))]
    return []
