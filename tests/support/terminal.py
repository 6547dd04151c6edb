"""`benchbar start` on a pseudo-terminal, as a person types there."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

from support import forked


def conversed(folder: Path, answers: dict[str, str], *words: str) -> tuple[int, str]:
    """Exit code and output of `benchbar start` on a terminal where each question is answered as it appears."""
    # Here and not above: Windows has no pseudo-terminals, and other tests there read this file's users.
    import pty

    ours, theirs = pty.openpty()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    process = forked.started("start", *words, cwd=folder, env=os.environ | {"TERM": "xterm"}, **streams)
    os.close(theirs)
    seen, asked_at, left, deadline = "", 0, dict(answers), time.monotonic() + 300
    while time.monotonic() < deadline:
        ready, _, _ = select.select([ours], [], [], 1)
        try:
            part = os.read(ours, 65536).decode("utf-8", "replace") if ready else ""
        except OSError:
            break
        if ready and not part:
            break
        seen += part
        question = next((one for one in left if one in seen[asked_at:]), None)
        if question:
            asked_at = len(seen)
            os.write(ours, (left.pop(question) + "\n").encode())
    os.close(ours)
    assert not left, f"never asked: {list(left)}\n{seen}"
    return process.wait(300), seen
