"""The workload with the openai SDK: one shared AsyncOpenAI and a semaphore (``python openai_run.py SAMPLES URL IN_FLIGHT``)."""

from __future__ import annotations

import asyncio

from consultations import Messages, arguments, work_through
from openai import AsyncOpenAI


async def main() -> None:
    async with AsyncOpenAI(base_url=arguments()[1], api_key="none") as client:

        async def ask(model: str, messages: Messages) -> str:
            answer = await client.chat.completions.create(model=model, messages=messages)
            return answer.choices[0].message.content

        await work_through(ask)


if __name__ == "__main__":
    asyncio.run(main())
