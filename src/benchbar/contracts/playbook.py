"""A playbook: for each topic what we prefer, what we fall back to, and what we walk away from; and where a contract stands to it.

Wordings are compared, not understood: a position counts as met where its wording stands in a clause on its topic, or where the
clause's number lies between those of the positions. Where neither tells, the finding says that the two have to be compared.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchbar.contracts.evidence import check_excerpt
from benchbar.contracts.marks import read_mark
from benchbar.contracts.patterns import keyword
from benchbar.languages.packs import labels
from benchbar.languages.quantities import Quantity, quantities
from benchbar.languages.text import nfkc, sentences
from benchbar.records import Record
from benchbar.records.contracts import Clause, ClauseKind, ExcerptStatus, Finding, RiskLevel
from benchbar.records.errors import BadInputError, did_you_mean
from benchbar.records.files import read_bounded

MAX_PLAYBOOK_BYTES = 8 * 1024 * 1024
MOST_POSITIONS = 500

Stance = Literal["preferred", "fallback", "walk_away", "differs", "missing"]

_COLUMNS: dict[str, tuple[str, ...]] = {
    "topic": ("topic", "тема", "условие", "主题", "事项", "条款"),
    "preferred": ("preferred", "preferred position", "предпочтительно", "предпочтительная", "首选", "首选立场"),
    "fallback": ("fallback", "fallback position", "запасная", "допустимо", "备选", "退让", "可接受"),
    "walk_away": ("walk-away", "walk away", "walk_away", "red line", "недопустимо", "отказ", "底线", "不可接受"),
    "reason": ("reason", "why", "причина", "обоснование", "理由", "原因"),
    "find": ("find", "words", "слова", "关键词"),
}
"""Heads of a table's columns, by the field that they are."""


class Position(Record, frozen=True):
    """What we want on one topic."""

    topic: str
    preferred: str
    fallback: str = ""
    walk_away: str = ""
    reason: str = ""
    find: tuple[str, ...] = ()
    """Words by which a clause on the topic is known, ``…`` for up to 20 characters; left out, the topic's own words."""
    required: bool = True
    """Whether a contract without any clause on the topic is a finding."""


class Playbook(Record, frozen=True):
    """The positions of one party, in the order of their file."""

    position: tuple[Position, ...] = ()
    name: str = ""
    side: str = ""
    """The party whose positions they are, as ``--side`` takes it; empty where the command line says it."""


class Standing(Record, frozen=True):
    """Where a contract stands on one topic."""

    topic: str
    stance: Stance
    clauses: tuple[str, ...] = ()
    """Ids of the clauses on the topic that show it."""


def read_playbook(path: Path) -> Playbook:
    """The positions of a TOML file (``[[position]]``), or of the tables of a Word file with a column for each field.

    Raises:
        BadInputError: a field or column is unknown or missing, a topic comes twice, or there is none; with place and nearest name.
    """
    data = read_bounded(path, MAX_PLAYBOOK_BYTES)
    if path.suffix.lower() == ".docx":
        found = Playbook(position=tuple(_of_tables(data, path)), name=path.stem)
    else:
        found = _of_toml(data, path)
    if not found.position:
        raise BadInputError("no position in it: a [[position]] needs a topic and what is preferred", file=path)
    if len(found.position) > MOST_POSITIONS:
        raise BadInputError(f"{len(found.position)} positions; at most {MOST_POSITIONS}", file=path)
    seen: set[str] = set()
    for one in found.position:
        if one.topic.strip().lower() in seen:
            raise BadInputError(f"the topic {one.topic!r} comes twice", file=path, field="topic")
        seen.add(one.topic.strip().lower())
    return found


def _of_toml(data: bytes, path: Path) -> Playbook:
    try:
        given = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"not valid TOML: {error}", file=path) from error
    _refuse_unknown(given, ("position", "name", "side"), path, "")
    rows = given.get("position", [])
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise BadInputError("write each position as [[position]]", file=path, field="position")
    for number, row in enumerate(rows, start=1):
        _refuse_unknown(row, Position.__struct_fields__, path, f"position {number}: ")
        for name in ("topic", "preferred"):
            if not str(row.get(name, "")).strip():
                raise BadInputError(f"position {number} has none", file=path, field=name)
    try:
        return msgspec.convert({"name": path.stem, **given}, Playbook)
    except msgspec.ValidationError as error:
        raise BadInputError(str(error), file=path) from error


def _refuse_unknown(row: Mapping[str, Any], known: Sequence[str], path: Path, where: str) -> None:
    for name in row:
        if name not in known:
            raise BadInputError(
                f"{where}unknown field{did_you_mean(name, known)}; known: {', '.join(known)}", file=path, field=name
            )


def _of_tables(data: bytes, path: Path) -> Iterator[Position]:
    from benchbar.tables.word import open_docx

    tables = open_docx(data, str(path)).tables
    if not tables:
        raise BadInputError(
            "no table in it: a playbook needs one with the columns topic, preferred, fallback, walk-away, reason",
            file=path,
        )
    for number, table in enumerate(tables, start=1):
        head, *rows = [[cell.text.strip() for cell in row.cells] for row in table.rows]
        fields = [_field(name, path, number) for name in head]
        for name in ("topic", "preferred"):
            if name not in fields:
                raise BadInputError(
                    f"table {number} has no column {name}; it has {', '.join(head)}", file=path, field=name
                )
        for line, row in enumerate(rows, start=2):
            values = dict(zip(fields, row, strict=True))
            if not any(values.values()):
                continue
            for name in ("topic", "preferred"):
                if not values[name]:
                    raise BadInputError(f"table {number}, row {line}: empty", file=path, field=name)
            find = tuple(filter(None, (one.strip() for one in re.split(r"[;；\n]", values.pop("find", "")))))
            yield msgspec.convert({**values, "find": find}, Position)


def _field(head: str, path: Path, table: int) -> str:
    plain = " ".join(nfkc(head).lower().split())
    for field, names in _COLUMNS.items():
        if plain in names:
            return field
    known = [names[0] for names in _COLUMNS.values()]
    every = [name for names in _COLUMNS.values() for name in names]
    raise BadInputError(
        f"table {table}: unknown column {head!r}{did_you_mean(plain, every)}; known: {', '.join(known)}", file=path
    )


def against_playbook(
    clauses: Sequence[Clause], playbook: Playbook, language: str
) -> tuple[dict[str, tuple[Finding, ...]], tuple[Finding, ...], tuple[Standing, ...]]:
    """Findings of each clause, findings of the whole contract, and where it stands on each topic."""
    found: dict[str, tuple[Finding, ...]] = {}
    missing: list[Finding] = []
    standings: list[Standing] = []
    say = labels(language, "contract").section("playbook")
    for position in playbook.position:
        about = [one for one in clauses if one.kind is ClauseKind.CLAUSE and _is_about(one, position)]
        stances = {one.id: _stance(position, one.text) for one in about}
        # One clause that settles the topic settles it: others only mention it.
        telling = {id_: one for id_, one in stances.items() if one[0] != "differs"} or dict(list(stances.items())[:1])
        if not telling:
            standings.append(Standing(position.topic, "missing"))
            if position.required:
                missing.append(_finding(position, "missing", "", say))
            continue
        worst = max((one[0] for one in telling.values()), key=_GRAVITY.index)
        standings.append(Standing(position.topic, worst, tuple(telling)))
        for id_, (stance, words) in telling.items():
            if stance != "preferred":
                found[id_] = (*found.get(id_, ()), _finding(position, stance, words, say))
    texts = {one.id: one.text for one in clauses}
    checked = {id_: tuple(_with_excerpt(one, texts[id_]) for one in many) for id_, many in found.items()}
    return checked, tuple(missing), tuple(standings)


_GRAVITY: tuple[Stance, ...] = ("preferred", "fallback", "differs", "missing", "walk_away")
_LEVELS = {
    "fallback": RiskLevel.LOW,
    "differs": RiskLevel.MEDIUM,
    "missing": RiskLevel.MEDIUM,
    "walk_away": RiskLevel.HIGH,
}


def _finding(position: Position, stance: Stance, words: str, say: Mapping[str, str]) -> Finding:
    return Finding(
        risk=say[stance].format(position.topic),
        level=_LEVELS[stance],
        evidence=words,
        analysis=position.reason,
        # Where the fallback stands, the first choice is still worth asking for.
        suggestion=position.preferred,
        kind="missing_clause" if stance == "missing" else "playbook",
        # That two wordings differ is seen; that the difference matters is not.
        confidence={"walk_away": 0.8, "fallback": 0.8}.get(stance, 0.5),
    )


def _with_excerpt(finding: Finding, text: str) -> Finding:
    return (
        msgspec.structs.replace(finding, excerpt=check_excerpt(finding.evidence, text)) if finding.evidence else finding
    )


def _is_about(clause: Clause, position: Position) -> bool:
    text = f"{clause.title}\n{clause.text}"
    if position.find:
        return any(keyword(word).search(text) for word in position.find)
    lowered = nfkc(text).lower()
    return all(stem in lowered for stem in _stems(position.topic))


_WORD = re.compile(r"[^\W\d_]+")
_STEM = 5
"""Letters by which words of a topic are compared: endings differ."""


def _stems(topic: str) -> list[str]:
    words = [one for one in _WORD.findall(nfkc(topic).lower()) if len(one) > 2 or re.search("[\u3400-\u9fff]", one)]
    return [one[:_STEM] if one.isascii() or not re.search("[\u3400-\u9fff]", one) else one for one in words] or [
        topic.lower()
    ]


def _stance(position: Position, text: str) -> tuple[Stance, str]:
    """Where a clause stands, and the words that show it."""
    for stance, wording in (
        ("walk_away", position.walk_away),
        ("preferred", position.preferred),
        ("fallback", position.fallback),
    ):
        words = _stands_in(wording, text)
        if words:
            return stance, words  # type: ignore[return-value]
    return _by_number(position, text) or ("differs", _first_sentence(text))


def _stands_in(wording: str, text: str) -> str:
    """The clause's words where a position's wording stands, but for spaces and punctuation; empty where it does not."""
    if not wording.strip():
        return ""
    check = check_excerpt(wording.strip().rstrip(".。"), text)
    if check.status not in (ExcerptStatus.VERIFIED, ExcerptStatus.CLOSE) or not check.spans:
        return ""
    return text[check.spans[0][0] : check.spans[-1][1]]


def _by_number(position: Position, text: str) -> tuple[Stance, str] | None:
    """By the one number of the positions' unit that the clause states; which way is worse, preferred and fallback tell."""
    wanted, yielded = quantities(position.preferred), quantities(position.fallback)
    pair = next(
        ((a.value, b.value, a.unit) for a in wanted for b in yielded if a.unit == b.unit and a.value != b.value), None
    )
    if pair is None:
        return None
    best, least, unit = pair
    stated = [one for one in quantities(text) if one.unit == unit]
    if len({one.value for one in stated}) != 1:
        return None
    value, sign = stated[0].value, 1 if least > best else -1
    stance: Stance = (
        "preferred" if sign * value <= sign * best else "fallback" if sign * value <= sign * least else "walk_away"
    )
    return stance, _sentence_of(stated[0], text)


def _sentence_of(quantity: Quantity, text: str) -> str:
    found = next((text[low:high].strip() for low, high in sentences(text) if low <= quantity.start < high), "")
    mark = read_mark(found)
    return found[mark.end :].strip() if mark and not mark.is_item else found


def _first_sentence(text: str) -> str:
    mark = read_mark(text)
    begin = mark.end if mark and not mark.is_item else 0
    return next((text[max(low, begin) : high].strip() for low, high in sentences(text) if high > begin), "")
