"""Models of the test server that call tools: each follows a fixed list of steps, and writes what it read."""

from __future__ import annotations

import json
from typing import Any

Step = tuple[str, dict[str, Any]]
STEPS: dict[str, list[Step]] = {
    "agent-links": [
        (
            "run_command",
            {"command": "ln -s /etc/passwd /task/out/link.txt; mkfifo /task/out/pipe; echo kept > /task/out/kept.txt"},
        ),
    ],
    "agent-strays": [
        ("read_file", {"path": "../../etc/passwd"}),
        ("write_file", {"path": "in/lease.md", "content": "forged"}),
        ("run_command", {"command": "touch /task/in/forged; touch /bin/forged; id -u; ls /sys/class/net"}),
    ],
    "agent-fills": [("run_command", {"command": "dd if=/dev/zero of=/task/out/big bs=1k count=100000"})],
    "agent-hangs": [
        ("write_file", {"path": "out/early.txt", "content": "early"}),
        ("run_command", {"command": "sleep 600"}),
    ],
    "agent-mistakes": [("no_such_tool", {}), ("read_file", {}), ("read_file", {"path": "in/none.txt"})],
    "agent-mcp": [
        ("registry_owner", {"company": "Alder Holdings Ltd"}),
        ("registry_owner", {"company": "Nobody Ltd"}),
        ("write_file", {"path": "out/owner.txt", "content": "Ada Alder"}),
    ],
    "agent-silent": [],
}


def next_message(model: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """The message of the model: a call of a tool, or, its steps done, a text."""
    answers = [str(one["content"]) for one in messages if one["role"] == "tool"]
    steps = _memo(answers) if model.startswith("agent-memo") else STEPS.get(model)
    if model == "agent-loops":
        steps = [("search", {"text": "rent"})] * 100
    assert steps is not None, model
    if len(answers) >= len(steps):
        return {
            "role": "assistant",
            "content": "" if model == "agent-silent" else "The memo is written. " + " ".join(answers)[-200:],
        }
    name, arguments = steps[len(answers)]
    call = {
        "id": f"t{len(answers)}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _memo(answers: list[str]) -> list[Step]:
    """List the documents, read each, count files by a command, and write what was read into a memo."""
    names = [
        line.rpartition(" (")[0] for line in (answers[0] if answers else "").splitlines() if line.startswith("in/")
    ]
    names = [name.rpartition(" (")[0] or name for name in names]
    read = "\n\n".join(answers[1 : 1 + len(names)])
    return [
        ("list_files", {}),
        *(("read_file", {"path": name}) for name in names),
        ("run_command", {"command": "find /task/in -type f | wc -l > /task/out/count.txt"}),
        ("write_file", {"path": "out/memo.docx", "content": f"# Memo\n\n{read}\n\nUSD 9,600 / 9,600元 is owed; 4,800元; 14,400元."}),
    ]  # fmt: skip
