"""The words of a language that claims and articles are compared by, from its pack's ``claims.toml``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from benchbar.languages.packs import pack

OPERATORS = ("must_not", "need_not", "may", "must", "not")
"""In the order in which they are looked for: 不得 is a prohibition before its 不 is a negation."""
BOUNDS = ("at_most", "at_least", "more", "less")


@dataclass(frozen=True, slots=True)
class ConditionWords:
    """What makes a condition, and what does away with one."""

    only: re.Pattern[str]
    """What makes one of what is allowed: only with, only if."""
    made: re.Pattern[str]
    """What makes one of what is forbidden: unless, until, without."""
    waived: re.Pattern[str]
    """What does away with one: without, even if … not, need not."""
    exception: re.Pattern[str]
    """What opens an exception that a claim may be about."""


@dataclass(frozen=True, slots=True)
class StatementWords:
    """What tells statements that have a form of their own."""

    oral: re.Pattern[str]
    in_writing: re.Pattern[str]
    """A demand that it be in writing."""
    enough: re.Pattern[str]
    """What says that something is allowed, stands or will do."""
    proof: re.Pattern[str]
    """Who has to prove: the groups of its alternatives."""
    whoever: re.Pattern[str]
    """Names of a role that anybody may have."""
    alone: re.Pattern[str]
    """One alone, at the beginning of a sentence; its group is who."""
    several: re.Pattern[str]
    """Two that are named together, in two groups."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """Compiled patterns; all are bounded, so that the time is linear in the text."""

    operators: tuple[tuple[str, re.Pattern[str]], ...]
    """Kind and pattern of what makes a clause a duty, a permission, a prohibition, an exemption or a denial."""
    cut: re.Pattern[str]
    """Where one clause ends."""
    fixed: re.Pattern[str]
    """Terms with a negation in them that denies nothing: 不动产, not less than, несовершеннолетний."""
    exception: re.Pattern[str]
    universal: re.Pattern[str]
    """What denies that there is an exception or condition: 一律, even if, даже."""
    condition: re.Pattern[str]
    """A clause that is a condition, whose negation is none of what follows from it."""
    item: re.Pattern[str]
    """The mark of an item: （一）, 1), (a)."""
    list: re.Pattern[str]
    """The end of the words that open a list of items, which holds for each of them."""
    violated: re.Pattern[str]
    """What somebody did against the law: the claim is then not what the article says."""
    hedged: re.Pattern[str]
    bounds: tuple[tuple[str, re.Pattern[str], re.Pattern[str] | None], ...]
    """Kind, what stands before the number, and what stands behind it."""
    case: re.Pattern[str]
    """What stands in a clause before a number of one case, which is no rule: after three weeks, a claim for 12,000 dollars."""
    case_behind: re.Pattern[str]
    age: re.Pattern[str] | None
    """What stands before a number of years that somebody is old: under the age of, aged over."""
    time_left: tuple[re.Pattern[str], re.Pattern[str]] | None
    """What stands before and behind a time in which something has to be done: has 14 days to."""
    reference: re.Pattern[str]
    """Numbers that count nothing: of articles, years, items, and words such as 一般."""
    ignored: re.Pattern[str]
    """Words that say nothing about the matter."""
    same: tuple[tuple[str, re.Pattern[str]], ...]
    """Words of statutes and of daily life for one thing."""
    opposite: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    """Pairs of which one denies the other: 有效 and 无效."""
    units: tuple[tuple[str, re.Pattern[str]], ...]
    conditions: ConditionWords | None
    """None in a language for which these words were not written."""
    statements: StatementWords | None
    """The same."""
    enough: re.Pattern[str] | None
    """What says that a number is enough, which keeps no bound; None where these words were not written."""
    spaces: bool


@cache
def wordings(language: str) -> Wordings:
    """Those of a language; of English where there is no pack."""
    one = pack(language)
    said, spaces = one.labels("claims").texts, one.about.spaces
    clause, bounds = _section(said, "clause"), _section(said, "bound")
    # Where no spaces divide words, a word is found inside others as well.
    words = said["word.ignored"]
    words = rf"\b(?:{words})\b" if spaces else words
    return Wordings(
        operators=tuple((kind, re.compile(said[f"operator.{kind}"])) for kind in OPERATORS),
        **{
            name: re.compile(clause[name])
            for name in ("cut", "fixed", "exception", "universal", "condition", "violated", "item", "list")
        },
        hedged=re.compile(clause["hedged"]),
        bounds=tuple(
            (kind, re.compile(bounds[kind]), re.compile(behind) if (behind := bounds.get(f"{kind}_behind")) else None)
            for kind in BOUNDS
        ),
        case=re.compile(bounds["case"]),
        case_behind=re.compile(bounds["case_behind"]),
        age=re.compile(bounds["age"]) if "age" in bounds else None,
        time_left=(
            (re.compile(bounds["time_left"]), re.compile(bounds["time_left_behind"])) if "time_left" in bounds else None
        ),
        reference=re.compile(said["bound.reference"], re.MULTILINE),
        ignored=re.compile(words),
        same=_each(_section(said, "same"), spaces=spaces),
        opposite=tuple(_pair(form) for form in _section(said, "opposite").values()),
        units=_each(_section(said, "unit"), spaces=False),
        conditions=(
            ConditionWords(**{name: re.compile(form) for name, form in conditions.items()})
            if (conditions := _section(said, "condition"))
            else None
        ),
        statements=(
            StatementWords(**{name: re.compile(form) for name, form in statements.items()})
            if (statements := _section(said, "statement"))
            else None
        ),
        enough=re.compile(said["bound.enough"]) if "bound.enough" in said else None,
        spaces=spaces,
    )


def _each(section: dict[str, str], *, spaces: bool) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((key, re.compile(rf"\b(?:{form})\b" if spaces else form)) for key, form in section.items())


def _pair(form: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    one, other = form.split(" <> ")
    return re.compile(one), re.compile(other)


def _section(said: dict[str, str], name: str) -> dict[str, str]:
    return {key.partition(".")[2]: form for key, form in said.items() if key.startswith(f"{name}.")}
