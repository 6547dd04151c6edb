"""Are the names of findings true of the words? `python benchmarks/contract_names.py further` on the findings of one set.

Every pair of a name and the words that it stands on was read by the author of the checks, in a drawn order, and judged: true if
the name, read by itself, says something that the words say. The verdicts are in `benchmarks/contracts/names_judged.tsv` by a fingerprint of
the pair, so that texts which are not ours are not in it. What was not read is counted apart.

    --unread FILE   write the pairs that nobody has read yet, to be judged, in a drawn order
    --judged FILE   add the verdicts of such a file (its first column filled with 1 or 0)
    --write         put the table into docs/results-contract-findings.md
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from contract_findings import FOLDER, PAGE, Outcome, rows
from contract_fresh import KINDS, alone
from numpy.random import default_rng

from benchbar.contracts.report import shown
from benchbar.contracts.reviewing import review_contract
from benchbar.records.contracts import Finding, RiskLevel
from benchbar.records.files import write_atomically

JUDGED = FOLDER / "names_judged.tsv"
ACORD = FOLDER.parents[2] / "shared/data/en/acord/clauses.jsonl"
DRAWN = 150
"""Real clauses that are reviewed, drawn with a seed."""


def pairs(which: str) -> Iterator[tuple[str, str, str]]:
    """Language, name and words of each finding above low that has a name of the checks' own."""
    for language, finding in _findings(which):
        if finding.kind == "risk" and finding.level is not RiskLevel.LOW:
            yield language, finding.risk, " ".join(finding.evidence.split())


def _findings(which: str) -> Iterator[tuple[str, Finding]]:
    folders = {"contracts": FOLDER, "other kinds": FOLDER / "kinds", "further": FOLDER / "further"}
    if which in folders:
        for path in sorted(folders[which].glob("*.findings.jsonl")):
            name = path.name.removesuffix(".findings.jsonl")
            report = review_contract(folders[which] / f"{name}.txt").report
            yield from ((name[:2], one) for review in report.reviews for one in shown(review))
    elif which == "acord":
        texts = sorted({json.loads(line)["text"] for line in ACORD.read_text("utf-8").splitlines()})
        for text in default_rng(20).choice(texts, DRAWN, replace=False).tolist():
            yield from (("en", one) for one in alone(text, "en", ""))
    else:
        folder, _, half = which.partition(" ")
        for language in ("zh", "ru", "en"):
            for row in rows(FOLDER / folder / f"{language}{f'.{half}' if half else ''}.jsonl"):
                kind = KINDS.get(row.get("kind", ""), row.get("kind", ""))
                yield from ((language, one) for one in alone(row["text"], language, kind))


def fingerprint(name: str, words: str) -> str:
    """Of a name and the words that it stands on."""
    return hashlib.sha256(f"{name}\n{words}".encode()).hexdigest()[:16]


def judged() -> dict[str, bool]:
    """Fingerprint to whether the name is true of the words."""
    if not JUDGED.exists():
        return {}
    lines = JUDGED.read_text("utf-8").splitlines()[1:]
    return {key: verdict == "1" for key, verdict, *_ in (line.split("\t") for line in lines)}


def _read(path: Path) -> None:
    verdicts = {key: str(int(true)) for key, true in judged().items()}
    for line in path.read_text("utf-8").splitlines():
        verdict, _, name, words = line.split("\t")
        if verdict in ("0", "1"):
            verdicts[fingerprint(name, words)] = verdict
    lines = [f"{key}\t{verdict}" for key, verdict in sorted(verdicts.items())]
    write_atomically(JUDGED, ("\n".join(["fingerprint\ttrue", *lines]) + "\n").encode())


def main() -> None:
    """Measure one set, print, and with ``--write`` publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--unread", type=Path)
    parser.add_argument("--judged", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.judged:
        _read(given.judged)
    known, unread = judged(), set()
    table: dict[str, Outcome] = defaultdict(Outcome)
    silent: dict[str, int] = defaultdict(int)
    for which in given.sets:
        for index, (language, name, words) in enumerate(pairs(which)):
            true = known.get(fingerprint(name, words))
            if true is None:
                unread.add((language, name, words))
            for group in (which, f"{which} {language}"):
                if true is None:
                    silent[group] += 1
                else:
                    table[group].add(true, f"{which}{index}")
    lines = ["| | names true of the words | not read |", "| --- | --- | --- |"]
    lines += [f"| {group} | {table[group]} | {silent[group]} |" for group in {**table, **silent}]
    print("\n".join(lines))
    if given.unread:
        order = default_rng(7).permutation(sorted(unread)).tolist()
        given.unread.write_text("".join(f"?\t{one}\t{name}\t{words}\n" for one, name, words in order), "utf-8")
    if given.write:
        _write("\n".join(lines))


def _write(text: str) -> None:
    begin, end = "<!-- names -->", "<!-- end of names -->"
    before, _, rest = PAGE.read_text("utf-8").partition(begin)
    write_atomically(PAGE, f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}".encode())


if __name__ == "__main__":
    main()
