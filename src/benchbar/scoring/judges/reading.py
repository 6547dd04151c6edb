"""Reads what a judge decided: of an answer in text the closing verdict, of an object its fields.

Quotations, code, thoughts and what follows the model's own end of turn are not its word. A verdict that it took back,
or two that differ, are no verdict: the judge is asked again rather than guessed at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from benchbar.languages.packs import any_of, pattern_of_any
from benchbar.records.answers import spoken
from benchbar.scoring.judges.shield import VERDICT

_FENCED = re.compile(r"(?ms)^[ \t]*(```|~~~)[^\n`]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)")
_QUOTED = re.compile(r"“[^”\n]*”|\"[^\"\n]*\"|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|`[^`\n]*`")
_DECORATION = r"[\s*_#~`$\"'“”«»「」『』‘’()（）{}|:：.。!！,，;；=→–—-]|\\(?:boxed|text|mathbf)"
_BARE = re.compile(rf"(?:{_DECORATION})*")
NEAR = 60
"""Characters before a verdict in which its label has to stand."""
BESIDE = 16
"""Characters before a verdict in which a word that makes it a mention has to stand: "the record says [[1]]"."""
SHOWN = 160
"""Characters of an answer that are quoted where it could not be read: enough to see what the model does instead."""


class _Line(NamedTuple):
    """One line of an answer that holds verdicts."""

    place: int
    verdicts: tuple[str, ...]
    """The different ones that it affirms."""
    declares: bool
    """Whether it states its verdict as such, with nothing before it or a word like "verdict"."""


def verdict_of(answer: str) -> str | None:
    """``1``, ``2`` or ``3``: what the answer declares at its end; None where it declares nothing, or two different things."""
    lines = _uncoded(spoken(answer)).splitlines()
    found = [line for place, text in enumerate(lines) if (line := _read(place, text)) is not None]
    if not found:
        return None
    declared = [line for line in found if line.declares]
    if len({line.verdicts for line in declared}) > 1:
        return None
    chosen = declared[-1] if declared else found[-1]
    rest = lines[chosen.place + 1 :]
    # Without a label a verdict in the middle of the text is talk: only the closing line can be meant.
    if len(chosen.verdicts) != 1 or (not declared and any(re.search(r"\w", line) for line in rest)):
        return None
    later = {one for line in found if line.place > chosen.place for one in line.verdicts}
    if later - set(chosen.verdicts) or _pattern("reconsidered").search("\n".join(rest)):
        return None
    return chosen.verdicts[0]


def _uncoded(text: str) -> str:
    """The text without fenced code; a fence around nothing but a verdict is decoration."""
    return _FENCED.sub(lambda fence: fence[2] if _only_a_verdict(fence[2]) else "\n", text)


def _only_a_verdict(text: str) -> bool:
    return len(VERDICT.findall(text)) == 1 and _BARE.fullmatch(VERDICT.sub("", text)) is not None


def _read(place: int, text: str) -> _Line | None:
    """What a line affirms; None where it holds no verdict of the judge's own."""
    # A line of a quotation in Markdown is somebody else's, whatever stands on it.
    if text.lstrip().startswith(">"):
        return None
    unquoted = _QUOTED.sub(_own_words, text)
    own = list(_affirmed(unquoted))
    if not own:
        return None
    verdicts = tuple(dict.fromkeys(unicodedata.normalize("NFKC", match[1]) for match in own))
    before, after = unquoted[: own[0].start()], unquoted[own[-1].end() :]
    labelled = _BARE.fullmatch(before) or _pattern("label").search(before[-NEAR:])
    taken_back = _pattern("reconsidered").search(after)
    return _Line(place, verdicts, bool(labelled) and len(verdicts) == 1 and not taken_back)


def _own_words(quotation: re.Match[str]) -> str:
    """A verdict that is merely put in quotation marks is the judge's; one among other words is quoted."""
    return quotation[0] if _only_a_verdict(quotation[0]) else " "


def _affirmed(text: str) -> Iterator[re.Match[str]]:
    at = 0
    for match in VERDICT.finditer(text):
        before, at = text[at : match.start()][-NEAR:], match.end()
        if _before("negated").search(before) or re.match(r"\s{0,3}[?？]", text[at:]):
            continue
        if _pattern("mentioned").search(before[-BESIDE:]) and not _pattern("label").search(before):
            continue
        yield match


def _pattern(name: str) -> re.Pattern[str]:
    # Of all languages at once: a judge may answer in another one than it is asked in.
    return pattern_of_any(f"verdict.{name}")


@cache
def _before(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(f'verdict.{name}')})(?:{_DECORATION}){{0,6}}$", re.IGNORECASE)


def beginning(answer: str) -> str:
    """How an answer begins, on one line, for messages about answers that could not be read."""
    plain = "".join(character if character.isprintable() else " " for character in answer[: 4 * SHOWN])
    short = " ".join(plain.split())
    return short if len(short) <= SHOWN else f"{short[:SHOWN]}…"
