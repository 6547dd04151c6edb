"""The Citation Court: what programs find of the citations in its passages, and whether their accusations are right.

`python benchmarks/citation_court/court.py [--half development] [--law zh=INDEX] [--errors] [--write]`
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec
from gold import FITS, INVENTED, LANGUAGES, PASSAGES, REPEALED, STANDS, Cited, Passage, authority_cases, passages
from programs import PROGRAMS, READS, Found, Program

from benchbar.law.bundled import law_path
from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus
from benchbar.law.index import open_index
from benchbar.law.names import law_key, same_law
from benchbar.law.shown import Accusations
from benchbar.records.files import write_atomically
from benchbar.records.precision import Precision
from benchbar.statistics.proportions import share

PAGE = Path(__file__).parents[2] / "docs" / "results-law.md"
SHIPPED = Path(__file__).parents[2] / "src" / "benchbar" / "law" / "data" / "accusations.json"
"""How often each accusation was right, as the product says it beside one."""
ACCUSED = {"accusations right": "invented", "not in force right": "not_in_force", "right": "authority"}
"""Measure to what a citation is accused of."""
NAMES = Path(__file__).parent / "names.tsv"
"""One law a line, by each of its names: texts and people name it in different ways."""
PROOF = ("stranger_proof", "third_proof", "fourth_proof", "fifth_proof")
TUNE = ("stranger_tune", "third_tune", "fourth_tune", "fifth_tune")
WHOLE = (*TUNE, *PROOF)
"""Sets that are themselves a half."""
BEGIN, END = "<!-- citation_court -->", "<!-- end of citation_court -->"


@dataclass(slots=True)
class Counts:
    """Yes and no with the passage of each, by measure."""

    flags: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    keys: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, measure: str, key: str, flag: bool) -> None:
        """Count one."""
        self.flags[measure].append(flag)
        self.keys[measure].append(key)

    def precision(self, measure: str, looked_at: int) -> Precision | None:
        """The same as a record; None where nothing was said."""
        flags = self.flags[measure]
        one = share(flags, clusters=self.keys[measure]) if flags else None
        if one is None or one.low is None or one.high is None:
            return None
        low, high = round(one.low, 4), round(one.high, 4)
        return Precision(pairs=looked_at, said=len(flags), right=sum(flags), low=low, high=high)

    def shown(self, measure: str) -> str:
        """The share with its interval, which accounts for several citations in one passage, and n."""
        flags = self.flags[measure]
        if not flags:
            return "–"
        one = share(flags, clusters=self.keys[measure])
        interval = f" [{one.low:.2f}, {one.high:.2f}]" if one.low is not None and one.high is not None else ""
        return f"{sum(flags) / len(flags):.3f}{interval} of {len(flags)}"


def same_place(found: Found, cited: Cited) -> bool:
    """Whether both stand in the same words."""
    return found.span[0] < cited.span[1] and cited.span[0] < found.span[1]


def same_citation(found: Found, cited: Cited) -> bool:
    """Whether law and pinpoint, or case, are the same, however they are written."""
    if "case" in {found.law, cited.law}:
        return found.law == cited.law and _case(found.pinpoint) == _case(cited.pinpoint)
    return _pinpoint(found.pinpoint) == _pinpoint(cited.pinpoint) and _same_law(found.law, cited.law)


@cache
def _case(number: str) -> str:
    plain = unicodedata.normalize("NFKC", number).replace("A", "А") if re.search("[А-я]", number) else number
    # Courts add numbers of a judge and of a claim behind the year, which some cite and some do not.
    plain = re.sub(r"(?<=\d)/(\d\d|\d{4})(?:-\d{1,5}){1,3}$", r"/\1", plain)
    plain = re.sub(r"/(\d\d)$", r"/20\1", plain) if re.search(r"[А-я]\d", plain) else plain
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", plain)).lower()


@cache
def _pinpoint(written: str) -> str:
    article, *parts = written.lower().split("/")
    # A letter of an article, a number behind its point and a hyphen are one thing to a reader: 47-B, 541-100, 17.46.
    parts += ["", ""]
    return "/".join((re.sub(r"[-.\s]", "", article), *parts[:2])).rstrip("/")


@cache
def _same_law(one: str, other: str) -> bool:
    if not one or not other:
        return False
    if re.search("[\u0400-\u04ff\u3400-\u9fff]", one + other):
        return same_law(one, other) or _canonical(law_key(one).core) == _canonical(law_key(other).core)
    mine, theirs = (_canonical(_plain(name)) for name in (one, other))
    # Texts leave out the year of an Act, and the country behind it: Privacy Act 1988 (Cth).
    return mine == theirs or (
        _YEAR.sub("", mine) == _YEAR.sub("", theirs) and bool(_YEAR.search(mine)) != bool(_YEAR.search(theirs))
    )


_YEAR = re.compile(r" (?:1[5-9]|20)\d\d$")
_OF_A_STATE = re.compile(r"\s?\((?:Cth|Vic|NSW|Qld|WA|SA|Tas|ACT|NT|UK|NZ|NI|Ont|BC|India|c\.? \d+)\)", re.IGNORECASE)


def _plain(name: str) -> str:
    number = re.search(r"(\d{2,4})/(\d{1,4})", name)
    if number and re.match(r"(?:\w+ )?(?:Reg|Directive|Decision)", name):
        return number[1] + number[2]
    plain = re.sub(r"\s+", " ", re.sub(r"[^\w\s]", "", _OF_A_STATE.sub("", name))).strip().lower()
    return plain.removeprefix("the ")


def _canonical(core: str) -> str:
    """What a name is called by in names.tsv; itself where it is not there."""
    return _names().get(core, core)


@cache
def _names() -> dict[str, str]:
    read = (line.split("\t") for line in NAMES.read_text(encoding="utf-8").splitlines())
    return {_core(name): _core(row[0]) for row in read for name in row}


def _core(name: str) -> str:
    # Numbers of Russian laws have no letters: 395-1.
    russian = re.search("[\u0400-\u04ff]", name) or re.fullmatch(r"[\d-]+", name)
    return law_key(name).core if russian else _plain(name)


def kind(cited: Cited) -> str:
    """Of which family an English citation is: eyecite is made for the American ones."""
    if cited.law == "case":
        american = re.fullmatch(r"\d+ [A-Z][\w.’' ]*\d?[a-z]* \d+", cited.pinpoint) and "SCC" not in cited.pinpoint
        return "US cases" if american else "UK, EU and other cases"
    american = re.search(
        r"USC|CFR|\b(?:Fed\. R|U\.S\. Const|UCC)|\.\s|Stat\.|Ann\.|of 1934|Communications Decency", cited.law
    )
    return "US statutes and rules" if american else "UK, EU and other statutes"


def judge(program: Program, read: Iterable[Passage], laws: dict[str, Corpus], *, errors: bool) -> Counts:
    """Every measure of a program over passages; with ``errors`` what it got wrong is printed."""
    counts = Counts()
    for passage in read:
        corpus = laws.get(passage.language if passage.world == "real" else f"model-{passage.language}")
        found = program(passage, corpus)
        pairs = matched(found, passage.cited)
        wrong = list(_extraction(counts, passage, found, pairs))
        if corpus is not None:
            wrong += _statuses(counts, passage, found, pairs)
        if errors and wrong:
            print(f"{passage.key} {passage.text}\n    " + "\n    ".join(wrong))
    return counts


def matched(found: Sequence[Found], cited: Sequence[Cited]) -> dict[int, int]:
    """Index of a found citation to that of the annotated one it stands for: the same one first, else one at its place."""
    pairs: dict[int, int] = {}
    for same in (same_citation, lambda *_: True):
        for at, one in enumerate(found):
            if at in pairs:
                continue
            free = (to for to, other in enumerate(cited) if to not in pairs.values() and same_place(one, other))
            to = next((to for to in free if same(one, cited[to])), None)
            if to is not None:
                pairs[at] = to
    return pairs


def _extraction(counts: Counts, passage: Passage, found: list[Found], pairs: dict[int, int]) -> Iterable[str]:
    where = {to: at for at, to in pairs.items()}
    for to, cited in enumerate(passage.cited):
        if not cited.counted:
            continue
        at = where.get(to)
        right = at is not None and same_citation(found[at], cited)
        groups = ["all"] + ([kind(cited)] if passage.language == "en" else [])
        for group in groups:
            counts.add(f"recall {group}", passage.key, right)
        counts.add("place recall", passage.key, at is not None)
        if not right:
            yield f"missed {cited.law} {cited.pinpoint}" + (
                f", read as {found[at].law} {found[at].pinpoint}" if at is not None else ""
            )
    for at, one in enumerate(found):
        # A law as a whole is not counted; an article of which a program says that it knows no law is no assertion.
        if one.pinpoint == "-" or not one.law:
            continue
        to = pairs.get(at)
        unclear = any(same_place(one, cited) and not cited.counted for cited in passage.cited)
        if (to is None and unclear) or (to is not None and not passage.cited[to].counted):
            continue
        counts.add("precision all", passage.key, to is not None and same_citation(one, passage.cited[to]))
        counts.add("place precision", passage.key, to is not None)
        if to is None:
            yield f"found what is none: {one.law} {one.pinpoint} at {passage.text[slice(*one.span)]!r}"


def _statuses(counts: Counts, passage: Passage, found: list[Found], pairs: dict[int, int]) -> Iterable[str]:
    for at, one in enumerate(found):
        cited = passage.cited[pairs[at]] if at in pairs else None
        if one.accused:
            right = cited is not None and cited.status == INVENTED
            counts.add("accusations right", passage.key, right)
            if not right:
                yield f"accused wrongly: {one.law} {one.pinpoint} ({one.notes})"
        # Where the gold cites nothing, or does not say, nobody could tell whether it is in force.
        if one.not_in_force and cited is not None:
            counts.add("not in force right", passage.key, cited.status == REPEALED)
            if cited.status != REPEALED:
                yield f"called out of force wrongly: {one.law} {one.pinpoint} ({one.notes})"
        if one.contradicted and cited is not None and cited.claim:
            counts.add("contradictions right", passage.key, cited.claim == "contradicts")
            if cited.claim != "contradicts":
                yield f"contradiction seen that is none: {one.law} {one.pinpoint}"
    where = {to: found[at] for at, to in pairs.items()}
    for to, cited in enumerate(passage.cited):
        yield from _status(counts, passage.key, cited, where.get(to))


_SOUGHT: dict[str, tuple[str, Callable[[Found], bool]]] = {
    INVENTED: ("inventions found", lambda one: one.accused),
    REPEALED: ("not in force found", lambda one: one.not_in_force),
}


def _status(counts: Counts, key: str, cited: Cited, said: Found | None) -> Iterable[str]:
    notes = said.notes if said else "not read"
    if cited.status in _SOUGHT:
        measure, seen = _SOUGHT[cited.status]
        right = said is not None and seen(said)
        counts.add(measure, key, right)
        if not right:
            yield f"not among {measure}: {cited.law} {cited.pinpoint} ({notes})"
    elif said is not None and cited.counted:
        counts.add("in force called otherwise", key, said.not_in_force)
        if said.not_in_force and cited.status == STANDS:
            yield f"called out of force: {cited.law} {cited.pinpoint} ({notes})"
    if cited.claim == "contradicts":
        right = said is not None and said.contradicted
        counts.add("contradictions found", key, right)
        if not right:
            yield f"contradiction not found: {cited.law} {cited.pinpoint}"


MEASURES = (
    "accusations right", "inventions found", "recall all", "precision all", "place recall", "place precision",
    "not in force right", "not in force found", "in force called otherwise", "contradictions right", "contradictions found",
)  # fmt: skip
AUTHORITY = ("found jurisdiction", "found court", "found field")
KINDS = ("US cases", "US statutes and rules", "UK, EU and other statutes", "UK, EU and other cases")


def authority(laws: dict[str, Corpus], *, held: bool, errors: bool) -> Counts:
    """How often a citation that is said to be no authority is none, and how many of those that are none are named; of this product."""
    counts = Counts()
    for language in LANGUAGES:
        for verdict, passage in authority_cases(language):
            if passage.held != held:
                continue
            found = check_citations(passage.text, laws[f"model-{language}"], on=passage.day)
            said = {one.authority.verdict.value.removeprefix("other_") for one in found if one.authority}
            if said:
                counts.add(f"right {language}", passage.key, verdict in said)
            if verdict != FITS:
                counts.add(f"found {verdict}", passage.key, verdict in said)
            if errors and (said or {FITS}) != {verdict}:
                print(f"{passage.key} {passage.text}\n    {verdict}, said {', '.join(said) or 'nothing'}")
    return counts


def tables(results: dict[tuple[str, str], Counts]) -> str:
    """All results as Markdown."""
    names = list(dict.fromkeys(program for program, _ in results))
    lines = [f"| measure | language | {' | '.join(names)} |", f"|{' --- |' * (len(names) + 2)}"]
    for measure in MEASURES:
        for language in LANGUAGES:
            cells = [results[name, language].shown(measure) for name in names]
            if any(cell != "–" for cell in cells):
                lines.append(f"| {measure.removesuffix(' all')} | {language} | {' | '.join(cells)} |")
    lines += ["", f"| English, recall by kind | {' | '.join(names)} |", f"|{' --- |' * (len(names) + 1)}"]
    lines += [
        f"| {one} | {' | '.join(results[name, 'en'].shown(f'recall {one}') for name in names)} |" for one in KINDS
    ]
    return "\n".join(lines)


def shipped(own: dict[str, Counts], authority_counts: Counts) -> Accusations:
    """Of each language, how often this product's accusations were right."""
    rows = {}
    for measure, kind in ACCUSED.items():
        for language, counts in own.items():
            of_authority = kind == "authority"
            name = f"{measure} {language}" if of_authority else measure
            found = authority_counts if of_authority else counts
            looked_at = (
                sum(one.held for _, one in authority_cases(language))
                if of_authority
                else len(counts.flags["place recall"])
            )
            if row := found.precision(name, looked_at):
                rows[f"{kind} {language}"] = row
    return Accusations(measured_on=MEASURED_ON, rows=rows)


MEASURED_ON = "held half of the Citation Court: passages with a gold of our own that nobody tuned on"


def main() -> None:
    """Print the tables of one half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=("held", "development"), default="held")
    parser.add_argument(
        "--set", choices=("passages", "fresh", *WHOLE), default="passages", help="all but passages: extraction alone"
    )
    parser.add_argument("--law", action="append", default=[], metavar="LANGUAGE=INDEX", help="law of a real country")
    parser.add_argument("--program", action="append", choices=PROGRAMS)
    parser.add_argument("--errors", action="store_true", help="what was got wrong, of the development half alone")
    parser.add_argument("--write", action="store_true", help="the tables of docs/results-law.md")
    given = parser.parse_args()
    laws = {f"model-{one}": Corpus.from_folder(law_path(f"model-jurisdiction-{one}")) for one in LANGUAGES}
    laws |= {language: open_index(Path(path)) for language, _, path in (one.partition("=") for one in given.law)}
    held = given.half == "held"
    if given.errors and (given.set in PROOF or (held and given.set not in WHOLE)):
        parser.error(f"errors are shown of what is tuned on alone: --half development, or --set {' or '.join(TUNE)}")
    names = given.program or [one for one in PROGRAMS if one != "eyecite" or find_spec("eyecite")]
    results = {}
    for name in names:
        for language in LANGUAGES:
            read = [
                one
                for one in passages(language, PASSAGES.parent / given.set)
                if (one.held == held or given.set in WHOLE) and language in READS.get(name, LANGUAGES)
            ]
            results[name, language] = judge(PROGRAMS[name], read, laws, errors=given.errors)
    found = tables(results)
    if given.set != "passages":
        print(found)
        return
    counts = authority(laws, held=held, errors=given.errors)
    rows = [f"| {name} | {counts.shown(name)} |" for name in (*(f"right {one}" for one in LANGUAGES), *AUTHORITY)]
    found += "\n\n| authority | benchbar |\n| --- | --- |\n" + "\n".join(rows)
    print(found)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
        write_atomically(PAGE, f"{page[:begin]}\n{found}\n{page[end:]}".encode())
        if held and "benchbar" in names:
            told = shipped({one: results["benchbar", one] for one in LANGUAGES}, counts)
            write_atomically(SHIPPED, msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n")


if __name__ == "__main__":
    main()
