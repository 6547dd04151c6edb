"""A corpus of law: acts with their editions, articles and decisions, from memory or from an index on disk."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchbar.languages.text import root_language, variant
from benchbar.law.access import Hidden, Rows, hidden, labels_of
from benchbar.law.assembling import assemble
from benchbar.law.authority import court_code, jurisdictions
from benchbar.law.history import Act, acts_of, languages_of
from benchbar.law.legal_texts import LegalTexts, Skipped
from benchbar.law.names import LawKey, is_short_for, law_key, same_key
from benchbar.law.splitting import article_pieces, decision_pieces
from benchbar.law.terms import document_frequencies, inverse_document_frequencies
from benchbar.law.topic import LawTerms, body_of
from benchbar.law.treatment.table import Treatments
from benchbar.records import Article, Decision, Law, LawVersion, Piece, Record, fingerprint
from benchbar.records.errors import BadInputError

if TYPE_CHECKING:
    from benchbar.law.recognition import Names

T = TypeVar("T", bound=Record)
_CODES_FROM = 5000
"""Decisions that are read for the codes of their courts."""
Buffer = bytes | memoryview


class PackedRows(Sequence[T], Generic[T]):
    """Records that lie one after the other in a buffer and are decoded when asked for."""

    # Rows are decoded when asked for: a corpus of a million decisions opens in milliseconds.
    def __init__(self, data: Buffer, offsets: NDArray[np.int64], kind: type[T]) -> None:
        """Row i is ``data[offsets[i]:offsets[i + 1]]``; n rows have n + 1 offsets."""
        self._data, self._offsets = data, offsets
        self._decode = msgspec.json.Decoder(kind).decode

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._offsets) - 1

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:  # type: ignore[override]
        """One row, or the rows of a slice."""
        if isinstance(index, slice):
            return [self._row(one) for one in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._row(index % len(self))

    def _row(self, index: int) -> T:
        return self._decode(self._data[self._offsets[index] : self._offsets[index + 1]])


@dataclass(frozen=True)
class Corpus:
    """Laws and decisions that citations are resolved against and that retrieval searches.

    Build one with ``from_folder`` or ``from_texts`` in memory, or ``open_index`` (``benchbar.law.index``) on disk.
    """

    versions: tuple[LawVersion, ...]
    articles: Sequence[Article]
    """All articles, those of a version next to each other and in its order."""
    decisions: Sequence[Decision]
    first_rows: dict[str, range]
    """law_id to the rows of ``articles`` that hold its articles."""
    case_rows: CaseRows
    claims: frozenset[str] = frozenset()
    """Levels of law that the corpus holds all of (``*``: all the law there is)."""
    as_of: str = ""
    """Last day (YYYY-MM-DD) that the corpus knows the law of; empty where no source says."""
    nicknames: dict[str, str] = field(default_factory=dict)
    """Further names that the user gave to laws, by what identifies them (``LawKey.core``)."""
    skipped: tuple[Skipped, ...] = ()
    identity: str = ""
    """Changes when, and only when, the content does; where the files lie does not count."""
    paths_in_identity: bool = False
    """Whether the paths of the files do count: so it was once, and runs and indexes made then are known by that."""
    frequencies: NDArray[np.uint32] | None = None
    decision_labels: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Access labels of decisions by row; those of acts stand in their versions."""
    read_treatments: Callable[[], Treatments] | None = None
    """Gives what an index keeps of the treatment of decisions; None where the decisions themselves are read."""

    @classmethod
    # A folder of one's own is written for a test or a matter and held to be whole; indexes say what they
    # claim.
    def from_folder(cls, path: Path | str, *, claims: frozenset[str] = frozenset({"*"})) -> Corpus:
        """The corpus of a folder of acts (``acts/*.md``) and decisions (``decisions.jsonl``), in memory.

        Such a folder is taken to hold all the law of its jurisdiction, so that a law not in it does not exist; give
        other ``claims`` where it does not.

        Raises:
            BadInputError: there is no such folder, or one of its files cannot be read.
        """
        from benchbar.law.reading import files_under, read_file

        folder = Path(path)
        if not folder.is_dir():
            raise BadInputError("there is no such folder of acts and decisions", file=folder)
        legal_texts = LegalTexts(claims=claims)
        for file in files_under([folder]):
            legal_texts.extend(read_file(file))
        # A fault in a small folder is its author's to mend; an index names what it skipped and goes on.
        if legal_texts.skipped:
            raise BadInputError(legal_texts.skipped[0].reason, file=legal_texts.skipped[0].file)
        return cls.from_texts(legal_texts)

    @classmethod
    def from_texts(cls, legal_texts: LegalTexts) -> Corpus:
        """The corpus of what was read, assembled in memory."""
        whole = assemble(legal_texts)
        rows: dict[str, range] = {}
        start = 0
        # Articles of a version lie next to each other after assembling, so that a range is enough.
        for end in range(1, len(whole.articles) + 1):
            if end == len(whole.articles) or whole.articles[end].law_id != whole.articles[start].law_id:
                rows[whole.articles[start].law_id] = range(start, end)
                start = end
        return cls(
            versions=tuple(whole.versions),
            articles=tuple(whole.articles),
            decisions=tuple(whole.decisions),
            first_rows=rows,
            case_rows=CaseRows.of(whole.decisions),
            claims=whole.claims,
            as_of=whole.as_of,
            skipped=tuple(whole.skipped),
            identity=fingerprint([_placeless(whole.versions), whole.articles, _placeless(whole.decisions)]),
            decision_labels=labels_of(whole.decisions),
        )

    def hidden_from(self, labels: Iterable[str]) -> Hidden:
        """The documents that somebody with these labels must not see."""
        return hidden(self.versions, self.decision_labels, labels)

    def visible_to(self, labels: Iterable[str]) -> Corpus:
        """The corpus of the documents all of whose labels are among these; the same one where that is all of it."""
        away = self.hidden_from(labels)
        if not away:
            return self
        versions = tuple(one for one in self.versions if one.law_id not in away.laws)
        first_rows: dict[str, range] = {}
        kept: list[range] = []
        start = 0
        for law_id, rows in self.first_rows.items():
            if law_id not in away.laws:
                kept.append(rows)
                first_rows[law_id] = range(start, start + len(rows))
                start += len(rows)
        articles = np.concatenate([np.arange(one.start, one.stop) for one in kept]) if kept else np.zeros(0, np.int64)
        decisions = np.setdiff1d(np.arange(len(self.decisions)), np.array(away.decisions, dtype=np.int64))
        return replace(
            self,
            versions=versions,
            articles=Rows(self.articles, articles),
            decisions=Rows(self.decisions, decisions),
            first_rows=first_rows,
            case_rows=self.case_rows.of_rows(decisions),
            # What was skipped names files, and says what is in them.
            skipped=(),
            identity=fingerprint([self.identity, sorted(away.laws), away.decisions]),
            decision_labels={},
            # What a decision that is closed says of an open one is closed too.
            read_treatments=lambda: self.treatments.of_rows(decisions.tolist()),
        )

    def known_by_paths(self) -> Corpus:
        """The same corpus with the identity that holds the paths of its files, for a run that was begun with it."""
        if self.paths_in_identity:
            return self
        # Of an index this decodes every article; only runs of before that are continued pay for it.
        identity = fingerprint([self.versions, list(self.articles), list(self.decisions)])
        return replace(self, identity=identity, paths_in_identity=True)

    def with_nicknames(self, nicknames: Mapping[str, str]) -> Corpus:
        """The same corpus, in which further names, as people write them, mean the laws they are given for."""
        more = {law_key(name).core: law for name, law in nicknames.items()}
        if not more:
            return self
        # Other names give other statuses: a run must see that its law changed.
        return replace(self, nicknames=self.nicknames | more, identity=fingerprint([self.identity, more]))

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """The acts with their editions."""
        return tuple(acts_of(self.versions))

    @cached_property
    def laws(self) -> tuple[Law, ...]:
        """The acts as records."""
        return tuple(
            Law(
                name=act.name,
                short_names=act.latest.versions[0].short_names,
                jurisdiction=act.latest.versions[0].jurisdiction,
                level=act.latest.versions[0].level,
                versions=tuple(version for edition in act.editions for version in edition.versions),
            )
            for act in self.acts
        )

    @cached_property
    def by_id(self) -> dict[str, LawVersion]:
        """law_id to version."""
        return {version.law_id: version for version in self.versions}

    @cached_property
    def treatments(self) -> Treatments:
        """What became of its decisions, and of others that they name."""
        return self.read_treatments() if self.read_treatments else Treatments.of(self.decisions)

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages of its laws and decisions."""
        if self.versions:
            return languages_of(self.versions)
        # Without laws there are only decisions, and the readers of decisions are Chinese.
        return frozenset({"zh"})

    @cached_property
    def jurisdictions(self) -> frozenset[str]:
        """The countries that its laws name."""
        return jurisdictions(version.jurisdiction for version in self.versions)

    @cached_property
    def court_codes(self) -> frozenset[str]:
        """The codes of courts in the numbers of its decisions: ``ADSC``, 澜."""
        # Of a million decisions some thousands tell which courts they are of; all would take minutes to decode.
        step = max(1, len(self.decisions) // _CODES_FROM)
        rows = (self.decisions[at] for at in range(0, len(self.decisions), step))
        return frozenset(filter(None, (court_code(one.case_number) for one in rows)))

    @cached_property
    def variants(self) -> frozenset[str]:
        """The variants of its languages that its laws are written in: ``zh`` and not ``zh-Hant``."""
        return frozenset(variant(one.name, root_language(one.name)) for one in self.versions) or self.languages

    @cached_property
    def _acts_by_core(self) -> dict[str, tuple[Act, ...]]:
        by_core: dict[str, list[Act]] = defaultdict(list)
        for act in self.acts:
            for name in _names(act):
                core = law_key(name).core
                if act not in by_core[core]:
                    by_core[core].append(act)
        return {core: tuple(acts) for core, acts in by_core.items()}

    @cached_property
    def names_by_core(self) -> dict[str, str]:
        # A name's core may be that of several acts; which one is meant is decided by number, issuer and kind.
        """What identifies each act (``LawKey.core``) to its full name."""
        return {act.key.core: act.name for act in self.acts}

    @cached_property
    def known_names(self) -> frozenset[str]:
        """Full and short names, for extraction to know names that stand without brackets."""
        names = {name for act in self.acts for name in _names(act)}
        # With and without the republic's name, as texts write both.
        return frozenset(names | {name.removeprefix("中华人民共和国") for name in names})

    def meant(self, name: str) -> str:
        """The law's name that the user said this one stands for; the name itself where nothing was said."""
        return self.nicknames.get(law_key(name).core, name)

    def day_of_today(self, today: str) -> str:
        """The day for matters without one: today, or the last day that the corpus knows where that is earlier."""
        return min(today, self.as_of) if self.as_of else today

    def acts_named(self, name: str) -> tuple[Act, ...]:
        """The acts that a name may mean: none, one, or several of the same name."""
        return self._looked_up(name)

    @cached_property
    def _looked_up(self) -> Callable[[str], tuple[Act, ...]]:
        """Texts name the same few laws over and over."""
        # Four thousand names are more than any text has.
        return lru_cache(maxsize=1 << 12)(self._acts_named)

    def _acts_named(self, name: str) -> tuple[Act, ...]:
        key = law_key(self.meant(name))
        found = self._acts_by_core.get(key.core, ())
        exact = tuple(act for act in found if is_named(act, key))
        # A number that does not fit is another interpretation, not this one.
        if exact or (found and key.number is not None):
            return exact
        # 婚姻家庭编解释 without its number: fine where there is one, ambiguous where there are more.
        alike = tuple(act for act in found if act.key.kind == key.kind)
        return alike or tuple(act for act in self.acts if is_short_for(key, name, act.key, act.name))

    @cached_property
    def names(self) -> Names:
        """The names of laws held or known, for likenesses of a name that is neither."""
        from benchbar.law.recognition import Names

        return Names.of(self.names_by_core)

    def rows_of(self, law_id: str) -> range:
        """The rows of ``articles`` that hold the articles of a version; empty where it has none."""
        return self.first_rows.get(law_id, range(0))

    @cached_property
    def _numbers(self) -> dict[str, dict[tuple[str, str], int]]:
        return {}

    def row(self, law_id: str, number: str, sub: str = "") -> int | None:
        """The row of an article of a version."""
        return self.rows_by_number(law_id).get((number, sub))

    def rows_by_number(self, law_id: str) -> dict[tuple[str, str], int]:
        """The rows of the articles of a version by number and sub-number."""
        numbers = self._numbers.get(law_id)
        if numbers is None:
            rows = self.rows_of(law_id)
            numbers = {
                # Numbers of one law at a time: a table for all the law of a country would take longer to build than
                # most checks.
                (one.number, one.sub): row
                for row, one in zip(rows, self.articles[rows.start : rows.stop], strict=True)
            }
            self._numbers[law_id] = numbers
        return numbers

    @cached_property
    def _terms(self) -> dict[str, LawTerms]:
        return {}

    def terms_of(self, law_id: str) -> LawTerms:
        """The terms of the articles of a version, counted when they are first asked for."""
        found = self._terms.get(law_id)
        if found is None:
            rows = self.rows_of(law_id)
            found = LawTerms(map(body_of, self.articles[rows.start : rows.stop]), self.idf)
            self._terms[law_id] = found
        return found

    def article(self, article_id: str) -> Article | None:
        """The article of an id such as ``civil-2020#12`` or ``L0091#133-1``."""
        law_id, _, label = article_id.rpartition("#")
        number, _, sub = label.partition("-")
        row = self.row(law_id, number, sub)
        return None if row is None else self.articles[row]

    def find_articles(self, name: str, number: str, sub: str = "") -> list[Article]:
        """The articles of that number in every edition of the acts of that name, the latest edition first."""
        found: list[Article] = []
        for act in self.acts_named(name):
            for edition in reversed(act.editions):
                for version in edition.versions:
                    row = self.row(version.law_id, number, sub)
                    if row is not None:
                        found.append(self.articles[row])
        return found

    def decision(self, case_number: str) -> Decision | None:
        """The decision of that number, in the form extraction gives it."""
        for row in self.case_rows.rows(case_number):
            decision = self.decisions[row]
            # The hash only finds candidates.
            if case_number in (decision.case_number, *decision.also, decision.id):
                return decision
        return None

    def pieces(self) -> Iterator[Piece]:
        """What a search index holds: every article, then every decision, long ones in overlapping pieces."""
        for version in self.versions:
            for row in self.rows_of(version.law_id):
                article = self.articles[row]
                if article.text:
                    yield from article_pieces(article, version.name)
        for decision in self.decisions:
            yield from decision_pieces(decision)

    @cached_property
    def idf(self) -> NDArray[np.float32]:
        """What each hashed term weighs by its rarity among the articles."""
        counts = self.frequencies
        if counts is None:
            counts = document_frequencies(article.text for article in self.articles)
        return inverse_document_frequencies(counts, len(self.articles))


Source = TypeVar("Source", LawVersion, Decision)


def _placeless(records: Sequence[Source]) -> list[Source]:
    """The records without the files they were read from: a run goes on in another checkout with the same law."""
    return [msgspec.structs.replace(one, source="") for one in records]


def is_named(act: Act, key: LawKey) -> bool:
    """Whether an act goes by exactly this name, with its number and issuer."""
    return any(same_key(law_key(one), key) for one in _names(act))


def _names(act: Act) -> list[str]:
    names: dict[str, None] = {}
    for edition in act.editions:
        for version in edition.versions:
            names |= dict.fromkeys((version.name, *version.short_names))
            # Федеральный закон № 218-ФЗ «О регистрации…» goes by its number and by its title.
            if title := re.search(r"закон\w{0,2}\s[^«]{0,60}«([^»]{3,200})»", version.name, re.IGNORECASE):
                names[f"закон {title[1]}"] = None
    return list(names)


@dataclass(frozen=True, slots=True)
class CaseRows:
    """Case numbers by hash: sorted 64-bit hashes, and the row of each."""

    # Hashes and not names: a million numbers lie in 16 MB that are mapped, not read.
    hashes: NDArray[np.uint64]
    numbers: NDArray[np.int64]

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> CaseRows:
        """The table of all numbers of all decisions."""
        pairs = sorted(
            (case_hash(name), row)
            for row, one in enumerate(decisions)
            for name in {one.id, one.case_number, *one.also} - {""}
        )
        return cls(
            np.array([pair[0] for pair in pairs], dtype=np.uint64),
            np.array([pair[1] for pair in pairs], dtype=np.int64),
        )

    def of_rows(self, rows: NDArray[np.int64]) -> CaseRows:
        """The table of some rows alone, numbered by their place among them."""
        place = np.searchsorted(rows, self.numbers)
        there = (place < len(rows)) & (np.append(rows, -1)[place] == self.numbers)
        return CaseRows(self.hashes[there], place[there])

    def rows(self, case_number: str) -> list[int]:
        """The rows whose hash is that of the number; the caller compares the number itself."""
        wanted = np.uint64(case_hash(case_number))
        at = bisect_left(self.hashes, wanted)
        found = []
        while at < len(self.hashes) and self.hashes[at] == wanted:
            found.append(int(self.numbers[at]))
            at += 1
        return found


def case_hash(case_number: str) -> int:
    """A 64-bit hash that stays the same between runs."""
    # Not hash(): it changes from process to process, and these lie on disk.
    return int.from_bytes(hashlib.blake2b(case_number.encode(), digest_size=8).digest())
