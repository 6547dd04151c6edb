"""What an agent did, as a log of Inspect, and read back by two readers."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from benchbar.assistants.agents.traces import as_messages
from benchbar.assistants.agents.work import Work
from benchbar.evaluations.agent_tasks import Attempt, tasks_of
from benchbar.evaluations.reading import read_log
from benchbar.records import ToolCall, Turn
from benchbar.scoring.rubrics import read_trace
from benchbar.tables.transcripts import traces_in

TURNS = (
    Turn(role="system", content="s"),
    Turn(role="user", content="u"),
    Turn(role="assistant", content="", tool_calls=(ToolCall(id="1", name="read_file", arguments='{"path":"in/a"}'),)),
    Turn(role="tool", content='{"error":"no such file"}', answers="1"),
    Turn(role="assistant", content="", tool_calls=(ToolCall(id="2", name="read_file", arguments="no object"),)),
    Turn(role="tool", content="text", answers="2"),
    Turn(role="assistant", content="Done."),
)


@pytest.fixture
def attempts():
    (task,) = tasks_of(["lease-zh"])
    return [Attempt("a", task, 0, Work(ended="done", turns=TURNS)), Attempt("a", task, 1, None, "timeout: late")]


def test_a_log_of_inspect_has_the_same_steps(tmp_path, benchbar, attempts):
    """Both the trace's reader and the log's give what was done; a failed go is a sample with its error."""
    pytest.importorskip("inspect_ai", reason="Inspect is not installed: pip install 'benchbar[inspect]'")
    from benchbar.evaluations.agent_log import as_inspect

    path = tmp_path / "a.eval"
    path.write_bytes(as_inspect(attempts, datetime(2026, 1, 1, tzinfo=UTC)))
    first, failed = traces_in(path)
    own = read_trace(as_messages(attempts[0].work, sample="lease-zh", assistant="a"))
    found = read_trace(first)
    assert [(one.tool, one.status, one.retries) for one in found.steps] == [("read_file", "success", 1)]
    assert (found.steps, found.output) == (own.steps, "Done.")
    assert failed["messages"] == []
    log = read_log(path)
    assert [(one.sample, one.repeat, one.answer) for one in log.answers] == [
        ("lease-zh", 0, "Done."),
        ("lease-zh", 1, ""),
    ]
    scored = benchbar("rubric", "score", str(path), "--rubric", "agent-trace", "--json")
    assert len(json.loads(scored.out)["samples"]) == 2


def test_without_inspect_the_cure_is_named(attempts):
    """Or, where it is installed, a log comes out."""
    from benchbar.evaluations.agent_log import as_inspect
    from benchbar.records.errors import MissingDependencyError

    try:
        made = as_inspect(attempts, datetime(2026, 1, 1, tzinfo=UTC))
    except MissingDependencyError as error:
        made = str(error).encode()
    assert made[:2] == b"PK" or b"pip install 'benchbar[inspect]'" in made
