"""Write the terms by which the articles of the subject index are known again (``src/benchbar/retrieval/subjects/*_articles.tsv``).

    python scripts/anchor_subjects.py zh ../shared/data
    python scripts/anchor_subjects.py ru ../shared/data
    python scripts/anchor_subjects.py en ../shared/data

Of each article that a line names the five terms with the highest TF-IDF (the idf cubed: short words stand everywhere) in its law: pairs of characters in Chinese, beginnings of words in the others. Says
which articles the corpus does not hold; their lines are silent.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from math import log
from pathlib import Path

from benchbar.law.names import LawKey, law_key
from benchbar.records.files import write_atomically
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.subject_index import _plain, written
from benchbar.retrieval.tokens import grams, prefixes

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from consultant_search import INDEXED_ENGLISH, opened  # noqa: E402 - its corpora are made there

CORPORA = {"zh": ("zh-all",), "ru": ("ru-codes",), "en": INDEXED_ENGLISH}
KEPT = 5


def main() -> None:
    """Read the corpus, write the terms."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(CORPORA))
    parser.add_argument("shared", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    arguments = parser.parse_args()
    language = arguments.language
    texts: dict[tuple[LawKey, str], str] = defaultdict(str)
    corpora = (opened(name, arguments.shared, arguments.folder) for name in CORPORA[language])
    for piece in (piece for corpus in corpora for piece in corpus.passages[LAW]):
        article = f"{piece.article}.{piece.sub}" if piece.sub else piece.article
        texts[_plain(piece.law), article] += f" {piece.title} {piece.text}"
    terms = {key: Counter(grams(text)[1] if language == "zh" else prefixes(text)) for key, text in texts.items()}
    spread = Counter((key[0], term) for key, own in terms.items() for term in own)
    named = dict.fromkeys((law, article) for law, articles, _ in written(language) for article in articles)
    rows = []
    for law, article in named:
        key = law_key(law), article
        if key not in terms:
            print(f"not held: {law} {article}", file=sys.stderr)
            continue
        # TF-IDF within the law: what the article speaks of most and its neighbours least.
        weight = {term: count * log(1 + len(terms) / spread[key[0], term]) ** 3 for term, count in terms[key].items()}
        order = sorted(weight, key=lambda term, weight=weight: (-weight[term], term))
        rows.append(f"{law}\t{article}\t{' '.join(order[:KEPT])}")
    target = ROOT / f"src/benchbar/retrieval/subjects/{language}_articles.tsv"
    write_atomically(target, ("\n".join(rows) + "\n").encode())


if __name__ == "__main__":
    main()
