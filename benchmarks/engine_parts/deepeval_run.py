"""The workload in DeepEval: its simulator, then its evaluate() (``python deepeval_run.py SAMPLES URL IN_FLIGHT``).

Models are reached through a class that keeps its client, as the documentation shows for models of one's own: the library's
LocalModel makes a client for each call. Nothing goes on after a kill: the simulator keeps no record, and the library's
cache takes no conversations.
"""

from __future__ import annotations

import asyncio

from consultations import (
    ASSISTANTS,
    END,
    EXCHANGES,
    Messages,
    Turns,
    arguments,
    judge_prompts,
    points,
    seen_by_assistant,
    seen_by_user,
)
from deepeval import evaluate
from deepeval.dataset import ConversationalGolden
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.metrics import BaseConversationalMetric
from deepeval.models import DeepEvalBaseLLM
from deepeval.simulator import ConversationSimulator, SimulationNode
from deepeval.simulator.controller import end, proceed
from deepeval.test_case import ConversationalTestCase, Turn
from openai import AsyncOpenAI

ROWS, URL, IN_FLIGHT, _ = arguments()
CLIENT = AsyncOpenAI(base_url=URL, api_key="none")
ASKED: dict[str, str] = {}
"""Assistant of each conversation, by the library's name for it."""


async def ask(model: str, messages: Messages) -> str:
    answer = await CLIENT.chat.completions.create(model=model, messages=messages)
    return answer.choices[0].message.content


class Local(DeepEvalBaseLLM):
    """A model behind the shared client."""

    def load_model(self) -> AsyncOpenAI:
        return CLIENT

    def generate(self, prompt: str) -> str:
        return asyncio.run(self.a_generate(prompt))

    async def a_generate(self, prompt: str) -> str:
        return await ask(self.get_model_name(), [{"role": "user", "content": prompt}])

    def get_model_name(self) -> str:
        return self.name


def spoken(turns: list[Turn]) -> Turns:
    """The closing words and the silence after them are no part of a consultation."""
    whole = [(turn.role, turn.content) for turn in turns]
    return whole[:-2] if whole and END in whole[-2][1] else whole


async def user(turns: list[Turn], golden: ConversationalGolden, thread_id: str) -> str:
    row = golden.additional_metadata
    ASKED[thread_id] = row["assistant"]
    return await ask("sim", seen_by_user(row, spoken(turns)))


async def assistant(input: str, turns: list[Turn], thread_id: str) -> Turn:  # noqa: A002 - the library's name
    said = "" if END in input else await ask(ASKED[thread_id], seen_by_assistant([(t.role, t.content) for t in turns]))
    return Turn(role="assistant", content=said)


def content(last_user_turn: Turn | None) -> object:
    return end() if last_user_turn and END in last_user_turn.content else proceed()


class Compared(BaseConversationalMetric):
    """Which consultation a judge finds better, asked in both orders."""

    def __init__(self) -> None:
        self.threshold, self.model = 0.0, Local("judge")

    @property
    def __name__(self) -> str:
        return "Compared"

    def measure(self, test_case: ConversationalTestCase, *_: object, **__: object) -> float:
        return asyncio.run(self.a_measure(test_case))

    async def a_measure(self, test_case: ConversationalTestCase, *_: object, **__: object) -> float:
        row = test_case.metadata
        prompts = judge_prompts(row, spoken(test_case.turns), row["other"])
        verdicts = await asyncio.gather(*(self.model.a_generate(prompt) for prompt in prompts))
        self.score, self.success = points(verdicts), True
        return self.score

    def is_successful(self) -> bool:
        return self.success


def consultations() -> list[ConversationalTestCase]:
    simulator = ConversationSimulator(
        model_callback=assistant,
        simulation_graph=SimulationNode(action=user),
        stopping_controller=content,
        simulator_model=Local("sim"),
        max_concurrent=IN_FLIGHT,
    )
    goldens = [
        ConversationalGolden(scenario=row["needs"], name=row["id"], additional_metadata=row | {"assistant": name})
        for row in ROWS
        for name in ASSISTANTS
    ]
    return simulator.simulate(goldens, max_user_simulations=EXCHANGES)


if __name__ == "__main__":
    talks = consultations()
    for one, other in zip(talks[::2], talks[1::2], strict=True):
        one.metadata["other"] = spoken(other.turns)
    evaluate(
        talks[::2],
        [Compared()],
        # Each test case has two calls in flight.
        async_config=AsyncConfig(max_concurrent=IN_FLIGHT // 2),
        display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
    )
