"""A small real A2A agent of the official package: it writes a memo of the documents that it is sent. Prints its port on the first line."""

from __future__ import annotations

import socket
import sys

import uvicorn
from a2a.helpers import new_raw_part, new_task_from_user_message, new_text_part, new_url_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette


class Clerk(AgentExecutor):
    """Quotes what it is sent; asked to refuse, it refuses."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task or new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        parts = context.message.parts
        if "refuse" in parts[0].text:
            await updater.reject(updater.new_agent_message([new_text_part("not without a mandate")]))
            return
        texts = [f"{part.filename}: {part.raw.decode()}" for part in parts if part.raw]
        memo = "\n".join(texts).encode()
        await updater.add_artifact(
            [
                new_raw_part(memo, filename="memo.md"),
                new_raw_part(b"x", filename="../outside.txt"),
                new_url_part("http://127.0.0.1:1/elsewhere"),
            ]
        )
        await updater.complete(updater.new_agent_message([new_text_part(f"{len(texts)} documents were read.")]))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        raise NotImplementedError


def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    card = AgentCard(
        name="clerk",
        description="writes memos",
        version="1",
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=AgentCapabilities(streaming=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="memo", name="memo", description="writes a memo", tags=["law"])],
    )
    handler = DefaultRequestHandler(Clerk(), InMemoryTaskStore(), card)
    app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])


if __name__ == "__main__":
    main()
