"""Surveys: what is read, who counts, which use cases are retained."""

from __future__ import annotations

import json
import random

import pytest

from benchbar.languages.packs import known
from benchbar.records import encode
from benchbar.records.errors import BadInputError
from benchbar.survey.analysis import analysed
from benchbar.survey.group_file import read_groups, written
from benchbar.survey.grouping import proposed, statements, ungrouped
from benchbar.survey.questionnaire import read_questionnaire, template
from benchbar.survey.records import Acceptance
from benchbar.survey.responses import duration, read_responses
from support.survey_maker import COLLECTED, DROPPED, VALID, as_csv, rows, shares


@pytest.fixture
def asked(tmp_path):
    """The English template, as a file and as read."""
    file = tmp_path / "needs.toml"
    file.write_text(template("en"), "utf-8")
    return file, read_questionnaire(file)


def read(tmp_path, questionnaire, text: str | bytes, name: str = "responses.csv"):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_responses(file, questionnaire)


@pytest.mark.parametrize("language", known())
def test_a_template_offers_33_use_cases_in_five_scenarios(language, tmp_path):
    """28 come from interviews and five from open answers, as the paper's did; consent comes first, an open question last."""
    file = tmp_path / "q.toml"
    file.write_text(template(language), "utf-8")
    found = read_questionnaire(file)
    cases = [case for scenario in found.scenarios for case in scenario.use_cases]
    assert (len(found.scenarios), len(cases)) == (5, 33)
    assert sum(case.origin == "interview" for case in cases) == 28
    assert found.consent.strip()
    assert found.open_question


def test_the_counts_of_the_paper_come_out(benchbar, asked, tmp_path):
    """346 collected, 282 valid, 56, 62, 64, 52 and 48 by scenario; 22 of 33 use cases retained at 10%."""
    (tmp_path / "responses.csv").write_text(as_csv(rows(asked[1])), "utf-8")
    done = benchbar("survey", "analyse", "responses.csv", "--questionnaire", "needs.toml", "--out", "needs", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert (found["collected"], found["valid"], found["exclusions"]) == (COLLECTED, 282, {"too_fast": 64})
    assert found["by_scenario"] == VALID
    assert (found["retained"], found["dropped"], len(found["use_cases"])) == (22, 11, 33)
    assert {one["id"] for one in found["use_cases"] if not one["retained"]} == DROPPED
    counts = shares(asked[1])
    for one in found["use_cases"]:
        share = one["share"]
        assert share["value"] == counts[one["id"]] / VALID[one["scenario"]]
        assert share["n"] == VALID[one["scenario"]]
        assert share["low"] < share["value"] < share["high"]
        assert one["undecided"] == (share["low"] < 0.1 <= share["high"])
    assert 0 < found["undecided"] < 33
    page, chart = ((tmp_path / "needs" / name).read_text("utf-8") for name in ("survey.html", "use-cases.svg"))
    assert "<script" not in page
    assert page.count("<rect") == chart.count("<rect") == 33
    assert "| Court | 52 |" in (tmp_path / "needs" / "survey.md").read_text("utf-8")
    assert r"\toprule" in (tmp_path / "needs" / "survey.tex").read_text("utf-8")


def test_each_reason_for_leaving_out_is_told(asked, tmp_path):
    """Too fast, empty, contradictory, twice by one respondent, the same words again, no consent; the good one stays."""
    words = "I would like help with writing letters to my landlord"
    lines = [
        {"id": "good", "selected": "public-case", "respondent": "p1"},
        {"id": "fast", "selected": "public-case", "minutes": "4.9"},
        {"id": "at-five", "selected": "public-case", "minutes": "5"},
        {"id": "empty"},
        {"id": "other", "selected": "public-case;court-charges"},
        {"id": "none-and-some", "selected": "none;public-case"},
        {"id": "only-none", "selected": "none"},
        {"id": "again", "selected": "public-terms", "respondent": "p1"},
        {"id": "words", "open": words},
        {"id": "same-words", "open": words.upper() + "!"},
        {"id": "no", "selected": "public-case", "consent": "no"},
    ]
    full = [{"scenario": "general_public", "minutes": "6", "consent": "yes"} | one for one in lines]
    found = analysed(
        read(tmp_path, asked[1], "\n".join(json.dumps(one) for one in full), "r.jsonl"), asked[1], threshold=0.1
    )
    reasons = {one.response: str(one.reason) for one in found.excluded}
    assert reasons == {
        "fast": "too_fast",
        "empty": "empty",
        "other": "contradictory",
        "none-and-some": "contradictory",
        "again": "duplicate",
        "same-words": "duplicate",
        "no": "no_consent",
    }
    assert (found.valid, found.without_time) == (4, 0)
    assert (
        next(one.detail for one in found.excluded if one.response == "again") == "the same respondent as response good"
    )


def test_bad_input_is_named_by_file_row_and_column(benchbar, asked, tmp_path):
    """Free text in a number column, an unknown scenario or use case, a respondent twice, a line in another encoding."""
    lines = [
        "id,respondent,scenario,minutes,selected,years,open",
        "a,p1,court,7,court-charges,over 10,",
        "b,p2,court,a while,court-charges,over 10,",
        "c,p3,moon,7,,over 10,",
        "d,p4,court,7,court-tea,over 10,",
        "e,p1,court,7,court-charges,over 10,",
        'f,p5,court,7,court-charges,many,"two\nlines"',
        "g,p6,court,7,court-charges,over 10,法官助理希望得到帮助",
    ]
    data = "\n".join(lines[:-1]).encode() + b"\n" + lines[-1].encode("gb18030")
    data += "\nh,p7,court,8,court-charges,over 10,庭审笔录\ni,p8,court,9,court-charges,over 10,判决书".encode()
    (tmp_path / "mixed.csv").write_bytes(data)
    done = benchbar("survey", "analyse", "mixed.csv", "--questionnaire", "needs.toml", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    problems = {(one["line"], one["field"]) for one in found["problems"]}
    assert problems == {(3, "minutes"), (4, "scenario"), (5, "selected"), (6, "respondent"), (7, "years"), (9, "open")}
    assert all(one["file"] == "mixed.csv" for one in found["problems"])
    assert [(one["line"], one["reason"]) for one in found["excluded"]] == [
        (3, "unreadable"),
        (4, "unreadable"),
        (5, "unreadable"),
        (6, "duplicate"),
        (9, "unreadable"),
    ]
    assert (found["collected"], found["valid"]) == (9, 4)
    told = benchbar("survey", "import", "mixed.csv", "--questionnaire", "needs.toml", "--out", "clean.jsonl")
    assert told.code == 1
    assert "mixed.csv, row 3, column minutes: 'a while' is no time" in told.err
    assert "mixed.csv, row 9, column open: in GB18030, while the file is in UTF-8" in told.err
    again = benchbar("survey", "import", "clean.jsonl", "--questionnaire", "needs.toml", "--out", "again.jsonl")
    assert "clean.jsonl, row 2, column respondent: the same respondent as in row 1" in again.err
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "clean.jsonl").read_bytes()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_tables_are_read_as_spreadsheets_write_them(encoding, tmp_path):
    """Chinese heads, one column a use case, ticks as words, seconds with their unit; in any of four encodings."""
    file = tmp_path / "q.toml"
    file.write_text(template("zh"), "utf-8")
    asked = read_questionnaire(file)
    court = next(one for one in asked.scenarios if one.id == "court")
    head = ["序号", "所用时间", "场景", "您的年龄？", "来源", *(case.text for case in court.use_cases)]
    lines = [
        head,
        ["1", "412秒", "法院", "五十岁及以上", "微信", "是", *[""] * 6],
        ["2", "6分1秒", "法院", "", "", *["0"] * 6, "1"],
    ]
    text = "\r\n".join(",".join(f'"{cell}"' for cell in line) for line in lines)
    found = read(tmp_path, asked, text.encode(encoding))
    assert found.problems == ()
    assert found.ignored == ("来源",)
    first, second = found.responses
    assert (first.selected, second.selected) == (("court-charges",), ("court-issues",))
    assert first.minutes == pytest.approx(412 / 60)
    assert first.background == {"age": "五十岁及以上"}


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("7.5", 7.5), ("7,5", 7.5), ("312秒", 5.2), ("5分12秒", 5.2), ("5 min 12 s", 5.2), ("00:05:12", 5.2),
        ("5:12", 5.2), ("1小时2分", 62), ("5 мин 12 сек", 5.2), ("soon", None), ("", None), ("-3", None), ("1e3", None),
    ],
)  # fmt: skip
def test_times_are_read_as_people_write_them(text, minutes):
    """Minutes, seconds, clocks; and nothing is guessed."""
    found = duration(text)
    assert found is None if minutes is None else found == pytest.approx(minutes)


def test_a_questionnaire_with_a_fault_says_where(tmp_path):
    """Doubled ids, misspelt fields, a choice without options."""
    good = template("en")
    for old, new, told in (
        ("court-charges", "court-sentences", "court-sentences"),
        ("min_minutes", "min_minuts", "min_minuts"),
        ('id = "court-charges"', 'id = "none"', "none"),
        ('options = ["none", "under 5", "5 to 10", "over 10"]', "options = []", "background.years"),
    ):
        file = tmp_path / "bad.toml"
        file.write_text(good.replace(old, new, 1), "utf-8")
        with pytest.raises(BadInputError, match=told):
            read_questionnaire(file)


OPEN = {
    "o1": "1. Look up case law abroad; 2. check deadlines",
    "o2": "Looking up foreign case law",
    "o3": "check the deadlines of appeals.",
    "o4": "Find mistakes in our documents",
    "o5": "none",
}


@pytest.fixture
def opened(asked, tmp_path):
    """Five law-office responses with open answers."""
    lines = [
        {"id": id_, "scenario": "law_office", "minutes": 8, "open": text, "selected": ["office-text"]}
        for id_, text in OPEN.items()
    ]
    return read(tmp_path, asked[1], "\n".join(json.dumps(one) for one in lines), "open.jsonl")


def test_open_answers_are_grouped_by_their_words(asked, opened):
    """Wishes that share rare words come together; what an offered use case says already is proposed as that."""
    found = statements(opened.responses)
    assert len(found["law_office"]) == 5
    groups, _ = proposed(found, asked[1])
    members = {frozenset(one.response for one in group.members): group for group in groups}
    assert members[frozenset({"o4"})].use_case == "office-proofreading"
    assert frozenset({"o1", "o2"}) in members
    assert frozenset({"o1", "o3"}) in members
    assert all(group.decision is Acceptance.PENDING for group in groups)


def test_groups_count_when_a_person_has_accepted_them(benchbar, asked, opened, tmp_path):
    """A new use case from open answers joins the others; decisions stay when the command is run again."""
    command = ("survey", "analyse", "open.jsonl", "--questionnaire", "needs.toml", "--out", "out", "--json")
    first = json.loads(benchbar(*command).out)
    assert (len(first["use_cases"]), first["groups"]["pending"]) == (33, 3)
    file = tmp_path / "out" / "groups.toml"
    text = file.read_text("utf-8")
    block = next(one for one in text.split("[[groups]]") if "foreign" in one)
    file.write_text(
        text.replace(
            block, block.replace('"pending"', '"accepted"').replace("\nlabel = ", '\nlabel = "Law abroad" # ')
        ),
        "utf-8",
    )
    second = json.loads(benchbar(*command).out)
    added = [one for one in second["use_cases"] if one["text"] == "Law abroad"]
    assert len(second["use_cases"]) == 34
    assert (added[0]["mentioned"], added[0]["share"]["value"], added[0]["retained"]) == (2, 0.4, True)
    assert second["groups"] == {"pending": 2, "accepted": 1, "refused": 0}
    assert json.loads(benchbar(*command).out) == second


def test_a_group_file_survives_hostile_words(asked, tmp_path):
    """Quotes, line ends and table heads in an answer stay text."""
    words = ['say "hi"\n[[groups]]\nid = "x"', "\\u0000 \x7f", "'''"]
    lines = [
        {"id": f"h{i}", "scenario": "court", "minutes": 8, "open": f"wish number {i} {one}"}
        for i, one in enumerate(words)
    ]
    found = read(tmp_path, asked[1], "\n".join(json.dumps(one) for one in lines), "h.jsonl")
    groups, _ = proposed(statements(found.responses), asked[1])
    file = tmp_path / "g.toml"
    file.write_bytes(written(groups))
    back = read_groups(file, asked[1])
    assert [encode(one) for one in back] == [encode(one) for one in groups]
    assert ungrouped(statements(found.responses), back) == {}


def test_a_model_may_propose_groups_and_a_person_still_decides(benchbar, asked, opened, chat_server, tmp_path):
    """Its answer is used as far as it names wishes that there are; the same command again asks nothing."""
    command = (
        *("survey", "analyse", "open.jsonl", "--questionnaire", "needs.toml", "--out", "out", "--json"),
        *("--model", "groups", "--base-url", chat_server.base_url),
    )
    done = benchbar(*command)
    assert done.code == 0, done.err
    groups = read_groups(tmp_path / "out" / "groups.toml", asked[1])
    assert any(group.proposed_by.startswith("model ") for group in groups)
    members = [(one.response, one.text) for group in groups for one in group.members]
    assert len(members) == len(set(members)) == 5
    assert all(group.decision is Acceptance.PENDING for group in groups)
    asked_for = chat_server.stats()["requests"]
    (tmp_path / "out" / "groups.toml").unlink()
    assert benchbar(*command).code == 0
    assert chat_server.stats()["requests"] == asked_for


def test_hostile_text_stays_text_in_every_report(benchbar, asked, tmp_path):
    """Markup in names and answers is shown, not obeyed."""
    bad = "<script>alert(1)</script>|$x_1$"
    file = asked[0]
    file.write_text(
        file.read_text("utf-8").replace('Court"', f'{bad}"').replace("Decide on the sentence", bad), "utf-8"
    )
    rows_ = [{"id": bad, "scenario": "court", "minutes": "1", "selected": "court-charges"}]
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(one) for one in rows_), "utf-8")
    done = benchbar("survey", "analyse", "r.jsonl", "--questionnaire", "needs.toml", "--out", "out")
    assert done.code == 0, done.err
    for name in ("survey.html", "use-cases.svg", "survey.md"):
        assert "<script" not in (tmp_path / "out" / name).read_text("utf-8")
    assert "$x_1$" not in (tmp_path / "out" / "survey.tex").read_text("utf-8")


def test_the_rule_is_the_share_itself_and_the_interval_says_whether_it_may_turn(asked, tmp_path):
    """Exactly 10% is retained; 5 of 50 and 4 of 50 are undecided, 25 of 50 is not."""
    random_ = random.Random(1)
    wanted = {"court-charges": 5, "court-sentences": 4, "court-judgments": 25}
    ticks = [[] for _ in range(50)]
    for case, count in wanted.items():
        for place in random_.sample(range(50), count):
            ticks[place].append(case)
    lines = [
        {"id": str(i), "scenario": "court", "minutes": 6, "selected": own, "none": not own}
        for i, own in enumerate(ticks)
    ]
    found = analysed(
        read(tmp_path, asked[1], "\n".join(json.dumps(one) for one in lines), "r.jsonl"), asked[1], threshold=0.1
    )
    state = {one.id: (one.retained, one.undecided) for one in found.use_cases if one.id in wanted}
    assert state == {"court-charges": (True, True), "court-sentences": (False, True), "court-judgments": (True, False)}
    nobody = next(one for one in found.use_cases if one.scenario == "college")
    assert nobody.share.value is None
    assert nobody.share.reason
