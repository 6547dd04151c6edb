"""How a citation is shown wherever it stands: its verdicts with the gravest first, and how often those that accuse were right.

``python benchmarks/citation_court/court.py --law zh=INDEX --law ru=INDEX --write`` writes ``data/accusations.json``; contradictions
have a table of their own (``claims/measured.json``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.resources import files

import msgspec

from benchbar.languages.decimals import local_numbers
from benchbar.languages.packs import Labels, pack
from benchbar.law.claims.measured import contradictions_given, contradictions_right, measured
from benchbar.law.nicknames import nickname_command
from benchbar.records import INVENTED, Citation, CitationStatus, ClaimCheck, ClaimVerdict, Record
from benchbar.records.law import RULES
from benchbar.records.precision import Precision

KINDS = ("invented", "not_in_force", "authority")
"""What a citation is accused of by its status or authority, in the order of weight; what its article says is measured apart."""


class Accusations(Record, frozen=True):
    """Rows such as ``invented zh``, of passages whose gold nobody tuned on."""

    measured_on: str
    """Which passages, in a few words."""
    rows: dict[str, Precision]


@cache
def accusations() -> Accusations:
    """How often each accusation was right, by language."""
    found = files("benchbar.law").joinpath("data", "accusations.json").read_bytes()
    return msgspec.json.decode(found, type=Accusations)


def measured_languages() -> list[str]:
    """Those of which there are figures, for runs that do not say theirs."""
    return sorted({name.split()[-1] for name in accusations().rows})


def verdict_keys(one: Citation) -> tuple[str, ...]:
    """The labels of all that is said of a citation, such as ``claim.contradicts`` before ``citation.verified``.

    An article that exists may say the opposite: whoever reads one word has to read the gravest one. What a model says accuses nobody
    and is not among them.
    """
    status = f"citation.{one.status.value}"
    against = ["claim.contradicts"] if one.contradicted else []
    misplaced = [f"authority.{one.authority.verdict.value}"] if one.authority else []
    if one.status in INVENTED:
        return (status, *against, *misplaced)
    if one.status is CitationStatus.NOT_IN_FORCE:
        return (*against, status, *misplaced)
    return (*against, *misplaced, status)


def named(one: Citation) -> str:
    """The citation as it is written, in one line; with the law that it was taken to be of where another place names that."""
    text = " ".join(one.text.split())
    return f"{text} ({one.law})" if one.elliptical and one.law else text


def verdict(one: Citation) -> str:
    """The gravest one as files name it: ``contradicts``, ``no_such_law``, ``other_jurisdiction``, … or the status."""
    return verdict_keys(one)[0].partition(".")[2]


def verdicts(one: Citation, say: Labels, *, invented: bool = False) -> list[str]:
    """All of them in words, the gravest first; ``invented`` says that the law is, and that being in force there says nothing."""
    return [_word(key, say, invented=invented) for key in verdict_keys(one)]


def counted(found: Iterable[Citation], say: Labels, *, invented: bool = False) -> str:
    """How many citations there are of each gravest verdict, the gravest first: each is counted once."""
    counts = Counter(verdict_keys(one)[0] for one in found)
    return say("gate_reason.listed").join(
        say("gate_reason.kind", kind=_word(key, say, invented=invented), count=counts[key]) for key in by_weight(counts)
    )


def by_weight(keys: Collection[str]) -> list[str]:
    """Labels of verdicts, the gravest first: what accuses, what is open, and last what nothing was found against."""
    return sorted(keys, key=lambda key: (_weight(key), key))


def statuses_by_weight() -> list[CitationStatus]:
    """All statuses, the gravest first."""
    return sorted(CitationStatus, key=lambda one: _weight(f"citation.{one.value}"))


def _weight(key: str) -> int:
    kind, _, value = key.partition(".")
    if kind != "citation":
        return 1 if kind == "claim" else 3
    status = CitationStatus(value)
    if status in INVENTED:
        return 0
    return {CitationStatus.NOT_IN_FORCE: 2, CitationStatus.VERIFIED: 5}.get(status, 4)


def _word(key: str, say: Labels, *, invented: bool) -> str:
    return say("how.in_invented_law" if invented and key == f"citation.{CitationStatus.VERIFIED.value}" else key)


def accused_of(one: Citation) -> tuple[str, ...]:
    """What its status and authority accuse a citation of; a decision that a later one set aside is read from that one's text."""
    found = []
    if one.status in INVENTED:
        found.append("invented")
    elif one.status is CitationStatus.NOT_IN_FORCE:
        found.append("set_aside" if one.treatment and one.treatment.ends else "not_in_force")
    return (*found, "authority") if one.authority else tuple(found)


def precision_of(kind: str, language: str) -> Precision | None:
    """How often accusations of a kind were right in the language of a citation; None where that was not measured."""
    return accusations().rows.get(f"{kind} {pack(language).root}")


def how_often(one: Citation, say: Labels) -> list[str]:
    """Of each accusation by status or authority, how often such ones were right: it never stands without."""
    return [how_often_of(kind, one.language, say) for kind in accused_of(one)]


def how_often_of(kind: str, language: str, say: Labels) -> str:
    """How often accusations of one kind were right in the language of a citation, or that nobody has measured it."""
    if row := precision_of(kind, language):
        return _figures("accusation.measured", row, language, say)
    return say("accusation.unmeasured", language=say.name("tongue", pack(language).root))


def by_whom(check: ClaimCheck, language: str, say: Labels) -> str:
    """Who decided on a claim in a language, and how often such verdicts were right where that was measured."""
    row = contradictions_right(check.conflict, language) if _contradicts(check) else None
    if row:
        return _figures("claim.by_measured_rules", row, language, say)
    key, figures = check.decided
    return say(key, **_local(figures, say))


def _contradicts(check: ClaimCheck) -> bool:
    return check.by == RULES and check.verdict is ClaimVerdict.CONTRADICTS


def _figures(key: str, row: Precision, language: str, say: Labels) -> str:
    return say(key, language=say.name("tongue", pack(language).root), **_local(row.figures, say))


def measured_in(languages: Iterable[str]) -> dict[str, Precision]:
    """Rows such as ``invented zh`` and ``contradicts number zh``: of each accusation that is made in these languages, how often it was right."""
    found: dict[str, Precision | None] = {}
    for root in dict.fromkeys(pack(one).root for one in languages):
        found |= {f"{kind} {root}": precision_of(kind, root) for kind in KINDS}
        # Kinds that rules may not tell in a language accuse nobody there.
        given = (kind for kind in contradictions_given() if measured().holds("contradicts", kind, root))
        found |= {f"contradicts {kind} {root}": contradictions_right(kind, root) for kind in given}
    return {name: row for name, row in found.items() if row}


def all_measured(languages: Iterable[str], say: Labels) -> Iterator[str]:
    """The same as a sentence for each language, for what counts accusations without naming one."""
    for root in dict.fromkeys(pack(one).root for one in languages):
        told = [
            say("accusation.of_kind", kind=_kind(name, say), **_local(row.figures, say))
            for name, row in measured_in([root]).items()
        ]
        if told:
            yield say("accusation.all", language=say.name("tongue", root), told=say("gate_reason.between").join(told))


def _kind(name: str, say: Labels) -> str:
    kind, *more = name.split()[:-1]
    if not more:
        return say(f"accusation.{kind}")
    return say("gate_reason.condition", check=say("claim.contradicts"), why=say(f"conflict.{more[0]}"))


def _local(figures: dict[str, str], say: Labels) -> dict[str, str]:
    # A model's name is none of its figures, though it may have digits.
    return {name: text if name == "name" else local_numbers(text, say.language) for name, text in figures.items()}


def as_document(one: Citation) -> dict[str, object]:
    """A citation for a file: the gravest verdict before all else, its fields, and the precision of what it is accused of."""
    fields = {name: getattr(one, name) for name in one.__struct_fields__}
    return {"verdict": verdict(one), **fields, "precision": _precision(one), "nickname": nickname_command(one) or None}


def _precision(one: Citation) -> list[dict[str, object]]:
    check, root = one.claim_check, pack(one.language).root
    rows = [(kind, precision_of(kind, one.language), accusations().measured_on) for kind in accused_of(one)]
    if check and _contradicts(check):
        kind = f"contradicts {check.conflict}"
        rows.append((kind, contradictions_right(check.conflict, one.language), CLAIMS))
    return [
        {
            "of": kind,
            "language": root,
            "right": row.right,
            "said": row.said,
            "low": row.low,
            "high": row.high,
            "measured_on": where,
        }
        if row
        else {"of": kind, "language": root, "measured_on": None}
        for kind, row, where in rows
    ]


CLAIMS = "changed sentences of laws, contracts and answers that nobody tuned on"
"""What contradictions were measured on, for files."""
