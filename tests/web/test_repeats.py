"""What repeated dialogues, thoughts and findings look like: terminal, report and app, in the reader's language."""

from __future__ import annotations

import re

import msgspec
import pytest

import benchbar
from benchbar.languages.packs import known, labels
from benchbar.measures.health import finding, finding_text
from benchbar.records.results import HealthFinding
from benchbar.reports.html import html
from benchbar.reports.repeats import repeat_tables
from benchbar.reports.tables import as_markdown
from benchbar.reports.terminal import show
from support.page import Page
from support.report import opened

THOUGHT = "<script>alert('甲')</script>危险驾驶罪？"


@pytest.fixture(scope="module")
def thinking(shared_chat_server, tmp_path_factory) -> benchbar.Run:
    """A run of two trials, of an assistant that thinks aloud, beside one that varies."""
    at = {"base_url": shared_chat_server.base_url, "price": {"input": 1, "output": 2000}}
    spec = {
        "suite": "model-jurisdiction-zh",
        "limit": 6,
        "reference": "thinks",
        "repeats": 2,
        "assistants": {
            "thinks": {"kind": "openai", "model": "thinks-counted", **at},
            "varies": {"kind": "openai", "model": "varies", **at},
        },
        "judge": {"kind": ["pairwise", "checklist"], "model": "judge-wavers", "answers": "text", "repeats": 2, **at},
    }
    return benchbar.run(spec, out=tmp_path_factory.mktemp("runs") / "r")


def test_thoughts_are_kept_with_their_tokens_and_price(thinking, shared_chat_server):
    """Beside the turns, which everybody reads; a dialogue without thoughts has no such field in its file."""
    for sample in thinking.samples():
        for trial in sample.trials:
            dialogue = trial.dialogue("thinks")
            assert [one.text for one in dialogue.thoughts] == [THOUGHT] * dialogue.exchanges
            assert [one.turn for one in dialogue.thoughts] == [
                place for place, turn in enumerate(dialogue.turns) if turn.role == "assistant"
            ]
            assert all((one.tokens, one.cost) == (30, pytest.approx(0.06)) for one in dialogue.thoughts)
            assert all("危险驾驶罪" not in turn.content for turn in dialogue.turns)
            assert trial.dialogue("varies").thoughts is msgspec.UNSET
            assert all("危险驾驶罪" not in verdict.rationale for verdict in trial.comparisons("varies"))
    lines = (thinking.folder / "dialogues.jsonl").read_text("utf-8").splitlines()
    assert all(('"thoughts"' in line) is ('"assistant":"thinks"' in line) for line in lines)


def test_the_report_and_the_app_show_thoughts_folded_and_escaped(thinking, runs, owner):
    """With their tokens and what they cost; no script of theirs is one."""
    (runs / "r").symlink_to(thinking.folder)
    sample = next(thinking.samples()).id
    for text in (opened(thinking.report.read_text("utf-8")), owner.get(f"/runs/r/samples/{sample}").text):
        page = Page(text)
        folded = [one for one in page.all("details") if "thought" in one.attributes.get("class", "")]
        assert folded
        assert all("open" not in one.attributes for one in folded)
        assert "危险驾驶罪？" in folded[0].text
        assert "30" in folded[0].text
        assert "0.06" in folded[0].text
        assert not [one for one in page.all("script") if "甲" in one.text]
        assert "<script>alert" not in text


def test_parts_and_passes_are_in_every_format(thinking, runs, owner, capsys):
    """Terminal, Markdown, HTML and app have both tables; JSON has the numbers."""
    show(thinking.results)
    printed = " ".join(capsys.readouterr().out.split())
    (runs / "r").symlink_to(thinking.folder)
    part = thinking.results.repeats.assistants["varies"].parts["win_rate"]["answer"].variance
    for text in (printed, as_markdown(thinking.results), thinking.report.read_text("utf-8"), owner.get("/runs/r").text):
        assert "pass^2" in text.replace("\\^", "^") or "pass\\^2" in text
        assert f"{part.value:.4f}" in text or f"{part.value:.4f}".replace(".", ",") in text
    assert b'"power"' in thinking.document


@pytest.mark.parametrize("language", [one for one in known() if one != "en"])
def test_the_tables_are_in_every_language(thinking, language):
    """Heads, sources and reasons; nothing English is left but names, and the two figures that have no other."""
    say = labels(language)
    for table in repeat_tables(thinking.results, say):
        words = " ".join((table.title, *table.head, *(cell for row in table.rows for cell in row)))
        left = re.sub(r"thinks|varies|pass[@^]\d", "", words)
        assert not re.search(r"[a-z]{4}", left), left


FINDINGS = (
    finding("failed", "base", {"role": "assistant", "asked": "12", "first": "…"}, fatal=True),
    finding("failed", "j", {"role": "judge", "asked": "12", "first": "…"}),
    finding("unreadable", "j", {"failed": "3", "asked": "12", "first": "…"}),
    finding("chance", "base", {"changed": "5", "both": "12"}),
    finding("uneven", "base", {"reference": "ref", "other": "90%", "told": "base 10%"}),
    finding("family", "base", {"family": "glm"}),
)


@pytest.mark.parametrize("language", [one for one in known() if one != "en"])
@pytest.mark.parametrize("found", FINDINGS, ids=lambda one: one.slug)
def test_findings_are_said_in_the_readers_language(found, language):
    """With the same names and numbers as in English, which the record keeps."""
    text = finding_text(found, language)
    assert text != found.message == finding_text(found, "en")
    assert all(value in text for name, value in found.values.items() if name != "role")
    assert not re.search(r"[a-z]{4}", re.sub(r"base|ref|glm|JSON Schema", "", text))


def test_a_finding_of_an_older_run_stands_in_its_english():
    """It has no more than that."""
    assert finding_text(HealthFinding(slug="chance", who="a", message="as it was"), "zh") == "as it was"


def test_a_report_shows_its_findings_in_its_language(thinking):
    """In a Chinese page, no English sentence."""
    results = msgspec.structs.replace(thinking.results, health=(FINDINGS[3],))
    from benchbar.artefacts.folder import read_material

    page = Page(opened(html(results, read_material(thinking.folder), None)))
    (warned,) = [one for one in page.all("p") if "health" in one.attributes.get("class", "")]
    assert "两份对话互换位置后" in warned.text
    assert "places" not in warned.text
