"""An index made again from the paths that it was made from, and what is different since."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

from benchbar.law.corpus import Corpus
from benchbar.law.index import IndexReport, build_index, made_from, open_index
from benchbar.records import Record

Texts = dict[str, dict[str, bytes]]
"""law_id to the digests of its articles by id; the decisions stand under the empty law_id."""


class DocumentUpdate(Record, frozen=True):
    """An act, or all decisions together, that is not as it was."""

    law: str
    """Name of the act; ``decisions``."""
    law_id: str
    status: Literal["new", "gone", "changed"]
    added: int
    removed: int
    changed: int
    """Articles, or decisions."""


class UpdateReport(Record, frozen=True):
    """What ``law update`` prints."""

    index: IndexReport
    updates: tuple[DocumentUpdate, ...]


def update_index(out: Path, *, progress: Callable[[Sequence[Path]], Iterable[Path]] = iter) -> UpdateReport:
    """Make an index again from the paths, claims and day that it was made with.

    Raises:
        BadInputError: there is no index, it was made before its paths were kept, or one of them is not there any more.
    """
    settings = made_from(out)
    before = open_index(out)
    names, old = _names(before), _texts(before)
    report = build_index(
        [Path(one) for one in settings.paths],
        out,
        claims=frozenset(settings.claims),
        as_of=settings.as_of,
        ocr=settings.ocr,
        progress=progress,
    )
    after = open_index(out)
    return UpdateReport(index=report, updates=tuple(_updates(old, _texts(after), names | _names(after))))


def _names(corpus: Corpus) -> dict[str, str]:
    return {one.law_id: one.name for one in corpus.versions} | {"": "decisions"}


def _texts(corpus: Corpus) -> Texts:
    """Digests and not texts: two whole corpora would lie in memory."""
    found: Texts = {}
    for version in corpus.versions:
        found[version.law_id] = {}
    found[""] = {}
    for article in corpus.articles:
        found[article.law_id][article.id] = _digest(article.text)
    for decision in corpus.decisions:
        found[""][decision.id] = _digest(decision.text)
    return found


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _updates(old: Texts, new: Texts, names: dict[str, str]) -> Iterable[DocumentUpdate]:
    for law_id in dict.fromkeys((*old, *new)):
        before, after = old.get(law_id, {}), new.get(law_id, {})
        if law_id in old and law_id in new and before == after:
            continue
        yield DocumentUpdate(
            law=names[law_id],
            law_id=law_id,
            status="changed" if law_id in old and law_id in new else "new" if law_id in new else "gone",
            added=len(after.keys() - before.keys()),
            removed=len(before.keys() - after.keys()),
            changed=sum(before[one] != after[one] for one in before.keys() & after.keys()),
        )
