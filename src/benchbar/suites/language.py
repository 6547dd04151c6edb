"""Tells the language of a suite's samples from their texts, where nobody stated it, and notices where what is stated is wrong.

The language decides which prompts the simulated user and the judge are given: Chinese prompts over English questions once gave
figures that nobody saw were worthless. So nothing is assumed, and what cannot be told is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchbar.languages.packs import known, language_fault, matched, pack
from benchbar.languages.text import detect_language, doubt_of, script_share
from benchbar.records import Sample
from benchbar.records.errors import BadInputError
from benchbar.records.numbers import counted

_CONTRADICTED = 0.1
"""Share of letters in the script of the stated language below which the text is in another one: questions in English about
Chinese law quote names and articles, and questions in Chinese product names and abbreviations."""

_LEAST = 4
"""Letters from which a text tells its language; "OK?" and "3,000 €" do not."""


class Language(NamedTuple):
    """What language the samples are in, and how that is known."""

    main: str
    """Of most samples: that of the card."""
    by_row: dict[int, str]
    """Place of a row to its language, for those that state none."""
    told: str
    """For people: ``en (from the text of 30 samples)``."""


def language_of(rows: Sequence[Mapping[str, Any]], *, stated: str, file: Path) -> Language:
    """The language of each row of samples, and that of most; ``stated`` is what the card or the command says, else empty.

    Raises:
        BadInputError: nobody states it, and the texts are in none that there is a pack for; or what is stated is none.
    """
    if fault := stated and language_fault(stated):
        raise BadInputError(fault, file=file, field="language")
    if stated:
        return Language(stated, dict.fromkeys(range(len(rows)), stated), f"{stated} (stated)")
    own = {place: str(row["language"]) for place, row in enumerate(rows) if row.get("language")}
    texts = {place: _text(row) for place, row in enumerate(rows) if place not in own}
    found = _detected(texts)
    for language in dict.fromkeys(found.values()):
        together = "\n".join(texts[place] for place, one in found.items() if one == language)
        # All texts of a language together: one question of ten words may well look like another language.
        if doubt := doubt_of(together, language):
            raise BadInputError(
                f"the language cannot be told from the text: {doubt}. State it: --language, `language` in card.toml or a"
                f" column `language`; known: {', '.join(known())}. Of another one, prompts and words are English",
                file=file,
                field="language",
            )
    counts = Counter([*own.values(), *found.values()])
    # Ties by name, so that the order of rows decides nothing.
    main = max(counts, key=lambda one: (counts[one], one)) if counts else detect_language("")
    return Language(main, found, _told(counts, len(own), len(found)))


def _detected(texts: Mapping[int, str]) -> dict[int, str]:
    """Texts of a few letters are in the language of the others; a variant that shows in some is that of all in its script."""
    found = {place: detect_language(text) for place, text in texts.items() if sum(map(str.isalpha, text)) >= _LEAST}
    counts = Counter(found.values())
    usual = max(counts, key=lambda one: (counts[one], one)) if counts else None
    # Most sentences hold no character that only one variant has, and one by one would be told as the root.
    family = {
        root: detect_language("\n".join(texts[place] for place, one in found.items() if pack(one).root == root))
        for root in {pack(one).root for one in counts}
    }
    return {
        place: family.get(found[place], found[place]) if place in found else usual or detect_language(text)
        for place, text in texts.items()
    }


def _text(row: Mapping[str, Any]) -> str:
    """What the row says: not the guidance where there is a question, since many cite law in another language."""
    return "\n".join(str(row[name]) for name in ("needs", "information") if row.get(name))


def _told(counts: Counter[str], stated: int, found: int) -> str:
    if not counts:
        return ""
    names = (
        ", ".join(counts) if len(counts) == 1 else ", ".join(f"{one} {count}" for one, count in counts.most_common())
    )
    how = f"from the text of {counted(found, 'sample')}" if found else "stated"
    return f"{names} ({how}{f', {stated} stated' if stated and found else ''})"


def contradictions(samples: Sequence[Sample]) -> list[str]:
    """A sentence for each stated language that the texts of samples plainly contradict."""
    looked_at = samples[:_LOOKED_AT]
    held: dict[str, list[Sample]] = {}
    for sample in looked_at:
        text = f"{sample.needs}\n{sample.information}"
        share = script_share(text, sample.language) if matched(sample.language) else None
        if share is not None and share < _CONTRADICTED:
            held.setdefault(sample.language, []).append(sample)
    return [
        f"the language of {len(wrong)} of {sum(one.language == language for one in looked_at)} samples is stated as {language},"
        f" and their text reads as {detect_language(wrong[0].needs)}, such as {wrong[0].id}; prompts will be in {language}"
        for language, wrong in held.items()
    ]


_LOOKED_AT = 500
"""Samples that are looked at: a suite that states the wrong language does so from the beginning."""
