"""The list of samples as a table: columns, sorting and filters by reason, all in the address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbar.artefacts.folder import read_results
from benchbar.web.index_building import FIGURES
from benchbar.web.sample_index import SORTED, SampleIndex, Wanted, index_of
from benchbar.web.samples import figure_text
from benchbar.web.words import words
from support.hostile import ASSISTANT
from support.page import Page
from web.conftest import Apps, Visitor

COUNT = 60
FILES = ("dialogues", "scores", "comparisons", "citations", "measures")


@pytest.fixture(scope="module")
def many(made_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of 60 samples: those of a real run under new ids, with times, costs and guidance of their own."""
    folder = tmp_path_factory.mktemp("many")
    run = folder / "many"
    run.mkdir()
    for name in ("run.json", "results.json", "timing.json"):
        (run / name).write_bytes((made_run / name).read_bytes())
    ids = list(read_ids(made_run))
    for name in FILES:
        rows = [json.loads(line) for line in (made_run / f"{name}.jsonl").read_text("utf-8").splitlines()]
        with (run / f"{name}.jsonl").open("w", encoding="utf-8") as out:
            for number in range(COUNT):
                for row in rows:
                    if row["sample"] == ids[number % len(ids)]:
                        out.write(json.dumps(changed(row, number)) + "\n")
    return folder


def read_ids(run: Path) -> dict[str, None]:
    return dict.fromkeys(
        json.loads(line)["sample"] for line in (run / "measures.jsonl").read_text("utf-8").splitlines()
    )


def changed(row: dict, number: int) -> dict:
    """A record of the sample of a number; every fourth has no cost, and the times of one assistant are all the same."""
    row = row | {"sample": f"s{number:02}"}
    if "turns" in row:
        # Neither in the order of the run nor backwards.
        place = number * 37 % COUNT
        row["latency"] = 1.0 if row["assistant"] == ASSISTANT else float(place + 1)
        row["cost"] = None if number % 4 == 0 else place / 7
    if "values" in row and row["assistant"] == "weak":
        row["values"] = row["values"] | {"point_score": number % 5 / 4}
    return row


@pytest.fixture(scope="module")
def index(many: Path, tmp_path_factory: pytest.TempPathFactory) -> SampleIndex:
    """The index of that run."""
    run = many / "many"
    return index_of(run, tmp_path_factory.mktemp("own"), read_results(run))


@pytest.fixture(scope="module")
def reader(many: Path) -> Iterator[Visitor]:
    """The owner before that run."""
    apps = Apps()
    found = apps(many)()
    found.sign_in()
    yield found
    apps.close()


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("column", [*SORTED, "found"])
def test_every_column_sorts_all_samples_page_by_page(index, column, down):
    """No sample is lost or shown twice between pages; what has no value comes last, whichever way."""
    wanted = Wanted(of="weak", sort=column, down=down)
    listed = [one for start in range(0, COUNT, 7) for one in index.page(wanted, start, 7)]
    assert sorted(one.id for one in listed) == [f"s{number:02}" for number in range(COUNT)]
    if column in FIGURES:
        values = [one.figures[column] for one in listed]
        known = [value for value in values if value is not None]
        assert values == sorted(known, reverse=down) + [None] * (COUNT - len(known))


def test_the_figures_are_those_of_the_files(index, many):
    """Cost, seconds, tokens and guidance of an answer are what the run wrote of it; missing stays missing."""
    rows = [json.loads(line) for line in (many / "many" / "dialogues.jsonl").read_text("utf-8").splitlines()]
    own = {row["sample"]: row for row in rows if row["assistant"] == "weak"}
    assert len(own) == COUNT
    for listed in index.page(Wanted(of="weak"), 0, COUNT):
        row, figures = own[listed.id], listed.figures
        assert (figures["cost"], figures["seconds"]) == (row["cost"], row["latency"])
        assert figures["tokens"] == row["usage"]["input_tokens"] + row["usage"]["output_tokens"]
        assert figures["guidance"] == int(listed.id[1:]) % 5 / 4


def test_an_answer_that_never_came_has_no_false_citations_rather_than_none(index):
    """Nobody checked what was not said: the figure is missing and not 0."""
    failed, hostile = (index.page(Wanted(of=name), 0, COUNT) for name in ("failing", ASSISTANT))
    assert {one.figures["false_citations"] for one in failed} == {None}
    assert all(one.figures["false_citations"] >= 1 for one in hostile)


def test_slow_and_costly_are_the_upper_tenth_of_each_assistant(index):
    """Six of 60 by time, five of the 45 with a cost; where all took the same time, none is slow."""
    slow = index.page(Wanted(assistant="weak", of="weak", fact="slow"), 0, COUNT)
    assert sorted(int(one.id[1:]) * 37 % COUNT for one in slow) == [54, 55, 56, 57, 58, 59]
    assert index.count(Wanted(assistant="weak", of="weak", fact="costly")) == 5
    assert index.count(Wanted(assistant=ASSISTANT, of=ASSISTANT, fact="slow")) == 0


def test_what_was_found_is_of_the_assistant_that_is_looked_at(index):
    """All samples have a false citation of somebody, and none of the assistant that never answered."""
    assert index.count(Wanted(fact="false_citation")) == COUNT
    assert index.count(Wanted(fact="false_citation", assistant="failing", of="failing")) == 0
    assert index.count(Wanted(fact="failed", assistant="failing", of="failing")) == COUNT


def test_found_tells_samples_apart(index):
    """It is of the assistant whose figures are shown; of others what they said, and not that they were slow, as somebody always is."""
    rows = index.page(Wanted(of="weak"), 0, COUNT)
    assert sum("costly" in row.found for row in rows) == 5
    assert not any("failed" in row.found for row in rows)
    assert all("failed" in row.elsewhere for row in rows)
    assert not {"slow", "costly"} & {fact for row in rows for fact in row.elsewhere}
    chosen = index.page(Wanted(of="weak", assistant="weak"), 0, COUNT)
    assert [row.found for row in chosen] == [row.found for row in rows]
    assert not any(row.elsewhere for row in chosen)


@pytest.mark.parametrize("wanted", [Wanted(of="weak", sort="cost", down=True), Wanted(of="weak", sort="guidance", fact="failed"), Wanted()])  # fmt: skip
def test_previous_and_next_follow_the_order_of_the_list(index, wanted):
    """Whoever leafs through the dearest answers goes from the dearest to the next dearest, over ties and missing values."""
    ids = [one.id for one in index.page(wanted, 0, COUNT)]
    for place, id_ in enumerate(ids):
        before, after = index.beside(index.find(id_), wanted)
        assert before == (ids[place - 1] if place else None)
        assert after == (ids[place + 1] if place + 1 < len(ids) else None)


def heads(page: Page) -> list[str]:
    """Of the columns that were chosen: the owner's boxes stand in a column without a name."""
    named = [one for one in page.all("th") if one.attributes.get("scope") == "col" and one.text]
    return [one.text.strip(" ↑↓") for one in named]


def test_the_columns_that_are_chosen_stand_in_the_address(reader):
    """The same link shows the same columns, sorted the same way, and a sample's page leads back to it."""
    query = "column=seconds&column=cost&sort=-seconds&assistant=weak"
    page = Page(reader.get(f"/runs/many/samples?{query}").text)
    assert heads(page) == ["Sample", "Cost", "Seconds"]
    sorted_by = [one for one in page.all("th") if one.attributes.get("aria-sort")]
    assert [(one.text.strip(" ↓"), one.attributes["aria-sort"]) for one in sorted_by] == [("Seconds", "descending")]
    first = next(one for one in page.all("th") if one.attributes.get("scope") == "row")
    # 59 = 47 * 37 modulo 60.
    assert first.text == "s47"
    leaf = Page(reader.get("/runs/many/samples/s47?" + query).text)
    back = next(one.attributes["href"] for one in leaf.all("a", class_="back"))
    assert heads(Page(reader.get(back).text)) == ["Sample", "Cost", "Seconds"]


def test_a_click_on_a_head_sorts_and_a_second_one_turns_it_round(reader):
    """Links in the heads need no script; choosing a filter keeps columns and order."""
    page = Page(reader.get("/runs/many/samples?column=cost").text)
    link = next(one.attributes["href"] for one in page.all("a", class_="sort") if "Cost" in one.text)
    down = Page(reader.get(link).text)
    again = next(one.attributes["href"] for one in down.all("a", class_="sort") if "Cost" in one.text)
    assert (link.endswith("sort=-cost&column=cost"), again.endswith("sort=cost&column=cost")) == (True, True)
    kept = {(one.attributes["name"], one.attributes["value"]) for one in down.all("input", type="hidden")}
    assert {("sort", "-cost"), ("column", "cost")} <= kept


@pytest.mark.parametrize("query", ["column=outcomes", "sort=facts", "sort=cost;drop", "fact=all", "&".join(["column=cost"] * 200)])  # fmt: skip
def test_other_columns_are_refused(reader, query):
    """What is sorted by is one of the names that are known, never a piece of a query."""
    assert reader.get(f"/runs/many/samples?{query}").status_code == 422


def test_a_list_that_nothing_fits_says_so(reader):
    """In a sentence with a link to all samples, and without an empty table."""
    page = Page(reader.get("/runs/many/samples?text=nowhere").text)
    assert "No sample fits what is chosen." in page.by_id("content").text
    assert "/runs/many/samples" in {one.attributes["href"] for one in page.all("a")}
    assert not page.all("table")


@pytest.mark.parametrize(("language", "column"), [("en", "Seconds"), ("ru", "guidance"), ("zh", "guidance")])
@pytest.mark.parametrize("query", ["column=outcomes", "sort=nothing"])
def test_an_address_with_a_wrong_column_says_which_there_are(reader, language, column, query):
    """In the reader's language, and not as the pattern that was not matched."""
    reader.client.cookies.set("benchbar_language", language)
    answer = reader.get(f"/runs/many/samples?{query}")
    reader.client.cookies.delete("benchbar_language")
    assert answer.status_code == 422
    assert column in answer.text
    assert "pattern" not in answer.text


def test_a_short_time_is_no_zero():
    """An answer of 0.04 s may be among the slowest; one of 0 s cannot be."""
    assert figure_text(words("ru"), "seconds", 0.04) == "< 0,1"
    assert figure_text(words("en"), "seconds", 0.26) == "0.3"
    assert figure_text(words("en"), "seconds", 0.0) == "0"
