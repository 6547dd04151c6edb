"""Fit when a corpus answers a question, and write the weights into the package.

    python scripts/fit_answerability.py ru ../shared/data
    python scripts/fit_answerability.py zh ../shared/data

Every question is put to each corpus of ``CORPORA`` alone: those that hold an article which answers it do, the others do not. The
questions are those of ``HALVES`` of benchmarks/consultant, and for Russian those of benchmarks/retrieval, for Chinese the
even ones of STARD. What is beyond law by its wording is left out: the fit is not asked then. Each is asked with the whole map of everyday
words and with a thinned one, which stands for questions that nobody wrote the map for. Prints what ten folds of the questions give, each
weighed by a fit on the other nine and held against the bound of those nine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fitted_weights import thinned, weights_of
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from benchbar.records import encode
from benchbar.records.files import write_atomically
from benchbar.retrieval import expansion
from benchbar.retrieval.answerability import (
    FURTHER_SIGNALS,
    INDEXED_SIGNALS,
    SIGNALS,
    Answerability,
    signals,
)
from benchbar.retrieval.beyond_law import BEYOND_SIGNALS, asks_beyond_law, rules_of
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.countries import foreign_country
from benchbar.retrieval.elsewhere import ELSEWHERE_SIGNALS, lines_elsewhere
from benchbar.retrieval.learned import LogisticWeights
from benchbar.retrieval.matters import unmentioned_matter
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.settings import SILENCE
from benchbar.statistics.proportions import wilson_interval

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from consultant_search import HERE, documents, lines, opened  # noqa: E402 - its corpora are made there

CORPORA = {
    "ru": ("ru-housing", "ru-labour", "ru-civil", "ru-family", "ru-procedure", "ru-criminal", "ru-land", "ru-codes"),
    "zh": ("zh-labour", "zh-civil", "zh-consumer", "zh-public", "zh-criminal", "zh-company", "zh-procedure"),
}
WHOLE = ("ru-codes",)
"""A corpus of all the codes: it answers nearly every question that is put to it, so that a bound that counted them would be too high for one code."""
HALVES = {"ru": ("development", "tune", "silence_tune"), "zh": ("development", "tune", "silence_tune", "others_tune")}
"""Those of benchmarks/consultant that are learned from. With `others_tune` and `BY_LAW` in Russian cross-validation was better and held questions
were wrongly refused more often (docs/results-retrieval.md), so that Russian has neither."""
BY_LAW = {"zh": ("law_lead", "law_held", "law_elsewhere")}
"""Signals of each law asked as a whole."""
NEVER = ("local", "foreign_law", "foreign", "private_document", "forecast", "no_law", "form", "no_answer")
"""Kinds that no law settles, whichever it is."""
REGULARISATION = 0.1
HARD = 3.0
"""Weight of a question that no article of its corpus settles: most others without an answer were put to a code of another field."""
FOLDS = 10
EVERY = 3
"""Of STARD's questions that no corpus answers every third one: they are as many as all others together."""


class Asked(NamedTuple):
    """A question put to a corpus."""

    question: str
    number: int
    """The same for one question put to several corpora."""
    corpus: str
    answered: bool
    lay: bool = True
    """Whether the bound is for such questions: in a layman's words, put to one field's law."""
    kind: str = ""
    """Of questions that no article of their corpus settles."""


def questions(language: str, shared: Path, indexes: dict[str, CorpusIndex]) -> list[Asked]:
    """Everything that may be learned from, each put to each corpus; ``held`` and ``fresh`` are not among them."""
    found: list[Asked] = []

    def put(
        number: int, question: str, named: Callable[[CorpusIndex], bool], *, lay: bool = True, every: bool = True
    ) -> None:
        answered = {name: named(index) for name, index in indexes.items()}
        if every or any(answered.values()):
            found.extend(
                Asked(question, number, name, one, lay and name not in WHOLE) for name, one in answered.items()
            )

    files = [HERE / f"questions/{half}/{language}.jsonl" for half in HALVES[language]]
    rows = [row for file in files if file.is_file() for row in lines(file)]
    for number, row in enumerate(rows):
        if row["expected"]:
            put(
                number,
                row["question"],
                lambda index, row=row: any(documents(index, language, one) for one in row["expected"]),
            )
        elif not asks_beyond_law(row["question"]):
            # It names no law, so that only of its own corpus it is known that this does not answer.
            corpora = dict.fromkeys([row["corpus"], *(WHOLE if row["kind"] in NEVER else ())])
            put_to = [name for name in corpora if name in indexes]
            found.extend(Asked(row["question"], number, name, answered=False, kind=row["kind"]) for name in put_to)
    start = len(rows)
    if language == "ru":
        for file in ("questions_ru", "further_questions_ru"):
            for line in (ROOT / f"benchmarks/retrieval/{file}.tsv").read_text("utf-8").splitlines():
                question, named = line.split("\t")
                laws = named.split("; ")
                start += 1
                put(start, question, lambda index, laws=laws: any(map(index.documents_named, laws)))
        return found
    for place, row in enumerate(lines(shared / "zh/stard/queries_even.jsonl")):
        # Most of STARD's questions are lawyers' wordings: with them among the answered, twice the share of laymen's is turned away.
        put(
            start + place, row["question"], lambda index, row=row: any(map(index.documents_named, row["relevant"])),
            lay=False, every=place % EVERY == 0,
        )  # fmt: skip
    return found


def fitted(
    values: np.ndarray, labels: np.ndarray, hard: np.ndarray, features: tuple[str, ...], source: str = ""
) -> LogisticWeights:
    """Weights over the features; both kinds of question weigh the same, though most pairs have no answer."""
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=REGULARISATION, max_iter=2000)
    weights = np.where(hard, HARD, 1.0)
    weights[labels] *= weights[~labels].sum() / labels.sum()
    model.fit(scaler.transform(values), labels, sample_weight=weights / weights.mean())
    return weights_of(scaler, model, features, source)


def features_of(language: str) -> dict[str, tuple[str, ...]]:
    """The signals of each set of weights, by its name: for law that the subject index does not know, and for law that it knows."""
    asked = BEYOND_SIGNALS if any(rule.weighed for rule in rules_of(language)) else ()
    left_out = set() if language in BY_LAW else {name for names in BY_LAW.values() for name in names}
    elsewhere = tuple(name for name in ELSEWHERE_SIGNALS if lines_elsewhere(language) and name not in left_out)
    return {language: (*SIGNALS, *asked), f"indexed_{language}": (*INDEXED_SIGNALS, *elsewhere, *asked)}


def main() -> None:
    """Fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(CORPORA))
    parser.add_argument("shared", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--dry", action="store_true", help="print what the folds give, write nothing")
    arguments = parser.parse_args()
    language = arguments.language
    indexes = {name: opened(name, arguments.shared, arguments.folder) for name in CORPORA[language]}
    rows = questions(language, arguments.shared, indexes)
    stores = {name: index.store(LAW) for name, index in indexes.items()}
    whole = np.stack([signals(stores[one.corpus], one.question, FURTHER_SIGNALS) for one in rows])
    expansion.concepts = thinned
    thin = np.stack([signals(stores[one.corpus], one.question, FURTHER_SIGNALS) for one in rows])
    decided = np.array([
        asks_beyond_law(one.question)
        or bool(foreign_country(one.question, stores[one.corpus].passages))
        or bool(unmentioned_matter(stores[one.corpus], one.question))
        for one in rows
    ])  # fmt: skip
    asked = len({one.number for one in rows})
    for name, features in features_of(language).items():
        print(name)
        columns = [FURTHER_SIGNALS.index(one) for one in features]
        # Without the subject index little but its size tells a corpus of all codes, so that it would say that small ones answer nothing.
        kept = [place for place, one in enumerate(rows) if name != language or one.corpus not in WHOLE]
        own = whole[np.ix_(kept, columns)], thin[np.ix_(kept, columns)], decided[kept]
        put = len({rows[place].corpus for place in kept})
        source = f"{asked} questions, put to {put} corpora (scripts/fit_answerability.py)"
        result = fit([rows[place] for place in kept], *own, features, source)
        if not arguments.dry:
            target = ROOT / f"src/benchbar/retrieval/weights/answerable_{name}.json"
            write_atomically(target, encode(result) + b"\n")


def fit(
    rows: list[Asked],
    whole: np.ndarray,
    thin: np.ndarray,
    decided: np.ndarray,
    features: tuple[str, ...],
    source: str,
) -> Answerability:
    """What is fitted on all questions, with the chances that folds gave; those are printed."""
    numbers, labels = np.array([one.number for one in rows]), np.array([one.answered for one in rows])
    hard, lay = np.array([one.kind != "" for one in rows]), np.array([one.lay for one in rows])
    chances = np.zeros((2, len(labels)))
    folds = np.array_split(np.random.default_rng(0).permutation(np.unique(numbers)), FOLDS)
    for fold in folds:
        out = np.isin(numbers, fold)
        weights = fitted(
            np.concatenate([whole[~out], thin[~out]]), np.tile(labels[~out], 2), np.tile(hard[~out], 2), features
        )
        chances[:, out] = weights.probabilities(whole[out]), weights.probabilities(thin[out])
    weights = fitted(np.concatenate([whole, thin]), np.tile(labels, 2), np.tile(hard, 2), features, source)
    # Chinese statutes have no headings, so that the signals of headings are constant and weigh nothing.
    headed = bool((whole[:, SIGNALS.index("title")] > 0).any())

    def bounded(kept: np.ndarray) -> Answerability:
        answered = tuple(round(float(one), 5) for one in np.sort(chances[1][labels & lay & kept]))
        return Answerability(weights=weights, answered=answered, headed=headed)

    for name, own in zip(("whole map", "thinned map"), chances, strict=True):
        print(f"{name}: area {roc_auc_score(labels, own):.3f}; {(labels & lay).sum()} answered, {(~labels).sum()} not")
        for share in (0.05, 0.1, 0.15):
            away = np.zeros(len(labels), dtype=bool)
            for out in (np.isin(numbers, fold) for fold in folds):
                away[out] = own[out] < bounded(~out).bound(share)
            tell(rows, away, decided, share)
    return bounded(np.ones(len(labels), dtype=bool))


def tell(rows: list[Asked], away: np.ndarray, decided: np.ndarray, share: float) -> None:
    """Print how many are turned away, by the regression and together with the wordings that decide alone."""
    kinds, labels = np.array([one.kind for one in rows]), np.array([one.answered for one in rows])
    lay, hard = np.array([one.lay for one in rows]), kinds != ""
    one_field = ~np.isin([one.corpus for one in rows], WHOLE)
    print(f"share {share}: {rate(away, labels & lay)} of answered and {rate(away, ~labels & ~hard)} of others")
    away = away | decided
    print(
        f"  with wordings: {rate(away, labels & lay)} and, of what no article settles, {rate(away, hard & one_field)}"
    )
    for kind in sorted({*kinds} - {""}) if share == SILENCE else ():
        print(f"    {kind}: {rate(away, kinds == kind)}")


def rate(away: np.ndarray, own: np.ndarray) -> str:
    """How many of some are turned away, with the 95% Wilson interval."""
    low, high = wilson_interval(float(away[own].mean()), int(own.sum()), 1.96)
    return f"{away[own].sum()}/{own.sum()} = {away[own].mean():.2f} [{low:.2f}, {high:.2f}]"


if __name__ == "__main__":
    main()
