"""What the pages of runs, samples and comparisons show, to whoever may see them."""

from __future__ import annotations

import gzip
import json
import re
from urllib.parse import quote

import pytest

from support import forked
from support.hostile import ASSISTANT, NAME, PERSON, PHONE
from support.page import Page


@pytest.fixture
def reader(reading):
    """The owner before the folder with runs."""
    found = reading()
    found.sign_in()
    return found


def test_an_empty_list_names_the_command_that_fills_it(visit, runs):
    """Its run lands in the folder that is served, however that is called."""
    owner = visit()
    owner.sign_in()
    assert f"benchbar run --out {runs}/first</pre>" in owner.get("/runs").text


def test_the_list_tells_state_suite_assistants_gate_and_cost(reader):
    """Each run is a line; a name with markup stays text."""
    page = Page(reader.get("/runs").text)
    rows = [row for row in page.all("tr") if "plain" in row.text]
    assert len(rows) == 1
    for part in ("finished", "model-jurisdiction-zh", "weak", "failing"):
        assert part in rows[0].text
    assert re.search(r"failed|insufficient evidence", rows[0].text)
    links = {one.attributes["href"] for one in page.all("a")}
    assert f"/runs/{quote(NAME)}" in links
    assert not [one for one in page.all("script") if "alert" in one.text]


def test_the_precision_of_rules_is_that_of_the_runs_language(reader, full, apps, copied):
    """Marks of other languages say nothing of a run in Chinese; a run of before, which names none, shows all."""
    shown = reader.get("/runs/plain").text
    assert "Chinese: Rules decide only" in shown
    assert "Russian: Rules decide only" not in shown
    assert "English: Rules decide only" not in shown
    file = copied / "plain" / "results.json"
    results = json.loads(file.read_text("utf-8"))
    assert results.pop("languages") == ["zh"]
    file.write_text(json.dumps(results), "utf-8")
    owner = apps(copied)()
    owner.sign_in()
    before = owner.get("/runs/plain").text
    assert all(f"{one}: Rules decide only" in before for one in ("Chinese", "Russian", "English"))


def test_a_run_shows_gate_matrix_bars_failures_and_cost(reader, full):
    """The numbers are those of results.json, with their intervals."""
    answer = reader.get("/runs/plain")
    assert answer.status_code == 200
    results = json.loads((full / "plain" / "results.json").read_text("utf-8"))
    page = Page(answer.text)
    assert results["gate"]["decision"] == "fail" or results["gate"]["decision"] == "insufficient_evidence"
    gate = page.by_id("gate").text
    for check in results["gate"]["checks"]:
        # A person has marked since: the page decides on the overall value with these marks.
        assert check["reason"][:40] in gate or check["measure"] == "overall"
    rate = results["assistants"][ASSISTANT]["measures"]["win_rate"]
    assert f"{100 * rate['low']:.1f}" in page.by_id("content").text
    matrix = [one for one in page.all("td") if one.inside("matrix") and "n=" in one.text]
    assert len(matrix) >= 2 * len(results["tasks"])
    assert "python" in page.by_id("reliability").text or results["failures"]


def test_a_run_is_narrowed_to_a_task_and_an_assistant(reader):
    """Only that row and column are left, and the win rate is estimated anew over the task's samples."""
    page = Page(reader.get(f"/runs/plain?task=1-1&assistant={quote(ASSISTANT)}").text)
    rows = [one for one in page.all("tr") if one.inside("matrix")]
    assert len(rows) == 2
    assert "1-1" in rows[1].text
    assert "failing" not in rows[0].text
    assert "Estimated anew" in page.by_id("content").text


def test_a_grid_without_values_is_the_reason_and_the_samples(reader):
    """Of an assistant that never answered: a grid of dashes would tell nothing."""
    page = Page(reader.get("/runs/plain?task=1-1&assistant=failing").text)
    assert [one for one in page.all("tr") if one.inside("matrix")] == []
    links = [one.attributes["href"] for one in page.all("a") if one.inside("matrix")]
    assert links == ["/runs/plain/samples?task=1-1"]


def test_levels_and_scenarios_choose_tasks(reader):
    """The task of another level is not in the matrix."""
    page = Page(reader.get("/runs/plain?level=memory").text)
    assert [one.text[:3] for one in page.all("th") if one.inside("matrix")][-1] == "1-1"


def test_samples_are_listed_by_outcome(reader):
    """Won, tied and lost of one assistant make up all samples."""
    counts = []
    for outcome in ("won", "tied", "lost", "missing", ""):
        query = f"assistant={quote(ASSISTANT)}&outcome={outcome}"
        page = Page(reader.get(f"/runs/plain/samples?{query}").text)
        counts.append(len(page.all("tr")) - 1 if page.all("tr") else 0)
    assert sum(counts[:-1]) == counts[-1] == 6


def listed(reader, query: str) -> int:
    """How many samples the list shows."""
    page = Page(reader.get(f"/runs/plain/samples?{query}").text)
    # One row is the head; where nothing fits there is no table.
    return max(0, len(page.all("tr")) - 1)


@pytest.mark.parametrize(
    ("words", "count"),
    [("点这里", 6), ("定金", 6), ("onERROR", 6), ("there is no such text", 0), ("无此", 0), ('"点这里"', 0), ("点这里 OR 定金", 0), ("%", 0), ("a*", 0)],
)  # fmt: skip
def test_samples_are_found_by_words_in_questions_and_replies(reader, words, count):
    """In any language, however short; signs of a search language are characters like any other."""
    assert listed(reader, f"said={quote(words)}") == count


@pytest.mark.parametrize(("fact", "count"), [("false_citation", 6), ("failed", 6), ("", 6)])
def test_samples_are_filtered_by_what_was_found(reader, fact, count):
    """The hostile assistant cites an article that is not there, and another one fails in each sample."""
    assert listed(reader, f"fact={fact}") == count


def test_facts_partition_no_sample_twice(reader):
    """Each filter shows a part of the samples, and an unknown one is refused."""
    for fact in ("forbidden", "contradiction", "orders", "guard"):
        assert 0 <= listed(reader, f"fact={fact}") <= 6
    assert reader.get("/runs/plain/samples?fact=all").status_code == 422


def test_masked_texts_cannot_be_searched(apps, copied):
    """Whoever may not read a name cannot find out by searching whether it is there."""
    found = apps(copied, mask=True)()
    found.sign_in()
    assert listed(found, f"said={quote('没有这个词组')}") == 6
    assert 'name="said"' not in found.get("/runs/plain/samples").text


def test_a_sample_shows_all_that_was_said_and_found(reader):
    """Dialogues side by side, both orders and both runs of the judge, marks of people with what they corrected."""
    page = Page(reader.get("/runs/plain/samples/1-1-001").text)
    assert len(page.all("article")) == 3
    text = page.by_id("content").text
    assert text.count("shown first") >= 8
    assert "repeat 2" in text
    assert "逐条看来" in text
    assert "first <i>reason</i>" in text
    assert "corrected later" in text
    assert "Анна <b>" in text
    assert "80" in text


def test_a_citation_leads_to_the_article_it_names(reader):
    """The text of the law stands behind each citation; one of an article that is not there says so."""
    page = Page(reader.get("/runs/plain/samples/1-1-001").text)
    cites = [one for one in page.all("a") if "cite" in one.attributes.get("class", "").split()]
    # Of invented law nothing is green.
    verified = next(one for one in cites if "neutral" in one.attributes["class"])
    assert "第五十八条" in verified.text
    target = page.by_id(verified.attributes["href"].removeprefix("#"))
    assert "百分之十五" in target.text
    assert any("no_such_article" in one.attributes["class"] and "第九千条" in one.text for one in cites)


def test_markdown_is_laid_out_and_nothing_of_it_runs_or_loads(reader):
    """Headings, lists and links are there; scripts, images, styles and other schemes are not."""
    page = Page(reader.get("/runs/plain/samples/1-1-001").text)
    assert any("结论" in one.text for one in page.all("h6"))
    assert any("不得超过" in one.text for one in page.all("strong"))
    assert not page.all("img")
    assert not page.all("style")
    assert all(one.attributes.get("src", "").startswith("/static/") for one in page.all("script"))
    schemes = {one.attributes.get("href", "#").partition(":")[0] for one in page.all("a")}
    assert not schemes & {"javascript", "data"}
    (away,) = [one for one in page.all("a") if "example.org" in one.attributes.get("href", "")]
    assert "noopener" in away.attributes["rel"]
    written = reader.get("/runs/plain/samples/1-1-001?view=written").text
    assert "&lt;script&gt;window.harmed = 1" in written


def test_next_and_previous_keep_the_filters(reader):
    """Leafing stays among what the list showed; a link to the sample alone is there too."""
    query = f"?assistant={quote(ASSISTANT)}&outcome=missing"
    page = Page(reader.get(f"/runs/plain/samples{query}").text)
    found = [one.attributes["href"] for one in page.all("a") if "/samples/" in one.attributes.get("href", "")]
    every = Page(reader.get("/runs/plain/samples").text)
    first = next(one.attributes["href"] for one in every.all("a") if "/samples/" in one.attributes.get("href", ""))
    page = Page(reader.get(first).text)
    after = next(one for one in page.all("a") if one.attributes.get("rel") == "next")
    assert reader.get(after.attributes["href"]).status_code == 200
    for link in found:
        assert "outcome=missing" in link
        assert reader.get(link).status_code == 200


def test_personal_data_are_hidden_on_demand(apps, full):
    """Names and numbers of the reply and of people's reasons are masked; spans still fit."""
    visitor = apps(full, mask=True)()
    visitor.sign_in()
    answer = visitor.get("/runs/plain/samples/1-1-001").text
    assert PHONE not in answer
    assert PERSON not in answer
    assert "第五十八条" in answer
    assert "说不对" in answer


@pytest.mark.parametrize(
    "path",
    [
        "/runs/none",
        "/runs/%2e%2e%2f%2e%2e",
        "/runs/.benchbar",
        "/runs/" + 300 * "x",
        "/runs/%00",
        "/runs/..%5cplain",
        "/runs/plain/samples/none",
        "/runs/plain/export/exe",
        "/static/..%2fapp.py",
        "/compare?first=plain&second=..",
    ],
)
def test_there_is_nothing_outside_the_folder(reader, path):
    """Only runs that lie in the folder are found."""
    assert reader.get(path).status_code in {404, 422}


def test_results_are_taken_along_and_that_is_written_down(reader):
    """Each format is a file; the log names who took it."""
    for form, start in (("csv", "assistant,"), ("md", "# "), ("latex", "% needs"), ("json", "{")):
        answer = reader.get(f"/runs/plain/export/{form}")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.text.startswith(start)
    assert reader.get("/log").text.count("took results along") >= 4


def test_two_runs_are_compared(reader):
    """A run against itself: no difference, nothing fixed or broken."""
    page = Page(reader.get(f"/compare?first=plain&second={quote(NAME)}").text)
    text = page.by_id("content").text
    assert "Fixed samples: 0" in text
    assert "Broken samples: 0" in text
    assert "overall" in text


def test_an_ablation_has_a_page(apps, tmp_path):
    """Variants and differences are shown with their intervals."""
    study = ("ablate", "offline-contract", "--set", "sample=24", "--out", str(tmp_path / "runs" / "study"))
    done = forked.command(*study, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    visitor = apps(tmp_path / "runs")()
    visitor.sign_in()
    assert "ablation" in visitor.get("/runs").text
    text = Page(visitor.get("/runs/study").text).by_id("content").text
    assert "weighted accuracy, %" in text
    assert "Paired differences" in text


def test_the_compressed_files_of_a_large_run_are_shown_as_plain_ones_are(apps, copied):
    """A run of many dialogues keeps its records compressed; its pages say the same."""
    visitor = apps(copied)()
    visitor.sign_in()
    sample = json.loads((copied / "plain" / "dialogues.jsonl").read_bytes().splitlines()[0])["sample"]
    addresses = ("/runs/plain/samples", f"/runs/plain/samples/{sample}")
    plain = [Page(visitor.get(address).text).by_id("content").text for address in addresses]
    for file in (copied / "plain").glob("*.jsonl"):
        with gzip.open(file.with_name(f"{file.name}.gz"), "wb") as packed:
            packed.write(file.read_bytes())
        file.unlink()
    assert [Page(visitor.get(address).text).by_id("content").text for address in addresses] == plain


def test_a_damaged_run_spoils_no_other(apps, copied):
    """The list names it and says why; the others are there."""
    broken = copied / "broken"
    broken.mkdir()
    (broken / "results.json").write_text('{"schema_version": 1, "suite": 3}', "utf-8")
    visitor = apps(copied)()
    visitor.sign_in()
    text = Page(visitor.get("/runs").text).by_id("content").text
    assert "cannot be read" in text
    assert "plain" in text
    assert visitor.get("/runs/broken").status_code == 400


def test_a_run_that_was_stopped_says_how_far_it_came(apps, copied):
    """Without results, the ledger tells; its events end at once."""
    (copied / "plain" / "results.json").unlink()
    visitor = apps(copied)()
    visitor.sign_in()
    text = Page(visitor.get("/runs/plain").text).by_id("content").text
    assert "stopped" in text
    assert re.search(r"\d+ / \d+", text)
    events = visitor.get("/runs/plain/progress").text
    assert events.startswith("event: end\ndata: ")
    assert json.loads(events.split("data: ")[1])["share"] == 1.0
