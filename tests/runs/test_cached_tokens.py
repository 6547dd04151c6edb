"""Tokens that a provider had in its cache: counted from the ledger, and shown as a share of what each role read."""

from __future__ import annotations

import json
import sqlite3

from support.run_spec import model, spec_text


def begun(folder, server, judge):
    """A run of six samples whose judge is asked three times in both orders."""
    lines = f'kind = "pairwise"\nmodel = "{judge}"\nrepeats = 3\nanswers = "text"'
    assistants = {"weak": model("weak-1"), "strong": model("strong-2")}
    (folder / "spec.toml").write_text(
        spec_text(server.base_url, "seed = 7\nlimit = 6", assistants, judge=lines), "utf-8"
    )
    return ("run", "spec.toml", "--out", "r")


def test_the_share_of_cached_tokens_is_reported_end_to_end(benchbar, tmp_path, chat_server):
    """Two of three repeats begin alike to the end, and both orders up to the records: most of what the judge reads is cached."""
    command = begun(tmp_path, chat_server, "judge-cached")
    done = benchbar(*command)
    assert done.code == 0, done.err
    spent = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["spending"]
    share = spent["judge"]["cached_tokens"] / spent["judge"]["input_tokens"]
    assert 2 / 3 < share < 1
    assert "cached_tokens" not in spent["assistant"]
    assert f"tokens that providers had in their caches: judge {100 * share:.0f}%" in done.out
    # The page is in the suite's language.
    assert f"（{100 * share:.0f}% 来自缓存）" in (tmp_path / "r" / "report.html").read_text("utf-8")
    # Derived anew from the ledger it is the same, and nothing is asked again.
    asked = chat_server.stats()["requests"]["judge-cached"]
    (tmp_path / "r" / "finished.json").unlink()
    assert benchbar(*command).code == 0
    assert json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["spending"] == spent
    assert chat_server.stats()["requests"]["judge-cached"] == asked


def test_where_no_endpoint_says_it_nothing_is_shown(benchbar, tmp_path, chat_server):
    """Silence is no share of zero."""
    done = benchbar(*begun(tmp_path, chat_server, "judge"))
    assert done.code == 0, done.err
    assert "cache" not in done.out
    assert "cached_tokens" not in (tmp_path / "r" / "results.json").read_text("utf-8")


def test_a_ledger_that_an_older_version_wrote_to_is_read_to_its_end(benchbar, tmp_path, chat_server):
    """Without the note that every start looked for such tokens, the absence of a note that there are some says nothing."""
    command = begun(tmp_path, chat_server, "judge-cached")
    assert benchbar(*command).code == 0
    spent = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["spending"]
    with sqlite3.connect(tmp_path / "r" / "ledger.sqlite") as ledger:
        assert ledger.execute("SELECT value FROM meta WHERE name = 'watched'").fetchone() == (b"1",)
        ledger.execute("DELETE FROM meta WHERE name IN ('watched', 'cached')")
    ledger.close()
    (tmp_path / "r" / "finished.json").unlink()
    assert benchbar(*command).code == 0
    assert json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["spending"] == spent
    assert spent["judge"]["cached_tokens"]
