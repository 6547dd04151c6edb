"""The workload in Inspect AI, as its documentation writes such a task: ``python inspect_run.py SAMPLES URL IN_FLIGHT [retry]``.

Each sample is put to two models by a simulated user; a scorer asks a judge in both orders. With ``retry`` the last log is
gone on with, as the documentation says for an interrupted run.
"""

# ruff: noqa: ANN001, ANN201, ANN202 - the forms are the library's
from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from inspect_ai import Task, eval, eval_retry, task  # noqa: A004 - the library's own name
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import list_eval_logs
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, Model, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import solver

END = "咨询结束"
ROLE = "请扮演一位来咨询法律问题的用户。你掌握的情况：{information}\n你想得到的帮助：{needs}\n满意之后请说“咨询结束”。"
BAR = "0123456789abcdef"
JUDGE = (
    "请比较两份咨询记录。答案参考：\n{guidance}\n<<<记录一 0123456789abcdef>>>\n{first}\n<<<完 0123456789abcdef>>>\n"
    "<<<记录二 0123456789abcdef>>>\n{second}\n<<<完 0123456789abcdef>>>\n先说理由，最后一行写[[1]]、[[2]]或[[3]]。"
)
URL, IN_FLIGHT = sys.argv[2], int(sys.argv[3])


def model(name: str) -> Model:
    return get_model(
        f"openai-api/local/{name}", base_url=URL, api_key="none", config=GenerateConfig(max_connections=IN_FLIGHT)
    )


async def consult(asked: Model, row: dict[str, str]) -> list[tuple[str, str]]:
    user, turns = model("sim"), []
    for _ in range(3):
        swapped = {"user": ChatMessageAssistant, "assistant": ChatMessageUser}
        seen = [ChatMessageUser(content=ROLE.format(**row)), *(swapped[role](content=text) for role, text in turns)]
        said = (await user.generate(seen)).completion
        if END in said:
            break
        turns.append(("user", said))
        plain = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}
        reply = (await asked.generate([plain[role](content=text) for role, text in turns])).completion
        turns.append(("assistant", reply))
    return turns


@solver
def consultations():
    async def solve(state, generate):  # noqa: ARG001 - the library's form
        talks = await asyncio.gather(*(consult(model(name), state.metadata) for name in ("slow-a", "slow-b")))
        state.store.set("talks", talks)
        state.output.completion = talks[0][-1][1]
        return state

    return solve


@scorer(metrics=[accuracy()])
def compared():
    async def score(state, target):  # noqa: ARG001 - the library's form
        first, second = ("\n".join(f"{role}: {text}" for role, text in talk) for talk in state.store.get("talks"))
        judge = model("judge")
        prompts = [
            JUDGE.format(guidance=state.metadata["guidance"], first=one, second=other)
            for one, other in ((first, second), (second, first))
        ]
        verdicts = await asyncio.gather(*(judge.generate(prompt) for prompt in prompts))
        return Score(value=sum("[[1]]" in one.completion for one in verdicts) / 2)

    return score


@task
def workload() -> Task:
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
    samples = [Sample(id=row["id"], input=row["needs"], metadata=row) for row in rows]
    return Task(dataset=MemoryDataset(samples), solver=consultations(), scorer=compared())


if __name__ == "__main__":
    options = {"log_dir": "inspect_logs", "max_samples": IN_FLIGHT, "max_connections": IN_FLIGHT, "display": "none"}
    if sys.argv[4:] == ["retry"]:
        last = max(list_eval_logs("inspect_logs"), key=lambda log: log.name)
        eval_retry(last, **options)
    else:
        eval(workload(), model="openai-api/local/slow-a", model_base_url=URL, model_args={"api_key": "none"}, **options)
