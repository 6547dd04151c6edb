"""What agents did as a log of Inspect, written through its public log API: messages with tool calls, and marks of criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar import __version__
from benchbar.reports.inspect_export import MODEL, inspect_api, log_bytes

if TYPE_CHECKING:
    from benchbar.evaluations.agent_tasks import Attempt
    from benchbar.records import Turn


def as_inspect(attempts: Sequence[Attempt], made: datetime) -> bytes:
    """The goes of one assistant as one log; each go at a task is an epoch of its sample.

    Raises:
        MissingDependencyError: Inspect is not installed.
    """
    api = inspect_api()
    name = attempts[0].assistant
    ids = list(dict.fromkeys(one.task.name for one in attempts))
    spec = api.EvalSpec(
        created=made.astimezone(UTC).isoformat(),
        task="agent tasks",
        dataset=api.EvalDataset(name="agent tasks", samples=len(ids), sample_ids=ids, shuffled=False),
        model=f"{MODEL}/{name}",
        config=api.EvalConfig(epochs=max(one.repeat for one in attempts) + 1),
        packages={"benchbar": __version__},
    )
    return log_bytes(
        api.EvalLog(
            status="success",
            eval=spec,
            plan=api.EvalPlan(name="agent", steps=[api.EvalPlanStep(solver="benchbar/agent")]),
            results=api.EvalResults(total_samples=len(attempts), completed_samples=len(attempts)),
            stats=api.EvalStats(started_at=spec.created, completed_at=spec.created),
            samples=[_sample(api, one) for one in attempts],
        )
    )


def _sample(api: Any, attempt: Attempt) -> Any:
    from inspect_ai.model import ModelOutput

    work, model = attempt.work, f"{MODEL}/{attempt.assistant}"
    failed = api.EvalError(message=attempt.error, traceback="", traceback_ansi="") if work is None else None
    return api.EvalSample(
        id=attempt.task.name,
        epoch=attempt.repeat + 1,
        input=attempt.task.asked,
        target="",
        messages=_messages(work.turns) if work else [],
        output=ModelOutput.from_content(model, work.said) if work else ModelOutput(model=model),
        metadata={"ended": work.ended, "files": {one.name: one.sha256 for one in work.files}} if work else {},
        error=failed,
    )


def _messages(turns: Sequence[Turn]) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    names = {call.id: call.name for turn in turns for call in turn.tool_calls or ()}
    found: list[Any] = []
    for turn in turns:
        if turn.role == "tool":
            found.append(
                ChatMessageTool(
                    content=turn.content, tool_call_id=str(turn.answers), function=names.get(str(turn.answers))
                )
            )
        elif turn.role == "assistant":
            calls = [
                ToolCall(id=one.id, function=one.name, arguments=_object(one.arguments), type="function")
                for one in turn.tool_calls or ()
            ]
            found.append(ChatMessageAssistant(content=turn.content, tool_calls=calls or None))
        else:
            found.append((ChatMessageSystem if turn.role == "system" else ChatMessageUser)(content=turn.content))
    return found


def _object(arguments: str) -> Mapping[str, Any]:
    """Arguments as Inspect wants them; what a model wrote that is no object stays readable."""
    try:
        given = msgspec.json.decode(arguments)
    except msgspec.DecodeError:
        given = None
    return given if isinstance(given, dict) else {"arguments": arguments}
