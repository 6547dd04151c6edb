"""Two runs beside each other: which is better, and what became of one sample word by word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from benchbar.cli.compare import command as compare_command
from support.hostile import ASSISTANT, HOSTILE, PERSON
from support.page import Page
from web.conftest import Visitor

SAMPLE = "1-1-001"
DOUBT = {"slug": "chance", "who": "judge", "message": "the judge sees positions alone"}


@pytest.fixture
def two(made_run: Path, runs: Path) -> Path:
    """A run, and the same with another reply of one assistant in one sample, and worse values of all samples."""
    for name in ("before", "after"):
        shutil.copytree(made_run, runs / name)
    edited(runs / "after" / "dialogues.jsonl", reworded)
    edited(runs / "before" / "measures.jsonl", lambda row: valued(row, 0.9))
    edited(runs / "after" / "measures.jsonl", lambda row: valued(row, 0.1))
    for name in ("before", "after"):
        results = json.loads((runs / name / "results.json").read_text("utf-8"))
        (runs / name / "results.json").write_text(json.dumps(results | {"health": []}), "utf-8")
    return runs


def edited(file: Path, change) -> None:
    rows = [change(json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def reworded(row: dict) -> dict:
    if row["sample"] == SAMPLE and row["assistant"] == "weak":
        row["turns"][-1]["content"] = (
            row["turns"][-1]["content"].replace("。", "，特此说明。", 1) + "\n另请咨询律师 <b>now</b>。"
        )
    return row


def valued(row: dict, value: float) -> dict:
    if row["assistant"] == "weak":
        row["values"] |= {"overall": value}
    return row


def replies(runs: Path, name: str) -> list[str]:
    rows = [json.loads(line) for line in (runs / name / "dialogues.jsonl").read_text("utf-8").splitlines()]
    (found,) = (row for row in rows if row["sample"] == SAMPLE and row["assistant"] == "weak")
    return [turn["content"] for turn in found["turns"]]


def address(assistant: str = "weak", sample: str = SAMPLE) -> str:
    return f"/compare/sample?first=before&second=after&sample={sample}&assistant={assistant}"


def test_the_replies_stand_side_by_side_with_their_differences_marked(two, owner):
    """All that each run said is there to the letter; marked is what the other has not, and markup stays text."""
    page = Page(owner.get(address()).text)
    said = [
        one.text
        for one in page.all("div", class_="text")
        if any("two-runs" in parent.attributes.get("class", "") for parent in one.parents)
    ]
    assert said[0::2] == replies(two, "before")
    assert said[1::2] == replies(two, "after")
    inserted = [one.text for one in page.all("ins")]
    assert any("特此说明" in text for text in inserted)
    assert any("<b>now</b>" in text for text in inserted)
    assert not [one for one in page.all("del") if "特此说明" in one.text]


def test_a_broken_sample_leads_to_both_runs_and_to_the_comparison(two, owner):
    """Each of the three addresses opens, and the two of the runs are of that sample."""
    page = Page(owner.get("/compare?first=before&second=after").text)
    links = [one.attributes["href"] for one in page.all("a") if SAMPLE in one.attributes.get("href", "")]
    beside = [link for link in links if link.startswith("/compare/sample")]
    assert f"/runs/before/samples/{SAMPLE}" in links
    assert f"/runs/after/samples/{SAMPLE}" in links
    assert parse_qs(urlsplit(beside[0]).query) == {
        "first": ["before"],
        "second": ["after"],
        "assistant": ["weak"],
        "sample": [SAMPLE],
    }
    assert {owner.get(link).status_code for link in links} == {200}


def test_the_first_line_says_which_run_is_better_and_by_how_much(two, owner):
    """With its interval; the other way round it names the same run."""
    for query in ("first=before&second=after", "first=after&second=before"):
        lines = [one.text for one in Page(owner.get(f"/compare?{query}").text).all("p", class_="headline")]
        weak = next(line for line in lines if "before is better than after." in line)
        assert "80.0" in weak
        assert "[" in weak


def test_no_run_is_called_better_where_figures_are_not_to_be_relied_on(two, owner):
    """The difference is shown, without a winner and without its colour."""
    results = json.loads((two / "after" / "results.json").read_text("utf-8"))
    (two / "after" / "results.json").write_text(json.dumps(results | {"health": [DOUBT]}), "utf-8")
    page = Page(owner.get("/compare?first=before&second=after").text)
    lines = page.all("p", class_="headline")
    assert lines
    assert not [one for one in lines if "is better than" in one.text]
    assert [
        one for one in lines if "Neither run is called better" in one.text and "undefined" in one.attributes["class"]
    ]


def test_hostile_replies_stay_text(two, owner):
    """Nothing that an assistant wrote becomes an element of the page."""
    text = owner.get(address(ASSISTANT)).text
    page = Page(text)
    assert not [one for one in page.all("img") if "harmed" in str(one.attributes)]
    assert not [one for one in page.all("script") if "harmed" in one.text]
    assert HOSTILE[:10] in page.by_id("content").text


def test_personal_data_are_hidden_in_both_runs(two, apps):
    """As on every other page of a masked app."""
    found = apps(two, mask=True)()
    found.sign_in()
    assert PERSON not in found.get(address(ASSISTANT)).text


@pytest.mark.parametrize("changed", [{"sample": "none"}, {"assistant": "nobody"}])
def test_what_neither_run_has_is_not_found(two, owner, changed):
    """A page without a dialogue would say nothing."""
    assert owner.get(address(**changed)).status_code == 404


def test_both_runs_have_to_be_the_readers_own(two, owner, visit):
    """Who belongs to one of the two sees neither beside the other."""
    viewer: Visitor = visit()
    viewer.sign_in("Vlad", owner.add("Vlad", "viewer", every=False))
    owner.post(owner.path_of("Vlad") + "/runs", {"run": "before"}, form="/people")
    assert viewer.get("/runs/before").status_code == 200
    assert viewer.get(address()).status_code == 404


def test_the_same_run_twice_is_called_identical_and_says_on_how_many_samples_its_figures_rest(two, owner):
    """No interval of a difference that is none; overall stands first, as in the report."""
    shutil.copytree(two / "before", two / "again")
    page = Page(owner.get("/compare?first=before&second=again").text)
    lines = [one.text for one in page.all("p", class_="headline")]
    assert lines
    assert all("identical" in line for line in lines)
    rows = [one for one in page.all("td") if one.attributes.get("data-label") == "n"]
    assert rows
    assert all(one.text != "0" for one in rows)
    differences = [one.text for one in page.all("td") if one.attributes.get("data-label") == "Difference"]
    assert differences
    assert "none" in differences
    assert not [one for one in differences if "[" in one and one.startswith(("0", "+0", "-0"))]


def test_the_command_says_of_a_part_of_one_suite_that_it_is_a_part_and_of_equal_replies_that_nothing_differs(two):
    """Not that the suites differ, and no interval around a difference that is none."""
    held = json.loads((two / "before" / "run.json").read_text("utf-8"))
    short = two / "short"
    shutil.copytree(two / "before", short)
    (short / "run.json").write_text(json.dumps(held | {"spec": held["spec"] | {"limit": 1}}), "utf-8")
    results = json.loads((short / "results.json").read_text("utf-8"))
    (short / "results.json").write_text(json.dumps(results | {"suite_fingerprint": "0" * 32}), "utf-8")
    done = CliRunner().invoke(compare_command, [str(two / "before"), str(short)])
    assert done.exit_code == 0, done.output
    assert "Both runs are of the suite" in done.output
    assert "The suites differ" not in done.output
    assert "every reply is the same on" in done.output
    assert "none" in done.output


def test_changed_replies_are_not_called_identical(two, owner):
    """One reworded reply, with all figures the same, is enough."""
    edited(two / "after" / "measures.jsonl", lambda row: valued(row, 0.9))
    lines = [one.text for one in Page(owner.get("/compare?first=before&second=after").text).all("p", class_="headline")]
    assert [line for line in lines if "identical" not in line]


@pytest.mark.parametrize(("language", "told"), [("en", "share no assistant"), ("ru", "нет общего ассистента"), ("zh", "没有共同的助手")])  # fmt: skip
def test_runs_that_share_no_assistant_are_refused_with_the_cure_of_the_page(two, owner, language, told):
    """Whose they are is said in the reader's language, and no option of a command is named."""
    edited(two / "after" / "measures.jsonl", lambda row: row | {"assistant": f"other {row['assistant']}"})
    owner.client.cookies.set("benchbar_language", language)
    answer = owner.get("/compare?first=before&second=after")
    assert answer.status_code == 400
    assert told in answer.text
    assert "--pair" not in answer.text
    assert "other weak" in answer.text


def test_runs_without_a_common_sample_are_not_called_even(two, owner):
    """Nothing was compared, which the first line says."""
    for name in ("dialogues.jsonl", "measures.jsonl", "scores.jsonl"):
        edited(two / "after" / name, lambda row: row | {"sample": f"other-{row['sample']}"})
    lines = [one.text for one in Page(owner.get("/compare?first=before&second=after").text).all("p", class_="headline")]
    assert lines
    assert all(line.startswith("The runs cannot be compared on this: no sample has it in both.") for line in lines)


def test_a_run_of_fewer_samples_of_one_suite_is_said_to_be_so_and_identical_where_it_is(two, owner):
    """On the samples that both hold; the measure of the comparison is the first row, and valid citations stand there once."""
    shutil.copytree(two / "before", two / "short")
    for name in ("dialogues.jsonl", "measures.jsonl", "scores.jsonl"):
        file = two / "short" / name
        kept = [line for line in file.read_text("utf-8").splitlines() if json.loads(line)["sample"] == SAMPLE]
        file.write_text("".join(f"{line}\n" for line in kept), "utf-8")
    for name, field in (("results.json", "suite_fingerprint"), ("run.json", "suite_fingerprint")):
        file = two / "short" / name
        held = json.loads(file.read_text("utf-8")) | {field: "0" * 32}
        file.write_text(json.dumps(held | ({"spec": held["spec"] | {"limit": 1}} if "spec" in held else {})), "utf-8")
    page = Page(owner.get("/compare?first=before&second=short").text)
    (warning,) = [one.text for one in page.all("p", class_="warning") if "samples" in one.text]
    assert "Both runs are of the suite" in warning
    lines = [one.text for one in page.all("p", class_="headline")]
    assert lines
    assert all("On the 1 samples that both runs hold they are identical" in line for line in lines)
    rows = [one.text for one in page.all("th") if one.attributes.get("scope") == "row"]
    assert rows[0] == "overall, %"
    assert len([row for row in rows if row in {"valid citations, %", "Citations, %"}]) <= len(lines)
