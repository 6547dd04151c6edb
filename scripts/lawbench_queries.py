"""Turn LawBench's tasks 3-2 and 3-8 into queries and relevance judgements for `benchbar law evaluate`.

    python scripts/lawbench_queries.py ../shared/data/zh/lawbench/tasks_even.jsonl OUT

Writes OUT/3-2.jsonl, OUT/3-2.tsv, OUT/3-8.jsonl and OUT/3-8.tsv: the question, and the article that the reference answer
cites first.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchbar.languages.numerals import to_chinese
from benchbar.law.citations import extract

TASKS = ("3-2", "3-8")


def main() -> None:
    """Write the four files."""
    source, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
    for task in TASKS:
        queries, judged = [], []
        for row in rows:
            cited = [one for one in extract(row["answer"], "zh") if one.names and one.article]
            if row["task"] == task and cited:
                first = cited[0]
                sub = f"之{to_chinese(int(first.sub))}" if first.sub else ""
                queries.append(json.dumps({"query_id": row["idx"], "question": row["question"]}, ensure_ascii=False))
                judged.append(f"{row['idx']}\t0\t{first.names}第{to_chinese(int(first.article))}条{sub}\t1")
        (out / f"{task}.jsonl").write_text("\n".join(queries) + "\n", "utf-8")
        (out / f"{task}.tsv").write_text("\n".join(judged) + "\n", "utf-8")
        print(f"{task}: {len(queries)} questions whose answer cites an article")


if __name__ == "__main__":
    main()
