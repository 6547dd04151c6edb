"""Passages of answers that reviewers mark: kept with the mark, counted, exported, and made guidance points of."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil

import pytest

from support.marking import action_of, mark, queue_path


def shown_answer(page: str) -> tuple[int, str]:
    """Turn and first words of an answer on the page of a task."""
    turn, html = re.search(r'data-turn="(\d+)" class="said assistant".*?<div class="laid-out">(.*?)</div>', page, re.DOTALL).groups()  # fmt: skip
    text = re.sub(r"<[^>]+>", "", html)
    return int(turn), " ".join(text.split())[:40]


def span(kind: str, quote: str, turn: int = 1, side: int = 0) -> str:
    return json.dumps({"side": side, "turn": turn, "kind": kind, "quote": quote}, ensure_ascii=False)


@pytest.fixture
def ann(visit, owner, graded):
    """A reviewer."""
    found = visit()
    found.sign_in("Ann", owner.add("Ann", "reviewer"))
    return found


def rows_of(owner, run) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(owner.get(f"/queues/{run.name}/passages.csv").text)))


def test_a_marked_passage_is_kept_counted_and_exported(ann, owner, graded):
    """With its words, its kind, who marked it and where; a correction takes its place."""
    turn, quote = shown_answer(ann.get(queue_path(ann)).text)
    task = ann.get(queue_path(ann)).text
    assert (
        mark(ann, "40", "so", span=[span("invented", quote, turn), span("good", quote[5:15], turn)]).status_code == 303
    )
    rows = rows_of(owner, graded)
    assert [(one["kind"], one["quote"], one["rater"], one["turn"]) for one in rows] == [
        ("invented", quote, "Ann", str(turn)),
        ("good", quote[5:15].strip(), "Ann", str(turn)),
    ]
    panel = owner.get(f"/queues/{graded.name}").text
    assert re.search(r"<li>[\w-]+: invented 1 · good 1</li>", panel)
    assert quote in owner.get(f"/queues/{graded.name}/passages").text.replace("&#39;", "'").replace("&#34;", '"')
    path = f"{queue_path(ann)}/mine"
    own = re.search(rf"{path}/\w+", ann.get(path).text)[0]
    # The passages stand in the form of the correction, to be kept or taken off.
    assert ann.get(own).text.count('name="span"') == 2
    fields = {"score": "50", "span": [span("outdated", quote, turn)]}
    assert ann.post(own, fields, form=own, follow_redirects=False).status_code == 303
    assert [one["kind"] for one in rows_of(owner, graded)] == ["outdated"]
    assert task.count("data-span=") == 6


@pytest.mark.parametrize(
    "sent",
    [
        "no json", "{}", "[]", span("terrible", "x"), span("good", ""), span("good", "words that nobody said"), span("good", "a" * 1001),
        span("good", "a", turn=-1), span("good", "a", turn=99), span("good", "a", side=7), '{"side": 0, "turn": 1, "kind": "good", "quote": 1}',
        "[" * 5000, span("good", "a", turn=0),
    ],
)  # fmt: skip
def test_a_passage_that_stands_in_no_answer_is_left_out(ann, owner, graded, sent):
    """The mark itself is kept: what a script of the page got wrong must not cost a grade."""
    assert mark(ann, "40", span=[sent]).status_code == 303
    assert rows_of(owner, graded) == []
    assert ann.get(f"{queue_path(ann)}/mine").text.count("/mine/") > 0


def test_passages_are_part_of_the_draft(ann, graded):
    """They are there again after the browser was closed."""
    path = queue_path(ann)
    page = ann.get(path).text
    turn, quote = shown_answer(page)
    fields = {"reason": "half", "span": [span("misses_fact", quote, turn)]}
    assert ann.post(f"{action_of(page)}/draft", fields, form=path).status_code == 204
    assert 'name="span"' in ann.get(path).text


def test_of_two_consultations_each_keeps_its_own_passages(visit, owner, compared):
    """Whichever stood first on the page."""
    for name in ("Ann", "Bo"):
        person = visit()
        person.sign_in(name, owner.add(name, "reviewer"))
        path = queue_path(person)
        page = person.get(path).text
        sides = re.findall(r'data-side="(\d)" data-turn="(\d+)" class="said assistant".*?<div class="laid-out">(.*?)</div>', page, re.DOTALL)  # fmt: skip
        plain = {side: (turn, " ".join(re.sub(r"<[^>]+>", "", text).split())[:60]) for side, turn, text in sides}
        spans = [span("good", text, int(turn), int(side)) for side, (turn, text) in plain.items()]
        person.post(action_of(page), {"choice": "tie", "span": spans}, form=path)
    found = {(one["rater"], one["assistant"]): one["quote"] for one in rows_of(owner, compared)}
    assert len(found) == 4
    for assistant in ("extractive", "closed-book"):
        # Both read the same two answers, and what they marked in each is the same.
        assert found["Ann", assistant] == found["Bo", assistant]
    assert found["Ann", "extractive"] != found["Ann", "closed-book"]


def test_a_passage_becomes_a_point_of_the_guidance(apps, runs, graded, tmp_path):
    """One click leads to the form with the point in it, below what the suite says already; nothing is kept unasked."""
    from benchbar.suites.load import load

    suites = tmp_path / "suites"
    known = load("model-jurisdiction-zh")
    shutil.copytree(known.folder, suites / known.card.name)
    visit = apps(runs, suites=suites)
    owner, ann = visit(), visit()
    owner.sign_in()
    ann.sign_in("Ann", owner.add("Ann", "reviewer"))
    turn, quote = shown_answer(ann.get(queue_path(ann)).text)
    mark(ann, "40", span=[span("wrong_law", quote, turn)])
    page = owner.get(f"/queues/{graded.name}/passages").text
    link = re.search(r'href="(/annotate/[^"]+point=[^"]+)"', page)[1].replace("&amp;", "&")
    form = owner.get(link).text
    assert quote in form
    assert 'value="forbidden" selected' in form


def test_only_the_owner_reads_who_marked_what(ann, owner, graded, visit):
    """Neither reviewers nor viewers see the list or the file."""
    mark(ann, "40", span=[])
    vera = visit()
    vera.sign_in("Vera", owner.add("Vera", "viewer"))
    for person in (ann, vera):
        for rest in ("passages", "passages.csv"):
            assert person.get(f"/queues/{graded.name}/{rest}").status_code == 403


def test_a_task_is_given_back_and_the_last_mark_is_one_key_away(ann, owner, visit, graded):
    """Somebody else has it at once, and the draft is gone; the page of the next task leads back to the mark before."""
    path = queue_path(ann)
    page = ann.get(path).text
    assert 'id="last"' not in page
    action = action_of(page)
    ann.post(f"{action}/draft", {"reason": "mine alone"}, form=path)
    answer = ann.post(f"{action}/back", form=path, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}/mine")
    assert ann.post(action, {"score": "10"}, form=path, follow_redirects=False).status_code == 409
    assert "mine alone" not in ann.get(path).text
    mark(ann, "60", "first")
    last = re.search(r'id="last" href="([^"]+)"', ann.get(path).text)[1]
    assert "first" in ann.get(last).text


def test_the_owner_says_how_to_mark(ann, owner, graded):
    """Beside the form, in their words; without them the page says what grades mean."""
    assert "a client could act on it as it stands" in ann.get(queue_path(ann)).text
    owner.post(f"/queues/{graded.name}/matter", {"guidelines": "Line one <b>\nLine two"}, form="/people")
    page = ann.get(queue_path(ann)).text
    assert "Line one &lt;b&gt;\nLine two" in page
    assert "a client could act on it" not in page
    refused = owner.post(f"/queues/{graded.name}/matter", {"guidelines": "a" * 8001}, form="/people")
    assert refused.status_code == 422
