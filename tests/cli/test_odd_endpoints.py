"""Endpoints that hang, dribble, close early or send one away for a day: each ends the run in bounded time, in one sentence with its cure."""

from __future__ import annotations

import pytest

from support.run_spec import spec

CASES = {
    # Model and what it does: cause, cure.
    "sleeps": ("no complete answer within 1 s", "benchbar explain timeout"),
    "drips": ("no complete answer within 1 s", "benchbar explain timeout"),
    "hangs-up": ("server disconnected", "benchbar explain connection"),
    "waits-a-day": ("asks to wait 86400 s", "raise limits.max_outage"),
    "no-quota": ("You exceeded your current quota", "benchbar explain rate-limit"),
    "web-page": ("a web page", "check the path of base_url"),
    "redirects": ("redirected", "name the address of the api itself"),
}


@pytest.mark.parametrize(("model", "said"), CASES.items(), ids=list(CASES))
def test_an_odd_endpoint_is_told_in_one_sentence(benchbar, chat_server, tmp_path, model, said):
    """Cause and cure, the model or its address, and no traceback, whatever the server does."""
    file = tmp_path / spec(tmp_path, chat_server, extra="limit = 4", limits="max_outage = 2.0\npreflight = false")
    text = file.read_text("utf-8").replace('model = "weak-a"', f'model = "{model}"\ntimeout = 1.0\ntries = 2')
    file.write_text(text, "utf-8")
    done = benchbar("run", "spec.toml", "--out", "r", "--quiet")
    assert done.code == 1, done.out
    shown = f"{done.out}\n{done.err}"
    assert "Traceback" not in shown
    cause, cure = said
    assert cause.lower() in " ".join(shown.split()).lower()
    assert cure in " ".join(shown.split()).lower()
    assert model in shown or chat_server.url in shown
