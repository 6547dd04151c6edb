"""``a2a``: an agent behind the Agent2Agent protocol, which is sent a task with its documents and hands back files."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from benchbar.assistants.agents.sandbox import MOST_FILES, LeftFile
from benchbar.assistants.agents.work import (
    Answered,
    KeptFile,
    Work,
    Worker,
    asked,
    documents_of,
    settings_digest,
)
from benchbar.records import Turn
from benchbar.records.errors import (
    ConnectionFailedError,
    MissingDependencyError,
    ModelTimeoutError,
    RefusedError,
    ServerError,
    UserError,
)

if TYPE_CHECKING:
    from a2a.types import Message, Task

    from benchbar.assistants.agents.build import LedgeredContext
    from benchbar.ledger import Begin, Ledger

MOST_OUTPUT = 16 << 20
"""Bytes of all files that are taken."""
NEXT_LOOK = 1.0
"""Seconds between two questions how a task stands, of an agent that does not wait until it is done."""


class RemoteAgent(Worker):
    """An agent at an address. What it does there nobody sees but itself: there are no steps, and its cost is not known."""

    def __init__(
        self,
        url: str,
        ledger: Ledger,
        folder: Path | None,
        *,
        out: Path | None,
        seconds: float,
        headers: dict[str, str],
    ) -> None:
        """Waits ``seconds`` at most for a piece of work."""
        super().__init__(ledger, folder, out=out, identity=f"a2a:{url}:{settings_digest(seconds=seconds)}")
        self._url, self._seconds, self._headers = url, seconds, headers

    async def done(self, turns: Sequence[Turn], folder: Path | None, begin: Begin) -> Work:
        """The work that comes back; files of its artifacts are the product, texts what it said.

        Raises:
            ModelError: the agent cannot be reached, refuses, fails, or takes too long.
        """
        import httpx

        documents = documents_of(folder) if folder else {}
        began = time.perf_counter()
        try:
            async with (
                asyncio.timeout(self._seconds),
                httpx.AsyncClient(timeout=self._seconds, headers=self._headers) as http,
            ):
                await begin()
                said, left, left_out = await _answer(self._url, http, asked(turns), documents)
        except TimeoutError as error:
            raise ModelTimeoutError(f"{self._url}: no answer within {self._seconds:g} s") from error
        took = time.perf_counter() - began
        return Work(
            ended="done",
            turns=(*turns, Turn(role="assistant", content=said)),
            answered=(Answered(turn=len(turns), seconds=took),),
            files=tuple(map(KeptFile.of, left)),
            left_out=tuple(left_out),
        )


async def _answer(url: str, http: Any, text: str, documents: dict[str, bytes]) -> tuple[str, list[LeftFile], list[str]]:
    from a2a.client import A2AClientError, ClientConfig, create_client
    from a2a.helpers import new_message, new_raw_part, new_text_part
    from a2a.types import GetTaskRequest, Role, SendMessageRequest

    parts = [new_text_part(text), *(new_raw_part(data, filename=name) for name, data in documents.items())]
    try:
        # Not streamed: what is wanted is the end of it.
        client = await create_client(url, ClientConfig(streaming=False, httpx_client=http))
        request = SendMessageRequest(message=new_message(parts, role=Role.ROLE_USER))
        answer = [one async for one in client.send_message(request)][-1]
        if not answer.HasField("task"):
            return _read(answer.message)
        task = answer.task
        while not _ended(task):
            await asyncio.sleep(NEXT_LOOK)
            task = await client.get_task(GetTaskRequest(id=task.id))
        return _read(*task.artifacts, *_last(task))
    except A2AClientError as error:
        raise ConnectionFailedError(f"{url}: {error}"[:500]) from error


def _ended(task: Task) -> bool:
    """Whether there is nothing to wait for.

    Raises:
        ModelError: it ended without a result.
    """
    from a2a.types import TaskState

    state = task.status.state
    if state == TaskState.TASK_STATE_COMPLETED:
        return True
    words = "".join(part.text for part in task.status.message.parts)[:300]
    if state in {
        TaskState.TASK_STATE_REJECTED,
        TaskState.TASK_STATE_AUTH_REQUIRED,
        TaskState.TASK_STATE_INPUT_REQUIRED,
    }:
        raise RefusedError(f"the agent did not do it ({TaskState.Name(state)}): {words}")
    if state in {TaskState.TASK_STATE_FAILED, TaskState.TASK_STATE_CANCELED}:
        raise ServerError(f"the agent failed ({TaskState.Name(state)}): {words}")
    return False


def _last(task: Task) -> list[Message]:
    return [task.status.message] if task.status.HasField("message") else []


def _read(*holders: Any) -> tuple[str, list[LeftFile], list[str]]:
    """Texts, files, and what was not taken: addresses are not followed, names that lead elsewhere are no names."""
    said, found, left_out = [], dict[str, bytes](), []
    room = MOST_OUTPUT
    for place, part in enumerate((part for one in holders for part in one.parts), start=1):
        if part.text:
            said.append(part.text)
        elif part.url:
            left_out.append(f"{part.url[:200]}: an address; nothing is fetched from it")
        elif part.raw:
            name = PurePosixPath(part.filename or f"file{place}")
            if name.is_absolute() or ".." in name.parts or any(ord(char) < 32 for char in str(name)):
                left_out.append(f"{str(name)[:200]}: a name that leads elsewhere")
            elif len(part.raw) > room or len(found) >= MOST_FILES:
                left_out.append(f"{name}: more than may be left")
            else:
                room -= len(part.raw)
                found[str(name)] = part.raw
    return "\n\n".join(said), [LeftFile(name, data) for name, data in sorted(found.items())], left_out


def build(
    context: LedgeredContext,
    *,
    url: str,
    folder: str = "",
    out: str = "",
    seconds: float = 900.0,
    headers_env: dict[str, str] | None = None,
) -> RemoteAgent:
    """An agent at ``url``, the address below which its card lies; ``headers_env`` as for ``http``.

    Raises:
        MissingDependencyError: the package is not installed.
        UserError: the address is none, or a variable is not set.
    """
    try:
        import a2a.client  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError("a2a-sdk", "a2a", "an agent behind A2A") from error
    from benchbar.assistants.http import headers_from

    if not url.startswith(("http://", "https://")):
        raise UserError(f"url is {url!r}; an address that begins with http:// or https:// was expected")
    return RemoteAgent(
        url,
        context.ledger,
        context.path(folder) if folder else None,
        out=context.path(out) if out else None,
        seconds=seconds,
        headers=headers_from(headers_env or {}),
    )
