"""The job in DeepEval: answers are given before it starts, a metric of one's own asks the judge."""

# ruff: noqa: ANN001, ANN002, ANN003, ANN201, ANN204, ARG002, ASYNC240 - the forms are the library's
import asyncio
import json
from pathlib import Path

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
from openai import AsyncOpenAI

JUDGE = Path("judge.txt").read_text("utf-8")
POINTS = {"[[1]]": 1.0, "[[2]]": 0.0, "[[3]]": 0.5}
GATE = asyncio.Semaphore(16)
CLIENTS = {}


async def ask(model, text):
    # Its evaluate() runs an event loop of its own, to which a client of another loop is of no use.
    client = CLIENTS.setdefault(asyncio.get_running_loop(), AsyncOpenAI())
    answer = await client.chat.completions.create(model=model, messages=[{"role": "user", "content": text}])
    return answer.choices[0].message.content


class WinRate(BaseMetric):
    threshold = 0.5

    async def a_measure(self, test_case, *args, **kwargs):
        mine, other = test_case.actual_output, test_case.additional_metadata["opponent"]
        orders = [(mine, other), (other, mine)] * 3
        asked = [JUDGE.format(guidance=test_case.expected_output, first=one, second=two) for one, two in orders]
        said = [POINTS[text[-5:]] for text in await asyncio.gather(*(ask("judge", text) for text in asked))]
        self.score = (sum(said[::2]) + 3 - sum(said[1::2])) / 6
        self.success = self.score >= self.threshold
        return self.score

    def measure(self, test_case, *args, **kwargs):
        return asyncio.run(self.a_measure(test_case))

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "win_rate"


async def answered(row):
    async with GATE:
        mine, other = await asyncio.gather(*(ask(name, row["question"]) for name in ("weak-b", "weak-a")))
    return LLMTestCase(
        input=row["question"],
        actual_output=mine,
        expected_output=row["guidance"],
        additional_metadata={"opponent": other},
    )


async def all_answered():
    rows = [json.loads(line) for line in Path("questions.jsonl").read_text("utf-8").splitlines()]
    return await asyncio.gather(*(answered(row) for row in rows))


if __name__ == "__main__":
    evaluate(
        asyncio.run(all_answered()),
        [WinRate()],
        # Each case has six calls in flight.
        async_config=AsyncConfig(max_concurrent=3),
        cache_config=CacheConfig(use_cache=True),
        display_config=DisplayConfig(results_folder="logs", inspect_after_run=False, show_indicator=False),
    )
