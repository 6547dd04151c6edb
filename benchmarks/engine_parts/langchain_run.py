"""The workload with LangChain's ChatOpenAI, one for each model, and a semaphore (``python langchain_run.py SAMPLES URL IN_FLIGHT``)."""

from __future__ import annotations

import asyncio
from functools import cache

from consultations import Messages, arguments, work_through
from langchain_openai import ChatOpenAI

URL = arguments()[1]


@cache
def chat(model: str) -> ChatOpenAI:
    """Those of one address share their connections."""
    return ChatOpenAI(model=model, base_url=URL, api_key="none")


async def ask(model: str, messages: Messages) -> str:
    return (await chat(model).ainvoke(messages)).content


if __name__ == "__main__":
    asyncio.run(work_through(ask))
