"""The HTML report shows what the run found, and nothing in it can act."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files

import altair as alt
import msgspec
import pytest

from benchbar.languages.packs import labels
from benchbar.records import Comparison, Evidence, ScoreStatus, Winner
from benchbar.reports.charts import VEGA_LITE, charts
from benchbar.reports.html import harmless_json, html, vega
from benchbar.reports.verdicts import GROUPINGS
from support.page import Page

PAYLOAD = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def text(rules_run):
    return (rules_run.folder / "report.html").read_text("utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_a_run_writes_its_report_and_says_where(rules_run):
    """`benchbar run` leaves report.html in the run folder and names it first."""
    written = [line for line in rules_run.printed.splitlines() if line.startswith("written: ")]
    assert written == [f"written: {rules_run.folder / name}" for name in ("report.html", "results.json")]


def test_the_page_loads_nothing(page):
    """No element names an address outside of the page: it opens offline, and tells nobody that it was opened."""
    for element in page.elements:
        assert "src" not in element.attributes, element.tag
        assert element.attributes.get("href", "#").startswith("#"), element.attributes
    assert not page.all("link")
    assert not page.all("iframe")


def test_only_the_scripts_and_the_style_that_the_policy_names_may_run(page, text):
    """The policy holds the hash of each script and style in the page, and no unsafe word."""
    policy = page.all("meta", **{"http-equiv": "Content-Security-Policy"})[0].attributes["content"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert (len(scripts), len(styles)) == (2, 1)
    for part in scripts + styles:
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_hostile_replies_stay_text(page, rules_run):
    """Markup, script ends and template marks in replies and errors are shown as they were said."""
    assert len(page.all("script")) == 3
    assert not page.all("img")
    assert not [name for one in page.elements for name in one.attributes if name.startswith("on")]
    assert not [one for one in page.elements if "style" in one.attributes]
    said = [one.text for one in page.all("div", class_="turn") if PAYLOAD in one.text]
    assert len(said) >= 20
    assert all("{{7*7}}" in one for one in said)
    assert rules_run.results.assistants["failing"].failed_dialogues > 0


def test_hostile_names_reasons_and_rationales_stay_text(rules_run):
    """What a judge, a suite or a foreign results.json says is escaped like any reply."""
    results, material, suite = rules_run.results, rules_run.material, rules_run.suite
    evil = f"a{PAYLOAD}"
    results = msgspec.structs.replace(
        results,
        suite=evil,
        judge=evil,
        decided_by=evil,
        tasks=dict.fromkeys(results.tasks, evil),
        failures={evil: 1},
        assistants={(evil if name == "hostile" else name): one for name, one in results.assistants.items()},
    )
    first = next(iter(material.dialogues))
    material.comparisons[first] = {
        evil: [
            Comparison(
                sample=first,
                left=evil,
                right="base",
                order=order,
                status=ScoreStatus.SCORED,
                winner=Winner.LEFT,
                rationale=evil,
            )
            for order in ("left_first", "right_first")
        ]
    }
    page = Page(html(results, material, suite).decode())
    assert len(page.all("script")) == 3
    assert not page.all("img")
    assert page.all("title")[0].text.endswith(evil)
    assert any(evil in one.text for one in page.all("details"))


def test_json_in_a_script_cannot_end_it():
    """Characters that HTML or JavaScript could take for their own are written as escapes of JSON."""
    value = {"x": "</script><!-- & \u2028 \u2029 ]]>", "<": 1}
    written = harmless_json(value)
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == value


def test_it_says_first_who_served_users_better(page, rules_run):
    """The first thing is a sentence for each candidate, the highest win rate first, in the suite's language."""
    cards = [one.text for one in page.all("article", class_="card")]
    results = rules_run.results
    rates = {name: results.assistants[name]["win_rate"].value for name in ("plain", "hostile", "failing")}
    order = sorted(rates, key=rates.__getitem__, reverse=True)
    assert [next(name for name in order if card.strip().startswith(name)) for card in cards] == order
    doubted = {name for one in results.health for name in one.who.split(", ")}
    believed = [card for card in cards if not any(card.strip().startswith(name) for name in doubted)]
    assert all("胜率" in card and "区间" in card for card in believed)
    assert page.all("html")[0].attributes["lang"] == "zh"


def test_every_chart_has_its_data_in_a_table_behind_it(page, text):
    """A reader without sight or JavaScript finds the same numbers."""
    drawn = json.loads(page.by_id("charts").text)
    assert set(drawn) == {
        "win_rate",
        *(f"matrix_{kind}" for kind in GROUPINGS),
        "coverage",
        "level",
        "scenario",
        "turns",
    }
    places = page.all("div", class_="chart")
    assert {one.attributes["data-chart"] for one in places} == set(drawn)
    for place in places:
        figure = place.parents[-1]
        assert figure.tag == "figure"
        assert [one for one in page.all("table") if figure in one.parents]
        assert place.attributes["aria-label"]


def test_every_chart_is_valid_vega_lite(rules_run, judged_run):
    """All charts of both runs keep to the schema of the version that they name."""
    assert f"v{VEGA_LITE}" == alt.SCHEMA_VERSION
    for run in (rules_run, judged_run):
        drawn = charts(run.results, labels("zh"))
        assert len(drawn) == 8
        for specification in drawn.values():
            assert f"/{alt.SCHEMA_VERSION}." in specification["$schema"]
            alt.Chart.from_dict(specification, validate=True)


def test_cells_whose_interval_holds_a_half_are_shown_as_tied(page, rules_run):
    """Grey and marked in the table as in the chart."""
    cells = json.loads(page.by_id("charts").text)["matrix_task"]["data"]["values"]
    figure = page.all("div", **{"data-chart": "matrix_task"})[0].parents[-1]
    tied = [one for one in page.all("td", class_="tied") if "≈" in one.text and figure in one.parents]
    assert len(cells) == 3 * 22
    assert len(tied) == sum(row["standing"] == "tied" for row in cells)
    doubted = {name for one in rules_run.results.health for name in one.who.split(", ")}
    for row in cells:
        expected = row["low"] is not None and row["low"] <= 50 <= row["high"] and row["assistant"] not in doubted
        assert (row["standing"] == "tied") == expected


def test_each_sample_has_a_page_with_all_dialogues_and_points(page, rules_run):
    """Needs, guidance, a mark for each point and assistant, and the dialogues side by side."""
    suite, results = rules_run.suite, rules_run.results
    sections = page.all("section", class_="sample")
    assert len(sections) == len(suite.samples) == 22
    for section, sample in zip(sections, suite.samples, strict=True):
        assert sample.needs in section.text
        own = [one for one in page.elements if section in one.parents]
        assert len([one for one in own if one.tag == "article"]) == len(results.assistants)
        marks = [one for one in own if one.attributes.get("class", "").startswith("state ")]
        assert len(marks) == len(sample.guidance.points) * len(results.assistants)


def test_evidence_is_marked_where_it_was_said(rules_run, page):
    """A highlighted piece is the text of the score's span, labelled with its point."""
    material = rules_run.material
    spans = [
        (score.dimension, one.text)
        for by in material.scores.values()
        for scores in by.values()
        for score in scores
        for one in score.evidence
    ]
    marked = {(one.attributes["title"], one.text) for one in page.all("mark")}
    assert ("p3", "《民事基本法》第五十八条p3") in marked
    assert ("p3", "《民事基本法》第五十八条") in spans
    assert len(page.all("mark")) >= len(set(spans)) > 5


def test_each_citation_stands_below_its_turn_with_what_the_law_says(rules_run, page):
    """Verified ones and others alike; none that was made is left out."""
    material = rules_run.material
    made = {
        (one.citation.text, str(one.citation.status))
        for by in material.citations.values()
        for cited in by.values()
        for one in cited
    }
    shown = {(text, one.attributes.get("class", "")) for one in page.all("li") for text, _ in made if text in one.text}
    assert made
    assert made <= shown


def test_a_judged_sample_shows_the_reasons_of_both_orders(judged_run):
    """Each verdict tells who was shown first, who was better, and why."""
    page = Page((judged_run.folder / "report.html").read_text("utf-8"))
    section = page.all("section", class_="sample")[0]
    verdicts = [one for one in page.all("details") if section in one.parents]
    assert len(verdicts) == 4
    assert all("[[" in one.text for one in verdicts)
    assert sum("strong 在前" in one.text for one in verdicts) == 2
    marks = [one.text for one in page.all("td") if "裁判" in one.text]
    assert marks


def test_who_won_a_sample_adds_up_to_the_results(rules_run, judged_run):
    """The list of samples counts as the results count."""
    for run in (rules_run, judged_run):
        page = Page((run.folder / "report.html").read_text("utf-8"))
        names = [one.text for one in page.all("th") if one.inside("list")][2:]
        rows = [one.attributes["data-result"].split() for one in page.all("tr") if "data-result" in one.attributes]
        for index, name in enumerate(names[: len(run.results.assistants) - 1]):
            one = run.results.assistants[name]
            counts = [sum(f"{index}:{kind}" in row for row in rows) for kind in ("won", "lost", "missing")]
            assert counts == [one.wins, one.losses, one["win_rate"].n_missing]


def test_a_large_run_keeps_the_samples_on_which_assistants_differ_most(rules_run):
    """Beyond the limit pages are left out, the least telling first; the page says how many and where they are."""
    whole = Page(html(rules_run.results, rules_run.material, rules_run.suite).decode())
    short = Page(html(rules_run.results, rules_run.material, rules_run.suite, limit=60_000).decode())
    kept = {one.attributes["id"] for one in short.all("section", class_="sample")}
    assert 0 < len(kept) < len(whole.all("section", class_="sample"))
    rows = [one for one in short.all("tr") if "data-result" in one.attributes]
    assert len(rows) == 22
    differing = {
        one.attributes.get("data-page")
        for one in rows
        if not {"0:tied", "1:tied"} <= set(one.attributes["data-result"].split())
    }
    assert kept & differing
    warning = short.all("p", class_="warning")[-1].text
    assert str(22 - len(kept)) in warning
    assert "dialogues.jsonl" in warning
    targets = {one.attributes["href"] for one in short.all("a")} - {"#matrix", "#reliability", "#samples"}
    assert targets == {f"#{id_}" for id_ in kept}


def test_without_the_suite_the_report_still_shows_what_the_folder_holds(rules_run):
    """Dialogues and marks stay, needs and wording are missing, and the page says why."""
    page = Page(html(rules_run.results, rules_run.material, None, missing_suite="moved away").decode())
    assert any("moved away" in warning.text for warning in page.all("p", class_="warning"))
    assert page.all("html")[0].attributes["lang"] == "zh"
    assert len(page.all("section", class_="sample")) == 22
    assert page.all("mark")


def test_evidence_outside_of_its_turn_does_no_harm(rules_run):
    """Spans of a damaged or foreign file are cut to the text they are in."""
    material = rules_run.material
    first = next(iter(material.scores))
    score = material.scores[first]["plain"][0]
    wild = tuple(
        Evidence(turn=turn, start=start, end=end, text="?")
        for turn, start, end in ((1, -5, 10**9), (99, 0, 3), (1, 9, 2))
    )
    material.scores[first]["plain"][0] = msgspec.structs.replace(score, evidence=wild)
    page = Page(html(rules_run.results, material, rules_run.suite).decode())
    said = material.dialogues[first]["plain"].turns[1].content
    section = page.all("section", class_="sample")[0]
    marks = [one.text for one in page.all("mark") if section in one.parents and "p1" in one.attributes["title"]]
    assert marks[0].startswith(said[:2])
    # The passages of other assistants that bear on the point come after it.
    assert any(said[-2:] in one for one in marks)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_report_speaks_the_language_of_the_suite(rules_run, language):
    """Labels of an English and of a Russian suite."""
    import dataclasses

    suite = rules_run.suite
    card = msgspec.structs.replace(suite.card, language=language)
    page = Page(html(rules_run.results, rules_run.material, dataclasses.replace(suite, card=card)).decode())
    assert page.all("html")[0].attributes["lang"] == language
    expected = {"en": "Can it be trusted?", "ru": "Можно ли этому верить?"}[language]
    assert expected in page.by_id("reliability").text
    # Tasks of the paper have names in every pack; what a suite calls its own is left.
    listed = page.by_id("list").text
    assert {"en": "Real Case Consultation", "ru": "Консультация по жизненной ситуации"}[language] in listed
    tasks = {**rules_run.results.tasks, "4-3": "押金"}
    named = msgspec.structs.replace(rules_run.results, tasks=tasks)
    assert "4-3 押金" in html(named, rules_run.material, suite, language=language).decode()


def test_a_run_of_one_assistant_has_a_report_too(rules_run):
    """There is nothing to compare, and the page says so; guidance and dialogues are there."""
    results = rules_run.results
    alone = msgspec.structs.replace(results, assistants={"base": results.assistants["base"]})
    page = Page(html(alone, rules_run.material, rules_run.suite).decode())
    assert set(json.loads(page.by_id("charts").text)) == {"coverage", "level", "scenario"}
    assert "没有可比较的对象" in page.by_id("overview").text
    assert len(page.all("article", class_="dialogue")) == 22


def test_the_list_of_samples_shows_how_each_question_begins(page, rules_run):
    """An id says nothing to a reader, least of all a hash; a long question is cut, and says so."""
    listed = page.by_id("list").text
    shown = [sample.needs for sample in rules_run.suite.samples if " ".join(sample.needs.split())[:60] in listed]
    assert len(shown) >= 22
    assert any("…" in row for row in listed.splitlines()) == any(len(needs) > 60 for needs in shown)


def test_the_chart_library_is_the_one_that_charts_are_written_for():
    """The bundle in the package is of the charts' version of Vega-Lite, ends no script element, and brings its licences."""
    assert f'"{VEGA_LITE}"' in vega()
    assert "</script" not in vega().lower()
    assert "<!--" not in vega()
    licences = (files("benchbar.reports") / "assets" / "vega.LICENSE").read_text("utf-8")
    for name in ("vega 6", "vega-lite 6", "vega-embed 7", "d3-array"):
        assert name in licences
