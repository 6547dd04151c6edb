"""Guidance in the browser: each writes alone, the owner sees all and decides, what stands goes into the suite."""

from __future__ import annotations

import re
import shutil
from urllib.parse import quote

import pytest

from benchbar.suites.authoring.adding import add
from benchbar.suites.authoring.annotation import ADJUDICATED, load, load_all
from benchbar.suites.authoring.layout import lay_out
from benchbar.suites.folder import read
from support.hostile import HOSTILE

PAGE = "/annotate/mine/sample?sample=a"


@pytest.fixture
def suites(tmp_path):
    """A folder with a suite of two samples, one of which is hostile."""
    folder = tmp_path / "suites" / "mine"
    lay_out(folder, language="zh", jurisdiction="", tasks=["2-1"])
    (tmp_path / "a.csv").write_text("id,task,needs\na,2-1,离婚冷静期有多长？\nb/2,2-1,x\n", "utf-8")
    add(folder, tmp_path / "a.csv")
    samples = (folder / "samples.jsonl").read_text("utf-8")
    import json

    (folder / "samples.jsonl").write_text(samples.replace('"needs":"x"', f'"needs":{json.dumps(HOSTILE)}'), "utf-8")
    return folder.parent


@pytest.fixture
def people(apps, runs, suites):
    """The owner, and two reviewers, one of whom has a name that no file may have."""
    visit = apps(runs, suites=suites)
    owner = visit()
    owner.sign_in()
    found = [owner]
    for name in ("anna", "Bo <b>/.."):
        person = visit()
        person.sign_in(name, owner.add(name, "reviewer"))
        found.append(person)
    return found


def write(visitor, rows: list[tuple[str, str]], *, page: str = PAGE, **fields: str):
    """Fill in the form of a page and send it."""
    content = re.search(r'name="content" value="(\w+)"', visitor.get(page).text)[1]
    sample = re.search(r'name="sample" value="([^"]+)"', visitor.get(page).text)[1]
    data = {
        "csrf": visitor.csrf(page),
        "sample": sample,
        "content": content,
        "category": [category for category, _ in rows],
        "text": [text for _, text in rows],
    } | fields
    return visitor.client.post(
        "/annotate/mine/sample", data=data, headers={"accept": "text/html"}, follow_redirects=False
    )


def test_each_writes_alone_and_the_owner_decides(people, suites):
    """Two versions, the disagreement between them, the decision, and the suite with what stands."""
    owner, anna, bo = people
    assert write(anna, [("ground_truth", "三十日"), ("mandatory", ""), ("mandatory", "自愿离婚")]).status_code == 303
    assert write(bo, [("ground_truth", "三十日")], comment="short").status_code == 303
    assert "自愿离婚" not in bo.get(PAGE).text
    assert "三十日" in bo.get(PAGE).text
    folder = suites / "mine"
    everybody = load_all(read(folder))
    assert len(everybody) == 2
    assert {one["a"].annotator for one in everybody.values()} == {"anna", "Bo <b>/.."}
    assert all(path.parent == folder / "annotations" for path in (folder / "annotations").iterdir())
    decide = "/annotate/mine/decide?sample=a"
    shown = owner.get(decide).text
    assert "自愿离婚" in shown
    assert "Only one has it" in shown
    assert "disputed" in owner.get("/annotate/mine").text
    assert (
        write(owner, [("ground_truth", "三十日"), ("advisable", "自愿离婚")], page=decide, decide="yes").status_code
        == 303
    )
    assert owner.post("/annotate/mine/settle", form="/annotate/mine", follow_redirects=False).status_code == 303
    (points,) = [one.guidance.points for one in read(folder).samples if one.id == "a"]
    assert [(point.category.value, point.text) for point in points] == [
        ("ground_truth", "三十日"),
        ("advisable", "自愿离婚"),
    ]
    assert load(folder, ADJUDICATED)["a"].annotator == "owner"
    log = owner.get("/log").text
    assert "decided on guidance" in log


def test_reviewers_neither_see_others_nor_decide(people):
    """The page of all versions, the decision and the settling are the owner's."""
    _, anna, _ = people
    assert anna.get("/annotate/mine/decide?sample=a").status_code == 403
    assert write(anna, [("mandatory", "x")], decide="yes").status_code == 403
    assert anna.post("/annotate/mine/settle", form="/annotate").status_code == 403
    assert "Written by" not in anna.get("/annotate/mine").text


def test_hostile_samples_and_points_are_text(people):
    """What a sample or an annotator says is escaped, in every page that shows it."""
    owner, anna, _ = people
    page = f"/annotate/mine/sample?sample={quote('b/2', safe='')}"
    assert write(anna, [("mandatory", HOSTILE)], page=page).status_code == 303
    for visitor, path in ((anna, page), (anna, "/annotate/mine"), (owner, page.replace("/sample?", "/decide?"))):
        answer = visitor.get(path)
        assert answer.status_code == 200
        assert "<script>window" not in answer.text
        assert "<img" not in answer.text


def test_guidance_for_a_changed_sample_is_not_kept(people, suites):
    """Who wrote while the sample was changed is told, and keeps the words on the page."""
    _, anna, _ = people
    answer = write(anna, [("mandatory", "自愿离婚")], content="stale")
    assert answer.status_code == 409
    assert "自愿离婚" in answer.text
    assert load_all(read(suites / "mine")) == {}


@pytest.mark.parametrize("rows", [[("no_such", "x")], [("mandatory", "x" * 4001)]])
def test_faulty_forms_are_refused(people, rows):
    """An unknown category and a point that is too long are told, with what was expected."""
    assert write(people[1], rows).status_code == 422


def test_what_is_not_there_is_not_found(people):
    """Unknown suites and samples, and paths out of the folder."""
    owner = people[0]
    for path in (
        "/annotate/other",
        "/annotate/%2e%2e",
        "/annotate/mine/sample?sample=zzz",
        "/annotate/mine/decide?sample=..",
    ):
        assert owner.get(path).status_code == 404


def test_names_that_are_hidden_get_no_guidance(apps, runs, suites):
    """With personal data hidden, the app says to serve a masked copy instead."""
    owner = apps(runs, suites=suites, mask=True)()
    owner.sign_in()
    assert "masked copy" in owner.get("/annotate").text
    assert owner.get("/annotate/mine").status_code == 404


def test_a_suite_with_broken_rows_is_named(people, suites):
    """A row that cannot be read would be lost by a rewrite: the page says so and offers nothing."""
    shutil.copytree(suites / "mine", suites / "broken")
    with (suites / "broken" / "samples.jsonl").open("a", encoding="utf-8") as file:
        file.write("{\n")
    assert "rows that cannot be read" in people[0].get("/annotate").text
    assert people[0].get("/annotate/broken").status_code == 400
