"""The page of a run under way tells what its calls are waiting for."""

from __future__ import annotations

import subprocess
import time

import pytest

from support import forked
from support.chat_servers import served
from support.run_spec import model, spec_text


def shown(owner, name: str, wanted: str) -> str:
    """The panel of a run under way, once it says what is wanted."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        answer = owner.get(f"/runs/{name}/live")
        if wanted in answer.text:
            return answer.text[answer.text.index('id="waits"') :]
        time.sleep(0.3)
    raise AssertionError(f"the page never said {wanted!r}")


@pytest.mark.parametrize(
    ("assistant", "delay", "says"),
    [("weak-1", "60", "the answer"), ("always-429", "0", "rate-limit; tried")],
    ids=["an answer", "a further try"],
)
def test_what_a_long_call_waits_for_is_shown(owner, runs, tmp_path, assistant, delay, says):
    """Address, reason and for how long: of an answer that does not come, and of a try after the endpoint complained."""
    with served("--delay", delay) as address:
        text = spec_text(f"{address}/v1", "limit = 2", {"weak": model(assistant)}, judge="")
        (tmp_path / "spec.toml").write_text(text, "utf-8")
        words = ("run", "spec.toml", "--quiet", "--out", str(runs / "slow"))
        with forked.started(*words, cwd=tmp_path, stderr=subprocess.DEVNULL) as running:
            try:
                panel = shown(owner, "slow", says)
            finally:
                running.kill()
    assert f"{address}/v1/chat/completions" in panel
    assert " s</td>" in panel
