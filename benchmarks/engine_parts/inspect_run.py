"""The workload in Inspect AI, as its documentation writes such a task: ``python inspect_run.py SAMPLES URL IN_FLIGHT [again]``.

Each sample is put to two models by a simulated user; a scorer asks a judge in both orders. With ``again`` the last log is
gone on with, as the documentation says for an interrupted run: what a killed one had not yet written to it is recovered.
"""

# ruff: noqa: ANN001, ANN201, ANN202 - the forms are the library's
from __future__ import annotations

import asyncio
import sys
from functools import cache

from consultations import (
    ASSISTANTS,
    Messages,
    arguments,
    consult,
    judge_prompts,
    points,
)
from inspect_ai import Task, eval, eval_retry, task  # noqa: A004 - the library's own name
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import list_eval_logs
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, Model, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import solver

ROWS, URL, IN_FLIGHT, AGAIN = arguments()
LOGS = "inspect_logs"
FORMS = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}


@cache
def model(name: str) -> Model:
    return get_model(f"openai-api/local/{name}", base_url=URL, config=GenerateConfig(max_connections=IN_FLIGHT))


async def ask(name: str, messages: Messages) -> str:
    said = [FORMS[message["role"]](content=message["content"]) for message in messages]
    return (await model(name).generate(said)).completion


@solver
def consultations():
    async def solve(state, generate):  # noqa: ARG001 - the library's form
        talks = await asyncio.gather(*(consult(ask, state.metadata, name) for name in ASSISTANTS))
        state.store.set("talks", talks)
        state.output.completion = talks[0][-1][1]
        return state

    return solve


@scorer(metrics=[accuracy()])
def compared():
    async def score(state, target):  # noqa: ARG001 - the library's form
        prompts = judge_prompts(state.metadata, *state.store.get("talks"))
        verdicts = await asyncio.gather(*(model("judge").generate(prompt) for prompt in prompts))
        return Score(value=points([one.completion for one in verdicts]))

    return score


@task
def workload() -> Task:
    samples = [Sample(id=row["id"], input=row["needs"], metadata=row) for row in ROWS]
    return Task(dataset=MemoryDataset(samples), solver=consultations(), scorer=compared())


if __name__ == "__main__":
    options = {"log_dir": LOGS, "max_samples": IN_FLIGHT, "max_connections": IN_FLIGHT, "display": "none"}
    if AGAIN:
        last = max(list_eval_logs(LOGS), key=lambda log: log.name)
        logs = eval_retry(last, **options)
    else:
        logs = eval(workload(), model="openai-api/local/slow-a", model_base_url=URL, **options)
    if logs[0].status != "success":
        sys.exit(str(logs[0].error))
