"""Acts through time: their editions, since when and until when each is in force, and what took their place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib import resources

import msgspec

from benchbar.languages.text import root_language
from benchbar.law.dates import day_before
from benchbar.law.names import LawKey, law_key, same_key
from benchbar.records import LawVersion, Record
from benchbar.records.disjoint_sets import DisjointSets


class Repeal(Record, frozen=True):
    """An act known to be repealed, whether or not a corpus holds its text."""

    name: str
    until: str
    by: str
    jurisdiction: str = "CN"


@cache
# Acts that the Civil Code and other codes repealed: old answers cite them, and a corpus of today's law
# does not hold them.
def known_repeals() -> dict[str, tuple[Repeal, ...]]:
    """The acts of ``data/repealed.jsonl`` by the core of their name."""
    data = resources.files("benchbar.law").joinpath("data", "repealed.jsonl").read_bytes()
    by_core: dict[str, tuple[Repeal, ...]] = {}
    for line in data.splitlines():
        repeal = msgspec.json.decode(line, type=Repeal)
        core = law_key(repeal.name).core
        by_core[core] = (*by_core.get(core, ()), repeal)
    return by_core


def find_repeal(name: str) -> Repeal | None:
    """The repeal of the act of that name, if it is a known one."""
    key = law_key(name)
    return next((one for one in known_repeals().get(key.core, ()) if same_key(law_key(one.name), key)), None)


# The longest wait between adoption and entry into force in the compilation at hand is 371 days (增值税法); Russian codes
# waited up to 13 months.
_LONGEST_WAIT = timedelta(days=400)


# Every check of a citation asks, and the days of a corpus are few.
@cache
def _latest_start(adopted: str) -> str:
    """The day from which a text adopted on a day is taken to be in force, where no source says since when it is."""
    return (date.fromisoformat(adopted) + _LONGEST_WAIT).isoformat()


@dataclass(frozen=True, slots=True)
class Edition:
    """The text of an act in one period: one document, or one for each book."""

    versions: tuple[LawVersion, ...]
    in_force: str
    """First day in force; empty where only the day of adoption is known."""
    until: str
    """Last day in force; empty while in force, or where it is unknown."""
    expired: bool
    superseded_by: str = ""
    """law_id of the edition, or law_id or name of the act, that took its place."""
    adopted: str = ""
    """Day of adoption: before it the text was certainly not in force."""
    replacement_adopted: str = ""
    """Day of adoption of what took its place, where the first day of that is unknown: until then it certainly stood."""

    @property
    def law_id(self) -> str:
        """The id of the (first) document."""
        return self.versions[0].law_id

    @property
    def complete(self) -> bool:
        """Whether an article that is not in it does not exist."""
        return any(version.complete for version in self.versions)

    # Days compare as text, since all are YYYY-MM-DD.
    def holds_on(self, day: str) -> bool | None:
        """Whether it is in force on a day (YYYY-MM-DD); None where the source does not tell."""
        if day < self.begins or (self.until and day > self.until):
            return False
        replaced = self.replacement_adopted
        if not self.until and replaced and day >= _latest_start(replaced):
            return False
        unsure_of_start = not self.in_force and self.adopted and day < _latest_start(self.adopted)
        # Expired without a day: when is not known, so neither yes nor no.
        unsure_of_end = not self.until and (day >= replaced if replaced else self.expired)
        return None if unsure_of_start or unsure_of_end else True

    def stands_on(self, day: str) -> bool:
        """Whether it is to be used on a day: it holds, or it may and nothing is known to have ended it."""
        holds = self.holds_on(day)
        return holds is True or (holds is None and not self.expired)

    @property
    def begins(self) -> str:
        """Before this day it was certainly not in force; empty where nothing is known."""
        return self.in_force or self.adopted


@dataclass(frozen=True, slots=True)
class Act:
    """An act with its editions, the earliest first."""

    name: str
    key: LawKey
    editions: tuple[Edition, ...]
    since: str
    other_texts: bool = False
    """The act has had texts that are not among its editions."""

    @property
    def latest(self) -> Edition:
        """The last edition."""
        return self.editions[-1]


def acts_of(versions: Sequence[LawVersion]) -> list[Act]:
    """The versions grouped into acts (same full name, or linked by ``supersedes``) with their periods worked out."""
    groups = _groups(versions)
    replaced_by = {old: version for version in versions for old in version.repeals}
    cores = {law_key(name).core for version in versions for name in (version.name, *version.short_names)}
    return [_act(group, replaced_by, cores) for group in groups]


def _groups(versions: Sequence[LawVersion]) -> list[list[LawVersion]]:
    acts = DisjointSets()
    for version in versions:
        # Jurisdiction and name: 公司法 of two countries are two acts.
        acts.join("id:" + version.law_id, f"name:{version.jurisdiction}:{full_name(version)}")
        if version.supersedes:
            acts.join("id:" + version.supersedes, "id:" + version.law_id)
    groups: dict[str, list[LawVersion]] = defaultdict(list)
    for version in versions:
        groups[acts.root("id:" + version.law_id)].append(version)
    return list(groups.values())


def full_name(version: LawVersion) -> str:
    """The full name without brackets, spaces and the note of its part; one for all versions of an act."""
    # Spaces and brackets differ between sources of the same text.
    name = re.sub(r"[《》〈〉<>\s]|\((?:часть|ч\.)[^)]*\)", "", version.name).lower()
    return name.replace("(", "（").replace(")", "）").replace("中华人民共和国", "")


def _act(group: list[LawVersion], replaced_by: dict[str, LawVersion], cores: set[str]) -> Act:
    ordered = sorted(group, key=lambda one: (one.in_force or one.adopted, one.law_id))
    sets = _by_part([one for one in ordered if not _is_fragment(one)])
    fragments = [one for one in ordered if _is_fragment(one)]
    # Fragments belong to the last edition: gold articles of a data set are mostly of the law in force.
    sets = [*sets[:-1], sets[-1] + fragments] if sets else [fragments]
    editions: list[Edition] = []
    for index, documents in enumerate(sets):
        following = sets[index + 1] if index + 1 < len(sets) else None
        editions.append(_edition(documents, following, replaced_by, cores))
    since = min((day for one in group for day in (one.since, one.in_force, one.adopted) if day), default="")
    latest = editions[-1].versions[0]
    listed = max(one.texts for one in group)
    other_texts = listed > len(editions) if listed else since < (editions[0].adopted or editions[0].in_force)
    return Act(latest.name, law_key(latest.name), tuple(editions), since, other_texts)


def _is_fragment(version: LawVersion) -> bool:
    """Single articles without a date: they stand with the latest edition, whose documents are asked first."""
    return not (version.complete or version.in_force or version.adopted or version.part)


def _by_part(ordered: list[LawVersion]) -> list[list[LawVersion]]:
    """The books of a code stand together; the n-th text of the same book opens the n-th edition."""
    sets: list[list[LawVersion]] = []
    seen: dict[str, int] = defaultdict(int)
    for version in ordered:
        if not version.part:
            sets.append([version])
            continue
        index = seen[version.part]
        seen[version.part] += 1
        books = [one for one in sets if one[0].part]
        if index < len(books):
            books[index].append(version)
        else:
            sets.append([version])
    return sets


# Periods follow from the next edition's beginning where the source gives no end.
def _edition(
    documents: list[LawVersion],
    following: list[LawVersion] | None,
    replaced_by: dict[str, LawVersion],
    cores: set[str],
) -> Edition:
    in_force = min((one.in_force for one in documents if one.in_force), default="")
    adopted = min((one.adopted for one in documents if one.adopted), default="")
    replacement_adopted = ""
    until = max((one.until for one in documents), default="")
    expired = any(one.expired for one in documents) or bool(until)
    superseded_by = ""
    repealing = next(
        (replaced_by[key] for one in documents for key in (one.law_id, one.name) if key in replaced_by), None
    )
    if following:
        start = min((one.in_force for one in following if one.in_force), default="")
        superseded_by, expired = following[0].law_id, True
        # An edition that begins with its successor, or after it, has dates that cannot be relied on.
        until = until or (day_before(start) if start and start > (in_force or adopted) else "")
        if not start:
            replacement_adopted = min((one.adopted for one in following if one.adopted), default="")
    elif repealing:
        superseded_by, expired = repealing.law_id, True
        until = until or (day_before(repealing.in_force) if repealing.in_force else "")
        replacement_adopted = repealing.adopted if not repealing.in_force else ""
    elif (repeal := find_repeal(documents[0].name)) and (expired or law_key(repeal.by).core in cores):
        # The corpus is the authority on the acts it holds; one that holds the successor knows of the repeal.
        until, superseded_by, expired = until or repeal.until, repeal.by, True
    return Edition(tuple(documents), in_force, until, expired, superseded_by, adopted, replacement_adopted)


def languages_of(versions: Iterable[LawVersion]) -> frozenset[str]:
    """The languages that the names of the laws are in, whatever their variant."""
    return frozenset(root_language(version.name) for version in versions)
