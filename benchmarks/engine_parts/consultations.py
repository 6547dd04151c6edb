"""The workload as the peer programs do it: its prompts, a consultation, and the comparison of two.

A peer is started as ``python PROGRAM SAMPLES URL IN_FLIGHT [again]``; with ``again`` it goes on after a kill.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import TextIO

PROMPTS = json.loads(Path(__file__).with_name("prompts.json").read_text("utf-8"))
END, ROLE, JUDGE = PROMPTS["end"], PROMPTS["role"], PROMPTS["judge"]
ASSISTANTS = ("slow-a", "slow-b")
EXCHANGES = 3
OTHER = {"user": "assistant", "assistant": "user"}
Row = dict[str, str]
Turns = list[tuple[str, str]]
Messages = list[dict[str, str]]
Ask = Callable[[str, Messages], Awaitable[str]]
"""From a model's name and what was said so far to what it says."""


@cache  # Inspect AI loads a task that it goes on with anew, and from another folder
def arguments() -> tuple[list[Row], str, int, bool]:
    """Samples, address, requests in flight, and whether this goes on after a kill."""
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines], sys.argv[2], int(sys.argv[3]), sys.argv[4:] == ["again"]


def seen_by_user(row: Row, turns: Turns) -> Messages:
    """To the model that plays the user, the assistant is the one who asks."""
    own = [{"role": OTHER[role], "content": text} for role, text in turns]
    return [{"role": "user", "content": ROLE.format(**row)}, *own]


def seen_by_assistant(turns: Turns) -> Messages:
    return [{"role": role, "content": text} for role, text in turns]


def judge_prompts(row: Row, one: Turns, other: Turns) -> list[str]:
    """The question of which is better, in both orders."""
    texts = ["\n".join(f"{role}: {text}" for role, text in turns) for turns in (one, other)]
    orders = (texts, texts[::-1])
    return [JUDGE.format(guidance=row["guidance"], first=first, second=second) for first, second in orders]


def points(verdicts: list[str]) -> float:
    """Share of the two orders in which the first place was said to be better."""
    return sum("[[1]]" in verdict for verdict in verdicts) / 2


async def consult(ask: Ask, row: Row, assistant: str) -> Turns:
    turns: Turns = []
    for _ in range(EXCHANGES):
        said = await ask("sim", seen_by_user(row, turns))
        if END in said:
            break
        turns.append(("user", said))
        turns.append(("assistant", await ask(assistant, seen_by_assistant(turns))))
    return turns


async def compared(ask: Ask, row: Row) -> dict[str, object]:
    talks = await asyncio.gather(*(consult(ask, row, assistant) for assistant in ASSISTANTS))
    prompts = [[{"role": "user", "content": prompt}] for prompt in judge_prompts(row, *talks)]
    verdicts = await asyncio.gather(*(ask("judge", prompt) for prompt in prompts))
    return {"id": row["id"], "talks": talks, "verdicts": verdicts, "points": points(verdicts)}


def finished(file: Path) -> set[str]:
    """Samples that an earlier start wrote; what it was writing when it was killed is no line, and goes."""
    lines = file.read_text("utf-8", "replace").splitlines(keepends=True) if file.exists() else []
    whole = [line for line in lines if line.endswith("\n")]
    file.write_text("".join(whole), "utf-8")
    return {json.loads(line)["id"] for line in whole}


async def work_through(ask: Ask) -> None:
    """What a script without a framework does: a semaphore, a line for each finished sample, and no sample twice."""
    rows, _, places, _ = arguments()
    file, gate = Path("done.jsonl"), asyncio.Semaphore(places)
    done = finished(file)
    left = iter([row for row in rows if row["id"] not in done])

    async def gated(model: str, messages: Messages) -> str:
        async with gate:
            return await ask(model, messages)

    async def work(out: TextIO) -> None:
        for row in left:
            out.write(json.dumps(await compared(gated, row), ensure_ascii=False) + "\n")
            out.flush()

    with file.open("a", encoding="utf-8") as out:  # noqa: ASYNC230 - a short line at a time
        await asyncio.gather(*(work(out) for _ in range(places)))
