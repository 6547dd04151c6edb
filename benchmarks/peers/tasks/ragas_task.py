"""The job in Ragas: an experiment asks both assistants and the judge, and its rows become a table."""

# ruff: noqa: ANN001, ANN201 - the forms are the library's
import asyncio
import json
from pathlib import Path

from openai import AsyncOpenAI
from ragas import Dataset, experiment

JUDGE = Path("judge.txt").read_text("utf-8")
POINTS = {"[[1]]": 1.0, "[[2]]": 0.0, "[[3]]": 0.5}
CLIENT, GATE = AsyncOpenAI(), asyncio.Semaphore(16)


async def ask(model, text):
    async with GATE:
        answer = await CLIENT.chat.completions.create(model=model, messages=[{"role": "user", "content": text}])
    return answer.choices[0].message.content


@experiment()
async def compared(row):
    mine, other = await asyncio.gather(*(ask(name, row["question"]) for name in ("weak-b", "weak-a")))
    orders = [(mine, other), (other, mine)] * 3
    asked = [JUDGE.format(guidance=row["guidance"], first=first, second=second) for first, second in orders]
    said = [POINTS[text[-5:]] for text in await asyncio.gather(*(ask("judge", text) for text in asked))]
    value = (sum(said[::2]) + 3 - sum(said[1::2])) / 6
    return {
        "user_input": row["question"],
        "response": mine,
        "reference": row["guidance"],
        "opponent": other,
        "win_rate": value,
    }


if __name__ == "__main__":
    rows = Dataset(name="questions", backend="local/csv", root_dir=".")
    for line in Path("questions.jsonl").read_text("utf-8").splitlines():
        rows.append(json.loads(line))
    found = asyncio.run(compared.arun(rows, name="compared"))
    print(sum(row["win_rate"] for row in found) / len(found))
