"""The job in Inspect AI: the candidate answers, a scorer of one's own asks the reference and the judge."""

# ruff: noqa: ANN001, ANN201, ANN202 - the forms are the library's
import asyncio
from pathlib import Path

from inspect_ai import Task, eval_set, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import generate

JUDGE = Path("judge.txt").read_text("utf-8")
POINTS = {"[[1]]": 1.0, "[[2]]": 0.0, "[[3]]": 0.5}


async def ask(model, text):
    return (await get_model(f"openai-api/local/{model}").generate(text)).completion


@scorer(metrics=[mean(), stderr()])
def win_rate():
    async def score(state, target):
        mine, other = state.output.completion, await ask("weak-a", state.input_text)
        orders = [(mine, other), (other, mine)] * 3
        asked = [JUDGE.format(guidance=target.text, first=first, second=second) for first, second in orders]
        said = [POINTS[text[-5:]] for text in await asyncio.gather(*(ask("judge", text) for text in asked))]
        value = (sum(said[::2]) + 3 - sum(said[1::2])) / 6
        return Score(value=value, answer=mine, metadata={"opponent": other})

    return score


@task
def compared():
    fields = FieldSpec(input="question", target="guidance", id="id")
    return Task(dataset=json_dataset("questions.jsonl", fields), solver=generate(), scorer=win_rate())


if __name__ == "__main__":
    eval_set(
        compared(), log_dir="logs", model="openai-api/local/weak-b", max_connections=16, max_samples=16, display="none"
    )
