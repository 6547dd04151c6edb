"""The HTML report shows what the run found, and nothing in it can act."""

from __future__ import annotations

import base64
import hashlib
import re

import msgspec
import pytest
from markupsafe import escape

from benchbar.artefacts.folder import read_material, read_results
from benchbar.languages.packs import known
from benchbar.records import Comparison, Estimate, Evidence, ScoreStatus, Winner
from benchbar.reports.html import html
from benchbar.reports.standing import standing
from benchbar.reports.verdicts import GROUPINGS
from support import forked
from support.page import Page
from support.report import opened, unpacked
from support.terms import second_words

PAYLOAD = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def text(rules_run):
    return (rules_run.folder / "report.html").read_text("utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(opened(text))


def test_a_run_writes_its_report_and_says_where(rules_run):
    """`benchbar run` leaves report.html in the run folder and names it first."""
    written = [line for line in rules_run.printed.splitlines() if line.startswith("written: ")]
    assert written == [f"written: {rules_run.folder / name}" for name in ("report.html", "results.json")]


def test_the_scale_of_a_chart_reaches_from_one_end_of_its_row_to_the_other(text):
    """Its labels stand at equal distances under the whole row: 100% is drawn at its end, and nothing above four fifths is cut off."""
    rows = re.findall(r'<svg viewBox="0 0 (\d+) 16".*?</svg>', opened(text), re.DOTALL)
    drawn = re.findall(r'<svg viewBox="0 0 \d+ 16".*?</svg>', opened(text), re.DOTALL)
    assert drawn
    for width, row in zip(rows, drawn, strict=True):
        ticks = [float(x) for x in re.findall(r'class="tick" x1="([\d.]+)"', row)]
        assert ticks == pytest.approx([float(width) * place / (len(ticks) - 1) for place in range(len(ticks))])


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
    assert (len(scripts), len(styles)) == (1, 1)
    for part in scripts + styles:
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_hostile_replies_stay_text(page, rules_run):
    """Markup, script ends and template marks in replies and errors are shown as they were said."""
    assert len(page.all("script")) == 1
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
    page = Page(opened(html(results, material, suite)))
    assert len(page.all("script")) == 1
    assert not page.all("img")
    assert page.all("title")[0].text.endswith(evil)
    assert any(evil in one.text for one in page.all("details"))


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


def test_every_chart_says_its_numbers_as_text(page, rules_run):
    """A reader without sight, colours or JavaScript finds them: beside each line, in each cell, and all in tables."""
    results = rules_run.results
    names = [one.text.strip() for one in page.all("span", class_="interval-name") if one.text.strip()]
    numbers = [one for one in page.all("span", class_="interval-number") if one.text.strip()]
    assert len(names) == len(numbers)
    assert set(names) == set(results.assistants)
    assert all(re.match(r"\d", one.text) for one in numbers)
    tables = [one for one in page.all("table") if one.inside("matrix")]
    heads = [[cell.text for cell in page.all("th", scope="col") if table in cell.parents] for table in tables]
    # Each grouping as a matrix, and what a cell has no room for below it.
    assert len(tables) == 2 * len(GROUPINGS)
    assert f"对 {results.reference} 胜 / 平 / 负" in {text for head in heads for text in head}


def test_a_matrix_without_a_value_says_why_and_shows_no_empty_frame(rules_run):
    """Where nothing was compared there are tables of what was marked, and no grid of dashes."""
    results = rules_run.results
    nothing = Estimate(value=None, low=None, high=None, n=0, n_missing=1, reason="nothing was measured")

    def emptied(cell):
        return msgspec.structs.replace(cell, measures={**cell.measures, "win_rate": nothing})

    assistants = {
        name: msgspec.structs.replace(
            one,
            by_task={id_: emptied(cell) for id_, cell in one.by_task.items()},
            by_level={id_: emptied(cell) for id_, cell in one.by_level.items()},
            by_scenario={id_: emptied(cell) for id_, cell in one.by_scenario.items()},
        )
        for name, one in results.assistants.items()
    }
    bare = msgspec.structs.replace(results, assistants=assistants)
    page = Page(opened(html(bare, rules_run.material, rules_run.suite, language="en")))
    assert not page.all("div", class_="heat")
    assert "nothing was measured" in page.by_id("matrix").text
    assert len([one for one in page.all("table") if one.inside("matrix")]) == len(GROUPINGS)


def test_cells_whose_interval_holds_a_half_are_shown_as_tied(page, rules_run):
    """Grey and marked."""
    results = rules_run.results
    task = page.all("div", class_="heat")[0]
    cells = [one for one in page.all("td") if task in one.parents]
    doubted = {name for one in results.health for name in one.who.split(", ")}
    assert len(cells) == 3 * 22
    for cell in cells:
        assert ("≈" in cell.text) == ("tied" in cell.attributes["class"].split())
    candidates = [name for name in results.assistants if name != results.reference]
    certain = [
        (name, task)
        for name in candidates
        for task, cell in results.assistants[name].by_task.items()
        if (rate := cell["win_rate"]).low is not None and not rate.low <= 0.5 <= rate.high
    ]
    assert len([one for one in cells if {"better", "worse"} & set(one.attributes["class"].split())]) <= len(certain)
    assert doubted or any("≈" in cell.text for cell in cells)


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
    """Verified ones and others alike, in the style that every page gives them; none that was made is left out."""
    material = rules_run.material
    made = {
        (one.citation.text, standing(one.citation, invented=True))
        for by in material.citations.values()
        for cited in by.values()
        for one in cited
    }
    shown = {(text, one.attributes.get("class", "")) for one in page.all("li") for text, _ in made if text in one.text}
    assert made
    assert made <= shown


def test_a_judged_sample_shows_the_reasons_of_both_orders(judged_run):
    """Each verdict tells who was shown first, who was better, and why."""
    page = Page(opened((judged_run.folder / "report.html").read_text("utf-8")))
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
            own, _, against = name.partition(" 对 ")
            assert against == run.results.reference
            one = run.results.assistants[own]
            counts = [sum(f"{index}:{kind}" in row for row in rows) for kind in ("won", "lost", "missing")]
            assert counts == [one.wins, one.losses, one["win_rate"].n_missing]


def test_a_large_run_keeps_the_samples_on_which_assistants_differ_most(rules_run):
    """Beyond the limit pages are left out, the least telling first; the page says how many and where they are."""
    whole = Page(opened(html(rules_run.results, rules_run.material, rules_run.suite)))
    short = Page(opened(html(rules_run.results, rules_run.material, rules_run.suite, limit=60_000)))
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
    page = Page(opened(html(rules_run.results, rules_run.material, None, missing_suite="moved away")))
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
    page = Page(opened(html(rules_run.results, material, rules_run.suite)))
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
    page = Page(opened(html(rules_run.results, rules_run.material, dataclasses.replace(suite, card=card))))
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
    page = Page(opened(html(alone, rules_run.material, rules_run.suite)))
    assert not page.all("div", class_="heat")
    assert page.all("details", class_="group")
    assert "没有可比较的对象" in page.by_id("overview").text
    assert len(page.all("article", class_="dialogue")) == 22


def test_the_list_of_samples_shows_how_each_question_begins(page, rules_run):
    """An id says nothing to a reader, least of all a hash; a long question is cut, and says so."""
    listed = page.by_id("list").text
    shown = [sample.needs for sample in rules_run.suite.samples if " ".join(sample.needs.split())[:60] in listed]
    assert len(shown) >= 22
    assert any("…" in row for row in listed.splitlines()) == any(len(needs) > 60 for needs in shown)


def test_every_language_is_in_the_file_and_no_dialogue_is_there_twice(rules_run, text, page):
    """Overview and words of samples are said in each language; what was said stays as it was said."""
    replies = [one.text for one in page.all("div", class_="text")]
    for language, expected in {
        "en": ("Can it be trusted?", "Guidance, point by point"),
        "ru": ("Можно ли этому верить?", "Указания по пунктам"),
        "zh-Hant": ("結果可信嗎？", "逐條作答指引"),
    }.items():
        other = Page(opened(text, language))
        assert other.all("html")[0].attributes["lang"] == language
        assert [one.text for one in other.all("div", class_="text")] == replies
        assert expected[0] in other.by_id("reliability").text
        assert expected[1] in other.all("section", class_="sample")[0].text
    head, pages = unpacked(text)
    assert set(head["languages"]) == {*head["overviews"], "zh"} == set(known())
    assert not any(one.text in body for one in page.all("h3") for body in pages.values())


@pytest.mark.parametrize("language", known())
def test_the_report_calls_nothing_by_a_second_word(text, language):
    """A reader who meets two words looks for two things."""
    head, _ = unpacked(text)
    shown = Page(opened(text, language)).by_id("overview").text
    said = [*shown.splitlines(), *(texts[known().index(language)] for texts in head["phrases"])]
    assert len(said) > 50
    assert [one for line in said for one in second_words(line, language)] == []


@pytest.mark.slow
def test_a_report_of_two_hundred_samples_can_be_mailed(tmp_path):
    """Less than 1.5 MB, with every dialogue that the bundled suite holds with three assistants."""
    forked.command("run", "--quiet", "--limit", "200", "--out", str(tmp_path / "run"), cwd=tmp_path)
    written = (tmp_path / "run" / "report.html").read_bytes()
    material, results = read_material(tmp_path / "run"), read_results(tmp_path / "run")
    assert results.samples == 198
    assert len(written) < 1_500_000
    _, pages = unpacked(written.decode())
    whole = "".join(pages.values())
    for by_assistant in material.dialogues.values():
        for dialogue in by_assistant.values():
            for turn in dialogue.turns:
                # Marks divide a text: each of its lines begins somewhere.
                assert escape(turn.content[:8]) in whole
    assert len(pages) == 198


def test_templates_compiled_for_one_report_hold_no_words_of_it(rules_run, judged_run, monkeypatch, tmp_path):
    """The next report, which says other things, is the same to the byte as one whose templates were compiled for it."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("benchbar.records.compiled.cache_from_source", lambda _: str(tmp_path / "kept"))

    def made(run) -> bytes:
        return html(run.results, run.material, run.suite)

    alone = made(judged_run)
    kept = list(tmp_path.iterdir())
    assert kept
    for file in kept:
        file.unlink()
    made(rules_run)
    assert made(judged_run) == alone
