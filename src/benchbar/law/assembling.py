"""What all files hold, put together: one text of each law, no duplicates, nothing lost without a word."""

from __future__ import annotations

import re
from collections import defaultdict

import msgspec

from benchbar.law.dates import iso_dates
from benchbar.law.history import full_name
from benchbar.law.legal_texts import LegalTexts, Skipped
from benchbar.law.repealing import with_repeals
from benchbar.records import Article, Decision, LawVersion

_IN_FORCE = re.compile(r"自([^，。；\n]{6,20}日)起(?:施行|实施)")
_ON_PUBLICATION = re.compile(r"自(?:公布|发布|颁布|印发)之日起(?:施行|实施|生效)")
# A law says when it comes into force at its end; an earlier article with these words speaks of something
# else.
_LAST_ARTICLES = 3


def assemble(legal_texts: LegalTexts) -> LegalTexts:
    """The legal texts with each law and decision once, each article under its law, dates and repeals read from final articles.

    Skipped are a second document of the same id, articles of a law that no file describes, and an article whose number
    occurs twice in a law. An undated collection gives way to dated documents of the same laws: of its articles those are
    kept whose text differs.
    """
    skipped = list(legal_texts.skipped)
    versions = _unique_versions(legal_texts.versions, skipped)
    by_law = _articles_by_law(legal_texts.articles, versions, skipped)
    dated = {law_id: _dated(version, by_law.get(law_id, [])) for law_id, version in versions.items()}
    _drop_copies(dated, by_law, skipped)
    dated = with_repeals(dated, by_law)
    return LegalTexts(
        versions=list(dated.values()),
        articles=[article for law_id in dated for article in by_law.get(law_id, [])],
        decisions=_unique_decisions(legal_texts.decisions, skipped),
        skipped=skipped,
        understood=legal_texts.understood,
        claims=legal_texts.claims,
        as_of=legal_texts.as_of,
    )


def _unique_versions(versions: list[LawVersion], skipped: list[Skipped]) -> dict[str, LawVersion]:
    unique: dict[str, LawVersion] = {}
    for version in versions:
        # The first one read is kept and the second named: which is right cannot be told from the files.
        if version.law_id in unique:
            first = unique[version.law_id].source
            skipped.append(
                Skipped(file=version.source, reason=f"law_id {version.law_id} was already read from {first}")
            )
        else:
            unique[version.law_id] = version
    return unique


def _articles_by_law(
    articles: list[Article], versions: dict[str, LawVersion], skipped: list[Skipped]
) -> dict[str, list[Article]]:
    by_law: dict[str, list[Article]] = defaultdict(list)
    seen: dict[str, str] = {}
    orphans: dict[str, int] = defaultdict(int)
    for article in articles:
        if article.law_id not in versions:
            orphans[article.law_id] += 1
        elif article.id not in seen:
            seen[article.id] = article.text
            by_law[article.law_id].append(article)
        # The same text twice is a harmless copy, as where one file is part of another.
        elif seen[article.id] != article.text:
            source = versions[article.law_id].source
            skipped.append(Skipped(file=source, reason=f"article {article.id} stands in it twice: the first was kept"))
    for law_id, count in orphans.items():
        skipped.append(Skipped(file=law_id, reason=f"{count} articles of a law that no file describes"))
    return by_law


def _dated(version: LawVersion, articles: list[Article]) -> LawVersion:
    """The day in force as the law's own last articles give it, where the source did not."""
    # The day of adoption given as the first day in force is no better than none: the act itself may name a later one.
    if version.in_force and version.in_force != version.adopted:
        return version
    # From the end: the last of them is the closing provision.
    for article in reversed(articles[-_LAST_ARTICLES:]):
        for clause in _IN_FORCE.findall(article.text):
            days = iso_dates(clause)
            # An earlier day is when the act that it replaces came into force.
            if days and days[-1] >= version.adopted:
                return msgspec.structs.replace(version, in_force=days[-1], in_force_source="text")
        # Of a text that was amended the words are older than the amendment, whose day in force they do not give.
        if version.texts == 1 and version.adopted and _ON_PUBLICATION.search(article.text):
            return msgspec.structs.replace(version, in_force=version.adopted, in_force_source="text")
    return version


def _drop_copies(versions: dict[str, LawVersion], by_law: dict[str, list[Article]], skipped: list[Skipped]) -> None:
    texts: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    names = {law_id: full_name(version) for law_id, version in versions.items()}
    dated = {law_id for law_id, version in versions.items() if version.adopted or version.in_force}
    # Only undated collections give way, and only where a dated text of the law is there: it may hold an
    # article in its old wording, which stays.
    known = {names[law_id] for law_id in dated}
    copied: dict[str, list[int]] = defaultdict(list)
    for law_id in dated:
        for article in by_law.get(law_id, []):
            texts[names[law_id], article.number, article.sub].add(_bare(article.text))
    for law_id in [one for one in versions if one not in dated and names[one] in known]:
        articles = by_law.get(law_id, [])
        kept = [one for one in articles if _bare(one.text) not in texts[names[law_id], one.number, one.sub]]
        # Nothing in common: it is another law of the same name, or the only text of its articles.
        if len(kept) == len(articles):
            continue
        by_law[law_id] = kept
        copied[versions[law_id].source].append(len(articles) - len(kept))
        if kept:
            # What is left is a selection: an article that is not in it may well exist.
            versions[law_id] = msgspec.structs.replace(versions[law_id], complete=False)
        else:
            del versions[law_id]
    for source, counts in copied.items():
        reason = f"{sum(counts)} articles of {len(counts)} laws stand word for word in dated documents"
        skipped.append(Skipped(file=source, reason=reason))


def _bare(text: str) -> str:
    # Word for word, whatever the spaces and signs of the source.
    return re.sub(r"\W", "", text)


def _unique_decisions(decisions: list[Decision], skipped: list[Skipped]) -> list[Decision]:
    """By id, never by text alone: two cases may share every word but their numbers."""
    unique: dict[str, Decision] = {}
    for decision in decisions:
        first = unique.get(decision.id)
        if first is None:
            unique[decision.id] = decision
        elif first.text == decision.text:
            skipped.append(
                Skipped(file=decision.source, reason=f"{decision.id} is a copy of the one in {first.source}")
            )
        else:
            # Numbered instead of dropped: courts publish judgment and ruling of a case under one number.
            number = 2
            while f"{decision.id}#{number}" in unique:
                number += 1
            unique[f"{decision.id}#{number}"] = msgspec.structs.replace(decision, id=f"{decision.id}#{number}")
    return list(unique.values())
