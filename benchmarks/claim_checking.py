"""Does the article say that? How well the check of claims tells it: `python benchmarks/claim_checking.py ../shared/data`.

Claims are sentences of open law in other words, and the sentences of answers around their citations of expected articles. Each is
held against its own article; against a neighbouring and another article of the same law (swapped); with an operator turned into its
opposite (flipped); with a number changed; in English with a plain sentence denied, an exception denied, or two parties exchanged. Laws and questions are halved: on `tune` weights are fitted and thresholds chosen by
cross-validation, on `held` everything is measured. `benchmarks/claims` holds a gold of our own in the same halves.

    --fit      weights for benchbar/law/claims/deciding.py, fitted on `tune` alone, and conflicts by strength there
    --errors   wrong verdicts of `tune` and of the tuned half of the gold
    --write    measured.json, which the engine reads, and the tables of docs/results-law.md
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from claim_edits import (
    Edit,
    conditioned,
    denied,
    excepted,
    exchanged,
    flipped,
    made,
    opposed,
    paraphrased,
    renumbered,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from benchbar.law.citation_check import check_citations
from benchbar.law.citations import extract
from benchbar.law.claims import measured as table
from benchbar.law.claims.around import claim_around, claim_span
from benchbar.law.claims.checking import VERSION, reservation
from benchbar.law.claims.comparing import KINDS, Comparison, compare
from benchbar.law.claims.deciding import LEAST_STRENGTH, about_it, decide, features
from benchbar.law.claims.passage import cited_part
from benchbar.law.claims.reading import Reading
from benchbar.law.corpus import Corpus
from benchbar.law.index import build_index, open_index
from benchbar.law.links import plainly
from benchbar.law.names import same_law
from benchbar.law.terms import document_frequencies, inverse_document_frequencies
from benchbar.law.topic import LawTerms, TopicFeatures
from benchbar.records import ClaimVerdict
from benchbar.records.files import write_atomically
from benchbar.statistics.proportions import proportion

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "results-law.md"
MEASURED = Path(table.__file__).with_name("measured.json")
BEGIN, END = "<!-- claim_checking -->", "<!-- end of claim_checking -->"
RIGHT, SWAPPED, FLIPPED, NUMBER = "right", "swapped", "flipped", "number"
EDITS = (SWAPPED, FLIPPED, NUMBER)
FURTHER = {
    "denied": denied,
    "excepted": excepted,
    "exchanged": exchanged,
    "conditioned": conditioned,
    "opposed": opposed,
}


@dataclass(frozen=True)
class Pair:
    """A claim, an article, and what is true of them."""

    source: str
    language: str
    kind: str
    group: str
    claim: str
    article: str
    topic: TopicFeatures | None
    compared: Comparison
    reserved: str

    @property
    def half(self) -> str:
        """All claims of a law, or of one question, are in one half."""
        return "held" if zlib.crc32(self.group.encode()) % 2 else "tune"

    @property
    def wanted(self) -> ClaimVerdict:
        """What the verdict should be."""
        return {RIGHT: ClaimVerdict.SUPPORTS, SWAPPED: ClaimVerdict.SILENT, "silent": ClaimVerdict.SILENT}.get(
            self.kind, ClaimVerdict.CONTRADICTS
        )

    def decided(self, *, every: bool = True) -> tuple[ClaimVerdict, float, str]:
        """Verdict, probability, and the kind of conflict."""
        found = decide(self.compared, self.topic, self.language, reserved=self.reserved, every=every)
        return found.verdict, found.probability, found.conflict.kind if found.conflict else ""


def pair(source: str, language: str, kind: str, group: str, claim: str, article: str, topic: object = None) -> Pair:
    """A pair with its comparison."""
    reading = Reading(claim, language)
    compared = compare(reading, Reading(article, language))
    return Pair(source, language, kind, group, claim, article, topic, compared, reservation(reading, article))  # type: ignore[arg-type]


def rows(path: Path) -> list[dict]:
    """The objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def edited(
    source: str, language: str, group: str, claim: str, texts: Sequence[str], place: int, terms: LawTerms, draw: Random
) -> Iterator[Pair]:
    """A right claim, and the same in all the ways of being wrong."""

    def one(kind: str, text: str, at: int) -> Pair:
        return pair(source, language, kind, group, text, texts[at], terms.features(text, at))

    yield one(RIGHT, claim, place)
    others = [at for at in range(len(texts)) if at != place]
    yield one(SWAPPED, claim, min(others, key=lambda at: abs(at - place)))
    yield one(SWAPPED, claim, draw.choice(others))
    for kind, edit in ((FLIPPED, flipped), (NUMBER, renumbered)):
        if text := edit(claim, language, draw):
            yield one(kind, text, place)
    # A draw of its own: the claims drawn from `draw` stay what they were.
    for kind, edit in FURTHER.items():
        if text := edit(claim, language, Random(zlib.crc32(claim.encode()))):  # noqa: S311
            yield one(kind, text, place)


def of_laws(
    source: str,
    language: str,
    laws: list[tuple[str, list[str]]],
    wanted: int,
    each: int,
    draw: Random,
    *,
    edit: Edit | None = None,
) -> Iterator[Pair]:
    """Claims made from the words of laws: a few of each law."""
    bodies = [text for _, texts in laws for text in texts]
    idf = inverse_document_frequencies(document_frequencies(bodies), len(bodies))
    count = 0
    for name, texts in laws:
        if count >= wanted:
            return
        terms, places, done = LawTerms(texts, idf), list(range(len(texts))), 0
        draw.shuffle(places)
        for place in places:
            if done == each:
                break
            if claim := made(texts[place], language, draw, edit=edit):
                yield from edited(source, language, name, paraphrased(claim, language, draw), texts, place, terms, draw)
                done += 1
        count += done


def of_answers(
    source: str, answers: Sequence[tuple[str, list[str], str]], corpus: Corpus, draw: Random
) -> Iterator[Pair]:
    """Sentences around citations of expected articles, in answers that come with a question's id and the articles' names."""
    for question, names, text in answers:
        gold = [one for name in names for one in extract(name) if one.article]
        mentions = list(extract(text, known=corpus.known_names))
        for index, one in enumerate(check_citations(text, corpus, on="2024-06-01")):
            expected = any(same_law(one.law or "", other.names) and one.article == other.article for other in gold)
            row = (
                corpus.row(one.law_id, one.article, one.sub or "") if expected and one.law_id and one.article else None
            )
            if row is None or one.topic is None:
                continue
            law = corpus.rows_of(one.law_id or "")
            texts = [corpus.articles[at].text for at in law]
            yield from edited(
                source, "zh", f"question {question}", claim_around(text, mentions, index), texts, row - law.start,
                corpus.terms_of(one.law_id or ""), draw,
            )  # fmt: skip


def of_shared(data: Path) -> list[Pair]:
    """All pairs from shared data."""
    draw = Random(19)  # noqa: S311
    current = {row["law_id"] for row in rows(data / "zh/statutes/laws.jsonl") if row.get("latest_version_in_repo")}
    laws: dict[str, list[str]] = defaultdict(list)
    for row in rows(data / "zh/statutes/articles.jsonl"):
        laws[row["law_id"]].append(row["text"])
    national = [(name, texts) for name, texts in laws.items() if name in current and len(texts) > 20]
    codes = [
        (f"{path.stem} {at}", texts[at : at + 25])
        for path in sorted((data / "ru/codes").glob("*.jsonl"))
        for texts in [[row["text"] for row in rows(path) if row["status"] == "in_snapshot" and len(row["text"]) > 60]]
        for at in range(0, len(texts) - 10, 25)
    ]
    clauses = [row["text"] for row in rows(data / "en/acord/clauses.jsonl") if 120 < len(row["text"]) < 3000]
    contracts = [(f"clauses {at}", clauses[at : at + 12]) for at in range(0, len(clauses) - 12, 12)]
    for listed in (national, codes, contracts):
        draw.shuffle(listed)
    documents = [
        (f"{row['source_file']} {at}", texts[at : at + 25])
        for row in rows(data / "en/legalbench_rag_qa/documents.jsonl")
        for texts in [[one for one in row["text"].splitlines() if 120 < len(one) < 3000 and one.rstrip()[-1] in ".;:"]]
        for at in range(0, len(texts) - 5, 25)
    ]
    folder = Path(tempfile.mkdtemp(prefix="benchbar-"))
    told = [row["answer"] for row in rows(data / "en/safelawbench_hk_qa/qa_even.jsonl")]
    lines = [one for text in told for one in ((plainly(text) or (text,))[0]).splitlines()]
    answers = [one for one in lines if 120 < len(one) < 3000 and one.rstrip()[-1] in ".;:"]
    advice = [(f"answers {at}", answers[at : at + 25]) for at in range(0, len(answers) - 5, 25)]
    build_index([data / "zh/statutes"], folder)
    corpus = open_index(folder)
    queries = {row["query_id"]: row for row in rows(data / "zh/stard/queries_even.jsonl")}
    experts = [(key, row["relevant"], row["answer"]) for key, row in queries.items() if isinstance(row["answer"], str)]
    models = [
        (row["query_id"], queries[row["query_id"]]["relevant"], row["answer"])
        for row in rows(data / "zh/lecoqa_outputs/answers_even.jsonl")
        if row["query_id"] in queries
    ]
    return [
        *of_laws("statutes", "zh", national, 1000, 4, draw),
        *of_laws("codes", "ru", codes, 600, 6, draw),
        *of_laws("clauses", "en", contracts, 600, 6, draw),
        *of_laws("documents", "en", documents, 1600, 25, Random(23)),  # noqa: S311
        *(
            one
            for name, edit in FURTHER.items()
            for one in of_laws(name, "en", [*contracts, *documents, *advice], 1600, 25, Random(29), edit=edit)  # noqa: S311
        ),
        *of_answers("experts", [(str(key), names, text) for key, names, text in experts], corpus, draw),
        *of_answers("models", [(str(key), names, text) for key, names, text in models], corpus, draw),
    ]


def of_gold(half: str) -> Iterator[Pair]:
    """The gold of our own: the citation is found in the claim, and its article is the one given."""
    for path in sorted((HERE / "claims" / half).glob("*.txt")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            head, *lines = block.splitlines()
            article = "\n".join(line.removeprefix("| ") for line in lines if line.startswith("| "))
            terms = LawTerms([article], np.ones(1 << 18, np.float32))
            for line in lines:
                kind, _, text = line.partition(": ")
                if line.startswith("| "):
                    continue
                mentions = [one for one in extract(text, path.stem) if one.article]
                start, end = claim_span(text, mentions, 0) if mentions else (0, len(text))
                claim = text[start:end] if not mentions else text[start:end].replace(mentions[0].text, " ")
                part = cited_part(article, mentions[0]) if mentions else article
                yield pair(
                    "gold", path.stem, {"supports": RIGHT}.get(kind, kind), head, claim, part, terms.features(claim, 0)
                )


def area(right: Sequence[float], wrong: Sequence[float]) -> str:
    """Area under the curve with its 95% interval after Hanley and McNeil (1982), and both numbers."""
    if not right or not wrong:
        return "–"
    value = roc_auc_score([1] * len(right) + [0] * len(wrong), [*right, *wrong])
    pairs, twice = value / (2 - value), 2 * value**2 / (1 + value)
    spread = value * (1 - value) + (len(right) - 1) * (pairs - value**2) + (len(wrong) - 1) * (twice - value**2)
    half = 1.96 * (max(spread, 0.0) / (len(right) * len(wrong))) ** 0.5
    return (
        f"{value:.3f} [{max(0.0, value - half):.3f}, {min(1.0, value + half):.3f}], n = {len(right)} and {len(wrong)}"
    )


def areas(found: Sequence[Pair]) -> Iterator[str]:
    """How well the probability tells right claims from each kind of wrong ones."""
    yield f"| source | {' | '.join(EDITS)} |"
    yield f"|{' --- |' * (len(EDITS) + 1)}"
    for source in dict.fromkeys(one.source for one in found):
        own = [one for one in found if one.source == source]
        chance = {kind: [one.decided()[1] for one in own if one.kind == kind] for kind in (RIGHT, *EDITS)}
        yield f"| {source} ({own[0].language}) | {' | '.join(area(chance[RIGHT], chance[kind]) for kind in EDITS)} |"


def precision(found: Sequence[Pair]) -> dict[str, table.Precision]:
    """Each verdict: how often it was given, and how often rightly."""
    cells: dict[str, list[bool]] = defaultdict(list)
    pairs: dict[str, int] = defaultdict(int)
    for one in found:
        # What is done to English claims alone says nothing of another language's.
        own_alone = one.kind in FURTHER or one.source in {"documents", *FURTHER}
        languages = (one.language,) if own_alone else (one.language, table.ALL)
        for language in languages:
            pairs[language] += 1
        verdict, _, conflict = one.decided()
        if verdict is ClaimVerdict.CANNOT_TELL:
            continue
        kind = conflict if verdict is ClaimVerdict.CONTRADICTS else "all"
        kinds = (kind, f"{table.GOLD}-{kind}") if one.source == "gold" else (kind,)
        for name in (f"{verdict} {of} {language}" for of in kinds for language in languages):
            cells[name].append(verdict is one.wanted)
    return {
        name: table.Precision(
            pairs=pairs[name.split()[-1]],
            said=len(right),
            right=sum(right),
            low=round(proportion(sum(right), len(right), unit="pair").low or 0.0, 4),
            high=round(proportion(sum(right), len(right), unit="pair").high or 0.0, 4),
        )
        for name, right in sorted(cells.items())
    }


def verdicts(found: dict[str, table.Precision]) -> Iterator[str]:
    """The table of precision."""
    measured = table.Measured(rules=VERSION, rows=found)
    yield "| verdict, kind, language | said | right | precision [95%] | given |\n| --- | --- | --- | --- | --- |"
    for name, one in found.items():
        share = f"{one.right / one.said:.3f} [{one.low:.3f}, {one.high:.3f}]"
        yield f"| {name} | {one.said} | {one.right} | {share} | {_given(measured, name)} |"


def _given(measured: table.Measured, name: str) -> str:
    verdict, kind, language = name.split()
    return (
        ""
        if language == table.ALL or kind.startswith(table.GOLD)
        else "yes"
        if measured.holds(verdict, kind, language)
        else "no"
    )


def outcomes(found: Sequence[Pair]) -> Iterator[str]:
    """What becomes of each kind of claim, with the verdicts that may be given."""
    yield f"| claims | n | {' | '.join(ClaimVerdict)} |\n|{' --- |' * (len(ClaimVerdict) + 2)}"
    groups: dict[str, list[ClaimVerdict]] = defaultdict(list)
    for one in found:
        groups[f"{one.source} {one.language}: {one.kind}"].append(one.decided(every=False)[0])
    for name, said in groups.items():
        yield f"| {name} | {len(said)} | {' | '.join(f'{said.count(one) / len(said):.0%}' for one in ClaimVerdict)} |"


def fit(found: Sequence[Pair]) -> None:
    """Print weights, areas in cross-validation, and how often each kind of conflict is seen, by strength."""
    for name, kinds in (("_ABOUT", (RIGHT, SWAPPED)), ("_AGREES", (RIGHT, FLIPPED, NUMBER))):
        used = [one for one in found if one.kind in kinds]
        values = np.array([_values(one, name) for one in used])
        right = np.array([one.kind == RIGHT for one in used])
        # Sources count alike, right and wrong alike: else sentences of statutes would drown those of answers.
        cells = [(one.source, one.kind == RIGHT) for one in used]
        sizes = {cell: cells.count(cell) for cell in set(cells)}
        weights = np.array([min(sizes[cell], 200) / sizes[cell] for cell in cells])
        scale = values.std(axis=0) + 1e-9
        groups = [one.group for one in used]
        model = LogisticRegression(C=1.0)
        chance = cross_val_predict(
            model, values / scale, right, groups=groups, cv=GroupKFold(5), method="predict_proba",
            params={"sample_weight": weights},
        )[:, 1]  # fmt: skip
        model.fit(values / scale, right, sample_weight=weights)
        print(name, np.round([model.intercept_[0], *(model.coef_[0] / scale)], 2).tolist(), end="  ")
        print("AUC in cross-validation", round(roc_auc_score(right, chance), 3))
    for kind in KINDS:
        for least in sorted({0.3, 0.45, 0.6, 0.7, LEAST_STRENGTH[kind]}):
            shown = [
                one
                for one in found
                if one.compared.strength(kind) >= least and not one.reserved and about_it(one.compared, one.topic) > 0.5
            ]
            wrong = sum(one.kind in {RIGHT, SWAPPED} for one in shown)
            print(f"{kind} from {least}: {len(shown)} conflicts, {wrong} of them in claims that are right or swapped")


def _values(one: Pair, name: str) -> tuple[float, ...]:
    topic = one.topic or TopicFeatures(0.2, 0.0)
    about = (one.compared.coverage, one.compared.best, topic.within, topic.margin)
    return about if name == "_ABOUT" else features(one.compared)


def errors(found: Sequence[Pair]) -> None:
    """Print what was said wrongly, and the contradictions of the gold that were missed."""
    for one in found:
        verdict, chance, conflict = one.decided()
        missed = one.source == "gold" and verdict is ClaimVerdict.CANNOT_TELL
        if missed or verdict not in {one.wanted, ClaimVerdict.CANNOT_TELL}:
            print(f"{one.source} {one.language} {one.kind}: {verdict} {chance} {conflict} {one.reserved}")
            print("   claim", one.claim.strip()[:300])
            print("   law  ", one.article.replace("\n", " ")[:300])
            for each in one.compared.conflicts:
                mine, theirs = one.claim[slice(*each.claim)], one.article[slice(*each.article)]
                print(f"   {each.kind} {each.strength:.2f}: {mine.strip()[:60]} / {theirs.strip()[:60]}")


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?")
    for name in ("fit", "errors", "write"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    found = of_shared(given.data) if given.data else []
    tune, held = ([one for one in found if one.half == half] for half in ("tune", "held"))
    if given.fit:
        return fit(tune)
    if given.errors:
        return errors([*of_gold("tune"), *(one for one in tune if one.source in {"experts", "models"})])
    gold = [*of_gold("held")]
    figures = precision([*held, *gold])
    if given.write:
        measured = table.Measured(rules=VERSION, rows=figures)
        write_atomically(MEASURED, msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n")
        table.measured.cache_clear()
    lines = [*areas(held), "", *verdicts(figures), "", *outcomes([*gold, *(one for one in held if one.kind == RIGHT)])]
    print("\n".join(lines))
    if given.write:
        head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        write_atomically(PAGE, "\n".join((head + BEGIN, *lines, END + rest.partition(END)[2])).encode())
    return None


if __name__ == "__main__":
    main()
