"""The decision on one page: what it says, in whose words, who signed it, and what of it survives."""

from __future__ import annotations

import functools
import html
import io
import json
import re
import shutil
import sqlite3

import pytest
from click.testing import CliRunner
from docx import Document

from benchbar.cli.main import cli
from benchbar.ledger.fingerprinting import ledger_fingerprint
from benchbar.ledger.opening import open_store
from support.marking import mark

HEADINGS = ("Why", "What would change it", "Who marked", "What is not known", "Signed")


@pytest.fixture
def decided(owner, graded, visit):
    """A run whose dialogues two people have begun to mark."""
    for name, score in (("Anna", "90"), ("Boris", "20")):
        person = visit()
        person.sign_in(name, owner.add(name, "reviewer"))
        for _ in range(3):
            assert mark(person, score, "why").status_code == 303
    return graded


def fingerprint(run) -> str:
    store = open_store(run / "ledger.sqlite", writable=False)
    try:
        return ledger_fingerprint(store)
    finally:
        store.close()


def signed(owner, run, **fields: str):
    given = {"verdict": "hold", "statement": "Not <b>yet</b>", "fingerprint": fingerprint(run), **fields}
    return owner.post(f"/runs/{run.name}/decision", given, form="/people", follow_redirects=False)


def plain(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_the_page_says_why_with_the_worst_answers_and_who_marked(owner, decided):
    """One sentence, at most three reasons, an answer word for word, and the people with their marks."""
    page = owner.get(f"/runs/{decided.name}/decision").text
    text = plain(page)
    assert all(one in text for one in HEADINGS)
    assert 1 <= page.count("<li><p><strong>") <= 3
    assert "Anna (3), Boris (3)" in text
    quotes = re.findall(r'<blockquote class="text">(.+?)</blockquote>', page, re.DOTALL)
    said = (decided / "dialogues.jsonl").read_text("utf-8")
    assert quotes
    assert all(html.unescape(one).strip("…\n ").splitlines()[0][:40] in said for one in quotes)


@pytest.mark.parametrize("language", ["zh-CN", "zh-TW", "ru"])
def test_the_page_speaks_the_readers_language(owner, decided, language):
    """No sentence of English, no raw key; names of assistants and measures' marks stay."""
    page = owner.get(f"/runs/{decided.name}/decision", headers={"accept-language": language}).text
    body = page[page.index("<main") :]
    body = re.sub(r"<blockquote.*?</blockquote>|<summary>.*?</summary>", "", body, flags=re.DOTALL)
    english = [line for line in plain_lines(body) if re.search(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}", line)]
    assert english == []
    assert not re.search(r"\b(brief|gate_reason|gate)\.\w+", " ".join(plain_lines(body)))


def plain_lines(body: str) -> list[str]:
    return [" ".join(html.unescape(one).split()) for one in re.sub(r"<[^>]+>", "\n", body).splitlines() if one.strip()]


def test_a_signature_stands_in_the_log_for_good(owner, decided, apps, runs):
    """Name, time, verdict, remark and the ledger's fingerprint; another server reads it from the disk."""
    assert signed(owner, decided).status_code == 303
    other = apps(runs)()
    other.sign_in()
    page = other.get(f"/runs/{decided.name}/decision").text
    assert f"do not release (ledger {fingerprint(decided)})" in page
    assert "Not &lt;b&gt;yet&lt;/b&gt;" in page
    assert "Signed for an earlier state" not in page
    assert "signed the decision on" in plain(other.get("/log").text)
    rows = sqlite3.connect(runs / ".benchbar" / "web.sqlite").execute(
        "SELECT count(*) FROM audit WHERE action = 'decision_signed'"
    )
    assert rows.fetchone() == (1,)


def test_a_release_against_the_gate_needs_a_reason(owner, decided):
    """Without one nothing is signed; with it the decision's page, the run's page and the list say who released what was not let pass."""
    refused = signed(owner, decided, verdict="release", statement="  ")
    assert refused.status_code == 422
    assert "To release it all the same, write your reason" in refused.text
    assert "Nobody has signed" in owner.get(f"/runs/{decided.name}/decision").text
    assert signed(owner, decided, verdict="release", statement="The partner knows.").status_code == 303
    run = plain(owner.get(f"/runs/{decided.name}").text)
    for page in (plain(owner.get(f"/runs/{decided.name}/decision").text), run):
        assert "Released against the gate, which said:" in page
    for page in (run, plain(owner.get("/runs").text)):
        assert re.search(r"owner signed on .+: release\.", page)


def test_a_signature_is_for_what_was_read(owner, decided, visit):
    """A mark that came in meanwhile refuses the form, and makes an earlier signature one for an earlier state."""
    before = fingerprint(decided)
    assert signed(owner, decided).status_code == 303
    person = visit()
    person.sign_in("Clara", owner.add("Clara", "reviewer"))
    assert mark(person, "50", "so so").status_code == 303
    assert fingerprint(decided) != before
    assert signed(owner, decided, fingerprint=before).status_code == 409
    assert "Signed for an earlier state" in owner.get(f"/runs/{decided.name}/decision").text


def test_a_signature_outlives_what_is_only_asked(owner, decided, visit):
    """Answers picked to be marked are no new marks: the signature is of an earlier state only when one of them is marked."""
    before = fingerprint(decided)
    assert signed(owner, decided).status_code == 303
    list_, fields = f"/runs/{decided.name}/samples?assistant=closed-book", {"every": "true"}
    answer = owner.post(f"/runs/{decided.name}/queue?assistant=closed-book", fields, form=list_)
    assert "Added to the queue" in answer.text
    assert fingerprint(decided) == before
    assert "Signed for an earlier state" not in owner.get(f"/runs/{decided.name}/decision").text
    person = visit()
    person.sign_in("Clara", owner.add("Clara", "reviewer"))
    assert mark(person, "50", "so so").status_code == 303
    assert fingerprint(decided) != before


@pytest.mark.parametrize(
    "fields", [{"verdict": "yes"}, {"verdict": ""}, {"fingerprint": "0" * 33}, {"statement": "x" * 1001}]
)
def test_a_form_that_says_something_else_is_refused(owner, decided, fields):
    """Nothing of it reaches the log."""
    assert signed(owner, decided, **fields).status_code in {409, 422}
    assert "Nobody has signed" in owner.get(f"/runs/{decided.name}/decision").text


def test_only_owners_sign_and_only_members_read(owner, decided, visit):
    """A viewer of the run reads it without the log; a stranger to it, and a reviewer, read nothing."""
    inside, outside, reviewer = visit(), visit(), visit()
    inside.sign_in("Vera", owner.add("Vera", "viewer"))
    outside.sign_in("Otto", owner.add("Otto", "viewer", every=False))
    reviewer.sign_in("Rita", owner.add("Rita", "reviewer"))
    path = f"/runs/{decided.name}/decision"
    assert "Log of this run" not in inside.get(path).text
    assert signed(inside, decided).status_code == 403
    for one, code in ((outside, 404), (reviewer, 403), (visit(), 303)):
        assert one.get(path, follow_redirects=False).status_code == code
        assert one.get(f"{path}.docx", follow_redirects=False).status_code == code
    token = {"csrf": "0" * 64, "verdict": "hold", "fingerprint": fingerprint(decided)}
    assert owner.client.post(path, data=token).status_code == 403
    assert "Nobody has signed" in owner.get(path).text


def test_the_docx_opens_and_says_the_same(owner, decided):
    """The sentence, the quoted answers and the signatures, in the reader's language."""
    signed(owner, decided)
    page = plain(owner.get(f"/runs/{decided.name}/decision").text)
    data = owner.get(f"/runs/{decided.name}/decision.docx").content
    lines = [one.text for one in Document(io.BytesIO(data)).paragraphs]
    assert all(one in lines for one in HEADINGS)
    assert lines[1].startswith(f"Run {decided.name}, finished ")
    assert lines[1].endswith(f"; ledger {fingerprint(decided)}")
    assert " ".join(lines[1].split()) in page
    assert lines[3] in page
    assert any(fingerprint(decided) in one for one in lines)
    russian = owner.get(f"/runs/{decided.name}/decision.docx", headers={"accept-language": "ru"}).content
    assert "Почему" in [one.text for one in Document(io.BytesIO(russian)).paragraphs]


def test_the_difference_from_people_is_told_alike_everywhere(owner, graded, visit):
    """Page, DOCX, the command of the gate, the Markdown of the browser and that of the command line: one sentence, with n and interval."""
    for name, score in (("Anna", "90"), ("Boris", "88")):
        person = visit()
        person.sign_in(name, owner.add(name, "reviewer"))
        for _ in range(3):
            assert mark(person, score, "why").status_code == 303
    # Rules alone give no grade; a judge would have given one to each answer.
    file = graded / "measures.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    file.write_text(
        "".join(json.dumps(one | {"values": one["values"] | {"overall": 0.5}}) + "\n" for one in rows), "utf-8"
    )
    page = plain(owner.get(f"/runs/{graded.name}/decision").text)
    (told,) = re.findall(r"Of \d+ answers? that people graded as well, .+? points apart\.", page)
    data = owner.get(f"/runs/{graded.name}/decision.docx").content
    assert told in [one.text for one in Document(io.BytesIO(data)).paragraphs]
    exported = owner.get(f"/runs/{graded.name}/export/md").text
    printed = CliRunner().invoke(cli, ["report", str(graded), "--format", "md"]).output
    gate = " ".join(CliRunner().invoke(cli, ["gate", str(graded)]).output.split())
    assert told in gate
    for text in (exported, printed):
        assert told in text.replace("\\", "")
        assert "decided by people's marks and rules" in text
    assert exported == printed


def test_a_run_without_a_gate_leads_to_its_decision(owner, graded):
    """The list and the run's page link it, and it names the policy that stands in for the missing one."""
    assert "Held against the run's policy" in plain(owner.get(f"/runs/{graded.name}/decision").text)
    for file, part in (("results.json", ()), ("run.json", ("spec",))):
        kept = json.loads((graded / file).read_text("utf-8"))
        functools.reduce(dict.__getitem__, part, kept)["gate"] = None
        (graded / file).write_text(json.dumps(kept), "utf-8")
    for page in ("/runs", f"/runs/{graded.name}"):
        assert f'href="/runs/{graded.name}/decision"' in owner.get(page).text
    text = plain(owner.get(f"/runs/{graded.name}/decision").text)
    assert "it is held against the built-in policy release" in text


def test_a_run_without_a_decision_says_so(owner, runs, graded):
    """It has not finished, or its files are damaged: an answer, and no page of dashes."""
    shutil.copytree(graded, runs / "unfinished")
    (runs / "unfinished" / "results.json").unlink()
    answer = owner.get("/runs/unfinished/decision")
    assert answer.status_code == 404
    assert "this run has not finished" in answer.text


def test_hostile_answers_are_quoted_and_do_nothing(reading):
    """Scripts, control characters and templates in the worst answer stay text, on the page and in the DOCX."""
    owner = reading()
    owner.sign_in()
    page = owner.get("/runs/plain/decision")
    assert page.status_code == 200
    assert "<script>window" not in page.text
    assert "<img src=x" not in page.text
    Document(io.BytesIO(owner.get("/runs/plain/decision.docx").content))
