"""Are true words of laymen accused? `python benchmarks/claim_laymen.py ../shared/data [--half tune|proof|practice] [--errors]`.

`benchmarks/claims/lay` has claims over real articles in the words of laymen and chat models: rounded, several numbers in one sentence, numbers in
words, exceptions told first, duties and denials in other words. An article stands beside its claims, or is named with the hash of its text in the
shared data; claims on a text that has changed are left out, and counted. Halves are of articles, drawn at random.
English articles that stand here, of Union, British and American law, were written down from memory and in part shortened. `practice` is a further
set of the same kind, on articles and answers of practice, that was committed before any program was run on it. `third_tune` and `third_proof` are
the halves of a third writer's claims, and `cases` and `cases_proof` true claims that apply an article to an example (too late, too much, a
seventeen-year-old); wrong verdicts of `third_proof` were read by nobody, those of `cases_proof` after their first reading. `fourth_tune` and
`fourth_proof` are 151 English claims on 40 invented sections, committed before the rules were changed and before any program was run on them: three
fifths are false by number, denial, condition or party, and nine are of another matter (`silent`: to be accused of nothing, and not false either).
`fifth_tune` has 61 English claims on the bundled invented Acts, in an assistant's voice: it was read while the rules were mended.
`sixth_tune` and `sixth_proof` are 120 English claims (60 false in sixteen kinds) on 30 British, American and Union provisions, written down from memory
and in part shortened (Open Government Licence, public domain, free reuse); they were committed before the rules were read, and halved by provision.

Printed, by language: of the contradictions said, those that are right (precision); of the false claims, those that are contradicted (recall); of the
true ones, those that are accused.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from claim_checking import RIGHT, Pair, pair, rows

from benchbar.law.terms import document_frequencies, inverse_document_frequencies
from benchbar.law.topic import LawTerms
from benchbar.records import ClaimVerdict
from benchbar.statistics.proportions import proportion

HERE = Path(__file__).parent
LANGUAGES = ("zh", "ru", "en")
HALVES = (
    "tune",
    "proof",
    "practice",
    "third_tune",
    "third_proof",
    "cases",
    "cases_proof",
    "fourth_tune",
    "fourth_proof",
    "fifth_tune",
    "sixth_tune",
    "sixth_proof",
)


class LayClaim(NamedTuple):
    """A claim of a layman on an article."""

    language: str
    head: str
    kind: str
    claim: str
    article: str
    terms: LawTerms
    place: int
    """Of the article, in its law."""


class Articles:
    """The articles of the shared data by name, with the terms of their laws."""

    def __init__(self, data: Path | None) -> None:
        """Without data there are none."""
        self.laws: dict[str, dict[str, str]] = {}
        self._terms: dict[str, LawTerms] = {}
        if data is None:
            return
        for row in rows(data / "zh/statutes/articles.jsonl"):
            self.laws.setdefault(row["law_id"], {})[str(row["no"]) + (f"-{row['sub']}" if row.get("sub") else "")] = (
                row["text"]
            )
        for path in sorted((data / "ru/codes").glob("*.jsonl")):
            self.laws[path.stem] = {row["article"]: row["text"] for row in rows(path)}
        self.laws["clauses"] = {row["id"]: row["text"] for row in rows(data / "en/acord/clauses.jsonl")}

    def found(self, head: str) -> tuple[str, LawTerms, int] | None:
        """Text, terms of its law, and place in it; None where the text is another one."""
        name, _, digest = head.partition(" sha256:")
        law, _, article = name.rpartition(":")
        law = law or "clauses"
        texts = self.laws.get(law, {})
        text = texts.get(article, "")
        if hashlib.sha256(text.encode()).hexdigest()[:16] != digest:
            return None
        if law not in self._terms:
            bodies = [*texts.values()]
            idf = inverse_document_frequencies(document_frequencies(bodies), len(bodies))
            self._terms[law] = LawTerms(bodies, idf)
        return text, self._terms[law], [*texts].index(article)


def lay_claims(half: str, articles: Articles) -> Iterator[LayClaim | str]:
    """The claims of a half; the head of a block whose article is not at hand."""
    for language in LANGUAGES:
        file = HERE / "claims" / "lay" / half / f"{language}.txt"
        for block in file.read_text("utf-8").strip().split("\n\n") if file.exists() else ():
            head, *lines = block.splitlines()
            if " sha256:" in head:
                found = articles.found(head)
            else:
                own = "\n".join(line.removeprefix("| ") for line in lines if line.startswith("| "))
                found = own, LawTerms([own], np.ones(1 << 18, np.float32)), 0
            if found is None:
                yield head
                continue
            text, terms, place = found
            for line in lines:
                kind, _, claim = line.partition(": ")
                if not line.startswith("| "):
                    yield LayClaim(language, head, kind, claim, text, terms, place)


def claims(half: str, articles: Articles) -> Iterator[Pair | str]:
    """Pairs of claim and article; the head of a block whose article is not at hand."""
    for one in lay_claims(half, articles):
        if isinstance(one, str):
            yield one
            continue
        kind = RIGHT if one.kind == "supports" else one.kind
        topic = one.terms.features(one.claim, one.place)
        yield pair("laymen", one.language, kind, one.head, one.claim, one.article, topic)


def table(found: list[Pair]) -> Iterator[str]:
    """Precision, recall and false accusations."""
    yield "| language | contradictions right | false claims found | true claims accused |\n| --- | --- | --- | --- |"
    for language in (*LANGUAGES, "all"):
        own = [one for one in found if language in {one.language, "all"}]
        said = [(one, one.decided(every=False)[0] is ClaimVerdict.CONTRADICTS) for one in own]
        accused = [one.kind not in {RIGHT, "silent"} for one, contradicted in said if contradicted]
        cells = (
            accused,
            [contradicted for one, contradicted in said if one.kind not in {RIGHT, "silent"}],
            [contradicted for one, contradicted in said if one.kind == RIGHT],
        )
        yield f"| {language} | {' | '.join(map(_share, cells))} |"


def _share(cases: list[bool]) -> str:
    if not cases:
        return "–"
    one = proportion(sum(cases), len(cases), unit="claim")
    return f"{sum(cases)} of {len(cases)}, {sum(cases) / len(cases):.3f} [{one.low:.3f}, {one.high:.3f}]"


def errors(found: list[Pair]) -> Iterator[str]:
    """True claims that are accused, false ones that are missed, and what each contradiction marks."""
    for one in found:
        verdict, chance, kind = one.decided(every=False)
        marks = [
            f"{each.kind} {each.strength:.2f} {one.claim[slice(*each.claim)]!r} / {one.article[slice(*each.article)]!r}"
            for each in one.compared.conflicts
        ]
        wrong = (verdict is ClaimVerdict.CONTRADICTS) == (one.kind == RIGHT) or verdict is ClaimVerdict.SILENT
        yield f"{'WRONG ' if wrong else ''}{one.language} {one.group.split(' sha')[0]} {one.kind}: {verdict} {kind} {chance}\n   {one.claim}"
        yield from (f"   {mark[:240]}" for mark in marks)


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=HALVES, default="proof")
    parser.add_argument("--errors", action="store_true")
    given = parser.parse_args()
    found = [*claims(given.half, Articles(given.data))]
    held = [one for one in found if isinstance(one, Pair)]
    print("\n".join(errors(held) if given.errors else table(held)))
    if missing := [one for one in found if isinstance(one, str)]:
        print(f"{len(missing)} articles have another text in the data, or none: {', '.join(missing)}")


if __name__ == "__main__":
    main()
